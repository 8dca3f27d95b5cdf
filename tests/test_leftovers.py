"""What a state folder gathers over time goes again: unused caches, and what killed runs left."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sitegen.atomic import clear_leftovers
from sitegen.line_cache import DAYS, SETTINGS, LineCache, forget_unused, path_of
from sitegen.search.pagefind import run_pagefind

from .workbench import OTTERS, WHISTLES, build, start

DAY = 86_400


def kept(folder: Path, kind: str, setting: str, *, days_ago: float = 0) -> Path:
    path = path_of(folder, kind, setting)
    LineCache(path).add({"a": 1})
    last = time.time() - days_ago * DAY
    os.utime(path, (last, last))
    return path


def use(path: Path) -> None:
    assert LineCache(path).read(["a"]) == {"a": 1}


def test_the_last_used_settings_of_a_kind_stay(tmp_path: Path) -> None:
    files = [kept(tmp_path, "keywords", str(n), days_ago=20 - n) for n in range(SETTINGS + 3)]
    others = [kept(tmp_path, "headlines", str(n), days_ago=9) for n in range(SETTINGS)]
    foreign = tmp_path / "notes.jsonl"
    foreign.touch()
    forget_unused(tmp_path)
    assert {path for path in files if path.exists()} == set(files[-SETTINGS:])
    assert all(path.exists() for path in [*others, foreign])


def test_who_goes_back_and_forth_loses_nothing(tmp_path: Path) -> None:
    """Two models in turn, each month, while the code changes eleven times in between."""
    models = [kept(tmp_path, "keywords", name) for name in ("static", "onnx")]
    for upgrade in range(11):
        for path in models:
            last = time.time() - 5 * DAY
            os.utime(path, (last, last))
        kept(tmp_path, "keywords", f"code {upgrade}", days_ago=DAYS + 1)
        use(models[upgrade % 2])
        forget_unused(tmp_path)
        assert sorted(tmp_path.iterdir()) == sorted(models)


def test_what_was_not_used_for_long_goes(tmp_path: Path) -> None:
    old = kept(tmp_path, "prints", "old", days_ago=DAYS + 1)
    young = kept(tmp_path, "prints", "young", days_ago=DAYS - 1)
    forget_unused(tmp_path)
    forget_unused(tmp_path / "nowhere")
    assert not old.exists()
    assert young.exists()


def test_a_build_forgets_what_nobody_uses(tmp_path: Path) -> None:
    root = start(tmp_path, OTTERS, WHISTLES)
    old = kept(root / ".sitegen/cache", "keywords", "old", days_ago=DAYS + 1)
    build(root)
    assert not old.exists()
    assert list((root / ".sitegen/cache").glob("keywords-*"))


def test_the_workshop_of_a_killed_index_is_cleared(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"],
        capture_output=True,
        text=True,
        check=True,
    )
    dead = tmp_path / f".pagefind-x.{ran.stdout.strip()}.tmp"
    alive = tmp_path / f".pagefind-y.{os.getpid()}.tmp"
    for folder in (dead, alive):
        (folder / "site/papers").mkdir(parents=True)
        (folder / "site/papers/index.html").touch()
    clear_leftovers(tmp_path)
    assert list(tmp_path.iterdir()) == [alive]


def test_pagefind_works_below_the_cache_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = {"papers/a/index.html": b"<html><body><main data-pagefind-body>Otters</main>"}
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(elsewhere))
    folder = tmp_path / "h\u00f6hle [x] {y}" / "search"
    files = run_pagefind(documents, "en", engine=False, folder=folder)
    assert any(name.startswith("fragment/") for name in files)
    assert list(folder.iterdir()) == list(elsewhere.iterdir()) == []
    (tmp_path / "file").touch()
    assert run_pagefind(documents, "en", engine=False, folder=tmp_path / "file" / "x") == files
