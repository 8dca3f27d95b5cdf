"""The stretches of an abstract that state its contribution, found by verbs, tags and names.

A core is where a headline can be cut from: the object of "we propose", the description beside a
name, what "we show that" says, the question that a study asks. How it is shortened is decided in
``compression``; which result is best in ``titles``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sitegen.naming.tagger import Tagger
from sitegen.naming.tokens import Tokens

MAX_SENTENCES = 9
"""Most sentences of one abstract that are parsed for a headline."""
MAX_LENGTH = 90
"""Tokens of a sentence that are looked at."""

PROPOSE = frozenset(
    "introduce introduces introducing propose proposes proposing present presents presenting develop "
    "develops developing design designs designing release releases build builds construct constructs "
    "create creates devise devises describe describes offer offers provide provides contribute "
    "contributes unveil unveils formulate formulates establish establishes give gives derive "
    "derives report reports share collect curate conduct conducts perform performs suggest".split()
)
STUDY = frozenset(
    "study studies studied investigate investigates analyze analyzes analyse analyses examine examines "
    "explore explores address addresses consider considers tackle tackles revisit revisits evaluate "
    "evaluates compare compares assess assesses characterize characterizes survey surveys review "
    "reviews discuss discusses understand measure bound test benchmark quantify probe rethink "
    "investigating exploring studying examining evaluating analyzing comparing detect identify "
    "answer solve improve generalize extend apply adapt unify extends applies reveal reveals "
    "uncover discover observe".split()
)
FIND = frozenset(
    "show shows find finds found demonstrate demonstrates prove proves reveal reveals observe observes "
    "discover discovers argue argues establish establishes suggest suggests indicate indicates "
    "showed demonstrated observed identified highlight hypothesize conclude confirm".split()
)
OWN = frozenset("we paper work study article survey review thesis report i project research".split())
OWN_RESULTS = frozenset(
    "results experiments analysis findings evaluation evaluations experiment analyses theory study "
    "finding insight observation".split()
)
CALLED = frozenset("called named dubbed termed coined namely titled denoted".split())
ADVERBS_OK = frozenset(
    "also further then first therefore thus hence here systematically empirically theoretically "
    "formally instead specifically additionally finally comprehensively thoroughly rigorously "
    "carefully mathematically experimentally consequently surprisingly".split()
)
_ASK = frozenset("how why what which when whether where".split())


@dataclass(frozen=True, slots=True)
class Tagged:
    """A text with the tags of those sentences that may carry its contribution."""

    tokens: Tokens
    tags: Sequence[str]
    """One a token; empty outside the chosen sentences."""
    chosen: tuple[int, ...]
    """Numbers of the chosen sentences, in order."""


@dataclass(frozen=True, slots=True)
class Core:
    """A stretch ``[start, limit)`` of one sentence from which a headline can be cut."""

    kind: str
    """``beside`` (describes the name), ``object``, ``is``, ``verb``, ``purpose``, ``finding``,
    ``study``, ``act``, ``question``, ``passive`` or ``first``."""
    sentence: int
    start: int
    limit: int
    verb: str = ""
    """The governing verb in lower case."""


def choose_sentences(tokens: Tokens, places: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Return the sentences that speak of the paper itself, at most MAX_SENTENCES, in order."""
    named = {start for start, _ in places}
    scored = []
    for number, (first, last) in enumerate(tokens.sentences[:60]):
        words = tokens.lower[first : min(last, first + MAX_LENGTH)]
        weight = 0
        own = any(word in OWN or word == "our" for word in words)
        if any(word in PROPOSE for word in words):
            weight += 3 if own else 1
        if any(word in STUDY or word in FIND for word in words):
            weight += 2 if own else 1
        if any(first <= start < last for start in named):
            weight += 2
        if words and words[-1] == "?":
            weight += 2
        if number < 2:
            weight += 1
        if weight:
            scored.append((-weight, number))
    return tuple(sorted(number for _, number in sorted(scored)[:MAX_SENTENCES]))


