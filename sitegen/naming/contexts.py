"""What the words before and after a place say about the candidate that stands there."""

from __future__ import annotations

import re

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
_LINKS = _JOINING | {"the", "a", "an", "(", ")"}

_GOVERNING = frozenset(
    INDEX[name]
    for name in ("after_called", "after_we_propose", "after_as", "after_release", "after_result")
)
_BEGETTING = frozenset(
    INDEX[name]
    for name in ("after_called", "after_we_propose", "after_release", "after_proposed", "after_our")
)
"""Flags of words that introduce all members of the list behind them."""

_BUILT_ON, _BUILT_FAR = INDEX["built_on"], INDEX["built_on_within_9"]
_CITED, _NEAR_OTHERS = INDEX["cited"], INDEX["others_within_3"]
_MADE, _FAR_MADE, _TEAM = INDEX["make_within_3"], INDEX["make_within_8"], INDEX["near_team"]
_BESIDE_SORT = INDEX["beside_sort"]
_SORTS = word_list("features.sorts")
_SET_BEFORE = frozenset(
    (",", "–", "—", "--", ":", "(", '"', "“", "called", "named", "dubbed", "termed")
)
_LIST_GOVERNED, _RESULT = INDEX["list_governed"], INDEX["after_result"]
_LEADING = frozenset(("leading", "leads", "lead", "resulting", "results", "result", "extend"))
"""Words before "to" or "in" and what came out."""
_YEAR = re.compile(r"(?:19|20)\d\d[a-z]?\Z")
_CITATION = 8
"""Tokens beside a place among which its source would stand: "(Betley et al., 2025)"."""
_LIST = 14
"""Tokens of a list that are walked back over at most."""
_LAID_ON = frozenset(("on", "upon", "of", "from", "by", "to"))
_OWN_PROPOSAL, _USING = INDEX["own_proposal_before"], INDEX["using_before"]
_NEAR, _FAR = INDEX["propose_within_3"], INDEX["propose_within_8"]
_CALLED, _OUR, _WE = INDEX["called_within_3"], INDEX["our_within_3"], INDEX["we_before"]
_ARTICLE_DESCRIBED, _IS_DESCRIBED = INDEX["article_described"], INDEX["is_described"]
_RIVAL, _BRACKETED = INDEX["rival_before"], INDEX["in_brackets"]

# Words that are looked for around a place, as marks that can be summed.
_PROPOSES, _OWN, _OTHER, _RIVALS_MARK, _CALLS, _USES, _OURS, _WES, _BUILDS, _OPENS, _CLOSES = (
    1 << i for i in range(11)
)
_MAKES, _TEAMS = 1 << 11, 1 << 12
_SOUGHT = {
    _PROPOSES: _PROPOSE,
    _OWN: _SELF,
    _OTHER: _OTHERS,
    _RIVALS_MARK: _RIVALS,
    _CALLS: frozenset(word for word, at in BEFORE.items() if at == INDEX["after_called"]),
    _USES: frozenset(word for word, at in BEFORE.items() if at == INDEX["after_using"]),
    _OURS: frozenset(("our",)),
    _WES: frozenset(("we",)),
    _BUILDS: word_list("features.builds"),
    _MAKES: word_list("features.make"),
    _TEAMS: word_list("features.teams"),
    _OPENS: frozenset(("(",)),
    _CLOSES: frozenset((")",)),
}
_MARKS = {
    word: sum(mark for mark, words in _SOUGHT.items() if word in words)
    for word in sorted(frozenset().union(*_SOUGHT.values()))
}
_BRACKETS = _OPENS | _CLOSES
_IF_NEAR = (
    (_PROPOSES, _NEAR),
    (_CALLS, _CALLED),
    (_OURS, _OUR),
    (_OTHER, _NEAR_OTHERS),
    (_MAKES, _MADE),
    (_TEAMS, _TEAM),
)
_IF_FAR = ((_PROPOSES, _FAR), (_WES, _WE), (_MAKES, _FAR_MADE))
_ADDED = ((_RIVALS_MARK, _RIVAL), (_USES, _USING))
"""Columns that are set by marks among the nearest tokens, and among those of the sentence."""
_NEAREST, _FARTHER, _FARTHEST = 3, 9, 12
"""Tokens before a place that are looked at: for its verb, for its sentence's, for a bracket."""


