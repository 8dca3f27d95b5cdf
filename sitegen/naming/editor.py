"""How an editor would grade a draft: small models taught by verdicts on many papers' drafts.

Agreement with true titles tells what a paper is about; that a draft is cut short, ungrammatical or
about a detail it tells badly. Verdicts (to be printed, weak, bad) tell that, and are few: hence
second models, which see what the first one says (``tools/train_editor.py``): a linear one of the
draft's words (``wording``), and trees over everything that is known of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from sitegen.naming.titles import DRAFT_FEATURES
from sitegen.naming.trees import Trees, read_trees
from sitegen.naming.wording import Mark, Wording

EDITOR_FEATURES = (
    *DRAFT_FEATURES, "faults", "score", "behind_best", "rank", "weight", "subjects", "wording",
)  # fmt: skip
GRADED = 16
"""Drafts of a paper that are graded, the best ones by agreement; others were hardly ever good."""
_AGREEMENT = 0.7
"""Worth of expected agreement (0 to 1) beside the grade (0 bad, 1 good): with more of it headlines
come closer to true titles, but more of them are bad."""

_FAULT = 0.1
"""What a fault costs beside what the model makes of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What is known of the drafts of one paper, one entry each."""

    marks: Callable[[int], frozenset[Mark]]
    """Return the marks of a draft; called for those only that are graded."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Editor:
    """Both models."""

    wording: Wording
    trees: Trees
    """Columns: EDITOR_FEATURES."""


@cache
def load_editor() -> Editor:
    """Return the models that come with the package."""
    text = (files("sitegen") / "data" / "editor_model.json").read_text(encoding="utf-8")
    return editor_of(json.loads(text))


def editor_of(data: Mapping[str, Any]) -> Editor:
    """Return the models from the plain lists that ``tools/train_editor.py`` writes."""
    weights = {tuple(mark.split("\t")): weight for mark, weight in data["wording"].items()}
    return Editor(
        wording=Wording(base=data["base"], weights=weights), trees=read_trees(data["trees"])
    )


def describe_grades(
    known: Described, places: Sequence[int], wordings: Sequence[float]
) -> list[tuple[float, ...]]:
    """Return the vectors of some drafts of one paper, in the order of EDITOR_FEATURES.

    Args:
        known: what is known of all its drafts.
        places: which drafts.
        wordings: grades of those by their wording, see `wording.Wording.grade`.
    """
    scores = known.scores
    best = max(scores, default=0.0)
    ranks = {at: rank for rank, at in enumerate(_ranked(scores))}
    return [
        (
            *known.rows[at], float(known.faults[at]), scores[at], scores[at] - best,
            float(ranks[at]), known.weights[at], float(known.subjects[at]), wording,
        )
        for at, wording in zip(places, wordings, strict=True)
    ]  # fmt: skip


def order_drafts(known: Described, editor: Editor) -> list[int]:
    """Return the numbers of one paper's drafts, the best first.

    Those with the fewest faults and the best scores are graded; the others follow as they are.
    Equal ones keep their order.
    """
    faults, scores = known.faults, known.scores
    order = sorted(range(len(faults)), key=lambda at: (faults[at], -round(scores[at], 6), at))
    first, rest = order[:GRADED], order[GRADED:]
    wordings = [editor.wording.grade(known.marks(at)) for at in first]
    grades = editor.trees.score(describe_grades(known, first, wordings))
    worth = {
        at: grade + _AGREEMENT * scores[at] - _FAULT * faults[at]
        for at, grade in zip(first, grades, strict=True)
    }
    return sorted(first, key=lambda at: -round(worth[at], 6)) + rest


def _ranked(scores: Sequence[float]) -> list[int]:
    return sorted(range(len(scores)), key=lambda at: (-round(scores[at], 6), at))
