"""Source files in, abstracts out: one reader a format, found by looking at the text.

Nothing is dropped silently: of each file, read = kept + reported (merging comes later).
"""

from __future__ import annotations

import difflib
import glob
import hashlib
import re
import stat
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from sitegen.diagnostics import Location, Problem, Severity, error, note, warning
from sitegen.records import Abstract, Place, SourceCount
from sitegen.sources import (
    atom,
    bibtex,
    dailypapers,
    json_file,
    nbib,
    notes,
    pubmed,
    ris,
    rss,
    table,
)
from sitegen.sources.containers import LARGEST, is_container, too_large, unpack
from sitegen.sources.decode import decode
from sitegen.sources.reading import Found, Reading
from sitegen.sources.shelf import Shelf

if TYPE_CHECKING:
    from sitegen.config import SourceSpec

SITE_TOML = "content/site.toml"
_SLUG_BYTES = 80
_KEPT = 50_000
"""Bytes from which on a file's reading is worth keeping."""
_BACKUP = re.compile(r".*~|#.*#")
_DATE = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Format:
    """A format of source files."""

    name: str
    recognises: Callable[[str], bool]
    """Whether a text is of this format."""
    read: Callable[[str, str], Reading]
    """Reads a text; the second argument is the file's path, for problems."""


FORMATS: tuple[Format, ...] = (
    Format("JSON", json_file.recognises, json_file.read),
    Format("Atom", atom.recognises, atom.read),
    Format("BibTeX", bibtex.recognises, bibtex.read),
    Format("RSS", rss.recognises, rss.read),
    Format("PubMed XML", pubmed.recognises, pubmed.read),
    Format("table with named columns", table.recognises, table.read),
    Format("RIS", ris.recognises, ris.read),
    Format("PubMed text (nbib)", nbib.recognises, nbib.read),
    Format("Markdown note with front matter", notes.recognises, notes.read),
    Format("Daily Papers dump", dailypapers.recognises, dailypapers.read),
)
"""The first format that recognises a text reads it."""


def read_sources(
    root: Path,
    sources: Sequence[SourceSpec],
    known: dict[str, tuple[str, Reading]] | None = None,
    cache: Path | None = None,
) -> tuple[tuple[Abstract, ...], tuple[Problem, ...], tuple[SourceCount, ...]]:
    """Read all source files of a digest.

    Args:
        root: the digest's folder.
        sources: which files; a file that several name is read once, for the first of them.
        known: what earlier calls made of each file; a file that still holds the same bytes is not
            parsed again.
        cache: folder where readings are kept from build to build; None for nowhere.

    Returns:
        abstracts by file and position; problems; and for each file how many abstracts were read,
        kept and reported. A file that cannot be read at all counts none and has an error.
    """
    files, problems = _find(root, sources)
    known = {} if known is None else known
    shelf = Shelf(cache)
    unknown = [name for name in sorted(files) if name not in known] if cache else []
    marks = {name: mark for name in unknown if (mark := _mark(root / name))}
    taken = shelf.take(marks)
    known.update(taken)
    abstracts: list[Abstract] = []
    counts: list[SourceCount] = []
    for name, spec in sorted(files.items()):
        reading = read_file(root, name, known)
        stem = _stem(name)
        edition = spec.edition or edition_slug(stem)
        day = spec.date or _date_in(stem)
        for found in reading.found:
            place = Place(
                file=name, position=found.position, line=found.line, edition=edition, date=day
            )
            abstracts.append(Abstract(place=place, text=found.text, metadata=found.metadata))
        problems += reading.problems
        kept = len(reading.found)
        counts.append(
            SourceCount(
                file=name,
                read=kept + reading.reported,
                kept=kept,
                merged=0,
                reported=reading.reported,
            )
        )
    shelf.keep({name: known[name] for name in marks if name in known}, taken)
    return tuple(abstracts), (*problems, *_shared_editions(files)), tuple(counts)


def _mark(path: Path) -> str:
    """Return the hash of a file's bytes; empty where it is small, huge or unreadable."""
    try:
        if not _KEPT <= path.stat().st_size <= LARGEST:
            return ""
        return hashlib.sha256(_bytes(path)).hexdigest()
    except (OSError, ValueError):
        return ""


