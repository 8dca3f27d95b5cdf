"""Front matter: YAML between ``---`` lines, every scalar kept as the text that was typed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import yaml

from sitegen.diagnostics import Location, Problem, error

FENCE = "---"
MAX_HEADER = 65_536
"""Characters of a header; PyYAML is slow, and no curator writes more."""
MAX_DEPTH = 4
"""Nesting of a header's values; only flat lists are used, the rest is room for a good message."""

_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
"""Characters that neither HTML nor XML may hold; a page shows nothing for them."""

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""The one written in C is ten times as fast."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One key's value with the lines it stands on, counted from 1."""

    value: str | tuple[str, ...]
    line: int
    last: int
    """Comments and blank lines behind the value, which YAML counts to it, are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A Markdown file cut into its header and its body."""

    path: str
    fields: Mapping[str, Field] = field(default_factory=dict)
    body: str = ""


def parse_document(data: bytes, path: str) -> tuple[Document, tuple[Problem, ...]]:
    """Cut a Markdown file into front matter and body.

    A byte order mark and CRLF make no difference. A header that is not understood is a problem and
    never becomes part of the body. Scalars stay text (``2310.12340`` and ``no`` are not typed);
    anchors and aliases are refused, since they can blow up.

    Args:
        data: the file's bytes, UTF-8.
        path: POSIX path to name in problems.

    Returns:
        the document, with the fields that could be read, and the problems.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = data[: exc.start].count(b"\n") + 1
        found = error("content-encoding", "not UTF-8", Location(path, line), "save it as UTF-8")
        return Document(path=path), (found,)
    lines = split_lines(text)
    if lines[0].rstrip() != FENCE:
        return Document(path=path, body="\n".join(lines).strip()), ()
    end = next((i for i, line in enumerate(lines[1:], 1) if line.rstrip() == FENCE), 0)
    if not end:
        found = error(
            "front-matter-open",
            "front matter has no end",
            Location(path, 1),
            f"close it with a line of its own: {FENCE}",
        )
        return Document(path=path), (found,)
    fields, problems = _fields("\n".join(lines[1:end]), path)
    body = "\n".join(lines[end + 1 :]).strip()
    return Document(path=path, fields=fields, body=body), problems


def split_lines(text: str) -> list[str]:
    """Return the lines of a file, whatever ends them, without what no page may hold."""
    return _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")


def _fields(header: str, path: str) -> tuple[dict[str, Field], tuple[Problem, ...]]:
    """Read the YAML of a header whose first line is line 2 of the file."""
    try:
        if refused := _hostile(header):
            return {}, (_syntax(*refused, path),)
        root = yaml.compose(header, _LOADER)
    except (yaml.YAMLError, RecursionError) as exc:
        mark = getattr(exc, "problem_mark", None)
        reason = getattr(exc, "problem", None) or "not valid YAML"
        return {}, (_syntax(reason, mark.line if mark else 0, path),)
    if root is None:
        return {}, ()
    if not isinstance(root, yaml.MappingNode):
        found = error(
            "front-matter-syntax",
            "front matter is not a list of keys",
            Location(path, 2),
            "write one `key: value` a line",
        )
        return {}, (found,)
    fields: dict[str, Field] = {}
    problems: list[Problem] = []
    for key_node, value_node in root.value:
        line = key_node.start_mark.line + 2
        key = str(key_node.value)
        if key in fields:
            problems.append(
                error(
                    "front-matter-twice",
                    f"{key} is given twice",
                    Location(path, line),
                    f"keep one of lines {fields[key].line} and {line}",
                )
            )
        elif (value := _value(value_node)) is None:
            problems.append(
                error(
                    "front-matter-nested",
                    f"{key} is nested",
                    Location(path, line),
                    "give a text or a flat list of texts",
                )
            )
        else:
            fields[key] = Field(value=value, line=line, last=_last(value_node, header) + 2)
    return fields, tuple(problems)


_PLAIN = (
    ("tab character", "a tab", "indent with spaces"),
    ("cannot start any token", "a tab or a sign that begins nothing",
     "indent with spaces; quote a value that begins with @, ` or %"),
    ("expected ',' or ']'", "a list is not closed", "close it with ]"),
    ("expected ',' or '}'", "a brace is not closed", "quote a value that begins with {"),
    ("end of stream", "a quote is not closed", "close it, or take it out"),
    ("end of file", "a quote is not closed", "close it, or take it out"),
)  # fmt: skip
"""What the YAML library says, the same for a curator, and how to mend it."""


def _syntax(reason: str, line: int, path: str) -> Problem:
    hint = 'quote a value that holds ": " or begins with a special character'
    for words, plain, helps in _PLAIN:
        if words in reason:
            reason, hint = plain, helps
            break
    text = f"front matter: {reason}"
    return error("front-matter-syntax", text, Location(path, line + 2), hint)


def _hostile(header: str) -> tuple[str, int] | None:
    """Name what can blow up, with its line in the header, before anything is built from it."""
    if len(header) > MAX_HEADER:
        return f"longer than {MAX_HEADER} characters", 0
    depth = 0
    for event in yaml.parse(header, _LOADER):
        line = event.start_mark.line if event.start_mark else 0
        if isinstance(event, yaml.AliasEvent):
            return "aliases (*name) are not supported", line
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            return "values are nested too deep", line
    return None


def _last(node: yaml.Node, header: str) -> int:
    """Return the last line of a value, from 0."""
    lines = header.split("\n")
    end = node.end_mark.line - (node.end_mark.column == 0)
    first = node.start_mark.line
    while end > first and (not lines[end].strip() or lines[end].lstrip().startswith("#")):
        end -= 1
    return max(first, end)


def _value(node: yaml.Node) -> str | tuple[str, ...] | None:
    if isinstance(node, yaml.ScalarNode):
        return _UNSEEN.sub("", node.value)
    if isinstance(node, yaml.SequenceNode) and all(
        isinstance(item, yaml.ScalarNode) for item in node.value
    ):
        return tuple(_UNSEEN.sub("", item.value) for item in node.value)
    return None
