"""The words of texts as numbers, each text by itself, so that they can be kept; pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegen.wording import definitions, word_pieces

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextWords:
    """Texts cut into joints and words by turns, the first and the last one a joint."""

    keys: npt.NDArray[np.uint64]
    """(texts, 2): a hash of each text."""
    sizes: Integers
    """(texts): words of each."""
    surface: npt.NDArray[np.int32]
    """Position of each word in `surfaces`."""
    joint: npt.NDArray[np.int32]
    """Position of each joint in `joints`; a text has one more of them than words."""
    surfaces: tuple[str, ...]
    """Distinct words as they stand, in the order in which they are first met."""
    joints: tuple[str, ...]
    defined: Integers
    """(texts): short forms that each defines."""
    shorts: tuple[str, ...]
    """These, one text after the other."""
    longs: tuple[str, ...]
    """What they are short for."""

    def table(self) -> dict[str, Any]:
        """Return arrays and lists of strings to keep."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def of_table(cls, table: Mapping[str, Any]) -> TextWords | None:
        """Return what was kept as a `table`; None for an empty one."""
        return cls(**table) if table else None


def read_words(texts: Sequence[str], before: TextWords | None = None) -> TextWords:
    """Cut texts into words and find the short forms that each defines.

    Args:
        texts: any.
        before: of other texts; those that are among these need not be read again.

    Returns:
        the same, whatever was known before.
    """
    keys = _keys(texts)
    if before is None:
        return _read(texts, keys)
    place = {key: at for at, key in enumerate(map(tuple, before.keys.tolist()))}
    rows = [place.get(key, -1) for key in map(tuple, keys.tolist())]
    new = [at for at, row in enumerate(rows) if row < 0]
    if not new and rows == list(range(len(before.sizes))):
        return before
    every = _joined(before, _read([texts[at] for at in new], keys[new])) if new else before
    for number, at in enumerate(new):
        rows[at] = len(before.sizes) + number
    return _taken(every, np.array(rows, np.int64))


def spread(begins: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """Return all positions from each begin on, as many as its size says.

    Returns:
        for each position the row that it is of, and the position.
    """
    rows = np.repeat(np.arange(len(sizes)), sizes)
    return rows, np.arange(len(rows)) + np.repeat(begins - (np.cumsum(sizes) - sizes), sizes)


class Numbers(dict[str, int]):
    """Gives each new string the next number."""

    def __missing__(self, key: str) -> int:
        self[key] = number = len(self)
        return number


def _keys(texts: Sequence[str]) -> npt.NDArray[np.uint64]:
    digests = [
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        for text in texts
    ]
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64).reshape(len(texts), 2)


def _read(texts: Sequence[str], keys: npt.NDArray[np.uint64]) -> TextWords:
    surfaces, joints = Numbers(), Numbers()
    words: list[int] = []
    gaps: list[int] = []
    sizes, counts = [], []
    pairs: list[tuple[str, str]] = []
    for text in texts:
        pieces = word_pieces(text)
        words += map(surfaces.__getitem__, pieces[1::2])
        gaps += map(joints.__getitem__, pieces[::2])
        sizes.append(len(pieces) // 2)
        own = definitions(text)
        pairs += own
        counts.append(len(own))
    return TextWords(
        keys=keys,
        sizes=np.array(sizes, np.int64),
        surface=np.array(words, np.int32),
        joint=np.array(gaps, np.int32),
        surfaces=tuple(surfaces),
        joints=tuple(joints),
        defined=np.array(counts, np.int64),
        shorts=tuple(short for short, _ in pairs),
        longs=tuple(long for _, long in pairs),
    )


def _joined(one: TextWords, two: TextWords) -> TextWords:
    surfaces, surface = _together(one.surfaces, two.surfaces)
    joints, joint = _together(one.joints, two.joints)
    return TextWords(
        keys=np.concatenate((one.keys, two.keys)),
        sizes=np.concatenate((one.sizes, two.sizes)),
        surface=np.concatenate((one.surface, surface[two.surface])),
        joint=np.concatenate((one.joint, joint[two.joint])),
        surfaces=surfaces,
        joints=joints,
        defined=np.concatenate((one.defined, two.defined)),
        shorts=one.shorts + two.shorts,
        longs=one.longs + two.longs,
    )


def _together(
    one: tuple[str, ...], two: tuple[str, ...]
) -> tuple[tuple[str, ...], npt.NDArray[np.int32]]:
    """Return the strings of both, and the new positions of the second ones."""
    numbers = Numbers((name, number) for number, name in enumerate(one))
    moved = np.fromiter(map(numbers.__getitem__, two), np.int32, len(two))
    return tuple(numbers), moved


def _taken(words: TextWords, rows: Integers) -> TextWords:
    """Return some texts, in the order given."""
    sizes, defined = words.sizes[rows], words.defined[rows]
    begins = np.cumsum(words.sizes) - words.sizes
    at = spread(begins[rows], sizes)[1]
    between = spread((begins + np.arange(len(begins)))[rows], sizes + 1)[1]
    surface, surfaces = _renumbered(words.surface[at], words.surfaces)
    joint, joints = _renumbered(words.joint[between], words.joints)
    told = spread((np.cumsum(words.defined) - words.defined)[rows], defined)[1].tolist()
    return TextWords(
        keys=words.keys[rows],
        sizes=sizes,
        surface=surface,
        joint=joint,
        surfaces=surfaces,
        joints=joints,
        defined=defined,
        shorts=tuple([words.shorts[one] for one in told]),
        longs=tuple([words.longs[one] for one in told]),
    )


def _renumbered(
    numbers: npt.NDArray[np.int32], names: tuple[str, ...]
) -> tuple[npt.NDArray[np.int32], tuple[str, ...]]:
    """Number what occurs in the order in which it is first met."""
    first = np.full(len(names), len(numbers))
    first[numbers[::-1]] = np.arange(len(numbers))[::-1]  # of equal ones the last is kept
    order = np.argsort(first, kind="stable")[: int((first < len(numbers)).sum())]
    moved = np.empty(len(names), np.int32)
    moved[order] = np.arange(len(order))
    return moved[numbers], tuple([names[number] for number in order.tolist()])
