"""Prints how well copies are found and how long it takes; run as ``python -m bench.duplicates``.

Variants of the seeds' abstracts are mixed among them and grouped again. Precision and recall count
pairs of texts; recall of a kind counts variants that stand in their original's group, "same id"
those that the registry recognises when the original is gone.
"""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from sitegen.config import DedupOptions, SourceSpec
from sitegen.dedup import Grouping, group_papers
from sitegen.records import Abstract, Group, Place, Prose, Restored
from sitegen.registry import Registry, assign
from sitegen.sources import read_sources
from tests.variants import KINDS

ROOT = Path(__file__).parent.parent


def seed_texts() -> list[str]:
    """Return the different abstracts of the project's own seeds."""
    abstracts, _, _ = read_sources(ROOT, [SourceSpec(pattern="seeds/*")])
    return list(dict.fromkeys(abstract.text for abstract in abstracts))


def wrap_up(text: str, file: str, position: int) -> Restored:
    """Return a text as the repair stage would hand it on."""
    place = Place(file=file, position=position, line=2 * position + 1, edition="bench")
    return Restored(
        abstract=Abstract(place=place, text=text), prose=Prose(text=text), title=None, links=()
    )


def grouped(read: Sequence[Restored]) -> tuple[Grouping, float]:
    """Return the groups and the seconds of processor time."""
    start = time.process_time()
    grouping = group_papers(read, decisions=(), options=DedupOptions())
    return grouping, time.process_time() - start


def members(group: Group) -> list[tuple[str, int]]:
    """Return file and position of each text."""
    places = [group.main.abstract.place, *(one.restored.abstract.place for one in group.copies)]
    return [(place.file, place.position) for place in places]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How well variants were found among all texts."""

    precision: float
    """Of pairs of texts put together, the share that belongs together."""
    recall: float
    """Of pairs that belong together, the share put together."""
    by_kind: dict[str, float]
    """Share of a kind's variants that stand in their original's group."""
    doubts: int
    seconds: float


def score_variants(texts: Sequence[str], sources: int, seed: int) -> Agreement:
    """Hide three variants each of some texts among all of them, and group."""
    rng = random.Random(seed)
    read = [wrap_up(text, "seeds", at) for at, text in enumerate(texts)]
    origin = {("seeds", at): at for at in range(len(texts))}
    kinds: dict[tuple[str, int], str] = {}
    for at, source in enumerate(rng.sample(range(len(texts)), sources) * 3):
        key = ("variants", at)
        kinds[key] = list(KINDS)[(at + at // sources) % len(KINDS)]
        read.append(wrap_up(KINDS[kinds[key]](texts[source], rng, texts), *key))
        origin[key] = source
    grouping, seconds = grouped(read)
    group_of = {key: at for at, one in enumerate(grouping.groups) for key in members(one)}
    found: dict[str, list[bool]] = defaultdict(list)
    for key, kind in kinds.items():
        found[kind].append(group_of[key] == group_of["seeds", origin[key]])
    together = [
        origin[one] == origin[two]
        for group in grouping.groups
        for one, two in combinations(members(group), 2)
    ]
    wanted = sum(count * (count - 1) // 2 for count in Counter(origin.values()).values())
    return Agreement(
        precision=sum(together) / max(len(together), 1),
        recall=sum(together) / wanted,
        by_kind={kind: sum(found[kind]) / max(len(found[kind]), 1) for kind in KINDS},
        doubts=len(grouping.doubts),
        seconds=seconds,
    )


def measure(texts: Sequence[str], sources: int, seed: int) -> None:
    """Print one table of variants."""
    figures = score_variants(texts, sources, seed)
    print(
        f"{len(texts)} abstracts, {3 * sources} variants (seed {seed}): "
        f"precision {figures.precision:.4f}, recall {figures.recall:.4f}, "
        f"{figures.doubts} doubts, {figures.seconds:.2f} s"
    )
    kept = same_ids(texts, random.Random(seed))
    for kind in KINDS:
        print(f"  {kind:16} recall {figures.by_kind[kind]:.3f}   same id {kept[kind]:.3f}")


def same_ids(texts: Sequence[str], rng: random.Random) -> dict[str, float]:
    """Return for each kind of edit the share of texts that keep their id."""

    def as_groups(edited: Sequence[str]) -> list[Group]:
        return [Group(main=wrap_up(text, "seeds", at)) for at, text in enumerate(edited)]

    first = assign(as_groups(texts), Registry())
    kept = {}
    for kind, change in KINDS.items():
        second = assign(as_groups([change(text, rng, texts) for text in texts]), first.registry)
        same = [one.id == two.id for one, two in zip(first.papers, second.papers, strict=True)]
        kept[kind] = sum(same) / len(same)
    return kept


def invented(texts: Sequence[str], count: int, seed: int) -> list[str]:
    """Return abstracts that talk like the given ones: each word follows one it followed there."""
    rng = random.Random(seed)
    followers: dict[tuple[str, str], list[str]] = defaultdict(list)
    for text in texts:
        tokens = text.split()
        for one, two, three in zip(tokens, tokens[1:], tokens[2:], strict=False):
            followers[one, two].append(three)
    starts = sorted(followers)
    made = []
    for _ in range(count):
        pair = rng.choice(starts)
        tokens = list(pair)
        while len(tokens) < 150:
            # One word in four comes from anywhere, or all would repeat the same sentences.
            go_on = followers.get(pair) if rng.random() < 0.75 else None
            pair = (pair[1], rng.choice(go_on)) if go_on else rng.choice(starts)
            tokens.append(pair[1])
        made.append(" ".join(tokens))
    return made


def main() -> None:
    """Print all figures."""
    texts = seed_texts()
    start = time.process_time()
    grouping, seconds = grouped([wrap_up(text, "seeds", at) for at, text in enumerate(texts)])
    print(f"{len(texts)} seeds: {len(grouping.groups)} papers, {seconds:.2f} s; doubts:")
    for doubt in grouping.doubts:
        print(f"  {doubt.kind} {doubt.score:.2f}: {'; '.join(doubt.evidence[:3])}")
    for seed in (1, 2):
        measure(texts, 100, seed)
    for count in (1_000, 10_000):
        read = [wrap_up(text, "x", at) for at, text in enumerate(invented(texts, count, 3))]
        grouping, seconds = grouped(read)
        start = time.process_time()
        first = assign(grouping.groups, Registry())
        cold = time.process_time() - start
        start = time.process_time()
        assign(grouping.groups, first.registry)
        warm = time.process_time() - start
        print(
            f"{count} invented: {len(grouping.groups)} papers, {len(grouping.doubts)} doubts, "
            f"grouped in {seconds:.2f} s, ids new {cold:.2f} s, known {warm:.2f} s"
        )


if __name__ == "__main__":
    main()
