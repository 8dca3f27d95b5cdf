"""Sets of texts that are one paper, joined link by link under what must stay apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sitegen.likeness import SAMPLE, Likeness
from sitegen.records import Decision


class Verdicts:
    """The curator's decisions, followed through: same as a same is the same."""

    def __init__(self, decisions: Iterable[Decision]) -> None:
        self.conflicts: list[Decision] = []
        """Decisions that contradict others; of two, "different" is followed."""
        ordered = sorted(set(decisions), key=lambda one: (one.same, one.left, one.right))
        self._root: dict[str, str] = {}
        self._apart: dict[str, set[str]] = {}
        self._same = {mark for one in ordered if one.same for mark in (one.left, one.right)}
        for decision in ordered:
            left, right = self.root(decision.left), self.root(decision.right)
            if not decision.same:
                self._apart.setdefault(left, set()).add(right)
                self._apart.setdefault(right, set()).add(left)
            elif right in self._apart.get(left, ()):
                self.conflicts.append(decision)
            elif left != right:
                self._merge(min(left, right), max(left, right))

    def root(self, mark: str) -> str:
        """Return what stands for a fingerprint and all that was called the same."""
        while (parent := self._root.get(mark, mark)) != mark:
            mark = parent
        return mark

    def told(self, mark: str) -> bool:
        """Whether a decision calls the fingerprint the same as any."""
        return mark in self._same

    def apart(self, left: Iterable[str], right: Iterable[str]) -> bool:
        """Whether any of the roots left was called different from any of right."""
        others = set(right)
        return any(not others.isdisjoint(self._apart.get(root, ())) for root in left)

    def _merge(self, keep: str, gone: str) -> None:
        self._root[gone] = keep
        for other in self._apart.pop(gone, set()):
            self._apart[other].discard(gone)
            self._apart[other].add(keep)
            self._apart.setdefault(keep, set()).add(other)


class Clusters:
    """Disjoint sets of texts, given by position.

    A link joins two sets unless a decision parts them, unless both hold arXiv ids and share none,
    or unless a text of one is unlike a text of the other: so two works never become one by way of
    a third text that resembles both. A text that stands whole in another of its set is no witness
    of its own: two cuts of one abstract need not resemble each other.
    """

    def __init__(
        self,
        marks: Sequence[str],
        arxiv: Sequence[str],
        verdicts: Verdicts,
        likeness: Likeness,
    ) -> None:
        self._marks = marks
        self._verdicts = verdicts
        self._likeness = likeness
        self._of = list(range(len(marks)))
        self._sets = {
            at: _Set([at], [at], {verdicts.root(mark)}, {value} - {""})
            for at, (mark, value) in enumerate(zip(marks, arxiv, strict=True))
        }

    def key(self, at: int) -> int:
        """Return what is equal for all texts of a set."""
        return self._of[at]

    def sets(self) -> list[list[int]]:
        """Return all sets; members and sets in order of position."""
        return sorted(sorted(one.members) for one in self._sets.values())

    def apart(self, left: int, right: int) -> bool:
        """Whether a decision parts the sets of two texts."""
        one, two = self._sets[self._of[left]], self._sets[self._of[right]]
        return self._verdicts.apart(one.roots, two.roots)

    def join(self, left: int, right: int, *, forced: bool = False) -> bool:
        """Join the sets of two texts and tell whether they are one now.

        Args:
            left: position of a text.
            right: position of another.
            forced: ignore unlikeness and arXiv ids; never the decisions.
        """
        keys = self._of[left], self._of[right]
        if keys[0] == keys[1]:
            return True
        small, large = sorted(keys, key=lambda key: (len(self._sets[key].members), -key))
        one, two = self._sets[small], self._sets[large]
        if self.apart(left, right) or not (forced or self._alike(one, two)):
            return False
        del self._sets[small]
        for at in one.members:
            self._of[at] = large
        two.members.extend(one.members)
        two.roots.update(one.roots)
        two.arxiv.update(one.arxiv)
        two.samples[:] = self._witnesses([*one.samples, *two.samples])
        return True

    def _witnesses(self, samples: Iterable[int]) -> list[int]:
        """Return texts of different words, none of them a part of another."""
        unique = {self._marks[at]: at for at in sorted(samples, reverse=True)}
        texts = sorted(unique.values())
        inside = self._likeness.inside
        return [at for at in texts if not any(inside(at, other) for other in texts)][:SAMPLE]

    def _alike(self, one: _Set, two: _Set) -> bool:
        if one.arxiv and two.arxiv and one.arxiv.isdisjoint(two.arxiv):
            return False
        return not any(self._likeness.unlike(a, b) for a in one.samples for b in two.samples)


@dataclass(frozen=True, slots=True)
class _Set:
    """Texts that are one paper, and what stands for them in comparisons."""

    members: list[int]
    samples: list[int]
    """A few members of different words, those of lowest position."""
    roots: set[str]
    """What the decisions know them by."""
    arxiv: set[str]
