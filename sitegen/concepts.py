"""What a tag is chosen by: concepts of papers, each with a score, and the weights of the score."""

from __future__ import annotations

import math
from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Floors:
    """Scores below which a concept is never chosen."""

    shared: float
    """For one that several texts hold, ..."""
    single: float
    """... for one that no other text holds ..."""
    pinned: Set[str]
    """... nor has pinned to it: keys of those that are."""


@lru_cache(maxsize=65536)
def is_odd(word: str) -> bool:
    """Tell whether a word has digits, or capitals after its first letter."""
    return any(letter.isupper() for letter in word[1:]) or any(map(str.isdigit, word))


def probability(score: float) -> float:
    """Turn a score, a log-odds, into a probability; 1 for a pinned tag."""
    return 1 / (1 + math.exp(-score))
