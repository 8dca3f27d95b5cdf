"""Ranked phrases of many texts as columns of numbers, read as lists of keywords; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import overload

import numpy as np
import numpy.typing as npt

from sitegen.records import Keyword
from sitegen.text_words import Integers, Numbers, spread


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Said(Sequence[tuple[Keyword, ...]]):
    """The keywords of texts, best first; a hundred times smaller than as many records."""

    first: Integers
    """(texts + 1): the keywords of text t are first[t] to first[t + 1]."""
    phrase: npt.NDArray[np.int32]
    """Position in `phrases`."""
    score: npt.NDArray[np.float64]
    phrases: tuple[str, ...]
    """Distinct; some may be said by none of the texts."""

    @classmethod
    def of(cls, keywords: Sequence[Sequence[Keyword]]) -> Said:
        """Return the same as columns."""
        if isinstance(keywords, Said):
            return keywords
        numbers = Numbers()
        every = list(chain(*keywords))
        return cls(
            first=np.cumsum([0, *map(len, keywords)]),
            phrase=np.array([numbers[one.phrase] for one in every], np.int32),
            score=np.array([one.score for one in every], np.float64),
            phrases=tuple(numbers),
        )

    def __len__(self) -> int:
        return len(self.first) - 1

    @overload
    def __getitem__(self, at: int) -> tuple[Keyword, ...]: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[tuple[Keyword, ...]]: ...

    def __getitem__(self, at: int | slice) -> tuple[Keyword, ...] | Sequence[tuple[Keyword, ...]]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        at = range(len(self))[at]
        own = slice(self.first[at], self.first[at + 1])
        pairs = zip(self.phrase[own].tolist(), self.score[own].tolist(), strict=True)
        return tuple([Keyword(phrase=self.phrases[one], score=score) for one, score in pairs])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Said) and self.phrases == other.phrases:
            return all(
                np.array_equal(getattr(self, name), getattr(other, name))
                for name in ("first", "phrase", "score")
            )
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def owners(self) -> Integers:
        """Return the text of each keyword."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    def told(self) -> Iterator[str]:
        """Yield the phrases that the texts say, each once."""
        used = np.bincount(self.phrase, minlength=len(self.phrases))
        return (self.phrases[number] for number in np.flatnonzero(used).tolist())

    def tidied(self) -> Said:
        """Return the same without phrases that no text says, where these are many."""
        used = np.flatnonzero(np.bincount(self.phrase, minlength=len(self.phrases)))
        if 4 * len(used) > 3 * len(self.phrases):
            return self
        moved = np.zeros(len(self.phrases), np.int32)
        moved[used] = np.arange(len(used))
        names = tuple([self.phrases[number] for number in used.tolist()])
        return replace(self, phrase=moved[self.phrase], phrases=names)

    def only(self, texts: Integers) -> Said:
        """Return the keywords of some texts, by position."""
        sizes = np.diff(self.first)[texts]
        at = spread(self.first[texts], sizes)[1]
        return Said(
            first=np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes))),
            phrase=self.phrase[at],
            score=self.score[at],
            phrases=self.phrases,
        )

    def followed_by(self, more: Said) -> Said:
        """Return the keywords of these texts, then those of others."""
        numbers = Numbers((name, number) for number, name in enumerate(self.phrases))
        moved = np.fromiter(map(numbers.__getitem__, more.phrases), np.int32, len(more.phrases))
        return Said(
            first=np.concatenate((self.first, more.first[1:] + self.first[-1])),
            phrase=np.concatenate((self.phrase, moved[more.phrase])),
            score=np.concatenate((self.score, more.score)),
            phrases=tuple(numbers),
        )
