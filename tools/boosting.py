"""Boosted trees fitted by scikit-learn, written as plain lists for sitegen/naming/trees.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def plain_trees(model: Any, features: Sequence[str]) -> dict[str, Any]:
    """Return a fitted HistGradientBoosting model as lists of numbers, five digits each.

    An inner node keeps the mean of its leaves, weighted by training rows, so that a path can be
    explained step by step.
    """
    trees = []
    deepest = 0
    for (predictor,) in model._predictors:
        nodes = predictor.nodes
        values = [0.0] * len(nodes)

        def walk(at: int, depth: int, nodes: Any = nodes, values: list[float] = values) -> int:
            node = nodes[at]
            if node["is_leaf"]:
                values[at] = float(node["value"])
                return depth
            left, right = int(node["left"]), int(node["right"])
            below = max(walk(left, depth + 1), walk(right, depth + 1))
            counts = nodes[left]["count"], nodes[right]["count"]
            values[at] = (values[left] * counts[0] + values[right] * counts[1]) / sum(counts)
            return below

        deepest = max(deepest, walk(0, 0))
        leaf = [bool(node["is_leaf"]) for node in nodes]
        trees.append(
            {
                "feature": [0 if end else int(n["feature_idx"]) for n, end in zip(nodes, leaf)],
                "threshold": [
                    0 if end else _short(n["num_threshold"]) for n, end in zip(nodes, leaf)
                ],
                "left": [
                    i if end else int(n["left"]) for i, (n, end) in enumerate(zip(nodes, leaf))
                ],
                "right": [
                    i if end else int(n["right"]) for i, (n, end) in enumerate(zip(nodes, leaf))
                ],
                "value": [_short(value) for value in values],
            }
        )
    return {
        "features": list(features),
        "base": float(np.ravel(model._baseline_prediction)[0]),
        "depth": deepest,
        "trees": trees,
    }


def _short(value: float) -> float:
    return float(f"{value:.5g}")
