"""The model that grades drafts of headlines as an editor would."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.naming.editor import (
    EDITOR_FEATURES,
    GRADED,
    Described,
    describe_grades,
    load_editor,
    order_drafts,
)
from sitegen.naming.titles import DRAFT_FEATURES

LABELS = Path(__file__).parent.parent / "tools" / "labels" / "verdicts.jsonl"
DRAFTS = st.lists(
    st.tuples(st.integers(0, 4), st.floats(-0.2, 0.9), st.floats(0, 60)), min_size=0, max_size=30
)


def described(drafts: Sequence[tuple[int, float, float]]) -> Described:
    """Return drafts with these faults, scores and weights, all else nought."""
    return Described(
        marks=lambda at: frozenset(),
        rows=[(0.0,) * len(DRAFT_FEATURES)] * len(drafts),
        faults=[faults for faults, _, _ in drafts],
        scores=[score for _, score, _ in drafts],
        weights=[weight for *_, weight in drafts],
        subjects=[0] * len(drafts),
    )


@settings(deadline=None)
@given(DRAFTS)
def test_every_draft_stays_and_only_the_foremost_are_graded(
    drafts: list[tuple[int, float, float]],
) -> None:
    known = described(drafts)
    faults, scores = known.faults, known.scores
    order = order_drafts(known, load_editor())
    assert sorted(order) == list(range(len(drafts)))
    before = sorted(order, key=lambda at: (faults[at], -round(scores[at], 6), at))
    assert order[GRADED:] == before[GRADED:]
    assert {*order[:GRADED]} == {*before[:GRADED]}


def test_a_vector_holds_every_feature() -> None:
    vectors = describe_grades(described([(0, 0.3, 20.0), (1, 0.4, 9.0)]), [0, 1], [0.5, 0.2])
    assert [len(vector) for vector in vectors] == [len(EDITOR_FEATURES)] * 2
    assert load_editor().trees.features == EDITOR_FEATURES
    assert [vector[EDITOR_FEATURES.index("wording")] for vector in vectors] == [0.5, 0.2]
    behind = EDITOR_FEATURES.index("behind_best")
    assert [round(vector[behind], 6) for vector in vectors] == [-0.1, 0.0]


def test_faults_and_little_agreement_count_against_a_draft() -> None:
    order = order_drafts(described([(2, 0.05, 3.0), (0, 0.45, 30.0)]), load_editor())
    assert order == [1, 0]


def test_labels_are_whole() -> None:
    lines = LABELS.read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    assert len({record["arxiv"] for record in records}) == len(records) > 1000
    assert {v for record in records for v in record["verdicts"].values()} == {"g", "w", "b"}
