"""Tags: one vocabulary for a whole digest; pure.

A tag is a concept: all spellings that differ by case, plural, hyphen or a learned short form, and
all aliases of a curated term. Nothing is merged by stem or closeness in meaning: no threshold tells
a synonym ("pretraining corpus", "pretraining data") from a sibling (two kinds of pruning).

Each paper scores its concepts by itself, with fixed weights and without counts over the digest, so
that the tags of old papers stay when new ones come; the digest only decides which have a page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain

import numpy as np

from sitegen.basis import basis
from sitegen.concept_search import rank_concepts
from sitegen.concepts import (
    DEFAULT_WEIGHTS,
    Floors,
    Pinned,
    Ranked,
    TagWeights,
    is_odd,
    probability,
)
from sitegen.records import Keyword, Override, Paper, Tag, Tagging
from sitegen.standing import Standing, find_standing
from sitegen.subjects import subject_of
from sitegen.tag_choice import DEFAULT_LIMITS, TagLimits, allot
from sitegen.topicality import log_odds
from sitegen.vocabulary import Vocabulary
from sitegen.word_columns import WordColumns, read_columns
from sitegen.wording import Wording, fold, key_of, singular, split_words, word_pieces

_CLOSE = 40
"""Characters before a word that tell whether it opens a sentence."""


def choose_tags(
    papers: Sequence[Paper],
    keywords: Sequence[Sequence[Keyword]],
    *,
    vocabulary: Vocabulary,
    slugify: Callable[[str], str],
    overrides: Mapping[str, Override] | None = None,
    limits: TagLimits = DEFAULT_LIMITS,
    weights: TagWeights = DEFAULT_WEIGHTS,
    columns: WordColumns | None = None,
    introduced: Sequence[Sequence[str]] = (),
    headlines: Sequence[str] = (),
    standing: Standing | None = None,
) -> tuple[Tagging, ...]:
    """Choose the tags of every paper.

    Args:
        papers: all papers of the digest; their order does not matter.
        keywords: for each paper its ranked phrases; together they are the literal tags possible.
        vocabulary: curated terms.
        slugify: makes a slug of a tag's name.
        overrides: by paper id: pinned ``tags`` come first, ``not_tags`` never.
        limits: numbers and floors.
        weights: of the score.
        columns: words of the papers' texts, where they are known already.
        introduced: names of what each paper introduces, and their long forms; neither they nor
            parts of them are tags of that paper alone.
        headlines: of the papers; what stands there is what a paper is about.
        standing: what stands in the texts, where it is known already.

    Returns:
        for each paper its tags, pinned ones first, then best first. A tag has a page where two
        papers or more carry it.
    """
    overrides = overrides or {}
    columns = columns or read_columns([subject_of(paper) for paper in papers])
    edits = [
        _edit(overrides.get(paper.id), columns, text, vocabulary)
        for text, paper in enumerate(papers)
    ]
    floors = Floors(
        shared=log_odds(min(limits.floor, limits.own_floor, limits.least_floor)),
        single=log_odds(limits.own_floor),
        pinned={concept.key for edit in edits for concept in edit.pinned},
    )
    standing = standing or find_standing(
        columns, keywords, vocabulary, weights, headlines=headlines
    )
    found = rank_concepts(
        standing.placed(columns),
        columns,
        vocabulary,
        weights,
        floors=floors,
        early=basis(papers),
        closed={text: edit.closed for text, edit in enumerate(edits) if edit.closed},
    )
    pinned = [edit.pinned for edit in edits]
    own_names = [
        [frozenset(map(fold, word_pieces(name)[1::2])) for name in each] for each in introduced
    ]
    chosen = allot([paper.id for paper in papers], found, pinned, limits, own_names)
    carried = _carried(found, chosen, [own[: limits.most] for own in pinned], columns)
    names = _names(carried, columns, vocabulary, edits)
    slugs = _slugs(names, {term.key for term in vocabulary.terms}, slugify)
    carriers = Counter(one.key for own in carried for one in own)
    return tuple(
        Tagging(
            tags=tuple(
                [
                    Tag(
                        name=names[one.key],
                        slug=slugs[one.key],
                        score=one.score,
                        page=carriers[one.key] > 1,
                        surfaces=tuple(dict.fromkeys(one.forms)),
                    )
                    for one in own
                ]
            )
        )
        for own in carried
    )


# ---- choice ----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class _Edit:
    """What the curator says of one paper's tags."""

    pinned: tuple[Pinned, ...] = ()
    closed: frozenset[str] = frozenset()
    names: Mapping[str, str]
    """Names of pinned literal tags as the curator writes them, by key."""


