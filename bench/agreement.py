"""How far the project's own digest agrees with the hand annotation of its first seed file."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from bench.baselines import Ranking, neighbours
from bench.duplicates import score_variants, seed_texts
from bench.gold import FILE, ROOT, Expert, annotated_rows, read_gold
from bench.scoring import (
    Figures,
    biggest_share,
    has_raw_markup,
    protected_kept,
    rouge_l,
    same_area,
    score_headlines,
    score_names,
    score_tag_pages,
    score_tags,
    score_topics,
)
from sitegen.build import read_digest
from sitegen.config import SITE_TOML
from sitegen.digest import BuildOptions
from sitegen.markup import slugify
from sitegen.progress import Progress
from sitegen.views import Record

TAGS = 8
"""So many phrases of a baseline count as a paper's tags: as many as sitegen gives at most."""
NEAR = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotated:
    """A digest beside the annotation of some of its papers."""

    records: tuple[Record, ...]
    """All papers, as the data files export them."""
    experts: tuple[Expert, ...]
    rows: tuple[int, ...]
    """Aligned with experts: which record each of them describes."""

    @property
    def pairs(self) -> list[tuple[Record, Expert]]:
        """What was derived beside what the expert wrote."""
        rows = zip(self.rows, self.experts, strict=True)
        return [(self.records[row], expert) for row, expert in rows]

    @property
    def areas(self) -> dict[int, frozenset[str]]:
        """The areas of each annotated record."""
        rows = zip(self.rows, self.experts, strict=True)
        return {row: expert.area_set for row, expert in rows}


def read_own_digests(model: str = "static") -> tuple[Annotated, Annotated]:
    """Run all stages up to the site model on the project's own seeds and content.

    Args:
        model: embedding model, as in site.toml.

    Returns:
        the digest of all seeds, and that of the annotated file alone.

    Raises:
        SitegenError: the model is not on this machine.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("content", "seeds"):
            shutil.copytree(ROOT / name, root / name)
        settings = root / SITE_TOML
        settings.write_text(_with_model(settings.read_text("utf-8"), model), "utf-8")
        whole = _read(root)
        for path in (root / "seeds").iterdir():
            if not path.name.startswith(FILE):
                path.unlink()
        return whole, _read(root)


def _read(root: Path) -> Annotated:
    records = read_digest(BuildOptions(root=root, frozen=True), Progress()).site.records
    experts = read_gold()
    rows = annotated_rows(
        experts, [record.places for record in records], [record.merged for record in records]
    )
    return Annotated(records=records, experts=experts, rows=tuple(rows))


def _with_model(settings: str, model: str) -> str:
    """Set the embedding model in the text of a site.toml."""
    line = f'[tags]\nmodel = "{model}"\n'
    settings = re.sub(r"(?m)^model\s*=.*\n", "", settings)
    if re.search(r"(?m)^\[tags\]\s*$", settings):
        return re.sub(r"(?m)^\[tags\]\s*\n", line, settings)
    return f"{settings}\n{line}"


def score_digest(digest: Annotated) -> Figures:
    """Score names, headlines, tags, topics, neighbours and repair of a digest."""
    records, pairs = digest.records, digest.pairs
    paged = [[tag.slug for tag in record.tags if tag.page] for record in records]
    names = [expert.names for _, expert in pairs]
    return {
        **score_names([[name.text for name in record.names] for record, _ in pairs], names),
        **score_headlines(
            [record.title for record, _ in pairs], [expert.headline for _, expert in pairs], names
        ),
        "title_unique": len({record.title for record in records}) / len(records),
        **score_tags(
            [[tag.name for tag in record.tags] for record, _ in pairs],
            [expert.tags for _, expert in pairs],
        ),
        **score_tag_pages(paged, digest.rows),
        **score_topics(
            [record.topics for record, _ in pairs], [expert.areas for _, expert in pairs]
        ),
        "topics_biggest": biggest_share([record.topics for record in records]),
        "related_same_area_whole": same_area_shown(digest),
        **score_repair(digest),
    }


def score_related(digest: Annotated) -> Figures:
    """Score the neighbours in a digest of annotated papers only."""
    shown = sum(len(record.related) for record in digest.records)
    return {
        "related_same_area": same_area_shown(digest),
        "related_shown": shown / len(digest.records),
    }


def same_area_shown(digest: Annotated) -> float:
    """Return the share of neighbours with an area in common, among annotated papers."""
    areas = digest.areas
    at = {record.id: row for row, record in enumerate(digest.records)}
    near = {
        row: [at[other.id] for other in digest.records[row].related if at[other.id] in areas]
        for row in areas
    }
    return same_area(near, areas)


def score_repair(digest: Annotated) -> Figures:
    """Score what is left of damage, over all papers and over the fragments the expert listed."""
    before = [record.abstract_source for record in digest.records]
    after = [record.abstract for record in digest.records]
    fragments = [
        fragment not in record.abstract
        for record, expert in digest.pairs
        for fragment in expert.damage
        if fragment in " ".join(record.abstract_source.split())
    ]
    return {
        "repair_raw_before": sum(map(has_raw_markup, before)),
        "repair_raw_left": sum(map(has_raw_markup, after)),
        "repair_fragments_mended": sum(fragments) / max(len(fragments), 1),
        "repair_protected_kept": protected_kept(before, after),
    }


def score_duplicates() -> Figures:
    """Score the search for duplicates among 300 seeded variants of 100 of the seeds' abstracts."""
    found = score_variants(seed_texts(), 100, 1)
    return {"duplicates_precision": found.precision, "duplicates_recall": found.recall}


def score_ranking(digest: Annotated, ranking: Ranking) -> Figures:
    """Score ranked phrases as if the best of each paper were its tags.

    A phrase counts as a tag with a page where two papers or more have it; the share of singletons
    is over all phrases.
    """
    tags = [phrases[:TAGS] for phrases in ranking]
    slugs = [list(dict.fromkeys(map(slugify, own))) for own in tags]
    carriers = Counter(slug for own in slugs for slug in own)
    paged = [[slug for slug in own if carriers[slug] > 1] for own in slugs]
    return {
        **score_tags([tags[row] for row in digest.rows], [one.tags for one in digest.experts]),
        **score_tag_pages(paged, digest.rows),
        "tags_singletons": score_tag_pages(slugs)["tags_singletons"],
    }


def score_trivially(whole: Annotated, alone: Annotated) -> Figures:
    """Score what needs no method: the first ten words as a headline, any two papers as related."""
    openings = [" ".join(record.abstract.split()[:10]) for record, _ in whole.pairs]
    references = [expert.headline for expert in whole.experts]
    scores = [rouge_l(one, two) for one, two in zip(openings, references, strict=True)]
    rows = sorted(alone.areas)
    everyone = {row: [other for other in rows if other != row] for row in rows}
    return {
        "title_rouge_l": sum(scores) / len(scores),
        "related_same_area": same_area(everyone, alone.areas),
    }


def score_word_neighbours(alone: Annotated) -> Figures:
    """Score the nearest papers by plain TF-IDF over words, in a digest of annotated papers."""
    near = neighbours([record.abstract for record in alone.records], NEAR)
    return {
        "related_same_area": same_area(dict(enumerate(near)), alone.areas),
        "related_shown": float(NEAR),
    }
