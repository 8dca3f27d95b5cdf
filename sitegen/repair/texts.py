"""A text through all rules, again where a rule leaves new damage behind."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from sitegen.records import Prose
from sitegen.repair.draft import Draft
from sitegen.repair.lost import sounds_like_formula
from sitegen.repair.rules import RULES

Step = tuple[str, str, str]
"""Rule, text before, text after."""

_MAX_ROUNDS: Final = 4
_BRACES: Final = re.compile(r"(?<![\\A-Za-z^_}])\{([^{}\\]*)\}")
_PLAIN_NAMES: Final = re.compile(r"[A-Z][a-z]{0,40}(?:[ \n-][A-Z][a-z]{0,40})*")
"""Names, one a line, in which no rule could find anything, unless they sound like a formula."""


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
def plain(text: str) -> str:
    """Return the plain text of a name, a venue or a keyword mended like a title."""
    return repair(_without_braces(text)).text if text else text


def plain_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return `plain` of each name."""
    lines = "\n".join(filter(None, names))
    if _PLAIN_NAMES.fullmatch(lines) and not sounds_like_formula(lines):
        return names
    return tuple(map(plain, names))
