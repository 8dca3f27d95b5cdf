"""What is read off a text, as the lines of its cache hold it: keywords and vector."""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sitegen import line_cache
from sitegen.records import Keyword

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What was read off one text."""

    keywords: tuple[Keyword, ...]
    vector: np.ndarray
    """Shape (dims,), float32."""


def load(path: Path | None) -> dict[str, Entry]:
    """Return the sound entries of a cache file by text hash; none for a missing file."""
    import numpy as np

    entries = {}
    for key, value in line_cache.load(path).items():
        with contextlib.suppress(ValueError, TypeError):
            keywords, vector = value
            entries[key] = Entry(
                keywords=tuple(Keyword(phrase=p, score=s) for p, s in keywords),
                vector=np.frombuffer(base64.b64decode(vector), dtype="<f4"),
            )
    return entries


def save(path: Path | None, entries: Mapping[str, Entry], used: Iterable[str]) -> bool:
    """Write a cache file; see `line_cache.save`."""
    values = {
        key: [
            [[keyword.phrase, keyword.score] for keyword in entry.keywords],
            base64.b64encode(entry.vector.astype("<f4").tobytes()).decode(),
        ]
        for key, entry in entries.items()
    }
    return line_cache.save(path, values, used)
