"""The papers' lines of the data files, of which those that stand in the former files are not made.

A day's news changes one line in twenty, of files that grow with the digest; to copy a line takes a
hundredth of the time of making it.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np

from sitegen.array_cache import Table
from sitegen.views import Record, Series

JSONL, CSV, BIB = "papers.jsonl", "papers.csv", "papers.bib"
BIB_BYTES = 40_000_000
"""A larger bibliography is split; editors refuse files above 50 MB."""
COLUMNS = (
    "id", "url", "title", "title_source", "names", "tags", "topics", "edition", "authors", "date",
    "arxiv", "doi", "links", "keywords",
)  # fmt: skip
_MARK = 16
"""Bytes of a fingerprint."""

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Former:
    """The files of an earlier build, and what is known of them."""

    table: Mapping[str, np.ndarray]
    """Of the build that made them; empty where there is none."""
    read: Callable[[str], bytes]
    """Gives such a file by its name; empty bytes where it is gone."""
    save: Callable[[Table], object]
    """Keeps the table of this build for the next one."""


class Lines:
    """The lines of all papers in each file; made at once, when the first file is asked for.

    Args:
        records: the papers, sorted by id.
        base_url: the site's address.
        weights: about how many bytes the citation of each paper takes.
        former: files of an earlier build by the same code; None where nothing is to be kept.
    """

    def __init__(
        self,
        records: Series[Record],
        base_url: str,
        weights: Sequence[int],
        former: Former | None = None,
    ) -> None:
        self._records = records
        self._base = base_url
        self._former = former
        self._parts = {bib_name(at): part for at, part in enumerate(cut(weights, BIB_BYTES))}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all files."""
        return (JSONL, CSV, *self._parts)

    @cached_property
    def key(self) -> str:
        """Fingerprint of all lines."""
        return hashlib.sha256(self._marks.tobytes()).hexdigest()[:32]

    def file(self, name: str) -> bytes:
        """Return a file by its name; it is not held any longer, for it may be large."""
        if name not in self._made[0]:
            del self._made
        return self._made[0].pop(name)

    def version(self) -> str:
        """Return a fingerprint of all that the files say, the same on all machines."""
        return hashlib.sha256(self._made[1].tobytes()).hexdigest()

    @cached_property
    def _marks(self) -> np.ndarray:
        """A fingerprint a paper, of shape (papers, 16)."""
        marks = b"".join(hashlib.sha256(key).digest()[:_MARK] for key in self._records.keys)
        return np.frombuffer(marks, np.uint8).reshape(-1, _MARK)

    @cached_property
    def _made(self) -> tuple[dict[str, bytes], np.ndarray]:
        """All files, and a sum of each paper's lines, of shape (papers, 16)."""
        table, texts = self._sound_former()
        old = {mark: at for at, mark in enumerate(_rows(table["marks"]))} if table else {}
        known = np.array([old.get(mark, -1) for mark in _rows(self._marks)], np.int64)
        new = np.flatnonzero(known < 0)
        fresh: tuple[list[bytes], ...] = ([], [], [])
        sums = np.zeros((len(known), _MARK), np.uint8)
        if table:
            sums[known >= 0] = table["sums"][known[known >= 0]]
        for at in new.tolist():
            lines = self._lines(self._records[at])
            sums[at] = np.frombuffer(hashlib.sha256(b"".join(lines)).digest()[:_MARK], np.uint8)
            for column, line in zip(fresh, lines, strict=True):
                column.append(line)
        files: dict[str, bytes] = {}
        kept: dict[str, np.ndarray] = {"marks": self._marks, "sums": sums}
        for column, name in zip(fresh, (JSONL, CSV, BIB), strict=True):
            lengths = table[f"lengths {name}"] if table else np.empty(0, np.int64)
            pieces, sizes = _put_together(known, column, lengths, texts.get(name, memoryview(b"")))
            column.clear()  # the pieces hold them
            kept[f"lengths {name}"] = sizes
            if name == BIB:
                files |= self._bibliographies(b"".join(pieces), sizes)
            else:
                files[name] = b"".join([_HEADS[name], *pieces])
        if self._former:
            for name, text in files.items():
                kept[f"sum {name}"] = np.frombuffer(hashlib.sha256(text).digest(), np.uint8)
            self._former.save(kept)
        return files, sums

    def _bibliographies(self, text: bytes, sizes: np.ndarray) -> dict[str, bytes]:
        """Cut all entries, a blank line after each, into files without one at their ends."""
        ends = np.concatenate(([0], np.cumsum(sizes))).tolist()
        return {
            name: text[ends[first] : ends[last]].removesuffix(b"\n")
            for name, (first, last) in self._parts.items()
        }

    def _sound_former(self) -> tuple[Mapping[str, np.ndarray], dict[str, memoryview]]:
        """Return the table and the lines of the former files; nothing if one is not as it was."""
        table = self._former.table if self._former else {}
        if self._former is None or not table:
            return {}, {}
        read = {
            name.removeprefix("sum "): self._former.read(name.removeprefix("sum "))
            for name in table
            if name.startswith("sum ")
        }
        for name, text in read.items():
            if hashlib.sha256(text).digest() != table[f"sum {name}"].tobytes():
                return {}, {}
        bibs = [b"%s\n" % text for name, text in read.items() if name not in _HEADS]
        texts = {name: memoryview(read[name])[len(head) :] for name, head in _HEADS.items()}
        return table, texts | {BIB: memoryview(b"".join(bibs))}

    def _lines(self, record: Record) -> tuple[bytes, bytes, bytes]:
        """Return a paper's part of each file."""
        line = f"{_ENCODER.encode(paper_object(record, self._base))}\n"
        one, two, three = (
            text.encode("utf-8", "replace")
            for text in (line, _csv_line(_cells(record, self._base)), f"{record.bibtex}\n")
        )
        return one, two, three


