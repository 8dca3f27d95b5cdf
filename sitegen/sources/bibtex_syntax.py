"""The syntax of BibTeX: blocks, macros and values; a malformed entry ends where the next begins.

Own parser, because the known ones lose entries: bibtexparser 1 drops what is malformed or of
another type without a word, pybtex stops at the first repeated key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sitegen.sources.lines import Lines

LONGEST_VALUE = 500_000
"""Characters of one value with its macros filled in: macros of macros can grow without bound."""

MOST_WASTED = 20
"""How many times over a file is searched in vain for the ends of values."""

START = re.compile(r"(?<![\w.@\\])@[ \t]*([A-Za-z][\w+-]*)\s*([{(])")
# Within an open brace only this is taken for the next entry: a line that begins one.
_NEXT = r"(?<=\n)[ \t]*@[ \t]*[A-Za-z][\w+-]*\s*[{(]\s*[^\s,{}()=\"#%]*\s*(?:,|=)"
_BRACES = re.compile(rf"[{{}}]|(?P<next>{_NEXT})")
_QUOTES = re.compile(rf"[{{}}\"]|(?P<next>{_NEXT})")
_CLOSED = re.compile(rf"[{{}}()]|(?P<next>{_NEXT})")
_KEY = re.compile(r"\s*([^\s,{}\"#%=](?:[^,{}\"#%=\n]*[^\s,{}\"#%=])?|)\s*(?:,|(?=[})]))")
_KEY_ALONE = re.compile(r"\s*([^\s,{}\"#%=]+)[ \t]*\n(?=\s*[\w-]+\s*=)")
_NAME = re.compile(r"\s*([^\s,={}()\"#%]+)\s*=\s*")
_TOKEN = re.compile(r"[^\s,{}()\"#]+")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_SPACE = re.compile(r"\s*")
_SEPARATOR = re.compile(r"[\s,]*")
_LEFT_OVER = re.compile(r"\s*[,}]*\s*[\w-]+\s*=\s*[{\"\d]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A field's value: pieces of text and names of macros."""

    pieces: tuple[tuple[str, bool], ...]
    """Each a text, or the name of a macro (True)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One ``@type{...}`` of a file."""

    kind: str
    """Type in lower case: ``article``, ``string``, ``comment``, ..."""
    key: str
    line: int
    fields: tuple[tuple[str, Value, int], ...] = ()
    """Name in lower case, value, line; in order."""
    fault: str = ""
    """What keeps it from being read; its fields are then those before the fault."""
    mended: str = ""
    """What is wrong with it without keeping it from being read."""
    leftover: int = 0
    """Line of what stands behind it and looks as if it belonged to it; 0 where nothing does."""


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a file in order; what stands between them is a comment."""
    lines = Lines(text)
    at = wasted = 0
    while found := START.search(text, at):
        reader = _Reader(text, found, lines)
        block = reader.read()
        wasted += reader.wasted
        if wasted > MOST_WASTED * len(text):
            # Brace after brace that never closes; each costs a search to the end of the file.
            yield replace(block, fault=f"{block.fault}, nor can the rest of the file be read")
            return
        at = max(reader.at, found.end())
        rest = _LEFT_OVER.match(text, at) if not block.fault and block.kind != "comment" else None
        yield replace(block, leftover=lines.at(rest.end() - 1) if rest else 0)


def expand(value: Value, macros: dict[str, str]) -> tuple[str, tuple[str, ...]]:
    """Return a value's text, unknown macros standing for themselves, and the unknown ones.

    Raises:
        ValueError: it is longer than any value.
    """
    parts, unknown = [], []
    length = 0
    for text, is_macro in value.pieces:
        part = macros.get(text.casefold(), text) if is_macro else text
        if is_macro and text.casefold() not in macros:
            unknown.append(text)
        length += len(part)
        if length > LONGEST_VALUE:
            raise ValueError(f"a value of more than {LONGEST_VALUE:,} characters")
        parts.append(part)
    return "".join(parts), tuple(unknown)


def inside_braces(text: str) -> str | None:
    """Return what one pair of braces around all of a text holds, or None."""
    if not (text.startswith("{") and text.endswith("}")):
        return None
    depth = 0
    for found in _BRACE.finditer(text):
        depth += (found[0] == "{") - (found[0] == "}")
        if depth == 0 and found.end() < len(text):
            return None
    return text[1:-1] if depth == 0 else None


class _FaultError(Exception):
    """An entry cannot be read on; `_Reader.at` says where the file goes on."""


class _Reader:
    """Reads one block from its ``@`` on."""

    def __init__(self, text: str, start: re.Match[str], lines: Lines) -> None:
        self.at = start.end()
        self.wasted = 0
        """Characters that were searched in vain for the end of a value."""
        self._text = text
        self._lines = lines
        self._kind = start[1].casefold()
        self._close = "}" if start[2] == "{" else ")"
        self._line = lines.at(start.start())
        self._key = ""
        self._fields: list[tuple[str, Value, int]] = []
        self._mended = ""

    def read(self) -> Block:
        fault = ""
        try:
            if self._kind in {"comment", "preamble"}:
                self._skip()
            else:
                if self._kind != "string":
                    self._read_key()
                self._read_fields()
        except _FaultError as exc:
            fault = str(exc)
        return Block(
            kind=self._kind,
            key=self._key,
            line=self._line,
            fields=tuple(self._fields),
            fault=fault,
            mended=self._mended,
        )

    def _fail(self, why: str, at: int) -> _FaultError:
        """Let the file go on at the next entry after a place."""
        following = START.search(self._text, at)
        self.at = following.start() if following else len(self._text)
        return _FaultError(why)

    def _skip(self) -> None:
        """Pass over a comment or preamble; one that never closes ends with its line."""
        try:
            self._balanced()
        except _FaultError:
            end = self._text.find("\n", self.at)
            self.at = end if end >= 0 else len(self._text)

    def _read_key(self) -> None:
        found = _KEY.match(self._text, self.at)
        if not found:
            found = _KEY_ALONE.match(self._text, self.at)
            if found:
                self._mended = "a comma is missing behind its key"
            elif _NAME.match(self._text, self.at):
                self._mended = "it has no key"
                return
            else:
                raise self._fail("it has no key", self.at)
        self._key = found[1]
        self.at = found.end()

    def _read_fields(self) -> None:
        while True:
            separator = _SEPARATOR.match(self._text, self.at)
            assert separator is not None
            if self._fields and "," not in separator[0]:
                closed = self._text.startswith(self._close, separator.end())
                if not closed and separator.end() < len(self._text):
                    line = self._lines.at(separator.end())
                    self._mended = f"a comma is missing before line {line}"
            self.at = separator.end()
            if self._text.startswith(self._close, self.at):
                self.at += 1
                return
            if self.at >= len(self._text):
                raise self._fail("it is never closed", self.at)
            name = _NAME.match(self._text, self.at)
            if not name:
                raise self._fail(f"line {self._lines.at(self.at)} is no field", self.at)
            line = self._lines.at(name.start(1))
            self.at = name.end()
            self._fields.append((name[1].casefold(), self._read_value(name[1], line), line))

    def _read_value(self, name: str, line: int) -> Value:
        pieces: list[tuple[str, bool]] = []
        while True:
            space = _SPACE.match(self._text, self.at)
            assert space is not None
            self.at = space.end()
            char = self._text[self.at : self.at + 1]
            if char == "{":
                self.at += 1
                start = self.at
                pieces.append((self._text[start : self._balanced(name, line)], False))
            elif char == '"':
                self.at += 1
                start = self.at
                pieces.append((self._text[start : self._quoted(name, line)], False))
            elif token := _TOKEN.match(self._text, self.at):
                self.at = token.end()
                pieces.append((token[0], not token[0][0].isdigit()))
            elif pieces or char not in {",", self._close}:
                raise self._fail(f"{name} on line {line} has no value", self.at)
            joined = re.compile(r"\s*#").match(self._text, self.at)
            if not joined:
                return Value(pieces=tuple(pieces))
            self.at = joined.end()

    def _balanced(self, name: str = "", line: int = 0) -> int:
        """Pass the brace that closes the one before, and return its place."""
        return self._until(_BRACES if self._close == "}" or name else _CLOSED, "}", name, line)

    def _quoted(self, name: str, line: int) -> int:
        return self._until(_QUOTES, '"', name, line)

    def _until(self, signs: re.Pattern[str], close: str, name: str, line: int) -> int:
        depth = 0
        start = self.at
        for found in signs.finditer(self._text, start):
            if found["next"]:
                at = self._text.index("@", found.start())
                raise self._fail(self._unclosed(name, line), at)
            char = found[0]
            if char in "{(":
                depth += 1
            elif depth == 0 and (char == close or close != '"'):
                self.at = found.end()
                return found.start()
            elif char in "})":
                depth = max(depth - 1, 0)
        self.wasted += len(self._text) - start
        raise self._fail(self._unclosed(name, line), start)

    @staticmethod
    def _unclosed(name: str, line: int) -> str:
        return f"{name} on line {line} is never closed" if name else "it is never closed"
