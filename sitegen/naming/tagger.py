"""Parts of speech for headline sentences: a small averaged perceptron read from committed data.

Tags are those of the Penn Treebank with the rare ones folded: ``NN NNS JJ RB VB VBP VBZ VBD VBN
VBG MD IN TO DT PRP WH CC CD POS RP`` and ``.`` for marks. Trained by ``tools/train_tagger.py``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files


@dataclass(frozen=True, slots=True, kw_only=True)
class Tagger:
    """Weights by feature, then tag; and words that nearly always bear one tag."""

    tags: tuple[str, ...]
    weights: Mapping[str, Mapping[str, float]]
    fixed: Mapping[str, str]

    def tag(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return one tag for each word of a sentence; greedy, left to right, linear."""
        before, before2 = "^", "^"
        tags: list[str] = []
        size = len(words)
        lower = [word.lower() for word in words]
        weights_of = self.weights.get
        for i, word in enumerate(words):
            tag = self._certain(word, lower[i])
            if not tag:
                after = lower[i + 1] if i + 1 < size else "$"
                scores: dict[str, float] = {}
                around = (lower[i - 1] if i else "^", after)
                for feature in features(word, around, (before, before2)):
                    weights = weights_of(feature)
                    if weights:
                        for name, weight in weights.items():
                            scores[name] = scores.get(name, 0.0) + weight
                tag = min(scores, key=lambda name: (-scores[name], name), default="NN")
            tags.append(tag)
            before2, before = before, tag
        return tuple(tags)

    def _certain(self, word: str, lower: str) -> str:
        if not any(letter.isalnum() for letter in word):
            return "."
        if word[0].isdigit() and not any(letter.isalpha() for letter in word):
            return "CD"
        return self.fixed.get(lower, "")


def features(word: str, around: tuple[str, str], tags: tuple[str, str]) -> tuple[str, ...]:
    """Return the features of one word in its place: itself, its ending, its neighbours.

    Args:
        word: as it stands in the text.
        around: the words before and after it, in lower case.
        tags: of the word before, and of the one before that.
    """
    lower = word.lower()
    end = lower[-3:]
    (previous, following), (tag, tag2) = around, tags
    return (
        "w" + lower,
        "e" + end,
        "E" + lower[-2:] + tag,
        "t" + tag,
        "T" + tag + tag2,
        "p" + previous,
        "n" + following,
        "f" + following[-3:],
        "W" + lower + tag,
        "s" + _shape(word),
    )


@lru_cache(maxsize=65_536)
def _shape(word: str) -> str:
    return (
        ("A" if word[0].isupper() else "a")
        + ("A" if any(letter.isupper() for letter in word[1:]) else "")
        + ("-" if "-" in word else "")
        + ("1" if any(letter.isdigit() for letter in word) else "")
    )


@cache
def load_tagger() -> Tagger:
    """Return the tagger that comes with the package."""
    data = json.loads((files("sitegen") / "data" / "tagger.json").read_text(encoding="utf-8"))
    tags = tuple(data["tags"])
    weights = {
        feature: {tags[int(number)]: weight / 10 for number, weight in pairs.items()}
        for feature, pairs in data["weights"].items()
    }
    return Tagger(tags=tags, weights=weights, fixed=data["fixed"])
