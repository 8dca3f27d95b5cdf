"""Papers as points in the plane by meaning: near papers lie together, the rest spreads out.

The method is t-SNE (van der Maaten and Hinton 2008) with equal weights for the nearest neighbours,
as Böhm et al. (2022) found good enough, without early exaggeration, and with repulsion from a
sample of points where there are many; directions are first turned a little to those of their
topics. In a large digest `LANDMARKS` of the early papers are laid out so, the others are placed
among them and move none. After the search for neighbours all is arithmetic on rounded numbers with
a fixed seed, so that equal input gives equal bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

NEIGHBOURS = 10
STEPS = 500
TOPIC = 0.7
"""How far a paper's direction is turned to that of its topic, so that topics hold together."""
SAMPLE = 400
"""Points that repel, a step; all where there are no more."""
MOMENTUM = 0.8
FARTHEST = 5.0
"""Longest way of a point in one step."""
EVEN = 0.45
"""Share of a place that is its rank: crowded parts are spread, empty ones closed."""
BLOCK = 512
CACHED = 64
"""Points whose repulsion is found at once: so many stay in a processor's cache."""
LANDMARKS = 2048
"""Papers that the map is made for; all of a digest up to this size."""
AMONG = 5
"""Landmarks that another paper is placed among."""
GRID = 2048
"""Directions are compared as whole numbers: their products are exact in any order of the sums."""
KIN = GRID * GRID // 50
"""What a landmark of the same topic counts nearer: a cosine of 0.02."""

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Between = Callable[[Floats, Floats, Floats, tuple[Integers, Integers]], Floats]


