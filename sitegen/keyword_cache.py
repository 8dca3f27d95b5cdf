"""What is read off texts, as the lines of its cache hold it, or a table: keywords and vectors."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegen.records import Keyword
from sitegen.said import Said
from sitegen.text_words import Integers


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
    keywords, vector = value
    return Entry(
        keywords=tuple([Keyword(phrase=phrase, score=score) for phrase, score in keywords]),
        vector=np.frombuffer(base64.b64decode(vector), dtype="<f4"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """What was read off many texts, aligned."""

    keys: npt.NDArray[np.uint8]
    """(texts, 32): a hash of each."""
    keywords: Said
    vectors: npt.NDArray[np.float32]
    """(texts, dims)."""

    @classmethod
    def of(cls, entries: Mapping[str, Entry]) -> Entries:
        """Return entries by the hashes of their texts in hexadecimal, one or more, as columns."""
        return cls(
            keys=digits(list(entries)),
            keywords=Said.of([entry.keywords for entry in entries.values()]),
            vectors=np.stack([entry.vector for entry in entries.values()]).astype(np.float32),
        )

    def only(self, texts: Integers) -> Entries:
        """Return those of some texts, by position."""
        if np.array_equal(texts, np.arange(len(self.keys))):
            return self
        return Entries(
            keys=self.keys[texts],
            keywords=self.keywords.only(texts),
            vectors=self.vectors[texts],
        )

    def followed_by(self, more: Entries) -> Entries:
        """Return these, then others."""
        return Entries(
            keys=np.concatenate((self.keys, more.keys)),
            keywords=self.keywords.followed_by(more.keywords),
            vectors=np.concatenate((self.vectors, more.vectors)),
        )

    def table(self) -> dict[str, Any]:
        """Return arrays and lists of strings to keep."""
        said = self.keywords.tidied()
        return {
            "keys": self.keys,
            "first": said.first,
            "phrase": said.phrase,
            "score": said.score,
            "phrases": said.phrases,
            "vectors": self.vectors,
        }

    @classmethod
    def of_table(cls, table: Mapping[str, Any]) -> Entries | None:
        """Return what was kept as a `table`; None for an empty one."""
        if not table:
            return None
        columns = {name: table[name] for name in ("first", "phrase", "score", "phrases")}
        return cls(keys=table["keys"], keywords=Said(**columns), vectors=table["vectors"])


def digits(keys: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Return hashes in hexadecimal, all of one length, as rows of bytes."""
    return np.frombuffer(bytes.fromhex("".join(keys)), np.uint8).reshape(len(keys), -1)
