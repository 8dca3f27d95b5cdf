r"""Rules on words and punctuation: quotes, dashes, Markdown, tildes, glued sentences, debris."""

from __future__ import annotations

import re
from typing import Final

from sitegen.formulas import tex_to_text
from sitegen.links import ADDRESS, absolute, trimmed
from sitegen.repair.draft import (
    EMPHASIS,
    EMPHASIS_END,
    END,
    HELD,
    STRONG,
    STRONG_END,
    Draft,
)
from sitegen.repair.latex import set_accents


def _alternatives(table: str) -> str:
    """Return the words of a table as alternatives of a pattern."""
    return "|".join(table.split())


# ---- addresses, code ----------------------------------------------------------------------------
_ADDRESS_TEXT: Final = re.compile(r"\{{1,2}([^{}\\]{1,80})\}{1,2}")
_ESCAPED_IN_ADDRESS: Final = re.compile(r"(https?://[^\s{}<>\"]*)")
_IDENTIFIER: Final = re.compile(
    r"(?<![\w.@/])(?:[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"
    r"|[A-Za-z_][A-Za-z0-9]*(?:_[A-Za-z0-9]+){2,}|[A-Za-z0-9]{2,}_[A-Za-z0-9]{2,}"
    r"|[\w/-]+\.(?:py|ipynb|md|txt|json|jsonl|csv|tsv|yaml|yml|html|pdf|cpp|js|ts|rs|java|zip|gz))(?![\w@])"
)
_CODE: Final = re.compile(r"(?<![`\w])`([^`'\n]{1,80}[^`'\s])`(?![`\w'])|(?<!`)`(\w)`(?!`)")


def hold_addresses(draft: Draft) -> str:
    """Addresses become links and are left alone by all later rules."""
    text = draft.text
    if "://" in text and "\\" in text:
        text = _ESCAPED_IN_ADDRESS.sub(lambda m: re.sub(r"\\([_%#&~-])", r"\1", m[1]), text)
        text = re.sub(r"(https?://[^\s{}<>\"\\]*)\\(?=[_%#&~])", r"\1", text)
    out: list[str] = []
    at = 0
    for found in ADDRESS.finditer(text):
        address = trimmed(found[0])
        end = found.start() + len(address)
        url = absolute(address)
        if url is None or found.start() < at:
            continue
        shown = _ADDRESS_TEXT.match(text, end)
        out.append(text[at : found.start()])
        out.append(draft.hold(shown[1] if shown else address, "link", url))
        at = shown.end() if shown else end
    out.append(text[at:])
    return "".join(out)


def hold_identifiers(draft: Draft) -> str:
    """Mail addresses, file names and names with several underscores are no formulas."""
    return _IDENTIFIER.sub(lambda m: draft.hold(m[0], None), draft.text)


def hold_code(draft: Draft) -> str:
    """Markdown code between single backticks becomes code."""
    return _CODE.sub(lambda m: draft.hold(m[1] or m[2], "code"), draft.text)


# ---- lost commands ------------------------------------------------------------------------------
_LOST_STYLE: Final = re.compile(
    r"\$?(?<!\\)(?:(textbf|textit|texttt|textsc|textsf|textrm|mathbf|mathit|mathtt|mathsf|mathrm)"
    r"|(?<![A-Za-z])(emph|underline|text|gls|acs?|acp|enquote))\{([^{}]*)\}\$?"
)
_LOST_SWITCH: Final = re.compile(r"\{(bf|it|em|tt|sc|sf)\s+([^{}]*)\}")
_LOST_CHARACTER: Final = re.compile(r"(?<!\\)unicode\{x([0-9A-Fa-f]{2,4})\}")
_LOST_ACCENT: Final = re.compile(r"(?<=[A-Za-z])\{(['`^\"~])([A-Za-z])\}")
_LOST_SCRIPT: Final = re.compile(r"([_^])(?:text|math)(?:rm|it|bf|sf|tt)?\{([^{}]*)\}")
_EMPTY_GROUP: Final = re.compile(r"(?<=[A-Za-z])\{\}")
_COLOURS: Final = (
    "black|red|blue|green|orange|purple|magenta|cyan|gray|grey|brown|teal|violet|olive|pink"
)
_LOST_COLOUR: Final = re.compile(
    rf"(?<![A-Za-z\\])(?:textcolor\{{)?(?:{_COLOURS})\}}?\{{([^{{}}]*)\}}"
)
_LOST_COMMAND: Final = re.compile(
    r"(\s*)(?<![A-Za-z\\])(url|href|cite[pt]?|ref)\{([^{}]{0,300})\}(?:\{([^{}]{1,200})\})?"
)
_LOST_FOOTNOTE: Final = re.compile(r"footnote\{([^{}]{1,300})\}")
_STRAY_DOLLAR: Final = re.compile(r"(?<=[a-z])\$(?=[\s.,;:)]|$)")
_VENUES: Final = (
    "acl|naacl|eacl|emnlp|coling|lrec|conll|wmt|iwslt|semeval|neurips|nips|iclr|icml|aaai|ijcai|cvpr"
    "|iccv|eccv|kdd|www|sigir|trec|clef|interspeech|icassp|miccai|dcase|chime"
)
_KEY: Final = rf"(?!(?:{_VENUES})(?:19|20)\d\d)[a-z]{{2,20}}(?:19|20)\d\d[a-z]{{3,20}}"
_JOINED_KEYS: Final = re.compile(rf" {_KEY}, ?{_KEY}")
"""Two keys side by side: one alone may be the name of a data set, such as ``taz2024full``."""
_CITATION_KEYS: Final = re.compile(rf" (?:{_KEY}(?:, ?{_KEY})+|{_KEY})(?= [a-z]|[.,;]|$)")


