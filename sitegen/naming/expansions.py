"""Short forms and what they stand for: ``Long Form (LF)``, ``LF (Long Form)``, ``Long Form LF``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sitegen.naming.tokens import Tokens
from sitegen.naming.wordlists import word_list

_NO_BEGINNING = (
    word_list("candidates.stop")
    | word_list("candidates.proposing")
    | word_list("candidates.coining")
)


def pairs(
    tokens: Tokens, first: int, last: int
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield short form and expansion as token ranges: ``Long Form (LF)`` and ``LF (Long Form)``.

    The letters of the short form must stand in order in the words of the long one, its first
    letter at the beginning of the first word (after Schwartz and Hearst, 2003).
    """
    words = tokens.words
    for i in [i for i, word in enumerate(words[first:last], first) if word == "("]:
        close = next((j for j in range(i + 1, min(i + 14, last)) if words[j] == ")"), 0)
        if not close or close == i + 1:
            continue
        inner = (i + 1, close)
        # A comma or semicolon ends the short form: "(FL, see below)".
        stop = next((j for j in range(i + 1, close) if words[j] in (",", ";", ":")), close)
        short = tokens.slice(i + 1, stop)
        if stop - i <= 4 and looks_short(short):
            begin = _expansion_start(tokens, short, first, i)
            if begin is not None:
                yield (i + 1, stop), (begin, i)
                continue
        if close - i > 2 and i > first and looks_short(words[i - 1]):
            begin = _expansion_start(tokens, words[i - 1], i + 1, close)
            if begin == i + 1:
                yield (i - 1, i), inner


def expansion_beside(tokens: Tokens, at: int, first: int, last: int) -> tuple[int, int] | None:
    """Return the words beside a short form that it abbreviates, as a token range, or None.

    Without brackets between them only equal initials, small words left out, are proof enough:
    "Gradient Tide Scaling, or GTS", "GTS, short for Gradient Tide Scaling".
    """
    letters = tokens.words[at].rstrip("s").lower()
    end = at
    while end > first and at - end < _BETWEEN and tokens.lower[end - 1] in _LINKING:
        end -= 1
    begin = _initials_back(tokens, letters, first, end)
    if begin is not None:
        return begin, end
    begin = at + 1
    while begin < last and begin - at <= _BETWEEN and tokens.lower[begin] in _LINKING:
        begin += 1
    if begin == at + 1:
        return None
    for stop in range(begin + len(letters), min(begin + len(letters) + 3, last) + 1):
        if _initials_back(tokens, letters, begin, stop) == begin:
            return begin, stop
    return None


_BETWEEN = 4
"""Most words and marks between a short form and its expansion."""
_LINKING = frozenset(
    (",", "–", "—", "--", ":", "or", "abbreviated", "short", "for", "as", "stands")
)


def _initials_back(tokens: Tokens, letters: str, first: int, end: int) -> int | None:
    """Return where the words before ``end`` begin that give all letters, in order, as initials."""
    at = end
    left = len(letters)
    while left and at > first:
        word = tokens.lower[at - 1]
        if word[0] == letters[left - 1]:
            left -= 1
        elif word not in _SMALL or left == len(letters):
            return None
        at -= 1
    return at if left == 0 and letters and tokens.lower[at] not in _NO_BEGINNING else None


def looks_short(text: str) -> bool:
    """Tell whether a string can be the short form of something longer."""
    letters = [letter for letter in text if letter.isalnum()]
    return (
        2 <= len(letters) <= 24
        and text[0].isalnum()
        and sum(letter.isupper() for letter in letters) >= 1
        and text.count(" ") <= 2
    )


def _expansion_start(tokens: Tokens, short: str, first: int, end: int) -> int | None:
    """Return where the words before ``end`` that ``short`` abbreviates begin, or None.

    The strictest match wins: all initials, then initials of the capitals, then letters in order.
    """
    letters = "".join(letter for letter in short.lower() if letter.isalpha())
    if short[-1:] == "s" and len(letters) > 2:
        letters = letters[:-1]
    capitals = "".join(letter.lower() for letter in short if letter.isupper())
    floor = max(first, end - max(2 * len(letters), len(letters) + 5) - 1)
    begins = [
        begin
        for begin in range(end - 1, floor - 1, -1)
        if tokens.lower[begin][0] == letters[:1] and tokens.lower[begin] not in _NO_BEGINNING
    ]
    # A digit repeats a letter: L2D is Light Latent-space Decoding.
    doubled = re.sub(r"([a-z])[2²]", r"\1\1", short.lower())
    doubled = "".join(letter for letter in doubled if letter.isalpha())
    tries = (
        (doubled, _by_initials),
        (letters, _by_initials),
        (letters, _by_capitals),
        (letters, _by_letters),
    )
    for wanted, match in tries:
        for begin in begins:
            if match(wanted, capitals, tokens.words[begin:end]):
                return _same_initial_before(tokens, begin, floor)
    return None


def _same_initial_before(tokens: Tokens, begin: int, floor: int) -> int:
    """Take in a capitalised word before that begins alike: [Neuron-wise] Normalized Muon."""
    words = tokens.words
    while begin > floor and words[begin - 1][0].isupper() and begin - 1 > 0:
        if words[begin - 1][0].lower() != words[begin][0].lower():
            break
        begin -= 1
    return begin


def _parts(words: tuple[str, ...]) -> list[str]:
    return [part for word in words for part in _parts_of(word)]


@lru_cache(maxsize=65_536)
def _parts_of(word: str) -> tuple[str, ...]:
    split = re.split(r"[-‑–/]", word)
    return tuple(part.lower() for part in split if part and part[0].isalnum())


def _by_initials(letters: str, capitals: str, words: tuple[str, ...]) -> bool:
    """Match the initials of all words, or of those that are no articles, or no joiners."""
    del capitals
    parts = _parts(words)
    every = "".join(part[0] for part in parts)
    bare = "".join(part[0] for part in parts if part not in _ARTICLES)
    content = "".join(part[0] for part in parts if part not in _SMALL)
    leading = len(letters) > 3 and content.startswith(letters) and len(content) <= len(letters) + 2
    return letters in (every, bare, content) or leading


def _by_capitals(letters: str, capitals: str, words: tuple[str, ...]) -> bool:
    """Match the capitals of the short form (SPLiCe) with the initials of the content words."""
    del letters
    content = "".join(part[0] for part in _parts(words) if part not in _SMALL)
    return len(capitals) > 1 and capitals == content


def _by_letters(letters: str, capitals: str, words: tuple[str, ...]) -> bool:
    """Match the letters in order, inner ones too, where most content words give their initial."""
    del capitals
    parts = _parts(words)
    content = [part for part in parts if part not in _SMALL]
    if not 1 < len(content) <= len(letters) + 1 or any(len(part) < 2 for part in content[:1]):
        return False
    position = 0
    used = 0
    for number, part in enumerate(parts):
        begun = position < len(letters) and part[0] == letters[position]
        used += begun and part in content
        following = parts[number + 1][0] if number + 1 < len(parts) else ""
        for at, letter in enumerate(part):
            # An inner letter counts only where the next word cannot give it.
            fits = position < len(letters) and letter == letters[position]
            position += fits and (at == 0 or letter != following)
    return position == len(letters) and used >= max(2, (2 * len(content)) // 3)


_ARTICLES = frozenset(("a", "an", "the", "or"))
_SMALL = _ARTICLES | word_list("candidates.joiners")
