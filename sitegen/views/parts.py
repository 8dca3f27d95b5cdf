"""Small parts that pages are put together from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """A link inside the site."""

    label: str
    path: str = ""
    """Empty where there is nothing to go to: the label is shown as plain text."""
    count: int = 0
    detail: str = ""
    """A few words beside the label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicMark:
    """A topic as it appears on other pages."""

    slug: str
    title: str
    path: str
    hue: int
    """Class number of its colour, 0 to `sitegen.pages.hues.STEPS` - 1."""
    count: int = 0
    share: int = 0
    """Papers in percent of the largest topic, for its bar."""
    lead: str = ""
    """First sentence of its introduction, plain text."""
    depth: int = 0
    """0 for a topic of its own, 1 for a child, and so on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A picture that stands for a page where its link is shared."""

    path: str
    """Of the PNG below the site's root."""
    kicker: str
    """What kind of thing it is, over the title."""
    title: str
    facts: str = ""
    """One line below."""
    hue: int = -1
    """Class number of its topic's colour; -1 for none."""
    mapped: bool = True
    """Whether the map stands beside the title."""
    topic: str = ""
    """Slug of the topic whose papers alone are coloured on the map; empty = all."""

    @property
    def alt(self) -> str:
        """The picture in words."""
        return f"{self.kicker}: {self.title}" + (f" ({self.facts})" if self.facts else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A paper in a list."""

    id: str
    path: str
    title: str
    derived: bool
    """Whether the title is a headline made by the tool."""
    gist: str
    """Two lines of the abstract."""
    topic: TopicMark | None
    tags: tuple[Anchor, ...] = ()
    code: bool = False
    authors: str = ""
    """First few and a count; empty if unknown."""
    citation: str = ""
    """COinS context object for reference managers; empty without a title of the source's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Rows under one heading, e.g. a letter of an index."""

    key: str
    """Fragment identifier."""
    heading: str
    entries: tuple[Anchor, ...]
    path: str = ""
    """Page of its own where the index is split; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    """Where a page stands in its list."""

    number: int = 1
    """0 for the unnumbered front page of a list that is numbered from its oldest page on."""
    last: int = 1
    """Number of pages; 2 for any number where none is told."""
    previous: str | None = None
    """Path; None on the first page."""
    following: str | None = None
    pages: tuple[tuple[str, str], ...] = ()
    """Label and path of the pages to offer, all or a window; a gap has neither."""
    here: str = ""
    """Path of this page."""
    first_row: int = 1
    """Number of the first row on this page."""
