"""A dictionary of phrases that finds all of them in a text in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from sitegen.phrases import fold_plural

# Scripts written without spaces are matched character by character.
_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[^\W_])+")
_SHORT = 5
"""Words up to this length with a capital are acronyms or names: "Adam" is not "adam"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseIndex:
    """Phrases prepared for search; see `index_phrases`."""

    phrases: tuple[str, ...]
    """As given; results are positions in this tuple."""
    folded: dict[str, tuple[int, ...]]
    """Joined folded words to the phrases that read so."""
    exact: dict[str, tuple[int, ...]]
    """Short names, matched with their capitals."""
    prefixes: frozenset[str]
    """Every beginning of a key of `folded`, where a match may go on."""

    def find(self, text: str) -> dict[int, int]:
        """Return which phrases stand in ``text`` and how often, by position in `phrases`.

        Matching ignores case, hyphens, spaces inside a phrase and the plural of each word; short
        names keep their capitals. Time is linear in the text for phrases of bounded length.
        """
        surface = _WORD.findall(text)
        words = [_fold(word) for word in surface]
        found: dict[int, int] = {}
        for start, word in enumerate(words):
            for position in self.exact.get(fold_plural(surface[start]), ()):
                found[position] = found.get(position, 0) + 1
            joined, end = word, start + 1
            while True:
                for position in self.folded.get(joined, ()):
                    found[position] = found.get(position, 0) + 1
                if joined not in self.prefixes or end == len(words):
                    break
                joined += words[end]
                end += 1
        return found


def index_phrases(phrases: Iterable[str]) -> PhraseIndex:
    """Prepare phrases for `PhraseIndex.find`; a phrase without a word is never found."""
    given = tuple(phrases)
    folded: dict[str, list[int]] = {}
    exact: dict[str, list[int]] = {}
    for position, phrase in enumerate(given):
        words = phrase_words(phrase)
        if not words:
            continue
        if len(words) == 1 and len(words[0]) <= _SHORT and words[0] != words[0].lower():
            exact.setdefault(fold_plural(words[0]), []).append(position)
        else:
            folded.setdefault(phrase_signature(phrase), []).append(position)
    prefixes = {key[:length] for key in folded for length in range(1, len(key))}
    return PhraseIndex(
        phrases=given,
        folded={key: tuple(positions) for key, positions in folded.items()},
        exact={key: tuple(positions) for key, positions in exact.items()},
        prefixes=frozenset(prefixes),
    )


def phrase_words(phrase: str) -> tuple[str, ...]:
    """Return the words of a phrase; hyphens part words."""
    return tuple(_WORD.findall(phrase))


def phrase_signature(phrase: str) -> str:
    """Return the words folded and joined, so that "fine-tuning" and "finetuning" are one."""
    return "".join(map(_fold, phrase_words(phrase)))


@lru_cache(maxsize=65536)
def _fold(word: str) -> str:
    return fold_plural(word).casefold()
