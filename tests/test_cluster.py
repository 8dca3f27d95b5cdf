"""Papers tagged on a real Dask cluster of two workers, and what goes wrong with one."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest

from bench.naming import papers_of
from sitegen import cluster as module
from sitegen import workers as workers_module
from sitegen.cluster import open_workers, scheduler_of
from sitegen.diagnostics import SitegenError
from sitegen.headlines import write_headlines
from sitegen.keywords import KeywordOptions, read
from sitegen.workers import code_mark
from tests.conftest import run_sitegen
from tests.test_workers import TEXTS as MORE_TEXTS

OPTIONS = KeywordOptions(top=8)
TEXTS = MORE_TEXTS[:96]


@contextmanager
def running(program: str, *args: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program of Dask's until the block ends."""
    command = [sys.executable, "-W", "ignore", "-m", f"distributed.cli.{program}", *args]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def a_cluster(folder: Path, size: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a scheduler and workers, each a process; yields its address and the workers."""
    pytest.importorskip("distributed", reason="the extra sitegen[dask] is not installed")
    file = folder / "scheduler.json"
    with ExitStack() as stack:
        told = ("--scheduler-file", str(file), "--no-dashboard")
        stack.enter_context(running("dask_scheduler", "--host", "127.0.0.1", "--port", "0", *told))
        work = ("--nthreads", "1", "--no-nanny", "--local-directory", str(folder), *told)
        workers = [stack.enter_context(running("dask_worker", *work)) for _ in range(size)]
        address = ""
        end = time.monotonic() + 60
        while not address and time.monotonic() < end:
            time.sleep(0.05)
            with suppress(OSError, ValueError):  # it is there before it is whole
                address = json.loads(file.read_text())["address"].replace("tcp://", "dask://")
        if size:
            from distributed import Client

            with Client(scheduler_of(address), timeout=30, set_as_default=False) as client:
                client.wait_for_workers(size, timeout=60)
        yield address, workers


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with a_cluster(tmp_path_factory.mktemp("dask"), 2) as (address, _):
        yield address


def test_a_cluster_tags_as_this_process_does(cluster: str) -> None:
    papers = papers_of(TEXTS)
    with open_workers(cluster, 1, pytest.fail) as workers:
        assert write_headlines(papers, workers=workers) == write_headlines(papers)
        there, here = read(TEXTS, OPTIONS, workers=workers), read(TEXTS, OPTIONS)
    assert there.keywords == here.keywords
    assert np.array_equal(there.vectors, here.vectors)


def test_a_worker_killed_half_way_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitegen.keywords._BATCHES", (8, 0))
    here = read(TEXTS, OPTIONS)
    with a_cluster(tmp_path, 2) as (address, processes):
        steps: list[int] = []

        def kill_one(done: int, todo: int) -> None:
            steps.append(done)
            if len(steps) == 4:
                processes[0].kill()

        with open_workers(address, 1, pytest.fail) as workers:
            there = read(TEXTS, OPTIONS, workers=workers, progress=kill_one)
    assert len(steps) > 8
    assert there.keywords == here.keywords
    assert np.array_equal(there.vectors, here.vectors)


def test_when_all_workers_are_gone_the_rest_is_done_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitegen.keywords._BATCHES", (8, 0))
    monkeypatch.setattr(workers_module, "PATIENCE", 0.3)
    said: list[str] = []
    with (
        a_cluster(tmp_path, 1) as (address, (process,)),
        open_workers(address, 1, said.append) as workers,
    ):
        there = read(TEXTS, OPTIONS, workers=workers, progress=lambda *_: process.kill())
    assert there.keywords == read(TEXTS, OPTIONS).keywords
    assert len(said) == 1
    assert said[0].startswith("a worker failed (")


def test_a_build_on_a_cluster_gives_the_same_bytes(cluster: str, tmp_path: Path) -> None:
    built = {}
    for name, options in (("here", ["--jobs", "1"]), ("there", ["--executor", cluster])):
        seeds = tmp_path / name / "seeds"
        seeds.mkdir(parents=True)
        (seeds / "one.txt").write_text("\n\n".join(TEXTS[:40]))
        ran = run_sitegen("build", "--no-search", *options, cwd=seeds.parent)
        assert ran.returncode == 0, ran.stderr
        files = sorted(path for path in seeds.parent.rglob("public/**/*") if path.is_file())
        built[name] = {str(path.relative_to(seeds.parent)): path.read_bytes() for path in files}
    assert len(built["here"]) > 40
    assert built["here"] == built["there"]


def test_workers_with_another_sitegen_are_refused(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Pickled by its name, the mark is made anew by each worker.
    monkeypatch.setattr(workers_module.line_cache, "code_hash", lambda *_: "another")
    code_mark.cache_clear()
    try:
        with pytest.raises(SitegenError, match=r"2 of 2 workers .* \[executor-differs\]"):
            open_workers(cluster, 1, pytest.fail).__enter__()
    finally:
        code_mark.cache_clear()


def test_a_cluster_without_workers_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CONNECTING", 1.0)
    with (
        a_cluster(tmp_path, 0) as (address, _),
        pytest.raises(SitegenError, match=r"has no worker \[executor-unreachable\]"),
    ):
        open_workers(address, 1, pytest.fail).__enter__()


def test_a_scheduler_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="the extra sitegen[dask] is not installed")
    monkeypatch.setattr(module, "CONNECTING", 1.0)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"dask://127.0.0.1:{free.getsockname()[1]}"
        start = time.monotonic()
        with pytest.raises(SitegenError, match=r"no scheduler answers .* \[executor-unreachable\]"):
            open_workers(address, 1, pytest.fail).__enter__()
    assert time.monotonic() - start < 20


def test_the_package_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.util, "find_spec", lambda name: None)
    with pytest.raises(SitegenError, match=r"pip install sitegen\[dask\]"):
        open_workers("dask://localhost:8786", 1, pytest.fail).__enter__()


@pytest.mark.parametrize(
    ("address", "scheduler"),
    [
        ("dask://localhost:8786", "tcp://localhost:8786"),
        ("dask://[::1]:8786/", "tcp://[::1]:8786"),
        ("dask://localhost", ""),
        ("dask://localhost:0", ""),
        ("dask://localhost:99999", ""),
        ("dask://a@b:1", ""),
        ("tcp://localhost:8786", ""),
        ("http://localhost:8786", ""),
        ("dask://local host:8786", ""),
        ("dask://localhost:8786/x", ""),
    ],
)
def test_addresses_have_one_form(address: str, scheduler: str) -> None:
    assert scheduler_of(address) == scheduler
    if not scheduler:
        with pytest.raises(SitegenError, match="executor-address"):
            open_workers(address, 1, pytest.fail).__enter__()


def test_a_malformed_address_is_a_usage_error(tmp_path: Path) -> None:
    for command in ("build", "check"):
        ran = run_sitegen(command, "--executor", "localhost", cwd=tmp_path)
        assert ran.returncode == 2
        assert "dask://HOST:PORT" in ran.stderr
