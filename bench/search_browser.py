"""Search as a browser does it: what it loads, how long it takes, what it finds."""

from __future__ import annotations

import random
import re
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, Page, Response, sync_playwright

from bench.search_corpus import BASE_URL
from bench.visits import Visit, weigh
from sitegen.views import SearchEntry
from tools.audit import BROWSERS, serving

BASE_PATH = "/" + BASE_URL.split("/", 3)[3]
STOPWORDS = frozenset({"and", "are", "for", "our", "that", "the", "this", "which", "with"})
COUNTS = """() => [...document.querySelectorAll("[data-count]")].map((count) => {
  const input = count.parentElement.querySelector("input");
  return `${input.name}:${input.value}=${count.textContent}`;
})"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the search page shows for a query."""

    hits: int
    ids: tuple[str, ...]
    """Of the first rows."""
    counts: tuple[str, ...]
    """Of each filter's values."""


@contextmanager
def browsing(site: Path) -> Iterator[tuple[Browser, str]]:
    """Serve a site below its base path; yields a browser and the address."""
    path = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if path is None:
        sys.exit("no browser")
    with serving(site, BASE_PATH) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser, url
        browser.close()


def first_visits(site: Path) -> tuple[Visit, Visit, Visit]:
    """Return a first visit to the search page, a first search there, and one for two words."""
    with browsing(site) as (browser, url):
        page, one = _load(browser, url, "language")
        _, two = _load(browser, url, "language models")
        return page, one, two


def _load(browser: Browser, url: str, query: str) -> tuple[Visit, Visit]:
    """Open the search page for the first time, then type a query; return what each loaded."""
    page = _page(browser)
    answers: list[Response] = []

    def note(response: Response) -> None:
        answers.append(response)

    page.on("response", note)
    page.goto(f"{url}search/")
    visits = []
    for text in (" in all", query):
        if text == query:
            page.fill("input[type=search]", query)
        _wait(page, text)
        page.wait_for_load_state("networkidle")
        visits.append(weigh(text, [(one.url, one.body()) for one in answers if one.ok]))
        answers.clear()
    page.context.close()
    return visits[0], visits[1]


def typing_times(site: Path, queries: Sequence[str]) -> list[float]:
    """Return seconds from typing to results, once the index and its pieces are there."""
    with browsing(site) as (browser, url):
        page = _page(browser)
        times = []
        for query in queries:
            page.goto(f"{url}search/?q={quote(query)}")
            _wait(page, query)
            page.fill("input[type=search]", "")
            _wait(page, " in all")
            start = time.perf_counter()
            page.fill("input[type=search]", query)
            _wait(page, query)
            times.append(time.perf_counter() - start)
        return times


def answers(site: Path, queries: Sequence[str]) -> list[Found]:
    """Return what is found, each query in a page of its own."""
    with browsing(site) as (browser, url):
        page = _page(browser)
        return [_ask(page, url, query) for query in queries]


def _page(browser: Browser) -> Page:
    context = browser.new_context(service_workers="block", viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    return context.new_page()


def _ask(page: Page, url: str, query: str) -> Found:
    page.goto(f"{url}search/?q={quote(query)}")
    _wait(page, query)
    status = page.locator("[data-status]").inner_text()
    number = re.match(r"([\d,]+) papers? for", status)
    links = page.locator("[data-results] h3 a").evaluate_all("all => all.map((a) => a.href)")
    return Found(
        hits=int(number[1].replace(",", "")) if number else 0,
        ids=tuple(link.split("/papers/")[1].split("/")[0] for link in links),
        counts=tuple(page.evaluate(COUNTS)),
    )


def _wait(page: Page, text: str) -> None:
    text = text.replace("\\", "\\\\").replace("'", "\\'")
    page.wait_for_selector(f"[data-status]:has-text('{text}')")


def sample_queries(entries: Sequence[SearchEntry], count: int) -> dict[str, list[str]]:
    """Return as many queries of each kind: names, phrases in quotes, two words, single words."""
    rng = random.Random(200)
    each = count // 4
    names = sorted({name.text for entry in entries for name in entry.names})
    phrases, pairs, singles = [], [], []
    for entry in rng.sample(list(entries), 3 * each):
        words = [word for word in re.findall(r"[a-z]{3,}", entry.text) if word not in STOPWORDS]
        runs = re.findall(r"[a-z]{4,} [a-z]{4,}(?: [a-z]{4,})?", entry.text)
        phrases.append(f'"{rng.choice(runs)}"')
        pairs.append(" ".join(rng.sample(words, 2)))
        singles.append(rng.choice(words))
    return {
        "names": rng.sample(names, each),
        "phrases in quotes": phrases[:each],
        "two words": pairs[each : 2 * each],
        "one word": singles[2 * each :],
    }
