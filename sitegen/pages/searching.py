"""What search finds: a paper's texts and what its results can be narrowed by."""

from __future__ import annotations

from functools import partial

from sitegen.pages import urls
from sitegen.pages.index import Index
from sitegen.pages.items import Item
from sitegen.pages.metadata import AUTHORS_CITED
from sitegen.pages.papers import link_views
from sitegen.pages.spellings import aliases, pairs
from sitegen.views import SearchEntry

_SURELY_SHOWN = ("https://github.com/", "https://huggingface.co/", "https://gitlab.com/")
"""Beginnings of addresses that are no identifiers."""


def search_entries(index: Index) -> tuple[SearchEntry, ...]:
    """Return what search knows of each published paper, sorted by id."""
    age = {edition.slug: number for number, edition in enumerate(reversed(index.editions))}
    entries = []
    for item in index.items.values():
        editions = {place.edition for place in item.paper.places if place.edition in age}
        entries.append(
            SearchEntry(
                id=item.id,
                path=urls.paper(item.id),
                title=item.naming.title,
                text=item.paper.prose.text,
                names=item.naming.names,
                words=partial(_words, item),
                topics=item.topics,
                editions=tuple(sorted(editions, key=age.__getitem__)),
                code=_has_code(item),
                date=item.date,
                key=index.keys.text[item.id],
            )
        )
    return tuple(entries)


def _has_code(item: Item) -> bool:
    """Whether one of the links that the paper's page shows is to code."""
    links = item.paper.links
    if not item.code:
        return False
    if len(links) == 1 and links[0].url.startswith(_SURELY_SHOWN):
        return links[0].url != item.paper.metadata.url
    return any(link.code for link in link_views(item))


def _words(item: Item) -> str:
    """Return what else the paper is to be found by, and is not in the texts that are shown."""
    meta = item.paper.metadata
    names = [name.text for name in item.naming.names]
    authors = [author.name for author in meta.authors[:AUTHORS_CITED]]
    spelled = " ".join(pairs(item.paper.prose.text))
    return " · ".join(
        filter(None, [*authors, *aliases([*names, *authors]), meta.headline, spelled])
    )
