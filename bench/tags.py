"""How good tags and related papers are on the seeds, how steady, and what they cost.

usage: python bench/tags.py [--arxiv FILE.jsonl[.gz]] [--list N]

Tags are compared with the hand annotation of the first seed file (tests/gold/000.tsv), as
`bench.scoring` says. Related papers count as right where an area (first or second) is common to
both; only papers of that file are annotated, so they are related among themselves. Steadiness: 330
papers, then the same and 20 more.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.gold import FILE, ROOT, Expert, read_gold
from bench.scoring import same_area, score_tags
from sitegen.keywords import KeywordOptions, Readings, read
from sitegen.markup import slugify
from sitegen.records import Abstract, Metadata, Paper, Place, Prose, Relation, Tagging
from sitegen.related import relate
from sitegen.repair import restore
from sitegen.tags import choose_tags
from sitegen.vocabulary import EMPTY, Vocabulary, default_vocabulary

GRADES = ROOT / "tools/labels/tags.jsonl"


def read_seeds() -> tuple[list[Paper], dict[str, Expert]]:
    """Return the papers of the seeds, and the annotation by paper id."""
    annotation = read_gold()
    papers: dict[str, Paper] = {}
    experts: dict[str, Expert] = {}
    for path in sorted((ROOT / "seeds").glob("*.txt")):
        blocks = re.split(r"\n\s*\n", path.read_text(encoding="utf-8"))
        texts = [block.strip() for block in blocks[1:] if block.strip()]
        for position, text in enumerate(texts):
            paper = paper_of(text, f"seeds/{path.name}", position + 1)
            papers.setdefault(paper.id, paper)
            if path.name.startswith(FILE):
                experts[paper.id] = annotation[position]
    return list(papers.values()), experts


def paper_of(text: str, file: str = "x.txt", position: int = 1) -> Paper:
    """Return a paper with this abstract, repaired."""
    place = Place(file=file, position=position, line=1, edition="seeds")
    restored = restore(Abstract(place=place, text=text))
    return Paper(
        id=hashlib.sha256(text.encode()).hexdigest()[:8],
        prose=Prose(text=restored.prose.text),
        source_text=text,
        title=None,
        metadata=Metadata(),
        links=(),
        places=(place,),
    )


def agreement(
    papers: Sequence[Paper], taggings: Sequence[Tagging], experts: dict[str, Expert], most: int
) -> dict[str, float]:
    """Return recall (exact and soft) and soft precision of the first ``most`` tags."""
    pairs = [
        ([tag.name for tag in tagging.tags], experts[paper.id].tags)
        for paper, tagging in zip(papers, taggings, strict=True)
        if paper.id in experts
    ]
    figures = score_tags([own for own, _ in pairs], [gold for _, gold in pairs], most)
    return {
        f"exact recall at {most}": figures["tags_recall_exact"],
        f"soft recall at {most}": figures["tags_recall_soft"],
        f"soft precision at {most}": figures["tags_precision_soft"],
    }


def grades(papers: Sequence[Paper], taggings: Sequence[Tagging]) -> dict[str, float]:
    """Return how many tags of the graded papers are central, minor, wrong or not graded.

    The grades (tools/labels/tags.jsonl) were given to the concepts that several versions of sitegen
    found best for 132 papers of the two seed files without annotation and for 65 of arXiv.
    """
    graded = {}
    for line in GRADES.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if "seed" in record:
            graded[record["seed"]] = record["grades"]
    counts: Counter[str] = Counter()
    read = 0
    for paper, tagging in zip(papers, taggings, strict=True):
        place = paper.places[0]
        known = graded.get(f"{Path(place.file).name[:3]}/{place.position}")
        if known is not None:
            read += 1
            counts.update(known.get(tag.name, "?") for tag in tagging.tags)
    names = {"g": "central", "w": "minor", "b": "wrong", "?": "not graded"}
    return {f"{name}, a paper": counts[grade] / max(read, 1) for grade, name in names.items()}


def pages(taggings: Sequence[Tagging]) -> dict[str, float]:
    """Return figures of the tag pages."""
    carriers = Counter(tag.slug for tagging in taggings for tag in tagging.tags if tag.page)
    linked = [sum(tag.page for tag in tagging.tags) for tagging in taggings]
    return {
        "tags a paper": sum(len(tagging.tags) for tagging in taggings) / len(taggings),
        "tags with a page a paper": sum(linked) / len(linked),
        "papers with three of them": sum(number >= 3 for number in linked) / len(linked),
        "tag pages": len(carriers),
        "largest page's share": max(carriers.values(), default=0) / len(taggings),
        "tag pages with one paper": sum(number == 1 for number in carriers.values()),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """Papers with their readings, and everything derived from some of them."""

    papers: Sequence[Paper]
    readings: Readings
    vocabulary: Vocabulary

    def tag(self, rows: Sequence[int]) -> tuple[Tagging, ...]:
        """Tag a digest of some of the papers."""
        return choose_tags(
            [self.papers[row] for row in rows],
            [self.readings.keywords[row] for row in rows],
            vocabulary=self.vocabulary,
            slugify=slugify,
        )

    def relate(
        self, rows: Sequence[int], taggings: Sequence[Tagging]
    ) -> tuple[tuple[Relation, ...], ...]:
        """Relate some of the papers among themselves."""
        return relate(
            [self.papers[row] for row in rows],
            [self.readings.keywords[row] for row in rows],
            self.readings.vectors[list(rows)],
            taggings,
        )


def steadiness(
    digest: Digest, *, old: int = 330, new: int = 20, times: int = 5
) -> dict[str, float]:
    """Return which share of old papers changes when new ones come, on average."""
    sums: dict[str, float] = defaultdict(float)
    for seed in range(times):
        rows = list(range(len(digest.papers)))
        random.Random(seed).shuffle(rows)
        before, after = digest.tag(rows[:old]), digest.tag(rows[: old + new])
        kept = list(zip(before, after, strict=False))
        sums["old papers with other tags"] += sum(_slugs(a) != _slugs(b) for a, b in kept)
        sums["old tags lost"] += sum(len(_slugs(a) - _slugs(b)) for a, b in kept) / 8
        fresh = {digest.papers[row].id for row in rows[old : old + new]}
        lists = zip(
            digest.relate(rows[:old], before),
            digest.relate(rows[: old + new], after),
            strict=False,
        )
        for left, right in lists:
            one, two = {r.id for r in left}, {r.id for r in right}
            sums["old papers with other relations"] += one != two
            sums["... not counting new papers"] += bool(two - one - fresh)
    return {name: total / old / times for name, total in sums.items()}


def _slugs(tagging: Tagging) -> set[str]:
    return {tag.slug for tag in tagging.tags}


def relations(digest: Digest, experts: dict[str, Expert]) -> dict[str, float]:
    """Return how often related papers share an area, and how many pairs at random would."""
    rows = [row for row, paper in enumerate(digest.papers) if paper.id in experts]
    areas = [experts[digest.papers[row].id].area_set for row in rows]
    position = {digest.papers[row].id: number for number, row in enumerate(rows)}
    taggings = digest.tag(rows)
    found = digest.relate(rows, taggings)
    near = {at: [position[other.id] for other in relations] for at, relations in enumerate(found)}
    pairs = [bool(a & b) for i, a in enumerate(areas) for b in areas[:i]]
    return {
        "related papers shown (of 5)": sum(map(len, near.values())) / len(rows),
        "same area": same_area(near, dict(enumerate(areas))),
        "same area at random": sum(pairs) / len(pairs),
    }


def timed(work: Callable[[], object]) -> float:
    """Return the CPU seconds of a call."""
    began = time.process_time()
    work()
    return time.process_time() - began


def arxiv(path: Path, number: int) -> Iterator[str]:
    """Yield the first abstracts of a file of JSON lines."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line, _ in zip(lines, range(number), strict=False):
            yield " ".join(json.loads(line)["abstract"].split())


