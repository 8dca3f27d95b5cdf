"""Names, headlines and repair on arXiv papers, whose true titles and LaTeX are the answer."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import repair as repairs
from bench.scoring import Figures, plain, score_headlines, score_names
from bench.tags import paper_of
from sitegen.headlines import write_headlines
from sitegen.repair import repair_steps

SAMPLE = 1500
PARTING = {"glued-sentences", "glued-short-forms", "comments"}
"""Rules for damage that leaves no sign of markup: a lost space, a comment's forgotten ``%``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TitledAbstract:
    """A paper's true title and its abstract with LaTeX, both on one line."""

    title: str
    abstract: str


def read_arxiv(path: Path, most: int = SAMPLE) -> tuple[TitledAbstract, ...]:
    """Return papers of a file of JSON lines, at most so many, evenly spread over it.

    Args:
        path: lines with ``title`` and ``abstract``; compressed where the name ends in ``.gz``.
        most: the size of the sample.
    """
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        lines = [line for line in file if line.strip()]
    chosen = [lines[at * len(lines) // most] for at in range(most)] if len(lines) > most else lines
    return tuple(
        TitledAbstract(
            title=" ".join(record["title"].split()), abstract=" ".join(record["abstract"].split())
        )
        for record in map(json.loads, chosen)
    )


def name_of(paper: TitledAbstract) -> tuple[str, ...]:
    """Return the name a true title puts before its colon, where the abstract has it too.

    A name has at most three words; what is longer is mostly a phrase.
    """
    name, colon, _ = paper.title.partition(":")
    stands = f" {plain(name)} " in f" {plain(paper.abstract)} "
    return (name,) if colon and stands and 1 <= len(name.split()) <= 3 else ()


def score_arxiv(papers: Sequence[TitledAbstract]) -> Figures:
    """Score all that arXiv gives an answer to.

    Names have no precision: a paper may introduce what its title does not say.
    """
    unique = tuple({paper.abstract: paper for paper in papers}.values())
    namings = write_headlines([paper_of(paper.abstract) for paper in unique])
    wanted = [name_of(paper) for paper in unique]
    names = score_names([[name.text for name in naming.names] for naming in namings], wanted)
    heads = score_headlines(
        [naming.title for naming in namings], [paper.title for paper in unique], wanted
    )
    return {
        "arxiv_names_recall": names["names_recall"],
        "arxiv_names_any_recall": names["names_any_recall"],
        "arxiv_title_has_name": heads["title_has_name"],
        "arxiv_title_rouge_l": heads["title_rouge_l"],
        **score_repair([paper.abstract for paper in unique]),
    }


def score_repair(abstracts: Sequence[str]) -> Figures:
    """Lose the LaTeX of abstracts in two ways, repair, compare; and look for needless repairs.

    Styled phrases count where only signs are lost: dumps lose a command with its sign, and nothing
    is left to restore a style from.
    """
    figures: Figures = {}
    marked = [text for text in abstracts if "\\" in text or "$" in text]
    for name, lose in repairs.LOSSES.items():
        score = repairs.Score()
        for text in marked:
            repairs.compare(text, lose, score)
        figures[f"arxiv_texts_{name}"] = score.same / max(score.texts, 1)
        figures[f"arxiv_formulas_{name}"] = score.formulas_restored / max(score.formulas, 1)
        if name == "bare":
            figures["arxiv_phrases"] = score.phrases_restored / max(score.phrases, 1)
    sound = [text for text in abstracts if not repairs.MARKUP.search(text)]
    rules = [{rule for rule, *_ in repair_steps(text)} for text in sound]
    figures["arxiv_unmarked_parted"] = sum(bool(own & PARTING) for own in rules)
    figures["arxiv_unmarked_changed"] = sum(bool(own - PARTING) for own in rules)
    return figures
