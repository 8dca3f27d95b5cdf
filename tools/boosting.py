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
        inner = [(i, node, bool(node["is_leaf"])) for i, node in enumerate(nodes)]
        trees.append(
            {
                "feature": [0 if end else int(node["feature_idx"]) for _, node, end in inner],
                "threshold": [
                    0 if end else _short(node["num_threshold"]) for _, node, end in inner
                ],
                "left": [i if end else int(node["left"]) for i, node, end in inner],
                "right": [i if end else int(node["right"]) for i, node, end in inner],
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
