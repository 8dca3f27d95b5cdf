"""Where a stretch of words may end so that no phrase is cut and nothing more is claimed."""

from __future__ import annotations

from sitegen.naming.clauses import CALLED, DOING
from sitegen.naming.tagged import Core, Tagged
from sitegen.naming.wordlists import word_list

_HELD = word_list("endings.held_prepositions")
_CONDITIONS = word_list("endings.conditions")
_HALF = word_list("endings.half_prepositions")
_WANTING = word_list("endings.wanting")
_ADJUNCTS = word_list("endings.adjuncts")
NOUN_KINDS = frozenset(("object", "beside", "is", "study", "passive", "found", "phrase"))
"""Kinds of cores that are noun phrases."""
_ASSERTIONS = frozenset(("finding", "question", "first"))
_NOUNS = frozenset(("NN", "NNS", "CD", "VBG"))
_ENDS_CLAUSE = frozenset(("VB", "VBP", "VBZ", "VBN", "RB", "JJ"))
_UNFINISHED = frozenset(("IN", "DT", "CC", "TO", "WH", "MD", "."))
_FINITE = frozenset(("VBZ", "VBP", "VBD", "MD"))
_MARKS = frozenset((",", ";", ":", "–", "—", "--"))
_PAIRS = (("between", "and"), ("both", "and"), ("either", "or"), ("neither", "nor"))
_LONG_CLAIM = 9
"""Words that an assertion has before it may lose where or for what it holds."""


def ending(tagged: Tagged, core: Core, begin: int, end: int) -> str:
    """Return how the words ``[begin, end)`` of a core end; empty where a phrase would be cut.

    ``whole``: nothing is left out. ``comma``, ``preposition``, ``to``, ``that``, ``participle``:
    what is left out begins so.
    """
    lower, tags = tagged.tokens.lower, tagged.tags
    last = end - 1
    if end == core.limit:
        asserts = core.kind in NOUN_KINDS and _asserts(tagged, begin, end)
        return "" if tags[last] in _UNFINISHED or asserts else "whole"
    if tags[last] not in _NOUNS and not (tags[last] in _ENDS_CLAUSE and lower[end] in _MARKS):
        return ""
    if tags[last] == "VBG" and lower[last] not in DOING:
        return ""
    if _waits(tagged, begin, end) or (core.kind in NOUN_KINDS and _asserts(tagged, begin, end)):
        return ""
    behind = end
    if lower[end] in ("(", "["):
        # What stands in brackets is dropped; judge by what follows it.
        close = (j for j in range(end + 1, min(core.limit, end + 30)) if lower[j] in (")", "]"))
        behind = next(close, -1) + 1
        if not behind:
            return ""
        if behind >= core.limit:
            return "whole"
    if core.kind in _ASSERTIONS:
        return _ending_of_claim(tagged, core, begin, behind) if behind == end else ""
    if core.kind == "asked" and not has_verb(tagged, begin, end):
        return ""
    return _ending_of_phrase(tagged, core, begin, behind)


def has_verb(tagged: Tagged, begin: int, end: int) -> bool:
    """Tell whether a finite verb stands in ``[begin, end)``."""
    return any(tag in _FINITE for tag in tagged.tags[begin:end])


def _asserts(tagged: Tagged, begin: int, end: int) -> bool:
    """Tell whether a finite verb stands outside a relative clause: no noun phrase then."""
    for i in range(begin, end):
        if tagged.tags[i] == "WH" or tagged.tokens.lower[i] in ("that", "which"):
            return False
        if tagged.tags[i] in _FINITE:
            return True
        # "geometries and identified that": the verb of the sentence goes on.
        if tagged.tokens.lower[i] == "and" and tagged.tags[i + 1] in ("VB", "VBD", "VBN"):
            if tagged.tags[i + 2 : i + 3] != ["NNS"] and tagged.tags[i + 2 : i + 3] != ["NN"]:
                return True
    return False


def _ending_of_claim(tagged: Tagged, core: Core, begin: int, end: int) -> str:
    """Judge an assertion: it needs its verb, and keeps the condition under which it holds."""
    lower, tag = tagged.tokens.lower, tagged.tags[end]
    following = lower[end]
    if not has_verb(tagged, begin, end):
        return ""
    if following in _MARKS:
        after = lower[end + 1] if end + 1 < core.limit else ""
        listed = following == "," and _is_list(tagged, begin, end, core.limit)
        return "" if listed or after in _CONDITIONS else "comma"
    if tag == "VBN" and following not in CALLED:
        return "participle"
    if tag == "WH" and following not in ("when", "where"):
        return "that"
    if following in _ADJUNCTS or (following in ("in", "for", "on") and end - begin >= _LONG_CLAIM):
        return "preposition"
    return ""


def _ending_of_phrase(tagged: Tagged, core: Core, begin: int, end: int) -> str:
    lower, tag = tagged.tokens.lower, tagged.tags[end]
    following = lower[end]
    next_tag = tagged.tags[end + 1] if end + 1 < core.limit else ""
    if following in _MARKS:
        return "" if following == "," and _is_list(tagged, begin, end, core.limit) else "comma"
    if tag == "WH" or following in ("that", "which"):
        return "that"
    if tag == "IN":
        return "" if following in _HELD else "preposition"
    if tag == "TO":
        return "to" if next_tag == "VB" else ""
    if following in CALLED or (tag in ("VBG", "VBN") and following != "being"):
        return "participle"
    if tag == "RB" and next_tag in ("VBN", "VBG"):
        return "participle"
    if following == "and":
        # A second verb of the same form opens something new: "that learns X and improves Y".
        same = {"purpose": "VB", "verb": "VBZ"}.get(core.kind, "PRP")
        return "comma" if next_tag == same and "," not in lower[begin:end] else ""
    return ""


def _waits(tagged: Tagged, begin: int, end: int) -> bool:
    """Tell whether a word before ``end`` still waits for its other half (between ... and)."""
    lower, tags = tagged.tokens.lower, tagged.tags
    part = lower[begin:end]
    if lower[end - 1] in _HALF and tags[end] in ("IN", "TO"):
        return True
    if tags[end] == "TO" and any(word in _WANTING for word in part[-6:]):
        return True
    for opener, closer in _PAIRS:
        if opener in part and closer not in part[len(part) - 1 - part[::-1].index(opener) :]:
            return True
    if ("from" in part and lower[end] == "to") or part[-1:] == ("same",):
        return True
    if "not" in part and "only" in part and "but" not in part:
        return True
    return sum(part.count(mark) for mark in ('"', "“", "”", "``")) % 2 == 1


def _is_list(tagged: Tagged, begin: int, comma: int, limit: int) -> bool:
    """Tell whether the comma stands between members of a list: "A, B, and C"."""
    lower, tags = tagged.tokens.lower, tagged.tags
    if comma + 1 >= limit:
        return False
    following, tag = lower[comma + 1], tags[comma + 1]
    if following in ("and", "or"):
        return tags[comma + 2 : comma + 3] != ["PRP"] and "," in lower[begin:comma]
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
    return tag in ("NN", "NNS", "JJ")
