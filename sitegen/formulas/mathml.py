"""Formulas as presentation MathML (MathML Core): small, without TeX annotation or style attributes.

Written here instead of taking a library's output: latex2mathml 3.81 prints unknown commands and a
bare ``&``, keeps ``href``, ``style`` and ``class``; math-core 0.9 (a compiled wheel) sets ``style``
attributes and wraps HTML elements into ``mtext``. One tree for text and MathML also keeps what is
read, searched and shown the same.
"""

from __future__ import annotations

from html import escape
from typing import Final

from sitegen.formulas.symbols import LETTERS, SPACING_ACCENTS
from sitegen.formulas.tree import Accent, Fraction, Leaf, Node, Root, Row, Scripts, parse

ELEMENTS: Final = frozenset(
    {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "msub", "msup", "msubsup"}
    | {"mfrac", "msqrt", "mroot", "mover", "munder"}
)
"""Every element that can occur in the output."""
ATTRIBUTES: Final = frozenset({"accent", "accentunder", "mathvariant", "stretchy", "width"})
"""Every attribute that can occur in the output."""

_SPACE: Final = '<mspace width=".17em"/>'
_FENCES: Final = frozenset("()[]{}|‖⟨⟩⌊⌋⌈⌉")


def tex_to_mathml(tex: str) -> str | None:
    """Return ``<math>…</math>`` for inline use, or None where a part of the TeX is not understood.

    The result is well-formed, holds only ELEMENTS and ATTRIBUTES, and needs no namespace in HTML.
    """
    row, faithful = parse(tex)
    if not faithful or not row.items:
        return None
    tall = _is_tall(row)
    return f"<math>{''.join(_items(row, tall=tall))}</math>"


def _is_tall(node: Node | None) -> bool:
    """Tell whether a fraction or root would make the fences beside it stretch."""
    match node:
        case Fraction() | Root():
            return True
        case Row():
            return any(_is_tall(item) for item in node.items)
        case Scripts():
            return _is_tall(node.base)
        case _:
            return False


def _items(row: Row, *, tall: bool) -> list[str]:
    out: list[str] = []
    items = row.items
    for number, item in enumerate(items):
        core = item.base if isinstance(item, Scripts) else item
        is_function = isinstance(core, Leaf) and core.role == "function"
        before = items[number - 1] if number else None
        after = items[number + 1] if number + 1 < len(items) else None
        if is_function and _is_operand(before):
            out.append(_SPACE)
        out.append(_element(item, tall=tall))
        if is_function and _is_operand(after) and not _opens(after):
            out.append(_SPACE)
    return out


def _is_operand(node: Node | None) -> bool:
    if node is None:
        return False
    return not isinstance(node, Leaf) or node.role in {"variable", "number", "mark", "close", "big"}


def _opens(node: Node | None) -> bool:
    return isinstance(node, Leaf) and node.role in {"open", "close"}


def _single(node: Node | None, *, tall: bool) -> str:
    """Render a node as exactly one element, as an argument of a script or fraction must be."""
    if node is None:
        return "<mrow></mrow>"
    if isinstance(node, Row):
        return f"<mrow>{''.join(_items(node, tall=tall))}</mrow>"
    return _element(node, tall=tall)


def _element(node: Node, *, tall: bool) -> str:  # noqa: PLR0911 - one a kind of node
    match node:
        case Leaf():
            return _leaf(node, tall=tall)
        case Row():
            return _single(node, tall=tall)
        case Scripts():
            base = _single(node.base, tall=tall)
            sub = _single(node.sub, tall=tall)
            sup = _single(node.sup, tall=tall)
            if node.sup is None:
                return f"<msub>{base}{sub}</msub>"
            if node.sub is None:
                return f"<msup>{base}{sup}</msup>"
            return f"<msubsup>{base}{sub}{sup}</msubsup>"
        case Fraction():
            over = _single(node.over, tall=tall)
            return f"<mfrac>{over}{_single(node.under, tall=tall)}</mfrac>"
        case Root():
            body = _single(node.body, tall=tall)
            if node.index is None:
                return f"<msqrt>{body}</msqrt>"
            return f"<mroot>{body}{_single(node.index, tall=tall)}</mroot>"
        case Accent():
            return _accent(node, tall=tall)


def _accent(node: Accent, *, tall: bool) -> str:
    if node.mark == "\u0338":
        if isinstance(node.body, Leaf):
            return _leaf(Leaf(role=node.body.role, text=node.body.text + node.mark), tall=tall)
        return _single(node.body, tall=tall)
    body = _single(node.body, tall=tall)
    mark = escape(SPACING_ACCENTS[node.mark])
    if node.mark == "\u0332":
        return f'<munder accentunder="true">{body}<mo>{mark}</mo></munder>'
    wide = not isinstance(node.body, Leaf)
    stretch = "" if wide else ' stretchy="false"'
    return f'<mover accent="true">{body}<mo{stretch}>{mark}</mo></mover>'


def _leaf(leaf: Leaf, *, tall: bool) -> str:  # noqa: PLR0911 - one a role
    text = escape(leaf.text.strip() or leaf.text, quote=False)
    match leaf.role:
        case "number":
            return f"<mn>{text}</mn>"
        case "variable":
            table = LETTERS.get(leaf.variant)
            if table and leaf.text in table:
                return f"<mi>{table[leaf.text]}</mi>"
            normal = leaf.variant == "upright" and len(leaf.text) == 1
            return f'<mi mathvariant="normal">{text}</mi>' if normal else f"<mi>{text}</mi>"
        case "function":
            return f"<mi>{text}</mi>"
        case "text":
            return f"<mtext>{escape(leaf.text.replace(' ', chr(0xA0)), quote=False)}</mtext>"
        case "space":
            return _SPACE
        case "mark" if leaf.text not in _FENCES:
            return f"<mi>{text}</mi>"
        case _:
            fixed = tall and leaf.text in _FENCES
            return f'<mo stretchy="false">{text}</mo>' if fixed else f"<mo>{text}</mo>"
