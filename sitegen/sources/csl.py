"""Records of CSL-JSON, as Zotero, Mendeley, pandoc and this site's own export write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sitegen.records import Author
from sitegen.sources.collector import Raw, first
from sitegen.sources.identifiers import read_arxiv
from sitegen.sources.people import People, gather, group, parse_name, person
from sitegen.sources.tagged import unescaped, untagged
from sitegen.sources.values import inside, objects, text, texts

NAME = "CSL-JSON"
_TYPE = re.compile(
    r"article(?:-(?:journal|magazine|newspaper))?|book|broadcast|chapter|classic|dataset|document"
    r"|entry(?:-(?:dictionary|encyclopedia))?|graphic|manuscript|motion_picture|pamphlet"
    r"|paper-conference|patent|performance|periodical|post(?:-weblog)?|preprint|report"
    r"|review(?:-book)?|software|song|speech|standard|thesis|webpage"
)
_PROTECTED = re.compile(r"</?(?:span|nocase)\b[^<>]{0,200}>", re.IGNORECASE)


def recognises(record: Any) -> bool:
    """Whether a record is of this format: one of its types, and none of Crossref's lists."""
    return (
        bool(_TYPE.fullmatch(text(record, "type")))
        and not isinstance(inside(record, "title"), list)
        and "display_name" not in record
    )


def read(record: Any, line: int) -> Raw:
    """Return what a record says of its paper."""
    number = text(record, "number")
    version = text(record, "version")
    note = text(record, "note")
    return Raw(
        line=line,
        label=text(record, "citation-key") or text(record, "id"),
        title=unescaped(untagged(_PROTECTED.sub("", text(record, "title")))),
        abstract=unescaped(untagged(text(record, "abstract"))),
        people=people(record, "author"),
        dates=(date(record, "issued"),),
        arxiv=number if read_arxiv(number)[0] else "",
        version=int(version) if version.isdecimal() and len(version) < 4 else 0,
        doi=text(record, "DOI"),
        venue=first(
            text(record, name)
            for name in ("container-title", "event-title", "archive", "publisher")
        ),
        urls=(text(record, "URL"),),
        language=text(record, "language"),
        keywords=tuple(unescaped(untagged(each)) for each in texts(record, "keyword")),
        mentions=(
            text(record, "container-title"),
            *(line for line in note.split("\n") if line.casefold().startswith("arxiv:")),
        ),
    )


def people(record: Any, key: str) -> People:
    """Return the names of a list: persons in parts, or whole as ``literal``."""
    return gather(_author(name) for name in objects(record, key))


def _author(name: Mapping[str, Any]) -> Author:
    if literal := text(name, "literal") or text(name, "name"):
        return group(literal)
    family, given = text(name, "family"), text(name, "given")
    if not family:
        return parse_name(given)
    particles = (text(name, "dropping-particle"), text(name, "non-dropping-particle"))
    particle = " ".join(filter(None, particles))
    return person(family, given, particle=particle, suffix=text(name, "suffix"))


def date(record: Any, key: str) -> str:
    """Return a date of CSL: numbers as an ISO date, else its text."""
    value = inside(record, key)
    parts = inside(value, "date-parts")
    numbers = parts[0] if isinstance(parts, list) and parts and isinstance(parts[0], list) else []
    written = [text(number) for number in numbers[:3]]
    if written and written[0]:
        return "-".join(part.zfill(2) for part in written if part)
    return first((text(value, "raw"), text(value, "literal"), text(record, key)))
