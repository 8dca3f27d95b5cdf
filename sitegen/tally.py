"""What a built site holds, and how long GitHub Pages has room for it at its present growth."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from sitegen.deploy import LARGEST
from sitegen.diagnostics import Location, SitegenError, error

SITE_BYTES = 10**9
"""Size limit of a site on GitHub Pages."""
DEPLOY_SECONDS = 600
"""A deployment that takes longer is ended."""
MONTHLY_BYTES = 100 * 10**9
"""Soft limit of what a site may send in a month."""
RECENT_DAYS = 365
"""Growth is that of the last year for which there are papers."""
MONTH = 30.44
PAPERS_A_VISIT = 3
"""Paper pages that a visitor is taken to open, beside the home page and what all pages share."""

SHOWN = 6
"""Topics and editions named in the text."""

KINDS: Mapping[str, str] = {
    "papers": "paper pages", "topics": "topics", "tags": "tags", "editions": "editions",
    "pagefind": "search index", "assets": "styles, scripts, fonts", "data": "data",
    "cards": "pictures for links",
}  # fmt: skip
"""First part of a path to what its files are called."""
FEEDS = "feeds"
REST = "other pages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Files of one kind."""

    kind: str
    files: int
    bytes: int
    largest: int
    """Bytes of the largest of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """How the digest grew in the last year that has papers."""

    first: str
    """ISO date of the earliest paper counted."""
    last: str
    papers: int
    per_month: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """One limit of GitHub Pages."""

    name: str
    used: float
    """In the unit of the limit."""
    limit: float
    unit: str
    months: float | None
    """Until it is used up at the present growth; None where that is unknown or never."""

    @property
    def share(self) -> float:
        """Part that is used, from 0."""
        return self.used / self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """All figures of a site."""

    papers: int
    titled: int
    """Papers with a true title."""
    without_topic: int
    topics: tuple[tuple[str, int], ...]
    """Title and number of papers, most first."""
    tag_pages: int
    editions: tuple[tuple[str, str, int], ...]
    """Slug, date and number of papers read there, newest first."""
    exact_copies: int
    merged: Mapping[str, int]
    """Texts that differ from the one shown, by what joined them."""
    doubts: int
    sizes: tuple[Size, ...]
    growth: Growth | None
    budgets: tuple[Budget, ...]
    visits: int
    """Visits a month that the traffic limit allows, `PAPERS_A_VISIT` papers each."""

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        data = asdict(self)
        data["topics"] = [{"title": title, "papers": count} for title, count in self.topics]
        data["editions"] = [
            {"slug": slug, "date": day, "papers": count} for slug, day, count in self.editions
        ]
        return data


def take_tally(site: Path, state: Path) -> Tally:
    """Count what was built.

    Args:
        site: the output folder.
        state: the project's ``.sitegen`` folder, for the report of the last build.

    Raises:
        SitegenError: nothing was built, or its data can't be read.
    """
    records = site / "data/papers.jsonl"
    try:
        counts = _Counts()
        with records.open(encoding="utf-8") as lines:
            for line in lines:
                counts.add(json.loads(line))
        topics = json.loads((site / "data/topics.json").read_text("utf-8"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as exc:
        hint = "run sitegen build first"
        raise SitegenError(
            error("stats-nothing", "no built site to count", Location(str(records)), hint)
        ) from exc
    sizes = tuple(_sizes(site))
    report = _report(state)
    growth = growth_of(counts.dates)
    total = sum(size.bytes for size in sizes)
    return Tally(
        papers=counts.papers,
        titled=counts.titled,
        without_topic=counts.without_topic,
        topics=tuple(
            sorted(
                ((topic["title"], len(topic["papers"])) for topic in topics),
                key=lambda row: (-row[1], row[0]),
            )
        ),
        tag_pages=len(counts.tags),
        editions=tuple(
            sorted(
                ((slug, day, count) for (slug, day), count in counts.editions.items()),
                key=lambda row: (row[1], row[0]),
                reverse=True,
            )
        ),
        exact_copies=counts.exact,
        merged=dict(sorted(counts.merged.items())),
        doubts=len(report.get("doubts", ())),
        sizes=sizes,
        growth=growth,
        budgets=tuple(_budgets(total, _seconds(report), counts.papers, growth)),
        visits=_visits(site, sizes, counts.papers),
    )


class _Counts:
    """What papers.jsonl holds."""

    def __init__(self) -> None:
        self.papers = self.titled = self.without_topic = self.exact = 0
        self.tags: set[str] = set()
        self.editions: Counter[tuple[str, str]] = Counter()
        self.merged: Counter[str] = Counter()
        self.dates: list[date] = []
        """Of each paper's first place, where known."""

    def add(self, record: Mapping[str, Any]) -> None:
        self.papers += 1
        self.titled += record["title_source"] != "derived"
        self.without_topic += not record["topics"]
        self.tags.update(tag["slug"] for tag in record["tags"] if tag["page"])
        self.merged.update(text["kind"] for text in record["merged"])
        self.exact += len(record["sources"]) - 1 - len(record["merged"])
        days = []
        for place in record["sources"]:
            self.editions[place["edition"], place["date"] or ""] += 1
            days += _day(place["date"])
        self.dates += [min(days)] if days else []


