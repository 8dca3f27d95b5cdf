"""Views, one for each kind of page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sitegen.records import Name, TitleSource
from sitegen.views.parts import Anchor, Paging, Row, Section, TopicMark


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeView:
    """The home page."""

    heading: str
    lead_html: str
    facts: tuple[str, ...]
    latest: Anchor | None
    """Newest edition; detail = its date in words."""
    rows: Sequence[Row]
    picks: Sequence[Row]
    """Newest of the editor's picks."""
    pick_count: int
    topics: tuple[TopicMark, ...]
    """By size."""
    topic_count: int
    editions: tuple[Anchor, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedView:
    """A near paper with the reason."""

    path: str
    title: str
    why: tuple[str, ...]
    when: str
    """Its date in words; empty if unknown or the same as the paper's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceView:
    """One place where a paper was read."""

    edition: Anchor
    position: int
    file: str
    line: int
    note: str = ""
    """E.g. ``same text``; empty for the place of the text shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedView:
    """Another text judged to be the same paper."""

    label: str
    """E.g. ``97 % of its words are the same``."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkView:
    """A link that leaves the site."""

    label: str
    url: str
    code: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperView:
    """A paper's page."""

    id: str
    title: str
    title_source: TitleSource
    topics: tuple[TopicMark, ...]
    place: Anchor | None
    """Edition and position, e.g. ``Edition of 1 December 2031, no. 7``."""
    abstract_html: str
    note_html: str
    """The curator's note."""
    pick: bool
    picked_by: str
    picked_on: str
    """In words."""
    language: str
    """Of the abstract, where it differs from the site's; else empty."""
    authors: tuple[str, ...]
    more_authors: tuple[str, ...]
    et_al: bool
    """Whether the source says that there are more than it names."""
    """Those to fold away."""
    published: str
    """The paper's own date in words; empty if unknown."""
    venue: str
    names: tuple[Name, ...]
    reference: str
    """Name of the reference that gave what the source does not say; empty where none did."""
    headline: str
    """Derived headline the paper bore before; empty where its title was always known."""
    tags: tuple[Anchor, ...]
    links: tuple[LinkView, ...]
    bibtex: str
    places: tuple[PlaceView, ...]
    merged: tuple[MergedView, ...]
    doubts: tuple[Anchor, ...]
    """Papers that may be the same work."""
    related: tuple[RelatedView, ...]
    previous: Anchor | None
    following: Anchor | None
    fix_url: str
    """Prefilled issue; empty without a repository."""
    wrong_tag_url: str
    """The same for its tags."""
    permalink: str
    json_ld: str
    citation: tuple[tuple[str, str], ...]
    """``citation_*`` names and values; empty unless title, author and date are the source's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PicksView:
    """One page of the editor's picks, newest first."""

    rows: Sequence[Row]
    notes: tuple[str, ...]
    """Aligned with rows: the editor's note as HTML, empty where there is none."""
    signatures: tuple[str, ...]
    """Aligned with rows: who picked it and when, as far as known."""
    facts: tuple[str, ...]
    paging: Paging


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicView:
    """One page of a topic's papers."""

    topic: TopicMark
    parent: TopicMark | None
    children: tuple[TopicMark, ...]
    intro_html: str
    facts: tuple[str, ...]
    typical: Sequence[Row]
    """The best ones above a list that is too long to stand best first; else empty."""
    rows: Sequence[Row]
    paging: Paging
    tags: tuple[Anchor, ...]
    near: tuple[TopicMark, ...]
    trend: tuple[Anchor, ...]
    """Editions, oldest first; count = this topic's share of the new papers in percent."""
    trend_line: str
    """Points of an SVG line through the shares in a box of 100 by 30."""
    newest: str
    """Search query string for the same list by date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicsView:
    """The list of topics."""

    groups: tuple[tuple[TopicMark, tuple[TopicMark, ...]], ...]
    """Topics of their own, each with all topics below it."""
    total: int
    loose: int
    """Papers without a topic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TagView:
    """One page of a tag's papers."""

    name: str
    surfaces: tuple[str, ...]
    """Other forms in which it stands in the texts."""
    facts: tuple[str, ...]
    typical: Sequence[Row]
    """As in `TopicView`."""
    rows: Sequence[Row]
    paging: Paging
    topic: TopicMark | None
    """The topic of all its papers, which the rows then need not name; None where they differ."""
    near: tuple[Anchor, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexView:
    """An alphabetical list (names, tags), whole or one letter of it."""

    heading: str
    lead: str
    letters: tuple[Section, ...]
    """All letters, to jump to."""
    sections: tuple[Section, ...]
    """Those on this page."""
    total: int
    paging: Paging


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionCounts:
    """What an edition's files held: read = new + seen + merged + reported."""

    read: int
    new: int
    seen: int
    """Papers that an earlier edition had already."""
    merged: int
    """Copies inside the edition."""
    reported: int
    """Texts that are no abstract; see the build's report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionView:
    """One page of an edition."""

    title: str
    date: str
    """ISO 8601, as exact as known."""
    date_text: str
    intro_html: str
    counts: EditionCounts
    rows: Sequence[Row]
    positions: tuple[int, ...]
    """Aligned with rows: the paper's number in the edition."""
    seen: tuple[str, ...]
    """Aligned with rows: edition that had the paper before; empty for new ones."""
    paging: Paging
    topics: tuple[TopicMark, ...]
    previous: Anchor | None
    following: Anchor | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionItem:
    """An edition in the list of editions."""

    title: str
    path: str
    date: str
    date_text: str
    counts: EditionCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionsView:
    """One page of the editions, newest first."""

    editions: tuple[EditionItem, ...]
    paging: Paging


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchView:
    """The search page; its lists are also what is offered without a script."""

    topics: tuple[TopicMark, ...]
    editions: tuple[Anchor, ...]
    """Newest first; detail = slug."""
    older: str
    """How many there are beside those; empty if none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapGroup:
    """The papers of one topic on the map."""

    topic: TopicMark | None
    """None for papers without one."""
    dots: str
    """SVG path data: one stroke of no length a paper."""
    x: int
    y: int
    """Place of the label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapView:
    """Papers as points in the plane."""

    groups: tuple[MapGroup, ...]
    width: int
    height: int
    papers: str
    """How many it shows."""
    sample_of: str
    """How many there are where it shows a part of them; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A piece of a stacked bar, in thousandths of its width."""

    topic: TopicMark
    start: int
    length: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicTrend:
    """A topic's papers in each edition, oldest first."""

    topic: TopicMark
    counts: tuple[int, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Two tags on one paper, in a square of all pairs."""

    row: int
    column: int
    count: int
    strength: float
    """0 to 1, for the shade."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsView:
    """The digest in numbers."""

    facts: tuple[str, ...]
    editions: tuple[Anchor, ...]
    """Oldest first; count = papers new in it."""
    bars: tuple[tuple[Segment, ...], ...]
    """Aligned with editions."""
    trends: tuple[TopicTrend, ...]
    tags: tuple[Anchor, ...]
    """Most frequent, in the order of the square."""
    cells: tuple[Cell, ...]
    pairs: tuple[tuple[Anchor, Anchor, int], ...]
    """Most frequent pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataView:
    """The page of downloads."""

    papers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedView:
    """The reading list, which only the reader's browser knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextView:
    """A page of the curator's own."""

    heading: str
    body_html: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotFoundView:
    """The 404 page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasView:
    """A moved page: leads on to its target."""

    target: str
    """Path."""
    label: str
    published: bool = False
    """Whether a page of its own stood here once, so that its feed may be subscribed to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TombstoneView:
    """A page that was withdrawn or is gone, and why."""

    heading: str
    reason: str


View = (
    HomeView
    | PaperView
    | PicksView
    | TopicView
    | TopicsView
    | TagView
    | IndexView
    | EditionView
    | EditionsView
    | SearchView
    | DataView
    | MapView
    | StatsView
    | SavedView
    | TextView
    | NotFoundView
    | AliasView
    | TombstoneView
)
