"""Stage a site aside, then promote it to the output folder in one step, or not at all.

The staged tree is a complete copy of the site: changed files are written, unchanged ones are hard
links to those of the output folder. The two folders are exchanged by one system call, so that a
reader, or a kill at any moment, meets either the old site or the new one.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import shutil
import stat as modes
from collections.abc import Callable, Container, Iterable, Iterator, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from sitegen import trees
from sitegen.diagnostics import Location, SitegenError, error
from sitegen.foreign import SEARCH_FOLDER, carry_over
from sitegen.forks import beside, map_slices
from sitegen.manifest import Entry, load_manifest, manifest_path, save_manifest, settle_manifest
from sitegen.records import SiteFile
from sitegen.staging import (
    Fate,
    Stage,
    drop_paths,
    link_whole,
    make_folder,
    plain_modes,
    share,
    take_up,
)
from sitegen.trees import Trees

MANY = 1 << 18
"""Bytes of a manifest from which on a spare tree is made beside the first stages."""

_HINTS = {
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some space",
    errno.EFBIG: "raise the limit on the size of files",
    errno.EBUSY: "it is a mount point: name a folder below it, e.g. with --output",
    errno.EXDEV: "it is a mount point: name a folder below it, e.g. with --output",
}
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Paths of files that a build added, changed or removed below the output folder."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)

    @property
    def written(self) -> int:
        """Number of files written."""
        return len(self.added) + len(self.changed)


@dataclass(slots=True, kw_only=True)
class _Outcome:
    """What became of the files so far; lives only inside `publish`."""

    entries: dict[str, Entry] = field(default_factory=dict)
    kept: dict[str, int] = field(default_factory=dict)
    """Inode of each."""
    written: dict[str, int] = field(default_factory=dict)
    """The same of those added or changed."""
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)

    def add(self, fates: Iterable[Fate]) -> None:
        """Note what became of some files."""
        for path, what, entry, inode in fates:
            if entry is None:
                self.conflicts.append(path)
                continue
            self.entries[path] = entry
            if what == "kept":
                self.kept[path] = inode
            else:
                self.written[path] = inode
                (self.added if what == "added" else self.changed).append(path)


def publish(
    files: Iterable[SiteFile],
    output: Path,
    state: Path,
    *,
    late: Iterable[SiteFile] = (),
    jobs: int = 1,
    advance: Callable[[int, int], None] | None = None,
) -> Changes:
    """Make the output folder hold exactly the given files, beside files that are not ours.

    Args:
        files: the site, any order, each path once.
        output: folder to publish to; made where it does not exist.
        state: the project's ``.sitegen`` folder, for the manifest.
        late: more files of the site, asked for when those are made.
        jobs: processes that make and write files.
        advance: called with (done, total) as files are made.

    Returns:
        what changed; falsy when nothing was written.

    Raises:
        SitegenError: the output can't be written, or a file of somebody else is in the way. The
            output folder is then as it was.
    """
    output = output.absolute()
    if os.path.lexists(output) and (output.is_symlink() or not output.is_dir()):
        text = "the output folder is a file or a link"
        hint = "name a folder, or one that does not exist yet"
        raise SitegenError(error("publish-failed", text, Location(str(output)), hint))
    try:
        with plain_modes():
            make_folder(output.parent)
        with _alone_in(output.parent):
            _recover(output)
            place = manifest_path(output, state)
            spare = _spare(place)
            stage = Stage(
                output=output, folder=_aside(output, "next"), manifest=load_manifest(place)
            )
            notes = trees.load(trees.notes_path(place))
            if not notes.are_of(output, stage.manifest):
                notes = Trees()
            try:
                taken = take_up(spare, stage.folder)
                outcome = _stage_files(stage, files, late, jobs=jobs, advance=advance)
                changes, now = _finish(stage, notes, outcome, place, taken=taken)
                if now is None or now.spare:
                    with suppress(OSError):  # on another file system
                        stage.folder.rename(spare)
                if now:
                    trees.save(trees.notes_path(place), now)
                return changes
            finally:
                shutil.rmtree(stage.folder, ignore_errors=True)
    except OSError as exc:
        reason = (exc.strerror or str(exc)).lower()
        hint = _HINTS.get(exc.errno or 0, "check the folder's permissions")
        location = Location(str(exc.filename or output))
        found = error("publish-failed", f"cannot publish: {reason}", location, hint)
        raise SitegenError(found) from exc


@contextmanager
def spare_beside(output: Path, state: Path, jobs: int) -> Iterator[Callable[[], None]]:
    """Make a spare tree where a large site has none, as after its first build.

    Args:
        output: folder that was published to.
        state: the project's ``.sitegen`` folder.
        jobs: with one, nothing happens.

    Yields:
        what waits for it, to be called before `publish`.
    """
    output = output.absolute()
    place = manifest_path(output, state)
    wait = _nothing
    with suppress(OSError):
        if jobs > 1 and place.stat().st_size > MANY and not os.path.lexists(_spare(place)):
            wait = beside(partial(_make_spare, output, place), jobs)
    try:
        yield wait
    finally:
        wait()


def _nothing() -> None:
    return


def _make_spare(output: Path, place: Path) -> None:
    """Link a second tree of what is published; nothing where links or notes are not to be had."""
    manifest, notes, spare = (
        load_manifest(place),
        trees.load(trees.notes_path(place)),
        _spare(place),
    )
    if not notes.are_of(output, manifest) or not link_whole(output, spare, sorted(manifest)):
        return
    times = trees.folder_times(spare, trees.folders_of(manifest))
    roots = trees.inode(output), trees.inode(spare)
    trees.save(
        trees.notes_path(place), replace(notes, spare=times, stale=notes.foreign, roots=roots)
    )


def _spare(manifest: Path) -> Path:
    return manifest.with_name(manifest.stem.replace("manifest", "spare"))


def published_files(output: Path, state: Path, but: Container[str] = ()) -> tuple[str, ...]:
    """Return the paths below the output folder of what builds have put there and still is there.

    Args:
        output: folder that was published to.
        state: the project's ``.sitegen`` folder.
        but: paths that are not asked for.
    """
    output = output.absolute()
    known = load_manifest(manifest_path(output, state))
    asked = (path for path in known if path not in but)
    return tuple(path for path in asked if os.path.isfile(f"{output}/{path}"))  # noqa: PTH113


@contextmanager
def build_lock(state: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the project's lock, so that two builds never write at once.

    Args:
        state: the project's ``.sitegen`` folder.
        waiting: called once when another build holds the lock, before waiting for it.
    """
    state.mkdir(parents=True, exist_ok=True)
    with (state / "lock").open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep other projects from publishing to the same output; leaves no file behind."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):  # some network drives lock no folders
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _stage_files(
    stage: Stage,
    files: Iterable[SiteFile],
    late: Iterable[SiteFile],
    *,
    jobs: int,
    advance: Callable[[int, int], None] | None,
) -> _Outcome:
    """Write aside what differs from the output folder, in several processes."""
    outcome = _Outcome()
    different = _without_kept(stage, files, outcome)
    for done, fates in map_slices(stage.stage, different, jobs):
        outcome.add(fates)
        if advance:
            advance(done, len(different))
    outcome.add(stage.stage(_without_kept(stage, late, outcome)))
    return outcome


