r"""Rules for LaTeX that is still there: ``{\it x}``, ``22.0\%``, ``\( O(n^3) \)``, ``Sabi\'a``."""

from __future__ import annotations

import re
from typing import Final

from sitegen.formulas import symbol, tex_to_text
from sitegen.links import absolute, trimmed
from sitegen.repair.commands import BOLD, CODE, ITALIC
from sitegen.repair.draft import EMPHASIS, EMPHASIS_END, STRONG, STRONG_END, Draft

_URL_COMMAND: Final = re.compile(r"\\url\s*\{([^{}\s]{1,500})\}")
_HREF: Final = re.compile(
    r"\\(?:href|hyperlink)\s*\{([^{}\s]{1,500})\}\s*\{((?:[^{}]|\{[^{}]*\}){1,200})\}"
)
_LINK_STYLE: Final = re.compile(r"\\(?:textcolor|color)\s*\{[^{}]*\}|\\[A-Za-z]+|[{}]")


def hold_urls(draft: Draft) -> str:
    r"""``\url{…}`` and ``\href{…}{…}`` become links; their addresses lose TeX escapes."""

    def link(address: str, shown: str) -> str:
        plain = re.sub(r"\\([_%#&~$])(?:\{\})?", r"\1", address)
        url = absolute(trimmed(plain))
        shown = _LINK_STYLE.sub("", shown).strip() or plain
        return draft.hold(shown, "link" if url else None, url or "")

    text = _HREF.sub(lambda m: link(m[1], m[2]), draft.text)
    return _URL_COMMAND.sub(lambda m: link(m[1], ""), text)


_COMMENT: Final = re.compile(
    r"(?:(?<=[.!?)])|(?<=[.!?)] )|^)%+ ?(?=[A-Z][a-z]+ )([^%.!?]{0,300}(?:[.!?](?=\s|$))? ?)"
)
_RELEASE: Final = re.compile(
    r"\b(?:code|data|dataset|models?|source|page|repository)\b.*\b(?:available|released?|public)",
    re.IGNORECASE,
)


def drop_comments(draft: Draft) -> str:
    """``%`` before a sentence goes, and with it a promise that the authors took back.

    What TeX would leave out ends with a line that is no longer known, so other sentences stay.
    """
    return _COMMENT.sub(lambda m: "" if _RELEASE.search(m[1]) else m[1], draft.text)


_ABBREVIATIONS: Final = {
    "ie": "i.e.",
    "Ie": "I.e.",
    "eg": "e.g.",
    "Eg": "E.g.",
    "etal": "et al.",
    "etc": "etc.",
    "wrt": "w.r.t.",
    "vs": "vs.",
    "cf": "cf.",
    "aka": "a.k.a.",
    "iid": "i.i.d.",
}
_ABBREVIATION: Final = re.compile(
    r"\\(ie|Ie|eg|Eg|etal|etc|wrt|vs|cf|aka|iid)\b(?:\{\}|\\ |\\@)?(?:xspace\b)?(\.?)"
)


def spell_abbreviations(draft: Draft) -> str:
    r"""``\ie`` and its like, macros of style files, are spelt out."""
    return _ABBREVIATION.sub(lambda m: _ABBREVIATIONS[m[1]], draft.text)


_SIMPLE_ESCAPE: Final = re.compile(r"(?<!\\)\\([%#&_])")


def open_escapes(draft: Draft) -> str:
    r"""``22.0\%``, ``\#1``, ``R\&D``: signs that TeX wants escaped lose their backslash."""
    return _SIMPLE_ESCAPE.sub(r"\1", draft.text)


