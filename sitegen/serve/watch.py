"""Notices saved files by their times and sizes: works on every file system, needs no service."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from sitegen.config import Config

Snapshot = Mapping[str, tuple[int, int, int]]
"""Path from the root to modification time in ns, size and inode of each file."""

FOLDERS = ("content", "templates")
POLL = 0.3
"""Seconds between two looks."""
SETTLE = 0.05
"""Seconds without a change that end a save: editors write in several steps."""
MOST = 20
"""Looks to wait for the end of a save."""


def watched(config: Config) -> tuple[str, ...]:
    """Return the files and folders, from the root, that a build reads; ``.`` for the whole root."""
    patterns = [source.pattern for source in config.sources]
    firsts = [PurePosixPath(path).parts[:1] for path in (*patterns, config.tags.aliases)]
    names = {*FOLDERS, *(first for parts in firsts for first in parts)}
    if any(char in name for name in names for char in "*?["):
        return (".",)
    return tuple(sorted(names))


def look(root: Path, names: Iterable[str], ignored: Path) -> Snapshot:
    """Return the present state of what is watched.

    Hidden files and folders, editors' backups and the folder ``ignored`` count as not there.
    """
    return dict(_states(root, names, ignored.absolute()))


def _states(
    root: Path, names: Iterable[str], ignored: Path
) -> Iterator[tuple[str, tuple[int, int, int]]]:
    for name in names:
        top = root / name
        if top.is_file():
            yield from _state(name, top)
            continue
        for folder, below, files in os.walk(top):
            inside = Path(folder)
            below[:] = sorted(
                each
                for each in below
                if not each.startswith(".") and (inside / each).absolute() != ignored
            )
            for file in sorted(files):
                if not file.startswith((".", "#")) and not file.endswith("~"):
                    path = inside / file
                    yield from _state(path.relative_to(root).as_posix(), path)


def _state(name: str, path: Path) -> Iterator[tuple[str, tuple[int, int, int]]]:
    try:
        status = path.stat()
    except OSError:  # gone again, or a link into nothing
        return
    yield name, (status.st_mtime_ns, status.st_size, status.st_ino)


def await_change(see: Callable[[], Snapshot], before: Snapshot) -> Snapshot:
    """Wait until something differs and no more is being written; return the new state.

    Args:
        see: takes a look.
        before: the state that is known.
    """
    while True:
        start = time.perf_counter()
        now = see()
        if now != before:
            break
        # looking at a hundred thousand files must not keep a core busy
        time.sleep(max(POLL, 10 * (time.perf_counter() - start)))
    for _ in range(MOST):
        time.sleep(SETTLE)
        if (later := see()) == now:
            break
        now = later
    return now
