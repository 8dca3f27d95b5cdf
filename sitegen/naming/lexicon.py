"""What is known of words and names beforehand: frequencies counted over arXiv abstracts."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Document counts of lower-case words and of names, over ``size`` abstracts."""

    size: int
    words: Mapping[str, int]
    """By word in lower case, only counted where it stands in lower case."""
    names: Mapping[str, int]
    """By key (letters and digits in lower case), of strings written as names."""
    cues: Mapping[str, float]
    """Log odds of being introduced, by the word at a place before or after (``1<dubbed``)."""
    others: Mapping[str, int] = field(default_factory=dict)
    """Counts that go before those of ``names``, for the names of one digest."""

    def frequency(self, word: str) -> float:
        """Return the logarithm of the count of a lower-case word, 0 where it is unknown."""
        return math.log1p(self.words.get(word, 0))

    def rarity(self, word: str) -> float:
        """Return the inverse document frequency of a word; the highest for unknown words."""
        return math.log((self.size + 1) / (self.words.get(word, 0) + 1))

    def known(self, key: str) -> float:
        """Return the logarithm of the count of a name, 0 where it is unknown."""
        return math.log1p(self.others.get(key, 0) or self.names.get(key, 0))


@cache
def load_lexicon() -> Lexicon:
    """Return the lexicon that comes with the package."""
    data = files("sitegen") / "data"
    words = _counts((data / "vocabulary.txt").read_text(encoding="utf-8"))
    names = _counts((data / "known_names.txt").read_text(encoding="utf-8"))
    cues = json.loads((data / "name_cues.json").read_text(encoding="utf-8"))
    return Lexicon(size=words.pop("#abstracts", 1), words=words, names=names, cues=cues)


def _counts(text: str) -> dict[str, int]:
    pairs = (line.rsplit("\t", 1) for line in text.splitlines() if line)
    return {word: int(count) for word, count in pairs}