def tag_text(tokens: Tokens, chosen: tuple[int, ...], tagger: Tagger) -> Tagged:
    """Tag the chosen sentences of a text."""
    tags = [""] * len(tokens.words)
    for number in chosen:
        first, last = tokens.sentences[number]
        last = min(last, first + MAX_LENGTH)
        tags[first:last] = tagger.tag(tokens.words[first:last])
    return Tagged(tokens=tokens, tags=tags, chosen=chosen)


def find_cores(tagged: Tagged, places: Sequence[tuple[int, int]]) -> list[Core]:
    """Return the cores of the chosen sentences, in the order of the text.

    ``places`` are the token ranges at which the paper's main name (or a form of it) stands.
    """
    cores: list[Core] = []
    for number in tagged.chosen:
        first, last = tagged.tokens.sentences[number]
        last = min(last, first + MAX_LENGTH)
        here = [place for place in places if first <= place[0] < last]
        cores.extend(_in_sentence(tagged, number, first, last, here))
    if not cores and tagged.tokens.sentences:
        first, last = tagged.tokens.sentences[0]
        cores.append(Core("first", 0, first, _body_end(tagged, first, last)))
    seen: set[tuple[str, int, int]] = set()
    result = []
    for core in cores:
        mark = (core.kind, core.start, core.limit)
        if core.limit > core.start and mark not in seen:
            seen.add(mark)
            result.append(core)
    return result


def _in_sentence(
    tagged: Tagged, number: int, first: int, last: int, places: Sequence[tuple[int, int]]
) -> Iterator[Core]:
    lower, tags = tagged.tokens.lower, tagged.tags
    end = _body_end(tagged, first, last)
    if last > first and lower[last - 1] == "?":
        yield Core("question", number, _after_lead(tagged, first, end), last)
    for start, stop in places:
        yield from _beside_name(tagged, number, start, stop, end)
    governed = False
    for i in range(first, end):
        word = lower[i]
        if word in PROPOSE and tags[i].startswith("VB") and _is_own(tagged, i, first):
            governed = True
            yield from _object(tagged, number, i, end, places)
        if word in FIND and _is_own(tagged, i, first, results=True):
            that = i + 1
            while that < end and that < i + 4 and lower[that] != "that":
                that += 1
            if that < end and lower[that] == "that":
                yield Core("finding", number, _skip_lead(tagged, that + 1, end), end, word)
            elif i + 1 < end and tags[i + 1] in ("DT", "JJ", "NN", "NNS", "VBN"):
                yield Core("object", number, i + 1, end, word)
        if word in STUDY and tags[i].startswith("VB") and _is_own(tagged, i, first):
            governed = True
            if i + 1 < end:
                begin = i + 1
                while begin < end and (tags[begin] == "RB" or lower[begin] in ("on", "into")):
                    begin += 1
                kind = "asked" if lower[begin : begin + 1] and lower[begin] in _ASK else "study"
                yield Core(kind, number, begin, end, word)
        if word == "we" and i + 1 < end:
            j = i + 1
            while j < end and tags[j] == "RB":
                j += 1
            if j < end and tags[j] in ("VBP", "VB", "VBD") and lower[j] not in _NO_ACT:
                yield Core("act", number, j, end, lower[j])
        if word in ("focus", "focuses", "focusing") and i + 2 < end and lower[i + 1] == "on":
            yield Core("study", number, i + 2, end, word)
        if word == "to" and i + 1 < end and tags[i + 1] == "VB":
            before = lower[i - 1] if i > first else ""
            if i == first or before in _AIMS:
                stop = _comma_before_we(tagged, i, end) if i == first else end
                if stop:
                    yield Core("purpose", number, i + 1, stop, before)
        if word in _PASSIVE and i > first + 1 and lower[i - 1] in ("is", "are") and not governed:
            yield Core("passive", number, _skip_lead(tagged, first, i - 1), i - 1, word)
        if word in ("how", "why", "whether") and i > first and governed and lower[i - 1] != "know":
            yield Core("asked", number, i, end, word)


