"""What stages take up where the last build left off: tables kept in the cache from build to build.

Each is used only as far as a cold build would come to the same; see the stages themselves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sitegen import array_cache, line_cache
from sitegen.basis import SMALL
from sitegen.landscape import arrange, lay_out
from sitegen.neighbours import Nearest
from sitegen.records import Keyword, Paper, Relation, Tagging
from sitegen.related import relate
from sitegen.text_words import TextWords, read_words
from sitegen.word_columns import WordColumns, read_columns


def columns(texts: Sequence[str], cache: Path) -> WordColumns:
    """Return the words of texts; how each text is cut is kept."""
    path = cache / "words.bin"
    code = line_cache.code_hash(
        "phrases.py", "text_words.py", "word_columns.py", "wording.py", "data/*.txt"
    )
    before = TextWords.of_table(array_cache.load(path, code))
    words = read_words(texts, before)
    if words is not before:
        array_cache.save(path, code, words.table())
    return read_columns(texts, words)


def relations(
    bodies: Sequence[Paper],
    keywords: Sequence[Sequence[Keyword]],
    vectors: np.ndarray,
    taggings: Sequence[Tagging],
    *,
    columns: WordColumns,
    cache: Path,
) -> tuple[tuple[Relation, ...], ...]:
    """Return the related papers; who is nearest to whom is kept."""
    path = cache / "nearest.bin"
    code = line_cache.code_hash(
        "basis.py", "languages.py", "nearness.py", "neighbours.py", "partition.py", "phrases.py",
        "related.py", "word_columns.py", "wording.py", "data/*.txt",
    )  # fmt: skip
    before = Nearest.of_table(array_cache.load(path, code))
    found, nearest = relate(bodies, keywords, vectors, taggings, columns=columns, before=before)
    if nearest and len(bodies) > SMALL:
        array_cache.save(path, code, nearest.table())
    return found


def positions(
    vectors: np.ndarray, groups: Sequence[str], early: Sequence[int], cache: Path
) -> tuple[tuple[float, float], ...]:
    """Return the papers' places on the map; those of landmarks are kept, they take a while."""
    path = line_cache.path_of(cache, "map", line_cache.code_hash("landscape.py"))
    lines = line_cache.LineCache(path, spare=0)

    def layout(unit: np.ndarray) -> np.ndarray:
        key = hashlib.sha256(unit.tobytes()).hexdigest()
        known = lines.read([key])
        if not known:
            known = {key: lay_out(unit).tolist()}
            lines.add(known)
            lines.tidy()
        return np.array(known[key])

    return arrange(vectors, groups, early, layout)
