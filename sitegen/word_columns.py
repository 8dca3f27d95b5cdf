"""The words of a digest's texts as columns of numbers, and where keys stand among them; pure.

A key is what all spellings of a phrase share, its folded words joined (see `wording`). Runs of
words are found by a hash that can be had of the words' own hashes, so that "fine tuning" and
"finetuning" are found alike, and no run is ever joined to look it up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from sitegen.text_words import (
    CLOSES,
    JOINS,
    OPENS,
    SPACED,
    STOPS,
    Integers,
    Numbers,
    TextWords,
    read_words,
    spread,
)
from sitegen.wording import ShortForms, fold, learn_short_forms, single

Hashes = npt.NDArray[np.uint64]

_BLOCK = 1 << 20
"""Words looked through at a time; bounds memory."""
_BASE = 0x9E3779B97F4A7C15
"""Odd, so that it has an inverse modulo 2**64."""
_FILTER_BITS = 22
_LONGEST = 400
"""Characters of the longest run that can be a key; bounds the time on hostile input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordColumns:
    """The words of texts, one after another; columns run in parallel."""

    texts: tuple[str, ...]
    keys: Hashes
    """(texts, 2): a hash of each text."""
    short_forms: ShortForms
    first: Integers
    """(texts + 1): the words of text t are first[t] to first[t + 1]."""
    surface: npt.NDArray[np.int32]
    """Position of each word in `surfaces`: as it stands, cut at hyphens."""
    start: npt.NDArray[np.int32]
    """Its first character in the text."""
    spaces: npt.NDArray[np.int32]
    """How many words so far have a space in front of them."""
    run_end: Integers
    """Position after the last word that no punctuation parts from it."""
    sentence: npt.NDArray[np.int32]
    """How many sentences ended before it, in all texts."""
    gap: npt.NDArray[np.uint8]
    """What follows it, see `TextWords`."""
    form: npt.NDArray[np.int32]
    """Position in `forms` of its key; of a known short form the whole long form's."""
    defined: npt.NDArray[np.bool_]
    """Whether the text or the digest says what it is short for."""
    surfaces: tuple[str, ...]
    forms: tuple[str, ...]

    def owners(self, words: Integers) -> Integers:
        """Return the text of each word given by position."""
        return np.searchsorted(self.first, words, side="right") - 1

    def cut(self, starts: Integers, ends: Integers) -> list[str]:
        """Return what stands from each first word to before its last one, within one text."""
        lengths = np.fromiter(map(len, self.surfaces), np.int64, len(self.surfaces))
        owners, begins = self.owners(starts).tolist(), self.start[starts].tolist()
        closes = (self.start[ends - 1] + lengths[self.surface[ends - 1]]).tolist()
        rows = zip(owners, begins, closes, strict=True)
        return [self.texts[text][begin:close] for text, begin, close in rows]

    def only(self, texts: Integers) -> WordColumns:
        """Return some of the texts, by position; what the digest defines stays."""
        sizes = np.diff(self.first)[texts]
        first = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
        at = spread(self.first[texts], sizes)[1]
        numbers = texts.tolist()
        return WordColumns(
            texts=tuple([self.texts[number] for number in numbers]),
            keys=self.keys[texts],
            short_forms=replace(
                self.short_forms, own=tuple([self.short_forms.own[number] for number in numbers])
            ),
            first=first,
            surface=self.surface[at],
            start=self.start[at],
            spaces=self.spaces[at],
            run_end=self.run_end[at] + np.repeat(first[:-1] - self.first[texts], sizes),
            sentence=self.sentence[at],
            gap=self.gap[at],
            form=self.form[at],
            defined=self.defined[at],
            surfaces=self.surfaces,
            forms=self.forms,
        )


class Joinable(Protocol):
    """What `find_runs` looks through: words in order, any of them in one run with the next."""

    @property
    def form(self) -> npt.NDArray[np.int32]:
        """Position of each word's key in `forms`."""

    @property
    def run_end(self) -> Integers:
        """Position after the last word of the same run."""

    @property
    def forms(self) -> tuple[str, ...]:
        """Distinct keys."""


def read_columns(texts: Sequence[str], words: TextWords | None = None) -> WordColumns:
    """Cut texts into words; short forms are learned from all of them.

    Args:
        texts: any.
        words: `read_words` of them, where they are known already.
    """
    words = words or read_words(texts)
    short_forms = learn_short_forms(words.defined.tolist(), words.shorts, words.longs)
    first = np.concatenate((np.zeros(1, np.int64), np.cumsum(words.sizes)))
    form, defined, forms = _forms(words, first, short_forms)
    closing = np.flatnonzero(words.gap & JOINS == 0) + 1
    ended = words.gap & STOPS > 0
    ended[first[1:][words.sizes > 0] - 1] = True
    sentence = np.cumsum(ended, dtype=np.int32) - ended
    spaced = np.cumsum(words.gap & SPACED > 0, dtype=np.int32)
    return WordColumns(
        texts=tuple(texts),
        keys=words.keys,
        short_forms=short_forms,
        first=first,
        surface=words.surface,
        start=words.start,
        spaces=np.concatenate((np.zeros(1, np.int32), spaced))[: len(spaced)],
        run_end=np.repeat(closing, np.diff(closing, prepend=0)),
        sentence=sentence,
        gap=words.gap,
        form=form,
        defined=defined,
        surfaces=words.surfaces,
        forms=forms,
    )


