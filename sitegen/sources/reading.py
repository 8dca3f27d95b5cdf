"""What a reader hands back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from textwrap import shorten

from sitegen.diagnostics import Location, Problem
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
    forms: tuple[str, ...] = ()
    """Names of the formats the file is of; empty where no reader knows it."""


class Remarks:
    """Collects the problems of one file, and counts the pieces that are not kept."""

    def __init__(self, file: str) -> None:
        self.reported = 0
        self._file = file
        self._problems: list[Problem] = []
        self._seen: Counter[str] = Counter()
        self._last: dict[str, int] = {}

    def add(
        self,
        kind: Callable[..., Problem],
        code: str,
        line: int,
        text: str,
        *,
        piece: str = "",
        hint: str = "",
    ) -> None:
        """Note a problem.

        Args:
            kind: `error`, `warning` or `note` of the diagnostics.
            code: of the problem.
            line: from 1; 0 where the whole file is meant.
            text: what is wrong.
            piece: the text of the file to quote.
            hint: how to mend it.
        """
        self._seen[code] += 1
        if self._seen[code] <= MOST_ALIKE:
            quoted = f': "{shorten(piece[:200], 60, placeholder=" …")}"' if piece else ""
            self._last[code] = len(self._problems)
            self._problems.append(kind(code, text + quoted, Location(self._file, line), hint))

    def drop(
        self,
        kind: Callable[..., Problem],
        code: str,
        line: int,
        text: str,
        *,
        piece: str = "",
        hint: str = "",
    ) -> None:
        """Note a problem with a piece that is not kept."""
        self.reported += 1
        self.add(kind, code, line, text, piece=piece, hint=hint)

    def problems(self) -> tuple[Problem, ...]:
        """Return the problems; what goes beyond `MOST_ALIKE` is counted in the last of its code."""
        listed = list(self._problems)
        for code, at in self._last.items():
            more = self._seen[code] - MOST_ALIKE
            if more > 0:
                listed[at] = replace(listed[at], text=f"{listed[at].text} (and {more:,} more)")
        return tuple(listed)
