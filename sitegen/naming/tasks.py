"""What a paper works on: what its abstract opens with, comes back to, or calls its problem."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sitegen.naming.tagged import Tagged
from sitegen.naming.wordlists import word_list

MAX_TASKS = 4
"""Most phrases of one abstract that come again."""
MAX_SUBJECTS = 6
"""Most phrases that a sentence presents as what there is to be done."""
OPENING_SENTENCES = 3
"""Sentences of an abstract that say what it is about."""
_LONGEST = 6
"""Words of such a phrase."""

_DOING = word_list("tasks.heads")
_ACTS = ("ing", "ion", "ment", "sis")
"""Endings of nouns that mean a doing."""
_EMPTY = word_list("tasks.empty")
_TREND = word_list("tasks.trend")
_INSIDE = frozenset(("NN", "NNS", "JJ", "VBG", "POS", "CD"))
_FINITE = frozenset(("VBZ", "VBP", "VBD", "MD"))
_LEAD = 10
"""Tokens of a clause before the subject of a sentence: "In recent years,"."""
_WIDEST = 9
"""Words of a subject with what prepositions add to it."""
_ADDING = frozenset(("of", "for", "in", "under", "from", "on", "with", "to"))
_PRESENTING = frozenset(
    (
        ("task", "of"), ("problem", "of"), ("challenge", "of"), ("challenges", "of"),
        ("approach", "to"), ("approaches", "to"), ("solution", "to"), ("interest", "in"),
        ("performance", "in"), ("performance", "on"), ("advances", "in"), ("progress", "in"),
        ("success", "in"), ("role", "in"), ("applications", "to"), ("application", "to"),
        ("crucial", "for"), ("essential", "for"), ("critical", "for"), ("important", "for"),
        ("applied", "to"), ("tool", "for"), ("field", "of"), ("domain", "of"), ("area", "of"),
        ("promise", "in"), ("promise", "for"), ("potential", "in"), ("potential", "for"),
        ("adopted", "for"), ("used", "for"), ("capabilities", "in"),
    )
)  # fmt: skip
"""Words behind which a background sentence says what there is to be done."""
_BEFORE_CUT = frozenset(("a", "an", "and", "or", "as", "with"))
_BEHIND_CUT = frozenset(("of", "and", "or"))
"""Words beside a phrase that is one of several things, or only a part of one."""
_STRUGGLING = frozenset(
    ("struggle", "struggles", "fail", "fails", "hard", "difficult", "challenging", "aim", "aims")
)
"""Words behind which "to" and a verb say it."""


def find_tasks(tagged: Tagged) -> list[tuple[int, int]]:
    """Return the token ranges of up to MAX_TASKS phrases that "for" can stand before.

    A phrase counts where it stands in one of the opening sentences and comes again later, in full
    or as the short form given in brackets behind it. Tasks (detection, translation) and the
    opening words of the abstract come first, then what comes again most.
    """
    tokens = tagged.tokens
    found: list[tuple[int, int, int]] = []
    seen: set[tuple[str, ...]] = set()
    places: dict[str, list[int]] = {}
    for i, word in enumerate(tokens.lower):
        places.setdefault(word, []).append(i)
    for number in tagged.chosen:
        if number >= OPENING_SENTENCES:
            break
        first, last = tokens.sentences[number]
        for start, stop in _phrases(tagged, first, min(last, first + 40)):
            words = tokens.lower[start:stop]
            again = _comes_again(tagged, places, start, stop, last)
            # A task, what the abstract opens with, or a kind of thing it often speaks of.
            task = words[-1] in _DOING
            opens = number == 0 and start - first <= 1
            plural = tagged.tags[stop - 1] == "NNS"
            kind = (opens and (plural or words[-1].endswith(_ACTS))) or (plural and again > 1)
            cut = {tokens.lower[start - 1]} & _BEFORE_CUT if start > first else set()
            cut |= {*tokens.lower[stop : stop + 1]} & _BEHIND_CUT
            kind = kind and not cut
            task = task and not cut
            if again and words not in seen and words[-1] not in _EMPTY and (task or kind):
                seen.add(words)
                weight = min(again, 4) + 2 * task + 2 * opens
                found.append((-weight, start, stop))
    return [(start, stop) for _, start, stop in sorted(found)[:MAX_TASKS]]


@dataclass(frozen=True, slots=True)
class Presented:
    """A phrase that a sentence presents as what there is to be done."""

    tokens: tuple[int, ...]
    """Token numbers, brackets left out."""
    cue: str
    """What presents it: ``subject`` of its sentence, or a word such as ``task`` or ``struggle``."""
    gerund: bool = False
    """Whether the first is a verb to be put into its -ing form."""


def find_subjects(tagged: Tagged) -> list[Presented]:
    """Return up to MAX_SUBJECTS phrases that "for" can stand before, in the order of the text.

    The subject of the opening sentence ("Mass estimation of strawberries remains hard"), and what
    stands behind the words that present a task or a problem ("the task of", "struggle to").
    """
    found: dict[tuple[int, ...], Presented] = {}
    for number in tagged.chosen:
        if number >= OPENING_SENTENCES:
            break
        first, last = tagged.tokens.sentences[number]
        last = min(last, first + 60)
        for start, cue, gerund in _presented(tagged, first, last):
            phrase = _phrase_from(tagged, start, last, verb=gerund)
            for tokens in _clean(tagged, phrase):
                found.setdefault(tokens, Presented(tokens, cue, gerund))
    return list(found.values())[:MAX_SUBJECTS]


def _presented(tagged: Tagged, first: int, last: int) -> Iterator[tuple[int, str, bool]]:
    """Yield where such phrases begin, behind what word, and whether with a plain verb."""
    lower, tags = tagged.tokens.lower, tagged.tags
    start = first
    if tags[first] in ("IN", "RB", "VBG"):
        start = next((i + 1 for i in range(first, min(last, first + _LEAD)) if lower[i] == ","), -1)
    # Of the subjects of later sentences readers found six in ten wrong as tasks.
    if not first and start >= first:
        subject = _phrase_from(tagged, start, last)
        behind = subject[-1] + 1 if subject else last
        if behind < last and lower[behind] == "(":
            behind = next((i + 1 for i in range(behind, last) if lower[i] == ")"), last)
        if behind < last and (tags[behind] in _FINITE or tags[behind] == "RB"):
            yield start, "subject", False
    for i in range(first, last - 3):
        if (lower[i], lower[i + 1]) in _PRESENTING:
            yield i + 2, lower[i], False
        elif lower[i] in _STRUGGLING and lower[i + 1] == "to" and tags[i + 2] == "VB":
            yield i + 2, lower[i], True


def _phrase_from(tagged: Tagged, start: int, last: int, *, verb: bool = False) -> list[int]:
    """Return the tokens of a noun phrase with what prepositions add, brackets left out.

    With ``verb`` of a plain verb and its object.
    """
    lower, tags = tagged.tokens.lower, tagged.tags
    i = start
    while i < last and tags[i] in ("DT", "POS"):
        i += 1
    kept = [i] if verb and i < last else []
    i += len(kept)
    while i < last and len(kept) <= _WIDEST:
        if lower[i] == "(" and kept:
            i = next((j + 1 for j in range(i, min(last, i + 12)) if lower[j] == ")"), last)
            continue
        more = tags[i] in _INSIDE or (kept and (tags[i] in ("DT", "CC") or lower[i] in _ADDING))
        if not more:
            break
        kept.append(i)
        i += 1
    while kept and tags[kept[-1]] not in ("NN", "NNS"):
        kept.pop()
    return kept


def _clean(tagged: Tagged, phrase: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield a phrase whole, and up to the first preposition, without empty words at its edges."""
    lower, tags = tagged.tokens.lower, tagged.tags
    cut = next(
        (n for n, i in enumerate(phrase) if n and tags[i] in ("IN", "TO", "CC")), len(phrase)
    )
    for tokens in (list(phrase), list(phrase[:cut])):
        # "Novel view synthesis" is a term.
        while tokens and lower[tokens[0]] in _EMPTY - {"novel"} and tags[tokens[0]] == "JJ":
            tokens.pop(0)
        # "deepfake detection models": the models are for the detection.
        acts = len(tokens) > 2 and lower[tokens[-2]] in _DOING
        if acts and lower[tokens[-1]] in _EMPTY:
            tokens.pop()
        edges = {lower[i] for i in (*tokens[:1], *tokens[-1:])}
        trend = any(lower[i] in _TREND for i in tokens)
        if len(tokens) > 1 and not trend and _EMPTY.isdisjoint(edges):
            yield tuple(tokens)


def _phrases(tagged: Tagged, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield the noun phrases of two to _LONGEST words, without their articles."""
    tags = tagged.tags
    i = first
    while i < last:
        stop = i
        while stop < last and tags[stop] in _INSIDE:
            stop += 1
        end = stop
        while end > i and tags[end - 1] not in ("NN", "NNS"):
            end -= 1
        start = i
        while start < end and tags[start] in ("POS", "CD"):
            start += 1
        if 2 <= end - start <= _LONGEST and tagged.tokens.lower[start] not in _EMPTY:
            yield start, end
        i = max(stop, i + 1)


def _comes_again(
    tagged: Tagged, places: Mapping[str, Sequence[int]], start: int, stop: int, last: int
) -> int:
    """Count later places of the phrase, or of the short form given in brackets after it."""
    words, lower = tagged.tokens.words, tagged.tokens.lower
    tail = lower[stop - min(stop - start, 3) : stop]
    count = sum(lower[i : i + len(tail)] == tail for i in places[tail[0]] if i >= last)
    if words[stop : stop + 1] == ("(",) and words[stop + 2 : stop + 3] == (")",):
        short = words[stop + 1]
        count += sum(words[i] == short for i in places[short.lower()] if i >= last)
    return count
