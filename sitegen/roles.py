"""How much it tells that words stand where they do, by what their sentence does; pure.

An abstract says what it is about in its headline and where it tells what the paper does; what
others did, what it is unlike, what only serves as an example is named in passing. All of it is told
by plain words, looked up by form, for all texts at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from sitegen.concepts import Floats, Rows, TagWeights
from sitegen.languages import data_lines
from sitegen.text_words import Integers
from sitegen.word_columns import WordColumns, bracketed
from sitegen.wording import fold, single, word_pieces

Flags = npt.NDArray[np.bool_]

_NEAR = 12
"""Words that an example or a contrast reaches over, at most."""
_FAR = 24
"""Words that a verb of doing reaches over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """For each word of the columns; a concept takes what is best among its places."""

    deed: Flags
    """Whether it tells what the paper does: behind a verb of proposing or studying, and its own."""
    passing: Flags
    """Whether it is only an example, a contrast, what others did, or where the code is."""
    background: Flags
    """Whether its sentence comes before the first one that speaks of the paper itself."""
    opening: Flags
    """Whether it stands in the first sentence."""
    bracketed: Flags


def read_roles(columns: WordColumns) -> Roles:
    """Tell of each word how it stands."""
    numbers = {form: at for at, form in enumerate(columns.forms)}
    marks = {kind: _marked(columns, numbers, cues) for kind, cues in _cues().items()}
    sentence = columns.sentence
    own = _anywhere(marks["own"], sentence)
    passing = (
        _behind(marks["example"], sentence, _NEAR)
        | _behind(marks["contrast"], columns.run_end, _NEAR)
        | _anywhere(marks["release"], sentence)
    )
    firsts = np.flatnonzero(own)
    texts = len(columns.first) - 1
    owners = np.repeat(np.arange(texts), np.diff(columns.first))
    begins = np.full(texts, -1)
    begins[owners[firsts[::-1]]] = firsts[::-1]
    openings = np.full(texts, -1)
    openings[owners[::-1]] = sentence[::-1]
    return Roles(
        deed=own & _behind(marks["deed"], sentence, _FAR) & ~passing,
        passing=passing,
        background=np.arange(len(own)) < begins[owners],
        opening=sentence == openings[owners],
        bracketed=bracketed(columns),
    )


def weigh_roles(rows: Rows, roles: Roles, weights: TagWeights) -> Floats:
    """Return what the places of each row add to its score."""
    row = np.repeat(np.arange(len(rows.text)), np.diff(rows.first))

    def any_place(flags: Flags) -> Flags:
        return np.bincount(row, flags, minlength=len(rows.text)) > 0

    # A phrase of the paper's own making is hardly ever said in passing only.
    in_passing = ~any_place(~roles.passing[rows.starts]) & (rows.term >= 0)
    deed = any_place(roles.deed[rows.starts])
    once = ~deed & (rows.term < 0) & (np.diff(rows.first) == 1)
    added: Floats = (
        np.where(deed, weights.deed, 0.0)
        + np.where(once, weights.once, 0.0)
        + np.where(any_place(roles.opening[rows.starts]), weights.opening, 0.0)
        + np.where(any_place(~roles.bracketed[rows.starts]), 0.0, weights.bracketed)
        + np.where(any_place(~roles.background[rows.starts]), 0.0, weights.background)
        + np.where(in_passing, weights.passing, 0.0)
    )
    return added


@cache
def _cues() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Return the folded words of each cue, by kind."""
    cues: dict[str, tuple[tuple[str, ...], ...]] = {}
    for line in data_lines("role_cues.txt"):
        kind, _, phrases = line.partition(":")
        folded = (tuple(map(fold, phrase.split())) for phrase in phrases.split(","))
        cues[kind] = (*cues.get(kind, ()), *folded)
    return cues


def _marked(
    columns: WordColumns, numbers: Mapping[str, int], cues: Sequence[tuple[str, ...]]
) -> Flags:
    """Return the last word of each place where a cue stands."""
    form, sentence = columns.form, columns.sentence
    lasts = np.zeros(len(columns.forms), np.bool_)
    longer = []
    for words in cues:
        known = [numbers.get(word, -1) for word in words]
        if min(known) < 0:
            continue
        if len(known) == 1:
            lasts[known] = True
        else:
            longer.append(known)
    found: Flags = lasts[form]
    ends = np.zeros(len(columns.forms), np.bool_)
    ends[[cue[-1] for cue in longer]] = True
    at = np.flatnonzero(ends[form])
    for cue in longer:
        here = at[at >= len(cue) - 1]
        here = here[sentence[here - len(cue) + 1] == sentence[here]]
        for back, word in enumerate(reversed(cue)):
            here = here[form[here - back] == word]
        found[here] = True
    return found


def _anywhere(marks: Flags, group: npt.NDArray[np.int32]) -> Flags:
    """Return the words of the groups that hold a mark; groups count up."""
    held = np.zeros(int(group.max(initial=0)) + 1, np.bool_)
    held[group[marks]] = True
    return held[group]


def _behind(marks: Flags, group: Integers | npt.NDArray[np.int32], reach: int) -> Flags:
    """Return the words behind a mark of their group, not too far from the last one."""
    places = np.arange(len(marks))
    last = np.maximum.accumulate(np.where(marks, places, -1))
    before = np.concatenate(([-1], last))[:-1]
    behind: Flags = (before >= 0) & (group[before] == group) & (places - before <= reach)
    return behind


def in_headlines(rows: Rows, columns: WordColumns, headlines: Sequence[str]) -> Flags:
    """Tell of each row whether its text's headline holds all words of one of its places."""
    found = np.zeros(len(rows.text), np.bool_)
    numbers = {form: at for at, form in enumerate(columns.forms)}
    shared, every = columns.short_forms.shared, columns.short_forms.own
    texts: list[int] = []
    forms: list[int] = []
    for text, headline in enumerate(headlines):
        own = every[text]
        for word in word_pieces(headline)[1::2]:
            short = single(word)
            form = numbers.get(own.get(short) or shared.get(short) or fold(word))
            if form is not None:
                texts.append(text)
                forms.append(form)
    size = len(columns.forms)
    held_by_any = np.zeros(size, np.bool_)
    held_by_any[forms] = True
    at = np.flatnonzero(held_by_any[columns.form])
    codes = np.array(texts, np.int64) * size + np.array(forms, np.int64)
    here = np.zeros(len(columns.form), np.bool_)
    here[at] = np.isin(columns.owners(at) * size + columns.form[at], codes)
    held = np.concatenate(([0], np.cumsum(here)))
    whole = held[rows.ends] - held[rows.starts] == rows.ends - rows.starts
    found[np.repeat(np.arange(len(rows.text)), np.diff(rows.first))[whole]] = True
    return found
