"""The digest in pictures: the map of all papers, and its numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import nsmallest
from itertools import combinations, islice
from statistics import median

from sitegen.pages import urls
from sitegen.pages.index import Index, tag_counts
from sitegen.pages.rows import counted
from sitegen.records import Edition
from sitegen.views import (
    Anchor,
    Cell,
    MapGroup,
    MapPoint,
    MapView,
    Page,
    Segment,
    StatsView,
    TopicTrend,
)

WIDTH, HEIGHT = 1000, 640
MOST_POINTS = 10_000
"""Papers on the map; of more, those with the smallest ids: ids are made from hashes, so this is a
fair sample, and one that hardly changes as papers come."""
MARGIN = 30
LABEL = 22
"""Least distance of two labels' lines."""
SQUARE = 16
"""Tags in the square of pairs."""
PAIRS = 20
RECENT = 24
"""Newest editions that are compared with each other."""


def map_points(index: Index) -> tuple[MapPoint, ...]:
    """Return the place of each published paper on the map, sorted by id; none without positions."""
    inputs = index.inputs
    places = {
        paper.id: place for paper, place in zip(inputs.papers, inputs.positions, strict=False)
    }
    shown = islice((item for item in index.items.values() if item.id in places), MOST_POINTS)
    return tuple(
        MapPoint(
            id=item.id,
            x=MARGIN + round(places[item.id][0] * (WIDTH - 2 * MARGIN)),
            y=MARGIN + round(places[item.id][1] * (HEIGHT - 2 * MARGIN)),
            topic=item.topics[0] if item.topics else "",
            hue=index.topic_marks[item.topics[0]].hue if item.topics else -1,
            title=item.naming.title,
        )
        for item in shown
    )


def map_page(index: Index, points: Sequence[MapPoint]) -> Iterable[Page]:
    """Yield the map where there is one."""
    if not points:
        return
    by_topic: dict[str, list[MapPoint]] = {}
    for point in points:
        by_topic.setdefault(point.topic, []).append(point)
    groups = [
        MapGroup(
            topic=index.topic_marks.get(slug),
            dots="".join(f"M{point.x} {point.y}h0" for point in group),
            x=round(median(point.x for point in group)),
            y=max(LABEL, sorted(point.y for point in group)[len(group) // 4] - LABEL // 2),
        )
        for slug in ["", *(mark.slug for mark in index.topics)]
        if (group := by_topic.get(slug))
    ]
    yield Page(
        path=urls.MAP,
        template="map.html",
        title="Map",
        about=f"{counted(len(points), 'paper')} by meaning: what lies together is alike.",
        basis=MapView(
            groups=tuple(_apart(groups)),
            width=WIDTH,
            height=HEIGHT,
            papers=f"{len(points):,}",
            sample_of=f"{len(index.items):,}" if len(points) == MOST_POINTS else "",
        ),
        section="map",
        origin="the map",
    )


def _apart(groups: Iterable[MapGroup]) -> list[MapGroup]:
    """Move labels that would cover each other, from the top down."""
    placed: list[MapGroup] = []
    for group in sorted(groups, key=lambda g: (g.y, g.x, g.topic.slug if g.topic else "")):
        half = 5 * len(group.topic.title) if group.topic else 0
        x = min(max(group.x, half + 4), WIDTH - half - 4)
        y = group.y
        for other in placed:
            near = abs(x - other.x) < half + 5 * len(other.topic.title if other.topic else "")
            if near and abs(y - other.y) < LABEL:
                y = other.y + LABEL
        placed.append(MapGroup(topic=group.topic, dots=group.dots, x=x, y=min(y, HEIGHT - 8)))
    return placed


def stats_page(index: Index) -> Page:
    """Return the page of numbers."""
    editions = tuple(reversed(index.editions[:RECENT]))
    new = [new_in(index, edition) for edition in editions]
    per_topic = [
        Counter(index.items[i].topics[0] for i in ids if index.items[i].topics) for ids in new
    ]
    trends = tuple(
        TopicTrend(
            topic=mark,
            counts=tuple(counter[mark.slug] for counter in per_topic),
            total=sum(counter[mark.slug] for counter in per_topic),
        )
        for mark in index.topics
        if any(counter[mark.slug] for counter in per_topic)
    )
    tags, cells, pairs = _pairs(index)
    code = sum(item.code for item in index.items.values())
    named = sum(bool(item.naming.names) for item in index.items.values())
    facts = (
        counted(len(index.items), "paper"),
        counted(len(index.topics), "topic"),
        counted(len(index.by_tag), "tag") + " with a page",
        f"{named:,} introduce something with a name",
        f"{code:,} link to code",
    )
    return Page(
        path=urls.STATS,
        template="stats.html",
        title="Numbers",
        about="Topics by edition, sizes, and which tags go together.",
        basis=StatsView(
            facts=facts,
            editions=tuple(
                Anchor(label=edition.title, path=urls.edition(edition.slug), count=len(ids))
                for edition, ids in zip(editions, new, strict=True)
            ),
            bars=tuple(_bar(index, counter) for counter in per_topic),
            trends=trends,
            tags=tags,
            cells=cells,
            pairs=pairs,
        ),
        section="stats",
        origin="the page of numbers",
    )


def new_in(index: Index, edition: Edition) -> list[str]:
    """Return the papers that no older edition had."""
    run = index.by_edition.get(edition.slug, ())
    return [identifier for _, identifier in run if index.first_edition[identifier] == edition.slug]


def _bar(index: Index, counter: Counter[str]) -> tuple[Segment, ...]:
    total = sum(counter.values()) or 1
    segments = []
    done = 0
    for mark in index.topics:
        if count := counter[mark.slug]:
            start, end = round(1000 * done / total), round(1000 * (done + count) / total)
            segments.append(Segment(topic=mark, start=start, length=end - start, count=count))
            done += count
    return tuple(segments)


def _pairs(
    index: Index,
) -> tuple[tuple[Anchor, ...], tuple[Cell, ...], tuple[tuple[Anchor, Anchor, int], ...]]:
    """Count which tags stand on the same papers."""
    sizes = tag_counts(index, index.items)
    # Tags as numbers in their order, a pair of them as one number: there are very many pairs.
    slugs = sorted(sizes)
    number = {slug: at for at, slug in enumerate(slugs)}
    tags = [sorted(map(number.__getitem__, own)) for own in index.page_tags.values()]
    together = Counter(
        [one * len(slugs) + two for own in tags for one, two in combinations(own, 2)]
    )

    def anchor(slug: str) -> Anchor:
        return Anchor(label=index.tag_names[slug], path=urls.tag(slug), count=sizes[slug])

    chosen = sorted(sizes, key=lambda slug: (-sizes[slug], slug))[:SQUARE]
    inside = {
        (a, b): together[min(number[a], number[b]) * len(slugs) + max(number[a], number[b])]
        for a in chosen
        for b in chosen
        if a != b
    }
    most = max(inside.values(), default=0) or 1
    cells = tuple(
        Cell(row=row, column=column, count=inside[a, b], strength=round(inside[a, b] / most, 2))
        for row, a in enumerate(chosen)
        for column, b in enumerate(chosen)
        if a != b and inside[a, b]
    )
    ranked = nsmallest(PAIRS, together.items(), key=lambda pair: (-pair[1], pair[0]))
    return (
        tuple(anchor(slug) for slug in chosen),
        cells,
        tuple(
            (anchor(slugs[code // len(slugs)]), anchor(slugs[code % len(slugs)]), count)
            for code, count in ranked
        ),
    )
