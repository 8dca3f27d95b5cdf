"""Prints kept from earlier builds are those of the texts, whatever became of the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from sitegen import prints, row_cache
from sitegen.prints import read_prints
from sitegen.records import Abstract, Metadata, Place
from sitegen.repair import restore
from sitegen.row_cache import Row, RowCache
from sitegen.shingles import Print, Prints, distinct_shingles, fingerprint, runs
from sitegen.workers import ALONE

PLACE = Place(file="seeds/a.txt", position=1, line=1, edition="a")
COUNT = 300


def records(count: int = COUNT) -> list[Abstract]:
    return [
        Abstract(
            place=PLACE,
            text=f"Otter {at} has $n_{at}$ whistles \ud800.",
            metadata=Metadata(title=f"Of otter {at}"),
        )
        for at in range(count)
    ]


def read(folder: Path, count: int = COUNT) -> Prints:
    found = Prints()
    read_prints(found, map(restore, records(count)), folder=folder, workers=ALONE)
    return found


def same(one: Prints, two: Prints) -> bool:
    return one.keys() == two.keys() and all(
        one[text].digest == two[text].digest and np.array_equal(one[text].words, two[text].words)
        for text in one
    )


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts that prints were made of since."""
    texts: list[str] = []
    whole = Prints.__missing__

    def told(self: Prints, text: str) -> Print:
        texts.append(text)
        return whole(self, text)

    monkeypatch.setattr(Prints, "__missing__", told)
    return texts


def file_in(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_texts_are_read_once(tmp_path: Path, made: list[str]) -> None:
    first = read(tmp_path)
    assert len(made) == len(first) == 3 * COUNT
    made.clear()
    assert same(read(tmp_path), first)
    assert made == []
    more = read(tmp_path, COUNT + 1)
    assert len(made) == 3
    assert {text: more[text].digest for text in first} == {
        text: one.digest for text, one in first.items()
    }


def test_what_a_digest_has_no_more_is_forgotten(tmp_path: Path) -> None:
    found = read(tmp_path)
    read_prints(found, map(restore, records(5)), folder=tmp_path, workers=ALONE)
    assert len(found) == 15


@pytest.mark.parametrize(
    "hurt",
    [
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: b"\x00" * 40,
        lambda data: data[:9000] + bytes([data[9000] ^ 1]) + data[9001:],
        lambda data: data[:8] + b"\xff" * 16 + data[24:],
        lambda data: data + b"sgrows01",
    ],
)
def test_damage_costs_only_time(
    hurt: Callable[[bytes], bytes], tmp_path: Path, made: list[str]
) -> None:
    first = read(tmp_path)
    file = file_in(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(hurt(whole))
    assert same(read(tmp_path), first)
    made.clear()
    assert same(read(tmp_path, COUNT + 1), read(tmp_path, COUNT + 1))
    assert len(made) == 3  # all others were mended in the file


def test_other_code_reads_nothing(
    tmp_path: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read(tmp_path)
    made.clear()
    monkeypatch.setattr(prints, "code_hash", lambda *names: "another")
    read(tmp_path)
    assert len(made) == 3 * COUNT


def row(number: int) -> dict[bytes, Row]:
    return {
        bytes([number]) * row_cache.KEY: ("a" * 52, np.arange(number % 9, dtype=np.uint64)),
    }


def test_blocks_are_put_together_and_unused_rows_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_cache, "SPARE", 0)
    path = tmp_path / "rows"
    for number in range(100):
        RowCache(path).add(row(number))
    every = {key: value for number in range(100) for key, value in row(number).items()}
    cache = RowCache(path)
    assert cache.read(every).keys() == every.keys()
    assert cache.tidy()
    assert not cache.tidy()
    few = dict(list(every.items())[:10])
    cache = RowCache(path)
    cache.read(few)
    assert cache.tidy()
    assert RowCache(path).read(every).keys() == few.keys()


def test_a_folder_that_cannot_be_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    cache = RowCache(tmp_path / "file" / "rows")
    assert cache.read(row(1)) == {}
    assert not cache.add(row(1))
    assert not RowCache(None).add(row(1))


def test_a_print_says_what_its_text_does() -> None:
    found = Prints()["Otters whistle at night, otters whistle at day."]
    assert found.mark == fingerprint("otters whistle at night otters whistle at day")
    shingles = distinct_shingles(found.words)
    assert shingles.tolist() == sorted(set(runs(found.words, 3).tolist()))
    assert len(shingles) == 5
