"""Pairs of texts for the curator to tell apart or to join."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sitegen.diagnostics import Location, SitegenError, error
from sitegen.digest import Gathered
from sitegen.records import Copy, Group, Place, Restored
from sitegen.shingles import fingerprint, known_by


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewText:
    """One text of a pair."""

    mark: str
    """Its fingerprint."""
    paper: str
    """Id of the page that shows it."""
    own: str
    """Id of the page it has, or had before it was merged; empty where it never had one."""
    place: Place
    title: str
    """The source's; empty where it has none."""
    text: str

    def to_json(self) -> dict[str, Any]:
        """Return the text as plain data."""
        return {
            "fingerprint": self.mark,
            "paper": self.paper,
            "own_paper": self.own,
            "file": self.place.file,
            "position": self.place.position,
            "line": self.place.line,
            "edition": self.place.edition,
            "title": self.title,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPair:
    """Two texts with what speaks for their being one paper."""

    left: ReviewText
    right: ReviewText
    kind: str
    """Of the doubt, or of the merge."""
    score: float
    evidence: tuple[str, ...]
    merged: bool
    """Whether they are one page now."""

    def to_json(self) -> dict[str, Any]:
        """Return the pair as plain data."""
        return {
            "left": self.left.to_json(),
            "right": self.right.to_json(),
            "kind": self.kind,
            "score": self.score,
            "evidence": list(self.evidence),
            "merged": self.merged,
        }


class Pairs:
    """All texts of a digest, and those of them that are or may be one paper."""

    def __init__(self, gathered: Gathered) -> None:
        self._gathered = gathered
        self._owners: dict[str, str] = {}
        entries = gathered.registry.of_kind("paper")
        for entry in entries:
            self._owners.update(dict.fromkeys(entry.texts, entry.id))
        # who was first seen with a text owns it, not who took it in
        self._owners.update({entry.fingerprint: entry.id for entry in entries})
        self._papers = {place: paper.id for paper in gathered.papers for place in paper.places}
        self._texts: dict[Place, ReviewText] = {}
        for group in gathered.groups:
            for restored in (group.main, *(copy.restored for copy in group.copies)):
                self._texts[restored.abstract.place] = self._text(restored, group)

    def doubtful(self) -> tuple[ReviewPair, ...]:
        """Return the pairs that are published apart and wait for an answer, likeliest first."""
        return tuple(
            ReviewPair(
                left=self._texts[doubt.left],
                right=self._texts[doubt.right],
                kind=doubt.kind,
                score=doubt.score,
                evidence=doubt.evidence,
                merged=False,
            )
            for doubt in self._gathered.doubts
        )

    def merged(self) -> tuple[ReviewPair, ...]:
        """Return each text that was merged with another one, unlikeliest first."""
        pairs = [
            self._merged(group, copy)
            for group in self._gathered.groups
            for copy in _different(group)
        ]
        return tuple(sorted(pairs, key=lambda pair: (pair.score, pair.left.paper, pair.right.mark)))

    def find(self, left: str, right: str) -> tuple[ReviewText, ReviewText]:
        """Return the two texts that names mean.

        Args:
            left: a paper's id, its former id, or a text's fingerprint, or the beginning of one.
            right: another.

        Raises:
            SitegenError: a name means no text or several, or both mean the same.
        """
        one, two = self._named(left), self._named(right)
        if one.mark == two.mark:
            text = f"{left} and {right} are the same text"
            hint = "sitegen review --merged --list shows the fingerprint of each merged text"
            raise SitegenError(error("review-same-text", text, Location("review"), hint))
        return one, two

    def _named(self, name: str) -> ReviewText:
        mains = {group.main.abstract.place for group in self._gathered.groups}
        ways: tuple[Callable[[ReviewText], str], ...] = (
            lambda text: text.paper if text.place in mains else "",
            lambda text: text.own,
            lambda text: text.mark,
        )
        wanted = name.strip().lower()
        for way in ways:
            found = {text.mark: text for text in self._texts.values() if way(text) == wanted}
            found = found or {
                text.mark: text for text in self._texts.values() if way(text).startswith(wanted)
            }
            if wanted and len(found) == 1:
                return next(iter(found.values()))
            if wanted and found:
                text = f"{len(found)} texts are called {name}…"
                raise SitegenError(_unknown(text))
        raise SitegenError(_unknown(f"no text is called {name!r}"))

    def _merged(self, group: Group, copy: Copy) -> ReviewPair:
        return ReviewPair(
            left=self._texts[group.main.abstract.place],
            right=self._texts[copy.restored.abstract.place],
            kind=copy.kind,
            score=copy.score,
            evidence=(),
            merged=True,
        )

    def _text(self, restored: Restored, group: Group) -> ReviewText:
        abstract = restored.abstract
        mark = fingerprint(known_by(abstract))
        paper = self._papers[group.main.abstract.place]
        return ReviewText(
            mark=mark,
            paper=paper,
            own=self._owners.get(mark, paper if restored is group.main else ""),
            place=abstract.place,
            title=restored.title.text if restored.title else "",
            text=restored.prose.text,
        )


def _different(group: Group) -> list[Copy]:
    """Return one copy for each text of other words than the main one."""
    found: dict[str, Copy] = {}
    main = fingerprint(known_by(group.main.abstract))
    for copy in group.copies:
        mark = fingerprint(known_by(copy.restored.abstract))
        if mark != main:
            found.setdefault(mark, copy)
    return list(found.values())


def _unknown(text: str) -> Any:
    hint = "name a paper's id or a text's fingerprint; sitegen review --list shows both"
    return error("review-unknown", text, Location("review"), hint)
