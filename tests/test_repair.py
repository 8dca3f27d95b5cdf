"""What each rule of repair mends, and what it leaves alone."""

from __future__ import annotations

import unicodedata

import pytest

from sitegen.records import Abstract, Author, Link, Metadata, Place, Prose
from sitegen.repair import RULES, repair, repair_steps, repair_title, restore

MENDED = {
    "mojibake": [
        ("the CafÃ© corpus", "the Café corpus"),
        ("the modelâ€™s size â€“ small", "the model’s size – small"),
        ("at 20Â°C", "at 20°C"),
    ],
    "controls": [
        ("heat\x0cflux", "heat flux"),
        ("two\nlines\r\nhere", "two lines here"),
        ("a\x10b \ud800c", "ab c"),
    ],
    "entities": [
        ("R&amp;D and p &lt; q", "R&D and p < q"),
        ("twice &amp;lt;b&amp;gt;", "twice <b>"),
        ("H&#246;lder &#x2013; and", "Hölder – and"),
    ],
    "invisible": [("soft\u00adhyphen and zero\u200bwidth", "softhyphen and zerowidth")],
    "ligatures": [("ﬁne ﬂow eﬃcient", "fine flow efficient")],
    "spaces": [("10\u00a0km\u2009h", "10 km h")],
    "composition": [("Cafe\u0301", "Café")],
    "lost-codes": [
        ("made of lakesx2013varying in depth", "made of lakes–varying in depth"),
        ("at 7.1x0025 of", "at 7.1% of"),
    ],
    "tex-links": [
        (r"see \url{https://a.org/x\_y}.", "see https://a.org/x_y."),
        (r"at \href{https://a.org}{our page}", "at our page"),
    ],
    "comments": [
        ("It works. %Code will be made public. See below.", "It works. See below."),
        ("It works. % We measure mud. See below.", "It works. We measure mud. See below."),
    ],
    "accents": [
        (r"Sabi\'a, R\'enyi, T\"urkiye, Bokm{\aa}l", "Sabiá, Rényi, Türkiye, Bokmål"),
        (r"Kova\v{c}--N\o{}rby, \c{C}a, Ho{\^\i}", "Kovač–Nørby, Ça, Hoî"),
    ],
    "formulas": [
        (r"in $O(n^3)$ time", "in O(n³) time"),
        (r"their \( O(n^2) \) cost", "their O(n²) cost"),
        (r"the \( L_{1,2}-norm \) of", "the L₁,₂-norm of"),
        (r"S\(^2\)-Attn", "S²-Attn"),
        (r"$\sim$3 hours and $2.5\times$", "∼3 hours and 2.5×"),
    ],
    "abbreviations": [(r"text (\ie, words, \eg tags)", "text (i.e., words, e.g. tags)")],
    "escapes": [(r"22.0\% of R\&D, the \#1", "22.0% of R&D, the #1")],
    "commands": [
        (r"{\it lake.depth} and \textbf{mud} or {\bf 8.2\%}", "lake.depth and mud or 8.2%"),
        (r"as shown \citep{ito31,mud32}.", "as shown."),
        (r"\textcolor{red}{mud} {\color{blue}here}", "mud here"),
        (r"mud\footnote{wet} here", "mud (wet) here"),
    ],
    "symbols": [
        (r"3\times faster at 20{\deg}", "3× faster at 20°"),
        (r"our \method wins", "our method wins"),
    ],
    "lost-commands": [
        ("is black{generally} wet", "is generally wet"),
        ("on $textbf{wet mud of lakes} and", "on wet mud of lakes and"),
        ("see https://a.org/mud{URL}.", "see URL."),
        ("a depthunicode{x2013}width", "a depth–width"),
    ],
    "stray-dollars": [("denoted as MudShare$. Then", "denoted as MudShare. Then")],
    "citation-keys": [
        ("issue ito2031mud rests on ito2031mud,lee2032fjord here", "issue rests on here"),
    ],
    "code": [("call `mud.sum` now", "call mud.sum now")],
    "markdown": [("**OtterNet** moves *any* mud", "OtterNet moves any mud")],
    "name-scripts": [
        ("the D^2O and H_2O models", "the D²O and H₂O models"),
        ("called E 2 -LLM or E 2 - LLM", "called E²-LLM or E²-LLM"),
        ("40 km^2 at 5 mum", "40 km² at 5 μm"),
        ("5.9%rightarrow10.9%, 0.8pm0.1", "5.9%→10.9%, 0.8±0.1"),
        ("turn by 360^circ", "turn by 360°"),
    ],
    "lost-formulas": [
        ("up to 1.85times/15.3% faster", "up to 1.85×/15.3% faster"),
        ("an ell_2 norm, ell_q-based", "an ℓ₂ norm, ℓ_q-based"),
        ("the pair (eta^{ast}, B^{ast}) of (eta, B)", "the pair (η*, B*) of (η, B)"),
        ("functions f^{*}=hcirc g of few", "functions f* = h ∘ g of few"),
        ("the space R^{mtimes n} of", "the space ℝ^(m×n) of"),
        ("weights W^star, and alpha B A / r.", "weights W⋆, and αBA / r."),
        ("the left[1,1,...,1right] vector", "the [1,1,…,1] vector"),
        ("points x_1,dots,x_n and varphi(x_i)", "points x₁,…,xₙ and φ(xᵢ)"),
        ("n = O(mlog(m)) samples in L^infty", "n = O(m log(m)) samples in L^∞"),
        ("f = g circ h, and 0 leq q < 1 (so)", "f = g ∘ h, and 0 ≤ q < 1 (so)"),
        ("ell_p (p>2,p in N) norms", "ℓₚ (p > 2,p ∈ ℕ) norms"),
        ("H^s norms where sin R, to", "Hˢ norms where s ∈ ℝ, to"),
        ("a lambda-ShiftMud unit", "a λ-ShiftMud unit"),
        ("we propose gamma-PO here", "we propose γ-PO here"),
        ("about sim3 hours (ge10), at most approx 0.5", "about ∼3 hours (≥10), at most ≈0.5"),
        ("0.92 pm 0.03 on 256 times 256 tiles", "0.92 ± 0.03 on 256 × 256 tiles"),
        ("Mud |epsilon|, a set", "Mud |ε|, a set"),
        ("the L_2^2-loss, -p^{10}, 10^264", "the L₂²-loss, -p¹⁰, 10²⁶⁴"),
        ("where epsilon = 0.2 and d ll n hold", "where ε = 0.2 and d ≪ n hold"),
    ],
    "quotes": [
        ("``tempered mud'' and ''wet'' `lakes'", "“tempered mud” and “wet” ‘lakes’"),
        ("``hard`` and ``easy`` ones", "“hard” and “easy” ones"),
    ],
    "tildes": [("inference~(MudNLI) and Fig.~3", "inference (MudNLI) and Fig. 3")],
    "dashes": [
        ("two scores -- this -- and", "two scores – this – and"),
        ("the network--both sides--to", "the network—both sides—to"),
        ("Kullback--Leibler, 2B--27B", "Kullback–Leibler, 2B–27B"),
        ("one value - a thing", "one value – a thing"),
    ],
    "glued-sentences": [("of wet data.Through long walks", "of wet data. Through long walks")],
    "glued-short-forms": [("Large Lake Models(LLMs) are", "Large Lake Models (LLMs) are")],
}
"""For each rule, damaged texts and what becomes of them."""

