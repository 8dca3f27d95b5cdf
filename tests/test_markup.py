"""Prose and Markdown as safe HTML; slugs; cut texts."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from sitegen.markup import (
    MAX_SLUG,
    Mark,
    markdown_html,
    markdown_text,
    prose_html,
    slugify,
    truncate,
)
from sitegen.records import Prose, Span
from sitegen.repair import repair

VOID = {"br", "hr", "img", "input", "mspace"}


class Reader(HTMLParser):
    """Reads HTML back: that its elements nest, and what text it shows."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_every_kind_of_span() -> None:
    prose = repair(r"{\it mud} **wet** `x<y` $\ell_2$ at https://a.org/b?c=1&d=2.")
    assert prose_html(prose) == (
        "<em>mud</em> <strong>wet</strong> <code>x&lt;y</code> "
        "<math><msub><mi>ℓ</mi><mn>2</mn></msub></math> at "
        '<a href="https://a.org/b?c=1&amp;d=2" rel="nofollow noopener">https://a.org/b?c=1&amp;d=2</a>.'
    )


def test_result_is_markup_and_escapes_once() -> None:
    html = prose_html(Prose(text="R&D <b> \"x\" 'y'"))
    assert isinstance(html, Markup)
    assert html == "R&amp;D &lt;b&gt; &#34;x&#34; &#39;y&#39;"


def test_m5_formula_that_is_not_understood_shows_its_source_escaped() -> None:
    html = prose_html(repair(r"a $\foo{x<y}$ and $\left( x \bar$ here"))
    assert '<code class="tex">\\foo{x&lt;y}</code>' in html
    assert html.count("<code") == 2


def test_m6_braces_reach_the_page_as_text() -> None:
    html = prose_html(repair("{# draft #}, {% raw %} and {{ x }}"))
    assert html == "{# draft #}, {% raw %} and {{ x }}"


def test_m7_nothing_of_the_text_becomes_an_element() -> None:
    html = prose_html(repair("safe<script>x()</script><img src=x onerror=y()> p<q"))
    assert Reader(html).seen == []
    assert "&lt;script&gt;" in html


def test_link_that_is_not_http_is_text() -> None:
    for url in ("javascript:alert(1)", "data:text/html,x", 'https://a.org/" onclick="x', ""):
        span = Span(start=0, end=1, kind="link", value=url)
        assert prose_html(Prose(text="x", spans=(span,))) == "x"


def test_math_needs_no_style_attribute() -> None:
    html = prose_html(repair(r"$\textcolor{red}{x} \overline{y} \frac{(a)}{b}$"))
    assert "style" not in html
    assert "xmlns" not in html
    assert "annotation" not in html


def test_marks_wrap_and_carry_attributes() -> None:
    html = prose_html(
        Prose(text="mud of lakes"), [Mark(start=7, end=12, id="t2", tag='a"b', css="new")]
    )
    assert html == 'mud of <mark id="t2" class="new" data-tag="a&#34;b">lakes</mark>'


def test_mark_never_splits_a_formula_link_or_code() -> None:
    prose = repair(r"the $x^2$ norm of `a b` at https://a.org/b")
    start = prose.text.index("²")
    html = prose_html(prose, [Mark(start=start, end=start + 4)])
    assert html.startswith("the <mark><math><msup><mi>x</mi><mn>2</mn></msup></math> no</mark>rm")
    assert prose_html(prose, [Mark(start=15, end=16)]).count("<code>") == 1
    assert (
        prose_html(prose, [Mark(start=len(prose.text) - 2, end=len(prose.text))]).count("<a ") == 1
    )


def test_mark_across_emphasis_nests() -> None:
    html = prose_html(repair("a **wet mud** here"), [Mark(start=6, end=14)])
    assert html == "a <strong>wet </strong><mark><strong>mud</strong> here</mark>"


def test_overlapping_and_empty_marks_are_left_out() -> None:
    marks = [
        Mark(start=0, end=5),
        Mark(start=3, end=8),
        Mark(start=9, end=9),
        Mark(start=50, end=60),
    ]
    assert prose_html(Prose(text="mud of lakes"), marks) == "<mark>mud o</mark>f lakes"


PIECES = st.sampled_from(
    [
        r"$x^2$",
        "**wet mud**",
        r"{\it a $\ell_2$ b}",
        "`c d`",
        "https://a.org/x",
        "<i>",
        "&",
        "mud",
        " ",
    ]
)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(PIECES, max_size=8),
    st.lists(st.tuples(st.integers(-2, 60), st.integers(-2, 60)), max_size=5),
)
def test_any_marks_nest_and_show_the_whole_text(
    pieces: list[str], places: list[tuple[int, int]]
) -> None:
    prose = repair(" ".join(pieces))
    html = prose_html(prose, [Mark(start=a, end=b, id=f"m{a}") for a, b in places])
    reader = Reader(html)
    plain = "".join(
        " " if any(s.kind == "math" and s.start <= at < s.end for s in prose.spans) else char
        for at, char in enumerate(prose.text)
    )
    shown = re.sub(r"<math>.*?</math>", lambda m: " ", html)
    assert Reader(shown).text.split() == plain.split()
    assert html.count("<math>") == sum(span.kind == "math" for span in prose.spans)
    assert {tag for tag, _ in reader.seen} <= {
        *("mark", "em", "strong", "code", "a", "math", "msup", "msub", "mi", "mn")
    }


