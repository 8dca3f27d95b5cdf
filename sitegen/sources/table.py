"""Tables: CSV, TSV and the like, with a line of names for their columns."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import Literal

from sitegen.diagnostics import warning
from sitegen.sources.collector import LONGEST, Collector
from sitegen.sources.columns import our_names, read_fields
from sitegen.sources.reading import Reading

_SIGNS = ("\t", ",", ";", "|")
_GUARDED = re.compile(r"'(?=[=+\-@\t\r\n＝＋－＠])")
"""What our own export, like others, puts before a cell that a spreadsheet would run."""


_UNQUOTED = re.compile(r'(?:^|\t)"[^"\t\n]*"[^"\t\n]', re.MULTILINE)


def recognises(text: str) -> bool:
    """Whether a text begins with names of columns, a title's or an abstract's among them."""
    return bool(_sign(text))


def read(text: str, file: str) -> Reading:
    """Read one table.

    Args:
        text: as `decode` returns it.
        file: path for the problems.

    Returns:
        the rows as papers; rows with other than the named columns are read as far as they go.
    """
    collector = Collector(file)
    rows = _rows(text, _sign(text) or ",", collector)
    _, names = next(rows, (0, []))
    for line, row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) > len(names) and any(cell.strip() for cell in row[len(names) :]):
            words = f"a row of {len(row)} cells under {len(names)} names; the rest was passed over"
            hint = "put cells that hold the separator in quotes"
            collector.remarks.add(warning, "source-mended", line, words, hint=hint)
        cells = (_GUARDED.sub("", cell, count=1) for cell in row)
        collector.add(read_fields(dict(zip(names, cells, strict=False)), line))
    return collector.reading()


def _sign(text: str) -> str:
    """Return what parts the columns; empty where a text is no table."""
    head = text.lstrip("\n")[:10_000].split("\n", 1)[0]
    for sign in _SIGNS:
        if sign in head:
            names = next(csv.reader([head], delimiter=sign), [])
            known = our_names(names)
            if len(names) > 1 and known.keys() & {"title", "abstract"} and len(known) > 1:
                return sign
    return ""


def _rows(text: str, sign: str, collector: Collector) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with the line it begins on; one that cannot be read is reported."""
    # Tabs often go without any quoting; then a lone quote is a quote.
    odd = sign == "\t" and (text.count('"') % 2 or _UNQUOTED.search(text))
    quoting: Literal[0, 3] = csv.QUOTE_NONE if odd else csv.QUOTE_MINIMAL
    csv.field_size_limit(LONGEST * 2)
    reader = csv.reader(
        (line + "\n" for line in text.split("\n")), delimiter=sign, quoting=quoting, strict=False
    )
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as exc:
            collector.remarks.drop(
                warning, "source-malformed", line, f"a row cannot be read: {exc}",
                hint="balance its quotes",
            )  # fmt: skip
            continue
        if row:
            yield line, row
