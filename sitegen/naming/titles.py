"""What speaks for a draft, and the model that tells how close an author's title would be to it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sitegen.naming.compression import Body
from sitegen.naming.drafts import Draft, Reading
from sitegen.naming.lexicon import Lexicon
from sitegen.naming.stems import stems_of
from sitegen.naming.trees import Trees, read_trees

KINDS = (
    "beside", "object", "found", "means", "described_by", "task", "is", "verb", "purpose",
    "finding", "study", "asked", "act", "question", "passive", "first", "for", "expansion",
    "expansion_for", "described_for", "phrase",
)  # fmt: skip
ENDINGS = ("whole", "comma", "preposition", "to", "that", "participle")
CUTS = ("article", "novel", "head", "light", "adverb")
WORD_FEATURES = (
    "count", "first_sentence", "last_sentence", "sentences", "in_first", "in_chosen", "in_core",
    "core_rank", "in_name_sentence", "rate", "rarity", "capital", "letters", "in_name",
    "in_expansion",
)  # fmt: skip
DRAFT_FEATURES = (
    *(f"kind_{kind}" for kind in KINDS),
    *(f"ends_{ending}" for ending in ENDINGS),
    *(f"cut_{cut}" for cut in CUTS),
    "gerund", "named", "words", "stems", "mean", "total", "expected", "least", "first", "last",
    "telling_share", "empty_words", "sentence", "sentence_share", "beside_name", "opening",
    "starts_article", "commas", "ands", "prepositions", "fors", "digits", "verbs", "core_order",
    "left_out", "missed", "parts", "linked", "verb_rate", "hint",
)  # fmt: skip
_FINITE = frozenset(("VBZ", "VBP", "VBD", "MD"))
_UNSEEN = 0.02
"""Probability of a word in the title that the abstract does not hold."""
_TITLE_STEMS = 8.0
"""Stems of a usual title."""
_TOP = 9
"""Likeliest words whose loss counts against a draft."""
_READ_SENTENCES = 40
_FEWEST, _FEWEST_NAMED, _PER_WORD = 6, 4, 0.01
"""Words that a headline should have, alone and beside a name; the cost of one that is missing."""
_LOOSE = {"phrase": 0.05, "means": 0.03, "act": 0.02}
"""Cost of a stretch that may be said in passing."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What ``tools/train_headlines.py`` learnt from titles."""

    salience: Trees
    """Log odds that a word of the abstract stands in the title."""
    rank: Trees
    """Expected agreement (ROUGE-L) of a draft with the title."""
    rates: Mapping[str, float]
    """Log odds by stem of standing in the title where it stands in the abstract."""
    openings: Mapping[str, float]
    """Logarithm of the count of titles that begin with the word."""
    verbs: Mapping[str, float]
    """Mean agreement with the title of what such a verb governs, by kind and verb."""


@cache
def load_weights() -> Weights:
    """Return the weights that come with the package."""
    text = (files("sitegen") / "data" / "headline_model.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return Weights(
        salience=read_trees(data["salience"]),
        rank=read_trees(data["rank"]),
        rates=data["rates"],
        openings=data["openings"],
        verbs=data["verbs"],
    )


def judge(
    reading: Reading, drafts: Sequence[Draft], lexicon: Lexicon, weights: Weights
) -> list[float]:
    """Return for each draft its expected agreement with the title an author would give."""
    fill_salience(reading, lexicon, weights)
    scores = weights.rank.score(describe_drafts(reading, drafts, weights))
    return [score - _thinness(draft) for score, draft in zip(scores, drafts, strict=True)]


def _thinness(draft: Draft) -> float:
    """Return what a draft loses for saying little, which agreement with titles does not punish."""
    missing = max((_FEWEST_NAMED if draft.named else _FEWEST) - len(draft.body.split()), 0)
    return _PER_WORD * missing * missing + _LOOSE.get(draft.kind, 0.0)


def fill_salience(reading: Reading, lexicon: Lexicon, weights: Weights) -> None:
    """Set the probability of each stem of the abstract to stand in the title."""
    keys, rows = weigh_words(reading, lexicon, weights.rates)
    odds = weights.salience.score(rows)
    reading.salience = {key: _probability(score) for key, score in zip(keys, odds, strict=True)}


