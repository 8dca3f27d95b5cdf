"""Make ``sitegen/data/title_words.txt``: how often a word of an abstract is in the paper's title.

Authors put into a title what a paper is about: of the abstracts that hold "quantization" more than
a quarter have it in the title, of those that hold "performance" one in seventy. It is counted once,
so that a paper's tags do not depend on the other papers of its digest::

    python tools/count_title_words.py arxiv.jsonl.gz > sitegen/data/title_words.txt

Input: JSON lines with ``title`` and ``abstract``, plain or gzipped. Equal input, equal output.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from sitegen.phrases import candidates
from sitegen.wording import split_words

LEAST = 20
"""Abstracts that a word needs to be counted."""
PRIOR = 8
"""Abstracts with the average rate that are added to each word's own."""

HEADER = """\
# Words of candidate phrases (singular, cut at hyphens) and the share, in thousandths, of abstracts
# holding one whose title holds it, too. Counted by tools/count_title_words.py over {papers} papers
# of computing and engineering, arXiv metadata of 2025 (CC0). The average word: {mean}.
"""


def papers(paths: list[Path]) -> Iterator[tuple[str, str]]:
    """Yield (title, abstract) with LaTeX commands and dollars taken out."""
    for path in paths:
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                title, abstract = (
                    re.sub(r"\\[A-Za-z]+|[{}$]", " ", record[field])
                    for field in ("title", "abstract")
                )
                yield title, " ".join(abstract.split())


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    total = 0
    held: Counter[str] = Counter()
    titled: Counter[str] = Counter()
    for title, abstract in papers(parser.parse_args().files):
        total += 1
        phrases = " . ".join(candidate.surface for candidate in candidates(abstract))
        found = {key for key in split_words(phrases).keys if key.isalpha() and len(key) > 1}
        held.update(found)
        titled.update(found & set(split_words(title).keys))
    mean = titled.total() / held.total()
    print(HEADER.format(papers=total, mean=round(1000 * mean)), end="")
    for word in sorted(word for word, count in held.items() if count >= LEAST):
        rate = (titled[word] + PRIOR * mean) / (held[word] + PRIOR)
        print(word, round(1000 * rate))


if __name__ == "__main__":
    main()
