"""The names a paper introduces: systems, methods, models, data sets, benchmarks, coined effects.

Candidates come from ``naming.candidates``; features of its form, its contexts and its place say
what each is like, and two small ensembles of trees, trained by ``tools/train_names.py`` on arXiv
papers, judge it: the first by itself, the second beside its best rival.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import islice

import numpy as np

from sitegen.naming.candidates import Candidate, find_candidates, is_odd, key_of
from sitegen.naming.columns import INDEX
from sitegen.naming.features import Described, describe
from sitegen.naming.lexicon import Lexicon, load_lexicon
from sitegen.naming.tokens import Tokens, tokenize
from sitegen.naming.trees import Trees, read_trees
from sitegen.records import Name

READ = 20_000
"""Characters of a text that are read for names; abstracts are far shorter."""
MAIN = 0.42
"""Probability from which the best candidate is taken for a name."""
FURTHER = 0.5
"""Probability from which another candidate is taken for a further name."""
HINT = 0.05
"""Probability from which a candidate, though no name, is worth having in a headline."""
_HINTED = 12
"""Places of one candidate that are told."""
MAX_NAMES = 6
SECOND_LOOK = 8
"""Candidates that the second ensemble judges."""
_COMPARED = 12
"""Likeliest candidates that are compared with each other as parts and wholes."""
_COINED = frozenset(("coined", "quoted"))
"""Ways of finding a candidate that show where it begins and ends."""
CONTEXT_FEATURES = ("own_odds", "rival_odds", "odds_margin")
"""What the second ensemble knows beside the features: see :func:`rivalry`."""

DOUBT = 1.5
"""Log odds that a citation or a team beside a candidate takes away: one in 87 is a name."""
_AGAINST = {name: INDEX[name] for name in ("cited", "near_team")}

_WORD = re.compile(r"[^\W_](?:[\w\-+.^]*[\w+])?")
_SUPERSCRIPTS = str.maketrans("0123456789n", "⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """In how many papers of a digest each word with a capital stands, this paper included."""

    counts: Mapping[str, int]

    def about(self, mentions: Iterable[str], *, counted: bool) -> Background:
        """Return what it says of one text, as far as it is more than is known beforehand.

        Args:
            mentions: `find_mentions` of the text.
            counted: whether the text is among those that were counted.
        """
        known, own = load_lexicon().names, 0 if counted else 1
        counts = {key: self.counts[key] + own for key in mentions if key in self.counts}
        return Background(counts={key: n for key, n in counts.items() if n - 1 > known.get(key, 0)})


@dataclass(frozen=True, slots=True, kw_only=True)
class NameReason:
    """Why a candidate was, or was not, taken for a name."""

    text: str
    probability: float
    taken: bool
    reasons: tuple[tuple[str, float], ...]
    """Features with the log odds by which each moved the judgement, strongest first."""


@dataclass(frozen=True, slots=True)
class _Judged:
    candidate: Candidate
    probability: float
    described: Described
    context: tuple[float, float, float]


def find_mentions(text: str) -> tuple[str, ...]:
    """Return the words of a text that have a capital, folded; each once."""
    words = {word for word in _WORD.findall(text[:READ]) if not word.islower()}
    return tuple(sorted({key_of(word) for word in words if any(map(str.isupper, word))}))


def tally(mentions: Iterable[Iterable[str]]) -> Background:
    """Count in how many abstracts of a digest each string stands; takes `find_mentions` of each."""
    counts: Counter[str] = Counter()
    for each in mentions:
        counts.update(each)
    return Background(counts={key: count for key, count in sorted(counts.items()) if count > 2})


def survey(texts: Iterable[str]) -> Background:
    """Count over a digest in how many of its ``texts`` each word with a capital stands."""
    return tally(map(find_mentions, texts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A name with the token ranges where it, and its expansion, stand."""

    name: Name
    places: tuple[tuple[int, int], ...]
    expansions: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """What a text introduces, and what it may introduce."""

    found: tuple[Found, ...]
    """Names, main one first."""
    hints: tuple[tuple[int, int, float], ...]
    """Token ranges of candidates with their probability, from HINT on, taken or not."""


def find_names(text: str, *, background: Background | None = None) -> tuple[Name, ...]:
    """Return what the paper itself introduces, main one first; empty where it introduces nothing.

    Args:
        text: the repaired abstract; only the first READ characters are looked at.
        background: counts over the digest the paper stands in.
    """
    return tuple(found.name for found in recognise(tokenize(text[:READ]), background).found)


def recognise(tokens: Tokens, background: Background | None = None) -> Recognised:
    """Return the names of a text that is already cut into tokens, with their places."""
    (recognised,) = recognise_all([tokens], [background])
    return recognised


