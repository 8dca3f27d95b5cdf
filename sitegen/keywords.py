"""Keywords and vectors of texts: KeyBERT over our own candidates, re-ranked by a few fixed signals.

KeyBERT compares each candidate with the whole text; alone, that ranks worse than with what
every reader uses too: how often a phrase comes, how early, and how long it is. All signals look at
one text only, so a paper's keywords never depend on its neighbours.
"""

from __future__ import annotations

import contextlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from sitegen import array_cache, embedders, keyword_cache, line_cache, phrases
from sitegen.embedders.chunks import readable
from sitegen.keyword_cache import Entries, Entry, digits
from sitegen.line_cache import LineCache, text_hash
from sitegen.phrases import Candidate
from sitegen.records import Keyword
from sitegen.said import Said
from sitegen.text_words import Integers, same_texts
from sitegen.workers import ALONE, Workers

MAX_CANDIDATES = 1000
"""A text's most frequent candidates (the earlier first among equals) get a vector; an abstract has
30, only a text of thousands of words has more than this."""
ABSTRACT = 1500
"""Length of a long abstract, in characters."""
BATCH_CANDIDATES = 8000
"""Texts go to KeyBERT together until they have so many candidates: bounds memory."""
_TABLED = 1000
"""So many texts and more are kept as a table, too, which is read several times as fast as lines."""
_BATCHES = (128, 1500)
"""Texts that are handed to a worker at once, and fewest texts that are worth starting workers."""
_SLOW_BATCHES = (16, 100)
"""The same for models that take a second for twenty texts or so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordOptions:
    """What decides the keywords of a text."""

    model: str = "static"
    """``static``, ``onnx``, or the name or path of a sentence-transformers model."""
    top: int = 30
    """At most so many keywords a text."""

    def cache_key(self) -> str:
        """Return a string that changes whenever the keywords of some text could.

        Raises:
            SitegenError: the model is not on this machine.
        """
        return f"{embedders.identity(self.model)} top={self.top} {_code()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """What was read off texts, aligned with them."""

    keywords: Said
    """Best first; none for a text without a candidate."""
    vectors: np.ndarray
    """Shape (n, dims), float32, L2-normalised; zeros for a text without words."""
    computed: int
    """How many different texts were not in the cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The signals of a candidate's score, in units of cosine; fitted once, then fixed."""

    frequency: float
    """Times ln(number of places)."""
    position: float
    """Times ln(1 + first place / 100 characters), subtracted: what comes early counts more. In a
    text longer than ABSTRACT, places are scaled as if it were that long."""
    length: tuple[float, float, float, float]
    """Added for one, two, three or more words: two and three say most."""
    generic: float
    """Subtracted from a phrase of words such as "large" and "result" only."""


# Fitted by logistic regression on 500 abstracts with keyphrases by professional indexers, rounded.
STATIC_WEIGHTS = Weights(frequency=0.6, position=0.35, length=(-0.3, 0.25, 0.3, 0.0), generic=1.0)
# A transformer's cosines tell more, so the other signals weigh half.
TRANSFORMER_WEIGHTS = Weights(
    frequency=0.3, position=0.175, length=(-0.15, 0.125, 0.15, 0.0), generic=0.5
)


