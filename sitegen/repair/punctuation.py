"""Rules on punctuation: Markdown, TeX quotes, ties, dashes."""

from __future__ import annotations

import re
from typing import Final

from sitegen.repair.draft import EMPHASIS, EMPHASIS_END, END, HELD, STRONG, STRONG_END, Draft

_STRONG: Final = re.compile(r"(?<![\w*\\])\*\*(?=[^\s*])([^*]{1,200}?)(?<=[^\s*])\*\*(?![*])")
_EMPHASIS: Final = re.compile(
    r"(?<![\w*\\/)])\*(?=[A-Za-z\"“])([^*^_=]{1,120}?)(?<=[A-Za-z.!?\"”])\*(?![\w*])"
)
_STRONG_LOW: Final = re.compile(
    r"(?<![\w_])__(?=[A-Za-z])([^_]{2,120}?)(?<=[A-Za-z.!?])__(?![\w_])"
)


def set_markdown(draft: Draft) -> str:
    """``**x**`` and ``*x*`` around words become strong and emphasis; ``A* and B*`` does not."""
    text = _STRONG.sub(rf"{STRONG}\1{STRONG_END}", draft.text)
    text = _STRONG_LOW.sub(rf"{STRONG}\1{STRONG_END}", text)
    return _EMPHASIS.sub(rf"{EMPHASIS}\1{EMPHASIS_END}", text)


_QUOTE_DOUBLE: Final = re.compile(r"``\s*((?:(?!``)[^\"“”]){1,300}?)\s*(?:''|``|\"|”)")
_QUOTE_APOSTROPHES: Final = re.compile(
    r"(?<![\w'])''(?=[\w\ufdd0-\ufdef(])([^'\"]{1,200}(?:'(?!')[^'\"]{1,100})?)''(?!\w)"
)
_QUOTE_SINGLE: Final = re.compile(r"(?<![`\w])`(?=[\w\ufdd0-\ufdef])([^`'\"]{1,120})'(?!\w)")
_BARE_BACKTICKS: Final = re.compile(r"(?<!`)``(?!`)(?=\S)")
_BARE_APOSTROPHES: Final = re.compile(r"(?<=[A-Za-z.,!?)])''(?![\w'])")


def set_quotes(draft: Draft) -> str:
    """TeX quotes become typographic ones; straight quotes stay."""
    text = _QUOTE_DOUBLE.sub(r"“\1”", draft.text)
    text = _QUOTE_APOSTROPHES.sub(r"“\1”", text)
    text = _QUOTE_SINGLE.sub(r"‘\1’", text)
    return _BARE_APOSTROPHES.sub("”", _BARE_BACKTICKS.sub("“", text))


_TILDE: Final = re.compile(rf"(?<=[\w.,;:)\]%”’{HELD}-\ufdef])~+(?=[\w(\[“‘\"{HELD}-\ufdef\\])")


def open_tildes(draft: Draft) -> str:
    """TeX's tie between words, ``inference~(AfriXNLI)``, is a space; ``~10`` stays."""
    return _TILDE.sub(" ", draft.text)


_DASH_SPACED: Final = re.compile(r"(?<=\S) (?:--|---) (?=\S)")
_DASH_LONG: Final = re.compile(
    r"(?<=[\w.,;:!?)\]”’\"%\ufdd0-\ufdef])---(?=[\w(\[“‘\"\ufdd0-\ufdef])"
)
_DASH_RANGE: Final = re.compile(rf"(?<=[A-Z0-9%{END}])--(?=[$\dA-Z{HELD}])|(?<=\d[A-Za-z])--(?=\d)")
_DASH_CLOSE: Final = re.compile(
    r"(?<=[\w.,;:!?)\]”’\"%\ufdd0-\ufdef])--(?=[\w(\[“‘\"\ufdd0-\ufdef])"
)
_DASH_HALF: Final = re.compile(r"(?<=[\w)”])--(?= [A-Za-z])|(?<= )--(?=[A-Za-z]{2})(?=\w+ )")
_HYPHEN_SPACED: Final = re.compile(r" - (?<=[\w)] - )(?=[A-Za-z][a-z]*[ ,])")
_BEFORE_HYPHEN: Final = re.compile(
    r"(?<![\w-])(?:(?:[A-Za-z0-9]+-)*[A-Za-z][A-Za-z0-9]*[a-z]"
    r"|[A-Z][A-Za-z0-9]*[A-Z]\w*\)?|\w+\))\Z"
)
_PREFIXES: Final = frozenset(
    {"re", "pre", "post", "non", "co", "multi", "sub", "inter", "intra", "self", "semi", "anti"}
    | {"cross", "un", "de", "over", "under", "pseudo", "quasi", "bi", "uni"}
)


def set_dashes(draft: Draft) -> str:
    """``--`` and a hyphen between spaces become en dashes, ``---`` an em dash.

    A double hyphen between two words without spaces stands for a pause and becomes an em dash,
    but for pairs of names and ranges (``Kullback--Leibler``, ``2B--27B``).
    """
    text = draft.text
    if "--" in text:
        text = _DASH_SPACED.sub(" – ", text)
        text = _DASH_LONG.sub("—", text)
        text = _DASH_RANGE.sub("–", text)
        text = _DASH_CLOSE.sub(_close_dash, text)
        text = _DASH_HALF.sub("–", text)
    if " - " in text:
        text = _HYPHEN_SPACED.sub(_spaced_hyphen, text)
    return text


def _close_dash(found: re.Match[str]) -> str:
    text, start = found.string, found.start()
    before = re.search(r"(\w+)$", text[max(0, start - 30) : start])
    after = re.match(r"\w+", text[found.end() : found.end() + 30])
    names = before and after and before[1][:1].isupper() and after[0][:1].isupper()
    return "–" if names else "—"


def _spaced_hyphen(found: re.Match[str]) -> str:
    at = found.start()
    word = _BEFORE_HYPHEN.search(found.string[found.string.rfind(" ", 0, at) + 1 : at])
    return " – " if word and word[0].lower() not in _PREFIXES else found[0]
