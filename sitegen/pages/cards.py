"""What stands on the pictures of pages: decided here, drawn by `sitegen.cards`."""

from __future__ import annotations

from collections.abc import Sequence

from sitegen.pages import dates, urls
from sitegen.pages.index import Index
from sitegen.pages.items import Item
from sitegen.pages.rows import counted
from sitegen.records import Edition
from sitegen.views import Card, TopicMark

NAME = "card.png"
MAPPED = 24
"""Most editions whose pictures hold the map."""


def wanted(index: Index, *, paper: bool = False) -> bool:
    """Whether lists, or papers too, have pictures."""
    setting = index.inputs.config.cards
    return setting == "all" or (setting == "lists" and not paper)


def site_card(index: Index) -> Card | None:
    """Return the picture of the whole digest, for home and pages without one of their own."""
    if not wanted(index):
        return None
    facts = (counted(len(index.items), "paper"), counted(len(index.topics), "topic"))
    return Card(
        path=NAME,
        kicker="Paper digest",
        title=index.inputs.config.title,
        facts=" · ".join(facts),
    )


def topic_card(index: Index, mark: TopicMark, facts: Sequence[str]) -> Card | None:
    """Return the picture of a topic."""
    if not wanted(index):
        return None
    return Card(
        path=f"{mark.path}{NAME}",
        kicker="Topic",
        title=mark.title,
        facts=" · ".join(facts),
        hue=mark.hue,
        topic=mark.slug,
    )


def edition_card(index: Index, edition: Edition, facts: Sequence[str]) -> Card | None:
    """Return the picture of an edition."""
    if not wanted(index):
        return None
    date = dates.in_words(edition.date)
    return Card(
        path=f"{urls.edition(edition.slug)}{NAME}",
        kicker=f"Edition of {date}" if date else "Edition",
        title=edition.title,
        facts=" · ".join(facts),
        # every new paper is a new point: with many editions all their pictures would change daily
        mapped=len(index.editions) <= MAPPED,
    )


def picks_card(index: Index, count: int) -> Card | None:
    """Return the picture of the editor's picks."""
    if not wanted(index):
        return None
    return Card(
        path=f"{urls.PICKS}{NAME}",
        kicker="Picked by the editor",
        title=index.inputs.config.title,
        facts=counted(count, "paper"),
    )


def paper_card(index: Index, item: Item) -> Card | None:
    """Return the picture of a paper where every paper has one."""
    if not wanted(index, paper=True):
        return None
    topic = index.topic_marks[item.topics[0]] if item.topics else None
    derived = item.naming.title_source == "derived"
    authors = item.paper.metadata.authors
    facts = authors[0].name + (" and others" if len(authors) > 1 else "") if authors else ""
    return Card(
        path=f"{urls.paper(item.id)}{NAME}",
        kicker=topic.title if topic else "Paper",
        title=item.naming.title,
        facts="Headline by sitegen" if derived else facts,
        hue=topic.hue if topic else -1,
        mapped=False,
    )
