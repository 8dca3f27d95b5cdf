"""Names of TeX commands that are found without their backslash, sorted by how sure they are."""

from __future__ import annotations

from typing import Final

from sitegen.formulas.symbols import ACCENTS, ALPHABETS, FUNCTIONS, SYMBOLS, TEXTS


def _words(table: str) -> frozenset[str]:
    """Read a table of words."""
    return frozenset(table.split())


GREEK: Final = _words(
    """
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau
    upsilon phi chi psi omega varepsilon vartheta varphi varrho varsigma varpi
    """
)
"""Small Greek letters: words of English too, so most count only beside other signs."""

CAPITAL_GREEK: Final = _words("Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega")
"""Capital Greek letters: names in English, so they count only inside of a formula."""

GREEK_ALWAYS: Final = _words("varepsilon vartheta varphi varrho varsigma varpi")
"""Greek letters whose names are no words."""

CERTAIN: Final = GREEK_ALWAYS | _words(
    """
    leq geq neq leqslant geqslant infty rightarrow leftarrow leftrightarrow longrightarrow
    Rightarrow Leftarrow Leftrightarrow cdot cdots ldots vdots ddots otimes oplus odot nabla forall
    subseteq supseteq setminus emptyset varnothing notin propto simeq approxeq lesssim gtrsim preceq
    succeq sqsubseteq sqsupseteq langle rangle lfloor rfloor lceil rceil mapsto hbar triangleq
    coloneqq bigcup bigcap circ mathbb mathcal mathrm mathbf mathit mathsf mathfrak
    boldsymbol operatorname
    """
)
"""Names that are no words of a language: each is a sign of a formula wherever it stands."""

_ENGLISH: Final = _words(
    """
    to gets models mid parallel therefore because implies iff bullet star ast slash colon div perp
    prec succ ni top bot angle square natural flat sharp diamond triangle degree deg copyright
    pounds checkmark prime int sum prod partial exists dagger asymp gt lt Re Im P S Box neg land lor
    bigstar
    """
)
"""Commands that are words or abbreviations of a language: never grown over, never a sign."""

OPERATOR_NAMES: Final = (
    frozenset(
        name for name, (_, role) in SYMBOLS.items() if role in {"relation", "binary", "tight"}
    )
    - {"|", "lvert", "rvert", "vert", "Vert", "lVert", "rVert"}
    - _ENGLISH
)
"""Commands between two operands."""

PREFIXES: Final = _words(
    "sim approx ge le geq leq gg ll pm simeq propto lesssim gtrsim rightarrow nabla neq ne"
)
"""Operators that may begin a formula (``sim3 hours``)."""

FUNCTION_WORDS: Final = FUNCTIONS | {"polylog", "softmax", "argmax", "argmin"}
"""Functions set upright."""

SYMBOL_WORDS: Final = frozenset(name for name in SYMBOLS if name.isalpha() and len(name) > 1)
"""Every symbol command."""

WRAPPERS: Final = (
    frozenset(ACCENTS) | frozenset(ALPHABETS) | TEXTS | {"sqrt", "frac", "dfrac", "tfrac"}
)
"""Commands that take their argument in braces."""

OPERAND_WORDS: Final = SYMBOL_WORDS - OPERATOR_NAMES - _ENGLISH
"""Symbol commands that can be an operand."""

BOLD: Final = frozenset({"textbf", "bf", "bfseries", "mathbf", "strong"})
ITALIC: Final = frozenset({"textit", "emph", "em", "it", "itshape", "textsl", "sl", "mathit"})
CODE: Final = frozenset({"texttt", "tt", "ttfamily", "verb", "lstinline", "mathtt", "code"})
"""Text commands and switches that set text bold, in italics, as code."""
