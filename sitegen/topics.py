"""Which topics a paper belongs to: by phrases found in its abstract and by closeness in meaning.

The score of a topic is a weighted sum of three things: how close the abstract is to the topic's
description, how close to the nearest of its phrases (both as z-scores against fixed background
texts, so that a topic that is near to everything gains nothing), and which of its phrases stand in
the abstract, rare ones counting more. Pure over the vectors that come in as arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

import numpy as np
import numpy.typing as npt

from sitegen.diagnostics import Location, Problem, error
from sitegen.phrase_index import Found, PhraseIndex, index_phrases, phrase_signature, phrase_words
from sitegen.records import Override, Topic, TopicChoice, TopicScore
from sitegen.topic_phrases import TellingPhrases
from sitegen.word_columns import WordColumns, read_columns

Floats = npt.NDArray[np.float32]
Embed = Callable[[Sequence[str]], npt.NDArray[np.floating]]

_BLOCK = 1024
_ENOUGH = 20
"""Texts that a mean and a deviation can be taken from."""
_COMPOUND = 1.5
"""What a phrase of two words or more counts, relative to a single word."""
_UNKNOWN_RARITY = 0.7
"""Where no background tells how common a phrase is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicOptions:
    """Weights and thresholds; ``bench/topics.py`` shows what they are worth."""

    description: float = 0.5
    """Weight of the z-score of the cosine to the description."""
    phrase: float = 0.5
    """Weight of the z-score of the highest cosine to a phrase."""
    lexical: float = 1.0
    """Weight of the phrases that stand in the text."""
    floor: float = 1.0
    """A first topic below this score is none: the paper is under "Other"."""
    secondary: float = 0.7
    """Further topics reach at least this share of the first one's score."""
    most: int = 3
    """Topics on one paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Mean and standard deviation over background texts, one of each for every topic."""

    mean: Floats
    deviation: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicIndex:
    """Topics prepared for assignment by `index_topics`."""

    topics: tuple[Topic, ...]
    """Sorted by order, then slug; ties between scores go to the earlier one."""
    phrase_index: PhraseIndex
    first: npt.NDArray[np.intp]
    """(topics + 1): topic t owns the phrases first[t] to first[t + 1]."""
    weights: Floats
    """(phrases): what a phrase found in a text counts; the rarer in the background, the more."""
    description_vectors: Floats
    """(topics, d), unit length."""
    phrase_vectors: Floats
    """(phrases, d), unit length."""
    description_spread: Spread | None
    phrase_spread: Spread | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicEvidence:
    """How one topic came to its score for one paper, for ``sitegen explain``."""

    slug: str
    score: float
    """Minus infinity where the topic is not eligible."""
    description_z: float
    phrase_z: float
    nearest_phrase: str
    """The topic's phrase closest in meaning, whether it stands in the text or not."""
    found: tuple[tuple[str, int], ...]
    """Phrases that stand in the text and how often, most telling first."""
    lexical: float
    """What the phrases found add up to, before its weight."""
    eligible: bool
    """False for a narrow topic none of whose phrases stands in the text."""


@cache
def background_texts() -> tuple[str, ...]:
    """Return the abstracts that scores are measured against (arXiv metadata, CC0)."""
    data = (resources.files("sitegen") / "data" / "topic_background.txt").read_text("utf-8")
    return tuple(line for line in data.splitlines() if line and not line.startswith("#"))


