#!/usr/bin/env python3
"""Trains the models that pick a paper's headline; seeded, equal input gives equal output.

usage: train_headlines.py PAPERS.jsonl[.gz] [--hold-out N] [--output FILE]

PAPERS has ``id``, ``title`` and ``abstract`` a line; the last N are never looked at. The first part
of the rest, shuffled, teaches which words of an abstract stand in the title; the second, with that
model, which sentence comes closest to it, and which verbs govern what does; the third, with both,
how close each draft of a headline comes (ROUGE-L over stems). Train the names first: drafts begin
with them. Writes headline_model.json.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from sitegen.headlines import read_tokens, subject_of
from sitegen.names import READ, Recognised, recognise
from sitegen.naming.drafts import write_drafts
from sitegen.naming.lexicon import load_lexicon
from sitegen.naming.salience import WORD_FEATURES, describe_words, weigh_words
from sitegen.naming.stems import stems_of
from sitegen.naming.telling import SENTENCE_FEATURES, describe_sentences
from sitegen.naming.titles import DRAFT_FEATURES, Weights, describe_drafts, weights_of
from sitegen.naming.tokens import Tokens, tokenize
from sitegen.naming.trees import Trees, read_trees
from tools.boosting import plain_trees
from tools.labelled import Label, read_labels
from tools.titled import Titled, read_titled, rouge

SEED = 5
FOR_WORDS, FOR_SENTENCES = 2500, 1500
"""Papers from which the first two models learn; the third learns from all others."""
LEAST = 12
"""Abstracts that hold a stem whose rate is kept; openings and verbs need five."""
PRIOR = 8
"""Abstracts with the average rate that are added to each stem's own."""
WINDOW = 12
"""Tokens of a sentence that are held against the title at once."""

Read = tuple[Tokens, Recognised, str]
"""A paper's tokens, its names, and its title."""


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


def learn_words(papers: Sequence[Read], rates: dict[str, float]) -> Any:
    """Return the fitted classifier of words."""
    rows, labels = [], []
    for tokens, recognised, title in papers:
        keys, vectors = describe_words(subject_of(tokens, recognised), load_lexicon(), rates)
        wanted = set(stems_of(title.lower()))
        rows += vectors
        labels += [key in wanted for key in keys]
    return HistGradientBoostingClassifier(
        max_iter=80, learning_rate=0.1, max_leaf_nodes=12, min_samples_leaf=60,
        l2_regularization=5.0, random_state=0,
    ).fit(np.array(rows, dtype=float), np.array(labels))  # fmt: skip


