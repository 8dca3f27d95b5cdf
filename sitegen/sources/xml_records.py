"""The records of an XML file, each with its line; entities are never fetched nor grown.

A file that is not well-formed is read again piece by piece: one record with a bare ``&`` or a tag
that never closes does not cost the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import html5
from typing import Self
from xml.parsers import expat

from sitegen.sources.lines import Lines

DEEPEST = 64
"""Elements within each other; records have a dozen."""

_BARE_AND = re.compile(r"&(?!(?:#\d{1,7}|#x[0-9A-Fa-f]{1,6}|amp|lt|gt|quot|apos);)")
_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31});")
_BARE_LESS = re.compile(r"<(?![/A-Za-z!?])")


@dataclass(slots=True)
class Element:
    """An element with what it holds."""

    tag: str
    """Without its prefix: ``creator`` of ``dc:creator``."""
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    content: list[str | Self] = field(default_factory=list)

    def children(self, tag: str) -> Iterator[Self]:
        """Yield the elements of a tag right in this one."""
        for each in self.content:
            if not isinstance(each, str) and each.tag == tag:
                yield each

    def find(self, *path: str) -> Self | None:
        """Return the first element at a path of tags."""
        found: Self | None = self
        for tag in path:
            found = next(found.children(tag), None) if found is not None else None
        return found

    def text(self, *path: str) -> str:
        """Return all text in the first element at a path; empty where there is none."""
        found = self.find(*path)
        return "".join(found.pieces()).strip() if found is not None else ""

    def pieces(self) -> Iterator[str]:
        """Yield the text in this element and those within it."""
        for each in self.content:
            if isinstance(each, str):
                yield each
            else:
                yield from each.pieces()

    def markup(self) -> str:
        """Return what this element holds with its inner tags written out, for `untagged`."""
        return "".join(
            each.replace("<", "‹").replace(">", "›")
            if isinstance(each, str)
            else f"<{each.tag}>{each.markup()}</{each.tag}>"
            for each in self.content
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A file's records and what stands around them."""

    root: str
    """Tag of the outermost element, without prefix; empty where there is none."""
    records: tuple[Element, ...] = ()
    head: tuple[tuple[str, str], ...] = ()
    """Tag and text of the leaves outside of the records, in order."""
    faults: tuple[tuple[int, str], ...] = ()
    """Line and reason of each record that cannot be read."""
    mended: int = 0
    """Line from which on the file is not well-formed; 0 where it is."""


def read_tree(text: str, tags: frozenset[str]) -> Tree:
    """Read a file.

    Args:
        text: as `decode` returns it.
        tags: of the records, without prefix.

    Returns:
        the records; those that are not well-formed as faults.
    """
    builder = _Builder(tags)
    try:
        builder.feed(text)
    except _TooDeepError as exc:
        return _piece_by_piece(text, tags, builder, exc.line, str(exc))
    except _RefusedError as exc:
        return Tree(root=builder.root, faults=((exc.line, str(exc)),))
    except expat.ExpatError as exc:
        return _piece_by_piece(text, tags, builder, exc.lineno, expat.ErrorString(exc.code))
    return Tree(root=builder.root, records=tuple(builder.records), head=tuple(builder.head))


def root_tag(text: str) -> str:
    """Return the tag of the outermost element, with its prefix; empty where a text is no XML."""
    found = re.match(
        r"\s*(?:<\?.{0,2000}?\?>\s*|<!--.{0,20000}?-->\s*|<!DOCTYPE[^>\[]{0,2000}"
        r"(?:\[.{0,20000}?\]\s*)?>\s*)*<([A-Za-z_][\w.:-]*)",
        text[:65_536],
        re.DOTALL,
    )
    return found[1] if found else ""


