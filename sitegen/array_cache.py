"""Cache of large tables from build to build: one checked file of plain numbers and texts.

For what would take longer to read as lines of JSON than to find anew. A file that is damaged, of
another code or of another setting is as good as absent; nothing in it is ever executed.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegen.atomic import write_parts

_BEGINNING = b"sitegen arrays 2\n"
_KINDS = frozenset(("bool", "uint8", "uint16", "int32", "int64", "uint64", "float32", "float64"))
_TEXTS = "texts"
_ALIGNED = 8

Table = Mapping[str, "npt.NDArray[Any] | tuple[str, ...]"]
"""Arrays and lists of strings by name."""


def load(path: Path, setting: str) -> dict[str, Any]:
    """Return what `save` put into a file under the same setting; nothing where it is not sound.

    Arrays can't be written to.
    """
    try:
        data = path.read_bytes()
        return _read(memoryview(data), setting)
    except (OSError, ValueError, TypeError, KeyError, UnicodeDecodeError):
        return {}


def save(path: Path, setting: str, table: Table) -> bool:
    """Keep a table; return whether it was written, a folder that cannot be written to is no error.

    Args:
        path: the file.
        setting: names all that decides the table beside what is in it: options, code.
        table: arrays of numbers, and tuples of strings.
    """
    head: list[list[Any]] = []
    parts: list[bytes | memoryview] = []
    for name, values in table.items():
        if isinstance(values, tuple):
            lengths = np.fromiter(map(len, values), np.int32, len(values))
            letters = "".join(values).encode("utf-8", "surrogatepass")
            head.append([name, _TEXTS, [len(values)], len(letters)])
            parts += [_bytes(lengths), _padding(4 * len(values)), letters]
        else:
            head.append([name, values.dtype.name, list(values.shape), values.nbytes])
            parts.append(_bytes(values))
        parts.append(_padding(head[-1][-1]))
    described = json.dumps([_setting(setting), head]).encode()
    parts.insert(
        0, described + b" " * (-(len(_BEGINNING) + 10 + len(described)) % _ALIGNED) + b"\n"
    )
    checksum = 0
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    try:
        write_parts(path, [_BEGINNING, b"%08x\n" % checksum, *parts])
    except OSError:
        return False
    return True


def _setting(setting: str) -> str:
    """Add what decides figures beside our own code: other versions may round otherwise."""
    return f"{setting} numpy {np.__version__}"


def _padding(size: int) -> bytes:
    """Return what follows a part of so many bytes: numbers that lie askew are slow to read."""
    return bytes(-size % _ALIGNED)


def _bytes(values: npt.NDArray[Any]) -> memoryview:
    return np.ascontiguousarray(values).reshape(-1).view(np.uint8).data


def _read(data: memoryview, setting: str) -> dict[str, Any]:
    start = len(_BEGINNING) + 9
    if bytes(data[: len(_BEGINNING)]) != _BEGINNING:
        raise ValueError
    end = bytes(data[start : start + (1 << 16)]).index(b"\n") + start + 1
    found, head = json.loads(bytes(data[start:end]))
    if found != _setting(setting) or bytes(data[start - 9 : start]) != b"%08x\n" % zlib.crc32(
        data[start:]
    ):
        raise ValueError
    table: dict[str, Any] = {}
    for name, kind, shape, size in head:
        if kind == _TEXTS:
            begin, after = end, end + 4 * shape[0]
            end = after + -after % _ALIGNED
            table[name] = _texts(data[begin:after], data[end : end + size])
        elif kind in _KINDS:
            table[name] = np.frombuffer(data[end : end + size], kind).reshape(shape)
        else:
            raise ValueError
        end += size + -size % _ALIGNED
    return table


def _texts(lengths: memoryview, letters: memoryview) -> tuple[str, ...]:
    joined = str(letters, "utf-8", "surrogatepass")
    ends = np.cumsum(np.frombuffer(lengths, np.int32), dtype=np.int64).tolist()
    return tuple([joined[start:end] for start, end in pairwise([0, *ends])])
