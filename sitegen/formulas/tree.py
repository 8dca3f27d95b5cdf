"""A TeX formula read into a small tree, from which both plain text and MathML are made.

Knows what abstracts use (scripts, fractions, roots, accents, fences, alphabets, text); never fails:
what it does not know is kept as text and marks the formula as not faithful.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from sitegen.formulas.symbols import (
    ACCENTS,
    ALPHABETS,
    ARGUMENT_BEFORE,
    ARGUMENT_DROPPED,
    CHARACTERS,
    FUNCTIONS,
    IGNORED,
    NARROW,
    OPERATOR_WORDS,
    SPACES,
    SYMBOLS,
    TEXTS,
    Role,
)

MAX_SOURCE: Final = 2000
"""Characters of TeX beyond which a formula is not parsed: no abstract has longer ones."""
MAX_DEPTH: Final = 24
"""Nesting beyond which a formula counts as broken; keeps recursion shallow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One symbol, number, word or space."""

    role: Role
    text: str
    variant: str = ""
    """``bold``, ``double``, ``script``, ``fraktur``, ``upright``, ``italic`` or empty."""
    spaced: bool = False
    """Whether the author left a space before it: TeX ignores that, plain text keeps it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Things side by side."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scripts:
    """A base with what stands below and above on its right."""

    base: Node
    sub: Node | None
    sup: Node | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fraction:
    """One thing over another."""

    over: Node
    under: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """A root; ``index`` is None for the square root."""

    body: Node
    index: Node | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Accent:
    """A body under (or, for an underline, over) a combining mark."""

    body: Node
    mark: str


Node: TypeAlias = Leaf | Row | Scripts | Fraction | Root | Accent

_TOKEN: Final = re.compile(r"\\[A-Za-z]+\*?|\\.|\d+(?:,\d{3}(?!\d))*(?:\.\d+)?|\s+|.", re.DOTALL)
_EMPTY: Final = Row(items=())
_PRIMES: Final = {"'": "′", "’": "′", "′": "′"}
_UNICODE: Final = re.compile(r"\s*(?:[xX]|\"|U\+)?([0-9A-Fa-f]{2,5})\s*")


def parse(tex: str) -> tuple[Row, bool]:
    """Read TeX into a tree; the flag tells whether every part of it was understood."""
    if len(tex) > MAX_SOURCE:
        return Row(items=(Leaf(role="text", text=tex),)), False
    reader = _Reader(tex)
    row = reader.row(closing="")
    return row, reader.faithful


