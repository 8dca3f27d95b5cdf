"""What ``content/papers/<id>.md`` says of a paper goes before what its sources say; pure."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sitegen.decisions import DECISIONS
from sitegen.diagnostics import Location, Problem, error, warning
from sitegen.records import Abstract, Decision, Naming, Override, Paper, Restored
from sitegen.registry import Registry
from sitegen.sources.identifiers import read_arxiv, read_doi
from sitegen.sources.people import parse_names

Restore = Callable[[Abstract], Restored]


def correct_papers(
    papers: Sequence[Paper], overrides: Mapping[str, Override], restore: Restore
) -> tuple[tuple[Paper, ...], tuple[Problem, ...]]:
    """Return the papers with the curator's titles, authors, dates, ids and addresses.

    Args:
        papers: as the sources know them.
        overrides: by paper id.
        restore: mends a title and names as those of the sources are mended.

    Returns:
        the papers in the same order, and an error for each identifier that is none.
    """
    problems: list[Problem] = []
    done = []
    for paper in papers:
        override = overrides.get(paper.id)
        changes = dict(_changes(override, problems)) if override else {}
        if changes and changes.get("arxiv", paper.metadata.arxiv) != paper.metadata.arxiv:
            changes["version"] = 0
        done.append(_corrected(paper, changes, restore) if changes else paper)
    return tuple(done), tuple(problems)


def curated_titles(
    papers: Sequence[Paper], namings: Sequence[Naming], overrides: Mapping[str, Override]
) -> tuple[Naming, ...]:
    """Mark the titles that the curator gave as theirs."""
    return tuple(
        replace(naming, title_source="curated")
        if (override := overrides.get(paper.id)) and override.title
        else naming
        for paper, naming in zip(papers, namings, strict=True)
    )


def check_targets(overrides: Mapping[str, Override], registry: Registry) -> Iterator[Problem]:
    """Yield a warning for each correction of a paper that is not, or no longer, there.

    Args:
        overrides: by paper id.
        registry: with this build's papers.
    """
    entries = {entry.id: entry for entry in registry.of_kind("paper")}
    for key, override in sorted(overrides.items()):
        entry = entries.get(key)
        place = Location(override.path)
        if entry is None:
            yield warning("paper-unknown", f"there is no paper {key}", place, _meant(key, entries))
        elif entry.state == "alias" and not override.same_as:
            text = f"paper {key} was merged: its address leads to {entry.target}"
            hint = "move what it says to the file of that paper"
            yield warning("paper-moved", text, place, hint)
        if override.same_as == key:
            text = "same_as: a paper cannot lead to itself"
            yield error("paper-unknown", text, place, "name the other paper's id")
        elif override.same_as and override.same_as not in entries:
            text = f"same_as: there is no paper {override.same_as}"
            yield error("paper-unknown", text, place, _meant(override.same_as, entries))


def check_answers(decisions: Iterable[Decision], registry: Registry) -> Iterator[Problem]:
    """Yield a warning for each side of an answer that no text and no paper ever had.

    Args:
        decisions: the curator's answers.
        registry: with this build's papers.
    """
    papers = registry.of_kind("paper")
    known = {mark for entry in papers for mark in (entry.id, entry.fingerprint, *entry.texts)}
    for decision in decisions:
        for mark, paper in (
            (decision.left, decision.left_paper), (decision.right, decision.right_paper)
        ):  # fmt: skip
            if mark not in known and paper not in known:
                text = f"no text is called {mark!r}: the answer is followed by nothing"
                hint = "sitegen review --list --merged shows the names; take the pair out otherwise"
                yield warning("decision-unknown", text, Location(DECISIONS, decision.line), hint)


def _meant(key: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(key, list(known), n=1, cutoff=0.7)
    meant = f"did you mean {close[0]}? " if close else ""
    return f"{meant}a paper's address ends in its id"


def _changes(override: Override, problems: list[Problem]) -> Iterator[tuple[str, Any]]:
    """Yield the fields of metadata that an override sets."""
    for key in ("title", "date", "url"):
        if value := getattr(override, key):
            yield key, value
    if override.authors is not None:
        people = parse_names(override.authors)
        yield "authors", people.authors
        yield "et_al", people.et_al
    if override.arxiv:
        identifier, version = read_arxiv(override.arxiv)
        if identifier:
            yield "arxiv", identifier
            yield "version", version
        else:
            problems.append(_no_identifier(override, "arxiv", override.arxiv, "2310.12340"))
    if override.doi:
        if doi := read_doi(override.doi):
            yield "doi", doi
        else:
            problems.append(_no_identifier(override, "doi", override.doi, "10.1000/xyz123"))


def _no_identifier(override: Override, key: str, value: str, sample: str) -> Problem:
    text = f"{key} cannot be {value!r}"
    return error("content-value", text, Location(override.path), f"give one like {sample}")


def _corrected(paper: Paper, changes: Mapping[str, Any], restore: Restore) -> Paper:
    metadata = replace(paper.metadata, **changes)
    abstract = Abstract(place=paper.places[0], text=paper.source_text, metadata=metadata)
    restored = restore(abstract)
    title = restored.title if "title" in changes else paper.title
    return replace(paper, title=title, metadata=restored.abstract.metadata)
