"""A short fuzz of every target, and every input that once broke something."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .__main__ import attempt, fuzz
from .targets import TARGETS

FINDS = json.loads(Path(__file__).with_name("finds.json").read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_a_short_fuzz_finds_nothing(name: str) -> None:
    assert fuzz(name, 60) == {}


@pytest.mark.parametrize("number", range(len(FINDS)))
def test_what_was_found_stays_mended(number: int) -> None:
    name, text = FINDS[number]
    assert attempt(name, text.encode("utf-8", "surrogateescape")) == ""
