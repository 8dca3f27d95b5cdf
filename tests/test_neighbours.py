"""Lists of nearest papers carried over from an earlier build are those of a fresh one."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from sitegen import basis as basis_module
from sitegen import neighbours
from sitegen.neighbours import Nearest
from sitegen.records import Paper
from sitegen.related import nearest_papers, with_reasons
from sitegen.word_columns import read_columns
from tests.test_tags import keywords, paper, tag

WORDS = [f"{a}{b}" for a in ("kelp", "urchin", "otter", "crab", "eel") for b in "abcdefghijklmn"]


def texts(count: int, seed: int = 1) -> list[str]:
    draws = random.Random(seed)
    found = []
    for _ in range(count):
        own = draws.sample(WORDS, 6)
        found.append(
            f"{' '.join(draws.choices(own, k=30))}. {' '.join(draws.choices(WORDS, k=4))}."
        )
    return found


def find(some: list[str], before: Nearest | None = None) -> tuple[object, Nearest]:
    papers: list[Paper] = [
        replace(paper(text), first_seen=f"{2000 + n}-01-01") for n, text in enumerate(some)
    ]
    vectors = np.array([np.random.default_rng(len(text)).normal(size=16) for text in some])
    vectors += np.array([[text.count(word) for word in WORDS[:16]] for text in some])
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    nearest = nearest_papers(papers, vectors, read_columns(some), before=before)
    assert nearest
    relations = with_reasons(papers, [keywords(t) for t in some], tag(some), nearest)
    return dict(zip([one.id for one in papers], relations, strict=True)), nearest


def same(one: Nearest, two: Nearest) -> bool:
    return all(
        np.array_equal(left, right)
        for left, right in zip(one.table().values(), two.table().values(), strict=True)
    )


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Make 300 papers a large digest; holds how many lists were found anew."""
    anew: list[int] = []
    touched = neighbours._touched

    def counted(*args: object) -> object:
        found = touched(*args)  # type: ignore[arg-type]
        anew.append(int(found.sum()))
        return found

    monkeypatch.setattr(basis_module, "SMALL", 16)
    monkeypatch.setattr(neighbours, "SMALL", 16)
    monkeypatch.setattr(neighbours, "_CANDIDATES", 6)
    monkeypatch.setattr(neighbours, "_touched", counted)
    return anew


def test_new_changed_and_lost_papers_change_what_they_must(small: list[int]) -> None:
    old = texts(300)
    _, before = find(old)
    later = [*old[:270], *old[280:], *texts(8, seed=2)]
    later[290 - 10] = later[290 - 10].replace(".", " kelpa eelb.")
    fresh, table = find(later)
    carried, again = find(later, before)
    assert 0 < small[0] < 250  # the basis, 256 of 298 papers, is as it was
    assert carried == fresh
    assert same(again, table)


def test_nothing_new_needs_no_search(small: list[int]) -> None:
    old = texts(300)
    found, before = find(old)
    again, _ = find(old, before)
    assert small == [0]
    assert again == found


def test_another_basis_is_another_digest(small: list[int]) -> None:
    old = texts(300)
    _, before = find(old)
    other = [old[0].replace(".", " ottern."), *old[1:]]
    fresh, table = find(other)
    carried, again = find(other, before)
    assert small == []
    assert carried == fresh
    assert same(again, table)