_NO_ACT = frozenset(
    "propose introduce present show find demonstrate prove observe argue believe hope release make "
    "provide conduct note expect discuss describe have are do can will report hypothesize validate "
    "evaluate perform also test achieve further then call term refer define first highlight aim want "
    "know see need".split()
)
_AIMS = frozenset("designed aims aim aiming seeks seek goal crafted built intended developed ,".split())
_PASSIVE = frozenset("proposed presented introduced developed studied investigated given".split())


def _beside_name(tagged: Tagged, number: int, start: int, stop: int, end: int) -> Iterator[Core]:
    """Yield what describes the name at tokens ``[start, stop)``."""
    lower, tags = tagged.tokens.lower, tagged.tags
    i = _skip_brackets(tagged, stop, end)
    if i < end and lower[i] in _QUOTES:
        i += 1
    if i >= end:
        return
    if lower[i] in (",", "–", "—", "--", ":", "-") and i + 1 < end:
        following = i + 1
        if lower[following] in ("which", "that"):
            yield from _relative(tagged, number, following, end)
        elif lower[following] in ("a", "an", "the", "our", "one") or (
            tags[following] in ("JJ", "NN", "VBN", "CD") and _next_verb_far(tagged, following, end)
        ):
            yield Core("beside", number, following, end, lower[i])
        elif tags[following] == "VBN" and lower[following] in ("designed", "aimed"):
            yield Core("beside", number, following, end, lower[i])
        elif lower[following] == "to" and following + 1 < end and tags[following + 1] == "VB":
            yield Core("purpose", number, following + 1, end, "name")
    elif lower[i] in ("is", "are") and i + 1 < end:
        if lower[i + 1] in ("a", "an", "the"):
            yield Core("is", number, i + 1, end, lower[i])
        elif lower[i + 1] == "designed" and lower[i + 2 : i + 3] == ("to",):
            yield Core("purpose", number, i + 3, end, "designed")
    elif lower[i] in ("which", "that"):
        yield from _relative(tagged, number, i, end)
    elif tags[i] == "VBZ":
        yield Core("verb", number, i, end, lower[i])
    elif tags[i] == "RB" and i + 1 < end and tags[i + 1] == "VBZ":
        yield Core("verb", number, i + 1, end, lower[i + 1])
    elif lower[i] == "to" and i + 1 < end and tags[i + 1] == "VB":
        yield Core("purpose", number, i + 1, end, "name")
    elif lower[i] == "for":
        yield Core("for", number, i, end, "for")


_QUOTES = frozenset("\"”’»'`*")


def _relative(tagged: Tagged, number: int, which: int, end: int) -> Iterator[Core]:
    i = which + 1
    while i < end and tagged.tags[i] == "RB":
        i += 1
    if i < end and tagged.tags[i] == "VBZ":
        yield Core("verb", number, i, end, tagged.tokens.lower[i])


def _object(
    tagged: Tagged, number: int, verb: int, end: int, places: Sequence[tuple[int, int]]
) -> Iterator[Core]:
    """Yield the object of a verb of proposing, up to where the name begins if it follows."""
    lower, tags = tagged.tokens.lower, tagged.tags
    begin = verb + 1
    while begin < end and (tags[begin] == "RB" or lower[begin] in (":", "(", "1", "i", ")")):
        begin += 1
    # "We propose in this paper a method": step over the phrase.
    if lower[begin : begin + 3] in (("in", "this", "paper"), ("in", "this", "work")):
        begin += 3
        if begin < end and lower[begin] == ",":
            begin += 1
    if any(start <= begin < stop or start == begin + 1 for start, stop in places):
        return
    limit = end
    for start, _ in places:
        if start > begin + 1:
            limit = min(limit, _before_name(tagged, begin, start))
            break
    word = lower[verb]
    if begin < end and lower[begin] in ("that", "to"):
        if lower[begin] == "to" and begin + 1 < end and tags[begin + 1] == "VB":
            yield Core("purpose", number, begin + 1, end, "propose")
        return
    if begin < end and lower[begin] in _ASK:
        yield Core("asked", number, begin, end, word)
        return
    yield Core("object", number, begin, limit, word)
    # What the object does may stand after the name or after "that".
    for i in range(begin, min(end, begin + 22)):
        if lower[i] in ("that", "which") and i > begin:
            yield from _relative(tagged, number, i, end)
            break


