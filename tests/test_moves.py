"""Whatever is renamed answers at its old address: pages, their further pages, feeds."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.build import build_site as build_site_of
from sitegen.diagnostics import Severity
from sitegen.digest import BuildOptions
from sitegen.pages import Gone, build_site
from sitegen.pages.urls import identifier
from sitegen.progress import Progress
from sitegen.records import Topic
from sitegen.views import AliasView
from tests.synthetic import TOPICS
from tests.synthetic import digest as invented
from tests.workbench import (
    MUD,
    OTTERS,
    WHISTLES,
    build,
    paper_of,
    read,
    sitegen,
    start,
    write,
)

BIB = (
    "@misc{{o, title={{Otters}}, eprint={{{eprint}}}, archiveprefix={{arXiv}}, doi={{{doi}}},"
    f" abstract={{{{{OTTERS}}}}}}}}}\n"
    "@misc{{m, title={{Mud}}, eprint={{math/0309136}}, archiveprefix={{arXiv}},"
    f" abstract={{{{{MUD}}}}}}}}}\n"
)
ATOM = "{http://www.w3.org/2005/Atom}"


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


# ---- every file of an earlier build --------------------------------------------------------------
def published(root: Path) -> dict[str, bytes]:
    """Return what a build published, but for what is only a part of pages."""
    public = root / "public"
    return {
        path: file.read_bytes()
        for file in sorted(public.rglob("*"))
        if file.is_file() and not (path := file.relative_to(public).as_posix()).startswith("assets")
    }


KELP = (
    "Kelp forests lose ground to sea urchins all along the northern coast. A towed camera counts "
    "both, and the supply of larvae turns out to decide where the forests come back.",
    "What do sea urchins eat once kelp forests are gone? Stomachs of four hundred animals hold "
    "crusts of algae and, in winter, each other; growth stops but few of them starve.",
)


def many(count: int) -> list[str]:
    """Return so many abstracts of otters in rivers, enough for lists of several pages."""
    names = ("Orn", "Ask", "Ulf", "Rok", "Tind", "Vik", "Lom", "Hol", "Nes", "Dal", "Fjell")
    return [
        f"We record the whistles of river otters in the river {names[n % 11]}{names[n // 11 % 11]}"
        f"elv over {n + 2} winters. A classifier of whistle contours tells {3 * n + 5} animals"
        f" of the {names[n * 7 % 11].lower()}{n} kind apart and needs no calibration."
        for n in range(count)
    ]


@pytest.fixture(scope="module")
def first_state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A digest with lists of two pages, topics, editions, tags, picks and a page; built once."""
    tmp_path = tmp_path_factory.mktemp("lively")
    start(tmp_path, *many(101))
    start(tmp_path, MUD, WHISTLES, OTTERS, *KELP, name="june")
    write(tmp_path, "content/site.toml", 'base_url = "https://a.example/otters/"\n')
    write(tmp_path, "content/editions/may.md", "---\ntitle: May\n---\n")
    write(tmp_path, "content/topics/otters.md", "---\nphrases: [otter]\n---\n")
    write(tmp_path, "content/topics/mud.md", "---\nphrases: [mud, sediment]\n---\n")
    write(tmp_path, "content/pages/history.md", "---\ntitle: History\n---\nLong ago.\n")
    write(tmp_path, f"content/papers/{paper_of(tmp_path, MUD)}.md", "---\npick: true\n---\nGood.\n")
    assert build(tmp_path).exit_code == 0
    return tmp_path


@pytest.fixture
def lively(first_state: Path, tmp_path: Path) -> Path:
    shutil.copytree(first_state, tmp_path, dirs_exist_ok=True)
    return tmp_path


def rename_a_topic(root: Path) -> None:
    (root / "content/topics/otters.md").unlink()
    text = "---\ntitle: Lutrines\nphrases: [otter]\naliases: [otters]\n---\n"
    write(root, "content/topics/lutrines.md", text)


def merge_two_topics(root: Path) -> None:
    (root / "content/topics/otters.md").unlink()
    text = "---\nphrases: [mud, sediment, otter]\naliases: [otters]\n---\n"
    write(root, "content/topics/mud.md", text)


def retire_a_topic(root: Path) -> None:
    (root / "content/topics/otters.md").unlink()
    assert sitegen(root, "retire", "/topics/otters/", "--why", "Too wide.").exit_code == 0


def retire_a_page(root: Path) -> None:
    (root / "content/pages/history.md").unlink()
    assert sitegen(root, "retire", "/history/", "--why", "Told elsewhere.").exit_code == 0


def rename_an_edition(root: Path) -> None:
    (root / "seeds/may.txt").rename(root / "seeds/spring.txt")
    (root / "content/editions/may.md").unlink()
    write(root, "content/editions/spring.md", "---\ntitle: Spring\naliases: [may]\n---\n")


def withdraw_a_paper(root: Path) -> None:
    write(root, f"content/papers/{paper_of(root, MUD)}.md", "---\nwithdrawn: Not ours.\n---\n")


def join_two_papers(root: Path) -> None:
    pair = paper_of(root, WHISTLES), paper_of(root, OTTERS)
    assert sitegen(root, "review", "--answer", "same", *pair).exit_code == 0


def lose_most_papers(root: Path) -> None:
    start(root, many(1)[0])
    start(root, MUD, name="june")


def take_back_the_picks(root: Path) -> None:
    write(root, f"content/papers/{paper_of(root, MUD)}.md", "---\npick: false\n---\nGood.\n")


def move_to_another_domain(root: Path) -> None:
    write(root, "content/site.toml", 'base_url = "https://b.example/"\n')


