"""Formulas that lost backslashes and dollars: ``ell_2``, ``f^{*}=hcirc g``, ``R^{mtimes n}``.

The text is cut into lexemes. Some are certain signs of a formula (a script, a command's name that
is no word of any language); from each, the formula grows over what can only belong to it: operands
and operators, never a word. What it covers becomes TeX again.
"""

from __future__ import annotations

import re
from typing import Final

from sitegen.formulas import symbol
from sitegen.repair.commands import (
    CAPITAL_GREEK,
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
    r"[A-Za-z]{1,4}(?=(?:left|right)[()\[\]|])|(?:left|right)(?=[()\[\]|])|"
    rf"{HELD_MARK}|[A-Za-z]+|\d+(?:,\d{{3}}(?!\d))*(?:\.\d+)?|\s+|\.\.\.|.",
    re.DOTALL,
)
_GREEK: Final = "|".join(sorted(GREEK))
_SIGN: Final = re.compile(
    r"\^|_\{|\b[A-Za-z\u0370-\u03ff]_[A-Za-z0-9*]|[A-Z][a-z]{0,2}_\d"
    rf"|(?:{'|'.join(sorted(CERTAIN, key=len, reverse=True))}|ell)(?![a-z])"
    r"|\d(?:times|pm|circ|approx|sim)(?![a-z])|\b(?:sim|ge|le|approx|pm|leq|geq|gg|ll|ne|times) ?\d"
    r"|\b[A-Za-z]times(?![a-z])|(?:left|right)[(\[|{\])]|tilde O\("
    r"|\b[A-Za-z0-9] (?:ll|gg|ne) |[a-z]in (?:[RNZCQ]\b|[(\[]\d)"
    rf"|(?<![\w-])(?:{_GREEK})(?:-| ?[=<>] ?\d|\|)|\b1 ?- ?(?:{_GREEK})\b"
)
"""A text without any of these has lost no formula; a quick test, not yet the judgement."""
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
                alone = self.lexemes[sign] in CERTAIN or self.lexemes[sign] == "times"
                char = symbol(self.lexemes[sign]) if alone else None
                if not char:
                    continue
                start, end = sign, sign + 1
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
        if lexeme in _LOOSE:
            return self.is_loose_operator(index)
        if lexeme in GREEK and self.is_defined(index):
            return True
        if lexeme == "tilde":
            return self.lexemes[index : index + 4] == ["tilde", " ", "O", "("]
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

    def is_loose_operator(self, index: int) -> bool:
        """``sim3``, ``sim 3``, ``0.92 pm 0.03``, ``256 times 256``, ``d ll n``: between numbers."""
        lexeme, before, after = self.lexemes[index], self.at(index - 1), self.at(index + 1)
        if after[:1].isdigit():
            return before.strip() == "" or before in {"(", "~", ","} or before[:1] == HELD
        left = self.at(index - 2) if before == " " else ""
        right = self.at(index + 2) if after == " " else ""
        if lexeme in {"ll", "gg", "ne"}:
            named = lexeme == "ne" and re.fullmatch("[A-Z]{2,3}", right)
            return bool(left and right and _is_operand(left) and (named or _is_operand(right)))
        if not right[:1].isdigit() or before not in {" ", "(", "", "~"}:
            return False
        if lexeme == "pm":
            hour = left.isdigit() and int(left[:9]) <= 12
            return "." in right or not hour
        if lexeme == "times":
            return left[:1].isdigit() or left in {"%", "mm", "cm", "nm", "um", "m", "px"}
        return lexeme != "le" or "." in right or self.at(index + 3) == "%" or _is_operand(left)

    def is_defined(self, index: int) -> bool:
        """``epsilon = 0.2`` and ``(1-alpha)``."""
        sign = self.after_space(index + 1)
        value = self.at(self.after_space(sign + 1))
        if self.at(sign) in {"=", "<", ">"} and value[:1].isdigit():
            return self.at(index - 1) not in {"-", "_"}
        before = "".join(self.lexemes[max(0, index - 5) : index]).replace(" - ", "-")
        ended = re.match(r"$|[\s,.;)]", self.at(index + 1))
        return re.search(r"(?:^|[\s(])1-$", before) is not None and ended is not None

    def is_fence(self, index: int) -> bool:
        """``left[`` with its ``right]``."""
        if self.lexemes[index] != "left" or self.at(index + 1) not in {"(", "[", "|", "{"}:
            return False
        return "right" in self.lexemes[index + 2 : index + MAX_LEXEMES]

    def is_script(self, index: int) -> bool:  # noqa: PLR0911 - one return a reason
        """Tell whether ``^`` or ``_`` stands between a base and a script."""
        base, script = self.at(index - 1), self.at(index + 1)
        if not base or not script or self.at(index - 2) in {"\\", "@"}:
            return False
        raised = self.lexemes[index] == "^"
        if not raised and self.at(index - 2) in {".", "/"}:
            return False
        if self.at(index - 2) == "_" and not (raised and self.is_script(index - 2)):
            return False
        if base.isalpha() and len(base) > 1 and base not in SYMBOL_WORDS:
            if script == "{":
                return self.closing(index + 1) > 0
            if raised:
                lower = self.at(index + 2) == "_" and len(script) == 1
                return script.isdigit() or script in _HIGH_WORDS or lower
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

    def is_lone_greek(self, index: int) -> bool:
        """A Greek letter's name alone; counts only where the text has lost other formulas."""
        if self.lexemes[index] not in GREEK:
            return False
        return self.at(index - 1) not in {"-", "_", "/", "."} and self.at(index + 1) != "_"

    def is_greek_prefix(self, index: int) -> bool:
        """``lambda-ShiftGELU``, ``propose gamma-PO``: a Greek letter's name opens a new name."""
        odd = re.match(r"[A-Z]\w*[a-z][A-Z]", self.at(index + 2))
        new = self.at(index - 1) == " " and self.at(index - 2) in _NAMING
        new &= self.at(index + 2).isalpha() and self.at(index + 2) not in GREEK
        return self.is_lone_greek(index) and self.at(index + 1) == "-" and (odd is not None or new)

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
            scripted = self.at(index + 1) in {"^", "_"}
            compound = before == "-" and self.at(index - 2).isalpha() and not scripted
            if before.isalnum() or compound or before == "$":
                return False
        if before and before[0].isalnum() and lexeme[0].isalnum():
            return False
        return lexeme in {"(", "[", "|"} or lexeme[0].isalnum() or lexeme[0] == HELD

    def expression(self, index: int, limit: int) -> int:
        """Return where the expression that begins here ends; 0 where none begins here."""
        times = self.at(index) == "times" and self.at(index + 1)[:1].isdigit()
        prefixed = times or self.at(index) in PREFIXES
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
            if name == "in" and not self.is_membership(operator):
                return end
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
            if name == "/" and not attached:
                return end
            product = self.product(end)
            if not product:
                return end
            end = product
        return end

    def is_membership(self, index: int) -> bool:
        """Tell whether ``in`` stands between a variable and a set."""
        left = self.at(index - 2) if self.at(index - 1) == " " else self.at(index - 1)
        right = self.at(self.after_space(index + 1))
        is_set = right in {"(", "[", "{", *WRAPPERS} or re.fullmatch("[A-Z]", right)
        return bool(is_set) and (
            left == "}" or re.fullmatch("[A-Za-z]|[a-z]{2,}", left) is not None
        )

    def is_minus(self, index: int) -> bool:
        """Tell whether a hyphen is a minus: operand on its right, no word."""
        if "-" in {self.at(index - 1), self.at(index + 1)}:
            return False
        right = self.at(self.after_space(index + 1))
        if self.at(index - 1)[-1:].isdigit() and self.at(index + 1)[:1].isdigit():
            return False
        spaced = self.at(index - 1).isspace() == self.at(index + 1).isspace()
        single = len(right) == 1 or right[:1].isdigit() or right in SYMBOL_WORDS
        return spaced and single and bool(right.strip())

    def product(self, end: int) -> int:
        """``alpha B A / r``, ``U_k U_k^T``: what belongs to a product without a sign."""
        scripted = (
            self.at(end - 2) in {"^", "_"}
            and self.at(end) == " "
            and self.at(end + 2) in {"^", "_"}
        )
        if scripted and len(self.at(end + 1)) == 1 and self.is_script(end + 2):
            return self.scripts(end + 2, min(self.count, end + MAX_LEXEMES))
        at = end
        letters = 0
        while self.at(at) == " " and re.fullmatch(r"[A-Zb-z]", self.at(at + 1)):
            at += 2
            letters += 1
        operator = self.at(self.after_space(at))
        leads_on = operator in {"/", "=", "^", "<", ">"} or operator in OPERATOR_NAMES
        leads_on &= self.at(end - 1) in GREEK or self.at(end - 1) in CAPITAL_GREEK
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
        if lexeme == "tilde" and self.at(index + 1) == " ":
            return self.operand(index + 2, limit)
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
        if self.at(end) == "left" and self.is_fence(end):
            return self.operand(end, limit)
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
                end += 3 if self.at(end + 2)[:1].isdigit() else 2
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
                len(lexeme) > 2
                and _WORD.fullmatch(lexeme)
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
            elif lexeme == "tilde":
                out.append("\\tilde ")
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
                digits = self.at(index + 1) if self.at(index + 1)[:1].isdigit() else ""
                index += bool(digits)
                out.append(f"{{{lexeme}{digits}}}")
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


_LOOSE: Final = frozenset(
    {"sim", "ge", "le", "approx", "pm", "leq", "geq", "gg", "ll", "ne", "times"}
)
"""Operators whose names are words: signs only between or before numbers or letters."""
_NAMING: Final = frozenset(
    {"propose", "proposes", "introduce", "introduces", "present", "presents", "called", "dubbed"}
)
_HIGH_WORDS: Final = frozenset(
    {"circ", "circledR", "dagger", "ddagger", "ast", "star", "prime", "top", "infty"}
)
"""Commands that stand raised after a word (``360^circ``)."""


def _is_operand(lexeme: str) -> bool:
    return (len(lexeme) == 1 and lexeme.isalpha() and lexeme not in "aI") or lexeme[:1].isdigit()


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
