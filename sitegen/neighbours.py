"""The papers nearest to each one, and which of them can't have changed since another build; pure.

All that two papers' nearness rests on is their own texts and vectors and the digest's basis. While
the basis is the same, an old paper's list so changes only where a paper that came is at least as
near as the last of its candidates, or where one of these has gone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegen.basis import SMALL
from sitegen.distinct import distinct
from sitegen.nearness import Floats, SharedWords
from sitegen.partition import Cells
from sitegen.text_words import Integers, spread
from sitegen.word_columns import Hashes

_BLOCK = 256
"""Papers whose words are compared with those of all others at once."""
_SAMPLE = 1024
"""Papers of the basis whose pairs give mean and deviation."""
_CANDIDATES = 32
"""Papers looked at, of the nearest in meaning and of the nearest in words."""
_FLOOR = 1.6
"""Mean standard score below which two papers are not related at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """Others of papers; the list of paper p is first[p] to first[p + 1]."""

    first: Integers
    others: Integers

    def of(self, rows: Integers) -> tuple[Integers, Integers]:
        """Return the positions of all that some rows hold: row by row, and in `others`."""
        return spread(self.first[rows], np.diff(self.first)[rows])


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearest:
    """The papers nearest to each one; rows are papers in the order of their ids."""

    ids: tuple[str, ...]
    marks: Hashes
    """(papers, 3): what changes where a paper's words, their weights or its vector do."""
    basis: str
    """Of what is taken from the digest's basis."""
    least: Floats
    """(papers, 2): from which product on another is a candidate, in meaning and in words."""
    candidates: Lists
    nearest: Lists
    """The best of the candidates, best first."""
    scores: npt.NDArray[np.float64]
    """Of the nearest."""

    def table(self) -> dict[str, Any]:
        """Return arrays and lists of strings to keep."""
        return {
            "ids": self.ids,
            "marks": self.marks,
            "basis": (self.basis,),
            "least": self.least,
            "candidates first": self.candidates.first,
            "candidates": self.candidates.others.astype(np.int32),
            "nearest first": self.nearest.first,
            "nearest": self.nearest.others.astype(np.int32),
            "scores": self.scores,
        }

    @classmethod
    def of_table(cls, table: Mapping[str, Any]) -> Nearest | None:
        """Return what was kept as a `table`; None for an empty one."""
        if not table:
            return None
        return cls(
            ids=table["ids"],
            marks=table["marks"],
            basis=table["basis"][0],
            least=table["least"],
            candidates=Lists(first=table["candidates first"], others=table["candidates"]),
            nearest=Lists(first=table["nearest first"], others=table["nearest"]),
            scores=table["scores"],
        )


