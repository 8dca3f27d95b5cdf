"""Public bug reports about search, publishing and size; each test bears its case's name."""

from __future__ import annotations

import json
import stat
import time
from pathlib import Path
from urllib.parse import quote

import pytest
import yaml
from playwright.sync_api import Browser, expect

from sitegen import sources
from sitegen.build import read_digest
from sitegen.diagnostics import SitegenError
from sitegen.digest import BuildOptions
from sitegen.memory import Memory
from sitegen.progress import Progress
from sitegen.search.pagefind import run_pagefind

from .conftest import ROOT, run_sitegen, serving
from .test_build import KELP, OTTERS, build, dump, hashes, project

WORKFLOWS = (
    ROOT / ".github/workflows/pages.yml",
    ROOT / "sitegen/starter/.github/workflows/pages.yml",
)
LAKE = "静かな湖の採水方法を示す。湖底の泥の重さを量り、四つの湖で比べた。誤差は二分に満たない。"


@pytest.mark.browser
def test_s6_a_noun_in_the_midst_of_a_sentence_is_found(tmp_path: Path, browser: Browser) -> None:
    root = project(tmp_path, may=dump(OTTERS, LAKE, KELP))
    build(root)
    lines = (root / "public/data/papers.jsonl").read_text(encoding="utf-8").splitlines()
    (paper,) = [p["id"] for p in map(json.loads, lines) if p["abstract_source"] == LAKE]
    with serving(root / "public", "/digest/") as url:
        context = browser.new_context(service_workers="block")
        page = context.new_page()
        for word in ("湖底", "採水方法"):
            page.goto(f"{url}search/?q={word}")
            first = page.locator("[data-results] a").first
            expect(first).to_have_attribute("href", f"/digest/papers/{paper}/?q={quote(word)}")
        context.close()


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=["own", "starter"])
def test_p4_one_deployment_at_a_time_and_none_cancelled(workflow: Path) -> None:
    data = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    assert data["concurrency"] == {"group": "pages", "cancel-in-progress": False}
    assert data["permissions"] == {"contents": "read", "pages": "write", "id-token": "write"}
    steps = data["jobs"]["publish"]["steps"]
    assert any("--frozen" in step.get("run", "") for step in steps)
    used = " ".join(step.get("uses", "") for step in steps)
    assert "actions/upload-pages-artifact@" in used
    assert "actions/deploy-pages@" in used


def test_p4_a_site_tells_the_commit_it_was_made_from(tmp_path: Path) -> None:
    root = project(tmp_path, may=dump(OTTERS))
    build(root, "--no-search", GITHUB_SHA="0123abcd" * 5)
    assert (root / "public/data/commit.txt").read_text() == "0123abcd" * 5 + "\n"
    build(root, "--no-search")
    assert not (root / "public/data/commit.txt").exists()


def test_r1_equal_builds_are_equal_but_for_search_files(tmp_path: Path) -> None:
    trees = []
    for name in ("one", "two"):
        root = project(tmp_path / name, may=dump(OTTERS, KELP))
        build(root)
        assert (root / "public/pagefind/pagefind.js").is_file()
        trees.append(hashes(root / "public"))
    assert trees[0] == trees[1]
    assert "/public/*" in (ROOT / ".gitignore").read_text().splitlines()


def test_l1_a_search_index_that_does_not_fit_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed = tmp_path / "pagefind"
    killed.write_text("#!/bin/sh\nkill -9 $$\n")
    killed.chmod(killed.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr("pagefind_bin.get_executable", lambda: killed)
    with pytest.raises(SitegenError, match="memory") as raised:
        run_pagefind({"a/index.html": b"<html>"}, "en", engine=True)
    assert "--no-search" in raised.value.problems[0].hint


def test_l1_a_site_publishes_without_search(tmp_path: Path) -> None:
    root = project(tmp_path, may=dump(OTTERS, KELP))
    result = run_sitegen("build", "--no-search", cwd=root)
    assert result.returncode == 0
    assert (root / "public/index.html").is_file()
    assert not (root / "public/pagefind").exists()


def test_l2_a_bibliography_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = (
        "@article{{k{0}, title = {{Otter number {0}}}, year = 2031, abstract = {{{1} No. {0}.}}}}"
    )
    words = KELP.split()
    entries = [
        entry.format(at, " ".join([*words[at % 40 :], *words[: at % 40]])) for at in range(300)
    ]
    project(tmp_path)
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds/all.bib").write_text("\n".join(entries))
    parsed: list[str] = []
    read = sources._read_bytes

    def counted(data: bytes, name: str) -> sources.Reading:
        parsed.append(name)
        return read(data, name)

    monkeypatch.setattr(sources, "_read_bytes", counted)
    memory, options = Memory(), BuildOptions(root=tmp_path)
    times = []
    for turn in range(10):
        (tmp_path / "content").mkdir(exist_ok=True)
        (tmp_path / "content/index.md").write_text(f"Welcome, for the {turn}th time.\n")
        start = time.perf_counter()
        read_digest(options, Progress(), memory)
        times.append(time.perf_counter() - start)
    assert parsed == ["seeds/all.bib"]
    assert times[-1] <= times[0]
