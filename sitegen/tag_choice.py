"""Which of their concepts papers carry, so that every tag page has two papers or more; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from sitegen.concepts import Concept
from sitegen.topicality import log_odds


@dataclass(frozen=True, slots=True, kw_only=True)
class TagLimits:
    """How many tags, and how good."""

    most: int = 8
    linked: int = 5
    """Tags with a page on one paper; pinned ones come on top."""
    floor: float = 0.04
    """Lowest probability of a tag with a page."""
    own_floor: float = 0.05
    """Lowest probability of a tag without one."""
    least_linked: int = 3
    """A paper with fewer linked tags takes more of those that have a page anyway, ..."""
    least_floor: float = 0.02
    """... down to this probability."""


DEFAULT_LIMITS = TagLimits()


Choice = list[Concept]


def allot(
    ids: Sequence[str],
    concepts: Sequence[Sequence[Concept]],
    pinned: Sequence[Sequence[Concept]],
    limits: TagLimits = DEFAULT_LIMITS,
) -> list[Choice]:
    """Choose the concepts of every paper.

    Args:
        ids: of the papers; they decide between equal scores.
        concepts: for each paper what it may carry, best first.
        pinned: for each paper what it carries in any case; not among its ``concepts``.
        limits: numbers and floors.

    Returns:
        for each paper the pinned ones, then the chosen ones, best first; none nested in another.
        No more than ``limits.linked`` of the chosen ones are carried by another paper, too.
    """
    draft = _Draft(concepts, pinned, limits)
    draft.link()
    for position in sorted(range(len(ids)), key=lambda position: ids[position]):
        draft.rescue(position)
    mine = _owned(ids, concepts, draft.counts)
    least = log_odds(limits.own_floor)
    chosen = []
    for position, picked in enumerate(draft.linked):
        fixed = list(pinned[position][: limits.most])
        room = limits.most - len(fixed) - len(picked)
        own = _pick(concepts[position], (*fixed, *picked), mine[position], room, least)
        chosen.append([*fixed, *sorted((*picked, *own), key=lambda c: (-c.score, c.key))])
    return chosen


class _Draft:
    """The linked concepts of all papers, while they are being chosen."""

    def __init__(
        self,
        concepts: Sequence[Sequence[Concept]],
        pinned: Sequence[Sequence[Concept]],
        limits: TagLimits,
    ) -> None:
        self.concepts = concepts
        self.pinned = pinned
        self.limits = limits
        self.lowest = log_odds(limits.floor)
        self.linked: list[Choice] = [[] for _ in concepts]
        self.counts = Counter(concept.key for fixed in pinned for concept in fixed)
        """How many papers carry each concept, linked or pinned."""

    def link(self) -> None:
        """Pick concepts that papers share.

        What only one paper picked is taken from the shared ones, and that paper picks again, until
        nothing is left that stands alone. The shared ones only shrink, so this ends.
        """
        pins = self.counts.copy()
        viable = pins + Counter(
            concept.key
            for ranked in self.concepts
            for concept in ranked
            if concept.score >= self.lowest
        )
        shared = {key for key, count in viable.items() if count > 1}
        for position in range(len(self.concepts)):
            self._pick_linked(position, shared)
        while lonely := {key for key in shared if self.counts[key] == 1 and not pins[key]}:
            shared -= lonely
            for position, picked in enumerate(self.linked):
                if any(concept.key in lonely for concept in picked):
                    self._pick_linked(position, shared)

    def _pick_linked(self, position: int, shared: Set[str]) -> None:
        fixed = self.pinned[position]
        room = self.limits.linked - len(fixed)
        self.counts.subtract(concept.key for concept in self.linked[position])
        self.linked[position] = _pick(self.concepts[position], fixed, shared, room, self.lowest)
        self.counts.update(concept.key for concept in self.linked[position])

    def rescue(self, position: int) -> None:
        """Give a paper with too few linked concepts weaker ones that have a page anyway.

        Where there are none, one that another paper holds, but did not pick, takes the place of the
        weakest that it picked.
        """
        before = (*self.pinned[position], *self.linked[position])
        missing = min(self.limits.least_linked, self.limits.linked) - len(before)
        if missing <= 0:
            return
        pages = {c.key for c in self.concepts[position] if self.counts[c.key] > 1}
        bottom = log_odds(self.limits.least_floor)
        more = _pick(self.concepts[position], before, pages, missing, bottom)
        self.linked[position].extend(more)
        self.counts.update(concept.key for concept in more)
        for _ in range(missing - len(more)):
            if not self._promote(position):
                return

    def _promote(self, position: int) -> bool:
        before = (*self.pinned[position], *self.linked[position])
        offers = [
            (-own.score - concept.score, own.key, other, own, concept)
            for own in self.concepts[position]
            if own.score >= self.lowest and not self.counts[own.key] and not _nested(own, before)
            for other, concept in self.holders[own.key]
            if other != position and self._has_room(other, concept)
        ]
        if not offers:
            return False
        _, key, other, own, concept = min(offers, key=lambda offer: offer[:3])
        self.counts[self.linked[other][-1].key] -= 1
        self.linked[other][-1] = concept
        self.linked[position].append(own)
        self.counts[key] += 2
        return True

    def _has_room(self, position: int, concept: Concept) -> bool:
        """Whether a paper can give its weakest linked concept, with a page even so, for another."""
        picked = self.linked[position]
        if not picked or self.counts[picked[-1].key] < 3:
            return False
        return not _nested(concept, (*self.pinned[position], *picked[:-1]))

    @cached_property
    def holders(self) -> Mapping[str, list[tuple[int, Concept]]]:
        """For each key the papers that may carry it."""
        found: dict[str, list[tuple[int, Concept]]] = {}
        for position, ranked in enumerate(self.concepts):
            for concept in ranked:
                if concept.score >= self.lowest:
                    found.setdefault(concept.key, []).append((position, concept))
        return found


def _owned(
    ids: Sequence[str], concepts: Sequence[Sequence[Concept]], counts: Mapping[str, int]
) -> list[set[str]]:
    """For each paper the concepts that no paper carries yet and that fit it best."""
    best: dict[str, tuple[float, str, int]] = {}
    for position, ranked in enumerate(concepts):
        for concept in ranked:
            if not counts.get(concept.key):
                claim = (-concept.score, ids[position], position)
                best[concept.key] = min(best.get(concept.key, claim), claim)
    owned: list[set[str]] = [set() for _ in ids]
    for key, claim in best.items():
        owned[claim[2]].add(key)
    return owned


def _pick(
    ranked: Sequence[Concept],
    before: Sequence[Concept],
    allowed: Set[str],
    most: int,
    lowest: float,
) -> Choice:
    """Take the best allowed concepts, none nested in another one or in those ``before``."""
    picked: Choice = []
    for concept in ranked:
        if len(picked) >= most or concept.score < lowest:
            break
        if concept.key in allowed and not _nested(concept, (*before, *picked)):
            picked.append(concept)
    return picked


def _nested(concept: Concept, others: Sequence[Concept]) -> bool:
    return any(concept.words <= other.words or other.words <= concept.words for other in others)
