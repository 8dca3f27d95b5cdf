"""A site's tree in the making: what differs from the published one is written, all else linked.

The tree of the build before last is used again: where it holds the very file that is published
(the same inode), nothing needs to be done. So a day's news costs no more than a day's news.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat as modes
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from sitegen.manifest import Entry
from sitegen.records import OutFile, SiteFile

GENERATOR_MARK = b'name="generator" content="sitegen'


class Fate(NamedTuple):
    """What became of one file."""

    path: str
    what: Literal["kept", "added", "changed", "conflict"]
    entry: Entry | None
    """None for the one in the manifest, and for conflicts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The published tree and the one in the making beside it."""

    output: Path
    folder: Path
    manifest: Mapping[str, Entry]

    def stage(self, files: Sequence[SiteFile]) -> list[Fate]:
        """Make and write those files whose bytes differ from the published ones."""
        return [self._stage_file(file) for file in files]

    def link(self, paths: Sequence[str]) -> int:
        """Put published files into the tree; returns how many are copies, not links."""
        made = _Folders(self.folder)
        links = (link(self.output / path, self.folder / path, made.need) for path in paths)
        return sum(not linked for linked in links)

    def _stage_file(self, file: SiteFile) -> Fate:
        path, key = file.path, ""
        known = self.manifest.get(path)
        published = f"{self.output}/{path}"
        current = current_entry(published, known)
        if not isinstance(file, OutFile):
            key = file.key()
            if key and current is not None and current is known and known.key == key:
                return Fate(path, "kept", None)
        data = file.data
        digest = hashlib.sha256(data).hexdigest()
        if current and current.digest == digest:
            return Fate(path, "kept", Entry(digest, current.size, current.mtime_ns, key))
        if current:
            there = Path(published)
            if is_folder(there) or not (known or _may_replace(there, self.output)):
                return Fate(path, "conflict", None)
        stat = write_new(f"{self.folder}/{path}", data)
        entry = Entry(digest, stat.st_size, stat.st_mtime_ns, key)
        return Fate(path, "changed" if current else "added", entry)


class _Folders:
    """Makes folders, each once."""

    def __init__(self, top: Path) -> None:
        self._known = {top}

    def need(self, folder: Path) -> None:
        if folder not in self._known:
            make_folder(folder)
            self._known.add(folder)


def current_entry(path: str, known: Entry | None) -> Entry | None:
    """Describe a published file; its bytes are read only where size or time speak of a change."""
    try:
        stat = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if known and (stat.st_size, stat.st_mtime_ns) == (known.size, known.mtime_ns):
        return known
    plain = modes.S_ISREG(stat.st_mode)
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest() if plain else ""
    return Entry(digest, stat.st_size, stat.st_mtime_ns)


def write_new(path: str, data: bytes) -> os.stat_result:
    """Write a file that is not there, or is one of two links: never into what is there."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    try:
        handle = os.open(path, flags, 0o644)
    except FileExistsError:
        os.unlink(path)  # noqa: PTH108 - a hundred thousand times
        handle = os.open(path, flags, 0o644)
    except FileNotFoundError:
        make_folder(Path(path).parent)
        handle = os.open(path, flags, 0o644)
    with open(handle, "wb", buffering=0) as file:  # noqa: PTH123
        rest = memoryview(data)
        while rest:
            rest = rest[file.write(rest) :]
        os.fchmod(handle, 0o644)  # whatever the umask
        return os.fstat(handle)


def link(source: Path, target: Path, need: Callable[[Path], None]) -> bool:
    """Link or, where links can't be, copy a file; returns whether it is a link."""
    need(target.parent)
    try:
        os.link(source, target, follow_symlinks=False)
    except FileExistsError:
        return True  # the same file, see `take_up`
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)
        return False
    return True


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, with plain modes whatever the umask."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)


def take_up(spare: Path, stage: Stage) -> None:
    """Begin a tree with what a spare one shares with the published one; all else of it goes.

    Args:
        spare: the tree of an earlier build, which need not exist; on any file system.
        stage: where nothing is yet.
    """
    try:
        spare.rename(stage.folder)
    except OSError:  # none, or on another file system
        shutil.rmtree(spare, ignore_errors=True)
        make_folder(stage.folder)
        return
    _keep_shared(stage, "")
    stage.folder.chmod(0o755)


def _keep_shared(stage: Stage, inside: str) -> bool:
    """Drop what is not the very file that is published and known; tell whether anything is left."""
    with os.scandir(f"{stage.folder}/{inside}") as scan:
        entries = list(scan)
    left = False
    for entry in entries:
        path = f"{inside}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            if _keep_shared(stage, f"{path}/"):
                left = True
            else:
                os.rmdir(entry.path)  # noqa: PTH106 - a hundred thousand times, as below
        elif path in stage.manifest and _inode(f"{stage.output}/{path}") == entry.inode():
            left = True
        else:
            os.unlink(entry.path)  # noqa: PTH108
    return left


def _inode(path: str) -> int:
    try:
        return os.lstat(path).st_ino
    except OSError:
        return -1


def drop_paths(folder: Path, paths: Sequence[str]) -> None:
    """Remove files of a tree that the site no longer has, and the folders that leaves empty."""
    for path in paths:
        target = folder / path
        with suppress(FileNotFoundError, NotADirectoryError):
            target.unlink()
        for above in target.parents:
            if above == folder:
                break
            try:
                above.rmdir()
            except OSError:
                break


def _may_replace(path: Path, output: Path) -> bool:
    """Whether a file that no manifest names may go: ours, or part of a site whose home is ours."""
    if path.is_symlink() or not path.is_file():
        return False
    return is_ours(path) or (path.suffix != ".html" and is_ours(output / "index.html"))


def is_folder(path: Path) -> bool:
    """Whether a folder stands there, not a link to one."""
    return path.is_dir() and not path.is_symlink()


def is_ours(path: Path) -> bool:
    """Whether a file without a place in the manifest is a page that sitegen wrote."""
    if path.suffix != ".html" or path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as handle:
        return GENERATOR_MARK in handle.read(4096)
