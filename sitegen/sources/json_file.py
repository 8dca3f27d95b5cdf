"""JSON files: every record is read by the format that recognises it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from sitegen.diagnostics import Location, error, warning
from sitegen.sources import (
    arxiv_snapshot,
    crossref,
    csl,
    huggingface,
    openalex,
    plain_json,
    semanticscholar,
)
from sitegen.sources.collector import Collector, Raw
from sitegen.sources.json_records import Records
from sitegen.sources.reading import Reading


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """A format of JSON records."""

    name: str
    recognises: Callable[[Any], bool]
    """Whether a record is of this format."""
    read: Callable[[Any, int], Raw]
    """Reads a record that begins on a line."""


RECORDS: tuple[RecordFormat, ...] = (
    RecordFormat(huggingface.NAME, huggingface.recognises, huggingface.read),
    RecordFormat(openalex.NAME, openalex.recognises, openalex.read),
    RecordFormat(crossref.NAME, crossref.recognises, crossref.read),
    RecordFormat(semanticscholar.NAME, semanticscholar.recognises, semanticscholar.read),
    RecordFormat(arxiv_snapshot.NAME, arxiv_snapshot.recognises, arxiv_snapshot.read),
    RecordFormat(csl.NAME, csl.recognises, csl.read),
    RecordFormat(plain_json.NAME, plain_json.recognises, plain_json.read),
)
"""The first format that recognises a record reads it."""


def recognises(text: str) -> bool:
    """Whether a text is JSON, or begins like it."""
    return text.lstrip()[:1] in {"{", "["} and text.lstrip()[1:].lstrip()[:1] in {*'"{}[]', ""}


def read(text: str, file: str) -> Reading:
    """Read one file.

    Args:
        text: as `decode` returns it.
        file: path for the problems.

    Returns:
        the records as papers; broken and unknown ones are reported. Where no record is known, the
        file is none of a paper digest's.
    """
    collector = Collector(file)
    known: dict[str, None] = {}
    faulty = 0
    for record in Records(text).each():
        if record.fault:
            faulty += 1
            words = f"a record is {record.fault}"
            collector.remarks.drop(warning, "source-malformed", record.line, words)
        elif form := find_format(record.value):
            known[form.name] = None
            collector.add(form.read(record.value, record.line))
        else:
            words = "a record of a shape that no reader knows"
            keys = ", ".join(list(record.value)[:8]) if isinstance(record.value, dict) else ""
            collector.remarks.drop(warning, "source-record-unknown", record.line, words, piece=keys)
    reading = collector.reading()
    if known or faulty or not reading.reported:
        return replace(reading, forms=tuple(known))
    names = " or ".join(form.name for form in RECORDS)
    words = "JSON whose records no reader knows"
    problem = error("source-format", words, Location(file), f"make it {names}")
    return Reading(problems=(problem,))


def find_format(record: Any) -> RecordFormat | None:
    """Return the format of a record, or None."""
    return next((form for form in RECORDS if form.recognises(record)), None)
