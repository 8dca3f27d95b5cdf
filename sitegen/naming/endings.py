"""Where a stretch of words may end so that no phrase is cut and nothing more is claimed."""

from __future__ import annotations

from collections.abc import Sequence

from sitegen.naming.clauses import CALLED, DOING
from sitegen.naming.tagged import Core, Tagged
from sitegen.naming.wordlists import word_list

_HELD = word_list("endings.held_prepositions")
_CONDITIONS = word_list("endings.conditions")
_HALF = word_list("endings.half_prepositions")
_VAGUE = word_list("endings.vague")
_WANTING = word_list("endings.wanting")
_WANTING_WITH = word_list("endings.wanting_with")
_ADJUNCTS = word_list("endings.adjuncts")
NOUN_KINDS = frozenset(("object", "beside", "is", "study", "passive", "found", "phrase", "inner"))
"""Kinds of cores that are noun phrases."""
_ASSERTIONS = frozenset(("finding", "question", "first"))
_NOUNS = frozenset(("NN", "NNS", "CD"))
_ENDS_CLAUSE = frozenset(("VB", "VBP", "VBZ", "VBN", "RB", "JJ"))
_UNFINISHED = frozenset(("IN", "DT", "CC", "TO", "WH", "MD", "."))
_FINITE = frozenset(("VBZ", "VBP", "VBD", "MD"))
_VERBS = (["VB"], ["VBD"], ["VBN"])
_NOUN = (["NN"], ["NNS"])
_MODIFIED = (["NN"], ["NNS"], ["JJ"])
_PARTICIPLES = frozenset(("VBG", "VBN"))
_MARKS = frozenset((",", ";", ":", "–", "—", "--"))
_PAIRS = (("between", "and"), ("both", "and"), ("either", "or"), ("neither", "nor"))
_SHARED = frozenset(("to", "for", "in", "on", "with", "from", "by"))
_LONG_CLAIM = 9
"""Words that an assertion has before it may lose where or for what it holds."""


def ending(tagged: Tagged, core: Core, begin: int, end: int) -> str:
    """Return how the words ``[begin, end)`` of a core end; empty where a phrase would be cut.

    ``whole``: nothing is left out. ``comma``, ``preposition``, ``to``, ``that``, ``participle``:
    what is left out begins so.
    """
    lacks = core.kind == "finding" and not has_verb(tagged, begin, end)
    if lacks or (core.kind in NOUN_KINDS and _asserts(tagged, begin, end)):
        return ""
    if end == core.limit:
        open_quote = _open_quote(tagged.tokens.lower[begin:end])
        return "" if tagged.tags[end - 1] in _UNFINISHED or open_quote else "whole"
    if not _closes(tagged, core, end) or _waits(tagged, begin, end):
        return ""
    behind = _behind_brackets(tagged, core, end)
    if behind >= core.limit:
        return "whole"
    if core.kind in _ASSERTIONS:
        return _ending_of_claim(tagged, core, begin, behind) if behind == end else ""
    told = core.kind != "asked" or has_verb(tagged, begin, end)
    return _ending_of_phrase(tagged, core, begin, behind) if told else ""


def _closes(tagged: Tagged, core: Core, end: int) -> bool:
    """Tell whether the last word can close a phrase, or with a comma behind it a clause."""
    lower, tags = tagged.tokens.lower, tagged.tags
    if tags[end - 1] == "VBG":
        return lower[end - 1] in DOING
    clause = core.kind not in NOUN_KINDS and core.kind != "for" and lower[end] in _MARKS
    return tags[end - 1] in _NOUNS or (clause and tags[end - 1] in _ENDS_CLAUSE)


def _behind_brackets(tagged: Tagged, core: Core, end: int) -> int:
    """Return where the text goes on behind brackets that open at ``end``, for they are dropped.

    The core's limit where they never close.
    """
    lower = tagged.tokens.lower
    if lower[end] not in ("(", "["):
        return end
    closing = (j for j in range(end + 1, min(core.limit, end + 30)) if lower[j] in (")", "]"))
    return next(closing, core.limit) + 1


def has_verb(tagged: Tagged, begin: int, end: int) -> bool:
    """Tell whether a finite verb stands in ``[begin, end)``."""
    return any(tag in _FINITE for tag in tagged.tags[begin:end])


def _asserts(tagged: Tagged, begin: int, end: int) -> bool:
    """Tell whether a finite verb stands outside a relative clause: no noun phrase then."""
    lower, tags = tagged.tokens.lower, tagged.tags
    for i in range(begin, end):
        if tags[i] == "WH" or lower[i] in ("that", "which"):
            return False
        # Inside a noun phrase the tagger takes a participle for a past tense.
        inside = tags[i] == "VBD" and tags[i + 1 : i + 2] in _MODIFIED
        if tags[i] in _FINITE and not inside:
            return True
        # "geometries and identified that": the verb of the sentence goes on.
        after = tags[i + 1 : i + 3]
        if lower[i] == "and" and after[:1] in _VERBS and after[1:] not in _NOUN:
            return True
    return False


