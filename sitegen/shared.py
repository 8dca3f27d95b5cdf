"""What two papers share, as phrases a reader can check in both; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np

from sitegen.phrases import is_generic
from sitegen.records import Keyword, Tagging
from sitegen.text_words import spread
from sitegen.topicality import generic_keys, is_clause, topicality
from sitegen.wording import key_of, split_words

_MOST = 3
"""Reasons shown for one pair."""
_COMMON = 0.1
"""What more than this share of the papers hold is no reason, ..."""
_FEW = 12
"""... unless it is no more papers than these."""
_STEM = 4
"""Fewest letters that two forms of one word share."""
_ENDINGS = frozenset(
    (
        *("", "able", "al", "ally", "ation", "ative", "e", "ed", "er", "es", "ic", "ing"),
        *("ion", "ity", "ive", "ly", "ment", "ness", "or", "s", "y"),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Holding:
    """What one paper can share, as far as it tells: keys with the form to show."""

    tags: Mapping[str, str]
    """Forms of its tags that stand in the text."""
    slugs: Mapping[str, str]
    """Its tags' names by slug, for those that stand in two texts under different forms."""
    phrases: Mapping[str, str]
    """Keywords of two words or more, and their last words."""
    words: Mapping[str, str]
    """Keywords of one word."""


class Holdings:
    """What all papers hold, and with it how telling a shared thing is."""

    def __init__(
        self,
        keywords: Sequence[Sequence[Keyword]],
        taggings: Sequence[Tagging],
        early: Sequence[int],
    ) -> None:
        """Count over the digest's basis, so that reasons stay.

        Args:
            keywords: of each paper.
            taggings: of each paper.
            early: positions of the papers of the basis.
        """
        self._taggings = taggings
        numbers: dict[str, int] = {}
        self._phrases = [
            [numbers.setdefault(one.phrase, len(numbers)) for one in ranked] for ranked in keywords
        ]
        entries = list(map(_entries, numbers))
        self._tagged = list(map(_tagged, taggings))
        self._counts, everywhere = _counts(self._phrases, entries, self._tagged, early)
        self._carriers = Counter(
            slug for at in early for slug in {tag.slug for tag in taggings[at].tags}
        )
        self._limit = max(_FEW, _COMMON * len(early))
        self._shared = {
            key
            for key, count in everywhere.items()
            if count > 1 and self._counts.get(key, 0) <= self._limit
        }
        self._telling = [
            [pair for pair in own if pair[0] in self._shared and _tells(*pair)] for own in entries
        ]
        self._single = [" " not in phrase for phrase in numbers]
        self._holdings: dict[int, _Holding] = {}

    def reasons(self, left: int, right: int) -> tuple[str, ...]:
        """Return what two papers both hold, rarest first; tags, then phrases, else words.

        Empty where they share nothing that tells.
        """
        one, two = self._of(left), self._of(right)
        found = [*self._both(one.tags, two.tags), *self._both(one.phrases, two.phrases)]
        if not found:
            found = sorted(
                (
                    name
                    for slug, name in one.slugs.items()
                    if slug in two.slugs and self._carriers[slug] <= self._limit
                ),
                key=key_of,
            )
        return _apart(found or self._both(one.words, two.words))

    def _both(self, one: Mapping[str, str], two: Mapping[str, str]) -> list[str]:
        shared = [key for key in one if key in two]
        if len(shared) > 1:
            shared.sort(key=lambda key: (self._counts.get(key, 0), -len(key), key))
        return [
            one[key] if one[key] == two[key] else min(one[key], two[key], key=_capitals)
            for key in shared
        ]

    def _of(self, paper: int) -> _Holding:
        known = self._holdings.get(paper)
        if known is None:
            known = self._holdings[paper] = self._hold(paper)
        return known

    def _hold(self, paper: int) -> _Holding:
        tagging = self._taggings[paper]
        phrases: dict[str, str] = {}
        words: dict[str, str] = {}
        for number in reversed(self._phrases[paper]):  # of two forms the better keyword's
            if telling := self._telling[number]:
                (words if self._single[number] else phrases).update(telling)
        return _Holding(
            tags={
                key: form
                for key, form in self._tagged[paper].items()
                if key in self._shared and _tells(key, form)
            },
            slugs={tag.slug: tag.name for tag in tagging.tags},
            phrases=phrases,
            words=words,
        )


