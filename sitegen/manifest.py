"""What earlier builds published: each file's bytes, and what they were made from."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from sitegen.atomic import write_atomic

FORMAT = 1


class Entry(NamedTuple):
    """One published file."""

    digest: str
    """SHA-256 of its bytes in hex."""
    size: int
    mtime_ns: int
    key: str = ""
    """Fingerprint of all that the bytes were made from; empty where that is not known."""


def manifest_path(output: Path, state: Path) -> Path:
    """Return the manifest's place in the tool's own folder."""
    # Relative, so that a project may be moved or copied with its output.
    place = os.path.relpath(output, state.absolute())
    key = hashlib.sha256(os.fsencode(place)).hexdigest()[:12]
    return state / f"manifest-{key}.json"


def load_manifest(path: Path) -> dict[str, Entry]:
    """Read what earlier builds published; a promotion that was cut short counts as well."""
    entries: dict[str, Entry] = {}
    for file in (path, path.with_suffix(".pending")):
        with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            data = json.loads(file.read_bytes())
            if data["format"] == FORMAT:
                entries |= {name: Entry(*values) for name, values in data["files"].items()}
    # A manifest is data like any other: no path may lead out of the output folder.
    for name in [name for name in entries if name.startswith("/") or ".." in name]:
        if name.startswith("/") or ".." in name.split("/"):
            del entries[name]
    return entries


def save_manifest(path: Path, entries: Mapping[str, Entry], *, pending: bool = False) -> None:
    """Write the manifest; a pending one stands beside the valid one until it is settled."""
    files = dict(sorted(entries.items()))  # each entry as a list
    data = json.dumps({"format": FORMAT, "files": files}).encode()
    aside = path.with_suffix(".pending")
    write_atomic(aside if pending else path, data, synced=False)
    if not pending:
        aside.unlink(missing_ok=True)


def settle_manifest(path: Path) -> None:
    """Let the pending manifest be the valid one."""
    path.with_suffix(".pending").replace(path)
