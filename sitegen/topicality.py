"""Whether a phrase names a topic or only talks, from fixed lists and counts; pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources

from sitegen.wording import key_of

_MEAN_RATE = 0.116
"""Share of title words among all words of ``title_words.txt``'s abstracts."""
_MEAN_TERM_RATE = 0.222
"""The same of ``term_titles.txt``."""

_ED_NOUNS = frozenset(
    ["bleed", "breed", "deed", "feed", "greed", "need", "reed", "seed", "speed", "weed"]
)


def is_clause(phrase: str) -> bool:
    """Tell whether a run of words holds a past tense: "bees rose", "neighbours turned white".

    A first word in -ed is a participle ("trained models"), as is every hyphenated one.
    """
    return is_clause_of(phrase.split())


def is_clause_of(words: Sequence[str]) -> bool:
    """Tell the same of a phrase cut into its words."""
    if not words:
        return False
    return words[0].lower() in _past_tenses() or any(_is_past(word) for word in words[1:])


@lru_cache(maxsize=65536)
def _is_past(word: str) -> bool:
    word = word.lower()
    if word in _past_tenses():
        return True
    return word.endswith("ed") and len(word) > 3 and "-" not in word and word not in _ED_NOUNS


@cache
def _past_tenses() -> frozenset[str]:
    return frozenset(_lines("past_tenses.txt"))


@cache
def generic_keys() -> frozenset[str]:
    """Return the keys of ``sitegen/data/generic_terms.txt``: phrases that are no tags."""
    return frozenset(map(key_of, _lines("generic_terms.txt")))


def _lines(name: str) -> list[str]:
    text = (resources.files("sitegen") / "data" / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


@cache
def _term_rates() -> Mapping[str, float]:
    """Log-odds, against the average term's, that a term of an abstract is in the title, too."""
    rows = (line.split() for line in _lines("term_titles.txt"))
    return {key: log_odds(int(rate) / 1000) - log_odds(_MEAN_TERM_RATE) for key, rate in rows}


def term_rate(key: str) -> float:
    """Return the log-odds, against the average term's, that a term is in a title; 0 if unknown."""
    return _term_rates().get(key, 0.0)


@cache
def _title_rates() -> Mapping[str, float]:
    """Log-odds, against the average word's, that a word of an abstract is in the title, too."""
    rates = {}
    for line in _lines("title_words.txt"):
        word, rate = line.split()
        rates[word] = log_odds(int(rate) / 1000) - log_odds(_MEAN_RATE)
    return rates


def is_rare(word: str) -> bool:
    """Tell whether a folded word is not among those counted in ``title_words.txt``."""
    return word not in _title_rates()


def title_rate(word: str) -> float:
    """Return the log-odds, against the average word's, that a folded word is in a title."""
    return _title_rates().get(word, 0.0)


def topicality(words: Sequence[str]) -> float:
    """Return how much a phrase names a topic rather than talks: 0 for average and unknown words.

    The mean of all words' log-odds of being in a title and the lowest one.
    """
    rates = list(map(title_rate, words))
    return (sum(rates) / len(rates) + min(rates)) / 2 if rates else 0.0


def log_odds(probability: float) -> float:
    """Turn a probability above 0 and below 1 into a score."""
    return math.log(probability / (1 - probability))
