"""Feeds, sitemap and robots.txt."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from sitegen.config import Config
from sitegen.feeds import feed_files
from sitegen.pages import Gone, SiteInput, build_site
from sitegen.records import Edition, Place, Prose
from sitegen.views import Page, Site, TextView
from tests.synthetic import digest, identifier, paper, rich_digest

ATOM = "{http://www.w3.org/2005/Atom}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def files_of(inputs: SiteInput) -> dict[str, bytes]:
    site, _ = build_site(inputs)
    return {file.path: file.data for file in feed_files(site)}


def entries(data: bytes) -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(data)
    return {entry.findtext(f"{ATOM}id", ""): entry for entry in root.iter(f"{ATOM}entry")}


def test_each_list_has_both_feeds():
    files = files_of(rich_digest())
    for folder in ("", "topics/water/", "tags/flux-meter/", "editions/spring/", "editions/autumn/"):
        assert f"{folder}feed.xml" in files
        assert f"{folder}feed.json" in files


def test_feeds_hold_what_readers_need():
    files = files_of(rich_digest())
    for path, data in files.items():
        if path.endswith("feed.xml"):
            root = ElementTree.fromstring(data)
            for tag in ("id", "title", "updated", "author"):
                assert root.find(ATOM + tag) is not None
            links = {link.get("rel"): link.get("href") for link in root.findall(f"{ATOM}link")}
            own = links["self"].removeprefix("https://lab.example/reading/")
            assert own == path or files[own] == data  # the same at a former address
            for entry in root.iter(f"{ATOM}entry"):
                assert RFC3339.fullmatch(entry.findtext(f"{ATOM}updated", ""))
                brief = path.startswith("tags/")
                assert entry.findtext(f"{ATOM}{'summary' if brief else 'content'}")
        elif path.endswith("feed.json"):
            feed = json.loads(data)
            assert feed["version"] == "https://jsonfeed.org/version/1.1"
            for item in feed["items"]:
                assert isinstance(item["id"], str)
                assert item["content_text"]
                assert item["url"].startswith("https://")


def test_the_two_formats_say_the_same():
    files = files_of(rich_digest())
    for path, data in files.items():
        if path.endswith("feed.xml"):
            twin = json.loads(files[path.replace(".xml", ".json")])
            assert list(entries(data)) == [item["id"] for item in twin["items"]]


def test_all_but_tag_feeds_hold_whole_abstracts_in_atom_and_site_and_picks_in_both():
    inputs = rich_digest()
    files = files_of(inputs)
    texts = {paper.id: paper.prose.text for paper in inputs.papers}
    gists = {p.id: n.gist for p, n in zip(inputs.papers, inputs.namings, strict=True)}
    for path, data in files.items():
        if path.endswith("feed.json"):
            wanted = texts if path in {"feed.json", "picks/feed.json"} else gists
            for item in json.loads(data)["items"]:
                assert item["content_text"] == wanted[item["id"].rpartition("/")[2]], path
        elif path.endswith("feed.xml"):
            part, wanted = ("summary", gists) if path.startswith("tags/") else ("content", texts)
            for name, entry in entries(data).items():
                assert entry.findtext(ATOM + part) == wanted[name.rpartition("/")[2]], path


def test_a_feed_holds_what_the_newest_edition_of_its_papers_brought():
    places = [Place(file="seeds/new.txt", position=n, line=n, edition="new") for n in range(1, 61)]
    places[30:] = [replace(p, file="seeds/old.txt", edition="old") for p in places[30:]]
    papers = tuple(paper(n, places=(place,)) for n, place in enumerate(places, 1))
    editions = tuple(
        Edition(slug=slug, title=slug, date=date, files=(f"seeds/{slug}.txt",))
        for slug, date in (("new", "2031-06-01"), ("old", "2031-05-01"))
    )
    files = files_of(digest(60, papers=papers, editions=editions))
    ids = [name.rpartition("/")[2] for name in entries(files["feed.xml"])]
    assert ids == [identifier(n) for n in range(1, 31)]
    assert len(entries(files["editions/old/feed.xml"])) == 5


def test_the_feed_of_picks_says_why_they_were_picked():
    files = files_of(rich_digest())
    (item,) = json.loads(files["picks/feed.json"])["items"]
    assert item["summary"] == "Read this first."
    (entry,) = entries(files["picks/feed.xml"]).values()
    assert entry.findtext(f"{ATOM}summary") == "Read this first."
    assert entry.findtext(f"{ATOM}content") == item["content_text"]
    assert "picks/feed.xml" not in files_of(digest())


def test_a_feed_stands_at_former_addresses_and_not_at_other_names():
    gone = (Gone(url="/topics/old-water/", target="/topics/water/"),)
    files = files_of(digest(gone=gone))
    assert files["topics/old-water/feed.xml"] == files["topics/water/feed.xml"]
    assert "topics/limnology/feed.xml" not in files
    renamed = files_of(digest(published=frozenset({"/topics/limnology/"})))
    assert renamed["topics/limnology/feed.json"] == renamed["topics/water/feed.json"]


def test_f1_old_entries_stay_and_ids_hold_no_host():
    before = entries(files_of(digest(3))["feed.xml"])
    moved = Config(title="Mud & Otters", base_url="https://new.example/")
    after = entries(files_of(digest(4, config=moved))["feed.xml"])
    assert set(before) < set(after)
    for name, entry in before.items():
        assert "example" not in name
        for part in ("updated", "title", "content"):
            assert entry.findtext(ATOM + part) == after[name].findtext(ATOM + part)


def test_f1_updated_is_the_newest_entry():
    root = ElementTree.fromstring(files_of(rich_digest())["feed.xml"])
    newest = max(entry.findtext(f"{ATOM}updated", "") for entry in root.iter(f"{ATOM}entry"))
    assert root.findtext(f"{ATOM}updated") == newest


@pytest.mark.parametrize("date", ["2031-05-01", "2031", "", "2031-13-02", "soon"])
def test_f2_incomplete_dates_make_valid_feeds(date: str):
    editions = (Edition(slug="spring", title="S", date=date, files=("seeds/spring.txt",)),)
    papers = tuple(paper(n, first_seen=date) for n in (1, 2, 3))
    files = files_of(digest(3, papers=papers, editions=editions))
    for entry in entries(files["feed.xml"]).values():
        assert RFC3339.fullmatch(entry.findtext(f"{ATOM}updated", ""))
    for item in json.loads(files["feed.json"])["items"]:
        assert ("date_published" in item) == (date.startswith("2031") and date != "2031-13-02")


def test_f3_m7_what_xml_cannot_hold_does_not_break_a_feed():
    bad = "heat\x0c flux\x10 \ud800 <b>&amp;</b> ]]> \ufffe"
    papers = (paper(1, prose=Prose(text=bad)), paper(2), paper(3))
    files = files_of(digest(3, papers=papers))
    contents = [e.findtext(f"{ATOM}content", "") for e in entries(files["feed.xml"]).values()]
    assert any("<b>&amp;</b> ]]>" in content for content in contents)
    json.loads(files["feed.json"])


def test_f4_sitemap_lists_what_search_engines_may_show():
    root = ElementTree.fromstring(files_of(rich_digest())["sitemap.xml"])
    urls = [loc.text for loc in root.iter(f"{SITEMAP}loc")]
    assert "https://lab.example/reading/" in urls
    assert f"https://lab.example/reading/papers/{identifier(1)}/" in urls
    assert not any("404" in (url or "") or identifier(7) in (url or "") for url in urls)
    assert {e.text for e in root.iter(f"{SITEMAP}lastmod")} == {"2031-05-01", "2031-11"}


def test_f4_more_than_fifty_thousand_addresses_make_an_index():
    site, _ = build_site(digest(1))
    many = tuple(
        Page(
            path=f"p/{n}/", template="text.html", title="", basis=TextView(heading="", body_html="")
        )
        for n in range(50_001)
    )
    large: Site = replace(site, pages=many, feeds=())
    files = {file.path: file.data for file in feed_files(large)}
    root = ElementTree.fromstring(files["sitemap.xml"])
    assert root.tag == f"{SITEMAP}sitemapindex"
    parts = [loc.text.rpartition("/")[2] for loc in root.iter(f"{SITEMAP}loc") if loc.text]
    counts = [files[part].count(b"<url>") for part in parts]
    assert sum(counts) == 50_001
    assert max(counts) <= 50_000


def test_p3_plain_files_for_the_host():
    files = files_of(digest(2))
    assert files[".nojekyll"] == b""
    assert b"Sitemap: https://lab.example/reading/sitemap.xml" in files["robots.txt"]
