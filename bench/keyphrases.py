"""Keyphrases against gold: F1 at 5 and 10 of this extractor, of KeyBERT as shipped, and others.

    python bench/keyphrases.py GOLD.jsonl ... [--model static] [--yake]

A gold file has lines {"id", "text", "gold": [phrase]}. Micro F1 over exact matches after Porter
stemming, the usual protocol. Needs nltk (its stemmer) and, with --yake, yake; neither is a
dependency of sitegen. Gold files are measurement data of others: none is part of this project.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.baselines import Ranking, keybert, tfidf, yake
from sitegen import embedders
from sitegen.keywords import KeywordOptions, read
from sitegen.phrases import candidates


@cache
def _stem_word(word: str) -> str:
    return str(_porter().stem(word))


@cache
def _porter() -> Any:
    # For gold files only: not among the pinned packages.
    return import_module("nltk.stem").PorterStemmer()


def stem(phrase: str) -> str:
    """Return what two spellings of a keyphrase share: lower case, no hyphens, Porter stems."""
    return " ".join(_stem_word(word) for word in phrase.lower().replace("-", " ").split())


def f1(gold: Sequence[set[str]], ranking: Ranking, depth: int) -> float:
    """Return micro F1 in percent of the first ``depth`` different phrases of each text."""
    hits = given = wanted = 0
    for phrases, right in zip(ranking, gold, strict=True):
        first = list(dict.fromkeys(map(stem, phrases)))[:depth]
        hits += sum(phrase in right for phrase in first)
        given += len(first)
        wanted += len(right)
    return 200 * hits / max(given + wanted, 1)


def ours(texts: Sequence[str], model: str) -> Ranking:
    """Rank as the build does."""
    readings = read(texts, KeywordOptions(model=model))
    return [[keyword.phrase for keyword in keywords] for keywords in readings.keywords]


def over_candidates(texts: Sequence[str]) -> Ranking:
    """Rank our candidates by TF-IDF over the given texts."""
    return tfidf(texts, lambda text: [candidate.key for candidate in candidates(text)])


def main() -> None:
    """Print one table for each gold file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gold", type=Path, nargs="+")
    parser.add_argument("--model", default="static", help="embedding model, as in site.toml")
    parser.add_argument("--yake", action="store_true", help="measure YAKE as well")
    args = parser.parse_args()

    methods: dict[str, Callable[[Sequence[str]], Ranking]] = {
        f"sitegen ({args.model})": lambda texts: ours(texts, args.model),
        "KeyBERT (1,1), same model": lambda texts: keybert(texts, args.model, 1),
        "KeyBERT (1,2), same model": lambda texts: keybert(texts, args.model, 2),
        "TF-IDF over our candidates": over_candidates,
        "TF-IDF (1,2)": tfidf,
    }
    if args.yake:
        methods["YAKE (1,3)"] = yake
    embedders.load(args.model)
    for path in args.gold:
        records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        texts = [record["text"] for record in records]
        gold = [{stem(phrase) for phrase in record["gold"]} for record in records]
        print(f"{path.name}: {len(texts)} texts")
        for name, method in methods.items():
            start = time.process_time()
            ranking = method(texts)
            seconds = (time.process_time() - start) * 1000 / len(texts)
            scores = f"{f1(gold, ranking, 5):5.1f} {f1(gold, ranking, 10):5.1f}"
            print(f"  {name:28} F1@5/10 {scores}   {seconds:6.1f} s CPU per 1000")


if __name__ == "__main__":
    main()