class _Reader:
    """Recursive descent over the lexemes of one formula."""

    def __init__(self, tex: str) -> None:
        self.lexemes: list[str] = _TOKEN.findall(tex)
        self.at = 0
        self.depth = 0
        self.faithful = True

    def peek(self) -> str:
        return self.lexemes[self.at] if self.at < len(self.lexemes) else ""

    def next(self) -> str:
        lexeme = self.peek()
        self.at += 1
        return lexeme

    def skip_space(self) -> None:
        while self.peek().isspace():
            self.at += 1

    def row(self, *, closing: str, variant: str = "") -> Row:
        """Read up to ``closing`` (a brace, ``]``, or the end where it is empty)."""
        items: list[Node] = []
        self.depth += 1
        while True:
            before = self.at
            self.skip_space()
            spaced = self.at > before
            lexeme = self.peek()
            if not lexeme:
                self.faithful &= not closing
                break
            if lexeme == closing:
                self.at += 1
                break
            if lexeme == "}":
                self.at += 1
                self.faithful = False
                continue
            if lexeme.startswith("\\") and lexeme[1:] in {
                "rm",
                "bf",
                "it",
                "cal",
                "em",
                "tt",
                "sf",
            }:
                self.at += 1
                variant = ALPHABETS.get(lexeme[1:], variant)
                continue
            node = self.scripted(variant)
            if spaced and isinstance(node, Leaf):
                node = replace(node, spaced=True)
            if node is not _EMPTY:
                items.append(node)
        self.depth -= 1
        return Row(items=tuple(_fenced(_joined(items))))

    def scripted(self, variant: str) -> Node:
        """Read one nucleus with its sub- and superscripts and primes."""
        base: Node = _EMPTY if self.peek() in {"^", "_"} else self.nucleus(variant)
        sub: Node | None = None
        sup: Node | None = None
        primes = ""
        while True:
            mark = self.at
            self.skip_space()
            lexeme = self.peek()
            if lexeme in _PRIMES:
                self.at += 1
                primes += _PRIMES[lexeme]
            elif lexeme in {"\\limits", "\\nolimits"}:
                self.at += 1
            elif lexeme in {"^", "_"}:
                self.at += 1
                argument = self.argument(variant)
                if lexeme == "^":
                    self.faithful &= sup is None
                    sup = argument if sup is None else Row(items=(sup, argument))
                else:
                    self.faithful &= sub is None
                    sub = argument if sub is None else Row(items=(sub, argument))
            else:
                self.at = mark
                break
        if primes:
            prime = Leaf(role="mark", text=primes)
            sup = prime if sup is None else Row(items=(prime, sup))
        if sub is None and sup is None:
            return base
        return Scripts(base=base, sub=sub, sup=sup)

    def argument(self, variant: str = "") -> Node:
        """Read what a command or script takes: a group or one symbol (digits count as one)."""
        self.skip_space()
        lexeme = self.peek()
        if lexeme in {"", "}", "^", "_", "&"}:
            self.faithful = False
            return _EMPTY
        self.depth += 1
        node = self.nucleus(variant)
        self.depth -= 1
        return node

    def nucleus(self, variant: str) -> Node:  # noqa: PLR0911 - one return a kind of lexeme
        """Read one group, command or character."""
        lexeme = self.next()
        if self.depth > MAX_DEPTH:
            self.faithful = False
            return _EMPTY
        if lexeme == "{":
            return _unwrapped(self.row(closing="}", variant=variant))
        if lexeme.startswith("\\"):
            return self.command(lexeme[1:], variant)
        if lexeme[0].isdigit():
            return Leaf(role="number", text=lexeme, variant=variant)
        if lexeme in CHARACTERS:
            text, role = CHARACTERS[lexeme]
            if role == "punctuation" and self.peek().isspace():
                text += " "
            return Leaf(role=role, text=text)
        if lexeme == "&":
            self.faithful = False
            return Leaf(role="mark", text="&")
        if lexeme == "|":
            return Leaf(role="mark", text="|")
        if lexeme == ".":
            dots = self.lexemes[self.at : self.at + 2] == [".", "."]
            self.at += 2 * dots
            return Leaf(role="mark", text="…" if dots else ".")
        return Leaf(role="variable" if lexeme.isalpha() else "mark", text=lexeme, variant=variant)

    def command(self, name: str, variant: str) -> Node:  # noqa: PLR0911, PLR0912 - a plain table of cases
        """Read a command, whose backslash and name are already taken, with its arguments."""
        if name in SPACES:
            return _EMPTY if name in NARROW else Leaf(role="space", text=" ")
        if name in ACCENTS:
            return Accent(body=self.argument(variant), mark=ACCENTS[name])
        if name in TEXTS:
            return self.text(name)
        if name.rstrip("*") in ALPHABETS:
            return self.alphabet(name.rstrip("*"))
        if name in {"frac", "dfrac", "tfrac"}:
            over = self.argument(variant)
            return Fraction(over=over, under=self.argument(variant))
        if name == "sqrt":
            index = None
            self.skip_space()
            if self.peek() == "[":
                self.at += 1
                index = _unwrapped(self.row(closing="]"))
            return Root(body=self.argument(variant), index=index)
        if name in {"textsubscript", "textsuperscript"}:
            script = self.argument(variant)
            below = name == "textsubscript"
            return Scripts(
                base=_EMPTY, sub=script if below else None, sup=None if below else script
            )
        if name == "unicode":
            found = _UNICODE.fullmatch(self.source())
            char = chr(int(found[1], 16)) if found and int(found[1], 16) < 0x110000 else ""
            self.faithful &= char.isprintable() and bool(char)
            return Leaf(role="mark", text=char) if char.isprintable() and char else _EMPTY
        if name == "not":
            inner = self.argument(variant)
            return Accent(body=inner, mark="\u0338")
        if name in {"left", "right", "middle"} and self.peek() == ".":
            self.at += 1
            return _EMPTY
        if name in IGNORED:
            return _EMPTY
        if name in ARGUMENT_DROPPED:
            self.skip_space()
            if self.peek() == "{":
                self.source()
            return _EMPTY
        if name in ARGUMENT_BEFORE:
            self.source()
            return self.argument(variant)
        if name in FUNCTIONS:
            return Leaf(role="function", text=name)
        if name in SYMBOLS:
            text, role = SYMBOLS[name]
            return Leaf(role=role, text=text, variant=variant)
        self.faithful = False
        return Leaf(role="text", text=name) if name[:1].isalpha() else _EMPTY

    def alphabet(self, name: str) -> Node:
        """Read the argument of an alphabet command; several upright letters are one word."""
        variant = ALPHABETS[name]
        self.skip_space()
        start = self.at
        if variant == "upright" and self.peek() == "{":
            word = self.source()
            if name == "operatorname":
                return Leaf(role="function", text=word)
            if word.replace(" ", "").isalnum() and len(word) > 1:
                return Leaf(role="text", text=word.replace(" ", ""))
            self.at = start
        return self.argument(variant)

    def text(self, name: str) -> Node:
        """Read the argument of a text command; formulas inside it are read as such."""
        self.skip_space()
        source = self.source()
        parts = re.split(r"\$([^$]*)\$", source)
        items: list[Node] = []
        for number, part in enumerate(parts):
            if number % 2:
                inner = _Reader(part)
                inner.depth = self.depth + 1
                items.append(inner.row(closing=""))
                self.faithful &= inner.faithful
            elif part:
                plain = re.sub(r"\\([%&#_$ {}])", r"\1", part)
                nested = re.fullmatch(r"\\(?:text\w*|mathrm|mathbf|emph)\s*\{([^{}\\]*)\}", plain)
                plain = nested[1] if nested else plain
                self.faithful &= not re.search(r"[\\{}$]", plain)
                plain = re.sub(r"[\\{}$]", "", plain).replace("~", " ")
                variant = "bold" if name == "textbf" else "code" if name == "texttt" else ""
                items.append(Leaf(role="text", text=plain, variant=variant))
        return _unwrapped(Row(items=tuple(items)))

    def source(self) -> str:
        """Take the next group (or symbol) and return its source without the outer braces."""
        self.skip_space()
        if self.peek() != "{":
            return self.next()
        start = self.at + 1
        level = 0
        while self.at < len(self.lexemes):
            lexeme = self.next()
            level += (lexeme == "{") - (lexeme == "}")
            if not level:
                return "".join(self.lexemes[start : self.at - 1])
        self.faithful = False
        return "".join(self.lexemes[start:])


