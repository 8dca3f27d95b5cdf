"""Which abstracts are one paper, and the evidence.

Two texts are one paper where the curator says so, where they carry the same arXiv id or DOI, where
their words are equal, or where the shorter one shares enough of its 3-shingles with the longer
one (tagging measurements: different papers share at most 0.11, mangled copies 0.5 and more).
Texts below `TINY` words are never joined by what they say: notices are no evidence.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import median
from textwrap import shorten
from typing import TYPE_CHECKING

from sitegen.clusters import Clusters, Verdicts
from sitegen.diagnostics import Location, Problem, warning
from sitegen.overlap import Near, aligned, containment, kin_pairs, near_pairs, passages
from sitegen.records import (
    Copy,
    Decision,
    Doubt,
    Group,
    MergeKind,
    Metadata,
    Place,
    Restored,
    SourceCount,
)
from sitegen.shingles import SIZE, Hasher, fingerprint, surfaces, words

if TYPE_CHECKING:
    from sitegen.config import DedupOptions

TINY = 9
"""Fewest words that equal texts must have to be one paper: "This paper has been withdrawn by the
author" has eight."""
SHORT = 24
"""Below so many words a text must stand nearly whole in the other, `WHOLE` of it."""
WHOLE = 0.8
SUBSTANTIAL = 40
"""Words from which on a text must itself resemble every text it is joined with by way of others."""
REWORDED = 0.60
"""Aligned words from which on a doubtful overlap is an edited copy: edits of every fourth word
leave 0.7 and more; works by the same authors reach 0.54."""
AKIN = 0.45
"""Aligned words two edited copies of one text still have; unrelated abstracts stay below 0.38."""
KIN_SHARE = 0.15
"""Share of words in phrases that only two texts hold, from which on they may be one work."""
KIN_WORDS = 12
_LEAST_SHINGLES = 8
_CUT = 0.85
_LONG = 1.4
_PARTS = 8
_EVIDENCE = 5
_EVIDENCE_LENGTH = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """What `group_papers` found."""

    groups: tuple[Group, ...]
    """One a paper, in the order of their first places."""
    doubts: tuple[Doubt, ...]
    """Pairs of groups for the curator, strongest first; places are those of the main texts."""
    problems: tuple[Problem, ...] = ()
    """Decisions that contradict each other."""


@dataclass(frozen=True, slots=True)
class _Text:
    """One abstract prepared for comparison."""

    restored: Restored
    mark: str
    """Fingerprint of the abstract as read."""
    tokens: list[str]
    """Words of the text shown."""

    @property
    def place(self) -> Place:
        return self.restored.abstract.place

    @property
    def metadata(self) -> Metadata:
        return self.restored.abstract.metadata


def group_papers(
    restored: Sequence[Restored], *, decisions: Sequence[Decision], options: DedupOptions
) -> Grouping:
    """Find which abstracts are one paper.

    Args:
        restored: all abstracts, in any order.
        decisions: the curator's answers; they go before all evidence.
        options: thresholds on containment.

    Returns:
        groups and doubts; the same for every order of the input.
    """
    read = [_prepare(one) for one in restored]
    read.sort(key=lambda text: (text.place, text.mark, text.restored.abstract.text))
    firsts: dict[str, int] = {}
    for at, text in enumerate(read):
        if len(text.tokens) >= TINY:
            firsts.setdefault(text.mark, at)
    verdicts = Verdicts(decisions)
    near = _near(read, sorted(firsts.values()), options.propose)
    likeness = _Likeness(read, firsts, near)
    clusters = Clusters(
        [text.mark for text in read],
        [text.metadata.arxiv for text in read],
        verdicts,
        likeness,
    )
    for at, text in enumerate(read):
        if firsts.get(text.mark, at) != at:
            near.append(Near(left=firsts[text.mark], right=at, containment=1.0))
    near.sort(key=lambda one: (-one.containment, one.left, one.right))
    undecided = likeness.undecided()
    for one in near:
        equal = read[one.left].mark == read[one.right].mark
        if equal or (_same(one, read, options) and undecided.isdisjoint({one.left, one.right})):
            clusters.join(one.left, one.right)
    for left, right in _forced(read, verdicts):
        clusters.join(left, right, forced=True)
    sets = clusters.sets()
    mains = {clusters.key(members[0]): _main(read, members) for members in sets}
    doubts = _overlap_doubts(read, near, clusters, mains)
    doubts += _kin_doubts(read, sorted(mains.values()), clusters, doubts)
    doubts.sort(key=lambda doubt: (doubt.kind != "overlap", -doubt.score, doubt.left, doubt.right))
    return Grouping(
        groups=tuple(
            _group(read, mains[clusters.key(members[0])], members, verdicts) for members in sets
        ),
        doubts=tuple(doubts),
        problems=tuple(_conflict(decision) for decision in verdicts.conflicts),
    )