def bracketed(columns: WordColumns) -> npt.NDArray[np.bool_]:
    """Tell which words stand behind an opening bracket of their sentence that is still open."""
    places = np.arange(len(columns.gap))
    opened, closed = (
        np.concatenate(([-1], np.maximum.accumulate(np.where(columns.gap & mark, places, -1))))[:-1]
        for mark in (OPENS, CLOSES)
    )
    inside: npt.NDArray[np.bool_] = (opened > closed) & (
        columns.sentence[opened] == columns.sentence
    )
    return inside


def _forms(
    words: TextWords, first: Integers, short_forms: ShortForms
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_], tuple[str, ...]]:
    """Return for each word its key and whether that is a long form's, and the distinct keys."""
    numbers = Numbers()
    names = words.surfaces
    singles = list(map(single, names))
    known = np.fromiter(map(numbers.__getitem__, map(fold, names)), np.int32, len(names))
    shared = np.fromiter((one in short_forms.shared for one in singles), np.bool_, len(names))
    for number in np.flatnonzero(shared).tolist():
        known[number] = numbers[short_forms.shared[singles[number]]]
    form, defined = known[words.surface], shared[words.surface]
    by_single: dict[str, list[int]] = {}
    short = {one for own in short_forms.own for one in own}
    for number, one in enumerate(singles):
        if one in short:
            by_single.setdefault(one, []).append(number)
    meant: dict[int, int] = {}
    for text, own in enumerate(short_forms.own):
        for one, long in own.items():
            key = numbers[long]
            for number in by_single.get(one, ()):
                meant[text * len(names) + number] = key
    if meant:
        codes = np.fromiter(sorted(meant), np.int64, len(meant))
        may = np.zeros(len(names), np.bool_)
        may[codes % len(names)] = True
        at = np.flatnonzero(may[words.surface])
        own_codes = (np.searchsorted(first, at, side="right") - 1) * len(names) + words.surface[at]
        place = np.minimum(np.searchsorted(codes, own_codes), len(codes) - 1)
        same = codes[place] == own_codes
        keys = np.fromiter(map(meant.__getitem__, codes.tolist()), np.int32, len(codes))
        form[at[same]], defined[at[same]] = keys[place[same]], True
    return form, defined, tuple(numbers)


def marks(columns: WordColumns) -> Hashes:
    """Return a hash of each text and of what the short forms in it are read as."""
    at = np.flatnonzero(columns.defined)
    owners = columns.owners(at)
    place = (at - columns.first[owners]).astype(np.uint64)
    codes = hashes(columns.forms)[0][columns.form[at]]
    codes = (codes ^ (codes >> np.uint64(31))) * (np.uint64(2) * place + np.uint64(_BASE))
    sums = np.zeros(len(columns.texts), np.uint64)
    np.add.at(sums, owners, codes ^ (codes >> np.uint64(29)))
    return columns.keys[:, 0] + sums


# ---- search -------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Runs of words that have a key, in order of their starts, then ends."""

    starts: Integers
    """Positions in the columns."""
    ends: Integers
    keys: Integers
    """Positions in the keys sought."""

    def __len__(self) -> int:
        return len(self.starts)

    def where(self, wanted: npt.NDArray[np.bool_] | Integers) -> Runs:
        """Return the runs that a mask or positions select."""
        return Runs(starts=self.starts[wanted], ends=self.ends[wanted], keys=self.keys[wanted])


def find_runs(
    columns: Joinable,
    keys: Sequence[str],
    *,
    most: int = 0,
    prefixes: Sequence[str] = (),
    without: npt.NDArray[np.bool_] | None = None,
) -> Runs:
    """Find all runs of words, none crossing punctuation, whose key is among those given.

    Args:
        columns: words of the texts.
        keys: distinct, none empty.
        most: words of the longest run; 0 for any number.
        prefixes: every beginning of a key, where few runs are expected; saves time.
        without: of the forms, those that open and close no run.

    Returns:
        runs, overlapping ones too. Time is linear in the texts for keys of bounded length.
    """
    wanted, lengths = hashes(keys)
    order = np.argsort(wanted, kind="stable")
    search = _Search(
        sought=_Sought(wanted[order]),
        begun=_Sought(np.sort(hashes(prefixes)[0])) if prefixes else None,
        most=most or _LONGEST,
        longest=min(int(lengths.max(initial=0)), _LONGEST),
        forms=hashes([form[: _LONGEST + 1] for form in columns.forms]),
        without=without,
    )
    none = np.zeros(0, np.int64)
    found: list[tuple[Integers, ...]] = [(none, none, none)]
    for begin in range(0, len(columns.form), _BLOCK):
        found += search.look(columns, begin, begin + _BLOCK)
    starts, ends, places = (np.concatenate(row) for row in zip(*found, strict=True))
    place = np.lexsort((ends, starts))
    return Runs(starts=starts[place], ends=ends[place], keys=order[places[place]])


