"""What stands in the output folder and no build made: carried over from tree to tree, and told."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

from sitegen.staging import Stage, is_folder, is_ours, link
from sitegen.trees import Trees, changed_folders

SEARCH_FOLDER = "pagefind/"
"""Its files' names change with their content: what no manifest names there is a leftover."""


def carry_over(stage: Stage, notes: Trees | None, folders: Collection[str]) -> tuple[str, ...]:
    """Take over what no build ever made, links and empty folders too, but not our leftovers.

    Args:
        stage: the published tree and the one in the making.
        notes: of the build that left the published tree; None where they are not known.
        folders: those of the site in the making.

    Returns:
        what was taken over, sorted; of folders the topmost.
    """
    carried = set()
    for path, empty in _found(stage, notes):
        source, target = stage.output / path, stage.folder / path
        if empty:  # git does without its empty folders no more than without files
            _make_alike(source, target)
        elif not (os.path.lexists(target) or path.startswith(SEARCH_FOLDER) or is_ours(source)):
            _make_alike(source.parent, target.parent)
            link(str(source), str(target))
        else:
            continue
        top = path
        while (above := top.rpartition("/")[0]) not in folders:
            top = above
        carried.add(top)
    return tuple(sorted(carried))


def _found(stage: Stage, notes: Trees | None) -> Iterator[tuple[str, bool]]:
    """Yield each thing that no build made, and whether it is an empty folder."""
    if notes is None:
        if stage.output.is_dir():
            yield from _walk(stage, "", ())
        return
    for path in notes.foreign:
        if is_folder(stage.output / path):
            yield from _walk(stage, f"{path}/", ())
        elif os.path.lexists(stage.output / path):
            yield path, False
    known = {*notes.foreign, *notes.published}
    for folder in sorted(changed_folders(stage.output, notes.published)):
        if is_folder(stage.output / folder):
            yield from _walk(stage, f"{folder}/" if folder else "", known)


def _walk(stage: Stage, inside: str, known: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Yield each thing in a folder that no build made; what is known is passed over."""
    with os.scandir(f"{stage.output}/{inside}") as scan:
        entries = list(scan)
    if not entries and inside:
        yield inside.rstrip("/"), True
    for entry in entries:
        path = f"{inside}{entry.name}"
        if path in known:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(stage, f"{path}/", known)
        elif path not in stage.manifest:
            yield path, False


def _make_alike(source: Path, target: Path) -> None:
    """Make a folder with the mode of another one, and those above it."""
    if not target.is_dir():
        _make_alike(source.parent, target.parent)
        target.mkdir()
        shutil.copymode(source, target)
