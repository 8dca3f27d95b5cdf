"""Damaged text to clean text with its markup beside it: pure, linear, every rule named.

The rules stand in ``RULES`` in the order in which they run. A text in which no rule finds anything
comes out as it went in, but for spaces and line breaks.
"""

from __future__ import annotations

from sitegen.repair.restoring import restore, restore_all
from sitegen.repair.rules import RULES, Rule
from sitegen.repair.texts import Step, repair, repair_steps, repair_title

__all__ = [
    "RULES",
    "Rule",
    "Step",
    "repair",
    "repair_steps",
    "repair_title",
    "restore",
    "restore_all",
]
