"""Formulas that lost backslashes and dollars: ``ell_2``, ``f^{*}=hcirc g``, ``R^{mtimes n}``.

The text is cut into lexemes. Some are certain signs of a formula (a script, a command's name that
is no word of any language); from each, the formula grows over what can only belong to it: operands
and operators, never a word. What it covers becomes TeX again.
"""

from __future__ import annotations

import re
from typing import Final

from sitegen.repair.commands import (
    CERTAIN,
    FUNCTION_WORDS,
    GREEK,
    GREEK_ALWAYS,
    OPERAND_WORDS,
    OPERATOR_NAMES,
    PREFIXES,
    SYMBOL_WORDS,
    WRAPPERS,
)
from sitegen.repair.draft import HELD, HELD_MARK, Draft
from sitegen.repair.latex import formula

MAX_LEXEMES: Final = 80
"""Lexemes a formula may have: bounds the time on hostile input."""
MAX_LEFT: Final = 14
"""Lexemes to the left of a sign that are tried as the formula's beginning."""

MAX_FAILURES: Final = 200
"""Signs without a formula around them after which a text counts as no mathematics."""

_LEXEME: Final = re.compile(
    rf"{HELD_MARK}|[A-Za-z]+|\d+(?:,\d{{3}}(?!\d))*(?:\.\d+)?|\s+|\.\.\.|.", re.DOTALL
)
_SIGN: Final = re.compile(
    r"[\w)\]}|][\^]|\b[A-Za-z\u0370-\u03ff]_[{A-Za-z0-9*]|[\w)\]]_\{|ell"
    rf"|(?:{'|'.join(sorted(CERTAIN, key=len, reverse=True))})(?![a-z])"
    r"|\d(?:times|pm|circ|approx|sim)(?![a-z])|\b(?:sim|ge|le|approx|pm|leq|geq|gg|ll|ne) ?\d"
    rf"|(?<![A-Za-z])[A-Za-z]times(?![a-z])|\|(?:{'|'.join(sorted(GREEK))})\||\b(?:left|right)[(\[|{{\])]"
    r"|\b(?:with|where|for|for (?:all|any|every|each|some)) [a-z]in [RNZCQ]\b"
    rf"|(?<![\w-])(?:{'|'.join(sorted(GREEK))})-[A-Z][a-z]*[A-Z]"
)
_COMPOUND: Final = re.compile(
    r"([A-Za-z]{1,2})(times|circ|cdot|cdots|leq|geq|neq|leqslant|geqslant|otimes|oplus|odot|rightarrow"
    r"|leftarrow|mapsto|subseteq|subset|notin|ldots|dots|infty|approx|equiv|propto|wedge|cup|cap)"
)
_LOG_COMPOUND: Final = re.compile(r"([A-Za-z])(log|exp|sqrt|loglog)")
_SYMBOL_OPERATORS: Final = frozenset("=<>+/*≤≥≠≈×·∈→−±∼")
_OPENERS: Final = {"(": ")", "[": "]", "{": "}"}
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_BLACKBOARD: Final = frozenset("RNZCQ")


def restore_formulas(draft: Draft) -> str:
    """Find formulas that lost their markup and hold them; without a sign nothing changes."""
    if not _SIGN.search(draft.text):
        return draft.text
    return _Finder(draft).text()


