"""What the site model is made from."""

from __future__ import annotations

from dataclasses import dataclass

from sitegen.config import Config
from sitegen.records import (
    Content,
    Doubt,
    Edition,
    Naming,
    Paper,
    Relation,
    SourceCount,
    Tag,
    Tagging,
    Topic,
    TopicChoice,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """A registered URL that no present paper, topic or edition answers for."""

    url: str
    """URL path, e.g. ``/papers/ab12cd34/``."""
    target: str = ""
    """URL path to lead on to; empty for a tombstone."""
    reason: str = ""
    """Shown on the tombstone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteInput:
    """Everything the site model needs; the middle five are aligned by position."""

    config: Config
    content: Content
    papers: tuple[Paper, ...]
    namings: tuple[Naming, ...]
    taggings: tuple[Tagging, ...]
    topic_choices: tuple[TopicChoice, ...]
    relations: tuple[tuple[Relation, ...], ...]
    topics: tuple[Topic, ...]
    editions: tuple[Edition, ...]
    doubts: tuple[Doubt, ...] = ()
    counts: tuple[SourceCount, ...] = ()
    gone: tuple[Gone, ...] = ()
    published: frozenset[str] = frozenset()
    """URL paths that an earlier build registered."""
    positions: tuple[tuple[float, float], ...] = ()
    """Place of each paper on the map, from 0 to 1, aligned with papers; empty = no map."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionMark:
    """An edition as other pages name it."""

    slug: str
    title: str
    date: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One published paper with all that is known of it."""

    paper: Paper
    naming: Naming
    tags: tuple[Tag, ...]
    """With ``page`` true only where the tag has one."""
    topics: tuple[str, ...]
    """Slugs of existing topics, primary first."""
    relations: tuple[Relation, ...]
    """To published papers only."""

    @property
    def id(self) -> str:
        """The paper's id."""
        return self.paper.id

    @property
    def code(self) -> bool:
        """Whether it links to code."""
        return any(link.kind == "code" for link in self.paper.links)

    @property
    def date(self) -> str:
        """ISO date: the paper's own, else the day it was first seen; empty if unknown."""
        return self.paper.metadata.date or self.paper.first_seen
