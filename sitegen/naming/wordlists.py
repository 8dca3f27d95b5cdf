"""The word lists of this package, read from ``data/naming.toml``, where each says its purpose."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


@cache
def _lists() -> dict[str, frozenset[str]]:
    text = (files("sitegen") / "data" / "naming.toml").read_text(encoding="utf-8")
    return {
        f"{table}.{name}": frozenset(words.split())
        for table, entries in tomllib.loads(text).items()
        for name, words in entries.items()
    }


def word_list(name: str) -> frozenset[str]:
    """Return the list ``table.name``; raises KeyError where there is none."""
    return _lists()[name]
