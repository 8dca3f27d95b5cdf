"""What stages take up where the last build left off: tables kept in the cache from build to build.

Each is used only as far as a cold build would come to the same; see the stages themselves.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from sitegen import array_cache, exports, line_cache
from sitegen.basis import SMALL
from sitegen.concepts import DEFAULT_WEIGHTS
from sitegen.fingerprints import code_digest
from sitegen.forks import beside, in_parts
from sitegen.landscape import Floats, Integers, arrange, lay_out, place_between
from sitegen.neighbours import Nearest
from sitegen.records import Keyword, Override, Paper, TopicChoice
from sitegen.related import nearest_papers
from sitegen.standing import Standing, find_standing
from sitegen.text_words import Share, TextWords, read_words, same_texts, text_marks
from sitegen.topic_choices import Choices
from sitegen.topics import TopicIndex, assign_topics
from sitegen.views import Site
from sitegen.vocabulary import Vocabulary
from sitegen.word_columns import WordColumns, read_columns

_SHARED = 1000
"""Texts that one more process pays for."""


def columns(texts: Sequence[str], cache: Path, jobs: int = 1) -> WordColumns:
    """Return the words of texts; how each text is cut is kept."""
    path = cache / "words.bin"
    code = line_cache.code_hash(
        "phrases.py", "text_words.py", "word_columns.py", "wording.py", "data/*.txt"
    )
    before = TextWords.of_table(array_cache.load(path, code))
    words = read_words(texts, before, _sharing(jobs))
    if words is not before:
        array_cache.save(path, code, words.table())
    return read_columns(texts, words)


def _sharing(jobs: int) -> Share:
    return lambda work, items: in_parts(work, items, jobs, least=_SHARED)


def standing(
    columns: WordColumns,
    keywords: Sequence[Sequence[Keyword]],
    vocabulary: Vocabulary,
    model: str,
    cache: Path,
    *,
    headlines: Sequence[str] = (),
    jobs: int = 1,
) -> Standing:
    """Return the concepts that stand in texts; those of many texts are kept.

    Args:
        columns: words of the texts.
        keywords: of each text.
        vocabulary: curated terms.
        model: what the keywords of a text rest on beside the text.
        cache: folder.
        headlines: of the texts.
        jobs: processes at most.
    """
    if len(keywords) <= SMALL:
        return find_standing(columns, keywords, vocabulary, DEFAULT_WEIGHTS, headlines=headlines)
    path = cache / "concepts.bin"
    code = line_cache.code_hash(
        "concept_search.py", "concepts.py", "languages.py", "literals.py", "phrases.py",
        "roles.py", "standing.py", "term_places.py", "text_words.py", "topicality.py",
        "vocabulary.py", "word_columns.py", "wording.py", "data/*.txt",
    )  # fmt: skip
    setting = f"{code} {model} {vocabulary.mark()}"
    before = Standing.of_table(array_cache.load(path, setting))
    found = find_standing(
        columns,
        keywords,
        vocabulary,
        DEFAULT_WEIGHTS,
        before,
        headlines=headlines,
        share=_sharing(jobs),
    )
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


def choices(
    columns: WordColumns,
    vectors: np.ndarray,
    index: TopicIndex,
    *,
    ids: Sequence[str],
    overrides: Mapping[str, Override],
    early: Sequence[int],
    model: str,
    cache: Path,
) -> tuple[TopicChoice, ...]:
    """Return the papers' topics; of many papers under topics that rest on themselves they are kept.

    Args:
        columns: words of the papers' texts.
        vectors: of the same.
        index: the topics.
        ids: of the papers.
        overrides: by paper id.
        early: positions of the papers to measure against where the index has no background.
        model: what the vector of a text rests on beside the text.
        cache: folder.
    """
    if len(ids) <= SMALL or index.description_spread is None:
        return assign_topics(
            columns.texts, vectors, index, ids=ids, overrides=overrides, early=early,
            columns=columns,
        )  # fmt: skip
    code = line_cache.code_hash(
        "languages.py", "phrase_index.py", "phrases.py", "records.py", "text_words.py",
        "topic_phrases.py", "topics.py", "word_columns.py", "wording.py", "data/*.txt",
    )  # fmt: skip
    path, setting = cache / "topics.bin", f"{code} {model} {index.topics!r}"
    setting = hashlib.sha256(setting.encode("utf-8", "surrogatepass")).hexdigest()
    before = Choices.of_table(array_cache.load(path, setting))
    same = same_texts(before.texts if before else columns.keys[:0], columns.keys)
    new = np.flatnonzero(same < 0)
    found = list(before.choices(index, same)) if before else [TopicChoice(topics=())] * len(ids)
    fresh = assign_topics(
        [columns.texts[at] for at in new.tolist()], vectors[new], index, columns=columns.only(new)
    )
    for at, choice in zip(new.tolist(), fresh, strict=True):
        found[at] = choice
    if len(new):
        array_cache.save(path, setting, Choices.of(columns.keys, found, index).table())
    at_hand = [at for at, paper in enumerate(ids) if paper in overrides]
    curated = assign_topics(
        [columns.texts[at] for at in at_hand],
        vectors[at_hand],
        index,
        ids=[ids[at] for at in at_hand],
        overrides=overrides,
        columns=columns.only(np.array(at_hand, np.int64)),
    )
    for at, choice in zip(at_hand, curated, strict=True):
        found[at] = choice
    return tuple(found)


def positions(
    vectors: np.ndarray, groups: Sequence[str], early: Sequence[int], cache: Path
) -> tuple[tuple[float, float], ...]:
    """Return the papers' places on the map; they are kept, those of landmarks take a while."""
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

    def between(
        unit: Floats, marks: Floats, points: Floats, topics: tuple[Integers, Integers]
    ) -> Floats:
        around = hashlib.sha256(marks.tobytes() + points.tobytes() + topics[1].tobytes())
        setting = f"{line_cache.code_hash('landscape.py')} {around.hexdigest()}"
        rows = zip(unit, topics[0].tolist(), strict=True)
        keys = text_marks(row.tobytes() + b"%d" % topic for row, topic in rows)
        table = array_cache.load(cache / "map.bin", setting)
        same = same_texts(table["keys"] if table else keys[:0], keys)
        new = np.flatnonzero(same < 0)
        placed = np.empty((len(unit), 2))
        placed[new] = place_between(unit[new], marks, points, (topics[0][new], topics[1]))
        if table:
            placed[same >= 0] = table["places"][same[same >= 0]]
        if len(new):
            array_cache.save(cache / "map.bin", setting, {"keys": keys, "places": placed})
        return placed

    return arrange(vectors, groups, early, layout, between)


def positions_beside(
    vectors: np.ndarray, groups: Sequence[str], early: Sequence[int], cache: Path, *, jobs: int
) -> Callable[[], tuple[tuple[float, float], ...]]:
    """Return what gives `positions`; many are found while this process does other things."""
    return beside(
        lambda: positions(vectors, groups, early, cache), jobs if len(groups) > SMALL else 1
    )
