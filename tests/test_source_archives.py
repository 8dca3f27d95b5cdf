"""ZIP and gzip: read like the files within, and within bounds."""

from __future__ import annotations

import gzip
import io
import struct
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.config import SourceSpec
from sitegen.diagnostics import Problem, Severity
from sitegen.records import Abstract, SourceCount
from sitegen.sources import containers, read_sources
from tests.test_source_samples import SAMPLES

BIB = (SAMPLES / "references.bib").read_bytes()
NOTE = (SAMPLES / "note.md").read_bytes()


def read(
    root: Path, data: bytes, name: str
) -> tuple[tuple[Abstract, ...], tuple[Problem, ...], SourceCount]:
    (root / "seeds").mkdir(exist_ok=True)
    (root / "seeds" / name).write_bytes(data)
    abstracts, problems, (count,) = read_sources(root, [SourceSpec(pattern=f"seeds/{name}")])
    assert count.kept == len(abstracts)
    assert count.read == count.kept + count.reported
    return abstracts, problems, count


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def test_a_gzipped_file_is_the_file(tmp_path: Path) -> None:
    plain, _, _ = read(tmp_path, BIB, "refs.bib")
    packed, problems, count = read(tmp_path, gzip.compress(BIB, mtime=0), "refs.bib.gz")
    assert [one.metadata for one in packed] == [one.metadata for one in plain]
    assert [one.place.line for one in packed] == [one.place.line for one in plain]
    assert {one.place.edition for one in packed} == {"refs"}
    assert {problem.location.path for problem in problems} == {"seeds/refs.bib.gz"}
    assert count.reported == 3


def test_two_gzip_streams_in_a_row_are_one_file(tmp_path: Path) -> None:
    half = len(BIB) // 2
    data = gzip.compress(BIB[:half]) + gzip.compress(BIB[half:])
    assert len(read(tmp_path, data, "refs.bib.gz")[0]) == 5


def test_i2_a_gzip_that_breaks_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    data = gzip.compress(BIB * 3)
    abstracts, problems, _ = read(tmp_path, data[: len(data) * 3 // 4], "refs.bib.gz")
    assert abstracts
    assert any(problem.code == "source-archive" for problem in problems)


def test_a_zip_is_all_of_its_files(tmp_path: Path) -> None:
    files = {
        "export/b.bib": BIB,
        "export/a.md": NOTE,
        "export/README.md": b"How this was made.\n",
        "__MACOSX/export/._a.md": b"\x00\x05\x16\x07",
        "export/figure.png": b"\x89PNG\r\n\x1a\n",
        "export/c.jsonl.gz": gzip.compress((SAMPLES / "arxiv-snapshot.jsonl").read_bytes()),
    }
    abstracts, problems, count = read(tmp_path, zipped(files), "export.zip")
    assert [one.place.position for one in abstracts] == [*range(1, 10)]
    assert {one.place.file for one in abstracts} == {"seeds/export.zip"}
    assert {one.place.edition for one in abstracts} == {"export"}
    assert abstracts[0].metadata.title == "no"
    assert count.reported == 3 + 3 + 2
    broken = next(problem for problem in problems if problem.code == "source-malformed")
    assert str(broken.location) == "seeds/export.zip/export/b.bib:19"
    assert all(problem.severity is not Severity.ERROR for problem in problems)


def test_an_archive_without_any_paper_is_an_error(tmp_path: Path) -> None:
    for data in (zipped({"a.png": b"\x89PNG\r\n\x1a\n"}), zipped({}), gzip.compress(b"")):
        abstracts, problems, _ = read(tmp_path, data, "a.zip")
        assert abstracts == ()
        assert problems[-1].severity is Severity.ERROR


def test_an_office_document_is_no_archive_of_sources(tmp_path: Path) -> None:
    data = zipped({"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<w/>"})
    _, problems, _ = read(tmp_path, data, "a.docx")
    assert [problem.code for problem in problems] == ["source-archive"]


@pytest.mark.parametrize("kind", ["gzip", "zip", "many"])
def test_a_bomb_is_refused_in_little_memory(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(containers, "LARGEST", 1 << 20)
    large = b"\n" * (3 << 20)
    data = {
        "gzip": gzip.compress(large),
        "zip": zipped({"a.txt": large}),
        "many": zipped({f"{number}.txt": large[: 1 << 18] for number in range(20)}),
    }[kind]
    abstracts, problems, _ = read(tmp_path, data, "a.zip")
    assert abstracts == ()
    assert any("unpacks to more than 1 MB" in problem.text for problem in problems)


def test_a_snapshot_of_gigabytes_is_refused_unread_and_the_way_out_named(tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    with (tmp_path / "seeds/arxiv.json").open("wb") as file:
        file.write(b'{"id":"0704.0001","categories":"hep-ph","title":"Mud","abstract":"Old."}\n')
        file.truncate(5 << 30)
    tracemalloc.start()
    abstracts, problems, _ = read_sources(tmp_path, [SourceSpec(pattern="seeds/*")])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert abstracts == ()
    assert [problem.code for problem in problems] == ["source-too-large"]
    assert "sitegen enrich FILE" in problems[0].hint
    assert peak < 1 << 20


def test_what_a_directory_says_of_sizes_is_not_trusted(tmp_path: Path) -> None:
    data = bytearray(zipped({"a.bib": BIB}))
    at = data.rfind(b"PK\x01\x02")
    struct.pack_into("<I", data, at + 24, 10)  # the size unpacked
    _, problems, count = read(tmp_path, bytes(data), "a.zip")
    assert problems
    assert count.read >= 1


def test_archives_within_archives_and_locked_ones_are_reported(tmp_path: Path) -> None:
    inner = zipped({"a.bib": BIB})
    data = bytearray(zipped({"b.bib": BIB, "a.zip": inner}, zipfile.ZIP_STORED))
    abstracts, problems, count = read(tmp_path, bytes(data), "outer.zip")
    assert len(abstracts) == 5
    assert count.reported == 4
    assert any("archive within an archive" in problem.text for problem in problems)
    locked = bytearray(zipped({"a.bib": BIB}))
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.find(mark) + flags] |= 1
    _, problems, count = read(tmp_path, bytes(locked), "locked.zip")
    assert any("password" in problem.text for problem in problems)
    assert count.reported == 1


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, 1 << 16), flip=st.integers(1, 255), cut=st.integers(0, 1 << 16))
def test_damaged_archives_never_crash(at: int, flip: int, cut: int) -> None:
    whole = zipped({"a.bib": BIB, "b.md": NOTE})
    damaged = bytearray(whole)
    damaged[at % len(whole)] ^= flip
    for data in (bytes(damaged), whole[: 4 + cut % len(whole)]):
        if containers.is_container(data):
            assert list(containers.unpack(data, "a.zip"))
