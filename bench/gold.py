"""The hand annotation of the first seed file (tests/gold/000.tsv), one expert's reading a row."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sitegen.records import MergedText, Place

ROOT = Path(__file__).resolve().parent.parent
FILE = "000"
"""Start of the annotated seed file's name."""
_MENDABLE = {"latex", "lost-backslash", "tex-quotes"}
"""Kinds of damage that have one right repair; the others are matters of style, or lost for good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expert:
    """What the annotator said of one paper."""

    position: int
    """Of the abstract in its file, from 1."""
    names: tuple[str, ...]
    """Names that the paper introduces, main name first; empty for most studies."""
    headline: str
    tags: tuple[str, ...]
    areas: tuple[str, str]
    """The second is ``-`` where there is none."""
    damage: tuple[str, ...]
    """Fragments with markup, as they stand in the source."""

    @property
    def area_set(self) -> frozenset[str]:
        """The one or two areas, in no order."""
        return frozenset(self.areas) - {"-"}


def read_gold() -> tuple[Expert, ...]:
    """Return the annotation, in the order of the file."""
    with (ROOT / f"tests/gold/{FILE}.tsv").open(encoding="utf-8") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(map(_expert, rows))


def _expert(row: Mapping[str, str]) -> Expert:
    flaws = [flaw.partition(":") for flaw in _items(row["flaws"])]
    return Expert(
        position=int(row["idx"]) + 1,
        names=_items(row["names"]),
        headline=row["headline"],
        tags=_items(row["tags"]),
        areas=(row["area"], row["area2"]),
        damage=tuple(fragment for kind, _, fragment in flaws if kind in _MENDABLE),
    )


def _items(cell: str) -> tuple[str, ...]:
    return () if cell == "-" else tuple(item.strip() for item in cell.split(";"))


def annotated_rows(
    experts: Sequence[Expert],
    places: Sequence[Sequence[Place]],
    merged: Sequence[Sequence[MergedText]],
) -> list[int]:
    """Return for each row of the annotation the position of its paper in a digest.

    Args:
        experts: the annotation.
        places: of each paper of the digest, where it stands in the sources.
        merged: aligned with places, the other texts that were judged the same paper.
    """
    found: dict[int, int] = {}
    for row, (own, others) in enumerate(zip(places, merged, strict=True)):
        for place in (*own, *(text.place for text in others)):
            if Path(place.file).name.startswith(FILE):
                found[place.position] = row
    return [found[expert.position] for expert in experts]
