"""The concepts that stand in texts, curated or literal, best first; pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sitegen.concepts import Floats, Floors, Ranked, Rows, TagWeights, joined, renamed
from sitegen.distinct import distinct
from sitegen.literals import find_literals, gather_phrases
from sitegen.roles import in_headlines, read_roles, weigh_roles
from sitegen.said import Said
from sitegen.term_places import find_terms
from sitegen.text_words import Integers, spread
from sitegen.topicality import term_rate
from sitegen.vocabulary import Vocabulary
from sitegen.word_columns import WordColumns
from sitegen.wording import fold

_MANY = 8
"""A concept in fewer papers is never too common, however small the digest."""
_KEPT = 60
"""Concepts of one paper that are looked at, best first; bounds the time of very long texts."""


def find_rows(
    columns: WordColumns,
    said: Said,
    vocabulary: Vocabulary,
    weights: TagWeights,
    *,
    tails: Mapping[str, Sequence[str]],
    whole: Mapping[str, bool],
    headlines: Sequence[str] = (),
) -> Rows:
    """Return the concepts that stand in each text, text by text; keys are sorted.

    Each text is looked through by itself.

    Args:
        columns: words of texts.
        said: their keywords.
        vocabulary: curated terms.
        weights: of the score.
        tails: of the keywords' phrases, see `literals`.
        whole: keys of the literal phrases that count in all texts.
        headlines: of each text; none where they are not known.
    """
    curated = _curated(columns, vocabulary, weights)
    sought = gather_phrases(said, tails, whole)
    literal = find_literals(columns, sought, vocabulary, curated, weights)
    rows = renamed(joined(curated, literal))
    score = np.round(rows.score + weigh_roles(rows, read_roles(columns), weights), 6)
    rows = replace(rows, score=score)
    order = np.lexsort((rows.key, -rows.score, rows.text))
    rows = rows.where(order[_places(rows.text[order]) < _KEPT])
    headed = np.where(in_headlines(rows, columns, headlines), weights.headline, 0.0)
    return replace(rows, score=rows.score + headed)


def rank_concepts(
    rows: Rows,
    columns: WordColumns,
    vocabulary: Vocabulary,
    weights: TagWeights,
    *,
    floors: Floors,
    early: Integers,
    closed: Mapping[int, Set[str]],
) -> Ranked:
    """Return the concepts that are of interest, best first.

    What stands in so many papers that it tells none of them apart loses some of its score.

    Args:
        rows: what stands in the texts, as from `find_rows`.
        columns: words of all texts.
        vocabulary: curated terms.
        weights: of the score.
        floors: scores from which on a concept is of interest.
        early: texts that tell what is common, by position.
        closed: keys that a text is not to have, by position.
    """
    rows = renamed(rows, floors.pinned)
    text, key = rows.text, rows.key
    numbers = {name: number for number, name in enumerate(rows.keys)}
    known = np.zeros(len(columns.texts), np.bool_)
    known[early] = True
    score = np.round(rows.score + _loss(key, known[text], len(early), weights), 6)
    again = np.flatnonzero(score >= floors.shared)
    shared = np.bincount(key[again], minlength=len(numbers)) > 1
    shared[[numbers[name] for name in floors.pinned]] = True
    again = again[shared[key[again]] | (score[again] >= floors.single)]
    again = again[np.lexsort((key[again], -score[again], text[again]))]
    if closed:
        shut = {(at, numbers[name]) for at, own in closed.items() for name in own & numbers.keys()}
        pairs = zip(text[again].tolist(), key[again].tolist(), strict=True)
        again = again[np.fromiter((pair not in shut for pair in pairs), np.bool_, len(again))]
    places = rows.where(again)
    variant, words = _words(places, columns, vocabulary)
    return Ranked(
        keys=tuple(rows.keys),
        first=np.searchsorted(text[again], np.arange(len(columns.texts) + 1)).tolist(),
        text=text[again],
        key=key[again],
        score=score[again],
        variant=variant.tolist(),
        words=words,
        places=places,
    )


def _places(texts: Integers) -> Integers:
    """Return the place of each row among those of its text; rows of a text stand together."""
    begins = np.r_[True, texts[1:] != texts[:-1]][: len(texts)]
    starts = np.flatnonzero(begins)
    return np.arange(len(texts)) - np.repeat(starts, np.diff(np.r_[starts, len(texts)]))


def _loss(
    keys: Integers, counted: npt.NDArray[np.bool_], papers: int, weights: TagWeights
) -> Floats:
    """Return what each concept loses for the share of the papers counted that it stands in."""
    carriers = np.bincount(keys, counted)
    common = (carriers >= _MANY) & (carriers > papers * weights.common_from)
    share = np.where(common, carriers / max(papers, 1) / weights.common_from, 1.0)
    loss: Floats = (weights.common * np.log(share))[keys]
    return loss


def _words(
    rows: Rows, columns: WordColumns, vocabulary: Vocabulary
) -> tuple[Integers, list[frozenset[str]]]:
    """Return the folded words of each row's name: which ones of the distinct sets, and these."""
    folds = list(map(fold, columns.surfaces))
    numbers = {name: number for number, name in enumerate(dict.fromkeys(folds))}
    fold_of = np.fromiter(map(numbers.__getitem__, folds), np.uint64, len(folds))
    starts, sizes = rows.starts[rows.first[:-1]], (rows.ends - rows.starts)[rows.first[:-1]]
    literal = rows.term < 0
    code = (rows.term + 1).astype(np.uint64)
    for place in range(int(sizes[literal].max(initial=0))):
        at = np.flatnonzero(literal & (sizes > place))
        word = fold_of[columns.surface[starts[at] + place]]
        code[at] = (code[at] * np.uint64(len(numbers) + 1) + word + np.uint64(1)) * np.uint64(
            0x9E3779B97F4A7C15
        )
    _, heads, variant = np.unique(code, return_index=True, return_inverse=True)
    surface = columns.surface
    words = []
    for head, term in zip(heads.tolist(), rows.term[heads].tolist(), strict=True):
        if term >= 0:
            words.append(vocabulary.terms[term].words)
        else:
            inside = surface[starts[head] : starts[head] + sizes[head]].tolist()
            words.append(frozenset([folds[word] for word in inside]))
    return variant, words