def _unwrapped(row: Row) -> Node:
    """Return the only item of a row in its place."""
    return row.items[0] if len(row.items) == 1 else row


def _joined(items: list[Node]) -> list[Node]:
    """Join plain letters that spell a word: a function (``O(n log n)``), or three letters or more.

    Two letters stay a product (``BA``); a hyphen before a word is no minus (``L_1-norm``).
    """
    out: list[Node] = []
    at = 0
    while at < len(items):
        end = at
        while end < len(items) and _is_plain_letter(items[end]):
            end += 1
        word = "".join(item.text for item in items[at:end] if isinstance(item, Leaf))
        if end - at < 2:
            out += items[at:end]
        elif word in OPERATOR_WORDS:
            out.append(Leaf(role="function", text=word))
        elif found := _GLUED_FUNCTION.fullmatch(word):
            out += [Leaf(role="variable", text=found[1])] if found[1] else []
            out.append(Leaf(role="function", text=found[2]))
            out += [Leaf(role="variable", text=found[3])] if found[3] else []
        elif end - at > 2:
            if len(out) > 1 and isinstance(out[-1], Leaf) and out[-1].text == "−":
                out[-1] = Leaf(role="mark", text="-")
            out.append(Leaf(role="variable", text=word))
        else:
            out += items[at:end]
        if end < len(items):
            out.append(items[end])
        at = end + 1
    return out


_GLUED_FUNCTION: Final = re.compile(r"([a-zA-Z])?(log|exp|max|min)([a-zA-Z])?")


def _fenced(items: list[Node]) -> list[Node]:
    """Let a script after a closing bracket belong to the whole group (``{0,x}^3``)."""
    out: list[Node] = []
    open_at: list[int] = []
    for item in items:
        base = item.base if isinstance(item, Scripts) else item
        if isinstance(base, Leaf) and base.role == "close" and open_at:
            start = open_at.pop()
            if isinstance(item, Scripts):
                group = Row(items=(*out[start:], base))
                out[start:] = [Scripts(base=group, sub=item.sub, sup=item.sup)]
                continue
        elif isinstance(base, Leaf) and base.role == "open":
            open_at.append(len(out))
        out.append(item)
    return out


def _is_plain_letter(node: Node) -> bool:
    return (
        isinstance(node, Leaf)
        and node.role == "variable"
        and not node.variant
        and node.text.isascii()
    )
