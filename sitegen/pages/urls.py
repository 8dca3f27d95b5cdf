"""Where things stand below the site's root: every path the site model uses is made here."""

from __future__ import annotations

import re
from urllib.parse import quote

_ROOTED = re.compile(r'\b(href|src)="/(?!/)')

HOME = ""
TOPICS = "topics/"
TAGS = "tags/"
EDITIONS = "editions/"
NAMES = "names/"
SEARCH = "search/"
DATA = "data/"
SAVED = "saved/"
MAP = "map/"
STATS = "stats/"
PICKS = "picks/"
NOT_FOUND = "404.html"
TAG_AUTHORITY = "sitegen.invalid,2026"
"""Authority of all ``tag:`` URIs: a reserved name and a year, so that ids never hold a host."""

RESERVED = frozenset(
    {
        "404", "assets", "data", "editions", "feed", "map", "names", "page", "pagefind",
        "papers", "picks", "saved", "search", "sitemap", "stats", "tags", "topics",
    }
)  # fmt: skip
"""First path segments that are the tool's own."""


def paper(identifier: str) -> str:
    """Return a paper's path."""
    return f"papers/{identifier}/"


def numbered(folder: str, number: int) -> str:
    """Return the path of page ``number`` (from 1) of the list at ``folder``."""
    return folder if number == 1 else f"{folder}page/{number}/"


def topic(slug: str) -> str:
    """Return the path of a topic's first page."""
    return f"{TOPICS}{slug}/"


def tag(slug: str) -> str:
    """Return the path of a tag's first page."""
    return f"{TAGS}{slug}/"


def edition(slug: str) -> str:
    """Return the path of an edition's first page."""
    return f"{EDITIONS}{slug}/"


def text_page(slug: str) -> str:
    """Return the path of a curator's page."""
    return f"{slug}/"


def tag_uri(kind: str, name: str) -> str:
    """Return a permanent identifier (RFC 4151) that survives a move of the site.

    >>> tag_uri("paper", "ab12cd34")
    'tag:sitegen.invalid,2026:paper/ab12cd34'
    """
    return f"tag:{TAG_AUTHORITY}:{kind}/{quote(name, safe='/-')}"


def root(path: str) -> str:
    """Return the way from a page back to the site's root.

    >>> root(""), root("topics/"), root("papers/ab12cd34/")
    ('./', '../', '../../')
    """
    return "../" * path.count("/") or "./"


def localise(markup: str, path: str) -> str:
    """Make links that start at the site's root (``/data/``) work from the page at ``path``."""
    # a plain string: Markup would escape what is put together again
    return _ROOTED.sub(rf'\1="{root(path)}', str(markup))


def to_site_path(url: str) -> str:
    """Turn a registered URL path (``/papers/x/``) into a site path (``papers/x/``)."""
    return url.removeprefix("/")
