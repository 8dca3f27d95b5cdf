"""Related papers: near in meaning and in words, each with the phrases that both papers hold; pure.

The score is the mean of two standard scores over all pairs of the digest: the cosine of the texts'
vectors, centred, and the cosine of their words and word pairs weighted by TF-IDF. Half and half is
better than either: the vectors know that "pruning" and "compression" are near, the words know rare
names.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sitegen.phrases import STOP_WORDS
from sitegen.records import Keyword, Paper, Relation, Tagging
from sitegen.shared import Holdings, hold
from sitegen.wording import Wording, learn_short_forms, split_words

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = npt.NDArray[np.float32]

_BLOCK = 1024
"""Papers compared with all others at once; with 30,000 papers a block takes 0.25 GB."""
_SAMPLE = 2000
"""Papers whose pairs give mean and deviation; all of a digest up to this size."""
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
) -> tuple[tuple[Relation, ...], ...]:
    """Return the papers nearest to each one, nearest first.

    Args:
        papers: all papers of the digest; their order does not matter.
        keywords: of each paper, aligned with papers.
        vectors: (n, d), unit length or zero, aligned with papers.
        taggings: aligned with papers.
        count: at most so many for each paper.

    Returns:
        for each paper its relations. Each has a reason: tags, phrases or rare words that both hold.
    """
    if len(papers) < 2:
        return ((),) * len(papers)
    order = sorted(range(len(papers)), key=lambda position: papers[position].id)
    ids = [papers[position].id for position in order]
    texts = [papers[position].prose.text for position in order]
    known = learn_short_forms(texts)
    wordings = [split_words(text, known.of(at)) for at, text in enumerate(texts)]
    holdings = Holdings([hold(keywords[position], taggings[position]) for position in order])
    meaning = _centred(np.asarray(vectors, dtype=np.float32)[order])
    related: list[tuple[Relation, ...]] = [()] * len(papers)
    for start, scores in _scores(meaning, _tfidf(wordings)):
        for row in range(len(scores)):
            this = start + row
            scores[row, this] = -np.inf
            relations: list[Relation] = []
            for other in _nearest(scores[row], count + _SLACK):
                if len(relations) == count:
                    break
                if why := holdings.reasons(this, other):
                    score = round(float(scores[row, other]), 3)
                    relations.append(Relation(id=ids[other], score=score, why=why))
            related[order[this]] = tuple(relations)
    return tuple(related)


def _nearest(scores: Floats, most: int) -> list[int]:
    """Positions of the highest scores above the floor, highest first, equal ones by position."""
    above = np.flatnonzero(scores >= _FLOOR)
    if len(above) > most:
        cut = np.partition(scores[above], -most)[-most]
        above = above[scores[above] >= cut]
    ranked = sorted(above.tolist(), key=lambda other: (-round(float(scores[other]), 3), other))
    return ranked[:most]


def _centred(vectors: Floats) -> Floats:
    """Take away what all texts have in common and scale to unit length."""
    centred = vectors - vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
    lengths = np.linalg.norm(centred, axis=1, keepdims=True)
    unit: Floats = centred / np.maximum(lengths, 1e-9)
    return unit


def _tfidf(wordings: Sequence[Wording]) -> csr_matrix:
    """Weigh words and word pairs of each text: (1 + ln tf) ln(n / df), rows of unit length."""
    from scipy.sparse import csr_matrix

    counts = [Counter(_terms(wording)) for wording in wordings]
    frequency = Counter(term for count in counts for term in count)
    column = {term: position for position, term in enumerate(sorted(frequency))}
    data: list[float] = []
    columns: list[int] = []
    starts = [0]
    for count in counts:
        row = {
            column[term]: (1 + math.log(times)) * math.log(len(wordings) / frequency[term])
            for term, times in count.items()
            if frequency[term] > 1
        }
        length = math.sqrt(math.fsum(weight * weight for weight in row.values())) or 1.0
        columns.extend(sorted(row))
        data.extend(row[position] / length for position in sorted(row))
        starts.append(len(columns))
    return csr_matrix(
        (np.array(data, dtype=np.float32), columns, starts), shape=(len(wordings), len(column))
    )


def _terms(wording: Wording) -> Iterator[str]:
    before = ""
    for position, key in enumerate(wording.keys):
        if key in STOP_WORDS or len(key) < 2 or key.isdecimal():
            before = ""
            continue
        yield key
        if before:
            yield f"{before} {key}"
        before = key if wording.ends_of_run[position] > position + 1 else ""


def _scores(meaning: Floats, words: Any) -> Iterator[tuple[int, Floats]]:
    """Yield (first row, mean standard scores of some rows with all papers)."""
    step = max(1, -(-len(meaning) // _SAMPLE))
    near, alike = meaning[::step], words[::step]
    scales = (_spread(near @ near.T), _spread((alike @ alike.T).toarray()))
    transposed = words.T.tocsr()
    for start in range(0, len(meaning), _BLOCK):
        block = slice(start, start + _BLOCK)
        parts = (meaning[block] @ meaning.T, (words[block] @ transposed).toarray())
        total = np.zeros_like(parts[0])
        for part, (mean, deviation) in zip(parts, scales, strict=True):
            total += (part - mean) / (2 * deviation)
        yield start, total


def _spread(similarity: Floats) -> tuple[float, float]:
    """Mean and standard deviation over pairs of different papers."""
    pairs = similarity[~np.eye(len(similarity), dtype=bool)].astype(np.float64)
    return round(float(pairs.mean()), 6), max(round(float(pairs.std()), 6), 1e-6)
