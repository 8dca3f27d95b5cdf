"""The words of texts as numbers, each text by itself, so that they can be kept; pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegen.wording import definitions, joins, word_pieces

Integers = npt.NDArray[np.int64]

JOINS, SPACED, STOPS, OPENS, CLOSES = 1, 2, 4, 8, 16

_STOP = re.compile(r"[.!?][^\w\s]*\s|[。！？｡]")
_BRACKETS = re.compile(r"[()\[\]]")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextWords:
    """The words of texts, one text after the other; columns run in parallel."""

    keys: npt.NDArray[np.uint64]
    """(texts, 2): a hash of each text."""
    sizes: Integers
    """(texts): words of each."""
    surface: npt.NDArray[np.int32]
    """Position of each word in `surfaces`."""
    start: npt.NDArray[np.int32]
    """Its first character in the text."""
    gap: npt.NDArray[np.uint8]
    """What follows it: `JOINS` where no punctuation parts it from the next word, plus `SPACED`
    where a space does, plus `STOPS` where a sentence ends, plus `OPENS` or `CLOSES` by the last
    bracket."""
    surfaces: tuple[str, ...]
    """Distinct words as they stand, in the order in which they are first met."""
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


Work = Callable[[Sequence[int]], Any]
Share = Callable[[Work, Sequence[int]], Iterable[Any]]
"""Does work on some numbers, in slices; yields what it gives for each slice, in order."""


def alone(work: Work, items: Sequence[int]) -> Iterator[Any]:
    """Do work at once: the plainest `Share`."""
    yield work(items)


def read_words(
    texts: Sequence[str], before: TextWords | None = None, share: Share = alone
) -> TextWords:
    """Cut texts into words and find the short forms that each defines.

    Args:
        texts: any.
        before: of other texts; those that are among these need not be read again.
        share: may have it done by several processes.

    Returns:
        the same, whatever was known before.
    """
    keys = text_marks(text.encode("utf-8", "surrogatepass") for text in texts)
    rows = same_texts(keys[:0] if before is None else before.keys, keys)
    new = np.flatnonzero(rows < 0)
    every = [] if before is None else [before]
    if len(new) or before is None:

        def read(some: Sequence[int]) -> TextWords:
            return _read([texts[at] for at in some], keys[some])

        every += share(read, new.tolist())
        rows[new] = np.arange(len(new)) + (len(before.sizes) if before else 0)
    words = _joined(every)
    if np.array_equal(rows, np.arange(len(words.sizes))):
        return words
    return _taken(words, rows)


def same_texts(
    before: npt.NDArray[np.uint64], now: npt.NDArray[np.uint64]
) -> npt.NDArray[np.int64]:
    """Return the earlier position of each text, -1 for new ones; both are `TextWords.keys`."""
    if np.array_equal(before, now[: len(before)]):  # what is new comes last: the usual day
        rows = np.arange(len(now))
        rows[len(before) :] = -1
        return rows
    place = {key: at for at, key in enumerate(map(tuple, before.tolist()))}
    found = (place.get(key, -1) for key in map(tuple, now.tolist()))
    return np.fromiter(found, np.int64, len(now))


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


def text_marks(texts: Iterable[bytes]) -> npt.NDArray[np.uint64]:
    """Return (texts, 2): a hash of each."""
    digests = [hashlib.blake2b(text, digest_size=16).digest() for text in texts]
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64).reshape(len(digests), 2)


def _read(texts: Sequence[str], keys: npt.NDArray[np.uint64]) -> TextWords:
    surfaces, joints = Numbers(), Numbers()
    words: list[int] = []
    between: list[int] = []
    counts, defined = [], []
    pairs: list[tuple[str, str]] = []
    for text in texts:
        pieces = word_pieces(text)
        words += map(surfaces.__getitem__, pieces[1::2])
        between += map(joints.__getitem__, pieces[::2])
        counts.append(len(pieces) // 2)
        own = definitions(text)
        pairs += own
        defined.append(len(own))
    sizes, surface = np.array(counts, np.int64), np.array(words, np.int32)
    joint = np.array(between, np.int32)
    # Joints and words stand by turns, the first and the last one of a text a joint.
    text_of = np.repeat(np.arange(len(texts)), sizes)
    ahead = np.arange(len(surface)) + text_of
    gaps = np.fromiter(map(len, joints), np.int64, len(joints))[joint[ahead]]
    lengths = np.fromiter(map(len, surfaces), np.int64, len(surfaces))[surface]
    begins = np.cumsum(gaps + lengths) - lengths
    whole = np.concatenate((np.zeros(1, np.int64), begins + lengths))[np.cumsum(sizes) - sizes]
    kinds = map(_kind, joints)
    gap = np.fromiter(kinds, np.uint8, len(joints))[joint[ahead + 1]]
    gap[np.cumsum(sizes)[sizes > 0] - 1] = 0
    return TextWords(
        keys=keys,
        sizes=sizes,
        surface=surface,
        start=(begins - whole[text_of]).astype(np.int32),
        gap=gap,
        surfaces=tuple(surfaces),
        defined=np.array(defined, np.int64),
        shorts=tuple(short for short, _ in pairs),
        longs=tuple(long for _, long in pairs),
    )


def _kind(joint: str) -> int:
    brackets = _BRACKETS.findall(joint)
    bracket = (OPENS if brackets[-1] in "([" else CLOSES) if brackets else 0
    stop = STOPS * (_STOP.search(joint) is not None)
    return JOINS * joins(joint) + SPACED * (" " in joint) + stop + bracket


def _joined(parts: Sequence[TextWords]) -> TextWords:
    if len(parts) == 1:
        return parts[0]
    numbers = Numbers((name, number) for number, name in enumerate(parts[0].surfaces))
    surface = [parts[0].surface]
    for part in parts[1:]:
        moved = map(numbers.__getitem__, part.surfaces)
        surface.append(np.fromiter(moved, np.int32, len(part.surfaces))[part.surface])
    return TextWords(
        keys=np.concatenate([part.keys for part in parts]),
        sizes=np.concatenate([part.sizes for part in parts]),
        surface=np.concatenate(surface),
        start=np.concatenate([part.start for part in parts]),
        gap=np.concatenate([part.gap for part in parts]),
        surfaces=tuple(numbers),
        defined=np.concatenate([part.defined for part in parts]),
        shorts=tuple(chain.from_iterable(part.shorts for part in parts)),
        longs=tuple(chain.from_iterable(part.longs for part in parts)),
    )


def _taken(words: TextWords, rows: Integers) -> TextWords:
    """Return some texts, in the order given."""
    sizes, defined = words.sizes[rows], words.defined[rows]
    at = spread((np.cumsum(words.sizes) - words.sizes)[rows], sizes)[1]
    surface, surfaces = _renumbered(words.surface[at], words.surfaces)
    told = spread((np.cumsum(words.defined) - words.defined)[rows], defined)[1].tolist()
    return TextWords(
        keys=words.keys[rows],
        sizes=sizes,
        surface=surface,
        start=words.start[at],
        gap=words.gap[at],
        surfaces=surfaces,
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
