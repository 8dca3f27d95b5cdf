"""What texts share: pairs with common shingles, pairs with common rare phrases, passages.

Nothing here compares all pairs: candidates come from an inverted index over sorted hashes, with
postings of more than `COMMON` texts left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitegen.shingles import SIZE, Hashes, runs

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


def near_pairs(
    texts: Sequence[Sequence[str]], shingles: Sequence[Hashes], *, least: float
) -> list[Near]:
    """Find the pairs of texts with a containment of least or more.

    Args:
        texts: words of each text.
        shingles: `Hasher.shingles` of each text.
        least: lowest containment of interest.

    Returns:
        pairs with left < right, in order; each verified on the words themselves.
    """
    sizes = np.array([len(hashes) for hashes in shingles], dtype=np.int64)
    if not sizes.sum():
        return []
    hashes = np.concatenate(shingles)
    owners = np.repeat(np.arange(len(shingles)), sizes)
    order = np.argsort(hashes)
    hashes, owners = hashes[order], owners[order]
    starts, counts = _postings(hashes)
    is_rare = np.repeat(counts <= COMMON, counts)
    rare = np.bincount(owners[is_rare], minlength=len(shingles))
    usable = counts <= COMMON
    total = int((counts[usable] * (counts[usable] - 1) // 2).sum())
    step = 1 + total // PAIR_BUDGET
    if step > 1:  # a content-derived sample keeps containment unbiased
        usable &= hashes[starts] % np.uint64(step) == 0
    left, right, shared = _count_pairs(owners, starts[usable], counts[usable], len(shingles))
    lower = np.minimum(rare[left], rare[right])
    slack = 1.0 if step == 1 else 0.6
    keep = (lower >= _LEAST_RARE) & (shared * step >= least * slack * lower)
    common = hashes[~is_rare]
    found = []
    for a, b in zip(left[keep].tolist(), right[keep].tolist(), strict=True):
        near = _verify(a, b, texts, shingles, common if len(common) else None)
        if near is not None and near.containment >= least:
            found.append(near)
    return found


def _postings(hashes: Hashes | Indices) -> tuple[Indices, Indices]:
    """Return start and length of each stretch of equal values."""
    starts = np.flatnonzero(np.r_[True, hashes[1:] != hashes[:-1]])
    return starts, np.diff(np.r_[starts, len(hashes)])


def _count_pairs(
    owners: Indices, starts: Indices, counts: Indices, size: int
) -> tuple[Indices, Indices, Indices]:
    """Count for each pair of texts how many postings hold both."""
    codes = [np.empty(0, dtype=np.int64)]
    for length in np.unique(counts[counts > 1]).tolist():
        rows = np.sort(owners[starts[counts == length][:, None] + np.arange(length)], axis=1)
        first, second = np.triu_indices(length, 1)
        codes.append((rows[:, first] * size + rows[:, second]).ravel())
    pairs, shared = np.unique(np.concatenate(codes), return_counts=True)
    return pairs // size, pairs % size, shared


def containment(left: Sequence[str], right: Sequence[str]) -> float:
    """Return the shared 3-shingles of two texts' words over those of the shorter one."""
    one, two = _shingle_set(left), _shingle_set(right)
    return len(one & two) / max(min(len(one), len(two)), 1)


def _verify(
    left: int,
    right: int,
    texts: Sequence[Sequence[str]],
    shingles: Sequence[Hashes],
    common: Hashes | None,
) -> Near | None:
    """Compare two texts shingle by shingle, on the words themselves."""
    score = containment(texts[left], texts[right])
    if common is not None:
        rest = [_without(shingles[index], common) for index in (left, right)]
        lower = min(len(rest[0]), len(rest[1]))
        if not lower:
            return None
        rare = len(np.intersect1d(rest[0], rest[1], assume_unique=True))
        score = min(score, rare / lower)
    return Near(left=left, right=right, containment=round(score, 4))


def _without(hashes: Hashes, common: Hashes) -> Hashes:
    """Return the values of hashes that do not stand in the sorted array common."""
    at = np.minimum(np.searchsorted(common, hashes), len(common) - 1)
    rest: Hashes = hashes[common[at] != hashes]
    return rest


def _shingle_set(tokens: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(tokens[at : at + SIZE]) for at in range(len(tokens) - SIZE + 1)}


def kin_pairs(
    texts: Sequence[Sequence[str]], hashes: Sequence[Hashes], *, least: float, least_words: int
) -> list[Kin]:
    """Find pairs that share many phrases which stand in no third text.

    A work told twice in other words keeps its own names and turns of phrase: runs of one to three
    words found in exactly two texts. Their number is linear in the texts, pairs need no index.

    Args:
        texts: words of each text.
        hashes: `Hasher.words` of each text.
        least: lowest share of the shorter text's words.
        least_words: fewest words covered in either text.

    Returns:
        pairs with left < right, in order.
    """
    lengths = np.array([len(values) for values in hashes], dtype=np.int64)
    owners = np.repeat(np.arange(len(hashes)), lengths)
    each = np.concatenate([np.empty(0, np.uint64), *hashes])
    places = np.arange(len(each)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    rows = [_shared_by_two(each, owners, places, size) for size in range(1, SIZE + 1)]
    table = np.concatenate(rows)
    table = table[np.lexsort((table[:, 2], table[:, 4], table[:, 1], table[:, 0]))]
    codes = table[:, 0] * len(texts) + table[:, 1]
    starts, counts = _postings(codes) if len(codes) else (codes, codes)
    found = []
    for start, count in zip(starts.tolist(), counts.tolist(), strict=True):
        if SIZE * count < least_words:
            continue
        a, b = table[start, :2].tolist()
        shared = table[start : start + count, 2:].tolist()
        ones = _covered((at, size) for at, _, size in shared)
        twos = _covered((at, size) for _, at, size in shared)
        share = round(min(len(ones) / len(texts[a]), len(twos) / len(texts[b])), 4)
        if min(len(ones), len(twos)) >= least_words and share >= least:
            found.append(Kin(left=a, right=b, share=share, spans=_spans(ones)))
    return found


def _shared_by_two(each: Hashes, owners: Indices, places: Indices, size: int) -> Indices:
    """Return rows (left, right, place in left, place in right, size) of runs two texts hold."""
    values = runs(each, size)
    if not len(values):
        return np.empty((0, 5), dtype=np.int64)
    inside = np.flatnonzero(owners[: len(values)] == owners[size - 1 :])
    order = inside[np.argsort(values[inside])]
    starts, counts = _postings(values[order])
    held = owners[order]
    low, high = np.minimum.reduceat(held, starts), np.maximum.reduceat(held, starts)
    ends = (held == np.repeat(low, counts)) | (held == np.repeat(high, counts))
    two = (low < high) & np.logical_and.reduceat(ends, starts)
    order = np.sort(order[np.repeat(two, counts)])
    order = order[np.argsort(values[order], kind="stable")]
    values, held = values[order], owners[order]
    first = np.r_[True, (values[1:] != values[:-1]) | (held[1:] != held[:-1])][: len(order)]
    order = order[first]
    one, other = order[::2], order[1::2]
    return np.stack(
        [owners[one], owners[other], places[one], places[other], np.full(len(one), size)], axis=1
    )


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
