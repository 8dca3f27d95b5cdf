"""Cutting texts in other languages than English: function words, unspaced writing; pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from importlib import resources

ENGLISH = "en"
UNKNOWN = ""
"""No function words are known: only runs of one or two words can be trusted."""

_ENGLISH_SHARE = 0.15  # English prose has 0.3 to 0.5 function words, a foreign text under 0.1
_MIN_WORDS = 8  # shorter texts (names, phrases) count as English

_TERMS = re.compile("[\u4e00-\u9fff\u3400-\u4dbf\u30a0-\u30ff々]{2,}")
_LONGEST = 10  # a longer run of Han characters is a clause, not a term


@cache
def data_lines(name: str) -> tuple[str, ...]:
    """Return the lines of a file in ``sitegen/data`` without comments."""
    text = (resources.files("sitegen") / "data" / name).read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


@cache
def function_words(language: str) -> frozenset[str]:
    """Return the function words of a language other than English; none for an unknown one."""
    return _by_language().get(language, frozenset())


@cache
def _by_language() -> dict[str, frozenset[str]]:
    rows = (line.split() for line in data_lines("function_words.txt"))
    return {code: frozenset(listed) for code, *listed in rows}


def language_of(words: Sequence[str], english: Collection[str]) -> str:
    """Tell the language of a text by the share of function words among its words.

    Args:
        words: lower case.
        english: the function words of English.

    Returns:
        ENGLISH, the code of a language in ``function_words.txt``, or UNKNOWN.
    """
    if len(words) < _MIN_WORDS:
        return ENGLISH
    counts = Counter(words)
    shares = {ENGLISH: sum(counts[word] for word in counts if word in english) / len(words)}
    if shares[ENGLISH] >= _ENGLISH_SHARE * 2:
        return ENGLISH
    for code, listed in _by_language().items():
        shares[code] = sum(counts[word] for word in counts if word in listed) / len(words)
    best = max(shares, key=lambda code: (shares[code], code == ENGLISH))
    return best if shares[best] >= _ENGLISH_SHARE else UNKNOWN


def unspaced_terms(run: str) -> Iterator[tuple[int, str]]:
    """Yield the likely terms in a run of Chinese or Japanese writing, with their places in it.

    Japanese is cut where hiragana (endings and particles) part kanji and katakana; what is left is
    cut at Chinese function words. Other scripts without spaces (Thai, Khmer) give nothing.
    """
    for match in _TERMS.finditer(run):
        start = match.start()
        for piece in _chinese().split(match.group()):
            if 2 <= len(piece) <= _LONGEST and not _chinese().fullmatch(piece):
                yield start, piece
            start += len(piece)


@cache
def _chinese() -> re.Pattern[str]:
    listed = data_lines("chinese_function_words.txt")
    return re.compile("(" + "|".join(map(re.escape, sorted(listed, key=len, reverse=True))) + ")")
