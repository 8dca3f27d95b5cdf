"""Works of OpenAlex, whose abstracts come as an index of words."""

from __future__ import annotations

from itertools import islice
from typing import Any

from sitegen.records import LinkKind
from sitegen.sources.collector import LONGEST, Raw
from sitegen.sources.people import gather, parse_name
from sitegen.sources.tagged import unescaped, untagged
from sitegen.sources.values import inside, objects, text

NAME = "OpenAlex"
_MOST_WORDS = LONGEST // 2


def recognises(record: Any) -> bool:
    """Whether a record is a work of OpenAlex."""
    return (
        "openalex.org/" in text(record, "id")
        or inside(record, "abstract_inverted_index") is not None
    )


def read(record: Any, line: int) -> Raw:
    """Return what a record says of its paper."""
    identifier = text(record, "id")
    exact = text(record, "publication_date")
    authors = objects(record, "authorships")
    links: list[tuple[LinkKind, str]] = [
        ("paper", text(record, place, "pdf_url"))
        for place in ("best_oa_location", "primary_location")
    ]
    pages = [
        text(record, place, "landing_page_url")
        for place in ("primary_location", "best_oa_location")
    ]
    others = [text(place, "landing_page_url") for place in objects(record, "locations")[:50]]
    venue = text(record, "primary_location", "source", "display_name")
    return Raw(
        line=line,
        label=identifier.rpartition("/")[2],
        title=unescaped(untagged(text(record, "title") or text(record, "display_name"))),
        abstract=unescaped(untagged(_abstract(inside(record, "abstract_inverted_index")))),
        people=gather(
            (
                parse_name(text(each, "author", "display_name") or text(each, "raw_author_name"))
                for each in authors
            ),
            et_al=inside(record, "is_authors_truncated") is True,
        ),
        dates=(exact or text(record, "publication_year"),),
        doi=text(record, "doi"),
        venue=venue,
        urls=tuple(dict.fromkeys(filter(None, pages))),
        links=tuple(dict.fromkeys((kind, url) for kind, url in links if url)),
        language=text(record, "language"),
        mentions=tuple(filter(None, others)),
        keywords=tuple(text(each, "display_name") for each in objects(record, "keywords")),
    )


def _abstract(index: Any) -> str:
    """Put an index of words (word to its places) back in order."""
    if not isinstance(index, dict):
        return ""
    places = (
        (at, word)
        for word, listed in index.items()
        if isinstance(listed, list)
        for at in listed
        if isinstance(at, int)
    )
    return " ".join(word for _, word in sorted(islice(places, _MOST_WORDS)))
