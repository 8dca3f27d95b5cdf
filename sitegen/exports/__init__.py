"""The digest as data: papers.jsonl, papers.csv, papers.bib and topics.json."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

from sitegen.exports.lines import Former, Lines
from sitegen.exports.schema import PAPER_SCHEMA
from sitegen.fingerprints import Fingerprints, code_digest
from sitegen.records import LateFile, OutFile, SiteFile
from sitegen.views import Site

__all__ = ["Former", "Lines", "data_files"]

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def data_files(site: Site, lines: Lines | None = None) -> Iterator[SiteFile]:
    """Yield the files below ``data/``; papers are sorted by id.

    Args:
        site: what `sitegen.pages.build_site` decided.
        lines: of the site's papers; made here where they are not needed elsewhere.
    """
    base = site.info.base_url
    lines = lines or Lines(site.records, base, site.weights)
    of = Fingerprints(code_digest()).of
    for name in lines.names:
        key = partial(of, lines.key, base, name)
        yield LateFile(path=f"data/{name}", make=partial(lines.file, name), key=key)
    topics = [
        {
            "slug": topic.slug,
            "url": base + topic.path,
            "title": topic.title,
            "aliases": list(topic.aliases),
            "parent": topic.parent or None,
            "papers": list(topic.papers),
        }
        for topic in site.topics
    ]
    yield _json("data/topics.json", topics)
    editions = [
        {
            "slug": edition.slug,
            "url": base + edition.path,
            "title": edition.title,
            "date": edition.date or None,
            "papers": list(edition.papers),
            "seen_before": list(edition.seen_before),
        }
        for edition in site.editions
    ]
    yield _json("data/editions.json", editions)
    yield _json("data/identifiers.json", dict(site.identifiers))
    yield _json("data/papers.schema.json", PAPER_SCHEMA)
    if site.points:
        key = partial(of, site.points, [topic.slug for topic in site.topics])
        yield LateFile(path="data/map.json", make=partial(_map, site), key=key)
    yield OutFile(path="llms.txt", data=_guide(site).encode("utf-8", "replace"))


def _json(path: str, value: object) -> LateFile:
    key = partial(Fingerprints(code_digest()).of, value)
    return LateFile(path=path, make=partial(_indented, value), key=key)


def _indented(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def _map(site: Site) -> bytes:
    """Return what the map's script asks for: topics, and id, x, y, topic's number, title."""
    topics = [topic.slug for topic in site.topics]
    numbers = {slug: number for number, slug in enumerate(topics)}
    papers = [
        [point.id, point.x, point.y, numbers.get(point.topic, -1), point.title]
        for point in site.points
    ]
    return (_dump({"topics": topics, "papers": papers}) + "\n").encode("utf-8", "replace")


def _guide(site: Site) -> str:
    """Return llms.txt: what the site is and where its data stands, for programs that read text."""
    base = site.info.base_url
    lines = [f"# {site.info.title}", ""]
    lines += [f"> {site.info.description}", ""] if site.info.description else []
    lines += [
        f"{site.summary}. Titles marked `derived` in the data were made by a program from the "
        "abstract; they are not the papers' titles.",
        "",
        "## Data",
        "",
        f"- [papers.jsonl]({base}data/papers.jsonl): every paper, one JSON object a line",
        f"- [schema]({base}data/papers.schema.json): what its fields mean",
        f"- [topics.json]({base}data/topics.json): topics and their papers",
        f"- [editions.json]({base}data/editions.json): editions and their papers",
        f"- [feed.json]({base}feed.json): newest papers",
        "",
        "## Topics",
        "",
        *(
            f"- [{topic.title}]({base}{topic.path}): {len(topic.papers)} papers"
            for topic in site.topics
        ),
    ]
    return "\n".join(lines) + "\n"


def _dump(value: object) -> str:
    return _ENCODER.encode(value)
