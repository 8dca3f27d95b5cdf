"""Applies corrections from issues to the curator's files, without losing what stands there."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sitegen.config import is_absolute_url, is_partial_date
from sitegen.correction_block import Correction, Value
from sitegen.diagnostics import Location, Problem, error
from sitegen.digest import Digest
from sitegen.frontmatter import Document, parse_document
from sitegen.headers import with_fields
from sitegen.sources.identifiers import read_arxiv, read_doi


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """A file as a correction makes it."""

    path: str
    """From the root."""
    text: str
    changed: tuple[str, ...]
    """Keys that were set."""
    problems: tuple[Problem, ...]
    """What was not applied, and why."""


def apply_correction(digest: Digest, correction: Correction, present: str, *, force: bool) -> Fix:
    """Return the file of a paper with a correction applied.

    What is so already is left out. A key that the file gives another value is a conflict: the
    curator's value stays, unless forced. Tags are added to those of the file.

    Args:
        digest: after all stages.
        correction: from an issue.
        present: text of the paper's file; empty where there is none.
        force: prefer the correction's values to those of the file.
    """
    path = f"content/papers/{correction.id}.md"
    place = Location(path)
    known = [paper.id for paper in digest.gathered.papers]
    if correction.id not in known:
        close = difflib.get_close_matches(correction.id, known, n=1)
        hint = f"did you mean {close[0]}?" if close else "the paper's address ends in its id"
        found = error("fix-paper", f"there is no paper {correction.id}", place, hint)
        return Fix(path=path, text=present, changed=(), problems=(found,))
    document, problems = parse_document(present.encode(), path)
    if problems:
        return Fix(path=path, text=present, changed=(), problems=problems)
    now = _now(digest, correction.id)
    there = {key: field.value for key, field in document.fields.items()}
    changes: dict[str, Value] = {}
    refused: list[Problem] = []
    for key, asked in correction.fields.items():
        value, fault = _sound(digest, correction.id, key, asked)
        if fault:
            refused.append(error("fix-value", f"{key} cannot be {_shown(asked)}", place, fault))
        elif value == now.get(key) and key not in there:
            continue
        elif key in {"tags", "not_tags"}:
            merged = _joined(document, key, value)
            opposite = _joined(document, "not_tags" if key == "tags" else "tags", ())
            clash = [name for name in merged if name in opposite]
            if clash and not force:
                refused.append(
                    _conflict(place, key, ", ".join(clash), "the file says the opposite")
                )
            elif merged != _joined(document, key, ()):
                changes[key] = merged
        elif key in there and there[key] != value and not _same(there[key], value):
            if force:
                changes[key] = value
            else:
                text = f"the file says {_shown(there[key])}"
                refused.append(_conflict(place, key, _shown(value), text))
        elif key not in there:
            changes[key] = value
    text = with_fields(present, changes) if changes else present
    return Fix(path=path, text=text, changed=tuple(changes), problems=tuple(refused))


def _now(digest: Digest, identifier: str) -> Mapping[str, Value]:
    """Return what is shown of a paper, in a correction's terms."""
    at = next(at for at, paper in enumerate(digest.gathered.papers) if paper.id == identifier)
    meta = digest.gathered.papers[at].metadata
    return {
        "title": digest.described.namings[at].title,
        "authors": tuple(author.name for author in meta.authors),
        "date": meta.date,
        "arxiv": meta.arxiv,
        "doi": meta.doi,
        "url": meta.url,
        "topics": tuple(score.slug for score in digest.described.choices[at].topics),
    }


def _sound(digest: Digest, paper: str, key: str, value: Value) -> tuple[Value, str]:
    """Return a value as it is to be written, and what to give instead where it can't be."""
    text, instead = str(value), ""
    if key == "date" and not is_partial_date(text):
        instead = "give a date like 2031-05-01, 2031-05 or 2031"
    elif key == "url" and not is_absolute_url(text.partition("#")[0].partition("?")[0]):
        instead = "give an address that begins with https://"
    elif key == "arxiv":
        value, _ = read_arxiv(text)
        instead = "" if value else "give an identifier like 2310.12340"
    elif key == "doi":
        value = read_doi(text)
        instead = "" if value else "give one like 10.1000/xyz123"
    elif key == "topics" and isinstance(value, tuple):
        topics = [topic.slug for topic in digest.described.topics]
        unknown = [name for name in value if name not in topics]
        instead = f"topics: {', '.join(topics)}" if unknown else ""
    elif key == "same_as":
        others = {each.id for each in digest.gathered.papers} - {paper}
        instead = "" if text in others else "give the id of another paper"
    return value, instead


def _joined(document: Document, key: str, more: Value) -> tuple[str, ...]:
    """Return the texts of a list in the file with more behind them."""
    field = document.fields.get(key)
    value = field.value if field else ()
    names = (value,) if isinstance(value, str) else value
    return tuple(dict.fromkeys((*names, *(more if isinstance(more, tuple) else ()))))


def _same(there: str | tuple[str, ...], value: Value) -> bool:
    """Whether what a file says means what is asked."""
    if isinstance(value, bool):
        return isinstance(there, str) and there.lower() in {"true", "yes"}
    return isinstance(value, tuple) and isinstance(there, str) and (there,) == value


def _conflict(place: Location, key: str, asked: str, there: str) -> Problem:
    hint = "change the file by hand, or prefer the issue with --force"
    return error("fix-conflict", f"{key}: asked for {asked}, but {there}", place, hint)


def _shown(value: Value | tuple[str, ...]) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def describe(fix: Fix) -> Iterator[str]:
    """Yield in plain lines what a correction changes in its file."""
    if fix.changed:
        yield f"{fix.path}: {', '.join(fix.changed)} set"
    elif not fix.problems:
        yield f"{fix.path}: nothing to change"