def resolve_lost_commands(draft: Draft) -> str:
    r"""``textbf{x}``, ``black{x}``, ``url{x}``: commands that lost their backslash and more."""
    text = draft.text
    if "{" not in text:
        return text
    text = _LOST_SCRIPT.sub(r"\1{\2}", _LOST_COLOUR.sub(r"\1", text))
    text = _LOST_CHARACTER.sub(lambda m: tex_to_text(f"\\unicode{{x{m[1]}}}"), text)
    text = _LOST_ACCENT.sub(lambda m: set_accents(Draft(text=f"\\{m[1]}{m[2]}")), text)
    text = _LOST_STYLE.sub(lambda m: _style(draft, m[1] or m[2], m[3]), text)
    text = _LOST_SWITCH.sub(lambda m: _style(draft, f"text{m[1]}", m[2]), text)
    text = _LOST_FOOTNOTE.sub(lambda m: f" ({m[1].strip()})", text)
    return _EMPTY_GROUP.sub("", _LOST_COMMAND.sub(lambda m: _lost(draft, m), text))


def _style(draft: Draft, name: str, inner: str) -> str:
    inner = inner.strip()
    if not inner:
        return ""
    if name == "textbf":
        return f"{STRONG}{inner}{STRONG_END}"
    if name in {"textit", "emph", "textem"}:
        return f"{EMPHASIS}{inner}{EMPHASIS_END}"
    if name == "enquote":
        return f"“{inner}”"
    return draft.hold(draft.shown(inner), "code") if name == "texttt" else inner


def _lost(draft: Draft, found: re.Match[str]) -> str:
    space, name, inner, second = found[1], found[2], found[3], found[4]
    if name in {"url", "href"}:
        url = absolute(draft.shown(inner))
        shown = second or draft.shown(inner)
        return space + draft.hold(draft.shown(shown), "link" if url else None, url or "")
    return f"{{{second}}}" if second else ""


def drop_stray_dollars(draft: Draft) -> str:
    """A dollar after a word in small letters closes a formula whose beginning is lost."""
    return _STRAY_DOLLAR.sub("", draft.text)


def drop_citation_keys(draft: Draft) -> str:
    r"""``huang2024vaccine,rosati2024representation``: what ``\cite`` leaves where it is lost."""
    return _CITATION_KEYS.sub("", draft.text) if _JOINED_KEYS.search(draft.text) else draft.text


# ---- Markdown -----------------------------------------------------------------------------------
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


