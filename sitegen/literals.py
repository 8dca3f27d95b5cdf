"""Phrases that stand in texts as they are, with what speaks for each as a tag; pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np
import numpy.typing as npt

from sitegen.concepts import Floats, Rows, TagWeights, is_odd
from sitegen.phrases import EMPTY_WORDS, STOP_WORDS, is_generic, is_generic_beside
from sitegen.said import Said
from sitegen.term_places import short_terms
from sitegen.text_words import Integers, Numbers, spread
from sitegen.topicality import generic_keys, is_clause_of, is_rare, title_rate
from sitegen.vocabulary import Vocabulary
from sitegen.word_columns import Runs, WordColumns, find_runs
from sitegen.wording import fold, key_of

PIECES = 8
"""Words of the longest literal tag, cut at hyphens."""
_SPELT_OUT = 3
"""Words that a short form with a known meaning counts for."""
_POSSESSIVE = re.compile("['\u2019]s?(?![^\\W_])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """What may become a literal tag, see `gather_phrases`."""

    keys: Mapping[str, bool]
    """Keys of all keywords and, as False, of their last two, three, ... words (the head stands
    last), which count only in the texts they are from."""
    parts: Integers
    """These pairs of text and key, as text * keys + key."""
    told: Integers
    """The keywords of each text, likewise."""
    shares: Floats
    """Their scores, in shares of the text's best one."""


def whole_keys(tails: Mapping[str, Sequence[str]], vocabulary: Vocabulary) -> dict[str, bool]:
    """Return the keys of phrases that may become literal tags wherever they stand, as True.

    Args:
        tails: of each phrase, see `tails_of`.
        vocabulary: curated terms, whose forms are no literal phrases.
    """
    generic = generic_keys() | {""}
    return {
        key: True
        for phrase, (key, *_) in tails.items()
        if key not in generic and key not in vocabulary.folded and vocabulary.is_no_acronym(phrase)
    }


def find_literals(
    columns: WordColumns,
    sought: Sought,
    vocabulary: Vocabulary,
    curated: Rows,
    weights: TagWeights,
) -> Rows:
    """Find the phrases that texts hold, each with its score.

    Args:
        columns: words of texts.
        sought: from `gather_phrases`.
        vocabulary: curated terms, whose forms are no literal phrases.
        curated: what the texts hold already.
        weights: of the score.
    """
    keys = list(sought.keys)
    stop = np.fromiter((form in STOP_WORDS for form in columns.forms), np.bool_)
    runs = find_runs(columns, keys, most=PIECES, without=stop)
    texts = columns.owners(runs.starts)
    codes = texts * len(keys) + runs.keys
    everywhere = np.fromiter(sought.keys.values(), np.bool_, len(keys))
    mine = everywhere[runs.keys]
    mine[~mine] = np.isin(codes[~mine], sought.parts)
    runs, codes, texts = runs.where(mine), codes[mine], texts[mine]
    order = np.argsort(codes, kind="stable")
    runs, codes = runs.where(order), codes[order]
    heads = np.flatnonzero(np.r_[True, codes[1:] != codes[:-1]][: len(codes)])
    # A phrase that is a form of a term, or a term's name, is that term.
    forms = vocabulary.others.union(vocabulary.broad_names, vocabulary.folded)
    term_form = np.fromiter(map(forms.__contains__, keys), np.bool_, len(keys))
    single = runs.ends[heads] - runs.starts[heads] == 1
    acronym = single & (short_terms(columns, vocabulary)[runs.starts[heads]] >= 0)
    numbers = {key: number for number, key in enumerate(keys)}
    known = np.fromiter((numbers.get(key, -1) for key in curated.keys), np.int64)[curated.key]
    taken = (curated.text * len(keys) + known)[known >= 0]
    free = ~(term_form[runs.keys[heads]] | acronym | np.isin(codes[heads], taken))
    # A broad form is its term where that one was found.
    broad = np.fromiter((vocabulary.broad.get(key, -1) for key in keys), np.int64, len(keys))
    meant = broad[runs.keys[heads]] + texts[order][heads] * (len(vocabulary.terms) + 1)
    free &= ~np.isin(meant, curated.term + curated.text * (len(vocabulary.terms) + 1))
    firsts = np.r_[heads, len(codes)]
    sizes = np.diff(firsts)
    kept = np.repeat(free, sizes)
    heads, lasts = heads[free], firsts[1:][free] - 1
    score = _scores(columns, runs.where(heads), runs.starts[lasts], sizes[free], weights)
    score += weights.keyword * _strengths(sought, codes[heads])
    cut, tail = _halves(columns, runs.where(kept), np.cumsum(sizes[free]))
    score += np.where(cut, weights.cut, 0.0) + np.where(tail, weights.tail, 0.0)
    return Rows(
        keys=keys,
        text=codes[heads] // max(len(keys), 1),
        key=runs.keys[heads],
        term=np.full(len(heads), -1),
        score=np.round(score, 6),
        first=np.r_[0, np.cumsum(sizes[free])],
        starts=runs.starts[kept],
        ends=runs.ends[kept],
    )


