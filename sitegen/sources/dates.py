"""Dates as sources write them to ISO 8601, never more exact than written.

Times and zones are cut off, not converted: the day a source names is the day shown everywhere.
"""

from __future__ import annotations

import re
from calendar import monthrange

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january", "feb february", "mar march", "apr april", "may", "jun june",
            "jul july", "aug august", "sep sept september", "oct october", "nov november",
            "dec december",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_SEASONS = frozenset({"spring", "summer", "autumn", "fall", "winter"})
_FILLERS = re.compile(
    r"st|nd|rd|th|of|on|online|published|gmt|utc"
    r"|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
)
_LONGEST = 80

_YEAR = r"(?P<year>[12]\d{3})"
# 2031-05-01T12:00Z, 2031/5/1, 2031/05//, and biblatex's 2031-05~ and 2031-05/2031-07.
_YEAR_FIRST = re.compile(
    rf"{_YEAR}(?:[-/.](?P<month>\d{{1,2}})(?:[-/.](?P<day>\d{{1,2}}))?)?"
    r"(?:/+\w*|[T ]\d\d?:\d\d.*|[~?%]|/\d{4}.*|/\.\.)?",
    re.DOTALL,
)
_COMPACT = re.compile(rf"{_YEAR}(?P<month>\d\d)(?P<day>\d\d)(?:\d{{6}}.*)?")
_YEAR_LAST = re.compile(rf"(?P<one>\d{{1,2}})(?P<sign>[-/.])(?P<two>\d{{1,2}})(?P=sign){_YEAR}")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_LONE_YEAR = re.compile(rf"(?<!\d){_YEAR}(?!\d)")
_CLOCK = re.compile(r"\s\d\d?:\d\d.*$", re.DOTALL)


def read_date(text: str) -> tuple[str, bool]:
    """Return what a text says of a date.

    Args:
        text: e.g. ``2031-05-01T23:30:00-08:00``, ``1 May 2031``, ``2031 May-Jun`` or ``in press``.

    Returns:
        ISO date, partial or empty; and whether all of the text was understood. ``2031-13-02`` gives
        the year, ``5/6/31`` nothing, neither is understood.
    """
    text = text.strip().strip(".,;").strip()
    if not text:
        return "", True
    if len(text) > _LONGEST:
        return "", False
    if found := _YEAR_FIRST.fullmatch(text) or _COMPACT.fullmatch(text):
        parts = found.groupdict()
        return from_numbers(parts["year"], parts["month"] or "", parts["day"] or "")
    if found := _YEAR_LAST.fullmatch(text):
        return _day_or_month_first(found)
    return _in_words(text)


def from_numbers(year: str, month: str = "", day: str = "") -> tuple[str, bool]:
    """Return an ISO date of its parts, and whether they are one; see `read_date`."""
    if not month.strip("0"):
        return year, not month and not day
    if not 1 <= int(month) <= 12:
        return year, 21 <= int(month) <= 41 and not day  # seasons of ISO 8601-2
    iso = f"{year}-{int(month):02}"
    if not day.strip("0"):
        return iso, not day
    if int(day) > monthrange(int(year), int(month))[1]:
        return iso, False
    return f"{iso}-{int(day):02}", True


def from_parts(year: str, month: str = "", day: str = "") -> tuple[str, bool]:
    """Return the date that a year, a month and a day make, each as a source writes it.

    The month may be a number, a name, or both month and day (``10 may``).
    """
    iso, sure = read_date(year)
    if not iso or len(iso) > 4 or not month.strip():
        return iso, sure and not (month.strip() and not iso)
    months, days, others = _words(month)
    numbers = [*days, *(int(part) for part in re.findall(r"\d+", day)[:1])]
    if not months and days and not others:
        months, numbers = [days[0]], numbers[1:]
    if not months or not 1 <= months[0] <= 12:
        return iso, False
    # Several days are a meeting's, not the paper's.
    full, good = from_numbers(iso, str(months[0]), str(numbers[0]) if len(numbers) == 1 else "")
    return full, sure and good and not others


def _day_or_month_first(found: re.Match[str]) -> tuple[str, bool]:
    one, two = int(found["one"]), int(found["two"])
    if found["sign"] == "." or one > 12 >= two:
        return from_numbers(found["year"], found["two"], found["one"])
    if two > 12 >= one:
        return from_numbers(found["year"], found["one"], found["two"])
    return found["year"], False  # day and month cannot be told apart


def _in_words(text: str) -> tuple[str, bool]:
    """Read a date with the month's name, or a year among other words."""
    years = _LONE_YEAR.findall(text)
    if not years:
        return "", False
    rest = _LONE_YEAR.sub(" ", _CLOCK.sub("", text), count=1)
    months, days, others = _words(rest)
    if not months:
        seasons = bool(others) and not days and all(word in _SEASONS for word in others)
        return years[0], seasons
    day = str(days[0]) if len(days) == 1 else ""
    iso, sure = from_numbers(years[0], str(months[0]), day)
    return iso, sure and len(years) == 1 and not others


def _words(text: str) -> tuple[list[int], list[int], list[str]]:
    """Part a text into months, other numbers, and words that are neither, weekdays left out."""
    months: list[int] = []
    days: list[int] = []
    others: list[str] = []
    for word in _WORD.findall(text.casefold()):
        if word in _MONTHS:
            months.append(_MONTHS[word])
        elif word.isdecimal():
            days.append(int(word))
        elif not _FILLERS.fullmatch(word):
            others.append(word)
    return months, days, others