def index_topics(
    topics: Iterable[Topic], embed: Embed, background: Sequence[str] | None = None
) -> TopicIndex:
    """Prepare topics for `assign_topics`.

    Args:
        topics: in any order, slugs distinct. A topic without phrases is known by its title and
            aliases.
        embed: turns m texts into an array (m, d), rows of any length; called twice at most.
        background: texts to measure against, `background_texts` by default; with fewer than 20,
            the papers themselves serve and all phrases count the same.
    """
    ordered = tuple(sorted(topics, key=lambda topic: (topic.order, topic.slug)))
    owned = [_distinct(topic.phrases or (topic.title, *topic.aliases)) for topic in ordered]
    phrases = [phrase for group in owned for phrase in group]
    vectors = _unit(embed([*map(_describe, ordered), *phrases])) if ordered else _nothing()
    index = TopicIndex(
        topics=ordered,
        phrase_index=index_phrases(phrases),
        first=np.cumsum([0, *map(len, owned)]),
        weights=_weights(phrases, np.full(len(phrases), _UNKNOWN_RARITY, np.float32)),
        description_vectors=vectors[: len(ordered)],
        phrase_vectors=vectors[len(ordered) :],
        description_spread=None,
        phrase_spread=None,
    )
    texts = background_texts() if background is None else background
    if not ordered or len(texts) < _ENOUGH:
        return index
    near_description, near_phrase = _cosines(_unit(embed(texts)), index)
    return replace(
        index,
        weights=_weights(phrases, _rarity(index.phrase_index, texts)),
        description_spread=_spread(near_description),
        phrase_spread=_spread(near_phrase),
    )


def assign_topics(
    texts: Sequence[str],
    vectors: npt.NDArray[np.floating],
    index: TopicIndex,
    *,
    ids: Sequence[str] = (),
    overrides: Mapping[str, Override] | None = None,
    options: TopicOptions | None = None,
    early: Sequence[int] | None = None,
    columns: WordColumns | None = None,
) -> tuple[TopicChoice, ...]:
    """Give each paper its topics, primary first.

    Args:
        texts: repaired abstracts as plain text, n of them.
        vectors: (n, d) from the model that made the index; rows of any length, zero allowed.
        index: from `index_topics`.
        ids: the papers' ids, where ``overrides`` are given.
        overrides: by paper id; topics named there, by slug, title or alias, replace the computed
            ones and score 1. Names that are no topic are left to `check_overrides`.
        options: weights and thresholds.
        early: positions of the papers to measure against, where the index was made without
            background; all by default.
        columns: words of the texts, where they are known already.

    Returns:
        n choices; an empty one where no topic reaches the floor.
    """
    options = options or TopicOptions()
    if not texts or not index.topics:
        return tuple(TopicChoice(topics=()) for _ in texts)
    found = index.phrase_index.find_all(columns or read_columns(texts))
    population = vectors if early is None else vectors[np.array(early, np.intp)]
    telling = TellingPhrases(found, index.first, index.weights)
    lexical = telling.sums(len(texts))
    scores = _total(*_standard(vectors, index, population), lexical, index, options)
    choices = _choose(scores, telling, index, options)
    if overrides:
        names = _names(index.topics)
        for position, paper in enumerate(ids):
            override = overrides.get(paper)
            if override is not None and override.topics is not None:
                choices[position] = _curated(override.topics, position, telling, names, index)
    return tuple(choices)


def explain_topics(
    text: str,
    vector: npt.NDArray[np.floating],
    index: TopicIndex,
    *,
    papers: npt.NDArray[np.floating] | None = None,
    options: TopicOptions | None = None,
) -> tuple[TopicEvidence, ...]:
    """Return how every topic scores for one paper, best first; same figures as `assign_topics`.

    Args:
        text: the paper's repaired abstract.
        vector: its vector (d).
        index: from `index_topics`.
        papers: all papers' vectors, needed where the index was made without background.
        options: as given to `assign_topics`.
    """
    options = options or TopicOptions()
    if not index.topics:
        return ()
    row = np.asarray(vector).reshape(1, -1)
    counts = index.phrase_index.find(text)
    hit = np.array(sorted(counts), np.int64)
    times = np.array([counts[number] for number in hit.tolist()], np.int64)
    found = Found(text=np.zeros(len(hit), np.int64), phrase=hit, count=times)
    telling = TellingPhrases(found, index.first, index.weights)
    others = row if papers is None else papers
    z = _standard(row, index, others)
    lexical = telling.sums(1)
    scores = _total(*z, lexical, index, options)[0]
    cosines = (_unit(row) @ index.phrase_vectors.T)[0]
    evidence = []
    for number in sorted(range(len(scores)), key=lambda number: (-scores[number], number)):
        start, end = index.first[number], index.first[number + 1]
        hits = telling.of(0, number)
        evidence.append(
            TopicEvidence(
                slug=index.topics[number].slug,
                score=round(float(scores[number]), 3),
                description_z=round(float(z[0][0, number]), 3),
                phrase_z=round(float(z[1][0, number]), 3),
                nearest_phrase=index.phrase_index.phrases[start + int(cosines[start:end].argmax())],
                found=tuple((index.phrase_index.phrases[hit], counts[hit]) for hit in hits),
                lexical=round(float(lexical[0, number]), 3),
                eligible=bool(hits) or not index.topics[number].narrow,
            )
        )
    return tuple(evidence)


