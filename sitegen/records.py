"""The frozen types that cross a stage border; each stage makes a new one, none is filled in later.

Order of appearance is the order of the pipeline: Abstract -> Restored -> Group -> Paper, then for
each paper, aligned by position: Naming, Tagging, TopicChoice, Relation; last Page and OutFile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

LinkKind = Literal["code", "data", "model", "demo", "paper", "other"]
SpanKind = Literal["math", "emphasis", "strong", "code", "link"]
TitleSource = Literal["source", "derived", "curated"]
MergeKind = Literal["exact", "near", "decision", "arxiv", "doi", "title"]


# ---- sources ------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Place:
    """Where one abstract was read."""

    file: str
    """POSIX path from the project's root."""
    position: int
    """1 for the first abstract of the file."""
    line: int
    """Line of its first character, from 1."""
    edition: str
    """Slug of the edition the file belongs to."""
    date: str = ""
    """ISO 8601, as exact as known (``2031``, ``2031-05``, ``2031-05-01``); empty if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """One person or group, as the source names it."""

    name: str
    """Display form, e.g. ``Ann van der Meer``."""
    family: str = ""
    """Part to sort by; empty where the source does not tell the parts apart."""
    given: str = ""
    group: bool = False
    """Whether the source says that this is no person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A resource that an abstract or record points to."""

    kind: LinkKind
    url: str
    """Absolute http(s) URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What a source knows of a paper besides its abstract; empty where it does not say."""

    title: str = ""
    authors: tuple[Author, ...] = ()
    et_al: bool = False
    """Whether the source says that there are more authors than it names."""
    date: str = ""
    """ISO 8601, as exact as given."""
    arxiv: str = ""
    """Identifier without version, e.g. ``2503.19683`` or ``math/0309136``."""
    version: int = 0
    """arXiv version; 0 where unknown."""
    doi: str = ""
    """As the registrant wrote it, without resolver prefix."""
    venue: str = ""
    url: str = ""
    language: str = ""
    """BCP 47 tag of the abstract."""
    keywords: tuple[str, ...] = ()
    """The authors' or the publisher's own, in their order."""
    links: tuple[Link, ...] = ()
    reference: str = ""
    """Name of the reference that completed what the source does not say; empty where none did."""
    headline: str = ""
    """Derived headline the paper bore until a reference gave its title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstract:
    """One abstract as read: the text untouched but for decoding and unwrapping of its lines."""

    place: Place
    text: str
    metadata: Metadata = Metadata()


# ---- repair -------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Span:
    """A stretch ``text[start:end]`` of a Prose that is more than plain words."""

    start: int
    end: int
    kind: SpanKind
    value: str = ""
    """TeX source for math, absolute URL for link, else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """Clean text with its markup beside it."""

    text: str
    """Unicode, one line, NFC; math in its closest plain form (``ℓ₂``, ``1.85×``)."""
    spans: tuple[Span, ...] = ()
    """Sorted by start, never overlapping."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """An abstract with its damage mended."""

    abstract: Abstract
    prose: Prose
    title: Prose | None
    """The source's own title, repaired; None where it has none."""
    links: tuple[Link, ...]
    """Found in the text, then those of the metadata; no URL twice."""


# ---- dedup --------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A text judged to be the same paper as its group's main text."""

    restored: Restored
    kind: MergeKind
    score: float
    """Evidence from 0 to 1: containment of word 3-shingles; 1 for equal texts and decisions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """All texts that are one paper."""

    main: Restored
    """The text to show."""
    copies: tuple[Copy, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Two groups that may be one paper: published apart, shown to the curator."""

    left: Place
    right: Place
    kind: Literal["overlap", "names", "title"]
    """What speaks for it: shared shingles, shared rare names and words, or close titles."""
    score: float
    evidence: tuple[str, ...]
    """What they share, readable, strongest first."""


# ---- registry -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class MergedText:
    """A different text of the same paper (contract: ``merged`` of papers.jsonl)."""

    kind: MergeKind
    score: float
    text: str
    """As read."""
    place: Place
    version: int = 0
    """arXiv version; 0 where unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One paper with its permanent id."""

    id: str
    """8 or more characters of lower-case Crockford base32."""
    prose: Prose
    """Its abstract."""
    source_text: str
    """The abstract as read."""
    title: Prose | None
    """The source's own title."""
    metadata: Metadata
    links: tuple[Link, ...]
    places: tuple[Place, ...]
    """Every place where it, or a text merged into it, was read; sorted."""
    merged: tuple[MergedText, ...] = ()
    bare: tuple[Place, ...] = ()
    """Those places that name the paper without an abstract; sorted."""
    first_seen: str = ""
    """ISO date of its earliest known edition; empty if unknown."""


