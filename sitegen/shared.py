"""What two papers share, as phrases a reader can check in both; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sitegen.phrases import is_generic
from sitegen.records import Keyword, Tagging
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
class Holding:
    """What one paper can share: keys with the form to show."""

    tags: Mapping[str, str]
    """Forms of its tags that stand in the text."""
    slugs: Mapping[str, str]
    """Its tags' names by slug, for those that stand in two texts under different forms."""
    phrases: Mapping[str, str]
    """Keywords of two words or more, and their last words."""
    words: Mapping[str, str]
    """Keywords of one word."""


def hold(keywords: Sequence[Keyword], tagging: Tagging) -> Holding:
    """Return what a paper with these keywords and tags can share."""
    tags: dict[str, str] = {}
    for tag in tagging.tags:
        name = key_of(tag.name)
        for form in tag.surfaces:
            key = key_of(form)
            tags.setdefault(key, tag.name if key == name else form)
    phrases: dict[str, str] = {}
    words: dict[str, str] = {}
    for keyword in reversed(keywords):  # of two forms the better keyword's
        if " " in keyword.phrase:
            phrases.update(_tails(keyword.phrase))
        else:
            words[key_of(keyword.phrase)] = keyword.phrase
    return Holding(
        tags=tags,
        slugs={tag.slug: tag.name for tag in tagging.tags},
        phrases=phrases,
        words=words,
    )


@lru_cache(maxsize=1 << 18)
def _tails(phrase: str) -> tuple[tuple[str, str], ...]:
    """Return the last two, three, ... words of a phrase, with their keys."""
    parts = phrase.split()
    keys = list(map(key_of, parts))
    return tuple(
        ("".join(keys[start:]), " ".join(parts[start:])) for start in range(len(parts) - 1)
    )


class Holdings:
    """What all papers hold, and with it how telling a shared thing is."""

    def __init__(self, holdings: Sequence[Holding], early: Iterable[int]) -> None:
        """Count over the digest's basis, given by position, so that reasons stay."""
        self._holdings = holdings
        self._counts: Counter[str] = Counter()
        self._carriers: Counter[str] = Counter()
        size = 0
        for size, at in enumerate(early, 1):  # noqa: B007
            holding = holdings[at]
            self._counts.update({**holding.tags, **holding.words, **holding.phrases}.keys())
            self._carriers.update(holding.slugs.keys())
        self._limit = max(_FEW, _COMMON * size)
        self._topical: dict[str, bool] = {}

    def reasons(self, left: int, right: int) -> tuple[str, ...]:
        """Return what two papers both hold, rarest first; tags, then phrases, else words.

        Empty where they share nothing that tells.
        """
        one, two = self._holdings[left], self._holdings[right]
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
        shared = [
            key
            for key in one.keys() & two.keys()
            if self._counts[key] <= self._limit and self._tells(key, one[key])
        ]
        shared.sort(key=lambda key: (self._counts[key], -len(key), key))
        return [
            one[key] if one[key] == two[key] else min(one[key], two[key], key=_capitals)
            for key in shared
        ]

    def _tells(self, key: str, form: str) -> bool:
        if key not in self._topical:
            keys = split_words(form).keys
            self._topical[key] = (
                key not in generic_keys()
                and not is_generic(form)
                and not is_clause(form)
                and not is_generic(keys[-1])
                and topicality(keys) >= 0
            )
        return self._topical[key]


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


def _apart(forms: Iterable[str]) -> tuple[str, ...]:
    """The first few of the forms, none inside another, in whatever inflection."""
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
