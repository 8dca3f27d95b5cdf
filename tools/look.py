"""Photograph every kind of page as readers meet it, for people to look at.

usage: python tools/look.py SITE FOLDER [--modes wide,phone] [--kinds home,paper]

SITE is a built site. FOLDER gets a picture a sheet: the kinds of pages side by side, in one mode.
Modes are wide and phone screens in both themes, print, forced colours, 200 % zoom of a wide screen,
reflow at 320 px, and no JavaScript. Needs Playwright and Pillow, and Chromium or Chrome.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tools.audit import BROWSERS, address, base_path, sample, serving

SHEET_WIDTH, TALLEST, GAP = 1560, 1700, 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """A way of meeting a page."""

    width: int
    height: int = 900
    scale: float = 1
    """Of the picture on the sheet."""
    context: Mapping[str, Any] = field(default_factory=dict)
    media: str = "screen"


MODES = {
    "wide": Mode(width=1280, scale=0.6),
    "wide-dark": Mode(width=1280, scale=0.6, context={"color_scheme": "dark"}),
    "phone": Mode(width=390, height=844, context={"has_touch": True, "is_mobile": True}),
    "phone-dark": Mode(
        width=390,
        height=844,
        context={"has_touch": True, "is_mobile": True, "color_scheme": "dark"},
    ),
    "print": Mode(width=720, scale=0.7, media="print"),
    "forced": Mode(width=1280, scale=0.6, context={"forced_colors": "active"}),
    "zoom": Mode(width=640, scale=0.8),
    "reflow": Mode(width=320),
    "plain": Mode(width=1280, scale=0.6, context={"java_script_enabled": False}),
}


def save_some(page: Page, url: str, papers: list[str]) -> None:
    """Put two papers on the reading list."""
    for paper in papers[:2]:
        page.goto(f"{url}{paper}", wait_until="networkidle")
        page.click("[data-save]")
    page.goto(f"{url}saved/", wait_until="networkidle")


def states(site: Path) -> dict[str, str | Callable[[Page, str], None]]:
    """Return what to look at: an address, or steps that lead there."""
    found: dict[str, str | Callable[[Page, str], None]] = {}
    for kind, pages in sample(site).items():
        for number, page in enumerate(pages):
            if kind != "moved":
                found[kind if number == 0 else f"{kind} (largest)"] = address(page)
    second = next(iter(sorted(site.glob("topics/*/page/2/index.html"))), None)
    if second:
        found["topic, page 2"] = address(second.relative_to(site).as_posix())
    papers = sorted(
        address(page.relative_to(site).as_posix())
        for page in site.glob("papers/*/index.html")
        if b"data-keep" in page.read_bytes()
    )
    noted = [p for p in papers if b'class="curator"' in (site / p / "index.html").read_bytes()]
    unnamed = [p for p in papers if b'class="names"' not in (site / p / "index.html").read_bytes()]
    if noted:
        found["paper with note"] = noted[0]
    if unnamed:
        found["paper without name"] = unnamed[0]
    found["paper from search"] = f"{papers[0]}?q=language%20model"
    found["search, results"] = "search/?q=language"
    found["search, narrowed"] = "search/?q=&code=yes&sort=newest"
    found["search, nothing"] = "search/?q=zzyzx%20quux"

    def without_index(page: Page, url: str) -> None:
        page.route("**/pagefind/*", lambda route: route.abort())
        page.goto(f"{url}search/?q=language", wait_until="networkidle")

    found["search, no index"] = without_index
    found["reading list, filled"] = lambda page, url: save_some(page, url, papers)
    ids = ",".join(paper.split("/")[1] for paper in papers[:3])
    found["reading list, shared"] = f"saved/#{ids}"

    def keys(page: Page, url: str) -> None:
        page.goto(url, wait_until="networkidle")
        page.keyboard.press("?")

    found["help"] = keys
    return found


def photograph(
    browser: Browser, url: str, mode: Mode, what: str | Callable[[Page, str], None]
) -> Image.Image:
    """Return one page in one mode, cut where it gets too long for a sheet."""
    context = browser.new_context(
        viewport={"width": mode.width, "height": mode.height}, **mode.context
    )
    page = context.new_page()
    if isinstance(what, str):
        page.goto(url + what, wait_until="networkidle")
    elif mode.context.get("java_script_enabled", True):
        what(page, url)
    page.emulate_media(media=mode.media)  # type: ignore[arg-type]
    wider = 0
    if mode.context.get("java_script_enabled", True):
        wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        height = page.evaluate("document.documentElement.scrollHeight")
        # a picture of the full page would forget that the screen is touched
        tall = min(height, round(TALLEST / mode.scale))
        page.set_viewport_size({"width": mode.width, "height": max(tall, mode.height)})
        shot = page.screenshot()
    else:
        height = 3000
        shot = page.screenshot(full_page=True)
    context.close()
    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    if wider > 0:
        print(f"  wider than the screen by {wider} px")
    picture = picture.crop(
        (0, 0, picture.width, min(height, picture.height, round(TALLEST / mode.scale)))
    )
    return picture.resize(
        (round(picture.width * mode.scale), round(picture.height * mode.scale)),
        Image.Resampling.LANCZOS,
    )


def sheets(pictures: Mapping[str, Image.Image]) -> Iterator[Image.Image]:
    """Yield sheets of pictures side by side, each under its name."""
    row: list[tuple[str, Image.Image]] = []
    for name, picture in (*pictures.items(), ("", None)):
        width = sum(p.width + GAP for _, p in row)
        if row and (picture is None or width + picture.width > SHEET_WIDTH):
            sheet = Image.new("RGB", (width, max(p.height for _, p in row) + 24), "#888")
            at = 0
            for label, part in row:
                ImageDraw.Draw(sheet).text((at + 4, 6), label, "#fff")
                sheet.paste(part, (at, 24))
                at += part.width + GAP
            yield sheet
            row = []
        if picture is not None:
            row.append((name, picture))


def main() -> None:
    """Write the sheets."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("site", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--kinds", default="", help="only these, by the beginning of their names")
    options = parser.parse_args()
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        sys.exit("no browser")
    site = options.site.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    wanted = tuple(filter(None, options.kinds.split(",")))
    with serving(site, base_path(site)) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu"]
        )
        for name in options.modes.split(","):
            pictures = {}
            for kind, what in states(site).items():
                if not wanted or kind.startswith(wanted):
                    print(f"{name}: {kind}", flush=True)
                    pictures[kind] = photograph(browser, url, MODES[name], what)
            for number, sheet in enumerate(sheets(pictures), 1):
                sheet.save(options.folder / f"{name}-{number}.png")
        browser.close()


if __name__ == "__main__":
    main()
