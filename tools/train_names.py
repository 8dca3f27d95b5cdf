#!/usr/bin/env python3
"""Trains the model that finds a paper's names; seeded, equal input gives equal output.

usage: train_names.py PAPERS.jsonl[.gz] [--hold-out N] [--output DIR]

PAPERS has ``id``, ``title`` and ``abstract`` a line. A title's part before the colon, where it
also stands in the abstract, is what the paper introduces; the abstract's other candidates are not.
Titles name one thing at most and seldom plain words, so copies of the abstracts are added in which
the name is replaced by an invented one: a common word, a phrase, capitals. A title that begins with
no name says little: such abstracts are taken from readings (``tools/labelled.py``)
where there is one; of the others, what they propose in so many words is left out. The last N
papers, and one in four readings, are never learnt from. Writes vocabulary.txt, known_names.txt,
name_cues.json and names_model.json. ``python -m bench.naming`` then tells precision and recall.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from sitegen.names import CONTEXT_FEATURES, SECOND_LOOK, rivalry
from sitegen.naming.candidates import Candidate, find_candidates, key_of
from sitegen.naming.columns import NAMES
from sitegen.naming.contexts import cue_words
from sitegen.naming.features import describe
from sitegen.naming.lexicon import Lexicon
from sitegen.naming.tokens import Tokens, tokenize
from tools.boosting import plain_trees
from tools.inventing import Inventor
from tools.labelled import Label, read_labels
from tools.titled import Titled, leading_names, read_titled

SEED = 7
WIDELY_KNOWN = 8
"""A title's first words that stand in more abstracts than this are a term, not a coined name."""
COPIED = 0.6
"""Share of the named papers that get a copy with an invented name."""
COPIES = 2
"""Times that names are invented for the named papers, each time others."""
TOLD = 3.0
"""Weight of a candidate of an abstract that an expert read."""
EASY, KEPT_EASY = 0.004, 5
"""First guess under which a candidate is no name; one in so many of them stands for all."""


@dataclass(frozen=True, slots=True)
class Example:
    """One abstract, its candidates, and the keys of those that are its name."""

    paper: int
    tokens: Tokens
    candidates: dict[str, Candidate]
    names: tuple[str, ...]
    in_title: frozenset[str]
    invented: bool
    told: bool
    """Whether an expert said what the names are."""
    held_out: bool


@dataclass(frozen=True, slots=True)
class Corpus:
    """The papers as read, with counts of words and of candidates over them."""

    papers: list[tuple[Titled, Tokens, dict[str, Candidate]]]
    words: Counter[str]
    names: Counter[str]


def read_corpus(path: Path, hold_out: int) -> Corpus:
    """Read and cut the papers, but for the last ones."""
    titled = read_titled(path)
    papers = []
    words: Counter[str] = Counter()
    names: Counter[str] = Counter()
    for paper in titled[: len(titled) - hold_out]:
        tokens = tokenize(paper.abstract)
        candidates = find_candidates(tokens)
        papers.append((paper, tokens, candidates))
        small = (word for word in tokens.words if word[0].islower())
        parts = {part for word in small for part in re.split(r"[-–/]", word)}
        words.update(part for part in parts if part.isalpha() and part.islower())
        for candidate in candidates.values():
            spelt_out = candidate.partner and not candidate.is_short
            if len(candidate.key) < 40 and (spelt_out or candidate.text != candidate.text.lower()):
                names[candidate.key] += 1
    return Corpus(papers, words, names)


def make_examples(corpus: Corpus, labels: Mapping[str, Label]) -> list[Example]:
    """Return the examples: the papers themselves, and copies with invented names."""
    common = {word: n for word, n in corpus.words.items() if n >= 4}
    inventors = [Inventor(common, SEED + number) for number in range(COPIES)]
    examples: list[Example] = []
    for number, (paper, tokens, candidates) in enumerate(corpus.papers):
        label = labels.get(paper.arxiv)
        own = [
            key
            for key in (leading_names(paper.title) if label is None else label.keys)
            if key in candidates and (label or corpus.names[key] <= WIDELY_KNOWN)
        ]
        title = key_of(paper.title)
        examples.append(
            Example(
                paper=number, tokens=tokens, candidates=candidates,
                names=_both(own, candidates) if label is None else tuple(own),
                in_title=frozenset(key for key in candidates if key in title), invented=False,
                told=label is not None, held_out=label is not None and label.held_out,
            )
        )  # fmt: skip
        if own and label is None:
            examples += _copies(number, paper.abstract, candidates, own[0], inventors)
    return examples


