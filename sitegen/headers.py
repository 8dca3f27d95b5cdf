"""Writes front matter: keys as YAML, and changes of a header that leave the rest as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sitegen.frontmatter import FENCE, parse_document, split_lines

Value = str | bool | int | Sequence[str]

# Neither in a list nor alone does any of these letters mean something to YAML.
_PLAIN = re.compile(r"[^\W_]([\w ./()+-]*[\w.)+])?")
_KEY = re.compile(r"[^\s#:-][^:]*(?=:(?:\s|$))")


def header_line(key: str, value: Value) -> str:
    """Return a key with its value as one line of YAML, e.g. ``tags: [otter, "C: drive"]``."""
    return f"{key}: {_written(value)}"


def with_fields(text: str, fields: Mapping[str, Value]) -> str:
    """Return a Markdown file's text with keys of its header set; comments and body stay.

    Args:
        text: the file, with or without a header; one that has a beginning but no end can't be.
        fields: what to set; a key that is there is replaced where it stands.
    """
    lines = split_lines(text.removeprefix("\ufeff"))
    end = 0
    if lines[0].rstrip() == FENCE:
        end = next(at for at, line in enumerate(lines) if at and line.rstrip() == FENCE)
        header, body = lines[1:end], lines[end + 1 :]
    else:
        header, body = [], lines
    keys = (line for line in header if line.strip() and not line.lstrip().startswith("#"))
    first = next(keys, "")
    indent = first[: len(first) - len(first.lstrip(" "))]
    for key, value in fields.items():
        whole = "\n".join([FENCE, *header, FENCE])
        document, problems = parse_document(whole.encode("utf-8", "replace"), "")
        known = document.fields.get(key)
        if known:
            start, stop = known.line - 2, known.last - 1
        else:
            # In a sound header a line that looks like the key belongs to another's value.
            start, stop = _range(header, key) if problems else (len(header), len(header))
        header[start:stop] = [indent + header_line(key, value)]
    return "\n".join([FENCE, *header, FENCE, *body])


def _range(header: Sequence[str], key: str) -> tuple[int, int]:
    """Return the lines that a key takes; an empty range at the end where there is none."""
    for start, line in enumerate(header):
        found = _KEY.match(line)
        if found and found[0].strip().strip("\"'") == key:
            stop = start + 1
            while stop < len(header) and _goes_on(header[stop]):
                stop += 1
            return start, stop
    return len(header), len(header)


def _goes_on(line: str) -> bool:
    """Whether a line belongs to the key above it."""
    return line[:1] in {" ", "\t", "-", "]", "}"} and not line.lstrip().startswith("#")


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _scalar(value)
    return f"[{', '.join(map(_scalar, value))}]"


def _scalar(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    signs = {'"': '\\"', "\\": "\\\\"}
    letters = (
        signs.get(char) or (char if char.isprintable() else f"\\U{ord(char):08x}") for char in text
    )
    return f'"{"".join(letters)}"'
