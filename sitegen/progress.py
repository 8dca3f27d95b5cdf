"""Tells what a command is doing, and keeps the time each stage took."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

Advance = Callable[[int, int], None]
"""Called with (done, total) as a stage goes on."""


class Progress:
    """Keeps times and says nothing; the base of those that speak."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        """Stage name to seconds; a stage entered twice adds up."""
        self.cpu: dict[str, float] = {}
        """The same in seconds of processor time, of this process and those it started."""

    @contextmanager
    def stage(self, name: str) -> Iterator[Advance]:
        """Run a stage under a name; yields a function to report how far it is."""
        start, busy = time.perf_counter(), _cpu()
        try:
            with self._show(name) as advance:
                yield advance
        finally:
            spent, used = time.perf_counter() - start, _cpu() - busy
            self.seconds[name] = round(self.seconds.get(name, 0.0) + spent, 3)
            self.cpu[name] = round(self.cpu.get(name, 0.0) + used, 3)

    @contextmanager
    def _show(self, name: str) -> Iterator[Advance]:  # noqa: ARG002 - the base shows nothing
        yield _ignore

    def say(self, text: str) -> None:
        """Print one line about the work."""


def _cpu() -> float:
    """Return the seconds of this process, of those it waited for and, on Linux, of running ones."""
    times = os.times()
    return sum(times[:4]) + sum(map(_cpu_of, _children(os.getpid())))


def _cpu_of(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    except OSError:  # it has ended, or this is no Linux
        return 0.0
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(_cpu_of, _children(process)))


def _children(process: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


class LineProgress(Progress):
    """One plain line a stage, for logs and pipes."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self.stream = stream

    @contextmanager
    def _show(self, name: str) -> Iterator[Advance]:
        start = time.perf_counter()
        yield _ignore
        self.say(f"{name:<12} {time.perf_counter() - start:7.2f} s")

    def say(self, text: str) -> None:
        """Print one line to the stream."""
        print(text, file=self.stream, flush=True)


class BarProgress(Progress):
    """Progress bars on a terminal; stages too short to see leave no trace."""

    @contextmanager
    def _show(self, name: str) -> Iterator[Advance]:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bars

        columns = (
            TextColumn("{task.description:<12}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
            task = bars.add_task(name, total=None)
            yield lambda done, total: bars.update(task, completed=done, total=total)

    def say(self, text: str) -> None:
        """Print one line to standard error."""
        print(text, file=sys.stderr, flush=True)


def _ignore(done: int, total: int) -> None:
    """Take a report of how far a stage is, and show nothing."""


def choose_progress(*, quiet: bool) -> Progress:
    """Return bars for a terminal, lines for anything else, silence on request."""
    if quiet:
        return Progress()
    return BarProgress() if sys.stderr.isatty() else LineProgress(sys.stderr)
