"""Figures of a built site, counted again from its files."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

from sitegen.tally import SITE_BYTES, growth_of
from tests.workbench import MUD, OTTERS, WHISTLES, build, sitegen, start, write


def test_the_figures_are_those_of_the_site(tmp_path: Path) -> None:
    start(tmp_path, OTTERS, MUD, name="notes-2031-05-01")
    start(tmp_path, WHISTLES, MUD, name="notes-2031-06-30")
    write(tmp_path, "content/topics/otters.md", "---\nphrases: [otter]\nnarrow: true\n---\n")
    build(tmp_path)
    tally = json.loads(sitegen(tmp_path, "stats", "--json").stdout)
    assert (tally["papers"], tally["titled"], tally["exact_copies"]) == (3, 0, 1)
    assert tally["editions"] == [
        {"slug": "notes-2031-06-30", "date": "2031-06-30", "papers": 2},
        {"slug": "notes-2031-05-01", "date": "2031-05-01", "papers": 2},
    ]
    assert tally["topics"] == [{"title": "Otters", "papers": 2}]
    files = [file for file in (tmp_path / "public").rglob("*") if file.is_file()]
    assert sum(size["files"] for size in tally["sizes"]) == len(files)
    total = sum(size["bytes"] for size in tally["sizes"])
    assert total == sum(file.stat().st_size for file in files)
    kinds = {size["kind"]: size["files"] for size in tally["sizes"]}
    assert kinds["paper pages"] == 3
    # one paper more in 60 days, of a third of the bytes each
    assert tally["growth"]["papers"] == 1
    months = (SITE_BYTES - total) / (total / 3) / tally["growth"]["per_month"]
    assert abs(tally["budgets"][0]["months"] - months) < 1
    said = sitegen(tmp_path, "stats").stdout
    assert "papers    3: 0 with a true title" in said
    assert "lasts" in said


def test_growth_is_that_of_the_last_year() -> None:
    start_day = date(2031, 1, 1)
    weekly = [start_day + timedelta(days=7 * week) for week in range(100)]
    growth = growth_of(weekly)
    assert growth is not None
    assert growth.last == weekly[-1].isoformat()
    assert abs(growth.per_month - 30.44 / 7) < 0.01
    assert growth_of([start_day] * 50) is None
    assert growth_of([]) is None


def test_without_a_site_there_is_nothing_to_count(tmp_path: Path) -> None:
    write(tmp_path, "public/data/papers.jsonl", "{}\n")
    result = sitegen(tmp_path, "stats")
    assert result.exit_code == 1
    assert "stats-nothing" in result.output
