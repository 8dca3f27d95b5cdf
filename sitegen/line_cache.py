"""Cache of what was found out about single texts: one checked JSON line each, a file a setting.

A line that is cut, altered or of another shape is as good as absent: its text is read again. Keys
are hashes and plain ASCII words, so that a line can be passed over without being decoded.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import io
import json
import os
import re
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sitegen.atomic import write_atomic

SETTINGS = 5
"""Files of one kind that stay: of several models, and of the code before an upgrade."""
DAYS = 30
_CACHE_FILE = re.compile(r"([a-z]+)-[0-9a-f]{16}\.(?:jsonl|rows)")
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


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Look for no cycles while many small objects are made that stay; it takes much of the time.

    Afterwards they count as old, so that they are not looked through when the next ones are made.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.freeze()
            gc.unfreeze()
            gc.enable()


def note_use(path: Path) -> None:
    """Note on a cache file that it is in use: its time says when it last was."""
    with contextlib.suppress(OSError):
        os.utime(path)


def forget_unused(folder: Path) -> None:
    """Remove cache files of settings and code that nobody comes back to.

    Of each kind the `SETTINGS` last used stay, so that a curator can go back and forth between
    models, and none that was not used for `DAYS`.
    """
    kinds: dict[str, list[tuple[float, Path]]] = {}
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if found := _CACHE_FILE.fullmatch(path.name):
                kinds.setdefault(found[1], []).append((path.stat().st_mtime, path))
    oldest = time.time() - DAYS * 86_400
    for files in kinds.values():
        files.sort(reverse=True)
        for number, (last, path) in enumerate(files):
            if number >= SETTINGS or last < oldest:
                with contextlib.suppress(OSError):
                    path.unlink()


class LineCache:
    """One cache file: only what is asked for is held in memory, what is new is appended."""

    def __init__(self, path: Path | None, spare: int | None = None) -> None:
        """Take the file for one setting.

        Args:
            path: the file; None for nowhere.
            spare: unused entries that may stay; SPARE where none is given.
        """
        self._path = path
        if path:
            note_use(path)
        self._spare = spare
        self._lines = 0
        self._used: set[str] = set()

    def read(self, keys: Iterable[str], used: Iterable[str] = ()) -> dict[str, Any]:
        """Return the sound entries of these keys; none for a missing file.

        Args:
            keys: what is asked for.
            used: further keys that are in use, so that their entries stay.
        """
        wanted = set(keys)
        entries: dict[str, Any] = {}
        self._lines = 0
        with uncollected():
            for line in self._raw():
                self._lines += 1
                if (key := _key_of(line)) in wanted:
                    checksum, _, body = line.partition(b" ")
                    if checksum == b"%08x" % zlib.crc32(body):
                        with contextlib.suppress(ValueError, TypeError):
                            _, entries[key] = json.loads(body)
        self._used |= wanted
        self._used.update(used)
        return entries

    def add(self, entries: Mapping[str, Any]) -> bool:
        """Append entries; return whether they were written.

        A folder that cannot be written to is no error, only slow.
        """
        if self._path is None or not entries:
            return False
        self._used |= entries.keys()
        self._lines += len(entries)
        lines = b"".join(_line(key, value) for key, value in entries.items())
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab+") as file:
                # Behind a line that was cut short, by a full disk or a kill.
                if file.tell() and file.seek(-1, 2) >= 0 and file.read(1) != b"\n":
                    lines = b"\n" + lines
                file.write(lines)
        except OSError:
            return False
        return True

    def tidy(self) -> bool:
        """Drop unused entries where they are many; return whether the file was written."""
        spare = SPARE if self._spare is None else self._spare
        if self._path is None or self._lines <= 4 * len(self._used) + spare:
            return False
        kept = {key: line for line in self._raw() if (key := _key_of(line)) in self._used}
        try:
            write_atomic(self._path, b"".join(line + b"\n" for line in kept.values()))
        except OSError:
            return False
        self._lines = len(kept)
        return True

    def _raw(self) -> Iterator[bytes]:
        try:
            with self._path.open("rb") if self._path else io.BytesIO() as file:
                for line in file:
                    yield line.rstrip(b"\n")
        except OSError:
            return


def _key_of(line: bytes) -> str:
    """Return the key of a line, unchecked; empty where it has none that can be seen."""
    start = line.find(b'["') + 2
    end = line.find(b'",', start)
    return line[start:end].decode("ascii", "replace") if 1 < start <= 11 and end > 0 else ""


def _line(key: str, value: Any) -> bytes:
    body = json.dumps([key, value], separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(body), body)
