"""A text cut into words, numbers, signs and spaces, in which lost formulas are looked for."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Final

from sitegen.repair.commands import FUNCTION_WORDS, OPERAND_WORDS, SYMBOL_WORDS
from sitegen.repair.draft import HELD, HELD_MARK

MAX_LEXEMES: Final = 80
"""Lexemes a formula may have: bounds the time on hostile input."""
_PLAIN: Final = rf"[A-Za-z]+|\s+|{HELD_MARK}|\d+(?:,\d{{3}}(?!\d))*(?:\.\d+)?|\.\.\.|."
_LEXEME: Final = re.compile(_PLAIN, re.DOTALL)
_FENCE: Final = re.compile(r"(?:left|right)[()\[\]|]")
_FENCED_LEXEME: Final = re.compile(
    rf"[A-Za-z]{{1,4}}(?=(?:left|right)[()\[\]|])|(?:left|right)(?=[()\[\]|])|{_PLAIN}", re.DOTALL
)
_COMPOUND: Final = re.compile(
    r"([A-Z]{1,2}|[b-z])(times|circ|cdot|cdots|leq|geq|neq|leqslant|geqslant|otimes|oplus"
    r"|rightarrow|leftarrow|mapsto|subseteq|subset|notin|ldots|dots|infty|approx|equiv|propto"
    r"|wedge|cup|cap)([A-Z]?)"
)
"""Letters stuck to an operator: TeX needs no space before a backslash."""
_LONGEST_COMPOUND: Final = 16
_LOG_COMPOUND: Final = re.compile(r"([A-Za-z])(log|exp|sqrt|loglog)")
"""The same for functions: words such as ``blog`` among them, so only in ``O(…)``."""
_OPENERS: Final = {"(": ")", "[": "]", "{": "}"}
_WORD: Final = re.compile(r"[a-z]{2,}|[A-Za-z]{3,}")
_INTRODUCING: Final = frozenset({"with", "where", "for", "all", "any", "every", "each"})
"""Words before a new variable (``where sin R``)."""
_HIGH_WORDS: Final = frozenset(
    {"circ", "circledR", "dagger", "ddagger", "ast", "star", "prime", "top", "infty"}
)
"""Commands that stand raised after a word (``360^circ``)."""


class Lexemes:
    """The lexemes of one text, and what stands around each."""

    __slots__ = ("_closings", "_counts", "count", "items")

    def __init__(self, text: str) -> None:
        self.items = _split(text)
        self.count = len(self.items)
        self._closings: dict[int, int] | None = None
        self._counts: Counter[str] = Counter()

    def times(self, lexeme: str) -> int:
        """Return how often a lexeme occurs."""
        if not self._counts:
            self._counts.update(self.items)
        return self._counts[lexeme]

    def at(self, index: int) -> str:
        """Return a lexeme, empty beyond the ends."""
        return self.items[index] if 0 <= index < self.count else ""

    def after_space(self, index: int) -> int:
        """Return the place itself, or the next one where a space stands there."""
        return index + 1 if self.at(index) == " " else index

    def closing(self, index: int) -> int:
        """Return the place after the bracket closing the one at ``index``; 0 where none does."""
        if self._closings is None:
            self._closings = _closings(self.items)
        return self._closings.get(index, 0)

    def group(self, index: int) -> int:
        """Return the place after a bracketed group that holds nothing but mathematics, else 0."""
        end = self.closing(index)
        if not end:
            return 0
        if "--" in "".join(self.items[index + 1 : end - 1]):
            return 0
        for lexeme in self.items[index + 1 : end - 1]:
            known = lexeme in SYMBOL_WORDS or lexeme in FUNCTION_WORDS
            if _WORD.fullmatch(lexeme) and not known:
                return 0
            if lexeme in {"?", "!", '"', ";", "."} or lexeme[0] == HELD:
                return 0
        return end if end > index + 2 else 0

    def is_fence(self, index: int) -> bool:
        """``left[`` with its ``right]``."""
        if self.items[index] != "left" or self.at(index + 1) not in {"(", "[", "|", "{"}:
            return False
        return "right" in self.items[index + 2 : index + MAX_LEXEMES]

    def is_script(self, index: int) -> bool:  # noqa: PLR0911 - one return a reason
        """Tell whether ``^`` or ``_`` stands between a base and a script."""
        base, script = self.at(index - 1), self.at(index + 1)
        if not base or not script or self.at(index - 2) in {"\\", "@"}:
            return False
        raised = self.items[index] == "^"
        if not raised and self.at(index - 2) in {".", "/"}:
            return False
        if self.at(index - 2) == "_" and not (raised and self.is_script(index - 2)):
            return False
        if base.isalpha() and len(base) > 1 and base not in OPERAND_WORDS:
            if script == "{":
                return self.closing(index + 1) > 0
            if raised:
                letter = len(script) == 1 and script.isalpha()
                plus = script == "+" and not self.at(index + 2)[:1].isalnum()
                return script.isdigit() or letter or plus or script in _HIGH_WORDS
            return re.fullmatch(r"[A-Z][A-Za-z]{1,2}", base) is not None and script[0].isdigit()
        if not (base.isalnum() or base in {")", "]", "}", "|"} or base[:1] == HELD):
            return False
        if base[0].isdigit() and not raised and script != "{":
            return False
        if script == "{":
            return self.closing(index + 1) > 0
        if script.isalpha() and len(script) > 1:
            return script in SYMBOL_WORDS
        if not raised and self.at(index + 2) in {"_", "."} and self.at(index + 3).isalnum():
            return False
        if script[0] in "+-":
            return raised and not self.at(index + 2)[:1].isalpha()
        return script.isalnum() or script in {"*", "∞", "′"} or script[0].isdigit()


def _closings(items: list[str]) -> dict[int, int]:
    """Match brackets, each kind by itself; pairs further apart than MAX_LEXEMES do not count."""
    out: dict[int, int] = {}
    open_at: dict[str, list[int]] = {closer: [] for closer in _OPENERS.values()}
    for at, lexeme in enumerate(items):
        if lexeme in _OPENERS:
            open_at[_OPENERS[lexeme]].append(at)
        elif open_at.get(lexeme):
            start = open_at[lexeme].pop()
            if at - start < MAX_LEXEMES:
                out[start] = at + 1
    return out


def _split(text: str) -> list[str]:
    """Cut a text into lexemes; a letter stuck to a command's name (``mtimes``) is cut off."""
    out: list[str] = []
    in_order = False
    for lexeme in (_FENCED_LEXEME if _FENCE.search(text) else _LEXEME).findall(text):
        if 2 < len(lexeme) <= _LONGEST_COMPOUND and lexeme.isascii() and lexeme.isalpha():
            parts = _compound(lexeme)
            if not parts and in_order and out and out[-1] in {"(", " ", ","}:
                parts = _log_compound(lexeme)
            if parts:
                out += parts
                continue
            member = _member_compound(out, lexeme) if len(lexeme) == 3 else []
            if member:
                out += member
                continue
        if lexeme == "(":
            in_order = in_order or (bool(out) and out[-1] in {"O", "Theta", "Omega", "o", "}"})
        elif lexeme in {".", ";"}:
            in_order = False
        out.append(lexeme)
    return out


@lru_cache(maxsize=1 << 14)
def _compound(word: str) -> tuple[str, ...]:
    """Return the parts of letters stuck to an operator's name, none where they are no such."""
    found = _COMPOUND.fullmatch(word)
    return tuple(filter(None, found.groups())) if found and word not in SYMBOL_WORDS else ()


def _log_compound(word: str) -> tuple[str, ...]:
    found = _LOG_COMPOUND.fullmatch(word)
    return found.groups() if found and word not in SYMBOL_WORDS else ()


def _member_compound(before: list[str], lexeme: str) -> list[str]:
    """``with sin R`` and ``where xin R``: cut ``xin`` where a sentence introduces a variable."""
    introduced = before[-2:-1] and before[-2] in _INTRODUCING and before[-1] == " "
    return [lexeme[0], "in"] if introduced and re.fullmatch("[b-z]in", lexeme) else []