def count_merged(counts: Iterable[SourceCount], groups: Iterable[Group]) -> tuple[SourceCount, ...]:
    """Move what was merged into other abstracts from kept to merged, file by file."""
    merged = Counter(copy.restored.abstract.place.file for group in groups for copy in group.copies)
    return tuple(
        replace(
            count,
            kept=count.kept + count.merged - merged[count.file],
            merged=merged[count.file],
        )
        for count in counts
    )


def _prepare(restored: Restored) -> _Text:
    source = restored.abstract.text
    return _Text(restored, fingerprint(source), words(_shown(restored)))


def _shown(restored: Restored) -> str:
    return restored.prose.text or restored.abstract.text


# ---- links --------------------------------------------------------------------------------------
def _near(read: Sequence[_Text], distinct: Sequence[int], least: float) -> list[Near]:
    """Return overlapping pairs among the distinct texts, by position in read."""
    hasher = Hasher()
    tokens = [read[at].tokens for at in distinct]
    pairs = near_pairs(tokens, [hasher.shingles(each) for each in tokens], least=least)
    return [
        replace(pair, left=distinct[pair.left], right=distinct[pair.right])
        for pair in pairs
        if pair.containment * (len(tokens[pair.left]) - SIZE + 1) >= _LEAST_SHINGLES
        and pair.containment * (len(tokens[pair.right]) - SIZE + 1) >= _LEAST_SHINGLES
    ]


class _Likeness:
    """Compares texts, by position in read, through the overlaps found."""

    def __init__(
        self, read: Sequence[_Text], firsts: Mapping[str, int], near: Iterable[Near]
    ) -> None:
        self._read = read
        self._firsts = firsts
        self._shared = {(pair.left, pair.right): pair.containment for pair in near}
        self._unlike: dict[tuple[int, int], bool] = {}
        self._usual = median([len(read[at].tokens) for at in firsts.values()] or [0])

    def unlike(self, left: int, right: int) -> bool:
        """Whether two substantial texts share neither passages nor their course."""
        key = self._key(left, right)
        if key[0] == key[1] or key in self._shared:
            return False
        if key not in self._unlike:
            one, two = (self._read[at].tokens for at in key)
            self._unlike[key] = min(len(one), len(two)) >= SUBSTANTIAL and aligned(one, two) < AKIN
        return self._unlike[key]

    def inside(self, part: int, whole: int) -> bool:
        """Whether part is shorter than whole and stands in it almost completely."""
        shorter = len(self._read[part].tokens) < _CUT * len(self._read[whole].tokens)
        return shorter and self._shared.get(self._key(part, whole), 0.0) >= WHOLE

    def undecided(self) -> set[int]:
        """Return texts that can't be told to be one paper with any they overlap.

        These are two complete, unrelated abstracts in a row (a lost line break), and a piece that
        stands in several unrelated abstracts (a notice).
        """
        parts: dict[int, list[int]] = defaultdict(list)
        wholes: dict[int, list[int]] = defaultdict(list)
        for left, right in self._shared:
            for part, whole in ((left, right), (right, left)):
                if self.inside(part, whole):
                    wholes[part].append(whole)
                    if _complete(self._read[part]):
                        parts[whole].append(part)
        together = {
            whole
            for whole, inner in parts.items()
            for one, two in combinations(sorted(inner)[:_PARTS], 2)
            if self.unlike(one, two) and self._make(one, two, whole)
        }
        notices = {
            part
            for part, outer in wholes.items()
            for one, two in combinations(sorted(outer)[:_PARTS], 2)
            if self.unlike(one, two)
        }
        return together | notices

    def _make(self, one: int, two: int, whole: int) -> bool:
        """Whether two texts make up a third, which is longer than most."""
        sizes = [len(self._read[at].tokens) for at in (one, two, whole)]
        return sizes[0] + sizes[1] >= WHOLE * sizes[2] and sizes[2] > _LONG * self._usual

    def _key(self, left: int, right: int) -> tuple[int, int]:
        one, two = (self._firsts.get(self._read[at].mark, at) for at in (left, right))
        return min(one, two), max(one, two)


def _complete(text: _Text) -> bool:
    """Whether a text begins and ends like a whole abstract."""
    shown = _shown(text.restored).strip()
    return shown[:1].isupper() and shown.endswith((".", "!", "?"))


def _same(pair: Near, read: Sequence[_Text], options: DedupOptions) -> bool:
    """Whether a pair's overlap alone makes it one paper."""
    one, two = read[pair.left].tokens, read[pair.right].tokens
    if min(len(one), len(two)) < SHORT:
        return pair.containment >= max(WHOLE, options.join)
    return pair.containment >= options.join or aligned(one, two) >= max(REWORDED, options.join)


def _forced(read: Sequence[_Text], verdicts: Verdicts) -> list[tuple[int, int]]:
    """Return pairs that the curator or their identifiers call one paper."""
    links = []
    keys: tuple[Callable[[_Text], str], ...] = (
        lambda text: verdicts.root(text.mark) if verdicts.told(text.mark) else "",
        lambda text: text.metadata.arxiv,
        lambda text: text.metadata.doi.casefold(),
    )
    for key in keys:
        firsts: dict[str, int] = {}
        for at, text in enumerate(read):
            if (value := key(text)) and firsts.setdefault(value, at) != at:
                links.append((firsts[value], at))
    return links


