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
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from sitegen.diagnostics import Location, SitegenError, error
from sitegen.forks import map_slices
from sitegen.manifest import Entry, load_manifest, manifest_path, save_manifest, settle_manifest
from sitegen.records import SiteFile
from sitegen.staging import (
    Fate,
    Stage,
    drop_paths,
    is_ours,
    link,
    make_folder,
    plain_modes,
    take_up,
)

SEARCH_FOLDER = "pagefind/"
"""Its files' names change with their content: what no manifest names there is a leftover."""

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
    kept: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)

    def add(self, fates: Iterable[Fate]) -> None:
        """Note what became of some files."""
        into = {"kept": self.kept, "added": self.added, "changed": self.changed}
        for path, what, entry in fates:
            if entry is None:
                self.conflicts.append(path)
            else:
                self.entries[path] = entry
                into[what].append(path)


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
            notes = manifest_path(output, state)
            spare = state / notes.stem.replace("manifest", "spare")
            stage = Stage(
                output=output, folder=_aside(output, "next"), manifest=load_manifest(notes)
            )
            try:
                shared = take_up(spare, stage)
                outcome = _stage_files(stage, files, late, jobs, advance)
                changes, linked = _finish(stage, outcome, shared, notes, jobs)
                if linked:
                    with suppress(OSError):  # on another file system
                        stage.folder.rename(spare)
                return changes
            finally:
                shutil.rmtree(stage.folder, ignore_errors=True)
    except OSError as exc:
        reason = (exc.strerror or str(exc)).lower()
        hint = _HINTS.get(exc.errno or 0, "check the folder's permissions")
        location = Location(str(exc.filename or output))
        found = error("publish-failed", f"cannot publish: {reason}", location, hint)
        raise SitegenError(found) from exc


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
        if stage.keeps(file):
            outcome.entries[file.path] = stage.manifest[file.path]
            outcome.kept.append(file.path)
        else:
            others.append(file)
    return others


def _finish(
    stage: Stage,
    outcome: _Outcome,
    shared: Container[str],
    notes: Path,
    jobs: int,
) -> tuple[Changes, bool]:
    """Complete the staged tree and exchange it with the output folder, if anything differs.

    Returns:
        what changed, and whether the tree left aside shares its files with the published one.
    """
    outcome.conflicts += _blocked_folders(stage, outcome.entries)
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
        save_manifest(notes, outcome.entries)
        return Changes(), True
    linked = _link_all(stage, [path for path in outcome.kept if path not in shared], jobs)
    drop_paths(stage.folder, gone)
    _keep_foreign(stage)
    save_manifest(notes, outcome.entries, pending=True)
    _exchange(stage.folder, stage.output)
    settle_manifest(notes)
    changes = Changes(
        added=tuple(sorted(outcome.added)),
        changed=tuple(sorted(outcome.changed)),
        removed=tuple(sorted(gone)),
    )
    return changes, linked


def _link_all(stage: Stage, missing: Sequence[str], jobs: int) -> bool:
    """Put files that did not change into the tree; returns whether links could be made."""
    return not sum(copies for _, copies in map_slices(stage.link, missing, jobs))


def _blocked_folders(stage: Stage, entries: Mapping[str, Entry]) -> list[str]:
    """Return where the site needs a folder and somebody's file or link stands, sorted."""
    folders = {SEARCH_FOLDER.rstrip("/")}
    for path in entries:
        while (path := path.rpartition("/")[0]) and path not in folders:
            folders.add(path)
    return sorted(
        path for path in folders - stage.manifest.keys() if _is_else(f"{stage.output}/{path}")
    )


def _is_else(path: str) -> bool:
    """Whether something stands there that is no folder."""
    try:
        return not modes.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def _keep_foreign(stage: Stage) -> None:
    """Take over what no build ever made, links and empty folders too, but not our leftovers."""
    if not stage.output.is_dir():
        return
    for path, empty in _walk(f"{stage.output}/"):
        if path in stage.manifest:
            continue
        source, target = stage.output / path, stage.folder / path
        if empty:  # git does without its empty folders no more than without files
            _make_alike(source, target)
        elif not (os.path.lexists(target) or path.startswith(SEARCH_FOLDER) or is_ours(source)):
            _make_alike(source.parent, target.parent)
            link(str(source), str(target))


def _walk(top: str) -> Iterator[tuple[str, bool]]:
    """Yield the path of each file, link and empty folder, and whether it is an empty folder."""
    folders = [""]
    while folders:
        inside = folders.pop()
        with os.scandir(top + inside) as scan:
            entries = list(scan)
        if not entries and inside:
            yield inside.rstrip("/"), True
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append(f"{inside}{entry.name}/")
            else:
                yield f"{inside}{entry.name}", False


def _make_alike(source: Path, target: Path) -> None:
    """Make a folder with the mode of another one, and those above it."""
    if not target.is_dir():
        _make_alike(source.parent, target.parent)
        target.mkdir()
        shutil.copymode(source, target)


def _entry(path: Path, digest: str) -> Entry:
    stat = path.stat()
    return Entry(digest, stat.st_size, stat.st_mtime_ns)


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
