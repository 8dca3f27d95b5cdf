"""The data files, field by field."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.array_cache import Table
from sitegen.citations import Citation, bibtex
from sitegen.exports import Former, Lines, data_files, lines
from sitegen.pages import SiteInput, build_site
from sitegen.views import Record, Series
from tests.synthetic import digest, identifier, rich_digest

FIELDS = {
    "id", "url", "title", "title_source", "names", "abstract", "abstract_source", "tags", "topics",
    "related", "sources", "merged", "links", "authors", "date", "arxiv", "doi", "keywords",
}  # fmt: skip


def files_of(inputs: SiteInput) -> dict[str, str]:
    site, _ = build_site(inputs)
    return {file.path: file.data.decode() for file in data_files(site)}


def papers_of(inputs: SiteInput) -> list[dict[str, object]]:
    return [json.loads(line) for line in files_of(inputs)["data/papers.jsonl"].splitlines()]


def test_papers_jsonl_has_the_promised_fields():
    papers = papers_of(rich_digest())
    assert [paper["id"] for paper in papers] == sorted(paper["id"] for paper in papers)
    for paper in papers:
        assert set(paper) == FIELDS
        assert set(paper["tags"][0]) == {"name", "slug", "score", "page"}
        assert set(paper["sources"][0]) == {"file", "position", "line", "edition", "date"}
    first = papers[0]
    assert first["url"] == f"https://lab.example/reading/papers/{identifier(1)}/"
    assert first["authors"] is first["date"] is first["arxiv"] is first["doi"] is None
    assert first["related"] == [{"id": identifier(2), "score": 0.7, "why": ["low-cost flux"]}]


def test_every_text_and_place_is_in_the_data():
    third = next(p for p in papers_of(rich_digest()) if p["id"] == identifier(3))
    assert [(s["edition"], s["position"]) for s in third["sources"]] == [
        ("spring", 3), ("autumn", 1), ("autumn", 2),
    ]  # fmt: skip
    assert third["merged"] == [
        {"kind": "near", "score": 0.97, "abstract_source": "Nearly & the same."}
    ]
    assert "1.85times" in third["abstract_source"]
    assert "1.85×" in third["abstract"]


def test_csv_is_read_back_whole():
    rows = list(csv.DictReader(io.StringIO(files_of(rich_digest())["data/papers.csv"])))
    papers = papers_of(rich_digest())
    assert [row["id"] for row in rows] == [paper["id"] for paper in papers]
    assert [row["title"] for row in rows] == [paper["title"] for paper in papers]
    assert "abstract" not in rows[0]  # papers.jsonl has them


def test_topics_json_lists_papers_by_topic():
    topics = json.loads(files_of(rich_digest())["data/topics.json"])
    by_slug = {topic["slug"]: topic for topic in topics}
    assert by_slug["otters"]["parent"] == "water"
    assert by_slug["water"]["parent"] is None
    assert identifier(1) in by_slug["water"]["papers"]


def test_bibliography_titles_only_what_has_a_title():
    text = files_of(rich_digest())["data/papers.bib"]
    derived = text.split(f"@misc{{sitegen-{identifier(10)},")[1].split("\n}")[0]
    assert "title =" not in derived
    assert "note = {Abstract without title" in derived
    real = text.split(f"sitegen-{identifier(2)},")[1].split("\n}")[0]
    assert "title = {{Counting otters by ear}}" in real
    assert "author = {Kvæle, Øydis and Leo De Santis}" in real
    assert "eprint = {3105.12340}" in real


def test_bibtex_escapes_what_tex_would_read():
    entry = bibtex(
        Citation(
            id="x", url="https://h/p/x/", title="50 % of {A} & B_1 \\ C", authors=("Tide and Mud",)
        )
    )
    assert r"50 \% of \{A\} \& B\_1 \textbackslash{} C" in entry
    assert "author = {{Tide and Mud}}" in entry
    assert entry.count("{") == entry.count("}")


def test_large_bibliographies_are_split(monkeypatch):
    monkeypatch.setattr(lines, "BIB_BYTES", 2000)
    files = files_of(digest(12))
    parts = [name for name in files if re.fullmatch(r"data/.*\.bib", name)]
    assert parts[:2] == ["data/papers.bib", "data/papers-2.bib"]
    assert sum(files[name].count("@misc{") for name in parts) == 12
    assert max(len(files[name]) for name in parts) <= 2000


def test_bibtex_stays_whole_whatever_stands_in_it():
    entry = bibtex(
        Citation(
            id="x", url="https://lab.example/", title="A } and { of {b}", keywords=("}{",),
            authors=("Meer, Ann, of, many, commas", "Sam"),
        )
    )  # fmt: skip
    fields = entry.replace(r"\textbraceleft{}", "").replace(r"\textbraceright{}", "")
    assert fields.count("{") == fields.count("}")
    assert (
        r"A \textbraceright{} and \textbraceleft{} of \textbraceleft{}b\textbraceright{}" in entry
    )
    assert "author = {{Meer, Ann, of, many, commas} and Sam}," in entry


# ---- lines of former files -----------------------------------------------------------------------
class Shelf:
    """Files of an earlier build and the table of their lines, as `kept` has them on disk."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.table: dict[str, np.ndarray] = {}
        self.made = 0

    def build(self, inputs: SiteInput) -> dict[str, bytes]:
        """Make the files from those of the last call."""
        site, _ = build_site(inputs)

        def save(table: Table) -> None:
            self.table = dict(table)  # type: ignore[arg-type]

        def make(at: int) -> Record:
            self.made += 1
            return site.records.make(at)

        former = Former(table=self.table, read=lambda name: self.files.get(name, b""), save=save)
        records = Series(site.records.keys, make)
        mine = Lines(records, site.info.base_url, site.weights, former)
        self.files = {name: mine.file(name) for name in mine.names}
        return self.files | {"version": mine.version().encode()}


numbers = st.lists(st.integers(0, 11), unique=True).map(sorted)


def some(chosen: list[int], changed: list[int]) -> SiteInput:
    """Return a digest with some of twelve papers, some of them with another title."""
    whole = digest(12)
    namings = [
        replace(one, title="Otters, {again}") if at in changed else one
        for at, one in enumerate(whole.namings)
    ]
    rows = ("papers", "taggings", "topic_choices", "relations")
    return replace(
        whole,
        namings=tuple(namings[at] for at in chosen),
        **{name: tuple(getattr(whole, name)[at] for at in chosen) for name in rows},
    )


@given(numbers, numbers, numbers, numbers)
def test_lines_of_former_files_make_the_same_files(
    before: list[int], changed: list[int], after: list[int], later: list[int]
) -> None:
    shelf = Shelf()
    shelf.build(some(before, changed))
    assert shelf.build(some(after, later)) == Shelf().build(some(after, later))


def test_only_new_lines_are_made() -> None:
    shelf = Shelf()
    shelf.build(digest(8, relations=((),) * 8))
    shelf.made = 0
    shelf.build(digest(9, relations=((),) * 9))
    assert shelf.made == 1


@pytest.mark.parametrize("name", ["papers.jsonl", "papers.csv", "papers.bib"])
def test_lines_of_a_changed_file_are_not_taken(name: str) -> None:
    shelf = Shelf()
    whole = shelf.build(digest(8))
    shelf.files[name] = shelf.files[name].replace(b"otter", b"0tter").replace(b"Kelp", b"Help")
    assert shelf.build(digest(8)) == whole
