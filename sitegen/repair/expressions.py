"""How far a lost formula reaches: operands and operators around a sign, never a word."""

from __future__ import annotations

import re
from typing import Final

from sitegen.repair.commands import (
    CAPITAL_GREEK,
    FUNCTION_WORDS,
    GREEK,
    OPERAND_WORDS,
    OPERATOR_NAMES,
    PREFIXES,
    SYMBOL_WORDS,
    WRAPPERS,
)
from sitegen.repair.draft import HELD
from sitegen.repair.lexemes import MAX_LEXEMES, Lexemes

MAX_LEFT: Final = 14
"""Lexemes to the left of a sign that are tried as the formula's beginning."""
_SYMBOL_OPERATORS: Final = frozenset("=<>+/*≤≥≠≈×·∈→−±∼")
_DOTS: Final = frozenset({"dots", "ldots", "cdots", "..."})


def extent(it: Lexemes, sign: int, floor: int) -> tuple[int, int]:
    """Return the formula around a sign, as far to the left as it reads as one expression."""
    best = (sign, 0)
    for start in range(sign, max(floor, sign - MAX_LEFT) - 1, -1):
        if not may_begin(it, start):
            continue
        end = expression(it, start, min(it.count, start + MAX_LEXEMES))
        if end > sign:
            best = (start, end)
    return best


def may_begin(it: Lexemes, index: int) -> bool:
    """Tell whether a formula may begin here: not inside a word, name, path or number."""
    lexeme, before = it.items[index], it.at(index - 1)
    if before in {"\\", "_", "^", "'", "@"} or (
        before == "." and index > 1 and it.at(index - 2).isalnum()
    ):
        return False
    if lexeme == "-":
        return before.strip() == "" or before in {"(", "["}
    if lexeme[0].isdigit() and before:
        scripted = it.at(index + 1) in {"^", "_"}
        compound = before == "-" and it.at(index - 2).isalpha() and not scripted
        if before.isalnum() or compound or before == "$":
            return False
    if before and before[0].isalnum() and lexeme[0].isalnum():
        return False
    return lexeme in {"(", "[", "|"} or lexeme[0].isalnum() or lexeme[0] == HELD


def expression(it: Lexemes, index: int, limit: int) -> int:
    """Return where the expression that begins here ends; 0 where none begins here."""
    times = it.at(index) == "times" and it.at(index + 1)[:1].isdigit()
    prefixed = times or it.at(index) in PREFIXES
    end = operand(it, it.after_space(index + 1) if prefixed else index, limit)
    return extended(it, end, limit) if end else index + 1 if prefixed else 0


def extended(it: Lexemes, end: int, limit: int) -> int:  # noqa: PLR0911 - one an ending
    """Extend an expression over operators and their operands."""
    while end < limit:
        operator = it.after_space(end)
        name = it.at(operator)
        attached = operator == end
        if name == "," and attached:
            following = operand(it, end + 1, limit)
            if not following and it.at(end + 1) == " " and it.at(end + 2) in _DOTS:
                following = end + 3
            if not following or (it.at(end + 1).isspace() and it.at(end + 2) not in _DOTS):
                return end
            end = following
            continue
        if name in _DOTS and attached:
            end = operator + 1
            continue
        if name == "in" and not is_membership(it, operator):
            return end
        if name == "times" and not attached and it.at(operator + 1)[:1].isdigit():
            return end
        if (
            name in OPERATOR_NAMES
            or name in _SYMBOL_OPERATORS
            or (name == "-" and is_minus(it, operator))
        ):
            following = operand(it, it.after_space(operator + 1), limit)
            if following:
                end = following
                continue
            return operator + 1 if attached and name in {"times", "circ", "%"} else end
        if name == "%" and attached:
            end = operator + 1
            continue
        if name == "/" and not attached:
            return end
        following = product(it, end)
        if not following:
            return end
        end = following
    return end


def is_membership(it: Lexemes, index: int) -> bool:
    """Tell whether ``in`` stands between a variable and a set."""
    left = it.at(index - 2) if it.at(index - 1) == " " else it.at(index - 1)
    right = it.at(it.after_space(index + 1))
    is_set = right in {"(", "[", "{", *WRAPPERS} or re.fullmatch("[A-Z]", right)
    return bool(is_set) and (left == "}" or re.fullmatch("[A-Za-z]|[a-z]{2,}", left) is not None)


def is_minus(it: Lexemes, index: int) -> bool:
    """Tell whether a hyphen is a minus: operand on its right, no word."""
    if "-" in {it.at(index - 1), it.at(index + 1)}:
        return False
    right = it.at(it.after_space(index + 1))
    if it.at(index - 1)[-1:].isdigit() and it.at(index + 1)[:1].isdigit():
        return False
    spaced = it.at(index - 1).isspace() == it.at(index + 1).isspace()
    single = len(right) == 1 or right[:1].isdigit() or right in SYMBOL_WORDS
    return spaced and single and bool(right.strip())


