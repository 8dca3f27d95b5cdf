"""docs/sources.md says what each format tells, and the samples prove it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from sitegen.records import Metadata
from sitegen.sources import FORMATS, json_file, read_text
from sitegen.sources.columns import NAMES
from sitegen.sources.reading import Found

from .test_source_samples import SAMPLES

DOCS = Path(__file__).parent.parent / "docs/sources.md"
FORMS = {
    "references.bib": "BibTeX and biblatex",
    "arxiv-page.xml": "arXiv API page (Atom)",
    "arxiv-listing.xml": "arXiv listing (RSS)",
    "arxiv-snapshot.jsonl": "arXiv metadata snapshot (JSON lines)",
    "huggingface.json": "Hugging Face daily papers (JSON)",
    "export.ris": "RIS",
    "csl.json": "CSL-JSON (Zotero, Mendeley)",
    "openalex.json": "OpenAlex (JSON)",
    "crossref.json": "Crossref (JSON)",
    "semanticscholar.json": "Semantic Scholar (JSON)",
    "pubmed.xml": "PubMed XML",
    "pubmed.nbib": "PubMed text (nbib)",
    "library.csv": "CSV, semicolons (Scopus)",
    "table.tsv": "TSV",
    "note.md": "Markdown note with front matter",
    "papers.json": "JSON of plain shape, our own export",
}
COLUMNS: tuple[Callable[[Metadata], object], ...] = (
    lambda meta: meta.title,
    lambda meta: meta.authors,
    lambda meta: meta.et_al,
    lambda meta: meta.date,
    lambda meta: meta.arxiv,
    lambda meta: meta.version,
    lambda meta: meta.doi,
    lambda meta: meta.venue,
    lambda meta: meta.url,
    lambda meta: meta.language,
    lambda meta: meta.links,
    lambda meta: meta.keywords,
)


def row(name: str) -> str:
    """Return the line of the table that a sample makes true."""
    text = (SAMPLES / name).read_text("utf-8-sig").replace("\r\n", "\n")
    found: tuple[Found, ...] = read_text(text, name).found
    cells = [any(column(one.metadata) for one in found) for column in COLUMNS]
    cells.append(any(one.text for one in found))
    marks = " | ".join("•" if cell else "" for cell in cells)
    return re.sub(" +", " ", f"| {FORMS[name]} | {marks} | `{name}` |")


def test_every_sample_has_its_row() -> None:
    assert sorted(FORMS) == sorted(path.name for path in SAMPLES.iterdir())


@pytest.mark.parametrize("name", FORMS)
def test_the_table_of_formats_is_true(name: str) -> None:
    assert row(name) in re.sub(" +", " ", DOCS.read_text(encoding="utf-8"))


def test_every_reader_is_shown_by_a_sample() -> None:
    shown = set()
    for name in FORMS:
        text = (SAMPLES / name).read_text("utf-8-sig").replace("\r\n", "\n")
        shown.update(read_text(text, name).forms)
    every = {form.name for form in FORMATS if form.read is not json_file.read}
    every |= {form.name for form in json_file.RECORDS}
    assert shown == every - {"Daily Papers dump"}


def test_the_names_of_columns_are_named() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for name in NAMES.keys() - {"key", "links"}:
        assert f"`{name}`" in text, name
