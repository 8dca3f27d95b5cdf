"""Which abstracts are one paper, and the evidence.

Two texts are one paper where the curator says so, where they carry the same arXiv id or DOI, where
their words are equal, where the shorter one shares enough of its 3-shingles with the longer one, or
where their titles and authors are the same. Texts of fewer than nine words are never joined by what
they say: notices are no evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from textwrap import shorten
from typing import TYPE_CHECKING

from sitegen.clusters import Clusters, Verdicts
from sitegen.diagnostics import Location, Problem, warning
from sitegen.likeness import CUT, SAMPLE, TINY, Likeness, Text, prepare
from sitegen.namesakes import Namesake, find_namesakes
from sitegen.overlap import Near, containment, kin_pairs, passages
from sitegen.records import Copy, Decision, Doubt, Group, MergeKind, Restored, SourceCount
from sitegen.shingles import Prints, surfaces

if TYPE_CHECKING:
    from sitegen.config import DedupOptions

KIN_SHARE = 0.15
"""Share of words in phrases that only two texts hold, from which on they may be one work."""
KIN_WORDS = 12
TITLE_ALONE = 0.12
"""Share of 3-shingles below which no likeness has joined two texts (see `config`)."""
MOST_DOUBTS = 500
"""Overlaps that are listed; a digest with more of them needs other thresholds, no longer list."""
_KINDS = ("overlap", "title", "names")
"""Kinds of doubts, strongest first."""
_EVIDENCE = 5
_PLACE = attrgetter("file", "position", "line", "edition", "date")
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


def group_papers(
    restored: Sequence[Restored],
    *,
    decisions: Sequence[Decision],
    options: DedupOptions,
    prints: Prints | None = None,
) -> Grouping:
    """Find which abstracts are one paper.

    Args:
        restored: all abstracts, in any order.
        decisions: the curator's answers; they go before all evidence.
        options: thresholds on containment.
        prints: of texts; what it lacks is added.

    Returns:
        groups and doubts; the same for every order of the input.
    """
    prints = Prints() if prints is None else prints
    read = [prepare(one, prints) for one in restored]
    read.sort(key=lambda text: (*_PLACE(text.place), text.mark, text.restored.abstract.text))
    verdicts = Verdicts(decisions)
    likeness = Likeness(read, options)
    clusters = Clusters(
        [text.mark for text in read], [text.metadata.arxiv for text in read], verdicts, likeness
    )
    for pair in likeness.pairs:
        if likeness.same(pair):
            clusters.join(pair.left, pair.right)
    for left, right in _forced(read, verdicts):
        clusters.join(left, right, forced=True)
    namesakes = find_namesakes(read)
    for name in namesakes:
        if name.same:
            clusters.join(name.left, name.right)
    sets = clusters.sets()
    mains = {clusters.key(members[0]): _main(read, members) for members in sets}
    pairs = _open_pairs(likeness.pairs, clusters, mains)
    doubts = [_overlap(read, *pair) for pair in pairs[:MOST_DOUBTS]]
    doubts += _title_doubts(read, namesakes, clusters, mains, doubts)
    doubts += _kin_doubts(read, sorted(mains.values()), clusters, doubts)
    doubts.sort(key=lambda doubt: (_KINDS.index(doubt.kind), -doubt.score, doubt.left, doubt.right))
    problems = [_conflict(decision) for decision in verdicts.conflicts]
    if len(pairs) > MOST_DOUBTS:
        problems.append(_too_many(len(pairs)))
    return Grouping(
        groups=tuple(
            _group(read, mains[clusters.key(members[0])], members, verdicts) for members in sets
        ),
        doubts=tuple(doubts),
        problems=tuple(problems),
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


def _forced(read: Sequence[Text], verdicts: Verdicts) -> list[tuple[int, int]]:
    """Return pairs that the curator or their identifiers call one paper."""
    links = []
    keys: tuple[Callable[[Text], str], ...] = (
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
def _main(read: Sequence[Text], members: Sequence[int]) -> int:
    """Choose the text to show: newest version, whole, undamaged, earliest."""
    if len(members) == 1:
        return members[0]
    longest = max(read[at].size for at in members)

    def rank(at: int) -> tuple[object, ...]:
        text = read[at].shown
        place = read[at].place
        return (
            not read[at].size,
            -read[at].metadata.version,
            read[at].size < CUT * longest,
            2 * sum(map(str.isupper, text)) > sum(map(str.isalpha, text)),
            sum(text.count(char) for char in "\\{}$\ufffd"),
            not place.date,
            place.date,
            at,
        )

    return min(members, key=rank)


def _group(read: Sequence[Text], main: int, members: Sequence[int], verdicts: Verdicts) -> Group:
    return Group(
        main=read[main].restored,
        copies=tuple(_copy(read, main, at, members, verdicts) for at in members if at != main),
    )


def _copy(
    read: Sequence[Text], main: int, at: int, members: Sequence[int], verdicts: Verdicts
) -> Copy:
    """Say why a text is the same paper as its group's main one."""
    one, two = read[main], read[at]
    kind: MergeKind = "near"
    score = 1.0
    words = one.restored.abstract.text.split()
    if words == two.restored.abstract.text.split() and one.mark == two.mark:
        kind = "exact"
    elif verdicts.told(one.mark) and verdicts.root(one.mark) == verdicts.root(two.mark):
        kind = "decision"
    else:
        others = [main, *(other for other in members if other not in {at, main})]
        kind, score = _likest([read[other] for other in others], two)
    return Copy(restored=two.restored, kind=kind, score=round(score, 3))


