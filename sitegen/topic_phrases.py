"""The phrases of topics that stand in texts: what they add up to, and which tell most; pure."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sitegen.phrase_index import Found
from sitegen.text_words import Integers

Floats = npt.NDArray[np.float32]


class TellingPhrases:
    """The phrases found, by text and topic, most telling first."""

    def __init__(self, found: Found, first: Integers, weights: Floats) -> None:
        """Sort what was found.

        Args:
            found: phrases in texts.
            first: (topics + 1): topic t owns the phrases first[t] to first[t + 1].
            weights: (phrases): what each counts.
        """
        self._topics = len(first) - 1
        self._cell = found.text * self._topics + np.searchsorted(first, found.phrase, "right") - 1
        times = np.array(
            [0.0, *(1 + np.log(n) for n in range(1, int(found.count.max(initial=0)) + 1))]
        )[found.count]
        self._values = weights[found.phrase] * times
        telling = np.round(weights[found.phrase].astype(np.float64) * times, 4)
        order = np.lexsort((found.phrase, -telling, self._cell))
        cells, starts = np.unique(self._cell[order], return_index=True)
        bounds = pairwise([*starts.tolist(), len(order)])
        self._bounds = dict(zip(cells.tolist(), bounds, strict=True))
        self._phrases: list[int] = found.phrase[order].tolist()

    def sums(self, texts: int) -> Floats:
        """Return (texts, topics): what the phrases of each topic add up to."""
        sums = np.zeros(texts * self._topics, np.float32)
        cell = self._cell
        starts = np.flatnonzero(np.r_[True, cell[1:] != cell[:-1]][: len(cell)])
        place = np.arange(len(cell)) - np.repeat(starts, np.diff(np.r_[starts, len(cell)]))
        for number in range(int(place.max(initial=-1)) + 1):  # in the order of the phrases
            at = np.flatnonzero(place == number)
            sums[cell[at]] += self._values[at]
        return sums.reshape(texts, self._topics)

    def of(self, text: int, topic: int) -> list[int]:
        """Return the phrases of a topic in a text, by position among all phrases."""
        start, end = self._bounds.get(text * self._topics + topic, (0, 0))
        return self._phrases[start:end]
