"""Cache of rows of numbers found out about single texts: checked blocks of plain arrays.

A block is as good as absent where it is cut or altered: its texts are read again, and the file is
written anew without it. Nothing in it is ever executed.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sitegen.atomic import write_atomic
from sitegen.line_cache import note_use

Row = tuple[str, npt.NDArray[np.uint64]]
"""A label of `LABEL` ASCII characters, and numbers."""

LABEL = 52
KEY = 32
SPARE = 1000
"""So many unused rows are kept beyond three for each used one, before all unused ones go."""
MOST_BLOCKS = 64
"""Blocks in one file, one a build, before they are put together."""
_HEAD = struct.Struct("<8sQQI")
"""Mark, rows, numbers, CRC-32 of what follows."""
_MARK = b"sgrows01"
_LENGTH = np.dtype("<u4")
_NUMBER = np.dtype("<u8")


@dataclass(frozen=True, slots=True)
class _Block:
    """Rows of one block, as they lie in the file."""

    keys: bytes
    labels: bytes
    ends: npt.NDArray[np.int64]
    """Where each row ends in numbers."""
    numbers: npt.NDArray[np.uint64]

    def row(self, at: int) -> Row:
        """Return a row by position."""
        start = int(self.ends[at - 1]) if at else 0
        label = self.labels[at * LABEL : (at + 1) * LABEL].decode("ascii", "replace")
        return label, self.numbers[start : int(self.ends[at])]


class RowCache:
    """One cache file; rows are views of what was read."""

    def __init__(self, path: Path | None) -> None:
        """Take the file for one setting; None for nowhere."""
        self._path = path
        if path:
            note_use(path)
        self._rows = 0
        self._blocks = 0
        self._sound = True
        self._used: set[bytes] = set()

    def read(self, keys: Iterable[bytes]) -> dict[bytes, Row]:
        """Return the sound rows of these keys, hashes of `KEY` bytes; none for a missing file."""
        wanted = set(keys)
        self._used |= wanted
        return {key: block.row(at) for key, block, at in self._each() if key in wanted}

    def add(self, rows: Mapping[bytes, Row]) -> bool:
        """Append rows; return whether they were written: a folder that can't be is no error."""
        if self._path is None or not rows:
            return False
        self._used |= rows.keys()
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if self._sound:
                with self._path.open("ab") as file:
                    file.write(_packed(rows))
            else:
                write_atomic(self._path, _packed({**self._kept(), **rows}), synced=False)
                self._sound, self._blocks, self._rows = True, 0, 0
        except OSError:
            return False
        self._rows += len(rows)
        self._blocks += 1
        return True

    def tidy(self) -> bool:
        """Put blocks together where they or unused rows are many; return whether it was done."""
        many = self._blocks > MOST_BLOCKS or self._rows > 4 * len(self._used) + SPARE
        if self._path is None or not many:
            return False
        kept = self._kept()
        try:
            write_atomic(self._path, _packed(kept), synced=False)
        except OSError:
            return False
        self._rows, self._blocks = len(kept), 1
        return True

    def _kept(self) -> dict[bytes, Row]:
        return {key: block.row(at) for key, block, at in self._each() if key in self._used}

    def _each(self) -> Iterator[tuple[bytes, _Block, int]]:
        """Yield key, block and position of each sound row."""
        try:
            data = self._path.read_bytes() if self._path else b""
        except OSError:
            data = b""
        self._rows = self._blocks = start = 0
        while start < len(data):
            block, start = _block(data, start)
            if block is None:
                break
            self._blocks += 1
            self._rows += len(block.ends)
            for at in range(len(block.ends)):
                yield block.keys[at * KEY : (at + 1) * KEY], block, at
        self._sound = start == len(data)


def _block(data: bytes, start: int) -> tuple[_Block | None, int]:
    """Return the block that starts at a byte and where it ends; None and -1 for a damaged one."""
    body = start + _HEAD.size
    if body > len(data):
        return None, -1
    mark, rows, numbers, checksum = _HEAD.unpack_from(data, start)
    end = body + rows * (KEY + LABEL + _LENGTH.itemsize) + numbers * _NUMBER.itemsize
    whole = mark == _MARK and end <= len(data)
    if not whole or zlib.crc32(memoryview(data)[body:end]) != checksum:
        return None, -1
    labels = body + rows * KEY
    lengths = labels + rows * LABEL
    ends = np.cumsum(np.frombuffer(data, _LENGTH, rows, lengths), dtype=np.int64)
    if (int(ends[-1]) if rows else 0) != numbers:
        return None, -1
    values = np.frombuffer(data, _NUMBER, numbers, lengths + rows * _LENGTH.itemsize)
    return _Block(data[body:labels], data[labels:lengths], ends, values), end


def _packed(rows: Mapping[bytes, Row]) -> bytes:
    """Return rows as one block."""
    numbers = [each for _, each in rows.values()]
    body = b"".join(
        (
            *rows,
            *(label.encode("ascii", "replace") for label, _ in rows.values()),
            np.array(list(map(len, numbers)), _LENGTH).tobytes(),
            *(each.astype(_NUMBER, copy=False).tobytes() for each in numbers),
        )
    )
    count = sum(map(len, numbers))
    return _HEAD.pack(_MARK, len(rows), count, zlib.crc32(body)) + body
