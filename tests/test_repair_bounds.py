"""Repair on any text: sound spans, idempotent, linear in time."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.repair import repair

_WORDS = r"""
    \ $ $$ { } ^ _ `` '' ` ' * ** -- --- ~ % & # \( \) \textbf{ \emph{ \cite{ \frac{ \sqrt \alpha
    \left( \right) ell ell_2 times 1.85times eta alpha in a B x R N 2 10 . , ( ) [ ] | left right
    = < > &amp; &lt; x2013 https://a.b/c_d github.com/x/y data.Through word The Models(LLMs) \%
    mathbb{R} textbf{ mu sim3 f O( log - + / " “ ” é λ ² Ã© ﬁ \' {\it ^{*} _{1} ^circ
"""
FRAGMENTS = st.sampled_from(
    [
        *_WORDS.split(),
        *(" ", "  ", " - ", "\x00", "\n", "\u202e", "\u200b", "\ud800", "\ufdd0", "e\u0301"),
        *("\ufdd0\ufde0\ufdd1", "\ufdd4"),
    ]
)
TEXTS = st.one_of(
    st.lists(FRAGMENTS, max_size=14).map("".join),
    st.lists(FRAGMENTS, max_size=12).map(" ".join),
    st.text(max_size=80),
)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_any_text_comes_out_sound(text: str) -> None:
    prose = repair(text)
    assert prose.text == " ".join(prose.text.split(" ")).strip(" ")
    assert unicodedata.is_normalized("NFC", prose.text)
    assert prose.text.isprintable() or not prose.text.isascii()
    prose.text.encode("utf-8")
    end = 0
    for span in prose.spans:
        assert end <= span.start < span.end <= len(prose.text)
        assert bool(span.value) == (span.kind in {"math", "link"})
        end = span.end


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_repair_is_idempotent_on_its_own_text(text: str) -> None:
    once = repair(text).text
    assert repair(once).text == once


HOSTILE = {
    "one word": "a" * 10_000_000,
    "brackets": "(" * 100_000,
    "square brackets": "[" * 100_000 + "]" * 100_000,
    "braces": "{" * 100_000 + "}" * 100_000,
    "dollars": "$" * 100_000,
    "dollars apart": "$ a" * 33_000,
    "backslashes": "\\" * 100_000,
    "commands": "\\textbf{" * 20_000,
    "switches": "{\\it " * 20_000,
    "carets": "x^" * 50_000,
    "scripts": "x_1 " * 25_000,
    "open scripts": "x_{" * 33_000,
    "bars": "|x^2" * 25_000,
    "fences": "left[ x^2 " * 10_000,
    "formulas": "\\( " * 33_000,
    "backticks": "`" * 100_000,
    "quotes": "``a " * 25_000,
    "apostrophes": "''a " * 25_000,
    "stars": "*a " * 33_000,
    "hyphens": "a-" * 50_000,
    "dashes": "-" * 100_000,
    "spaced hyphens": "ab - " * 20_000,
    "ats": "a@" * 50_000,
    "dots": "a." * 50_000,
    "slashes": "a/" * 50_000,
    "addresses": "https://a.b/" * 8_000,
    "closing brackets": "https://a.b/" + ")" * 100_000,
    "ampersands": "&amp;" * 20_000,
    "entities": "&" + "amp;" * 25_000,
    "spaces": " " * 100_000 + "x",
    "percent": ". % Abc " * 12_000,
    "years": " ab2031abc,cd2031abc" * 5_000,
    "accents": "a" + "\u0301" * 100_000,
    "mojibake": "Ã" * 100_000,
    "greek": "alpha " * 16_000 + "ell_2",
    "minus": "-+" * 50_000 + "x^2",
    "functions": "log " * 25_000 + "x^2",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_linear_time(name: str) -> None:
    start = time.process_time()
    repair(HOSTILE[name])
    assert time.process_time() - start < 6