def product(it: Lexemes, end: int) -> int:
    """``alpha B A / r``, ``U_k U_k^T``: what belongs to a product without a sign."""
    scripted = it.at(end - 2) in {"^", "_"} and it.at(end) == " " and it.at(end + 2) in {"^", "_"}
    if scripted and len(it.at(end + 1)) == 1 and it.is_script(end + 2):
        return scripts(it, end + 2, min(it.count, end + MAX_LEXEMES))
    at = end
    letters = 0
    while it.at(at) == " " and re.fullmatch(r"[A-Zb-z]", it.at(at + 1)):
        at += 2
        letters += 1
    operator = it.at(it.after_space(at))
    leads_on = operator in {"/", "=", "^", "<", ">"} or operator in OPERATOR_NAMES
    leads_on &= it.at(end - 1) in GREEK or it.at(end - 1) in CAPITAL_GREEK
    return at if letters and leads_on else 0


def operand(it: Lexemes, index: int, limit: int) -> int:  # noqa: PLR0911, PLR0912 - a plain table of cases
    """Return where the operand that begins here ends; 0 where none does."""
    lexeme = it.at(index)
    if not lexeme or index >= limit:
        return 0
    if lexeme in {"-", "+", "−"}:
        inner = it.at(index + 1)
        return (
            operand(it, index + 1, limit)
            if inner and not inner.isspace() and inner != lexeme
            else 0
        )
    if lexeme in WRAPPERS and it.at(index + 1) == "{":
        end = it.closing(index + 1)
        if end and lexeme == "frac" and it.at(end) == "{":
            end = it.closing(end)
        return scripts(it, end, limit) if end else 0
    if lexeme == "tilde" and it.at(index + 1) == " ":
        return operand(it, index + 2, limit)
    if lexeme == "left" and it.is_fence(index):
        for at in range(index + 2, min(it.count, index + MAX_LEXEMES)):
            if it.items[at] == "right":
                return scripts(it, min(at + 2, it.count), limit)
        return 0
    if lexeme in FUNCTION_WORDS:
        end = scripts(it, index + 1, limit)
        following = operand(it, it.after_space(end), limit)
        return following or end
    if lexeme in OPERAND_WORDS:
        return called(it, scripts(it, index + 1, limit), limit)
    if lexeme in {"(", "["}:
        end = it.group(index)
        return scripts(it, end, limit) if end else 0
    if lexeme == "|":
        inside = expression(it, index + 1, limit) if it.at(index + 1) != "|" else 0
        return scripts(it, inside + 1, limit) if it.at(inside) == "|" and inside else 0
    if lexeme[0].isdigit():
        end = scripts(it, index + 1, limit)
        beside = it.at(end)
        if beside in OPERAND_WORDS or (len(beside) == 1 and beside.isalpha()):
            return operand(it, end, limit) or end
        return end
    if lexeme[0] == HELD:
        end = scripts(it, index + 1, limit)
        return end if end > index + 1 else 0
    if len(lexeme) == 1 and lexeme.isalpha():
        return called(it, scripts(it, index + 1, limit), limit)
    if lexeme.isalpha() and it.at(index + 1) in {"^", "_"} and it.is_script(index + 1):
        return scripts(it, index + 1, limit)
    return 0


def called(it: Lexemes, end: int, limit: int) -> int:
    """Include the argument of a function, ``O(n^2)``, and a symbol beside it."""
    if it.at(end) in {"(", "["}:
        group = it.group(end)
        return scripts(it, group, limit) if group else end
    if it.at(end) == "left" and it.is_fence(end):
        return operand(it, end, limit)
    beside = it.at(end)
    if beside in OPERAND_WORDS and it.at(end - 1) not in SYMBOL_WORDS:
        return operand(it, end, limit) or end
    return end


def scripts(it: Lexemes, end: int, limit: int) -> int:
    """Include scripts and primes that follow."""
    while end < limit:
        lexeme = it.items[end]
        if lexeme == "'" and it.at(end + 1)[:1] not in {"s", "'"} and not it.at(end + 1).isalpha():
            end += 1
            continue
        if lexeme not in {"^", "_"} or not it.is_script(end):
            return end
        script = it.at(end + 1)
        if script == "{":
            end = it.closing(end + 1)
        elif script[0] in "+-":
            end += 3 if it.at(end + 2)[:1].isdigit() else 2
        else:
            end += 2
    return end
