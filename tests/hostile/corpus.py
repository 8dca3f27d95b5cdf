"""The payloads, written into files of every source format and into every file of a curator."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

PAYLOADS: tuple[str, ...] = tuple(
    dict.fromkeys(
        text
        for texts in json.loads(Path(__file__).with_name("payloads.json").read_bytes()).values()
        for text in texts
    )
)
_NATURE = """
    alder ash aspen beech birch bracken brook clover cliff cove crane crow dune eel
    elder fern finch fjord fox gale glade gorse gull hail hare hawk hazel heath heron
    holly ivy jay kelp lark larch lichen loch marsh marten meadow mist moor moss moth
    newt oak otter owl pine pond rain reed ridge robin rook rowan rush sand seal shore
    skua sleet snail spruce stoat swan tern thrush tide toad trout vale vole wave whelk
    willow wren yarrow yew
"""
_WORDS = _NATURE.split()


def sentence(number: int) -> str:
    """Return words that no other number has in this order."""
    rng = random.Random(str(number))
    return " ".join(rng.choice(_WORDS) for _ in range(24))


@dataclass(frozen=True, slots=True)
class Entry:
    """One paper, every field of which may be hostile."""

    number: int
    payload: str

    @property
    def title(self) -> str:
        return f"{self.payload} beside {sentence(self.number).split()[0]} {self.number}"

    @property
    def abstract(self) -> str:
        words = sentence(self.number)
        return f"Kelpmarker {words}. We find {self.payload} and count {self.number} {words[:40]}."

    @property
    def key(self) -> str:
        return self.payload or "empty"


def innocent(number: int) -> Entry:
    """Return a paper that harms nobody, to stand beside a hostile one."""
    return Entry(-1 - number, "seals")


# ---- sources ------------------------------------------------------------------------------------
def dump(entries: Sequence[Entry]) -> str:
    return "Notes\n\n" + "\n\n".join(entry.abstract for entry in entries) + "\n"


def bibtex(entries: Sequence[Entry]) -> str:
    return "\n".join(
        f"@article{{{e.key},\n title = {{{e.title}}},\n author = {{{e.payload} and Ann Meer}},\n"
        f" abstract = {{{e.abstract}}},\n url = {{{e.payload}}},\n doi = {{{e.payload}}},\n"
        f" journal = {{{e.payload}}}, keywords = {{{e.payload}}}, year = {{{e.payload}}}\n}}\n"
        for e in entries
    )


def ris(entries: Sequence[Entry]) -> str:
    return "".join(
        f"TY  - JOUR\nTI  - {e.title}\nAU  - {e.payload}\nAB  - {e.abstract}\nUR  - {e.payload}\n"
        f"DO  - {e.payload}\nT2  - {e.payload}\nPY  - {e.payload}\nKW  - {e.payload}\nER  - \n\n"
        for e in entries
    )


def nbib(entries: Sequence[Entry]) -> str:
    return "\n".join(
        f"PMID- {e.number + 90000}\nTI  - {e.title}\nAB  - {e.abstract}\nFAU - {e.payload}\n"
        f"LID - {e.payload} [doi]\nJT  - {e.payload}\nDP  - {e.payload}\nOT  - {e.payload}\n"
        for e in entries
    )


def note(entries: Sequence[Entry]) -> str:
    (e, *_) = entries
    fields = {"title": e.title, "authors": e.payload, "url": e.payload, "doi": e.payload,
              "arxiv": e.payload, "date": e.payload, "venue": e.payload}  # fmt: skip
    header = "".join(f"{key}: {json.dumps(value)}\n" for key, value in fields.items())
    return f"---\n{header}---\n\n## Abstract\n\n{e.abstract}\n"


def table(entries: Sequence[Entry]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["title", "abstract", "authors", "date", "doi", "url", "venue", "keywords"])
    for e in entries:
        writer.writerow([e.title, e.abstract, *[e.payload] * 6])
    return out.getvalue()


def plain_json(entries: Sequence[Entry]) -> str:
    return json.dumps(
        [
            {"id": e.key, "title": e.title, "abstract": e.abstract, "authors": [e.payload],
             "url": e.payload, "doi": e.payload, "arxiv": e.payload, "date": e.payload,
             "keywords": [e.payload], "links": [{"kind": "code", "url": e.payload},
             {"kind": e.payload, "url": f"https://a.example/{e.payload}"}]}
            for e in entries
        ]
    )  # fmt: skip


def arxiv_lines(entries: Sequence[Entry]) -> str:
    return "".join(
        json.dumps({"id": f"3105.{e.number % 90000:05d}", "title": e.title, "abstract": e.abstract,
                    "authors": e.payload, "categories": e.payload, "comments": e.payload,
                    "doi": e.payload, "journal-ref": e.payload}) + "\n"
        for e in entries
    )  # fmt: skip


def crossref(entries: Sequence[Entry]) -> str:
    items = [
        {"DOI": f"10.5555/{e.payload}", "type": "journal-article", "title": [e.title],
         "container-title": [e.payload], "URL": e.payload, "language": e.payload,
         "abstract": f"<jats:p>{e.abstract}</jats:p>",
         "author": [{"family": e.payload, "given": e.payload}]}
        for e in entries
    ]  # fmt: skip
    return json.dumps({"status": "ok", "message-type": "work-list", "message": {"items": items}})


def csl(entries: Sequence[Entry]) -> str:
    return json.dumps(
        [
            {"id": e.key, "type": "article-journal", "title": e.title, "abstract": e.abstract,
             "URL": e.payload, "DOI": e.payload, "container-title": e.payload,
             "author": [{"family": e.payload, "given": e.payload}, {"literal": e.payload}]}
            for e in entries
        ]
    )  # fmt: skip


def huggingface(entries: Sequence[Entry]) -> str:
    return json.dumps(
        [
            {"paper": {"id": f"3106.{e.number % 90000:05d}", "title": e.title,
                       "summary": e.abstract, "publishedAt": e.payload, "githubRepo": e.payload,
                       "projectPage": e.payload, "authors": [{"name": e.payload}]}}
            for e in entries
        ]
    )  # fmt: skip


def atom(entries: Sequence[Entry]) -> str:
    records = "".join(
        f"<entry><id>http://arxiv.org/abs/3107.{e.number % 90000:05d}v1</id>"
        f"<title>{escape(e.title)}</title><summary>{escape(e.abstract)}</summary>"
        f"<published>{escape(e.payload)}</published>"
        f"<author><name>{escape(e.payload)}</name></author>"
        f"<link href={json.dumps(escape(e.payload))} rel='alternate'/></entry>"
        for e in entries
    )
    return f'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">{records}</feed>'


def rss(entries: Sequence[Entry]) -> str:
    records = "".join(
        f"<item><title>{escape(e.title)}</title><link>{escape(e.payload)}</link>"
        f"<description>{escape(e.abstract)}</description>"
        f"<dc:creator>{escape(e.payload)}</dc:creator></item>"
        for e in entries
    )
    return (
        '<rss xmlns:dc="http://purl.org/dc/elements/1.1/" version="2.0"><channel>'
        f"<title>x</title>{records}</channel></rss>"
    )


def pubmed(entries: Sequence[Entry]) -> str:
    records = "".join(
        f"<PubmedArticle><MedlineCitation><PMID>{90_000 + e.number}</PMID><Article>"
        f"<ArticleTitle>{escape(e.title)}</ArticleTitle><Abstract><AbstractText>"
        f"{escape(e.abstract)}</AbstractText></Abstract><AuthorList><Author><LastName>"
        f"{escape(e.payload)}</LastName></Author></AuthorList></Article></MedlineCitation>"
        "</PubmedArticle>"
        for e in entries
    )
    return f"<PubmedArticleSet>{records}</PubmedArticleSet>"


FORMATS: Mapping[str, Callable[[Sequence[Entry]], str]] = {
    "dump.txt": dump,
    "bibtex.bib": bibtex,
    "ris.ris": ris,
    "nbib.nbib": nbib,
    "note.md": note,
    "table.csv": table,
    "plain.json": plain_json,
    "arxiv.jsonl": arxiv_lines,
    "crossref.json": crossref,
    "csl.json": csl,
    "huggingface.json": huggingface,
    "atom.xml": atom,
    "rss.xml": rss,
    "pubmed.xml": pubmed,
}
ENCODED = frozenset(
    {"table.csv", "plain.json", "arxiv.jsonl", "crossref.json", "csl.json", "huggingface.json"}
)
"""Formats that can hold any text: nothing that stands beside a payload may suffer."""


def encoded(text: str) -> bytes:
    """Return the bytes of a file; a lone surrogate becomes bytes that are no UTF-8."""
    return text.encode("utf-8", "surrogatepass")


# ---- the curator's files -------------------------------------------------------------------------
def document(fields: Mapping[str, object], body: str) -> str:
    """Return front matter and body."""
    header = "".join(f"{key}: {json.dumps(value)}\n" for key, value in fields.items())
    return f"---\n{header}---\n{body}\n"


def topic(text: str) -> str:
    return document(
        {"title": f"{text} topic", "aliases": [text], "phrases": [text, "kelp"]},
        f"{text}\n\n{text}",
    )


def edition(text: str) -> str:
    return document({"title": f"{text} edition", "aliases": [text]}, text)


def page(text: str) -> str:
    return document({"title": f"{text} page"}, f"# {text}\n\n{text}\n\n- {text}\n\n> {text}\n")


def override(text: str) -> str:
    fields = {"title": f"{text} corrected", "authors": [text, "Ann Meer"], "tags": [text, "kelp"],
              "not_tags": [text], "pick": "yes"}  # fmt: skip
    return document(fields, f"A note: {text}\n\n{text}")