def _edit(
    override: Override | None, columns: WordColumns, text: int, vocabulary: Vocabulary
) -> _Edit:
    if override is None:
        return _Edit(names={})
    wording = split_words(columns.texts[text], columns.short_forms.of(text))
    offset = int(columns.first[text])
    pinned: dict[str, Pinned] = {}
    names: dict[str, str] = {}
    for name in override.tags:
        concept = _pinned(name, wording, offset, vocabulary)
        if concept.key and concept.key not in pinned:
            pinned[concept.key] = concept
            if concept.term < 0:
                names[concept.key] = " ".join(name.split())
    blocked = {_pinned(name, wording, offset, vocabulary).key for name in override.not_tags}
    return _Edit(
        pinned=tuple(pinned.values()),
        closed=frozenset(blocked | set(pinned)),
        names=names,
    )


def _pinned(name: str, wording: Wording, offset: int, vocabulary: Vocabulary) -> Pinned:
    term = vocabulary.term_of(name)
    if term is not None:
        name = vocabulary.terms[term].name
    key = key_of(name) or "".join(name.split())
    return Pinned(
        key=key,
        words=frozenset(split_words(name).keys),
        spans=tuple((start + offset, end + offset) for start, end in wording.spans(key)),
        term=-1 if term is None else term,
    )


# ---- names and slugs -------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Carried:
    """A concept that a paper carries."""

    key: str
    score: float
    """Its probability, rounded."""
    term: int
    starts: Sequence[int]
    """First words of its places."""
    forms: Sequence[str]
    """What stands there."""


def _carried(
    found: Ranked,
    chosen: Sequence[Sequence[int]],
    pinned: Sequence[Sequence[Pinned]],
    columns: WordColumns,
) -> list[list[_Carried]]:
    """Return what each paper carries, pinned concepts first."""
    rows = np.fromiter(chain(*chosen), np.int64)
    places = found.places.where(rows)
    first, starts = places.first.tolist(), places.starts.tolist()
    forms = columns.cut(places.starts, places.ends)
    keys, terms = found.key[rows].tolist(), places.term.tolist()
    scores = found.score[rows].tolist()
    carried: list[list[_Carried]] = []
    row = 0
    for own, fixed in zip(chosen, pinned, strict=True):
        mine = []
        for one in fixed:
            begin, end = (np.array([span[at] for span in one.spans], np.int64) for at in (0, 1))
            mine.append(_Carried(one.key, 1.0, one.term, begin.tolist(), columns.cut(begin, end)))
        for at in range(row, row + len(own)):
            score = round(probability(scores[at]), 4)
            span = slice(first[at], first[at + 1])
            mine.append(_Carried(found.keys[keys[at]], score, terms[at], starts[span], forms[span]))
        row += len(own)
        carried.append(mine)
    return carried


def _names(
    carried: Sequence[Sequence[_Carried]],
    columns: WordColumns,
    vocabulary: Vocabulary,
    edits: Sequence[_Edit],
) -> dict[str, str]:
    """Return the display form of each key: the curated one, or the commonest in the digest."""
    names: dict[str, str] = {}
    spellings: dict[str, Counter[str]] = {}
    for text, own in enumerate(carried):
        for one in own:
            if one.term >= 0:
                names[one.key] = vocabulary.terms[one.term].name
                continue
            counts = spellings.setdefault(one.key, Counter())
            for start, form in zip(one.starts, one.forms, strict=True):
                counts[_mid_sentence(form, columns, text, start)] += 1
    for key, counts in spellings.items():
        if long := columns.short_forms.long_forms.get(key):
            names[key] = _commonest(_spelled_out(counts)) or long
        elif counts:
            names[key] = _commonest(counts)
    for edit in edits:
        for key, name in edit.names.items():
            names.setdefault(key, name)
    return names


def _spelled_out(counts: Counter[str]) -> Counter[str]:
    return Counter({form: n for form, n in counts.items() if " " in form or "-" in form})


def _commonest(counts: Counter[str]) -> str:
    return min(counts, key=lambda form: (-counts[form], _capitals(form), form), default="")


def _mid_sentence(surface: str, columns: WordColumns, text: int, start: int) -> str:
    """The surface as it would read inside a sentence."""
    if surface[0].islower():
        return surface
    begin = int(columns.start[start])
    opening = columns.texts[text][max(0, begin - _CLOSE) : begin].rstrip(" \"'(“‘*")
    first = columns.surfaces[columns.surface[start]]
    if (not opening or opening[-1] in ".!?:") and len(first) > 1 and not is_odd(surface):
        return surface[0].lower() + surface[1:]
    return surface


def _capitals(form: str) -> int:
    return sum(letter.isupper() for letter in form)


def _slugs(
    names: Mapping[str, str], fixed: Set[str], slugify: Callable[[str], str]
) -> dict[str, str]:
    """Return a slug for each key, no two alike.

    One made of a literal phrase has the singular of each word: which number is commoner in the
    digest may change with the next paper, a URL must not.
    """
    slugs: dict[str, str] = {}
    taken: set[str] = set()
    for key in sorted(names):
        base = slugify(names[key] if key in fixed else singular(names[key]))
        slug, number = base, 2
        while slug in taken:
            slug = f"{base}-{number}"
            number += 1
        taken.add(slug)
        slugs[key] = slug
    return slugs
