"""Near rows without comparing all with all: the plane is cut into cells around fixed centres; pure.

An inverted file as of Jégou, Douze and Schmid (2011), without their codes: k-means gives the
centres, a row is compared with the rows of its own cell and of those around. The centres come from
the basis alone, so that a new row moves no other one to another cell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitegen.nearness import SCALE, Floats
from sitegen.text_words import Integers

AROUND = 24
"""Cells that a row is compared with, its own among them."""
_ROUNDS = 4
_PER_CELL = 32
"""Rows of the basis that the centre of a cell is found from."""
_BLOCK = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """What is near some rows of a cell."""

    rows: Integers
    """As they were asked for."""
    least: Floats
    """For each of them the product from which on another row is near; minus infinity for any."""
    pairs: tuple[Integers, Integers]
    """Row and other row, by row."""


class Cells:
    """Rows in the cells that they are compared in."""

    def __init__(self, rows: Floats, basis: Integers) -> None:
        """Put rows into cells.

        Args:
            rows: (n, d) of whole numbers, see `nearness`.
            basis: positions of the rows that the cells are made from.
        """
        self.rows = rows
        centres = find_centres(rows[basis])
        self._cell = _nearest(rows, centres)
        self._members = np.argsort(self._cell, kind="stable")
        self._bounds = np.searchsorted(self._cell[self._members], np.arange(len(centres) + 1))
        self._around = np.argsort(-(centres @ centres.T), axis=1, kind="stable")[:, :AROUND]

    def near(self, wanted: Integers, count: int) -> Iterator[Near]:
        """Yield, in blocks, what is near the wanted rows.

        Args:
            wanted: positions of rows.
            count: so many others for each row, more where the last ones are equally near; itself is
                among them.

        Returns:
            every row once; time grows as n to the power of 1.5 or less.
        """
        asked = np.zeros(len(self.rows), np.bool_)
        asked[wanted] = True
        for number, near in enumerate(self._around.tolist()):
            own = self._in(number)
            own = own[asked[own]]
            if not len(own):
                continue
            others = np.concatenate([self._in(one) for one in near])
            compared = self.rows[others]
            for start in range(0, len(own), _BLOCK):
                block = own[start : start + _BLOCK]
                products = self.rows[block] @ compared.T
                if len(others) > count:
                    least = np.partition(products, -count, axis=1)[:, -count]
                    which, place = np.nonzero(products >= least[:, None])
                else:
                    least = np.full(len(block), -np.inf, np.float32)
                    which, place = (each.ravel() for each in np.indices(products.shape))
                yield Near(rows=block, least=least, pairs=(block[which], others[place]))

    def meet(self, rows: Integers, others: Integers) -> npt.NDArray[np.bool_]:
        """Tell which rows are compared with which others: (rows, others)."""
        compared = np.zeros((len(self._around), len(self._around)), np.bool_)
        compared[np.arange(len(self._around))[:, None], self._around] = True
        met: npt.NDArray[np.bool_] = compared[np.ix_(self._cell[rows], self._cell[others])]
        return met

    def _in(self, cell: int) -> Integers:
        return self._members[self._bounds[cell] : self._bounds[cell + 1]]


def find_centres(rows: Floats) -> Floats:
    """Return the centres of cells, by k-means; about the square root of the rows, one for few."""
    size = len(rows)
    count = 1 << max(0, round(math.log2(max(size, 1)) / 2)) if size > 2 * AROUND else 1
    sample = rows[:: max(1, size // (count * _PER_CELL))]
    centres = sample[:: max(1, len(sample) // count)][:count]
    for _ in range(_ROUNDS):
        cell = _nearest(sample, centres)
        sums = np.zeros(centres.shape)
        np.add.at(sums, cell, sample)
        lengths = np.sqrt((sums * sums).sum(axis=1, keepdims=True))
        filled = lengths[:, 0] > 0
        moved = np.rint(sums[filled] * (SCALE / lengths[filled])).astype(np.float32)
        centres = centres.copy()
        centres[filled] = moved
    return centres


def _nearest(rows: Floats, centres: Floats) -> Integers:
    """Return the nearest centre of each row, the first one of equally near ones."""
    found = [
        (rows[start : start + _BLOCK] @ centres.T).argmax(axis=1)
        for start in range(0, len(rows), _BLOCK)
    ]
    return np.concatenate([np.zeros(0, np.int64), *found])
