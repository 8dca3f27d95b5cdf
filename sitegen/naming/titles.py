"""What speaks for a draft, and the model that tells how close an author's title would be to it."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from sitegen.naming.compression import Body
from sitegen.naming.drafts import Draft
from sitegen.naming.lexicon import Lexicon
from sitegen.naming.reading import Reading
from sitegen.naming.stems import stems_of
from sitegen.naming.trees import Trees, read_trees
from sitegen.naming.wordlists import word_list

KINDS = (
    "beside", "object", "found", "means", "described_by", "task", "is", "verb", "purpose",
    "finding", "study", "asked", "act", "question", "passive", "first", "for", "expansion",
    "expansion_for", "described_for", "ending_in", "phrase", "inner",
)  # fmt: skip
ENDINGS = ("whole", "comma", "preposition", "to", "that", "participle")
CUTS = ("article", "novel", "praise", "head", "light", "adverb")
DRAFT_FEATURES = (
    *(f"kind_{kind}" for kind in KINDS),
    *(f"ends_{ending}" for ending in ENDINGS),
    *(f"cut_{cut}" for cut in CUTS),
    "gerund", "named", "words", "stems", "mean", "total", "expected", "least", "first", "last",
    "telling_share", "empty_words", "sentence", "sentence_share", "beside_name", "opening",
    "starts_article", "commas", "ands", "prepositions", "fors", "digits", "verbs", "core_order",
    "left_out", "missed", "parts", "linked", "verb_rate", "hint", "telling", "telling_lost",
    "telling_rank", "tail_telling", "top3", "best_missed", "offset", "total_share", "expected_lost",
    "head_mean", "tail_mean", "tail_again", "sentences_apart", "name_gap",
)  # fmt: skip
_FINITE = frozenset(("VBZ", "VBP", "VBD", "MD"))
_UNSEEN = 0.02
"""Probability of a word in the title that the abstract does not hold."""
_TITLE_STEMS = 8.0
"""Stems of a usual title."""
_FAR = 80
"""Tokens between a name and what it may be, from which on more make no difference."""
_TOP = 9
"""Likeliest words whose loss counts against a draft."""
_FEWEST, _FEWEST_NAMED, _PER_WORD = 6, 4, 0.01
"""Words that a headline should have, alone and beside a name; the cost of one that is missing."""
_PER_TELLING, _ENOUGH = 0.002, 25.0
"""Worth of inverse document frequency in a headline's words, and where more is worth no more."""
_PLAIN = word_list("candidates.stop")
_WORD = re.compile(r"[^\W_]+")
_LOOSE = {"phrase": 0.09, "inner": 0.09, "means": 0.05, "act": 0.02, "found": 0.03}
"""Cost of a stretch that may be said in passing."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What ``tools/train_headlines.py`` learnt from titles."""

    salience: Trees
    """Log odds that a word of the abstract stands in the title."""
    telling: Trees
    """Expected agreement of a sentence's best stretch with the title."""
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
    return weights_of(json.loads(text))


def weights_of(data: Mapping[str, Any]) -> Weights:
    """Return the weights from the plain lists that ``tools/train_headlines.py`` writes."""
    return Weights(
        salience=read_trees(data["salience"]),
        telling=read_trees(data["telling"]),
        rank=read_trees(data["rank"]),
        rates=data["rates"],
        openings=data["openings"],
        verbs=data["verbs"],
    )


def judge(
    rows: Sequence[tuple[float, ...]],
    drafts: Sequence[Draft],
    told: Sequence[float],
    weights: Weights,
) -> list[float]:
    """Return for each draft its expected agreement with the title an author would give.

    Args:
        rows: see :func:`describe_drafts`.
        drafts: of one paper.
        told: the weight of each draft's words, see :func:`weight_of`.
        weights: what was learnt.
    """
    scores = weights.rank.score(rows)
    each = zip(scores, drafts, told, strict=True)
    return [score + _worth(draft, weight) for score, draft, weight in each]


def _worth(draft: Draft, told: float) -> float:
    """Return what a draft gains for saying much, which agreement with titles does not reward."""
    missing = max((_FEWEST_NAMED if draft.named else _FEWEST) - len(draft.body.split()), 0)
    lost = _PER_WORD * missing * missing + _LOOSE.get(draft.kind, 0.0)
    return _PER_TELLING * (min(told, _ENOUGH) - _ENOUGH) - lost


def weight_of(text: str, lexicon: Lexicon) -> float:
    """Return the sum of the inverse document frequencies of a text's different content words."""
    words = {word for word in _WORD.findall(text.lower()) if word not in _PLAIN}
    return math.fsum(map(lexicon.rarity, words))


