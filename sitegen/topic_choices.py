"""Topics of many texts as columns of numbers, to be kept; pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegen.records import TopicChoice, TopicScore
from sitegen.text_words import Integers
from sitegen.topics import TopicIndex
from sitegen.word_columns import Hashes


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The topics of texts, text by text, and the phrases found of each, topic by topic."""

    texts: Hashes
    """(texts, 2): a hash of each."""
    first: Integers
    """(texts + 1): the topics of text t are first[t] to first[t + 1]."""
    topic: npt.NDArray[np.int32]
    """Position among the topics of the index."""
    score: npt.NDArray[np.float64]
    said: Integers
    """(topics + 1): the phrases of choice c are said[c] to said[c + 1]."""
    phrase: npt.NDArray[np.int32]
    """Position among the phrases of the index."""

    @classmethod
    def of(cls, texts: Hashes, choices: Sequence[TopicChoice], index: TopicIndex) -> Choices:
        """Return the choices for texts as columns."""
        numbers = {topic.slug: number for number, topic in enumerate(index.topics)}
        names = index.phrase_index.phrases
        places: list[dict[str, int]] = [
            {names[at]: at for at in range(start, end)}
            for start, end in zip(index.first[:-1].tolist(), index.first[1:].tolist(), strict=True)
        ]
        every = list(chain.from_iterable(choice.topics for choice in choices))
        topic = [numbers[one.slug] for one in every]
        phrase = [
            places[number][name]
            for number, one in zip(topic, every, strict=True)
            for name in one.phrases
        ]
        return cls(
            texts=texts,
            first=np.cumsum([0, *(len(choice.topics) for choice in choices)]),
            topic=np.array(topic, np.int32),
            score=np.array([one.score for one in every], np.float64),
            said=np.cumsum([0, *(len(one.phrases) for one in every)]),
            phrase=np.array(phrase, np.int32),
        )

    def choices(self, index: TopicIndex, texts: Integers) -> Iterator[TopicChoice]:
        """Yield the choices for some texts, given by position; none for those of -1."""
        slugs = [topic.slug for topic in index.topics]
        phrases = [index.phrase_index.phrases[number] for number in self.phrase.tolist()]
        first, said, none = self.first.tolist(), self.said.tolist(), TopicChoice(topics=())
        every = [
            TopicScore(slug=slugs[topic], score=score, phrases=tuple(phrases[start:end]))
            for topic, score, start, end in zip(
                self.topic.tolist(), self.score.tolist(), said[:-1], said[1:], strict=True
            )
        ]
        for at in texts.tolist():
            own = every[first[at] : first[at + 1]] if at >= 0 else None
            yield TopicChoice(topics=tuple(own)) if own else none

    def table(self) -> dict[str, Any]:
        """Return arrays to keep."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def of_table(cls, table: Mapping[str, Any]) -> Choices | None:
        """Return what was kept as a `table`; None for an empty one."""
        return cls(**table) if table else None
