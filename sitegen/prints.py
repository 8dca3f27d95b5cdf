"""The prints of all texts of a digest: what is known from earlier builds, else made by workers."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from sitegen.line_cache import code_hash, path_of
from sitegen.records import Restored
from sitegen.row_cache import Row, RowCache
from sitegen.shingles import Print, Prints, known_by, shown, title_line
from sitegen.workers import Workers

FEW = 200
"""Texts that are sooner read than looked up."""
_BATCH, _LEAST = 500, 4000
"""Texts that are handed to a worker at once, and fewest that are worth starting workers."""


def read_prints(
    prints: Prints, restored: Iterable[Restored], *, folder: Path, workers: Workers
) -> None:
    """Fill in the prints of all texts that records are compared by.

    Args:
        prints: filled; it makes what is still missing when asked.
        restored: the records of the digest.
        folder: of the cache.
        workers: who reads texts not seen before.
    """
    texts = list(dict.fromkeys(text for one in restored for text in _texts(one)))
    for gone in prints.keys() - set(texts):
        del prints[gone]
    missing = [text for text in texts if text not in prints]
    if len(missing) <= FEW:
        return
    setting = f"{code_hash('shingles.py')} {unicodedata.unidata_version}"
    kept = RowCache(path_of(folder, "prints", setting).with_suffix(".rows"))
    keys = [_key(text) for text in missing]
    rows = kept.read(keys)
    todo = {key: text for key, text in zip(keys, missing, strict=True) if key not in rows}
    waiting = iter(todo)
    new: dict[bytes, Row] = {}
    for values in workers.run(_prints, list(todo.values()), size=_BATCH, least=_LEAST):
        for digest, words in values:
            new[next(waiting)] = digest, np.frombuffer(words, np.uint64)
    rows.update(new)
    prints.update((text, Print(*rows[key])) for key, text in zip(keys, missing, strict=True))
    kept.add(new)
    kept.tidy()


def _texts(restored: Restored) -> Iterator[str]:
    abstract = restored.abstract
    yield known_by(abstract)
    yield shown(restored)
    if abstract.metadata.title:
        yield title_line(abstract.metadata)


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _prints(texts: Sequence[str]) -> list[tuple[str, bytes]]:
    """Return digest and words' hashes of each text."""
    made = Prints()
    found = (made[text] for text in texts)
    return [(each.digest, each.words.tobytes()) for each in found]
