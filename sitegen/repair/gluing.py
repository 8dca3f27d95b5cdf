"""Rules on spaces that were lost: between sentences, before a short form."""

from __future__ import annotations

import re
from typing import Final

from sitegen.repair.draft import Draft

_OPENERS: Final = "|".join(
    """
    Accordingly Across Additionally After All Also Although Among An And Another Any Applying As
    At Based Because Before Besides Beyond Both Building But By Code Compared Comprehensive
    Consequently Conversely Crucially Current Currently Data Despite Due During Each Empirical
    Empirically Especially Evaluation Even Existing Experimental Experiments Extensive Finally
    First Firstly For From Further Furthermore Given Hence Here How However If Importantly In
    Indeed Inspired Instead Interestingly It Its Last Lastly Later Leveraging Like Many
    Meanwhile Models More Moreover Most Motivated Nevertheless Next No Nonetheless Not Notably
    Now Of On Once One Only Other Our Over Overall Previous Prior Rather Recent Recently Results
    Second Secondly Several Similarly Simultaneously Since So Some Source Specifically
    Subsequently Such Surprisingly That The Their Then There Therefore These They Third Thirdly
    This Those Three Through Throughout Thus To Today Together Toward Towards Two Ultimately
    Under Unfortunately Unlike Until Using Via We What When Whereas Whether Which While Why With
    Within Without
    """.split()  # noqa: SIM905 - a table of words
)
"""Words that open sentences, none of them a name: what may follow a lost space."""

_GLUED_SENTENCE: Final = re.compile(rf"([.!?])(?<=[a-z)\]%”][a-z)\]%”].)(?=(?:{_OPENERS})[ ,])")
_GLUED_PARENTHESIS: Final = re.compile(
    r"\((?<=[a-z]{3}\()(?=([A-Z][A-Za-z0-9-]*[A-Z])s?\)(?![\w(]))"
)
_LONGEST_WORD: Final = 40


def part_sentences(draft: Draft) -> str:
    """``data.Through`` gets its space, where the second word is one that opens sentences."""
    return _GLUED_SENTENCE.sub(lambda m: f"{m[0]} ", draft.text)


def part_short_forms(draft: Draft) -> str:
    """``Models(LLMs)`` gets its space, where the letters say that it is the short form."""
    return _GLUED_PARENTHESIS.sub(_short_form, draft.text)


def _short_form(found: re.Match[str]) -> str:
    before = found.string[max(0, found.start() - _LONGEST_WORD) : found.start()]
    last_word = re.search(r"(?<![\w.])[A-Za-z-]+$", before)
    if not last_word:
        return found[0]
    word = last_word[0].rsplit("-", 1)[-1]
    capitals = [char for char in found[1] if char.isupper()]
    matches = len(word) > 3 and len(capitals) > 1 and word[0].upper() == capitals[-1]
    return " (" if matches else found[0]
