"""The table of features claims nothing without a test that exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs/features.md").read_text(encoding="utf-8")
CELLS = "●◐○?"


@cache
def defined_in(file: str) -> set[str]:
    tree = ast.parse((ROOT / "tests" / f"{file}.py").read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def rows(heading: str) -> list[list[str]]:
    section = TEXT.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_named_test_and_command_exists() -> None:
    named = re.findall(r"`(test_\w+)::(test_\w+)`", TEXT)
    assert len(named) > 70
    for file, name in named:
        assert name in defined_in(file), f"{file}::{name}"
    for command in re.findall(r"`((?:tools|bench)/\w+\.py)`", TEXT):
        assert (ROOT / command).is_file(), command


def test_each_row_is_whole_and_each_claim_is_tested() -> None:
    table = rows("Feature by feature")
    assert len(table) >= 36
    for row in table:
        assert len(row) == 11, row[0]
        assert all(set(cell) & set(CELLS) or cell == "account" for cell in row[1:10]), row[0]
        assert "`" in row[10], row[0]


def test_the_forty_wishes_are_answered() -> None:
    table = rows("Forty wishes of readers and curators")
    assert [row[0] for row in table] == [str(number) for number in range(1, 41)]
    for _, wish, here, tested in table:
        assert here[0] in CELLS, wish
        assert tested or here[0] in "○◐", wish
