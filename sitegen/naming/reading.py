"""A paper as it was read for its headline."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sitegen.naming.casing import spelt_out
from sitegen.naming.expansions import pairs
from sitegen.naming.lexicon import Lexicon
from sitegen.naming.tagged import Core, Tagged
from sitegen.naming.tokens import Tokens

_WELL_KNOWN = math.log1p(60)
"""Logarithm of the abstracts, of 12,000, that hold a short form which needs no explanation."""
_KEY = re.compile(r"[^a-z0-9]")


@dataclass(slots=True)
class Reading:
    """A paper read for its headline: everything that drafts are made from and judged by."""

    tagged: Tagged
    cores: Sequence[Core]
    name: str
    """Main name as shown; empty where the paper introduces none."""
    places: Sequence[tuple[int, int]]
    """Token ranges of the main name in any form."""
    expansions: Sequence[tuple[int, int]]
    """Token ranges at which the expansion of the main name stands."""
    kept_case: frozenset[int]
    """Tokens that keep their capitals: parts of names."""
    hints: Sequence[tuple[int, int, float]]
    """Token ranges of what may be a name, with its probability."""
    short_forms: Mapping[str, str]
    """What little-known short forms stand for, as the abstract says; not those of the name."""
    salience: Mapping[str, float]
    """Probability of each stem of the abstract to stand in the title."""
    telling: Sequence[float]
    """How much each sentence tells of what the paper contributes."""


def short_forms(tokens: Tokens, name: str, lexicon: Lexicon) -> dict[str, str]:
    """Return what the little-known short forms of a text stand for, in the order of the text.

    The paper's own name is left out: what it stands for is said beside it or not at all.
    """
    found: dict[str, str] = {}
    for first, last in tokens.sentences:
        for short, long in pairs(tokens, first, last):
            text = tokens.slice(*short)
            well_known = lexicon.known(_KEY.sub("", text.lower())) >= _WELL_KNOWN
            if text.isalnum() and text != name and not well_known:
                words = [spelt_out(tokens, i, lexicon) for i in range(*long)]
                found.setdefault(text, " ".join(words))
    return found
