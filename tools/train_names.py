#!/usr/bin/env python3
"""Trains the model that finds a paper's names; seeded, equal input gives equal output.

usage: train_names.py PAPERS.jsonl[.gz] [--hold-out N] [--output DIR]

PAPERS has ``title`` and ``abstract`` a line. A title's part before the colon, where it also stands
in the abstract, is what the paper introduces; the abstract's other candidates are not. Titles name
one thing at most and seldom plain words, so copies of the abstracts are added in which the name is
replaced by an invented one: a common word, a phrase, capitals. The last N papers are never looked
at. Writes vocabulary.txt, known_names.txt, name_cues.json and names_model.json.
"""

from __future__ import annotations

import argparse
import json
import math
import random
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
from sitegen.names import CONTEXT_FEATURES, rivalry
from sitegen.naming.candidates import Candidate, find_candidates, key_of
from sitegen.naming.columns import NAMES
from sitegen.naming.contexts import cue_words
from sitegen.naming.features import describe
from sitegen.naming.lexicon import Lexicon
from sitegen.naming.tokens import Tokens, tokenize
from sitegen.sentences import split_sentences
from tools.boosting import plain_trees
from tools.titled import Titled, leading_names, read_titled

SEED = 7
WIDELY_KNOWN = 8
"""A title's first words that stand in more abstracts than this are a term, not a coined name."""
COPIED = 0.6
"""Share of the named papers that get a copy with an invented name."""
BAGS = 2
"""Models whose log odds are averaged, each trained with other invented names."""
PLAIN = frozenset(
    [
        "this",
        "that",
        "these",
        "with",
        "from",
        "such",
        "which",
        "their",
        "have",
        "been",
        "more",
        "most",
        "also",
        "than",
        "into",
        "both",
        "while",
        "when",
        "where",
        "using",
        "based",
        "each",
        "only",
        "other",
        "over",
        "between",
        "through",
        "during",
        "under",
        "however",
        "model",
        "models",
        "data",
        "results",
        "method",
        "methods",
        "approach",
        "propose",
        "show",
    ]
)
TAILS = ("-2", "2", "-S", "+", "-XL", "Net", "-Eval", "Norm")
ENDINGS = ["loss", "score", "sampling", "attention", "pruning", "weight", "search", "norm", "test"]
CUES = (
    "called",
    "termed",
    "dubbed",
    "named",
    "coined",
    "which we call",
    "referred to as",
    "denoted",
)


@dataclass(frozen=True, slots=True)
class Example:
    """One abstract, its candidates, and the keys of those that are its name."""

    paper: int
    tokens: Tokens
    candidates: dict[str, Candidate]
    names: tuple[str, ...]
    in_title: frozenset[str]
    invented: bool


