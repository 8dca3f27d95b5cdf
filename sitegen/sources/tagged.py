"""Text out of the inline HTML and JATS that catalogues put into titles and abstracts."""

from __future__ import annotations

import html
import re

# Only these are markup; every other "<" belongs to the text ("p<q and n<m").
_NAMES = (
    "a|abstract|b|bold|br|div|em|i|inf|italic|li|list|list-item|monospace|ol|p|sans-serif|sc|scp"
    "|sec|small|span|strong|styled-content|sub|sup|title|tt|u|ul|underline"
)
_TAG = re.compile(
    rf"<(?P<close>/?)(?:jats:|ns\d:)?(?P<name>{_NAMES})(?:\s[^<>]{{0,500}})?/?>", re.IGNORECASE
)
_FORMULA = re.compile(
    r"<(?:jats:)?(?P<name>inline-formula|disp-formula)\b[^<>]{0,500}>(?P<inner>.{0,20000}?)"
    r"</(?:jats:)?(?P=name)>",
    re.IGNORECASE | re.DOTALL,
)
_TEX = re.compile(
    r"<(?:jats:)?tex-math\b[^<>]{0,500}>(?P<tex>.{0,10000}?)</(?:jats:)?tex-math>",
    re.IGNORECASE | re.DOTALL,
)
_DOCUMENT = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_MATHML = re.compile(
    r"<(?:\w+:)?math\b([^<>]{0,2000})>((?:(?!</(?:\w+:)?math>).){0,20000})</(?:\w+:)?math>",
    re.IGNORECASE | re.DOTALL,
)
_ALTTEXT = re.compile(r"""\balttext\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[^<>]{0,500}>")
_BLOCKS = frozenset({"br", "div", "li", "list-item", "p", "sec", "title"})
_HEADINGS = frozenset({"abstract", "summary"})
_RAISED = str.maketrans("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ")
_LOWERED = str.maketrans("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")
_SCRIPT = re.compile(
    r"<(?:jats:)?(?P<name>sub|sup|inf)>(?P<text>[^<>]{1,40})</(?:jats:)?(?:sub|sup|inf)>",
    re.IGNORECASE,
)
_TITLE = re.compile(r"<jats:title>\s*([^<>]{0,200}?)\s*</jats:title>", re.IGNORECASE)


def untagged(text: str) -> str:
    """Return a text without the markup of catalogues; formulas as TeX or in plain characters.

    ``CO<sub>2</sub>`` becomes ``CO₂``, a section's heading ``Methods:``; a heading that only says
    "Abstract" goes. A ``<`` that begins none of the known tags stays.
    """
    if "<" not in text:
        return text
    text = _MATHML.sub(_formula, _TEX.sub(_tex, _FORMULA.sub(_chosen, text)))
    text = _TITLE.sub(_heading, text)
    text = _SCRIPT.sub(_script, text)
    return _TAG.sub(lambda tag: " " if tag["name"].casefold() in _BLOCKS else "", text)


def unescaped(text: str) -> str:
    """Return a text with HTML's character references resolved, also where escaped twice."""
    for _ in range(2):
        if "&" not in text:
            break
        text = html.unescape(text)
    return text


def _chosen(found: re.Match[str]) -> str:
    """Return a formula's TeX where it is given in several forms, without its frame."""
    tex = _TEX.search(found["inner"])
    return tex[0] if tex else found["inner"]


def _tex(found: re.Match[str]) -> str:
    document = _DOCUMENT.search(found["tex"])
    return f"${(document[1] if document else found['tex']).strip().strip('$').strip()}$"


def _formula(found: re.Match[str]) -> str:
    """Write MathML as the TeX it was made from, else as its plain characters."""
    tex = _ALTTEXT.search(found[1])
    if tex:
        return f"${(tex[1] or tex[2] or '').strip('$ ')}$"
    return " ".join(_ANY_TAG.sub(" ", found[2]).split())


def _heading(found: re.Match[str]) -> str:
    words = found[1].strip(" .:")
    return " " if words.casefold() in _HEADINGS or not words else f" {words}: "


def _script(found: re.Match[str]) -> str:
    """Write a raised or lowered text with the characters there are for it, else as TeX."""
    raised = found["name"].casefold() == "sup"
    plain = found["text"].strip().replace("−", "-")
    moved = plain.translate(_RAISED if raised else _LOWERED)
    if any(one == two for one, two in zip(plain, moved, strict=True)):
        return f"$^{{{plain}}}$" if raised else f"$_{{{plain}}}$"
    return moved
