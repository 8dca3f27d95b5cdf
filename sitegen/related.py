"""Related papers: near in meaning and in words, each with the phrases that both papers hold; pure.

The score is the mean of two standard scores over all pairs of the digest: the cosine of the texts'
vectors, centred, and the cosine of their words weighted by TF-IDF. Half and half is better than
either: the vectors know that "pruning" and "compression" are near, the words know rare names.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sitegen.phrases import STOP_WORDS, candidates, fold_plural, is_generic, phrase_key, words
from sitegen.records import Paper, Relation, Tagging

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
_REASONS = 3
_COMMON = 0.1
"""A word or phrase in more than this share of the papers is no reason."""
_FEW = 12
"""In this many papers nothing is too common."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Holding:
    """What one paper can share, as keys with the form to show."""

    tags: Mapping[str, str]
    """Folded forms of the tags that stand in the text."""
    implied: Mapping[str, str]
    """Slugs of its tags to their names."""
    phrases: Mapping[str, str]
    """Runs of two words or more, parts of candidates."""
    words: Mapping[str, str]


def relate(
    papers: Sequence[Paper],
    vectors: Floats,
    taggings: Sequence[Tagging],
    *,
    count: int = 5,
) -> tuple[tuple[Relation, ...], ...]:
    """Return the papers nearest to each one, nearest first.

    Args:
        papers: all papers of the digest; their order does not matter.
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
    holdings = [
        _holding(text, taggings[position]) for text, position in zip(texts, order, strict=True)
    ]
    frequent = _Frequencies(holdings)
    meaning = _centred(np.asarray(vectors, dtype=np.float32)[order])
    wording = _tfidf(texts)
    related: list[tuple[Relation, ...]] = [()] * len(papers)
    for start, scores in _scores(meaning, wording):
        for row in range(len(scores)):
            this = start + row
            scores[row, this] = -np.inf
            relations = []
            for other in _nearest(scores[row], count + _SLACK):
                why = frequent.reasons(holdings[this], holdings[other])
                if why:
                    score = round(float(scores[row, other]), 3)
                    relations.append(Relation(id=ids[other], score=score, why=why))
                if len(relations) == count:
                    break
            related[order[this]] = tuple(relations)
    return tuple(related)


def _nearest(scores: Floats, most: int) -> list[int]:
    """Positions of the highest scores above the floor, highest first, equal ones by position."""
    above = np.flatnonzero(scores >= _FLOOR)
    if len(above) > most:
        cut = np.partition(scores[above], -most)[-most]
        above = above[scores[above] >= cut]
    ranked = sorted(above.tolist(), key=lambda other: (-round(float(scores[other]), 4), other))
    return ranked[:most]


# ---- closeness -------------------------------------------------------------------------------
def _centred(vectors: Floats) -> Floats:
    """Take away what all texts have in common and scale to unit length."""
    centred = vectors - vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
    lengths = np.linalg.norm(centred, axis=1, keepdims=True)
    unit: Floats = centred / np.maximum(lengths, 1e-9)
    return unit


def _tfidf(texts: Sequence[str]) -> csr_matrix:
    """Weigh the words of each text: (1 + ln tf) ln(n / df), rows of unit length."""
    from scipy.sparse import csr_matrix

    counts = [Counter(_content_words(text)) for text in texts]
    frequency = Counter(word for count in counts for word in count)
    column = {word: position for position, word in enumerate(sorted(frequency))}
    data: list[float] = []
    columns: list[int] = []
    starts = [0]
    for count in counts:
        row = {
            column[word]: (1 + math.log(times)) * math.log(len(texts) / frequency[word])
            for word, times in count.items()
            if frequency[word] > 1
        }
        length = math.sqrt(math.fsum(weight * weight for weight in row.values())) or 1.0
        columns.extend(sorted(row))
        data.extend(row[position] / length for position in sorted(row))
        starts.append(len(columns))
    return csr_matrix(
        (np.array(data, dtype=np.float32), columns, starts), shape=(len(texts), len(column))
    )


def _content_words(text: str) -> list[str]:
    return [
        fold_plural(word)
        for word in words(text)
        if word not in STOP_WORDS and len(word) > 1 and not word.isdecimal()
    ]


def _scores(meaning: Floats, wording: Any) -> Iterator[tuple[int, Floats]]:
    """Yield (first row, mean standard scores of some rows with all papers)."""
    step = max(1, -(-len(meaning) // _SAMPLE))
    near, alike = meaning[::step], wording[::step]
    scales = (_spread(near @ near.T), _spread((alike @ alike.T).toarray()))
    other = wording.T.tocsr()
    for start in range(0, len(meaning), _BLOCK):
        block = slice(start, start + _BLOCK)
        parts = (meaning[block] @ meaning.T, (wording[block] @ other).toarray())
        total = np.zeros_like(parts[0])
        for part, (mean, deviation) in zip(parts, scales, strict=True):
            total += (part - mean) / (2 * deviation)
        yield start, total


def _spread(similarity: Floats) -> tuple[float, float]:
    """Mean and standard deviation over pairs of different papers."""
    pairs = similarity[~np.eye(len(similarity), dtype=bool)].astype(np.float64)
    return round(float(pairs.mean()), 6), max(round(float(pairs.std()), 6), 1e-6)


# ---- reasons ---------------------------------------------------------------------------------
def _holding(text: str, tagging: Tagging) -> _Holding:
    tags: dict[str, str] = {}
    for tag in tagging.tags:
        for form in (tag.name, *tag.surfaces):
            if form == tag.name or form in tag.surfaces:
                tags.setdefault(phrase_key(form), form)
    stands = {phrase_key(form) for tag in tagging.tags for form in tag.surfaces}
    phrases: dict[str, str] = {}
    singles: dict[str, str] = {}
    for candidate in candidates(text):
        parts = candidate.surface.split()
        for start in range(len(parts)):
            for end in range(start + 1, len(parts) + 1):
                form = " ".join(parts[start:end])
                kept = singles if end == start + 1 and "-" not in form else phrases
                kept.setdefault(phrase_key(form), form)
    return _Holding(
        tags={key: form for key, form in tags.items() if key in stands},
        implied={tag.slug: tag.name for tag in tagging.tags},
        phrases=phrases,
        words=singles,
    )


class _Frequencies:
    """How many papers hold each thing, and with it which shared things are telling."""

    def __init__(self, holdings: Sequence[_Holding]) -> None:
        self._limit = max(_FEW, _COMMON * len(holdings))
        self._count: Counter[str] = Counter()
        for holding in holdings:
            self._count.update({**holding.words, **holding.phrases}.keys())

    def reasons(self, left: _Holding, right: _Holding) -> tuple[str, ...]:
        """Return what both hold, tags first, then the rarest phrases, then the rarest words."""
        found = [
            *self._shared(left.tags, right.tags),
            *self._shared(left.phrases, right.phrases),
        ]
        if not found:
            found = [name for slug, name in left.implied.items() if slug in right.implied]
        if not found:
            found = self._shared(left.words, right.words)
        kept: list[str] = []
        seen: list[frozenset[str]] = []
        for form in found:
            parts = frozenset(fold_plural(word) for word in words(form.replace("-", " ")))
            if not any(parts <= other or other <= parts for other in seen):
                kept.append(form)
                seen.append(parts)
            if len(kept) == _REASONS:
                break
        return tuple(kept)

    def _shared(self, left: Mapping[str, str], right: Mapping[str, str]) -> list[str]:
        both = [key for key in left if key in right and self._count[key] <= self._limit]
        both.sort(key=lambda key: (self._count[key], -len(key), key))
        return [left[key] for key in both if not is_generic(left[key])]
