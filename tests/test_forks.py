"""Work in forked processes, beside all else."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from sitegen.forks import beside, in_parts

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks on Linux alone")


@LINUX
def test_a_function_runs_in_another_process_and_its_result_is_asked_for_as_often_as_liked() -> None:
    wait = beside(os.getpid, 2)
    assert wait() != os.getpid()
    assert wait() == wait()


def test_with_one_job_it_runs_here_when_asked_for() -> None:
    calls: list[int] = []
    wait = beside(lambda: calls.append(1), 1)
    assert calls == []
    wait()
    wait()
    assert calls == [1]


@LINUX
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_is_raised_where_the_result_is_asked_for(jobs: int) -> None:
    def fail() -> None:
        raise LookupError("kelp")

    with pytest.raises(LookupError, match="kelp"):
        beside(fail, jobs)()


@LINUX
def test_what_a_killed_process_leaves_is_done_here() -> None:
    here = os.getpid()

    def die() -> str:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return "done here"

    assert beside(die, 2)() == "done here"


@LINUX
@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_parts_come_in_order_and_few_items_are_one_part(jobs: int) -> None:
    parts = in_parts(lambda some: (os.getpid(), list(some)), range(7), jobs, least=2)
    assert [item for _, own in parts for item in own] == list(range(7))
    assert len({process for process, _ in parts}) == len(parts) == jobs
    assert in_parts(list, range(3), jobs, least=2) == [[0, 1, 2]]
    assert in_parts(list, (), jobs, least=2) == [[]]
