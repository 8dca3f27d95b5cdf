"""What speaks for and against a candidate being a name that the paper introduces.

Each feature has a name a reader can understand; ``explain_names`` shows them. A candidate's vector
is made of its shape, of the words before and after each of its places (a flag is 1 where any place
has it), of where it stands, and of what is known about its words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from operator import add

from sitegen.naming.candidates import Candidate, is_odd, key_of
from sitegen.naming.columns import BEFORE, INDEX, NAMES
from sitegen.naming.contexts import Context
from sitegen.naming.lexicon import Lexicon
from sitegen.naming.tokens import Tokens
from sitegen.naming.wordlists import word_list

_SORTS = word_list("features.sorts")
_ADJECTIVAL = word_list("features.adjectival")
_WAYS = {name.removeprefix("way_"): at for name, at in INDEX.items() if name.startswith("way_")}
# Columns that are set one by one, and the first ones of blocks that are set together.
_NEAR, _FAR, _LISTED = INDEX["propose_within_3"], INDEX["propose_within_8"], INDEX["listed"]
_CUES, _STARTS = INDEX["cue_before_mean"], INDEX["first_word"]
_SENTENCES, _SHAPE = INDEX["in_own_sentence"], INDEX["odd"]
_COUNT, _PARTNER = INDEX["count"], INDEX["has_partner"]
_AMONG, _KNOWN = INDEX["in_address"], INDEX["known"]
_OWN_MADE, _WE = INDEX["own_made"], INDEX["we_before"]
_MADE = frozenset((INDEX["make_within_8"], INDEX["propose_within_8"]))
_BESIDE_SORT, _BEFORE_SORT = INDEX["beside_sort"], INDEX["before_sort"]

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
    spans = []
    for start, end, way in candidate.places:
        if way in _WAYS:
            row[_WAYS[way]] = 1.0
        spans.append((start, end))
    if len(spans) > 1:
        spans = sorted(set(spans))
    count = len(spans)
    starts = own = others = 0
    befores: list[float] = []
    afters: list[float] = []
    numbers = []
    for start, end in spans:
        number = sentence_of[start]
        first, last = tokens.sentences[number]
        flags, added, cue, joins, odd = text.before(start)
        flags_after, _, cue_after, joins_after, odd_after = text.after(end, last)
        for column in flags + flags_after:
            row[column] = 1.0
        for column in added:
            row[column] += 1.0
        # "we create a new dataset – X", "we release the X model"
        makes = not _MADE.isdisjoint(flags) and _WE in flags
        if makes and (_BESIDE_SORT in flags or _BEFORE_SORT in flags_after):
            row[_OWN_MADE] = 1.0
        # A member of a list whose neighbours are written oddly too.
        if (joins or joins_after) and (odd or odd_after):
            row[_LISTED] = 1.0
        befores.append(cue)
        afters.append(cue_after)
        numbers.append(number)
        starts += start == first
        if number in text.own:
            own += 1
        elif number in text.others:
            others += 1
    if count == 1:
        before_cue, after_cue = befores[0], afters[0]
        both = before_cue + after_cue
        row[_CUES : _CUES + 6] = (before_cue, before_cue, after_cue, after_cue, both, both)
    else:
        all_cues = list(map(add, befores, afters))
        row[_CUES : _CUES + 6] = (
            sum(befores) / count,
            max(befores),
            sum(afters) / count,
            max(afters),
            max(all_cues),
            all_cues[0],
        )
    row[_STARTS : _STARTS + 2] = (float(starts > 0), starts / count)
    row[_SENTENCES : _SENTENCES + 2] = (own / count, others / count)
    row[_COUNT : _COUNT + 7] = (
        min(count, 12),
        0.0,
        0.0,
        len(set(numbers)) if count > 1 else 1,
        spans[0][0] / total,
        min(numbers[0], 12),
        spans[-1][0] / total,
    )
    row[_SHAPE : _SHAPE + 17] = _shape(candidate, tokens.words[slice(*spans[0])], lexicon)
    return row


def _shape(candidate: Candidate, words: tuple[str, ...], lexicon: Lexicon) -> tuple[float, ...]:
    """Return what the form of a candidate and its words tell, from ``odd`` to ``known_cased``."""
    odd = capitalised = small = 0
    parts: tuple[str, ...] = ()
    known = 0.0
    for word in words:
        is_word_odd, upper, lower, its_parts, key = _word(word)
        odd |= is_word_odd
        capitalised += upper
        small += lower
        parts += its_parts
        known = max(known, lexicon.known(key))
    frequencies = [lexicon.frequency(part) for part in parts] or [0.0]
    all_capitals, has_digit, has_hyphen, has_capital, one_capital = _letters(candidate.text)
    return (
        odd,
        all_capitals,
        has_digit,
        has_hyphen,
        has_capital,
        float(len(words) == 1 and one_capital),
        capitalised,
        len(words),
        len(candidate.key),
        small,
        words[-1].lower() in _SORTS,
        words[-1].lower().rpartition("-")[2] in _ADJECTIVAL,
        len(parts),
        max(frequencies),
        min(frequencies),
        _known(candidate, lexicon),
        known,
    )


def _known(candidate: Candidate, lexicon: Lexicon) -> float:
    """Return how well a name is known; of a short form, how well it is with this expansion.

    FL mostly is federated learning, but "Feasible Learning (FL)" is news.
    """
    known = lexicon.known(candidate.key)
    return min(known, lexicon.known(candidate.partner)) if candidate.is_short else known


@lru_cache(maxsize=65_536)
def _word(word: str) -> tuple[bool, bool, bool, tuple[str, ...], str]:
    """Tell of a word whether it is odd, begins with a capital, with a small letter; parts, key."""
    parts = tuple(part for part in re.split(r"[-–/]", word.lower()) if part)
    return is_odd(word), word[0].isupper(), word[0].islower(), parts, key_of(word)


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
    odd = [key for key, row in zip(order, rows, strict=True) if row[_SHAPE] and len(key) > 2][:60]
    proposed_before = False
    proposes = min(len(text.proposing & text.own), 4)
    for i, candidate in enumerate(candidates.values()):
        row, key = rows[i], order[i]
        several = candidate.places[0].end - candidate.places[0].start > 1
        row[_COUNT + 1 : _COUNT + 3] = (counts[i] / most, min(rank[i], 20))
        # EuCLIP beside CLIP: written as one word, with another name in it.
        grown = not several and any(
            key != other and (key.endswith(other) or key.startswith(other)) for other in odd
        )
        row[_AMONG : _AMONG + 7] = (
            float(len(key) > 2 and key in address),
            min(joined.count(key) - 1, 5),
            float(several and any(other in key and other != key for other in parts)),
            float(grown),
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
