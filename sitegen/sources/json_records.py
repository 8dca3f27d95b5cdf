"""The records of a JSON file, each with its line: in an array, an envelope, or one after another.

A record that is no JSON is passed over, the others are read: a download that broke off loses its
last record only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from sitegen.sources.lines import Lines

ENVELOPES = frozenset(
    {"data", "entries", "items", "message", "papers", "recommendedPapers", "results", "works"}
)
"""Keys under which services put their lists of records."""

# Fractions stay as typed (an arXiv identifier is one); NaN is no value.
_DECODER = json.JSONDecoder(parse_float=str, parse_constant=lambda _: None)
_OPENING = re.compile(r'\{\s*"[^"\\\n]{0,100}"\s*:')
_SPACE = re.compile(r"[ \t\n\r]*")
_SEPARATOR = re.compile(r"[ \t\n\r,]*")
_STRUCTURE = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|[\[\]{}]')
_AFTER_KEY = re.compile(r"[ \t\n\r]*:[ \t\n\r]*")
_DEEPEST = 8
_HEAD = 65_536
_FIRST_LINES = 20
_UNREADABLE = "no JSON that can be read: nested too deep, or an endless number"
MOST_WASTED = 10_000_000_000
"""Characters passed over in vain, for all broken records of a file: some seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One value of a list of records."""

    line: int
    value: Any = None
    """As `json` gives it."""
    fault: str = ""
    """Why there is no value; empty where there is one."""


class Records:
    """Walks through a text; what stands beside the records is kept in `envelope`."""

    def __init__(self, text: str) -> None:
        self.envelope: dict[str, Any] = {}
        """Plain values of the objects around the records, e.g. how many there are in all."""
        self._text = text
        self._lines = Lines(text)
        self._unclosed = False
        self._opened = False
        self._wasted = 0

    def each(self) -> Iterator[Record]:
        """Yield the records in order; an object that holds no list of them is itself one."""
        at = self._skip(0)
        if self._text.startswith("[", at):
            yield from self._array(at)
        elif self._is_lines(at):
            yield from self._by_line()
        else:
            yield from self._values(at)

    def _values(self, at: int) -> Iterator[Record]:
        """Walk through values that stand one after another; mostly there is one."""
        while 0 <= at < len(self._text) and self._wasted <= MOST_WASTED:
            value, end, fault = self._value(at)
            if fault:
                yield from self._object(at, 0)
                if self._opened:
                    return
                end = self._text.find("\n{", at) + 1 or len(self._text)
                yield Record(line=self._lines.at(at), fault=fault)
            elif _has_records(value):
                yield from self._object(at, 0)
            else:
                yield Record(line=self._lines.at(at), value=value)
            at = self._skip(end)

    def _is_lines(self, at: int) -> bool:
        """Whether there are several lines, and each of the first ones begins an object."""
        head = self._text[at : at + _HEAD].split("\n")
        begun = [line.startswith("{") for line in head[:_FIRST_LINES] if line.strip()]
        if len(begun) < 2:
            return self._text.find("\n{", at) >= 0 and _is_object(head[0])
        return all(begun)

    def _by_line(self) -> Iterator[Record]:
        """Read JSON lines, each on its own."""
        for number, line in enumerate(self._text.split("\n"), 1):
            words = line.strip().rstrip(",")
            if not words:
                continue
            try:
                value = _DECODER.decode(words)
            except json.JSONDecodeError as exc:
                why = exc.msg.lower().removesuffix(" at")
                yield Record(line=number, fault=f"no JSON: {why} at character {exc.pos + 1}")
            except (ValueError, RecursionError):
                yield Record(line=number, fault=_UNREADABLE)
            else:
                yield Record(line=number, value=value)

    def _skip(self, at: int) -> int:
        found = _SEPARATOR.match(self._text, at)
        return found.end() if found else at

    def _value(self, at: int) -> tuple[Any, int, str]:
        """Return the value at a place, where it ends, and what is wrong with it."""
        try:
            value, end = _DECODER.raw_decode(self._text, at)
        except json.JSONDecodeError as exc:
            self._wasted += exc.pos  # it counts the lines from the file's beginning on
            line = self._lines.at(min(exc.pos, len(self._text) - 1))
            return None, at, f"no JSON: {exc.msg.lower().removesuffix(' at')} on line {line}"
        except (ValueError, RecursionError):
            self._wasted += 10 * _HEAD
            return None, at, _UNREADABLE
        return value, end, ""

    def _object(self, at: int, depth: int) -> Iterator[Record]:
        """Walk through an object around records."""
        at = self._skip(at + 1)
        while self._text.startswith('"', at):
            try:
                key, at = scanstring(self._text, at + 1, True)
            except ValueError:
                return
            colon = _AFTER_KEY.match(self._text, at)
            if not colon:
                return
            at = colon.end()
            if key in ENVELOPES and self._text.startswith("[", at):
                yield from self._array(at)
                at = self._extent(at)
            elif key in ENVELOPES and self._text.startswith("{", at) and depth < _DEEPEST:
                yield from self._nested(at, depth)
                at = self._extent(at)
            else:
                value, at, fault = self._value(at)
                if fault:
                    return
                if isinstance(value, str | int):
                    self.envelope.setdefault(key, value)
            at = self._skip(at)

    def _nested(self, at: int, depth: int) -> Iterator[Record]:
        value, _, fault = self._value(at)
        if not fault and not _has_records(value):
            yield Record(line=self._lines.at(at), value=value)
        else:
            yield from self._object(at, depth + 1)

    def _array(self, at: int) -> Iterator[Record]:
        self._opened = True
        at = self._skip(at + 1)
        while at < len(self._text) and self._text[at] != "]":
            line = self._lines.at(at)
            value, end, fault = self._value(at)
            if fault and self._wasted > MOST_WASTED:
                yield Record(line=line, fault=f"{fault}; nor can the rest of the file be read")
                return
            yield Record(line=line, value=value, fault=fault)
            if fault:
                end = self._after_broken(at)
            at = self._skip(end)

    def _after_broken(self, at: int) -> int:
        """Return where the list goes on after a record that is no JSON."""
        start = self._text.rfind("\n", 0, at) + 1
        margin = self._text[start:at]
        # One bracket too few makes every search for its fellow run to the end: one is enough.
        end = len(self._text) if self._unclosed else self._extent(at)
        if not margin.strip():
            # Written one below the other: the next one begins with the same margin.
            again = self._text.find(f"\n{margin}{self._text[at]}", at)
            if 0 <= again < end:
                return again + 1
        if end == len(self._text) and (opening := _OPENING.match(self._text, at)):
            self._unclosed = True
            again = self._text.find(opening[0], at + 1)
            return again if again >= 0 else end
        return max(end, at + 1)

    def _extent(self, at: int) -> int:
        """Return the place behind the bracket that closes the one at a place."""
        depth = 0
        for found in _STRUCTURE.finditer(self._text, at):
            if found[0][0] == '"':
                continue
            depth += 1 if found[0] in "[{" else -1
            if depth <= 0:
                return found.end()
        return len(self._text)


def _is_object(line: str) -> bool:
    try:
        return isinstance(_DECODER.decode(line.strip()), dict)
    except (ValueError, RecursionError):
        return False


def _has_records(value: Any) -> bool:
    """Whether an object is an envelope: it holds a list of objects, or an object that does."""
    if not isinstance(value, dict):
        return False
    for key in ENVELOPES & value.keys():
        inner = value[key]
        if isinstance(inner, list) and (not inner or isinstance(inner[0], dict)):
            return True
        if isinstance(inner, dict):
            return True
    return False
