"""TeX formulas as plain text and as MathML."""

from __future__ import annotations

import re
import time
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.formulas import ATTRIBUTES, ELEMENTS, symbol, tex_to_mathml, tex_to_text

TEXT = {
    r"\ell_2": "ℓ₂",
    r"\eta^{\ast}": "η*",
    r"W^\star": "W⋆",
    "O(n^3)": "O(n³)",
    r"\mathcal{O}(n\log n)": "O(n log n)",
    "O(n log n)": "O(n log n)",
    r"1.85\times": "1.85×",
    r"\approx 120 \times": "≈120×",
    r"224\times224": "224×224",
    r"L^\infty": "L^∞",
    r"s\in\mathbb{R}": "s ∈ ℝ",
    r"\mathbb{R}^{m\times n}": "ℝ^(m×n)",
    r"f^{*}=h\circ g": "f* = h ∘ g",
    r"0 \leq q < 1": "0 ≤ q < 1",
    "L_2^2": "L₂²",
    "L_{1,2}-norm": "L₁,₂-norm",
    "10^{-3}": "10⁻³",
    "10^264": "10²⁶⁴",
    "-p^{10}": "-p¹⁰",
    r"\left[1,1,...,1\right]": "[1,1,…,1]",
    r"x_1,\dots,x_n": "x₁,…,xₙ",
    "W_V": "W_V",
    r"x_{\text{max}}": "x_max",
    r"mIoU^{E}_{RMM}": "mIoUᴱ_RMM",
    r"\frac{a+1}{b}": "(a+1)/b",
    r"\sqrt{n}": "√n",
    r"\sqrt[3]{n+1}": "³√(n+1)",
    r"\hat{x}": "x̂",
    r"\tilde O(\sqrt{n})": "Õ(√n)",
    r"\not\in": "∉",
    r"90^\circ": "90°",
    "20^{th}": "20th",
    r"K^\top": "Kᵀ",
    "f'": "f'",
    r"4.2\%": "4.2%",
    r"\unicode{x2013}": "–",
    r"\epsilon, \varphi": "ε, φ",
    r"\text{if } x": "if x",
    r"p(x \mid y)": "p(x ∣ y)",
    r"\textbf{6\%}": "6%",
    r"{{p_i}^{n}}": "pᵢⁿ",
    r"\{a, b\}": "{a, b}",
    r"\|x\|_2": "‖x‖₂",
    r"\mathrm{softmax}(QK^\top)": "softmax(QKᵀ)",
    "F1=0.95": "F1=0.95",
}


@pytest.mark.parametrize(("tex", "right"), TEXT.items())
def test_plain_text(tex: str, right: str) -> None:
    assert tex_to_text(tex) == right


@pytest.mark.parametrize("tex", TEXT)
def test_what_text_understands_becomes_mathml(tex: str) -> None:
    mathml = tex_to_mathml(tex)
    assert mathml is not None
    assert ET.fromstring(mathml).tag == "math"


def test_mathml_is_small_and_plain() -> None:
    assert tex_to_mathml(r"\ell_2") == "<math><msub><mi>ℓ</mi><mn>2</mn></msub></math>"
    assert tex_to_mathml("x<y") == "<math><mi>x</mi><mo>&lt;</mo><mi>y</mi></math>"
    assert tex_to_mathml(r"\frac12") is None or "mfrac" in str(tex_to_mathml(r"\frac12"))
    assert tex_to_mathml(r"\frac{a}{b}") == "<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>"
    assert tex_to_mathml(r"\mathbb{R}^d") == "<math><msup><mi>ℝ</mi><mi>d</mi></msup></math>"


def test_functions_are_set_apart_from_letters() -> None:
    mathml = tex_to_mathml(r"m\log(m)")
    assert mathml is not None
    assert "<mi>m</mi><mspace" in mathml
    assert "<mi>log</mi><mo>(</mo>" in mathml


@pytest.mark.parametrize(
    "tex",
    [
        r"\foo{x}",
        r"\left( x \bar",
        "x & y",
        "a_",
        "^",
        "",
        "  ",
        "x^a^b",
        "{x",
        "x}",
        r"\frac{a}",
        r"\href{javascript:alert(1)}",
        r"\style{color:red}{x}",
        r"\htmlId{a}{b}",
        r"\def\a{\a\a}\a",
        r"\begin{matrix}a\end{matrix}",
        r"\unicode{xFFFFFF}",
    ],
)
def test_m5_what_is_not_understood_gives_no_mathml_and_readable_text(tex: str) -> None:
    assert tex_to_mathml(tex) is None
    text = tex_to_text(tex)
    assert "\\" not in text
    assert "$" not in text


def test_m5_unknown_command_keeps_its_words() -> None:
    assert tex_to_text(r"\ourmethod{}_x") == "ourmethodₓ"


def test_colour_and_links_leave_no_attribute() -> None:
    for tex in (r"\textcolor{red}{x}", r"\color{red} x", r"\href{javascript:a}{x}"):
        assert tex_to_mathml(tex) == "<math><mi>x</mi></math>"


def test_html_in_a_formula_is_escaped() -> None:
    mathml = tex_to_mathml('</math><script>x("1")</script>')
    assert mathml is not None
    assert "<script" not in mathml
    assert mathml.count("</math>") == 1
    assert "<b>" not in str(tex_to_mathml(r"\text{<b>\&</b>}"))


def test_symbol_names() -> None:
    assert symbol("times") == "×"
    assert symbol("nosuch") is None


_COMMANDS = r"""
    \frac \sqrt \hat \overline \left( \right) \left. \text{a$b$c} \mathbf{x} \mathbb \alpha \sum
    \log \not \unicode{x41} \textcolor{a}{b} \color{a} \foo \\ \{ \} \| \% & ^ _ { } [ ] ( ) | '
    a B 12 3.4 + - = < > , . ~ \; \quad \textsubscript{2} \rm \operatorname{arg}
"""
COMMANDS = st.sampled_from(_COMMANDS.split())
FORMULAS = st.one_of(st.lists(COMMANDS, max_size=15).map(" ".join), st.text(max_size=40))


@settings(max_examples=500, deadline=None)
@given(FORMULAS)
def test_any_tex_gives_sound_output(tex: str) -> None:
    text = tex_to_text(tex)
    assert not re.search(r"\\[A-Za-z]", text)
    assert text == " ".join(text.split())
    mathml = tex_to_mathml(tex)
    if mathml is not None and not re.search("[\x00-\x1f\ufffe\uffff\ud800-\udfff]", mathml):
        for element in ET.fromstring(mathml).iter():
            assert element.tag in ELEMENTS
            assert set(element.attrib) <= ATTRIBUTES
            size = {"msub": 2, "msup": 2, "mfrac": 2, "mroot": 2, "mover": 2, "msubsup": 3}
            assert len(element) == size.get(element.tag, len(element))


@pytest.mark.parametrize(
    "tex",
    [
        *("{" * 50_000, "x_" * 50_000, "\\frac" * 20_000, "\\left(" * 20_000, "a" * 100_000),
        *("{" * 900 + "}" * 900, "\\sqrt" * 400, "x^{" * 600, "\\text{$" * 250, "\\hat" * 500),
        *("x_{" * 600, "\\frac{" * 300, "\\sqrt[" * 300, "{" * 20 + "x^x_" * 400),
    ],
)
def test_hostile_formula_takes_bounded_time(tex: str) -> None:
    start = time.process_time()
    tex_to_text(tex)
    tex_to_mathml(tex)
    assert time.process_time() - start < 1
