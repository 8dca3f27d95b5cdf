"""What is read off a text, as the lines of its cache hold it: keywords and vector."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sitegen.records import Keyword

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What was read off one text."""

    keywords: tuple[Keyword, ...]
    vector: np.ndarray
    """Shape (dims,), float32."""


def pack(entry: Entry) -> list[Any]:
    """Return an entry as plain JSON."""
    return [
        [[keyword.phrase, keyword.score] for keyword in entry.keywords],
        base64.b64encode(entry.vector.astype("<f4").tobytes()).decode(),
    ]


def unpack(value: Any) -> Entry:
    """Return the entry that `pack` made into JSON.

    Raises:
        TypeError, ValueError: it is none.
    """
    import numpy as np

    keywords, vector = value
    return Entry(
        keywords=tuple([Keyword(phrase=phrase, score=score) for phrase, score in keywords]),
        vector=np.frombuffer(base64.b64decode(vector), dtype="<f4"),
    )
