"""Looking into JSON whose shape nobody vouches for: what is not as expected counts as not there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def text(value: Any, *path: str) -> str:
    """Return the text at a path through objects; a number as it is written, else an empty text."""
    found = inside(value, *path)
    if isinstance(found, bool):
        return ""
    if isinstance(found, int):
        return str(found)
    return found if isinstance(found, str) else ""


def texts(value: Any, *path: str) -> list[str]:
    """Return the texts of a list at a path; a text alone is a list of one."""
    found = inside(value, *path)
    if isinstance(found, str):
        return [found]
    if not isinstance(found, list):
        return []
    return [each for item in found if (each := text(item))]


def objects(value: Any, *path: str) -> list[Mapping[str, Any]]:
    """Return the objects of a list at a path."""
    found = inside(value, *path)
    if not isinstance(found, list):
        return []
    return [item for item in found if isinstance(item, dict)]


def inside(value: Any, *path: str) -> Any:
    """Return what stands at a path through objects, or None."""
    for key in path:
        if not isinstance(value, dict) and not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value