# ---- curated ------------------------------------------------------------------------------------
def _curated(columns: WordColumns, vocabulary: Vocabulary, weights: TagWeights) -> Rows:
    """Return the terms of the vocabulary in the texts, and those broader than one of them."""
    hits = find_terms(columns, vocabulary)
    terms = len(vocabulary.terms)
    owners = columns.owners(hits.starts)
    code = owners * terms + hits.terms
    order = np.argsort(code, kind="stable")
    heads = np.flatnonzero(np.r_[True, np.diff(code[order]) != 0][: len(code)])
    bounds = np.r_[heads, len(code)]
    counts = np.diff(bounds)
    text, term = code[order[heads]] // max(terms, 1), code[order[heads]] % max(terms, 1)
    first, size = columns.first[text], np.diff(columns.first)[text]
    often = np.array([0.0, *map(math.log, range(1, int(counts.max(initial=0)) + 1))])
    by_words = [len(one.words) for one in vocabulary.terms]
    lengths = np.minimum(np.array(by_words, np.int64), len(weights.words)) - 1
    score = weights.curated + (
        weights.base
        + weights.often * often[counts]
        + weights.late * ((hits.starts[order[heads]] - first) / size)
        + weights.lasting * ((hits.starts[order[bounds[1:] - 1]] - first) / size)
        + np.array(weights.words)[lengths[term]]
    )
    rates = np.fromiter((term_rate(one.key) for one in vocabulary.terms), np.float64, terms)
    score += weights.telling * rates[term]
    by_alias = ~np.logical_or.reduceat(hits.literal[order], heads) if len(heads) else heads > 0
    score = np.where(by_alias, score + weights.implied, score)
    # What is broader than a term stands where that one does; two steps up it is about too much.
    above = [one.broader for one in vocabulary.terms]
    sizes = np.fromiter(map(len, above), np.int64, terms)
    higher = np.fromiter((number for one in above for number in one), np.int64)
    row, at = spread((np.cumsum(sizes) - sizes)[term], sizes[term])
    every_text = np.r_[text, text[row]]
    every_term = np.r_[term, higher[at]]
    change = weights.telling * (rates[higher[at]] - rates[term[row]])
    every_score = np.r_[score, score[row] + weights.broader + change]
    source = np.r_[np.arange(len(text)), row]
    code = every_text * terms + every_term
    by = np.lexsort((-every_score, code))
    best = np.flatnonzero(np.r_[True, np.diff(code[by]) != 0][: len(code)])
    group = np.repeat(np.arange(len(best)), np.diff(np.r_[best, len(by)]))
    # The places of all that a row was made from, each once.
    own, hit = spread(heads[source[by]], counts[source[by]])
    place = order[hit]
    count = max(len(order), 1)
    found = distinct(group[own] * count + place)
    places = found % count
    firsts = np.searchsorted(found // count, np.arange(len(best) + 1))
    chosen = by[best]
    return Rows(
        keys=tuple(one.key for one in vocabulary.terms),
        text=every_text[chosen],
        key=every_term[chosen],
        term=every_term[chosen],
        score=np.round(every_score[chosen], 6),
        first=firsts,
        starts=hits.starts[places],
        ends=hits.ends[places],
    )