def closeness(tokens: Tokens, sentence: tuple[int, int], title: str) -> float:
    """Return the best F measure of the stems in a window of a sentence with those of the title."""
    wanted = set(stems_of(title.lower()))
    stems = [stems_of(word) for word in tokens.lower[slice(*sentence)]]
    best = 0.0
    for start in range(0, max(1, len(stems) - WINDOW // 2), 2):
        held = {stem for part in stems[start : start + WINDOW] for stem in part}
        best = max(best, 2 * len(held & wanted) / max(len(held) + len(wanted), 1))
    return best


def learn_sentences(papers: Sequence[Read], rates: dict[str, float], words: Trees) -> Any:
    """Return the fitted regressor of sentences."""
    rows: list[list[float]] = []
    values: list[float] = []
    for tokens, recognised, title in papers:
        subject = subject_of(tokens, recognised)
        vectors = describe_sentences(subject, weigh_words(subject, load_lexicon(), rates, words))
        rows += vectors
        values += [closeness(tokens, tokens.sentences[n], title) for n in range(len(vectors))]
    return HistGradientBoostingRegressor(
        max_iter=80, learning_rate=0.1, max_leaf_nodes=10, min_samples_leaf=60,
        l2_regularization=5.0, random_state=0,
    ).fit(np.array(rows, dtype=float), np.array(values))  # fmt: skip


def verb_rates(papers: Sequence[Read], weights: Weights) -> dict[str, float]:
    """Return the mean agreement with the title of what each verb governs, by kind and verb."""
    agreement: dict[str, list[float]] = defaultdict(list)
    for tokens, recognised, title in papers:
        best: dict[str, float] = {}
        for draft in write_drafts(read_tokens(tokens, recognised, weights), load_lexicon()):
            core = draft.parts[-1].core
            value = rouge(draft.text, title)
            for key in (core.kind, f"{core.kind} {core.verb}"):
                best[key] = max(best.get(key, 0.0), value)
        for key, value in best.items():
            agreement[key].append(value)
    verbs = {}
    for key, values in sorted(agreement.items()):
        if len(values) >= 5:
            kind = agreement[key.split(" ")[0]]
            mean = sum(kind) / len(kind)
            verbs[key] = round((sum(values) + 10 * mean) / (len(values) + 10), 3)
    return verbs


def learn_drafts(papers: Sequence[Read], weights: Weights) -> Any:
    """Return the fitted regressor of drafts; every paper counts the same.

    What it learns is how much closer a draft comes than the paper's others, on the scale of all.
    """
    rows: list[tuple[float, ...]] = []
    values: list[float] = []
    means: list[float] = []
    shares: list[float] = []
    for tokens, recognised, title in papers:
        reading = read_tokens(tokens, recognised, weights)
        drafts = write_drafts(reading, load_lexicon())
        if not drafts:
            continue
        rows += describe_drafts(reading, drafts, weights)
        agreement = [rouge(draft.text, title) for draft in drafts]
        values += agreement
        means += [sum(agreement) / len(drafts)] * len(drafts)
        shares += [10 / len(drafts)] * len(drafts)
    wanted = np.array(values) - np.array(means) + np.average(values, weights=shares)
    return HistGradientBoostingRegressor(
        max_iter=200, learning_rate=0.06, max_leaf_nodes=10, min_samples_leaf=60,
        l2_regularization=5.0, random_state=0,
    ).fit(np.array(rows), wanted, sample_weight=np.array(shares))  # fmt: skip


def without_kept_back(papers: Sequence[Titled], labels: Mapping[str, Label]) -> list[Titled]:
    """Return the papers without those that headlines are measured on.

    The headlines of the other readings, in the place of titles, have been tried: no gain on those
    kept back (ROUGE-L 0.388 with and without).
    """
    return [
        paper for paper in papers if paper.arxiv not in labels or not labels[paper.arxiv].held_out
    ]


def read(paper: Titled) -> Read:
    """Return a paper cut into tokens, with its names."""
    tokens = tokenize(paper.abstract[:READ])
    return tokens, recognise(tokens), paper.title


def train(papers: Sequence[Titled], reads: Sequence[Read]) -> dict[str, Any]:
    """Return the data of all models; ``reads`` are the papers in another order."""
    rates = stem_rates(papers)
    words = plain_trees(learn_words(reads[:FOR_WORDS], rates), WORD_FEATURES)
    rest = reads[FOR_WORDS:]
    sentences = learn_sentences(rest[:FOR_SENTENCES], rates, read_trees(words))
    data = {
        "salience": words,
        "telling": plain_trees(sentences, SENTENCE_FEATURES),
        "rates": rates,
        "openings": opening_counts(papers),
        "verbs": {},
        "rank": words,
    }
    data["verbs"] = verb_rates(rest[:FOR_SENTENCES], weights_of(data))
    data["rank"] = plain_trees(learn_drafts(rest[FOR_SENTENCES:], weights_of(data)), DRAFT_FEATURES)
    return data


def main() -> None:
    """Read, count, train and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("papers", type=Path)
    parser.add_argument("--hold-out", type=int, default=1500)
    parser.add_argument("--output", type=Path, default=Path("sitegen/data/headline_model.json"))
    options = parser.parse_args()
    papers = read_titled(options.papers)
    papers = without_kept_back(papers[: len(papers) - options.hold_out], read_labels())
    reads = list(map(read, papers))
    random.Random(SEED).shuffle(reads)
    data = train(papers, reads)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    options.output.write_text(text + "\n", encoding="utf-8")
    print(f"papers={len(papers)} stems={len(data['rates'])} verbs={len(data['verbs'])}")


if __name__ == "__main__":
    main()
