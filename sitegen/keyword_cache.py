"""What is read off texts, as the lines of its cache hold it, or a table: keywords and vectors."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
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


def pack_table(keys: Sequence[str], entries: Sequence[Entry]) -> dict[str, Any]:
    """Return entries as a table of the array cache; keys are hashes in hexadecimal."""
    import numpy as np

    numbers: dict[str, int] = {}
    every = [keyword for entry in entries for keyword in entry.keywords]
    phrase = [numbers.setdefault(keyword.phrase, len(numbers)) for keyword in every]
    sizes = [len(entry.keywords) for entry in entries]
    return {
        "keys": np.frombuffer(bytes.fromhex("".join(keys)), np.uint8).reshape(len(keys), -1),
        "first": np.cumsum([0, *sizes]),
        "phrase": np.array(phrase, np.int32),
        "score": np.array([keyword.score for keyword in every], np.float64),
        "vectors": np.stack([entry.vector for entry in entries]).astype(np.float32),
        "phrases": tuple(numbers),
    }


def unpack_table(table: Mapping[str, Any], wanted: Mapping[str, object]) -> dict[str, Entry]:
    """Return the entries of some keys that a table holds."""
    if not table:
        return {}
    names = table["phrases"]
    digits = table["keys"].tobytes().hex()
    size = 2 * table["keys"].shape[1]
    keys = [digits[at : at + size] for at in range(0, len(digits), size)]
    phrases = [names[number] for number in table["phrase"].tolist()]
    scores = table["score"].tolist()
    entries = {}
    for key, vector, (start, end) in zip(
        keys, table["vectors"], pairwise(table["first"].tolist()), strict=True
    ):
        if key in wanted:
            entries[key] = Entry(
                keywords=tuple(
                    [
                        Keyword(phrase=phrase, score=score)
                        for phrase, score in zip(phrases[start:end], scores[start:end], strict=True)
                    ]
                ),
                vector=vector,
            )
    return entries
