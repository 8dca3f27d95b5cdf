"""What is remembered between builds is never stale, and spares the work."""

from __future__ import annotations

import gc
import weakref

import numpy as np

from sitegen.line_cache import uncollected
from sitegen.memory import Memory


def test_the_same_arguments_are_not_worked_on_twice() -> None:
    calls: list[object] = []

    def total(rows: list[np.ndarray], *, scale: int) -> float:
        calls.append(scale)
        return float(sum(map(np.sum, rows))) * scale

    memory = Memory()
    for _ in range(2):
        assert memory.recall(total, [np.array([1.0, 2.0])], scale=2) == 6.0
    assert len(calls) == 1
    assert memory.recall(total, [np.array([1.0, 3.0])], scale=2) == 8.0
    assert memory.recall(total, [np.array([1.0, 3.0])], scale=3) == 12.0
    assert len(calls) == 3


def test_the_order_of_a_mapping_counts() -> None:
    memory = Memory()
    for mapping in ({"a": 1, "b": 2}, {"b": 2, "a": 1}):
        assert memory.recall(list, mapping) == list(mapping)


def test_only_new_items_are_worked_on_and_old_ones_forgotten() -> None:
    calls: list[list[str]] = []

    def upper(texts: list[str]) -> list[str]:
        calls.append(texts)
        return [text.upper() for text in texts]

    memory = Memory()
    assert memory.each(upper, ["a", "b", "a"]) == ["A", "B", "A"]
    assert memory.each(upper, ["b", "c", "c"]) == ["B", "C", "C"]
    assert memory.each(upper, ["c", "b"]) == ["C", "B"]
    assert memory.each(upper, ["a"]) == ["A"]
    assert calls == [["a", "b", "a"], ["c"], ["a"]]


def test_what_may_lag_is_made_anew_where_its_mark_changes() -> None:
    memory = Memory()
    assert memory.recall_while("a", max, 1, 2) == 2
    assert memory.recall_while("a", max, 5, 6) == 2
    assert memory.recall_while("b", max, 5, 6) == 6


def test_a_memory_of_a_single_build_holds_nothing() -> None:
    class Rows(list[int]):
        """A list that can be watched."""

    memory = Memory(keeping=False)
    rows = Rows([1, 2])
    watched = weakref.ref(rows)
    assert memory.recall(sum, rows) == 3
    assert memory.each(sorted, rows) == [1, 2]
    assert memory.files is None
    del rows
    assert watched() is None


def test_cycles_are_not_looked_for_meanwhile_and_nothing_stays_frozen() -> None:
    assert gc.isenabled()
    with uncollected():
        with uncollected():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
