"""What speaks for and against a candidate being a name that the paper introduces.

Each feature has a name a reader can understand; ``explain_names`` shows them. A candidate's vector
is made of its shape, of the words before and after each of its places (a flag is 1 where any place
has it), of where it stands, and of what is known about its words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sitegen.naming.candidates import Candidate, is_odd, key_of
from sitegen.naming.columns import BEFORE, INDEX, NAMES
from sitegen.naming.contexts import Context
from sitegen.naming.lexicon import Lexicon
from sitegen.naming.tokens import Tokens
from sitegen.naming.wordlists import word_list

_SORTS = word_list("features.sorts")
_WAYS = {name.removeprefix("way_"): at for name, at in INDEX.items() if name.startswith("way_")}
# Columns that are set one by one, and the first ones of blocks that are set together.
_NEAR, _FAR, _LISTED = INDEX["propose_within_3"], INDEX["propose_within_8"], INDEX["listed"]
_CUES, _STARTS = INDEX["cue_before_mean"], INDEX["first_word"]
_SENTENCES, _SHAPE = INDEX["in_own_sentence"], INDEX["odd"]
_COUNT, _PARTNER = INDEX["count"], INDEX["has_partner"]
_AMONG, _KNOWN = INDEX["in_address"], INDEX["known"]

_ADDRESS = re.compile(r"https?://\S+|(?:github|huggingface)\.\w+/\S+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Described:
    """A candidate with its feature vector, in the order of NAMES."""

    candidate: Candidate
    values: tuple[float, ...]


def describe(
    candidates: dict[str, Candidate], tokens: Tokens, lexicon: Lexicon
) -> tuple[Described, ...]:
    """Return the vector of each candidate; values are flags, counts, shares and logarithms."""
    text = Context(tokens, lexicon)
    address = key_of(" ".join(_ADDRESS.findall(tokens.text))) if "/" in tokens.text else ""
    rows = [_one(candidate, text, lexicon) for candidate in candidates.values()]
    _relate(rows, candidates, address, text)
    return tuple(
        Described(candidate, tuple(row))
        for candidate, row in zip(candidates.values(), rows, strict=True)
    )


def _one(candidate: Candidate, text: Context, lexicon: Lexicon) -> list[float]:
    row = [0.0] * len(NAMES)
    tokens, sentence_of = text.tokens, text.sentence_of
    total = max(len(tokens.words), 1)
    for place in candidate.places:
        if place.way in _WAYS:
            row[_WAYS[place.way]] = 1.0
    spans = sorted({(place.start, place.end) for place in candidate.places})
    count = len(spans)
    starts = own = others = 0
    befores: list[float] = []
    afters: list[float] = []
    for start, end in spans:
        number = sentence_of[start]
        first, last = tokens.sentences[number]
        before, after = text.before(start), text.after(end, last)
        for column in before.flags:
            row[column] = 1.0
        for column in after.flags:
            row[column] = 1.0
        for column in before.added:
            row[column] += 1.0
        # A member of a list whose neighbours are written oddly too.
        if (before.joins or after.joins) and (before.odd or after.odd):
            row[_LISTED] = 1.0
        befores.append(before.cue)
        afters.append(after.cue)
        starts += start == first
        if number in text.own:
            own += 1
        elif number in text.others:
            others += 1
    both = [before + after for before, after in zip(befores, afters, strict=True)]
    row[_CUES : _CUES + 6] = (
        sum(befores) / count,
        max(befores),
        sum(afters) / count,
        max(afters),
        max(both),
        both[0],
    )
    row[_STARTS : _STARTS + 2] = (float(starts > 0), starts / count)
    row[_SENTENCES : _SENTENCES + 2] = (own / count, others / count)
    row[_COUNT : _COUNT + 7] = (
        min(count, 12),
        0.0,
        0.0,
        len({sentence_of[start] for start, _ in spans}),
        spans[0][0] / total,
        min(sentence_of[spans[0][0]], 12),
        spans[-1][0] / total,
    )
    row[_SHAPE : _SHAPE + 16] = _shape(candidate, tokens.words[slice(*spans[0])], lexicon)
    return row


def _shape(candidate: Candidate, words: tuple[str, ...], lexicon: Lexicon) -> tuple[float, ...]:
    """Return what the form of a candidate and its words tell, from ``odd`` to ``known_cased``."""
    parts = [part for word in words for part in _parts(word)]
    frequencies = [lexicon.frequency(part) for part in parts] or [0.0]
    all_capitals, has_digit, has_hyphen, has_capital, one_capital = _letters(candidate.text)
    return (
        float(any(map(is_odd, words))),
        all_capitals,
        has_digit,
        has_hyphen,
        has_capital,
        float(len(words) == 1 and one_capital),
        sum([word[0].isupper() for word in words]),
        len(words),
        len(candidate.key),
        sum([word[0].islower() for word in words]),
        float(words[-1].lower() in _SORTS),
        len(parts),
        max(frequencies),
        min(frequencies),
        lexicon.known(candidate.key),
        max([lexicon.known(key_of(word)) for word in words]),
    )


@lru_cache(maxsize=65_536)
def _parts(word: str) -> tuple[str, ...]:
    return tuple(part for part in re.split(r"[-–/]", word.lower()) if part)


@lru_cache(maxsize=65_536)
def _letters(text: str) -> tuple[float, float, float, float, bool]:
    """Tell of all capitals, a digit, a hyphen, a capital, and of one capital at the beginning."""
    letters = list(filter(str.isalpha, text))
    capitals = sum(map(str.isupper, letters))
    return (
        float(bool(letters) and capitals == len(letters)),
        float(any(map(str.isdigit, text))),
        float("-" in text),
        float(capitals > 0),
        capitals == 1 and text[0].isupper(),
    )


def _relate(
    rows: list[list[float]], candidates: dict[str, Candidate], address: str, text: Context
) -> None:
    """Set the features that compare a candidate with the others of its text."""
    if not rows:
        return
    order = list(candidates)
    at = {key: position for position, key in enumerate(order)}
    counts = [row[_COUNT] for row in rows]
    most = max(counts)
    rank = {i: place for place, i in enumerate(sorted(at.values(), key=lambda i: (-counts[i], i)))}
    joined = "\n".join(order)
    parts = [key for key in order[:60] if len(key) > 2]
    proposed_before = False
    proposes = min(len(text.proposing & text.own), 4)
    for i, candidate in enumerate(candidates.values()):
        row, key = rows[i], order[i]
        several = candidate.places[0].end - candidate.places[0].start > 1
        row[_COUNT + 1 : _COUNT + 3] = (counts[i] / most, min(rank[i], 20))
        row[_AMONG : _AMONG + 6] = (
            float(len(key) > 2 and key in address),
            min(joined.count(key) - 1, 5),
            float(several and any(other in key and other != key for other in parts)),
            min(len(rows), 40),
            float(proposed_before),
            proposes,
        )
        proposed_before |= row[_NEAR] > 0 and row[_SHAPE] > 0
        if candidate.partner:
            partner = rows[at[candidate.partner]]
            row[_PARTNER : _PARTNER + 5] = (
                1.0,
                float(candidate.is_short),
                max(partner[_FAR], partner[BEFORE["called"]]),
                partner[_KNOWN],
                partner[_COUNT + 5],
            )