def check_overrides(
    topics: Iterable[Topic], overrides: Mapping[str, Override]
) -> tuple[Problem, ...]:
    """Return an error for each topic that a curator's correction names and that does not exist."""
    topics = tuple(topics)
    names = _names(topics)
    known = ", ".join(sorted(topic.slug for topic in topics)) or "none"
    return tuple(
        error(
            "topic-unknown",
            f"topics: no topic {name!r}",
            Location(override.path),
            f"there are: {known}",
        )
        for _, override in sorted(overrides.items())
        for name in override.topics or ()
        if name.casefold() not in names
    )


# ---- scores -------------------------------------------------------------------------------------
def _total(
    description_z: Floats,
    phrase_z: Floats,
    lexical: Floats,
    index: TopicIndex,
    options: TopicOptions,
) -> Floats:
    """Return (papers, topics), rounded so that ties are ties on every machine."""
    scores = (
        options.description * description_z + options.phrase * phrase_z + options.lexical * lexical
    )
    narrow = np.array([topic.narrow for topic in index.topics])
    scores[narrow[None, :] & (lexical == 0)] = -np.inf
    rounded: Floats = np.round(scores, 3)
    return rounded


def _standard(
    vectors: npt.NDArray[np.floating], index: TopicIndex, population: npt.NDArray[np.floating]
) -> tuple[Floats, Floats]:
    """Return z-scores of the cosines to descriptions and to nearest phrases."""
    near_description, near_phrase = _cosines(_unit(vectors), index)
    if index.description_spread is not None and index.phrase_spread is not None:
        description_spread, phrase_spread = index.description_spread, index.phrase_spread
    else:
        description_spread, phrase_spread = map(_spread, _cosines(_unit(population), index))
    return (
        (near_description - description_spread.mean) / description_spread.deviation,
        (near_phrase - phrase_spread.mean) / phrase_spread.deviation,
    )


def _cosines(vectors: Floats, index: TopicIndex) -> tuple[Floats, Floats]:
    """Return (n, topics) twice: to the description, and to the nearest phrase."""
    near_description, near_phrase = np.empty((2, len(vectors), len(index.topics)), np.float32)
    block = np.zeros((_BLOCK, vectors.shape[1]), np.float32)
    for start in range(0, len(vectors), _BLOCK):
        # Blocks of one size: the last digits of a product may depend on how many rows there are.
        own = slice(start, min(start + _BLOCK, len(vectors)))
        count = own.stop - start
        block[:count], block[count:] = vectors[own], 0.0
        near_description[own] = (block @ index.description_vectors.T)[:count]
        cosines = (block @ index.phrase_vectors.T)[:count]
        near_phrase[own] = np.maximum.reduceat(cosines, index.first[:-1], axis=1)
    return near_description, near_phrase


def _spread(values: Floats) -> Spread:
    """Return statistics of each topic, or of all together where the texts are few."""
    axis = 0 if len(values) >= _ENOUGH else None
    mean = np.broadcast_to(values.mean(axis=axis), values.shape[1:])
    deviation = np.broadcast_to(values.std(axis=axis), values.shape[1:])
    # A topic that is equally far from everything has nothing to say.
    return Spread(mean=mean, deviation=np.where(deviation < 1e-6, np.inf, deviation))


