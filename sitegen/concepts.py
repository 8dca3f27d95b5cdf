"""The concepts that stand in a text, curated or literal, each with a score; pure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sitegen.phrases import STOP_WORDS, is_generic
from sitegen.records import Keyword
from sitegen.topicality import generic_keys, is_clause, is_rare, topicality
from sitegen.vocabulary import Vocabulary
from sitegen.wording import Wording, fold, key_of

_PIECES = 8
"""Words of the longest literal tag, cut at hyphens."""
_POSSESSIVE = re.compile("['\u2019]s?(?![^\\W_])")
_MANY = 8
"""A concept in fewer papers is never too common, however small the digest."""
_KEPT = 60
"""Concepts of one paper that are looked at, best first; bounds the time of very long texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TagWeights:
    """Weights of the score, in log-odds of "an expert would give this tag".

    Fitted by logistic regression on one hand-annotated seed file, then rounded; see bench/tags.py.
    """

    base: float = -2.9
    often: float = 0.7
    """Times ln(number of places)."""
    late: float = -0.5
    """Times the relative place of the first one."""
    lasting: float = 1.0
    """Times the relative place of the last one: what comes only at the start is background."""
    words: tuple[float, ...] = (-1.7, 0.0, 0.1, -0.5)
    """For one word, two, three, four and more."""
    curated: float = 2.0
    """A term of the vocabulary."""
    implied: float = -0.7
    """A term whose own name does not stand in the text, only an alias."""
    broader: float = -1.0
    """A term that one in the text is a kind of, on top of that one's score."""
    odd: float = -0.4
    """Capitals or digits inside a word of no curated term: mostly a system's name."""
    rare: float = 0.8
    """A literal single word that computing's abstracts hardly hold: more telling than most."""
    plain: float = -0.3
    """Any other literal single word, also a hyphened one: mostly an adjective."""
    empty: float = -0.4
    """A literal phrase whose last word alone says nothing, such as "task" or "model"."""
    topical: float = 0.3
    """Times `topicality`, for a literal phrase."""
    common: float = -2.0
    """Times ln(share / common_from) for a concept that a larger share of the papers holds."""
    common_from: float = 0.1


DEFAULT_WEIGHTS = TagWeights()


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """A concept in one paper."""

    key: str
    score: float
    words: frozenset[str]
    """Folded words of its name, to tell nested tags."""
    spans: tuple[tuple[int, int], ...]
    term: int
    """Position in the vocabulary; -1 for a literal phrase."""


def literal_phrases(
    keywords: Sequence[Sequence[Keyword]], vocabulary: Vocabulary
) -> frozenset[str]:
    """Keys of all phrases that may become literal tags."""
    phrases: dict[str, None] = {}
    for phrase in {keyword.phrase for ranked in keywords for keyword in ranked}:
        if _sound(phrase) and vocabulary.term_of(phrase) is None:
            phrases[key_of(phrase)] = None
    return frozenset(phrases) - generic_keys() - {""}


def find_concepts(
    wording: Wording,
    keywords: Sequence[Keyword],
    phrases: frozenset[str],
    vocabulary: Vocabulary,
    weights: TagWeights,
) -> list[Concept]:
    """Return the concepts that stand in a text, best first."""
    concepts = _curated(wording, vocabulary, weights)
    taken = {concept.key for concept in concepts}
    own = _parts(keywords) - generic_keys()
    for key, spans in _literal(wording, phrases, own).items():
        if key not in taken and not vocabulary.has(wording, spans[0], key):
            concepts.append(_phrase(wording, key, spans, weights))
    concepts.sort(key=lambda concept: (-concept.score, concept.key))
    return concepts[:_KEPT]


def dampen(found: Sequence[Sequence[Concept]], weights: TagWeights) -> list[list[Concept]]:
    """Take from the score of what stands in so many papers that it tells none of them apart."""
    carriers = Counter(concept.key for concepts in found for concept in concepts)
    loss = {
        key: weights.common * math.log(count / len(found) / weights.common_from)
        for key, count in carriers.items()
        if count >= _MANY and count > len(found) * weights.common_from
    }
    return [
        sorted(
            (
                replace(c, score=round(c.score + loss[c.key], 6)) if c.key in loss else c
                for c in concepts
            ),
            key=lambda c: (-c.score, c.key),
        )
        for concepts in found
    ]


