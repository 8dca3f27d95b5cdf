"""Stage a site aside, then promote it to the output folder in one step, or not at all.

The staged tree is a complete copy of the site: changed files are written, unchanged ones are hard
links to those of the output folder. The two folders are exchanged by one system call, so that a
reader, or a kill at any moment, meets either the old site or the new one.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import hashlib
import json
import os
import shutil
import stat as modes
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from sitegen.atomic import write_atomic
from sitegen.diagnostics import Location, SitegenError, error
from sitegen.records import OutFile

MANIFEST_FORMAT = 1
SEARCH_FOLDER = "pagefind/"
"""Its files' names change with their content: what no manifest names there is a leftover."""
GENERATOR_MARK = b'name="generator" content="sitegen'

_HINTS = {
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some space",
    errno.EFBIG: "raise the limit on the size of files",
    errno.EBUSY: "it is a mount point: name a folder below it, e.g. with --output",
    errno.EXDEV: "it is a mount point: name a folder below it, e.g. with --output",
}
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """What the manifest knows of one published file."""

    digest: str
    """SHA-256 of its bytes in hex."""
    size: int
    mtime_ns: int


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
class _Stage:
    """A tree in the making; lives only inside `publish`."""

    output: Path
    folder: Path
    manifest: dict[str, Entry]
    entries: dict[str, Entry] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)


def publish(files: Iterable[OutFile], output: Path, state: Path) -> Changes:
    """Make the output folder hold exactly the given files, beside files that are not ours.

    Args:
        files: the site, any order, each path once.
        output: folder to publish to; made where it does not exist.
        state: the project's ``.sitegen`` folder, for the manifest.

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
        _make_folder(output.parent)
        with _alone_in(output.parent):
            _recover(output)
            manifest = _load_manifest(output, state)
            stage = _Stage(output=output, folder=_aside(output, "next"), manifest=manifest)
            _make_folder(stage.folder)
            try:
                for file in files:
                    _stage_file(stage, file)
                return _finish(stage, state)
            finally:
                shutil.rmtree(stage.folder, ignore_errors=True)
    except OSError as exc:
        reason = (exc.strerror or str(exc)).lower()
        hint = _HINTS.get(exc.errno or 0, "check the folder's permissions")
        location = Location(str(exc.filename or output))
        found = error("publish-failed", f"cannot publish: {reason}", location, hint)
        raise SitegenError(found) from exc


def published_files(output: Path, state: Path) -> tuple[str, ...]:
    """Return the paths below the output folder of what builds have put there and still is there."""
    output = output.absolute()
    return tuple(path for path in _load_manifest(output, state) if (output / path).is_file())


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


def _stage_file(stage: _Stage, file: OutFile) -> None:
    """Write one file aside unless the output folder holds the same bytes."""
    digest = hashlib.sha256(file.data).hexdigest()
    published = stage.output / file.path
    known = stage.manifest.get(file.path)
    current = _current(published, known)
    if current and current.digest == digest:
        stage.entries[file.path] = current
        stage.kept.append(file.path)
        return
    replaceable = known or _may_replace(published, stage.output)
    if current and (not replaceable or _is_folder(published)):
        stage.conflicts.append(file.path)
        return
    target = stage.folder / file.path
    _make_folder(target.parent)
    target.write_bytes(file.data)
    target.chmod(0o644)
    stage.entries[file.path] = _entry(target, digest)
    (stage.changed if current else stage.added).append(file.path)


def _finish(stage: _Stage, state: Path) -> Changes:
    """Complete the staged tree and exchange it with the output folder, if anything differs."""
    stage.conflicts += _blocked_folders(stage)
    if stage.conflicts:
        raise SitegenError(
            *(
                error(
                    "publish-foreign-file",
                    "this file is not sitegen's, and the site needs its place",
                    Location(str(stage.output / path)),
                    "move it away, or choose another output folder",
                )
                for path in stage.conflicts[:20]
            )
        )
    gone = sorted(set(stage.manifest) - set(stage.entries))
    if not (stage.added or stage.changed or gone):
        _save_manifest(stage.output, state, stage.entries)
        return Changes()
    for path in stage.kept:
        _link(stage.output / path, stage.folder / path)
    _keep_foreign(stage)
    _save_manifest(stage.output, state, stage.entries, pending=True)
    _exchange(stage.folder, stage.output)
    _save_manifest(stage.output, state, stage.entries)
    return Changes(
        added=tuple(sorted(stage.added)),
        changed=tuple(sorted(stage.changed)),
        removed=tuple(sorted(gone)),
    )


def _blocked_folders(stage: _Stage) -> list[str]:
    """Return where the site needs a folder and somebody's file or link stands, sorted."""
    folders = {SEARCH_FOLDER.rstrip("/")}
    for path in stage.entries:
        while (path := path.rpartition("/")[0]) and path not in folders:
            folders.add(path)
    return sorted(
        path
        for path in folders - stage.manifest.keys()
        if os.path.lexists(stage.output / path) and not _is_folder(stage.output / path)
    )


