"""A dictionary of phrases that finds all of them in a text in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np
import numpy.typing as npt

from sitegen.distinct import counted
from sitegen.phrases import fold_plural
from sitegen.text_words import Integers
from sitegen.word_columns import WordColumns, find_runs

# Scripts written without spaces are matched character by character.
_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[^\W_])+")
_SHORT = 5
"""Words up to this length with a capital are acronyms or names: "Adam" is not "adam"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Which phrases stand in which texts; columns run in parallel, by text, then phrase."""

    text: Integers
    phrase: Integers
    """Position among the phrases."""
    count: Integers
    """How often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseIndex:
    """Phrases prepared for search; see `index_phrases`."""

    phrases: tuple[str, ...]
    """As given; results are positions in this tuple."""
    folded: dict[str, tuple[int, ...]]
    """Joined folded words to the phrases that read so."""
    exact: dict[str, tuple[int, ...]]
    """Short names, matched with their capitals."""
    prefixes: frozenset[str]
    """Every beginning of a key of `folded`, where a match may go on."""

    def find(self, text: str) -> dict[int, int]:
        """Return which phrases stand in ``text`` and how often, by position in `phrases`.

        Matching ignores case, hyphens, spaces inside a phrase and the plural of each word; short
        names keep their capitals. Time is linear in the text for phrases of bounded length.
        """
        surface = _WORD.findall(text)
        words = [_fold(word) for word in surface]
        found: dict[int, int] = {}
        for start, word in enumerate(words):
            for position in self.exact.get(fold_plural(surface[start]), ()):
                found[position] = found.get(position, 0) + 1
            joined, end = word, start + 1
            while True:
                for position in self.folded.get(joined, ()):
                    found[position] = found.get(position, 0) + 1
                if joined not in self.prefixes or end == len(words):
                    break
                joined += words[end]
                end += 1
        return found

    def find_all(self, columns: WordColumns) -> Found:
        """Return the same for all texts at once, from their words."""
        tokens = _cut(columns)
        none = np.zeros(0, np.int64)
        texts, phrases = [none], [none]
        if self.folded:
            runs = find_runs(tokens, list(self.folded), prefixes=sorted(self.prefixes))
            _gather(tokens.owners(runs.starts), runs.keys, self.folded.values(), texts, phrases)
        if self.exact:
            numbers = {name: number for number, name in enumerate(self.exact)}
            known = np.fromiter(
                (numbers.get(fold_plural(name), -1) for name in tokens.names), np.int64
            )[tokens.name]
            at = np.flatnonzero(known >= 0)
            _gather(tokens.owners(at), known[at], self.exact.values(), texts, phrases)
        size = max(len(self.phrases), 1)
        codes = np.concatenate(texts) * size + np.concatenate(phrases)
        codes, counts = counted(codes)
        return Found(text=codes // size, phrase=codes % size, count=counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tokens:
    """The words of texts as phrases see them: punctuation parts none, hyphens and points do."""

    names: tuple[str, ...]
    name: npt.NDArray[np.int32]
    """Position of each word in `names`."""
    forms: tuple[str, ...]
    form: npt.NDArray[np.int32]
    run_end: Integers
    first: Integers
    """(texts + 1): the words of text t are first[t] to first[t + 1]."""

    def owners(self, words: Integers) -> Integers:
        """Return the text of each word given by position."""
        return np.searchsorted(self.first, words, side="right") - 1


def _cut(columns: WordColumns) -> _Tokens:
    pieces = [_WORD.findall(surface) for surface in columns.surfaces]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(chain(*pieces)))}
    names = tuple(numbers)
    of_surface = np.fromiter((numbers[name] for name in chain(*pieces)), np.int32)
    sizes = np.fromiter(map(len, pieces), np.int64, len(pieces))
    each = sizes[columns.surface]
    ends = np.cumsum(each)
    begins = (np.cumsum(sizes) - sizes)[columns.surface]
    name = of_surface[np.repeat(begins - (ends - each), each) + np.arange(each.sum())]
    first = np.r_[0, ends][columns.first]
    folded = {form: number for number, form in enumerate(dict.fromkeys(map(_fold, names)))}
    form = np.fromiter((folded[_fold(name)] for name in names), np.int32, len(names))[name]
    run_end = np.repeat(first[1:], np.diff(first))
    return _Tokens(
        names=names, name=name, forms=tuple(folded), form=form, run_end=run_end, first=first
    )


def _gather(
    owners: Integers,
    keys: Integers,
    phrases: Iterable[tuple[int, ...]],
    texts: list[Integers],
    found: list[Integers],
) -> None:
    """Add a row for each phrase of each key found."""
    owned = list(phrases)
    sizes = np.fromiter(map(len, owned), np.int64, len(owned))
    flat = np.fromiter(chain(*owned), np.int64)
    each = sizes[keys]
    ends = np.cumsum(each)
    begins = (np.cumsum(sizes) - sizes)[keys]
    texts.append(np.repeat(owners, each))
    found.append(flat[np.repeat(begins - (ends - each), each) + np.arange(each.sum())])


def index_phrases(phrases: Iterable[str]) -> PhraseIndex:
    """Prepare phrases for `PhraseIndex.find`; a phrase without a word is never found."""
    given = tuple(phrases)
    folded: dict[str, list[int]] = {}
    exact: dict[str, list[int]] = {}
    for position, phrase in enumerate(given):
        words = phrase_words(phrase)
        if not words:
            continue
        if len(words) == 1 and len(words[0]) <= _SHORT and words[0] != words[0].lower():
            exact.setdefault(fold_plural(words[0]), []).append(position)
        else:
            folded.setdefault(phrase_signature(phrase), []).append(position)
    prefixes = {key[:length] for key in folded for length in range(1, len(key))}
    return PhraseIndex(
        phrases=given,
        folded={key: tuple(positions) for key, positions in folded.items()},
        exact={key: tuple(positions) for key, positions in exact.items()},
        prefixes=frozenset(prefixes),
    )


def phrase_words(phrase: str) -> tuple[str, ...]:
    """Return the words of a phrase; hyphens part words."""
    return tuple(_WORD.findall(phrase))


def phrase_signature(phrase: str) -> str:
    """Return the words folded and joined, so that "fine-tuning" and "finetuning" are one."""
    return "".join(map(_fold, phrase_words(phrase)))


@lru_cache(maxsize=65536)
def _fold(word: str) -> str:
    return fold_plural(word).casefold()
