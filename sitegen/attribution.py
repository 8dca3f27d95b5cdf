"""Which of the records that resemble a paper is its own; rather none than a wrong one; pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sitegen.diagnostics import Location, Problem, note
from sitegen.matching import Likeness
from sitegen.records import Metadata
from sitegen.references import Reference, fill
from sitegen.shingles import words

CLEAR = 0.05
"""By how much a record must be liker than any other one with another title."""
MOST_DOUBTS = 50
"""Papers listed whose text a record nearly has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A record that resembles a paper."""

    paper: str
    """The paper's id."""
    text: str
    """Fingerprint of that text of the paper's which the record resembles."""
    likeness: Likeness
    metadata: Metadata
    """What the record says; its ``reference`` names the file."""
    place: Location
    """Where the record stands."""


def attribute(
    candidates: Iterable[Candidate],
) -> tuple[tuple[Reference, ...], tuple[Problem, ...]]:
    """Choose each paper's record.

    A record must be clearly liker than others with another title, and the paper liker to it than
    other papers: of two works that share a text, the later one may be the only one we have.

    Args:
        candidates: in the order in which the references were read.

    Returns:
        what was found, by paper; a note for each paper with two equal records, and for the papers
        that nearly match one.
    """
    by_paper: dict[str, list[Candidate]] = defaultdict(list)
    best_claim: dict[Location, float] = defaultdict(float)
    for one in candidates:
        by_paper[one.paper].append(one)
        if one.likeness.same:
            best_claim[one.place] = max(best_claim[one.place], _strength(one))
    found: list[Reference] = []
    problems: list[Problem] = []
    doubts: list[Candidate] = []
    for _, several in sorted(by_paper.items()):
        several.sort(key=lambda one: -_strength(one))  # stable: what was read first stays first
        good = [
            one
            for one in several
            if one.likeness.same and _strength(one) >= best_claim[one.place] - CLEAR
        ]
        if not good:
            doubts.append(several[0])
        elif rival := _rival(good):
            problems.append(_undecided(good[0], rival))
        else:
            found.append(_reference(good))
    doubts.sort(key=lambda one: (-_strength(one), one.paper))
    problems += [_doubt(one) for one in doubts[:MOST_DOUBTS]]
    return tuple(found), tuple(problems)


def _strength(one: Candidate) -> float:
    """Order candidates: identifiers first, then how much of either text stands in the other."""
    likeness = one.likeness
    return 2 * likeness.named + (likeness.shared + likeness.cover) / 2 + likeness.course / 1000


def _rival(good: Sequence[Candidate]) -> Candidate | None:
    """Return a record with another title that is as good as the first one."""
    title = words(good[0].metadata.title)
    return next(
        (
            one
            for one in good[1:]
            if _strength(one) > _strength(good[0]) - CLEAR and words(one.metadata.title) != title
        ),
        None,
    )


def _reference(good: Sequence[Candidate]) -> Reference:
    """Return the first record, what it leaves open taken from others with its title."""
    best = good[0]
    metadata = best.metadata
    for other in good[1:]:
        if words(other.metadata.title) == words(metadata.title):
            metadata = fill(metadata, other.metadata)
    return Reference(
        paper=best.paper,
        text=best.text,
        metadata=metadata,
        shared=1.0 if best.likeness.named else best.likeness.shared,
    )


def _undecided(best: Candidate, rival: Candidate) -> Problem:
    return note(
        "reference-ambiguous",
        f"paper {best.paper} has the text of {_named(best)} and of {_named(rival)}; "
        "neither was taken",
        best.place,
        f"give the right one's title or arxiv in content/papers/{best.paper}.md",
    )


def _doubt(one: Candidate) -> Problem:
    return note(
        "reference-doubt",
        f"paper {one.paper} shares {round(100 * one.likeness.shared)} % of its text with "
        f"{_named(one)}, too little to be the same",
        one.place,
        f"if it is, give its title or arxiv in content/papers/{one.paper}.md",
    )


def _named(one: Candidate) -> str:
    identifier = one.metadata.arxiv or one.metadata.doi
    return f"“{one.metadata.title}”" + (f" ({identifier})" if identifier else "")