def recognise_all(
    texts: Sequence[Tokens], backgrounds: Sequence[Background | None]
) -> list[Recognised]:
    """Return the names of each text, as `recognise` does; faster, since all are judged at once."""
    return list(map(_recognised, _judge(texts, backgrounds)))


def _recognised(judged: list[_Judged]) -> Recognised:
    found = _choose(judged)
    hints = [
        (place.start, place.end, round(item.probability, 3))
        for item in judged
        if item.probability >= HINT
        for place in item.candidate.places[:_HINTED]
    ]
    return Recognised(found=found, hints=tuple(hints))


def explain_names(text: str, *, background: Background | None = None) -> tuple[NameReason, ...]:
    """Return the 8 likeliest candidates of a text, each with what spoke for and against it."""
    tokens = tokenize(text[:READ])
    (judged,) = _judge([tokens], [background])
    taken = {found.name.text for found in _choose(judged)}
    _, second = _load_models()
    return tuple(
        NameReason(
            text=readable(item.candidate.text),
            probability=round(item.probability, 3),
            taken=readable(item.candidate.text) in taken,
            reasons=(
                *((name, -DOUBT) for name, at in _AGAINST.items() if item.described.values[at]),
                *second.reasons((*item.described.values, *item.context)),
            ),
        )
        for item in judged[:8]
    )


def readable(text: str) -> str:
    """Return a name as a reader should see it: lost superscripts and stray spaces mended."""
    text = re.sub(r"(?<=[A-Z]) (\d) ?- ?(?=[A-Z])", r"\1-", text)
    text = re.sub(r"\^\{?([\dn])\}?", lambda power: power[1].translate(_SUPERSCRIPTS), text)
    return " ".join(text.split())


def _judge(
    texts: Sequence[Tokens], backgrounds: Sequence[Background | None]
) -> list[list[_Judged]]:
    """Return of each text the likeliest candidates with their probability, likeliest first."""
    described: list[Described] = []
    ranges = []
    for tokens, background in zip(texts, backgrounds, strict=True):
        lexicon = load_lexicon()
        candidates = find_candidates(tokens)
        if background is not None:
            lexicon = _with_digest(lexicon, candidates, background)
        begin = len(described)
        described += describe(candidates, tokens, lexicon)
        ranges.append((begin, len(described)))
    if not described:
        return [[] for _ in texts]
    rows = np.array([item.values for item in described])
    first, second = _load_models()
    odds = list(map(_bounded, first.score(rows)))
    # Only what the first ensemble finds likely is worth the second look.
    likely = [
        sorted(range(begin, end), key=lambda i: (-odds[i], i))[:SECOND_LOOK]
        for begin, end in ranges
    ]
    chosen = [i for each in likely for i in each]
    around: list[tuple[float, float, float]] = []
    for begin, end in ranges:
        around += rivalry(odds[begin:end])
    beside = np.hstack([rows[chosen], [around[i] for i in chosen]])
    scores = second.score(beside) - np.array([_doubt(described[i]) for i in chosen])
    judged = iter([
        _Judged(described[i].candidate, _probability(score), described[i], around[i])
        for i, score in zip(chosen, scores, strict=True)
    ])  # fmt: skip
    return [sorted(islice(judged, len(each)), key=_rank) for each in likely]


def _doubt(described: Described) -> float:
    """Return the log odds by which what is seldom seen in training, but certain, speaks against."""
    return DOUBT * any(described.values[column] for column in _AGAINST.values())


def _rank(item: _Judged) -> tuple[float, str]:
    return -round(item.probability, 6), item.candidate.key


def _with_digest(
    lexicon: Lexicon, candidates: Mapping[str, Candidate], background: Background
) -> Lexicon:
    own = {
        key: max(lexicon.names.get(key, 0), background.counts[key] - 1)
        for key in candidates
        if key in background.counts
    }
    return replace(lexicon, others=own) if own else lexicon


def _bounded(score: float) -> float:
    """Return log odds from a raw score, kept within what a probability of 0.001 allows."""
    p = _probability(score)
    return math.log((p + 1e-3) / (1 - p + 1e-3))


