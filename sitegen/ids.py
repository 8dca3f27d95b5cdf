"""Permanent ids from content, and sketches that recognise a text after it was edited."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Container, Sequence

import numpy as np
import numpy.typing as npt

from sitegen.distinct import first_of_each
from sitegen.shingles import CROCKFORD, SIZE, Hashes, digest, runs

SHORTEST = 8
_SAMPLES = 48
_BITS = 20
_CHARS = _BITS // 5
_MASK = np.uint64((1 << _BITS) - 1)
_FEWEST = 6
_BLOCK = 2048
"""Texts looked at together; bounds memory."""
_DIGITS = np.frombuffer(CROCKFORD, dtype=np.uint8)
_PLACES = np.arange(_BITS - 5, -1, -5, dtype=np.uint64)
_VALUES = {chr(digit): value for value, digit in enumerate(CROCKFORD)}


def mint(whole: str, taken: Container[str]) -> str:
    """Return an id for a text: the beginning of its digest, longer where that is taken.

    Args:
        whole: digest of the text.
        taken: all ids that were ever given.
    """
    length = SHORTEST
    while whole[:length] in taken:
        length += 1
        if length > len(whole):  # only the 46th paper of one equal tiny text gets this far
            whole += digest(whole)
    return whole[:length]


def sketches(texts: Sequence[Hashes]) -> list[str]:
    """Return a sample of each text's shingles as text of at most 192 characters.

    The lowest hashes are a random sample of the shingles (bottom-k, Broder 1997); of each, 20 bits
    are kept. Texts of very few shingles have none: they are recognised by equality alone.

    Args:
        texts: hashes of each text's words.
    """
    found: list[str] = []
    for start in range(0, len(texts), _BLOCK):
        found += _sketches(texts[start : start + _BLOCK])
    return found


def _sketches(texts: Sequence[Hashes]) -> list[str]:
    values, owners = _shingles(texts)
    first = first_of_each(values) | first_of_each(owners)
    values, owners = values[first], owners[first]
    sizes = np.bincount(owners, minlength=len(texts))
    ranks = np.arange(len(owners)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    lowest = ranks < _SAMPLES
    low = values[lowest] & _MASK
    low = np.sort(owners[lowest].astype(np.uint64) << np.uint64(_BITS) | low) & _MASK
    digits = str(_DIGITS[(low[:, None] >> _PLACES) & np.uint64(31)].tobytes(), "ascii")
    ends = np.cumsum(np.minimum(sizes, _SAMPLES)) * _CHARS
    starts = np.r_[0, ends[:-1]]
    return [
        digits[start:end] if size >= _FEWEST else ""
        for start, end, size in zip(starts.tolist(), ends.tolist(), sizes.tolist(), strict=True)
    ]


def _shingles(texts: Sequence[Hashes]) -> tuple[Hashes, npt.NDArray[np.int64]]:
    """Return the shingles of texts and the text of each; sorted by text, then by value."""
    sizes = np.array([len(words) for words in texts], dtype=np.int64)
    counts = np.maximum(sizes - SIZE + 1, 0)
    owners = np.repeat(np.arange(len(texts)), sizes)
    values = runs(np.concatenate([np.empty(0, np.uint64), *texts]), SIZE)
    values = values[owners[: len(values)] == owners[SIZE - 1 :]]
    ends = np.cumsum(counts)
    for start, end in zip((ends - counts).tolist(), ends.tolist(), strict=True):
        values[start:end].sort()
    return values, np.repeat(np.arange(len(texts)), counts)


def holders(texts: Sequence[tuple[int, Hashes]], wanted: Collection[int]) -> dict[int, list[int]]:
    """Return who holds a shingle that a sketch keeps such a value of.

    Args:
        texts: whose it is, and the hashes of its words.
        wanted: values of sketches.

    Returns:
        by value the holders, each once, ascending.
    """
    asked = np.zeros(1 << _BITS, dtype=np.bool_)
    asked[list(wanted)] = True
    found: dict[int, set[int]] = defaultdict(set)
    for start in range(0, len(texts), _BLOCK):
        block = texts[start : start + _BLOCK]
        values, owners = _shingles([words for _, words in block])
        low = (values & _MASK).astype(np.int64)
        hits = np.flatnonzero(asked[low])
        for value, at in zip(low[hits].tolist(), owners[hits].tolist(), strict=True):
            found[value].add(block[at][0])
    return {value: sorted(of) for value, of in found.items()}


def read_sketch(text: str) -> tuple[int, ...]:
    """Return the values of a sketch."""
    values = []
    for at in range(0, len(text), _CHARS):
        value = 0
        for char in text[at : at + _CHARS]:
            value = value << 5 | _VALUES[char]
        values.append(value)
    return tuple(values)
