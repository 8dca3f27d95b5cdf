"""Runs a function in forked processes, over slices of a list or beside all else: nothing is copied.

A child sees the parent's memory as it was, so that large inputs cost nothing to hand over; only
results travel. Where the system can't fork safely all is done in this process.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache, partial
from itertools import pairwise
from multiprocessing.connection import Connection
from typing import Any, TypeVar, cast

from sitegen.diagnostics import Location, SitegenError, error
from sitegen.orphans import end_with_parent

T = TypeVar("T")
R = TypeVar("R")

SLICES = 8
"""Slices a process, so that none waits long for the last one."""
LEAST = 200
"""Items for which one more process pays."""

_task: tuple[Callable[[Sequence[Any]], Any], Sequence[Any]] | None = None
"""What the children of one call inherit."""


def map_slices(
    function: Callable[[Sequence[T]], R], items: Sequence[T], jobs: int
) -> Iterator[tuple[int, R]]:
    """Yield the number of items done so far and ``function(slice)``, slice by slice in order.

    Args:
        function: reads what it likes; what it changes in memory is lost.
        items: cut into slices that depend on their number and on jobs alone.
        jobs: processes at most.

    Raises:
        SitegenError: a process ended without an answer, mostly for want of memory.
    """
    jobs = min(jobs, -(-len(items) // LEAST))
    size = max(1, -(-len(items) // (SLICES * jobs))) if jobs > 1 else LEAST
    starts = range(0, len(items), size)
    if jobs < 2 or not sys.platform.startswith("linux"):
        for start in starts:
            yield min(start + size, len(items)), function(items[start : start + size])
        return
    context = multiprocessing.get_context("fork")
    gc.freeze()  # collecting garbage in a child would copy the parent's pages
    try:
        task = (function, items, os.getpid())
        with ProcessPoolExecutor(jobs, context, _inherit, task) as pool:
            with warnings.catch_warnings():
                # The children run no code that takes locks of the parent's other threads.
                warnings.simplefilter("ignore", DeprecationWarning)
                futures = [pool.submit(_run, start, start + size) for start in starts]
            for start, future in zip(starts, futures, strict=True):
                yield min(start + size, len(items)), cast("R", future.result())
    except BrokenProcessPool as exc:
        text = "a process of the build ended without an answer"
        hint = "it may have run out of memory: try --jobs 1"
        raise SitegenError(error("publish-process", text, Location("sitegen"), hint)) from exc
    finally:
        gc.unfreeze()


def in_parts(
    function: Callable[[Sequence[T]], R], items: Sequence[T], jobs: int, *, least: int
) -> list[R]:
    """Return ``function(part)`` of a part a process, in order; for what is dear to begin.

    Args:
        function: pure.
        items: cut into equal parts; one of them is done in this process.
        jobs: processes at most.
        least: items that one more process pays for.
    """
    count = max(1, min(jobs, len(items) // least))
    bounds = [len(items) * number // count for number in range(count + 1)]
    parts = [items[start:end] for start, end in pairwise(bounds)]
    others = [beside(partial(function, part), jobs) for part in parts[1:]]
    return [function(parts[0]), *(wait() for wait in others)]


def beside(function: Callable[[], R], jobs: int) -> Callable[[], R]:
    """Start a function in a forked process; return what waits for its result.

    Args:
        function: pure but for files that it writes; what it changes in memory is lost.
        jobs: with one it is called in this process, when its result is asked for.

    Returns:
        a function that gives the result, or raises what the function raises; where the process
        ended without an answer all is done here.
    """
    if jobs < 2 or not sys.platform.startswith("linux"):
        return cache(function)
    context = multiprocessing.get_context("fork")
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(
        target=_answer, args=(function, writer, os.getpid()), daemon=True, name="sitegen-beside"
    )
    gc.freeze()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # as above
            process.start()
    finally:
        gc.unfreeze()
    writer.close()

    def wait() -> R:
        try:
            result = cast("R", reader.recv())
        except (EOFError, OSError):
            result = function()
        finally:
            reader.close()
            process.join()
        return result

    return cache(wait)


def _answer(function: Callable[[], object], writer: Connection, parent: int) -> None:
    end_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops us, without a traceback each
    with contextlib.suppress(Exception):  # the parent meets it itself, with its own traceback
        writer.send(function())
    writer.close()


def _inherit(function: Callable[[Sequence[Any]], Any], items: Sequence[Any], parent: int) -> None:
    global _task  # noqa: PLW0603 - a child's own; handed over by the fork itself
    end_with_parent(parent)
    _task = (function, items)


def _run(start: int, end: int) -> object:
    if _task is None:
        raise RuntimeError
    function, items = _task
    return function(items[start:end])
