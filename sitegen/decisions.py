"""The file ``content/decisions.toml``: the curator's answers to doubtful duplicates, kept for ever.

One ``[[pair]]`` table an answer. The texts are named by their fingerprints; the papers' ids and
first words stand beside them for later versions of the texts and for the reader.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import shorten
from typing import Any

from sitegen import tomltext
from sitegen.diagnostics import Location, Problem, SitegenError, error
from sitegen.records import Decision

DECISIONS = "content/decisions.toml"
KEYS = ("answer", "left", "left_paper", "left_text", "right", "right_paper", "right_text", "note")
HEADER = """\
# Answers to doubtful duplicates, written by `sitegen review`; yours to edit and to comment.
# answer = "same" or "different"; left and right are fingerprints of the two texts.
"""
_PAIR = re.compile(r"^\[\[\s*pair\s*\]\]", re.MULTILINE)
_ANSWER = re.compile(r"""^(\s*answer\s*=\s*)(?:"[^"]*"|'[^']*')""", re.MULTILINE)
_WORDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two texts of a pair, as an answer names it."""

    mark: str
    """The text's fingerprint."""
    paper: str = ""
    """Id of its paper; empty where it has none of its own."""
    text: str = ""


def parse_decisions(data: bytes) -> tuple[tuple[Decision, ...], tuple[Problem, ...]]:
    """Read the bytes of the file.

    Returns:
        the answers in the order of the file, and a problem for each that is not complete.
    """
    try:
        text = data.decode("utf-8-sig")
        tables = _tables(text)
    except ValueError as exc:
        found = re.search(r"line (\d+)", str(exc))
        location = Location(DECISIONS, int(found[1]) if found else 0)
        hint = 'a pair is a line [[pair]], then answer = "same", left = "…", right = "…"'
        return (), (error("decisions-syntax", f"not valid TOML: {exc}", location, hint),)
    decisions: list[Decision] = []
    problems: list[Problem] = []
    starts = [at for at, line in enumerate(text.splitlines(), 1) if _PAIR.match(line)]
    for name, line in _unknown_tables(text):
        words, hint = f"unknown table {name}", "answers stand in [[pair]] tables"
        problems.append(error("decisions-pair", words, Location(DECISIONS, line), hint))
    for index, pair in enumerate(tables, 1):
        line = starts[index - 1] if len(starts) == len(tables) else 0
        values = {key: pair.get(key, "") for key in KEYS if not key.endswith("_text")}
        complete = all(values[key] for key in ("left", "right"))
        texts = all(isinstance(value, str) for value in values.values())
        if not (texts and complete and values["answer"] in {"same", "different"}):
            problems.append(
                error(
                    "decisions-pair",
                    f"pair {index} is not complete",
                    Location(DECISIONS, line),
                    'a pair has left, right and answer = "same" or "different"',
                )
            )
            continue
        decisions.append(
            Decision(
                left=values["left"],
                right=values["right"],
                same=values["answer"] == "same",
                left_paper=values["left_paper"],
                right_paper=values["right_paper"],
                line=line,
            )
        )
    return tuple(decisions), tuple(problems)


def with_answer(text: str, one: Side, two: Side, *, same: bool) -> str:
    """Return the file's text with an answer added, or changed where the pair has one.

    Pairs are sorted by their fingerprints; comments stay with the pair that they stand above or in.

    Args:
        text: the present text; empty where there is no file.
        one: a text.
        two: the other; their order does not matter.
        same: the answer.

    Raises:
        SitegenError: the file is not TOML, or written so that it can't be changed in place.
    """
    left, right = sorted((one, two), key=lambda side: side.mark)
    answer = "same" if same else "different"
    head, blocks = _blocks(text or HEADER)
    key = frozenset((left.mark, right.mark))
    if any(_key(block) == key for block in blocks):
        blocks = [
            _ANSWER.sub(rf'\g<1>"{answer}"', block, count=1) if _key(block) == key else block
            for block in blocks
        ]
    else:
        blocks.append(_block(left, right, answer))
    blocks.sort(key=lambda block: sorted(_key(block)))
    result = "\n\n".join(part.strip("\n") for part in (head, *blocks) if part.strip()) + "\n"
    _check(text, result, key, answer)
    return result


def _tables(text: str) -> list[Mapping[str, Any]]:
    pairs = tomltext.parse(text).get("pair", [])
    return [pair for pair in pairs if isinstance(pair, dict)] if isinstance(pairs, list) else []


def _unknown_tables(text: str) -> Iterator[tuple[str, int]]:
    """Yield names at the top of the file that mean nothing, with their lines."""
    for name in sorted(tomltext.parse(text).keys() - {"pair"}):
        at = re.search(rf"^[ \t]*\[*[ \t]*{re.escape(name)}\b", text, re.MULTILINE)
        yield name, text.count("\n", 0, at.start()) + 1 if at else 0


def _blocks(text: str) -> tuple[str, list[str]]:
    """Cut the file into what stands before its first pair, and pairs with the comments above."""
    lines = text.replace("\r\n", "\n").removeprefix("\ufeff").split("\n")
    starts = []
    for at, line in enumerate(lines):
        if _PAIR.match(line):
            start = at
            while start and lines[start - 1].startswith("#"):
                start -= 1
            starts.append(start)
    if starts and starts[0] == 0 and text.startswith(HEADER):
        starts[0] = HEADER.count("\n")
    if not starts:
        return "\n".join(lines), []
    ends = [*starts[1:], len(lines)]
    head = lines[: starts[0]]
    blocks = ["\n".join(lines[start:end]) for start, end in zip(starts, ends, strict=True)]
    return "\n".join(head), blocks


def _key(block: str) -> frozenset[str]:
    """Return the fingerprints of a pair."""
    try:
        tables = _tables(block)
    except ValueError:
        return frozenset()
    return frozenset(str(table.get(side, "")) for table in tables for side in ("left", "right"))


def _block(left: Side, right: Side, answer: str) -> str:
    lines = ["[[pair]]", f'answer = "{answer}"']
    for name, side in (("left", left), ("right", right)):
        words = shorten(" ".join(side.text.split()), _WORDS, placeholder=" …")
        for key, value in (("", side.mark), ("_paper", side.paper), ("_text", words)):
            if value:
                quoted = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
                lines.append(f"{name}{key} = {quoted}")
    return "\n".join(lines)


def _check(before: str, after: str, key: frozenset[str], answer: str) -> None:
    """Make sure that nothing but the one answer changed."""
    try:
        old, new = _tables(before), _tables(after)
    except ValueError as exc:
        raise SitegenError(*parse_decisions(before.encode())[1] or (_layout(),)) from exc

    def others(tables: Iterable[Mapping[str, Any]]) -> list[str]:
        kept = (
            table for table in tables if frozenset((table.get("left"), table.get("right"))) != key
        )
        return sorted(json.dumps(table, sort_keys=True, default=str) for table in kept)

    mine = [table for table in new if frozenset((table.get("left"), table.get("right"))) == key]
    if others(old) != others(new) or {table.get("answer") for table in mine} != {answer}:
        raise SitegenError(_layout())


def _layout() -> Problem:
    return error(
        "decisions-layout",
        "the file is not written as plain [[pair]] tables and cannot be changed in place",
        Location(DECISIONS),
        "give each pair a [[pair]] table with one key a line",
    )
