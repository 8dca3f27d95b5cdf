"""Which of their concepts papers carry, so that every tag page has two papers or more; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from sitegen.concepts import Pinned, Ranked
from sitegen.text_words import Integers
from sitegen.topicality import log_odds


@dataclass(frozen=True, slots=True, kw_only=True)
class TagLimits:
    """How many tags, and how good."""

    most: int = 8
    linked: int = 5
    """Tags with a page on one paper; pinned ones come on top."""
    floor: float = 0.17
    """Lowest probability of a tag with a page."""
    own_floor: float = 0.25
    """Lowest probability of a tag without one."""
    least_linked: int = 3
    """A paper with fewer linked tags takes more of those that have a page anyway, ..."""
    least_floor: float = 0.02
    """... down to this probability."""


DEFAULT_LIMITS = TagLimits()


def allot(
    ids: Sequence[str],
    concepts: Ranked,
    pinned: Sequence[Sequence[Pinned]],
    limits: TagLimits = DEFAULT_LIMITS,
    introduced: Sequence[Sequence[Set[str]]] = (),
) -> list[list[int]]:
    """Choose the concepts of every paper.

    Args:
        ids: of the papers; they decide between equal scores.
        concepts: what the papers may carry.
        pinned: for each paper what it carries in any case; not among its ``concepts``.
        limits: numbers and floors.
        introduced: folded words of each name that each paper gives; a literal concept that is part
            of it or holds it tells a reader nothing more unless another paper carries it, too.

    Returns:
        for each paper the rows of ``concepts`` chosen beside the pinned ones, best first; none
        nested in another. No more than ``limits.linked`` of them are carried by another paper, too.
    """
    draft = _Draft(concepts, pinned, limits)
    draft.link()
    for position in sorted(range(len(ids)), key=lambda position: ids[position]):
        draft.rescue(position)
    mine = _owned(ids, concepts, np.array(draft.counts, np.int64))
    least = log_odds(limits.own_floor)
    chosen = []
    for position, picked in enumerate(draft.linked):
        room = limits.most - len(pinned[position]) - len(picked)
        named = introduced[position] if introduced else ()
        rows = [row for row in mine[position] if not draft.is_named(row, named)]
        own = draft.pick(position, rows, picked, room, least, apart=True)
        chosen.append(sorted((*picked, *own)))  # rows of a text are best first
    return chosen


class _Draft:
    """The linked concepts of all papers, as rows, while they are being chosen."""

    def __init__(
        self, concepts: Ranked, pinned: Sequence[Sequence[Pinned]], limits: TagLimits
    ) -> None:
        self.concepts = concepts
        self.pinned = pinned
        self.limits = limits
        self.lowest = log_odds(limits.floor)
        self.bottom = log_odds(limits.least_floor)
        self.keys: list[int] = concepts.key.tolist()
        self.scores: list[float] = concepts.score.tolist()
        self.words = [concepts.words[variant] for variant in concepts.variant]
        self.linked: list[list[int]] = [[] for _ in pinned]
        numbers = {key: number for number, key in enumerate(concepts.keys)}
        self.counts = [0] * len(concepts.keys)
        """How many papers carry each concept, linked or pinned."""
        for fixed in pinned:
            for concept in fixed:
                self.counts[numbers[concept.key]] += 1

    def is_named(self, row: int, names: Sequence[Set[str]]) -> bool:
        """Tell whether a literal concept is part of a name, or a name part of it."""
        words = self.words[row]
        literal = self.concepts.places.term[row] < 0
        return bool(literal) and any(words <= name or name <= words for name in names if name)

    def link(self) -> None:
        """Pick concepts that papers share.

        What only one paper picked is taken from the shared ones, and that paper picks again, until
        nothing is left that stands alone. The shared ones only shrink, so this ends.
        """
        key = self.concepts.key
        pins = np.array(self.counts, np.int64)
        viable = self.concepts.score >= self.lowest
        shared = pins + np.bincount(key[viable], minlength=len(pins)) > 1
        rows = np.flatnonzero(viable & shared[key])
        firsts = np.searchsorted(rows, self.concepts.first).tolist()
        open_to: list[list[int]] = [rows[first:after].tolist() for first, after in pairwise(firsts)]
        for position, rows_here in enumerate(open_to):
            self._pick_linked(position, rows_here)
        gone: set[int] = set()
        while lonely := set(
            np.flatnonzero(shared & (np.array(self.counts, np.int64) == 1) & (pins == 0)).tolist()
        ):
            shared[list(lonely)] = False
            gone |= lonely
            for position, picked in enumerate(self.linked):
                if any(self.keys[row] in lonely for row in picked):
                    open_to[position] = [
                        row for row in open_to[position] if self.keys[row] not in gone
                    ]
                    self._pick_linked(position, open_to[position])

    def _pick_linked(self, position: int, rows: Sequence[int]) -> None:
        room = self.limits.linked - len(self.pinned[position])
        for row in self.linked[position]:
            self.counts[self.keys[row]] -= 1
        picked = self.pick(position, rows, (), room, self.lowest)
        for row in picked:
            self.counts[self.keys[row]] += 1
        self.linked[position] = picked

    def pick(
        self,
        position: int,
        rows: Sequence[int],
        before: Sequence[int],
        most: int,
        lowest: float,
        *,
        apart: bool = False,
    ) -> list[int]:
        """Take the best of some rows, none nested in another, in those ``before`` or pinned.

        With ``apart``, none shares half its words with one of these either.
        """
        picked: list[int] = []
        if most <= 0:
            return picked
        taken = [concept.words for concept in self.pinned[position]]
        taken += [self.words[row] for row in before]
        known = len(taken)
        for row in rows:
            if self.scores[row] < lowest:
                break
            words = self.words[row]
            for at, other in enumerate(taken):
                both = len(words & other)
                if both == len(words) or both == len(other):
                    break
                if apart and at >= known and 2 * both >= len(words):
                    break
            else:
                picked.append(row)
                if len(picked) >= most:
                    break
                taken.append(words)
        return picked

    def rescue(self, position: int) -> None:
        """Give a paper with too few linked concepts weaker ones that have a page anyway.

        Where there are none, one that another paper holds, but did not pick, takes the place of the
        weakest that it picked.
        """
        linked = self.linked[position]
        before = len(self.pinned[position]) + len(linked)
        missing = min(self.limits.least_linked, self.limits.linked) - before
        if missing <= 0:
            return
        pages = [row for row in self._rows(position) if self.counts[self.keys[row]] > 1]
        more = self.pick(position, pages, linked, missing, self.bottom)
        linked.extend(more)
        for row in more:
            self.counts[self.keys[row]] += 1
        for _ in range(missing - len(more)):
            if not self._promote(position):
                return

    def _rows(self, position: int) -> range:
        return range(self.concepts.first[position], self.concepts.first[position + 1])

    def _promote(self, position: int) -> bool:
        linked = self.linked[position]
        offers = [
            (-self.scores[own] - self.scores[row], self.keys[own], other, own, row)
            for own in self._rows(position)
            if self.scores[own] >= self.bottom
            and not self.counts[self.keys[own]]
            and not self._nested(own, position, linked)
            for other, row in self._holders(self.keys[own])
            if other != position and self._has_room(other, row)
        ]
        if not offers:
            return False
        _, key, other, own, row = min(offers, key=lambda offer: offer[:3])
        self.counts[self.keys[self.linked[other][-1]]] -= 1
        self.linked[other][-1] = row
        linked.append(own)
        self.counts[key] += 2
        return True

    def _has_room(self, position: int, row: int) -> bool:
        """Whether a paper can give its weakest linked concept, with a page even so, for another."""
        picked = self.linked[position]
        if not picked or self.counts[self.keys[picked[-1]]] < 3:
            return False
        return not self._nested(row, position, picked[:-1])

    def _nested(self, row: int, position: int, others: Sequence[int]) -> bool:
        words = self.words[row]
        return any(
            words <= other or other <= words
            for other in (
                *(concept.words for concept in self.pinned[position]),
                *(self.words[other] for other in others),
            )
        )

    def _holders(self, key: int) -> Iterator[tuple[int, int]]:
        """Yield the papers that may carry a concept, each with its row."""
        by_key, first = self._by_key
        rows = by_key[first[key] : first[key + 1]]
        return zip(self.concepts.text[rows].tolist(), rows.tolist(), strict=True)

    @cached_property
    def _by_key(self) -> tuple[Integers, Integers]:
        """Rows that are good enough, by key, and where each key's begin."""
        rows = np.flatnonzero(self.concepts.score >= self.lowest)
        key = self.concepts.key[rows]
        order = np.argsort(key, kind="stable")
        return rows[order], np.searchsorted(key[order], np.arange(len(self.counts) + 1))


def _owned(ids: Sequence[str], concepts: Ranked, counts: Integers) -> list[list[int]]:
    """For each paper the rows of concepts that no paper carries yet and that fit it best."""
    ranks = np.empty(len(ids), np.int64)
    ranks[sorted(range(len(ids)), key=lambda at: (ids[at], at))] = np.arange(len(ids))
    rows = np.flatnonzero(counts[concepts.key] == 0)
    key = concepts.key[rows]
    order = np.lexsort((ranks[concepts.text[rows]], -concepts.score[rows], key))
    best = np.sort(rows[order[np.r_[True, np.diff(key[order]) != 0][: len(order)]]])
    firsts = np.searchsorted(best, concepts.first).tolist()
    return [best[first:after].tolist() for first, after in pairwise(firsts)]
