"""What differs between two texts, word by word, in pieces that a reader can follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

Change = Literal["same", "left", "right"]

MOST = 2000
"""Words of a text that are compared; the comparison takes quadratic time."""
FEWEST = 3
"""Fewer common words between two differences are shown as different: they are chance."""
REST = "…"


@dataclass(frozen=True, slots=True)
class Piece:
    """Words that stand in both texts or in one of them."""

    change: Change
    words: tuple[str, ...]


def word_diff(left: str, right: str) -> tuple[Piece, ...]:
    """Return the pieces of two texts in reading order; no two of one kind in a row.

    The words of all pieces but ``right`` are the left text, those of all but ``left`` the right
    one; texts of more than `MOST` words are cut.
    """
    one, two = _words(left), _words(right)
    matcher = SequenceMatcher(None, one, two, autojunk=False)
    pieces: list[tuple[list[str], list[str], bool]] = []
    for tag, start, end, begin, stop in matcher.get_opcodes():
        pieces.append((one[start:end], two[begin:stop], tag == "equal"))
    return tuple(_joined(_without_chance(pieces)))


def plain(pieces: Iterable[Piece]) -> str:
    """Write pieces as git's word diff does: ``[-left-]`` and ``{+right+}``."""
    marks = {"same": ("", ""), "left": ("[-", "-]"), "right": ("{+", "+}")}
    return " ".join(
        f"{marks[piece.change][0]}{' '.join(piece.words)}{marks[piece.change][1]}"
        for piece in pieces
    )


def _words(text: str) -> list[str]:
    words = text.split()
    return words if len(words) <= MOST else [*words[:MOST], REST]


def _without_chance(
    pieces: list[tuple[list[str], list[str], bool]],
) -> Iterator[tuple[list[str], list[str], bool]]:
    """Yield the pieces, short common ones between differences made part of these."""
    last = len(pieces) - 1
    for at, (one, two, same) in enumerate(pieces):
        chance = same and 0 < at < last and len(one) < FEWEST
        yield one, two, same and not chance


def _joined(pieces: Iterable[tuple[list[str], list[str], bool]]) -> Iterator[Piece]:
    """Yield runs of differences as one piece of each side."""
    left: list[str] = []
    right: list[str] = []
    for one, two, same in pieces:
        if not same:
            left += one
            right += two
            continue
        yield from _differing(left, right)
        left, right = [], []
        yield Piece("same", tuple(one))
    yield from _differing(left, right)


def _differing(left: list[str], right: list[str]) -> Iterator[Piece]:
    if left:
        yield Piece("left", tuple(left))
    if right:
        yield Piece("right", tuple(right))
