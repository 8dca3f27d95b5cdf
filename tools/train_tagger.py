#!/usr/bin/env python3
"""Trains the part-of-speech tagger of sitegen/naming/tagger.py and writes sitegen/data/tagger.json.

usage: train_tagger.py TAGGED.jsonl [--output FILE] [--sentences N]

Each line of TAGGED.jsonl is a JSON list [id, words, tags, ...] with Penn Treebank tags. The shipped
weights were learnt from arXiv abstracts that spaCy's en_core_web_sm (MIT) had tagged on this
project's own tokens; neither is needed afterwards. Standard library only; seeded.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from pathlib import Path

from sitegen.naming.tagger import features

FOLDED = {
    "NNP": "NN", "NNPS": "NNS", "JJR": "JJ", "JJS": "JJ", "RBR": "RB", "RBS": "RB", "PDT": "DT",
    "PRP$": "DT", "WDT": "WH", "WP": "WH", "WP$": "WH", "WRB": "WH", "EX": "PRP", "FW": "NN",
    "AFX": "JJ", "UH": "RB", "ADD": "NN",
}  # fmt: skip
LEAST = 1.6
"""Smaller weights are left out: a fifth of the size for 0.3 points of accuracy."""
TAGS = [
    "NN",
    "NNS",
    "JJ",
    "RB",
    "VB",
    "VBP",
    "VBZ",
    "VBD",
    "VBN",
    "VBG",
    "MD",
    "IN",
    "TO",
    "DT",
    "PRP",
    "WH",
    "CC",
    "CD",
    "POS",
    "RP",
    ".",
]


def fold(tag: str) -> str:
    """Return the folded tag; everything that is no word is a mark."""
    tag = FOLDED.get(tag, tag)
    return tag if tag in TAGS else "."


def read(path: Path, limit: int) -> list[tuple[list[str], list[str]]]:
    """Return up to ``limit`` sentences, spread evenly over the file."""
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    step = max(1, len(rows) // limit)
    return [(row[1], [fold(tag) for tag in row[2]]) for row in rows[::step]]


def certain_words(sentences: list[tuple[list[str], list[str]]]) -> dict[str, str]:
    """Return the words seen 20 times or more that bear one tag in 98.5 % of their places."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for words, tags in sentences:
        for word, tag in zip(words, tags, strict=True):
            seen[word.lower()][tag] += 1
    fixed = {}
    for word in sorted(seen):
        tag, count = min(seen[word].items(), key=lambda item: (-item[1], item[0]))
        if sum(seen[word].values()) >= 20 and count >= 0.985 * sum(seen[word].values()):
            fixed[word] = tag
    return fixed


def train(
    sentences: list[tuple[list[str], list[str]]], fixed: dict[str, str], rounds: int
) -> dict[str, dict[str, float]]:
    """Return averaged perceptron weights (Collins, 2002)."""
    rng = random.Random(11)
    weights: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    totals: dict[tuple[str, str], float] = defaultdict(float)
    stamps: dict[tuple[str, str], int] = defaultdict(int)
    now = 0

    def change(feature: str, tag: str, by: float) -> None:
        key = (feature, tag)
        totals[key] += (now - stamps[key]) * weights[feature][tag]
        stamps[key] = now
        weights[feature][tag] += by

    for _ in range(rounds):
        rng.shuffle(sentences)
        for words, tags in sentences:
            before, before2 = "^", "^"
            lower = [word.lower() for word in words]
            for i, word in enumerate(words):
                gold = tags[i]
                if gold == "." or lower[i] in fixed or not word[0].isalnum():
                    before2, before = before, fixed.get(lower[i], gold)
                    continue
                now += 1
                following = lower[i + 1] if i + 1 < len(words) else "$"
                around = (lower[i - 1] if i else "^", following)
                found = features(word, around, (before, before2))
                scores: dict[str, float] = defaultdict(float)
                for feature in found:
                    if feature in weights:
                        for tag, weight in weights[feature].items():
                            scores[tag] += weight
                guess = min(scores, key=lambda tag: (-scores[tag], tag)) if scores else "NN"
                if guess != gold:
                    for feature in found:
                        change(feature, gold, 1.0)
                        change(feature, guess, -1.0)
                before2, before = before, guess
    averaged: dict[str, dict[str, float]] = {}
    for feature in sorted(weights):
        for tag in sorted(weights[feature]):
            key = (feature, tag)
            total = totals[key] + (now - stamps[key]) * weights[feature][tag]
            if abs(total / now) >= LEAST:
                averaged.setdefault(feature, {})[tag] = round(total / now, 2)
    return averaged


def main() -> None:
    """Train, write the weights, and print the accuracy on every tenth sentence, held out."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("tagged", type=Path)
    parser.add_argument("--output", type=Path, default=Path("sitegen/data/tagger.json"))
    parser.add_argument("--sentences", type=int, default=30_000)
    options = parser.parse_args()
    sentences = read(options.tagged, options.sentences)
    held, kept = sentences[::10], [s for i, s in enumerate(sentences) if i % 10]
    fixed = certain_words(kept)
    weights = train(kept, fixed, rounds=4)
    number = {tag: str(i) for i, tag in enumerate(TAGS)}
    data = {
        "tags": TAGS,
        "fixed": fixed,
        "weights": {
            feature: {number[tag]: round(weight * 10) for tag, weight in pairs.items()}
            for feature, pairs in weights.items()
        },
    }
    options.output.write_text(
        json.dumps(data, ensure_ascii=False, separators=(",", ":")), encoding="utf-8"
    )
    from sitegen.naming.tagger import Tagger

    tagger = Tagger(tags=tuple(TAGS), weights=weights, fixed=fixed)
    right = total = 0
    for words, tags in held:
        right += sum(a == b for a, b in zip(tagger.tag(words), tags, strict=True))
        total += len(words)
    print(f"accuracy={right / total:.4f} features={len(weights)} fixed={len(fixed)}")


if __name__ == "__main__":
    main()
