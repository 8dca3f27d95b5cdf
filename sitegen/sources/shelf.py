"""What files were read as, kept from build to build: parsing them takes several times as long.

Kept is what is read without a problem; the rest is little, and read anew.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from sitegen.line_cache import LineCache, code_hash, path_of
from sitegen.records import Author, Link, Metadata
from sitegen.sources.reading import Found, Reading

_DEFAULTS = {one.name: one.default for one in fields(Metadata)}


class Shelf:
    """The readings of files by their name and bytes."""

    def __init__(self, folder: Path | None) -> None:
        """Take the cache's folder; None for nowhere."""
        path = path_of(folder, "sources", code_hash("sources", "records.py")) if folder else None
        self._lines = LineCache(path, spare=0)

    def take(self, marks: Mapping[str, str]) -> dict[str, tuple[str, Reading]]:
        """Return mark and reading of the files that are known; marks are hashes of their bytes."""
        keys = {_key(name, mark): name for name, mark in marks.items()}
        found: dict[str, tuple[str, Reading]] = {}
        for key, value in self._lines.read(keys).items():
            with contextlib.suppress(ValueError, TypeError, KeyError):
                found[keys[key]] = marks[keys[key]], _unpack(value)
        return found

    def keep(self, readings: Mapping[str, tuple[str, Reading]], known: Iterable[str]) -> None:
        """Add readings by name, each with its mark; those that are known stay as they are."""
        there = set(known)
        self._lines.add(
            {
                _key(name, mark): _pack(reading)
                for name, (mark, reading) in readings.items()
                if name not in there and not reading.problems
            }
        )
        self._lines.tidy()


def _key(name: str, mark: str) -> str:
    return hashlib.sha256(f"{name}\n{mark}".encode()).hexdigest()


def _pack(reading: Reading) -> list[Any]:
    """Return a reading without problems as plain JSON."""
    found = [[one.text, one.position, one.line, _told(one.metadata)] for one in reading.found]
    return [found, reading.reported, reading.forms]


def _told(metadata: Metadata) -> dict[str, Any]:
    told = {
        name: value
        for name, default in _DEFAULTS.items()
        if (value := getattr(metadata, name)) != default
    }
    if metadata.authors:
        told["authors"] = [[one.name, one.family, one.given, one.group] for one in metadata.authors]
    if metadata.links:
        told["links"] = [[one.kind, one.url] for one in metadata.links]
    return told


def _unpack(value: Any) -> Reading:
    found, reported, forms = value
    return Reading(
        found=tuple(
            [
                Found(text=text, position=position, line=line, metadata=_metadata(told))
                for text, position, line, told in found
            ]
        ),
        reported=reported,
        forms=tuple(forms),
    )


def _metadata(told: dict[str, Any]) -> Metadata:
    if "authors" in told:
        told["authors"] = tuple(
            [
                Author(name=name, family=family, given=given, group=group)
                for name, family, given, group in told["authors"]
            ]
        )
    if "links" in told:
        told["links"] = tuple([Link(kind=kind, url=url) for kind, url in told["links"]])
    if "keywords" in told:
        told["keywords"] = tuple(told["keywords"])
    return Metadata(**told)
