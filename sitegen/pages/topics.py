"""Pages of topics and of tags, each with its neighbours by shared tags or papers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from sitegen.markup import markdown_html
from sitegen.pages import urls
from sitegen.pages.cards import topic_card
from sitegen.pages.front import newest
from sitegen.pages.index import Index, first_sentence, tag_counts
from sitegen.pages.pictures import RECENT, new_in
from sitegen.pages.rows import ROWS, TYPICAL, counted, newest_first
from sitegen.views import Anchor, Page, Paging, Row, TagView, TopicMark, TopicsView, TopicView

TAGS_HERE = 16
NEAR = 6
BESIDE = 5
"""Tags beside a tag; there are many pages of tags, so they are kept small."""


def topic_pages(index: Index) -> Iterable[Page]:
    """Yield the list of topics, then each topic's pages."""
    loose = sum(not item.topics for item in index.items.values())
    yield Page(
        path=urls.TOPICS,
        template="topics.html",
        title="Topics",
        about=f"{counted(len(index.topics), 'topic')} with their papers.",
        basis=TopicsView(groups=_groups(index.topics), total=len(index.topics), loose=loose),
        section="topics",
        newest=newest(index),
        modified=_newest(index, index.items),
        origin="the list of topics",
    )
    trends = _trends(index)
    sources = {topic.slug: topic for topic in index.inputs.topics}
    near = _near_topics(index)
    children: dict[str, list[TopicMark]] = {}
    for mark in index.topics:
        children.setdefault(sources[mark.slug].parent, []).append(mark)
    for mark in index.topics:
        source = sources[mark.slug]
        ids = index.by_topic.get(mark.slug, ())
        facts = _facts(index, ids)
        intro = markdown_html(source.body)
        parent = index.topic_marks.get(source.parent)
        front, *archive = _cut(index, mark.path, ids)
        for paging, shown in (front, *archive):
            numbered = paging.number > 0
            view = TopicView(
                topic=index.plain_marks[mark.slug],
                parent=index.plain_marks[parent.slug] if parent else None,
                children=(),
                intro_html=urls.localise(intro, paging.here),
                facts=(),
                typical=(),
                rows=index.rows(shown),
                paging=paging,
                tags=(),
                near=(),
                trend=(),
                trend_line="",
                newest=f"?topic={mark.slug}&sort=newest",
            )
            if not numbered:
                view = replace(
                    view,
                    topic=mark,
                    children=tuple(children.get(mark.slug, ())),
                    facts=facts,
                    typical=index.rows(ids[:TYPICAL]) if archive else (),
                    tags=_telling_tags(index, ids),
                    near=near[mark.slug],
                    trend=trends.get(mark.slug, ()),
                    trend_line=_line(trends.get(mark.slug, ())),
                )
            yield Page(
                path=paging.here,
                template="topic.html",
                title=_numbered_title(mark.title, paging.number),
                about=first_sentence(source.body) or f"Papers on {mark.title}.",
                basis=view,
                section="topics",
                modified=_newest(index, shown if numbered else ids),
                feed=mark.path,
                card=None if numbered else topic_card(index, mark, facts),
                origin=f"topic {mark.slug}",
            )


def _cut(
    index: Index, folder: str, ids: Sequence[str]
) -> tuple[tuple[Paging, tuple[str, ...]], ...]:
    """Cut a list that stands best first; a long one gives up its order for pages that stay."""
    if len(ids) <= ROWS:
        return ((Paging(number=0, here=folder), tuple(ids)),)
    return newest_first(folder, sorted(ids, key=index.arrival.__getitem__))


