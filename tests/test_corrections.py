"""What the curator writes of a paper goes before what its sources say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sitegen.build import build_site, read_digest
from sitegen.diagnostics import SitegenError
from sitegen.digest import BuildOptions, Digest
from sitegen.progress import Progress

TEXT = (
    "We record river otters over two winters and find that their whistles differ between rivers. "
    "A classifier of whistle contours names the home river of an otter in most cases."
)
OTHER = (
    "Sediment cores from four fjords show that mud settles in layers of unequal age. We date them "
    "with lead isotopes and give a chronology of the last three hundred years of storms."
)


def start(root: Path) -> str:
    (root / "seeds").mkdir()
    (root / "content/papers").mkdir(parents=True)
    (root / "seeds/may.txt").write_text(f"Notes\n\n{TEXT}\n\n{OTHER}\n", "utf-8")
    return next(paper.id for paper in read(root).gathered.papers if paper.source_text == TEXT)


def read(root: Path) -> Digest:
    return read_digest(BuildOptions(root=root, search=False), Progress())


def correct(root: Path, paper: str, header: str) -> None:
    (root / f"content/papers/{paper}.md").write_text(f"---\n{header}\n---\n", "utf-8")


def test_a_correction_overrides_what_is_shown_and_exported(tmp_path: Path) -> None:
    paper = start(tmp_path)
    correct(
        tmp_path,
        paper,
        'title: Otters whistle in $n^2$ dialects\nauthors: ["Meer, Ann van der", Sam Okoro]\n'
        "date: 2031-05\narxiv: arXiv:9912.01234v2\ndoi: https://doi.org/10.1000/otter.1\n"
        "url: https://lab.example/otters",
    )
    build_site(BuildOptions(root=tmp_path, search=False), Progress())
    lines = (tmp_path / "public/data/papers.jsonl").read_text("utf-8").splitlines()
    record = next(data for data in map(json.loads, lines) if data["id"] == paper)
    assert record["title"] == "Otters whistle in n² dialects"
    assert record["title_source"] == "curated"
    assert record["authors"] == ["Ann van der Meer", "Sam Okoro"]
    assert (record["date"], record["arxiv"], record["doi"]) == (
        "2031-05",
        "9912.01234",
        "10.1000/otter.1",
    )
    page = (tmp_path / f"public/papers/{paper}/index.html").read_text("utf-8")
    assert "https://arxiv.org/abs/9912.01234" in page
    assert "https://lab.example/otters" in page
    assert 'name="citation_title"' in page


@pytest.mark.parametrize("header", ["arxiv: soon", "doi: 12/34"])
def test_what_is_no_identifier_is_said_and_not_used(tmp_path: Path, header: str) -> None:
    paper = start(tmp_path)
    correct(tmp_path, paper, header)
    digest = read(tmp_path)
    assert [problem.code for problem in digest.problems] == ["content-value"]
    assert digest.problems[0].location.path == f"content/papers/{paper}.md"
    assert digest.blocked


def test_a_misspelt_id_is_told_with_the_likeliest_one(tmp_path: Path) -> None:
    paper = start(tmp_path)
    wrong = paper[:-1] + ("0" if paper[-1] != "0" else "1")
    correct(tmp_path, wrong, "pick: true")
    (problem,) = read(tmp_path).problems
    assert problem.code == "paper-unknown"
    assert f"did you mean {paper}?" in problem.hint


def test_same_as_nothing_is_an_error(tmp_path: Path) -> None:
    paper = start(tmp_path)
    correct(tmp_path, paper, "same_as: 00000000")
    (problem,) = read(tmp_path).problems
    assert (problem.code, str(problem.severity)) == ("paper-unknown", "error")


def test_a_correction_of_a_merged_paper_names_the_one_it_went_into(tmp_path: Path) -> None:
    paper = start(tmp_path)
    other = next(each.id for each in read(tmp_path).gathered.papers if each.id != paper)
    build_site(BuildOptions(root=tmp_path, search=False), Progress())
    marks = [entry.fingerprint for entry in read(tmp_path).registry.of_kind("paper")]
    (tmp_path / "content/decisions.toml").write_text(
        f'[[pair]]\nanswer = "same"\nleft = "{marks[0]}"\nright = "{marks[1]}"\n', "utf-8"
    )
    for name in (paper, other):
        correct(tmp_path, name, "pick: true")
    moved = [problem for problem in read(tmp_path).problems if problem.code == "paper-moved"]
    assert len(moved) == 1


def test_a_paper_cannot_lead_to_itself(tmp_path: Path) -> None:
    paper = start(tmp_path)
    correct(tmp_path, paper, f"same_as: {paper}")
    (problem,) = [one for one in read(tmp_path).problems if one.code == "paper-unknown"]
    assert str(problem).startswith(f"content/papers/{paper}.md:2: error: same_as: a paper cannot")


def test_an_answer_about_texts_that_never_were_is_told(tmp_path: Path) -> None:
    paper = start(tmp_path)
    pair = (
        '\n[[pair]]\nanswer = "same"\nleft = "{}"\nright = "zzzzzzzzzzzzzzzz"\nleft_paper = "{}"\n'
    )
    (tmp_path / "content/decisions.toml").write_text(pair.format("yyyyyyyyyyyyyyyy", paper))
    (problem,) = [one for one in read(tmp_path).problems if one.code == "decision-unknown"]
    assert "decisions.toml:2: warning: no text is called 'zzzzzzzzzzzzzzzz'" in str(problem)


def test_an_edition_that_no_source_makes_is_told(tmp_path: Path) -> None:
    start(tmp_path)
    (seed,) = (tmp_path / "seeds").iterdir()
    folder = tmp_path / "content/editions"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{seed.stem}x.md").write_text("---\ntitle: May\n---\n")
    (problem,) = [one for one in read(tmp_path).problems if one.code == "edition-unknown"]
    assert problem.hint == f"did you mean {seed.stem}?"


def test_a_folder_without_a_digest_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(SitegenError, match="no digest here"):
        read(tmp_path)
