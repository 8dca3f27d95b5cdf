"""Ways to shorten a core into a headline without cutting a phrase or changing what it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sitegen.naming.clauses import CALLED, Core, Tagged

MAX_WORDS = 14
"""Longest headline in words, the name included."""
MAX_ENDS = 7
"""Most places at which one core is cut."""

_NOVEL = frozenset("novel new innovative simple effective straightforward elegant original".split())
_ADVERB_DROPS = frozenset(
    "specifically explicitly carefully significantly substantially also further empirically "
    "systematically comprehensively thoroughly effectively rigorously theoretically successfully "
    "simultaneously consistently notably critically specially purposefully deliberately first "
    "indeed still often naturally".split()
)
_HELD_PREPOSITIONS = frozenset("of than as if unless without except until per about like".split())
_CONDITIONS = frozenset(
    "when if under unless without until only for in on than with where once given".split()
)
_UNFIT = frozenset(
    "we our us i this these those they them it such here former latter aforementioned said "
    "respectively following ours above below et al".split()
)
_LIGHT = frozenset(
    "problem task question issue challenge use usage idea notion case feasibility setting".split()
)
_HEADS = frozenset(
    "method framework approach technique algorithm system pipeline model strategy scheme "
    "methodology paradigm mechanism procedure solution tool architecture".split()
)
_GROUPS = frozenset("family set suite series collection variety class number range".split())
_END_TAGS = frozenset(("NN", "NNS", "CD", "VBG"))


@dataclass(frozen=True, slots=True)
class Body:
    """One shortened core: the tokens kept, in order, and how it begins and ends."""

    core: Core
    kept: tuple[int, ...]
    """Token numbers."""
    gerund: bool
    """Whether the first kept token is a verb to be put into its -ing form."""
    ending: str
    """``whole``, ``comma``, ``preposition``, ``to``, ``that`` or ``participle``: what was cut off."""
    cuts: tuple[str, ...]
    """What was left out inside: ``article``, ``novel``, ``head``, ``light``, ``brackets``."""


def bodies(tagged: Tagged, core: Core, room: int) -> Iterator[Body]:
    """Yield the shortened forms of a core that have at most ``room`` words."""
    starts = list(_starts(tagged, core))
    for begin, cuts, gerund in starts:
        kept: list[int] = []
        ends = 0
        for j in _walk(tagged, begin, core.limit):
            if j is None:
                continue
            kept.append(j)
            if _count(tagged, kept) > room or ends >= MAX_ENDS:
                break
            ending = _ending(tagged, core, begin, j + 1)
            if ending and len(kept) >= 2 and _fit(tagged, kept, core):
                ends += 1
                clean = _without(tagged, kept)
                made = cuts if len(clean) == len(kept) else (*cuts, "adverb")
                yield Body(core, tuple(clean), gerund, ending, made)


def _starts(tagged: Tagged, core: Core) -> Iterator[tuple[int, tuple[str, ...], bool]]:
    """Yield where a body may begin, what is left out there, and whether its verb turns to -ing."""
    lower, tags = tagged.tokens.lower, tagged.tags
    i, cuts = core.start, ()
    if core.kind in ("verb", "purpose", "act"):
        while i < core.limit and tags[i] == "RB":
            i += 1
        if i < core.limit and tags[i] not in ("VB", "VBZ", "VBP", "VBD"):
            return
        yield i, cuts, True
        return
    if core.kind in ("asked", "question", "finding", "first", "for", "passive"):
        if core.kind == "passive" or core.kind == "finding":
            i, dropped = _skip_article(tagged, i, core.limit)
            cuts = ("article",) if dropped else ()
        yield i, cuts, False
        return
    j, dropped = _skip_article(tagged, i, core.limit)
    novel = False
    # "the first", "a simple yet effective", "a novel": what every paper says of itself.
    while j < core.limit and (
        lower[j] in _NOVEL
        or (lower[j] in ("yet", "but", "and", ",") and novel)
        or (novel and lower[j] in ("efficient", "powerful", "general") and lower[j - 1] in ("yet", "but"))
    ):
        novel = True
        j += 1
    if j < core.limit and lower[j] == "and" and novel:
        j += 1
    marks = (("article",) if dropped else ()) + (("novel",) if novel else ())
    if dropped and not novel:
        yield i, (), False
    yield j, marks, False
    if core.kind == "study":
        yield core.start - 1, (), True
    head = _head(tagged, j, core.limit)
    if head and head + 2 < core.limit:
        word, following = lower[head], lower[head + 1]
        if word in _LIGHT and following == "of":
            yield head + 2, ("light",), False
        elif word in _GROUPS and following == "of":
            yield head + 2, ("light",), False
        elif word in _HEADS and following in ("for", "to") and head - j <= 1:
            if following == "for" and tags[head + 2] == "VBG":
                yield head + 2, ("head",), False
            elif following == "to" and tags[head + 2] == "VB":
                yield head + 2, ("head",), True
        elif word in _HEADS and following in ("that", "which"):
            k = head + 2
            while k < core.limit and tags[k] == "RB":
                k += 1
            if k < core.limit and tags[k] == "VBZ":
                yield k, ("head",), True


def _skip_article(tagged: Tagged, i: int, limit: int) -> tuple[int, bool]:
    dropped = False
    while i < limit and tagged.tokens.lower[i] in ("a", "an", "the", "our"):
        i += 1
        dropped = True
    return i, dropped


def _head(tagged: Tagged, start: int, limit: int) -> int:
    """Return the last noun of the noun phrase that begins at ``start``; 0 where there is none."""
    head = 0
    for i in range(start, min(limit, start + 9)):
        tag = tagged.tags[i]
        if tag in ("NN", "NNS"):
            head = i
        elif tag not in ("JJ", "VBN", "VBG", "CD", "RB", "POS") and tagged.tokens.lower[i] not in ("and", ","):
            break
    return head


def _walk(tagged: Tagged, start: int, limit: int) -> Iterator[int]:
    """Yield the token numbers from ``start``, stepping over what stands in brackets."""
    words = tagged.tokens.words
    i = start
    while i < limit:
        if words[i] in "([":
            close = next((j for j in range(i + 1, min(limit, i + 30)) if words[j] in ")]"), -1)
            if close < 0:
                return
            i = close + 1
            continue
        yield i
        i += 1


def _count(tagged: Tagged, kept: Sequence[int]) -> int:
    return sum(tagged.tokens.words[i][0].isalnum() for i in kept)


def _without(tagged: Tagged, kept: Sequence[int]) -> list[int]:
    """Leave out empty adverbs, "called" before a name, and "novel" within."""
    lower, tags = tagged.tokens.lower, tagged.tags
    result = []
    for position, i in enumerate(kept):
        if tags[i] == "RB" and lower[i] in _ADVERB_DROPS and position:
            continue
        if lower[i] == "novel" and tags[i] == "JJ":
            continue
        result.append(i)
    return result


def _ending(tagged: Tagged, core: Core, begin: int, end: int) -> str:
    """Return how the body may end before token ``end``; empty where it would cut a phrase."""
    lower, tags, words = tagged.tokens.lower, tagged.tags, tagged.tokens.words
    last = end - 1
    if end == core.limit:
        return "whole" if tags[last] not in ("IN", "DT", "CC", "TO", "WH", "MD", ".") else ""
    if tags[last] not in _END_TAGS and not (
        tags[last] in ("VB", "VBP", "VBZ", "VBN", "RB", "JJ") and lower[end] in (",", ";", ":", "–", "—", "--")
    ):
        return ""
    if tags[last] == "VBG" and (last == begin or tags[last - 1] not in ("NN", "NNS", "JJ")):
        return ""
    following, tag = lower[end], tags[end]
    if words[end] in "([":
        return _ending_after_bracket(tagged, core, begin, end)
    if _open_pair(tagged, begin, end):
        return ""
    assertion = core.kind in ("finding", "question", "first")
    if following in (",", ";", ":", "–", "—", "--"):
        if following == "," and _is_list(tagged, begin, end, core.limit):
            return ""
        if assertion and not _has_verb(tagged, begin, end):
            return ""
        after = lower[end + 1] if end + 1 < core.limit else ""
        if assertion and after in _CONDITIONS:
            return ""
        return "comma"
    if assertion:
        if _has_verb(tagged, begin, end) and (
            following in ("across", "via", "by", "through", "while", "because", "since", "compared", "despite")
        ):
            return "preposition"
        return ""
    if core.kind == "asked" and not _has_verb(tagged, begin, end):
        return ""
    if tag == "IN" and following not in _HELD_PREPOSITIONS:
        return "that" if following == "that" else "preposition"
    if tag == "TO" and end + 1 < core.limit and tags[end + 1] == "VB":
        return "to" if lower[last] not in ("ability", "need", "attempt", "capacity") else ""
    if tag == "WH" or following in ("that", "which"):
        return "that"
    if tag in ("VBG", "VBN") and following not in ("called", "being"):
        return "participle"
    if following in CALLED:
        return "participle"
    if following == "and" and end + 1 < core.limit and tags[end + 1] in ("VB", "VBZ", "VBP", "PRP"):
        return "comma"
    return ""


def _ending_after_bracket(tagged: Tagged, core: Core, begin: int, end: int) -> str:
    """Judge the ending by what follows the bracket that opens at ``end``."""
    words = tagged.tokens.words
    close = next((j for j in range(end + 1, min(core.limit, end + 30)) if words[j] in ")]"), -1)
    if close < 0:
        return ""
    if close + 1 >= core.limit:
        return "whole"
    following, tag = tagged.tokens.lower[close + 1], tagged.tags[close + 1]
    if core.kind in ("finding", "question", "first") or _open_pair(tagged, begin, end):
        return ""
    if tag == "IN" and following not in _HELD_PREPOSITIONS:
        return "preposition"
    if following in ("that", "which"):
        return "that"
    if following == "," and not _is_list(tagged, begin, close + 1, core.limit):
        return "comma"
    return ""


def _open_pair(tagged: Tagged, begin: int, end: int) -> bool:
    """Tell whether a word before ``end`` still waits for its other half (between ... and)."""
    lower = tagged.tokens.lower
    part = lower[begin:end]
    for opener, closer in (("between", "and"), ("both", "and"), ("either", "or"), ("neither", "nor")):
        if opener in part:
            at = len(part) - 1 - part[::-1].index(opener)
            if closer not in part[at:]:
                return True
    if "from" in part and lower[end] == "to":
        return True
    if "not" in part and "only" in part and "but" not in part:
        return True
    quotes = sum(part.count(mark) for mark in ('"', "“", "”", "``"))
    return quotes % 2 == 1


def _is_list(tagged: Tagged, begin: int, comma: int, limit: int) -> bool:
    """Tell whether the comma stands between members of a list: "A, B, and C"."""
    lower, tags = tagged.tokens.lower, tagged.tags
    if comma + 1 >= limit:
        return False
    following, tag = lower[comma + 1], tags[comma + 1]
    if following in ("and", "or"):
        return tags[comma + 2 : comma + 3] not in (["PRP"],) and "," in lower[begin:comma]
    if tag in ("WH", "IN", "TO", "RB", "PRP") or following in ("a", "an", "the", "that", "which"):
        # An enumeration may have articles: "the encoder, the decoder, and the loss".
        return following in ("a", "an", "the") and "," in lower[begin:comma]
    if tag == "VBG":
        return tags[begin] == "VBG"
    for i in range(comma + 1, min(limit, comma + 16)):
        if lower[i] in ("and", "or"):
            return not any(t in ("VBZ", "VBP", "VBD") for t in tags[comma + 1 : i])
        if lower[i] in (";", ":"):
            break
    return tag in ("NN", "NNS", "JJ") and lower[comma - 1] != "however"


def _has_verb(tagged: Tagged, begin: int, end: int) -> bool:
    return any(tag in ("VBZ", "VBP", "VBD", "MD") for tag in tagged.tags[begin:end])


def _fit(tagged: Tagged, kept: Sequence[int], core: Core) -> bool:
    """Tell whether the words can stand alone: they point to nothing outside themselves."""
    lower, tags, words = tagged.tokens.lower, tagged.tags, tagged.tokens.words
    for i in kept:
        if lower[i] in _UNFIT or lower[i].startswith("http"):
            return False
        if words[i] in "{}|\\=<>[]()" or (words[i] in ":;" and i != kept[-1]):
            return False
    opening = lower[kept[0]]
    if opening in ("its", "their", "his", "that", "which") or (
        tags[kept[0]] in ("CC", ".", "IN") and core.kind != "for"
    ):
        return False
    if core.kind in ("object", "beside", "is", "study", "passive") and tags[kept[0]] in ("VBZ", "MD"):
        return False
    return lower[kept[-1]] not in ("and", "or", "the", "a", "an", "novel", "first", "following", "i.e", "e.g")


def gerund_of(verb: str, vocabulary: Mapping[str, int]) -> str:
    """Return the -ing form of an inflected or plain verb: the form that the vocabulary knows best."""
    verb = verb.lower()
    stems = [verb]
    if verb.endswith("ies"):
        stems.append(verb[:-3] + "y")
    elif verb.endswith("es"):
        stems += [verb[:-2], verb[:-1]]
    elif verb.endswith("s") and not verb.endswith("ss"):
        stems.append(verb[:-1])
    elif verb.endswith("ed"):
        stems += [verb[:-2], verb[:-1], verb[:-3]]
    forms = []
    for stem in stems:
        if stem.endswith("e") and not stem.endswith(("ee", "oe", "ye")):
            forms.append(stem[:-1] + "ing")
        forms.append(stem + "ing")
        if len(stem) > 2 and stem[-1] in "bdgklmnprt" and stem[-2] in "aeiou":
            forms.append(stem + stem[-1] + "ing")
    return min(forms, key=lambda form: (-vocabulary.get(form, 0), form))
