"""Pages of editions, with honest counts of what their files held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from sitegen.markup import markdown_html
from sitegen.pages import dates, urls
from sitegen.pages.cards import edition_card
from sitegen.pages.front import newest
from sitegen.pages.index import Index
from sitegen.pages.rows import ROWS, counted, newest_first, pagings
from sitegen.records import Edition
from sitegen.views import (
    Anchor,
    EditionCounts,
    EditionItem,
    EditionsView,
    EditionView,
    Page,
    Paging,
)

TOPICS = 6


def edition_pages(index: Index) -> Iterable[Page]:
    """Yield the list of editions, then each edition's pages."""
    items = {
        edition.slug: EditionItem(
            title=edition.title,
            path=urls.edition(edition.slug),
            date=edition.date,
            date_text=dates.in_words(edition.date),
            counts=edition_counts(index, edition),
        )
        for edition in index.editions
    }
    whole = ((Paging(number=0, here=urls.EDITIONS), tuple(items)),)
    cut = newest_first(urls.EDITIONS, tuple(reversed(items)))
    for paging, shown in cut if len(items) > ROWS else whole:
        yield Page(
            path=paging.here,
            template="editions.html",
            title=f"Editions, page {paging.number}" if paging.number else "Editions",
            about="All editions, newest first."
            if paging.number
            else f"{counted(len(items), 'edition')}, newest first.",
            basis=EditionsView(editions=tuple(items[slug] for slug in shown), paging=paging),
            section="editions",
            newest="" if paging.number else newest(index),
            modified=items[shown[0]].date if shown else "",
            origin="the list of editions",
        )
    for position, edition in enumerate(index.editions):
        yield from _edition_pages(index, position, edition)


def _edition_pages(index: Index, position: int, edition: Edition) -> Iterable[Page]:
    folder = urls.edition(edition.slug)
    run = index.by_edition.get(edition.slug, ())
    newer = index.editions[position - 1] if position else None
    older = index.editions[position + 1] if position + 1 < len(index.editions) else None
    counts = edition_counts(index, edition)
    topics = Counter(
        index.items[identifier].topics[0] for _, identifier in run if index.items[identifier].topics
    )
    ranked = sorted(topics, key=lambda slug: (-topics[slug], slug))[:TOPICS]
    intro = markdown_html(edition.body)
    description = f"{counted(len(run), 'paper')}, {counts.new:,} of them new."
    for paging in pagings(folder, len(run)):
        shown = run[paging.first_row - 1 :][:ROWS]
        path = urls.numbered(folder, paging.number)
        yield Page(
            path=path,
            template="edition.html",
            title=edition.title if paging.number == 1 else f"{edition.title}, page {paging.number}",
            about=description,
            basis=EditionView(
                title=edition.title,
                date=edition.date if dates.is_iso(edition.date) else "",
                date_text=dates.in_words(edition.date),
                intro_html=urls.localise(intro, path),
                counts=counts,
                rows=index.rows(identifier for _, identifier in shown),
                positions=tuple(place.position for place, _ in shown),
                seen=tuple(_seen_before(index, edition, identifier) for _, identifier in shown),
                paging=paging,
                topics=tuple(
                    replace(
                        index.topic_marks[slug],
                        count=topics[slug],
                        share=round(100 * topics[slug] / topics[ranked[0]]),
                    )
                    for slug in ranked
                ),
                previous=_anchor(older),
                following=_anchor(newer),
            ),
            section="editions",
            modified=edition.date,
            feed=folder,
            card=edition_card(index, edition, (f"{counts.read:,} read", f"{counts.new:,} new")),
            origin=f"edition {edition.slug}",
        )


def _anchor(edition: Edition | None) -> Anchor | None:
    return Anchor(label=edition.title, path=urls.edition(edition.slug)) if edition else None


def _seen_before(index: Index, edition: Edition, identifier: str) -> str:
    first = index.first_edition[identifier]
    return "" if first == edition.slug else index.edition_by_slug[first].title


def edition_counts(index: Index, edition: Edition) -> EditionCounts:
    """Count what became of the texts of an edition's files; read = the sum of the others.

    Where the counts of the files are unknown, only what is published is counted.
    """
    run = index.by_edition.get(edition.slug, ())
    new = sum(index.first_edition[identifier] == edition.slug for _, identifier in run)
    files = set(edition.files)
    counts = [index.counts[file] for file in sorted(files) if file in index.counts]
    reported = sum(count.reported for count in counts)
    read = sum(count.read for count in counts) or len(run)
    return EditionCounts(
        read=read,
        new=new,
        seen=len(run) - new,
        merged=max(0, read - reported - len(run)),
        reported=reported,
    )