def _without_kept(stage: Stage, files: Iterable[SiteFile], outcome: _Outcome) -> list[SiteFile]:
    """Note which files are published as they would be made; return the others."""
    others: list[SiteFile] = []
    for file in files:
        fate = stage.keeps(file)
        if fate:
            outcome.add([fate])
        else:
            others.append(file)
    return others


def _finish(
    stage: Stage, notes: Trees, outcome: _Outcome, place: Path, *, taken: bool
) -> tuple[Changes, Trees | None]:
    """Complete the staged tree and exchange it with the output folder, if anything differs.

    Args:
        stage: the two trees.
        notes: of the build that left them; empty where they are not known.
        outcome: what became of the files.
        place: of the manifest.
        taken: whether the staged tree was begun with a spare one.

    Returns:
        what changed, and the notes for the next build; None where they stay as they are.
    """
    folders = trees.folders_of(outcome.entries)
    outcome.conflicts += _blocked_folders(stage, folders - notes.published.keys())
    if outcome.conflicts:
        raise SitegenError(
            *(
                error(
                    "publish-foreign-file",
                    "this file is not sitegen's, and the site needs its place",
                    Location(str(stage.output / path)),
                    "move it away, or choose another output folder",
                )
                for path in outcome.conflicts[:20]
            )
        )
    gone = sorted(set(stage.manifest) - set(outcome.entries))
    if not (outcome.added or outcome.changed or gone):
        save_manifest(place, outcome.entries)
        return Changes(), None
    written = {*outcome.added, *outcome.changed}
    shared = share(stage, notes, outcome.kept, written) if taken else set()
    copies = stage.link([path for path in outcome.kept if path not in shared])
    drop_paths(stage.folder, gone)
    foreign = carry_over(stage, notes if notes.published else None, folders)
    different = (*written, *gone, *foreign, *notes.foreign)
    now = _note(stage, notes if taken else Trees(published=notes.published), outcome, different)
    save_manifest(place, outcome.entries, pending=True)
    _exchange(stage.folder, stage.output)
    settle_manifest(place)
    changes = Changes(
        added=tuple(sorted(outcome.added)),
        changed=tuple(sorted(outcome.changed)),
        removed=tuple(gone),
    )
    return changes, replace(now, foreign=foreign, spare={} if copies else now.spare)


