"""Records whose fields have plain names: rows of tables, notes, JSON of nobody's in particular."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from sitegen.records import LinkKind
from sitegen.sources.collector import Raw
from sitegen.sources.people import People, gather, parse_list, parse_name, parse_names
from sitegen.sources.tagged import unescaped, untagged

NAMES: Mapping[str, tuple[str, ...]] = {
    "title": ("title", "document title", "article title", "paper title", "ti"),
    "abstract": ("abstract", "abstract note", "summary", "ab"),
    "authors": ("author full names", "authors", "author", "author s", "creators", "af", "au"),
    "date": (
        "date", "publication date", "published", "published at", "pub date", "date published",
        "publicationdate", "pubdate",
    ),
    "year": ("year", "publication year", "pub year", "published year", "py"),
    "month": ("month",),
    "day": ("day",),
    "arxiv": ("arxiv", "arxiv id", "arxivid", "eprint", "arxiv number"),
    "doi": ("doi", "di"),
    "venue": (
        "venue", "journal", "publication title", "source title", "journal book", "conference",
        "booktitle", "container title", "journal title", "so",
    ),
    "url": ("url", "link", "landing page", "web page"),
    "pdf": ("pdf", "pdf url", "pdf link"),
    "code": ("code", "code url", "repository", "github"),
    "data": ("data", "dataset"),
    "language": ("language", "lang", "language of original document", "la"),
    "keywords": ("author keywords", "keywords", "keyword", "manual tags", "de"),
    "key": ("key", "id", "eid", "pmid", "paper id", "citation key", "ut"),
    "title_source": ("title source",),
    "links": ("links",),
}  # fmt: skip
"""Our names for fields, each with what sources call it: lower case, signs as spaces."""
_OURS = {theirs: ours for ours, listed in NAMES.items() for theirs in listed}
_SCOPUS_NUMBER = re.compile(r"\(\d{5,}\)")

_USUAL = 50
"""Fields of a record that others may well have, too."""

Value = str | Sequence[str]


def our_names(theirs: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Map each of our field names to the names a source has for it, ours' first."""
    names = tuple(theirs)
    return _our_names(names) if len(names) <= _USUAL else _our_names.__wrapped__(names)


@lru_cache(maxsize=256)  # records of one file mostly have the same fields
def _our_names(theirs: tuple[str, ...]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for name in theirs:
        if ours := _OURS.get(_plain(name)):
            found.setdefault(ours, []).append(name)
    for ours, listed in found.items():
        listed.sort(key=lambda name: NAMES[ours].index(_plain(name)))
    return found


def read_fields(fields: Mapping[str, Value], line: int) -> Raw:
    """Return what named fields say of a paper.

    Args:
        fields: by a source's names for them; unknown ones are passed over.
        line: where the record begins.
    """
    known = our_names(fields)

    def one(ours: str) -> str:
        for name in known.get(ours, ()):
            value = fields[name]
            joined = value if isinstance(value, str) else "; ".join(value)
            if joined.strip():
                return joined
        return ""

    derived = one("title_source") == "derived"
    links: list[tuple[LinkKind, str]] = [
        ("paper", one("pdf")), ("code", one("code")), ("data", one("data")),
        *(("other", url) for url in one("links").split()),
    ]  # fmt: skip
    date = one("date")
    return Raw(
        line=line,
        label=one("key"),
        title="" if derived else unescaped(untagged(one("title"))),
        abstract=unescaped(untagged(one("abstract"))),
        people=_people([fields[name] for name in known.get("authors", ())]),
        dates=(date,) if date else (),
        parts=(one("year"), one("month"), one("day")),
        arxiv=one("arxiv"),
        doi=one("doi"),
        venue=one("venue"),
        urls=() if known.get("title_source") else (one("url"),),  # our own page of it
        links=tuple((kind, url) for kind, url in links if url.startswith(("http://", "https://"))),
        language=one("language"),
        mentions=(one("venue"),),
        keywords=_keywords([fields[name] for name in known.get("keywords", ())]),
    )


def _people(values: Sequence[Value]) -> People:
    for value in values:
        if not isinstance(value, str):
            people = parse_names(value) if len(value) != 1 else parse_list(value[0])
        elif _SCOPUS_NUMBER.search(value):
            people = parse_names(_SCOPUS_NUMBER.sub("", value).split(";"))
        else:
            people = parse_list(value)
        if people.authors:
            return people
    return gather(map(parse_name, ()))


def _keywords(values: Sequence[Value]) -> tuple[str, ...]:
    for value in values:
        listed = (value,) if isinstance(value, str) else value
        if any(each.strip() for each in listed):
            return tuple(unescaped(untagged(each)) for each in listed)
    return ()


def _plain(name: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", name.casefold()).split())