class _Finder:
    """Works over the lexemes of one text."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.lexemes = _split(draft.text)
        self.count = len(self.lexemes)

    def at(self, index: int) -> str:
        return self.lexemes[index] if 0 <= index < self.count else ""

    def text(self) -> str:
        """Return the text with every formula found replaced by its mark."""
        signs = {index for index in range(self.count) if self.is_sign(index)}
        signs |= {i for i in range(1, self.count) if self.is_member(i) and self.at(i - 1) != " "}
        if signs:
            signs |= {i for i in range(self.count) if self.is_lone_greek(i) or self.is_member(i)}
        else:
            signs = {i for i in range(self.count) if self.is_greek_prefix(i)}
        out: list[str] = []
        done = 0
        failures = 0
        for sign in sorted(signs):
            if sign < done:
                continue
            start, end = self.extent(sign, done)
            if end <= sign:
                failures += 1
                if failures > MAX_FAILURES:
                    break
                continue
            out += self.lexemes[done:start]
            out.append(formula(self.draft, self.tex(start, end)))
            done = end
        out += self.lexemes[done:]
        return "".join(out)

    # ---- signs ----------------------------------------------------------------------------------
    def is_sign(self, index: int) -> bool:  # noqa: PLR0911, PLR0912 - one return a kind of sign
        """Tell whether the lexeme cannot be anything but part of a formula."""
        lexeme = self.lexemes[index]
        if lexeme in {"^", "_"}:
            return self.is_script(index)
        if len(lexeme) < 2 or not lexeme.isalpha() or not lexeme.isascii():
            return False
        before, after = self.at(index - 1), self.at(index + 1)
        if before in {"\\", ".", "@", "/"} or (before == "-" and self.at(index - 2).isalpha()):
            return False
        if before == "_" and self.at(index - 2).isalpha() and len(self.at(index - 2)) > 1:
            return False
        if lexeme == "ell":
            return after in {"_", "^"} or after.isdigit()
        if lexeme in CERTAIN:
            return after != "-" or lexeme in GREEK_ALWAYS
        if lexeme in {"times", "pm", "circ", "approx", "sim"} and before[:1].isdigit():
            return lexeme == "times" or after.strip() == "" or after[:1].isdigit()
        if lexeme in {"times", "circ"} and len(before) == 1 and before.isalpha():
            return True
        if lexeme in {"sim", "ge", "le", "approx", "pm", "leq", "geq", "gg", "ll", "ne"}:
            if after[:1].isdigit():
                return before.strip() == "" or before in {"(", "~", HELD, ","}
            return lexeme == "approx" and after == " " and self.at(index + 2)[:1].isdigit()
        if lexeme in {"left", "right"}:
            return self.is_fence(index)
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

    def is_fence(self, index: int) -> bool:
        """``left[`` with its ``right]``."""
        if self.lexemes[index] != "left" or self.at(index + 1) not in {"(", "[", "|", "{"}:
            return False
        return "right" in self.lexemes[index + 2 : index + MAX_LEXEMES]

    def is_script(self, index: int) -> bool:  # noqa: PLR0911 - one return a reason
        """Tell whether ``^`` or ``_`` stands between a base and a script."""
        base, script = self.at(index - 1), self.at(index + 1)
        if not base or not script or self.at(index - 2) in {"\\", ".", "/", "@"}:
            return False
        raised = self.lexemes[index] == "^"
        if self.at(index - 2) == "_" and not (raised and self.is_script(index - 2)):
            return False
        if base.isalpha() and len(base) > 1 and base not in SYMBOL_WORDS:
            if not (script == "{" or (raised and script.isdigit())):
                return False
            return self.closing(index + 1) > 0 if script == "{" else True
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
            return raised and self.at(index + 2)[:1].isdigit()
        return script.isalnum() or script in {"*", "∞", "′"} or script[0].isdigit()

    def is_lone_greek(self, index: int) -> bool:
        """A Greek letter's name alone; counts only where the text has lost other formulas."""
        if self.lexemes[index] not in GREEK:
            return False
        return self.at(index - 1) not in {"-", "_", "/", "."} and self.at(index + 1) != "_"

    def is_greek_prefix(self, index: int) -> bool:
        """``lambda-ShiftGELU``: a Greek letter's name before a name in odd capitals."""
        odd = re.match(r"[A-Z][a-z]*[A-Z]", self.at(index + 2))
        return self.is_lone_greek(index) and self.at(index + 1) == "-" and odd is not None

    def is_member(self, index: int) -> bool:
        """``p in N``: one letter in a set of numbers, in a text that has lost other formulas."""
        if self.lexemes[index] != "in" or self.at(index + 1) != " ":
            return False
        letter = self.at(index - 2) if self.at(index - 1) == " " else self.at(index - 1)
        return re.fullmatch("[b-z]", letter) is not None and self.at(index + 2) in _BLACKBOARD

    # ---- extent ---------------------------------------------------------------------------------
    def extent(self, sign: int, floor: int) -> tuple[int, int]:
        """Return the formula around a sign, as far to the left as it reads as one expression."""
        best = (sign, 0)
        for start in range(sign, max(floor, sign - MAX_LEFT) - 1, -1):
            if not self.may_begin(start):
                continue
            end = self.expression(start, min(self.count, start + MAX_LEXEMES))
            if end > sign:
                best = (start, end)
        return best

    def may_begin(self, index: int) -> bool:
        lexeme, before = self.lexemes[index], self.at(index - 1)
        if before in {"\\", "_", "^", "'", "@"} or (
            before == "." and index > 1 and self.at(index - 2).isalnum()
        ):
            return False
        if lexeme == "-":
            return before.strip() == "" or before in {"(", "["}
        if lexeme[0].isdigit() and before:
            compound = before == "-" and self.at(index - 2).isalpha()
            if before.isalnum() or compound or before == "$":
                return False
        if before and before[0].isalnum() and lexeme[0].isalnum():
            return False
        return lexeme in {"(", "[", "|"} or lexeme[0].isalnum() or lexeme[0] == HELD

    def expression(self, index: int, limit: int) -> int:
        """Return where the expression that begins here ends; 0 where none begins here."""
        prefixed = self.at(index) in PREFIXES
        end = self.operand(self.after_space(index + 1) if prefixed else index, limit)
        return self.extended(end, limit) if end else index + 1 if prefixed else 0

    def extended(self, end: int, limit: int) -> int:
        """Extend an expression over operators and their operands."""
        while end < limit:
            operator = self.after_space(end)
            name = self.at(operator)
            attached = operator == end
            if name == "," and attached:
                following = self.operand(end + 1, limit)
                if not following and self.at(end + 1) == " " and self.at(end + 2) in _DOTS:
                    following = end + 3
                if not following or (self.at(end + 1).isspace() and self.at(end + 2) not in _DOTS):
                    return end
                end = following
                continue
            if name in _DOTS and attached:
                end = operator + 1
                continue
            if (
                name in OPERATOR_NAMES
                or name in _SYMBOL_OPERATORS
                or (name == "-" and self.is_minus(operator))
            ):
                following = self.operand(self.after_space(operator + 1), limit)
                if following:
                    end = following
                    continue
                return operator + 1 if attached and name in {"times", "circ", "%"} else end
            if name == "%" and attached:
                end = operator + 1
                continue
            product = self.product(end)
            if not product:
                return end
            end = product
        return end

    def is_minus(self, index: int) -> bool:
        """Tell whether a hyphen is a minus: operand on its right, no word."""
        right = self.at(self.after_space(index + 1))
        if self.at(index - 1)[-1:].isdigit() and self.at(index + 1)[:1].isdigit():
            return False
        spaced = self.at(index - 1).isspace() == self.at(index + 1).isspace()
        single = len(right) == 1 or right[:1].isdigit() or right in SYMBOL_WORDS
        return spaced and single and bool(right.strip())

    def product(self, end: int) -> int:
        """``alpha B A / r``: letters after a command that lead to an operator belong to it."""
        at = end
        letters = 0
        while self.at(at) == " " and re.fullmatch(r"[A-Zb-z]", self.at(at + 1)):
            at += 2
            letters += 1
        operator = self.at(self.after_space(at))
        leads_on = operator in {"/", "=", "^", "<", ">"} and self.at(end - 1) in GREEK
        return at if letters and leads_on else 0

    def operand(self, index: int, limit: int) -> int:  # noqa: PLR0911, PLR0912 - a plain table of cases
        """Return where the operand that begins here ends; 0 where none does."""
        lexeme = self.at(index)
        if not lexeme or index >= limit:
            return 0
        if lexeme in {"-", "+", "−"}:
            inner = self.at(index + 1)
            return (
                self.operand(index + 1, limit)
                if inner and not inner.isspace() and inner != lexeme
                else 0
            )
        if lexeme in WRAPPERS and self.at(index + 1) == "{":
            end = self.closing(index + 1)
            if end and lexeme == "frac" and self.at(end) == "{":
                end = self.closing(end)
            return self.scripts(end, limit) if end else 0
        if lexeme == "left" and self.is_fence(index):
            for at in range(index + 2, min(self.count, index + MAX_LEXEMES)):
                if self.lexemes[at] == "right":
                    return self.scripts(at + 2, limit)
            return 0
        if lexeme in FUNCTION_WORDS:
            end = self.scripts(index + 1, limit)
            following = self.operand(self.after_space(end), limit)
            return following or end
        if lexeme in OPERAND_WORDS:
            return self.called(self.scripts(index + 1, limit), limit)
        if lexeme in {"(", "["}:
            end = self.group(index)
            return self.scripts(end, limit) if end else 0
        if lexeme == "|":
            inside = self.expression(index + 1, limit) if self.at(index + 1) != "|" else 0
            return self.scripts(inside + 1, limit) if self.at(inside) == "|" and inside else 0
        if lexeme[0].isdigit():
            end = self.scripts(index + 1, limit)
            beside = self.at(end)
            if beside in OPERAND_WORDS or (len(beside) == 1 and beside.isalpha()):
                return self.operand(end, limit) or end
            return end
        if lexeme[0] == HELD:
            end = self.scripts(index + 1, limit)
            return end if end > index + 1 else 0
        if len(lexeme) == 1 and lexeme.isalpha():
            return self.called(self.scripts(index + 1, limit), limit)
        if lexeme.isalpha() and self.at(index + 1) in {"^", "_"} and self.is_script(index + 1):
            return self.scripts(index + 1, limit)
        return 0

    def called(self, end: int, limit: int) -> int:
        """Include the argument of a function, ``O(n^2)``, and a symbol beside it."""
        if self.at(end) in {"(", "["}:
            group = self.group(end)
            return self.scripts(group, limit) if group else end
        beside = self.at(end)
        if beside in OPERAND_WORDS and self.at(end - 1) not in SYMBOL_WORDS:
            return self.operand(end, limit) or end
        return end

    def scripts(self, end: int, limit: int) -> int:
        """Include scripts and primes that follow."""
        while end < limit:
            lexeme = self.lexemes[end]
            if (
                lexeme == "'"
                and self.at(end + 1)[:1] not in {"s", "'"}
                and not self.at(end + 1).isalpha()
            ):
                end += 1
                continue
            if lexeme not in {"^", "_"} or not self.is_script(end):
                return end
            script = self.at(end + 1)
            if script == "{":
                end = self.closing(end + 1)
            elif script[0] in "+-":
                end += 3
            else:
                end += 2
        return end

    def closing(self, index: int) -> int:
        """Return the place after the bracket closing the one at ``index``; 0 where none does."""
        opener = self.lexemes[index]
        closer = _OPENERS[opener]
        level = 0
        for at in range(index, min(self.count, index + MAX_LEXEMES)):
            level += (self.lexemes[at] == opener) - (self.lexemes[at] == closer)
            if not level:
                return at + 1
        return 0

    def group(self, index: int) -> int:
        """Return the place after a bracketed group that holds nothing but mathematics, else 0."""
        end = self.closing(index)
        if not end:
            return 0
        for lexeme in self.lexemes[index + 1 : end - 1]:
            if (
                _WORD.fullmatch(lexeme)
                and lexeme not in SYMBOL_WORDS
                and lexeme not in FUNCTION_WORDS
            ):
                return 0
            if lexeme in {"?", "!", '"', ";"} or lexeme[0] == HELD:
                return 0
        return end if end > index + 2 else 0

    def after_space(self, index: int) -> int:
        return index + 1 if self.at(index) == " " else index

    # ---- TeX ------------------------------------------------------------------------------------
    def tex(self, start: int, end: int) -> str:
        """Return the TeX source of these lexemes, with what was lost put back."""
        out: list[str] = []
        index = start
        while index < end:
            lexeme = self.lexemes[index]
            scripted = self.at(index - 1) in {"^", "_"}
            if lexeme == "...":
                out.append("\\dots ")
            elif lexeme in WRAPPERS and self.at(index + 1) == "{":
                out.append(f"\\{lexeme}")
            elif len(lexeme) > 1 and lexeme.isalpha() and lexeme.isascii():
                known = lexeme in SYMBOL_WORDS or lexeme in FUNCTION_WORDS
                fence = lexeme in {"left", "right"}
                out.append(f"\\{lexeme} " if known or fence else f"\\text{{{lexeme}}}")
            elif lexeme in _BLACKBOARD and self.is_number_set(index):
                out.append(f"\\mathbb{{{lexeme}}}")
            elif lexeme in {"%", "#", "&"}:
                out.append(f"\\{lexeme}")
            elif scripted and lexeme[0].isdigit() and len(lexeme) > 1:
                out.append(f"{{{lexeme}}}")
            elif scripted and lexeme in {"+", "-"}:
                index += 1
                out.append(f"{{{lexeme}{self.at(index)}}}")
            else:
                out.append(lexeme)
            index += 1
        return _tidy("".join(out))

    def is_number_set(self, index: int) -> bool:
        """Tell whether a capital stands for a set of numbers: ``in R``, ``R^{m x n}``, ``R^d``."""
        if self.at(index - 1) in {"in", "to"} or (
            self.at(index - 1) == " "
            and self.at(index - 2) in {"in", "subset", "subseteq", "to", "rightarrow"}
        ):
            return True
        if self.at(index + 1) != "^":
            return False
        script = self.at(index + 2)
        if script == "{":
            return bool(
                {"times", "d", "n", "m"} & set(self.lexemes[index + 3 : self.closing(index + 2)])
            )
        return self.lexemes[index] == "R" and script in {"d", "n", "m", "D", "N"}