def _curated(wording: Wording, vocabulary: Vocabulary, weights: TagWeights) -> list[Concept]:
    """Return the terms of the vocabulary in a text, and those broader than one of them."""
    places: dict[int, list[tuple[int, int]]] = {}
    for hit in vocabulary.find(wording):
        places.setdefault(hit.term, []).append((hit.start, hit.end))
    scores: dict[int, float] = {}
    for term, spans in places.items():
        key = vocabulary.terms[term].key
        literal = any("".join(wording.keys[start:end]) == key for start, end in spans)
        scores[term] = weights.curated + _common_score(
            wording, spans, len(vocabulary.terms[term].words), weights
        )
        if not literal:
            scores[term] += weights.implied
    for term, spans in tuple(places.items()):
        for above, steps in vocabulary.above(term).items():
            places.setdefault(above, []).extend(spans)
            score = scores[term] + steps * weights.broader
            scores[above] = max(scores.get(above, score), score)
    return [
        Concept(
            key=vocabulary.terms[term].key,
            score=round(scores[term], 6),
            words=vocabulary.terms[term].words,
            spans=tuple(sorted(set(spans))),
            term=term,
        )
        for term, spans in places.items()
    ]


def _parts(keywords: Sequence[Keyword]) -> set[str]:
    """Keys of the last two, three, ... words of a paper's keywords: the head stands last."""
    keys = set()
    for keyword in keywords:
        words = keyword.phrase.split()
        for start in range(len(words) - 1):
            part = " ".join(words[start:])
            if _sound(part):
                keys.add(key_of(part))
    return keys


@lru_cache(maxsize=65536)
def _sound(phrase: str) -> bool:
    """Whether a run of words can be a tag, as far as its form tells."""
    return not (is_generic(phrase) or is_clause(phrase) or _POSSESSIVE.search(phrase))


def _literal(
    wording: Wording, phrases: frozenset[str], own: set[str]
) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for start in range(len(wording.keys)):
        if wording.keys[start] in STOP_WORDS:
            continue
        joined = ""
        for end in range(start, min(start + _PIECES, wording.ends_of_run[start])):
            joined += wording.keys[end]
            if (joined in phrases or joined in own) and wording.keys[end] not in STOP_WORDS:
                found.setdefault(joined, []).append((start, end + 1))
    return found


def _phrase(
    wording: Wording, key: str, spans: Sequence[tuple[int, int]], weights: TagWeights
) -> Concept:
    start, end = spans[0]
    score = _common_score(wording, spans, end - start, weights)
    score += weights.topical * topicality([fold(w) for w in wording.surfaces[start:end]])
    if end - start == 1 and is_rare(wording.keys[start]):
        score += weights.rare
    elif " " not in wording.surface(start, end):
        score += weights.plain
    if _is_empty(wording.surfaces[end - 1]):
        score += weights.empty
    if any(is_odd(surface) for surface in wording.surfaces[start:end]):
        score += weights.odd
    return Concept(
        key=key,
        score=round(score, 6),
        words=frozenset(fold(surface) for surface in wording.surfaces[start:end]),
        spans=tuple(spans),
        term=-1,
    )


@lru_cache(maxsize=65536)
def _is_empty(word: str) -> bool:
    return is_generic(word)


def _common_score(
    wording: Wording, spans: Sequence[tuple[int, int]], words: int, weights: TagWeights
) -> float:
    return (
        weights.base
        + weights.often * math.log(len(spans))
        + weights.late * spans[0][0] / len(wording.keys)
        + weights.lasting * spans[-1][0] / len(wording.keys)
        + weights.words[min(words, len(weights.words)) - 1]
    )


@lru_cache(maxsize=65536)
def is_odd(word: str) -> bool:
    """Tell whether a word has digits, or capitals after its first letter."""
    return any(letter.isupper() for letter in word[1:]) or any(map(str.isdigit, word))


def probability(score: float) -> float:
    """Turn a score, a log-odds, into a probability; 1 for a pinned tag."""
    return 1 / (1 + math.exp(-score))
