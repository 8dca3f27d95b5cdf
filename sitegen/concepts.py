"""What a tag is chosen by: concepts of papers, each with a score, and the weights of the score."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sitegen.text_words import Integers, spread

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class TagWeights:
    """Weights of the score, in log-odds of "an expert would give this tag".

    Fitted by logistic regression on one hand-annotated seed file and on the grades of
    ``tools/labels/tags.jsonl``, then rounded; see bench/tags.py.
    """

    base: float = -1.15
    often: float = 0.7
    """Times ln(number of places)."""
    late: float = -0.6
    """Times the relative place of the first one."""
    lasting: float = 0.25
    """Times the relative place of the last one: what comes only at the start is background."""
    headline: float = 0.45
    """Stands in the paper's headline."""
    deed: float = 0.4
    """Stands where a sentence of the paper's own tells what it does."""
    opening: float = 0.5
    """Stands in the text's first sentence."""
    background: float = -0.4
    """Stands only before the first sentence that speaks of the paper itself."""
    passing: float = -0.55
    """A curated term that is only an example, a contrast or what others did."""
    once: float = -0.4
    """A literal phrase said only once, and not where the paper tells what it does."""
    bracketed: float = -0.55
    """Stands in brackets only."""
    words: tuple[float, ...] = (-1.3, 0.0, 0.1, -0.4)
    """For one word, two, three, four and more."""
    curated: float = 1.5
    """A term of the vocabulary."""
    telling: float = 0.35
    """Times `term_rate`: some terms are mostly what a paper is about, others mostly mentioned."""
    implied: float = -0.5
    """A term whose own name does not stand in the text, only an alias."""
    broader: float = -1.3
    """A term that one in the text is a kind of, on top of that one's score."""
    keyword: float = 0.8
    """Times a literal phrase's score as a keyword, in shares of the text's best one."""
    topical: float = 0.8
    """Times `topicality`, for a literal phrase."""
    odd: float = -0.7
    """Capitals or digits inside a word of no curated term: mostly a system's name."""
    alone: float = -1.0
    """A literal single word: mostly half of something, ..."""
    rare: float = 0.9
    """... unless computing's abstracts hardly hold it: then it is more telling than most, ..."""
    plain: float = -0.2
    """... or else, also if hyphened, mostly an adjective."""
    empty: float = -0.3
    """A literal phrase whose last word alone says nothing, such as "task" or "model"."""
    cut: float = -0.8
    """A literal phrase that always stands in front of the same word: half of a longer one."""
    tail: float = -0.4
    """A literal phrase that always stands behind the same word."""
    common: float = -3.0
    """Times ln(share / common_from) for a concept that a larger share of the papers holds."""
    common_from: float = 0.1


DEFAULT_WEIGHTS = TagWeights()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Concepts in texts with their places; columns run in parallel, a row a concept of a text."""

    keys: Sequence[str]
    """Of all concepts."""
    text: Integers
    key: Integers
    term: Integers
    """Position in the vocabulary; -1 for a literal phrase."""
    score: Floats
    first: Integers
    """(rows + 1): the places of a row are those from first[row] to first[row + 1]."""
    starts: Integers
    """First words of all places, row by row, in order; positions in the columns of words."""
    ends: Integers
    """After their last words."""

    def where(self, rows: Integers) -> Rows:
        """Return the rows that positions select."""
        sizes = np.diff(self.first)[rows]
        _, at = spread(self.first[rows], sizes)
        return Rows(
            keys=self.keys,
            text=self.text[rows],
            key=self.key[rows],
            term=self.term[rows],
            score=self.score[rows],
            first=np.r_[0, np.cumsum(sizes)],
            starts=self.starts[at],
            ends=self.ends[at],
        )


def joined(one: Rows, two: Rows) -> Rows:
    """Return the rows of one, then of two."""
    return Rows(
        keys=(*one.keys, *two.keys),
        text=np.r_[one.text, two.text],
        key=np.r_[one.key, two.key + len(one.keys)],
        term=np.r_[one.term, two.term],
        score=np.r_[one.score, two.score],
        first=np.r_[one.first, two.first[1:] + len(one.starts)],
        starts=np.r_[one.starts, two.starts],
        ends=np.r_[one.ends, two.ends],
    )


def renamed(rows: Rows, more: Iterable[str] = ()) -> Rows:
    """Number the keys anew: those that occur, and more, each once, sorted."""
    used = np.zeros(len(rows.keys), np.bool_)
    used[rows.key] = True
    if used.all() and not more and _sorted(rows.keys):
        return rows
    at = np.flatnonzero(used)
    names = [rows.keys[number] for number in at.tolist()]
    keys = sorted({*names, *more})
    numbers = {name: number for number, name in enumerate(keys)}
    moved = np.full(len(used), -1)
    moved[at] = np.fromiter(map(numbers.__getitem__, names), np.int64, len(names))
    return replace(rows, keys=tuple(keys), key=moved[rows.key])


def _sorted(names: Sequence[str]) -> bool:
    return all(one < two for one, two in pairwise(names))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Concepts of texts, by text, best first; columns run in parallel, a row a concept."""

    keys: tuple[str, ...]
    """Sorted."""
    first: Sequence[int]
    """(texts + 1): the rows of text t are first[t] to first[t + 1]."""
    text: Integers
    key: Integers
    score: Floats
    variant: Sequence[int]
    """Position in `words` of the folded words of its name, to tell nested tags."""
    words: Sequence[frozenset[str]]
    places: Rows
    """The same rows; their scores do not count here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """A concept that a paper carries in any case."""

    key: str
    words: frozenset[str]
    """Folded words of its name, to tell nested tags."""
    spans: tuple[tuple[int, int], ...]
    """Its places: first word, after the last word; positions in the columns of words."""
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