def _rows(marks: np.ndarray) -> list[bytes]:
    data = marks.tobytes()
    return [data[at : at + _MARK] for at in range(0, len(data), _MARK)]


def _put_together(
    known: np.ndarray, fresh: Sequence[bytes], lengths: np.ndarray, former: memoryview
) -> tuple[list[bytes | memoryview], np.ndarray]:
    """Return the pieces of a file and the length of each paper's part.

    Args:
        known: for each paper its number in the former file, or -1.
        fresh: the parts of the others, in their order.
        lengths: of the parts of the former file.
        former: the lines of the former file.
    """
    sizes = np.empty(len(known), np.int64)
    old = known >= 0
    sizes[old] = lengths[known[old]]
    sizes[~old] = [len(text) for text in fresh]
    # A run ends where the next paper does not follow in the former file, too.
    breaks = np.flatnonzero((np.diff(known) != 1) | ~old[:-1]) + 1
    ends = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
    waiting = iter(fresh)
    pieces: list[bytes | memoryview] = []
    for start, end in pairwise([0, *breaks.tolist(), len(known)]):
        if start == end:
            continue
        first = int(known[start])
        if first < 0:
            pieces.append(next(waiting))
        else:
            pieces.append(former[ends[first] : ends[first + end - start]])
    return pieces, sizes


def bib_name(number: int) -> str:
    """Return the name of a bibliography, from 0: papers.bib, papers-2.bib and so on."""
    return BIB if number == 0 else f"papers-{number + 1}.bib"


def cut(weights: Sequence[int], most: int) -> list[tuple[int, int]]:
    """Cut a row of papers into parts of so many bytes at most; the first part may be empty."""
    starts = [0]
    totals = [0, *accumulate(weights)]
    for at in range(1, len(weights)):
        if totals[at + 1] - totals[starts[-1]] > most:
            starts.append(at)
    return list(pairwise([*starts, len(weights)]))


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


def _cells(record: Record, base_url: str) -> tuple[str, ...]:
    """Return a paper as papers.csv holds it, a cell a column."""
    return (
        record.id,
        base_url + record.path,
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


def _csv_line(cells: Iterable[str]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerow(map(_cell, cells))
    return out.getvalue()


def _cell(value: str) -> str:
    # a spreadsheet would run what begins like a formula, some also with signs of full width
    return f"'{value}" if value[:1] in "=+-@\t\r\n＝＋－＠" and value else value


_HEADS = {JSONL: b"", CSV: _csv_line(COLUMNS).encode()}
"""What stands before the papers' lines."""