class Inventor:
    """Invents names out of an abstract's own words and common ones."""

    def __init__(self, words: Mapping[str, int], seed: int) -> None:
        self.rng = random.Random(seed)
        self.common = sorted(
            word
            for word, count in words.items()
            if 8 <= count <= 400 and 4 <= len(word) <= 10 and not word.endswith(("ing", "ly", "ed"))
        )

    def name(self, own: Sequence[str]) -> str:
        """Return a name as authors make them: a word, capitals, a phrase, a blend."""
        rng = self.rng
        a, b, v, w = (
            rng.choice(own),
            rng.choice(own),
            rng.choice(self.common),
            rng.choice(self.common),
        )
        draw = rng.random()
        if draw < 0.20:
            made = rng.choice([v, a]).capitalize()
        elif draw < 0.32:
            made = rng.choice([v, a]).upper()[:9]
        elif draw < 0.55:
            made = rng.choice([f"{a} {b}", f"{v} {a}", f"{a}-{v} {b}"]).title()
        elif draw < 0.78:
            made = rng.choice([f"{v} {a}", f"{a} {w}", f"{a} {b}"])
        elif draw < 0.88:
            made = f"{a[0]}{b[0]}".upper() + " " + rng.choice([*ENDINGS, b])
        elif draw < 0.94:
            made = v.capitalize() + rng.choice(TAILS)
        else:
            made = f"{v[:3]}{a[:4].capitalize()}{b[:2].upper()}"
        return made

    def pair(self, own: Sequence[str]) -> tuple[str, str]:
        """Return a short form and its expansion."""
        words = [
            self.rng.choice(own if self.rng.random() < 0.6 else self.common)
            for _ in range(self.rng.choice([2, 3, 3, 4]))
        ]
        long = " ".join(words)
        return "".join(
            word[0] for word in words
        ).upper(), long.title() if self.rng.random() < 0.8 else long

    def rename(
        self, text: str, name: Candidate, partner: Candidate | None
    ) -> tuple[str, str] | None:
        """Return a copy of an abstract with another name, and that name; None where it is unfit."""
        rng = self.rng
        own = [
            word for word in re.findall(r"(?<= )[a-z]{4,11}(?=[ ,.])", text) if word not in PLAIN
        ]
        if len(own) < 10 or not any(letter.isupper() for letter in name.text):
            return None
        new = name.text if rng.random() < 0.15 else self.name(own)
        if partner is not None and rng.random() < 0.85:
            short, long = self.pair(own)
            new, other = (short, long) if name.is_short else (long, short)
            text = text.replace(partner.text, "\0")
        else:
            other = ""
        whole = rf"(?<![^\W_]){re.escape(name.text)}(?![^\W_])"
        text = re.sub(whole, lambda _: new, text).replace("\0", other)
        text = re.sub(
            r"([.!?] )(" + re.escape(new) + ")", lambda m: m[1] + m[2][0].upper() + m[2][1:], text
        )
        text = re.sub(
            r"\b(?:called|termed|dubbed|named|coined)(?= )",
            lambda m: rng.choice([*CUES, m[0]]),
            text,
        )
        if rng.random() < 0.45:
            # Names that an abstract mentions once are rare in titles, not in abstracts.
            text = " ".join(_first_mention(text, new))
        return text, new


def _first_mention(text: str, name: str) -> Iterator[str]:
    seen = False
    for sentence in split_sentences(text):
        holds = name.lower() in sentence.lower()
        if not (holds and seen):
            yield sentence
        seen |= holds


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
        capital = (c for c in candidates.values() if any(letter.isupper() for letter in c.text))
        names.update({c.key for c in capital if len(c.key) < 40})
    return Corpus(papers, words, names)


def make_examples(corpus: Corpus, seed: int) -> list[Example]:
    """Return the examples: the papers themselves, and copies with invented names."""
    inventor = Inventor({word: n for word, n in corpus.words.items() if n >= 4}, seed)
    examples = []
    for number, (paper, tokens, candidates) in enumerate(corpus.papers):
        own = [
            key
            for key in leading_names(paper.title)
            if key in candidates and corpus.names[key] <= WIDELY_KNOWN
        ]
        title = key_of(paper.title)
        inside = frozenset(key for key in candidates if key in title)
        examples.append(Example(number, tokens, candidates, _both(own, candidates), inside, False))
        if not own or inventor.rng.random() >= COPIED:
            continue
        name = candidates[own[0]]
        renamed = inventor.rename(paper.abstract, name, candidates.get(name.partner))
        if renamed:
            copy = tokenize(renamed[0])
            found = find_candidates(copy)
            key = key_of(renamed[1])
            if key in found:
                names = _both([key], found)
                examples.append(Example(number, copy, found, names, frozenset(), True))
    return examples


def _both(keys: Sequence[str], candidates: Mapping[str, Candidate]) -> tuple[str, ...]:
    """Return the keys with those of their expansions or short forms."""
    partners = [candidates[key].partner for key in keys if candidates[key].partner]
    return tuple(dict.fromkeys([*keys, *partners]))


def count_cues(examples: Sequence[Example], fold: int | None) -> dict[str, float]:
    """Return the log odds of the words around names, over named papers of the other fold."""
    good: Counter[str] = Counter()
    bad: Counter[str] = Counter()
    for example in examples:
        if not example.names or (fold is not None and example.paper % 2 == fold):
            continue
        sentence = {i: pair for pair in example.tokens.sentences for i in range(*pair)}
        for key, candidate in example.candidates.items():
            counts = good if key in example.names else bad
            for start, end in {(place.start, place.end) for place in candidate.places}:
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