def find_nearest(
    meaning: Floats,
    words: SharedWords,
    early: Integers,
    most: int,
    *,
    ids: Sequence[str],
    before: Nearest | None = None,
) -> Nearest:
    """Return at most so many nearest papers of each one.

    Args:
        meaning: (papers, d), see `meanings`.
        words: of the papers.
        early: positions of the papers of the basis.
        most: so many at most.
        ids: of the papers, sorted.
        before: what an earlier call returned, with the same ``most``.
    """
    sample = early[:: -(-len(early) // _SAMPLE)]
    scales = _spread(meaning[sample] @ meaning[sample].T), _spread(words.products(sample))
    digest = hashlib.sha256(f"{scales}".encode() + meaning[early].tobytes())
    marks = np.column_stack((words.marks, _marks(meaning)))
    same = old = np.full(len(ids), -1)
    if len(ids) <= SMALL:
        wanted, new = np.arange(len(ids)), list(_among_all(meaning, words, scales, most))
    else:
        cells = Cells(meaning, early)
        if before and before.basis == digest.hexdigest():
            same = _same(before, ids, marks)
            old = np.where(_touched(before, same, cells, words), -1, same)
        wanted = np.flatnonzero(old < 0)
        new = list(_among_candidates(cells, words, wanted, scales, most))
    least = np.empty((len(ids), 2), np.float32)
    least[wanted] = np.array([row.least for row in new], np.float32).reshape(-1, 2)
    merge = _Merge(same, old)
    if before:
        least[merge.kept] = before.least[old[merge.kept]]
    candidates, _ = merge.lists(
        [row.candidates for row in new], before.candidates if before else None
    )
    nearest, at = merge.lists([row.nearest for row in new], before.nearest if before else None)
    scores = np.empty(len(nearest.others))
    scores[at[0]] = np.concatenate([np.zeros(0), *(row.scores for row in new)])
    if before:
        scores[at[1]] = before.scores[before.nearest.of(old[merge.kept])[1]]
    return Nearest(
        ids=tuple(ids),
        marks=marks,
        basis=digest.hexdigest(),
        least=least,
        candidates=candidates,
        nearest=nearest,
        scores=scores,
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found for one row; see `Nearest`."""

    least: tuple[float, float]
    candidates: Integers
    nearest: Integers
    scores: npt.NDArray[np.float64]


class _Merge:
    """Puts lists of before and new ones into the order of the rows."""

    def __init__(self, same: Integers, old: Integers) -> None:
        """Take the earlier row of each one, as far as it is the same, and has the same lists."""
        self._same, self._old = same, old
        self._wanted, self.kept = np.flatnonzero(old < 0), np.flatnonzero(old >= 0)

    def lists(
        self, new: Sequence[Integers], before: Lists | None
    ) -> tuple[Lists, tuple[Integers, Integers]]:
        """Return the lists of all rows, and where in them the new ones and the old ones stand."""
        old = self._old[self.kept]
        sizes = np.empty(len(self._old), np.int64)
        sizes[self._wanted] = np.fromiter(map(len, new), np.int64, len(new))
        if before:
            sizes[self.kept] = np.diff(before.first)[old]
        first = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
        others = np.empty(first[-1], np.int64)
        at_new = spread(first[self._wanted], sizes[self._wanted])[1]
        at_old = spread(first[self.kept], sizes[self.kept])[1]
        others[at_new] = np.concatenate([np.zeros(0, np.int64), *new])
        if before:
            now = np.full(len(before.first) - 1, -1)
            there = np.flatnonzero(self._same >= 0)
            now[self._same[there]] = there
            others[at_old] = now[before.others[before.of(old)[1]]]
        return Lists(first=first, others=others), (at_new, at_old)


def _marks(meaning: Floats) -> Hashes:
    rows = [hashlib.blake2b(row.tobytes(), digest_size=8).digest() for row in meaning]
    return np.frombuffer(b"".join(rows), "<u8")


def _same(before: Nearest, ids: Sequence[str], marks: Hashes) -> Integers:
    """Return the earlier row of each one that is what it was; -1 for the others."""
    place = {paper: at for at, paper in enumerate(before.ids)}
    old = np.fromiter((place.get(paper, -1) for paper in ids), np.int64, len(ids))
    old[(before.marks[old] != marks).any(axis=1)] = -1
    return old


def _touched(
    before: Nearest, same: Integers, cells: Cells, words: SharedWords
) -> npt.NDArray[np.bool_]:
    """Tell which rows have other lists than before, or may have."""
    kept, came = np.flatnonzero(same >= 0), np.flatnonzero(same < 0)
    if len(came) > len(same) // 4:
        return np.ones(len(same), np.bool_)
    touched = same < 0
    stays = np.zeros(len(before.ids), np.bool_)
    stays[same[kept]] = True
    rows, at = before.candidates.of(same[kept])
    touched[kept[rows[~stays[before.candidates.others[at]]]]] = True
    least = np.full((len(same), 2), np.inf, np.float32)
    least[kept] = before.least[same[kept]]
    for start in range(0, len(came), _BLOCK):
        block = came[start : start + _BLOCK]
        near = cells.rows[kept] @ cells.rows[block].T >= least[kept, :1]
        touched[kept] |= (near & cells.meet(kept, block)).any(axis=1)
        for others, alike in words.alike(block):
            touched[others[alike >= least[others, 1]]] = True
    return touched


# ---- search -------------------------------------------------------------------------------------
def _among_all(
    meaning: Floats, words: SharedWords, scales: Sequence[tuple[float, float]], most: int
) -> Iterator[_Found]:
    """Yield what is nearest to each row of a small digest."""
    every = np.arange(len(meaning))
    near, alike = meaning @ meaning.T, words.products(every)
    none = np.zeros(0, np.int64)
    for row in every.tolist():
        parts = np.delete(near[row], row), np.delete(alike[row], row)
        ranked = _ranked(np.delete(every, row), parts, scales, most)
        yield _Found((-np.inf, -np.inf), none, *ranked)


def _among_candidates(
    cells: Cells,
    words: SharedWords,
    wanted: Integers,
    scales: Sequence[tuple[float, float]],
    most: int,
) -> Iterator[_Found]:
    """Yield what is nearest to each of the wanted rows."""
    meaning = cells.rows
    least = np.empty(len(meaning), np.float32)
    pairs = [(np.zeros(0, np.int64),) * 2]
    for found in cells.near(wanted, _CANDIDATES):
        least[found.rows] = found.least
        pairs.append(found.pairs)
    rows, others = (np.concatenate(each) for each in zip(*pairs, strict=True))
    order = np.argsort(rows, kind="stable")
    near = others[order]
    first = np.searchsorted(rows[order], np.arange(len(meaning) + 1)).tolist()
    for start in range(0, len(wanted), _BLOCK):
        block = wanted[start : start + _BLOCK]
        for row, (alike, shares) in zip(block.tolist(), words.alike(block), strict=True):
            bound, highest = _highest(alike, shares)
            found_here = distinct(np.concatenate((near[first[row] : first[row + 1]], highest)))
            found_here = found_here[found_here != row]
            parts = meaning[found_here] @ meaning[row], words.likeness(row, found_here)
            ranked = _ranked(found_here, parts, scales, most)
            yield _Found((float(least[row]), bound), found_here, *ranked)


def _ranked(
    found: Integers,
    parts: tuple[Floats, Floats],
    scales: Sequence[tuple[float, float]],
    most: int,
) -> tuple[Integers, npt.NDArray[np.float64]]:
    """Return the best of the rows found and their scores, from how near and alike they are."""
    total = np.zeros(len(found))
    for part, (mean, deviation) in zip(parts, scales, strict=True):
        total += (part.astype(np.float64) - mean) / (2 * deviation)
    total = np.round(total, 3)
    ranked = np.lexsort((found, -total))[:most]
    ranked = ranked[total[ranked] >= _FLOOR]
    return found[ranked], total[ranked]


def _highest(others: Integers, alike: Floats) -> tuple[float, Integers]:
    """Return the lowest of the highest likenesses, and whose they are; any will do for few."""
    if len(alike) <= _CANDIDATES:
        return -np.inf, others
    least = np.partition(alike, -_CANDIDATES)[-_CANDIDATES]
    return float(least), others[alike >= least]


def _spread(products: Floats) -> tuple[float, float]:
    pairs = products[~np.eye(len(products), dtype=bool)].astype(np.float64)
    return round(float(pairs.mean()), 3), max(round(float(pairs.std()), 3), 1e-3)
