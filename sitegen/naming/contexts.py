"""What the words before and after a place say about the candidate that stands there."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from sitegen.naming.candidates import is_odd
from sitegen.naming.columns import AFTER, BEFORE, INDEX
from sitegen.naming.lexicon import Lexicon
from sitegen.naming.tokens import Tokens
from sitegen.naming.wordlists import word_list

_PROPOSE = word_list("features.propose")
_SELF = word_list("features.self")
_OTHERS = word_list("features.others")
_RIVALS = word_list("features.rivals")
_ARTICLES = frozenset(("a", "an", "the", "our", "one", "new", "novel"))

_THROUGH = frozenset(("the", "a", "an", "our", '"', "“", "'", "‘", "`"))
_SETS_OFF = frozenset((",", "–", "—", "--", ":", ")", "-"))
_JOINING = frozenset((",", "and", "or"))

_GOVERNING = frozenset(
    INDEX[name] for name in ("after_called", "after_we_propose", "after_as", "after_release")
)

_OWN_PROPOSAL, _USING = INDEX["own_proposal_before"], INDEX["using_before"]
_NEAR, _FAR = INDEX["propose_within_3"], INDEX["propose_within_8"]
_CALLED, _OUR, _WE = INDEX["called_within_3"], INDEX["our_within_3"], INDEX["we_before"]
_ARTICLE_DESCRIBED, _IS_DESCRIBED = INDEX["article_described"], INDEX["is_described"]
_RIVAL, _BRACKETED = INDEX["rival_before"], INDEX["in_brackets"]

# Words that are looked for around a place.
_SOUGHT = {
    "propose": _PROPOSE,
    "self": _SELF,
    "others": _OTHERS,
    "rivals": _RIVALS,
    "called": frozenset(word for word, at in BEFORE.items() if at == INDEX["after_called"]),
    "using": frozenset(word for word, at in BEFORE.items() if at == INDEX["after_using"]),
    "our": frozenset(("our",)),
    "we": frozenset(("we",)),
    "open": frozenset(("(",)),
}
_KINDS = {
    word: tuple(kind for kind, words in _SOUGHT.items() if word in words)
    for word in sorted(frozenset().union(*_SOUGHT.values()))
}


class Side(NamedTuple):
    """What the words on one side of a place say."""

    flags: tuple[int, ...]
    """Columns of the flags that hold."""
    added: tuple[int, ...]
    """Columns that count places."""
    cue: float
    """Log odds of the nearest words."""
    joins: bool
    """Whether the nearest word can join the members of a list."""
    odd: bool
    """Whether the word beyond it is written oddly."""


class Context:
    """A text with the places of the words that are sought, and what was seen around places."""

    def __init__(self, tokens: Tokens, lexicon: Lexicon) -> None:
        self.tokens = tokens
        self.sentence_of = [
            number
            for number, (first, last) in enumerate(tokens.sentences)
            for _ in range(first, last)
        ]
        self.places: dict[str, list[int]] = {kind: [] for kind in _SOUGHT}
        for i, word in enumerate(tokens.lower):
            if word in _KINDS:
                for kind in _KINDS[word]:
                    self.places[kind].append(i)
        self.own, self.others, self.proposing = (
            {self.sentence_of[i] for i in self.places[kind]}
            for kind in ("self", "others", "propose")
        )
        self._cues = lexicon.cues
        self._before: dict[int, Side] = {}
        self._after: dict[tuple[int, int], Side] = {}

    def before(self, start: int) -> Side:
        """Return what the words before a place that begins at ``start`` say."""
        if start not in self._before:
            self._before[start] = self._look_back(
                start, self.tokens.sentences[self.sentence_of[start]][0]
            )
        return self._before[start]

    def after(self, end: int, last: int) -> Side:
        """Return what the words after a place say, up to the end of its sentence."""
        if (end, last) not in self._after:
            self._after[end, last] = self._look_on(end, last)
        return self._after[end, last]

    def _look_back(self, start: int, first: int) -> Side:
        lower = self.tokens.lower
        governor = start - 1
        flags = []
        if governor >= first and lower[governor] in BEFORE:
            flags.append(BEFORE[lower[governor]])
        # Look through an opening bracket or quote and an article to what governs the name.
        while governor > first and lower[governor] in _THROUGH:
            governor -= 1
            if (column := BEFORE.get(lower[governor], -1)) in _GOVERNING:
                flags.append(column)
        near, far = max(first, start - 3), max(first, start - 9)
        for kind, since, column in (
            ("propose", near, _NEAR),
            ("propose", far, _FAR),
            ("called", near, _CALLED),
            ("our", near, _OUR),
            ("we", far, _WE),
        ):
            if self._last(kind, start) >= since:
                flags.append(column)
        own = self._next("self", first)
        if own <= self._last("propose", start):
            flags.append(_OWN_PROPOSAL)
        added = [
            column
            for kind, column in (("rivals", _RIVAL), ("using", _USING))
            if self._last(kind, start) >= far
        ]
        if self._last("open", start) >= max(first, start - 12):
            bracketed = lower[max(first, start - 12) : start]
            if bracketed.count("(") > bracketed.count(")"):
                added.append(_BRACKETED)
        one, two, three = cues_before(self.tokens, start, first)
        cues = self._cues.get
        return Side(
            tuple(flags),
            tuple(added),
            cues(one, 0.0) + cues(two, 0.0) + cues(three, 0.0),
            start > first and lower[start - 1] in _JOINING,
            start - 2 >= first and is_odd(self.tokens.words[start - 2]),
        )

    def _last(self, kind: str, start: int) -> int:
        """Return the last place of a sought word before ``start``, -1 where there is none."""
        places = self.places[kind]
        at = bisect_left(places, start)
        return places[at - 1] if at else -1

    def _next(self, kind: str, start: int) -> int:
        """Return the first place of a sought word from ``start`` on, behind all where none is."""
        places = self.places[kind]
        at = bisect_left(places, start)
        return places[at] if at < len(places) else len(self.sentence_of)

    def _look_on(self, end: int, last: int) -> Side:
        lower = self.tokens.lower
        after, second, third = (*lower[end : min(end + 3, last)], "", "", "")[:3]
        flags = list(AFTER.get(after, ()))
        if after in _SETS_OFF and (second in _ARTICLES or (second == "," and third in _ARTICLES)):
            flags.append(_ARTICLE_DESCRIBED)
        if after in ("is", "are") and second in _ARTICLES:
            flags.append(_IS_DESCRIBED)
        one, two = cues_after(self.tokens, end, last)
        return Side(
            tuple(flags),
            (),
            self._cues.get(one, 0.0) + self._cues.get(two, 0.0),
            after in _JOINING,
            end + 1 < last and is_odd(self.tokens.words[end + 1]),
        )


def cue_words(
    tokens: Tokens, start: int, end: int, first: int, last: int
) -> tuple[tuple[str, str, str], tuple[str, str]]:
    """Return the marked words around a place whose odds are counted: three before, two after."""
    return cues_before(tokens, start, first), cues_after(tokens, end, last)


def cues_before(tokens: Tokens, start: int, first: int) -> tuple[str, str, str]:
    """Return the three words before a place, nearest first, each with its distance."""
    lower = tokens.lower
    return (
        "1<" + (lower[start - 1] if start > first else "^"),
        "2<" + (lower[start - 2] if start - 1 > first else "^"),
        "3<" + (lower[start - 3] if start - 2 > first else "^"),
    )


def cues_after(tokens: Tokens, end: int, last: int) -> tuple[str, str]:
    """Return the two words after a place, nearest first, each with its distance."""
    lower = tokens.lower
    return (
        "1>" + (lower[end] if end < last else "$"),
        "2>" + (lower[end + 1] if end + 1 < last else "$"),
    )