def read(
    texts: Sequence[str],
    options: KeywordOptions,
    *,
    cache_dir: Path | None = None,
    jobs: int = 1,
    workers: Workers = ALONE,
    progress: Callable[[int, int], None] | None = None,
) -> Readings:
    """Return the keywords and the vector of each text.

    Args:
        texts: any, also empty ones; each is read alone, so that order and company do not matter.
        options: model and number of keywords.
        cache_dir: where readings are kept from one run to the next; None for nowhere.
        jobs: threads an ONNX model may use in this process; the result does not depend on it.
        workers: who reads, where there are many texts; the result does not depend on it.
        progress: called with (texts done, texts to do), cached ones not counted.

    Raises:
        SitegenError: the model is not on this machine.
    """
    keys = [text_hash(text) for text in texts]
    by_key = dict(zip(keys, texts, strict=True))
    kept = LineCache(_path(cache_dir, "keywords", options))
    table = cache_dir / "keywords.bin" if cache_dir and len(by_key) >= _TABLED else None
    setting = options.cache_key()
    known = Entries.of_table(array_cache.load(table, setting) if table else {})
    places = _places(known, list(by_key))
    missing = [key for key, at in zip(by_key, places.tolist(), strict=True) if at < 0]
    new = _unpacked(kept.read(missing, used=by_key) if missing else {})
    todo = [key for key in missing if key not in new]
    size, least = _BATCHES if options.model == "static" else _SLOW_BATCHES
    threads = 1 if workers.share(len(todo), least) else jobs
    work = partial(_read_batch, options=options, threads=threads)
    done = 0
    for values in workers.run(work, [by_key[key] for key in todo], size=size, least=least):
        found = dict(zip(todo[done : done + len(values)], values, strict=True))
        new.update(_unpacked(found))
        kept.add(found)
        done += len(found)
        if progress:
            progress(done, len(todo))
    if not by_key:
        return Readings(keywords=Said.of(()), vectors=_stack([]), computed=0)
    if missing:
        kept.tidy()
        more = Entries.of({key: new[key] for key in missing})
        at = np.flatnonzero(places < 0)
        places[at] = (len(known.keys) if known else 0) + np.arange(len(at))
        known = known.followed_by(more) if known else more
    assert known is not None
    used = known.only(places)
    if missing and table:
        array_cache.save(table, setting, used.table())
    if len(by_key) < len(keys):
        rows = {key: row for row, key in enumerate(by_key)}
        used = used.only(np.array([rows[key] for key in keys], np.int64))
    return Readings(keywords=used.keywords, vectors=used.vectors, computed=len(todo))


def _places(known: Entries | None, keys: Sequence[str]) -> Integers:
    """Return where each text is known; -1 for others."""
    if known is None or not keys:
        return np.full(len(keys), -1)
    before, now = (each.view("<u8")[:, :2] for each in (known.keys, digits(keys)))
    return same_texts(before, now)


def embed(
    texts: Sequence[str], options: KeywordOptions, *, cache_dir: Path | None = None
) -> np.ndarray:
    """Return the vectors of phrases or texts, shape (n, dims), float32, L2-normalised.

    Raises:
        SitegenError: the model is not on this machine.
    """
    keys = [text_hash(text) for text in texts]
    by_key = dict(zip(keys, texts, strict=True))
    kept = LineCache(_path(cache_dir, "vectors", options))
    known = _unpacked(kept.read(by_key))
    missing = [key for key in by_key if key not in known]
    if missing:
        vectors = embedders.load(options.model).embed([by_key[key] for key in missing])
        found = [keyword_cache.pack(Entry(keywords=(), vector=vector)) for vector in vectors]
        new = dict(zip(missing, found, strict=True))
        known.update(_unpacked(new))
        kept.add(new)
        kept.tidy()
    return _stack([known[key] for key in keys])


def _path(folder: Path | None, kind: str, options: KeywordOptions) -> Path | None:
    return line_cache.path_of(folder, kind, options.cache_key()) if folder else None


def _unpacked(values: Mapping[str, Any]) -> dict[str, Entry]:
    """Return the entries of a cache that are sound."""
    entries = {}
    with line_cache.uncollected():
        for key, value in values.items():
            with contextlib.suppress(ValueError, TypeError):
                entries[key] = keyword_cache.unpack(value)
    return entries


def keyword_lines(
    records: Iterable[Mapping[str, Any]],
    options: KeywordOptions,
    *,
    jobs: int = 1,
    workers: Workers = ALONE,
) -> Iterator[dict[str, Any]]:
    """Turn records {"id", "text"} into {"id", "keywords": [[phrase, score], ...]}, in order.

    Args:
        records: ``text`` counts as empty where it is missing or no string.
        options: ``top`` is the number of keywords.
        jobs: as for read().
        workers: as for read().
    """
    rows = list(records)
    texts = [row["text"] if isinstance(row.get("text"), str) else "" for row in rows]
    readings = read(texts, options, jobs=jobs, workers=workers)
    for row, keywords in zip(rows, readings.keywords, strict=True):
        yield {"id": row.get("id"), "keywords": [[k.phrase, k.score] for k in keywords]}


def rank(
    found: Sequence[Candidate],
    cosines: Mapping[str, float],
    *,
    length: int,
    weights: Weights,
    top: int,
) -> tuple[Keyword, ...]:
    """Return the best phrases of one text.

    Args:
        found: its candidates, one for each place.
        cosines: closeness to the whole text by candidate key; a key that is missing is left out.
        length: of the text, in characters.
        weights: of the signals.
        top: at most so many.
    """
    shrink = ABSTRACT / max(length, ABSTRACT)
    places: dict[str, list[Candidate]] = {}
    for candidate in found:
        if candidate.key in cosines:
            places.setdefault(phrases.phrase_key(candidate.key), []).append(candidate)
    scored = []
    for key, where in places.items():
        first = where[0]
        score = (
            cosines[first.key]
            + weights.frequency * math.log(len(where))
            - weights.position * math.log1p(first.start * shrink / 100)
            + weights.length[min(first.words, 4) - 1]
            - weights.generic * phrases.is_generic(first.key)
        )
        scored.append((-round(score, 4), key))
    scored.sort()
    return tuple(Keyword(phrase=_surface(places[key]), score=-minus) for minus, key in scored[:top])


