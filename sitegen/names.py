"""The names a paper introduces: systems, methods, models, data sets, benchmarks, coined effects."""

from __future__ import annotations

import re

from sitegen.records import Name

_CUE = re.compile(
    r"(?:introduce|propose|present|called|dubbed|termed|named)\s+(?:the\s+)?"
    r"([A-Za-z0-9]*[A-Z][\w-]*[A-Z0-9][\w-]*)"
)


def find_names(text: str) -> tuple[Name, ...]:
    """Return what the paper itself introduces, main one first; empty where it introduces nothing."""
    match = _CUE.search(text)
    return (Name(text=match[1]),) if match else ()
