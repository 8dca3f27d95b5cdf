"""Signs of a lost formula: what cannot be anything else, and what counts beside such a sign."""

from __future__ import annotations

import re
from typing import Final

from sitegen.repair.commands import CERTAIN, GREEK, GREEK_ALWAYS, WRAPPERS
from sitegen.repair.draft import HELD
from sitegen.repair.lexemes import Lexemes

BLACKBOARD: Final = frozenset("RNZCQ")
"""Letters of the number sets."""
_BETWEEN_LETTERS: Final = frozenset({"ll", "gg", "ne", "cup", "cap", "wedge", "vee", "subset"})
"""Operators whose names are words: signs between two single letters or numbers."""
_LOOSE: Final = _BETWEEN_LETTERS | {"sim", "ge", "le", "approx", "pm", "leq", "geq", "times"}
"""Operators whose names are words: signs only between or before numbers or letters."""
_TERMS: Final = frozenset({"delta", "kappa", "chi", "tau"})
"""Greek letters that are terms of their own before a noun (``delta compression``)."""
_NAMING: Final = frozenset(
    {"propose", "proposes", "introduce", "introduces", "present", "presents", "called", "dubbed"}
)

CANDIDATES: Final = (
    frozenset({"^", "_", "ell", "circ", "in", "log", "exp", "loglog", "tilde", "left", "right"})
    | CERTAIN
    | GREEK
    | _LOOSE
    | WRAPPERS
)
"""Every lexeme that one of the judgements below may call part of a formula."""


def is_sign(it: Lexemes, index: int) -> bool:  # noqa: PLR0911, PLR0912 - one return a kind of sign
    """Tell whether the lexeme cannot be anything but part of a formula."""
    lexeme = it.items[index]
    if lexeme in {"^", "_"}:
        return it.is_script(index)
    if len(lexeme) < 2 or not lexeme.isalpha() or not lexeme.isascii():
        return False
    before, after = it.at(index - 1), it.at(index + 1)
    if before in {"\\", ".", "@", "/"} or (before == "-" and it.at(index - 2).isalpha()):
        return False
    if before == "_" and it.at(index - 2).isalpha() and len(it.at(index - 2)) > 1:
        return False
    if lexeme == "ell":
        return after in {"_", "^"} or after.isdigit()
    if lexeme in CERTAIN:
        return after != "-" or lexeme in GREEK_ALWAYS
    if lexeme in {"times", "circ"} and before[:1].isdigit():
        return True
    if lexeme in {"pm", "approx", "sim"} and before[:1].isdigit():
        return after[:1].isdigit() and not it.at(index + 2).isalpha()
    if lexeme in {"times", "circ"} and len(before) == 1 and before.isalpha():
        return True
    if lexeme in _LOOSE:
        return is_loose_operator(it, index)
    if lexeme in GREEK and is_defined(it, index):
        return True
    if lexeme in GREEK and before == "(" and after == ")":
        return not it.at(index - 2)[-1:].isalnum()
    if lexeme == "in" and it.at(index - 2) in GREEK:
        return it.items[index - 1 : index + 2] == [" ", "in", " "] and it.at(index + 2) in {
            "(",
            "[",
        }
    if lexeme in {"log", "exp", "loglog"}:
        return len(before) == 1 and before.isalpha()
    if lexeme == "tilde":
        return it.items[index : index + 4] == ["tilde", " ", "O", "("]
    if lexeme in {"left", "right"}:
        return it.is_fence(index)
    if lexeme in GREEK and before == "|" and after == "|":
        return True
    if lexeme in WRAPPERS and after == "{":
        return lexeme in {
            "mathbb",
            "mathcal",
            "mathrm",
            "mathbf",
            "mathit",
            "mathsf",
            "frac",
            "sqrt",
        }
    return False


def is_loose_operator(it: Lexemes, index: int) -> bool:  # noqa: PLR0911 - one an operator
    """``sim3``, ``sim 3``, ``0.92 pm 0.03``, ``256 times 256``, ``d ll n``: between numbers."""
    lexeme, before, after = it.items[index], it.at(index - 1), it.at(index + 1)
    if after[:1].isdigit():
        if len(it.at(index + 2)) > 2 and it.at(index + 2).isalpha():
            return False
        return before.strip() == "" or before in {"(", "~", ","} or before[:1] == HELD
    left = it.at(index - 2) if before == " " else ""
    right = it.at(index + 2) if after == " " else ""
    if lexeme in _BETWEEN_LETTERS:
        named = lexeme == "ne" and re.fullmatch("[A-Z]{2,3}", right)
        return bool(left and right and _is_operand(left) and (named or _is_operand(right)))
    if not right[:1].isdigit() or before not in {" ", "(", "", "~"}:
        return False
    if lexeme == "pm":
        hour = left.isdigit() and int(left[:9]) <= 12
        return "." in right or not hour
    if lexeme == "times":
        return left[:1].isdigit() or left in {"%", "mm", "cm", "nm", "um", "m", "px"}
    return lexeme != "le" or "." in right or it.at(index + 3) == "%" or _is_operand(left)


def is_defined(it: Lexemes, index: int) -> bool:
    """``epsilon = 0.2`` and ``(1-alpha)``."""
    sign = it.after_space(index + 1)
    value = it.at(it.after_space(sign + 1))
    if it.at(sign) == "=" and value[:1].isdigit():
        return it.at(index - 1) not in {"-", "_"}
    before = "".join(it.items[max(0, index - 5) : index]).replace(" - ", "-")
    ended = re.match(r"$|[\s,.;)]", it.at(index + 1))
    return re.search(r"(?:^|[\s(])1-$", before) is not None and ended is not None


def is_lone_greek(it: Lexemes, index: int) -> bool:
    """A Greek letter's name alone; counts only where the text has lost other formulas."""
    if it.items[index] not in GREEK:
        return False
    if it.items[index] in _TERMS and it.at(index + 1) == " " and it.at(index - 1) != "(":
        return it.at(index + 2) in {"=", "<", ">"}
    return it.at(index - 1) not in {"-", "_", "/", "."} and it.at(index + 1) != "_"


def is_greek_prefix(it: Lexemes, index: int) -> bool:
    """``lambda-ShiftGELU``, ``propose gamma-PO``: a Greek letter's name opens a new name."""
    if not is_lone_greek(it, index) or it.at(index + 1) != "-":
        return False
    odd = re.match(r"[A-Z]\w*[a-z][A-Z]", it.at(index + 2))
    new = it.at(index - 1) == " " and it.at(index - 2) in _NAMING
    twice = it.items[index] not in _TERMS and it.times(it.items[index]) > 1
    new |= twice and it.at(index + 2)[:1].isupper()
    new &= it.at(index + 2).isalpha() and it.at(index + 2) not in GREEK
    return odd is not None or new


def is_member(it: Lexemes, index: int) -> bool:
    """``p in N``: one letter in a set of numbers, in a text that has lost other formulas."""
    if it.items[index] != "in" or it.at(index + 1) != " ":
        return False
    letter = it.at(index - 2) if it.at(index - 1) == " " else it.at(index - 1)
    return re.fullmatch("[b-z]", letter) is not None and it.at(index + 2) in BLACKBOARD


def _is_operand(lexeme: str) -> bool:
    return (len(lexeme) == 1 and lexeme.isalpha() and lexeme not in "aI") or lexeme[:1].isdigit()
