"""Text out of the inline HTML and JATS that catalogues put into titles and abstracts."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

LONGEST = 1_000_000
"""Characters of a text that are looked through for markup; no abstract has a tenth of them."""

# Only these are markup; every other "<" belongs to the text ("p<q and n<m").
_NAMES = (
    "a|abstract|b|bold|br|div|em|i|inf|italic|li|list|list-item|monospace|ol|p|sans-serif|sc|scp"
    "|sec|small|span|strong|styled-content|sub|sup|title|tt|u|ul|underline"
)
_TAG = re.compile(
    rf"<(?P<close>/?)(?:jats:|ns\d:)?(?P<name>{_NAMES})(?:\s[^<>]{{0,500}})?/?>", re.IGNORECASE
)
_FORMULA = re.compile(
    r"<(?P<name>(?:jats:)?(?:inline-formula|disp-formula))\b[^<>]{0,500}>", re.IGNORECASE
)
_TEX = re.compile(r"<(?P<name>(?:jats:)?tex-math)\b[^<>]{0,500}>", re.IGNORECASE)
_MATHML = re.compile(r"<(?P<name>(?:\w{1,20}:)?math)\b[^<>]{0,2000}>", re.IGNORECASE)
_DOCUMENT = ("\\begin{document}", "\\end{document}")
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
    if "<" not in text or len(text) > LONGEST:
        return text
    for opening, write in ((_FORMULA, _chosen), (_TEX, _tex), (_MATHML, _formula)):
        text = _each(text, opening, write)
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


def _each(text: str, opening: re.Pattern[str], write: Callable[[str, str], str]) -> str:
    """Replace each element that an opening tag begins, by what its tag and content become."""
    parts = []
    at = 0
    while found := opening.search(text, at):
        closing = f"</{found['name']}>"
        end = text.find(closing, found.end())
        if end < 0:
            break
        parts += [text[at : found.start()], write(found[0], text[found.end() : end])]
        at = end + len(closing)
    return "".join([*parts, text[at:]])


def _chosen(_: str, content: str) -> str:
    """Return a formula's TeX where it is given in several forms."""
    found = _TEX.search(content)
    closing = f"</{found['name']}>" if found else ""
    end = content.find(closing) if found else -1
    return content[found.start() : end + len(closing)] if found and end > 0 else content


def _tex(_: str, content: str) -> str:
    """Return TeX between dollar signs, without the frame of a whole document."""
    begin, end = _DOCUMENT
    if begin in content:
        content = content.partition(begin)[2].partition(end)[0]
    return f"${content.strip().strip('$').strip()}$"


def _formula(tag: str, content: str) -> str:
    """Write MathML as the TeX it was made from, else as its plain characters."""
    tex = _ALTTEXT.search(tag)
    if tex:
        return f"${(tex[1] or tex[2] or '').strip('$ ')}$"
    return " ".join(_ANY_TAG.sub(" ", content).split())


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
