"""Fingerprints of papers: what is made of a paper need not be made to know that it is as it was.

Each holds all of a paper that its pages, rows, feeds or data may show: more than any one of them
does, so that equal fingerprints mean equal bytes, while unequal ones may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from operator import attrgetter

from sitegen.fingerprints import Fingerprints
from sitegen.pages.items import Item
from sitegen.records import Relation, Tag
from sitegen.views import TopicMark

# Rows of plain values are read in half the time of records.
_TAG = attrgetter(*[each.name for each in fields(Tag)])
_RELATION = attrgetter(*[each.name for each in fields(Relation)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """Fingerprints by paper id; the later ones hold the earlier ones."""

    text: Mapping[str, bytes]
    """Of the paper, its title, names and gist."""
    shown: Mapping[str, bytes]
    """With its tags and topics, as lists show them."""
    whole: Mapping[str, bytes]
    """With its related papers."""
    of: Callable[..., bytes]
    """Gives the fingerprint of any values."""


def keys_of(items: Iterable[Item], marks: Mapping[str, TopicMark], base_url: str) -> Keys:
    """Return the fingerprints of all papers.

    Args:
        items: the papers.
        marks: the topics as rows show them.
        base_url: the site's address, which links of papers begin with.
    """
    of = Fingerprints(base_url.encode("utf-8", "replace")).bytes_of

    @cache
    def topics(slugs: tuple[str, ...]) -> bytes:
        return of([marks[slug] for slug in slugs])

    text: dict[str, bytes] = {}
    shown: dict[str, bytes] = {}
    whole: dict[str, bytes] = {}
    for item in items:
        own = text[item.id] = of(item.paper, item.naming)
        listed = shown[item.id] = own + of(list(map(_TAG, item.tags))) + topics(item.topics)
        whole[item.id] = listed + of(list(map(_RELATION, item.relations)))
    return Keys(text=text, shown=shown, whole=whole, of=of)