def _day(text: str | None) -> list[date]:
    """Return a date as exact as known as its first day; nothing where it is none."""
    year, month, day = ([*(text or "").split("-"), "1", "1"])[:3]
    with suppress(ValueError):
        return [date(int(year), int(month), int(day))]
    return []


def _sizes(site: Path) -> Iterator[Size]:
    files: Counter[str] = Counter()
    weight: Counter[str] = Counter()
    largest: Counter[str] = Counter()
    for file in site.rglob("*"):
        if file.is_file():
            path = file.relative_to(site)
            feed = path.name in {"feed.xml", "feed.json"}
            kind = FEEDS if feed else KINDS.get(path.parts[0], REST)
            files[kind] += 1
            size = file.stat().st_size
            weight[kind] += size
            largest[kind] = max(largest[kind], size)
    for kind in sorted(files, key=lambda kind: (-weight[kind], kind)):
        yield Size(kind=kind, files=files[kind], bytes=weight[kind], largest=largest[kind])


def _report(state: Path) -> Mapping[str, Any]:
    """Return the report of the last build; empty where there is none."""
    with suppress(OSError, ValueError):
        data = json.loads((state / "report.json").read_bytes())
        if isinstance(data, dict):
            return data
    return {}


def _seconds(report: Mapping[str, Any]) -> float:
    seconds = report.get("seconds")
    total = seconds.get("total", 0.0) if isinstance(seconds, dict) else 0.0
    return float(total) if isinstance(total, int | float) else 0.0


def growth_of(dates: Iterable[date]) -> Growth | None:
    """Return papers a month over the last year; None where all that is known is one day."""
    ordered = sorted(dates)
    recent = [day for day in ordered if (ordered[-1] - day).days < RECENT_DAYS]
    if not recent or recent[0] == recent[-1]:
        return None
    # the papers of the first day came before the time that is measured
    later = [day for day in recent if day > recent[0]]
    months = (recent[-1] - recent[0]).days / MONTH
    return Growth(
        first=recent[0].isoformat(),
        last=recent[-1].isoformat(),
        papers=len(later),
        per_month=round(len(later) / months, 2),
    )


def _budgets(total: int, seconds: float, papers: int, growth: Growth | None) -> Iterator[Budget]:
    def months(used: float, limit: float) -> float | None:
        if not growth or not papers or not used or not growth.per_month:
            return None
        return round(max(limit - used, 0) / (used / papers) / growth.per_month, 1)

    yield Budget(
        name="size", used=total, limit=SITE_BYTES, unit="bytes", months=months(total, SITE_BYTES)
    )
    yield Budget(
        name="time", used=seconds, limit=DEPLOY_SECONDS, unit="seconds",
        months=months(seconds, DEPLOY_SECONDS),
    )  # fmt: skip