# ---- Markdown -----------------------------------------------------------------------------------
def test_markdown_of_a_curator() -> None:
    html = markdown_html(
        "# Mud\n\nA *wet* [page](/about/), [site](https://a.org) and `x`.\n\n- one\n"
    )
    assert "<h1>Mud</h1>" in html
    assert '<a href="/about/">page</a>' in html
    assert '<a href="https://a.org">site</a>' in html
    assert "<li>one</li>" in html


def test_markdown_lets_no_html_or_script_through() -> None:
    html = markdown_html(
        "<script>x()</script>\n\n[a](javascript:alert(1)) [b](data:text/html,x) ![c](vbscript:x)\n"
        "<a href='javascript:x'>d</a> [e](JaVaScRiPt:x) [f](&#106;avascript:x)"
    )
    seen = Reader(html).seen
    assert {tag for tag, _ in seen} == {"p"}


def test_markdown_links_within_the_site_stay() -> None:
    for url in ("/x/", "../x/", "#top", "x.html?a=b:c", "mailto:a@b.org", "HTTPS://a.org"):
        assert "<a href=" in markdown_html(f"[a]({url})")


def test_markdown_as_text() -> None:
    text = markdown_text(
        "# Mud\n\nA *wet*\n[page](/x/) of `code`  \nhere.\n\n- one\n\n```\nx = 1\n```\n"
    )
    assert text == "Mud A wet page of code here. one x = 1"
    assert markdown_text("a <b>c</b> & d") == "a <b>c</b> & d"


# ---- slugs --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Remote sensing", "remote-sensing"),
        ("remote-sensing ", "remote-sensing"),
        ("Øydis Kvæle", "oydis-kvaele"),
        ("Größe naïve Łódź", "grosse-naive-lodz"),
        ("ß", "ss"),
        ("β-VAE", "beta-vae"),
        ("D²O in O(n³)", "d2o-in-o-n3"),
        ("K-12 & R&D", "k-12-r-d"),
        ("don't", "dont"),
    ],
)
def test_slug(text: str, right: str) -> None:
    assert slugify(text) == right


def test_u3_spellings_share_a_slug_and_languages_do_not() -> None:
    assert len({slugify(t) for t in ("Remote sensing", "remote sensing", "remote-sensing ")}) == 1
    assert [slugify(t) for t in ("C", "C++", "C#", "F#")] == [
        "c",
        "c-plus-plus",
        "c-sharp",
        "f-sharp",
    ]


def test_u4_titles_without_latin_letters() -> None:
    titles = ["静かな湖の採水方法", "湖底の泥の重さ", "—", "🎉", "!!!", "", "озеро", "البحيرة"]
    slugs = [slugify(title) for title in titles]
    assert len(set(slugs)) == len(titles)
    assert all(re.fullmatch(r"[a-z0-9-]+", slug) for slug in slugs)
    assert slugify("静かな湖の採水方法") == "x-8f565e4f"


def test_u4_mixed_scripts_keep_apart() -> None:
    assert slugify("Mud 湖") != slugify("Mud 泥")
    assert slugify("Mud 湖").startswith("mud-")


def test_u5_long_titles_are_cut_with_a_hash() -> None:
    start = "word " * 60
    slugs = [slugify(start + end) for end in ("a" * 120, "b" * 120)] + [slugify("かな" * 60)]
    assert len(set(slugs)) == 3
    assert all(len(slug.encode()) <= MAX_SLUG for slug in slugs)


def test_u8_dots_and_slashes_make_no_hidden_or_nested_folders() -> None:
    assert slugify(".NET") == "dot-net"
    assert slugify("TCP/IP") == "tcp-ip"
    assert slugify("GPT-3.5") == "gpt-3-5"
    assert slugify("conf/xyz/Ito31") == "conf-xyz-ito31"
    assert slugify("../../etc") == "etc"


@pytest.mark.parametrize("name", ["con", "NUL", "Com1", "lpt9", "aux"])
def test_reserved_names_of_windows_are_avoided(name: str) -> None:
    assert slugify(name) == f"{name.lower()}-x"


@given(st.text(max_size=200))
def test_any_slug_is_safe_and_stable(text: str) -> None:
    slug = slugify(text)
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", slug)
    assert len(slug) <= MAX_SLUG
    assert slugify(text) == slug


# ---- cut texts ----------------------------------------------------------------------------------
def test_truncate_cuts_at_a_word() -> None:
    text = "The mud of lakes, and more."
    assert truncate(text, 100) == text
    assert truncate(text, 18) == "The mud of lakes…"
    assert truncate(text, 12) == "The mud of…"
    assert truncate("abcdefghij", 5) == "abcd…"
    assert truncate(text, 0) == ""


def test_truncate_never_cuts_into_a_formula() -> None:
    prose = repair(r"We show $f = g \circ h$ holds")
    for limit in range(1, len(prose.text) + 1):
        cut = truncate(prose, limit)
        assert len(cut) <= limit
        assert "f" not in cut or "g ∘ h" in cut


@given(st.text(max_size=60), st.integers(0, 70))
def test_truncate_keeps_to_its_limit(text: str, limit: int) -> None:
    assert len(truncate(text, limit)) <= limit
