"""Tables kept from build to build: whole, or as good as absent."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sitegen.array_cache import load, save

TABLE = {
    "whole": np.arange(12, dtype=np.int32).reshape(3, 4),
    "none": np.zeros((0, 2), np.float64),
    "yes": np.array([True, False]),
    "words": ("kelp", "", "Stra\u00dfe \U0001f40c", "lone \ud800", "two\nlines"),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cache" / "table.bin"
    assert save(path, "code 1", TABLE)
    return path


def test_what_was_kept_comes_back(file: Path) -> None:
    table = load(file, "code 1")
    assert list(table) == list(TABLE)
    assert table["words"] == TABLE["words"]
    for name in ("whole", "none", "yes"):
        assert table[name].dtype == TABLE[name].dtype  # type: ignore[attr-defined]
        assert np.array_equal(table[name], TABLE[name])


def test_another_setting_or_no_file_is_nothing(file: Path) -> None:
    assert load(file, "code 2") == {}
    assert load(file.with_name("other"), "code 1") == {}


def test_any_changed_or_missing_byte_is_noticed(file: Path) -> None:
    data = file.read_bytes()
    for at in range(len(data)):
        file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert load(file, "code 1") == {}
        file.write_bytes(data[:at])
        assert load(file, "code 1") == {}


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not save(tmp_path / "file" / "table.bin", "code", TABLE)