def describe_drafts(
    reading: Reading, drafts: Sequence[Draft], weights: Weights
) -> list[tuple[float, ...]]:
    """Return the vector of each draft, in the order of DRAFT_FEATURES."""
    ranked = sorted(reading.salience.items(), key=lambda item: (-item[1], item[0]))
    own_name = set(stems_of(reading.name))
    top = [(key, value) for key, value in ranked[: _TOP + 3] if key not in own_name][:_TOP]
    orders = {core: rank for rank, core in reversed(list(enumerate(reading.cores)))}
    sentences = reading.tagged.tokens.sentences
    singular = [word.rstrip("s") for word in reading.tagged.tokens.lower]
    again = Counter(pairwise(singular))
    telling = reading.telling
    best = max(telling, default=0.0)
    places = sorted(range(len(telling)), key=lambda n: (-round(telling[n], 6), n))
    ranks = {n: rank for rank, n in enumerate(places)}
    named = {
        n
        for n, (first, last) in enumerate(sentences)
        if any(first <= start < last for start, _ in reading.places[:6])
    }
    words = [_of_words(reading, draft, top) for draft in drafts]
    most = max((row[3] for row in words), default=0.0)
    total = max(len(sentences), 1)
    rows = []
    for draft, of_words in zip(drafts, words, strict=True):
        head, tail = draft.parts[0], draft.parts[-1]
        sentence, other = head.core.sentence, tail.core.sentence
        core = tail.core
        row = [
            *_ONE_HOT_KINDS[draft.kind],
            *_ONE_HOT_ENDINGS[tail.ending],
            *(cut in (tail if cut == "adverb" else head).cuts for cut in CUTS),
            head.gerund, draft.named, len(draft.text.split()),
            *of_words[:9],
            sentence, sentence / total, sentence in named,
            *_of_form(reading, draft, weights.openings),
            orders.get(head.core, 20),
            core.limit - tail.kept[-1] - 1,
            of_words[9],
            len(draft.parts),
            head.core.linked,
            weights.verbs.get(f"{core.kind} {core.verb}", weights.verbs.get(core.kind, 0.0)),
            _hint(reading, draft),
            telling[sentence] if sentence < len(telling) else 0.0,
            best - telling[sentence] if sentence < len(telling) else best,
            ranks.get(sentence, 20),
            telling[other] if other < len(telling) else 0.0,
            of_words[10], of_words[11],
            head.kept[0] - sentences[sentence][0],
            of_words[12], most - of_words[3],
            _mean(reading, head), _mean(reading, tail), again[_ends(reading, tail)],
            other - sentence, _name_gap(reading, head),
        ]  # fmt: skip
        rows.append(tuple(map(float, row)))
    return rows


_ONE_HOT_KINDS = {kind: tuple(kind == other for other in KINDS) for kind in KINDS}
_ONE_HOT_ENDINGS = {end: tuple(end == other for other in ENDINGS) for end in ENDINGS}


def _of_words(
    reading: Reading, draft: Draft, top: Sequence[tuple[str, float]]
) -> tuple[float, ...]:
    """Return what the words of a draft promise, from their probability to be in the title."""
    words = stems_of(draft.body)
    values = [reading.salience.get(word, _UNSEEN) for word in words] or [0.0]
    held = dict(zip(words, values, strict=False))
    mass = sum(held.values())
    whole = sum(value for _, value in top)
    missed = [value for key, value in top if key not in held]
    return (
        len(words),
        mass / len(values),
        mass,
        2 * mass / (len(words) + _TITLE_STEMS),
        min(values),
        values[0],
        values[-1],
        sum(value >= 0.15 for value in values) / len(values),
        sum(value < 0.05 for value in values),
        sum(missed),
        sum(key in held for key, _ in top[:3]),
        missed[0] if missed else 0.0,
        (whole - sum(missed)) / (whole + 0.1),
    )


def _mean(reading: Reading, part: Body) -> float:
    """Return the mean probability of a stretch's words to stand in the title."""
    stems = [stem for i in part.kept for stem in stems_of(reading.tagged.tokens.lower[i])]
    return sum(reading.salience.get(stem, _UNSEEN) for stem in stems) / max(len(stems), 1)


def _name_gap(reading: Reading, part: Body) -> int:
    """Count the tokens between a stretch and the place of the name next to it, up to _FAR."""
    first, last = part.kept[0], part.kept[-1]
    gaps = (max(start - last, first - stop, 0) for start, stop in reading.places)
    return min(min(gaps, default=_FAR), _FAR)


def _ends(reading: Reading, part: Body) -> tuple[str, str]:
    """Return the last two words of a stretch, in the singular."""
    lower = reading.tagged.tokens.lower
    return lower[part.kept[-2:][0]].rstrip("s"), lower[part.kept[-1]].rstrip("s")


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
