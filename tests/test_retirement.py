"""Addresses that are given up on purpose, and topics for what none covers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workbench import MUD, OTTERS, WHISTLES, build, paper_of, read, sitegen, start, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    start(tmp_path, OTTERS, WHISTLES, MUD)
    write(tmp_path, "content/site.toml", 'base_url = "https://lab.example/reading/"\n')
    write(tmp_path, "content/topics/otters.md", "---\nphrases: [otter]\nnarrow: true\n---\n")
    write(tmp_path, "content/pages/history.md", "Long ago.\n")
    build(tmp_path)
    return tmp_path


def test_an_address_is_given_up_with_a_reason_and_answers(root: Path) -> None:
    (root / "content/pages/history.md").unlink()
    (problem,) = build(root).problems
    assert problem.code == "url-lost"
    assert "sitegen retire /history/ --why" in problem.hint
    address = "https://lab.example/reading/history/"
    done = sitegen(root, "retire", address, "--why", "It was  wrong.")
    assert done.exit_code == 0, done.output
    assert build(root).problems == ()
    page = (root / "public/history/index.html").read_text("utf-8")
    assert "It was wrong." in page
    registry = (root / "content/registry.jsonl").read_text("utf-8")
    assert registry.count('"reason"') == 1
    # once more the same, and a page that comes back is a page again
    assert build(root).problems == ()
    write(root, "content/pages/history.md", "Long ago, mended.\n")
    assert build(root).problems == ()
    assert "mended" in (root / "public/history/index.html").read_text("utf-8")
    assert '"reason"' not in (root / "content/registry.jsonl").read_text("utf-8")


def test_only_what_is_lost_can_be_given_up(root: Path) -> None:
    before = (root / "content/registry.jsonl").read_bytes()
    paper = paper_of(root, OTTERS)
    for url, code, hint in (
        ("/histori/", "retire-unknown", "did you mean /history/?"),
        ("/history/", "retire-live", "take away"),
        (f"papers/{paper}", "retire-live", f"content/papers/{paper}.md"),
    ):
        done = sitegen(root, "retire", url, "--why", "Enough.")
        assert done.exit_code == 1
        assert code in done.output
        assert hint in done.output
    assert sitegen(root, "retire", "/history/").exit_code == 2
    assert (root / "content/registry.jsonl").read_bytes() == before


def test_a_papers_notice_can_say_why(root: Path) -> None:
    paper = paper_of(root, MUD)
    start(root, OTTERS, WHISTLES)
    build(root)
    assert sitegen(root, "retire", f"/papers/{paper}/", "--why", "Off topic.").exit_code == 0
    assert build(root).exit_code == 0
    assert "Off topic." in (root / f"public/papers/{paper}/index.html").read_text("utf-8")
    start(root, OTTERS, WHISTLES, MUD)
    build(root)
    assert f'data-id="{paper}"' in (root / f"public/papers/{paper}/index.html").read_text("utf-8")


LAKES = (
    "Lake sediment holds pollen. We count it layer by layer in lake sediment from Ferrow and see "
    "how birch and pine came back when the ice had gone.",
    "Farming left its mark in lake sediment. Phosphorus in lake sediment at Aldmere rises with the "
    "first ploughs, and falls again in the years of the plague.",
    "A cheap corer brings up lake sediment without mixing its layers. With it two people in a boat "
    "take ten metres of lake sediment in one afternoon.",
)


def test_topics_are_suggested_for_what_none_covers(root: Path) -> None:
    start(root, OTTERS, WHISTLES, *LAKES)
    shown = sitegen(root, "topics", "suggest")
    assert shown.exit_code == 0
    assert "content/topics/" in shown.output
    assert "# for example " in shown.output
    before = {file.name for file in (root / "content/topics").iterdir()}
    assert sitegen(root, "topics", "suggest", "--write").exit_code == 0
    made = {file.name for file in (root / "content/topics").iterdir()} - before
    assert made
    digest = read(root)
    assert [problem for problem in digest.problems if problem.code != "paper-gone"] == []
    covered = [choice.topics for choice in digest.described.choices]
    assert all(covered)
    assert "no topic to suggest" in sitegen(root, "topics", "suggest").output


def test_a_digest_without_topics_can_take_over_those_that_were_found(tmp_path: Path) -> None:
    start(tmp_path, OTTERS, WHISTLES, *LAKES)
    found = {topic.slug for topic in read(tmp_path).described.topics}
    assert found
    assert sitegen(tmp_path, "topics", "suggest", "--write").exit_code == 0
    files = {file.stem for file in (tmp_path / "content/topics").iterdir()}
    assert files == found
