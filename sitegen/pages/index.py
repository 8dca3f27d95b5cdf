"""Lookups over the input that the parts of the site model share."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain

from sitegen.markup import markdown_text
from sitegen.pages import hues, urls
from sitegen.pages.items import Item, SiteInput
from sitegen.pages.keys import Keys, keys_of
from sitegen.pages.rows import row
from sitegen.records import Edition, Paper, Place, SourceCount, Tagging, Topic, TopicChoice
from sitegen.views import Row, Series, TopicMark


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """Lookups over a SiteInput, made once."""

    inputs: SiteInput
    items: Mapping[str, Item]
    """Published papers by id, ids sorted."""
    editions: tuple[Edition, ...]
    """Newest first; only those with a paper or a file."""
    by_edition: Mapping[str, tuple[tuple[Place, str], ...]]
    """Edition slug to the first place in it of each paper and the paper's id, in reading order."""
    first_seen: Mapping[str, str]
    """Paper id to the day it was first seen; empty if unknown."""
    first_edition: Mapping[str, str]
    """Paper id to the slug of the oldest edition that has it."""
    by_topic: Mapping[str, tuple[str, ...]]
    """Topic slug to paper ids, most typical first."""
    by_tag: Mapping[str, tuple[str, ...]]
    """Slug of a tag with a page to paper ids, best first."""
    page_tags: Mapping[str, tuple[str, ...]]
    """Paper id to the slugs of its tags with a page, best first."""
    tag_names: Mapping[str, str]
    """Slug of a tag with a page to its name."""
    topics: tuple[TopicMark, ...]
    """In tree order, children after their parents."""
    topic_marks: Mapping[str, TopicMark]
    plain_marks: Mapping[str, TopicMark]
    """The same without counts, for pages that do not change when the topic grows."""
    edition_by_slug: Mapping[str, Edition]
    arrival: Mapping[str, int]
    """Paper id to its rank, oldest first: by edition, then as read."""
    counts: Mapping[str, SourceCount]
    """What became of each source file, by its path."""
    keys: Keys
    row: Callable[[str], Row]
    """Gives a published paper, by its id, as a row of a list; made once."""

    def rows(self, identifiers: Iterable[str]) -> Series[Row]:
        """Return papers as rows of a list, to be made when they are shown."""
        ids = tuple(identifiers)
        keys = tuple(map(self.keys.shown.__getitem__, ids))
        return Series(keys, lambda at: self.row(ids[at]))


def index(inputs: SiteInput) -> Index:
    """Look through the input once; withdrawn and merged papers are left out."""
    overrides = inputs.content.overrides
    known = {topic.slug for topic in inputs.topics}
    rows = sorted(
        zip(
            inputs.papers, inputs.namings, inputs.taggings, inputs.topic_choices, inputs.relations,
            strict=True,
        ),
        key=lambda row: row[0].id,
    )  # fmt: skip
    rows = [
        row
        for row in rows
        if not ((override := overrides.get(row[0].id)) and (override.withdrawn or override.same_as))
    ]
    published = {row[0].id for row in rows}
    by_tag, tag_names = _papers_by_tag((row[0].id, row[2]) for row in rows)
    items = {
        paper.id: Item(
            paper=paper,
            naming=naming,
            tags=tuple(
                [
                    tag if not tag.page or tag.slug in by_tag else replace(tag, page=False)
                    for tag in tagging.tags
                ]
            ),
            topics=tuple(score.slug for score in choice.topics if score.slug in known),
            relations=tuple([relation for relation in relations if relation.id in published]),
        )
        for paper, naming, tagging, choice, relations in rows
    }
    by_topic = _papers_by_topic((row[0].id, row[3]) for row in rows)
    by_edition = _papers_by_edition(row[0] for row in rows)
    editions = tuple(
        edition
        for edition in _newest_first(inputs.editions)
        if edition.files or by_edition.get(edition.slug)
    )
    first: dict[str, str] = {}
    for edition in reversed(editions):
        for _, identifier in by_edition.get(edition.slug, ()):
            first.setdefault(identifier, edition.slug)
    arrival = {identifier: 0 for identifier in items if identifier not in first}
    for identifier in first:
        arrival[identifier] = len(arrival)
    marks = _topic_marks(inputs.topics, by_topic)
    topic_marks = {mark.slug: mark for mark in marks}
    plain_marks = {mark.slug: replace(mark, count=0, share=0, lead="", depth=0) for mark in marks}
    return Index(
        inputs=inputs,
        items=items,
        editions=editions,
        by_edition=by_edition,
        first_seen={identifier: item.paper.first_seen for identifier, item in items.items()},
        first_edition=first,
        by_topic=by_topic,
        by_tag=by_tag,
        page_tags={
            identifier: tuple([tag.slug for tag in item.tags if tag.page])
            for identifier, item in items.items()
        },
        tag_names=tag_names,
        topics=marks,
        topic_marks=topic_marks,
        plain_marks=plain_marks,
        arrival=arrival,
        counts={count.file: count for count in inputs.counts},
        edition_by_slug={edition.slug: edition for edition in editions},
        keys=keys_of(items.values(), plain_marks, inputs.config.base_url),
        row=cache(lambda identifier: row(items[identifier], plain_marks, inputs.config.base_url)),
    )