def _surface(where: Sequence[Candidate]) -> str:
    """Return the form in which a phrase mostly stands; among equals the first."""
    counts: dict[str, int] = {}
    for candidate in where:
        counts[candidate.surface] = counts.get(candidate.surface, 0) + 1
    return max(counts, key=counts.__getitem__)


def _read_batch(texts: Sequence[str], *, options: KeywordOptions, threads: int) -> list[Any]:
    """Return what was read off texts as its cache holds it."""
    embedder = embedders.load(options.model, threads)
    weights = STATIC_WEIGHTS if options.model == "static" else TRANSFORMER_WEIGHTS
    values = []
    for batch in _batches(texts):
        vectors = embedder.embed([text for text, _ in batch])
        cosines = _keybert(batch, vectors, embedder.backend)
        for (text, found), near, vector in zip(batch, cosines, vectors, strict=True):
            keywords = rank(found, near, length=len(text), weights=weights, top=options.top)
            values.append(keyword_cache.pack(Entry(keywords=keywords, vector=vector)))
    return values


def _batches(texts: Sequence[str]) -> Iterator[list[tuple[str, list[Candidate]]]]:
    """Yield texts with their candidates, capped, in groups that KeyBERT takes at once."""
    batch: list[tuple[str, list[Candidate]]] = []
    size = 0
    for text in texts:
        found = _capped(phrases.candidates(readable(text)))
        if batch and size + len(found) > BATCH_CANDIDATES:
            yield batch
            batch, size = [], 0
        batch.append((text, found))
        size += len(found)
    if batch:
        yield batch


def _capped(found: list[Candidate]) -> list[Candidate]:
    if len(found) <= MAX_CANDIDATES:
        return found
    counts = Counter(candidate.key for candidate in found)
    if len(counts) <= MAX_CANDIDATES:
        return found
    kept = {key for key, _ in counts.most_common(MAX_CANDIDATES)}  # stable: the earlier first
    return [candidate for candidate in found if candidate.key in kept]


def _keybert(
    batch: Sequence[tuple[str, list[Candidate]]], vectors: np.ndarray, backend: Any
) -> list[dict[str, float]]:
    """Return KeyBERT's cosines by candidate key for each text of a batch.

    Its traps: it raises where no text has a candidate, returns a flat list for one text, and loses
    candidates beyond ``top_n``; texts stand for themselves by number here, so that the analyser
    (called twice a text) need not find the candidates again.
    """
    rows = [row for row, (_, found) in enumerate(batch) if found]
    out: list[dict[str, float]] = [{} for _ in batch]
    if not rows:
        return out
    from keybert import KeyBERT
    from sklearn import config_context
    from sklearn.feature_extraction.text import CountVectorizer

    keys = {str(row): [candidate.key for candidate in batch[row][1]] for row in rows}
    # Its cosines are of one text each: checking our own vectors would take longer.
    with config_context(assume_finite=True, skip_parameter_validation=True):
        ranked = KeyBERT(backend).extract_keywords(
            list(keys),
            vectorizer=CountVectorizer(analyzer=keys.__getitem__),
            top_n=MAX_CANDIDATES,
            doc_embeddings=vectors[rows],
        )
    for row, pairs in zip(rows, [ranked] if len(rows) == 1 else ranked, strict=True):
        out[row] = {key: float(cosine) for key, cosine in pairs}
    return out


def _stack(entries: Sequence[Entry]) -> np.ndarray:
    if not entries:
        return np.zeros((0, 0), dtype=np.float32)
    return np.stack([entry.vector for entry in entries]).astype(np.float32)


def _code() -> str:
    """Return what names all code and word lists that decide keywords."""
    own = line_cache.code_hash(
        "embedders", "keyword_cache.py", "keywords.py", "languages.py", "phrases.py", "data/*.txt"
    )
    versions = [metadata.version(name) for name in ("keybert", "scikit-learn")]
    return f"{own} {versions}"
