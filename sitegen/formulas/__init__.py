"""TeX formulas to plain Unicode text and to MathML: pure, bounded in time, never an error."""

from __future__ import annotations

from sitegen.formulas.mathml import ATTRIBUTES, ELEMENTS, tex_to_mathml
from sitegen.formulas.symbols import symbol
from sitegen.formulas.text import tex_to_text

__all__ = ["ATTRIBUTES", "ELEMENTS", "symbol", "tex_to_mathml", "tex_to_text"]