def gather_phrases(
    said: Said,
    tails: Mapping[str, Sequence[str]],
    whole: Mapping[str, bool],
) -> Sought:
    """Return what may become a literal tag.

    Args:
        said: keywords of each text; their parts count in that text alone.
        tails: of the keywords' phrases, see `tails_of`.
        whole: `whole_keys` of the whole digest's keywords.
    """
    generic = generic_keys() | {""}
    numbers = Numbers((key, number) for number, key in enumerate(whole))
    parts = [
        [numbers[key] for key in tails.get(phrase, ())[:-1] if key not in generic]
        for phrase in said.phrases
    ]
    keys = {key: key in whole for key in numbers}
    texts, phrase = said.owners(), said.phrase
    sizes = np.fromiter(map(len, parts), np.int64, len(parts))
    rows, at = spread((np.cumsum(sizes) - sizes)[phrase], sizes[phrase])
    best = np.zeros(len(said))
    np.maximum.at(best, texts, said.score)
    owns = (numbers.get(tails[one][0], -1) if one in tails else -1 for one in said.phrases)
    number = np.fromiter(owns, np.int64, len(said.phrases))
    known = np.flatnonzero((number[phrase] >= 0) & (said.score > 0))
    return Sought(
        keys=keys,
        parts=texts[rows] * len(keys) + np.fromiter(chain(*parts), np.int64)[at],
        told=texts[known] * len(keys) + number[phrase[known]],
        shares=said.score[known] / best[texts[known]],
    )


def tails_of(phrase: str) -> list[str]:
    """Return the keys of a phrase, of its last words but one, but two, ..., and of its last word.

    Those that cannot be tags, as far as their form tells, are empty.
    """
    words = phrase.split()
    facts = list(map(_facts, words))
    possessive = ("'" in phrase or "\u2019" in phrase) and _POSSESSIVE.search(phrase)
    tails: list[str] = []
    key, silent, clause = "", True, False
    for start in range(len(words) - 1, -1, -1):
        own, alone, beside, opens, inside = facts[start]
        key = own + key
        silent = silent and beside
        last = start == len(words) - 1
        if (
            (possessive and _POSSESSIVE.search(" ".join(words[start:])))
            or (alone if last else silent)
            or clause
            or opens
        ):
            tails.append("")
        else:
            tails.append(key)
        clause = clause or inside
    return tails[::-1] or [""]


@lru_cache(maxsize=1 << 17)
def _facts(word: str) -> tuple[str, bool, bool, bool, bool]:
    """Return what is known of one word.

    Returns:
        its key; whether it says nothing, alone and beside others; whether a phrase that it opens,
        and one that it stands further back in, is a clause.
    """
    return (
        key_of(word),
        is_generic(word),
        is_generic_beside(word),
        is_clause_of([word]),
        is_clause_of(["", word]),
    )


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
    # A known short form is as good as its long form.
    short = (ends - starts == 1) & columns.defined[starts]
    words = np.where(short, _SPELT_OUT, ends - starts)
    by_words = np.array(weights.words)
    score: Floats = (
        weights.base
        + weights.often * np.log(counts)
        + weights.late * ((starts - first) / size)
        + weights.lasting * ((lasts - first) / size)
        + by_words[np.minimum(words, len(by_words)) - 1]
    )
    used = np.flatnonzero(
        np.bincount(columns.surface[spread(starts, words)[1]], minlength=len(columns.surfaces))
    )
    rate, odd, empty = (np.zeros(len(columns.surfaces), kind) for kind in (float, bool, bool))
    for word in used.tolist():
        surface = columns.surfaces[word]
        rate[word], odd[word] = title_rate(fold(surface)), is_odd(surface)
        empty[word] = is_generic(surface)
    total, least = np.zeros(len(starts)), np.full(len(starts), np.inf)
    oddly = np.zeros(len(starts), np.bool_)
    for place in range(int((ends - starts).max(initial=0))):
        inside = np.flatnonzero(ends - starts > place)
        here = columns.surface[starts[inside] + place]
        total[inside] += rate[here]
        least[inside] = np.minimum(least[inside], rate[here])
        oddly[inside] |= odd[here]
    rare = np.fromiter(map(is_rare, columns.forms), np.bool_, len(columns.forms))
    is_single = (words == 1) & rare[columns.form[starts]]
    whole = (columns.spaces[ends - 1] == columns.spaces[starts]) & ~short
    score += weights.topical * ((total / words + least) / 2)
    score += np.where(words == 1, weights.alone, 0.0)
    score += np.where(is_single, weights.rare, np.where(whole, weights.plain, 0.0))
    score += np.where(empty[columns.surface[ends - 1]], weights.empty, 0.0)
    score += np.where(oddly & ~short, weights.odd, 0.0)
    return score


def _strengths(sought: Sought, codes: Integers) -> Floats:
    """Return how good a keyword of its text each phrase is, in shares of the best one; else 0.

    Args:
        sought: with the keywords.
        codes: the phrases, as text * keys + key; sorted.
    """
    strengths = np.zeros(len(codes))
    at = np.searchsorted(codes, sought.told)
    known = at < len(codes)
    known[known] = codes[at[known]] == sought.told[known]
    np.maximum.at(strengths, at[known], sought.shares[known])
    return strengths


def _halves(
    columns: WordColumns, runs: Runs, after: Integers
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Tell of each phrase whether one and the same word of content always follows it, or leads it.

    Args:
        columns: words of the texts.
        runs: the places of all phrases, one phrase after the other.
        after: where those of each phrase end.
    """
    if not len(after):
        return np.zeros(0, np.bool_), np.zeros(0, np.bool_)
    content = np.fromiter((form not in EMPTY_WORDS for form in columns.forms), np.bool_)
    firsts = np.concatenate(([0], after[:-1]))

    def is_same(words: Integers, inside: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        forms = np.where(inside, columns.form[np.where(inside, words, 0)], -1)
        forms = np.where(inside & content[forms], forms, -1)
        least, most = (one.reduceat(forms, firsts) for one in (np.minimum, np.maximum))
        same: npt.NDArray[np.bool_] = (least == most) & (least >= 0)
        return same

    ahead = (runs.starts > 0) & (columns.run_end[runs.starts - 1] > runs.starts)
    return (
        is_same(runs.ends, runs.ends < columns.run_end[runs.ends - 1]),
        is_same(runs.starts - 1, ahead),
    )