KEPT = {
    "mojibake": ["SÃO PAULO and «CÂ»", "CAFÉ™ here", "â and Ã alone"],
    "controls": ["plain words"],
    "entities": ["AT&T & R&D; &foo; x&y"],
    "invisible": ["می‌خواهم", "पक्‍ष"],
    "ligatures": ["fish flow"],
    "spaces": ["a b"],
    "composition": ["Café"],
    "lost-codes": ["index2013 and vertex2014solver", "0x2013 is code", "exceed 5"],
    "tex-links": ["a url in words"],
    "comments": ["by 5% Then 10%", "50% Of all"],
    "accents": ["don't, L'Aquila, 5'"],
    "formulas": [
        "costs fell from $23 million to $14 million",
        "from $5 to $10, or $5-$10 and $1,000",
        "US$ 5 and 5$ each",
    ],
    "abbreviations": ["i.e. and e.g. stay"],
    "escapes": ["22.0% of R&D, the #1"],
    "commands": ["{a, b} in braces", '{"key": "value"}'],
    "symbols": ["and/or", r"C:\Users\mud"],
    "lost-commands": ["text in black and red", "a {name} slot", "set{1}"],
    "stray-dollars": ["A$ 5 and US$", "$HOME", "cost in $"],
    "citation-keys": [
        "We present taz2031full, the largest",
        "in wmt2031news there",
        "ito2031 alone",
    ],
    "code": ["it's a `lone tick"],
    "markdown": ["A* search and D* lite", "2 * 3 * 4", "5 ** 2", "*", "f(*args)", "snake__case__x"],
    "name-scripts": ["PM 2 - 3 units", "a 2 - 1 win", "mud 5 multi", "x in 3D"],
    "lost-formulas": [
        "8 to 24 times, 3 times more, five times",
        "sometimes runtimes and lifetimes",
        "left-to-right, left (and right) sides",
        "the sin of x, sin and cos",
        "<1% and <30%",
        "sim-to-real and sim2real, in sim",
        "alpha testing, Beta version, amyloid-beta",
        "tau-PET and Cohen's kappa of 0.7",
        "the Godot engine, asubset, real2sim2real, rank (rho > 0.6)",
        "GPT-4, state-of-the-art, top_k, pass@k, model_1",
        "in R and in N, in C",
        "at 5 pm 3 boats came, at 5pm more",
        "connect the dots, well and cell, ELL learners",
        "the circle, circuits and narrow arrows",
        "a_long_name, mud_depth and layer_norm_x",
        "L1 -> L2 and N:M sparsity",
        "we win R prizes",
        "error within 1-alpha-hydroxy units",
    ],
    "quotes": ["it's the lakes' \"mud\" 'here'", "5'' wide"],
    "tildes": ["about ~10 and ~ 5", "~/mud"],
    "dashes": ["re - evaluation", "state-of-the-art", "125M - 175B", "a -b", "1 - 5"],
    "glued-sentences": [
        "torch.Tensor and lake.Mud",
        "U.S. and e.g.The",
        "v1.The",
        "see a.org/The",
        "README.md",
    ],
    "glued-short-forms": ["word(s) and f(x)", "softmax(QK) and sin(XY)", "DeepMud-R1(671B)"],
}
"""For each rule, texts that only look damaged."""


