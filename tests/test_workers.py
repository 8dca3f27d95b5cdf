"""Who does the work: batches, executors of any kind, workers that die or are not ours."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.naming import papers_of
from sitegen import workers as module
from sitegen.diagnostics import Location, SitegenError, error
from sitegen.headlines import write_headlines
from sitegen.keywords import KeywordOptions, read
from sitegen.workers import ALONE, Workers, code_mark, local_workers

ANIMALS = ("otters", "herons", "beavers", "newts", "crabs", "eels", "toads", "voles")
TEXTS = [
    f"Counting {animal} by hand is slow. We introduce {animal.title()}Net{n}, a network that "
    f"counts {animal} in pictures of rivers. It needs {n} pictures and runs on small devices."
    for n in range(1, 20)
    for animal in ANIMALS
]
HERE = os.getpid()


def squares(numbers: Sequence[int]) -> list[int]:
    return [number * number for number in numbers]


def squares_or_death(numbers: Sequence[int]) -> list[int]:
    """Kill the process that works on 70, unless it is the one that the tests run in."""
    if 70 in numbers and os.environ.get("PYTEST_CURRENT_TEST_PROCESS") != str(os.getpid()):
        os.kill(os.getpid(), signal.SIGKILL)
    return squares(numbers)


def refuse(numbers: Sequence[int]) -> list[int]:
    raise SitegenError(error("a-code", "no such model", Location("here")))


def fail(numbers: Sequence[int]) -> list[int]:
    raise ZeroDivisionError


def flat(batches: Any) -> list[int]:
    return [value for batch in batches for value in batch]


class Lazy(Executor):
    """Works only when a result is asked for; notes how many batches waited at most."""

    def __init__(self) -> None:
        self.most = self.waiting = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        lazy = self

        class Asked(Future[Any]):
            def result(self, timeout: float | None = None) -> Any:
                lazy.waiting -= 1
                return fn(*args)

        return Asked()


class Broken(Executor):
    """Does some batches, then breaks: at once, or with each further result."""

    def __init__(self, done: int, *, at_once: bool) -> None:
        self.left = done
        self.at_once = at_once

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.left -= 1
        future: Future[Any] = Future()
        if self.left >= 0:
            future.set_result(fn(*args))
        elif self.at_once:
            raise BrokenExecutor("out of order")
        else:
            future.set_exception(BrokenExecutor("out of order"))
        return future


@settings(deadline=None)
@given(st.lists(st.integers(), max_size=60), st.integers(1, 9), st.integers(0, 70))
def test_batches_come_back_in_order(numbers: list[int], size: int, least: int) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = flat(Workers(executor=pool).run(squares, numbers, size=size, least=least))
    assert found == squares(numbers)
    assert flat(ALONE.run(squares, numbers, size=size, least=least)) == found


def test_few_batches_wait_at_a_time() -> None:
    lazy = Lazy()
    found = flat(Workers(executor=lazy, waiting=5).run(squares, range(100), size=2, least=0))
    assert found == squares(range(100))
    assert lazy.most == 5


def test_little_work_stays_here() -> None:
    broken = Workers(executor=Broken(0, at_once=True), say=pytest.fail)
    assert flat(broken.run(squares, range(9), size=2, least=10)) == squares(range(9))


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("done", [0, 3, 40])
def test_what_an_executor_cannot_do_is_done_here(done: int, at_once: bool) -> None:
    said: list[str] = []
    workers = Workers(executor=Broken(done, at_once=at_once), say=said.append)
    assert flat(workers.run(squares, range(100), size=1, least=0)) == squares(range(100))
    assert said == [
        "a worker failed (BrokenExecutor: out of order); the rest is done by this process"
    ]


def test_an_error_of_the_user_stays_one_and_a_fault_of_ours_shows() -> None:
    with ThreadPoolExecutor(1) as pool:
        workers = Workers(executor=pool)
        with pytest.raises(SitegenError, match="no such model"):
            flat(workers.run(refuse, range(100), size=9, least=0))
        with pytest.raises(ZeroDivisionError):
            flat(workers.run(fail, range(100), size=9, least=0))


def test_an_error_of_the_user_comes_back_whole_from_another_process() -> None:
    with local_workers(2, pytest.fail) as workers, pytest.raises(SitegenError) as caught:
        flat(workers.run(refuse, range(100), size=9, least=0))
    assert [problem.code for problem in caught.value.problems] == ["a-code"]


def test_nobody_waits_for_workers_that_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.01)

    class Deaf(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            return Future()

    said: list[str] = []
    workers = Workers(executor=Deaf(), say=said.append, alive=lambda: False)
    assert flat(workers.run(squares, range(10), size=3, least=0)) == squares(range(10))
    assert "no worker is left" in said[0]


def test_a_worker_with_other_code_is_not_trusted() -> None:
    said: list[str] = []
    with ThreadPoolExecutor(1) as pool:
        for code in (code_mark(), "another"):
            workers = Workers(executor=pool, say=said.append, code=code)
            assert flat(workers.run(squares, range(9), size=2, least=0)) == squares(range(9))
    assert len(said) == 1
    assert "another sitegen" in said[0]


def test_a_process_that_is_killed_is_told_and_its_work_done_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTEST_CURRENT_TEST_PROCESS", str(os.getpid()))
    said: list[str] = []
    with local_workers(2, said.append) as workers:
        found = flat(workers.run(squares_or_death, range(100), size=5, least=0))
    assert found == squares(range(100))
    assert len(said) == 1
    assert "BrokenProcessPool" in said[0]


def test_papers_are_tagged_alike_by_anybody(tmp_path: Path) -> None:
    papers, options = papers_of(TEXTS), KeywordOptions(top=8)
    namings = write_headlines(papers)
    readings = read(TEXTS, options)
    said: list[str] = []
    with local_workers(2, said.append) as processes, ThreadPoolExecutor(3) as threads:
        for name, executor in (("processes", processes.executor), ("threads", threads)):
            workers = Workers(executor=executor, always=True, say=said.append)
            cache = tmp_path / name
            assert write_headlines(papers, workers=workers, cache_dir=cache) == namings
            others = read(TEXTS, options, workers=workers, cache_dir=cache)
            assert others.keywords == readings.keywords
            assert np.array_equal(others.vectors, readings.vectors)
    assert said == []
    for kind in ("headlines", "keywords", "mentions"):
        (one,), (other,) = (
            (tmp_path / each).glob(f"{kind}-*") for each in ("processes", "threads")
        )
        assert one.read_bytes() == other.read_bytes()
    # A second run needs nobody.
    broken = Workers(executor=Broken(0, at_once=True), always=True, say=pytest.fail)
    assert write_headlines(papers, workers=broken, cache_dir=tmp_path / "threads") == namings
    assert read(TEXTS, options, workers=broken, cache_dir=tmp_path / "threads").computed == 0


def test_new_papers_leave_the_drafts_of_old_ones_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitegen.basis.SMALL", 8)
    papers = papers_of(TEXTS[:48])
    before = write_headlines(papers[:40], cache_dir=tmp_path)
    (path,) = tmp_path.glob("headlines-*")
    known = path.read_bytes()
    after = write_headlines(papers, cache_dir=tmp_path)
    assert after[:40] == before
    assert path.read_bytes()[: len(known)] == known
    assert len(path.read_bytes().splitlines()) == 48
