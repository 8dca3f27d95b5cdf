"""What a day's news changes on old pages, and what finding tags, topics and neighbours costs.

usage: python -m bench.growth [PAPERS] [NEWS]

Makes a digest of invented papers (`bench.corpus`, 3,000 by default) and the same with NEWS (100) of
the next day, describes both from nothing, and counts for how many old papers each result differs.
No page is rendered: what a paper's page shows of it is its tags, topics and related papers.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from bench.corpus import write_digest
from sitegen import dedup, registry
from sitegen.basis import basis
from sitegen.config import load_config
from sitegen.content import load_content
from sitegen.editions import date_abstracts
from sitegen.keywords import KeywordOptions, embed, read
from sitegen.landscape import arrange
from sitegen.markup import slugify
from sitegen.related import relate
from sitegen.repair import restore
from sitegen.sources import read_sources
from sitegen.subjects import subject_of
from sitegen.tags import choose_tags
from sitegen.topic_discovery import discover_topics, keep_filled
from sitegen.topics import assign_topics, index_topics
from sitegen.vocabulary import default_vocabulary
from sitegen.word_columns import read_columns

T = TypeVar("T")
OPTIONS = KeywordOptions()


def timed(name: str, function: Callable[[], T]) -> T:
    """Call a function and print the CPU time it took."""
    start = time.process_time()
    result = function()
    print(f"  {name:9} {time.process_time() - start:7.2f} s CPU")
    return result


def describe(root: Path, cache: Path) -> dict[str, dict[str, object]]:
    """Return what is found out about each paper of a digest, by id; prints what it costs."""
    config, _ = load_config(root)
    content, _ = load_content(root)
    found, _, counts = read_sources(root, config.sources)
    print(f"{sum(count.read for count in counts):,} abstracts")
    abstracts = date_abstracts(found, content.editions)
    restored = timed("repair", lambda: [restore(each) for each in abstracts])
    groups = timed(
        "dedup", lambda: dedup.group_papers(restored, decisions=(), options=config.dedup)
    ).groups
    known, _ = registry.load(root / registry.REGISTRY)
    papers = timed("registry", lambda: registry.assign(groups, known)).papers
    texts = [subject_of(paper) for paper in papers]
    readings = timed("keywords", lambda: read(texts, OPTIONS, cache_dir=cache))
    columns = timed("words", lambda: read_columns(texts))
    vocabulary = default_vocabulary()
    taggings = timed(
        "tags",
        lambda: choose_tags(
            papers, readings.keywords, vocabulary=vocabulary, slugify=slugify, columns=columns
        ),
    )
    index = index_topics(content.topics, lambda phrases: embed(phrases, OPTIONS))
    choices = timed(
        "topics", lambda: assign_topics(texts, readings.vectors, index, columns=columns)
    )
    early = basis(papers).tolist()
    automatic = discover_topics(papers, taggings, readings.vectors)
    for _ in range(2):
        index = index_topics(automatic, lambda phrases: embed(phrases, OPTIONS), ())
        own = assign_topics(texts, readings.vectors, index, early=early, columns=columns)
        automatic = keep_filled(automatic, [own[at] for at in early])
    related = timed(
        "related",
        lambda: relate(papers, readings.keywords, readings.vectors, taggings, columns=columns),
    )
    firsts = [choice.topics[0].slug if choice.topics else "" for choice in choices]
    places = timed("map", lambda: arrange(readings.vectors, firsts, early))
    return {
        paper.id: {
            "tags": [(tag.slug, tag.name, tag.page) for tag in taggings[at].tags],
            "topics": [topic.slug for topic in choices[at].topics],
            "automatic topics": [topic.slug for topic in own[at].topics],
            "related papers": [(relation.id, relation.why) for relation in related[at]],
            "place on the map": places[at],
        }
        for at, paper in enumerate(papers)
    }


def compare(
    before: Mapping[str, Mapping[str, object]], after: Mapping[str, Mapping[str, object]]
) -> None:
    """Print for how many old papers each result differs."""
    old = [paper for paper in before if paper in after]
    print(
        f"{len(old):,} old papers, {len(after) - len(old):,} new ones; of the old ones have other"
    )
    for kind in before[old[0]]:
        count = sum(before[paper][kind] != after[paper][kind] for paper in old)
        print(f"  {kind:18} {count:6,}  {count / len(old):.3f}")


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=int, nargs="?", default=3000)
    parser.add_argument("news", type=int, nargs="?", default=100)
    args = parser.parse_args()
    with TemporaryDirectory() as folder:
        results = []
        for name, news in (("before", 0), ("after", args.news)):
            write_digest(Path(folder, name), args.papers, news)
            results.append(describe(Path(folder, name), Path(folder, "cache")))
        compare(*results)


if __name__ == "__main__":
    main()
