"""Papers of Semantic Scholar's API."""

from __future__ import annotations

from typing import Any

from sitegen.sources.collector import Raw
from sitegen.sources.people import parse_names
from sitegen.sources.values import inside, objects, text

NAME = "Semantic Scholar"


def recognises(record: Any) -> bool:
    """Whether a record is a paper of this API, also where it stands within a citation."""
    return "paperId" in _paper(record) or "corpusid" in _paper(record)


def read(record: Any, line: int) -> Raw:
    """Return what a record says of its paper."""
    paper = _paper(record)
    numbers = inside(paper, "externalIds") or inside(paper, "externalids")
    pdf = text(paper, "openAccessPdf", "url")
    venue = (
        text(paper, "journal", "name")
        or text(paper, "publicationVenue", "name")
        or text(paper, "venue")
    )
    arxiv = text(numbers, "ArXiv")
    return Raw(
        line=line,
        label=text(paper, "paperId") or text(paper, "corpusid"),
        title=text(paper, "title"),
        abstract=text(paper, "abstract"),
        people=parse_names(text(author, "name") for author in objects(paper, "authors")),
        dates=(
            text(paper, "publicationDate") or text(paper, "publicationdate") or text(paper, "year"),
        ),
        arxiv=arxiv,
        doi=text(numbers, "DOI"),
        venue="arXiv" if arxiv and venue == "arXiv.org" else venue,
        urls=(text(paper, "url"),),
        links=(("paper", pdf),) if pdf else (),
        language=text(paper, "language"),
    )


def _paper(record: Any) -> dict[str, Any]:
    for key in ("citingPaper", "citedPaper"):
        if isinstance(found := inside(record, key), dict):
            return found
    return record if isinstance(record, dict) else {}
