"""What leaves the site as feeds and data files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from sitegen.records import Link, MergedText, Name, Place, Relation, Tag, TitleSource

Whole: TypeAlias = Literal["both", "atom", "neither"]
"""Which of the two formats of a feed hold whole abstracts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A paper in feeds."""

    id: str
    """``tag:`` URI that holds whatever the host."""
    path: str
    title: str
    derived: bool
    text: str
    """The whole abstract, plain."""
    gist: str
    """Two lines of it."""
    date: str
    """RFC 3339, of its first edition."""
    dated: bool
    """False where the date is only a stand-in for an unknown one."""
    authors: tuple[str, ...]
    categories: tuple[str, ...]
    """Titles of its topics, then the best of its tags that have a page."""
    arxiv: str = ""
    doi: str = ""
    note: str = ""
    """The editor's note, plain; only in the feed of picks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """An Atom feed and its JSON twin."""

    folder: str
    """Site path of the list it follows; ``feed.xml`` and ``feed.json`` go there."""
    id: str
    title: str
    updated: str
    """RFC 3339 date of the newest entry."""
    entries: Sequence[Entry]
    whole: Whole = "both"
    """Where it is not the whole abstract, an entry holds the gist."""
    closed: bool = False
    """Whether its list is gone: it says so and nothing more will come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A paper as the data files export it."""

    id: str
    path: str
    title: str
    title_source: TitleSource
    names: tuple[Name, ...]
    abstract: str
    abstract_source: str
    tags: tuple[Tag, ...]
    topics: tuple[str, ...]
    related: tuple[Relation, ...]
    places: tuple[Place, ...]
    merged: tuple[MergedText, ...]
    links: tuple[Link, ...]
    authors: tuple[str, ...]
    date: str
    arxiv: str
    doi: str
    keywords: tuple[str, ...]
    edition: str
    """Title of the first edition."""
    bibtex: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchEntry:
    """A paper as search finds it; all texts are plain."""

    id: str
    path: str
    title: str
    text: str
    """The abstract."""
    names: tuple[Name, ...]
    words: Callable[[], str] = field(compare=False)
    """Gives authors, other spellings of names, an earlier headline, to be found by: never shown.
    Differs only where the other fields do."""
    topics: tuple[str, ...]
    """Slugs, primary first."""
    editions: tuple[str, ...]
    """Slugs, oldest first."""
    code: bool
    """Whether it links to code."""
    date: str
    """ISO date to sort by: its own, else the day it was first seen; empty if unknown."""
    key: bytes = b""
    """Fingerprint of all its texts and dates; empty where it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapPoint:
    """A paper's place on the map."""

    id: str
    x: int
    y: int
    topic: str
    """Slug; empty where it has none."""
    hue: int
    """Class number of the topic's colour; -1 without a topic."""
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicRecord:
    """A topic as ``topics.json`` exports it."""

    slug: str
    path: str
    title: str
    aliases: tuple[str, ...]
    parent: str
    papers: tuple[str, ...]
    """Ids, most typical first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionRecord:
    """An edition as ``editions.json`` exports it."""

    slug: str
    path: str
    title: str
    date: str
    papers: tuple[str, ...]
    """Ids as they were read."""
    seen_before: tuple[str, ...]
    """Those of them that an older edition had already."""