def _newest_first(editions: Iterable[Edition]) -> list[Edition]:
    # undated editions are the oldest; the later slug counts as the newer one
    return sorted(editions, key=lambda edition: (edition.date, edition.slug), reverse=True)


def _papers_by_tag(
    rows: Iterable[tuple[str, Tagging]],
) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    scored: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    names: dict[str, str] = {}
    for identifier, tagging in rows:
        for tag in tagging.tags:
            if tag.page:
                scored[tag.slug].append((-round(tag.score, 6), identifier))
                names.setdefault(tag.slug, tag.name)
    kept = {slug: papers for slug, papers in sorted(scored.items()) if len(papers) > 1}
    return (
        {slug: tuple(identifier for _, identifier in sorted(kept[slug])) for slug in kept},
        {slug: names[slug] for slug in kept},
    )


def _papers_by_topic(rows: Iterable[tuple[str, TopicChoice]]) -> dict[str, tuple[str, ...]]:
    scored: defaultdict[str, list[tuple[bool, float, str]]] = defaultdict(list)
    for identifier, choice in rows:
        for rank, topic in enumerate(choice.topics):
            # a paper that stands here in the first place is more typical than a guest
            scored[topic.slug].append((rank > 0, -round(topic.score, 6), identifier))
    return {
        slug: tuple(identifier for *_, identifier in sorted(scored[slug]))
        for slug in sorted(scored)
    }


def _papers_by_edition(papers: Iterable[Paper]) -> dict[str, tuple[tuple[Place, str], ...]]:
    found: defaultdict[str, list[tuple[Place, str]]] = defaultdict(list)
    for paper in papers:
        seen = set()
        for place in sorted(paper.places):
            if place.edition not in seen:
                seen.add(place.edition)
                found[place.edition].append((place, paper.id))
    return {slug: tuple(sorted(found[slug])) for slug in sorted(found)}


def _topic_marks(
    topics: Iterable[Topic], by_topic: Mapping[str, tuple[str, ...]]
) -> tuple[TopicMark, ...]:
    ordered = sorted(topics, key=lambda topic: (topic.order, topic.title.casefold(), topic.slug))
    largest = max((len(by_topic.get(topic.slug, ())) for topic in ordered), default=0) or 1
    slugs = {topic.slug for topic in ordered}
    children: defaultdict[str, list[Topic]] = defaultdict(list)
    for topic in ordered:
        children[topic.parent if topic.parent in slugs else ""].append(topic)
    hue_of = dict(zip((topic.slug for topic in ordered), hues.spread(len(ordered)), strict=True))
    marks: list[TopicMark] = []
    placed: set[str] = set()

    def place(topic: Topic, depth: int) -> None:
        if topic.slug in placed:
            return
        placed.add(topic.slug)
        count = len(by_topic.get(topic.slug, ()))
        marks.append(
            TopicMark(
                slug=topic.slug,
                title=topic.title,
                path=urls.topic(topic.slug),
                hue=hue_of[topic.slug],
                count=count,
                share=round(100 * count / largest),
                lead=first_sentence(topic.body),
                depth=depth,
            )
        )
        for child in children[topic.slug]:
            place(child, min(depth + 1, 3))

    for topic in children[""]:
        place(topic, 0)
    for topic in ordered:  # parents that are each other's
        place(topic, 0)
    return tuple(marks)


@lru_cache(maxsize=1024)
def first_sentence(markdown: str) -> str:
    """Return the first sentence of a Markdown text as plain words."""
    plain = markdown_text(markdown)
    end = plain.find(". ")
    return plain if end < 0 else plain[: end + 1]


def tag_counts(index: Index, identifiers: Iterable[str]) -> Counter[str]:
    """Count the tags with a page on these papers, by slug."""
    return Counter(chain.from_iterable(map(index.page_tags.__getitem__, identifiers)))
