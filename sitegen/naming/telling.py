"""Which sentences of an abstract tell what the paper contributes: a small model over plain cues."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

from sitegen.naming.salience import READ_SENTENCES, Subject
from sitegen.naming.stems import stems_of
from sitegen.naming.tagged import FIND, PROPOSE, STUDY
from sitegen.naming.tokens import Tokens
from sitegen.naming.trees import Trees
from sitegen.naming.wordlists import word_list

SENTENCE_FEATURES = (
    "number", "share", "from_end", "words", "we", "our", "paper", "first_own", "after_own",
    "propose", "study", "find", "deed_at", "named", "name_first", "name_at", "question",
    "contrast", "before_contrast", "after_contrast", "lead", "goal", "results", "numbers",
    "address", "colon", "mass", "mean", "share_of_mass", "rank", "top_words", "first_top",
)  # fmt: skip
_CONTRASTS, _BEFORE_CONTRAST, _AFTER_CONTRAST, _MASS, _RANK = map(
    SENTENCE_FEATURES.index, ("contrast", "before_contrast", "after_contrast", "mass", "rank")
)
TOP = 8
"""Likeliest words of the title that a sentence is held against."""
MOST = 7
"""Most sentences that are parsed for a headline."""
_OWN, _TELLS = 0.15, 0.3
"""What a sentence of the paper's own is worth, and one of proposing or studying, in shares of the
title's words."""
_PAPER = word_list("telling.paper")
_CONTRAST = word_list("telling.contrast")
_LEAD = word_list("telling.lead")
_GOAL = word_list("telling.goal")
_RESULTS = word_list("telling.results")


def weigh_sentences(
    subject: Subject, salience: Mapping[str, float], trees: Trees
) -> tuple[float, ...]:
    """Return for each sentence how close to the title its best stretch is expected to be."""
    return tuple(trees.score(describe_sentences(subject, salience)))


def choose_sentences(subject: Subject, telling: Sequence[float]) -> tuple[int, ...]:
    """Return the numbers of the sentences worth parsing, at most MOST, in order.

    The first sentence of all and the first that has the name are always among them.
    """
    if not telling:
        return ()
    first = {0, *sorted(subject.named())[:1]}
    ranked = sorted(range(len(telling)), key=lambda n: (-round(telling[n], 6), n))
    # A paper without a name may be known by what it found.
    if not subject.name:
        first.update([n for n in ranked if _finds(subject.tokens, n)][:2])
    others = [n for n in ranked if n not in first][: MOST - len(first)]
    return tuple(sorted(n for n in (*first, *others) if n < len(telling)))


def _finds(tokens: Tokens, number: int) -> bool:
    """Tell whether the authors, or their results, show something in a sentence."""
    words = tokens.lower[slice(*tokens.sentences[number])]
    return ("we" in words or "results" in words[:4]) and any(word in FIND for word in words)


def sentence_like(tokens: Tokens, title: str) -> int:
    """Return the number of the sentence that tells what a paper of that title does.

    It shares the title's words, and would rather speak of the paper itself.
    """
    wanted = frozenset(stems_of(title.lower()))
    best, most = 0, -1.0
    for number, sentence in enumerate(tokens.sentences[:READ_SENTENCES]):
        words = frozenset(tokens.lower[slice(*sentence)])
        shared = len(wanted & {stem for word in words for stem in stems_of(word)})
        own = "we" in words or "our" in words or not words.isdisjoint(_PAPER)
        tells = own and not (words.isdisjoint(PROPOSE) and words.isdisjoint(STUDY))
        score = shared / max(len(wanted), 1) + _OWN * own + _TELLS * tells
        if score > most:
            best, most = number, score
    return best


def describe_sentences(subject: Subject, salience: Mapping[str, float]) -> list[list[float]]:
    """Return the vector of each sentence, in the order of SENTENCE_FEATURES."""
    tokens = subject.tokens
    sentences = tokens.sentences[:READ_SENTENCES]
    named = subject.named()
    ranked = sorted(salience.items(), key=lambda item: (-item[1], item[0]))
    top = {key: rank for rank, (key, _) in enumerate(ranked[:TOP])}
    whole = sum(weight for _, weight in ranked[:TOP])
    rows: list[list[float]] = []
    own_seen, since_own = False, READ_SENTENCES
    for number, (first, last) in enumerate(sentences):
        lower = tokens.lower[first:last]
        words = frozenset(lower)
        own = not words.isdisjoint(_PAPER) or "we" in words or "our" in words
        opening = lower[:3]
        deed = next(
            (i for i, word in enumerate(lower) if word in PROPOSE or word in STUDY or word in FIND),
            99,
        )
        inside = [a - first for a, _ in subject.places if first <= a < last]
        stems = {stem for word in words for stem in stems_of(word)}
        mass = math.fsum(salience.get(stem, 0.0) for stem in stems)
        held = [top[stem] for stem in stems if stem in top]
        rows.append([
            number, number / len(sentences), len(sentences) - number, last - first,
            "we" in words, "our" in words, not words.isdisjoint(_PAPER), own and not own_seen,
            since_own, not words.isdisjoint(PROPOSE), not words.isdisjoint(STUDY),
            not words.isdisjoint(FIND), deed, number in named,
            bool(inside) and first <= subject.places[0][0] < last, inside[0] if inside else 99,
            lower[-1] == "?", any(word in _CONTRAST for word in opening), 0,
            0, any(word in _LEAD for word in opening),
            any(word in _GOAL for word in lower[:4]),
            not words.isdisjoint(_RESULTS), sum(word[0].isdigit() for word in lower),
            any(word.startswith("http") for word in words), ":" in words, mass,
            mass / (len(stems) + 3), mass / (whole + 0.1), 0, len(held), 0 in held,
        ])  # fmt: skip
        own_seen = own_seen or own
        since_own = 0 if own else since_own + 1
    order = sorted(range(len(rows)), key=lambda n: (-round(rows[n][_MASS], 6), n))
    for rank, number in enumerate(order):
        rows[number][_RANK] = rank
    for row, following in itertools.pairwise(rows):
        row[_BEFORE_CONTRAST] = following[_CONTRASTS]
        following[_AFTER_CONTRAST] = row[_CONTRASTS]
    return rows
