"""Everything that sitegen finds out about papers, measured; one table, also in bench/quality.md.

The project's own seeds and the hand annotation of their first file are all it needs. Keyphrases and
true titles are measured where files are given; YAKE and the model ``onnx`` where installed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from bench import agreement, baselines
from bench.arxiv import read_arxiv, score_arxiv
from bench.baselines import Ranking
from bench.costs import SLOW, Cost, measure_costs, mixed_abstracts
from bench.duplicates import seed_texts
from bench.gold import ROOT
from bench.keyphrases import f1, ours, stem
from bench.scoring import Figures
from bench.table import MEASURES, keyphrase_measures, markdown, quality_table
from sitegen import embedders
from sitegen.diagnostics import SitegenError

USAGE = "python bench/quality.py [--keyphrases GOLD.jsonl ...] [--arxiv FILE.jsonl[.gz]]"
OUTPUT = ROOT / "bench/quality.md"
OWN = "static"
TIMED = 1000
Methods = dict[str, Callable[[Sequence[str]], Ranking]]
METHODS: Methods = {
    "KeyBERT (1,1)": lambda texts: baselines.keybert(texts, OWN, 1),
    "KeyBERT (1,2)": lambda texts: baselines.keybert(texts, OWN, 2),
    "YAKE": baselines.yake,
    "TF-IDF": baselines.tfidf,
}
HEAD = """# Quality

Made by `make bench`; do not edit. How far what sitegen derives agrees with an expert's reading of
the first seed file (`tests/gold/000.tsv`), beside other methods on the same texts. ✗ marks a figure
on the wrong side of what is wanted. The annotated file was seen while the rules were made: expect
less on other texts. Some rows need a file and some columns a package that this project does not
have; they are left out where those are missing (see `python bench/quality.py --help`).
"""
NOTES = """\
- *sitegen*: the build itself, up to the site model, on `seeds/` and `content/`.
- *KeyBERT*: as shipped, n-grams of one or of up to two words, with sitegen's static embedder;
  *YAKE*: n-grams of up to three words; *TF-IDF*: n-grams of up to two words over the same texts.
  The first 8 phrases of each count as tags; one that two papers have is a shared tag. Under
  *Related*, TF-IDF is the cosine over single words.
- *trivial*: the first ten words as headline; any two papers as related.
- *Tags*: exact means equal stems, soft that two stems or more are shared and one tag's stems hold
  the other's or half of all.
- *Topics*: "majority area" maps a topic to the area most of its papers have.
- *Related*: only papers of the first file are annotated; neighbours without a reason to show are
  not shown, and not counted.
- *Duplicates*: 300 variants of 100 abstracts (typos, cuts, markup, edits, capitals) among all.
- *Repair*: a damaged fragment counts as mended where it no longer stands as it stood.
"""
KEYPHRASE_NOTE = """\
- *{}*: keyphrases; micro F1 in percent of the first 5 and 10, exact after Porter stemming.
"""
ARXIV_NOTE = """\
- *arXiv*: {} abstracts; a title has a name where up to three words before its colon stand in the
  abstract. Restored: an abstract that lost its LaTeX, repaired, is what its LaTeX renders to. Texts
  without a sign of markup must not change, but glued words may be parted. A file that the models of
  names and headlines were trained on says little about other papers.
