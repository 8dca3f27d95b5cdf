"""Related papers: near in meaning and in words, each with the phrases that both papers hold; pure.

The score is the mean of two standard scores: the cosine of the texts' vectors, centred, and the
cosine of their words and word pairs weighted by TF-IDF. Half and half is better than either: the
vectors know that "pruning" and "compression" are near, the words know rare names. Candidates are
the papers nearest in one of them; in a small digest, all papers.

Middle, spread, rarity of words and cells all come from the digest's `basis`, so that a new paper
changes only the lists that it enters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sitegen.basis import SMALL, basis
from sitegen.nearness import Floats, SharedWords, meanings
from sitegen.partition import near_rows
from sitegen.records import Keyword, Paper, Relation, Tagging
from sitegen.shared import Holdings, hold
from sitegen.subjects import subject_of
from sitegen.word_columns import Integers, WordColumns, read_columns

_BLOCK = 256
"""Papers whose words are compared with those of all others at once."""
_SAMPLE = 1024
"""Papers of the basis whose pairs give mean and deviation."""
_CANDIDATES = 32
"""Papers looked at, of the nearest in meaning and of the nearest in words."""
_SLACK = 8
"""Neighbours looked at beyond those wanted, since one without a reason is not shown."""
_FLOOR = 1.2
"""Mean standard score below which two papers are not related at all."""


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
        for each paper its relations. Each has a reason: tags, phrases or rare words that both hold.
    """
    if len(papers) < 2:
        return ((),) * len(papers)
    columns = columns or read_columns([subject_of(paper) for paper in papers])
    order = np.array(sorted(range(len(papers)), key=lambda at: papers[at].id), np.int64)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    early = basis(papers)
    meaning = meanings(vectors, early)[order]
    words = SharedWords(columns, early, order)
    early = place[early]
    holdings = Holdings([hold(keywords[at], taggings[at]) for at in order.tolist()], early)
    related: list[tuple[Relation, ...]] = [()] * len(papers)
    for row, others, scores in _nearest(meaning, words, early, count + _SLACK):
        relations: list[Relation] = []
        for other, score in zip(others, scores, strict=True):
            if len(relations) == count:
                break
            if why := holdings.reasons(row, other):
                relations.append(Relation(id=papers[order[other]].id, score=score, why=why))
        related[order[row]] = tuple(relations)
    return tuple(related)


def _nearest(
    meaning: Floats, words: SharedWords, early: Integers, most: int
) -> Iterator[tuple[int, list[int], list[float]]]:
    """Yield each row with its nearest others and their scores, nearest first."""
    sample = early[:: -(-len(early) // _SAMPLE)]
    scales = _spread(meaning[sample] @ meaning[sample].T), _spread(words.products(sample))
    if len(meaning) <= SMALL:
        every = np.arange(len(meaning))
        near_all, alike_all = meaning @ meaning.T, words.products(every)
        for row in every.tolist():
            parts = np.delete(near_all[row], row), np.delete(alike_all[row], row)
            yield row, *_ranked(np.delete(every, row), parts, scales, most)
        return
    first, near = _near_in_meaning(meaning, early)
    for start in range(0, len(meaning), _BLOCK):
        alike = words.alike(start, min(start + _BLOCK, len(meaning)))
        for row, (others, shares) in enumerate(alike, start):
            found = np.union1d(near[first[row] : first[row + 1]], _highest(others, shares))
            found = found[found != row]
            parts = meaning[found] @ meaning[row], words.likeness(row, found)
            yield row, *_ranked(found, parts, scales, most)


def _ranked(
    found: Integers,
    parts: tuple[Floats, Floats],
    scales: Sequence[tuple[float, float]],
    most: int,
) -> tuple[list[int], list[float]]:
    """Return the best of the rows found and their scores, from how near and alike they are."""
    total = np.zeros(len(found))
    for part, (mean, deviation) in zip(parts, scales, strict=True):
        total += (part.astype(np.float64) - mean) / (2 * deviation)
    total = np.round(total, 3)
    ranked = np.lexsort((found, -total))[:most]
    ranked = ranked[total[ranked] >= _FLOOR]
    return found[ranked].tolist(), total[ranked].tolist()


def _near_in_meaning(meaning: Floats, early: Integers) -> tuple[Integers, Integers]:
    """Return for each row where its others begin, and those of all rows."""
    pairs = list(near_rows(meaning, early, _CANDIDATES))
    rows, others = (np.concatenate(each) for each in zip(*pairs, strict=True))
    order = np.argsort(rows, kind="stable")
    return np.searchsorted(rows[order], np.arange(len(meaning) + 1)), others[order]


def _highest(others: Integers, alike: Floats) -> Integers:
    """Return those of the highest likenesses."""
    if len(alike) <= _CANDIDATES:
        return others
    highest: Integers = others[alike >= np.partition(alike, -_CANDIDATES)[-_CANDIDATES]]
    return highest


def _spread(products: Floats) -> tuple[float, float]:
    pairs = products[~np.eye(len(products), dtype=bool)].astype(np.float64)
    return round(float(pairs.mean()), 3), max(round(float(pairs.std()), 3), 1e-3)
