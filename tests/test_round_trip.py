"""What the digest exports comes in again as it went out."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from sitegen.records import Abstract
from sitegen.sources import read_text

from .cases import Read, build, papers, project

ROOT = Path(__file__).parent.parent
SICI = "10.5555/(SICI)12(2031)1:2<3::AID-X4>3.0.CO;2-#"
SOURCE = r"""
@article{a, title={Kelp \& otters at 50\% of {\$}3_000: \{a\} \#1 C++}, year=2031, month=may,
  author={van der Meer, Ann and {Tide and Mud Survey Group} and Okoro, Jr., Sam and {ACME} and
  others}, journal={J. Mud Res. \& Tides}, keywords={Mud \& tides; Models, Statistical}, doi={DOI},
  abstract={We weigh $x_i$ of it.}}
@misc{b, title={=Cells that begin like a formula}, author={Ito, Ken}, eprint={math/0309136},
  archiveprefix={arXiv}, year=2003, abstract={Mud is weighed in {M{\"u}nchen}, "wet"; at night.}}
@misc{c, title={静かな湖の採水方法}, author={伊藤, 健}, year=2031, keywords={1,2-ethanediol, 湖}, url={https://lake.example/1}}
""".replace("DOI", SICI.replace("#", r"\#"))
NOTE = (
    "Daily Papers\n\nA paper without a title weighs mud under water and corrects for its pores.\n"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = project(tmp_path_factory.mktemp("trip"), a__bib=SOURCE, b__txt=NOTE)
    build(root, "--base-url", "https://digest.example/reading/")
    return root


def key(meta: Any) -> tuple[object, ...]:
    return (meta.title, meta.authors, meta.et_al, meta.date, meta.arxiv, meta.doi, meta.venue)


def sent(root: Path) -> dict[str, Abstract]:
    """Return what went out, by title."""
    groups = Read(root).grouping.groups
    return {
        group.main.title.text: group.main.abstract
        for group in groups
        if group.main.title is not None
    }


def names(meta: Any) -> list[str]:
    return [author.name for author in meta.authors]


def test_bibtex_comes_in_again(built: Path) -> None:
    text = (built / "public/data/papers.bib").read_text(encoding="utf-8")
    back = read_text(text, "papers.bib")
    assert [problem.code for problem in back.problems] == ["source-record-empty"]  # no title
    wanted = sent(built)
    project(built / "again", papers__bib=text)
    again = sent(built / "again")
    assert set(again) == set(wanted)
    for title, abstract in wanted.items():
        one, two = abstract.metadata, again[title].metadata
        assert (two.et_al, two.date, two.arxiv, two.doi, two.venue, two.keywords) == (
            one.et_al, one.date, one.arxiv, one.doi, one.venue, one.keywords or two.keywords,
        )  # fmt: skip
        assert two.authors == one.authors


def test_data_comes_in_again(built: Path) -> None:
    text = (built / "public/data/papers.jsonl").read_text(encoding="utf-8")
    back = read_text(text, "papers.jsonl")
    assert back.problems == ()
    out = {paper["abstract"]: paper for paper in papers(built)}
    assert len(back.found) == len(out) == 4
    for found in back.found:
        wanted = next(
            paper
            for paper in out.values()
            if found.text in {paper["abstract"], paper["abstract_source"]}
        )
        title = wanted["title"] if wanted["title_source"] == "source" else ""
        meta = found.metadata
        assert (meta.title, names(meta)) == (title, wanted["authors"] or [])
        assert (meta.date or None, meta.arxiv or None, meta.doi or None) == (
            wanted["date"], wanted["arxiv"], wanted["doi"],
        )  # fmt: skip
        assert meta.url == ""
        assert (list(meta.keywords) or None) == wanted["keywords"]


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node.js")
@pytest.mark.parametrize("form", ["ris", "csl"])
def test_what_the_reader_downloads_comes_in_again(built: Path, form: str, tmp_path: Path) -> None:
    shutil.copy(ROOT / "sitegen/assets/cite.js", tmp_path / "cite.mjs")
    bib = (built / "public/data/papers.bib").read_text(encoding="utf-8")
    script = (
        "import {convert} from './cite.mjs'; import fs from 'node:fs';"
        f"console.log(convert(fs.readFileSync(0, 'utf8'), '{form}').text)"
    )
    ran = subprocess.run(
        ["node", "--input-type=module", "-e", script],
        input=bib, capture_output=True, text=True, cwd=tmp_path, check=True, encoding="utf-8",
    )  # fmt: skip
    back = read_text(ran.stdout.replace("\r\n", "\n"), f"a.{form}")
    found = {one.metadata.title: one.metadata for one in back.found}
    wanted = sent(built)
    assert set(found) == set(wanted)
    for title, abstract in wanted.items():
        one, two = abstract.metadata, found[title]
        assert (two.arxiv, two.doi) == (one.arxiv, one.doi)
        assert names(two) == names(one)
        assert two.date == (one.date if form == "csl" else one.date[:4])
        assert two.venue == one.venue
        assert two.keywords == (one.keywords or two.keywords)  # else the digest's tags
