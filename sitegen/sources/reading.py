"""What a reader hands back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from sitegen.diagnostics import Problem
from sitegen.records import Metadata

MOST_ALIKE = 100
"""Problems of one code in one file that are listed one by one; the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One abstract of a file."""

    text: str
    position: int
    """1 for the first abstract of the file; debris does not count."""
    line: int
    """Line of its first character, from 1."""
    metadata: Metadata = field(default_factory=Metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one file holds; read = found + reported."""

    found: tuple[Found, ...] = ()
    reported: int = 0
    """Pieces of the file that were not kept, each with a problem."""
    problems: tuple[Problem, ...] = ()


def bound(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Fold what comes after `MOST_ALIKE` problems of one code into the last of them."""
    kept: list[Problem] = []
    seen: Counter[str] = Counter()
    last: dict[str, int] = {}
    for problem in problems:
        seen[problem.code] += 1
        if seen[problem.code] <= MOST_ALIKE:
            last[problem.code] = len(kept)
            kept.append(problem)
    for code, at in last.items():
        more = seen[code] - MOST_ALIKE
        if more > 0:
            kept[at] = replace(kept[at], text=f"{kept[at].text} (and {more:,} more like this)")
    return tuple(kept)
