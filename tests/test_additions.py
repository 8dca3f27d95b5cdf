"""Files are brought in by what they hold, under names that hurt nobody."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.workbench import MUD, OTTERS, WHISTLES, gathered, sitegen, start, write

BIB = """\
@article{otter, title = {Otters whistle}, author = {Meer, Ann van der}, year = 2031,
  abstract = {%s}}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return start(tmp_path / "digest", MUD)


def test_formats_are_told_by_content_not_by_name(root: Path, tmp_path: Path) -> None:
    (tmp_path / "My Export (2).dat").write_text(BIB % OTTERS, "utf-8")
    (tmp_path / "papers.txt").write_text(
        json.dumps([{"type": "article", "id": "w", "title": "Whistles", "abstract": WHISTLES}]),
        "utf-8",
    )
    files = [str(tmp_path / name) for name in ("My Export (2).dat", "papers.txt")]
    added = sitegen(root, "add", *files)
    assert added.exit_code == 0, added.output
    lines = added.output.splitlines()
    assert lines[0].endswith("My Export (2).dat: BibTeX, 1 paper; now seeds/my-export-2.txt")
    assert "CSL" in lines[1]
    assert {paper.source_text for paper in gathered(root).papers} == {OTTERS, WHISTLES, MUD}


def test_the_same_content_is_said_and_not_copied(root: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.txt"
    copy.write_bytes((root / "seeds/may.txt").read_bytes())
    added = sitegen(root, "add", str(copy), str(root / "seeds/may.txt"))
    assert added.exit_code == 0
    assert added.output.count("not copied, seeds/may.txt has the same content") == 2
    assert [file.name for file in (root / "seeds").iterdir()] == ["may.txt"]


def test_a_taken_name_gets_a_number(root: Path, tmp_path: Path) -> None:
    for number, text in enumerate((OTTERS, WHISTLES)):
        file = tmp_path / f"{number}" / "May.bib"
        file.parent.mkdir()
        file.write_text(BIB % text, "utf-8")
        assert sitegen(root, "add", str(file)).exit_code == 0
    names = sorted(file.name for file in (root / "seeds").iterdir())
    assert names == ["may-2.bib", "may-3.bib", "may.txt"]
    assert "source-edition-shared" not in {
        problem.code for problem in gathered(root).source_problems
    }


def test_packed_files_keep_their_endings(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "Week 3.bib.gz"
    file.write_bytes(gzip.compress((BIB % OTTERS).encode()))
    added = sitegen(root, "add", str(file))
    assert "BibTeX, 1 paper; now seeds/week-3.bib.gz" in added.output


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b'{"a": 1}', b""])
def test_what_no_reader_knows_is_refused(root: Path, tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "odd.txt"
    file.write_bytes(data)
    good = tmp_path / "good.bib"
    good.write_text(BIB % OTTERS, "utf-8")
    added = sitegen(root, "add", str(file), str(good))
    assert added.exit_code == 1
    assert "odd.txt: not added" in added.output
    assert "error" in added.output
    assert sorted(file.name for file in (root / "seeds").iterdir()) == ["good.bib", "may.txt"]


def test_a_file_that_the_settings_do_not_name_is_warned_of(root: Path, tmp_path: Path) -> None:
    write(root, "content/site.toml", '[[source]]\npath = "seeds/*.txt"\n')
    file = tmp_path / "good.bib"
    file.write_text(BIB % OTTERS, "utf-8")
    assert "add-unlisted" in sitegen(root, "add", str(file)).output
