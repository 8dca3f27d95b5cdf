"""A small ensemble of regression trees read from committed data; inference only.

No row walks down a tree (QuickScorer: Lucchese et al., 2015): each split that a row fails rules out
the leaves to its left, as bits that are cleared, and the lowest bit left is the row's leaf.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]
Integers = np.ndarray[Any, np.dtype[np.intp]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trees:
    """Gradient-boosted trees in arrays of shape (trees, nodes); a leaf points to itself."""

    features: tuple[str, ...]
    """Names of the columns that the trees were trained on."""
    feature: Integers
    threshold: Floats
    """A row goes left where its value is not above the threshold."""
    left: Integers
    right: Integers
    value: Floats
    """Of a leaf its share of the sum; of an inner node the mean below it."""
    base: float
    splits: np.ndarray[Any, np.dtype[np.complex128]]
    """All distinct splits as ``column + threshold * 1j``, ascending; the first one rules out
    nothing and is failed by every row."""
    lowest: Floats
    """Least threshold of each column; infinity where no tree looks at it."""
    possible: np.ndarray[Any, np.dtype[np.uint64]]
    """For each split a bit for each leaf of each tree, from left to right, that stays possible
    where a row fails it and with it all lower ones of its column; a tree takes 16 or 32 bits."""
    leaves: Floats
    """Values of the leaves from left to right; each tree has as many as bits."""
    begins: Integers
    """Of each tree its first leaf in ``leaves``."""

    def score(self, rows: Sequence[Sequence[float]] | Floats) -> list[float]:
        """Return the raw sum for each row (log odds for a classifier), rounded to 9 digits."""
        if not len(rows):
            return []
        values = np.asarray(rows, dtype=np.float64)
        fails = values > self.lowest
        at, column = np.nonzero(fails)
        failed = np.empty(len(at), dtype=np.complex128)
        failed.real, failed.imag = column, values[fails]
        split = np.searchsorted(self.splits, failed) - 1
        begins = np.searchsorted(at, np.arange(len(values)))
        bits = np.bitwise_and.reduceat(self.possible.take(split, axis=0), begins, axis=0)
        leaf = _lowest_bit(bits, len(self.leaves) // len(self.begins))[:, : len(self.begins)]
        total = self.base + self.leaves.take(leaf + self.begins).sum(axis=1)
        rounded: list[float] = total.round(9).tolist()
        return rounded

    def reasons(self, row: Sequence[float], limit: int = 5) -> tuple[tuple[str, float], ...]:
        """Return the features that moved one row's score most, strongest first.

        Each split moves the expected value from that of the node to that of its child; the moves
        are summed by feature (the path attribution of Saabas, 2014).
        """
        moved: dict[int, float] = {}
        for tree in range(len(self.feature)):
            node = 0
            while self.left[tree, node] != node:
                column = int(self.feature[tree, node])
                goes_left = row[column] <= self.threshold[tree, node]
                child = int((self.left if goes_left else self.right)[tree, node])
                step = float(self.value[tree, child] - self.value[tree, node])
                moved[column] = moved.get(column, 0.0) + step
                node = child
        ranked = sorted(moved.items(), key=lambda item: (-abs(round(item[1], 6)), item[0]))
        return tuple((self.features[column], round(move, 3)) for column, move in ranked[:limit])


def read_trees(data: Mapping[str, Any]) -> Trees:
    """Return the ensemble that ``tools/train_names.py`` wrote as plain lists."""
    trees = data["trees"]
    size = max(len(tree["feature"]) for tree in trees)
    shape = (len(trees), size)
    feature = np.zeros(shape, dtype=np.intp)
    threshold = np.zeros(shape)
    value = np.zeros(shape)
    left = np.tile(np.arange(size, dtype=np.intp), (len(trees), 1))
    right = left.copy()
    for i, tree in enumerate(trees):
        count = len(tree["feature"])
        feature[i, :count] = tree["feature"]
        threshold[i, :count] = tree["threshold"]
        value[i, :count] = tree["value"]
        left[i, :count] = tree["left"]
        right[i, :count] = tree["right"]
    splits, possible, leaves = _by_splits(trees)
    lowest = np.full(len(data["features"]), np.inf)
    for split in reversed(splits):
        lowest[int(split.real)] = split.imag
    return Trees(
        features=tuple(data["features"]),
        feature=feature,
        threshold=threshold,
        left=left,
        right=right,
        value=value,
        base=float(data["base"]),
        splits=np.array(splits, dtype=np.complex128),
        lowest=lowest,
        possible=possible,
        leaves=leaves.ravel(),
        begins=np.arange(len(trees), dtype=np.intp) * leaves.shape[1],
    )


def _by_splits(
    trees: Sequence[Mapping[str, Any]],
) -> tuple[list[complex], np.ndarray[Any, np.dtype[np.uint64]], Floats]:
    """Return ``splits``, ``possible`` and, by tree, ``leaves`` of an ensemble; see `Trees`."""
    most = max(len(tree["feature"]) for tree in trees) // 2 + 1
    bits = 16 if most <= 16 else 32
    leaves = np.zeros((len(trees), bits))
    ruled_out: dict[complex, list[tuple[int, int]]] = {complex(0, -np.inf): []}
    for number, tree in enumerate(trees):
        # Depth first, left before right: leaves are met in order, those of a left part in one run.
        count = 0
        waiting: list[tuple[int, complex | None, int]] = [(0, None, 0)]
        while waiting:
            node, split, begin = waiting.pop()
            if split is not None:
                ruled_out.setdefault(split, []).append((number, (1 << count) - (1 << begin)))
            if tree["left"][node] == node:
                leaves[number, count] = tree["value"][node]
                count += 1
            else:
                failed = complex(tree["feature"][node], tree["threshold"][node])
                waiting += [(tree["right"][node], failed, count), (tree["left"][node], None, 0)]
    splits = sorted(ruled_out, key=lambda split: (split.real, split.imag))
    every = (1 << bits) - 1
    # A row of whole 64-bit numbers, so that many trees are judged at once.
    possible = np.full(
        (len(splits), -(-len(trees) * bits // 64) * 64 // bits), every, f"u{bits // 8}"
    )
    for i, split in enumerate(splits):
        if i and splits[i - 1].real == split.real:
            possible[i] = possible[i - 1]
        for number, cleared in ruled_out[split]:
            possible[i, number] &= every - cleared
    return splits, possible.view(np.uint64), leaves


def _lowest_bit(words: np.ndarray[Any, np.dtype[np.uint64]], bits: int) -> Integers:
    """Return the place of the lowest bit of each group of ``bits`` bits."""
    if bits == 16:
        return _places().take(words.view(np.uint16)).astype(np.intp)
    numbers = words.view(np.uint32)
    # A power of two as a float is its exponent and nothing else.
    return np.frexp((numbers & (~numbers + np.uint32(1))).astype(np.float64))[1] - 1


@cache
def _places() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return for each 16-bit number the place of its lowest bit."""
    places = np.zeros(1 << 16, dtype=np.uint8)
    for place in range(1, 16):
        places[1 << place :: 1 << (place + 1)] = place
    return places
