"""A page, and the site as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sitegen.views.data import EditionRecord, Feed, MapPoint, Record, SearchEntry, TopicRecord
from sitegen.views.kinds import View
from sitegen.views.parts import Anchor, Card
from sitegen.views.series import Series


def _as_it_is(view: View) -> View:
    return view


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One HTML page.

    Two pages with equal fields have equal bytes, all else being equal: what a view is made from is
    a value, and making it is a pure function. So a page need not be drawn to know that it is as it
    was, and the views of very many papers need not be held at once.
    """

    path: str
    """Site path: ends with ``/``, is empty (home) or names a file (``404.html``)."""
    template: str
    title: str
    """Of the document; the site's title is added by the template."""
    about: str = ""
    """The description, where the page is not described by what it is made from."""
    basis: Any
    """What the view is made from, frozen; the view itself where it is cheap."""
    newest: str = ""
    """Slug of the newest edition, on pages that change with it anyway."""
    draw: Callable[[Any], View] = _as_it_is
    """Makes the view from the basis; a pure function of a module."""
    describe: Callable[[Any], str] | None = None
    """Makes the description from the basis, likewise."""
    section: str = ""
    """Entry of the navigation that is current."""
    modified: str = ""
    """ISO date for the sitemap, from data; empty if unknown."""
    listed: bool = True
    """Whether search engines and the sitemap may list it."""
    feed: str = ""
    """Folder whose ``feed.xml`` and ``feed.json`` belong to the page, ``""`` meaning the site's."""
    card: Card | None = None
    """Its own picture; None = the site's."""
    origin: str = ""
    """What made it, for messages: a path in the project or words."""
    line: int = 0

    @property
    def view(self) -> View:
        """What the template sees, made anew at each call."""
        return self.draw(self.basis)

    @property
    def description(self) -> str:
        """What search engines may say of the page; empty if nothing."""
        return self.describe(self.basis) if self.describe else self.about

    @property
    def file(self) -> str:
        """Path of its file below the output folder."""
        is_folder = not self.path or self.path.endswith("/")
        return f"{self.path}index.html" if is_folder else self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """What every page says of the digest."""

    title: str
    description: str
    base_url: str
    base_path: str
    language: str
    repository: str
    domain: str
    """Custom domain that the site stands at the root of; empty otherwise."""
    nav: tuple[tuple[str, str, str], ...]
    """Section, label and path of each entry."""
    footer: tuple[Anchor, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The whole digest, decided and ready to be written."""

    info: Info
    """Shown on every page, so that it holds nothing that changes from day to day."""
    summary: str
    """One line of counts."""
    pages: tuple[Page, ...]
    feeds: tuple[Feed, ...]
    moved: tuple[tuple[str, str], ...] = ()
    """Folder of each former list, and that of the list whose feeds stand there too."""
    records: Series[Record]
    """Sorted by id."""
    weights: tuple[int, ...] = ()
    """About how many bytes the citation of each record takes."""
    identifiers: tuple[tuple[str, str], ...] = ()
    """Each arXiv identifier and DOI, the latter in lower case, and its paper's id."""
    topics: tuple[TopicRecord, ...]
    editions: tuple[EditionRecord, ...]
    """Newest first."""
    search: tuple[SearchEntry, ...] = ()
    """What search finds, sorted by id."""
    points: tuple[MapPoint, ...] = ()
    """Sorted by id; empty without a map."""
    cards: tuple[Card, ...] = ()
    """Each picture once."""
