"""Papers as search knows them, at any size, and a site around their index."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from bench.corpus import papers
from sitegen.config import Config
from sitegen.ids import SHORTEST
from sitegen.pages import SiteInput, build_site
from sitegen.records import (
    Content,
    Edition,
    Metadata,
    Name,
    Naming,
    Paper,
    Place,
    Prose,
    Tagging,
    Topic,
    TopicChoice,
    TopicScore,
)
from sitegen.render import asset_files, page_files
from sitegen.repair import repair
from sitegen.search import index_files
from sitegen.shingles import digest
from sitegen.views import SearchEntry

CODE = re.compile(r"github\.com/|code is (?:publicly )?available", re.I)
BASE_URL = "https://lab.example/digest/"
NAME_WORDS = 3
"""A title's beginning before a colon is a name where it has so many words at most."""


def invented(count: int, added: int = 0) -> Iterator[SearchEntry]:
    """Yield papers of the generator, an edition a month; those added came after all others."""
    for paper in papers(count, added):
        yield _entry(
            f"{paper.number} {paper.abstract}",
            paper.date,
            title=paper.title,
            text=paper.abstract,
            name=paper.name,
            authors=paper.authors,
            topic=paper.topic,
        )


def real(dump: Path) -> Iterator[SearchEntry]:
    """Yield the papers of an arXiv dump; their first categories stand for topics."""
    with gzip.open(dump, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            title = " ".join(repair(record["title"]).text.split())
            name = title.partition(": ")[0] if ": " in title else ""
            yield _entry(
                record["id"],
                record["date"],
                title=title,
                text=repair(record["abstract"]).text,
                name=name if len(name.split()) <= NAME_WORDS else "",
                authors=record["authors"],
                topic=record["categories"][0].lower().replace(".", "-"),
            )


def _entry(
    key: str, date: str, *, title: str, text: str, name: str, authors: Sequence[str], topic: str
) -> SearchEntry:
    identifier = digest(key)[:SHORTEST]
    return SearchEntry(
        id=identifier,
        path=f"papers/{identifier}/",
        title=title,
        text=text,
        names=(Name(text=name),) if name else (),
        words=partial(" · ".join, authors),
        topics=(topic,),
        editions=(date[:7],),
        code=bool(CODE.search(text)),
        date=date,
    )


def write_site(entries: Sequence[SearchEntry], folder: Path, cache: Path, most: int) -> None:
    """Write a search page for papers, their index and what the page needs.

    Args:
        entries: the papers.
        folder: of the site.
        cache: keeps finished shards.
        most: papers in a shard.
    """
    site, _ = build_site(_inputs(entries))
    unwanted = {page.path for page in site.pages} - {"", "search/"}
    for files in (
        page_files(site, skip=unwanted),
        asset_files(),
        index_files(entries, "en", cache, jobs=2, most=most),
    ):
        for file in files:
            target = folder / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.data)


def _inputs(entries: Sequence[SearchEntry]) -> SiteInput:
    """Return a digest with one paper for each topic and edition, for the page's filters."""
    shown = {entry.topics: entry for entry in entries} | {e.editions: e for e in entries}
    some = [*{entry.id: entry for entry in shown.values()}.values()]
    slugs = sorted({slug for entry in some for slug in entry.editions})
    return SiteInput(
        config=Config(title="Papers", base_url=BASE_URL),
        content=Content(),
        papers=tuple(_paper(entry, number) for number, entry in enumerate(some, 1)),
        namings=tuple(
            Naming(title=entry.title, title_source="source", names=entry.names) for entry in some
        ),
        taggings=tuple(Tagging(tags=()) for _ in some),
        topic_choices=tuple(
            TopicChoice(topics=tuple(TopicScore(slug=slug, score=1.0) for slug in entry.topics))
            for entry in some
        ),
        relations=tuple(() for _ in some),
        topics=tuple(
            Topic(slug=slug, title=slug)
            for slug in sorted({slug for entry in some for slug in entry.topics})
        ),
        editions=tuple(
            Edition(slug=slug, title=slug, date=slug, files=(f"seeds/{slug}.jsonl",))
            for slug in slugs
        ),
    )


def _paper(entry: SearchEntry, number: int) -> Paper:
    (edition,) = entry.editions
    return Paper(
        id=entry.id,
        prose=Prose(text=entry.text),
        source_text=entry.text,
        title=Prose(text=entry.title),
        metadata=Metadata(date=entry.date),
        links=(),
        places=(
            Place(
                file=f"seeds/{edition}.jsonl", position=number, line=number, edition=edition,
                date=edition,
            ),
        ),
        first_seen=edition,
    )  # fmt: skip
