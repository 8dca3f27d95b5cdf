"""Rules on what commands leave that lost their backslash: ``textbf{x}``, ``black{x}``, keys."""

from __future__ import annotations

import re
from typing import Final

from sitegen.formulas import tex_to_text
from sitegen.links import absolute
from sitegen.repair.accents import set_accents
from sitegen.repair.draft import EMPHASIS, EMPHASIS_END, STRONG, STRONG_END, Draft

_NESTED: Final = 3
"""Rounds in which commands inside commands are resolved, inner ones first."""
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
    for _ in range(_NESTED):
        before = text
        text = _LOST_SCRIPT.sub(r"\1{\2}", _LOST_COLOUR.sub(r"\1", text))
        text = _LOST_CHARACTER.sub(lambda m: tex_to_text(f"\\unicode{{x{m[1]}}}"), text)
        text = _LOST_ACCENT.sub(lambda m: set_accents(Draft(text=f"\\{m[1]}{m[2]}")), text)
        text = _LOST_STYLE.sub(lambda m: _style(draft, m[1] or m[2], m[3]), text)
        text = _LOST_SWITCH.sub(lambda m: _style(draft, f"text{m[1]}", m[2]), text)
        text = _LOST_FOOTNOTE.sub(lambda m: f" ({m[1].strip()})", text)
        if text == before:
            break
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
