"""Measures names and headlines: against the expert's reading, and against true titles.

usage: python -m bench.naming [PAPERS.jsonl[.gz] [--last N]] [-v]

The first line is measured on the annotated seed file (tests/gold/000.tsv; thresholds were set on
it), the second on the last N papers of PAPERS (``id``, ``title`` and ``abstract`` a line), which
the training scripts never look at, the third on readings of other papers of PAPERS that
were kept back: abstracts whose titles name nothing, most of them chosen for being doubtful.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from bench.gold import FILE, ROOT, read_gold
from bench.scoring import plain
from sitegen.headlines import write_headlines
from sitegen.naming.candidates import key_of
from sitegen.records import Metadata, Naming, Paper, Place, Prose
from sitegen.repair import repair
from tools.labelled import Label, read_labels
from tools.titled import Titled, leading_names, read_titled, rouge

Figures = dict[str, float]


def papers_of(texts: Sequence[str]) -> list[Paper]:
    """Return papers that are nothing but their repaired abstracts."""
    place = Place(file="bench", position=1, line=1, edition="bench")
    return [
        Paper(
            id=f"{number:08d}", prose=Prose(text=text), source_text=text, title=None,
            metadata=Metadata(), links=(), places=(place,),
        )
        for number, text in enumerate(texts)
    ]  # fmt: skip


def seed_texts() -> list[str]:
    """Return the repaired abstracts of the annotated seed file, in its order."""
    (file,) = sorted((ROOT / "seeds").glob(f"{FILE}*"))
    paragraphs = [part.strip() for part in file.read_text(encoding="utf-8").split("\n\n")]
    return [repair(part).text for part in paragraphs if part][1:]


def name_seeds() -> list[Naming]:
    """Return the namings of the annotated abstracts."""
    return list(write_headlines(papers_of(seed_texts())))


def score_names(namings: Sequence[Naming] | None = None) -> Figures:
    """Return precision, recall and F1 of the main name, by the expert's reading."""
    right = given = wanted = 0
    for naming, expert in zip(namings or name_seeds(), read_gold(), strict=True):
        gold = {key_of(repair(name).text) for name in expert.names}
        forms = {key_of(form) for name in naming.names[:1] for form in (name.text, name.expansion)}
        given += bool(naming.names)
        wanted += bool(gold)
        right += bool(forms & gold)
    precision, recall = right / max(given, 1), right / max(wanted, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return {"precision": precision, "recall": recall, "f1": f1}


def score_headlines(namings: Sequence[Naming]) -> Figures:
    """Return agreement with the expert's headlines, and the share that holds the name."""
    experts = read_gold()
    values = [rouge(naming.title, e.headline) for naming, e in zip(namings, experts, strict=True)]
    held = [
        any(plain(repair(name).text) in plain(naming.title) for name in expert.names)
        for naming, expert in zip(namings, experts, strict=True)
        if expert.names
    ]
    return {
        "rougeL": sum(values) / len(values),
        "name_in_title": sum(held) / len(held),
        "words_max": max(len(naming.title.split()) for naming in namings),
        "unique": len({naming.title for naming in namings}) / len(namings),
    }


def score_readings(papers: Sequence[Titled]) -> Figures:
    """Return precision and recall of the main name, and agreement of headlines, on readings."""
    labels = read_labels()
    kept = [(paper, labels[paper.arxiv]) for paper in papers if paper.arxiv in labels]
    kept = [(paper, label) for paper, label in kept if label.held_out]
    namings = write_headlines(papers_of([paper.abstract for paper, _ in kept]))
    right = given = wanted = 0
    values = []
    for naming, (_, label) in zip(namings, kept, strict=True):
        right += is_main(naming, label)
        given += bool(naming.names)
        wanted += bool(label.names)
        if label.headline:
            values.append(rouge(naming.title, label.headline))
    return {
        "papers": len(kept),
        "precision": right / max(given, 1),
        "recall": right / max(wanted, 1),
        "rougeL": sum(values) / max(len(values), 1),
    }


def is_main(naming: Naming, label: Label) -> bool:
    """Tell whether the first name found is the main one by a reading, in any of its spellings."""
    forms = {key_of(form) for name in naming.names[:1] for form in (name.text, name.expansion)}
    return bool(label.names) and not forms.isdisjoint(label.names[0])


def score_titles(papers: Sequence[Titled], *, verbose: bool = False) -> Figures:
    """Return the same against the true titles of papers."""
    start = time.process_time()
    namings = write_headlines(papers_of([paper.abstract for paper in papers]))
    seconds = time.process_time() - start
    values, found = [], []
    for paper, naming in zip(papers, namings, strict=True):
        values.append(rouge(naming.title, paper.title))
        abstract = key_of(paper.abstract)
        gold = {key for key in leading_names(paper.title) if key in abstract}
        if gold:
            forms = {key_of(f) for name in naming.names[:1] for f in (name.text, name.expansion)}
            found.append(bool(forms & gold))
        if verbose:
            print(f"{values[-1]:.2f} {naming.title} || {paper.title}")
    return {
        "papers": len(papers),
        "name_recall": sum(found) / max(len(found), 1),
        "rougeL": sum(values) / len(values),
        "seconds_per_1000": seconds * 1000 / len(papers),
    }


def main() -> None:
    """Print one line a collection."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("papers", type=Path, nargs="?")
    parser.add_argument("--last", type=int, default=1500)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    namings = name_seeds()
    _print("seeds", score_names(namings) | score_headlines(namings))
    if options.papers:
        papers = read_titled(options.papers)
        _print("titles", score_titles(papers[-options.last :], verbose=options.verbose))
        _print("readings", score_readings(papers))


def _print(label: str, figures: Figures) -> None:
    print(label, " ".join(f"{name}={value:.3f}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
