"""How near papers are in meaning and in words, as whole numbers; pure.

Vectors are rounded to whole numbers small enough that every product of two rows is exact, whatever
the order of the sums: the same paper gets the same neighbours on every machine, in every company.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sitegen.distinct import counted, first_of_each
from sitegen.phrases import STOP_WORDS
from sitegen.text_words import Integers
from sitegen.word_columns import Hashes, WordColumns, hashes, marks

Floats = npt.NDArray[np.float32]

SCALE = 2048
"""Length of a row: products stay below 2**24, up to which float32 holds every whole number."""
_FINE = float(1 << 30)
TELLING = 128
"""Papers that share no word found in so few of the basis, or fewer, are near by meaning or not."""


def meanings(vectors: Floats, basis: Integers) -> Floats:
    """Take away what the texts of the basis have in common; rows of length `SCALE` or zero."""
    wide = np.asarray(vectors, dtype=np.float64)
    centred = wide - wide[basis].mean(axis=0)
    lengths = np.sqrt((centred * centred).sum(axis=1, keepdims=True))
    whole: Floats = np.rint(centred * (SCALE / np.maximum(lengths, 1e-9))).astype(np.float32)
    return whole


class SharedWords:
    """How alike texts are in their words and word pairs; those of one text alone are left out.

    A word weighs (1 + ln tf) ln(n / df), n and df of the basis; rows have length `SCALE` as far as
    the basis knows their words.
    """

    def __init__(self, columns: WordColumns, basis: Integers, order: Integers) -> None:
        """Weigh the words of texts; rows are the texts in the order given."""
        from scipy.sparse import csr_array

        papers = len(columns.texts)
        bits = max(papers - 1, 1).bit_length()
        term, owner = _terms(columns)
        codes, times = counted(term << bits | owner)
        term, owner = codes >> bits, codes & ((1 << bits) - 1)
        heads = first_of_each(term)
        column = np.cumsum(heads) - 1
        known = np.zeros(papers, np.bool_)
        known[basis] = True
        frequency = np.bincount(column)
        held = np.bincount(column, known[owner])
        weight = (1 + np.log(times)) * np.log(len(basis) / np.maximum(held, 1))[column]
        weighed = np.where(held[column] > 1, weight, 0.0)
        # Sums of whole numbers, so that no order of the words changes a last digit.
        squares = np.bincount(owner, np.rint(weighed * weighed * _FINE), papers)
        lengths = np.sqrt(squares / _FINE)
        shared = (frequency > 1)[column]
        number = np.cumsum(frequency > 1) - 1
        whole = np.rint(weight * (SCALE / np.maximum(lengths, 1e-9))[owner])
        place = np.empty(papers, np.int64)
        place[order] = np.arange(papers)
        shape = papers, int((frequency > 1).sum())
        at = place[owner[shared]], number[column[shared]]
        self._rows = csr_array((whole[shared].astype(np.float32), at), shape)
        self._rows.sort_indices()
        few = (held <= TELLING) & (frequency <= 4 * TELLING)
        self._telling = self._rows[:, np.flatnonzero(few[frequency > 1])]
        self._columns = self._telling.T.tocsr()
        self._weights = np.zeros(shape[1], np.float32)
        names = _hashed(term[heads], columns.forms) + few
        settled = (held > 1) | (held <= TELLING) & ~few
        known_here = np.flatnonzero(settled[column])
        codes = names[column[known_here]] * (2 * whole[known_here] + 1).astype(np.uint64)
        sums = np.zeros(papers, np.uint64)
        np.add.at(sums, owner[known_here], codes ^ (codes >> np.uint64(29)))
        self.marks = np.column_stack((marks(columns), sums))[order]
        """(rows, 2): what changes where any weight of a row does, or what counts as telling."""

    def products(self, rows: Integers) -> Floats:
        """Return how alike some rows are to each other."""
        some = self._rows[rows]
        square: Floats = (some @ some.T).toarray()
        return square

    def alike(self, rows: Integers) -> Iterator[tuple[Integers, Floats]]:
        """Yield, for each of some rows, the rows that share telling words, and how many."""
        found = (self._telling[rows] @ self._columns).tocsr()
        for first, after in pairwise(found.indptr.tolist()):
            yield found.indices[first:after], found.data[first:after]

    def likeness(self, row: int, others: Integers) -> Floats:
        """Return the products of a row with others."""
        first, terms = self._rows.indptr, self._rows.indices
        own = slice(first[row], first[row + 1])
        self._weights[terms[own]] = self._rows.data[own]
        sizes = np.diff(first)[others]
        ends = np.cumsum(sizes)
        places = np.repeat(first[others] - (ends - sizes), sizes) + np.arange(sizes.sum())
        shares = self._weights[terms[places]] * self._rows.data[places]
        self._weights[terms[own]] = 0
        products = np.zeros(len(others), np.float32)
        filled = sizes > 0
        if filled.any():
            products[filled] = np.add.reduceat(shares, (ends - sizes)[filled])
        return products


def _hashed(codes: Integers, forms: Sequence[str]) -> Hashes:
    """Return an even hash of the words of each number of `_terms`."""
    each = hashes(forms)[0]
    first, last = np.divmod(codes, max(len(forms), 1))
    pairs = np.where(first > 0, each[first - 1] | np.uint64(1), np.uint64(0))
    found: Hashes = (each[last] + pairs * np.uint64(0xC2B2AE3D27D4EB4F)).astype(np.uint64)
    found = (found ^ (found >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
    return found << np.uint64(1)


def _terms(columns: WordColumns) -> tuple[Integers, Integers]:
    """Return a number for each telling word and pair of words in a row, and its text."""
    forms = columns.forms
    telling = np.fromiter(
        (len(form) > 1 and form not in STOP_WORDS and not form.isdecimal() for form in forms),
        np.bool_,
        len(forms),
    )[columns.form]
    owners = np.repeat(np.arange(len(columns.texts)), np.diff(columns.first))
    single = np.flatnonzero(telling)
    pairs = single[:-1][(np.diff(single) == 1) & (columns.run_end[single[:-1]] > single[1:])]
    form = columns.form.astype(np.int64)
    doubles = len(forms) * (1 + form[pairs]) + form[pairs + 1]
    again = _repeated(doubles)
    pairs, doubles = pairs[again], doubles[again]
    return (
        np.concatenate((form[single], doubles)),
        np.concatenate((owners[single], owners[pairs])),
    )


def _repeated(codes: Integers) -> npt.NDArray[np.bool_]:
    """Tell which codes may occur twice; most that do not are found out, cheaply."""
    slots = (codes.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(42)
    places = slots.view(np.int64)
    return (np.bincount(places, minlength=1 << 22) > 1)[places]