@pytest.mark.parametrize(
    "change",
    [
        rename_a_topic, merge_two_topics, retire_a_topic, retire_a_page, rename_an_edition,
        withdraw_a_paper, join_two_papers, lose_most_papers, take_back_the_picks,
        move_to_another_domain,
    ],
)  # fmt: skip
def test_each_published_file_answers_after(change: Callable[[Path], None], lively: Path) -> None:
    before = published(lively)
    assert {"topics/otters/page/2/index.html", "editions/may/page/2/index.html"} < before.keys()
    change(lively)
    assert build(lively).exit_code == 0
    after = published(lively)
    assert sorted(before.keys() - after.keys()) == []
    for path in before:
        if path.endswith("feed.xml"):
            assert ElementTree.fromstring(after[path]).findtext(f"{ATOM}id", "").startswith("tag:")
        elif path.endswith(".json"):
            assert json.loads(after[path]) is not None
        elif path.endswith((".bib", ".html", ".png")):
            assert after[path]


def test_the_feed_of_a_vanished_tag_says_once_that_it_is_closed(lively: Path) -> None:
    folders = [path for path in published(lively) if re.fullmatch(r"tags/[^/]+/feed.xml", path)]
    before = {path: published(lively)[path] for path in folders}
    lose_most_papers(lively)
    build(lively)
    after = published(lively)
    closed = [path for path in folders if b"<title>This feed is closed</title>" in after[path]]
    assert closed
    for path in closed:
        old, new = (ElementTree.fromstring(data) for data in (before[path], after[path]))
        assert old.findtext(f"{ATOM}id") == new.findtext(f"{ATOM}id")
        (entry,) = new.findall(f"{ATOM}entry")
        assert entry.find(f"{ATOM}link").get("href") == "https://a.example/otters/tags/"
        assert json.loads(after[path.replace(".xml", ".json")])["expired"] is True
    build(lively)
    assert {path: published(lively)[path] for path in closed} == {p: after[p] for p in closed}


# ---- identifiers --------------------------------------------------------------------------------
def leads_to(root: Path, path: str) -> str:
    """Return where a stub leads, from the site's root."""
    text = (root / "public" / path / "index.html").read_text("utf-8")
    found = re.search(r'http-equiv="refresh" content="0; url=(?:\.\./)+([^"]*)"', text)
    return found[1] if found else ""


def test_identifiers_lead_to_their_papers_for_ever(tmp_path: Path) -> None:
    write(tmp_path, "seeds/a.bib", BIB.format(eprint="2310.12340", doi="10.1000/Lutra.31.9"))
    build(tmp_path)
    otters, mud = (f"papers/{paper_of(tmp_path, text)}/" for text in (OTTERS, MUD))
    assert leads_to(tmp_path, "arxiv/2310.12340") == otters
    assert leads_to(tmp_path, "doi/10-1000-lutra-31-9") == otters
    assert leads_to(tmp_path, "arxiv/math-0309136") == mud
    write(tmp_path, "seeds/a.bib", BIB.format(eprint="2310.12341", doi="10.1000/x_1"))
    write(tmp_path, f"content/{mud.rstrip('/')}.md", "---\ndoi: 10.1000/mud\n---\n")
    build(tmp_path)
    for path in ("arxiv/2310.12341", "arxiv/2310.12340", "doi/10-1000-lutra-31-9"):
        assert leads_to(tmp_path, path) == otters
    assert leads_to(tmp_path, "doi/10-1000-mud") == mud
    (tmp_path / f"content/{mud.rstrip('/')}.md").unlink()
    build(tmp_path)
    assert leads_to(tmp_path, "doi/10-1000-mud") == mud
    write(tmp_path, f"content/{mud.rstrip('/')}.md", "---\nwithdrawn: Dried up.\n---\n")
    build(tmp_path)
    assert (tmp_path / "public/arxiv/math-0309136/index.html").is_file()


def test_a_lost_paper_gives_its_identifier_to_one_that_has_it_now(tmp_path: Path) -> None:
    write(tmp_path, "seeds/a.bib", BIB.format(eprint="2310.12340", doi=""))
    build(tmp_path)
    write(tmp_path, "seeds/a.bib", BIB.format(eprint="2310.12341", doi=""))
    build(tmp_path)
    text = "@misc{n, title={Newts}, eprint={2310.12340}, archiveprefix={arXiv}, abstract={%s}}"
    write(tmp_path, "seeds/b.bib", text % WHISTLES)
    build(tmp_path)
    assert leads_to(tmp_path, "arxiv/2310.12340") == f"papers/{paper_of(tmp_path, WHISTLES)}/"


@given(
    st.sets(
        st.from_regex(r"10\.[0-9]{4}/[a-z0-9./_-]{1,6}", fullmatch=True), min_size=2, max_size=9
    )
)
def test_no_two_identifiers_share_an_address(names: set[str]) -> None:
    paths = {identifier(f"doi:{name}") for name in names}
    assert len(paths) == len(names)
    assert all(re.fullmatch(r"doi/[a-z0-9]+(-[a-z0-9]+)*/", path) for path in paths)


def test_a_frozen_build_says_which_addresses_nobody_will_remember(tmp_path: Path) -> None:
    start(tmp_path, OTTERS, MUD)
    options = BuildOptions(root=tmp_path, search=False, frozen=True)
    (problem,) = build_site_of(options, Progress()).problems
    assert (problem.code, problem.severity) == ("registry-behind", Severity.WARNING)
    build(tmp_path)
    assert build_site_of(options, Progress()).problems == ()
