"""The digest as data: papers.jsonl, papers.csv, papers.bib and topics.json."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from functools import partial

from sitegen.exports.schema import PAPER_SCHEMA
from sitegen.records import LateFile, OutFile, SiteFile
from sitegen.views import Record, Site

BIB_BYTES = 40_000_000
"""A larger bibliography is split; editors refuse files above 50 MB."""
COLUMNS = (
    "id", "url", "title", "title_source", "names", "tags", "topics", "edition", "authors", "date",
    "arxiv", "doi", "links", "keywords",
)  # fmt: skip

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def data_files(site: Site) -> Iterator[SiteFile]:
    """Yield the files below ``data/``; papers are sorted by id."""
    base = site.info.base_url
    yield LateFile(path="data/papers.jsonl", make=partial(_lines, site))
    yield LateFile(path="data/papers.csv", make=partial(_csv, site))
    yield from _bibliographies([record.bibtex for record in site.records])
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
    yield _json("data/identifiers.json", _identifiers(site))
    yield _json("data/papers.schema.json", PAPER_SCHEMA)
    if site.points:
        yield LateFile(path="data/map.json", make=partial(_map, site))
    yield OutFile(path="llms.txt", data=_guide(site).encode("utf-8", "replace"))


def _lines(site: Site) -> bytes:
    base = site.info.base_url
    out = io.BytesIO()  # this file is the largest one: it is in memory once
    for record in site.records:
        out.write(f"{_dump(paper_object(record, base))}\n".encode("utf-8", "replace"))
    return out.getvalue()


def paper_object(record: Record, base_url: str) -> dict[str, object]:
    """Return a paper as one line of papers.jsonl holds it."""
    return {
        "id": record.id,
        "url": base_url + record.path,
        "title": record.title,
        "title_source": record.title_source,
        "names": [name.text for name in record.names],
        "abstract": record.abstract,
        "abstract_source": record.abstract_source,
        "tags": [
            {"name": tag.name, "slug": tag.slug, "score": round(tag.score, 4), "page": tag.page}
            for tag in record.tags
        ],
        "topics": list(record.topics),
        "related": [
            {"id": other.id, "score": round(other.score, 4), "why": list(other.why)}
            for other in record.related
        ],
        "sources": [
            {
                "file": place.file,
                "position": place.position,
                "line": place.line,
                "edition": place.edition,
                "date": place.date or None,
            }
            for place in record.places
        ],
        "merged": [
            {"kind": text.kind, "score": round(text.score, 4), "abstract_source": text.text}
            for text in record.merged
        ],
        "links": [{"kind": link.kind, "url": link.url} for link in record.links],
        "authors": list(record.authors) or None,
        "date": record.date or None,
        "arxiv": record.arxiv or None,
        "doi": record.doi or None,
        "keywords": list(record.keywords) or None,
    }


def _json(path: str, value: object) -> LateFile:
    return LateFile(path=path, make=partial(_indented, value))


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


def _identifiers(site: Site) -> dict[str, str]:
    """Map each arXiv identifier and DOI, the latter in lower case, to its paper's id."""
    known: dict[str, str] = {}
    for record in site.records:
        if record.arxiv:
            known.setdefault(f"arxiv:{record.arxiv}", record.id)
        if record.doi:
            known.setdefault(f"doi:{record.doi.lower()}", record.id)
    return known


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


def _csv(site: Site) -> bytes:
    out = io.BytesIO()
    text = io.TextIOWrapper(out, encoding="utf-8", errors="replace", newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for record in site.records:
        writer.writerow(
            _cell(value)
            for value in (
                record.id,
                site.info.base_url + record.path,
                record.title,
                record.title_source,
                "; ".join(name.text for name in record.names),
                "; ".join(tag.name for tag in record.tags),
                "; ".join(record.topics),
                record.edition,
                "; ".join(record.authors),
                record.date,
                record.arxiv,
                record.doi,
                " ".join(link.url for link in record.links),
                "; ".join(record.keywords),
            )
        )
    text.flush()
    return out.getvalue()


def _cell(value: str) -> str:
    # a spreadsheet would run what begins like a formula, some also with signs of full width
    return f"'{value}" if value[:1] in "=+-@\t\r\n＝＋－＠" and value else value


def _bibliographies(entries: list[str]) -> Iterator[LateFile]:
    """Yield papers.bib, and papers-2.bib and so on where one file would be too large."""
    parts: list[list[str]] = [[]]
    size = 0
    for entry in entries:
        length = len(entry.encode("utf-8", "replace")) + 1
        if size + length > BIB_BYTES and parts[-1]:
            parts.append([])
            size = 0
        parts[-1].append(entry)
        size += length
    for number, part in enumerate(parts, 1):
        name = "data/papers.bib" if number == 1 else f"data/papers-{number}.bib"
        yield LateFile(path=name, make=partial(_joined, part))


def _joined(entries: Sequence[str]) -> bytes:
    return "\n".join(entries).encode("utf-8", "replace")
