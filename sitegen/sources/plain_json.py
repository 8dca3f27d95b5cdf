"""JSON records of plain shape: a title or abstract under that name, as our own export writes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, get_args

from sitegen.records import LinkKind
from sitegen.sources.collector import Raw
from sitegen.sources.columns import Value, our_names, read_fields
from sitegen.sources.values import objects, text, texts

NAME = "JSON with title or abstract"


def recognises(record: Any) -> bool:
    """Whether a record has a title or an abstract that is text."""
    if not isinstance(record, dict):
        return False
    known = our_names(record)
    return any(
        isinstance(record[name], str) and record[name].strip()
        for ours in ("title", "abstract")
        for name in known.get(ours, ())
    )


def read(record: Mapping[str, Any], line: int) -> Raw:
    """Return what a record says of its paper."""
    known = our_names(record)
    people = set(known.get("authors", ()))
    fields: dict[str, Value] = {}
    for name, value in record.items():
        if isinstance(value, str):
            fields[name] = value
        elif name == "links":
            fields[name] = " ".join(texts(record, name))
        elif name in people and objects(record, name):
            fields[name] = [_name(each) for each in objects(record, name)]
        elif isinstance(value, list):
            fields[name] = texts(record, name)
        else:
            fields[name] = text(record, name)
    if isinstance(source := record.get("abstract_source"), str) and source.strip():
        fields["abstract"] = source  # our own export: the text as it was read
    raw = read_fields(fields, line)
    links = tuple(_links(record))
    return replace(raw, links=(*raw.links, *links)) if links else raw


def _links(record: Mapping[str, Any]) -> Iterator[tuple[LinkKind, str]]:
    for link in objects(record, "links"):
        kinds: tuple[LinkKind, ...] = get_args(LinkKind)
        kind: LinkKind = next((each for each in kinds if each == text(link, "kind")), "other")
        yield kind, text(link, "url")


def _name(author: Mapping[str, Any]) -> str:
    family = text(author, "family") or text(author, "last") or text(author, "last_name")
    given = text(author, "given") or text(author, "first") or text(author, "first_name")
    return text(author, "name") or (f"{family}, {given}" if family and given else family or given)
