"""The search index at size, in one piece and in shards; writes bench/results/search.md.

usage: python -m bench.search [SIZE ...] [--part PART] [--real DUMP.jsonl.gz] [--queries 200]

Each index is made in a process of its own. Seconds of CPU are those of Pagefind and sitegen
together; memory is that of the largest single process. What is found is compared on the real
papers, where a dump is given, else on the invented ones of the second size.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from bench.gold import ROOT
from bench.search_browser import Found, answers, first_visits, sample_queries, typing_times
from bench.search_corpus import invented, real, write_site
from sitegen.search import index_files
from sitegen.search.shards import MOST, split
from sitegen.views import SearchEntry

OUTPUT = ROOT / "bench/results/search.md"
SIZES = (1000, 3000, 10_000, 30_000)
ADDED = 100
ONE = 10**9
"""Papers in a shard where there is to be one index."""
FEW = 10
"""Queries of each kind that are also asked of Pagefind's merging alone."""
TYPED = ("language", "neural", "retrieval evaluation")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What an index took."""

    wall: float
    cpu: float
    megabytes: float
    """Of the largest process."""
    shards: int
    bytes: int


def index_cost(size: int, most: int, cache: Path, jobs: int, added: int = 0) -> Cost:
    """Measure an index of invented papers, in this process, which should be fresh."""
    entries = list(invented(size, added))
    start, before = time.perf_counter(), _cpu()
    written = sum(
        len(file.data) for file in index_files(entries, "en", cache, jobs=jobs, most=most)
    )
    return Cost(
        wall=time.perf_counter() - start,
        cpu=_cpu() - before,
        megabytes=resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
        shards=len(split(entries, most)),
        bytes=written,
    )


def _cpu() -> float:
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in both)


def _apart(work: Callable[..., Cost], *args: object) -> Cost:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *args).result()


def cost_rows(sizes: Sequence[int], folder: Path, jobs: int) -> list[str]:
    """Return a table's rows: each size in one index, in shards, and with papers added."""
    rows = []
    for size in sizes:
        for kind, most in (("one index", ONE), ("shards", MOST)):
            if kind == "shards" and size <= MOST:
                continue
            cache = folder / f"cache-{size}-{most}"
            cold = _apart(index_cost, size, most, cache, jobs)
            daily = _apart(index_cost, size, most, cache, jobs, ADDED)
            same = _apart(index_cost, size, most, cache, jobs, ADDED)
            rows.append(
                f"| {size:,} | {kind} | {cold.shards} | {cold.wall:.1f} | {cold.cpu:.1f} |"
                f" {cold.megabytes:.0f} | {daily.wall:.1f} | {daily.cpu:.1f} |"
                f" {daily.megabytes:.0f} | {same.wall:.1f} | {cold.bytes / size / 1000:.2f} |"
            )
            print(rows[-1], flush=True)
    return rows


def visit_rows(sizes: Sequence[int], folder: Path) -> list[str]:
    """Return a table's rows: what a browser loads and how long a search takes."""
    rows = []
    for size in sizes:
        entries = list(invented(size))
        for kind, most in (("one index", ONE), ("shards", MOST)):
            if kind == "shards" and size <= MOST:
                continue
            site = folder / f"site-{size}-{most}"
            write_site(entries, site, folder / f"cache-{size}-{most}", most)
            page, first, two = first_visits(site)
            times = typing_times(site, TYPED)
            rows.append(
                f"| {size:,} | {kind} | {page.requests} | {page.sent / 1000:.0f} |"
                f" {first.requests} | {first.sent / 1000:.0f} |"
                f" {two.requests} | {two.sent / 1000:.0f} |"
                f" {' / '.join(f'{seconds:.2f}' for seconds in times)} |"
            )
            print(rows[-1], flush=True)
    return rows


def agreement_rows(entries: Sequence[SearchEntry], folder: Path, count: int) -> list[str]:
    """Return a table's rows: how far shards find what one index finds, by kind of query."""
    queries = sample_queries(entries, count)
    for name, most in (("one", ONE), ("shards", MOST), ("merged", MOST)):
        write_site(entries, folder / name, folder / f"cache-{most}", most)
    _uncorrect(folder / "merged")
    rows = []
    for kind, asked in queries.items():
        few = asked[:FEW]
        one, shards = answers(folder / "one", asked), answers(folder / "shards", asked)
        merged = answers(folder / "merged", few)
        rows.append(f"| {kind} | {len(asked)} | {_agreement(one, shards)} |")
        rows.append(f"| {kind}, merged alone | {len(few)} | {_agreement(one[:FEW], merged)} |")
        print(*rows[-2:], sep="\n", flush=True)
        for query, left, right in zip(asked, one, shards, strict=True):
            if left.hits != right.hits:
                print(f"    {query}: {left.hits} and {right.hits} papers")
    return rows


