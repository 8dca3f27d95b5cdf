"""Whatever is renamed answers at its old address: pages, their further pages, feeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitegen.pages import Gone, build_site
from sitegen.records import Topic
from sitegen.views import AliasView
from tests.synthetic import TOPICS
from tests.synthetic import digest as invented
from tests.workbench import MUD, OTTERS, WHISTLES, build, read, start, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    start(tmp_path, OTTERS, WHISTLES, MUD)
    write(tmp_path, "content/editions/may.md", "---\ntitle: May\n---\n")
    write(tmp_path, "content/topics/otters.md", "---\nphrases: [otter]\n---\n")
    build(tmp_path)
    return tmp_path


def lost(root: Path) -> list[str]:
    return [problem.code for problem in read(root).problems if problem.code == "url-lost"]


def test_a_renamed_edition_leads_on_with_its_feed(root: Path) -> None:
    (root / "seeds/may.txt").rename(root / "seeds/spring.txt")
    (root / "content/editions/may.md").unlink()
    report = build(root)
    assert [problem.code for problem in report.problems] == ["url-lost"]
    assert "aliases" in report.problems[0].hint
    write(root, "content/editions/spring.md", "---\ntitle: Spring\naliases: [may]\n---\n")
    assert build(root).exit_code == 0
    stub = (root / "public/editions/may/index.html").read_text("utf-8")
    assert "../../editions/spring/" in stub
    for name in ("feed.xml", "feed.json"):
        feeds = [root / f"public/editions/{slug}/{name}" for slug in ("may", "spring")]
        assert feeds[0].read_bytes() == feeds[1].read_bytes()
    # for ever: the registry remembers it without the alias
    write(root, "content/editions/spring.md", "---\ntitle: Spring\n---\n")
    assert build(root).exit_code == 0
    assert (root / "public/editions/may/index.html").is_file()


def test_topics_merged_into_another_lead_there(root: Path) -> None:
    (root / "content/topics/otters.md").unlink()
    write(root, "content/topics/animals.md", "---\nphrases: [otter]\n---\n")
    assert lost(root) == ["url-lost"]
    write(root, "content/topics/animals.md", "---\nphrases: [otter]\naliases: [Otters]\n---\n")
    assert build(root).exit_code == 0
    assert "animals/" in (root / "public/topics/otters/index.html").read_text("utf-8")
    assert (root / "public/topics/otters/feed.xml").is_file()


def test_further_pages_of_a_renamed_list_lead_on_too() -> None:
    topics = (Topic(slug="lakes", title="Lakes", aliases=("water",)), *TOPICS[2:])
    gone = (Gone(url="/topics/water/page/2/", target="/topics/water/"),)
    site, _ = build_site(invented(topics=topics, gone=gone))
    pages = {page.path: page.view for page in site.pages}
    for path in ("topics/water/", "topics/water/page/2/"):
        view = pages[path]
        assert isinstance(view, AliasView)
        assert view.target == "topics/lakes/"


def test_another_domain_and_base_path_change_no_id(root: Path) -> None:
    def entries() -> set[str]:
        text = (root / "public/feed.xml").read_text("utf-8")
        return {part.partition("</id>")[0] for part in text.split("<id>")[1:]}

    before, registry = entries(), (root / "content/registry.jsonl").read_bytes()
    write(root, "content/site.toml", 'base_url = "https://elsewhere.example/new/place/"\n')
    assert build(root).exit_code == 0
    assert entries() == before
    assert (root / "content/registry.jsonl").read_bytes() == registry
    assert "https://elsewhere.example/new/place/" in (root / "public/feed.xml").read_text("utf-8")