def _keep_foreign(stage: _Stage) -> None:
    """Take over what no build ever made, links and empty folders too, but not our leftovers."""
    for name, folders, files in os.walk(stage.output, followlinks=False):
        folder = Path(name)
        inside = folder.relative_to(stage.output)
        if not (folders or files):  # git does without its empty folders no more than without files
            _make_alike(folder, stage.folder / inside)
        for entry in (*files, *(each for each in folders if (folder / each).is_symlink())):
            path = (inside / entry).as_posix()
            target = stage.folder / path
            if path in stage.manifest or os.path.lexists(target):
                continue
            if path.startswith(SEARCH_FOLDER) or _is_ours(folder / entry):
                continue
            _make_alike(folder, target.parent)
            _link(folder / entry, target)


def _make_alike(source: Path, target: Path) -> None:
    """Make a folder with the mode of another one, and those above it."""
    if not target.is_dir():
        _make_alike(source.parent, target.parent)
        target.mkdir()
        shutil.copymode(source, target)


def _entry(path: Path, digest: str) -> Entry:
    stat = path.stat()
    return Entry(digest, stat.st_size, stat.st_mtime_ns)


def _current(path: Path, known: Entry | None) -> Entry | None:
    """Describe a published file; read its bytes only where size or time speak of a change."""
    try:
        stat = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if known and (stat.st_size, stat.st_mtime_ns) == (known.size, known.mtime_ns):
        return known
    plain = modes.S_ISREG(stat.st_mode)
    digest = hashlib.sha256(path.read_bytes()).hexdigest() if plain else ""
    return Entry(digest, stat.st_size, stat.st_mtime_ns)


def _may_replace(path: Path, output: Path) -> bool:
    """Whether a file that no manifest names may go: ours, or part of a site whose home is ours."""
    if path.is_symlink() or not path.is_file():
        return False
    return _is_ours(path) or (path.suffix != ".html" and _is_ours(output / "index.html"))


def _is_folder(path: Path) -> bool:
    """Whether a folder stands there, not a link to one."""
    return path.is_dir() and not path.is_symlink()


def _is_ours(path: Path) -> bool:
    """Whether a file without a place in the manifest is a page that sitegen wrote."""
    if path.suffix != ".html" or path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as handle:
        return GENERATOR_MARK in handle.read(4096)


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)


def _link(source: Path, target: Path) -> None:
    _make_folder(target.parent)
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


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


def _manifest_path(output: Path, state: Path) -> Path:
    # Relative, so that a project may be moved or copied with its output.
    place = os.path.relpath(output, state.absolute())
    key = hashlib.sha256(os.fsencode(place)).hexdigest()[:12]
    return state / f"manifest-{key}.json"


def _load_manifest(output: Path, state: Path) -> dict[str, Entry]:
    """Read what earlier builds published; a promotion that was cut short counts as well."""
    path = _manifest_path(output, state)
    entries: dict[str, Entry] = {}
    for file in (path, path.with_suffix(".pending")):
        with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            data = json.loads(file.read_bytes())
            if data["format"] == MANIFEST_FORMAT:
                entries |= {name: Entry(*values) for name, values in data["files"].items()}
    return entries


def _save_manifest(
    output: Path, state: Path, entries: dict[str, Entry], *, pending: bool = False
) -> None:
    path = _manifest_path(output, state)
    files = {
        name: [entry.digest, entry.size, entry.mtime_ns] for name, entry in sorted(entries.items())
    }
    data = json.dumps({"format": MANIFEST_FORMAT, "files": files}, indent=0).encode()
    aside = path.with_suffix(".pending")
    write_atomic(aside if pending else path, data)
    if not pending:
        aside.unlink(missing_ok=True)