# ---- groups -------------------------------------------------------------------------------------
def _main(read: Sequence[_Text], members: Sequence[int]) -> int:
    """Choose the text to show: newest version, whole, undamaged, earliest."""
    longest = max(len(read[at].tokens) for at in members)

    def rank(at: int) -> tuple[object, ...]:
        text = _shown(read[at].restored)
        place = read[at].place
        return (
            -read[at].metadata.version,
            len(read[at].tokens) < _CUT * longest,
            2 * sum(map(str.isupper, text)) > sum(map(str.isalpha, text)),
            sum(text.count(char) for char in "\\{}$\ufffd"),
            not place.date,
            place.date,
            at,
        )

    return min(members, key=rank)


def _group(read: Sequence[_Text], main: int, members: Sequence[int], verdicts: Verdicts) -> Group:
    return Group(
        main=read[main].restored,
        copies=tuple(_copy(read, main, at, members, verdicts) for at in members if at != main),
    )


def _copy(
    read: Sequence[_Text], main: int, at: int, members: Sequence[int], verdicts: Verdicts
) -> Copy:
    """Say why a text is the same paper as its group's main one."""
    one, two = read[main], read[at]
    kind: MergeKind = "near"
    score = 1.0
    if one.restored.abstract.text.split() == two.restored.abstract.text.split():
        kind = "exact"
    elif verdicts.told(one.mark) and verdicts.root(one.mark) == verdicts.root(two.mark):
        kind = "decision"
    elif two.metadata.arxiv and one.metadata.arxiv == two.metadata.arxiv:
        kind = "arxiv"
    elif two.metadata.doi and one.metadata.doi.casefold() == two.metadata.doi.casefold():
        kind = "doi"
    else:
        others = [main, *(other for other in members if other not in {at, main})]
        score = max(containment(read[other].tokens, two.tokens) for other in others[:_PARTS])
    return Copy(restored=two.restored, kind=kind, score=round(score, 3))


# ---- doubts -------------------------------------------------------------------------------------
def _overlap_doubts(
    read: Sequence[_Text], near: Iterable[Near], clusters: Clusters, mains: Mapping[int, int]
) -> list[Doubt]:
    """Return one doubt for each two groups whose texts overlap, by their strongest pair."""
    doubts: dict[tuple[int, int], Doubt] = {}
    for pair in near:
        keys = clusters.key(pair.left), clusters.key(pair.right)
        left, right = sorted(mains[key] for key in keys)
        if keys[0] == keys[1] or (left, right) in doubts or clusters.apart(left, right):
            continue
        spans = passages(read[pair.left].tokens, read[pair.right].tokens)
        doubts[left, right] = Doubt(
            left=read[left].place,
            right=read[right].place,
            kind="overlap",
            score=round(pair.containment, 3),
            evidence=_phrases(read[pair.left], spans),
        )
    return list(doubts.values())


def _kin_doubts(
    read: Sequence[_Text], mains: Sequence[int], clusters: Clusters, known: Iterable[Doubt]
) -> list[Doubt]:
    """Return a doubt for each two groups that share names and phrases found nowhere else."""
    listed = {(doubt.left, doubt.right) for doubt in known}
    shown = [at for at in mains if len(read[at].tokens) >= TINY]
    hasher = Hasher()
    tokens = [read[at].tokens for at in shown]
    # "Nowhere else" says less in a digest of few papers.
    least = KIN_SHARE + 0.3 / max(len(shown), 1)
    pairs = kin_pairs(
        tokens, [hasher.words(each) for each in tokens], least=least, least_words=KIN_WORDS
    )
    doubts = []
    for pair in pairs:
        left, right = shown[pair.left], shown[pair.right]
        places = read[left].place, read[right].place
        if places not in listed and not clusters.apart(left, right):
            doubts.append(
                Doubt(
                    left=places[0],
                    right=places[1],
                    kind="names",
                    score=round(pair.share, 3),
                    evidence=_phrases(read[left], pair.spans),
                )
            )
    return doubts


def _phrases(text: _Text, spans: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """Write the longest stretches of a text's words as they stand there."""
    forms = surfaces(_shown(text.restored))
    phrases = (" ".join(forms[start:end]) for start, end in spans[:_EVIDENCE])
    return tuple(shorten(phrase, _EVIDENCE_LENGTH, placeholder=" …") for phrase in phrases)


def _conflict(decision: Decision) -> Problem:
    return warning(
        "decision-conflict",
        f"{decision.left} and {decision.right} are called the same, but other decisions say or "
        "imply that they differ; they stay apart",
        Location("content/decisions.toml"),
        "delete the answer that is wrong",
    )