_DOTS: Final = frozenset({"dots", "ldots", "cdots", "..."})


def _tidy(tex: str) -> str:
    """Take out doubled digits after a sign in a script and spaces before scripts."""
    return re.sub(r"\s+", " ", re.sub(r" (?=[\^_}])", "", tex)).strip()


def _split(text: str) -> list[str]:
    """Cut a text into lexemes; a letter stuck to a command's name (``mtimes``) is cut off."""
    out: list[str] = []
    in_order = False
    for lexeme in _LEXEME.findall(text):
        if len(lexeme) > 2 and lexeme.isascii() and lexeme.isalpha():
            found = _COMPOUND.fullmatch(lexeme)
            if found is None and out and out[-1] in {"(", " ", ","} and in_order:
                found = _LOG_COMPOUND.fullmatch(lexeme)
            if found and lexeme not in SYMBOL_WORDS and lexeme not in _WORDS_LIKE_COMPOUNDS:
                out += [found[1], found[2]]
                continue
            member = _member_compound(out, lexeme)
            if member:
                out += member
                continue
        if lexeme == "(":
            in_order = in_order or (bool(out) and out[-1] in {"O", "Theta", "Omega", "o", "}"})
        elif lexeme in {".", ";"}:
            in_order = False
        out.append(lexeme)
    return out


_WORDS_LIKE_COMPOUNDS: Final = frozenset({"recap", "hiccup", "kneecap", "uncap", "incup"})


def _member_compound(before: list[str], lexeme: str) -> list[str]:
    """``with sin R`` and ``where xin R``: cut ``xin`` where a sentence introduces a variable."""
    introduced = before[-2:-1] and before[-2] in _INTRODUCING and before[-1] == " "
    return [lexeme[0], "in"] if introduced and re.fullmatch("[b-z]in", lexeme) else []


_INTRODUCING: Final = frozenset({"with", "where", "for", "all", "any", "every", "each"})
