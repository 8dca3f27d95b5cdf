"""Abstracts read one by one: what each introduces by name, and a headline to print above it.

``tools/labels/names.jsonl`` holds a reading a line, by arXiv id, without the abstract: ``kind``,
``names`` (lists of spellings, the main name first, a short form before its expansion) and
``headline``; a reading may lack kind and headline. Titles were withheld from the reader.
Nearly all were drawn where the model was in doubt whether anything is named, and all have titles
that begin with no name, so that they are harder than papers are on average.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from sitegen.naming.candidates import key_of

LABELS = Path(__file__).resolve().parent / "labels" / "names.jsonl"
HELD_OUT = 4
"""One reading in so many is kept for choosing; the models never learn from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One reading."""

    arxiv: str
    names: tuple[tuple[str, ...], ...]
    """Keys of the spellings of each name, the main one first."""
    headline: str
    """Empty where none was written."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys of all spellings, those of the main name first."""
        return tuple(dict.fromkeys(key for name in self.names for key in name))

    @property
    def held_out(self) -> bool:
        """Tell whether the reading is kept for choosing."""
        digest = hashlib.sha256(self.arxiv.encode()).digest()
        return digest[0] % HELD_OUT == 0


def read_labels(path: Path = LABELS) -> dict[str, Label]:
    """Return the readings by arXiv id."""
    labels = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        labels[record["arxiv"]] = Label(
            arxiv=record["arxiv"],
            names=tuple(tuple(map(key_of, name)) for name in record["names"]),
            headline=record.get("headline", ""),
        )
    return labels