def _copies(
    number: int,
    abstract: str,
    candidates: Mapping[str, Candidate],
    key: str,
    inventors: Sequence[Inventor],
) -> Iterator[Example]:
    name = candidates[key]
    for inventor in inventors:
        if inventor.rng.random() >= COPIED:
            continue
        renamed = inventor.rename(abstract, name, candidates.get(name.partner))
        if renamed:
            copy = tokenize(renamed[0])
            found = find_candidates(copy)
            new = key_of(renamed[1])
            if new in found:
                yield Example(
                    paper=number, tokens=copy, candidates=found, names=_both([new], found),
                    in_title=frozenset(), invented=True, told=False, held_out=False,
                )  # fmt: skip


def _both(keys: Sequence[str], candidates: Mapping[str, Candidate]) -> tuple[str, ...]:
    """Return the keys with those of their expansions or short forms."""
    partners = [candidates[key].partner for key in keys if candidates[key].partner]
    return tuple(dict.fromkeys([*keys, *partners]))


def count_cues(examples: Sequence[Example], fold: int | None) -> dict[str, float]:
    """Return the log odds of the words around names, over named papers of the other fold."""
    good: Counter[str] = Counter()
    bad: Counter[str] = Counter()
    for example in examples:
        if not example.names or example.told or (fold is not None and example.paper % 2 == fold):
            continue
        sentence = {i: pair for pair in example.tokens.sentences for i in range(*pair)}
        named = {
            i
            for key in example.names
            for place in example.candidates[key].places
            for i in range(place.start, place.end)
        }
        for key, candidate in example.candidates.items():
            counts = good if key in example.names else bad
            for start, end in {(place.start, place.end) for place in candidate.places}:
                # A part of the name, or what holds it, speaks neither for nor against its words.
                if counts is bad and not named.isdisjoint(range(start, end)):
                    continue
                for cues in cue_words(example.tokens, start, end, *sentence[start]):
                    counts.update(cues)
    prior = sum(good.values()) / sum(bad.values())
    share = prior / (1 + prior)
    odds = {}
    for cue in sorted(good | bad):
        if good[cue] + bad[cue] >= 12:
            value = math.log((good[cue] + 3 * share) / (bad[cue] + 3 * (1 - share)) / prior)
            if abs(value) >= 0.1:
                odds[cue] = round(value, 2)
    return odds


class _Others(dict[str, int]):
    """Counts of names in the papers other than the one at hand."""

    def __init__(self, own: Mapping[str, int], known: Mapping[str, int]) -> None:
        super().__init__(own)
        self.known = known

    def get(self, key: str, default: Any = 0) -> Any:
        return self[key] if key in self else self.known.get(key, default)


@dataclass(frozen=True, slots=True)
class Table:
    """Candidates of all examples: their vectors, and columns that run beside them."""

    rows: Any
    labels: Any
    groups: Any
    """Number of the example."""
    papers: Any
    in_title: Any
    """Whether the title holds the candidate."""
    told: Any
    """Whether an expert read the abstract."""
    held_out: Any

    @property
    def named(self) -> Any:
        """Tell which candidates stand beside a name, as far as is known."""
        return np.isin(self.groups, np.unique(self.groups[self.labels]))


def vectors(
    examples: Sequence[Example],
    words: Mapping[str, int],
    names: Mapping[str, int],
    cues: Sequence[Mapping[str, float]],
    size: int,
) -> Table:
    """Describe the candidates of the examples."""
    known = {key: count for key, count in names.items() if count >= 2}
    rows: list[tuple[float, ...]] = []
    columns: list[tuple[bool, int, int, bool, bool, bool]] = []
    for number, example in enumerate(examples):
        own = {
            key: 0 if example.invented and key in example.names else max(names[key] - 1, 0)
            for key in example.candidates
        }
        own = {key: count if count >= 2 else 0 for key, count in own.items()}
        lexicon = Lexicon(
            size=size, words=words, names=_Others(own, known), cues=cues[example.paper % 2]
        )
        for item in describe(example.candidates, example.tokens, lexicon):
            key = item.candidate.key
            rows.append(item.values)
            columns.append(
                (key in example.names, number, example.paper, key in example.in_title,
                 example.told, example.held_out)
            )  # fmt: skip
    return Table(np.array(rows, dtype=np.float32), *map(np.array, zip(*columns, strict=True)))


def _fit(rows: Any, labels: Any, weights: Any, trees: int) -> HistGradientBoostingClassifier:
    model = HistGradientBoostingClassifier(
        max_iter=trees, learning_rate=0.06, max_leaf_nodes=16, min_samples_leaf=40,
        l2_regularization=5.0, random_state=0, early_stopping=False,
    )  # fmt: skip
    used = weights > 0
    return model.fit(rows[used], labels[used], sample_weight=weights[used])


def _across(table: Table, weights: Any, trees: int) -> Any:
    """Return probabilities of a model that has not seen the paper: two folds."""
    found = np.zeros(len(table.labels))
    for fold in (0, 1):
        inside = table.papers % 2 == fold
        model = _fit(table.rows, table.labels, np.where(inside, 0, weights), trees)
        found[inside] = model.predict_proba(table.rows[inside])[:, 1]
    return found


