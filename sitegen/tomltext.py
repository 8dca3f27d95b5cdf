"""TOML of any shape, read without surprises: whatever is wrong with it is one kind of error."""

from __future__ import annotations

import tomllib
from typing import Any

MAX_DEPTH = 16
"""Nesting of tables and lists; no file of a digest needs more than four."""


def parse(text: str) -> dict[str, Any]:
    """Read a TOML text.

    Raises:
        ValueError: it is not TOML, nested too deep, or holds a number without end.
    """
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise ValueError("values are nested too deep") from None
    level: list[Any] = [data]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return data
    raise ValueError("values are nested too deep")