def edition_slug(stem: str) -> str:
    """Return the slug of the edition that a file makes, from its name without extension.

    A name with letters that ASCII does not have, or a very long one, ends in a hash of the name,
    so that two such names never make one slug.
    """
    folded = unicodedata.normalize("NFKD", stem.casefold())
    bare = "".join(char for char in folded if not unicodedata.combining(char))
    slug = re.sub(r"[^a-z0-9]+", "-", bare).strip("-")
    foreign = any(char.isalnum() and not char.isascii() for char in bare)
    if slug and not foreign and len(slug) <= _SLUG_BYTES:
        return slug
    mark = hashlib.sha256(stem.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{slug[: _SLUG_BYTES - 9].strip('-') or 'edition'}-{mark}"


def edition_of(name: str) -> str:
    """Return the slug of the edition that a file makes where nothing else is said."""
    return edition_slug(_stem(name))


def _stem(name: str) -> str:
    """Return a file's name without its extension, and without that of what it is packed in."""
    path = PurePosixPath(name)
    return path.with_suffix("").stem if path.suffix.casefold() == ".gz" else path.stem


def _date_in(stem: str) -> str:
    """Return the calendar date in a file's name, or nothing."""
    for match in _DATE.finditer(stem):
        try:
            return date.fromisoformat(match[0]).isoformat()
        except ValueError:
            continue
    return ""


# ---- files --------------------------------------------------------------------------------------
def _find(root: Path, sources: Sequence[SourceSpec]) -> tuple[dict[str, SourceSpec], list[Problem]]:
    """Return the files by path from the root, each with the first table that names it."""
    files: dict[str, SourceSpec] = {}
    problems: list[Problem] = []
    for spec in sources:
        pattern = PurePosixPath(spec.pattern)
        if pattern.is_absolute() or ".." in pattern.parts or "\0" in spec.pattern:
            text = f"{spec.pattern} is not below the project's folder"
            hint = "give a path from the project's folder, e.g. seeds/*.txt"
            problems.append(error("source-outside", text, Location(SITE_TOML), hint))
            continue
        literal = (root / pattern).exists() or (root / pattern).is_symlink()
        if literal:
            names = [str(pattern)]
        else:
            # Path.glob would find dot files too.
            names = glob.glob(str(pattern), root_dir=root, recursive=True)  # noqa: PTH207
        everything = pattern.name in {"*", "**"}
        for name in names:
            path = str(PurePosixPath(name))
            if not _is_utf8(path):
                shown = path.encode("utf-8", "backslashreplace").decode()
                text = "the file's name is not UTF-8"
                problems.append(error("source-name", text, Location(shown), "rename the file"))
            elif not literal and _BACKUP.fullmatch(PurePosixPath(path).name):
                text = "an editor's backup, passed over"
                problems.append(note("source-backup", text, Location(path), "delete or rename it"))
            elif not (everything and (root / path).is_dir()):
                files.setdefault(path, spec)
        if not names:
            problems.append(_nothing_found(root, spec.pattern))
    return files, problems


def _is_utf8(name: str) -> bool:
    """Whether a file's name can be written down: others hold bytes that stand for no character."""
    return not any("\ud800" <= char <= "\udfff" for char in name)


def _nothing_found(root: Path, pattern: str) -> Problem:
    if glob.has_magic(pattern):
        hint = "put source files there, or change the path in site.toml"
        place = _where_named(root, pattern)
        return warning("source-none", f"no file is called {pattern}", place, hint)
    folder = (root / pattern).parent
    there = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    close = difflib.get_close_matches(PurePosixPath(pattern).name, there, n=1)
    hint = f"did you mean {close[0]}?" if close else "correct the path in site.toml"
    place = _where_named(root, pattern)
    return error("source-missing", f"{pattern} does not exist", place, hint)


def _where_named(root: Path, pattern: str) -> Location:
    """Return the first line of the settings that holds a pattern in quotes."""
    try:
        lines = (root / SITE_TOML).read_text("utf-8-sig").splitlines()
    except (OSError, ValueError):
        lines = []
    quoted = (f'"{pattern}"', f"'{pattern}'")
    found = (at for at, line in enumerate(lines, 1) if any(one in line for one in quoted))
    return Location(SITE_TOML, next(found, 0))


def read_file(
    root: Path, name: str, known: dict[str, tuple[str, Reading]] | None = None
) -> Reading:
    """Read one file; whatever keeps it from being read becomes an error.

    Args:
        root: the digest's folder.
        name: path of the file from there, for problems too.
        known: see `read_sources`.
    """
    try:
        if (root / name).stat().st_size > LARGEST:
            return Reading(problems=(too_large(name, "has"),))
        data = _bytes(root / name)
    except (OSError, ValueError) as exc:
        reason = (exc.strerror if isinstance(exc, OSError) else "") or str(exc)
        why, hint = f"cannot be read: {reason}", "mend it, or take it out of the sources"
        return Reading(problems=(error("source-unreadable", why, Location(name), hint),))
    mark = hashlib.sha256(data).hexdigest()
    before, reading = (known or {}).get(name, ("", None))
    if reading is None or before != mark:
        reading = _read_archive(data, name) if is_container(data) else _read_bytes(data, name)
        if known is not None:
            known[name] = (mark, reading)
    return reading


def _read_archive(data: bytes, name: str) -> Reading:
    """Read the files of an archive as one: positions count on, problems name the inner file."""
    found: list[Found] = []
    problems: list[Problem] = []
    forms: dict[str, None] = {}
    reported = 0
    for member in unpack(data, name):
        if member.problem:
            problems.append(member.problem)
            reported += not member.data and member.name != name
        if not member.data:
            continue
        reading = _read_bytes(member.data, member.name)
        unread = any(problem.severity is Severity.ERROR for problem in reading.problems)
        if member.name != name and unread and not reading.found:
            # What else lies in an archive is not the curator's fault.
            reading = replace(
                reading,
                reported=max(reading.reported, 1),
                problems=tuple(
                    replace(each, severity=Severity.WARNING) for each in reading.problems
                ),
            )
        start = len(found) + 1
        found += [replace(each, position=at) for at, each in enumerate(reading.found, start)]
        problems += reading.problems
        forms.update(dict.fromkeys(reading.forms))
        reported += reading.reported
    if not found and not any(problem.severity is Severity.ERROR for problem in problems):
        hint = "unpack it, and give the files in it"
        problems.append(error("source-archive", "the archive holds no paper", Location(name), hint))
    return Reading(
        found=tuple(found), reported=reported, problems=tuple(problems), forms=tuple(forms)
    )


def _read_bytes(data: bytes, name: str) -> Reading:
    """Read the bytes of one file by the format that recognises them."""
    text, problems = decode(data, name)
    if text is None:
        return Reading(problems=problems)
    reading = read_text(text, name)
    return replace(reading, problems=(*problems, *reading.problems))


def read_text(text: str, name: str) -> Reading:
    """Read a text by the first format that recognises it.

    Args:
        text: as `decode` returns it.
        name: the file's path, for the problems.

    Returns:
        its papers; an error where no format recognises it.
    """
    form = next((form for form in FORMATS if form.recognises(text)), None)
    if form:
        reading = form.read(text, name)
        return replace(reading, forms=reading.forms or (form.name,))
    known = ", ".join(form.name for form in FORMATS)
    why, hint = "in a format that no reader knows", f"make it one of: {known}"
    return Reading(problems=(error("source-format", why, Location(name), hint),))


def _bytes(path: Path) -> bytes:
    """Return the content of a plain file."""
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise ValueError("it is a folder; name the files in it, e.g. with /*.txt")
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("it is not a plain file")
    return path.read_bytes()


def _shared_editions(files: dict[str, SourceSpec]) -> list[Problem]:
    """Warn of files whose names make the same edition by accident."""
    first: dict[str, str] = {}
    problems = []
    for name, spec in sorted(files.items()):
        if spec.edition:
            continue
        slug = edition_of(name)
        if first.setdefault(slug, name) != name:
            problems.append(
                warning(
                    "source-edition-shared",
                    f"makes the same edition as {first[slug]}: {slug}",
                    Location(name),
                    "give each a [[source]] table with its own edition in site.toml",
                )
            )
    return problems
