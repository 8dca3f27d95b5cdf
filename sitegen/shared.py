"""What two papers share, as phrases a reader can check in both; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from sitegen.distinct import distinct, first_of_each
from sitegen.phrases import is_generic
from sitegen.records import Keyword, Tagging
from sitegen.said import Said
from sitegen.text_words import Integers, Numbers, spread
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


_TAG, _PHRASE, _SLUG, _WORD = range(4)
"""What can be shared, in the order of what it tells: forms of tags that stand in a text, keywords
of two words or more with their last words, tags under different forms, keywords of one word."""
_KINDS = 4
_BLOCK = 16_384
"""Pairs compared at once; bounds memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """What papers hold of one kind; columns run in parallel."""

    paper: Integers
    key: Integers
    form: Integers
    """Position among all forms."""


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
        papers = len(keywords)
        known = np.zeros(papers, np.bool_)
        known[early] = True
        limit = max(_FEW, _COMMON * len(early))
        keys, forms = Numbers(), Numbers()
        said = _said_by(keywords, keys, forms)
        tagged = _tagged_by(taggings, keys, forms)
        self._keys, self._forms = list(keys), list(forms)
        code = distinct(
            np.r_[said.paper * len(keys) + said.key, tagged.paper * len(keys) + tagged.key]
        )
        key = code % max(len(keys), 1)
        self._counts = np.bincount(key[known[code // max(len(keys), 1)]], minlength=len(keys))
        rare = (np.bincount(key, minlength=len(keys)) > 1) & (self._counts <= limit)
        slugs = Numbers()
        called = _slugs_of(taggings, slugs, forms)
        self._forms += list(forms)[len(self._forms) :]
        carriers = np.bincount(called.key[known[called.paper]], minlength=len(slugs))
        alone = np.fromiter((" " not in form for form in self._forms), np.bool_)
        self._size = max(len(keys), len(slugs), 1)
        self._hold(
            papers,
            {
                _TAG: self._telling(tagged, rare),
                _PHRASE: self._telling(_where(said, ~alone[said.form]), rare),
                _SLUG: _where(called, carriers[called.key] <= limit),
                _WORD: self._telling(_where(said, alone[said.form]), rare),
            },
        )

    def _telling(self, held: _Held, rare: npt.NDArray[np.bool_]) -> _Held:
        """Leave out what says nothing, alone or since too many hold it."""
        held = _where(held, rare[held.key])
        size = max(len(self._forms), 1)
        pairs = distinct(held.key * size + held.form)
        tells = [
            _tells(self._keys[key], self._forms[form])
            for key, form in zip((pairs // size).tolist(), (pairs % size).tolist(), strict=True)
        ]
        at = np.searchsorted(pairs, held.key * size + held.form)
        return _where(held, np.array(tells, np.bool_)[at])

    def _hold(self, papers: int, kinds: Mapping[int, _Held]) -> None:
        """Sort what is held by paper; of several forms of a key the first one stays."""
        item = np.concatenate([kind * self._size + one.key for kind, one in kinds.items()])
        paper = np.concatenate([one.paper for one in kinds.values()])
        form = np.concatenate([one.form for one in kinds.values()])
        codes = paper * (_KINDS * self._size) + item
        order = np.argsort(codes, kind="stable")
        order = order[first_of_each(codes[order])]
        self._codes, self._form = codes[order], form[order]
        self._item = item[order]
        self._first = np.searchsorted(paper[order], np.arange(papers + 1))

    def reasons(self, lefts: Integers, rights: Integers) -> list[tuple[str, ...]]:
        """Return what each two papers both hold, rarest first; tags, then phrases, else words.

        Empty where they share nothing that tells.
        """
        found: list[tuple[str, ...]] = []
        for start in range(0, len(lefts), _BLOCK):
            found += self._reasons(lefts[start : start + _BLOCK], rights[start : start + _BLOCK])
        return found

    def _reasons(self, lefts: Integers, rights: Integers) -> list[tuple[str, ...]]:
        sizes = _KINDS * self._size
        sides = []
        for papers in (lefts, rights):
            pair, at = spread(self._first[papers], np.diff(self._first)[papers])
            sides.append(pair * sizes + self._item[at])
        codes = np.sort(np.concatenate(sides))
        codes = codes[1:][codes[1:] == codes[:-1]]
        pair, item = codes // sizes, codes % sizes
        names = [
            self._form[np.searchsorted(self._codes, papers[pair] * sizes + item)].tolist()
            for papers in (lefts, rights)
        ]
        shared = zip(
            pair.tolist(),
            (item // self._size).tolist(),
            (item % self._size).tolist(),
            *names,
            strict=True,
        )
        reasons: list[tuple[str, ...]] = [()] * len(lefts)
        for number, group in groupby(shared, key=itemgetter(0)):
            reasons[number] = self._told([one[1:] for one in group])
        return reasons

    def _told(self, shared: Sequence[tuple[int, int, int, int]]) -> tuple[str, ...]:
        """Write down what two papers share: kind, key and both forms of each thing."""
        best = shared[0][0]
        shared = [one for one in shared if one[0] == best or one[0] < _SLUG]
        forms = [(self._forms[one[2]], self._forms[one[3]]) for one in shared]
        if len(shared) == 1:
            return (_shorter(*forms[0]),)
        if best == _SLUG:
            return _apart(sorted((one for one, _ in forms), key=key_of))
        counts, keys = self._counts, self._keys
        ranks = [(kind, counts[key], -len(keys[key]), keys[key]) for kind, key, *_ in shared]
        ranked = sorted(zip(ranks, forms, strict=True), key=itemgetter(0))
        return _apart([_shorter(*names) for _, names in ranked])


def _shorter(one: str, two: str) -> str:
    """Return the form with fewer capitals."""
    return one if one == two else min(one, two, key=_capitals)


def _where(held: _Held, wanted: npt.NDArray[np.bool_]) -> _Held:
    return _Held(paper=held.paper[wanted], key=held.key[wanted], form=held.form[wanted])


def _said_by(keywords: Sequence[Sequence[Keyword]], keys: Numbers, forms: Numbers) -> _Held:
    """Return the keywords of papers with their last two, three, ... words, best first."""
    said = Said.of(keywords)
    phrases, papers = said.phrase, said.owners()
    entries = list(map(_entries, said.phrases))
    sizes = np.fromiter(map(len, entries), np.int64, len(entries))
    key = np.fromiter((keys[key] for own in entries for key, _ in own), np.int64)
    form = np.fromiter((forms[form] for own in entries for _, form in own), np.int64)
    rows, at = spread((np.cumsum(sizes) - sizes)[phrases], sizes[phrases])
    return _Held(paper=papers[rows], key=key[at], form=form[at])


def _tagged_by(taggings: Sequence[Tagging], keys: Numbers, forms: Numbers) -> _Held:
    """Return the forms of papers' tags that stand in their texts."""
    tagged = list(map(_tagged, taggings))
    sizes = np.fromiter(map(len, tagged), np.int64, len(tagged))
    return _Held(
        paper=np.repeat(np.arange(len(tagged)), sizes),
        key=np.fromiter((keys[key] for own in tagged for key in own), np.int64),
        form=np.fromiter((forms[form] for own in tagged for form in own.values()), np.int64),
    )


def _slugs_of(taggings: Sequence[Tagging], slugs: Numbers, forms: Numbers) -> _Held:
    """Return the papers' tags, by slug."""
    sizes = np.fromiter((len(one.tags) for one in taggings), np.int64, len(taggings))
    return _Held(
        paper=np.repeat(np.arange(len(taggings)), sizes),
        key=np.fromiter((slugs[tag.slug] for one in taggings for tag in one.tags), np.int64),
        form=np.fromiter((forms[tag.name] for one in taggings for tag in one.tags), np.int64),
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
