"""The file ``content/references.jsonl``: what references said of papers whose sources are silent.

A header, then one line a paper, sorted. `sitegen enrich` writes it from metadata of any size; a
build reads nothing else. A line is found by the text it was found for, or by its paper's id where
that text was edited since.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sitegen.diagnostics import Location, Problem, error, note
from sitegen.matching import TINY
from sitegen.records import Abstract, Author, Metadata, Paper, Restored
from sitegen.shingles import fingerprint, words

REFERENCES = "content/references.jsonl"
FORMAT = 1
_CONFLICT = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
_TEXTS = ("title", "date", "arxiv", "doi", "venue", "url")
_RESTORE = f"bring back its last good version, e.g. git checkout -- {REFERENCES}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What a reference says of one paper."""

    paper: str
    """Id of the paper when it was found."""
    text: str
    """Fingerprint of the paper's text, as read, that it was found for."""
    metadata: Metadata
    """Title, authors, date, identifiers, venue, as the reference writes them; its ``reference`` is
    the file's name, its ``headline`` the derived one that the paper bore before."""
    shared: float
    """Evidence from 0 to 1: common runs of three words."""
    refused: bool = False
    """Whether the curator says that it is wrong: then it is never used, nor found again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """All that was found, sorted by paper and text."""

    entries: tuple[Reference, ...] = ()
    read: tuple[str, ...] = ()
    """What was looked through: paths of site.toml, and names of other files; sorted."""

    def by_text(self) -> dict[str, Reference]:
        """Return the entries by the fingerprint of our text."""
        return {entry.text: entry for entry in self.entries if not entry.refused}

    def by_paper(self) -> dict[str, Reference]:
        """Return the entries by the paper's id; the best one of several."""
        return _best(entry for entry in self.entries if not entry.refused)


def _best(entries: Iterable[Reference]) -> dict[str, Reference]:
    """Return the surest entry of each paper."""
    return {entry.paper: entry for entry in sorted(entries, key=lambda one: one.shared)}


def merge(known: References, found: Iterable[Reference], read: Iterable[str]) -> References:
    """Add what was found to what is known.

    A paper's entry is replaced by one that is at least as sure; what that leaves open stays. One
    that the curator refused is replaced by another record only.
    """
    entries = _best(known.entries)
    for entry in found:
        old = entries.get(entry.paper)
        if old is None:
            entries[entry.paper] = entry
            continue
        if old.refused:
            if words(old.metadata.title) != words(entry.metadata.title):
                entries[entry.paper] = entry
            continue
        better, other = (entry, old) if entry.shared >= old.shared else (old, entry)
        metadata = fill(better.metadata, other.metadata)
        # The first headline is the one that was published.
        headline = old.metadata.headline or entry.metadata.headline
        entries[entry.paper] = replace(better, metadata=replace(metadata, headline=headline))
    return References(
        entries=tuple(sorted(entries.values(), key=lambda one: (one.paper, one.text))),
        read=tuple(sorted({*known.read, *read})),
    )


def fill(known: Metadata, other: Metadata) -> Metadata:
    """Return metadata with what it leaves open taken from another; a date is made more exact."""
    gaps = {name: value for name in _TEXTS if not getattr(known, name)
            and (value := getattr(other, name))}  # fmt: skip
    if other.date.startswith(known.date) and other.date != known.date:
        gaps["date"] = other.date
    if other.authors and not known.authors:
        gaps |= {"authors": other.authors, "et_al": other.et_al}
    if "title" in gaps and not known.headline:
        gaps["headline"] = other.headline
    if gaps and not known.reference:
        gaps["reference"] = other.reference
    return replace(known, **gaps) if gaps else known


# ---- use ----------------------------------------------------------------------------------------
def complete_abstracts(
    abstracts: Sequence[Abstract], references: References
) -> tuple[Abstract, ...]:
    """Complete the metadata of abstracts that a reference was found for, by their texts.

    Texts too short to tell papers apart are left to `complete_papers`.
    """
    by_text = references.by_text()
    if not by_text:
        return tuple(abstracts)
    done = []
    for abstract in abstracts:
        entry = by_text.get(fingerprint(abstract.text))
        if entry and len(words(abstract.text)) < TINY:
            entry = None
        metadata = fill(abstract.metadata, entry.metadata) if entry else abstract.metadata
        done.append(replace(abstract, metadata=metadata) if entry else abstract)
    return tuple(done)


def complete_papers(
    papers: Sequence[Paper], references: References, restore: Callable[[Abstract], Restored]
) -> tuple[Paper, ...]:
    """Complete papers whose text was edited since a reference was found for it, by their ids.

    Args:
        papers: as the registry knows them.
        references: what was found.
        restore: mends a title and names as those of the sources are mended.
    """
    by_paper = references.by_paper()
    done = []
    for paper in papers:
        entry = by_paper.get(paper.id)
        metadata = fill(paper.metadata, entry.metadata) if entry else paper.metadata
        if metadata == paper.metadata:
            done.append(paper)
            continue
        restored = restore(
            Abstract(place=paper.places[0], text=paper.source_text, metadata=metadata)
        )
        done.append(
            replace(
                paper,
                title=paper.title or restored.title,
                metadata=restored.abstract.metadata,
            )
        )
    return tuple(done)


