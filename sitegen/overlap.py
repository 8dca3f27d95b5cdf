"""What texts share: pairs with common shingles, pairs with common rare phrases, passages.

Nothing here compares all pairs: candidates come from an inverted index over sorted hashes, with
postings of more than `COMMON` texts left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitegen.distinct import first_of_each
from sitegen.shingles import SIZE, Hashes, distinct_shingles, runs

COMMON = 50
"""A shingle that stands in more texts than this is a habit of speech, not evidence."""
PAIR_BUDGET = 30_000_000
"""Most posting pairs held at a time (240 MB); a digest above it is indexed by a sample."""
_LEAST_RARE = 8

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """Two texts, by position, that share a good part of the shorter one."""

    left: int
    right: int
    containment: float
    """Shared 3-shingles over those of the shorter text; the lower of all and of the rare ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kin:
    """Two texts, by position, that share phrases no other text has."""

    left: int
    right: int
    share: float
    """Share of the shorter text's words that stand in such phrases."""
    spans: tuple[tuple[int, int], ...]
    """Those stretches of the left text's words, longest first."""


def near_pairs(texts: Sequence[Hashes], *, least: float) -> list[Near]:
    """Find the pairs of texts with a containment of least or more.

    Args:
        texts: hashes of each text's words, see `Print`.
        least: lowest containment of interest.

    Returns:
        pairs with left < right, in order; each verified on all shingles of both.
    """
    index = _Index(texts)
    if not len(index.keys):
        return []
    counts = index.counts
    is_rare = np.repeat(counts <= COMMON, counts)
    rare = np.bincount(index.owners[is_rare], minlength=len(texts))
    usable = counts <= COMMON
    total = int((counts[usable] * (counts[usable] - 1) // 2).sum())
    step = 1 + total // PAIR_BUDGET
    if step > 1:  # a content-derived sample keeps containment unbiased
        usable &= index.keys % np.uint64(step) == 0
    left, right, shared = _count_pairs(index, usable)
    lower = np.minimum(rare[left], rare[right])
    slack = 1.0 if step == 1 else 0.6
    keep = (lower >= _LEAST_RARE) & (shared * step >= least * slack * lower)
    common = index.keys[counts > COMMON]
    pairs = list(zip(left[keep].tolist(), right[keep].tolist(), strict=True))
    shingles = {at: distinct_shingles(texts[at]) for pair in pairs for at in pair}
    rest = {at: _without(each, common, index.bits) for at, each in shingles.items()}
    found = (_verify(a, b, shingles, rest) for a, b in pairs)
    return [near for near in found if near is not None and near.containment >= least]


def sharing_pairs(texts: Sequence[Hashes], *, most: int) -> list[tuple[int, int]]:
    """Return the pairs of texts that share a shingle which stands in no more than most texts.

    Args:
        texts: hashes of each text's words.
        most: texts that may hold it.

    Returns:
        positions, left < right, in order.
    """
    index = _Index(texts)
    left, right, _ = _count_pairs(index, index.counts <= most)
    return list(zip(left.tolist(), right.tolist(), strict=True))


class _Index:
    """Which texts hold each run of words.

    One sorted array holds hashes and texts: the last bits of a hash give way to the text's
    position. Of 100,000 texts 47 bits are left: two of 20 million runs fall together now and then,
    which moves no count by more than one.
    """

    def __init__(self, texts: Sequence[Hashes], size: int = SIZE) -> None:
        """Index the runs of so many words; texts are given by the hashes of their words."""
        self.bits = _bits(len(texts))
        codes = _coded(*_in_a_row(texts), size, self.bits)
        codes = codes[first_of_each(codes)]  # a text holds a run, however often
        keys = codes >> self.bits
        self.starts, self.counts = _postings(keys)
        self.keys: Hashes = keys[self.starts]
        """The distinct runs, ascending, by what is left of their hashes."""
        self.owners: Indices = (codes & ((np.uint64(1) << self.bits) - np.uint64(1))).view(np.int64)
        """The texts that hold each, ascending: so many from where the run starts."""


def _in_a_row(texts: Sequence[Hashes]) -> tuple[Hashes, Hashes]:
    """Return the hashes of all words, text after text, and the text of each."""
    lengths = np.array([len(words) for words in texts], dtype=np.int64)
    owners = np.repeat(np.arange(len(texts), dtype=np.uint64), lengths)
    return np.concatenate([np.empty(0, np.uint64), *texts]), owners


def _coded(each: Hashes, owners: Hashes, size: int, bits: np.uint64) -> Hashes:
    """Return hash and text of each run of so many words, sorted; see `_Index`."""
    codes = runs(each, size)
    first = owners[: len(codes)]
    codes >>= bits
    codes <<= bits
    codes |= first
    codes = codes[first == owners[size - 1 :]] if size > 1 else codes
    codes.sort()
    return codes


def _bits(count: int) -> np.uint64:
    """Return the bits that hold the position of a text."""
    return np.uint64(max(count - 1, 1).bit_length())


def _postings(values: Hashes | Indices) -> tuple[Indices, Indices]:
    """Return start and length of each stretch of equal values."""
    starts = np.flatnonzero(first_of_each(values))
    counts = np.empty_like(starts)
    np.subtract(starts[1:], starts[:-1], out=counts[:-1])
    counts[-1:] = len(values) - starts[-1:]
    return starts, counts


def _count_pairs(index: _Index, usable: npt.NDArray[np.bool_]) -> tuple[Indices, Indices, Indices]:
    """Count for each pair of texts how many of the usable runs both hold."""
    starts, counts = index.starts[usable], index.counts[usable]
    bits = index.bits.astype(np.int64)
    codes = [np.empty(0, dtype=np.int64)]
    for length in (np.flatnonzero(np.bincount(counts, minlength=2)[2:]) + 2).tolist():
        rows = index.owners[starts[counts == length][:, None] + np.arange(length)]
        first, second = np.triu_indices(length, 1)
        codes.append((rows[:, first] << bits | rows[:, second]).ravel())
    pairs = np.concatenate(codes)
    pairs.sort()
    at, shared = _postings(pairs)
    pairs = pairs[at]
    return pairs >> bits, pairs & ((1 << bits) - 1), shared


def containment(left: Sequence[str], right: Sequence[str]) -> float:
    """Return the shared 3-shingles of two texts' words over those of the shorter one."""
    one, two = _shingle_set(left), _shingle_set(right)
    return len(one & two) / max(min(len(one), len(two)), 1)


def _verify(
    left: int, right: int, shingles: Mapping[int, Hashes], rest: Mapping[int, Hashes]
) -> Near | None:
    """Compare two texts shingle by shingle: all of them, and those that are not common."""
    if not min(len(rest[left]), len(rest[right])):
        return None
    score = min(_contained(each[left], each[right]) for each in (shingles, rest))
    return Near(left=left, right=right, containment=round(score, 4))


def _contained(left: Hashes, right: Hashes) -> float:
    shared = len(np.intersect1d(left, right, assume_unique=True))
    return shared / max(min(len(left), len(right)), 1)


def _without(hashes: Hashes, common: Hashes, bits: np.uint64) -> Hashes:
    """Return the hashes whose keys do not stand in the sorted array common."""
    if not len(common):
        return hashes
    keys = hashes >> bits
    at = np.minimum(np.searchsorted(common, keys), len(common) - 1)
    rest: Hashes = hashes[common[at] != keys]
    return rest


def _shingle_set(tokens: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(tokens[at : at + SIZE]) for at in range(len(tokens) - SIZE + 1)}


def kin_pairs(texts: Sequence[Hashes], *, least: float, least_words: int) -> list[Kin]:
    """Find pairs that share many phrases which stand in no third text.

    A work told twice in other words keeps its own names and turns of phrase: runs of one to three
    words found in exactly two texts. Their number is linear in the texts, pairs need no index.

    Args:
        texts: hashes of each text's words, see `Print`.
        least: lowest share of the shorter text's words.
        least_words: fewest words covered in either text.

    Returns:
        pairs with left < right, in order.
    """
    pairs, keys, sizes = _held_by_two(texts)
    starts, counts = _postings(pairs)
    enough = SIZE * counts >= least_words
    bits = _bits(len(texts))
    found = []
    for start, count in zip(starts[enough].tolist(), counts[enough].tolist(), strict=True):
        a, b = divmod(int(pairs[start]), len(texts))
        runs_of: dict[int, set[int]] = defaultdict(set)
        for size, key in zip(
            sizes[start : start + count].tolist(), keys[start : start + count].tolist(), strict=True
        ):
            runs_of[size].add(key)
        ones, twos = (_covered(_first_places(texts[at], runs_of, bits)) for at in (a, b))
        share = round(min(len(ones) / len(texts[a]), len(twos) / len(texts[b])), 4)
        if min(len(ones), len(twos)) >= least_words and share >= least:
            found.append(Kin(left=a, right=b, share=share, spans=_spans(ones)))
    return found


def _held_by_two(texts: Sequence[Hashes]) -> tuple[Indices, Hashes, Indices]:
    """Return the runs of one to three words that two texts hold and no third one.

    Returns:
        the pair of texts as left * texts + right, ascending; keys of runs; their sizes in words.
    """
    pairs: list[Indices] = []
    keys: list[Hashes] = []
    sizes: list[Indices] = []
    bits = _bits(len(texts))
    each, owners = _in_a_row(texts)
    mask = (np.uint64(1) << bits) - np.uint64(1)
    for size in range(1, SIZE + 1):
        codes = _coded(each, owners, size, bits)
        codes = codes[first_of_each(codes)]
        # Most runs stand in one text: which stand in two is told without an index of all.
        same = np.zeros(len(codes) + 1, np.bool_)
        np.less_equal(codes[1:] ^ codes[:-1], mask, out=same[1:-1])
        at = np.flatnonzero(same[1:-1] & ~same[:-2] & ~same[2:])
        left, right = (codes[row] & mask for row in (at, at + 1))
        pairs.append((left * np.uint64(len(texts)) + right).astype(np.int64))
        keys.append(codes[at] >> bits)
        sizes.append(np.full(len(at), size))
    both = np.concatenate(pairs)
    order = np.argsort(both)
    return both[order], np.concatenate(keys)[order], np.concatenate(sizes)[order]


def _first_places(
    words: Hashes, keys: Mapping[int, set[int]], bits: np.uint64
) -> Iterator[tuple[int, int]]:
    """Yield (place, size) of the first of each run, given by size and key."""
    for size, wanted in keys.items():
        left = set(wanted)
        for place, key in enumerate((runs(words, size) >> bits).tolist()):
            if key in left:
                left.discard(key)
                yield place, size


def passages(left: Sequence[str], right: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Return the stretches (start, end) of left whose 3-shingles stand in right, longest first."""
    known = _shingle_set(right)
    places = range(len(left) - SIZE + 1)
    shared = [(at, SIZE) for at in places if tuple(left[at : at + SIZE]) in known]
    return _spans(_covered(shared))


def aligned(left: Sequence[str], right: Sequence[str]) -> float:
    """Return the longest common subsequence of words over the length of the shorter text.

    Bit-parallel (Crochemore and others, 2001): one integer holds a whole row of the table.
    """
    if not left or not right:
        return 0.0
    masks: dict[str, int] = defaultdict(int)
    for at, word in enumerate(left):
        masks[word] |= 1 << at
    full = (1 << len(left)) - 1
    row = full
    for word in right:
        match = row & masks.get(word, 0)
        row = ((row + match) | (row - match)) & full
    return round((len(left) - row.bit_count()) / min(len(left), len(right)), 4)


def _covered(stretches: Iterable[tuple[int, int]]) -> list[int]:
    """Return the sorted positions in stretches of (start, length)."""
    return sorted({at for start, length in stretches for at in range(start, start + length)})


def _spans(places: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Join sorted positions into stretches (start, end), longest first."""
    spans: list[tuple[int, int]] = []
    for at in places:
        if spans and spans[-1][1] == at:
            spans[-1] = (spans[-1][0], at + 1)
        else:
            spans.append((at, at + 1))
    return tuple(sorted(spans, key=lambda span: (span[0] - span[1], span[0])))
