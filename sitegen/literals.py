"""Phrases that stand in texts as they are, with what speaks for each as a tag; pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitegen.concepts import Concept, TagWeights, is_odd
from sitegen.phrases import STOP_WORDS, is_generic, is_generic_beside
from sitegen.records import Keyword
from sitegen.term_places import short_terms
from sitegen.topicality import generic_keys, is_clause_of, is_rare, title_rate
from sitegen.vocabulary import Vocabulary
from sitegen.word_columns import Integers, Runs, WordColumns, find_runs
from sitegen.wording import fold, key_of

Floats = npt.NDArray[np.float64]

_PIECES = 8
"""Words of the longest literal tag, cut at hyphens."""
_POSSESSIVE = re.compile("['\u2019]s?(?![^\\W_])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Literals:
    """Literal phrases of the texts; columns run in parallel, a row a phrase of a text."""

    keys: Sequence[str]
    """Of all phrases."""
    text: Integers
    key: Integers
    score: Floats
    first: Integers
    """(rows + 1): the places of a row are those from first[row] to first[row + 1]."""
    starts: Integers
    """Of all places, row by row; positions in the columns of words."""
    ends: Integers

    def concepts(
        self, rows: Sequence[int], scores: Sequence[float], columns: WordColumns
    ) -> Iterator[Concept]:
        """Yield some rows with other scores."""
        first, keys = self.first.tolist(), self.key.tolist()
        starts, ends = self.starts.tolist(), self.ends.tolist()
        surface, surfaces = columns.surface.tolist(), columns.surfaces
        for row, score in zip(rows, scores, strict=True):
            begin, after = first[row], first[row + 1]
            words = surface[starts[begin] : ends[begin]]
            yield Concept(
                key=self.keys[keys[row]],
                score=score,
                words=frozenset([fold(surfaces[word]) for word in words]),
                spans=tuple(zip(starts[begin:after], ends[begin:after], strict=True)),
                term=-1,
            )


def find_literals(
    columns: WordColumns,
    keywords: Sequence[Sequence[Keyword]],
    vocabulary: Vocabulary,
    curated: Sequence[tuple[int, str]],
    weights: TagWeights,
) -> Literals:
    """Find the phrases that texts hold, each with its score.

    Args:
        columns: words of all texts.
        keywords: of each text; what any text has for a keyword counts in all of them.
        vocabulary: curated terms, whose forms are no literal phrases.
        curated: (text, key) of what the texts hold already.
        weights: of the score.
    """
    phrases, own_text, own_key = _phrases(keywords, vocabulary)
    keys = list(phrases)
    runs = find_runs(columns, keys, most=_PIECES)
    stop = np.fromiter((form in STOP_WORDS for form in columns.forms), np.bool_)
    runs = runs.where(~(stop[columns.form[runs.starts]] | stop[columns.form[runs.ends - 1]]))
    texts = columns.owners(runs.starts)
    codes = texts * len(keys) + runs.keys
    everywhere = np.fromiter(phrases.values(), np.bool_, len(keys))
    mine = np.isin(codes, own_text * len(keys) + own_key) | everywhere[runs.keys]
    runs, codes = runs.where(mine), codes[mine]
    order = np.argsort(codes, kind="stable")
    runs, codes = runs.where(order), codes[order]
    heads = np.flatnonzero(np.r_[True, codes[1:] != codes[:-1]][: len(codes)])
    # A phrase that is a form of a term, or a term's name, is that term.
    term_form = np.fromiter((key in vocabulary.folded for key in keys), np.bool_, len(keys))
    single = runs.ends[heads] - runs.starts[heads] == 1
    acronym = single & (short_terms(columns, vocabulary)[runs.starts[heads]] >= 0)
    numbers = {key: number for number, key in enumerate(keys)}
    taken = [text * len(keys) + numbers[key] for text, key in curated if key in numbers]
    free = ~(
        term_form[runs.keys[heads]] | acronym | np.isin(codes[heads], np.array(taken, np.int64))
    )
    firsts = np.r_[heads, len(codes)]
    sizes = np.diff(firsts)
    kept = np.repeat(free, sizes)
    heads, lasts = heads[free], firsts[1:][free] - 1
    score = _scores(columns, runs.where(heads), runs.starts[lasts], sizes[free], weights)
    return Literals(
        keys=keys,
        text=codes[heads] // max(len(keys), 1),
        key=runs.keys[heads],
        score=score,
        first=np.r_[0, np.cumsum(sizes[free])],
        starts=runs.starts[kept],
        ends=runs.ends[kept],
    )


def _phrases(
    keywords: Sequence[Sequence[Keyword]], vocabulary: Vocabulary
) -> tuple[dict[str, bool], Integers, Integers]:
    """Return what may become a literal tag.

    Returns:
        the keys of all keywords and, as False, of their last two, three, ... words (the head
        stands last), which count only in the texts they are from; and these as text and number.
    """
    forms: dict[str, None] = {}
    for ranked in keywords:
        forms.update((keyword.phrase, None) for keyword in ranked)
    generic = generic_keys() | {""}
    tails = {form: _tails(form) for form in forms}
    found: dict[str, bool] = {}
    for form, (key, *_) in tails.items():
        if key not in generic and key not in vocabulary.folded and vocabulary.is_no_acronym(form):
            found[key] = True
    numbers = _Numbers(found)
    texts: list[int] = []
    rows: list[int] = []
    parts: dict[str, list[int]] = {}
    for text, ranked in enumerate(keywords):
        mine: dict[int, None] = {}
        for keyword in ranked:
            phrase = keyword.phrase
            if phrase not in parts:
                longer = tails[phrase][: len(phrase.split()) - 1]
                parts[phrase] = [numbers[key] for key in longer if key not in generic]
            mine.update(dict.fromkeys(parts[phrase]))
        texts += [text] * len(mine)
        rows += mine
    keys = {key: key in found for key in numbers}
    return keys, np.array(texts, np.int64), np.array(rows, np.int64)


class _Numbers(dict[str, int]):
    """Gives each new key the next number."""

    def __init__(self, keys: Iterable[str]) -> None:
        super().__init__((key, number) for number, key in enumerate(keys))

    def __missing__(self, key: str) -> int:
        self[key] = number = len(self)
        return number


def _tails(phrase: str) -> list[str]:
    """Return the keys of a phrase, of its last words but one, but two, ..., and of its last word.

    Those that cannot be tags, as far as their form tells, are empty.
    """
    words = phrase.split()
    keys = list(map(key_of, words))
    possessive = ("'" in phrase or "\u2019" in phrase) and _POSSESSIVE.search(phrase)
    tails: list[str] = []
    for start in range(len(words)):
        rest = words[start:]
        if possessive and _POSSESSIVE.search(" ".join(rest)):
            tails.append("")
        elif len(rest) > 1:
            silent = all(map(is_generic_beside, rest)) or is_clause_of(rest)
            tails.append("" if silent else "".join(keys[start:]))
        else:
            tails.append("" if is_generic(rest[0]) or is_clause_of(rest) else keys[start])
    return tails or [""]


def _scores(
    columns: WordColumns, firsts: Runs, lasts: Integers, counts: Integers, weights: TagWeights
) -> Floats:
    """Return the scores of literal phrases.

    Args:
        columns: words of the texts.
        firsts: first place of each phrase.
        lasts: first word of its last place.
        counts: number of its places.
        weights: of the score.
    """
    starts, ends = firsts.starts, firsts.ends
    owners = columns.owners(starts)
    first, size = columns.first[owners], np.diff(columns.first)[owners]
    words = ends - starts
    by_words = np.array(weights.words)
    score = (
        weights.base
        + weights.often * np.log(counts)
        + weights.late * ((starts - first) / size)
        + weights.lasting * ((lasts - first) / size)
        + by_words[np.minimum(words, len(by_words)) - 1]
    )
    used = np.unique(columns.surface[_covered(starts, words)])
    rate, odd, empty = (np.zeros(len(columns.surfaces), kind) for kind in (float, bool, bool))
    for word in used.tolist():
        surface = columns.surfaces[word]
        rate[word], odd[word] = title_rate(fold(surface)), is_odd(surface)
        empty[word] = is_generic(surface)
    total, least = np.zeros(len(starts)), np.full(len(starts), np.inf)
    oddly = np.zeros(len(starts), np.bool_)
    for place in range(int(words.max(initial=0))):
        inside = np.flatnonzero(words > place)
        word = columns.surface[starts[inside] + place]
        total[inside] += rate[word]
        least[inside] = np.minimum(least[inside], rate[word])
        oddly[inside] |= odd[word]
    rare = np.fromiter(map(is_rare, columns.forms), np.bool_, len(columns.forms))
    is_single = (words == 1) & rare[columns.form[starts]]
    whole = columns.spaces[ends - 1] == columns.spaces[starts]
    score += weights.topical * ((total / words + least) / 2)
    score += np.where(is_single, weights.rare, np.where(whole, weights.plain, 0.0))
    score += np.where(empty[columns.surface[ends - 1]], weights.empty, 0.0)
    score += np.where(oddly, weights.odd, 0.0)
    rounded: Floats = np.round(score, 6)
    return rounded


def _covered(starts: Integers, sizes: Integers) -> Integers:
    """Return all positions from each start on, as many as its size says."""
    offsets = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.repeat(starts, sizes) + offsets
