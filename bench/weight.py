"""Bytes of a built site for each paper, by kind of file.

usage: python bench/weight.py [SITE]
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

LISTS = ("topics", "tags", "editions", "picks")


def kind_of(path: str) -> str:
    """Return the kind of a file of the site.

    >>> kind_of("tags/adam/feed.xml"), kind_of("papers/ab12cd34/index.html"), kind_of("card.png")
    ('feeds of tags', 'papers', 'cards')
    """
    first, _, rest = path.partition("/")
    name = path.rpartition("/")[2]
    if name == "card.png":
        return "cards"
    if first in LISTS and rest:
        if name.startswith("feed."):
            return f"feeds of {first}"
        return f"BibTeX of {first}" if name.endswith(".bib") else f"pages of {first}"
    if first in {"papers", "data", "pagefind", "assets", "names"}:
        return first
    return "feed of the site" if first.startswith("feed.") else "other"


def weigh(site: Path) -> tuple[Counter[str], int]:
    """Return bytes by kind, and the number of papers."""
    sizes: Counter[str] = Counter()
    for file in site.rglob("*"):
        if file.is_file():
            sizes[kind_of(file.relative_to(site).as_posix())] += file.stat().st_size
    return sizes, sum(1 for _ in (site / "papers").glob("*/index.html"))


def main() -> None:
    """Print kilobytes a paper, heaviest first."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("site", type=Path, nargs="?", default=Path("public"))
    sizes, papers = weigh(parser.parse_args().site)
    total = sum(sizes.values())
    print(f"{papers:,} papers\n\n| kind | KB a paper |\n|---|---:|")
    for kind, size in sizes.most_common():
        print(f"| {kind} | {size / papers / 1000:.2f} |")
    print(f"| all | {total / papers / 1000:.2f} |")
    print(f"| all without cards | {(total - sizes['cards']) / papers / 1000:.2f} |")


if __name__ == "__main__":
    main()