def costs(digest: Digest, name: str) -> dict[str, float]:
    """Return CPU seconds of both stages, keywords given."""
    rows = range(len(digest.papers))
    taggings = digest.tag(rows)
    return {
        f"seconds for tags, {name}": timed(lambda: digest.tag(rows)),
        f"seconds for relations, {name}": timed(lambda: digest.relate(rows, taggings)),
    }


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arxiv", type=Path, help="abstracts to time 1,000 papers with")
    parser.add_argument("--list", type=int, default=0, metavar="N", help="print every Nth paper")
    args = parser.parse_args()
    papers, experts = read_seeds()
    readings = read([paper.prose.text for paper in papers], KeywordOptions())
    digest = Digest(papers=papers, readings=readings, vocabulary=default_vocabulary())
    taggings = digest.tag(range(len(papers)))
    bare = Digest(papers=papers, readings=readings, vocabulary=EMPTY).tag(range(len(papers)))
    for title, figures in (
        ("packaged vocabulary", agreement(papers, taggings, experts, 8)),
        ("", agreement(papers, taggings, experts, 5)),
        ("", pages(taggings)),
        ("graded papers", grades(papers, taggings)),
        ("no vocabulary", agreement(papers, bare, experts, 8) | pages(bare)),
        ("related", relations(digest, experts)),
        ("20 papers added to 330", steadiness(digest)),
        ("cost", costs(digest, f"{len(papers)} papers")),
    ):
        _print(title, figures)
    if args.arxiv:
        many = [paper_of(text) for text in dict.fromkeys(arxiv(args.arxiv, 1000))]
        seen = read([paper.prose.text for paper in many], KeywordOptions())
        large = Digest(papers=many, readings=seen, vocabulary=default_vocabulary())
        _print("", costs(large, f"{len(many)} papers"))
    if args.list:
        for paper, tagging in list(zip(papers, taggings, strict=True))[:: args.list]:
            print(f"\n{paper.prose.text[:200]}")
            print("  ", "; ".join(tag.name + "*" * (not tag.page) for tag in tagging.tags))
            if paper.id in experts:
                print("   expert:", "; ".join(experts[paper.id].tags))


def _print(title: str, figures: dict[str, float]) -> None:
    if title:
        print(f"\n{title}")
    for name, value in figures.items():
        print(f"  {name:40} {value:8.3f}" if isinstance(value, float) else f"  {name:40} {value:8}")


if __name__ == "__main__":
    main()
