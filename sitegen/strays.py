"""Files below ``content/`` that nothing reads, most likely by a slip of their names."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

from sitegen.diagnostics import Location, Problem, warning

FOLDERS = ("editions", "pages", "papers", "topics")
FILES = ("decisions.toml", "index.md", "references.jsonl", "registry.jsonl", "site.toml")
_ASIDE = ("~", ".bak", ".orig", ".swp", ".tmp", "#")
"""Endings of what editors leave behind."""
_CLOSE = 0.8


def find_strays(root: Path) -> Iterator[Problem]:
    """Yield a warning for each file that a curator may think is read, but is not."""
    content = root / "content"
    for entry in _listed(content):
        known = FOLDERS if entry.is_dir() else FILES
        close = difflib.get_close_matches(entry.name, known, n=1, cutoff=_CLOSE)
        if entry.name in known or not (close or entry.suffix == ".md"):
            continue
        meant = f"did you mean content/{close[0]}?" if close else _places()
        yield _stray(f"content/{entry.name}{'/' * entry.is_dir()}", meant)
    for name in FOLDERS:
        for entry in _listed(content / name):
            if entry.suffix != ".md" or entry.is_dir():
                path = f"content/{name}/{entry.name}{'/' * entry.is_dir()}"
                yield _stray(path, f"files of content/{name}/ lie side by side and end in .md")


def _listed(folder: Path) -> list[Path]:
    entries = sorted(folder.iterdir()) if folder.is_dir() else []
    return [
        entry for entry in entries if not entry.name.startswith((".", "#", "~"))
        and not entry.name.endswith(_ASIDE)
    ]  # fmt: skip


def _places() -> str:
    return f"Markdown is read from content/index.md and from {', '.join(FOLDERS)} in content/"


def _stray(path: str, hint: str) -> Problem:
    return warning("content-unread", "nothing reads it", Location(path), hint)