def _note(stage: Stage, notes: Trees, outcome: _Outcome, different: Sequence[str]) -> Trees:
    """Return notes on the two trees as they are before they are exchanged.

    Args:
        stage: the two trees.
        notes: on those before them, the spare one's only where this build began with it.
        outcome: what became of the files.
        different: paths of what one of the two trees has alone, or otherwise than the other.
    """
    if notes.spare:
        moved = (path for path, number in outcome.kept.items() if notes.inodes.get(path) != number)
        touched = trees.folders_of((*different, *notes.stale, *moved))
        touched.update(trees.changed_folders(stage.folder, notes.spare))
    else:
        touched = trees.folders_of(outcome.entries)
    before = dict(notes.published) or trees.folder_times(
        stage.output, trees.folders_of(stage.manifest)
    )
    unsure = trees.changed_folders(stage.output, before)
    steady = {folder: at for folder, at in notes.spare.items() if folder not in touched}
    return Trees(
        published=steady | trees.folder_times(stage.folder, touched),
        spare=before | dict.fromkeys(unsure, 0),
        inodes=outcome.kept | outcome.written,
        stale=tuple(sorted(different)),
        roots=(trees.inode(stage.folder), trees.inode(stage.output)),
    )


def _blocked_folders(stage: Stage, folders: Set[str]) -> list[str]:
    """Return where the site needs a folder and somebody's file or link stands, sorted."""
    needed = {*folders, SEARCH_FOLDER.rstrip("/")} - {""}
    return sorted(
        path for path in needed - stage.manifest.keys() if _is_else(f"{stage.output}/{path}")
    )


def _is_else(path: str) -> bool:
    """Whether something stands there that is no folder."""
    try:
        return not modes.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def _aside(output: Path, role: str) -> Path:
    """Return the hidden neighbour of the output folder, on the same file system."""
    return output.with_name(f".{output.name}.sitegen-{role}")


def _recover(output: Path) -> None:
    """Clear what a killed build left beside the output folder."""
    old = _aside(output, "old")
    if old.exists() and not output.exists():
        old.rename(output)
    for role in ("old", "next"):
        shutil.rmtree(_aside(output, role), ignore_errors=True)


def _exchange(new: Path, output: Path) -> None:
    """Put new in the place of output, atomically where the system can; new then holds the old."""
    if not output.exists():
        new.rename(output)
        return
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is not None:
        paths = os.fsencode(new), os.fsencode(output)
        if renameat2(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _RENAME_EXCHANGE) == 0:
            return
    old = _aside(output, "old")
    output.rename(old)
    new.rename(output)
    shutil.rmtree(old, ignore_errors=True)