def _probability(score: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


def weigh_words(
    reading: Reading, lexicon: Lexicon, rates: Mapping[str, float]
) -> tuple[list[str], list[tuple[float, ...]]]:
    """Return the stems of an abstract and the vector of each, in the order of WORD_FEATURES."""
    tokens = reading.tagged.tokens
    total = max(len(tokens.sentences), 1)
    chosen = set(reading.tagged.chosen)
    named = _name_sentences(reading)
    in_core = _core_ranks(reading)
    own = set(stems_of(reading.name))
    long = {s for a, b in reading.expansions[:1] for s in stems_of(tokens.slice(a, b))}
    at = {name: column for column, name in enumerate(WORD_FEATURES)}
    data: dict[str, list[float]] = {}
    for number, (first, last) in enumerate(tokens.sentences[:_READ_SENTENCES]):
        for i in range(first, last):
            word = tokens.words[i]
            if not word[0].isalnum() or word.startswith("http"):
                continue
            for key in stems_of(word):
                if key.isdigit() or len(key) < 2:
                    continue
                row = data.get(key)
                if row is None:
                    row = data[key] = [0.0] * len(WORD_FEATURES)
                    row[at["first_sentence"]] = number
                    row[at["core_rank"]] = 99
                    row[at["rate"]] = rates.get(key, 0.0)
                    row[at["rarity"]] = lexicon.rarity(word.lower())
                    row[at["letters"]] = len(word)
                    row[at["in_name"]] = key in own
                    row[at["in_expansion"]] = key in long
                    row[at["in_first"]] = number == 0
                    row[at["last_sentence"]] = -1
                row[at["count"]] += 1
                row[at["sentences"]] += row[at["last_sentence"]] != number
                row[at["last_sentence"]] = number
                row[at["in_chosen"]] = max(row[at["in_chosen"]], number in chosen)
                row[at["in_name_sentence"]] = max(row[at["in_name_sentence"]], number in named)
                row[at["capital"]] = max(row[at["capital"]], i != first and word[0].isupper())
                if i in in_core:
                    row[at["in_core"]] += 1
                    row[at["core_rank"]] = min(row[at["core_rank"]], in_core[i])
    for row in data.values():
        row[at["last_sentence"]] /= total
    return list(data), [tuple(map(float, row)) for row in data.values()]


def _name_sentences(reading: Reading) -> set[int]:
    """Return the sentences of the name's first six places."""
    starts = [start for start, _ in reading.places[:6]]
    sentences = enumerate(reading.tagged.tokens.sentences)
    return {n for n, (first, last) in sentences if any(first <= start < last for start in starts)}


def _core_ranks(reading: Reading) -> dict[int, int]:
    """Return for each token within reach of a core's beginning the number of its first core."""
    ranks: dict[int, int] = {}
    for rank, core in enumerate(reading.cores):
        for i in range(core.start, min(core.limit, core.start + 22)):
            ranks.setdefault(i, rank)
    return ranks


def describe_drafts(
    reading: Reading, drafts: Sequence[Draft], weights: Weights
) -> list[tuple[float, ...]]:
    """Return the vector of each draft, in the order of DRAFT_FEATURES."""
    top = sum(sorted(reading.salience.values(), reverse=True)[:_TOP])
    orders = {core: rank for rank, core in reversed(list(enumerate(reading.cores)))}
    named = _name_sentences(reading)
    total = max(len(reading.tagged.tokens.sentences), 1)
    rows = []
    for draft in drafts:
        head, tail = draft.parts[0], draft.parts[-1]
        sentence = head.core.sentence
        core = tail.core
        row = [float(draft.kind == kind) for kind in KINDS]
        row += [float(tail.ending == ending) for ending in ENDINGS]
        row += [float(cut in (tail if cut == "adverb" else head).cuts) for cut in CUTS]
        row += [float(head.gerund), float(draft.named), float(len(draft.text.split()))]
        row += _of_words(reading, draft, top)[:9]
        row += [sentence, sentence / total, float(sentence in named)]
        row += _of_form(reading, draft, weights.openings)
        row += [
            orders.get(head.core, 20),
            core.limit - tail.kept[-1] - 1,
            _of_words(reading, draft, top)[9],
            len(draft.parts),
            float(head.core.linked),
            weights.verbs.get(f"{core.kind} {core.verb}", weights.verbs.get(core.kind, 0.0)),
            _hint(reading, draft),
        ]
        rows.append(tuple(float(value) for value in row))
    return rows


def _of_words(reading: Reading, draft: Draft, top: float) -> list[float]:
    """Return what the words of a draft promise, from their probability to be in the title."""
    words = stems_of(draft.body)
    values = [reading.salience.get(word, _UNSEEN) for word in words] or [0.0]
    mass = sum(dict(zip(words, values, strict=False)).values())
    return [
        len(words),
        mass / len(values),
        mass,
        2 * mass / (len(words) + _TITLE_STEMS),
        min(values),
        values[0],
        values[-1],
        sum(value >= 0.15 for value in values) / len(values),
        sum(value < 0.05 for value in values),
        top - mass,
    ]


def _of_form(reading: Reading, draft: Draft, openings: Mapping[str, float]) -> list[float]:
    """Return what the form of a draft shows: its first word, commas, kinds of words."""
    tags = [tag for part in draft.parts for tag in _tags(reading, part)]
    first = draft.body.split(" ", 1)[0].lower()
    return [
        openings.get(first, 0.0),
        float(first in ("a", "an", "the")),
        draft.body.count(","),
        tags.count("CC"),
        tags.count("IN") + tags.count("TO"),
        draft.body.count(" for "),
        sum(letter.isdigit() for letter in draft.body),
        sum(tag in _FINITE for tag in tags),
    ]


def _hint(reading: Reading, draft: Draft) -> float:
    """Return the highest probability of a candidate name that stands whole in a draft's body."""
    kept = {i for part in draft.parts for i in part.kept}
    inside = (p for start, stop, p in reading.hints if all(i in kept for i in range(start, stop)))
    return max(inside, default=0.0)


def _tags(reading: Reading, body: Body) -> list[str]:
    return [reading.tagged.tags[i] for i in body.kept]
