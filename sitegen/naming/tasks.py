"""What a paper works on: noun phrases that its abstract opens with and comes back to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sitegen.naming.tagged import Tagged
from sitegen.naming.wordlists import word_list

MAX_TASKS = 4
"""Most phrases of one abstract."""
OPENING_SENTENCES = 3
"""Sentences of an abstract that say what it is about."""
_LONGEST = 6
"""Words of such a phrase."""

_DOING = word_list("tasks.heads")
_ACTS = ("ing", "ion", "ment", "sis")
"""Endings of nouns that mean a doing."""
_EMPTY = word_list("tasks.empty")
_INSIDE = frozenset(("NN", "NNS", "JJ", "VBG", "POS", "CD"))


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
            if again and words not in seen and words[-1] not in _EMPTY and (task or kind):
                seen.add(words)
                weight = min(again, 4) + 2 * task + 2 * opens
                found.append((-weight, start, stop))
    return [(start, stop) for _, start, stop in sorted(found)[:MAX_TASKS]]


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
