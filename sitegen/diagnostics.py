"""One shape for everything that can be wrong: where, how bad, what, and how to mend it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class Severity(StrEnum):
    """How much a problem matters for the exit code."""

    ERROR = "error"
    """Something the curator gave was not used; the command exits 1."""
    WARNING = "warning"
    """Used, but probably not as meant; exits 1 only with ``--strict``."""
    NOTE = "note"
    """Worth knowing; never changes the exit code."""


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in a file of the project."""

    path: str
    """POSIX path from the project's root."""
    line: int = 0
    """Line counted from 1; 0 where the whole file is meant."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One finding, printed as ``path:line: severity: text [code]`` with the hint below."""

    location: Location
    severity: Severity
    code: str
    """Stable, documented name of the kind of problem, e.g. ``source-not-text``."""
    text: str
    hint: str = ""
    """How to mend it, as an instruction; empty where the text already says so."""

    def __str__(self) -> str:
        first = _visible(f"{self.location}: {self.severity}: {self.text} [{self.code}]")
        return f"{first}\n  hint: {_visible(self.hint)}" if self.hint else first


def _visible(text: str) -> str:
    """Spell out what would steer a terminal, end the line or turn the reading direction."""
    return _STEERING.sub(lambda match: ascii(match[0])[1:-1], text)


class SitegenError(Exception):
    """Base of every error a user can cause and mend; shown without a traceback."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems

    def __reduce__(self) -> tuple[type[SitegenError], tuple[Problem, ...]]:
        """Pickle the problems, not their text: errors come back from other processes whole."""
        return type(self), self.problems


def error(code: str, text: str, location: Location, hint: str = "") -> Problem:
    """Return a problem of severity error."""
    return Problem(location=location, severity=Severity.ERROR, code=code, text=text, hint=hint)


def warning(code: str, text: str, location: Location, hint: str = "") -> Problem:
    """Return a problem of severity warning."""
    return Problem(location=location, severity=Severity.WARNING, code=code, text=text, hint=hint)


def note(code: str, text: str, location: Location, hint: str = "") -> Problem:
    """Return a problem of severity note."""
    return Problem(location=location, severity=Severity.NOTE, code=code, text=text, hint=hint)
