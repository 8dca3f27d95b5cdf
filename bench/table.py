"""The rows of the quality table, and the table as Markdown that can be read as plain text, too."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.scoring import Figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One row: what is measured and what is wanted."""

    key: str
    label: str
    form: str = ".3f"
    target: float | None = None
    at_most: bool = False
    """Whether the target is an upper bound."""

    def wanted(self) -> str:
        """Return the target as text."""
        sign = "≤" if self.at_most else "≥"
        return "" if self.target is None else f"{sign} {self.target:g}"

    def missed(self, value: float) -> bool:
        """Tell whether a figure, rounded as it is shown, is on the wrong side of the target."""
        if self.target is None:
            return False
        worse = operator.gt if self.at_most else operator.lt
        return bool(worse(float(format(value, self.form)), self.target))


_COUNT = ".0f"
_MEAN = ".1f"
MEASURES: Mapping[str, tuple[Measure, ...]] = {
    "Names": (
        Measure(key="names_precision", label="precision of the main name", target=0.9),
        Measure(key="names_recall", label="recall of the main name", target=0.8),
        Measure(key="names_f1", label="F1 of the main name"),
        Measure(key="names_any_recall", label="recall of any name"),
    ),
    "Headlines": (
        Measure(key="title_has_name", label="name in the headline of a named paper", target=0.95),
        Measure(key="title_rouge_l", label="ROUGE-L with the expert's", target=0.4),
        Measure(key="title_unique", label="unique headlines", target=1),
        Measure(
            key="title_words_max", label="most words", form=_COUNT, target=14, at_most=True
        ),
        Measure(key="title_words_mean", label="mean words", form=_MEAN),
    ),
    "Tags": (
        Measure(key="tags_recall_exact", label="exact recall at 8", target=0.3),
        Measure(key="tags_recall_soft", label="soft recall at 8", target=0.4),
        Measure(key="tags_precision_soft", label="soft precision at 8", target=0.33),
        Measure(key="tags_papers_with_3", label="papers with 3 shared tags", target=0.97),
        Measure(key="tags_singletons", label="tags of one paper only", target=0, at_most=True),
        Measure(key="tags_pages", label="shared tags", form=_COUNT),
    ),
    "Topics": (
        Measure(key="topics_nmi", label="NMI with the first area", target=0.64),
        Measure(key="topics_accuracy", label="majority area is either area", target=0.75),
        Measure(key="topics_purity", label="purity"),
        Measure(key="topics_coverage", label="papers with a topic", target=0.99),
        Measure(key="topics_biggest", label="biggest topic's share", target=0.15, at_most=True),
    ),
    "Related": (
        Measure(key="related_same_area", label="same area, file 000 alone", target=0.7),
        Measure(key="related_shown", label="shown per paper, file 000 alone", form=_MEAN),
        Measure(key="related_same_area_whole", label="same area, within the whole digest"),
    ),
    "Duplicates": (
        Measure(key="duplicates_precision", label="precision over pairs", target=0.99),
        Measure(key="duplicates_recall", label="recall over pairs", target=0.99),
    ),
    "Repair": (
        Measure(key="repair_raw_before", label="papers with raw markup before", form=_COUNT),
        Measure(
            key="repair_raw_left", label="... after", form=_COUNT, target=0, at_most=True
        ),
        Measure(key="repair_fragments_mended", label="damaged fragments mended"),
        Measure(key="repair_protected_kept", label="sound look-alikes kept", target=1),
    ),
    "arXiv": (
        Measure(key="arxiv_names_recall", label="recall of the title's name", target=0.85),
        Measure(key="arxiv_names_any_recall", label="... among all names found"),
        Measure(key="arxiv_title_has_name", label="name in the headline"),
        Measure(key="arxiv_title_rouge_l", label="ROUGE-L with the true title", target=0.36),
        Measure(key="arxiv_texts_dump", label="texts restored, markup lost as in dumps"),
        Measure(key="arxiv_formulas_dump", label="... formulas of them"),
        Measure(key="arxiv_texts_bare", label="texts restored, all signs lost"),
        Measure(key="arxiv_formulas_bare", label="... formulas of them"),
        Measure(key="arxiv_phrases", label="... styled phrases of them"),
        Measure(key="arxiv_unmarked_parted", label="unmarked texts unglued", form=_COUNT),
        Measure(
            key="arxiv_unmarked_changed", label="unmarked texts changed otherwise", form=_COUNT,
            target=0, at_most=True,
        ),
    ),
}  # fmt: skip


def keyphrase_measures(name: str) -> tuple[Measure, ...]:
    """Return the rows for one file of gold keyphrases."""
    return tuple(
        Measure(key=f"{name}@{depth}", label=f"F1@{depth}", form=".1f") for depth in (5, 10)
    )


def quality_table(
    groups: Mapping[str, Sequence[Measure]], columns: Mapping[str, Figures]
) -> list[str]:
    """Return the lines of the table; a row or column without any figure is left out.

    Args:
        groups: the rows in order, by what they speak of.
        columns: figures by method; those of the first are held against the targets.
    """
    shown = {name: figures for name, figures in columns.items() if figures}
    first = next(iter(shown), "")
    rows = [["", "measure", "wanted", *shown]]
    for group, measures in groups.items():
        title = group
        for measure in measures:
            if not any(measure.key in figures for figures in shown.values()):
                continue
            cells = [_cell(measure, figures, name == first) for name, figures in shown.items()]
            rows.append([title, measure.label, measure.wanted(), *cells])
            title = ""
    return markdown(rows, left=2)


def _cell(measure: Measure, figures: Figures, held: bool) -> str:
    if measure.key not in figures:
        return ""
    value = figures[measure.key]
    return format(value, measure.form) + (" ✗" if held and measure.missed(value) else "")


def markdown(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Return a table of padded cells, its first row as head, all but the first columns right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if at < left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(f"| {' | '.join(cells)} |")
    rule = [
        "-" * width if at < left else "-" * (width - 1) + ":" for at, width in enumerate(widths)
    ]
    return [lines[0], f"| {' | '.join(rule)} |", *lines[1:]]
