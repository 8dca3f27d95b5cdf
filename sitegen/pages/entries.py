"""What leaves the site as data: export records, feeds, citations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from types import MappingProxyType

from sitegen.citations import Citation, bibtex
from sitegen.markup import slugify
from sitegen.pages import dates, urls
from sitegen.pages.index import Index
from sitegen.pages.items import Item
from sitegen.pages.picks import note_text, picked
from sitegen.views import EditionRecord, Entry, Feed, Record, Series, TopicRecord, Whole

SITE_FEED, TOPIC_FEED, EDITION_FEED, TAG_FEED = (20, 30), (5, 20), (5, 5), (1, 20)
"""Entries that a feed holds at least and at most: what the newest edition among its papers brought,
so that who looks in at each edition misses nothing. The papers of one edition never change."""
CITATION = 400
"""Bytes of a citation beside title, authors and keywords of its source: fields, address, tags."""
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


def records(index: Index) -> Series[Record]:
    """Return the export record of each published paper, sorted by id."""
    items = tuple(index.items.values())
    titles = {edition.slug: edition.title for edition in index.editions}
    digests = {slug: index.keys.of(title) for slug, title in titles.items()}
    firsts = [index.first_edition.get(item.id, "") for item in items]
    return Series(
        tuple(
            index.keys.whole[item.id] + digests.get(first, b"")
            for item, first in zip(items, firsts, strict=True)
        ),
        lambda at: _record(items[at], titles.get(firsts[at], ""), index.inputs.config.base_url),
    )


def _record(item: Item, edition: str, base_url: str) -> Record:
    paper, meta = item.paper, item.paper.metadata
    return Record(
        id=item.id,
        path=urls.paper(item.id),
        title=item.naming.title,
        title_source=item.naming.title_source,
        names=item.naming.names,
        abstract=paper.prose.text,
        abstract_source=paper.source_text,
        tags=item.tags,
        topics=item.topics,
        related=item.relations,
        places=paper.places,
        merged=paper.merged,
        links=paper.links,
        authors=tuple(author.name for author in meta.authors),
        date=meta.date,
        arxiv=meta.arxiv,
        doi=meta.doi,
        keywords=meta.keywords,
        edition=edition,
        bibtex=bibtex(cite(base_url, item)),
    )


def weights(index: Index) -> tuple[int, ...]:
    """Return about how many bytes the citation of each record takes; a little more as a rule."""
    return tuple(
        CITATION
        + len(item.naming.title)
        + sum([len(author.name) + 8 for author in item.paper.metadata.authors])
        + sum([len(word) + 2 for word in item.paper.metadata.keywords])
        for item in index.items.values()
    )


def identifiers(index: Index) -> tuple[tuple[str, str], ...]:
    """Return each arXiv identifier and DOI, the latter in lower case, with its paper's id."""
    known: dict[str, str] = {}
    for item in index.items.values():
        meta = item.paper.metadata
        if meta.arxiv:
            known.setdefault(f"arxiv:{meta.arxiv}", item.id)
        if meta.doi:
            known.setdefault(f"doi:{meta.doi.lower()}", item.id)
    return tuple(known.items())


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
    entries = _Entries(index)
    order = _reading_order(index)
    made = [_feed(index, urls.HOME, title, sorted(index.items, key=order.__getitem__), entries)]
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
        noted = _Entries(index, {i: note_text(index, i) for i in picks})
        made.append(_feed(index, urls.PICKS, f"Picks · {title}", picks, noted))
    return tuple(made)


class _Entries:
    """Papers as feeds show them, made when they are asked for.

    Args:
        index: of the site.
        notes: the editor's, by paper id; empty where feeds show none.
    """

    def __init__(self, index: Index, notes: Mapping[str, str] = MappingProxyType({})) -> None:
        days = {edition.slug: edition.date for edition in index.editions}
        self._notes = notes
        self._make = cache(partial(_entry, index))
        self._keys = index.keys
        self.dates = {
            item.id: _entry_date(item, days.get(index.first_edition.get(item.id, ""), ""))
            for item in index.items.values()
        }
        """Each paper's date, or what stands for it, by id."""

    def of(self, ids: Sequence[str]) -> Series[Entry]:
        """Return the entries of some papers."""
        return Series(
            tuple(
                self._keys.shown[each]
                + f"{self.dates[each]} {self._notes.get(each, '')}".encode("utf-8", "surrogatepass")
                for each in ids
            ),
            lambda at: self._make(ids[at], self.dates[ids[at]], self._notes.get(ids[at], "")),
        )


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
    entries: _Entries,
    *,
    bounds: tuple[int, int] = SITE_FEED,
    whole: Whole = "both",
) -> Feed:
    least, most = bounds
    newest = index.first_edition.get(next(iter(ids), ""))
    brought = sum(index.first_edition.get(identifier) == newest for identifier in ids)
    chosen = tuple(ids[: max(least, min(most, brought))])
    return Feed(
        folder=folder,
        id=feed_id(index, folder),
        title=title,
        updated=max(
            (dates.rfc3339(entries.dates[identifier]) for identifier in chosen),
            default=dates.EPOCH,
        ),
        entries=entries.of(chosen),
        whole=whole,
    )


def feed_id(index: Index, folder: str) -> str:
    """Return the permanent identifier of the feed of the list at a folder."""
    return urls.tag_uri("feed", f"{slugify(index.inputs.config.title)}/{folder}".rstrip("/"))


def _entry(index: Index, identifier: str, date: str, note: str) -> Entry:
    item = index.items[identifier]
    paper, naming = item.paper, item.naming
    return Entry(
        id=urls.tag_uri("paper", paper.id),
        path=urls.paper(paper.id),
        title=naming.title,
        derived=naming.title_source == "derived",
        text=paper.prose.text,
        gist=index.row(item.id).gist,
        date=dates.rfc3339(date),
        dated=dates.is_iso(date),
        authors=tuple(author.name for author in paper.metadata.authors),
        categories=(
            *(index.topic_marks[slug].title for slug in item.topics),
            *[tag.name for tag in item.tags if tag.page][:CATEGORIES],
        ),
        arxiv=paper.metadata.arxiv,
        doi=paper.metadata.doi,
        note=note,
    )


def _entry_date(item: Item, edition: str) -> str:
    """The date of the paper's first edition, else the day it was first seen, else the paper's."""
    published = item.paper.metadata.date
    return edition or item.paper.first_seen or (published if dates.is_iso(published) else "")
