r"""Formulas in their delimiters: ``$…$``, ``\( … \)``; and what is none, such as money."""

from __future__ import annotations

import re
from typing import Final

from sitegen.formulas import tex_to_text
from sitegen.repair.commands import BOLD
from sitegen.repair.draft import EMPHASIS, EMPHASIS_END, STRONG, STRONG_END, Draft

MAX_FORMULA: Final = 400
"""Characters between two dollar signs beyond which they are not the two ends of a formula."""
_DISPLAY: Final = re.compile(r"\\\((.{1,2000}?)\\\)|\\\[(.{1,2000}?)\\\]")
_WORD_TAIL: Final = re.compile(r"(.*[\w}\])])(-[a-z]{3,})", re.DOTALL)
_POWER: Final = re.compile("[0-9)][⁰¹²³⁴⁵⁶⁷⁸⁹⁻₀₁₂₃₄₅₆₇₈₉]")
_ONLY_TEXT: Final = re.compile(
    r"\\(?:text|textrm|mathrm|textsc|mathsf|textsf)\s*\{[^{}\\]*\}|[A-Za-z][a-z]+(?:[ -][A-Za-z]+)*"
)
_STYLED: Final = re.compile(r"\\(?:textbf|textit|texttt|emph|textsc|underline)\s*\{")
_OUTER: Final = re.compile(r"\\?(textbf|textit|emph|texttt|bf|it|em)\s*\{([^{}\\$]*)\}(\s*)")


def hold_formulas(draft: Draft) -> str:
    r"""``\( … \)``, ``\[ … \]``, ``$$…$$`` and ``$…$`` become formulas; money does not."""
    text = draft.text
    if "\\(" in text or "\\[" in text:
        text = _DISPLAY.sub(lambda m: formula(draft, m[1] or m[2]), text)
    if "$" not in text:
        return text
    out: list[str] = []
    at = 0
    while True:
        start = text.find("$", at)
        if start < 0:
            break
        width = 2 if text.startswith("$$", start) else 1
        end = _closing_dollar(text, start, width)
        if end < 0:
            stop = start + width
            while text.startswith("$", stop):  # a longer run of dollars opens nothing either
                stop += 1
            out.append(text[at:stop])
            at = stop
            continue
        out.append(text[at:start])
        out.append(formula(draft, text[start + width : end]))
        at = end + width
    out.append(text[at:])
    return "".join(out)


def _closing_dollar(text: str, start: int, width: int) -> int:
    """Return where the formula opened at ``start`` closes, or -1 where it is none."""
    if start and text[start - 1] == "\\":
        return -1
    mark = "$" * width
    limit = min(len(text), start + width + MAX_FORMULA)
    first = end = _next(text, mark, start + width, limit)
    while end > 0 and _is_open(text[start + width : end]):
        end = _next(text, mark, end + 1, limit)
    end = first if end < 0 else end
    if end < 0:
        return -1
    inner = text[start + width : end]
    return end if is_formula(inner, text[end + width : end + width + 1]) else -1


def _next(text: str, mark: str, start: int, limit: int) -> int:
    """Return where the next mark stands that is not escaped, or -1."""
    at = text.find(mark, start, limit)
    while at > 0 and text[at - 1] == "\\":
        at = text.find(mark, at + 1, limit)
    return at


def _is_open(inner: str) -> bool:
    """Tell whether a brace is still open, so that a dollar sign stands inside of a group."""
    return "{" in inner and inner.count("{") > inner.count("}") + 2 * inner.count("\\}")


def is_formula(inner: str, follows: str) -> bool:
    """Tell whether what stands between two dollar signs is mathematics and no prose or price."""
    stripped = inner.strip()
    if not stripped or stripped in {".", ",", ";", ":"}:
        return False
    if follows.isdigit() and re.search(r"\d", inner) and "\\" not in inner:
        return False
    bare = re.sub(r"\\[A-Za-z]+\s*\{[^{}]*\}|\\[A-Za-z]+|[_^]\s*\{[^{}]*\}", " ", inner)
    words = re.findall(r"[A-Za-z]{3,}", bare)
    spaced_number = inner[0].isdigit() and re.search(r"\s", inner)
    if spaced_number and not re.search(r"[\\=<>^_]", inner):
        return False
    if inner[0].isspace() != inner[-1].isspace() and not re.search(r"[\\^_]", inner):
        return False
    return len(words) <= 1 or (bool(re.search(r"[\\^_=]", inner)) and len(words) <= 8)


def formula(draft: Draft, tex: str) -> str:
    r"""Hold a formula; one without letters or powers (``2.99\times``) is plain text, no span."""
    tex = draft.shown(tex).strip()
    if _is_styled_text(tex):
        return hold_formulas(Draft(text=tex, parts=draft.parts))
    lead, tex, tail = _outer_markup(tex)
    word = ""
    if not lead and (found := _WORD_TAIL.fullmatch(tex)):
        tex, word = found[1], found[2]
    shown = tex_to_text(tex)
    told = any(char.isalpha() for char in shown) or _POWER.search(shown)
    is_math = told and not _ONLY_TEXT.fullmatch(tex)
    held = draft.hold(shown, "math", tex) if is_math else draft.hold(shown, None)
    return lead + held + word + tail


def _is_styled_text(tex: str) -> bool:
    r"""Tell whether the whole is a text command with more markup in it."""
    if not _STYLED.match(tex) or not re.search(r"[\\$]", tex[1:]):
        return False
    level = 0
    for at, char in enumerate(tex):
        level += (char == "{") - (char == "}")
        if char == "}" and level <= 0:
            return level == 0 and at == len(tex) - 1
    return False


def _outer_markup(tex: str) -> tuple[str, str, str]:
    r"""Split off a text command that wraps a whole formula (``$\textbf{N}$``): text, no formula."""
    found = _OUTER.fullmatch(tex)
    if not found:
        return "", tex, ""
    name, inner = found[1], found[2]
    if name in BOLD:
        return STRONG, f"\\text{{{inner}}}", STRONG_END
    return EMPHASIS, f"\\text{{{inner}}}", EMPHASIS_END