def _likest(others: Sequence[Text], two: Text) -> tuple[MergeKind, float]:
    """Say why a text is the same paper as others, the first of which is shown."""
    meta = two.metadata
    doi = meta.doi.casefold()
    if meta.arxiv and any(other.metadata.arxiv == meta.arxiv for other in others):
        return "arxiv", 1.0
    if doi and any(other.metadata.doi.casefold() == doi for other in others):
        return "doi", 1.0
    score = max(containment(other.tokens, two.tokens) for other in others[:SAMPLE])
    if score < TITLE_ALONE and two.restored.title:
        return "title", 1.0
    return "near", score


# ---- doubts -------------------------------------------------------------------------------------
def _open_pairs(
    near: Iterable[Near], clusters: Clusters, mains: Mapping[int, int]
) -> list[tuple[Near, int, int]]:
    """Return the strongest overlap of each two groups, with their main texts; strongest first."""
    found: dict[tuple[int, int], Near] = {}
    for pair in near:
        keys = clusters.key(pair.left), clusters.key(pair.right)
        left, right = sorted(mains[key] for key in keys)
        if left != right and (left, right) not in found and not clusters.apart(left, right):
            found[left, right] = pair
    return [(pair, left, right) for (left, right), pair in found.items()]


def _overlap(read: Sequence[Text], pair: Near, left: int, right: int) -> Doubt:
    spans = passages(read[pair.left].tokens, read[pair.right].tokens)
    return Doubt(
        left=read[left].place,
        right=read[right].place,
        kind="overlap",
        score=round(pair.containment, 3),
        evidence=_phrases(read[pair.left], spans),
    )


def _title_doubts(
    read: Sequence[Text],
    namesakes: Iterable[Namesake],
    clusters: Clusters,
    mains: Mapping[int, int],
    known: Iterable[Doubt],
) -> list[Doubt]:
    """Return a doubt for each two groups with close titles, or equal ones that did not do."""
    listed = {(doubt.left, doubt.right) for doubt in known}
    doubts: list[Doubt] = []
    for name in namesakes:
        left, right = sorted(mains[clusters.key(at)] for at in (name.left, name.right))
        places = read[left].place, read[right].place
        if left == right or places in listed or clusters.apart(left, right):
            continue
        listed.add(places)
        titles = (read[at].restored.title for at in (name.left, name.right))
        shown = dict.fromkeys(title.text for title in titles if title)
        evidence = tuple(shorten(each, _EVIDENCE_LENGTH, placeholder=" …") for each in shown)
        doubts.append(
            Doubt(
                left=places[0], right=places[1], kind="title", score=name.score, evidence=evidence
            )
        )
    return doubts[:MOST_DOUBTS]


def _kin_doubts(
    read: Sequence[Text], mains: Sequence[int], clusters: Clusters, known: Iterable[Doubt]
) -> list[Doubt]:
    """Return a doubt for each two groups that share names and phrases found nowhere else."""
    listed = {(doubt.left, doubt.right) for doubt in known}
    shown = [at for at in mains if read[at].size >= TINY]
    # "Nowhere else" says less in a digest of few papers.
    least = KIN_SHARE + 0.3 / max(len(shown), 1)
    pairs = kin_pairs([read[at].words for at in shown], least=least, least_words=KIN_WORDS)
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


def _phrases(text: Text, spans: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """Write the longest stretches of a text's words as they stand there."""
    forms = surfaces(text.shown)
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


def _too_many(count: int) -> Problem:
    return warning(
        "doubts-many",
        f"{count:,} pairs of papers overlap; the {MOST_DOUBTS} strongest are listed",
        Location("content/site.toml"),
        "raise propose in [dedup]",
    )
