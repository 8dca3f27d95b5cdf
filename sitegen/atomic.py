"""Files that are whole at any moment: written aside, then put in place by one rename."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def clear_leftovers(*folders: Path) -> None:
    """Remove what runs that were killed left half-written in these folders."""
    for folder in folders:
        for file in folder.glob(".*.*.tmp"):
            owner = file.name.split(".")[-2]
            if owner.isdecimal() and not _runs(int(owner)):
                if file.is_dir() and not file.is_symlink():
                    shutil.rmtree(file, ignore_errors=True)
                with suppress(OSError):
                    file.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # somebody else's
    return True


def write_atomic(path: Path, data: bytes, *, synced: bool = True) -> bool:
    """Write a file so that it is always whole; return False where it held these bytes already.

    Args:
        path: of the file; its folder is made.
        data: what it is to hold.
        synced: wait until the disk has it. Not for what can be made again: the disk would first
            write out the whole site that is being made beside it.
    """
    with suppress(OSError):
        if path.read_bytes() == data:
            return False
    write_parts(path, [data], synced=synced)
    return True


def write_parts(path: Path, parts: Iterable[bytes | memoryview], *, synced: bool = False) -> None:
    """Write a file of several parts so that it is always whole; see `write_atomic`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with aside.open("wb") as handle:
            for part in parts:
                handle.write(part)
            if synced:
                handle.flush()
                os.fsync(handle.fileno())
        aside.chmod(0o644)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
