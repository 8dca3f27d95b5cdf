"""Where the terms of a vocabulary stand in texts; pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitegen.distinct import distinct
from sitegen.text_words import Integers
from sitegen.vocabulary import Vocabulary
from sitegen.word_columns import Runs, WordColumns, find_runs
from sitegen.wording import single

_OTHER = -2
"""In place of a term: what stands there only looks like one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """Terms where they stand, in order; columns run in parallel."""

    terms: Integers
    starts: Integers
    """First word, position in the columns of words."""
    ends: Integers
    """After the last word."""
    literal: npt.NDArray[np.bool_]
    """Whether it stands there by its own name, not by an alias."""


def find_terms(columns: WordColumns, vocabulary: Vocabulary) -> Hits:
    """Return where terms stand, none overlapping; the longest wins.

    Time is linear in the texts for phrases of bounded length.
    """
    keys = list(dict.fromkeys((*vocabulary.folded, *vocabulary.broad, *sorted(vocabulary.others))))
    runs = find_runs(columns, keys, prefixes=tuple(vocabulary.prefixes))
    folded, broad = (
        np.fromiter((forms.get(key, -1) for key in keys), np.int64, len(keys))[runs.keys]
        for forms in (vocabulary.folded, vocabulary.broad)
    )
    near = np.isin(
        broad + columns.owners(runs.starts) * (len(vocabulary.terms) + 1),
        _near(columns, vocabulary),
    )
    terms = np.where((broad >= 0) & near, broad, folded)
    terms[runs.keys >= len(keys) - len(vocabulary.others)] = _OTHER
    short = short_terms(columns, vocabulary)
    alone = np.flatnonzero(short >= 0)
    starts = np.concatenate((alone, runs.starts))
    ends = np.concatenate((alone + 1, runs.ends))
    terms = np.concatenate((short[alone], terms))
    # By what name it stands there: a form of the digest's, or a key of the vocabulary's.
    numbers = {term.key: number for number, term in enumerate(vocabulary.terms)}
    form_of = np.fromiter((numbers.get(form, -1) for form in columns.forms), np.int64)
    key_of = np.fromiter((numbers.get(key, -1) for key in keys), np.int64)
    names = np.concatenate((form_of[columns.form[alone]], key_of[runs.keys]))
    is_run = np.arange(len(starts)) >= len(alone)
    known = np.flatnonzero(terms != -1)
    # At each start the longest; of an acronym and a form of one word the latter.
    order = known[np.lexsort((is_run[known], ends[known], starts[known]))]
    last = np.r_[starts[order][1:] != starts[order][:-1], np.ones(min(len(order), 1), np.bool_)]
    order = order[last]
    order = order[_apart(starts[order], ends[order])]
    order = order[terms[order] != _OTHER]
    terms = terms[order]
    return Hits(terms=terms, starts=starts[order], ends=ends[order], literal=names[order] == terms)


def _apart(starts: Integers, ends: Integers) -> Integers:
    """Return the positions of those that begin after the end of the one taken before."""
    taken = []
    after = 0
    for at, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        if start >= after:
            after = end
            taken.append(at)
    return np.array(taken, np.int64)


def short_terms(columns: WordColumns, vocabulary: Vocabulary) -> npt.NDArray[np.int64]:
    """Return for each word the term that it is an acronym of; -1 for none.

    A word that the text or the digest defines means what they say.
    """
    exact = np.fromiter(
        (vocabulary.exact.get(single(word), -1) for word in columns.surfaces),
        np.int64,
        len(columns.surfaces),
    )
    return np.where(columns.defined, -1, exact[columns.surface])


def _near(columns: WordColumns, vocabulary: Vocabulary) -> Integers:
    """Return the pairs of text and term, coded, whose broad forms count."""
    owners: dict[str, list[int]] = {}
    for term in dict.fromkeys(vocabulary.broad.values()):
        for key in vocabulary.terms[term].context:
            if key:
                owners.setdefault(key, []).append(term)
    keys = list(owners)
    if not keys:
        return np.zeros(0, np.int64)
    starts = sorted({key[:length] for key in keys for length in range(1, len(key))})
    runs: Runs = find_runs(columns, keys, prefixes=starts or keys)
    texts = columns.owners(runs.starts)
    codes = [
        texts[runs.keys == number] * (len(vocabulary.terms) + 1) + term
        for number, key in enumerate(keys)
        for term in owners[key]
    ]
    return distinct(np.concatenate(codes))
