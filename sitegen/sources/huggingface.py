"""Records of the Hugging Face daily papers API, saved as JSON."""

from __future__ import annotations

from typing import Any

from sitegen.records import LinkKind
from sitegen.sources.collector import Raw
from sitegen.sources.identifiers import read_arxiv
from sitegen.sources.people import parse_names
from sitegen.sources.values import inside, objects, text

NAME = "Hugging Face daily papers"


def recognises(record: Any) -> bool:
    """Whether a record is of this API: an entry of a day's list, or one paper."""
    paper = _paper(record)
    shape = inside(paper, "id") and ("summary" in paper or "upvotes" in paper)
    return bool(shape) and bool(read_arxiv(text(paper, "id"))[0])


def read(record: Any, line: int) -> Raw:
    """Return what a record says of its paper; the day of the list is no date of the paper's."""
    paper = _paper(record)
    links: list[tuple[LinkKind, str]] = [
        ("code", text(paper, "githubRepo")),
        ("other", text(paper, "projectPage")),
    ]
    return Raw(
        line=line,
        label=text(paper, "id"),
        title=text(paper, "title") or text(record, "title"),
        abstract=text(paper, "summary") or text(record, "summary"),
        people=parse_names(text(author, "name") for author in objects(paper, "authors")),
        dates=(text(paper, "publishedAt"),),
        arxiv=text(paper, "id"),
        links=tuple((kind, url) for kind, url in links if url),
    )


def _paper(record: Any) -> Any:
    paper = inside(record, "paper")
    return paper if isinstance(paper, dict) else record if isinstance(record, dict) else {}