def _ending_of_claim(tagged: Tagged, core: Core, begin: int, end: int) -> str:
    """Judge an assertion: it needs its verb, and keeps the condition under which it holds."""
    lower, tag = tagged.tokens.lower, tagged.tags[end]
    following = lower[end]
    if not has_verb(tagged, _past_relative(tagged, begin, end), end):
        return ""
    if following in _MARKS:
        after = lower[end + 1] if end + 1 < core.limit else ""
        # "Increasing capacity helps, suggesting", "are affected, similar to": no list's members.
        behind = tagged.tags[end + 1 : end + 3]
        apart = behind[:1] == ["VBG"] or behind in (["JJ", "TO"], ["JJ", "IN"])
        listed = following == "," and not apart
        listed = listed and _is_list(tagged, begin, end, core.limit)
        return "" if listed or after in _CONDITIONS else "comma"
    participle = tag == "VBN" or (tag == "RB" and tagged.tags[end + 1 : end + 2] == ["VBN"])
    if participle and following not in CALLED:
        return "participle"
    if tag == "WH" and following not in ("when", "where"):
        return "that"
    # "can suppress X and make Y", "is fast and that it is small".
    again = tagged.tags[end + 1 : end + 2] in (["VB"], ["VBZ"], ["VBP"])
    again = again or lower[end + 1 : end + 2] == ("that",)
    if following == "and" and again and "both" not in lower[begin:end]:
        return "comma"
    far = following in ("in", "for", "on") and end - begin >= _LONG_CLAIM
    return "preposition" if far or following in _ADJUNCTS else ""


def _past_relative(tagged: Tagged, begin: int, end: int) -> int:
    """Return where the clause goes on behind ", which ...,": the verb inside is not its own."""
    lower = tagged.tokens.lower
    for i in range(begin, end - 1):
        if lower[i] == "," and lower[i + 1] in ("which", "who", "where", "whose"):
            return next((j for j in range(i + 2, end) if lower[j] == ","), end)
    return begin


def _ending_of_phrase(tagged: Tagged, core: Core, begin: int, end: int) -> str:
    """Judge a phrase by what begins behind it."""
    lower, tag = tagged.tokens.lower, tagged.tags[end]
    following = lower[end]
    next_tag = tagged.tags[end + 1] if end + 1 < core.limit else ""
    kind = ""
    if following in _MARKS:
        listed = following == "," and _is_list(tagged, begin, end, core.limit)
        kind = "" if listed else "comma"
    elif tag == "WH" or following in ("that", "which"):
        kind = "that"
    elif tag == "IN":
        kind = "" if following in _HELD else "preposition"
    elif tag == "TO":
        kind = "to" if next_tag == "VB" else ""
    elif following in CALLED or _PARTICIPLES & {tag, next_tag if tag == "RB" else ""}:
        # "3D scene understanding" is one noun.
        one = following in DOING and tagged.tags[end - 1] == "NN"
        kind = "" if following == "being" or one else "participle"
    elif following == "and":
        # A second verb of the same form opens something new: "that learns X and improves Y".
        same = {"purpose": "VB", "verb": "VBZ"}.get(core.kind, "PRP")
        kind = "comma" if next_tag == same and "," not in lower[begin:end] else ""
    return kind


def _waits(tagged: Tagged, begin: int, end: int) -> bool:
    """Tell whether a word before ``end`` still waits for its other half (between ... and)."""
    lower, tags = tagged.tokens.lower, tagged.tags
    part = lower[begin:end]
    last, following = lower[end - 1], lower[end]
    clause = tags[end] == "WH" or following in ("that", "where", "when")
    return (
        (last in _VAGUE and clause)
        or (last in _HALF and tags[end] in ("IN", "TO"))
        or (tags[end] == "TO" and any(word in _WANTING for word in part[-6:]))
        or any(_unpaired(part, opener, closer) for opener, closer in _PAIRS)
        or ("from" in part and following == "to")
        or ("not" in part and "only" in part and "but" not in part)
        or _open_quote(part)
        or _shared(part, following)
        or (
            following in ("with", "into", "by") and any(word in _WANTING_WITH for word in part[-7:])
        )
    )


def _shared(part: Sequence[str], following: str) -> bool:
    """Tell whether the second of two phrases would lose what the first has: "A to B and C [to D]".

    They are joined by "and" close to the end, and the first has the preposition that follows.
    """
    if following not in _SHARED or "and" not in part[-5:]:
        return False
    joined = len(part) - 1 - part[::-1].index("and")
    return following in part[max(0, joined - 5) : joined]


def _open_quote(part: Sequence[str]) -> bool:
    return sum(part.count(mark) for mark in ('"', "“", "”", "``")) % 2 == 1


def _unpaired(part: Sequence[str], opener: str, closer: str) -> bool:
    if opener not in part:
        return False
    return closer not in part[len(part) - 1 - part[::-1].index(opener) :]


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
        again = "," in lower[begin:comma] or has_verb(tagged, begin, comma)
        return following in ("a", "an", "the") and again
    if tag == "VBG":
        return tags[begin] == "VBG"
    for i in range(comma + 1, min(limit, comma + 16)):
        if lower[i] in ("and", "or"):
            return not any(t in ("VBZ", "VBP", "VBD") for t in tags[comma + 1 : i])
        if lower[i] in (";", ":"):
            break
    return tag in ("NN", "NNS", "JJ")
