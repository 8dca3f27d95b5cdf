"""Cache of what was read off a text: keywords and vector, one line an entry, in one file a setting.

A line that is cut, altered or of another shape is as good as absent: its text is read again.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sitegen.records import Keyword

if TYPE_CHECKING:
    import numpy as np

SPARE = 1000
"""So many unused entries are kept beyond three for each used one, before all unused ones go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What was read off one text."""

    keywords: tuple[Keyword, ...]
    vector: np.ndarray
    """Shape (dims,), float32."""


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text; a lone surrogate counts as itself."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def path_of(folder: Path, kind: str, setting: str) -> Path:
    """Return the file for a setting (any string: model, options, code)."""
    return folder / f"{kind}-{hashlib.sha256(setting.encode()).hexdigest()[:16]}.jsonl"


def load(path: Path) -> dict[str, Entry]:
    """Return the sound entries of a cache file by text hash; none for a missing file."""
    import numpy as np

    try:
        lines = path.read_bytes().split(b"\n")
    except OSError:
        return {}
    entries = {}
    for line in lines:
        checksum, _, body = line.partition(b" ")
        if checksum != b"%08x" % zlib.crc32(body):
            continue
        with contextlib.suppress(ValueError, TypeError):
            key, keywords, vector = json.loads(body)
            entries[key] = Entry(
                keywords=tuple(Keyword(phrase=p, score=s) for p, s in keywords),
                vector=np.frombuffer(base64.b64decode(vector), dtype="<f4"),
            )
    return entries


def save(path: Path, used: Mapping[str, Entry], unused: Mapping[str, Entry]) -> bool:
    """Write a cache file, whole or not at all; unused entries stay while they are few.

    Returns:
        Whether it was written; a folder that cannot be written to is no error, only slow.
    """
    kept = unused if len(unused) <= 3 * len(used) + SPARE else {}
    lines = b"".join(_line(key, entry) for key, entry in sorted({**kept, **used}.items()))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, lines)
    except OSError:
        return False
    return True


def _line(key: str, entry: Entry) -> bytes:
    keywords = [[keyword.phrase, keyword.score] for keyword in entry.keywords]
    vector = base64.b64encode(entry.vector.astype("<f4").tobytes()).decode()
    body = json.dumps([key, keywords, vector], separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(body), body)


def _replace(path: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
