"""Topics for a digest whose curator wrote none: chosen among its shared tags.

A tag makes a good topic where enough papers carry it, few others cover them already, and they are
close in meaning ("machine translation", not "zero-shot learning"). Tags are taken one by one until
the papers are covered; related tags become phrases of the topic they mostly stand beside.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitegen.basis import basis
from sitegen.phrase_index import phrase_signature, phrase_words
from sitegen.records import Paper, Tagging, Topic, TopicChoice

FEWEST, MOST = 5, 30
"""Bounds of the number of topics."""
_BROAD = 0.15
"""A tag on more than this share of the papers tells too few of them apart; more in a small digest,
where 2 / sqrt(papers) is larger."""
_SIMILAR = 0.8
"""Two tags whose papers' mean vectors are this close make one topic."""
_BESIDE, _NEAR = 0.6, 0.5
"""A tag joins a topic where this share of its papers stands, its mean vector no farther off."""
_MARKDOWN = re.compile(r"([\\`*_\[\]<>&#])")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """A shared tag with the papers that carry it."""

    slug: str
    name: str
    forms: tuple[str, ...]
    """Its name and the forms it has in texts."""
    words: frozenset[str]
    """Of its name, folded."""
    papers: frozenset[int]
    strength: Mapping[int, float]
    """By paper, 1 for its first tag, less for later ones."""
    closeness: float
    """Mean cosine between two of its papers, less that between any two papers."""
    centre: npt.NDArray[np.float64]
    """Their mean direction."""


def discover_topics(
    papers: Sequence[Paper],
    taggings: Sequence[Tagging],
    vectors: npt.NDArray[np.floating],
) -> tuple[Topic, ...]:
    """Choose topics among the tags of a digest.

    Args:
        papers: n papers; their order does not matter.
        taggings: their tags, aligned.
        vectors: (n, d), aligned; rows of any length, zero allowed.

    Returns:
        5 to 30 topics, fewer where the tags do not give as many, largest first, as the digest's
        basis shows them. Slugs are those of the tags. A paper may fit none; see also `keep_filled`.
    """
    order = sorted(basis(papers).tolist(), key=lambda position: papers[position].id)
    taggings = [taggings[position] for position in order]
    groups = _groups(taggings, np.asarray(vectors, np.float64)[order])
    chosen = sorted(_cover(groups, len(order)), key=lambda group: (-len(group.papers), group.slug))
    companions = _companions(groups, chosen) if chosen else {}
    return tuple(
        _topic(group, companions[group.slug], number) for number, group in enumerate(chosen, 1)
    )


def keep_filled(topics: Iterable[Topic], choices: Iterable[TopicChoice]) -> tuple[Topic, ...]:
    """Return the topics that enough papers were put under first; the rest would be near empty."""
    choices = list(choices)
    count: dict[str, int] = {}
    for choice in choices:
        for score in choice.topics[:1]:
            count[score.slug] = count.get(score.slug, 0) + 1
    least = _least(len(choices))
    return tuple(topic for topic in topics if count.get(topic.slug, 0) >= least)


def _least(papers: int) -> int:
    """Return the fewest papers of a topic."""
    return 3 if papers >= 50 else 2


def _groups(taggings: Sequence[Tagging], vectors: npt.NDArray[np.float64]) -> list[_Group]:
    """Return the tags that could be topics, sorted by slug."""
    carriers: dict[str, dict[int, float]] = {}
    names: dict[str, str] = {}
    forms: dict[str, dict[str, None]] = {}
    for paper, tagging in enumerate(taggings):
        for rank, tag in enumerate(tag for tag in tagging.tags if tag.page):
            carriers.setdefault(tag.slug, {})[paper] = 1 / (1 + rank / 4)
            names.setdefault(tag.slug, tag.name)
            forms.setdefault(tag.slug, {}).update(dict.fromkeys((tag.name, *tag.surfaces)))
    unit = _centred(vectors)
    anywhere = _closeness(unit)
    groups = []
    for slug, strength in sorted(carriers.items()):
        rows = unit[sorted(strength)]
        groups.append(
            _Group(
                slug=slug,
                name=names[slug],
                forms=tuple(sorted(forms[slug])),
                words=frozenset(map(phrase_signature, phrase_words(names[slug]))),
                papers=frozenset(strength),
                strength=strength,
                closeness=_closeness(rows) - anywhere,
                centre=_direction(rows),
            )
        )
    return groups