def _uncorrect(site: Path) -> None:
    """Have a site's script leave all to Pagefind's merging."""
    (script,) = (site / "assets").glob("index.*.js")
    text = script.read_text(encoding="utf-8")
    corrected = "if (this.single || !this.whole) return"
    assert corrected in text
    script.write_text(text.replace(corrected, "return"), encoding="utf-8")


def _agreement(one: Sequence[Found], other: Sequence[Found]) -> str:
    pairs = list(zip(one, other, strict=True))
    first = statistics.mean(left.ids[:1] == right.ids[:1] for left, right in pairs)
    shared = [
        len({*left.ids[:10]} & {*right.ids[:10]}) / max(len(left.ids[:10]), len(right.ids[:10]), 1)
        for left, right in pairs
        if left.ids or right.ids
    ]
    hits = sum(left.hits == right.hits for left, right in pairs)
    counts = sum(left.counts == right.counts for left, right in pairs)
    return f"{first:.3f} | {statistics.mean(shared):.3f} | {hits} | {counts}"


def main() -> None:
    """Measure, and write each table as soon as it is there."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("sizes", type=int, nargs="*", default=SIZES, metavar="SIZE")
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--real", type=Path, metavar="DUMP")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in args.part or PARTS:
            if part == "index":
                rows = cost_rows(args.sizes, folder, args.jobs)
                _write(part, rows, jobs=args.jobs, added=ADDED)
            elif part == "visits":
                _write(part, visit_rows(args.sizes, folder), typed=", ".join(TYPED))
            else:
                entries = list(real(args.real) if args.real else invented(args.sizes[-1]))
                rows = agreement_rows(entries, folder, args.queries)
                kind = "real" if args.real else "invented"
                _write(part, rows, papers=len(entries), kind=kind, shards=len(split(entries)))


def _write(part: str, rows: Sequence[str], **figures: object) -> None:
    """Put a table into the file, in the place of its last version."""
    text = OUTPUT.read_text(encoding="utf-8") if OUTPUT.is_file() else HEAD
    head, *sections = text.split("\n## ")
    new = PARTS[part].format(**figures) + "\n".join(rows) + "\n"
    title = new.partition("\n")[0]
    kept = {section.partition("\n")[0]: section for section in sections} | {title: new}
    titles = [each.partition("\n")[0] for each in PARTS.values()]
    OUTPUT.parent.mkdir(exist_ok=True)
    ordered = [kept[each] for each in titles if each in kept]
    OUTPUT.write_text("\n## ".join([head, *ordered]), encoding="utf-8")


HEAD = """# Search at size

Made by `python -m bench.search`; do not edit.
"""
PARTS = {
    "index": """Making the index

Shards are indexed {jobs} at once. CPU is Pagefind's and sitegen's; MB are those of the largest
process. *Day* is with {added} newer papers, *same* with none.

| papers | index | shards | wall s | CPU s | MB | day: wall s | CPU s | MB | same: s | KB a paper |
|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
""",
    "visits": """First search in Chromium, below a base path

KB as sent by a host that compresses. The page is opened first; a search counts what is loaded
after it. The last column is seconds from typing to results, all pieces loaded: {typed}.

| papers | index | page: requests | KB | one word: requests | KB | two words: requests | KB | s |
|---:|---|---:|---:|---:|---:|---:|---:|---|
""",
    "agreement": """What shards find, beside one index

{papers:,} {kind} papers, {shards} shards. Overlap is that of the first row and of the first ten;
*hits* and *counts* are queries with equal numbers of papers and equal counts of all filters.
*Merged alone* is what Pagefind's `mergeIndex` gives without what `index.js` mends.

| queries | number | overlap@1 | overlap@10 | hits | counts |
|---|---:|---:|---:|---:|---:|
""",
}


if __name__ == "__main__":
    main()