def _weights(phrases: Sequence[str], rarity: Floats) -> Floats:
    compound = np.array([len(phrase_words(phrase)) > 1 for phrase in phrases], bool)
    # Even a phrase that every text holds says a little; narrow topics may depend on it.
    weights: Floats = np.maximum(rarity, 0.01) * np.where(compound, _COMPOUND, 1).astype(np.float32)
    return weights


def _rarity(phrases: PhraseIndex, texts: Sequence[str]) -> Floats:
    """Return 1 - log(1 + texts with the phrase) / log(1 + texts), an idf between 0 and 1."""
    holding = np.zeros(len(phrases.phrases), np.float32)
    for text in texts:
        holding[sorted(phrases.find(text))] += 1
    rarity: Floats = 1 - np.log1p(holding) / np.log1p(np.float32(len(texts)))
    return rarity


# ---- choice -------------------------------------------------------------------------------------
def _choose(
    scores: Floats, telling: TellingPhrases, index: TopicIndex, options: TopicOptions
) -> list[TopicChoice]:
    order = np.argsort(-scores, axis=1, kind="stable")[:, : options.most]
    best = np.take_along_axis(scores, order, axis=1).astype(np.float64)
    least = np.maximum(options.floor, options.secondary * best[:, :1])
    counts = (best >= least).sum(axis=1).tolist()
    slugs = [topic.slug for topic in index.topics]
    none = TopicChoice(topics=())
    return [
        TopicChoice(
            topics=tuple(
                TopicScore(
                    slug=slugs[number],
                    score=round(score, 3),
                    phrases=_phrases(telling.of(text, number), index),
                )
                for number, score in zip(numbers[:count], own[:count], strict=True)
            )
        )
        if count
        else none
        for text, (numbers, own, count) in enumerate(
            zip(order.tolist(), best.tolist(), counts, strict=True)
        )
    ]


def _curated(
    wanted: Iterable[str],
    text: int,
    telling: TellingPhrases,
    names: Mapping[str, int],
    index: TopicIndex,
) -> TopicChoice:
    numbers = dict.fromkeys(names[name.casefold()] for name in wanted if name.casefold() in names)
    return TopicChoice(
        topics=tuple(
            TopicScore(
                slug=index.topics[number].slug,
                score=1.0,
                phrases=_phrases(telling.of(text, number), index),
            )
            for number in numbers
        )
    )


def _phrases(hits: Iterable[int], index: TopicIndex) -> tuple[str, ...]:
    return tuple([index.phrase_index.phrases[hit] for hit in hits])


def _names(topics: Iterable[Topic]) -> dict[str, int]:
    """Return slugs, titles and aliases (case folded) to the topic's number; slugs come first."""
    topics = tuple(topics)
    names: dict[str, int] = {}
    for number, topic in enumerate(topics):
        names.setdefault(topic.slug.casefold(), number)
    for number, topic in enumerate(topics):
        for name in (topic.title, *topic.aliases):
            names.setdefault(name.casefold(), number)
    return names


def _describe(topic: Topic) -> str:
    """Return the text whose vector stands for the topic; its introduction names neighbours too."""
    return ". ".join((topic.title, *topic.aliases, ", ".join(topic.phrases)))


def _distinct(phrases: Iterable[str]) -> tuple[str, ...]:
    """Drop spellings of a phrase that would be counted twice; at least one is left."""
    return tuple({phrase_signature(phrase): phrase for phrase in reversed(list(phrases))}.values())[
        ::-1
    ]


def _unit(vectors: npt.NDArray[np.floating]) -> Floats:
    """Scale rows to length one; a row of zeros or of no numbers becomes zeros."""
    rows = np.nan_to_num(np.asarray(vectors, np.float32), posinf=0.0, neginf=0.0)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def _nothing() -> Floats:
    return np.zeros((0, 1), np.float32)
