#!/usr/bin/env python3
"""Trains the models that grade drafts of headlines; seeded, equal input gives equal output.

usage: train_editor.py PAPERS.jsonl[.gz] [--labels FILE] [--output FILE] [--check]

PAPERS has ``id``, ``title`` and ``abstract`` a line. The labels hold, by paper, drafts that a
reader graded after reading the abstract: g to be printed as it stands, w weak, b bad (wrong, cut,
ungrammatical, empty, about a detail or the background). Drafts that are no longer made are passed
over. ``--check`` trains on four fifths of the papers in turn and prints how often the draft that
would be chosen of the fifth is good or bad, with and without the model; nothing is written then.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import Ridge

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from sitegen.headlines import describe, read_paper
from sitegen.naming.casing import capitalize
from sitegen.naming.drafts import write_drafts
from sitegen.naming.editor import (
    EDITOR_FEATURES,
    GRADED,
    Described,
    Editor,
    describe_grades,
    editor_of,
    order_drafts,
)
from sitegen.naming.lexicon import load_lexicon
from sitegen.naming.wording import Mark, Wording
from sitegen.repair import repair
from tools.boosting import plain_trees

LABELS = Path(__file__).parent / "labels" / "verdicts.jsonl"
WORTH = {"g": 1.0, "w": 0.6, "b": 0.0}
FOLDS = 5
LEAST, PENALTY = 15, 40.0
"""Papers that have a mark which is weighed, and how strongly weights are held down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """The drafts of one paper, with the verdicts on some of them."""

    texts: Sequence[str]
    known: Described
    verdicts: Sequence[str]
    """Empty where nobody judged the draft."""

    @property
    def judged(self) -> list[int]:
        """Numbers of the drafts that somebody judged."""
        return [at for at, verdict in enumerate(self.verdicts) if verdict]

    @property
    def marks(self) -> list[frozenset[Mark]]:
        """Of the drafts that somebody judged."""
        return [self.known.marks(at) for at in self.judged]


def read_graded(papers: Path, labels: Path) -> list[Graded]:
    """Return the labelled papers, read anew."""
    wanted = {}
    for line in labels.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        wanted[record["arxiv"]] = record["verdicts"]
    found = []
    opened = gzip.open if papers.suffix == ".gz" else open
    with opened(papers, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["id"] in wanted:
                found.append(_graded(record["abstract"], wanted[record["id"]]))
    return found


def _graded(abstract: str, verdicts: dict[str, str]) -> Graded:
    reading, _ = read_paper(repair(abstract).text)
    drafts = sorted(write_drafts(reading, load_lexicon()), key=lambda draft: draft.text)
    texts = [capitalize(draft.text) for draft in drafts]
    return Graded(
        texts=texts,
        known=describe(reading, drafts),
        verdicts=[verdicts.get(text, "") for text in texts],
    )


def learn(papers: Sequence[Graded]) -> dict[str, Any]:
    """Return both models as plain lists, see `sitegen.naming.editor.editor_of`.

    The trees see of each paper the wording's grades by a model that was taught by other papers.
    """
    rows: list[tuple[float, ...]] = []
    values: list[float] = []
    for fold in range(FOLDS):
        others = [paper for at, paper in enumerate(papers) if at % FOLDS != fold]
        wording = learn_wording(others)
        for paper in papers[fold::FOLDS]:
            wordings = [wording.grade(marks) for marks in paper.marks]
            rows += describe_grades(paper.known, paper.judged, wordings)
            values += [WORTH[paper.verdicts[at]] for at in paper.judged]
    trees = HistGradientBoostingRegressor(
        max_iter=350, learning_rate=0.05, max_leaf_nodes=8, min_samples_leaf=40,
        l2_regularization=5.0, random_state=0,
    ).fit(np.array(rows), np.array(values))  # fmt: skip
    wording = learn_wording(papers)
    return {
        "base": wording.base,
        "wording": {"\t".join(mark): weight for mark, weight in wording.weights.items()},
        "trees": plain_trees(trees, EDITOR_FEATURES),
    }


def learn_wording(papers: Sequence[Graded]) -> Wording:
    """Return the linear model of marks, those that few papers have left out."""
    counts: Counter[Mark] = Counter()
    for paper in papers:
        counts.update(frozenset().union(*paper.marks))
    known = sorted(mark for mark, count in counts.items() if count >= LEAST)
    places = {mark: at for at, mark in enumerate(known)}
    columns: list[int] = []
    ends = [0]
    values: list[float] = []
    for paper in papers:
        for at, marks in zip(paper.judged, paper.marks, strict=True):
            columns += sorted(places[mark] for mark in marks if mark in places)
            ends.append(len(columns))
            values.append(WORTH[paper.verdicts[at]])
    shape = (len(values), len(known))
    matrix = csr_matrix((np.ones(len(columns)), columns, ends), shape=shape)
    model = Ridge(alpha=PENALTY, solver="sparse_cg", tol=1e-6).fit(matrix, np.array(values))
    weights = {mark: round(float(model.coef_[at]), 4) for at, mark in enumerate(known)}
    return Wording(
        base=round(float(model.intercept_), 4),
        weights={mark: weight for mark, weight in weights.items() if weight},
    )


def chosen(paper: Graded, editor: Editor | None) -> str:
    """Return the verdict on the best draft among those that were judged."""
    known = paper.known
    if editor is None:
        places = range(len(paper.texts))
        order = sorted(places, key=lambda at: (known.faults[at], -round(known.scores[at], 6), at))
    else:
        order = order_drafts(known, editor)
    return next((paper.verdicts[at] for at in order[:GRADED] if paper.verdicts[at]), "")


def check(papers: Sequence[Graded]) -> None:
    """Print the shares of verdicts on the drafts that are chosen, each fifth by the others."""
    without: Counter[str] = Counter()
    with_editor: Counter[str] = Counter()
    for fold in range(FOLDS):
        others = [paper for at, paper in enumerate(papers) if at % FOLDS != fold]
        editor = editor_of(learn(others))
        for paper in papers[fold::FOLDS]:
            without[chosen(paper, None)] += 1
            with_editor[chosen(paper, editor)] += 1
    for name, counts in (("without", without), ("with", with_editor)):
        total = sum(counts[verdict] for verdict in WORTH)
        print(name, *(f"{verdict}={counts[verdict] / total:.3f}" for verdict in WORTH))


def main() -> None:
    """Read, train and write, or check."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("papers", type=Path)
    parser.add_argument("--labels", type=Path, default=LABELS)
    parser.add_argument("--output", type=Path, default=Path("sitegen/data/editor_model.json"))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    papers = read_graded(options.papers, options.labels)
    judged = sum(bool(verdict) for paper in papers for verdict in paper.verdicts)
    print(f"papers={len(papers)} drafts={judged}")
    if options.check:
        check(papers)
        return
    text = json.dumps(learn(papers), ensure_ascii=False, separators=(",", ":"))
    options.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
