"""Near rows without comparing all with all: the plane is cut into cells around fixed centres; pure.

An inverted file as of Jégou, Douze and Schmid (2011), without their codes: k-means gives the
centres, a row is compared with the rows of its own cell and of those around. The centres come from
the basis alone, so that a new row moves no other one to another cell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from sitegen.nearness import SCALE, Floats
from sitegen.word_columns import Integers

AROUND = 24
"""Cells that a row is compared with, its own among them."""
_ROUNDS = 4
_PER_CELL = 32
"""Rows of the basis that the centre of a cell is found from."""
_BLOCK = 512


def near_rows(rows: Floats, basis: Integers, count: int) -> Iterator[tuple[Integers, Integers]]:
    """Yield, in blocks, which rows are near which: row, other row.

    Args:
        rows: (n, d) of whole numbers, see `nearness`.
        basis: positions of the rows that the cells are made from.
        count: so many others for each row, more where the last ones are equally near; itself is
            among them.

    Returns:
        every row once among the first of the pairs; time grows as n to the power of 1.5 or less.
    """
    centres = find_centres(rows[basis])
    cell = _nearest(rows, centres)
    members = np.argsort(cell, kind="stable")
    bounds = np.searchsorted(cell[members], np.arange(len(centres) + 1))
    around = np.argsort(-(centres @ centres.T), axis=1, kind="stable")[:, :AROUND]
    for number, near in enumerate(around.tolist()):
        own = members[bounds[number] : bounds[number + 1]]
        others = np.concatenate([members[bounds[one] : bounds[one + 1]] for one in near])
        compared = rows[others]
        for start in range(0, len(own), _BLOCK):
            block = own[start : start + _BLOCK]
            products = rows[block] @ compared.T
            if len(others) > count:
                least = np.partition(products, -count, axis=1)[:, -count]
                which, place = np.nonzero(products >= least[:, None])
            else:
                which, place = (each.ravel() for each in np.indices(products.shape))
            yield block[which], others[place]


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
