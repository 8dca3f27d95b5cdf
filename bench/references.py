r"""Prints how surely a reference's records are found by the texts of titleless abstracts.

Abstracts of a reference lose their markup as those of dumps do, or are damaged in other ways, and
are looked for in the whole reference. Recall counts abstracts that get their own record, precision
the records given that are right; "without" is what an abstract would get if its own record did not
stand in the reference: anything is wrong. ``--size`` writes a reference of so many records, all
different, and takes the time and memory of searching it.

usage: python -m bench.references FILE.jsonl[.gz] [--sample N] [--size N [--jobs N]]
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.repair import lose_as_dump, lose_bare
from sitegen.attribution import Candidate, attribute
from sitegen.config import SourceSpec
from sitegen.diagnostics import Location
from sitegen.enrich import mend, read_record
from sitegen.matching import Wanted
from sitegen.shingles import fingerprint, words
from sitegen.snapshot import Hit, scan
from sitegen.sources import read_sources
from tests.variants import KINDS

ROOT = Path(__file__).parent.parent
LOSSES: dict[str, Callable[[str], str]] = {"as dump": lose_as_dump, "bare": lose_bare}


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the records of a reference."""
    data = path.read_bytes()
    lines = (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines()
    return [json.loads(line) for line in lines]


def one_line(text: str) -> str:
    """Return a text as a dump has it: unwrapped."""
    return " ".join(text.split())


def want(text: str) -> Wanted:
    """Return a text as `enrich` looks for it."""
    return Wanted(text=text, tokens=" ".join(words(mend(text))))


def found(hits: Sequence[Hit]) -> dict[int, str]:
    """Return the record that each text, by position, is given."""
    references, _ = attribute(
        Candidate(
            paper=str(hit.wanted),
            text="",
            likeness=hit.likeness,
            metadata=hit.metadata,
            place=Location("reference", hit.line),
        )
        for hit in hits
    )
    return {int(one.paper): one.metadata.arxiv for one in references}


def measure(path: Path, records: list[dict[str, Any]], sample: int) -> None:
    """Print precision and recall for each kind of damage."""
    rng = random.Random(7)
    texts = [one_line(record["abstract"]) for record in records]
    print(f"{'damage':<14}{'texts':>7}{'recall':>9}{'precision':>11}{'without':>9}")
    for name, damage in _kinds(texts, rng):
        chosen = sorted(rng.sample(range(len(records)), min(sample, len(records))))
        wanted = [want(damage(texts[at])) for at in chosen]
        scanned = scan(path, wanted, mend=mend, read_record=read_record, advance=_ignore)
        own = {position: records[at]["id"] for position, at in enumerate(chosen)}
        given = found(scanned.hits)
        right = sum(own[position] == identifier for position, identifier in given.items())
        others = [hit for hit in scanned.hits if hit.metadata.arxiv != own[hit.wanted]]
        print(
            f"{name:<14}{len(chosen):>7}{right / len(chosen):>9.4f}"
            f"{right / max(len(given), 1):>11.4f}{len(found(others)):>9}",
            flush=True,
        )


def _kinds(texts: Sequence[str], rng: random.Random) -> Iterator[tuple[str, Callable[[str], str]]]:
    yield from LOSSES.items()
    for name, change in KINDS.items():
        yield name, lambda text, change=change: change(text, rng, texts)  # type: ignore[misc]


def write_large(target: Path, records: list[dict[str, Any]], size: int) -> None:
    """Write so many records, no two alike: sentences in another order, a third of words changed."""
    rng = random.Random(11)
    pool = [word for record in records[:3000] for word in record["abstract"].split()]
    with target.open("w", encoding="utf-8") as out:
        for number in range(size):
            record = records[number % len(records)]
            sentences = re.split(r"(?<=[.?!])\s+", record["abstract"])
            rng.shuffle(sentences)
            text = " ".join(sentences).split(" ")
            for at in rng.sample(range(len(text)), len(text) // 3):
                text[at] = rng.choice(pool)
            changed = {"id": f"{number:07}", "abstract": " ".join(text)}
            out.write(json.dumps(record | changed) + "\n")


def time_large(records: list[dict[str, Any]], size: int, jobs: int) -> None:
    """Print how long the seeds' abstracts take against a large reference."""
    abstracts, _, _ = read_sources(ROOT, [SourceSpec(pattern="seeds/*")])
    texts = {fingerprint(abstract.text): abstract.text for abstract in abstracts}
    wanted = [want(text) for text in texts.values()]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.jsonl"
        write_large(path, records, size)
        start = time.perf_counter()
        before = _processor_seconds()
        scanned = scan(path, wanted, mend=mend, read_record=read_record, jobs=jobs, advance=_ignore)
        took = (
            f"{time.perf_counter() - start:.0f} s, processor {_processor_seconds() - before:.0f} s"
        )
        print(
            f"{scanned.records:,} records, {path.stat().st_size / 1e9:.2f} GB, {len(wanted)} texts"
        )
        print(f"{took}, memory {_most_memory():.0f} MB, given {len(found(scanned.hits))}")


def _processor_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _most_memory() -> float:
    """Return the most megabytes that the largest process held."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(who).ru_maxrss for who in kinds) / 1024


def _ignore(done: int, total: int) -> None:
    """Show no progress."""


def main() -> None:
    """Read the command line and print what it asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--sample", type=int, default=500)
    parser.add_argument("--size", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    records = read_lines(asked.file)
    if asked.size:
        time_large(records, asked.size, asked.jobs)
    else:
        measure(asked.file, records, asked.sample)


if __name__ == "__main__":
    main()
