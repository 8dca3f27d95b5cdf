"""ISO dates that may be partial (``2031``, ``2031-05``), in words and padded for machines."""

from __future__ import annotations

import re
from functools import lru_cache

EPOCH = "1970-01-01T00:00:00Z"
"""Stand-in where a format demands a date and none is known."""

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")


def in_words(date: str) -> str:
    """Say a date no more exactly than it is known; what is no ISO date is given back as it is.

    >>> in_words("2031-05-01"), in_words("2031-05"), in_words("in press")
    ('1 May 2031', 'May 2031', 'in press')
    """
    found = _DATE.fullmatch(date)
    if not found or not 1 <= int(found[2] or 1) <= 12:
        return date
    year, month, day = found.groups()
    words = [str(int(day))] if day else []
    words += [_MONTHS[int(month) - 1]] if month else []
    return " ".join([*words, year])


def is_iso(date: str) -> bool:
    """Whether date is a whole or partial ISO date."""
    found = _DATE.fullmatch(date)
    return found is not None and 1 <= int(found[2] or 1) <= 12 and 1 <= int(found[3] or 1) <= 31


@lru_cache(4096)
def rfc3339(date: str) -> str:
    """Pad a date to RFC 3339 at midnight UTC; `EPOCH` where there is none.

    >>> rfc3339("2031"), rfc3339("")
    ('2031-01-01T00:00:00Z', '1970-01-01T00:00:00Z')
    """
    if not is_iso(date):
        return EPOCH
    return f"{date}{'0000-01-01'[len(date) :]}T00:00:00Z"
