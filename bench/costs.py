"""Processor time and peak memory of the stages that read papers, each in a process of its own."""

from __future__ import annotations

import random
import re
import resource
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from bench.gold import ROOT
from bench.tags import paper_of
from sitegen.content import load_content
from sitegen.headlines import write_headlines
from sitegen.keywords import KeywordOptions, Readings, embed, read
from sitegen.markup import slugify
from sitegen.records import Paper
from sitegen.related import relate
from sitegen.tags import choose_tags
from sitegen.topics import assign_topics, index_topics
from sitegen.vocabulary import default_vocabulary

SLOW = 200
"""Texts a model is timed with where it takes a second for twenty or so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one stage took."""

    stage: str
    texts: int
    seconds: float
    """Of processor time for 1,000 texts, on one thread; models and data were loaded before."""
    megabytes: float
    """Most memory that the process held, interpreter, libraries, models and papers included."""


def mixed_abstracts(texts: Sequence[str], count: int, seed: int = 1) -> list[str]:
    """Return new abstracts of usual length, made of sentences of the given ones, shuffled.

    Args:
        texts: real abstracts.
        count: how many to make.
        seed: of the shuffling.
    """
    rng = random.Random(seed)
    sentences = [part for text in texts for part in re.split(r"(?<=[.?!])\s+", text)]
    each = round(len(sentences) / len(texts))
    pool: list[str] = []
    while len(pool) < count * each:
        rng.shuffle(sentences)
        pool += sentences
    return [" ".join(pool[at * each : (at + 1) * each]) for at in range(count)]


def measure_costs(texts: Sequence[str], models: Sequence[str]) -> list[Cost]:
    """Measure all stages on the same texts.

    Args:
        texts: abstracts; 1,000 say most.
        models: embedding models that are on this machine, the digest's own first.
    """
    papers = [paper_of(text) for text in dict.fromkeys(texts)]
    costs = []
    for model in models:
        some = papers if model == "static" else papers[:SLOW]
        costs.append(_apart(f"keywords ({model})", _time_keywords, some, model))
    costs.append(_apart("names and headlines", _time_headlines, papers))
    readings = read([paper.prose.text for paper in papers], KeywordOptions(model=models[0]))
    costs.append(_apart("tags", _time_tags, papers, readings))
    costs.append(_apart("topics", _time_topics, papers, readings))
    costs.append(_apart("related", _time_related, papers, readings))
    return costs


def _apart(stage: str, work: Callable[..., float], papers: Sequence[Paper], *more: object) -> Cost:
    """Run one measurement in a fresh process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        seconds, megabytes = pool.submit(_with_peak, work, papers, *more).result()
    per_thousand = seconds * 1000 / len(papers)
    return Cost(stage=stage, texts=len(papers), seconds=per_thousand, megabytes=megabytes)


def _with_peak(
    work: Callable[..., float], papers: Sequence[Paper], *more: object
) -> tuple[float, float]:
    return work(papers, *more), peak_megabytes()


def peak_megabytes() -> float:
    """Return the most memory this process has held so far."""
    status = Path("/proc/self/status")
    if status.exists() and (found := re.search(r"VmHWM:\s+(\d+) kB", status.read_text())):
        return int(found[1]) / 1024
    # Not first: on Linux it counts the parent's memory as well.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10


def _timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _time_keywords(papers: Sequence[Paper], model: str) -> float:
    options = KeywordOptions(model=model)
    read(["A short text loads the model."], options)
    return _timed(lambda: read([paper.prose.text for paper in papers], options))


def _time_headlines(papers: Sequence[Paper]) -> float:
    write_headlines(papers[:3])
    return _timed(lambda: write_headlines(papers))


def _time_tags(papers: Sequence[Paper], readings: Readings) -> float:
    vocabulary = default_vocabulary()
    return _timed(
        lambda: choose_tags(papers, readings.keywords, vocabulary=vocabulary, slugify=slugify)
    )


def _time_topics(papers: Sequence[Paper], readings: Readings) -> float:
    content, _ = load_content(ROOT)
    index = index_topics(content.topics, lambda items: embed(items, KeywordOptions()))
    texts = [paper.prose.text for paper in papers]
    return _timed(lambda: assign_topics(texts, readings.vectors, index))


def _time_related(papers: Sequence[Paper], readings: Readings) -> float:
    taggings = choose_tags(
        papers, readings.keywords, vocabulary=default_vocabulary(), slugify=slugify
    )
    return _timed(lambda: relate(papers, readings.keywords, readings.vectors, taggings))