def _counts(
    phrases: Sequence[Sequence[int]],
    entries: Sequence[Sequence[tuple[str, str]]],
    tagged: Sequence[Mapping[str, str]],
    early: Sequence[int],
) -> tuple[dict[str, int], dict[str, int]]:
    """Return how many papers hold each key: of those of the basis, and of all."""
    numbers: dict[str, int] = {}
    keys = [[numbers.setdefault(key, len(numbers)) for key, _ in own] for own in entries]
    by_tag = [[numbers.setdefault(key, len(numbers)) for key in own] for own in tagged]
    sizes = np.fromiter(map(len, keys), np.int64, len(keys))
    said = np.fromiter(chain(*phrases), np.int64)
    papers = np.repeat(np.arange(len(phrases)), np.fromiter(map(len, phrases), np.int64))
    rows, at = spread((np.cumsum(sizes) - sizes)[said], sizes[said])
    held = np.fromiter(chain(*keys), np.int64)[at]
    tags = np.repeat(np.arange(len(by_tag)), np.fromiter(map(len, by_tag), np.int64))
    size = max(len(numbers), 1)
    codes = np.unique(
        np.r_[papers[rows] * size + held, tags * size + np.fromiter(chain(*by_tag), np.int64)]
    )
    known = np.zeros(len(phrases), np.bool_)
    known[early] = True
    key = codes % size
    basis = np.bincount(key[known[codes // size]], minlength=len(numbers))
    every = np.bincount(key, minlength=len(numbers))
    return (
        dict(zip(numbers, basis.tolist(), strict=True)),
        dict(zip(numbers, every.tolist(), strict=True)),
    )


def _tagged(tagging: Tagging) -> dict[str, str]:
    """Return the forms of a paper's tags that stand in its text, by key."""
    tags: dict[str, str] = {}
    for tag in tagging.tags:
        name = key_of(tag.name)
        for form in tag.surfaces:
            key = key_of(form)
            if key not in tags:
                tags[key] = tag.name if key == name else form
    return tags


def _entries(phrase: str) -> list[tuple[str, str]]:
    """Return the keys of a phrase and of its last two, three, ... words, with their forms."""
    if " " not in phrase:
        return [(key_of(phrase), phrase)]
    parts = phrase.split()
    keys = list(map(key_of, parts))
    return [("".join(keys[start:]), " ".join(parts[start:])) for start in range(len(parts) - 1)]


@lru_cache(maxsize=1 << 18)
def _tells(key: str, form: str) -> bool:
    """Tell whether a form of a key says anything."""
    keys = split_words(form).keys
    return (
        key not in generic_keys()
        and not is_generic(form)
        and not is_clause(form)
        and not is_generic(keys[-1])
        and topicality(keys) >= 0
    )


def _capitals(form: str) -> int:
    return sum(map(str.isupper, form))


@lru_cache(maxsize=65536)
def _words(form: str) -> frozenset[str]:
    return frozenset(split_words(form).keys)


def _said(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether all words stand among others, or other forms of them do: "quantize, quantization"."""
    return words <= others or all(any(_kindred(one, two) for two in others) for one in words)


@lru_cache(maxsize=65536)
def _kindred(one: str, two: str) -> bool:
    if one == two:
        return True
    stem = next(
        (at for at, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(two)),
    )
    return stem >= _STEM and {one[stem:], two[stem:]} <= _ENDINGS


def _apart(forms: Sequence[str]) -> tuple[str, ...]:
    """The first few of the forms, none inside another, in whatever inflection."""
    if len(forms) < 2:
        return tuple(forms)
    kept: list[str] = []
    words: list[frozenset[str]] = []
    for form in forms:
        mine = _words(form)
        if not any(_said(mine, other) or _said(other, mine) for other in words):
            kept.append(form)
            words.append(mine)
        if len(kept) == _MOST:
            break
    return tuple(kept)
