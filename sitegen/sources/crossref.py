"""Works of Crossref, whose texts come as JATS and whose dates as lists of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sitegen.records import Author, LinkKind
from sitegen.sources.collector import Raw, first
from sitegen.sources.csl import date
from sitegen.sources.people import gather, group, person
from sitegen.sources.tagged import unescaped, untagged
from sitegen.sources.values import inside, objects, text, texts

NAME = "Crossref"
_DATES = ("published", "published-online", "published-print", "issued", "posted", "created")


def recognises(record: Any) -> bool:
    """Whether a record is a work of Crossref: it has a DOI, and its title is a list."""
    return bool(text(record, "DOI")) and (
        isinstance(inside(record, "title"), list) or bool(text(record, "indexed", "date-time"))
    )


def read(record: Any, line: int) -> Raw:
    """Return what a record says of its paper."""
    titles, subtitles = texts(record, "title"), texts(record, "subtitle")
    title = first(titles)
    if subtitles and title and first(subtitles).casefold() not in title.casefold():
        title = f"{title}: {first(subtitles)}"
    links: list[tuple[LinkKind, str]] = [
        ("paper", text(each, "URL"))
        for each in objects(record, "link")[:20]
        if "application/pdf" in each.values()
    ]
    preprints = [
        text(each, "id")
        for relation in ("has-preprint", "is-version-of", "is-preprint-of")
        for each in objects(record, "relation", relation)
        if text(each, "id-type") == "arxiv"
    ]
    return Raw(
        line=line,
        label=text(record, "DOI"),
        title=_prose(title),
        abstract=_prose(text(record, "abstract")),
        people=gather(_author(each) for each in objects(record, "author")),
        dates=(first(date(record, key) for key in _DATES),),
        arxiv=first(preprints),
        doi=text(record, "DOI"),
        venue=_prose(first((*texts(record, "container-title"), text(record, "event", "name")))),
        urls=(text(record, "resource", "primary", "URL") or text(record, "URL"),),
        links=tuple(dict.fromkeys(links)),
        language=text(record, "language"),
    )


def _prose(words: str) -> str:
    return unescaped(untagged(words)).strip()


def _author(name: Mapping[str, Any]) -> Author:
    if whole := text(name, "name"):
        return group(whole)
    return person(
        text(name, "family"),
        text(name, "given"),
        particle=text(name, "prefix") if text(name, "prefix").islower() else "",
        suffix=text(name, "suffix"),
    )
