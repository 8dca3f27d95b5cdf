"""What leaves the site as data: export records, feeds, citations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sitegen.citations import Citation, bibtex
from sitegen.markup import slugify
from sitegen.pages import dates, urls
from sitegen.pages.index import Index
from sitegen.pages.items import Item
from sitegen.pages.picks import note_text, picked
from sitegen.views import EditionRecord, Entry, Feed, Record, TopicRecord, Whole

SITE_FEED, TOPIC_FEED, EDITION_FEED, TAG_FEED = (20, 30), (5, 20), (5, 5), (1, 20)
"""Entries that a feed holds at least and at most: what the newest edition among its papers brought,
so that who looks in at each edition misses nothing. The papers of one edition never change."""
CATEGORIES = 3
"""Tags of an entry beside its topics."""


def cite(base_url: str, item: Item) -> Citation:
    """Return what a reference manager may know of a paper."""
    naming, meta = item.naming, item.paper.metadata
    real = naming.title_source != "derived"
    return Citation(
        id=item.id,
        url=base_url + urls.paper(item.id),
        title=naming.title if real else "",
        headline="" if real else naming.title,
        authors=tuple(
            f"{author.family}, {author.given}" if author.family and author.given else author.name
            for author in meta.authors
        ),
        groups=frozenset(author.name for author in meta.authors if author.group),
        et_al=meta.et_al,
        date=meta.date if dates.is_iso(meta.date) else "",
        arxiv=meta.arxiv,
        doi=meta.doi,
        venue=meta.venue,
        keywords=meta.keywords or tuple(tag.name for tag in item.tags),
    )


def records(index: Index) -> tuple[Record, ...]:
    """Return the export record of each published paper, sorted by id."""
    return tuple(
        Record(
            id=item.id,
            path=urls.paper(item.id),
            title=item.naming.title,
            title_source=item.naming.title_source,
            names=item.naming.names,
            abstract=item.paper.prose.text,
            abstract_source=item.paper.source_text,
            tags=item.tags,
            topics=item.topics,
            related=item.relations,
            places=item.paper.places,
            merged=item.paper.merged,
            links=item.paper.links,
            authors=tuple(author.name for author in item.paper.metadata.authors),
            date=item.paper.metadata.date,
            arxiv=item.paper.metadata.arxiv,
            doi=item.paper.metadata.doi,
            keywords=item.paper.metadata.keywords,
            edition=_edition_title(index, item),
            bibtex=bibtex(cite(index.inputs.config.base_url, item)),
        )
        for item in index.items.values()
    )


def topic_records(index: Index) -> tuple[TopicRecord, ...]:
    """Return the topics in their order."""
    by_slug = {topic.slug: topic for topic in index.inputs.topics}
    return tuple(
        TopicRecord(
            slug=mark.slug,
            path=mark.path,
            title=mark.title,
            aliases=by_slug[mark.slug].aliases,
            parent=by_slug[mark.slug].parent,
            papers=index.by_topic.get(mark.slug, ()),
        )
        for mark in index.topics
    )


def edition_records(index: Index) -> tuple[EditionRecord, ...]:
    """Return the editions, newest first."""
    return tuple(
        EditionRecord(
            slug=edition.slug,
            path=urls.edition(edition.slug),
            title=edition.title,
            date=edition.date,
            papers=(ids := tuple(i for _, i in index.by_edition.get(edition.slug, ()))),
            seen_before=tuple(i for i in ids if index.first_edition[i] != edition.slug),
        )
        for edition in index.editions
    )


def feeds(index: Index) -> tuple[Feed, ...]:
    """Return the feeds of the site and of each topic, tag and edition."""
    title = index.inputs.config.title
    entries = {item.id: _entry(index, item) for item in index.items.values()}
    order = _reading_order(index)
    made = [_feed(index, urls.HOME, title, sorted(entries, key=order.__getitem__), entries)]
    lists: list[tuple[str, str, Sequence[str], tuple[int, int]]] = [
        (mark.path, mark.title, index.by_topic.get(mark.slug, ()), TOPIC_FEED)
        for mark in index.topics
    ]
    lists += [
        (urls.tag(slug), index.tag_names[slug], ids, TAG_FEED) for slug, ids in index.by_tag.items()
    ]
    lists += [
        (
            urls.edition(edition.slug),
            edition.title,
            tuple(identifier for _, identifier in index.by_edition.get(edition.slug, ())),
            EDITION_FEED,
        )
        for edition in index.editions
    ]
    for folder, label, ids, bounds in lists:
        newest = sorted(ids, key=order.__getitem__)
        # there are as many tags as papers: with abstracts, their feeds outweigh all else
        whole: Whole = "neither" if folder.startswith(urls.TAGS) else "atom"
        made.append(
            _feed(index, folder, f"{label} · {title}", newest, entries, bounds=bounds, whole=whole)
        )
    if picks := picked(index):
        noted = {i: replace(entries[i], note=note_text(index, i)) for i in picks}
        made.append(_feed(index, urls.PICKS, f"Picks · {title}", picks, noted))
    return tuple(made)


def _reading_order(index: Index) -> dict[str, int]:
    """Rank papers newest edition first, inside an edition as they were read."""
    ranks: dict[str, int] = {}
    for edition in index.editions:
        for _, identifier in index.by_edition.get(edition.slug, ()):
            if index.first_edition[identifier] == edition.slug:
                ranks[identifier] = len(ranks)
    for identifier in index.items:
        ranks.setdefault(identifier, len(ranks))
    return ranks


def _feed(
    index: Index,
    folder: str,
    title: str,
    ids: Sequence[str],
    entries: dict[str, Entry],
    *,
    bounds: tuple[int, int] = SITE_FEED,
    whole: Whole = "both",
) -> Feed:
    least, most = bounds
    newest = index.first_edition.get(next(iter(ids), ""))
    brought = sum(index.first_edition.get(identifier) == newest for identifier in ids)
    chosen = tuple(entries[identifier] for identifier in ids[: max(least, min(most, brought))])
    return Feed(
        folder=folder,
        id=feed_id(index, folder),
        title=title,
        updated=max((entry.date for entry in chosen), default=dates.EPOCH),
        entries=chosen,
        whole=whole,
    )


def feed_id(index: Index, folder: str) -> str:
    """Return the permanent identifier of the feed of the list at a folder."""
    return urls.tag_uri("feed", f"{slugify(index.inputs.config.title)}/{folder}".rstrip("/"))


def _entry(index: Index, item: Item) -> Entry:
    paper, naming = item.paper, item.naming
    date = _edition_date(index, item)
    return Entry(
        id=urls.tag_uri("paper", paper.id),
        path=urls.paper(paper.id),
        title=naming.title,
        derived=naming.title_source == "derived",
        text=paper.prose.text,
        gist=index.rows[item.id].gist,
        date=dates.rfc3339(date),
        dated=dates.is_iso(date),
        authors=tuple(author.name for author in paper.metadata.authors),
        categories=(
            *(index.topic_marks[slug].title for slug in item.topics),
            *[tag.name for tag in item.tags if tag.page][:CATEGORIES],
        ),
        arxiv=paper.metadata.arxiv,
        doi=paper.metadata.doi,
    )


def _edition_date(index: Index, item: Item) -> str:
    """The date of the paper's first edition, else the day it was first seen, else the paper's."""
    edition = index.edition_by_slug.get(index.first_edition.get(item.id, ""))
    published = item.paper.metadata.date
    return (
        (edition.date if edition else "")
        or item.paper.first_seen
        or (published if dates.is_iso(published) else "")
    )


def _edition_title(index: Index, item: Item) -> str:
    edition = index.edition_by_slug.get(index.first_edition.get(item.id, ""))
    return edition.title if edition else ""
