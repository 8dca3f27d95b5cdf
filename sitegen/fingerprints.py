"""Fingerprints of frozen values: equal ones mean equal values, whichever of their parts are shared.

What a file of the site is made from is far smaller than the work of making it, so that a build
compares fingerprints first.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.metadata import version
from operator import attrgetter
from pathlib import Path
from typing import Any

MAKERS = ("jinja2", "markupsafe", "markdown-it-py")
"""Libraries that make HTML."""
_IGNORED = {"__pycache__"}

Reduce = Callable[[Any], tuple[type, tuple[Any, ...]]]


class Fingerprints:
    """Makes fingerprints; remembers those of parts that many values share.

    Args:
        base: what all fingerprints hold.
        shared: classes whose objects many values hold; each object is read once.
    """

    def __init__(self, base: bytes, shared: Iterable[type] = ()) -> None:
        self._base = hashlib.sha256(base)
        self._parts = _Reducers()
        self._whole = _Reducers(dict.fromkeys(shared, self._part))
        # The object is kept, so that its id stays its own.
        self._known: dict[int, tuple[object, tuple[type, tuple[bytes]]]] = {}

    def of(self, *values: object) -> str:
        """Return the fingerprint of some values, 32 hexadecimal digits."""
        return self.bytes_of(*values).hex()

    def bytes_of(self, *values: object) -> bytes:
        """Return the same as 16 bytes."""
        digest = self._base.copy()
        digest.update(_flat(values, self._whole))
        return digest.digest()[:16]

    def _part(self, value: object) -> tuple[type, tuple[bytes]]:
        known = self._known.get(id(value))
        if known is None:
            digest = hashlib.sha256(_flat(value, self._parts)).digest()
            known = self._known[id(value)] = value, (bytes, (digest,))
        return known[1]


class _Reducers(dict[type, Reduce]):
    """How values of each class are read: dataclasses by their fields, all else as pickle does.

    Fields that do not count when values are compared are left out. Python's own way of reading a
    slotted dataclass takes five times as long.
    """

    def __missing__(self, kind: type) -> Reduce:
        names = [each.name for each in fields(kind) if each.compare] if is_dataclass(kind) else []
        if not names:
            raise KeyError(kind)
        # With two names at least the getter gives a tuple.
        get = attrgetter(*names, *names) if len(names) == 1 else attrgetter(*names)

        def reduce(value: object) -> tuple[type, tuple[Any, ...]]:
            return kind, get(value)

        self[kind] = reduce
        return reduce


def _flat(value: object, reducers: _Reducers) -> bytes:
    """Return a value's bytes, the same for equal values whichever of their parts are one object."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, protocol=5)
    pickler.fast = True
    pickler.dispatch_table = reducers
    pickler.dump(value)
    return buffer.getvalue()


@cache
def code_digest() -> bytes:
    """Digest of the package, of the built-in templates and of the libraries."""
    package = Path(__file__).parent
    parts = [digest_of(package), digest_of(package.parent / "templates"), sys.version.encode()]
    parts += [version(name).encode() for name in MAKERS]
    return hashlib.sha256(b"\n".join(parts)).digest()


def digest_of(folder: Path) -> bytes:
    """Digest of all files of a folder, which need not exist."""
    digest = hashlib.sha256()
    for file in _files(folder):
        name = file.relative_to(folder).as_posix()
        digest.update(f"{name}\0{file.stat().st_size}\0".encode() + file.read_bytes())
    return digest.digest()


def _files(folder: Path) -> Iterable[Path]:
    return sorted(
        file
        for file in folder.rglob("*")
        if file.is_file() and not _IGNORED.intersection(file.parts)
    )
