"""Formats of lines that begin with a short tag: RIS (``TY  - JOUR``) and PubMed's (``PMID- 1``)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

RIS = re.compile(r"\s*(?P<tag>[A-Z][A-Z0-9])  -(?: (?P<value>.*)|)")
LOOSE_RIS = re.compile(r"\s*(?P<tag>[A-Z][A-Z0-9]) ?-(?: (?P<value>.*)|)")
"""For files that spare a space throughout; elsewhere "AI - a survey" is a line of text."""
NBIB = re.compile(r"(?P<tag>[A-Z]{4}|[A-Z]{3} |[A-Z]{2}  )- (?P<value>.*)")


@dataclass(slots=True)
class TagRecord:
    """One record: its tags with their values, in order."""

    line: int
    closed: bool = False
    """Whether its end was marked."""
    values: list[tuple[str, list[str]]] = field(default_factory=list)
    """Tags with the lines of their values, in order."""

    @property
    def fields(self) -> list[tuple[str, str]]:
        """Tags with their values, in order."""
        return [(tag, "\n".join(filter(None, lines))) for tag, lines in self.values]

    def all(self, *tags: str) -> list[str]:
        """Return the values of the tags, the first one's first."""
        fields = self.fields
        return [value for tag in tags for name, value in fields if name == tag and value]

    def one(self, *tags: str) -> str:
        """Return the first value of the first tag that has one."""
        return next(iter(self.all(*tags)), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stray:
    """A line that belongs to no record."""

    line: int
    text: str


_PARAGRAPHS = frozenset({"AB", "N1", "N2"})


def read_records(
    text: str, pattern: re.Pattern[str], start: str, end: str = ""
) -> Iterator[TagRecord | Stray]:
    """Yield the records of a text, and the lines outside of them, in order.

    Args:
        text: the file's.
        pattern: of a line with a tag; other lines go on with the value before.
        start: tag that begins a record, also where the one before was not closed.
        end: tag that closes one; where empty, the next start does.
    """
    record: TagRecord | None = None
    blank = False
    for number, line in enumerate(text.split("\n"), 1):
        found = pattern.fullmatch(line.rstrip())
        tag = found["tag"].rstrip() if found else ""
        value = (found["value"] or "").strip() if found else ""
        if tag == start:
            if record:
                yield record
            record = TagRecord(number, values=[(tag, [value])])
        elif record and tag and tag == end:
            record.closed = True
            yield record
            record = None
        elif record and tag:
            record.values.append((tag, [value]))
        elif record and line.strip() and _goes_on(record, line, blank and bool(end)):
            record.values[-1][1].append(line.strip())
        elif line.strip():
            yield Stray(line=number, text=line.strip())
        blank = not line.strip()
    if record:
        yield record


def _goes_on(record: TagRecord, line: str, after_blank: bool) -> bool:
    """Whether a line without a tag belongs to the value before it."""
    return not after_blank or line[:1].isspace() or record.values[-1][0] in _PARAGRAPHS
