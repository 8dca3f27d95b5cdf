"""How an editor would grade a draft: a small model taught by verdicts on many papers' drafts.

Agreement with true titles tells what a paper is about; that a draft is cut short, ungrammatical or
about a detail it tells badly. Verdicts (to be printed, weak, bad) tell that, and are few: hence a
second model, which sees what the first one says (``tools/train_editor.py``).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sitegen.naming.titles import DRAFT_FEATURES
from sitegen.naming.trees import Trees, read_trees

EDITOR_FEATURES = (*DRAFT_FEATURES, "faults", "score", "behind_best", "rank", "weight", "subjects")
GRADED = 12
"""Drafts of a paper that are graded, the best ones by agreement; others were hardly ever good."""
_AGREEMENT = 2.0
"""Worth of expected agreement (0 to 1) beside the grade (0 bad, 1 good): from here on headlines
come no closer to an expert's, and from four on their grades fall."""

_FAULT = 0.1
"""What a fault costs beside what the model makes of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What is known of the drafts of one paper, one entry each."""

    rows: Sequence[tuple[float, ...]]
    """Columns: `titles.DRAFT_FEATURES`."""
    faults: Sequence[int]
    """See `faults.count_faults`."""
    scores: Sequence[float]
    """Expected agreement with the title."""
    weights: Sequence[float]
    """See `titles.weight_of`."""
    subjects: Sequence[int]
    """How many of `faults.subjects_of` each holds."""


@cache
def load_editor() -> Trees:
    """Return the model that comes with the package."""
    text = (files("sitegen") / "data" / "editor_model.json").read_text(encoding="utf-8")
    return read_trees(json.loads(text))


def describe_grades(drafts: Described) -> list[tuple[float, ...]]:
    """Return the vector of each draft of one paper, in the order of EDITOR_FEATURES."""
    scores = drafts.scores
    best = max(scores, default=0.0)
    ranks = {at: rank for rank, at in enumerate(_ranked(scores))}
    return [
        (
            *row, float(drafts.faults[at]), scores[at], scores[at] - best, float(ranks[at]),
            drafts.weights[at], float(drafts.subjects[at]),
        )
        for at, row in enumerate(drafts.rows)
    ]  # fmt: skip


def order_drafts(drafts: Described, editor: Trees) -> list[int]:
    """Return the numbers of one paper's drafts, the best first.

    Those with the fewest faults and the best scores are graded; the others follow as they are.
    Equal ones keep their order.
    """
    faults, scores = drafts.faults, drafts.scores
    order = sorted(range(len(faults)), key=lambda at: (faults[at], -round(scores[at], 6), at))
    first, rest = order[:GRADED], order[GRADED:]
    vectors = describe_grades(drafts)
    grades = editor.score([vectors[at] for at in first])
    worth = {
        at: grade + _AGREEMENT * scores[at] - _FAULT * faults[at]
        for at, grade in zip(first, grades, strict=True)
    }
    return sorted(first, key=lambda at: -round(worth[at], 6)) + rest


def _ranked(scores: Sequence[float]) -> list[int]:
    return sorted(range(len(scores)), key=lambda at: (-round(scores[at], 6), at))