def _groups(marks: Sequence[TopicMark]) -> tuple[tuple[TopicMark, tuple[TopicMark, ...]], ...]:
    """Put what stands below a topic with it."""
    heads = [number for number, mark in enumerate(marks) if mark.depth == 0]
    ends = [*heads[1:], len(marks)]
    return tuple(
        (marks[start], tuple(marks[start + 1 : end]))
        for start, end in zip(heads, ends, strict=bool(heads))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TagBasis:
    """What a page of a tag is made from; its papers' fingerprints stand for all that it counts."""

    index: Index = field(compare=False, repr=False)
    slug: str
    name: str
    ids: tuple[str, ...] = field(compare=False)
    """All its papers, best first; empty but on the front page."""
    papers: Sequence[Row]
    """The same as rows."""
    rows: Sequence[Row]
    """Those on this page."""
    paging: Paging
    archived: bool
    """Whether there are pages beside the front one."""


def tag_pages(index: Index) -> Iterable[Page]:
    """Yield the pages of each tag that has some; a view is made when it is asked for."""
    for slug, ids in index.by_tag.items():
        name, folder = index.tag_names[slug], urls.tag(slug)
        front, *archive = _cut(index, folder, ids)
        for paging, shown in (front, *archive):
            numbered = paging.number > 0
            yield Page(
                path=paging.here,
                template="tag.html",
                title=_numbered_title(name, paging.number),
                about=f"Papers tagged {name}."
                if numbered
                else f"{counted(len(ids), 'paper')} tagged {name}.",
                basis=TagBasis(
                    index=index,
                    slug=slug,
                    name=name,
                    ids=() if numbered else ids,
                    papers=() if numbered else index.rows(ids),
                    rows=index.rows(shown),
                    paging=paging,
                    archived=bool(archive),
                ),
                draw=tag_view,
                section="tags",
                modified=_newest(index, shown if numbered else ids),
                feed=folder,
                origin=f"tag {name}",
            )


def tag_view(basis: TagBasis) -> TagView:
    """Return what the template shows; pure."""
    index, slug, ids = basis.index, basis.slug, basis.ids
    front = basis.paging.number == 0
    firsts = {index.items[identifier].topics[:1] for identifier in ids}
    alone = next(iter(firsts)) if len(firsts) == 1 else ()
    return TagView(
        name=basis.name,
        surfaces=_surfaces(index, slug, ids),
        facts=_facts(index, ids) if front else (),
        typical=basis.papers[:TYPICAL] if basis.archived else (),
        rows=basis.rows,
        paging=basis.paging,
        topic=index.plain_marks[alone[0]] if alone else None,
        near=_beside(index, slug, ids),
    )


def _facts(index: Index, ids: Sequence[str]) -> tuple[str, ...]:
    code = sum(index.items[identifier].code for identifier in ids)
    return (counted(len(ids), "paper"), *([f"{code:,} with code"] if code else ()))


def _beside(index: Index, slug: str, ids: Sequence[str]) -> tuple[Anchor, ...]:
    """Return the tags that stand most often beside one."""
    near = tag_counts(index, ids)
    del near[slug]
    return tuple(
        Anchor(label=index.tag_names[other], path=urls.tag(other), count=near[other])
        for other in _ranked(near)[:BESIDE]
    )


def _numbered_title(title: str, number: int) -> str:
    return f"{title}, page {number}" if number else title


def _newest(index: Index, ids: Iterable[str]) -> str:
    return max(map(index.first_seen.__getitem__, ids), default="")


def _ranked(counter: Counter[str]) -> list[str]:
    return sorted(counter, key=lambda key: (-counter[key], key))


def _surfaces(index: Index, slug: str, ids: Sequence[str]) -> tuple[str, ...]:
    """Other forms of a tag in the texts, most frequent first, told apart without case."""
    forms: Counter[str] = Counter()
    spelling: dict[str, str] = {}
    for identifier in ids:
        for tag in index.items[identifier].tags:
            if tag.slug == slug:
                for surface in tag.surfaces:
                    forms[surface.casefold()] += 1
                    spelling.setdefault(surface.casefold(), surface)
    forms.pop(index.tag_names[slug].casefold(), None)
    return tuple(spelling[form] for form in _ranked(forms)[:5])


def _telling_tags(index: Index, ids: Sequence[str]) -> tuple[Anchor, ...]:
    """Return the tags that set these papers apart: frequent here, and more so than elsewhere."""
    here = tag_counts(index, ids)

    def weight(slug: str) -> float:
        return round(here[slug] * math.sqrt(here[slug] / len(index.by_tag[slug])), 6)

    ranked = sorted(here, key=lambda slug: (-weight(slug), slug))
    return tuple(
        Anchor(label=index.tag_names[slug], path=urls.tag(slug), count=here[slug])
        for slug in ranked[:TAGS_HERE]
    )


def _trends(index: Index) -> dict[str, tuple[Anchor, ...]]:
    """Return each topic's share of the papers new in each recent edition, oldest first, in percent.

    Nothing where there are fewer than three editions: two points are no line.
    """
    recent = index.editions[:RECENT]
    editions = [(e, ids) for e in reversed(recent) if (ids := new_in(index, e))]
    if len(editions) < 3:
        return {}
    counters = [
        Counter(topic for identifier in ids for topic in index.items[identifier].topics)
        for _, ids in editions
    ]
    return {
        mark.slug: tuple(
            Anchor(
                label=edition.title,
                path=urls.edition(edition.slug),
                count=round(100 * counter[mark.slug] / len(ids)),
            )
            for (edition, ids), counter in zip(editions, counters, strict=True)
        )
        for mark in index.topics
    }


def _line(trend: Sequence[Anchor]) -> str:
    most = max((point.count for point in trend), default=0) or 1
    last = len(trend) - 1
    return " ".join(
        f"{round(100 * number / last)},{round(28 - 26 * point.count / most)}"
        for number, point in enumerate(trend)
    )


def _near_topics(index: Index) -> dict[str, tuple[TopicMark, ...]]:
    """Return for each topic the topics whose tags are most like its own (cosine)."""
    profiles = {
        mark.slug: tag_counts(index, index.by_topic.get(mark.slug, ())) for mark in index.topics
    }
    norms = {
        slug: math.sqrt(sum(count * count for count in profile.values())) or 1.0
        for slug, profile in profiles.items()
    }
    near = {}
    for slug, profile in profiles.items():
        likeness = {
            other: round(
                sum(count * theirs[tag] for tag, count in profile.items())
                / (norms[slug] * norms[other]),
                6,
            )
            for other, theirs in profiles.items()
            if other != slug
        }
        ranked = sorted(
            (other for other in likeness if likeness[other] > 0),
            key=lambda other: (-likeness[other], other),
        )
        near[slug] = tuple(index.topic_marks[other] for other in ranked[:NEAR])
    return near
