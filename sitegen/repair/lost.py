"""Formulas that lost backslashes and dollars: ``ell_2``, ``f^{*}=hcirc g``, ``R^{mtimes n}``.

The text is cut into lexemes. Some are certain signs of a formula (a script, a command's name that
is no word of any language); from each, the formula grows over what can only belong to it: operands
and operators, never a word. What it covers becomes TeX again.
"""

from __future__ import annotations

import re
from typing import Final

from sitegen.formulas import symbol
from sitegen.repair.commands import CERTAIN, FUNCTION_WORDS, GREEK, SYMBOL_WORDS, WRAPPERS
from sitegen.repair.draft import Draft
from sitegen.repair.expressions import extent
from sitegen.repair.lexemes import Lexemes
from sitegen.repair.mathmode import formula
from sitegen.repair.signs import (
    BLACKBOARD,
    CANDIDATES,
    is_greek_prefix,
    is_lone_greek,
    is_member,
    is_sign,
)

MAX_FAILURES: Final = 200
"""Signs without a formula around them after which a text counts as no mathematics."""
_GREEK: Final = "|".join(sorted(GREEK))
_NAMES: Final = ("^", "_{", "left(", "left[", "left|", "left{", *sorted(CERTAIN - {"circ"}))
_PARTS: Final = ("math", "arrow", "angle", "ceil", "floor", "dot", "bigc", "var", "left", "eq")
"""Parts that many names share: a text without a part need not be asked for each of the names."""


