"""Draw the background abstracts that topic scores are measured against.

usage: python tools/make_topic_background.py ARXIV.jsonl[.gz] [--output FILE]

ARXIV.jsonl holds arXiv metadata (CC0), one object a line with ``categories`` and ``abstract``. The
sample has fixed shares of the main categories so that no field sets the measure alone, and only
texts free of TeX, so that they need no repair. The same input gives the same file.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections import defaultdict
from pathlib import Path

OUTPUT = Path(__file__).resolve().parent.parent / "sitegen/data/topic_background.txt"
SHARES = {"cs.CL": 135, "cs.LG": 54, "cs.CV": 42, "cs.AI": 42, "other": 27}
SEED = 1
_MARKUP = re.compile(r"[\\$]|https?:")
_HEADER = """\
# Abstracts from arXiv metadata (CC0), one a line: what a topic is expected to score by chance and
# how common a phrase is are measured on them. Made by tools/make_topic_background.py.
"""


def draw(path: Path) -> list[str]:
    """Return the sample, sorted."""
    opener = gzip.open if path.suffix == ".gz" else open
    pool: dict[str, list[str]] = defaultdict(list)
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            text = " ".join(record["abstract"].split())
            if 90 <= len(text.split()) <= 230 and not _MARKUP.search(text):
                primary = record["categories"][0]
                pool[primary if primary in SHARES else "other"].append(text)
    chance = random.Random(SEED)
    return sorted(text for name, size in SHARES.items() for text in chance.sample(pool[name], size))


def main() -> None:
    """Write the sample."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("arxiv", type=Path)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    args = parser.parse_args()
    texts = draw(args.arxiv)
    args.output.write_text(_HEADER + "".join(f"{text}\n" for text in texts), encoding="utf-8")
    print(f"{len(texts)} abstracts to {args.output}")


if __name__ == "__main__":
    main()
