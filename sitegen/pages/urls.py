"""Where things stand below the site's root: every path the site model uses is made here."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from urllib.parse import quote

_PLAIN_DOI = re.compile(r"10\.\d{4,9}/[a-z0-9]+(?:\.[a-z0-9]+)*")
"""DOIs that stay different from each other when their signs become hyphens."""
_LONGEST_DOI = 80
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
        "404", "arxiv", "assets", "data", "doi", "editions", "feed", "map", "names", "page",
        "pagefind", "papers", "picks", "saved", "search", "sitemap", "stats", "tags", "topics",
    }
)  # fmt: skip
"""First path segments that are the tool's own."""


def paper(identifier: str) -> str:
    """Return a paper's path."""
    return f"papers/{identifier}/"


@lru_cache(1 << 17)
def identifier(name: str) -> str:
    """Return the path that leads to the paper with an identifier, in lower case.

    >>> identifier("arxiv:2310.12340"), identifier("arxiv:math/0309136")
    ('arxiv/2310.12340/', 'arxiv/math-0309136/')
    >>> identifier("doi:10.1000/lutra.31.9"), identifier("doi:10.5555/(sici)12:1<3::aid>3.0;2-#")
    ('doi/10-1000-lutra-31-9/', 'doi/10-5555-sici-12-1-3-aid-3-0-2-ff8f5e8d/')
    """
    kind, _, value = name.partition(":")
    if kind == "arxiv":
        return f"arxiv/{value.replace('/', '-')}/"
    flat = re.sub("[^a-z0-9]+", "-", value)[:_LONGEST_DOI].strip("-")
    if _PLAIN_DOI.fullmatch(value) and len(value) <= _LONGEST_DOI:
        return f"doi/{flat}/"
    return f"doi/{flat}-{hashlib.sha256(value.encode()).hexdigest()[:8]}/"


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
