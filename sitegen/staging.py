"""A site's tree in the making: what differs from the published one is written, all else linked.

The tree of the build before last is used again: where it holds the very file that is published
(the same inode), nothing needs to be done. So a day's news costs no more than a day's news.
`sitegen.trees` tells where one has to look.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat as modes
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from sitegen.manifest import Entry
from sitegen.records import OutFile, SiteFile
from sitegen.trees import Trees, changed_folders, inode

GENERATOR_MARK = b'name="generator" content="sitegen'


class Fate(NamedTuple):
    """What became of one file."""

    path: str
    what: Literal["kept", "added", "changed", "conflict"]
    entry: Entry | None
    """None for conflicts."""
    inode: int
    """Of the published file that is kept, or of the one written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The published tree and the one in the making beside it."""

    output: Path
    folder: Path
    manifest: Mapping[str, Entry]

    def keeps(self, file: SiteFile) -> Fate | None:
        """Return the fate of a file that is published as it would be made, by its fingerprint."""
        known = self.manifest.get(file.path)
        if known is None or not known.key or isinstance(file, OutFile):
            return None
        try:
            stat = os.lstat(f"{self.output}/{file.path}")
        except (FileNotFoundError, NotADirectoryError):
            return None
        same = (stat.st_size, stat.st_mtime_ns) == (known.size, known.mtime_ns)
        return (
            Fate(file.path, "kept", known, stat.st_ino)
            if same and file.key() == known.key
            else None
        )

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
            entry = Entry(digest, current.size, current.mtime_ns, key)
            return Fate(path, "kept", entry, inode(published))
        if current:
            there = Path(published)
            if is_folder(there) or not (known or _may_replace(there, self.output)):
                return Fate(path, "conflict", None, -1)
        stat = write_new(f"{self.folder}/{path}", data)
        entry = Entry(digest, stat.st_size, stat.st_mtime_ns, key)
        return Fate(path, "changed" if current else "added", entry, stat.st_ino)


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
    except FileExistsError:  # of an earlier build
        os.unlink(target)  # noqa: PTH108
        os.link(source, target, follow_symlinks=False)
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


def take_up(spare: Path, folder: Path) -> bool:
    """Begin a tree with a spare one, which `share` looks through; return whether there was one."""
    taken = True
    try:
        spare.rename(folder)
    except OSError:  # none, or on another file system
        taken = False
        shutil.rmtree(spare, ignore_errors=True)
        with plain_modes():
            make_folder(folder)
    folder.chmod(0o755)
    return taken


def link_whole(source: Path, target: Path, paths: Iterable[str]) -> bool:
    """Make a tree of links to files of another one; return whether it is whole.

    A tree that can't be made whole is removed; what the other one lacks is left out.
    """
    try:
        with plain_modes():
            target.mkdir(0o755)
            made = {""}
            for path in paths:
                folder = path.rpartition("/")[0]
                if folder not in made:
                    make_folder(f"{target}/{folder}")
                    made.add(folder)
                with suppress(FileNotFoundError):
                    os.link(f"{source}/{path}", f"{target}/{path}", follow_symlinks=False)
    except OSError:
        shutil.rmtree(target, ignore_errors=True)
        return False
    return True


def share(stage: Stage, notes: Trees, kept: Mapping[str, int], written: Container[str]) -> set[str]:
    """Drop from a tree what it neither shares with the published one nor got in this build.

    Args:
        stage: the published tree, and the one that was begun with the spare one.
        notes: of the build that left the two; empty where nothing is known.
        kept: the inode of each published file that stays, by path.
        written: paths of the files that this build put into the tree.

    Returns:
        those of the kept paths that are shared.
    """
    known = notes.spare if inode(stage.folder) == notes.roots[1] else {}
    unsure = set(changed_folders(stage.folder, known)) if known else {""}
    stale = set(notes.stale)
    shared = {
        path
        for path, number in kept.items()
        if number == notes.inodes.get(path)
        and path not in stale
        and (folder := path.rpartition("/")[0]) in known
        and folder not in unsure
    }
    look = _Look(stage, kept, written, shared)
    for folder in sorted(unsure):
        look.into(f"{folder}/" if folder else "", known)
    for path in notes.stale if known else ():
        if is_folder(stage.folder / path):
            look.into(f"{path}/")
        elif path not in written:
            drop_paths(stage.folder, [path])
    return shared


@dataclass(frozen=True, slots=True)
class _Look:
    """Drops from folders what is not wanted there; see `share`."""

    stage: Stage
    kept: Mapping[str, int]
    written: Container[str]
    shared: set[str]
    """Filled with the kept paths that are found."""

    def into(self, inside: str, known: Container[str] = ()) -> bool:
        """Look through a folder, known ones in it left out; tell whether anything is left."""
        try:
            with os.scandir(f"{self.stage.folder}/{inside}") as scan:
                entries = list(scan)
        except (FileNotFoundError, NotADirectoryError):
            return False
        left = False
        for entry in entries:
            path = f"{inside}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                if path in known or self.into(f"{path}/", known):
                    left = True
                else:
                    os.rmdir(entry.path)  # noqa: PTH106 - a hundred thousand times, as below
            elif self.kept.get(path) == entry.inode():
                left = True
                self.shared.add(path)
            elif path in self.written:
                left = True
            else:
                os.unlink(entry.path)  # noqa: PTH108
        return left


def drop_paths(folder: Path, paths: Iterable[str]) -> None:
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
