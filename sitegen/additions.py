"""Brings a source file into a digest: recognised by its content, copied under a safe, free name."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from sitegen.atomic import write_atomic
from sitegen.config import SourceSpec
from sitegen.diagnostics import Location, Problem, Severity, error, warning
from sitegen.sources import edition_of, read_file

FOLDER = "seeds"
ENDINGS = frozenset(
    {
        "atom", "bib", "csv", "gz", "json", "jsonl", "md", "nbib", "ndjson", "ris", "rss", "tsv",
        "txt", "xml", "zip",
    }
)  # fmt: skip
"""Extensions that are kept; any other becomes ``.txt``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """What became of one file."""

    file: Path
    target: str = ""
    """Path of the copy from the root; empty where none was made."""
    same_as: str = ""
    """Path of a source with the same bytes."""
    forms: tuple[str, ...] = ()
    """Names of its formats."""
    papers: int = 0
    reported: int = 0
    """Records that were not understood."""
    problems: tuple[Problem, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether the file is none of a digest's."""
        return not self.target and not self.same_as

    def line(self) -> str:
        """Return what happened in one line."""
        if self.refused:
            return f"{self.file}: not added"
        if self.same_as:
            return f"{self.file}: not copied, {self.same_as} has the same content"
        found = f"{self.papers} paper{'' if self.papers == 1 else 's'}"
        rest = f", {self.reported} not understood" if self.reported else ""
        return f"{self.file}: {' and '.join(self.forms)}, {found}{rest}; now {self.target}"


def add_file(root: Path, file: Path, sources: Sequence[SourceSpec]) -> Addition:
    """Copy a file into ``seeds/`` if a reader understands anything in it.

    Args:
        root: the digest's folder.
        file: any file.
        sources: of the digest's settings; a file that none of them names gets a warning.
    """
    if file.is_dir():
        hint = f"name the files in it: sitegen add {file}/*"
        folder = error("add-folder", "it is a folder", Location(str(file)), hint)
        return Addition(file=file, problems=(folder,))
    reading = read_file(file.absolute().parent, file.name)
    fatal = any(problem.severity is Severity.ERROR for problem in reading.problems)
    if not reading.forms or (fatal and not reading.found):
        return Addition(file=file, problems=reading.problems, forms=reading.forms)
    data = file.read_bytes()
    problems = reading.problems
    if not reading.found:
        hint = "look at what is reported, and export it again"
        empty = error("add-empty", "no paper was found in it", Location(str(file)), hint)
        return Addition(file=file, forms=reading.forms, problems=(*problems, empty))
    if same := _same(root, data):
        return Addition(file=file, same_as=same, forms=reading.forms, papers=len(reading.found))
    target = _free(root, file.name)
    write_atomic(root / target, data)
    if not any(fnmatchcase(target, spec.pattern) for spec in sources):
        hint = 'add a [[source]] with path = "seeds/*"'
        text = "no [[source]] of site.toml names it"
        problems = (*problems, warning("add-unlisted", text, Location(target), hint))
    return Addition(
        file=file,
        target=target,
        forms=reading.forms,
        papers=len(reading.found),
        reported=reading.reported,
        problems=problems,
    )


def _same(root: Path, data: bytes) -> str:
    """Return the path of a source with these bytes; empty where there is none."""
    digest = hashlib.sha256(data).digest()
    for path in sorted((root / FOLDER).rglob("*")):
        if (
            path.is_file()
            and path.stat().st_size == len(data)
            and hashlib.sha256(path.read_bytes()).digest() == digest
        ):
            return path.relative_to(root).as_posix()
    return ""


def _free(root: Path, name: str) -> str:
    """Return a path in ``seeds/`` that no file has, whose name makes an edition of its own."""
    path = PurePosixPath(name)
    ending = path.suffix.casefold()
    if ending == ".gz":
        ending = path.with_suffix("").suffix.casefold() + ending
    if not ENDINGS.issuperset(ending.split(".")[1:]):
        ending = ".txt"
    slug = edition_of(name)
    taken = {edition_of(there.name) for there in (root / FOLDER).rglob("*") if there.is_file()}
    number, free = 1, slug
    while free in taken:
        number += 1
        free = f"{slug}-{number}"
    return f"{FOLDER}/{free}{ending or '.txt'}"
