"""Formulas as plain Unicode text: ``ℓ₂``, ``η*``, ``O(n³)``, ``ℝ^(m×n)``."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from sitegen.formulas.symbols import DOUBLE_STRUCK, SUBSCRIPTS, SUPERSCRIPTS
from sitegen.formulas.tree import Accent, Fraction, Leaf, Node, Root, Row, Scripts, parse

_AS_TYPED: Final = re.compile(r"[A-Za-z0-9\s=<>+\-/*.,:;()\[\]|%!?']*")
"""Formulas without commands or scripts read best as they were typed."""
_AIRY: Final = frozenset("∈∉≤≥≠≈≃≡∝⊂⊆⊃⊇≪≫⪯⪰→←↔⇒⇔↦∘∪∩∧∨⊕⊗⊙⊨⊢≺≻⩽⩾")
"""Operators that need space to be read; a formula that holds one is spaced throughout."""
_ORDINALS: Final = frozenset({"th", "st", "nd", "rd"})
_SPACED: Final = frozenset({"relation", "binary", "tight"})
_BARE_SUPERSCRIPTS: Final = frozenset("*′°†‡⋆") | {"′′", "′′′"}
"""Superscripts that already stand high as they are."""


def tex_to_text(tex: str) -> str:
    """Return the closest plain Unicode form of a formula: one line, NFC, no TeX commands left."""
    plain = tex.replace("\\%", "%")
    if _AS_TYPED.fullmatch(plain):
        return unicodedata.normalize("NFC", " ".join(plain.split()))
    row, _ = parse(tex)
    text = _text(row, tight=False).strip()
    if not text:
        text = re.sub(r"\\[A-Za-z]+|[\\{}$^_&]", " ", tex)
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _text(node: Node | None, *, tight: bool) -> str:  # noqa: PLR0911 - one a kind of node
    """Render a node; ``tight`` leaves out the spaces around operators (in scripts)."""
    match node:
        case None:
            return ""
        case Leaf():
            return _leaf(node)
        case Row():
            return _row(node, tight=tight)
        case Scripts():
            return _text(node.base, tight=tight) + _scripts(node)
        case Fraction():
            return f"{_grouped(node.over)}/{_grouped(node.under)}"
        case Root():
            index = _script(_text(node.index, tight=True), SUPERSCRIPTS, "")
            return f"{index}√{_grouped(node.body)}"
        case Accent():
            body = _text(node.body, tight=True)
            if len(body) == 1 or node.mark == "\u0338":
                return unicodedata.normalize("NFC", body[:1] + node.mark + body[1:])
            return body


def _leaf(leaf: Leaf) -> str:
    if leaf.variant == "double":
        return DOUBLE_STRUCK.get(leaf.text, leaf.text)
    return _USUAL.get(leaf.text, leaf.text)


_USUAL: Final = {"ϵ": "ε", "ϕ": "φ"}
"""TeX's forms of two letters, told apart in MathML only: readers type and search the usual ones."""


def _row(row: Row, *, tight: bool) -> str:
    out: list[str] = []
    items = row.items
    airy = any(
        isinstance(item, Leaf) and item.role in {"relation", "binary"} and item.text in _AIRY
        for item in items[1:-1]
    )
    for number, item in enumerate(items):
        text = _text(item, tight=tight)
        role = item.role if isinstance(item, Leaf) else ""
        before = items[number - 1] if number else None
        after = items[number + 1] if number + 1 < len(items) else None
        if isinstance(item, Leaf) and role in _SPACED:
            infix = _is_operand_end(before) and after is not None
            spaced = infix and not tight and (item.spaced or (airy and role != "tight"))
            text = f" {text} " if spaced else text.replace("−", "-")
        elif role == "function":
            if before is not None and not _is_role(before, "open", "relation", "binary", "tight"):
                text = f" {text}"
            if after is not None and not _is_role(after, "open", "close", "punctuation"):
                text += " "
        elif role == "space" and tight:
            text = ""
        out.append(text)
    return "".join(out)


def _is_role(node: Node, *roles: str) -> bool:
    return isinstance(node, Leaf) and node.role in roles


def _is_operand_end(node: Node | None) -> bool:
    """Tell whether an operator after this node has something on its left."""
    return node is not None and not _is_role(
        node, "relation", "binary", "tight", "open", "punctuation", "space"
    )


def _grouped(node: Node) -> str:
    """Render a node, in parentheses where it is more than one thing."""
    text = _text(node, tight=True)
    single = not isinstance(node, Row | Fraction) or text.isalnum()
    return text if single else f"({text})"


def _scripts(node: Scripts) -> str:
    """Render both scripts; one that could not be lowered stands last, so that it ends in sight."""
    below = "" if node.sub is None else _text(node.sub, tight=True).strip()
    above = "" if node.sup is None else _text(node.sup, tight=True).strip()
    if above in _ORDINALS and not below:
        return above
    below = _script(below, SUBSCRIPTS, "_")
    above = _script(above, SUPERSCRIPTS, "^")
    return above + below if below.startswith("_") else below + above


def _script(text: str, table: dict[str, str], mark: str) -> str:
    """Raise or lower a text, else put it after ``mark``."""
    if mark == "^" and text in _BARE_SUPERSCRIPTS | {"∘"}:
        return "°" if text == "∘" else text
    letters = sum(char.isalpha() for char in text)
    if text and letters <= 2 and all(char in table or char == "," for char in text):
        return "".join(table.get(char, char) for char in text)
    if not mark or not text:
        return text
    wordlike = text.replace(",", "").replace("*", "").replace(".", "").isalnum()
    return f"{mark}{text}" if wordlike or len(text) == 1 else f"{mark}({text})"
