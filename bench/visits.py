"""Bytes and requests of a first visit to each kind of page, and of the first search.

usage: python bench/visits.py [SITE]

Every visit is made by a fresh browser that has nothing of the site yet. ``sent`` counts bodies as a
host that compresses text sends them (gzip, level 6), ``raw`` as they are on disk.
"""

from __future__ import annotations

import argparse
import gzip
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, Response, sync_playwright

from tools.audit import BROWSERS, address, base_path, sample, serving

COMPRESSED = (".html", ".css", ".js", ".json", ".svg", ".xml", ".txt", "/")
"""Ends of addresses whose files hosts compress; fonts and the index are compressed already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What a browser asked for."""

    what: str
    requests: int
    raw: int
    sent: int


def measure(browser: Browser, url: str, what: str, path: str, query: str = "") -> Visit:
    """Visit a page for the first time; with a query, type it once the page is there."""
    context = browser.new_context(service_workers="block", viewport={"width": 1280, "height": 900})
    page = context.new_page()
    responses: list[Response] = []

    def note(response: Response) -> None:
        responses.append(response)

    if query:
        _open(page, url + path)
        page.on("response", note)
        page.fill("input[type=search]", query)
        page.wait_for_selector(f"[data-status]:has-text('{query}')")
        page.wait_for_load_state("networkidle")
    else:
        page.on("response", note)
        _open(page, url + path)
    bodies = [(response.url, response.body()) for response in responses if response.ok]
    context.close()
    return weigh(what, bodies)


def weigh(what: str, bodies: Sequence[tuple[str, bytes]]) -> Visit:
    """Return the sizes of answers, given by address."""
    return Visit(
        what=what,
        requests=len(bodies),
        raw=sum(len(body) for _, body in bodies),
        sent=sum(_sent(address, body) for address, body in bodies),
    )


def _open(page: Page, url: str) -> None:
    page.goto(url, wait_until="networkidle")


def _sent(url: str, body: bytes) -> int:
    plain = url.partition("?")[0]
    return len(gzip.compress(body, 6, mtime=0)) if plain.endswith(COMPRESSED) else len(body)


def visits(site: Path) -> Iterator[Visit]:
    """Yield a first visit to each kind of page, then the first search and one after it."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        sys.exit("no browser")
    with serving(site, base_path(site)) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for kind, pages in sample(site).items():
            if kind != "moved":
                yield measure(browser, url, kind, address(pages[0]))
        yield measure(browser, url, "first search, after the page", "search/", "language")
        browser.close()


def table(rows: Sequence[Visit]) -> str:
    """Return visits as a Markdown table."""
    lines = ["| first visit to | requests | KB sent | KB raw |", "|---|---:|---:|---:|"]
    lines += [
        f"| {row.what} | {row.requests} | {row.sent / 1000:.1f} | {row.raw / 1000:.1f} |"
        for row in rows
    ]
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("site", type=Path, nargs="?", default=Path("public"))
    print(table(list(visits(parser.parse_args().site.resolve()))))


if __name__ == "__main__":
    main()
