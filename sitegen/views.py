"""What the site model hands to those who write files: pages with their views, feeds, data records.

Everything here is frozen and ready to show: texts are chosen, lists are sorted and cut, HTML is
made. Paths are relative to the site's root (``papers/ab12cd34/``, the home page is ``""``); who
writes a file puts the way back to the root before them.
"""

from __future__ import annotations

from dataclasses import dataclass

from sitegen.records import Link, MergedText, Name, Place, Relation, Tag, TitleSource


# ---- small parts --------------------------------------------------------------------------------
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
class Row:
    """A paper in a list."""

    id: str
    path: str
    title: str
    derived: bool
    """Whether the title is a headline made by the tool."""
    gist: str
    topic: TopicMark | None
    tags: tuple[Anchor, ...] = ()
    code: bool = False
    date: str = ""
    """ISO 8601, as exact as known: the paper's own, else the day it was first seen."""
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
    last: int = 1
    previous: str | None = None
    """Path; None on the first page."""
    following: str | None = None
    pages: tuple[tuple[int, str], ...] = ()
    """Number and path of the pages to offer, all or a window."""
    first_row: int = 1
    """Number of the first row on this page."""


# ---- views, one for each kind of page -----------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class HomeView:
    """The home page."""

    heading: str
    lead_html: str
    facts: tuple[str, ...]
    latest: Anchor | None
    """Newest edition."""
    latest_date: str
    rows: tuple[Row, ...]
    picks: tuple[Row, ...]
    topics: tuple[TopicMark, ...]
    """By size."""
    topic_count: int
    editions: tuple[Anchor, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedView:
    """A near paper with the reason."""

    id: str
    path: str
    title: str
    why: tuple[str, ...]
    date: str = ""
    hue: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceView:
    """One place where a paper was read."""

    edition: Anchor
    slug: str
    """Of the edition."""
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
    language: str
    """Of the abstract, where it differs from the site's; else empty."""
    authors: tuple[str, ...]
    more_authors: tuple[str, ...]
    """Those to fold away."""
    published: str
    """The paper's own date in words; empty if unknown."""
    venue: str
    names: tuple[Name, ...]
    search_names: str
    """Names for the search index's metadata."""
    search_words: str
    """Authors and other spellings of names, to be found by: never shown."""
    word_count: int
    """Words of the abstract, so that search can tell it from what follows."""
    date: str
    """ISO date to sort by: its own, else the day it was first seen; empty if unknown."""
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
    permalink: str
    json_ld: str
    citation: tuple[tuple[str, str], ...]
    """``citation_*`` names and values; empty unless title, author and date are the source's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicView:
    """One page of a topic's papers."""

    topic: TopicMark
    bibliography: str
    """Path of its papers in BibTeX."""
    parent: TopicMark | None
    children: tuple[TopicMark, ...]
    intro_html: str
    facts: tuple[str, ...]
    rows: tuple[Row, ...]
    paging: Paging
    tags: tuple[Anchor, ...]
    near: tuple[TopicMark, ...]
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
    rows: tuple[Row, ...]
    paging: Paging
    topics: tuple[TopicMark, ...]
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
    bibliography: str
    intro_html: str
    counts: EditionCounts
    rows: tuple[Row, ...]
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
    """All editions, newest first."""

    editions: tuple[EditionItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchView:
    """The search page; its lists are also what is offered without a script."""

    topics: tuple[TopicMark, ...]
    editions: tuple[Anchor, ...]


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

    topics: tuple[TopicMark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasView:
    """A moved page: leads on to its target."""

    target: str
    """Path."""
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TombstoneView:
    """A page that was withdrawn or is gone, and why."""

    heading: str
    reason: str


View = (
    HomeView
    | PaperView
    | TopicView
    | TopicsView
    | TagView
    | IndexView
    | EditionView
    | EditionsView
    | SearchView
    | DataView
    | SavedView
    | TextView
    | NotFoundView
    | AliasView
    | TombstoneView
)


# ---- the site -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One HTML page."""

    path: str
    """Site path: ends with ``/``, is empty (home) or names a file (``404.html``)."""
    template: str
    title: str
    """Of the document; the site's title is added by the template."""
    description: str = ""
    view: View
    section: str = ""
    """Entry of the navigation that is current."""
    modified: str = ""
    """ISO date for the sitemap, from data; empty if unknown."""
    listed: bool = True
    """Whether search engines and the sitemap may list it."""
    feed: str = ""
    """Folder whose ``feed.xml`` and ``feed.json`` belong to the page, ``""`` meaning the site's."""
    origin: str = ""
    """What made it, for messages: a path in the project or words."""
    line: int = 0

    @property
    def file(self) -> str:
        """Path of its file below the output folder."""
        is_folder = not self.path or self.path.endswith("/")
        return f"{self.path}index.html" if is_folder else self.path


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
    date: str
    """RFC 3339, of its first edition."""
    dated: bool
    """False where the date is only a stand-in for an unknown one."""
    authors: tuple[str, ...]
    categories: tuple[str, ...]
    """Titles of its topics, then its tags."""
    arxiv: str = ""
    doi: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """An Atom feed and its JSON twin."""

    folder: str
    """Site path of the list it follows; ``feed.xml`` and ``feed.json`` go there."""
    id: str
    title: str
    updated: str
    """RFC 3339 date of the newest entry."""
    entries: tuple[Entry, ...]


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
    families: tuple[str, ...]
    """Aligned with authors: the part to sort by; empty where unknown."""
    date: str
    arxiv: str
    doi: str
    venue: str
    edition: str
    """Title of the first edition."""
    bibtex: str


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """What every page says of the digest."""

    title: str
    description: str
    base_url: str
    base_path: str
    language: str
    repository: str
    nav: tuple[tuple[str, str, str], ...]
    """Section, label and path of each entry."""
    footer: tuple[Anchor, ...]
    summary: str
    """One line of counts for the foot of every page."""
    newest: str
    """Slug of the newest edition; empty where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The whole digest, decided and ready to be written."""

    info: Info
    pages: tuple[Page, ...]
    feeds: tuple[Feed, ...]
    records: tuple[Record, ...]
    """Sorted by id."""
    topics: tuple[TopicRecord, ...]
    editions: tuple[EditionRecord, ...]
    """Newest first."""
