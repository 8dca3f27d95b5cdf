"""What the published tree and the spare one hold, noted so that neither has to be walked.

A folder's time changes with the names in it. While it is as noted, the folder holds what builds put
there: of a hundred thousand files only those that a build changed need be looked at.
"""

from __future__ import annotations

import os
import stat as modes
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from sitegen import array_cache

FORMAT = "trees 1"
COARSE = 2_500_000_000
"""Nanoseconds within which two changes may bear the same time, on the coarsest of file systems."""
_NONE = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Trees:
    """Notes of a build on the two trees that it left."""

    published: Mapping[str, int] = field(default_factory=dict)
    """Time of each folder of the published tree in nanoseconds, by path; ``""`` is the root."""
    spare: Mapping[str, int] = field(default_factory=dict)
    """The same of the spare tree; empty where there is none."""
    inodes: Mapping[str, int] = field(default_factory=dict)
    """Number of each published file; the spare tree has the very same ones but for the stale."""
    stale: tuple[str, ...] = ()
    """Files of either tree that the other has not, or not the same; foreign things among them."""
    foreign: tuple[str, ...] = ()
    """Files, links and folders in the published tree that no build made; of folders the topmost."""
    roots: tuple[int, int] = (_NONE, _NONE)
    """Inodes of the two trees' own folders: a tree that was copied has others."""

    def are_of(self, published: Path, files: Iterable[str]) -> bool:
        """Whether these are the notes of the build that published a tree with these files."""
        return self.roots[0] == inode(published) and self.inodes.keys() == set(files)


def notes_path(manifest: Path) -> Path:
    """Return the place of the notes that belong to a manifest."""
    return manifest.with_name(f"{manifest.stem.replace('manifest', 'trees')}.bin")


def load(path: Path) -> Trees:
    """Return the notes; empty ones where there are none, or no sound ones."""
    table = array_cache.load(path, FORMAT)
    try:
        folders = table["folders"]
        published, spare = (
            {
                folder: at
                for folder, at in zip(folders, table[name].tolist(), strict=True)
                if at >= 0
            }
            for name in ("published", "spare")
        )
        first, second = table["roots"].tolist()
        return Trees(
            published=published,
            spare=spare,
            inodes=dict(zip(table["files"], table["inodes"].tolist(), strict=True)),
            stale=table["stale"],
            foreign=table["foreign"],
            roots=(first, second),
        )
    except (KeyError, ValueError):
        return Trees()


def save(path: Path, trees: Trees) -> None:
    """Keep the notes for the next build."""
    folders = tuple(sorted({*trees.published, *trees.spare}))
    files = tuple(trees.inodes)
    array_cache.save(
        path,
        FORMAT,
        {
            "folders": folders,
            "published": np.array([trees.published.get(one, _NONE) for one in folders], np.int64),
            "spare": np.array([trees.spare.get(one, _NONE) for one in folders], np.int64),
            "files": files,
            "inodes": np.fromiter(trees.inodes.values(), np.int64, len(files)),
            "stale": trees.stale,
            "foreign": trees.foreign,
            "roots": np.array(trees.roots, np.int64),
        },
    )


def changed_folders(tree: Path, folders: Mapping[str, int]) -> list[str]:
    """Return the folders in which names came or went, or that are none any more."""
    top = f"{tree}/"
    return [path for path, noted in folders.items() if folder_time(top + path) != noted]


def folder_times(tree: Path, folders: Iterable[str]) -> dict[str, int]:
    """Return the time of each folder; what is none is left out.

    A folder that changed just now gets a time that none has, so that it will be looked into: the
    clock of the file system is coarse, and what comes next might leave the time as it is.
    """
    top, settled = f"{tree}/", time.time_ns() - COARSE
    times = ((path, folder_time(top + path)) for path in folders)
    return {path: min(at, 0) if at > settled else at for path, at in times if at >= 0}


def folder_time(path: str) -> int:
    """Return when names in a folder changed last, in nanoseconds; -1 where there is no folder."""
    try:
        stat = os.lstat(path)
    except OSError:
        return _NONE
    return stat.st_mtime_ns if modes.S_ISDIR(stat.st_mode) else _NONE


def inode(path: str | Path) -> int:
    """Return the number of a file or folder; -1 where there is nothing."""
    try:
        return os.lstat(path).st_ino
    except OSError:
        return _NONE


def folders_of(paths: Iterable[str]) -> set[str]:
    """Return all folders above some paths, the root ``""`` among them."""
    folders = {""}
    for path in paths:
        above = path.rpartition("/")[0]
        while above not in folders:
            folders.add(above)
            above = above.rpartition("/")[0]
    return folders
