"""A complete new digest for ``sitegen init``, made from the files in ``sitegen/starter/``."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from sitegen.atomic import write_atomic
from sitegen.diagnostics import Location, SitegenError, error
from sitegen.requirements import own_requirement, pin

HIDDEN = {"gitignore": ".gitignore"}
"""Names that a package cannot carry as they should be."""


def start_digest(folder: Path) -> tuple[str, ...]:
    """Write a new digest into a folder that does not exist or is empty.

    Returns:
        the paths written, from the folder, sorted.

    Raises:
        SitegenError: something is there already.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        text = "there is something here already"
        hint = "name a new folder"
        raise SitegenError(error("init-not-empty", text, Location(str(folder)), hint))
    made = _copy(files("sitegen") / "starter", folder, "")
    pinned = pin(["sitegen"])
    lines = [f"{name}=={number}" for name, number in sorted(pinned.items()) if name != "sitegen"]
    write_atomic(folder / "requirements.txt", "\n".join([own_requirement(), *lines, ""]).encode())
    return tuple(sorted([*made, "requirements.txt"]))


def _copy(source: Traversable, target: Path, path: str) -> list[str]:
    made = []
    for entry in source.iterdir():
        name = f"{path}{HIDDEN.get(entry.name, entry.name)}"
        if entry.is_dir():
            made += _copy(entry, target, f"{name}/")
        elif not entry.name.startswith("__"):
            write_atomic(target / name, entry.read_bytes())
            made.append(name)
    return made
