"""Finished shards in the cache: one pack each, named by all that decides on what is in it.

A pack is the hash of what follows, a line of JSON with the files' paths and sizes, and their bytes.
It is read and checked as a whole: a shard has a thousand small files, most of them published
already.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sitegen.atomic import write_atomic

SUFFIX = ".pack"
FORMER = ".zip"
"""Of packs that earlier versions made."""
_HASH = 64
"""Hexadecimal digits of SHA-256."""


@dataclass(frozen=True, slots=True)
class Pack:
    """The files of a shard."""

    digest: str
    """SHA-256 of paths and bytes."""
    files: Mapping[str, memoryview]
    """By path below the shard's folder."""


def load(folder: Path, key: str) -> Pack | None:
    """Return a shard; None where it is missing or damaged."""
    try:
        data = (folder / f"{key}{SUFFIX}").read_bytes()
    except OSError:
        return None
    body = memoryview(data)[_HASH:]
    digest = hashlib.sha256(body).hexdigest()
    if data[:_HASH] != digest.encode():
        return None
    head = data.index(b"\n", _HASH)
    return Pack(digest, dict(_cut(json.loads(data[_HASH:head]), memoryview(data)[head + 1 :])))


def _cut(sizes: Mapping[str, int], data: memoryview) -> Iterator[tuple[str, memoryview]]:
    at = 0
    for path, size in sizes.items():
        yield path, data[at : at + size]
        at += size


def save(folder: Path, key: str, files: Mapping[str, bytes]) -> bool:
    """Keep the files of a shard.

    Returns:
        whether they are kept; a folder that cannot be written to is no error, only slow.
    """
    sizes = json.dumps({path: len(data) for path, data in files.items()}).encode()
    body = b"".join([sizes, b"\n", *files.values()])
    data = hashlib.sha256(body).hexdigest().encode() + body
    try:
        write_atomic(folder / f"{key}{SUFFIX}", data, synced=False)
    except OSError:
        return False
    return True


def forget(folder: Path, needed: Container[str]) -> None:
    """Remove all shards but those needed."""
    for file in (*folder.glob(f"*{SUFFIX}"), *folder.glob(f"*{FORMER}")):
        if file.stem not in needed or file.suffix == FORMER:
            with suppress(OSError):
                file.unlink()
