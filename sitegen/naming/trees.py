"""A small ensemble of regression trees read from committed data; inference only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True, kw_only=True)
class Trees:
    """Gradient-boosted trees in arrays of shape (trees, nodes); a leaf points to itself."""

    features: tuple[str, ...]
    """Names of the columns that the trees were trained on."""
    feature: np.ndarray[Any, np.dtype[np.intp]]
    threshold: np.ndarray[Any, np.dtype[np.float64]]
    """A row goes left where its value is not above the threshold."""
    left: np.ndarray[Any, np.dtype[np.intp]]
    right: np.ndarray[Any, np.dtype[np.intp]]
    value: np.ndarray[Any, np.dtype[np.float64]]
    """Of a leaf its share of the sum; of an inner node the mean below it."""
    base: float
    depth: int

    def score(self, rows: Sequence[Sequence[float]]) -> list[float]:
        """Return the raw sum for each row (log odds for a classifier), rounded to 9 digits."""
        if not rows:
            return []
        node = self._leaves(np.asarray(rows, dtype=np.float64))
        trees = np.arange(len(self.feature))
        total = self.base + self.value[trees, node].sum(axis=1)
        return [round(float(score), 9) for score in total]

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

    def _leaves(
        self, rows: np.ndarray[Any, np.dtype[np.float64]]
    ) -> np.ndarray[Any, np.dtype[np.intp]]:
        """Return for each row and tree the leaf that the row falls into."""
        trees, size = self.feature.shape
        offset = np.arange(trees, dtype=np.intp) * size
        feature, threshold = self.feature.ravel(), self.threshold.ravel()
        left, right = self.left.ravel(), self.right.ravel()
        values = rows.ravel()
        begin = (np.arange(len(rows), dtype=np.intp) * rows.shape[1])[:, None]
        node = np.broadcast_to(offset, (len(rows), trees))
        for _ in range(self.depth):
            goes_left = values.take(begin + feature.take(node)) <= threshold.take(node)
            following = np.where(goes_left, left.take(node), right.take(node)) + offset
            if np.array_equal(following, node):
                break
            node = following
        leaves: np.ndarray[Any, np.dtype[np.intp]] = node - offset
        return leaves


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
    return Trees(
        features=tuple(data["features"]),
        feature=feature,
        threshold=threshold,
        left=left,
        right=right,
        value=value,
        base=float(data["base"]),
        depth=int(data["depth"]),
    )
