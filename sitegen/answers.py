"""Which of today's texts the curator's answers speak of, after typos were mended and versions came.

An answer names texts by fingerprints. The registry knows which paper a fingerprint belonged to, and
so which of today's texts are that paper's: later versions by their fingerprints or the paper's
identifiers, a text edited since the last build by the paper's sketch.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from sitegen.ids import holders, read_sketch
from sitegen.ledger import Entry, Registry
from sitegen.records import Abstract, Decision
from sitegen.registry import known_ids, recognised_from
from sitegen.shingles import Prints, known_by

MOST = 8
"""Texts of one paper that an answer is carried over to."""


def follow_answers(
    decisions: Sequence[Decision],
    abstracts: Iterable[Abstract],
    registry: Registry,
    prints: Prints | None = None,
) -> tuple[Decision, ...]:
    """Add to the curator's answers the same about later versions of the texts they name.

    Args:
        decisions: as written.
        abstracts: all of the digest, in any order.
        registry: as loaded, before this build's ids are given.
        prints: of texts; what it lacks is added.

    Returns:
        the answers, each followed by those that were added.
    """
    if not decisions:
        return ()
    named = {mark for one in decisions for mark in (one.left, one.right)}
    today = _Today(abstracts, named, Prints() if prints is None else prints)
    known = _Known(registry)
    sides = {(one.left, one.left_paper) for one in decisions}
    sides |= {(one.right, one.right_paper) for one in decisions}
    entries = {side: known.entry(*side) for side in sides}
    edited = _edited([entry for _, entry in sorted(entries.items()) if entry], today, known)
    followed: dict[Decision, None] = {}
    for decision in decisions:
        left = entries[decision.left, decision.left_paper]
        right = entries[decision.right, decision.right_paper]
        followed[decision] = None
        if left and left == right:
            continue  # the registry can't tell the two apart
        for one in today.versions(decision.left, left, edited):
            for two in today.versions(decision.right, right, edited):
                followed[replace(decision, left=one, right=two)] = None
    return tuple(followed)


class _Today:
    """The texts of this build."""

    def __init__(self, abstracts: Iterable[Abstract], named: Set[str], prints: Prints) -> None:
        self.texts: dict[str, str] = {}
        """By fingerprint."""
        self.prints = prints
        self.named = named
        """Fingerprints that some answer is about: these speak for themselves."""
        self._holders: dict[str, dict[str, None]] = defaultdict(dict)
        for abstract in sorted(abstracts, key=lambda one: one.place):
            text = known_by(abstract)
            mark = prints[text].mark
            self.texts.setdefault(mark, text)
            for each in known_ids(abstract.metadata, prints):
                self._holders[each][mark] = None

    def versions(self, mark: str, entry: Entry | None, edited: Mapping[str, str]) -> list[str]:
        """Return a mark and those of today's texts that are the same paper's."""
        if entry is None:
            return [mark]
        later = {other: None for other in (entry.fingerprint, *entry.texts) if other in self.texts}
        for each in entry.ids:
            later.update(self._holders.get(each, {}))
        if entry.id in edited:
            later[edited[entry.id]] = None
        return [mark, *[other for other in later if other not in self.named][:MOST]]


class _Known:
    """Registered papers by the marks of their texts."""

    def __init__(self, registry: Registry) -> None:
        papers = registry.of_kind("paper")
        self.by_id: Mapping[str, Entry] = {entry.id: entry for entry in papers}
        self.by_mark: dict[str, Entry] = {}
        # the paper that a text was first seen with goes before one it was merged into
        for entry in papers:
            for mark in entry.texts:
                self.by_mark.setdefault(mark, entry)
        self.by_mark.update({entry.fingerprint: entry for entry in papers})

    def entry(self, mark: str, paper: str) -> Entry | None:
        """Return the paper of a mark, else the one of an id."""
        return self.by_mark.get(mark) or self.by_id.get(paper)


def _edited(entries: Iterable[Entry], today: _Today, known: _Known) -> dict[str, str]:
    """Return, by paper, the mark of the text that one which is gone was edited into."""
    lost = {
        entry.id: entry
        for entry in entries
        if entry.sketch and today.texts.keys().isdisjoint({entry.fingerprint, *entry.texts})
    }
    if not lost:
        return {}
    marks = [mark for mark in today.texts if mark not in today.named and mark not in known.by_mark]
    texts = [(at, today.prints[today.texts[mark]].words) for at, mark in enumerate(marks)]
    sketched = {entry.id: read_sketch(entry.sketch) for entry in lost.values()}
    index = holders(texts, {value for values in sketched.values() for value in values})
    hits: list[tuple[float, str, str]] = []
    for entry in lost.values():
        values = sketched[entry.id]
        shared = Counter(marks[at] for value in values for at in index.get(value, ()))
        hits += [
            (-count / len(values), entry.id, mark)
            for mark, count in shared.items()
            if count / len(values) >= recognised_from(len(values))
        ]
    found: dict[str, str] = {}
    for _, paper, mark in sorted(hits):
        if paper not in found and mark not in found.values():
            found[paper] = mark
    return found