def _cover(groups: Sequence[_Group], papers: int) -> list[_Group]:
    """Take groups greedily until nothing adds enough."""
    least = _least(papers)
    wanted = min(MOST, max(FEWEST, round(1.5 * math.sqrt(papers))))
    largest = max(_BROAD * papers, 2 * math.sqrt(papers), 2 * least)
    open_groups = [group for group in groups if least <= len(group.papers) <= largest]
    covered: dict[int, int] = {}
    chosen: list[_Group] = []
    while open_groups and len(chosen) < wanted:
        gains = [
            # a paper that is covered once is worth a little still, twice nothing
            sum(
                strength * (1.0, 0.25)[covered.get(paper, 0)]
                for paper, strength in group.strength.items()
                if covered.get(paper, 0) < 2
            )
            * max(group.closeness, 0.01)
            for group in open_groups
        ]
        best = min(
            range(len(gains)),
            key=lambda number: (-round(gains[number], 6), open_groups[number].slug),
        )
        group = open_groups.pop(best)
        chosen.append(group)
        for paper in group.papers:
            covered[paper] = covered.get(paper, 0) + 1
        open_groups = [other for other in open_groups if not _same(group, other)]
    return chosen


def _same(group: _Group, other: _Group) -> bool:
    """Tell whether a reader would take two tags for one topic."""
    shared = len(group.papers & other.papers)
    nested = group.words <= other.words or other.words <= group.words
    return (
        shared > 0.6 * min(len(group.papers), len(other.papers))
        or (nested and bool(group.words and other.words))
        or float(group.centre @ other.centre) > _SIMILAR
    )


def _companions(groups: Sequence[_Group], chosen: Sequence[_Group]) -> dict[str, list[_Group]]:
    """Return for each chosen group the smaller tags that mostly stand beside it, largest first."""
    beside: dict[str, list[_Group]] = {group.slug: [] for group in chosen}
    for other in sorted(groups, key=lambda group: (-len(group.papers), group.slug)):
        if other.slug in beside:
            continue
        shared = [(len(other.papers & group.papers), group.slug, group) for group in chosen]
        count, _, owner = max(shared, key=lambda row: row[:2])
        if (
            count >= max(2, _BESIDE * len(other.papers))
            and len(other.papers) <= len(owner.papers)
            and float(other.centre @ owner.centre) >= _NEAR
        ):
            beside[owner.slug].append(other)
    return beside


def _topic(group: _Group, companions: Sequence[_Group], number: int) -> Topic:
    body = f"Gathered automatically: papers on {_literal(group.name)}"
    if companions:
        body += f", with {_enumerate([_literal(other.name) for other in companions[:3]])}"
    return Topic(
        slug=group.slug,
        title=_headline(group.name),
        phrases=tuple(
            dict.fromkeys(form for member in (group, *companions) for form in member.forms)
        ),
        order=10 * number,
        body=f"{body}.",
    )


def _headline(name: str) -> str:
    """Give a tag its first capital, unless its capitals are its own (mRNA)."""
    return name if name[1:2].isupper() else name[:1].upper() + name[1:]


def _literal(name: str) -> str:
    """Return a name as Markdown that shows it letter by letter."""
    return _MARKDOWN.sub(r"\\\1", name)


def _enumerate(names: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


# ---- vectors ------------------------------------------------------------------------------------
def _centred(vectors: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Take away what all papers share, then scale to length one; zeros stay zeros."""
    rows = _unit(np.nan_to_num(vectors))
    known = np.abs(rows).sum(axis=1) > 0
    if known.any():
        rows[known] = _unit(rows[known] - rows[known].mean(axis=0))
    return rows


def _unit(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: npt.NDArray[np.float64] = rows / np.where(lengths > 1e-9, lengths, 1)
    return scaled


def _closeness(rows: npt.NDArray[np.float64]) -> float:
    """Return the mean cosine of all pairs of different rows; 0 for a single row."""
    count = len(rows)
    if count < 2:
        return 0.0
    return float(
        (np.square(rows.sum(axis=0)).sum() - np.square(rows).sum()) / (count * (count - 1))
    )


def _direction(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    direction: npt.NDArray[np.float64] = _unit(rows.sum(axis=0, keepdims=True))[0]
    return direction
