"""Pages as HTML: escaping, links, structure, assets, templates of one's own."""

from __future__ import annotations

import itertools
import json
import pickle
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from posixpath import join, normpath

import pytest

from sitegen import exports, feeds, render
from sitegen.bundle import bundle
from sitegen.diagnostics import SitegenError
from sitegen.pages import Gone, SiteInput, build_site
from tests.synthetic import BASE_URL, digest, drawn_pages, identifier, rich_digest

VOID = {"meta", "link", "br", "input", "img", "hr", "base", "source", "wbr", "col", "area"}


class Reader(HTMLParser):
    """Collects elements, checks nesting."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in {"script", "style"}:
            self.text.append(data)


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def html_of(inputs: SiteInput, *dirs: Path) -> dict[str, str]:
    site, problems = build_site(inputs)
    assert not problems
    files = {file.path: file.data.decode() for file in drawn_pages(site, dirs)}
    return {path: text for path, text in files.items() if path.endswith(".html")}


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    gone = (Gone(url="/topics/old/", target="/topics/water/"), Gone(url="/papers/zzzzzzzz/"))
    base = rich_digest()
    return html_of(SiteInput(**{f: getattr(base, f) for f in base.__slots__} | {"gone": gone}))


def paper_page(pages: dict[str, str], number: int) -> str:
    return pages[f"papers/{identifier(number)}/index.html"]


def test_every_page_is_well_nested_and_says_what_it_is(pages):
    for path, html in pages.items():
        reader = read(html)
        tags = [tag for tag, _ in reader.elements]
        assert tags.count("main") == tags.count("h1") == tags.count("head") == 1, path
        assert "title" in tags
        ids = [attrs["id"] for _, attrs in reader.elements if "id" in attrs]
        assert len(ids) == len(set(ids)), path


def test_headings_do_not_skip_a_level(pages):
    for path, html in pages.items():
        levels = [int(tag[1]) for tag, _ in read(html).elements if re.fullmatch(r"h[1-6]", tag)]
        for before, after in itertools.pairwise(levels):
            assert after <= before + 1, path


def test_u2_every_internal_link_leads_to_a_file(pages):
    site, _ = build_site(rich_digest())
    files = {f.path for f in render.asset_files()} | {f.path for f in feeds.feed_files(site)}
    files |= {f.path for f in drawn_pages(site)}
    files |= {f.path for f in exports.data_files(site)} | set(pages)
    for path, html in pages.items():
        if path == "404.html":
            continue
        for tag, attrs in read(html).elements:
            if (tag, attrs.get("rel")) == ("link", "canonical"):
                continue
            for name in ("href", "src", "action"):
                url = attrs.get(name)
                if url is None or re.match(r"https?:", url):
                    continue
                target, _, fragment = url.partition("#")
                assert not target.startswith("/"), (path, url)
                full = (
                    normpath(join(path.rpartition("/")[0], target.partition("?")[0]))
                    if target
                    else path
                )
                if not target:
                    assert f'id="{fragment}"' in html
                elif target.partition("?")[0].endswith("/"):
                    full = normpath(f"{full}/index.html")
                assert full in files, (path, url)


def test_u1_404_page_works_at_any_depth(pages):
    for _, attrs in read(pages["404.html"]).elements:
        for name in ("href", "src", "action"):
            url = attrs.get(name)
            if url and not re.match(r"https?:|#", url):
                assert url.startswith("/reading/"), url


def test_u2_same_bytes_under_another_address_but_for_absolute_links():
    here = html_of(digest())
    there = html_of(
        digest(config=digest().config.__class__(title="Mud & Otters", base_url="https://x.org/"))
    )
    for path, html in here.items():
        if path != "404.html":
            assert html.replace(BASE_URL, "https://x.org/") == there[path]


def test_m6_m7_content_is_never_markup_nor_template(pages):
    html = paper_page(pages, 1)
    assert "<script>x()" not in html
    assert "<img" not in html
    assert "{{ 7*7 }}" in html
    assert "{% raw %}" in html
    assert "When p&lt;q and n&lt;m" in html
    for page in pages.values():
        for tag, attrs in read(page).elements:
            assert not any(name.startswith("on") for name in attrs)
            assert "style" not in attrs
            assert tag not in {"style", "iframe", "object", "embed"}
            if tag == "script":
                assert attrs.get("src") or attrs.get("type") == "application/ld+json"


def test_m1_titles_are_plain_in_head_and_lists(pages):
    html = paper_page(pages, 1)
    assert "<title>When p&lt;q and n&lt;m · Mud &amp; Otters</title>" in html
    assert '<meta property="og:title" content="When p&lt;q and n&lt;m">' in html


def test_u6_stubs_lead_on_and_stay_out_of_search_engines(pages):
    stub = pages["topics/old/index.html"]
    assert '<meta http-equiv="refresh" content="0; url=../../topics/water/">' in stub
    assert f'<link rel="canonical" href="{BASE_URL}topics/water/">' in stub
    assert '<a href="../water/">Lakes &amp; rivers</a>' in stub
    for path in ("topics/old/index.html", "papers/zzzzzzzz/index.html"):
        assert '<meta name="robots" content="noindex">' in pages[path]


def test_s7_policy_allows_the_index_and_nothing_foreign(pages):
    for path, html in pages.items():
        if 'http-equiv="refresh"' in html:
            continue
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
        assert policy, path
        text = policy[1].replace("&#39;", "'")
        assert "'unsafe-inline'" not in text
        assert ("'wasm-unsafe-eval'" in text) == (path == "search/index.html")
        assert text.startswith("default-src 'self';")


def test_without_a_script_search_shows_the_way_to_the_lists(pages):
    html = pages["search/index.html"]
    assert "needs JavaScript" in html
    for target in ("../names/", "../tags/", "../editions/", "../topics/water/"):
        assert f'href="{target}"' in html


def test_derived_headlines_are_shown_as_such(pages):
    assert "Headline by sitegen" in paper_page(pages, 10)
    assert "Headline by sitegen" not in paper_page(pages, 2)
    assert "citation_title" not in paper_page(pages, 10)


def test_right_to_left_text_has_its_direction(pages):
    assert '<p class="abstract" property="abstract" dir="auto"' in paper_page(pages, 4)


def test_a_usual_paper_page_is_small(pages):
    assert len(paper_page(pages, 10).encode()) < 9_000


# ---- assets and templates -----------------------------------------------------------------------
def test_assets_are_named_by_content_and_refer_to_each_other():
    files = {file.path: file.data for file in render.asset_files()}
    css = files[bundle().paths["style.css"]].decode()
    named = re.findall(r'url\("([^"]+)"\)', css)
    assert len(named) == 3
    for url in named:
        assert f"assets/{url}" in files
    assert "assets/fonts/newsreader-OFL.txt" in files
    assert css.count("{") == css.count("}")
    assert ".h71{--h:355}" in css


def test_own_templates_come_first_and_may_extend_the_built_in_ones(tmp_path):
    (tmp_path / "404.html").write_text(
        '{% extends "sitegen/404.html" %}{% block title %}Lost{% endblock %}', encoding="utf-8"
    )
    html = html_of(digest(2), tmp_path)["404.html"]
    assert "<title>Lost</title>" in html
    assert "There is no page here" in html


@pytest.mark.parametrize(
    ("source", "code", "line"),
    [
        ("one\n{% if %}", "template-syntax", 2),
        ("one\ntwo\n{{ view.nothing }}", "template-failed", 3),
        ("{{ 1 / 0 }}", "template-failed", 1),
    ],
)
def test_b2_a_wrong_template_is_an_error_with_file_and_line(tmp_path, source, code, line):
    (tmp_path / "404.html").write_text(source, encoding="utf-8")
    with pytest.raises(SitegenError) as caught:
        html_of(digest(2), tmp_path)
    problem = caught.value.problems[0]
    assert problem.code == code
    assert problem.location.line == line
    assert problem.location.path.endswith("404.html")


def test_the_worker_changes_with_the_digest_and_only_then():
    def worker(count: int) -> bytes:
        site, _ = build_site(digest(count))
        return next(file.data for file in drawn_pages(site) if file.path == "sw.js")

    assert worker(3) == worker(3) != worker(4)
    assert b"@version@" not in worker(3)


def test_the_digest_can_be_installed():
    site, _ = build_site(rich_digest())
    files = {file.path: file.data for file in (*drawn_pages(site), *render.asset_files())}
    manifest = json.loads(files["site.webmanifest"])
    assert manifest["name"] == "Mud & Otters"
    assert all(icon["src"] in files for icon in manifest["icons"])
    assert b'rel="manifest" href="./site.webmanifest"' in files["index.html"]


def test_rendering_twice_gives_the_same_bytes():
    assert html_of(rich_digest()) == html_of(rich_digest())


# ---- fingerprints --------------------------------------------------------------------------------
def keys_of(inputs: SiteInput, *dirs: Path) -> dict[str, str]:
    site, _ = build_site(inputs)
    return {file.path: key for file in render.page_files(site, dirs) if (key := file.key())}


def test_equal_pages_have_equal_fingerprints_whichever_objects_they_share() -> None:
    one = rich_digest()
    assert keys_of(one) == keys_of(pickle.loads(pickle.dumps(one)))
    assert len(set(keys_of(one).values())) == len(keys_of(one))


def test_whatever_changes_a_page_changes_its_fingerprint(tmp_path: Path) -> None:
    base = digest(6)
    changed = [
        replace(base, config=replace(base.config, title="Other")),
        replace(base, namings=(replace(base.namings[0], title="Other"), *base.namings[1:])),
        replace(base, papers=(replace(base.papers[0], first_seen="2030"), *base.papers[1:])),
        replace(base, relations=((), *base.relations[1:])),
        replace(base, topics=base.topics[:1]),
        replace(base, editions=(replace(base.editions[0], title="x"), *base.editions[1:])),
    ]
    known_keys, known = keys_of(base), html_of(base)
    for other in changed:
        keys, files = keys_of(other), html_of(other)
        differing = {path for path in keys if files[path] != known.get(path)}
        assert differing
        assert {path for path in keys if keys[path] != known_keys.get(path)} >= differing
    (tmp_path / "_note.html").write_text("a template that may be included")
    assert not set(keys_of(base, tmp_path).values()) & set(known_keys.values())
