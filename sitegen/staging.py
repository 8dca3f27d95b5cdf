"""A site's tree in the making: what differs from the published one is written, all else linked.

The tree of the build before last is used again: where it holds the very file that is published
(the same inode), nothing needs to be done. So a day's news costs no more than a day's news.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat as modes
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
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
    """None for conflicts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The published tree and the one in the making beside it."""

    output: Path
    folder: Path
    manifest: Mapping[str, Entry]

    def keeps(self, file: SiteFile) -> bool:
        """Whether a file is published as it would be made, by its fingerprint."""
        known = self.manifest.get(file.path)
        if known is None or not known.key or isinstance(file, OutFile):
            return False
        try:
            stat = os.lstat(f"{self.output}/{file.path}")
        except (FileNotFoundError, NotADirectoryError):
            return False
        same = (stat.st_size, stat.st_mtime_ns) == (known.size, known.mtime_ns)
        return same and file.key() == known.key

    def stage(self, files: Sequence[SiteFile]) -> list[Fate]:
        """Make and write those files whose bytes differ from the published ones."""
        with plain_modes():
            return [self._stage_file(file) for file in files]

    def link(self, paths: Sequence[str]) -> int:
        """Put published files into the tree; returns how many are copies, not links."""
        old, new = f"{self.output}/", f"{self.folder}/"
        with plain_modes():
            return sum(not link(old + path, new + path) for path in paths)

    def _stage_file(self, file: SiteFile) -> Fate:
        path, key = file.path, ""
        known = self.manifest.get(path)
        published = f"{self.output}/{path}"
        current = current_entry(published, known)
        if not isinstance(file, OutFile):
            key = file.key()
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


@contextmanager
def plain_modes() -> Iterator[None]:
    """Let new files and folders have the usual modes, whatever the umask."""
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)


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
    """Write a file that is not there, or is one of two links: never into what is there.

    Folders are made as they are needed; see `plain_modes`.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    try:
        handle = os.open(path, flags, 0o644)
    except FileExistsError:
        os.unlink(path)  # noqa: PTH108 - a hundred thousand times
        handle = os.open(path, flags, 0o644)
    except FileNotFoundError:
        make_folder(os.path.dirname(path))  # noqa: PTH120
        handle = os.open(path, flags, 0o644)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
        return os.fstat(handle)
    finally:
        os.close(handle)


def link(source: str, target: str) -> bool:
    """Link or, where links can't be, copy a file; returns whether it is a link.

    Folders are made as they are needed; see `plain_modes`.
    """
    try:
        os.link(source, target, follow_symlinks=False)
    except FileExistsError:
        return True  # the same file, see `take_up`
    except FileNotFoundError:
        if not os.path.lexists(source):
            raise
        make_folder(os.path.dirname(target))  # noqa: PTH120
        return link(source, target)
    except OSError:
        make_folder(os.path.dirname(target))  # noqa: PTH120
        shutil.copy2(source, target, follow_symlinks=False)
        return False
    return True


def make_folder(folder: str | Path) -> None:
    """Make a folder and those above it; see `plain_modes`."""
    try:
        os.mkdir(folder, 0o755)  # noqa: PTH102
    except FileExistsError:
        if not Path(folder).is_dir():
            raise
    except FileNotFoundError:
        make_folder(Path(folder).parent)
        make_folder(folder)


def take_up(spare: Path, stage: Stage) -> set[str]:
    """Begin a tree with what a spare one shares with the published one; all else of it goes.

    Args:
        spare: the tree of an earlier build, which need not exist; on any file system.
        stage: where nothing is yet.

    Returns:
        the paths of the files that are shared.
    """
    shared: set[str] = set()
    try:
        spare.rename(stage.folder)
    except OSError:  # none, or on another file system
        shutil.rmtree(spare, ignore_errors=True)
        with plain_modes():
            make_folder(stage.folder)
        return shared
    _keep_shared(stage, "", shared)
    stage.folder.chmod(0o755)
    return shared


def _keep_shared(stage: Stage, inside: str, shared: set[str]) -> bool:
    """Drop what is not the very file that is published and known; tell whether anything is left."""
    with os.scandir(f"{stage.folder}/{inside}") as scan:
        entries = list(scan)
    left = False
    for entry in entries:
        path = f"{inside}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            if _keep_shared(stage, f"{path}/", shared):
                left = True
            else:
                os.rmdir(entry.path)  # noqa: PTH106 - a hundred thousand times, as below
        elif path in stage.manifest and _inode(f"{stage.output}/{path}") == entry.inode():
            left = True
            shared.add(path)
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
