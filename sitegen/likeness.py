"""Whether two abstracts are versions of one text, by what they share.

Measured on the seeds and on 12,000 arXiv abstracts: different works share at most 0.11 of the
shorter one's 3-shingles, works by the same authors up to 0.44, mangled and edited copies 0.5 and
more; words in the same order: unrelated texts up to 0.38, works by the same authors 0.56.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from statistics import median
from typing import TYPE_CHECKING

from sitegen.overlap import Near, aligned, near_pairs
from sitegen.records import Metadata, Place, Restored
from sitegen.shingles import SIZE, Hashes, Prints, known_by, shown, words

if TYPE_CHECKING:
    from sitegen.config import DedupOptions

TINY = 9
"""Fewest words that equal texts must have to be one paper: "This paper has been withdrawn by the
author" has eight."""
SHORT = 24
"""Below so many words a text must stand nearly whole in the other, `WHOLE` of it."""
WHOLE = 0.8
SUBSTANTIAL = 40
"""Words from which on a text must itself resemble every text it is joined with by way of others."""
REWORDED = 0.60
"""Aligned words from which on a doubtful overlap is an edited copy: edits of every fourth word
leave 0.7 and more."""
AKIN = 0.45
"""Aligned words that two edited copies of one text still have."""
CUT = 0.85
"""Below this share of another text's words a text counts as shorter."""
SAMPLE = 8
"""Texts looked at of each set or neighbourhood; keeps large ones from taking quadratic time."""
_LEAST_SHINGLES = 8
_LONG = 1.4


@dataclass(frozen=True, slots=True)
class Text:
    """One abstract prepared for comparison."""

    restored: Restored
    mark: str
    """Fingerprint of what the abstract is known by."""
    words: Hashes
    """Hashes of the words of the text shown."""

    @property
    def place(self) -> Place:
        """Where it was read."""
        return self.restored.abstract.place

    @property
    def metadata(self) -> Metadata:
        """What its source knows of it."""
        return self.restored.abstract.metadata

    @property
    def shown(self) -> str:
        """The repaired text; the one read where there is none."""
        return shown(self.restored)

    @property
    def size(self) -> int:
        """Number of its words."""
        return len(self.words)

    @property
    def tokens(self) -> tuple[str, ...]:
        """Its words, for the few texts that are looked at closely."""
        return _tokens(self.shown)


@lru_cache(maxsize=4096)
def _tokens(text: str) -> tuple[str, ...]:
    return tuple(words(text))


def prepare(restored: Restored, prints: Prints) -> Text:
    """Take an abstract apart into words."""
    mark = prints[known_by(restored.abstract)].mark
    return Text(restored, mark, prints[shown(restored)].words)


class Likeness:
    """Compares texts, by position, through the overlaps found among all of them."""

    def __init__(self, read: Sequence[Text], options: DedupOptions) -> None:
        self._read = read
        self._options = options
        self._firsts: dict[str, int] = {}
        for at, text in enumerate(read):
            if text.size >= TINY:
                self._firsts.setdefault(text.mark, at)
        near = self._overlaps()
        self._shared = {(pair.left, pair.right): pair.containment for pair in near}
        self._unlike: dict[tuple[int, int], bool] = {}
        self._usual = median([read[at].size for at in self._firsts.values()] or [0])
        near += [
            Near(left=self._firsts[text.mark], right=at, containment=1.0)
            for at, text in enumerate(read)
            if self._firsts.get(text.mark, at) != at
        ]
        near.sort(key=lambda one: (-one.containment, one.left, one.right))
        self.pairs: tuple[Near, ...] = tuple(near)
        """All pairs that overlap enough to be proposed, equal texts first, then by containment."""
        self._undecided = self._find_undecided()

    def same(self, pair: Near) -> bool:
        """Whether an overlap alone makes two texts one paper."""
        if self._read[pair.left].mark == self._read[pair.right].mark:
            return True
        if not self._undecided.isdisjoint({pair.left, pair.right}):
            return False
        one, two = self._read[pair.left].tokens, self._read[pair.right].tokens
        join = self._options.join
        if min(len(one), len(two)) < SHORT:
            return pair.containment >= max(WHOLE, join)
        return pair.containment >= join or aligned(one, two) >= max(REWORDED, join)

    def unlike(self, left: int, right: int) -> bool:
        """Whether two substantial texts share neither passages nor their course."""
        key = self._key(left, right)
        if key[0] == key[1] or key in self._shared:
            return False
        if key not in self._unlike:
            one, two = (self._read[at].tokens for at in key)
            self._unlike[key] = min(len(one), len(two)) >= SUBSTANTIAL and aligned(one, two) < AKIN
        return self._unlike[key]

    def inside(self, part: int, whole: int) -> bool:
        """Whether part is shorter than whole and stands in it almost completely."""
        shorter = self._read[part].size < CUT * self._read[whole].size
        return shorter and self._shared.get(self._key(part, whole), 0.0) >= WHOLE

    def _overlaps(self) -> list[Near]:
        """Return overlapping pairs among the texts of different words."""
        distinct = sorted(self._firsts.values())
        words = [self._read[at].words for at in distinct]
        return [
            replace(pair, left=distinct[pair.left], right=distinct[pair.right])
            for pair in near_pairs(words, least=self._options.propose)
            if pair.containment * (min(len(words[pair.left]), len(words[pair.right])) - SIZE + 1)
            >= _LEAST_SHINGLES
        ]

    def _find_undecided(self) -> set[int]:
        """Return texts that can't be told to be one paper with any they overlap.

        These are two complete, unrelated abstracts in a row (a lost line break), and a piece that
        stands in several unrelated abstracts (a notice).
        """
        parts: dict[int, list[int]] = defaultdict(list)
        wholes: dict[int, list[int]] = defaultdict(list)
        for left, right in self._shared:
            for part, whole in ((left, right), (right, left)):
                if self.inside(part, whole):
                    wholes[part].append(whole)
                    if _is_complete(self._read[part].shown):
                        parts[whole].append(part)
        together = {
            whole
            for whole, inner in parts.items()
            for one, two in combinations(sorted(inner)[:SAMPLE], 2)
            if self.unlike(one, two) and self._make(one, two, whole)
        }
        notices = {
            part
            for part, outer in wholes.items()
            for one, two in combinations(sorted(outer)[:SAMPLE], 2)
            if self.unlike(one, two)
        }
        return together | notices

    def _make(self, one: int, two: int, whole: int) -> bool:
        """Whether two texts make up a third, which is longer than most."""
        sizes = [self._read[at].size for at in (one, two, whole)]
        return sizes[0] + sizes[1] >= WHOLE * sizes[2] and sizes[2] > _LONG * self._usual

    def _key(self, left: int, right: int) -> tuple[int, int]:
        one, two = (self._firsts.get(self._read[at].mark, at) for at in (left, right))
        return min(one, two), max(one, two)


def _is_complete(text: str) -> bool:
    """Whether a text begins and ends like a whole abstract."""
    return text.lstrip()[:1].isupper() and text.rstrip().endswith((".", "!", "?"))
