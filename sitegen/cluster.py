"""Workers of a Dask cluster: the extra ``sitegen[dask]``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module, util
from typing import Any

from sitegen.diagnostics import Location, SitegenError, error
from sitegen.workers import Workers, code_mark, local_workers

FORM = "dask://HOST:PORT"
CONNECTING = 15.0
"""Seconds a scheduler may take to answer, and then a first worker to be there."""
_ADDRESS = re.compile(r"dask://(\[[0-9A-Fa-f:.]+\]|[^\s:/@\[\]]+):(\d{1,5})/?\Z")
_PLACE = Location("--executor")


def scheduler_of(address: str) -> str:
    """Return where the scheduler of an address of the form FORM listens; empty for other forms."""
    match = _ADDRESS.match(address)
    return f"tcp://{match[1]}:{match[2]}" if match and 0 < int(match[2]) < 65536 else ""


@contextmanager
def open_workers(address: str, jobs: int, say: Callable[[str], None]) -> Iterator[Workers]:
    """Give those who work: of a Dask cluster, or processes of this machine.

    Args:
        address: of the form FORM; empty for this machine.
        jobs: processes of this machine.
        say: see `Workers`.

    Raises:
        SitegenError: the cluster can't be used.
    """
    if not address:
        with local_workers(jobs, say) as workers:
            yield workers
        return
    client = _connect(address)
    try:
        threads = _prove(client, address)
        yield Workers(
            executor=client.get_executor(pure=False),
            say=say,
            alive=lambda: _has_workers(client),
            code=code_mark(),
            waiting=4 * threads,
            always=True,
        )
    finally:
        client.close(timeout=CONNECTING)


def _connect(address: str) -> Any:
    scheduler = scheduler_of(address)
    if not scheduler:
        text = f'"{address}" is no address of a cluster'
        raise SitegenError(error("executor-address", text, _PLACE, f"write {FORM}"))
    if util.find_spec("distributed") is None:
        hint = 'run "pip install sitegen[dask]", or leave --executor out'
        text = "needs the package distributed"
        raise SitegenError(error("executor-missing", text, _PLACE, hint))
    try:
        return import_module("distributed").Client(
            scheduler, timeout=CONNECTING, set_as_default=False
        )
    except (OSError, ValueError) as exc:
        text = f"no scheduler answers at {address} within {CONNECTING:.0f} s"
        hint = 'start one with "dask scheduler", or leave --executor out'
        raise SitegenError(error("executor-unreachable", text, _PLACE, hint)) from exc


def _prove(client: Any, address: str) -> int:
    """Return the number of the cluster's threads, if all its workers are as this process."""
    try:
        client.wait_for_workers(1, timeout=CONNECTING)
    except TimeoutError as exc:
        text = f"the cluster at {address} has no worker"
        hint = f'start some with "dask worker {scheduler_of(address)}"'
        raise SitegenError(error("executor-unreachable", text, _PLACE, hint)) from exc
    marks = client.run(code_mark, on_error="return")
    other = sorted(worker for worker, mark in marks.items() if mark != code_mark())
    if other:
        text = f"{len(other)} of {len(marks)} workers have no sitegen, or not this one: {other[0]}"
        hint = "install the same sitegen with the same versions of its libraries everywhere"
        raise SitegenError(error("executor-differs", text, _PLACE, hint))
    threads: int = sum(client.nthreads().values())
    return max(1, threads)


def _has_workers(client: Any) -> bool:
    try:
        return bool(client.nthreads())
    except Exception:  # whatever it is, nobody answers
        return False