def _piece_by_piece(
    text: str, tags: frozenset[str], whole: _Builder, broken: int, why: str
) -> Tree:
    """Read each record of a file that is not well-formed on its own."""
    names = "|".join(sorted(map(re.escape, tags)))
    prefix = r"(?:[\w-]+:)?"
    opening = re.compile(rf"<{prefix}(?P<tag>{names})(?=[\s>])")
    lines = Lines(text)
    starts = [(found.start(), found["tag"]) for found in opening.finditer(text)]
    records: list[Element] = []
    faults: list[tuple[int, str]] = []
    ends = [*(start for start, _ in starts[1:]), len(text)]
    for (start, tag), following in zip(starts, ends, strict=False):
        line = lines.at(start)
        closing = re.compile(rf"</{prefix}{re.escape(tag)}\s*>").search(text, start, following)
        if not closing:
            faults.append((line, f"<{tag}> is never closed"))
            continue
        builder = _Builder(tags, line)
        try:
            builder.feed(_mended(text[start : closing.end()]))
        except expat.ExpatError as error:
            where = line + error.lineno - 1
            faults.append((line, f"line {where}: {expat.ErrorString(error.code)}"))
        except _RefusedError as error:
            faults.append((line, str(error)))
        else:
            records += builder.records
    if not starts:
        faults.append((broken, why))
    return Tree(
        root=whole.root,
        records=tuple(records),
        head=tuple(whole.head),
        faults=tuple(faults),
        mended=broken,
    )


def _mended(piece: str) -> str:
    """Return a piece with what authors of feeds forget to escape escaped."""

    def named(found: re.Match[str]) -> str:
        name = f"{found[1]};"
        if name in {"amp;", "lt;", "gt;", "quot;", "apos;"}:
            return found[0]
        return html5.get(name, found[0])

    return _BARE_LESS.sub("&lt;", _BARE_AND.sub("&amp;", _NAMED.sub(named, piece)))


class _RefusedError(Exception):
    """A file does what no source of papers does."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


class _TooDeepError(_RefusedError):
    """Elements are nested too deep: most likely some that were never closed."""


class _Builder:
    """Builds the elements of records from expat's events."""

    def __init__(self, tags: frozenset[str], first_line: int = 1) -> None:
        self.root = ""
        self.records: list[Element] = []
        self.head: list[tuple[str, str]] = []
        self._tags = tags
        self._offset = first_line - 1
        self._open: list[Element] = []
        self._depth = 0
        self._leaf: list[str] = []
        # Without namespaces: a record read on its own has lost the declarations of its prefixes.
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.EntityDeclHandler = self._refuse_entities
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def feed(self, text: str) -> None:
        """Read a whole text.

        Raises:
            expat.ExpatError: it is not well-formed.
            _RefusedError: it declares entities, or is nested too deep.
        """
        # XML may begin with nothing but its declaration.
        self._parser.Parse(text.lstrip().encode("utf-8", "replace"), True)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(":")[2]
        self.root = self.root or tag
        self._depth += 1
        self._leaf.clear()
        if self._depth > DEEPEST:
            raise _TooDeepError(self._line(), f"more than {DEEPEST} elements within each other")
        if self._open or tag in self._tags:
            bare = {key.rpartition(":")[2]: value for key, value in attributes.items()}
            element = Element(tag, self._line(), bare)
            if self._open:
                self._open[-1].content.append(element)
            self._open.append(element)

    def _end(self, name: str) -> None:
        self._depth -= 1
        if not self._open:
            if words := "".join(self._leaf).strip():
                self.head.append((name.rpartition(":")[2], words))
            self._leaf.clear()
            return
        done = self._open.pop()
        if not self._open:
            self.records.append(done)

    def _characters(self, data: str) -> None:
        if self._open:
            self._open[-1].content.append(data)
        else:
            self._leaf.append(data)

    def _line(self) -> int:
        return self._parser.CurrentLineNumber + self._offset

    def _refuse_entities(self, *_: object) -> None:
        raise _RefusedError(self._line(), "it declares entities of its own, which is refused")