def _before_name(tagged: Tagged, begin: int, start: int) -> int:
    """Return where the phrase before a name ends, the words that lead to the name left out."""
    lower = tagged.tokens.lower
    i = start
    while i > begin and (
        lower[i - 1] in CALLED
        or lower[i - 1] in (",", "as", "–", "—", "--", "(", "to", "refer", "we", "call", "term", "which")
        or lower[i - 1] in ("the", "a", "an", "\"", "“", "‘", "'", "`", ":", "is", "it", "i.e", ".")
        or lower[i - 1] in ("refer", "dub", "referred", "that", "name")
    ):
        i -= 1
    return i


def _is_own(tagged: Tagged, verb: int, first: int, *, results: bool = False) -> bool:
    """Tell whether the subject of the verb is the paper or its authors."""
    lower, tags = tagged.tokens.lower, tagged.tags
    for i in range(verb - 1, max(first - 1, verb - 9), -1):
        word = lower[i]
        if word in OWN or (results and word in OWN_RESULTS):
            return True
        if word == "our":
            return True
        if tags[i] in ("NN", "NNS") and word not in ("paper", "work"):
            # Another subject stands between, unless the verb is one of a series.
            return "we" in lower[first:i] and any(w in ("and", ",") for w in lower[i:verb])
    window = lower[first:verb]
    return ("we" in window and tags[verb] in ("VB", "VBP", "VBG")) or (
        verb > first and lower[verb - 1] == "by" and tags[verb] == "VBG"
    )


def _body_end(tagged: Tagged, first: int, last: int) -> int:
    """Return the end of a sentence without its final mark."""
    words = tagged.tokens.words
    while last > first and not words[last - 1][0].isalnum() and words[last - 1] not in ")]%":
        last -= 1
    return last


def _skip_brackets(tagged: Tagged, i: int, end: int) -> int:
    if i < end and tagged.tokens.words[i] in "([":
        for j in range(i + 1, min(end, i + 25)):
            if tagged.tokens.words[j] in ")]":
                return j + 1
    return i


def _after_lead(tagged: Tagged, first: int, end: int) -> int:
    """Return where a question begins after a lead such as "This raises the question:"."""
    for i in range(first, end):
        if tagged.tokens.words[i] == ":" and end - i > 4:
            return i + 1
    return first


def _skip_lead(tagged: Tagged, start: int, end: int) -> int:
    """Step over "in this paper," and the like before the subject."""
    lower = tagged.tokens.lower
    if start < end and tagged.tags[start] in ("IN", "RB"):
        for i in range(start, min(start + 7, end)):
            if lower[i] == ",":
                return i + 1
    return start


def _comma_before_we(tagged: Tagged, start: int, end: int) -> int:
    """Return the comma that ends "To do this, we propose"; 0 where the sentence goes on otherwise."""
    lower = tagged.tokens.lower
    for i in range(start + 2, min(end, start + 32)):
        if lower[i] == "," and any(word in OWN or word == "this" for word in lower[i + 1 : i + 5]):
            return i
    return 0


def _next_verb_far(tagged: Tagged, start: int, end: int) -> bool:
    """Tell whether no finite verb follows soon, so that the words describe and do not assert."""
    return not any(tag in ("VBZ", "VBP", "VBD", "MD") for tag in tagged.tags[start : start + 7])