_NESTED: Final = 8
"""Rounds in which commands inside commands are resolved, inner ones first."""
_DROPPED: Final = frozenset(
    {"cite", "citep", "citet", "citealp", "citeauthor", "citeyear", "ref", "eqref", "cref", "Cref"}
    | {"autoref", "label", "vspace", "hspace", "color", "pagestyle", "thispagestyle", "todo"}
)
_COMMAND: Final = re.compile(r"(\s*)\\([A-Za-z]+)\*?\s*\{([^{}\\$]*)\}")
_SWITCH: Final = re.compile(
    r"\{\s*\\(it|em|bf|tt|sl|sc|rm|sf|itshape|bfseries|ttfamily|scshape)\b\s*([^{}\\]*)\}"
)
_COLOUR: Final = re.compile(
    r"\\(?:textcolor|colorbox)\s*(?:\[[^\]]{0,20}\])?\{[^{}]{0,40}\}\s*\{([^{}]*)\}"
    r"|\{\s*\\color\s*(?:\[[^\]]{0,20}\])?\{[^{}]{0,40}\}([^{}]*)\}"
)
_SYMBOL_GROUP: Final = re.compile(r"\{\s*\\([A-Za-z]+)\s*\}")


def resolve_commands(draft: Draft) -> str:
    r"""Text commands become emphasis, code or plain text; citations and layout go."""
    text = _SYMBOL_GROUP.sub(lambda m: symbol(m[1]) or m[0], draft.text)
    for _ in range(_NESTED):
        before = text
        text = _COLOUR.sub(lambda m: m[1] if m[1] is not None else m[2], text)
        text = _SWITCH.sub(lambda m: _set(draft, m[1], m[2]), text)
        text = _COMMAND.sub(lambda m: _command(draft, m), text)
        if text == before:
            break
    return text


def _set(draft: Draft, name: str, inner: str) -> str:
    """Return text in the style that a command or switch names."""
    inner = inner.strip()
    if name in BOLD:
        return f"{STRONG}{inner}{STRONG_END}" if inner else ""
    if name in ITALIC:
        return f"{EMPHASIS}{inner}{EMPHASIS_END}" if inner else ""
    if name in CODE:
        return draft.hold(draft.shown(inner), "code")
    return inner


def _command(draft: Draft, found: re.Match[str]) -> str:  # noqa: PLR0911 - one a kind
    space, name, inner = found[1], found[2], found[3]
    if name in {"begin", "end", "unicode"}:
        shown = tex_to_text(f"\\unicode{{{inner}}}") if name == "unicode" else ""
        return space + shown
    if name in _DROPPED:
        return ""
    if name in {"footnote", "thanks", "footnotetext"}:
        return f" ({inner.strip()})" if inner.strip() else ""
    if name == "enquote":
        return f"{space}“{inner}”"
    if name in {"textsubscript", "textsuperscript", "sqrt", "mathbb", "mathcal"}:
        return space + draft.hold(tex_to_text(f"\\{name}{{{draft.shown(inner)}}}"), None)
    if name in _ABBREVIATIONS or symbol(name) or not inner.strip():
        char = symbol(name) or _ABBREVIATIONS.get(name, name)
        return f"{space}{char} {inner}" if inner.strip() else f"{space}{char}"
    return space + _set(draft, name, inner)


_ESCAPE: Final = re.compile(r"\\([%#&_$ {}~,;:!/@-]|\\(?![A-Za-z]))")
_ENVIRONMENT: Final = re.compile(
    r"\\(?:begin|end)\s*\{[A-Za-z*]{1,20}\}(?:\[[^\]]{0,40}\])?"
    r"|\\(?:item|par|newline|noindent|bigskip|medskip|smallskip|xspace|centering"
    r"|small|large|Large)\b"
)
_LEFT_COMMAND: Final = re.compile(r"\\([A-Za-z]+)(?:\s*\{\})?")
_LEFT_BACKSLASH: Final = re.compile(r"\\+(?=\W|\d|$)|\\(?=_)")


def set_symbols(draft: Draft) -> str:
    r"""Symbols outside of formulas (``3\times``, ``\%``) get their characters; layout goes."""
    text = _ENVIRONMENT.sub(" ", draft.text)
    text = _ESCAPE.sub(
        lambda m: {"~": " ", "\\": " ", "!": "", "/": "", "-": "", "@": ""}.get(
            m[1], " " if m[1] in ",;:" else m[1]
        ),
        text,
    )
    text = re.sub(r"\\n(?=[A-Z\d\s]|$)", " ", text)
    text = _LEFT_COMMAND.sub(_symbol_or_name, text)
    return _LEFT_BACKSLASH.sub("", text)


def _symbol_or_name(found: re.Match[str]) -> str:
    char = symbol(found[1])
    return found[1] if char is None else char
