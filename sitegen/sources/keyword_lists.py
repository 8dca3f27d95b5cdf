"""Keywords of authors and publishers, however a format lists them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

MOST = 100
"""Keywords of a record; what goes beyond is no authors' list."""
LONGEST = 120
"""Characters of a keyword; more are a sentence in the wrong field."""
_OPENING, _CLOSING = frozenset("{(["), frozenset("})]")
_INSIDE_NUMBER = re.compile(r"\d,\d")


def parse_keywords(values: Iterable[str]) -> tuple[str, ...]:
    """Return keywords, no word twice.

    Args:
        values: as the format gives them: one text with all of them, or one text each, which then
            may hold commas (``Models, Statistical``).

    >>> parse_keywords(["1,2-ethanediol, heat (wet, dry), Mud, mud", ""])
    ('1,2-ethanediol', 'heat (wet, dry)', 'Mud')
    >>> parse_keywords(["Models, Statistical", "*Otters/physiology"])
    ('Models, Statistical', 'Otters/physiology')
    """
    listed = [value for value in values if value.strip()]
    found: dict[str, str] = {}
    for value in listed:
        for word in _split(value, commas=len(listed) == 1):
            plain = " ".join(word.split()).lstrip("* ").rstrip(". ")
            if plain and len(plain) <= LONGEST:
                found.setdefault(plain.casefold(), plain)
    return tuple(found.values())[:MOST]


def _split(text: str, *, commas: bool) -> Iterator[str]:
    """Cut a list at its line ends and semicolons, or else at its commas."""
    cuts = _cuts(text, ";\n")
    if not cuts and commas:
        # The comma of 1,2-ethanediol parts nothing.
        cuts = [at for at in _cuts(text, ",") if not _INSIDE_NUMBER.match(text, max(at - 1, 0))]
    start = 0
    for cut in (*cuts, len(text)):
        yield text[start:cut]
        start = cut + 1


def _cuts(text: str, signs: str) -> list[int]:
    """Return where the signs stand, but not within brackets that close."""
    depth = 0
    found = []
    for at, char in enumerate(text):
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth = max(depth - 1, 0)
        elif char in signs and not depth:
            found.append(at)
    return [at for at, char in enumerate(text) if char in signs] if depth else found
