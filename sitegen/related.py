"""Related papers: near in meaning and in words, each with the phrases that both papers hold; pure.

The score is the mean of two standard scores: the cosine of the texts' vectors, centred, and the
cosine of their words and word pairs weighted by TF-IDF. Half and half is better than either: the
vectors know that "pruning" and "compression" are near, the words know rare names. Candidates are
the papers nearest in one of them; in a small digest, all papers.

Middle, spread, rarity of words and cells all come from the digest's `basis`, so that a new paper
changes only the lists that it enters.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np

from sitegen.basis import basis
from sitegen.nearness import Floats, SharedWords, meanings
from sitegen.neighbours import Nearest, find_nearest
from sitegen.records import Keyword, Paper, Relation, Tagging
from sitegen.said import Said
from sitegen.shared import Holdings
from sitegen.subjects import subject_of
from sitegen.word_columns import WordColumns, read_columns

_SLACK = 8
"""Neighbours looked at beyond those wanted, since one without a reason is not shown."""
_SURE = 2.0
"""Score below which one reason is not enough, unless it is what both papers are about: ..."""
_LEADING = 3
"""... one of so many tags, the best ones of either."""


def relate(
    papers: Sequence[Paper],
    keywords: Sequence[Sequence[Keyword]],
    vectors: Floats,
    taggings: Sequence[Tagging],
    *,
    count: int = 5,
    columns: WordColumns | None = None,
) -> tuple[tuple[Relation, ...], ...]:
    """Return the papers nearest to each one, nearest first.

    Args:
        papers: all papers of the digest; their order does not matter.
        keywords: of each paper, aligned with papers.
        vectors: (n, d), unit length or zero, aligned with papers.
        taggings: aligned with papers.
        count: at most so many for each paper.
        columns: words of the papers' texts, where they are known already.

    Returns:
        for each paper its relations. Each has a reason: tags, phrases or rare words that both hold;
        a distant one has two, or shares what both papers are about first of all.
    """
    columns = columns or read_columns([subject_of(paper) for paper in papers])
    nearest = nearest_papers(papers, vectors, columns, count=count)
    return with_reasons(papers, keywords, taggings, nearest, count=count)


def nearest_papers(
    papers: Sequence[Paper],
    vectors: Floats,
    columns: WordColumns,
    *,
    count: int = 5,
    before: Nearest | None = None,
) -> Nearest | None:
    """Return who is nearest to whom: the first half of `relate`.

    Args:
        papers: all papers of the digest; their order does not matter.
        vectors: (n, d), unit length or zero, aligned with papers.
        columns: words of the papers' texts.
        count: relations wanted for each paper.
        before: the result of an earlier call for the same count; saves time.

    Returns:
        None for fewer than two papers.
    """
    if len(papers) < 2:
        return None
    order = _order(papers)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    early = basis(papers)
    return find_nearest(
        meanings(vectors, early)[order],
        SharedWords(columns, early, np.array(order, np.int64)),
        place[early],
        count + _SLACK,
        ids=[papers[at].id for at in order],
        before=before,
    )


def with_reasons(
    papers: Sequence[Paper],
    keywords: Sequence[Sequence[Keyword]],
    taggings: Sequence[Tagging],
    nearest: Nearest | None,
    *,
    count: int = 5,
) -> tuple[tuple[Relation, ...], ...]:
    """Return the nearest papers that share something: the second half of `relate`.

    Args:
        papers: all papers of the digest; their order does not matter.
        keywords: of each paper, aligned with papers.
        taggings: aligned with papers.
        nearest: of the same papers, from `nearest_papers`, for the same count.
        count: at most so many for each paper.
    """
    if nearest is None:
        return ((),) * len(papers)
    order = _order(papers)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    holdings = Holdings(
        Said.of(keywords).only(np.array(order, np.int64)),
        [taggings[at] for at in order],
        place[basis(papers)].tolist(),
    )
    first, others = nearest.nearest.first, nearest.nearest.others
    lefts = np.repeat(np.arange(len(order)), np.diff(first))
    leading = [frozenset(tag.slug for tag in taggings[at].tags[:_LEADING]) for at in order]
    shared = zip(
        holdings.reasons(lefts, others), others.tolist(), nearest.scores.tolist(), strict=True
    )
    related: list[tuple[Relation, ...]] = [()] * len(papers)
    for at, size, mine in zip(order, np.diff(first).tolist(), leading, strict=True):
        own = [
            Relation(id=nearest.ids[other], score=score, why=why)
            for why, other, score in islice(shared, size)
            if len(why) > 1 or (why and (score >= _SURE or not mine.isdisjoint(leading[other])))
        ]
        related[at] = tuple(own[:count])
    return tuple(related)


def _order(papers: Sequence[Paper]) -> list[int]:
    return sorted(range(len(papers)), key=lambda at: papers[at].id)
