"""Permanent ids from content, and sketches that recognise a text after it was edited."""

from __future__ import annotations

from collections.abc import Container

import numpy as np

from sitegen.shingles import CROCKFORD, Hashes, digest

SHORTEST = 8
_SAMPLES = 48
_BITS = 20
_CHARS = _BITS // 5
_MASK = np.uint64((1 << _BITS) - 1)
_FEWEST = 6
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


def sketch(shingles: Hashes) -> str:
    """Return a sample of a text's shingles as text of at most 192 characters.

    The lowest hashes are a random sample of the shingles (bottom-k, Broder 1997); of each, 20 bits
    are kept. Texts of very few shingles have none: they are recognised by equality alone.
    """
    if len(shingles) < _FEWEST:
        return ""
    values = np.sort(shingles[:_SAMPLES] & _MASK)
    digits = _DIGITS[(values[:, None] >> _PLACES) & np.uint64(31)]
    return str(digits.tobytes(), "ascii")


def read_sketch(text: str) -> tuple[int, ...]:
    """Return the values of a sketch."""
    values = []
    for at in range(0, len(text), _CHARS):
        value = 0
        for char in text[at : at + _CHARS]:
            value = value << 5 | _VALUES[char]
        values.append(value)
    return tuple(values)


def low_bits(shingles: Hashes) -> list[int]:
    """Return what a sketch keeps of each hash."""
    values: list[int] = (shingles & _MASK).tolist()
    return values
