"""What Zotero makes of pages, by the rules of its generic translators.

Zotero asks COinS before it asks embedded metadata. Of embedded metadata the type of an item is,
first of all, ``z:itemType``, then an Open Graph type that leaves no doubt (``website`` is a web
page; ``article`` is not sure), then what ``citation_*`` tags suggest, else a web page. Without
``citation_abstract`` the description becomes the abstract.
"""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs

import pytest

from sitegen.pages import build_site
from tests.synthetic import drawn_pages, identifier, rich_digest


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    site, _ = build_site(rich_digest())
    return {file.path: file.data.decode() for file in drawn_pages(site)}


def metas(html: str) -> list[tuple[str, str]]:
    """Return names and contents; a name goes before a property, as in Zotero."""
    found = []
    for tag in re.findall(r"<meta ([^>]*)>", html):
        values = {key: unescape(value) for key, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
        found.append((values.get("name") or values.get("property", ""), values.get("content", "")))
    return found


def item_type(html: str) -> str:
    known = dict(metas(html))
    if "z:itemType" in known:
        return known["z:itemType"]
    if known.get("og:type") == "website":
        return "webpage"
    if "citation_journal_title" in known or "citation_title" in known:
        return "journalArticle"
    return "webpage"


def paper_page(pages: dict[str, str], number: int) -> str:
    return pages[f"papers/{identifier(number)}/index.html"]


def test_a_paper_with_title_author_and_date_is_a_preprint_with_its_abstract(pages):
    html = paper_page(pages, 2)
    known = dict(metas(html))
    assert item_type(html) == "preprint"
    assert known["citation_title"] == "Counting otters by ear"
    assert [value for name, value in metas(html) if name == "citation_author"] == [
        "Øydis Kvæle", "Leo De Santis",
    ]  # fmt: skip
    assert known["citation_abstract"].endswith(".")
    assert known["citation_abstract"] != known["description"] or "…" not in known["description"]
    assert known["citation_abstract_html_url"].endswith(f"papers/{identifier(2)}/")


def test_an_untitled_abstract_is_a_web_page_and_no_article(pages):
    html = paper_page(pages, 10)
    assert item_type(html) == "webpage"
    assert not any(name.startswith("citation_") for name, _ in metas(html))


def test_context_objects_stand_in_lists_alone_where_many_can_be_saved(pages):
    papers = {path for path in pages if path.startswith("papers/")}
    assert not any("Z3988" in pages[path] for path in papers)
    spans = re.findall(r'<span class="Z3988" title="([^"]*)">', pages["topics/water/index.html"])
    titles = [parse_qs(unescape(span))["rft.atitle"][0] for span in spans]
    assert "Counting otters by ear" in titles
    for span in spans:
        values = parse_qs(unescape(span))
        assert values["ctx_ver"] == ["Z39.88-2004"]
        assert values["rft_val_fmt"] == ["info:ofi/fmt:kev:mtx:journal"]