def _by_part(names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the names by a part of theirs, themselves where no other shares it."""
    least = [name for name in names if not any(part in name for part in names if part != name)]
    parts = {name: next((part for part in _PARTS if part in name), name) for name in least}
    return {
        part: tuple(name for name in least if parts[name] == part)
        for part in dict.fromkeys(parts.values())
    }


_SURE: Final = _by_part(_NAMES)
_SIGN: Final = re.compile(
    r"(?<![A-Za-z])(?:[A-Za-z\u0370-\u03ff]_[A-Za-z0-9*]|[A-Z][a-z]{0,2}_\d|ell[_\d]"
    r"|[A-Za-z]?(?:circ|times)(?![a-z])|(?:sim|ge|le|approx|pm|gg|ll|ne) ?\d|tilde O\("
    r"|(?:O|Theta|Omega)\([A-Za-z0-9]{0,9} ?[A-Za-z](?:log|exp)"
    r"|[A-Za-z0-9] (?:ll|gg|ne|cup|cap|wedge|vee|subset) |[b-z]in [RNZCQ(\[]"
    rf"|(?:{_GREEK})(?:[-_|)]| ?= ?\d| in [(\[])|1 ?- ?(?:{_GREEK})\b)"
    r"|\d(?:times|pm|circ|approx|sim)(?![a-z])"
)
"""Without any of these a text has lost no formula: quick tests, not yet the judgement."""
_GREEK_BY_LENGTH: Final = [
    "|".join(sorted(name for name in GREEK if len(name) == length))
    for length in sorted(set(map(len, GREEK)))
]


def _after_greek(sign: str, *endings: str) -> str:
    """Return a pattern for a sign where a Greek letter's name and an ending of these end."""
    looks = (f"(?<=(?:{names}){ending})" for names in _GREEK_BY_LENGTH for ending in endings)
    return f"{sign}(?:{'|'.join(looks)})"


_ASKING: Final = ("_", "circ", "times", "O(", "Theta(", "Omega(")
# What else `_SIGN` may match, told by its rarest character, looking back from there: many times
# faster than to try each place of a text.
_HINTS: Final = (
    re.compile(
        r"\d(?:(?:pm|approx|sim)(?![a-z])|(?<=(?:sim|[^A-Za-z](?:ge|le|pm|gg|ll|ne)).)"
        r"|(?<=(?:sim|[^A-Za-z](?:ge|le|pm|gg|ll|ne)) .)|(?<=^(?:ge|le|pm|gg|ll|ne).)"
        r"|(?<=^(?:ge|le|pm|gg|ll|ne) .)|(?<=approx.)|(?<=approx .))"
    ),
    re.compile(r" (?:ll|gg|ne|cup|cap|wedge|vee|subset) "),
    re.compile(r"in [RNZCQ(\[](?<=[b-z]in .)"),
    re.compile(_after_greek("[-_|)]", ".")),
    re.compile(_after_greek("=", ".", " .")),
    re.compile(_after_greek(r"in [(\[]", " in .")),
    re.compile(rf"1 ?- ?(?:{_GREEK})\b"),
)


_GLUED_SET: Final = re.compile(r"(?<![A-Za-z])([A-Za-z])in([RNZC])(?=\^)")
"""``xinR^d``, from ``x\\in\\mathbb{R}^d``."""


def restore_formulas(draft: Draft) -> str:
    """Find formulas that lost their markup and hold them; without a sign nothing changes."""
    text = _GLUED_SET.sub(r"\1 in \2", draft.text) if "^" in draft.text else draft.text
    return _restored(draft, text) if sounds_like_formula(text) else draft.text


def sounds_like_formula(text: str) -> bool:
    """Tell fast whether a text may have lost a formula: not yet the judgement."""
    for part, names in _SURE.items():
        if part in text and any(name in text for name in names):
            return True
    for hint in _ASKING:
        if hint in text:
            return _SIGN.search(text) is not None
    return any(hint.search(text) for hint in _HINTS) and _SIGN.search(text) is not None


def _restored(draft: Draft, text: str) -> str:
    """Return the text with every formula found replaced by its mark."""
    it = Lexemes(text)
    asked = [at for at, lexeme in enumerate(it.items) if lexeme in CANDIDATES]
    signs = {at for at in asked if is_sign(it, at)}
    signs |= {at for at in asked if at and is_member(it, at) and it.at(at - 1) != " "}
    if signs:
        signs |= {at for at in asked if is_lone_greek(it, at) or is_member(it, at)}
    else:
        signs = {at for at in asked if is_greek_prefix(it, at)}
    if not signs:
        return text
    out: list[str] = []
    done = 0
    failures = 0
    for sign in sorted(signs):
        if sign < done:
            continue
        start, end = extent(it, sign, done)
        if end <= sign:
            failures += 1
            if failures > MAX_FAILURES:
                break
            alone = it.items[sign] in CERTAIN or it.items[sign] == "times"
            char = symbol(it.items[sign]) if alone else None
            if not char:
                continue
            start, end = sign, sign + 1
        out += it.items[done:start]
        out.append(formula(draft, tex(it, start, end)))
        done = end
    out += it.items[done:]
    return "".join(out)


def tex(it: Lexemes, start: int, end: int) -> str:
    """Return the TeX source of these lexemes, with what was lost put back."""
    out: list[str] = []
    index = start
    while index < end:
        lexeme = it.items[index]
        scripted = it.at(index - 1) in {"^", "_"}
        if lexeme == "...":
            out.append("\\dots")
        elif lexeme in WRAPPERS and it.at(index + 1) == "{":
            out.append(f"\\{lexeme}")
        elif lexeme == "tilde":
            out.append("\\tilde")
        elif len(lexeme) > 1 and lexeme.isalpha() and lexeme.isascii():
            known = lexeme in SYMBOL_WORDS or lexeme in FUNCTION_WORDS
            fence = lexeme in {"left", "right"}
            space = " " if it.at(index + 1)[:1].isalpha() else ""
            out.append(f"\\{lexeme}{space}" if known or fence else f"\\text{{{lexeme}}}")
        elif lexeme in BLACKBOARD and is_number_set(it, index):
            out.append(f"\\mathbb{{{lexeme}}}")
        elif lexeme in {"%", "#", "&"}:
            out.append(f"\\{lexeme}")
        elif scripted and lexeme[0].isdigit() and len(lexeme) > 1:
            out.append(f"{{{lexeme}}}")
        elif scripted and lexeme in {"+", "-"}:
            digits = it.at(index + 1) if it.at(index + 1)[:1].isdigit() else ""
            index += bool(digits)
            out.append(f"{{{lexeme}{digits}}}")
        else:
            out.append(lexeme)
        index += 1
    return _tidy("".join(out))


def is_number_set(it: Lexemes, index: int) -> bool:
    """Tell whether a capital stands for a set of numbers: ``in R``, ``R^{m x n}``, ``R^d``."""
    before = index - 2 if it.at(index - 1) == " " else index - 1
    if it.at(before) in {"subset", "subseteq", "rightarrow"}:
        return True
    if it.at(before) == "in":
        element = it.at(before - 2) if it.at(before - 1) == " " else it.at(before - 1)
        if len(element) == 1 or element in SYMBOL_WORDS:
            return True
    if it.at(index + 1) != "^":
        return False
    script = it.at(index + 2)
    if script == "{":
        return bool({"times", "d", "n", "m"} & set(it.items[index + 3 : it.closing(index + 2)]))
    return it.items[index] == "R" and script in {"d", "n", "m", "D", "N"}


def _tidy(tex: str) -> str:
    """Take out doubled digits after a sign in a script and spaces before scripts."""
    return re.sub(r"\s+", " ", re.sub(r" (?=[\^_}])", "", tex)).strip()
