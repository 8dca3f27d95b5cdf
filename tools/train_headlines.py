#!/usr/bin/env python3
"""Trains the models that pick a paper's headline; seeded, equal input gives equal output.

usage: train_headlines.py PAPERS.jsonl[.gz] [--hold-out N] [--output FILE]

PAPERS has ``title`` and ``abstract`` a line; the last N are never looked at. Some of the papers
teach which words of an abstract stand in the title; with that model, others teach how close each
draft of a headline comes to the title (ROUGE-L over stems). Train the names first: drafts begin
with them. Writes headline_model.json.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from sitegen.headlines import read_paper
from sitegen.naming.drafts import write_drafts
from sitegen.naming.lexicon import Lexicon, load_lexicon
from sitegen.naming.stems import stems_of
from sitegen.naming.titles import (
    DRAFT_FEATURES,
    WORD_FEATURES,
    Weights,
    describe_drafts,
    fill_salience,
    weigh_words,
)
from sitegen.naming.trees import read_trees
from tools.boosting import plain_trees
from tools.titled import Titled, read_titled, rouge

SEED = 5
FOR_WORDS, FOR_DRAFTS = 2500, 7800
"""Papers from which each model learns."""
LEAST = 12
"""Abstracts that hold a stem whose rate is kept; openings and verbs need five."""
PRIOR = 8
"""Abstracts with the average rate that are added to each stem's own."""


def stem_rates(papers: Sequence[Titled]) -> dict[str, float]:
    """Return by stem the log odds of standing in the title where the abstract holds it."""
    held: Counter[str] = Counter()
    titled: Counter[str] = Counter()
    for paper in papers:
        stems = set(stems_of(paper.abstract.lower()))
        held.update(stems)
        titled.update(stems & set(stems_of(paper.title.lower())))
    mean = sum(titled.values()) / sum(held.values())
    rates = {}
    for stem in sorted(held):
        if held[stem] >= LEAST:
            yes = titled[stem] + PRIOR * mean
            rates[stem] = round(math.log(yes / (held[stem] + PRIOR - yes)), 2)
    return rates


def opening_counts(papers: Sequence[Titled]) -> dict[str, float]:
    """Return how often titles, or what stands behind their colon, begin with each word (log)."""
    firsts = (paper.title.split(":")[-1].lower().split()[:1] for paper in papers)
    counts = Counter(word for first in firsts for word in first)
    return {word: round(math.log1p(n), 2) for word, n in sorted(counts.items()) if n >= 5}


def learn_words(papers: Sequence[Titled], lexicon: Lexicon, rates: dict[str, float]) -> Any:
    """Return the fitted classifier of words, and the mean agreement by governing verb."""
    rows, labels = [], []
    agreement: dict[str, list[float]] = defaultdict(list)
    for paper in papers:
        reading, _ = read_paper(paper.abstract)
        keys, vectors = weigh_words(reading, lexicon, rates)
        title = set(stems_of(paper.title.lower()))
        rows += vectors
        labels += [key in title for key in keys]
        best: dict[str, float] = {}
        for draft in write_drafts(reading, lexicon):
            core = draft.parts[-1].core
            value = rouge(draft.text, paper.title)
            for key in (core.kind, f"{core.kind} {core.verb}"):
                best[key] = max(best.get(key, 0.0), value)
        for key, value in best.items():
            agreement[key].append(value)
    model = HistGradientBoostingClassifier(
        max_iter=80, learning_rate=0.1, max_leaf_nodes=12, min_samples_leaf=60,
        l2_regularization=5.0, random_state=0,
    ).fit(np.array(rows), np.array(labels))  # fmt: skip
    verbs = {}
    for key, values in sorted(agreement.items()):
        if len(values) >= 5:
            kind = agreement[key.split(" ")[0]]
            mean = sum(kind) / len(kind)
            verbs[key] = round((sum(values) + 10 * mean) / (len(values) + 10), 3)
    return model, verbs


def learn_drafts(papers: Sequence[Titled], lexicon: Lexicon, weights: Weights) -> Any:
    """Return the fitted regressor of drafts; every paper counts the same."""
    rows: list[tuple[float, ...]] = []
    values: list[float] = []
    shares: list[float] = []
    for paper in papers:
        reading, _ = read_paper(paper.abstract)
        drafts = write_drafts(reading, lexicon)
        fill_salience(reading, lexicon, weights)
        rows += describe_drafts(reading, drafts, weights)
        values += [rouge(draft.text, paper.title) for draft in drafts]
        shares += [1 / max(len(drafts), 1)] * len(drafts)
    return HistGradientBoostingRegressor(
        max_iter=220, learning_rate=0.06, max_leaf_nodes=16, min_samples_leaf=60,
        l2_regularization=5.0, random_state=0,
    ).fit(np.array(rows), np.array(values), sample_weight=np.array(shares) * 10)  # fmt: skip


def main() -> None:
    """Read, count, train and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("papers", type=Path)
    parser.add_argument("--hold-out", type=int, default=1500)
    parser.add_argument("--output", type=Path, default=Path("sitegen/data/headline_model.json"))
    options = parser.parse_args()
    papers = read_titled(options.papers)
    papers = papers[: len(papers) - options.hold_out]
    lexicon = load_lexicon()
    rates, openings = stem_rates(papers), opening_counts(papers)
    random.Random(SEED).shuffle(papers)
    words, verbs = learn_words(papers[:FOR_WORDS], lexicon, rates)
    salience = plain_trees(words, WORD_FEATURES)
    weights = Weights(
        salience=read_trees(salience),
        rank=read_trees(salience),
        rates=rates,
        openings=openings,
        verbs=verbs,
    )
    rank = learn_drafts(papers[FOR_WORDS : FOR_WORDS + FOR_DRAFTS], lexicon, weights)
    data = {
        "salience": salience,
        "rank": plain_trees(rank, DRAFT_FEATURES),
        "rates": rates,
        "openings": openings,
        "verbs": verbs,
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    options.output.write_text(text + "\n", encoding="utf-8")
    print(f"papers={len(papers)} stems={len(rates)} openings={len(openings)} verbs={len(verbs)}")


if __name__ == "__main__":
    main()
