"""RIS files, as reference managers and databases export them.

Own reader: rispy drops a record without its closing ``ER`` without a word.
"""

from __future__ import annotations

import re

from sitegen.diagnostics import note, warning
from sitegen.sources.collector import Collector, Raw, first
from sitegen.sources.identifiers import read_arxiv, read_doi
from sitegen.sources.people import parse_names
from sitegen.sources.reading import Reading
from sitegen.sources.tag_lines import LOOSE_RIS, RIS, Stray, TagRecord, read_records
from sitegen.sources.tagged import unescaped, untagged

_START = re.compile(r"^\s{0,3}TY {0,2}- ?[A-Z]{2,8}\s*$", re.MULTILINE)
_USUAL = re.compile(r"^\s{0,3}TY  -", re.MULTILINE)
_HEAD = 65_536
_NUMBER = re.compile(r"\d{1,6}\.?")
# A year, then month, day and other words, each of which may be left out: 2031/05//Spring.
_DATE = re.compile(r"(\d{4})/(\d{0,2})/?(\d{0,2})/?(.*)")


def recognises(text: str) -> bool:
    """Whether a text holds the beginning of a record of RIS, whatever stands before it."""
    return bool(_START.search(text[:_HEAD]))


def read(text: str, file: str) -> Reading:
    """Read one file.

    Args:
        text: as `decode` returns it.
        file: path for the problems.

    Returns:
        the records as papers; what stands between them is reported once, a record that is not
        closed is read as far as it goes.
    """
    collector = Collector(file)
    stray: list[Stray] = []
    pattern = RIS if _USUAL.search(text) else LOOSE_RIS
    for record in read_records(text, pattern, "TY", "ER"):
        if isinstance(record, Stray):
            if not _NUMBER.fullmatch(record.text):
                stray.append(record)
            continue
        raw = _raw(record)
        if not record.closed:
            words = f"the record {raw.label or raw.title[:60]!r} is not closed by ER"
            collector.remarks.add(warning, "source-mended", record.line, words)
        collector.add(raw)
    if stray:
        words = f"{len(stray):,} lines outside of any record were passed over, the first here"
        if len(stray) == 1:
            words = "a line outside of any record was passed over"
        collector.remarks.add(note, "source-leftover", stray[0].line, words, piece=stray[0].text)
    return collector.reading()


def _raw(record: TagRecord) -> Raw:
    urls = [url for value in record.all("UR", "L2", "LK") for url in value.split()]
    number = first(
        value for value in record.all("AN", "M1", "C1", "IS", "VL") if read_arxiv(value)[0]
    )
    pdf = [url for value in record.all("L1") for url in value.split() if "://" in url]
    doi = first(value for value in record.all("DO", "DI", "M3", "N1") if read_doi(value))
    return Raw(
        line=record.line,
        label=record.one("ID"),
        title=_prose(record.one("TI", "T1", "CT")) or _untitled(record),
        abstract=_prose("\n".join(record.all("AB"))) or _prose("\n".join(record.all("N2"))),
        people=parse_names(name for name in record.all("AU", "A1")),
        dates=tuple(map(_date, record.all("DA", "PY", "Y1")[:3])),
        arxiv=number,
        doi=doi or record.one("DO"),
        venue=_prose(record.one("JO", "JF", "T2", "JA", "J2", "BT", "PB")),
        urls=tuple(urls),
        links=tuple(("paper", url) for url in pdf),
        language=record.one("LA"),
        mentions=(record.one("JO"), record.one("T2")),
        keywords=tuple(map(_prose, record.all("KW"))),
    )


def _untitled(record: TagRecord) -> str:
    """Return the title of a whole book, which stands where a journal's would."""
    return _prose(record.one("BT")) if record.one("TY") in {"BOOK", "WHOLE"} else ""


def _prose(value: str) -> str:
    return unescaped(untagged(value)).strip()


def _date(value: str) -> str:
    """Return a date of RIS without its empty parts; words behind it stay only if they are alone."""
    found = _DATE.fullmatch(value.strip())
    if not found:
        return value
    return "-".join(part for part in found.groups()[:3] if part)
