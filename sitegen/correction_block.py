"""The block of a correction as it stands in an issue: fenced JSON with an id and what to change.

Paper pages prefill it, ``sitegen fix`` reads it; both ends keep to what is written here.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sitegen.diagnostics import Location, Problem, error

Value = str | bool | tuple[str, ...]

TEXT_KEYS = (
    "title", "date", "arxiv", "doi", "url", "withdrawn", "same_as", "picked_by", "picked_on"
)  # fmt: skip
LIST_KEYS = ("authors", "tags", "not_tags", "topics")
FLAG_KEYS = ("pick",)
LONGEST = 2000
"""Letters of one value."""
MOST = 5000
"""Values of one list; the largest collaborations have as many authors."""

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})\s*([\w-]*)\s*")
_ID = re.compile(r"[0-9a-hjkmnp-tv-z]{8,}")
_WANTS = {"text": "one line of text in quotes", "list": "a list of texts in brackets",
          "flag": "true or false"}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """One block."""

    id: str
    """Of the paper."""
    fields: Mapping[str, Value]
    """What it says, in the order of the block; empty texts and lists say nothing."""
    line: int
    """Where the block begins, from 1."""


def write_block(record: Mapping[str, str | list[str]]) -> str:
    """Return a record as a fenced block with one key a line, for a person to edit."""
    lines = (
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in record.items()
    )
    return "```json\n{\n" + ",\n".join(lines) + "\n}\n```\n"


def read_blocks(text: str, path: str) -> tuple[tuple[Correction, ...], tuple[Problem, ...]]:
    """Read all blocks of an issue's text.

    Args:
        text: the text; what stands around the blocks does not matter.
        path: to name in problems.

    Returns:
        the sound blocks, and an error for each that is not understood to the letter.
    """
    blocks: list[Correction] = []
    problems: list[Problem] = []
    for line, body in _fenced(text):
        found = _read(body, Location(path, line))
        if isinstance(found, Correction):
            blocks.append(found)
        else:
            problems += found
    if not blocks and not problems:
        hint = 'it begins with ```json and holds {"id": ...}'
        problems.append(error("fix-none", "no block of a correction", Location(path), hint))
    return tuple(blocks), tuple(problems)


def _fenced(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and content of each fenced block that says it is JSON."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    at = 0
    while at < len(lines):
        opening = _FENCE.fullmatch(lines[at])
        at += 1
        if not opening:
            continue
        start = at
        while at < len(lines) and not _closes(lines[at], opening[1]):
            at += 1
        if opening[2].casefold() == "json":
            yield start, "\n".join(lines[start:at])
        at += 1


def _closes(line: str, opening: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(opening) and set(bare) == {opening[0]}


def _read(body: str, place: Location) -> Correction | list[Problem]:
    try:
        pairs = json.loads(body, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as exc:
        reason = exc.msg if isinstance(exc, json.JSONDecodeError) else "nested too deep"
        inner = exc.lineno if isinstance(exc, json.JSONDecodeError) else 0
        where = Location(place.path, place.line + inner)
        hint = "each line is a key and a value in quotes, with a comma between two lines"
        return [error("fix-syntax", f"not JSON: {reason.lower()}", where, hint)]
    if not isinstance(pairs, _Pairs):
        return [error("fix-syntax", "not a record in braces", place)]
    problems: list[Problem] = []
    fields: dict[str, Value] = {}
    for key, value in pairs:
        if key in fields:
            problems.append(error("fix-twice", f"{key} is given twice", place, "keep one"))
        elif (kind := _kind(key)) == "":
            problems.append(error("fix-key", f"unknown key {key}", place, _known(key)))
        elif (checked := _checked(value, kind)) is None:
            text = f"{key} cannot be {json.dumps(value, ensure_ascii=False)[:80]}"
            problems.append(error("fix-value", text, place, f"give {_WANTS[kind]}"))
        else:
            fields[key] = checked
    identifier = fields.pop("id", "")
    if not problems and not (isinstance(identifier, str) and _ID.fullmatch(identifier)):
        hint = "the paper's address ends in its id"
        problems.append(error("fix-id", "no paper's id", place, hint))
    if problems:
        return problems
    said = {key: value for key, value in fields.items() if value not in {"", (), False}}
    return Correction(id=str(identifier), fields=said, line=place.line)


class _Pairs(list[tuple[str, object]]):
    """A JSON object with its keys as they stand, repeated ones too."""


def _kind(key: str) -> str:
    if key == "id" or key in TEXT_KEYS:
        return "text"
    return "list" if key in LIST_KEYS else "flag" if key in FLAG_KEYS else ""


def _checked(value: object, kind: str) -> Value | None:
    """Return a value of its kind; None where it is of another."""
    if kind == "flag":
        return value if isinstance(value, bool) else None
    if kind == "text":
        return _line(value)
    if not isinstance(value, list) or isinstance(value, _Pairs) or len(value) > MOST:
        return None
    items = [_line(item) for item in value]
    return tuple(item for item in items if item) if None not in items else None


def _line(value: object) -> str | None:
    if not isinstance(value, str) or len(value) > LONGEST:
        return None
    bare = value.strip()
    return bare if all(char.isprintable() for char in bare) else None


def _known(key: str, keys: Iterable[str] = ("id", *TEXT_KEYS, *LIST_KEYS, *FLAG_KEYS)) -> str:
    close = difflib.get_close_matches(key, list(keys), n=1)
    meant = f"did you mean {close[0]}? " if close else ""
    return f"{meant}known keys: {', '.join(keys)}"
