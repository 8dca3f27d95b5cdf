"""The search index: what papers share a shard, what is indexed, what is kept."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.pages import build_site
from sitegen.records import LateFile, SiteFile
from sitegen.search import index_files
from sitegen.search.documents import EVERY, document
from sitegen.search.shards import split
from sitegen.views import SearchEntry

from .reading import reading_room
from .synthetic import identifier, rich_digest

dates = st.sampled_from(["", "2029", "2030-01", "2030-01-05", "2031-11-02"])
days = st.lists(st.tuples(st.integers(0, 10**6), dates), unique_by=lambda pair: pair[0])


def entry(number: int, date: str = "", text: str = "Mud.", **more: object) -> SearchEntry:
    made = SearchEntry(
        id=identifier(number), path=f"papers/{identifier(number)}/", title="Mud", text=text,
        names=(), words=str, topics=(), editions=(), code=False, date=date,
    )  # fmt: skip
    return replace(made, **more)


# ---- shards -------------------------------------------------------------------------------------
def test_few_papers_have_one_index_and_its_address():
    (shard,) = split([entry(number) for number in range(6)], most=6)
    assert (shard.name, len(shard.entries)) == ("", 6)


@given(days, st.integers(6, 30))
def test_every_paper_has_one_shard_and_dates_do_not_overlap(papers: list, most: int):
    entries = [entry(*pair) for pair in papers]
    shards = split(entries, most)
    assert shards == split(entries[::-1], most)
    held = [one for shard in reversed(shards) for one in shard.entries]
    assert sorted(held, key=lambda one: one.id) == sorted(entries, key=lambda one: one.id)
    assert [one.date for one in held] == sorted(one.date for one in entries)
    assert all(len(shard.entries) <= most for shard in shards)
    assert [shard.name for shard in shards].count("") == 1
    assert shards[0].name == ""
    assert all(shard.name == shard.entries[-1].id for shard in shards[1:])


@given(days, days, st.integers(6, 30))
def test_newer_papers_leave_sealed_shards_as_they_are(old: list, new: list, most: int):
    before = [entry(*pair) for pair in old]
    after = [entry(number + 2 * 10**6, f"2032-{date}") for number, date in new]
    sealed = {shard.name: shard for shard in split(before, most)[1:]}
    later = {shard.name: shard for shard in split([*before, *after], most)}
    assert sealed.items() <= later.items()


def test_an_old_paper_moves_few_borders():
    old = [entry(number, f"20{number // 1000:02}") for number in range(20_000)]
    before = {shard.name: shard for shard in split(old)}
    after = split([*old, entry(30_000, "2005")])
    assert len(after) >= 7
    assert 1 <= sum(before.get(shard.name) != shard for shard in after) <= 3


# ---- what is indexed ----------------------------------------------------------------------------
class Documents(HTMLParser):
    """Texts by their tag, filters and other attributes of a document."""

    def __init__(self, html: bytes) -> None:
        super().__init__()
        self.texts: list[tuple[str, str]] = []
        self.filters: list[str] = []
        self.tags: set[str] = set()
        self.body: dict[str, str | None] = {}
        self.feed(html.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._tag = tag
        self.body |= dict(attrs) if tag == "body" else {}
        self.filters += [str(value) for name, value in attrs if name == "data-pagefind-filter"]

    def handle_data(self, data: str) -> None:
        self.texts.append((self._tag, data))


def test_s1_s2_a_document_holds_what_is_searched_and_nothing_else():
    site, _ = build_site(rich_digest())
    assert [one.id for one in site.search] == [record.id for record in site.records]
    found = Documents(document(next(one for one in site.search if one.id == identifier(2))))
    assert ("h1", site.search[1].title) in found.texts
    assert {"topic:water", "edition:spring", "code:yes"} <= set(found.filters)
    before = " ".join(text for _, text in found.texts).partition(EVERY)[0]
    assert before.split() == f"{site.search[1].title} {site.search[1].text}".split()


def test_a_former_headline_other_spellings_and_authors_are_found():
    entries = {one.id: one for one in build_site(reading_room())[0].search}
    assert "Oydis Kvaele" in entries[identifier(4)].words()
    assert "E^2-Otter" in entries[identifier(5)].words()
    assert b"Oydis Kvaele" in document(entries[identifier(4)])


@given(st.text(), st.text())
def test_no_text_is_markup_of_a_document(text: str, title: str):
    hostile = f"{text}<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    one = entry(
        1, text=hostile, title=title + hostile, words=lambda: hostile, date='2031" onload="x'
    )
    found = Documents(document(one))
    assert found.tags <= {"html", "head", "meta", "body", "i", "h1", "p"}
    assert "onload" not in found.body


# ---- what is kept -------------------------------------------------------------------------------
def by_path(files: list[SiteFile]) -> dict[str, bytes]:
    return {file.path: file.data for file in files}


def indexed(cache: Path, numbers: range, jobs: int = 1) -> dict[str, bytes]:
    entries = [entry(n, f"20{n:02}", text=f"Mud of the year {n}.") for n in numbers]
    return by_path(list(index_files(entries, "en-GB", cache, jobs=jobs, most=6)))


def pagefind_runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    from sitegen.search import indexing

    runs: list[str] = []
    run = indexing.run_pagefind

    def counted(
        documents: dict[str, bytes], language: str, *, engine: bool, folder: Path
    ) -> dict[str, bytes]:
        runs.append(language)
        return run(documents, language, engine=engine, folder=folder)

    monkeypatch.setattr(indexing, "run_pagefind", counted)
    return runs


def test_only_shards_whose_papers_changed_are_indexed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    runs = pagefind_runs(monkeypatch)
    first = indexed(tmp_path, range(10, 30), jobs=2)
    plan = json.loads(first["pagefind/shards.json"])
    assert plan["papers"] == 20
    assert sum(shard["papers"] for shard in plan["shards"]) == 20
    assert len(runs) == len(plan["shards"]) == len(list(tmp_path.iterdir())) >= 4
    for shard in plan["shards"]:
        assert f"pagefind/{shard['path']}pagefind-entry.json" in first
        ids = rf"pagefind/{shard['path']}fragment/{shard['language']}_\w+\.pf_fragment"
        assert sum(bool(re.fullmatch(ids, path)) for path in first) == shard["papers"]
    assert sum(path.endswith("pagefind.js") for path in first) == 1

    runs.clear()
    assert indexed(tmp_path, range(10, 30)) == first
    assert runs == []
    later = indexed(tmp_path, range(10, 31))
    assert runs[0] == "en"
    assert len(runs) <= 2  # the newest one, and the one it may have left behind
    sealed = {path: data for path, data in first.items() if "/shards/" in path}
    assert sealed.items() <= later.items()


def test_a_damaged_shard_is_indexed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    runs = pagefind_runs(monkeypatch)
    indexed(tmp_path, range(10, 14))
    (kept,) = tmp_path.iterdir()
    whole = kept.read_bytes()
    for damaged in (whole[: len(whole) // 2], whole.replace(b"pagefind_dcd", b"x", 1), b""):
        altered = bytearray(damaged)
        altered[100:101] = b"?"
        kept.write_bytes(altered)
        runs.clear()
        files = indexed(tmp_path, range(10, 14))
        assert runs == ["en"]
        assert len([path for path in files if "fragment" in path]) == 4


def test_what_is_kept_need_not_be_read_to_know_that_it_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    entries = [entry(n, f"20{n:02}") for n in range(10, 14)]
    keys = []
    for again in (False, False, True):
        if again:  # other bytes under the same names
            for file in tmp_path.iterdir():
                file.unlink()
        runs = pagefind_runs(monkeypatch)
        files = list(index_files(entries, "en", tmp_path))
        assert bool(runs) == (again or not keys)
        late = [file for file in files if isinstance(file, LateFile)]
        assert len(late) == len(files) - 1
        keys.append({file.key() for file in late})
    assert keys[0] == keys[1]
    assert len(keys[0]) == len(keys[2]) == 1


def test_packs_of_earlier_versions_go(tmp_path: Path):
    (tmp_path / "0123.zip").write_bytes(b"PK")
    indexed(tmp_path, range(10, 14))
    assert {file.suffix for file in tmp_path.iterdir()} == {".pack"}


def test_without_a_place_to_keep_it_the_index_is_made_all_the_same(tmp_path: Path):
    cache = tmp_path / "file"
    cache.write_bytes(b"in the way")
    assert "pagefind/pagefind.js" in indexed(cache, range(10, 14))


def test_without_papers_there_is_a_plan_of_none(tmp_path: Path):
    files = by_path(list(index_files([], "en", tmp_path)))
    assert list(files) == ["pagefind/shards.json"]
    assert json.loads(files["pagefind/shards.json"])["papers"] == 0