def unread(paths: Iterable[str], references: References) -> tuple[Problem, ...]:
    """Return a note for each reference of site.toml that was never looked through."""
    return tuple(
        note(
            "reference-unread",
            f"{path} was never looked through for titles",
            Location("content/site.toml"),
            "run sitegen enrich",
        )
        for path in paths
        if path not in references.read
    )


# ---- reading ------------------------------------------------------------------------------------
def load(path: Path) -> tuple[References, tuple[Problem, ...]]:
    """Read the file; a missing one is empty.

    Returns:
        the good lines, and an error for each other one.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return References(), ()
    except OSError as exc:
        text = f"cannot be read: {exc.strerror}"
        return References(), (error("references-unreadable", text, Location(REFERENCES)),)
    return parse(data)


def parse(data: bytes) -> tuple[References, tuple[Problem, ...]]:
    """Check the bytes of the file; see `load`."""
    entries: list[Reference] = []
    read: list[str] = []
    problems: list[Problem] = []
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        line = raw.strip()
        if not line:
            continue
        value = _parse_line(line)
        if isinstance(value, Reference):
            entries.append(value)
        elif isinstance(value, Problem):
            problems.append(replace(value, location=Location(REFERENCES, number)))
        else:
            read += value
    entries.sort(key=lambda entry: (entry.paper, entry.text))
    return References(entries=tuple(entries), read=tuple(sorted(set(read)))), tuple(problems)


def _parse_line(line: bytes) -> Reference | list[str] | Problem:
    """Return a line's entry, the header's list of files, or what is wrong."""
    nowhere = Location(REFERENCES)
    try:
        text = line.decode()
        if text.startswith(_CONFLICT):
            hint = "keep the lines of both sides, delete the conflict markers"
            return error("references-conflict", "a merge conflict was left in", nowhere, hint)
        data = json.loads(text)
    except (ValueError, RecursionError):
        what = "not a line of JSON in UTF-8, perhaps cut off"
        return error("references-syntax", what, nowhere, _RESTORE)
    if isinstance(data, dict) and data.get("kind") == "references":
        version, read = data.get("format"), data.get("read", [])
        if not isinstance(version, int) or version > FORMAT:
            what = f"written by a newer sitegen: format {version}, this one knows {FORMAT}"
            return error("references-format", what, nowhere, "update sitegen")
        return [name for name in read if isinstance(name, str)] if isinstance(read, list) else []
    return _entry(data) or error(
        "references-entry", "not an entry as sitegen writes them", nowhere, _RESTORE
    )


def _entry(data: object) -> Reference | None:
    """Return a line's entry, or None where a field is missing or out of its range."""
    if not isinstance(data, dict):
        return None
    texts = {name: data.get(name, "") for name in ("paper", "text", "from", "headline", *_TEXTS)}
    authors = [_author(value) for value in _listed(data.get("authors", []))]
    shared = data.get("shared", 1)
    good = (
        all(isinstance(value, str) for value in texts.values())
        and texts["paper"]
        and texts["text"]
        and None not in authors
        and isinstance(shared, int | float)
    )
    if not good:
        return None
    return Reference(
        paper=texts["paper"],
        text=texts["text"],
        shared=round(float(shared), 3),
        refused=data.get("refused") is True,
        metadata=Metadata(
            **{name: texts[name] for name in _TEXTS},
            authors=tuple(author for author in authors if author),
            et_al=data.get("et_al") is True,
            reference=texts["from"],
            headline=texts["headline"],
        ),
    )


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else [None]


def _author(value: object) -> Author | None:
    """Read ``name`` or ``[name, family, given]``."""
    parts = [value] if isinstance(value, str) else value
    if not isinstance(parts, list) or not 1 <= len(parts) <= 3:
        return None
    if not all(isinstance(part, str) for part in parts) or not parts[0]:
        return None
    return Author(**dict(zip(("name", "family", "given"), parts, strict=False)))


# ---- writing ------------------------------------------------------------------------------------
def dump(references: References) -> bytes:
    """Return the file: the same bytes for the same entries, one line each."""
    lines: list[Mapping[str, object]] = [
        {"kind": "references", "format": FORMAT, "read": list(references.read)}
    ]
    for entry in references.entries:
        metadata = entry.metadata
        fields = {
            "paper": entry.paper,
            "text": entry.text,
            "refused": entry.refused,
            "from": metadata.reference,
            "shared": entry.shared,
            **{name: getattr(metadata, name) for name in _TEXTS},
            "authors": [_author_parts(author) for author in metadata.authors],
            "et_al": metadata.et_al,
            "headline": metadata.headline,
        }
        lines.append({name: value for name, value in fields.items() if value})
    texts = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
    return "".join(f"{text}\n" for text in texts).encode("utf-8", "replace")


def _author_parts(author: Author) -> str | list[str]:
    if not author.family:
        return author.name
    return (
        [author.name, author.family, author.given] if author.given else [author.name, author.family]
    )
