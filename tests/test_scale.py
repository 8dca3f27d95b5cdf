"""The measuring of builds at size: fits, tables, and how they are put together."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import results
from bench.scale import Run, Size, exponent, text_of
from sitegen.progress import Progress


def run(cpu: float) -> Run:
    stages = {"render": cpu / 2, "keywords": cpu / 4, "total": cpu}
    return Run(
        wall=cpu, cpu=cpu, megabytes=100, stages=stages, stages_cpu=stages, files=7, written=3
    )


def size(papers: int, cpu: float) -> Size:
    return Size(
        papers=papers, hugo=run(2.0), cold=run(cpu), warm=run(1.0), daily=run(cpu / 10),
        bare=run(cpu), differing=0, more=2, touched=5,
    )  # fmt: skip


@pytest.mark.parametrize("power", [0.0, 1.0, 1.5, 2.0])
def test_exponents_are_found(power: float) -> None:
    sizes = [1000, 3000, 10_000]
    assert exponent(sizes, [0.01 * n**power for n in sizes]) == pytest.approx(power)


def test_tables_say_what_was_measured() -> None:
    text = text_of([size(1000, 10.0), size(10_000, 100.0)])
    assert "| Hugo, whole | 2.0 (2.0) | 2.0 (2.0) |" in text
    assert "| all but keywords and search index | 7.5 (7.5) | 75.0 (75.0) |" in text
    assert "| a day's news, share of the cold build | 10% (10%) | 10% (10%) |" in text
    assert "| render | 5.00 | 50.00 | 1.00 | 0.50 | 5.00 |" in text


def test_results_are_put_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "FOLDER", tmp_path / "results")
    monkeypatch.setattr(results, "README", tmp_path / "README.md")
    results.write_result("b", "# Second\n\n## Part\n")
    results.write_result("a", "# First\n")
    text = (tmp_path / "README.md").read_text()
    assert text.endswith("## First\n\n## Second\n\n### Part\n")


def test_stages_keep_the_time_of_the_processor() -> None:
    progress = Progress()
    with progress.stage("busy"):
        sum(range(2_000_000))
    assert 0 < progress.cpu["busy"] < progress.seconds["busy"] + 0.5
