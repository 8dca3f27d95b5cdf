"""The concepts that stand in texts, curated or literal, best first; pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from sitegen.concepts import Concept, Floors, TagWeights
from sitegen.literals import Floats, find_literals
from sitegen.records import Keyword
from sitegen.term_places import find_terms
from sitegen.vocabulary import Vocabulary
from sitegen.word_columns import Integers, WordColumns

_MANY = 8
"""A concept in fewer papers is never too common, however small the digest."""
_KEPT = 60
"""Concepts of one paper that are looked at, best first; bounds the time of very long texts."""


def find_concepts(
    columns: WordColumns,
    keywords: Sequence[Sequence[Keyword]],
    vocabulary: Vocabulary,
    weights: TagWeights,
    *,
    floors: Floors,
    early: Integers,
) -> list[list[Concept]]:
    """Return the concepts that stand in each text, best first.

    What stands in so many papers that it tells none of them apart loses some of its score.

    Args:
        columns: words of all texts.
        keywords: of each text; together they are the literal phrases possible.
        vocabulary: curated terms.
        weights: of the score.
        floors: scores from which on a concept is of interest.
        early: texts that tell what is common, by position.
    """
    curated = _curated(columns, vocabulary, weights)
    literal = find_literals(
        columns,
        keywords,
        vocabulary,
        [(one.text, vocabulary.terms[one.term].key) for one in curated],
        weights,
    )
    names = _Names([term.key for term in vocabulary.terms], literal.keys)
    text = np.concatenate((np.array([one.text for one in curated], np.int64), literal.text))
    key = np.concatenate((names.of_terms([one.term for one in curated]), names.of(literal.key)))
    score = np.concatenate((np.array([one.score for one in curated], np.float64), literal.score))
    order = np.lexsort((names.rank[key], -score, text))
    order = order[_places(text[order]) < _KEPT]
    text, key, score = text[order], key[order], score[order]
    known = np.zeros(len(columns.texts), np.bool_)
    known[early] = True
    score = np.round(score + _loss(key, known[text], len(early), weights), 6)
    again = np.flatnonzero(score >= floors.shared)
    shared = np.bincount(key[again], minlength=len(names.rank)) > 1
    shared[[number for number, name in enumerate(names.keys) if name in floors.pinned]] = True
    again = again[shared[key[again]] | (score[again] >= floors.single)]
    again = again[np.lexsort((names.rank[key[again]], -score[again], text[again]))]
    rows, points = order[again], score[again]
    of_phrase = rows >= len(curated)
    literals = literal.concepts(
        (rows[of_phrase] - len(curated)).tolist(), points[of_phrase].tolist(), columns
    )
    found: list[list[Concept]] = [[] for _ in columns.texts]
    for row, owner, value in zip(rows.tolist(), text[again].tolist(), points.tolist(), strict=True):
        if row < len(curated):
            one = curated[row]
            term = vocabulary.terms[one.term]
            concept = Concept(
                key=term.key, score=value, words=term.words, spans=one.spans, term=one.term
            )
        else:
            concept = next(literals)
        found[owner].append(concept)
    return found


def _places(texts: Integers) -> Integers:
    """Return the place of each row among those of its text; rows of a text stand together."""
    begins = np.r_[True, texts[1:] != texts[:-1]][: len(texts)]
    starts = np.flatnonzero(begins)
    return np.arange(len(texts)) - np.repeat(starts, np.diff(np.r_[starts, len(texts)]))


def _loss(
    keys: Integers, counted: npt.NDArray[np.bool_], papers: int, weights: TagWeights
) -> Floats:
    """Return what each concept loses for the share of the papers counted that it stands in."""
    carriers = np.bincount(keys, counted)
    common = (carriers >= _MANY) & (carriers > papers * weights.common_from)
    share = np.where(common, carriers / max(papers, 1) / weights.common_from, 1.0)
    loss: Floats = (weights.common * np.log(share))[keys]
    return loss


class _Names:
    """Numbers for the keys of terms and of literal phrases, equal ones for equal keys."""

    def __init__(self, terms: Sequence[str], phrases: Sequence[str]) -> None:
        numbers = {key: number for number, key in enumerate(dict.fromkeys((*phrases, *terms)))}
        self._terms = np.array([numbers[key] for key in terms], np.int64)
        self.keys = tuple(numbers)
        ranked = sorted(numbers)
        self.rank = np.empty(len(ranked), np.int64)
        """Place of each key in the alphabet."""
        self.rank[[numbers[key] for key in ranked]] = np.arange(len(ranked))

    def of_terms(self, terms: Sequence[int]) -> Integers:
        """Return the numbers of terms, given by position in the vocabulary."""
        numbers: Integers = self._terms[np.array(terms, np.int64)]
        return numbers

    def of(self, phrases: Integers) -> Integers:
        """Return the numbers of phrases, given by position among them."""
        return phrases


# ---- curated ------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Curated:
    text: int
    term: int
    score: float
    spans: tuple[tuple[int, int], ...]


def _curated(columns: WordColumns, vocabulary: Vocabulary, weights: TagWeights) -> list[_Curated]:
    """Return the terms of the vocabulary in the texts, and those broader than one of them."""
    found: list[_Curated] = []
    hits = find_terms(columns, vocabulary)
    owners = columns.owners(np.array([hit.start for hit in hits], np.int64)).tolist()
    above: dict[int, dict[int, int]] = {}
    for text, rows in groupby(zip(owners, hits, strict=True), key=itemgetter(0)):
        places: dict[int, list[tuple[int, int]]] = {}
        literal = set()
        for _, hit in rows:
            places.setdefault(hit.term, []).append((hit.start, hit.end))
            if hit.literal:
                literal.add(hit.term)
        first, after = columns.first[text : text + 2].tolist()
        scores: dict[int, float] = {}
        for term, spans in places.items():
            scores[term] = weights.curated + _common_score(
                (spans[0][0] - first) / (after - first),
                (spans[-1][0] - first) / (after - first),
                len(spans),
                len(vocabulary.terms[term].words),
                weights,
            )
            if term not in literal:
                scores[term] += weights.implied
        for term, spans in tuple(places.items()):
            if term not in above:
                above[term] = vocabulary.above(term)
            for higher, steps in above[term].items():
                places.setdefault(higher, []).extend(spans)
                score = scores[term] + steps * weights.broader
                scores[higher] = max(scores.get(higher, score), score)
        found += [
            _Curated(text, term, round(scores[term], 6), tuple(sorted(set(spans))))
            for term, spans in places.items()
        ]
    return found


def _common_score(first: float, last: float, count: int, words: int, weights: TagWeights) -> float:
    """Return the score that any concept has for its places, relative ones, and its length."""
    return (
        weights.base
        + weights.often * math.log(count)
        + weights.late * first
        + weights.lasting * last
        + weights.words[min(words, len(weights.words)) - 1]
    )
