"""Who does the work of a stage: this process, other processes, or any executor that is given.

Work is cut into batches; their results come back in order, so that nothing depends on who did what.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from typing import TypeVar

from sitegen import line_cache
from sitegen.diagnostics import SitegenError
from sitegen.orphans import end_with_parent

T = TypeVar("T")
R = TypeVar("R")

WAITING = 32
"""Most batches that are handed out at once: bounds memory."""
PATIENCE = 10.0
"""Seconds after which a batch is asked for anew whether anybody is left to do it."""


def _say_nothing(text: str) -> None:
    """Take a line that nobody wants to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workers:
    """Who works; all are equal, since results do not depend on them."""

    executor: Executor | None = field(default=None, compare=False)
    """None for this process."""
    say: Callable[[str], None] = field(default=_say_nothing, compare=False)
    """Told, in one line, that work had to be done here after all."""
    alive: Callable[[], bool] = field(default=lambda: True, compare=False)
    """Tells whether anybody is left to work, where an executor would wait for ever."""
    code: str = field(default="", compare=False)
    """`code_mark` that workers must have; empty where they can have no other."""
    always: bool = field(default=False, compare=False)
    """Whether little work is shared, too."""
    waiting: int = field(default=WAITING, compare=False)
    """Most batches that are handed out at once."""

    def share(self, count: int, least: int) -> bool:
        """Tell whether so many items are handed out: from ``least`` on, if anybody can help."""
        return self.executor is not None and (self.always or count >= least) and count > 0

    def run(
        self,
        work: Callable[[Sequence[T]], Sequence[R]],
        items: Sequence[T],
        *,
        size: int,
        least: int,
    ) -> Iterator[Sequence[R]]:
        """Yield ``work(batch)`` for the batches of ``items``, in their order.

        What the executor cannot do is done here, and told: a worker that died may come from one
        batch too big for it, but no less from a full machine.

        Args:
            work: pure, and importable by its name, as are all items and results.
            items: what to work on.
            size: of a batch.
            least: fewer items are not worth handing out.

        Raises:
            SitegenError: as ``work`` does.
        """
        batches = [items[start : start + size] for start in range(0, len(items), size)]
        if self.executor is None or not self.share(len(items), least):
            for batch in batches:
                yield _done(work, batch)
            return
        futures: deque[Future[Sequence[R]]] = deque()
        helped = True
        try:
            for number, batch in enumerate(batches):
                result = None
                if helped:
                    try:
                        for ahead in batches[number + len(futures) : number + self.waiting]:
                            futures.append(self.executor.submit(_checked, self.code, work, ahead))
                        result = self._result(futures.popleft())
                    except SitegenError:
                        raise
                    except Exception as exc:  # executors have errors of their own
                        helped = False
                        self.say(_why(exc))
                        _cancel(futures)
                yield _done(work, batch) if result is None else result
        finally:
            _cancel(futures)

    def _result(self, future: Future[Sequence[R]]) -> Sequence[R]:
        while True:
            try:
                return future.result(PATIENCE)
            except TimeoutError:
                if future.done():
                    raise
                if not self.alive():
                    raise NoneLeftError("no worker is left") from None


class NoneLeftError(Exception):
    """All workers of an executor are gone."""


class OtherCodeError(Exception):
    """A worker's sitegen, or a package that decides results, is another one than here."""


ALONE = Workers()
"""Everything is done in this process."""


@contextmanager
def local_workers(jobs: int, say: Callable[[str], None]) -> Iterator[Workers]:
    """Give processes of this machine, which start when there is work enough.

    Args:
        jobs: how many; one means this process.
        say: see `Workers`.
    """
    if jobs == 1:
        yield Workers(say=say)
        return
    # Not forked: another thread (a progress bar's) may hold a lock at that moment.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, _begin, (os.getpid(),))
    try:
        yield Workers(executor=pool, say=say)
    finally:
        pool.shutdown(cancel_futures=True)


@cache
def code_mark() -> str:
    """Return what names all that decides results: sitegen's code and data, and its libraries."""
    code = line_cache.code_hash("**/*.py", "data/*.*", "model/static/*.*")
    libraries = ("keybert", "model2vec", "numpy", "scikit-learn", "tokenizers")
    return " ".join([code, *map(metadata.version, libraries)])


def _begin(parent: int) -> None:
    end_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops us, without a traceback each


def _checked(
    code: str, work: Callable[[Sequence[T]], Sequence[R]], batch: Sequence[T]
) -> Sequence[R]:
    if code and code != code_mark():
        raise OtherCodeError("a worker has another sitegen, or other versions of its libraries")
    return _done(work, batch)


def _done(work: Callable[[Sequence[T]], Sequence[R]], batch: Sequence[T]) -> Sequence[R]:
    with line_cache.uncollected():
        return work(batch)


def _cancel(futures: deque[Future[Sequence[R]]]) -> None:
    for future in futures:
        future.cancel()
    futures.clear()


def _why(exc: Exception) -> str:
    reason = str(exc).strip().split("\n")[0].rstrip(".")
    name = type(exc).__name__
    why = f"{name}: {reason}" if reason else name
    return f"a worker failed ({why}); the rest is done by this process"