"""
COSTS_NOTE = f"""\
Each stage ran in a process of its own, on one thread, over {TIMED} abstracts made of the seeds'
sentences (models other than static over {SLOW}). Models were loaded before the clock started;
memory is all that the process held, interpreter and libraries included.
"""


Columns = dict[str, Figures]
Say = Callable[[str], None]


def available(say: Say) -> tuple[list[str], Methods]:
    """Return the embedding models and the other methods that are installed; tell what is not."""
    models, methods = [OWN], dict(METHODS)
    try:
        embedders.identity("onnx")
        models.append("onnx")
    except SitegenError as missing:
        say(f"not measured: {missing.problems[0].text}")
    if not baselines.has_yake():
        del methods["YAKE"]
        say("not measured: YAKE, the package yake is not installed")
    return models, methods


def column_of(model: str) -> str:
    """Return what sitegen with this model is called in the table."""
    return "sitegen" if model == OWN else f"sitegen ({model})"


def measure_seeds(models: Sequence[str], methods: Methods, say: Say) -> Columns:
    """Measure the digest of the seeds, and other methods on its texts."""
    columns: Columns = {}
    digests = {}
    for model in models:
        say(f"the seeds' digest, model {model}")
        whole, alone = digests[model] = agreement.read_own_digests(model)
        columns[column_of(model)] = {
            **agreement.score_digest(whole),
            **agreement.score_related(alone),
        }
    whole, alone = digests[OWN]
    say("duplicates")
    columns[column_of(OWN)] |= agreement.score_duplicates()
    texts = [record.abstract for record in whole.records]
    for name, method in methods.items():
        say(f"the seeds by {name}")
        columns[name] = agreement.score_ranking(whole, method(texts))
    columns["TF-IDF"] |= agreement.score_word_neighbours(alone)
    columns["trivial"] = agreement.score_trivially(whole, alone)
    return columns


def measure_keyphrases(path: Path, models: Sequence[str], methods: Methods, say: Say) -> Columns:
    """Measure all methods on one file of gold keyphrases."""
    lines = path.read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines if line.strip()]
    texts = [record["text"] for record in records]
    gold = [{stem(phrase) for phrase in record["gold"]} for record in records]
    own: Methods = {column_of(model): partial(ours, model=model) for model in models}
    columns: Columns = {}
    for name, method in {**own, **methods}.items():
        say(f"{path.name} by {name}")
        ranking = method(texts)
        columns[name] = {f"{path.stem}@{depth}": f1(gold, ranking, depth) for depth in (5, 10)}
    return columns


def cost_table(costs: Sequence[Cost]) -> list[str]:
    """Return time and memory as the lines of a table."""
    rows = [[cost.stage, f"{cost.seconds:.1f}", f"{cost.megabytes:.0f}"] for cost in costs]
    return markdown([["stage", "s CPU per 1,000", "peak MB"], *rows], left=1)


def machine() -> str:
    """Return one line about this computer."""
    info = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*:\s*(.+)", info.read_text()) if info.exists() else None
    processor = found[1] if found else platform.processor() or platform.machine()
    return (
        f"{os.cpu_count()} cores of {processor}, {platform.system()}, "
        f"Python {platform.python_version()}"
    )


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=USAGE
    )
    parser.add_argument(
        "--keyphrases", type=Path, nargs="+", default=[], metavar="GOLD.jsonl",
        help="lines of id, text, gold (phrases); needs the package nltk",
    )  # fmt: skip
    parser.add_argument(
        "--arxiv", type=Path, metavar="FILE.jsonl[.gz]", help="lines of title, abstract"
    )
    parser.add_argument("--output", type=Path, default=OUTPUT, help="default: bench/quality.md")
    args = parser.parse_args()
    if args.keyphrases and not find_spec("nltk"):
        parser.error("--keyphrases needs the package nltk")
    start = time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - start:6.1f} s  {text}", file=sys.stderr, flush=True)

    models, methods = available(say)
    groups = dict(MEASURES)
    columns = measure_seeds(models, methods, say)
    notes = NOTES
    for path in args.keyphrases:
        groups[path.stem] = keyphrase_measures(path.stem)
        for name, figures in measure_keyphrases(path, models, methods, say).items():
            columns[name] |= figures
    if args.arxiv:
        say(args.arxiv.name)
        papers = read_arxiv(args.arxiv)
        columns[column_of(OWN)] |= score_arxiv(papers)
        notes += ARXIV_NOTE.format(len(papers))
    if args.keyphrases:
        notes += KEYPHRASE_NOTE.format(", ".join(path.stem for path in args.keyphrases))
    say("time and memory")
    costs = measure_costs(mixed_abstracts(seed_texts(), TIMED), models)
    lines = [
        *HEAD.splitlines(), "", *quality_table(groups, columns), "", *notes.splitlines(), "",
        "## Time and memory", "", *cost_table(costs), "", *COSTS_NOTE.splitlines(), "",
        f"Measured on {machine()}.",
    ]  # fmt: skip
    print("\n".join(lines))
    args.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    say("done")


if __name__ == "__main__":
    main()
