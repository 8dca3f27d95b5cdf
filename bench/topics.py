"""How well topics agree with the hand annotation of the first seed file, and with arXiv categories.

usage: python bench/topics.py [--arxiv FILE.jsonl[.gz]] [--list]

Curated topics come from content/topics, automatic ones from tags. Abstracts are read as they stand
in seeds/, without repair, so that the figures speak of topics alone.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from bench.gold import FILE, ROOT, read_gold
from bench.scoring import NO_TOPIC, biggest_share, score_topics
from sitegen.content import load_content
from sitegen.keywords import KeywordOptions, embed, read
from sitegen.records import Metadata, Paper, Place, Prose, TopicChoice
from sitegen.tags import choose_tags
from sitegen.topic_discovery import discover_topics, keep_filled
from sitegen.topics import assign_topics, index_topics
from sitegen.vocabulary import default_vocabulary

OPTIONS = KeywordOptions()


def measure(
    choices: Sequence[TopicChoice], labels: Sequence[tuple[str, str] | None]
) -> dict[str, float]:
    """Compare topics with (first, second) labels; a paper without counts in sizes only."""
    found = [[topic.slug for topic in choice.topics] for choice in choices]
    pairs = [(own, areas) for own, areas in zip(found, labels, strict=True) if areas]
    return {
        **score_topics([own for own, _ in pairs], [areas for _, areas in pairs]),
        "biggest": biggest_share(found),
        "per_paper": sum(map(len, found)) / len(found),
    }


def line(figures: dict[str, float]) -> str:
    """Return figures in one line."""
    return "  ".join(
        f"{name.removeprefix('topics_')} {value:.3f}" for name, value in figures.items()
    )


def seed_abstracts() -> list[tuple[str, int, str]]:
    """Return (file, number from 0, text) of every abstract in seeds/."""
    rows = []
    for path in sorted((ROOT / "seeds").glob("*.txt")):
        blocks = re.split(r"\n\s*\n", path.read_text(encoding="utf-8"))
        texts = [" ".join(block.split()) for block in blocks if block.strip()][1:]
        rows += [(path.name[:3], number, text) for number, text in enumerate(texts)]
    return rows


def gold_areas() -> dict[tuple[str, int], tuple[str, str]]:
    """Return the two areas of every annotated abstract, by file and number."""
    return {(FILE, expert.position - 1): expert.areas for expert in read_gold()}


def curated(texts: Sequence[str]) -> tuple[TopicChoice, ...]:
    """Assign the topics of content/topics."""
    content, _ = load_content(ROOT)
    index = index_topics(content.topics, lambda items: embed(items, OPTIONS))
    vectors = read(texts, OPTIONS).vectors
    start = time.process_time()
    choices = assign_topics(texts, vectors, index)
    seconds = time.process_time() - start
    print(
        f"  {len(content.topics)} topics, {seconds / len(texts) * 1000:.2f} s CPU per 1,000 papers"
    )
    return choices


def automatic(texts: Sequence[str]) -> tuple[TopicChoice, ...]:
    """Find topics among tags and assign them."""
    papers = tuple(
        Paper(
            id=f"{number:08d}",
            prose=Prose(text=text),
            source_text=text,
            title=None,
            metadata=Metadata(),
            links=(),
            places=(Place(file="bench", position=number + 1, line=1, edition="bench"),),
        )
        for number, text in enumerate(texts)
    )
    readings = read(texts, OPTIONS)
    taggings = choose_tags(
        papers,
        readings.keywords,
        vocabulary=default_vocabulary(),
        slugify=lambda name: re.sub(r"\W+", "-", name.lower()).strip("-"),
    )
    topics = discover_topics(papers, taggings, readings.vectors)
    for _ in range(2):
        index = index_topics(topics, lambda items: embed(items, OPTIONS), background=())
        choices = assign_topics(texts, readings.vectors, index)
        topics = keep_filled(topics, choices)
    print("  " + ", ".join(topic.title for topic in topics))
    return choices


def arxiv_sample(path: Path, size: int = 1000) -> tuple[list[str], list[tuple[str, str]]]:
    """Return abstracts and their (primary, second) categories."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    records = random.Random(1).sample(records, min(size, len(records)))
    texts = [" ".join(record["abstract"].split()) for record in records]
    return texts, [(*record["categories"], NO_TOPIC)[:2] for record in records]


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--arxiv", type=Path)
    parser.add_argument("--list", action="store_true", help="print every topic's papers")
    args = parser.parse_args()
    rows = seed_abstracts()
    areas = gold_areas()
    texts = list(dict.fromkeys(text for _, _, text in rows))
    label = {text: areas.get((file, number)) for file, number, text in reversed(rows)}
    labels = [label[text] for text in texts]
    for assign in (curated, automatic):
        print(f"{assign.__name__}, seeds:")
        choices = assign(texts)
        print(f"  {line(measure(choices, labels))}")
        if args.list:
            _print_topics(choices, texts)
    if args.arxiv:
        sample, categories = arxiv_sample(args.arxiv)
        print("curated, arXiv categories:")
        print(f"  {line(measure(curated(sample), categories))}")


def _print_topics(choices: Sequence[TopicChoice], texts: Sequence[str]) -> None:
    by_topic: dict[str, list[str]] = defaultdict(list)
    for choice, text in zip(choices, texts, strict=True):
        by_topic[choice.topics[0].slug if choice.topics else NO_TOPIC].append(text)
    for slug, members in sorted(by_topic.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"  {slug} ({len(members)})")
        for text in members:
            print(f"    {text[:150]}")


if __name__ == "__main__":
    main()
