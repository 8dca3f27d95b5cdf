"""The reader's conveniences in a real browser, over a small invented digest below a base path."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from sitegen.pages import SiteInput

from .conftest import serving
from .reading import reading_room, until, write_site
from .synthetic import identifier, paper, rich_digest

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("reading")
    write_site(reading_room(), folder, 100)
    with serving(folder, "/reading/") as address:
        yield address


# ---- keys, list, visits -------------------------------------------------------------------------
def test_keys_move_open_save_and_can_be_switched_off(page: Page, url: str):
    page.goto(f"{url}topics/water/")
    titles = page.locator(".papers h3 a")
    page.keyboard.press("j")
    expect(titles.nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(titles.nth(1)).to_be_focused()
    page.keyboard.press("k")
    page.keyboard.press("o")
    page.wait_for_url("**/papers/**")
    page.keyboard.press("s")
    expect(page.locator("[data-save]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("?")
    page.locator("dialog input").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    expect(page.locator("[data-save]")).to_have_attribute("aria-pressed", "true")


def test_slash_leads_to_the_search_box(page: Page, url: str):
    page.goto(url)
    page.keyboard.press("/")
    expect(page.locator("input[type=search]")).to_be_focused()
    page.goto(f"{url}names/")
    page.keyboard.press("/")
    expect(page).to_have_url(f"{url}search/")


def test_the_reading_list_is_kept_exported_and_shared(page: Page, url: str, browser: Browser):
    for number in (4, 5):
        page.goto(f"{url}papers/{identifier(number)}/")
        page.locator("[data-save]").click()
    page.goto(f"{url}saved/")
    expect(page.locator("[data-list] > li")).to_have_count(2)
    page.locator("textarea").first.fill("read again")
    page.keyboard.press("Tab")
    page.reload()
    expect(page.locator("textarea").first).to_have_value("read again")
    texts = {}
    for label in ("BibTeX", "RIS", "CSL-JSON", "Save as file"):
        with page.expect_download() as download:
            page.locator("[data-tools] button", has_text=label).click()
        texts[label] = Path(download.value.path()).read_text(encoding="utf-8")
    assert "title = {{Otters}}" in texts["BibTeX"]
    assert "TI  - Otters\r\n" in texts["RIS"] or "TI  - Otters\n" in texts["RIS"]
    assert "AU  - Øydis Kvæle" in texts["RIS"]
    cited = json.loads(texts["CSL-JSON"])
    assert [item.get("title") for item in cited] == ["Otters", None]
    assert json.loads(texts["Save as file"])[identifier(4)]["note"] == "read again"
    for name, text in (("list.json", texts["Save as file"]), ("list.bib", texts["BibTeX"])):
        fresh = browser.new_context()
        reader = fresh.new_page()
        reader.goto(f"{url}saved/")
        reader.set_input_files(
            "[data-file]", {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
        )
        expect(reader.locator("[data-list] > li")).to_have_count(2)
        expect(reader.locator("[data-list] h3").first).to_have_text("Otters")
        fresh.close()
    other = browser.new_context()
    guest = other.new_page()
    guest.goto(f"{url}saved/#{identifier(4)},{identifier(5)},../../evil")
    guest.locator("text=Add them").click()
    expect(guest.locator("[data-list] > li")).to_have_count(2)
    other.close()


def test_what_came_since_the_last_visit_is_marked(
    context: BrowserContext, url: str, tmp_path: Path
):
    later = reading_room()
    earlier = SiteInput(
        **{name: getattr(later, name) for name in later.__slots__}
        | {"editions": tuple(e for e in later.editions if e.slug == "spring")}
        | {"papers": tuple(paper(n) for n in range(1, 9))}
    )
    write_site(earlier, tmp_path)
    page = context.new_page()
    with serving(tmp_path, "/reading/") as address:
        page.goto(address)
        expect(page.locator(".papers > li").first).to_be_visible()
        until(page, "localStorage.getItem('/reading/editions') !== null")
        assert page.locator(".is-new").count() == 0
        write_site(later, tmp_path)
        for file in tmp_path.rglob("*"):  # the server tells changes by the second
            os.utime(file, (time.time() + 60, time.time() + 60))
        page.goto(address)
        expect(page.locator(".facts")).to_contain_text("1 new since your last visit")
        expect(page.locator(".is-new")).to_have_count(1)
        page.locator("text=mark all as seen").click()
        page.reload()
        expect(page.locator(".papers > li").first).to_be_visible()
        assert page.locator(".is-new").count() == 0


def test_papers_read_are_marked_and_can_be_hidden(page: Page, url: str):
    page.goto(f"{url}papers/{identifier(1)}/")
    page.goto(f"{url}topics/water/")
    row = page.locator(".papers > li.is-read")
    expect(row).to_have_count(1)
    page.locator("[data-hide]").click()
    expect(row).to_be_hidden()


def test_pages_read_once_open_without_a_network(context: BrowserContext, url: str):
    page = context.new_page()
    page.goto(f"{url}topics/")
    until(page, "navigator.serviceWorker.controller !== null")
    page.goto(f"{url}papers/{identifier(1)}/")
    page.goto(f"{url}topics/")
    context.set_offline(True)
    page.goto(f"{url}papers/{identifier(1)}/")
    expect(page.locator("h1")).to_have_text("A study of number 1")
    expect(page.locator("h1")).to_have_css("font-family", re.compile("Newsreader"))
    page.goto(f"{url}editions/")
    expect(page.locator("h1")).to_have_text("Offline")
    expect(page.locator("h1")).to_have_css("font-family", re.compile("Newsreader"))
    page.locator("a", has_text="Reading list").wait_for()


def test_the_theme_is_remembered_and_there_from_the_start(page: Page, url: str):
    page.goto(url)
    page.locator("label", has_text="Dark").click()
    page.goto(f"{url}topics/", wait_until="commit")
    page.wait_for_selector("h1")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    expect(page.locator("html")).to_have_css("background-color", "rgb(21, 23, 26)")


def test_c1_a_date_is_the_same_everywhere_on_earth(browser: Browser, url: str):
    shown = set()
    for zone in ("America/Los_Angeles", "Pacific/Auckland"):
        context = browser.new_context(timezone_id=zone)
        page = context.new_page()
        page.goto(f"{url}editions/spring/")
        shown.add(page.locator("time").inner_text())
        context.close()
    assert shown == {"1 May 2031"}


def test_a_lists_bibtex_is_picked_out_of_the_whole(page: Page, url: str):
    page.goto(f"{url}topics/water/")
    topics = page.request.get(f"{url}data/topics.json").json()
    (topic,) = (topic for topic in topics if topic["slug"] == "water")
    for label, mark in (("BibTeX", r"@\w+\{sitegen-(\w+),"), ("RIS", r"ID  - sitegen-(\w+)")):
        with page.expect_download() as download:
            page.locator(".facts").get_by_text(label, exact=True).click()
        text = Path(download.value.path()).read_text(encoding="utf-8")
        assert re.findall(mark, text) == topic["papers"]
        assert download.value.suggested_filename.startswith("water.")


@pytest.mark.parametrize("drawn", [False, True], ids=["svg", "canvas"])
def test_the_map_names_what_is_pointed_at(page: Page, tmp_path: Path, drawn: bool):
    write_site(rich_digest(), tmp_path)
    points = json.loads((tmp_path / "data/map.json").read_text(encoding="utf-8"))["papers"]
    if drawn:  # as maps of thousands of papers are
        script = next((tmp_path / "assets").glob("map.*.js"))
        script.write_text(script.read_text().replace("MANY = 2000", "MANY = 2"))
    with serving(tmp_path, "/reading/") as address:
        page.goto(f"{address}map/")
        svg = page.locator("[data-map] svg")
        svg.hover()
        expect(page.locator("[data-map] canvas")).to_have_count(1 if drawn else 0)
        box = svg.bounding_box()
        assert box
        _, _, width, height = map(float, str(svg.get_attribute("viewBox")).split())
        scale = min(box["width"] / width, box["height"] / height)
        corner = (box["x"] + (box["width"] - scale * width) / 2,
                  box["y"] + (box["height"] - scale * height) / 2)  # fmt: skip
        identifier_, x, y, _, title = points[4]
        page.mouse.move(corner[0] + scale * x, corner[1] + scale * y)
        expect(page.locator("[data-tip]")).to_have_text(title)
        page.locator("[data-zoom=in]").click()
        page.locator("[data-zoom=all]").click()
        page.mouse.move(corner[0] + scale * x, corner[1] + scale * y)
        expect(page.locator("[data-tip]")).to_have_text(title)
        page.mouse.down()
        page.mouse.up()
        expect(page).to_have_url(f"{address}papers/{identifier_}/")