def _probability(score: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


def rivalry(odds: Sequence[float]) -> list[tuple[float, float, float]]:
    """Return for each candidate its log odds, those of its best rival, and the difference."""
    if not odds:
        return []
    ranked = sorted(odds, reverse=True)
    best = ranked[0]
    second = ranked[1] if len(ranked) > 1 else math.log(1e-3 / 1.001)
    rivals = [second if own == best else best for own in odds]
    return [(own, rival, own - rival) for own, rival in zip(odds, rivals, strict=True)]


def _choose(judged: list[_Judged]) -> tuple[Found, ...]:
    """Return the names among the judged candidates, variants of one name joined."""
    names: list[Found] = []
    taken: list[_Judged] = []
    by_key = {item.candidate.key: item for item in judged}
    for ranked in _joined(judged):
        item = _base(_usual_number(ranked, by_key), judged)
        if item.probability < (FURTHER if names else MAIN) or len(names) == MAX_NAMES:
            break
        if any(_same_thing(item.candidate, other.candidate) for other in taken):
            continue
        short, long = _forms(item, by_key)
        name = Name(
            text=readable(short.text),
            expansion=readable(long.text) if long else "",
            score=round(item.probability, 3),
        )
        names.append(Found(name=name, places=_places(short), expansions=_places(long)))
        taken.append(item)
    return tuple(names)


def _usual_number(item: _Judged, by_key: Mapping[str, _Judged]) -> _Judged:
    """Return the plural or singular of a name where the text has it more often."""
    candidate = item.candidate
    singular = candidate.key[:-1] if candidate.text.endswith("s") else ""
    for other in (by_key.get(f"{candidate.key}s"), by_key.get(singular)):
        # "KTO-S" is no plural of "KTO".
        plural = other is not None and (singular or other.candidate.text.endswith("s"))
        if other and plural and len(other.candidate.places) > len(candidate.places):
            return replace(other, probability=item.probability)
    return item


def _base(item: _Judged, judged: list[_Judged]) -> _Judged:
    """Return the model instead of its variant: "Sabia-2" for "Sabia-2 Medium"."""
    for other in judged[:_COMPARED]:
        text = other.candidate.text
        variant = item.candidate.text.startswith((f"{text} ", f"{text}-"))
        if variant and any(map(is_odd, text.split())) and other.probability >= MAIN:
            return other
    return item


def _places(candidate: Candidate | None) -> tuple[tuple[int, int], ...]:
    if candidate is None:
        return ()
    return tuple(sorted({(place.start, place.end) for place in candidate.places}))


def _joined(judged: list[_Judged]) -> list[_Judged]:
    """Lend the probability of a part to the longer form that is the real name.

    A part belongs to a longer form in which it mostly stands, or which the text itself sets apart
    (coined "Grokking tickets" holds "Grokking"); such a part is no name of its own.
    """
    result = []
    likely = judged[:_COMPARED]
    for item in judged:
        probability = item.probability
        key = item.candidate.key
        for other in likely:
            if other.candidate.key not in key and not other.candidate.key.startswith(key):
                continue
            if other is item or other.candidate.key == item.candidate.partner:
                continue
            if _is_part(other.candidate, item.candidate):
                probability = 1 - (1 - probability) * (1 - other.probability)
            elif _set_apart(item.candidate, other.candidate):
                probability *= 0.5
        result.append(_Judged(item.candidate, probability, item.described, item.context))
    return sorted(result, key=_rank)


def _is_part(part: Candidate, whole: Candidate) -> bool:
    if _set_apart(part, whole):
        return True
    if part.key not in whole.key or not _is_name_like(whole):
        return False
    places = {(place.start, place.end) for place in part.places}
    wholes = {(place.start, place.end) for place in whole.places}
    inside = sum(
        any(start <= a and b <= end and (a, b) != (start, end) for start, end in wholes)
        for a, b in places
    )
    return inside >= 0.6 * len(places)


def _set_apart(part: Candidate, whole: Candidate) -> bool:
    """Tell whether only the longer of two forms is coined or quoted in the text."""
    if part.key == whole.key or not whole.key.startswith(part.key):
        return False
    ways = {place.way for place in whole.places} & _COINED
    return bool(ways) and not {place.way for place in part.places} & _COINED


def _is_name_like(candidate: Candidate) -> bool:
    """Tell whether no word of a candidate is written small, or the text sets it apart."""
    small = any(word[0].islower() and word.isalpha() for word in candidate.text.split())
    return not small or any(place.way in _COINED for place in candidate.places)


def _same_thing(a: Candidate, b: Candidate) -> bool:
    if b.key == a.partner or a.key == b.partner:
        return True
    shorter, longer = sorted((a.key, b.key), key=len)
    return shorter in longer


def _forms(item: _Judged, by_key: Mapping[str, _Judged]) -> tuple[Candidate, Candidate | None]:
    """Return the form to show and its expansion, None where there is none."""
    candidate = item.candidate
    partner = by_key.get(candidate.partner)
    if partner is None:
        return candidate, None
    short, long = (
        (candidate, partner.candidate) if candidate.is_short else (partner.candidate, candidate)
    )
    # Two capitals name half a dozen things; a coined phrase of two words is the better name.
    if len(short.key) <= 2 and len(long.text.split()) <= 3 and long.text[:1].isupper():
        return long, None
    return short, long


@cache
def _load_models() -> tuple[Trees, Trees]:
    """Return the ensembles: of a candidate by itself, and beside its best rival."""
    text = (files("sitegen") / "data" / "names_model.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return read_trees(data["first"]), read_trees(data["second"])
