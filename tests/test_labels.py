"""The expert's readings that names and headlines are trained with and chosen by."""

from __future__ import annotations

import json
import re

from tools.labelled import LABELS, read_labels
from tools.titled import Titled
from tools.train_headlines import without_kept_back


def test_each_reading_stands_once_and_by_itself() -> None:
    records = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    ids = [record["arxiv"] for record in records]
    assert ids == sorted(set(ids))
    assert all(re.fullmatch(r"\d{4}\.\d{5}", arxiv) for arxiv in ids)
    assert {key for record in records for key in record} == {"arxiv", "headline", "kind", "names"}
    assert all(name and all(name) for record in records for name in record["names"])
    assert max(len(record.get("headline", "").split()) for record in records) <= 14


def test_a_quarter_is_kept_back() -> None:
    labels = read_labels().values()
    share = sum(label.held_out for label in labels) / len(labels)
    assert 0.2 < share < 0.3


def test_headlines_are_not_trained_on_papers_that_they_are_measured_on() -> None:
    labels = read_labels()
    kept = next(key for key, label in labels.items() if label.held_out)
    told = next(key for key, label in labels.items() if not label.held_out)
    papers = [Titled(abstract="Kelp.", title="On kelp", arxiv=each) for each in (kept, told, "")]
    assert [paper.arxiv for paper in without_kept_back(papers, labels)] == [told, ""]


def test_tags_are_graded_once_a_paper() -> None:
    path = LABELS.parent / "tags.jsonl"
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    papers = [record.get("seed") or record["arxiv"] for record in records]
    assert len(set(papers)) == len(papers)
    grades = {grade for record in records for grade in record["grades"].values()}
    assert grades == {"g", "w", "b"}  # central, minor, wrong