# ---- punctuation --------------------------------------------------------------------------------
_QUOTE_DOUBLE: Final = re.compile(r"``\s*((?:(?!``)[^\"“”]){1,300}?)\s*(?:''|``|\"|”)")
_QUOTE_APOSTROPHES: Final = re.compile(
    r"(?<![\w'])''(?=[\w\ufdd0-\ufdef(])([^'\"]{1,200}(?:'(?!')[^'\"]{1,100})?)''(?!\w)"
)
_QUOTE_SINGLE: Final = re.compile(r"(?<![`\w])`(?=[\w\ufdd0-\ufdef])([^`'\"]{1,120})'(?!\w)")
_BARE_BACKTICKS: Final = re.compile(r"(?<!`)``(?!`)(?=\S)")
_BARE_APOSTROPHES: Final = re.compile(r"(?<=[\w.,!?)])''(?![\w'])")


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
_HYPHEN_SPACED: Final = re.compile(
    r"(?<![\w-])((?:[A-Za-z0-9]+-)*[A-Za-z][A-Za-z0-9]*[a-z]"
    r"|[A-Z][A-Za-z0-9]*[A-Z]\w*\)?|\w+\)) - (?=[A-Za-z][a-z]*[ ,])"
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
    return found[0] if found[1].lower() in _PREFIXES else f"{found[1]} – "


_OPENERS: Final = _alternatives(
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
    """
)
"""Words that open sentences, none of them a name: what may follow a lost space."""

_GLUED_SENTENCE: Final = re.compile(rf"(?<=[a-z)\]%”][a-z)\]%”])([.!?])(?=(?:{_OPENERS})[ ,])")
_GLUED_PARENTHESIS: Final = re.compile(
    r"(?<![\w.-])([A-Za-z-]*[a-z]{3})\((?=([A-Z][A-Za-z0-9-]*[A-Z])(?:s)?\)(?![\w(]))"
)


def part_sentences(draft: Draft) -> str:
    """``data.Through`` gets its space, where the second word is one that opens sentences."""
    return _GLUED_SENTENCE.sub(lambda m: f"{m[0]} ", draft.text)


def part_short_forms(draft: Draft) -> str:
    """``Models(LLMs)`` gets its space, where the letters say that it is the short form."""
    return _GLUED_PARENTHESIS.sub(_short_form, draft.text)


def _short_form(found: re.Match[str]) -> str:
    last_word = found[1].rsplit("-", 1)[-1]
    capitals = [char for char in found[2] if char.isupper()]
    matches = last_word[0].upper() == capitals[-1] and len(capitals) > 1 and len(last_word) > 3
    return f"{found[1]} (" if matches else found[0]


_RAISED: Final = dict(zip("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True))
_LOWERED: Final = dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True))
_NAME_SCRIPT: Final = re.compile(
    r"(?<![A-Za-z0-9_^\\{])([A-Z][A-Za-z]{0,3})([\^_])(?:\{(\d)\}|(\d))"
    r"(?=-?[A-Z][A-Za-z]*)(?![A-Za-z]*[_^({=])"
)
_NAME_SPACED: Final = re.compile(r"(?<![A-Za-z0-9])([A-Z]) ([23]) -(?: (?=[A-Z]{2}))?(?=[A-Z]{2})")
_UNIT_SCRIPT: Final = re.compile(r"(?<=[\d ])([mcknµμu]?m|in|ft)\^\{?([23])\}?(?![\w^])")
_ISOTOPE: Final = re.compile(r"(?<![\w)\]}|])\^\{?(\d{1,3})\}?(?=[A-Z])")
_BRACED: Final = re.compile(
    r"(?<![A-Za-z])\{(sim|times|approx|pm|ge|le|geq|leq|deg|circ|mu|to|rightarrow|%|cm|mm|ms|[A-Za-z](?=\}[\^_]))\}"
)
_BETWEEN: Final = {"times": "×", "pm": "±", "sim": "∼", "rightarrow": "→"}
_BETWEEN_NUMBERS: Final = re.compile(r"(?<=[\d%])(times|pm|sim|rightarrow)(?=\d)")
_MICRO: Final = re.compile(r"(?<=\d) ?mu(?=[mslgAVW]\b)")


def set_name_scripts(draft: Draft) -> str:
    """Names with a raised or lowered digit (``D^2O``, ``H_2O``, ``E 2 -LLM``) are set so."""
    text = _BRACED.sub(r"\1", draft.text)
    text = _MICRO.sub(lambda m: m[0].replace("mu", "μ"), text)
    text = _UNIT_SCRIPT.sub(lambda m: m[1] + _RAISED[m[2]], text)
    text = _BETWEEN_NUMBERS.sub(lambda m: _BETWEEN[m[1]], text)
    text = _ISOTOPE.sub(lambda m: "".join(_RAISED[digit] for digit in m[1]), text)
    text = _NAME_SCRIPT.sub(
        lambda m: m[1] + (_RAISED if m[2] == "^" else _LOWERED)[m[3] or m[4]], text
    )
    return _NAME_SPACED.sub(lambda m: f"{m[1]}{_RAISED[m[2]]}-", text)
