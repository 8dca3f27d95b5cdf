"""Damaged text to clean text with its markup beside it: pure, linear, every rule named.

The rules stand in ``RULES`` in the order in which they run. A text in which no rule finds anything
comes out as it went in, but for spaces and line breaks.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from sitegen.links import find_links
from sitegen.records import Abstract, Author, Link, Metadata, Prose, Restored
from sitegen.repair.draft import Draft
from sitegen.repair.rules import RULES, Rule

__all__ = ["RULES", "Rule", "Step", "repair", "repair_steps", "repair_title", "restore"]

Step = tuple[str, str, str]
"""Rule, text before, text after."""

_MAX_ROUNDS: Final = 4
_HARMLESS: Final = re.compile(r"[A-Za-z0-9]+(?:[ -][A-Za-z0-9]+)*")
"""A keyword in which no rule could find anything."""
_BRACES: Final = re.compile(r"(?<![\\A-Za-z^_}])\{([^{}\\]*)\}")


def repair(text: str) -> Prose:
    """Return the text mended: clean Unicode on one line, and where its markup stands.

    Idempotent on its own plain output. Time is linear in the length of the text.
    """
    return _repaired(text)[0]


def repair_steps(text: str) -> tuple[Step, ...]:
    """Return which rules changed the text, each with the text before and after it."""
    return _repaired(text)[1]


def _repaired(text: str) -> tuple[Prose, tuple[Step, ...]]:
    steps: list[Step] = []
    prose = _once(text, steps)
    if prose.text == text:
        return prose, tuple(steps)
    for _ in range(_MAX_ROUNDS):
        # What a rule leaves behind can look like new damage; such rare texts run again.
        again: list[Step] = []
        second = _once(prose.text, again)
        if second.text == prose.text:
            break
        prose, steps = second, steps + again
    return prose, tuple(steps)


def _once(text: str, steps: list[Step]) -> Prose:
    draft = Draft(text=text)
    for rule in RULES:
        if rule.signs and not _holds_one(draft.text, rule.signs):
            continue
        after = rule.apply(draft)
        if after != draft.text:
            before = draft.shown()
            draft.text = after
            if draft.shown() != before:
                steps.append((rule.name, before, draft.shown()))
    return draft.prose()


def _holds_one(text: str, signs: tuple[str, ...]) -> bool:
    for sign in signs:  # noqa: SIM110 - any() takes twice as long
        if sign in text:
            return True
    return False


def restore(abstract: Abstract) -> Restored:
    """Return an abstract with its text, title, names and keywords mended and its links found."""
    prose = repair(abstract.text)
    known = abstract.metadata
    mended = replace(
        known,
        authors=tuple(map(_author, known.authors)),
        venue=_plain(known.venue),
        keywords=tuple(map(_keyword, known.keywords)),
    )
    return Restored(
        abstract=replace(abstract, metadata=mended) if mended != known else abstract,
        prose=prose,
        title=repair_title(known.title) if known.title.strip() else None,
        links=_joined(find_links(prose), known),
    )


def repair_title(title: str) -> Prose:
    """Return a title mended; braces that only protect capitals (``{FPGA-}based``) go as well."""
    return repair(_without_braces(title))


def _without_braces(text: str) -> str:
    for _ in range(4):
        shorter = _BRACES.sub(r"\1", text)
        if shorter == text:
            break
        text = shorter
    return text


@lru_cache(maxsize=65536)
def _plain(text: str) -> str:
    return repair(_without_braces(text)).text if text else text


def _keyword(word: str) -> str:
    return word if _HARMLESS.fullmatch(word) else _plain(word)


def _author(author: Author) -> Author:
    name, family, given = _plain(author.name), _plain(author.family), _plain(author.given)
    if (name, family, given) == (author.name, author.family, author.given):
        return author
    return replace(author, name=name, family=family, given=given)


def _joined(found: tuple[Link, ...], metadata: Metadata) -> tuple[Link, ...]:
    """Return the text's links, then those of the metadata; no URL twice."""
    links = {link.url: link for link in reversed((*found, *metadata.links))}
    ordered = dict.fromkeys(link.url for link in (*found, *metadata.links))
    return tuple(links[url] for url in ordered)
