"""The files that stood beside pages which are gone: feeds and pictures.

A redirect page is no feed and no picture: where a list was published, its files go on answering.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from sitegen.pages import dates, urls
from sitegen.pages.cards import NAME, wanted
from sitegen.pages.entries import feed_id
from sitegen.pages.index import Index
from sitegen.views import AliasView, Card, Entry, Feed, Page, TombstoneView

PICTURED = (urls.TOPICS, urls.EDITIONS, urls.PICKS)
"""Folders of lists with a picture of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Former:
    """What stands beside stubs."""

    feeds: tuple[Feed, ...] = ()
    """Closed ones, of lists that no other list follows."""
    moved: tuple[tuple[str, str], ...] = ()
    """Folder of each list that another follows, and that one's: its feeds stand at both."""
    cards: tuple[Card, ...] = ()


def former_files(index: Index, stubs: Iterable[Page], pages: Mapping[str, Page]) -> Former:
    """Return what answers for the files of lists and papers whose pages are stubs now.

    Args:
        index: of the site.
        stubs: pages that answer for former addresses.
        pages: all others, by path.
    """
    feeds, moved, cards = [], [], []
    for stub in stubs:
        target = _target(stub, pages)
        if target is None and not isinstance(stub.view, TombstoneView):
            continue  # another name, never a page of its own
        if _is_list(stub.path):
            if target and target.path and target.feed == target.path:
                moved.append((stub.path, target.path))
            else:
                feeds.append(_closed(index, stub))
        card = (target.card if target else None) or pages[urls.HOME].card
        if card and _had_card(index, stub.path):
            cards.append(replace(card, path=f"{stub.path}{NAME}"))
    return Former(feeds=tuple(feeds), moved=tuple(moved), cards=tuple(cards))


def _target(stub: Page, pages: Mapping[str, Page]) -> Page | None:
    view = stub.view
    return pages.get(view.target) if isinstance(view, AliasView) and view.published else None


def _is_list(path: str) -> bool:
    """Whether a path is that of a list with a feed: its first page."""
    lists = (urls.TOPICS, urls.TAGS, urls.EDITIONS)
    return path == urls.PICKS or (path.startswith(lists) and path.strip("/").count("/") == 1)


def _had_card(index: Index, path: str) -> bool:
    if path.startswith("papers/"):
        return wanted(index, paper=True)
    return wanted(index) and path.startswith(PICTURED) and _is_list(path)


def _closed(index: Index, stub: Page) -> Feed:
    """Return the feed that tells its readers, once, that nothing more will come."""
    path = stub.view.target if isinstance(stub.view, AliasView) else stub.path
    reason = stub.view.reason if isinstance(stub.view, TombstoneView) else ""
    text = reason or "The list that it followed is no more."
    notice = Entry(
        id=urls.tag_uri("closed", stub.path.rstrip("/")),
        path=path,
        title="This feed is closed",
        derived=False,
        text=text,
        gist=text,
        date=dates.EPOCH,
        dated=False,
        authors=(),
        categories=(),
    )
    name = PurePosixPath(stub.path).name.replace("-", " ").capitalize()
    return Feed(
        folder=stub.path,
        id=feed_id(index, stub.path),
        title=f"{name} · {index.inputs.config.title}",
        updated=dates.EPOCH,
        entries=(notice,),
        closed=True,
    )