def vectors(
    examples: Sequence[Example],
    words: Mapping[str, int],
    names: Mapping[str, int],
    cues: Sequence[Mapping[str, float]],
    size: int,
) -> tuple[Any, ...]:
    """Return the rows, and for each: its label, example, paper, and whether the title holds it."""
    known = {key: count for key, count in names.items() if count >= 2}
    rows, labels, groups, papers, in_title = [], [], [], [], []
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
            labels.append(key in example.names)
            groups.append(number)
            papers.append(example.paper)
            in_title.append(key in example.in_title)
    return np.array(rows), *(np.array(column) for column in (labels, groups, papers, in_title))


def _fit(rows: Any, labels: Any, weights: Any, trees: int) -> HistGradientBoostingClassifier:
    model = HistGradientBoostingClassifier(
        max_iter=trees, learning_rate=0.06, max_leaf_nodes=16, min_samples_leaf=40,
        l2_regularization=5.0, random_state=0,
    )  # fmt: skip
    used = weights > 0
    return model.fit(rows[used], labels[used], sample_weight=weights[used])


def _across(rows: Any, labels: Any, weights: Any, papers: Any, trees: int) -> Any:
    """Return probabilities of a model that has not seen the paper: two folds."""
    found = np.zeros(len(labels))
    for fold in (0, 1):
        inside = papers % 2 == fold
        model = _fit(rows[~inside], labels[~inside], weights[~inside], trees)
        found[inside] = model.predict_proba(rows[inside])[:, 1]
    return found


def weigh(rows: Any, labels: Any, named: Any, in_title: Any, guess: Any) -> Any:
    """Return the weight of each row.

    A paper whose title begins with no name may introduce one all the same: what its abstract
    proposes outright is left out, the rest counts as not introduced.
    """

    def flag(name: str) -> Any:
        return rows[:, NAMES.index(name)] > 0

    proposed = (
        flag("propose_within_3") | flag("after_proposed") | flag("after_our") | flag("in_address")
        | flag("article_described") | flag("after_release")
        | (flag("after_called") & flag("own_proposal_before"))
        | (flag("has_partner") & (flag("propose_within_8") | flag("partner_proposed")))
    )  # fmt: skip
    weights = np.ones(len(labels))
    weights[~named & proposed & (guess > LIKELY)] = 0
    weights[~named & (guess > 0.9)] = 0
    weights[~named & in_title & (rows[:, NAMES.index("known")] < math.log(8))] = 0
    weights[named & ~labels & (guess > 0.5)] = 0.3
    return weights


LIKELY = 0.06
"""From this first guess on, what is proposed in so many words is left out, not denied."""


def train(rows: Any, labels: Any, groups: Any, papers: Any, in_title: Any) -> dict[str, Any]:
    """Return both models: each candidate by itself, then beside its best rival."""
    with_name = set(groups[labels].tolist())
    named = np.array([group in with_name for group in groups])
    guess = _across(rows, labels, named.astype(float), papers, 120)
    weights = weigh(rows, labels, named, in_title, guess)
    guess = _across(rows, labels, weights, papers, 160)
    first = _fit(rows, labels, weights, 200)
    odds = np.log((guess + 1e-3) / (1 - guess + 1e-3))
    context = np.zeros((len(labels), len(CONTEXT_FEATURES)))
    starts = [0, *(np.flatnonzero(np.diff(groups)) + 1).tolist(), len(groups)]
    for start, end in pairwise(starts):
        context[start:end] = rivalry(odds[start:end].tolist())
    both = np.hstack([rows, context])
    second = _fit(both, labels, weigh(rows, labels, named, in_title, guess), 160)
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
    bags = [make_examples(corpus, SEED + bag) for bag in range(BAGS)]
    cues = count_cues(bags[0], None)
    folds = (count_cues(bags[0], 0), count_cues(bags[0], 1))
    model = {"bags": [train(*vectors(bag, common, corpus.names, folds, size)) for bag in bags]}
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