def _proposed(table: Table) -> Any:
    """Tell which candidates an abstract proposes, names or makes in so many words."""

    def flag(name: str) -> Any:
        return table.rows[:, NAMES.index(name)] > 0

    return (
        flag("propose_within_3") | flag("after_proposed") | flag("after_our") | flag("in_address")
        | flag("article_described") | flag("after_release")
        | (flag("after_called") & flag("own_proposal_before"))
        | (flag("has_partner") & (flag("propose_within_8") | flag("partner_proposed")))
    )  # fmt: skip


def _further(table: Table, guess: Any) -> Any:
    """Tell which candidates may be further names of an abstract whose title names one."""
    return table.named & ~table.told & ~table.labels & (guess > SECOND)


def weigh(table: Table, guess: Any) -> Any:
    """Return the weight of each candidate.

    A paper whose title begins with no name may introduce one all the same: what its abstract
    proposes outright is left out, the rest counts as not introduced. Two in five of those that are
    left out are names, as readings of such abstracts show. Nor does a title tell what else its
    abstract introduces, so what looks like a further name is left out too.
    """
    named, proposed = table.named, _proposed(table)
    weights = np.ones(len(guess))
    weights[~named & proposed & (guess > LIKELY)] = 0
    weights[~named & (guess > 0.9)] = 0
    weights[~named & table.in_title & (table.rows[:, NAMES.index("known")] < math.log(8))] = 0
    weights[_further(table, guess)] = 0
    weights[table.told] = TOLD
    weights[table.held_out] = 0
    easy = (guess < EASY) & ~table.told & ~table.labels
    kept = np.random.RandomState(SEED).rand(len(guess)) < 1 / KEPT_EASY
    weights[easy] *= np.where(kept[easy], KEPT_EASY, 0)
    return weights


LIKELY = 0.06
"""From this first guess on, what is proposed in so many words is left out, not denied."""
SECOND = 0.3
"""From this first guess on, what stands beside the title's name is left out, not denied."""
BESIDE = 0.1
"""Weight at which the second model, which knows the rival, denies it all the same."""


def train(table: Table) -> dict[str, Any]:
    """Return both models: each candidate by itself, then beside its best rival."""
    known = np.where(table.told, TOLD, np.where(table.named, 1.0, 0.0))
    guess = _across(table, np.where(table.held_out, 0, known), 100)
    guess = _across(table, weigh(table, guess), 160)
    weights = weigh(table, guess)
    first = _fit(table.rows, table.labels, weights, 200)
    odds = np.log((guess + 1e-3) / (1 - guess + 1e-3))
    context = np.zeros((len(odds), len(CONTEXT_FEATURES)))
    likely = np.zeros(len(odds), dtype=bool)
    starts = [0, *(np.flatnonzero(np.diff(table.groups)) + 1).tolist(), len(odds)]
    for start, end in pairwise(starts):
        context[start:end] = rivalry(odds[start:end].tolist())
        likely[start + np.argsort(-odds[start:end], kind="stable")[:SECOND_LOOK]] = True
    both = np.hstack([table.rows, context])
    # Which of two is the main name only titles tell by the thousand.
    beside = np.where(likely, np.where(_further(table, guess), BESIDE, weights), 0)
    second = _fit(both, table.labels, beside, 160)
    return {
        "first": plain_trees(first, NAMES),
        "second": plain_trees(second, (*NAMES, *CONTEXT_FEATURES)),
    }


def main() -> None:
    """Read, count, train and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("papers", type=Path)
    parser.add_argument("--hold-out", type=int, default=1500)
    parser.add_argument("--output", type=Path, default=Path("sitegen/data"))
    options = parser.parse_args()
    corpus = read_corpus(options.papers, options.hold_out)
    size = len(corpus.papers)
    common = {word: count for word, count in sorted(corpus.words.items()) if count >= 4}
    known = {key: count for key, count in sorted(corpus.names.items()) if count >= 2}
    examples = make_examples(corpus, read_labels())
    cues = count_cues(examples, None)
    folds = (count_cues(examples, 0), count_cues(examples, 1))
    model = train(vectors(examples, common, corpus.names, folds, size))
    out: Path = options.output
    lines = [f"#abstracts\t{size}", *(f"{word}\t{count}" for word, count in common.items())]
    (out / "vocabulary.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    lines = [f"{key}\t{count}" for key, count in known.items()]
    (out / "known_names.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    text = json.dumps(cues, ensure_ascii=False, indent=0, sort_keys=True)
    (out / "name_cues.json").write_text(text + "\n", encoding="utf-8")
    text = json.dumps(model, separators=(",", ":"))
    (out / "names_model.json").write_text(text + "\n", encoding="utf-8")
    print(f"papers={size} words={len(common)} names={len(known)} cues={len(cues)}")


if __name__ == "__main__":
    main()
