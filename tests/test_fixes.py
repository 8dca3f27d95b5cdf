"""Corrections from issues: what a page prefills is what the command reads, to the letter."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.content import PAPER_KEYS
from sitegen.correction_block import FLAG_KEYS, LIST_KEYS, TEXT_KEYS, read_blocks, write_block
from tests.workbench import MUD, OTTERS, gathered, paper_of, read, sitegen, start, write


def block(**fields: object) -> str:
    return f"Dear all,\r\n```json\r\n{json.dumps(fields, indent=1)}\r\n```\r\nThanks.\r\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    start(tmp_path, OTTERS, MUD)
    write(tmp_path, "content/topics/otters.md", "---\nphrases: [otter]\n---\n")
    return tmp_path


def fix(root: Path, text: str, *more: str) -> tuple[int, str]:
    write(root, "issue.txt", text)
    done = sitegen(root, "fix", str(root / "issue.txt"), *more)
    return done.exit_code, done.output


def test_a_correction_can_say_what_a_file_can() -> None:
    assert {*TEXT_KEYS, *LIST_KEYS, *FLAG_KEYS} == set(PAPER_KEYS)


def test_what_a_page_prefills_changes_nothing_until_it_is_edited(root: Path) -> None:
    write(root, "content/site.toml", 'repository = "lab/reading"\n')
    paper = paper_of(root, OTTERS)
    page = next(page for page in read(root).site.pages if page.path == f"papers/{paper}/")
    for address in (page.view.fix_url, page.view.wrong_tag_url):  # type: ignore[union-attr]
        (body,) = parse_qs(urlsplit(address).query)["body"]
        assert fix(root, body) == (0, f"content/papers/{paper}.md: nothing to change\n")
    (body,) = parse_qs(urlsplit(page.view.fix_url).query)["body"]  # type: ignore[union-attr]
    edited = body.replace('"authors": []', '"authors": ["Meer, Ann van der", "Sam Okoro"]')
    edited = edited.replace('"arxiv": ""', '"arxiv": "arXiv:9912.01234v2"')
    code, said = fix(root, edited)
    assert (code, said) == (0, f"content/papers/{paper}.md: authors, arxiv set\n")
    metadata = next(each.metadata for each in gathered(root).papers if each.id == paper)
    assert [author.name for author in metadata.authors] == ["Ann van der Meer", "Sam Okoro"]
    assert metadata.arxiv == "9912.01234"
    assert fix(root, edited) == (0, f"content/papers/{paper}.md: nothing to change\n")


FILE = """\
---
# checked by Ann
title: Whistles
tags: [whistle]
---
My note.
"""


def test_the_curators_file_wins_and_is_kept(root: Path) -> None:
    paper = paper_of(root, OTTERS)
    path = f"content/papers/{paper}.md"
    write(root, path, FILE)
    asked = block(id=paper, title="Dialects", tags=["dialect"], not_tags=["whistle"], pick=True)
    code, said = fix(root, asked)
    assert code == 1
    assert said.count("[fix-conflict]") == 2
    assert "the file says Whistles" in said
    changed = FILE.replace("tags: [whistle]", "tags: [whistle, dialect]\npick: true")
    assert (root / path).read_text("utf-8") == changed
    code, said = fix(root, asked, "--force")
    assert code == 0
    assert "title: Dialects" in (root / path).read_text("utf-8")
    assert "# checked by Ann" in (root / path).read_text("utf-8")


def test_a_dry_run_writes_nothing(root: Path) -> None:
    paper = paper_of(root, OTTERS)
    code, said = fix(root, block(id=paper, pick=True), "--dry-run")
    assert (code, said) == (0, f"content/papers/{paper}.md: pick set (not written)\n")
    assert not (root / "content/papers").exists()


@pytest.mark.parametrize(
    ("fields", "hint"),
    [
        ({"date": "May"}, "a date like"),
        ({"url": "javascript:alert(1)"}, "https://"),
        ({"arxiv": "soon"}, "2310.12340"),
        ({"doi": "none"}, "10.1000"),
        ({"topics": ["beavers"]}, "topics: otters"),
        ({"same_as": "00000000"}, "another paper"),
    ],
)
def test_values_that_mean_nothing_are_refused(
    root: Path, fields: dict[str, object], hint: str
) -> None:
    code, said = fix(root, block(id=paper_of(root, OTTERS), **fields))
    assert code == 1
    assert hint in said
    assert not (root / "content/papers").exists()


def test_an_unknown_paper_is_told_with_the_likeliest(root: Path) -> None:
    paper = paper_of(root, OTTERS)
    wrong = paper[:-1] + ("0" if paper[-1] != "0" else "1")
    code, said = fix(root, block(id=wrong, pick=True))
    assert code == 1
    assert f"did you mean {paper}?" in said


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Please fix the title.", "fix-none"),
        ("```python\n{}\n```", "fix-none"),
        ("```json\n{'id': 1}\n```", "fix-syntax"),
        ("```json\n[1]\n```", "fix-syntax"),
        ("```json\n" + "[" * 100_000 + "\n```", "fix-syntax"),
        ('```json\n{"id": "0123abcd", "titel": "x"}\n```', "fix-key"),
        ('```json\n{"id": "0123abcd", "title": "x", "title": "y"}\n```', "fix-twice"),
        ('```json\n{"id": "0123abcd", "title": ["x"]}\n```', "fix-value"),
        ('```json\n{"id": "0123abcd", "title": "x\\ny"}\n```', "fix-value"),
        ('```json\n{"id": "0123abcd", "tags": [["x"]]}\n```', "fix-value"),
        ('```json\n{"id": "0123abcd", "pick": "yes"}\n```', "fix-value"),
        ('```json\n{"id": "../../x", "pick": true}\n```', "fix-id"),
        ('```json\n{"pick": true}', "fix-id"),
    ],
)
def test_blocks_are_read_to_the_letter(text: str, code: str) -> None:
    blocks, problems = read_blocks(text, "issue.txt")
    assert blocks == ()
    assert [problem.code for problem in problems] == [code]


def test_a_fault_does_not_stop_the_other_blocks() -> None:
    text = block(id="0123abcd", titel="x") + block(id="0123abce", title="Otters", tags=[], date="")
    blocks, problems = read_blocks(text, "issue.txt")
    assert [dict(each.fields) for each in blocks] == [{"title": "Otters"}]
    assert "did you mean title?" in problems[0].hint
    assert (problems[0].location.line, blocks[0].line) == (2, 10)


values = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=40)


@given(values, st.lists(values, max_size=4))
def test_what_is_written_is_read_again(title: str, tags: list[str]) -> None:
    text = write_block({"id": "0123abcd", "title": title, "tags": tags})
    (found,), problems = read_blocks(text, "x")
    assert problems == ()
    assert found.fields.get("title", "") == title
    assert found.fields.get("tags", ()) == tuple(tag for tag in tags if tag)
