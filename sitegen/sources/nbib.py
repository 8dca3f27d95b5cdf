"""PubMed's tagged text (``.nbib``)."""

from __future__ import annotations

import re

from sitegen.diagnostics import note
from sitegen.records import Author
from sitegen.sources.collector import Collector, Raw, first
from sitegen.sources.people import People, gather, group, parse_name
from sitegen.sources.pubmed import tidy_title
from sitegen.sources.reading import Reading
from sitegen.sources.tag_lines import NBIB, Stray, TagRecord, read_records

_START = re.compile(r"^PMID ?- ?\d+\s*$", re.MULTILINE)
_HEAD = 65_536
_DOI = re.compile(r"(\S+)\s+\[doi\]")


def recognises(text: str) -> bool:
    """Whether a text holds the beginning of a record of PubMed's."""
    return bool(_START.search(text[:_HEAD]))


def read(text: str, file: str) -> Reading:
    """Read one file.

    Args:
        text: as `decode` returns it.
        file: path for the problems.

    Returns:
        the records as papers; lines before the first one are reported.
    """
    collector = Collector(file)
    for record in read_records(text, NBIB, "PMID"):
        if isinstance(record, Stray):
            words = "a line outside of any record was passed over"
            collector.remarks.add(note, "source-leftover", record.line, words, piece=record.text)
        else:
            collector.add(_raw(record))
    return collector.reading()


def _raw(record: TagRecord) -> Raw:
    number = record.one("PMID")
    found = (_DOI.fullmatch(" ".join(value.split())) for value in record.all("LID", "AID", "SO"))
    return Raw(
        line=record.line,
        label=f"PMID {number}",
        title=tidy_title(" ".join(record.one("TI", "BTI").split())),
        abstract="\n".join(record.all("AB")),
        people=_people(record),
        dates=(record.one("DP", "DEP"),),
        doi=first(doi[1] for doi in found if doi),
        venue=" ".join(record.one("JT", "TA").split()),
        urls=(f"https://pubmed.ncbi.nlm.nih.gov/{number}/",) if number.isdecimal() else (),
        language=record.one("LA"),
        keywords=tuple(" ".join(value.split()) for value in record.all("OT")),
    )


def _people(record: TagRecord) -> People:
    """Return the authors: full names where they are given, and groups in their places."""
    full = any(tag == "FAU" for tag, _ in record.fields)
    authors: list[Author] = []
    for tag, value in record.fields:
        if tag == ("FAU" if full else "AU"):
            authors.append(parse_name(value) if full else _short(value))
        elif tag == "CN":
            authors.append(group(value))
    return gather(authors)


def _short(value: str) -> Author:
    """Read ``van der Meer A``: initials behind the name, without a comma."""
    family, _, initials = value.rpartition(" ")
    return parse_name(f"{family}, {initials}") if initials.isupper() else parse_name(value)
