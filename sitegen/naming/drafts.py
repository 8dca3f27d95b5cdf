"""Drafts of a paper's headline: shortened cores, alone or joined, beside the paper's name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from sitegen.naming.casing import capitalize
from sitegen.naming.clauses import LOOSE_KINDS
from sitegen.naming.compression import MAX_WORDS, Body
from sitegen.naming.joining import Combination, combinations
from sitegen.naming.lexicon import Lexicon
from sitegen.naming.reading import Reading
from sitegen.naming.rendering import render, repeats, unfold
from sitegen.naming.stems import stems_of

MAX_TOLD, MAX_LOOSE = 48, 24
"""Most drafts of one paper that are judged: cut from what it says of itself, and from anywhere."""
_USUAL_STEMS = 8
"""Stems of a usual title."""
_UNLIKELY = 0.02
"""Probability of a stem that was not weighed to stand in the title."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One possible headline of a paper."""

    text: str
    body: str
    """The headline without the name before its colon."""
    kind: str
    """Of its core, or how two were joined: ``described_for``, ``described_by``, ``task``,
    ``expansion_for``, ``ending_in``."""
    parts: tuple[Body, ...]
    named: bool


def write_drafts(reading: Reading, lexicon: Lexicon) -> list[Draft]:
    """Return the drafts of a paper's headline, each text once, in a fixed order.

    Of more than can be judged those are kept whose words are likeliest to stand in the title.
    """
    promising = _Promise(reading)
    told: list[tuple[float, Combination]] = []
    loose: list[tuple[float, Combination]] = []
    for combination in combinations(reading):
        kind, parts, _ = combination
        (loose if kind in LOOSE_KINDS else told).append((-promising.of(parts), combination))
    drafts: dict[str, Draft] = {}
    for some, most in ((told, MAX_TOLD), (loose, MAX_LOOSE)):
        limit = len(drafts) + most
        for _, (kind, parts, joint) in sorted(some, key=itemgetter(0)):
            if len(drafts) == limit:
                break
            draft = _drafted(reading, lexicon, kind, parts, joint)
            if draft is not None:
                drafts.setdefault(draft.text, draft)
    return list(drafts.values())


class _Promise:
    """Tells how close to the title some tokens may be, from their probability to stand in it."""

    def __init__(self, reading: Reading) -> None:
        self._stems = [stems_of(word) for word in reading.tagged.tokens.lower]
        self._salience = reading.salience

    def of(self, parts: Sequence[Body]) -> float:
        """Return the expected F measure of the stems in the parts, each counted once."""
        stems = {stem for part in parts for i in part.kept for stem in self._stems[i]}
        mass = math.fsum(self._salience.get(stem, _UNLIKELY) for stem in stems)
        return round(2 * mass / (len(stems) + _USUAL_STEMS), 6)


def _drafted(
    reading: Reading, lexicon: Lexicon, kind: str, parts: tuple[Body, ...], joint: str
) -> Draft | None:
    """Return the draft, None where it is too long or says the name twice."""
    pieces = [render(reading, part, lexicon) for part in parts]
    if not all(pieces):
        return None
    room = MAX_WORDS - len(reading.name.split())
    body = unfold((f" {joint} " if joint else " ").join(pieces), reading.short_forms, room)
    least = 2 if kind == "expansion" or not reading.name else 3
    if not least <= len(body.split()) <= room or repeats(reading.name, body):
        return None
    text = f"{reading.name}: {body}" if reading.name else capitalize(body)
    return Draft(text, body, kind, parts, bool(reading.name))
