"""Finished shards in the cache: one archive each, named by all that decides on what is in it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Container, Mapping
from contextlib import suppress
from pathlib import Path

from sitegen.atomic import write_atomic

SUFFIX = ".zip"


def load(folder: Path, key: str) -> dict[str, bytes] | None:
    """Return the files of a shard by path; None where it is missing or damaged."""
    try:
        with zipfile.ZipFile(folder / f"{key}{SUFFIX}") as archive:
            # Reading checks each file against its checksum.
            return {name: archive.read(name) for name in archive.namelist()}
    except (OSError, EOFError, ValueError, NotImplementedError, zipfile.BadZipFile):
        return None


def save(folder: Path, key: str, files: Mapping[str, bytes]) -> bool:
    """Keep the files of a shard.

    Returns:
        whether they are kept; a folder that cannot be written to is no error, only slow.
    """
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:  # stored: Pagefind compressed them
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path), data)
    try:
        write_atomic(folder / f"{key}{SUFFIX}", held.getvalue(), synced=False)
    except OSError:
        return False
    return True


def forget(folder: Path, needed: Container[str]) -> None:
    """Remove all shards but those needed."""
    for file in folder.glob(f"*{SUFFIX}"):
        if file.stem not in needed:
            with suppress(OSError):
                file.unlink()
