"""Words without their common endings, as headlines are compared by them."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")
_ENDINGS = (
    "ational", "ization", "isation", "ations", "ation", "ings", "ing", "ies", "es", "ed", "s",
    "al", "e", "y",
)  # fmt: skip
_LEAST = 3
"""Letters that stay."""


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return a word in lower case without its ending."""
    word = word.lower()
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=65_536)
def stems_of(text: str) -> tuple[str, ...]:
    """Return the stems of a text's words, hyphened words taken apart."""
    return tuple(stem(word) for word in _WORD.findall(text))
