"""The site model: every URL, order, list and view, decided before anything is rendered."""

from __future__ import annotations

from sitegen.diagnostics import Problem
from sitegen.pages import urls
from sitegen.pages.alphabet import name_pages, tag_index_pages
from sitegen.pages.collisions import check_slugs, without_collisions
from sitegen.pages.editions import edition_pages
from sitegen.pages.entries import (
    edition_records,
    feeds,
    identifiers,
    records,
    topic_records,
    weights,
)
from sitegen.pages.former import former_files
from sitegen.pages.front import front_pages, info, summary
from sitegen.pages.index import index as index_of
from sitegen.pages.items import Gone, SiteInput
from sitegen.pages.papers import paper_pages
from sitegen.pages.picks import picks_pages
from sitegen.pages.pictures import map_page, map_points, stats_page
from sitegen.pages.searching import search_entries
from sitegen.pages.stubs import stub_pages
from sitegen.pages.topics import tag_pages, topic_pages
from sitegen.views import Site

__all__ = ["Gone", "SiteInput", "build_site"]


def build_site(inputs: SiteInput) -> tuple[Site, tuple[Problem, ...]]:
    """Decide the whole site.

    Args:
        inputs: the digest after all stages; papers in any order.

    Returns:
        the site, and an error for each URL that two things claim (the first keeps it) or that
        holds letters a URL of ours never has.
    """
    index = index_of(inputs)
    points = map_points(index)
    pages, problems = without_collisions(
        (
            *front_pages(index),
            *map_page(index, points),
            stats_page(index),
            *picks_pages(index),
            *topic_pages(index),
            *edition_pages(index),
            *name_pages(index),
            *tag_index_pages(index),
            *tag_pages(index),
            *paper_pages(index),
        ),
        urls.RESERVED,
    )
    by_path = {page.path: page for page in pages}
    stubs = tuple(stub_pages(index, by_path))
    former = former_files(index, stubs, by_path)
    cards = {page.card.path: page.card for page in pages if page.card}
    cards |= {card.path: card for card in former.cards}
    site = Site(
        info=info(index),
        summary=summary(index),
        pages=(*pages, *stubs),
        feeds=(*feeds(index), *former.feeds),
        moved=former.moved,
        records=records(index),
        weights=weights(index),
        identifiers=identifiers(index),
        topics=topic_records(index),
        editions=edition_records(index),
        search=search_entries(index),
        points=points,
        cards=tuple(cards.values()),
    )
    return site, (*check_slugs(inputs), *problems)