@pytest.mark.parametrize(
    ("rule", "damaged", "right"),
    [(rule, *pair) for rule, pairs in MENDED.items() for pair in pairs],
)
def test_rule_mends(rule: str, damaged: str, right: str) -> None:
    assert repair(damaged).text == right
    assert rule in {step[0] for step in repair_steps(damaged)} or repair(damaged).spans


@pytest.mark.parametrize("text", [text for texts in KEPT.values() for text in texts])
def test_rule_leaves_alone(text: str) -> None:
    assert repair(text).text == text
    assert repair_steps(text) == ()


def test_every_rule_is_shown_both_ways() -> None:
    untold = {"addresses", "identifiers"}  # they protect, and are shown below
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    assert all(rule.reason for rule in RULES)
    assert set(names) - untold == set(MENDED) == set(KEPT)


def test_protected_parts_pass_all_rules() -> None:
    text = (
        "See https://github.com/a_b/c--d~e/x_1 and github.com/x_2/y**z, mail a_b@c.org, "
        "file a_b_c.py, torch.matmul, v1.2.3, U.S. law"
    )
    prose = repair(text)
    assert prose.text == text
    assert [span.value for span in prose.spans] == [
        "https://github.com/a_b/c--d~e/x_1",
        "https://github.com/x_2/y**z",
    ]


def spans(text: str) -> list[tuple[str, str, str]]:
    prose = repair(text)
    return [(prose.text[s.start : s.end], s.kind, s.value) for s in prose.spans]


def test_spans_say_what_stands_where() -> None:
    assert spans(r"{\it mud} **wet** `x.y` $\ell_2$ at https://a.org/b.") == [
        ("mud", "emphasis", ""),
        ("wet", "strong", ""),
        ("x.y", "code", ""),
        ("ℓ₂", "math", r"\ell_2"),
        ("https://a.org/b", "link", "https://a.org/b"),
    ]


def test_formula_within_emphasis_splits_it() -> None:
    assert spans(r"\textbf{the $x^2$ norm}") == [
        ("the ", "strong", ""),
        ("x²", "math", "x^2"),
        (" norm", "strong", ""),
    ]


def test_lost_formula_gets_its_tex_back() -> None:
    assert spans("in R^{mtimes n}, with f^{*}=hcirc g of") == [
        ("ℝ^(m×n)", "math", r"\mathbb{R}^{m\times n}"),
        ("f* = h ∘ g", "math", r"f^{*}=h\circ g"),
    ]


def test_steps_tell_rule_before_and_after() -> None:
    steps = repair_steps("``wet'' data -- 1.5times")
    assert [step[0] for step in steps] == ["lost-formulas", "quotes", "dashes"]
    assert steps[1][1:] == ("``wet'' data -- 1.5×", "“wet” data -- 1.5×")