def _visits(site: Path, sizes: Iterable[Size], papers: int) -> int:
    """Return how many visits a month the traffic limit allows."""
    by_kind = {size.kind: size for size in sizes}
    pages = by_kind.get(KINDS["papers"])
    shared = by_kind.get(KINDS["assets"])
    visit = (site / "index.html").stat().st_size if (site / "index.html").is_file() else 0
    visit += shared.bytes if shared else 0
    visit += PAPERS_A_VISIT * (pages.bytes // max(pages.files, 1)) if pages and papers else 0
    return MONTHLY_BYTES // visit if visit else 0


# ---- in words -----------------------------------------------------------------------------------
def tally_lines(tally: Tally) -> Iterator[str]:
    """Yield the figures as lines to read."""
    merged = sum(tally.merged.values())
    kinds = ", ".join(f"{count} {kind}" for kind, count in tally.merged.items())
    yield (
        f"papers    {tally.papers:,}: {tally.titled:,} with a true title,"
        f" {tally.papers - tally.titled:,} with a headline by sitegen;"
        f" {tally.without_topic:,} without topic"
    )
    yield (
        f"copies    {tally.exact_copies:,} exact, {merged:,} merged"
        f"{f' ({kinds})' if kinds else ''}; {tally.doubts:,} doubtful pairs"
    )
    largest = ", ".join(f"{title} {count:,}" for title, count in tally.topics[:SHOWN])
    yield f"topics    {len(tally.topics):,}{f': {largest}' if largest else ''}"
    yield f"tags      {tally.tag_pages:,} with a page"
    newest = ", ".join(
        f"{slug} {count:,}{f' ({day})' if day else ''}"
        for slug, day, count in tally.editions[:SHOWN]
    )
    yield f"editions  {len(tally.editions):,}{f': {newest}' if newest else ''}"
    yield ""
    for size in tally.sizes:
        yield f"{size.kind:<24}{size.files:>9,} files {_megabytes(size.bytes)}"
    files = sum(size.files for size in tally.sizes)
    yield f"{'all':<24}{files:>9,} files {_megabytes(sum(size.bytes for size in tally.sizes))}"
    yield ""
    yield from _budget_lines(tally)


def _budget_lines(tally: Tally) -> Iterator[str]:
    growth = tally.growth
    yield "GitHub Pages' limits" + (
        f", at {growth.per_month:,.1f} papers a month ({growth.papers:,} since {growth.first})"
        if growth
        else "; growth unknown: give the editions dates"
    )
    for budget in tally.budgets:
        if budget.unit == "bytes":
            used = f"size of the site: {budget.used / 1e6:,.1f} MB of {budget.limit / 1e9:.0f} GB"
        elif budget.used:
            used = (
                f"time: the last build took {budget.used:,.1f} s here; a deployment may take"
                f" {budget.limit / 60:.0f} minutes"
            )
        else:
            used = "time: no report of a build"
        lasts = "" if budget.months is None else f"; lasts {_duration(budget.months)}"
        yield f"  {used} ({100 * budget.share:.1f} %){lasts}"
    largest = max((size.largest for size in tally.sizes), default=0)
    if largest > LARGEST:
        yield (
            f"  largest file: {largest / 2**20:,.0f} MiB, more than the"
            f" {LARGEST / 2**20:.0f} MiB of a branch; the workflow that init writes takes it"
        )
    yield (
        f"  traffic: 100 GB a month are {tally.visits:,} first visits of a home page and"
        f" {PAPERS_A_VISIT} papers"
    )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:>10,.2f} MB"


def _duration(months: float) -> str:
    if months >= 1200:
        return "a century and more"
    return f"{months / 12:,.0f} years" if months >= 36 else f"{months:,.0f} months"
