"""Markdown notes: front matter that tells of a paper, and its abstract as key or text."""

from __future__ import annotations

import re

from sitegen.frontmatter import FENCE, parse_document
from sitegen.sources.collector import Collector
from sitegen.sources.columns import Value, our_names, read_fields
from sitegen.sources.reading import Reading

_KEY = re.compile(r"""#.*|["']?[\w -]{1,40}["']?\s*:(?:\s|$)""")
_SECTION = re.compile(r"^#{1,6}[ \t]([^\n]*)$", re.MULTILINE)


def recognises(text: str) -> bool:
    """Whether a text begins with front matter: a fence, and a key on the next line."""
    first, _, rest = text[:65_536].partition("\n")
    return first.rstrip() == FENCE and bool(_KEY.match(rest.lstrip()))


def read(text: str, file: str) -> Reading:
    """Read one note.

    Args:
        text: as `decode` returns it.
        file: path for the problems.

    Returns:
        the paper it tells of. Where no key holds the abstract it is the text under a heading
        "Abstract", else the whole text.
    """
    document, problems = parse_document(text.encode("utf-8", "replace"), file)
    collector = Collector(file)
    if document.fields:
        fields: dict[str, Value] = {name: each.value for name, each in document.fields.items()}
        if not our_names(fields).keys() & {"abstract"}:
            fields["abstract"] = _abstract(document.body)
        collector.add(read_fields(fields, 1))
    reading = collector.reading()
    if problems and not reading.found:
        return Reading(reported=1, problems=problems)
    return Reading(
        found=reading.found,
        reported=reading.reported,
        problems=(*problems, *reading.problems),
    )


def _abstract(body: str) -> str:
    """Return the text under the heading "Abstract", else all of it without headings."""
    parts = _SECTION.split(body)
    for heading, words in zip(parts[1::2], parts[2::2], strict=True):
        if heading.casefold().strip(" :#\t") in {"abstract", "summary"}:
            return words.strip()
    return "\n".join(parts[::2]).strip()