# ---- names and headlines ------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """Something a paper introduces: a system, method, model, data set, benchmark or effect."""

    text: str
    """As the paper writes it, e.g. ``GUI-KV``."""
    expansion: str = ""
    """Its long form where the paper gives one."""
    score: float = 1.0
    """Confidence from 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """What a paper is called."""

    title: str
    """Plain text to show as the heading."""
    title_source: TitleSource
    names: tuple[Name, ...]
    """Main one first; empty where the paper introduces none."""
    gist: str = ""
    """The sentence of the abstract that says most; plain text, whole words."""


# ---- keywords, tags -----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Keyword:
    """A phrase of a text with its rank score."""

    phrase: str
    """Stands contiguously in the text (case and plural of the last word apart)."""
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A canonical term of the digest's vocabulary on one paper."""

    name: str
    slug: str
    score: float
    page: bool
    """Whether the tag has a page: carried by two papers or more."""
    surfaces: tuple[str, ...] = ()
    """The forms in which it stands in this paper's text, to mark it there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tagging:
    """The tags of one paper."""

    tags: tuple[Tag, ...]
    """Best first, at most 8."""


# ---- topics, related ----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A curated or automatic topic."""

    slug: str
    title: str
    aliases: tuple[str, ...] = ()
    """Other names and former slugs."""
    phrases: tuple[str, ...] = ()
    """What belongs here; a phrase found in a text speaks for the topic."""
    parent: str = ""
    order: int = 0
    body: str = ""
    """Markdown introduction."""
    narrow: bool = False
    """A small domain: needs a phrase in the text, closeness in meaning alone does not do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicScore:
    """Why a paper stands under a topic."""

    slug: str
    score: float
    phrases: tuple[str, ...] = ()
    """The topic's phrases found in the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicChoice:
    """The topics of one paper."""

    topics: tuple[TopicScore, ...]
    """Primary first; empty where nothing fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One near paper."""

    id: str
    score: float
    why: tuple[str, ...]
    """Phrases both papers hold."""


# ---- curation -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """What ``content/papers/<id>.md`` says of one paper; None or empty where it does not say."""

    id: str
    path: str
    title: str | None = None
    authors: tuple[str, ...] | None = None
    date: str | None = None
    arxiv: str | None = None
    doi: str | None = None
    url: str | None = None
    tags: tuple[str, ...] = ()
    not_tags: tuple[str, ...] = ()
    topics: tuple[str, ...] | None = None
    pick: bool = False
    picked_by: str = ""
    picked_on: str = ""
    """ISO date."""
    withdrawn: str = ""
    """Reason; non-empty makes the page a tombstone."""
    same_as: str = ""
    """Id of the paper this one was merged into."""
    note: str = ""
    """Markdown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """One issue of the digest: usually a source file."""

    slug: str
    title: str
    aliases: tuple[str, ...] = ()
    """Former slugs."""
    date: str = ""
    body: str = ""
    """Markdown."""
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPage:
    """A page of the curator's own: about, or any other under ``content/pages/``."""

    slug: str
    title: str
    body: str
    path: str
    order: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The curator's answer to a doubtful pair, held by the texts' fingerprints."""

    left: str
    right: str
    same: bool
    left_paper: str = ""
    """Id of the paper the text was of; empty where unknown."""
    right_paper: str = ""
    line: int = field(default=0, compare=False)
    """Where it stands in the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Everything read from ``content/`` but site.toml and the registry."""

    topics: tuple[Topic, ...] = ()
    overrides: Mapping[str, Override] = field(default_factory=dict)
    """By paper id."""
    editions: tuple[Edition, ...] = ()
    pages: tuple[TextPage, ...] = ()
    headline: str = ""
    """The home page's headline; empty = the site's title."""
    welcome: str = ""
    """Markdown of ``content/index.md``."""
    decisions: tuple[Decision, ...] = ()
    lines: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """Line of each key of a file, by path and key, for problems."""


# ---- output -------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class OutFile:
    """One file of the site."""

    path: str
    """POSIX path below the output folder, e.g. ``papers/abc/index.html``."""
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class LateFile:
    """A file of the site whose bytes are made when they are needed, in whatever process."""

    path: str
    make: Callable[[], bytes]
    key: Callable[[], str] = str
    """Makes a fingerprint of all that the bytes depend on, so that a file with the same one need
    not be made again; an empty one says nothing."""

    @property
    def data(self) -> bytes:
        """The bytes, made anew at each call."""
        return self.make()


SiteFile = OutFile | LateFile


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceCount:
    """What became of one source file; read = kept + merged + reported."""

    file: str
    read: int
    kept: int
    merged: int
    reported: int