Side = tuple[tuple[int, ...], tuple[int, ...], float, bool, bool]
"""What the words on one side of a place say: columns of the flags that hold; columns that count
places; log odds of the nearest words; whether the nearest word can join the members of a list;
whether the word beyond it is written oddly."""


class Context:
    """A text with the marks of the words that are sought, and what was seen around places."""

    def __init__(self, tokens: Tokens, lexicon: Lexicon) -> None:
        self.tokens = tokens
        self.sentence_of: list[int] = []
        self.own: set[int] = set()
        self.others: set[int] = set()
        self.proposing: set[int] = set()
        self._marks = [_MARKS.get(word, 0) for word in tokens.lower]
        self._first_own: list[int] = []
        for number, (first, last) in enumerate(tokens.sentences):
            self.sentence_of += [number] * (last - first)
            own = len(tokens.lower)
            for i in [i for i, mark in enumerate(self._marks[first:last], first) if mark]:
                mark = self._marks[i]
                if mark & _OWN:
                    own = min(own, i)
                    self.own.add(number)
                if mark & _OTHER:
                    self.others.add(number)
                if mark & _PROPOSES:
                    self.proposing.add(number)
            self._first_own.append(own)
        self._cues = lexicon.cues
        self._before: dict[int, Side] = {}
        self._after: dict[tuple[int, int], Side] = {}

    def before(self, start: int) -> Side:
        """Return what the words before a place that begins at ``start`` say."""
        side = self._before.get(start)
        if side is None:
            side = self._before[start] = self._look_back(start)
        return side

    def after(self, end: int, last: int) -> Side:
        """Return what the words after a place say, up to the end of its sentence."""
        side = self._after.get((end, last))
        if side is None:
            side = self._after[end, last] = self._look_on(end, last)
        return side

    def _look_back(self, start: int) -> Side:
        lower, marks = self.tokens.lower, self._marks
        sentence = self.sentence_of[start]
        first = self.tokens.sentences[sentence][0]
        flags = self._governed(start, first)
        added = []
        near = far = 0
        for mark in marks[max(first, start - _FARTHER) : start]:
            far |= mark
        if far:
            for mark in marks[max(first, start - _NEAREST) : start]:
                near |= mark
            flags += [column for mark, column in _IF_NEAR if near & mark]
            flags += [column for mark, column in _IF_FAR if far & mark]
            if far & _BUILDS and self._builds_on(max(first, start - _FARTHER), start):
                flags.append(_BUILT_FAR)
            added += [column for mark, column in _ADDED if far & mark]
        if self._proposes(self._first_own[sentence], start):
            flags.append(_OWN_PROPOSAL)
        # "Moor et al. proposed X", but not "unlike Moor et al., we propose X"
        left = max(first, start - _CITATION)
        own = any(mark & (_WES | _OURS) for mark in marks[left:start])
        if not own and _is_citation(lower[left:start]):
            flags.append(_CITED)
        level = 0
        for mark in marks[max(first, start - _FARTHEST) : start]:
            if mark & _BRACKETS:
                level += 1 if mark & _OPENS else -1
        if level > 0:
            added.append(_BRACKETED)
        one, two, three = cues_before(self.tokens, start, first)
        cues = self._cues.get
        return (
            tuple(flags),
            tuple(added),
            cues(one, 0.0) + cues(two, 0.0) + cues(three, 0.0),
            start > first and lower[start - 1] in _JOINING,
            start - 2 >= first and is_odd(self.tokens.words[start - 2]),
        )

    def _governed(self, start: int, first: int) -> list[int]:
        """Return the flags of what stands right before a place, or governs it."""
        lower, marks = self.tokens.lower, self._marks
        governor = start - 1
        flags = []
        if governor >= first and lower[governor] in BEFORE:
            flags.append(BEFORE[lower[governor]])
        # Look through an opening bracket or quote and an article to what governs the name.
        while governor > first and lower[governor] in _THROUGH:
            governor -= 1
            if (column := BEFORE.get(lower[governor], -1)) in _GOVERNING:
                flags.append(column)
        # "a dataset – X", "the benchmark, X", "a method called X"
        i = start - 1
        while i > first and lower[i] in _SET_BEFORE:
            i -= 1
        if first <= i < start - 1 and lower[i] in _SORTS:
            flags.append(_BESIDE_SORT)
        # "leading to", "resulting in"
        if governor > first and lower[governor] in ("to", "in") and lower[governor - 1] in _LEADING:
            flags.append(_RESULT)
        # "builds on top of", "an extension of", "inspired by"
        if governor >= first and lower[governor] in _LAID_ON:
            builds = marks[max(first, governor - _NEAREST) : governor]
            if any(mark & _BUILDS for mark in builds):
                flags.append(_BUILT_ON)
        if start > first and lower[start - 1] in _JOINING and self._list_governed(start, first):
            flags.append(_LIST_GOVERNED)
        return flags

    def _builds_on(self, start: int, end: int) -> bool:
        """Tell whether "based on" or its like stands in ``[start, end)``."""
        lower = self.tokens.lower
        return any(
            self._marks[i] & _BUILDS and lower[i + 1] in _LAID_ON for i in range(start, end - 1)
        )

    def _list_governed(self, start: int, first: int) -> bool:
        """Tell whether the list that goes on at ``start`` is what the paper proposes or names."""
        words, lower = self.tokens.words, self.tokens.lower
        i = start - 1
        floor = max(first, start - _LIST)
        while i > floor and (
            lower[i] in _LINKS or words[i][0].isupper() or is_odd(words[i]) or words[i].isdigit()
        ):
            i -= 1
        return BEFORE.get(lower[i], -1) in _BEGETTING

    def _proposes(self, start: int, end: int) -> bool:
        """Tell whether a word of proposing stands in ``[start, end)``."""
        together = 0
        for mark in self._marks[start:end]:
            together |= mark
        return together & _PROPOSES > 0

    def _look_on(self, end: int, last: int) -> Side:
        lower = self.tokens.lower
        after, second, third = (*lower[end : min(end + 3, last)], "", "", "")[:3]
        flags = list(AFTER.get(after, ()))
        if after in _SETS_OFF and (second in _ARTICLES or (second == "," and third in _ARTICLES)):
            flags.append(_ARTICLE_DESCRIBED)
        if after in ("is", "are") and second in _ARTICLES:
            flags.append(_IS_DESCRIBED)
        if _is_citation(lower[end : min(end + _CITATION, last)]):
            flags.append(_CITED)
        if any(mark & _TEAMS for mark in self._marks[end : min(end + _NEAREST, last)]):
            flags.append(_TEAM)
        one, two = cues_after(self.tokens, end, last)
        return (
            tuple(flags),
            (),
            self._cues.get(one, 0.0) + self._cues.get(two, 0.0),
            after in _JOINING,
            end + 1 < last and is_odd(self.tokens.words[end + 1]),
        )


def _is_citation(words: tuple[str, ...]) -> bool:
    """Tell whether words cite others' work: "et al.", a year in brackets."""
    if "et" in words and "al" in words:
        return True
    return any(
        _YEAR.match(word) is not None and words[i + 1 : i + 2] in ((")",), ("]",))
        for i, word in enumerate(words)
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