class _Search:
    """What is sought, and the hashes of the words that it is sought among."""

    def __init__(
        self,
        *,
        sought: _Sought,
        begun: _Sought | None,
        most: int,
        longest: int,
        forms: tuple[Hashes, Integers],
        without: npt.NDArray[np.bool_] | None,
    ) -> None:
        self._sought, self._begun = sought, begun
        self._most, self._longest = most, longest
        self._each, self._sizes = forms
        self._powers = _powers(int(self._sizes.max(initial=0)) + 1)[self._sizes]
        # Most words begin nothing that is sought; that is told once for each form.
        self._opens = (begun.holds(self._each) | sought.holds(self._each)) if begun else None
        self._closes = None
        if without is not None:
            self._closes = ~without
            self._opens = ~without if self._opens is None else self._opens & ~without

    def look(self, columns: Joinable, begin: int, end: int) -> Iterator[tuple[Integers, ...]]:
        """Yield starts, ends and places among the sorted hashes of what begins in a block."""
        at = np.arange(begin, min(end, len(columns.form)))
        if self._opens is not None:
            at = at[self._opens[columns.form[begin:end]]]
        run_end = columns.run_end[at]
        joined = np.zeros(len(at), np.uint64)
        length = np.zeros(len(at), np.int64)
        for size in range(1, self._most + 1):
            form = columns.form[at + size - 1]
            joined = joined * self._powers[form] + self._each[form]
            length = length + self._sizes[form]
            hits, places = self._sought.find(joined)
            if self._closes is not None:
                ends = self._closes[form[hits]]
                hits, places = hits[ends], places[ends]
            yield at[hits], at[hits] + size, places
            going = (at + size < run_end) & (length < self._longest)
            if self._begun is not None:
                going &= self._begun.holds(joined)
            at, run_end = at[going], run_end[going]
            joined, length = joined[going], length[going]
            if not len(at):
                return


class _Sought:
    """Sorted hashes behind a filter that most others do not pass."""

    def __init__(self, values: Hashes) -> None:
        self._values = values
        self._filter = np.zeros(1 << _FILTER_BITS, np.bool_)
        self._filter[self._slots(values)] = True

    def _slots(self, values: Hashes) -> Hashes:
        return (values * np.uint64(_BASE)) >> np.uint64(64 - _FILTER_BITS)

    def find(self, values: Hashes) -> tuple[Integers, Integers]:
        """Return which of the values are sought, and their places."""
        may = np.flatnonzero(self._filter[self._slots(values)])
        if not len(may) or not len(self._values):
            return may[:0], may[:0]
        places = np.minimum(np.searchsorted(self._values, values[may]), len(self._values) - 1)
        same = self._values[places] == values[may]
        return may[same], places[same]

    def holds(self, values: Hashes) -> npt.NDArray[np.bool_]:
        """Tell of each value whether it is sought."""
        found = np.zeros(len(values), np.bool_)
        found[self.find(values)[0]] = True
        return found


def hashes(strings: Sequence[str]) -> tuple[Hashes, Integers]:
    """Return a hash of each string, and its length.

    The sum of c[i] B^(n - 1 - i) over its characters, modulo 2**64: of two strings joined it is the
    first one's hash times B^(length of the second), plus the second one's.
    """
    lengths = np.fromiter(map(len, strings), np.int64, len(strings))
    letters = np.frombuffer("".join(strings).encode("utf-32-le", "surrogatepass"), np.uint32)
    codes = (letters.astype(np.uint64) + np.uint64(1)) * np.uint64(0xFF51AFD7ED558CCD)
    codes ^= codes >> np.uint64(29)
    inverse = _powers(len(codes) + 1, pow(_BASE, -1, 1 << 64))
    sums = np.concatenate(
        (np.zeros(1, np.uint64), np.cumsum(codes * inverse[:-1], dtype=np.uint64))
    )
    ends = np.cumsum(lengths)
    totals = sums[ends] - sums[ends - lengths]
    return totals * _powers(len(codes) + 1)[np.maximum(ends - 1, 0)], lengths


def _powers(count: int, base: int = _BASE) -> Hashes:
    powers = np.full(count, base, np.uint64)
    powers[:1] = 1
    return np.cumprod(powers, dtype=np.uint64)