def test_m1_tex_in_a_title_becomes_text_and_spans() -> None:
    title = repair_title(r"Bounds on $\mathcal{O}(\sqrt{n})$ for \emph{E. testis}")
    assert title.text == "Bounds on O(√n) for E. testis"
    assert [span.kind for span in title.spans] == ["math", "emphasis"]


def test_m2_case_braces_and_accents() -> None:
    assert (
        repair_title("A {CO$_2$}-aware {FPGA-}based meter").text == "A CO₂-aware FPGA-based meter"
    )
    assert repair(r"the Kova\v{c}--N\o{}rby test").text == "the Kovač–Nørby test"
    assert repair(r"Mart{\'\i}n, Ana").text == unicodedata.normalize("NFC", "Martín, Ana")


def test_m3_emphasis_does_not_run_across_formulas() -> None:
    assert spans(r"the set $A^*$ and its dual $B^*$, $x_{i}$ and $y_{j}$") == [
        ("A*", "math", "A^*"),
        ("B*", "math", "B^*"),
        ("xᵢ", "math", "x_{i}"),
        ("yⱼ", "math", "y_{j}"),
    ]
    for text in ("1986. A great year", "# 5 lakes", "- one item", "1) mud"):
        assert repair(text) == Prose(text=text)
    assert repair("    indented lines").text == "indented lines"


def test_m4_money_is_no_formula() -> None:
    for text in (
        "costs fell from $23 million to $14 million",
        "$5k to $10k a month, $1.61/hour versus 5GB and $0.16/hour",
        "between $100 and $200 (US$)",
    ):
        assert repair(text) == Prose(text=text)


def test_m6_template_code_is_text() -> None:
    assert repair("{# draft #} and {% raw %} {{ x }}").text == "{# draft #} and {% raw %} {{ x }}"
    assert repair(r"rate ${{p_i}^{n}}$ here").text == "rate pᵢⁿ here"


def test_m7_html_stays_visible_text() -> None:
    for text in (
        "When p<q and n<m",
        "safe<script>x()</script><img src=x onerror=y()>",
        "a <b>bold</b> claim",
    ):
        assert repair(text) == Prose(text=text)


def test_f3_control_characters_and_surrogates_go() -> None:
    text = repair("heat\x0cflux\x10 and \udfff\ufdd0mud").text
    assert text == "heat flux and mud"
    assert text.encode("utf-8")


@pytest.mark.parametrize(
    "text", ["", " ", "\n\t ", "\u200b", "$$", "\\", "{}", "\\(\\)", "**", "\x00"]
)
def test_empty_and_tiny_texts(text: str) -> None:
    assert len(repair(text).text) <= 2


@pytest.mark.parametrize(
    "text",
    [
        "静かな湖の採水方法を示す。泥の重さは5%。",
        "Исследование озёр — новые данные, 3 раза больше.",
        "بحيرات هادئة ٢٥٪",
        "Die Größe der Möwe – „gut“ – beträgt 5 µm.",
        "Les données (p < 0,05) : « très » bien, l'été 2031.",
        "Plain words, with (brackets), [refs] and 3 numbers; 50% of A/B tests: yes!",
        "We use x = 3, F1=0.95 and p<0.05 on 10-fold runs of GPT-3.5 & C++.",
    ],
)
def test_other_scripts_and_plain_text_come_out_as_they_are(text: str) -> None:
    assert repair(text) == Prose(text=text)


PLACE = Place(file="seeds/a.txt", position=1, line=3, edition="a")


def test_restore_mends_text_title_and_authors_and_joins_links() -> None:
    known = Link(kind="paper", url="https://arxiv.org/abs/2031.00001")
    abstract = Abstract(
        place=PLACE,
        text=r"We gain 5\%. Code is at https://github.com/a/b.",
        metadata=Metadata(
            title=r"{Mud} in $\ell_2$",
            authors=(Author(name=r"Ana Mart{\'\i}n", family=r"Mart{\'\i}n", given="Ana"),),
            links=(known, Link(kind="other", url="https://github.com/a/b")),
        ),
    )
    restored = restore(abstract)
    assert restored.prose.text == "We gain 5%. Code is at https://github.com/a/b."
    assert restored.title is not None
    assert restored.title.text == "Mud in ℓ₂"
    assert restored.abstract.text == abstract.text
    assert restored.abstract.metadata.authors[0].family == "Martín"
    assert restored.links == (Link(kind="code", url="https://github.com/a/b"), known)


def test_restore_without_metadata() -> None:
    restored = restore(Abstract(place=PLACE, text="Mud."))
    assert restored.title is None
    assert restored.links == ()
    assert restored.abstract.metadata == Metadata()
