"""New files of the curator's: filled in, valid, never in the place of another."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitegen.content import PAPER_KEYS
from sitegen.diagnostics import SitegenError
from sitegen.drafts import find_paper
from tests.workbench import MUD, OTTERS, WHISTLES, gathered, paper_of, read, sitegen, start, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return start(tmp_path, OTTERS, WHISTLES, MUD)


def test_a_papers_draft_says_what_is_known_and_changes_nothing(root: Path) -> None:
    paper = paper_of(root, OTTERS)
    before = read(root).described
    made = sitegen(root, "new", "paper", paper[:6])
    assert made.exit_code == 0, made.output
    assert f"wrote content/papers/{paper}.md" in made.output
    text = (root / f"content/papers/{paper}.md").read_text("utf-8")
    for key in PAPER_KEYS:
        assert f"\n# {key}: " in text
    after = read(root)
    assert after.problems == ()
    assert after.described.namings == before.namings
    assert after.described.taggings == before.taggings
    # every line can be used as it is
    (root / f"content/papers/{paper}.md").write_text(
        "\n".join(
            line.removeprefix("# ")
            for line in text.splitlines()
            if not line.startswith(("# What", "# Below", "# withdrawn", "# same_as"))
        ),
        "utf-8",
    )
    assert [problem.code for problem in read(root).problems] == []


def test_none_is_overwritten(root: Path) -> None:
    assert sitegen(root, "new", "page", "history").exit_code == 0
    write(root, "content/pages/history.md", "Mine.\n")
    again = sitegen(root, "new", "page", "history")
    assert again.exit_code == 1
    assert "new-exists" in again.output
    assert (root / "content/pages/history.md").read_text("utf-8") == "Mine.\n"


def test_a_topics_draft_takes_phrases_from_the_tag_of_its_name(root: Path) -> None:
    tag = next(tag for tagging in read(root).described.taggings for tag in tagging.tags if tag.page)
    made = sitegen(root, "new", "topic", tag.slug)
    assert made.exit_code == 0, made.output
    text = (root / f"content/topics/{tag.slug}.md").read_text("utf-8")
    assert tag.name in text
    assert text.count("# for example ") == 2
    assert [problem for problem in read(root).problems if str(problem.severity) == "error"] == []
    (topic,) = gathered(root).content.topics
    assert topic.order == 10
    assert set(tag.surfaces) <= set(topic.phrases)
    write(root, "content/topics/other.md", "---\naliases: [sound of otters]\n---\n")
    taken = sitegen(root, "new", "topic", "sound-of-otters")
    assert "new-taken" in taken.output


def test_an_editions_draft_knows_its_files(root: Path) -> None:
    assert sitegen(root, "new", "edition", "may").exit_code == 0
    text = (root / "content/editions/may.md").read_text("utf-8")
    assert "title: May" in text
    assert "# made from seeds/may.txt" in text
    assert gathered(root).problems == ()
    unknown = sitegen(root, "new", "edition", "mai")
    assert unknown.exit_code == 0
    assert "did you mean may? editions: may" in unknown.output


@pytest.mark.parametrize("kind", ["topic", "edition", "page"])
def test_a_name_that_is_no_slug_is_told_the_slug(root: Path, kind: str) -> None:
    made = sitegen(root, "new", kind, "Otter Sounds")
    assert made.exit_code == 1
    assert "call it otter-sounds" in made.output


def test_sitegens_own_pages_are_not_to_be_had(root: Path) -> None:
    assert "new-taken" in sitegen(root, "new", "page", "search").output


def test_a_paper_is_found_by_id_beginning_and_address(root: Path) -> None:
    papers = gathered(root).papers
    wanted = papers[1]
    for name in (wanted.id, wanted.id[:5].upper(), f"https://lab.example/x/papers/{wanted.id}/"):
        assert find_paper(papers, name) == wanted
    for name in ("", "zzzz", "/"):
        with pytest.raises(SitegenError):
            find_paper(papers, name)
    with pytest.raises(SitegenError) as found:
        find_paper(papers, wanted.id[:-1] + "uu")
    assert f"did you mean {wanted.id}?" in found.value.problems[0].hint
