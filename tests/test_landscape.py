"""Places of papers in the plane."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sitegen import kept
from sitegen.landscape import _highest, arrange, lay_out, place_between


def clusters(size: int, groups: int, seed: int = 1) -> tuple[np.ndarray, list[str]]:
    draws = np.random.default_rng(seed)
    centres = draws.normal(size=(groups, 32))
    rows = np.repeat(centres, size, axis=0) + 0.4 * draws.normal(size=(size * groups, 32))
    return rows, [f"topic-{n // size}" for n in range(size * groups)]


def test_equal_input_gives_equal_places():
    vectors, groups = clusters(20, 5)
    assert arrange(vectors, groups) == arrange(vectors.copy(), list(groups))


def test_what_is_near_in_meaning_lies_together():
    vectors, groups = clusters(30, 4)
    points = np.array(arrange(vectors, [""] * len(groups)))
    numbers = np.array([int(group.split("-")[1]) for group in groups])
    distances = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    same = numbers[distances.argmin(axis=1)] == numbers
    assert same.mean() > 0.95


def test_the_square_is_used():
    points = np.array(arrange(*clusters(25, 8)))
    assert points.min() >= 0
    assert points.max() <= 1
    filled = {(int(x * 4), int(y * 4)) for x, y in points}
    assert len(filled) >= 8


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5])
def test_few_papers_have_places_too(count: int):
    points = arrange(np.eye(8)[:count], [""] * count)
    assert len(points) == count
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in points)
    assert len(set(points)) == count


def test_equal_and_empty_vectors_do_no_harm():
    vectors = np.zeros((12, 8))
    assert np.isfinite(arrange(vectors, [""] * 12)).all()
    assert np.isfinite(arrange(np.ones((450, 8)), ["a"] * 450)).all()


def test_later_papers_move_no_earlier_one():
    vectors, groups = clusters(40, 6)
    early = list(range(0, 240, 2))
    fewer = [*early, 1, 3, 5]
    some = arrange(vectors[fewer], [groups[at] for at in fewer], list(range(len(early))))
    every = arrange(vectors, groups, early)
    assert some == tuple(every[at] for at in fewer)
    points = np.array(every)
    away = np.abs(points[1::2, None] - points[None, ::2]).sum(axis=2).argmin(axis=1)
    assert np.mean([groups[1::2][n] == groups[::2][at] for n, at in enumerate(away)]) > 0.9


def test_places_of_landmarks_may_be_known_from_before():
    vectors, groups = clusters(40, 6)
    early = list(range(0, 240, 2))
    seen = []
    first = arrange(vectors, groups, early, lambda unit: seen.append(lay_out(unit)) or seen[0])
    assert arrange(vectors, groups, early, lambda _: seen[0]) == first
    assert arrange(vectors, groups, early) == first


@pytest.mark.parametrize(("columns", "count"), [(1, 1), (7, 7), (40, 1), (40, 6), (500, 6)])
def test_the_highest_are_those_of_a_full_sort(columns: int, count: int):
    products = np.random.default_rng(1).integers(0, 9, (30, columns)).astype(np.float64)
    found, values = _highest(products, count)
    order = np.argsort(-products, axis=1, kind="stable")[:, :count]
    assert np.array_equal(found, order)
    assert np.array_equal(values, np.take_along_axis(products, order, 1))


def test_places_that_are_kept_are_those_of_a_fresh_map(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors, groups = clusters(20, 5)
    early = list(range(0, 100, 2))
    placed: list[int] = []

    def watched(unit: np.ndarray, *rest: object) -> np.ndarray:
        placed.append(len(unit))
        return place_between(unit, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(kept, "place_between", watched)
    kept.positions(vectors[:90], groups[:90], early[:45], tmp_path)
    more = kept.positions(vectors, groups, early[:45], tmp_path)
    assert more == arrange(vectors, groups, early[:45])
    file = tmp_path / "map.bin"
    file.write_bytes(file.read_bytes()[:-1])
    assert kept.positions(vectors, groups, early[:45], tmp_path) == more
    assert kept.positions(vectors, groups, early, tmp_path) == arrange(vectors, groups, early)
    assert placed == [45, 10, 55, 50]
