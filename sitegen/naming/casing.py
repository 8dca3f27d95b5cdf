"""Sentence case: capitals owed to emphasis go, those of proper names and short forms stay."""

from __future__ import annotations

from sitegen.naming.lexicon import Lexicon
from sitegen.naming.tokens import Tokens

# Abstracts that write a word small before its capital is taken for emphasis: at the beginning of a
# sentence, in a run of capitals, alone in a sentence.
_FIRST, _IN_RUN, _ALONE = 4, 12, 40
_COMMON_ENDINGS = ("ing", "ed", "ion", "ive", "ment", "ity", "ness", "able", "ence", "ance", "ous")
"""Endings that no proper name has: a rare word with one is a common word."""
_PROPER = 3
"""A word that fewer abstracts write small makes the whole run of capitals a proper name."""


def cased(tokens: Tokens, i: int, lexicon: Lexicon) -> str:
    """Return a token in lower case where its capital is owed to its place or to emphasis."""
    word = tokens.words[i]
    if not word[0].isupper() or not _plain(word):
        return word
    if word.lower() in tokens.words or len(word) == 1:
        return word if len(word) == 1 and word != "A" else word.lower()
    return word.lower() if _is_emphasis(tokens, i, lexicon) else word


def _is_emphasis(tokens: Tokens, i: int, lexicon: Lexicon) -> bool:
    """Tell whether a capital is owed to the word's place or to emphasis."""
    word = tokens.words[i]
    first = any(i == start for start, _ in tokens.sentences)
    rarest = _rarest(word, lexicon)
    if first:
        return rarest >= _FIRST
    run = _neighbours(tokens, i)
    if rarest < (_IN_RUN if run else _ALONE):
        return False
    return not any(_plain(other) and _rarest(other, lexicon) < _PROPER for other in run)


def spelt_out(tokens: Tokens, i: int, lexicon: Lexicon) -> str:
    """Return a word of an expansion in lower case, unless it is a proper name or a short form."""
    word = tokens.words[i]
    if _plain(word) and (word.endswith(_COMMON_ENDINGS) or word.lower() in tokens.words):
        return word.lower()
    rarest = _rarest(word, lexicon)
    shouted = word.isupper() and len(word) > 4 and rarest >= _PROPER
    return word.lower() if shouted or (_plain(word) and rarest >= 1) else word


def capitalize(text: str) -> str:
    """Return a headline with a capital first letter, unless its first word has its own case."""
    first = text.split(" ", 1)[0]
    if any(letter.isupper() for letter in first) or not first[:1].isalpha():
        return text
    return text[:1].upper() + text[1:]


def _neighbours(tokens: Tokens, i: int) -> list[str]:
    """Return the capitalised words around a token, up to six."""
    run: list[str] = []
    for step in (-1, 1):
        j = i + step
        while 0 <= j < len(tokens.words) and tokens.words[j][0].isupper() and len(run) < 6:
            run.append(tokens.words[j])
            j += step
    return run


def _plain(word: str) -> bool:
    """Tell whether every part of a word is written small, or with one capital in front."""
    return all(
        (part.isalpha() and (part.islower() or (part[0].isupper() and part[1:].islower())))
        or (len(part) == 1 and part.isupper() and part == word)
        for part in word.split("-")
        if part
    )


def _rarest(word: str, lexicon: Lexicon) -> int:
    return min(lexicon.words.get(part, 0) for part in word.lower().split("-"))