def arrange(
    vectors: npt.NDArray[np.floating],
    groups: Sequence[str],
    early: Sequence[int] | None = None,
    layout: Callable[[Floats], Floats] | None = None,
    between: Between | None = None,
) -> tuple[tuple[float, float], ...]:
    """Place papers in the unit square.

    Args:
        vectors: one row a paper; directions matter, lengths do not.
        groups: primary topic of each paper; empty where it has none.
        early: positions of the papers that the map is made for, in any order; the others are
            placed among them and move none. All by default; of many, `LANDMARKS` evenly chosen.
        layout: does what `lay_out` does; may know the places from before.
        between: does what `place_between` does; likewise.

    Returns:
        x and y of each paper from 0 to 1, rounded to 4 decimals.
    """
    count = len(groups)
    if count < 4:
        return tuple(((1 + 2 * n) / (2 * count), 0.5) for n in range(count))
    marks = np.arange(count) if early is None else np.array(early, np.int64)
    size = min(len(marks), LANDMARKS)
    marks = np.sort(marks[np.arange(size) * len(marks) // size])
    unit = _turned(_unit(vectors), groups, marks)
    points = (layout or lay_out)(unit[marks])
    if len(marks) < count:
        others = np.setdiff1d(np.arange(count), marks)
        placed = np.empty((count, 2))
        placed[marks] = points
        numbers = {group: number for number, group in enumerate(dict.fromkeys(groups), 1) if group}
        topics = np.array([numbers.get(group, 0) for group in groups], np.int64)
        placed[others] = (between or place_between)(
            unit[others], unit[marks], points, (topics[others], topics[marks])
        )
        return _square(placed, points)
    return _square(points, points)


def lay_out(unit: Floats) -> Floats:
    """Return places (n, 2), of any scale, of papers given by their directions (n, d)."""
    count = len(unit)
    heads, tails = _edges(_nearest(unit, min(NEIGHBOURS, count - 1)))
    points, velocity = _start(unit), np.zeros((count, 2))
    draws = np.random.Generator(np.random.PCG64(7))
    rate = max(count / 12, 20.0)  # Belkina et al. 2019
    for _ in range(STEPS):
        chosen = draws.choice(count, SAMPLE, replace=False) if count > SAMPLE else np.arange(count)
        force = _attraction(points, heads, tails) + _repulsion(points, chosen)
        velocity = MOMENTUM * velocity + rate * force
        points = points + np.clip(velocity, -FARTHEST, FARTHEST)
        points = points - points.mean(axis=0)
    return points


def place_between(
    unit: Floats, marks: Floats, points: Floats, topics: tuple[Integers, Integers]
) -> Floats:
    """Place each direction among the nearest of those that have places, its own topic's first.

    It lies by the nearest one, drawn to the next ones as far as these are no farther in the plane
    than neighbours are; the sixth weighs nothing.

    Args:
        unit: (n, d), each placed by itself.
        marks: (m, d), those that have places.
        points: (m, 2), these.
        topics: of the former and of the latter, as numbers; 0 for none.
    """
    whole = np.rint(marks * GRID).astype(np.float32)
    placed = np.empty((len(unit), 2))
    for start in range(0, len(unit), BLOCK):
        rows = np.rint(unit[start : start + BLOCK] * GRID).astype(np.float32)
        mine = topics[0][start : start + BLOCK, None]
        kin = (mine == topics[1]) & (mine > 0)
        near, values = _highest(rows @ whole.T + np.float32(KIN) * kin, AMONG + 1)
        values = values * len(whole) - near
        spots = points[near]
        apart = ((spots - spots[:, :1]) ** 2).sum(axis=2)
        weights = (values - values[:, -1:]) / (1.0 + apart)
        placed[start : start + BLOCK] = (spots * weights[:, :, None]).sum(axis=1) / weights.sum(
            axis=1, keepdims=True
        )
    return placed


def _highest(products: npt.NDArray[np.floating], count: int) -> tuple[Integers, Floats]:
    """Return the columns of the highest products of each row and these, the first of equal ones."""
    least = np.partition(products, -count, axis=1)[:, -count]
    rows, columns = np.nonzero(products >= least[:, None])
    values = products[rows, columns]
    order = np.lexsort((columns, -values, rows))
    firsts = np.searchsorted(rows, np.arange(len(products)))
    chosen = order[firsts[:, None] + np.arange(count)]
    return columns[chosen], values[chosen].astype(np.float64)


def _unit(vectors: npt.NDArray[np.floating]) -> Floats:
    wide = np.asarray(vectors, dtype=np.float64)
    lengths = np.sqrt((wide * wide).sum(axis=1, keepdims=True))
    unit: Floats = wide / np.where(lengths > 0, lengths, 1.0)
    return unit


def _start(unit: Floats) -> Floats:
    """Return the two main directions, small and rounded, their signs fixed."""
    centred = unit - unit.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    main = axes[:, -2:][:, ::-1]
    main = main * np.sign(main[np.abs(main).argmax(axis=0), [0, 1]])
    placed = centred @ main
    spread = np.sqrt((placed * placed).mean(axis=0))
    start: Floats = np.round(0.01 * placed / np.where(spread > 0, spread, 1.0), 5)
    return start


def _nearest(unit: Floats, size: int) -> Integers:
    """Return the indices of each row's nearest other rows by cosine, in blocks."""
    found = np.empty((len(unit), size), dtype=np.int64)
    for start in range(0, len(unit), BLOCK):
        block = np.round(unit[start : start + BLOCK] @ unit.T, 4)
        rows = np.arange(len(block))
        block[rows, start + rows] = -2.0
        found[start : start + BLOCK] = _highest(block, size)[0]
    return found


def _edges(nearest: Integers) -> tuple[Integers, Integers]:
    heads = np.repeat(np.arange(len(nearest)), nearest.shape[1])
    return heads, nearest.ravel()


def _turned(unit: Floats, groups: Sequence[str], marks: Integers) -> Floats:
    """Turn each direction towards the middle of its group, as the landmarks show it."""
    rows: dict[str, list[int]] = {}
    for row, group in enumerate(groups):
        if group:
            rows.setdefault(group, []).append(row)
    known = set(marks.tolist())
    turned = unit.copy()
    for group in sorted(rows):
        if seen := [row for row in rows[group] if row in known]:
            turned[rows[group]] += TOPIC * _unit(unit[seen].mean(axis=0, keepdims=True))
    return _unit(turned)


def _attraction(points: Floats, heads: Integers, tails: Integers) -> Floats:
    """Return the pull of neighbours; all weights add up to one."""
    away = points[tails] - points[heads]
    pulls = away / (1.0 + (away * away).sum(axis=1, keepdims=True)) / (2.0 * len(heads))
    moves = np.empty_like(points)
    for axis in (0, 1):
        moves[:, axis] = np.bincount(heads, pulls[:, axis], len(points))
        moves[:, axis] -= np.bincount(tails, pulls[:, axis], len(points))
    return moves


def _repulsion(points: Floats, chosen: Integers) -> Floats:
    """Return the push of the chosen points, scaled to stand for all."""
    small = points.astype(np.float32)
    size = min(len(points), CACHED)
    across, along, square = (np.empty((size, len(chosen)), np.float32) for _ in range(3))
    nearness = np.empty((len(points), len(chosen)), np.float32)
    push = np.empty((len(points), 2), np.float32)
    for start in range(0, len(points), size):
        rows = slice(start, start + size)
        near = nearness[rows]
        x, y, z = across[: len(near)], along[: len(near)], square[: len(near)]
        np.subtract(small[rows, 0, None], small[None, chosen, 0], out=x)
        np.subtract(small[rows, 1, None], small[None, chosen, 1], out=y)
        np.multiply(x, x, out=near)
        near += np.float32(1.0)
        near += np.multiply(y, y, out=z)
        np.divide(np.float32(1.0), near, out=near)
        np.multiply(near, near, out=z)
        push[rows, 0] = np.multiply(x, z, out=x).sum(axis=1)
        push[rows, 1] = np.multiply(y, z, out=y).sum(axis=1)
    total = nearness.sum(dtype=np.float64) - len(chosen)  # each chosen point also meets itself
    return push.astype(np.float64) / max(float(total), 1e-9)


def _square(points: Floats, marks: Floats) -> tuple[tuple[float, float], ...]:
    """Scale into the unit square, partly by rank among landmarks; the farthest are drawn in."""
    low, high = np.percentile(marks, [1, 99], axis=0)
    scaled = np.clip((points - low) / np.where(high > low, high - low, 1.0), 0.0, 1.0)
    if len(points) == len(marks):
        ranks = np.argsort(np.argsort(points, axis=0, kind="stable"), axis=0, kind="stable")
    else:
        places = np.arange(len(marks))
        ranks = np.stack(
            [np.interp(points[:, axis], np.sort(marks[:, axis]), places) for axis in (0, 1)], axis=1
        )
    shown = np.round((1 - EVEN) * scaled + EVEN * ranks / (len(marks) - 1), 4)
    return tuple((float(x), float(y)) for x, y in shown)
