"""How the words and word classes of a draft, and those around it, speak for or against it.

A linear model over marks: which classes follow each other, which words, what was cut off before
and behind ("angle | between"), which verb governs, how the sentence begins. Each counts once. It
sees what the trees of ``editor`` do not: that a phrase breaks off or runs on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from sitegen.naming.compression import Body
from sitegen.naming.drafts import Draft
from sitegen.naming.reading import Reading

Mark = tuple[str, ...]
"""Its kind and what was seen."""

_EDGE = "|"
"""Stands for the beginning and the end of a stretch."""
_BEFORE = 12
"""Words of the sentence before a stretch that are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What ``tools/train_editor.py`` learnt of marks."""

    base: float
    """Expected grade of a draft without any known mark."""
    weights: Mapping[Mark, float]

    def grade(self, marks: frozenset[Mark]) -> float:
        """Return the expected grade of a draft, about 0 (bad) to 1 (good)."""
        known = (self.weights.get(mark, 0.0) for mark in marks)
        return round(self.base + math.fsum(known), 6)


def marks_of(reading: Reading, draft: Draft) -> frozenset[Mark]:
    """Return the marks of a draft."""
    marks: set[Mark] = set()
    for number, part in enumerate(draft.parts):
        marks.update(_within(reading, part), _around(reading, part))
        if not number:
            marks.update(_before(reading, part, draft.kind))
    return frozenset(marks)


def _within(reading: Reading, part: Body) -> Iterator[Mark]:
    """Yield words, pairs of words, and pairs and triples of classes."""
    tags = [reading.tagged.tags[i] for i in part.kept]
    words = [reading.tagged.tokens.lower[i] for i in part.kept]
    edged = (_EDGE, *tags, _EDGE)
    for word in words:
        yield "word", word
    for one, two in pairwise((_EDGE, *words, _EDGE)):
        yield "words", one, two
    for one, two in pairwise(edged):
        yield "classes", one, two
    for three in zip(edged, edged[1:], edged[2:], strict=False):
        yield "classes", *three


def _around(reading: Reading, part: Body) -> Iterator[Mark]:
    """Yield what stands behind a stretch, what governs it, and how its sentence begins."""
    lower, tags = reading.tagged.tokens.lower, reading.tagged.tags
    last = part.kept[-1]
    following = lower[last + 1] if last + 1 < len(lower) else _EDGE
    yield "next", following
    yield "next", *lower[last + 1 : last + 3]
    yield "next classes", *tags[last + 1 : last + 3]
    yield "cut", tags[last], following
    yield "cut words", lower[last], following
    yield "verb", part.core.kind, part.core.verb
    first = reading.tagged.tokens.sentences[part.core.sentence][0]
    yield "sentence", lower[first]
    yield "sentence", *lower[first : first + 2]
    for i in range(max(first, part.kept[0] - _BEFORE), part.kept[0]):
        yield "earlier", lower[i]


def _before(reading: Reading, part: Body, kind: str) -> Iterator[Mark]:
    """Yield what stands right before a draft."""
    start = part.kept[0]
    before = reading.tagged.tokens.lower[max(0, start - 2) : start]
    classes = reading.tagged.tags[max(0, start - 2) : start]
    yield "before", kind, *before[-1:]
    yield "before words", *before
    yield "before classes", kind, *classes
    yield "opens", reading.tagged.tags[start], *before[-1:]
