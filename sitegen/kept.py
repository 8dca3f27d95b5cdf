"""What stages take up where the last build left off: tables kept in the cache from build to build.

Each is used only as far as a cold build would come to the same; see the stages themselves.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from sitegen import array_cache, exports, line_cache
from sitegen.basis import SMALL
from sitegen.concepts import DEFAULT_WEIGHTS
from sitegen.fingerprints import code_digest
from sitegen.forks import beside
from sitegen.landscape import arrange, lay_out
from sitegen.neighbours import Nearest
from sitegen.records import Keyword, Paper
from sitegen.related import nearest_papers
from sitegen.standing import Standing, find_standing
from sitegen.text_words import TextWords, read_words
from sitegen.views import Site
from sitegen.vocabulary import Vocabulary
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


def standing(
    columns: WordColumns,
    keywords: Sequence[Sequence[Keyword]],
    vocabulary: Vocabulary,
    model: str,
    cache: Path,
) -> Standing:
    """Return the concepts that stand in texts; those of many texts are kept.

    Args:
        columns: words of the texts.
        keywords: of each text.
        vocabulary: curated terms.
        model: what the keywords of a text rest on beside the text.
        cache: folder.
    """
    if len(keywords) <= SMALL:
        return find_standing(columns, keywords, vocabulary, DEFAULT_WEIGHTS)
    path = cache / "concepts.bin"
    code = line_cache.code_hash(
        "concept_search.py", "concepts.py", "languages.py", "literals.py", "phrases.py",
        "roles.py", "standing.py", "term_places.py", "text_words.py", "topicality.py",
        "vocabulary.py", "word_columns.py", "wording.py", "data/*.txt",
    )  # fmt: skip
    setting = f"{code} {model} {vocabulary.mark()}"
    before = Standing.of_table(array_cache.load(path, setting))
    found = find_standing(columns, keywords, vocabulary, DEFAULT_WEIGHTS, before)
    array_cache.save(path, setting, found.table())
    return found


def lines(site: Site, published: Path, cache: Path) -> exports.Lines:
    """Return the papers' lines of the data files; old ones are taken from the published files."""
    path = cache / "lines.bin"
    code = code_digest().hex()

    def read(name: str) -> bytes:
        try:
            return (published / "data" / name).read_bytes()
        except OSError:
            return b""

    former = exports.Former(
        table=array_cache.load(path, code),
        read=read,
        save=functools.partial(array_cache.save, path, code),
    )
    return exports.Lines(site.records, site.info.base_url, site.weights, former)


def nearest_beside(
    bodies: Sequence[Paper],
    vectors: np.ndarray,
    *,
    columns: WordColumns,
    cache: Path,
    jobs: int,
) -> Callable[[], Nearest | None]:
    """Return what gives the nearest papers; they are sought while this process does other things.

    Lists that nothing can have changed are kept.
    """
    if len(bodies) <= SMALL:
        return functools.cache(lambda: nearest_papers(bodies, vectors, columns))
    import scipy.sparse  # noqa: F401 - nothing is imported in a forked process

    path = cache / "nearest.bin"
    code = line_cache.code_hash(
        "basis.py", "languages.py", "nearness.py", "neighbours.py", "partition.py", "phrases.py",
        "related.py", "text_words.py", "word_columns.py", "wording.py", "data/*.txt",
    )  # fmt: skip

    def find() -> Nearest | None:
        before = Nearest.of_table(array_cache.load(path, code))
        nearest = nearest_papers(bodies, vectors, columns, before=before)
        if nearest:
            array_cache.save(path, code, nearest.table())
        return nearest

    return beside(find, jobs)


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


def positions_beside(
    vectors: np.ndarray, groups: Sequence[str], early: Sequence[int], cache: Path, *, jobs: int
) -> Callable[[], tuple[tuple[float, float], ...]]:
    """Return what gives `positions`; many are found while this process does other things."""
    return beside(
        lambda: positions(vectors, groups, early, cache), jobs if len(groups) > SMALL else 1
    )
