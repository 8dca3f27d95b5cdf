"""Phrases that stand in texts as they are, with what speaks for each as a tag; pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np

from sitegen.concepts import Floats, Rows, TagWeights, is_odd
from sitegen.phrases import STOP_WORDS, is_generic, is_generic_beside
from sitegen.said import Said
from sitegen.term_places import short_terms
from sitegen.text_words import Integers, Numbers, spread
from sitegen.topicality import generic_keys, is_clause_of, is_rare, title_rate
from sitegen.vocabulary import Vocabulary
from sitegen.word_columns import Runs, WordColumns, find_runs
from sitegen.wording import fold, key_of

PIECES = 8
"""Words of the longest literal tag, cut at hyphens."""
_POSSESSIVE = re.compile("['\u2019]s?(?![^\\W_])")


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
    phrases: tuple[Mapping[str, bool], Integers],
    vocabulary: Vocabulary,
    curated: Rows,
    weights: TagWeights,
) -> Rows:
    """Find the phrases that texts hold, each with its score.

    Args:
        columns: words of texts.
        phrases: what is sought, from `gather_phrases`.
        vocabulary: curated terms, whose forms are no literal phrases.
        curated: what the texts hold already.
        weights: of the score.
    """
    sought, own = phrases
    keys = list(sought)
    stop = np.fromiter((form in STOP_WORDS for form in columns.forms), np.bool_)
    runs = find_runs(columns, keys, most=PIECES, without=stop)
    texts = columns.owners(runs.starts)
    codes = texts * len(keys) + runs.keys
    everywhere = np.fromiter(sought.values(), np.bool_, len(keys))
    mine = everywhere[runs.keys]
    mine[~mine] = np.isin(codes[~mine], own)
    runs, codes = runs.where(mine), codes[mine]
    order = np.argsort(codes, kind="stable")
    runs, codes = runs.where(order), codes[order]
    heads = np.flatnonzero(np.r_[True, codes[1:] != codes[:-1]][: len(codes)])
    # A phrase that is a form of a term, or a term's name, is that term.
    term_form = np.fromiter((key in vocabulary.folded for key in keys), np.bool_, len(keys))
    single = runs.ends[heads] - runs.starts[heads] == 1
    acronym = single & (short_terms(columns, vocabulary)[runs.starts[heads]] >= 0)
    numbers = {key: number for number, key in enumerate(keys)}
    known = np.fromiter((numbers.get(key, -1) for key in curated.keys), np.int64)[curated.key]
    taken = (curated.text * len(keys) + known)[known >= 0]
    free = ~(term_form[runs.keys[heads]] | acronym | np.isin(codes[heads], taken))
    firsts = np.r_[heads, len(codes)]
    sizes = np.diff(firsts)
    kept = np.repeat(free, sizes)
    heads, lasts = heads[free], firsts[1:][free] - 1
    score = _scores(columns, runs.where(heads), runs.starts[lasts], sizes[free], weights)
    return Rows(
        keys=keys,
        text=codes[heads] // max(len(keys), 1),
        key=runs.keys[heads],
        term=np.full(len(heads), -1),
        score=score,
        first=np.r_[0, np.cumsum(sizes[free])],
        starts=runs.starts[kept],
        ends=runs.ends[kept],
    )


def gather_phrases(
    said: Said,
    tails: Mapping[str, Sequence[str]],
    whole: Mapping[str, bool],
) -> tuple[dict[str, bool], Integers]:
    """Return what may become a literal tag.

    Args:
        said: keywords of each text; their parts count in that text alone.
        tails: of the keywords' phrases, see `tails_of`.
        whole: `whole_keys` of the whole digest's keywords.

    Returns:
        the keys of all keywords and, as False, of their last two, three, ... words (the head
        stands last), which count only in the texts they are from; and the pairs of text and key,
        coded as text * keys + key.
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
    return keys, texts[rows] * len(keys) + np.fromiter(chain(*parts), np.int64)[at]


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
    words = ends - starts
    by_words = np.array(weights.words)
    score = (
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
    for place in range(int(words.max(initial=0))):
        inside = np.flatnonzero(words > place)
        here = columns.surface[starts[inside] + place]
        total[inside] += rate[here]
        least[inside] = np.minimum(least[inside], rate[here])
        oddly[inside] |= odd[here]
    rare = np.fromiter(map(is_rare, columns.forms), np.bool_, len(columns.forms))
    is_single = (words == 1) & rare[columns.form[starts]]
    whole = columns.spaces[ends - 1] == columns.spaces[starts]
    score += weights.topical * ((total / words + least) / 2)
    score += np.where(is_single, weights.rare, np.where(whole, weights.plain, 0.0))
    score += np.where(empty[columns.surface[ends - 1]], weights.empty, 0.0)
    score += np.where(oddly, weights.odd, 0.0)
    rounded: Floats = np.round(score, 6)
    return rounded
