"""How likely each word of an abstract is to stand in its title, told before anything is parsed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sitegen.naming.lexicon import Lexicon
from sitegen.naming.stems import stems_of
from sitegen.naming.tagged import FIND, OWN, PROPOSE, STUDY
from sitegen.naming.tokens import Tokens
from sitegen.naming.trees import Trees
from sitegen.naming.wordlists import word_list

WORD_FEATURES = (
    "count", "first_sentence", "last_sentence", "sentences", "in_first", "in_own", "in_named",
    "behind_verb", "rate", "rarity", "capital", "letters", "in_name", "in_expansion",
)  # fmt: skip
READ_SENTENCES = 40
"""Sentences of one text that are weighed."""
_FAR = 40
"""Tokens behind a verb of proposing from which on it does not matter."""
_PLAIN = word_list("candidates.stop")
"""Words whose place says nothing: their rate alone does."""
_DEEDS = PROPOSE | STUDY | FIND


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a text is read about: its cut tokens and the ranges of its main name."""

    tokens: Tokens
    name: str
    """As shown; empty where the text introduces none."""
    places: Sequence[tuple[int, int]]
    """Token ranges of the main name in any form."""
    expansions: Sequence[tuple[int, int]]

    def named(self) -> frozenset[int]:
        """Return the sentences of the name's first six places."""
        starts = [start for start, _ in self.places[:6]]
        sentences = enumerate(self.tokens.sentences)
        return frozenset(
            n for n, (first, last) in sentences if any(first <= start < last for start in starts)
        )


def weigh_words(
    subject: Subject, lexicon: Lexicon, rates: Mapping[str, float], trees: Trees
) -> dict[str, float]:
    """Return for each stem of a text its probability to stand in the title.

    Args:
        subject: the text and its name.
        lexicon: counts of words.
        rates: log odds by stem, whatever the text.
        trees: log odds from the features of :func:`describe_words`.
    """
    keys, rows = describe_words(subject, lexicon, rates)
    weights = dict(zip(keys, map(_probability, trees.score(rows)), strict=True))
    for word in _PLAIN.intersection(subject.tokens.lower):
        for key in stems_of(word):
            weights.setdefault(key, _probability(rates.get(key, -4.0)))
    return weights


def _probability(score: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


@lru_cache(maxsize=65_536)
def _keys(word: str) -> tuple[str, ...]:
    """Return the stems of a lower-case word that are weighed; none of function words and marks."""
    if word in _PLAIN or not word[0].isalnum() or word.startswith("http"):
        return ()
    return tuple(key for key in stems_of(word) if len(key) > 1 and not key.isdigit())


def describe_words(
    subject: Subject, lexicon: Lexicon, rates: Mapping[str, float]
) -> tuple[list[str], list[list[float]]]:
    """Return the stems of a text and the vector of each, in the order of WORD_FEATURES."""
    tokens = subject.tokens
    named = subject.named()
    own_name = set(stems_of(subject.name))
    long = {s for a, b in subject.expansions[:1] for s in stems_of(tokens.slice(a, b))}
    rows: dict[str, list[float]] = {}
    words, lower = tokens.words, tokens.lower
    for number, (first, last) in enumerate(tokens.sentences[:READ_SENTENCES]):
        own = not OWN.isdisjoint(lower[first:last]) or "our" in lower[first:last]
        verb = last
        if own:
            verb = next((i for i in range(first, last) if lower[i] in _DEEDS), last)
        in_named = number in named
        for i in range(first, last):
            behind = min(i - verb, _FAR) if i > verb else _FAR
            for key in _keys(lower[i]):
                row = rows.get(key)
                if row is None:
                    row = rows[key] = [
                        0, number, number, 1, number == 0, own, in_named, behind,
                        rates.get(key, 0.0), lexicon.rarity(lower[i]), 0, len(lower[i]),
                        key in own_name, key in long,
                    ]  # fmt: skip
                row[0] += 1
                if row[2] != number:
                    row[2] = number
                    row[3] += 1
                row[5] = row[5] or own
                row[6] = row[6] or in_named
                row[7] = min(row[7], behind)
                if i != first and words[i][0].isupper():
                    row[10] = 1
    total = max(len(tokens.sentences), 1)
    for row in rows.values():
        row[2] /= total
    return list(rows), list(rows.values())
