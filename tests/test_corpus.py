"""The generator of papers for measuring: the same, distinct, and with its share of near copies."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from bench.corpus import COPIES, Invented, invent, papers, write_digest
from bench.hugo import write_markdown
from sitegen.shingles import words

SIZE = 400


@pytest.fixture(scope="module")
def invented() -> tuple[Invented, ...]:
    return tuple(papers(SIZE, 20))


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def test_a_number_always_gives_the_same_paper(invented: tuple[Invented, ...]) -> None:
    assert invent(137) == invented[137]
    assert tuple(papers(50))[:50] == invented[:50]


def test_a_folder_is_written_again_with_the_same_bytes(tmp_path: Path) -> None:
    write_digest(tmp_path / "a", 60, 5)
    write_digest(tmp_path / "b", 60)
    write_digest(tmp_path / "b", 60, 5)
    made = files_of(tmp_path / "a")
    assert made == files_of(tmp_path / "b")
    assert "content/topics/vision.md" in made
    news = made["seeds/2026-01-02.jsonl"].decode().splitlines()
    assert [json.loads(line)["date"] for line in news] == ["2026-01-02"] * 5


def test_papers_are_distinct(invented: tuple[Invented, ...]) -> None:
    own = [paper for paper in invented if paper.copy_of < 0]
    runs: Counter[tuple[str, ...]] = Counter()
    for paper in own:
        read = words(paper.abstract)
        runs.update({tuple(read[start : start + 8]) for start in range(len(read) - 7)})
    shared = sum(count > 1 for count in runs.values()) / len(runs)
    assert shared < 0.02
    assert len({paper.title for paper in own}) > 0.97 * len(own)


def test_one_in_fifty_is_nearly_another(invented: tuple[Invented, ...]) -> None:
    copies = [paper for paper in invented if paper.copy_of >= 0]
    assert len(copies) == (SIZE + 20) // COPIES
    for copy in copies:
        original = invented[copy.copy_of]
        assert original.copy_of < 0
        assert original.number < copy.number
        before, after = original.abstract.split(), copy.abstract.split()
        assert original.abstract != copy.abstract
        assert sum(a == b for a, b in zip(before, after, strict=False)) > 0.9 * len(before)


def test_texts_and_dates_are_as_promised(invented: tuple[Invented, ...]) -> None:
    mean = sum(len(paper.abstract.encode()) for paper in invented) / len(invented)
    assert 1150 < mean < 1600
    years = Counter(paper.date[:4] for paper in invented[:SIZE])
    assert set(years) == {str(year) for year in range(2016, 2026)}
    assert max(years.values()) < 1.3 * min(years.values())


def test_tags_follow_a_zipf_law(invented: tuple[Invented, ...]) -> None:
    counts = Counter(tag for paper in invented for tag in paper.tags).most_common()
    assert counts[0][1] < 0.2 * len(invented)
    once = sum(count == 1 for _, count in counts)
    assert 0.2 * len(counts) < once < 0.8 * len(counts)
    assert counts[9][1] < 0.7 * counts[0][1]


def test_hugo_gets_the_same_papers_without_the_copies(
    tmp_path: Path, invented: tuple[Invented, ...]
) -> None:
    write_markdown(tmp_path / "hugo", invented[:60])
    made = files_of(tmp_path / "hugo")
    texts = [data for name, data in made.items() if name.startswith("content/papers/")]
    assert len(texts) == 59
    assert all(data.startswith(b'{"title": ') for data in texts)
    assert invented[3].abstract.encode() in texts[3]
