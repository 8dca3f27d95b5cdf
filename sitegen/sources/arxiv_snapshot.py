"""Records of arXiv's metadata snapshot: one JSON object a line."""

from __future__ import annotations

import re
from typing import Any

from sitegen.sources.collector import Raw
from sitegen.sources.identifiers import read_arxiv
from sitegen.sources.people import People, gather, parse_list, parse_names, person
from sitegen.sources.values import inside, objects, text, texts

NAME = "arXiv metadata snapshot"
_AFFILIATION = re.compile(r"\s*\([^()]{0,500}\)")


def recognises(record: Any) -> bool:
    """Whether a record is of the snapshot: an arXiv identifier, and arXiv's categories."""
    return bool(read_arxiv(text(record, "id"))[0]) and (
        "categories" in record or "authors_parsed" in record or "versions" in record
    )


def read(record: Any, line: int) -> Raw:
    """Return what a record says of its paper; its date is that of the first version."""
    versions = objects(record, "versions")
    newest = text(versions[-1], "version").removeprefix("v") if versions else ""
    first = text(versions[0], "created") if versions else ""
    return Raw(
        line=line,
        label=text(record, "id"),
        title=text(record, "title"),
        abstract=text(record, "abstract"),
        people=_people(record),
        dates=(first or text(record, "date") or text(record, "update_date"),),
        arxiv=text(record, "id"),
        version=int(newest) if newest.isdecimal() and len(newest) < 4 else 0,
        doi=(text(record, "doi").split() or [""])[0],
        venue=text(record, "journal-ref"),
    )


def _people(record: Any) -> People:
    parsed = inside(record, "authors_parsed")
    if isinstance(parsed, list) and parsed:
        return gather(
            person(*map(text, each[:2]), suffix=text(each[2]) if len(each) > 2 else "")
            for each in parsed
            if isinstance(each, list) and len(each) > 1
        )
    if isinstance(inside(record, "authors"), list):
        return parse_names(texts(record, "authors"))
    return parse_list(_AFFILIATION.sub("", " ".join(text(record, "authors").split())))
