"""A small invented digest, written below a base path, and how a browser asks it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from sitegen import exports, feeds, render
from sitegen.config import Config
from sitegen.pages import SiteInput, build_site
from sitegen.records import Author, Metadata, Name, Naming, Prose
from sitegen.search import index_files

from .synthetic import digest as invented
from .synthetic import drawn_pages, paper, place

TEXTS = {
    1: "An otterbell rings when an otter passes. We study interferometry of the bells.",
    2: "Code in C++ and prompts for GPT-4 are compared on a low-cost CO2-flux meter.",
    3: "The bound is O(n²) for every vector of the second paper.",
}


def reading_room() -> SiteInput:
    """Return an invented digest with words that are hard to find."""
    base = invented(8, config=Config(title="Mud", base_url="https://lab.example/reading/"))
    papers, namings = list(base.papers), list(base.namings)
    for number, text in TEXTS.items():
        papers[number - 1] = paper(number, text)
        namings[number - 1] = Naming(
            title=f"A study of number {number}", title_source="derived", names=(), gist=text
        )
    papers[3] = paper(
        4,
        metadata=Metadata(
            title="Otters", authors=(Author(name="Øydis Kvæle"),), date="2031", arxiv="3105.12340"
        ),
    )
    namings[3] = Naming(title="Otters", title_source="source", names=(), gist="Otters.")
    namings[4] = Naming(
        title="E²-Otter: hearing otters twice", title_source="derived", gist="We hear them twice.",
        names=(Name(text="E²-Otter"),),
    )  # fmt: skip
    papers[5] = paper(6, prose=Prose(text="We compare with E2-Otter and with E2-Otter again."))
    papers[6] = paper(7, places=(place(1, "autumn"),), first_seen="2031-11")
    return SiteInput(
        **{name: getattr(base, name) for name in base.__slots__}
        | {"papers": tuple(papers), "namings": tuple(namings)}
    )


def write_site(inputs: SiteInput, folder: Path, shard: int = 0) -> None:
    """Write a site, with an index in shards of so many papers at most; 0 = without one."""
    site, problems = build_site(inputs)
    assert not problems
    cache = folder.with_name(f"{folder.name}-cache")
    for file in (
        *drawn_pages(site), *render.asset_files(), *feeds.feed_files(site),
        *exports.data_files(site),
        *(index_files(site.search, "en", cache, most=shard) if shard else ()),
    ):  # fmt: skip
        target = folder / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)


def ask(page: Page, url: str, query: str, extra: str = "") -> list[str]:
    """Search through the address bar; return the ids of the papers found, in order."""
    page.goto(f"{url}search/?q={quote(query)}{extra}")
    return found(page, query)


def type_in(page: Page, url: str, query: str) -> list[str]:
    """Search by typing, on a search page that is open already."""
    if not page.url.startswith(f"{url}search/"):
        page.goto(f"{url}search/")
    page.fill("input[type=search]", query)
    return found(page, query)


def found(page: Page, query: str) -> list[str]:
    expect(page.locator("[data-status]")).to_contain_text(f"“{query}”")
    links = page.locator("[data-results] h3 a")
    return [str(link.get_attribute("href")).split("/papers/")[1][:8] for link in links.all()]


def until(page: Page, expression: str) -> None:
    """Wait for a condition; the browser's own way of waiting needs eval, which is forbidden."""
    for _ in range(100):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"never came true: {expression}")
