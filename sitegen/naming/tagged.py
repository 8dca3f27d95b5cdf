"""A text with the parts of speech of its telling sentences, and the cores found in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sitegen.naming.tagger import Tagger
from sitegen.naming.tokens import Tokens
from sitegen.naming.wordlists import word_list

MAX_LENGTH = 90
"""Tokens of a sentence that are looked at."""

OWN = word_list("clauses.own")
PROPOSE = word_list("clauses.propose")
_LABELS = word_list("clauses.labels")
STUDY = word_list("clauses.study")
_PARTICIPLES = ("ed", "en", "wn", "lt", "pt", "ept", "nt", "de", "ne", "un", "ut")
"""Endings that a past participle has."""
FIND = word_list("clauses.find")


@dataclass(frozen=True, slots=True)
class Core:
    """A stretch ``[start, limit)`` of one sentence from which a headline can be cut."""

    kind: str
    """``beside`` (describes the name), ``object``, ``found``, ``is``, ``verb``, ``purpose``,
    ``means``, ``finding``, ``study``, ``asked``, ``act``, ``question``, ``passive``, ``for``,
    ``first``, ``phrase``, ``inner``, ``expansion`` or ``task``."""
    sentence: int
    start: int
    limit: int
    verb: str = ""
    """The governing word in lower case."""
    linked: bool = False
    """Whether the stretch speaks of the paper's named thing, not only of the paper."""


@dataclass(frozen=True, slots=True)
class Tagged:
    """A text with the tags of those sentences that may carry its contribution."""

    tokens: Tokens
    tags: list[str]
    """One a token; empty outside the chosen sentences."""
    chosen: tuple[int, ...]
    """Numbers of the chosen sentences, in order."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """One chosen sentence, without its final mark, and where the main name stands in it."""

    tagged: Tagged
    number: int
    first: int
    end: int
    places: Sequence[tuple[int, int]]
    lower: Sequence[str]
    """Of the whole text, as are the tags."""
    tags: list[str]
    own: bool
    """Whether the sentence speaks of the paper or its authors."""

    @property
    def named(self) -> bool:
        """Whether the main name stands in the sentence."""
        return bool(self.places)

    def word(self, i: int) -> str:
        """Return a word in lower case; empty outside the sentence."""
        return self.lower[i] if self.first <= i < self.end else ""

    def tag(self, i: int) -> str:
        """Return a tag; empty outside the sentence."""
        return self.tags[i] if self.first <= i < self.end else ""

    def past_adverbs(self, i: int) -> int:
        """Return the first place from ``i`` on that holds no adverb."""
        while i < self.end and self.tags[i] == "RB":
            i += 1
        return i

    def past_brackets(self, i: int) -> int:
        """Return the place behind what stands in brackets at ``i``, or ``i`` itself."""
        if self.word(i) in ("(", "["):
            for j in range(i + 1, min(self.end, i + 25)):
                if self.lower[j] in (")", "]"):
                    return j + 1
        return i

    def core(self, kind: str, start: int, limit: int, verb: str, *, linked: bool = False) -> Core:
        """Return a core of this sentence."""
        return Core(kind, self.number, start, limit, verb, linked)


def tag_text(tokens: Tokens, chosen: tuple[int, ...], tagger: Tagger) -> Tagged:
    """Tag the chosen sentences of a text."""
    tags = [""] * len(tokens.words)
    for number in chosen:
        first, last = tokens.sentences[number]
        last = min(last, first + MAX_LENGTH)
        tags[first:last] = tagger.tag(tokens.words[first:last])
        for i in range(first + 1, last):
            # "an upper bound for" is no participle.
            if tokens.lower[i] == "bound" and tags[i - 1] in ("JJ", "RB", "DT", "NN"):
                tags[i] = "NN"
            # Nor is "the first toolkit around".
            first = tags[i] == "VBN" and tags[i - 1] == "JJ" and tags[i + 1 : i + 2] == ["IN"]
            if first and not tokens.lower[i].endswith(_PARTICIPLES):
                tags[i] = "NN"
    return Tagged(tokens=tokens, tags=tags, chosen=chosen)


def stretch_of(tagged: Tagged, number: int, places: Sequence[tuple[int, int]]) -> Stretch:
    """Return a chosen sentence with the places of the main name in it."""
    tokens = tagged.tokens
    first, last = tokens.sentences[number]
    last = min(last, first + MAX_LENGTH)
    end = last
    while (
        end > first
        and not tokens.words[end - 1][0].isalnum()
        and tokens.words[end - 1] not in ")]%"
    ):
        end -= 1
    if tokens.lower[first] in _LABELS and tokens.words[first + 1 : first + 2] == (":",):
        first += 2
    return Stretch(
        tagged=tagged,
        number=number,
        first=first,
        end=end,
        places=[place for place in places if first <= place[0] < last],
        lower=tokens.lower,
        tags=tagged.tags,
        own=any(word in OWN or word == "our" for word in tokens.lower[first:end]),
    )
