"""Readings of files that are kept are what a fresh reading gives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sitegen import sources
from sitegen.config import SourceSpec
from sitegen.sources import read_file, read_sources
from sitegen.sources.shelf import Shelf

SAMPLES = sorted((Path(__file__).parent / "samples").rglob("*.*"))
PAPERS = "\n".join(
    f'{{"title": "Kelp {n}", "abstract": "Eels eat kelp {n}, \u00e9.", "doi": "10.5555/{n}"}}'
    for n in range(9)
)


def test_every_sample_comes_back_as_it_was_read(tmp_path: Path) -> None:
    readings = {
        file.name: ("mark", replace(read_file(file.parent, file.name), problems=()))
        for file in SAMPLES
    }
    assert all(reading.found for _, reading in readings.values())
    Shelf(tmp_path).keep(readings, ())
    marks = dict.fromkeys(readings, "mark")
    assert Shelf(tmp_path).take(marks) == readings
    assert Shelf(tmp_path).take(dict.fromkeys(readings, "other")) == {}


def test_only_files_that_changed_are_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_KEPT", 10)
    parsed: list[str] = []
    read_text = sources.read_text

    def watched(text: str, name: str) -> object:
        parsed.append(name)
        return read_text(text, name)

    monkeypatch.setattr(sources, "read_text", watched)
    for name in ("a.jsonl", "b.jsonl", "c.txt"):
        (tmp_path / name).write_text("x" if name == "c.txt" else PAPERS)
    specs = [SourceSpec(pattern="*.*")]
    cache = tmp_path / "cache"
    first = read_sources(tmp_path, specs, cache=cache)
    assert parsed == ["a.jsonl", "b.jsonl", "c.txt"]
    (tmp_path / "b.jsonl").write_text(PAPERS.replace("Eels", "Crabs"))
    assert read_sources(tmp_path, specs, cache=cache)[0][:9] == first[0][:9]
    assert parsed[3:] == ["b.jsonl", "c.txt"]
    (file,) = cache.iterdir()
    file.write_bytes(file.read_bytes().replace(b"Kelp 3", b"Kelp 4", 1))
    assert read_sources(tmp_path, specs, cache=cache)[0][:9] == first[0][:9]
    assert "a.jsonl" in parsed[5:]
