"""Cache of what was found out about single texts: one checked JSON line each, a file a setting.

A line that is cut, altered or of another shape is as good as absent: its text is read again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sitegen.atomic import write_atomic

SPARE = 1000
"""So many unused entries are kept beyond three for each used one, before all unused ones go."""


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text; a lone surrogate counts as itself."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def code_hash(*names: str) -> str:
    """Return a hash of modules, packages and data files of sitegen, by path from its folder.

    Whatever decides a cached result belongs here: a name may be a file, a folder or a pattern.
    """
    here = Path(__file__).parent
    digest = hashlib.sha256()
    for name in names:
        for path in sorted(here.glob(name)):
            for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
                digest.update(file.relative_to(here).as_posix().encode())
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def path_of(folder: Path, kind: str, setting: str) -> Path:
    """Return the file for a setting (any string: model, options, code)."""
    return folder / f"{kind}-{hashlib.sha256(setting.encode()).hexdigest()[:16]}.jsonl"


def load(path: Path | None) -> dict[str, Any]:
    """Return the sound entries of a cache file by key; none for a missing file."""
    try:
        lines = path.read_bytes().split(b"\n") if path else []
    except OSError:
        return {}
    entries = {}
    for line in lines:
        checksum, _, body = line.partition(b" ")
        if checksum != b"%08x" % zlib.crc32(body):
            continue
        with contextlib.suppress(ValueError, TypeError):
            key, value = json.loads(body)
            entries[key] = value
    return entries


def save(path: Path | None, entries: Mapping[str, Any], used: Iterable[str]) -> bool:
    """Write a cache file, whole or not at all; unused entries stay while they are few.

    Args:
        path: the file; None for nowhere.
        entries: all that is known.
        used: keys that this run needed.

    Returns:
        Whether it was written; a folder that cannot be written to is no error, only slow.
    """
    if path is None:
        return False
    needed = set(used)
    few = len(entries) - len(needed) <= 3 * len(needed) + SPARE
    kept = {key: value for key, value in sorted(entries.items()) if few or key in needed}
    lines = b"".join(_line(key, value) for key, value in kept.items())
    try:
        write_atomic(path, lines)
    except OSError:
        return False
    return True


def _line(key: str, value: Any) -> bytes:
    body = json.dumps([key, value], separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(body), body)
