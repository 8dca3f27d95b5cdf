"""The reader's conveniences in a real browser, over a small invented digest below a base path."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from sitegen import exports, feeds, render
from sitegen.config import Config
from sitegen.pages import SiteInput, build_site
from sitegen.records import Author, Metadata, Name, Naming, Prose
from sitegen.search import write_index

from .conftest import serving
from .synthetic import digest as invented
from .synthetic import identifier, paper, place

pytestmark = pytest.mark.browser

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


def write_site(inputs: SiteInput, folder: Path) -> None:
    site, problems = build_site(inputs)
    assert not problems
    for file in (
        *render.render(site), *render.asset_files(), *feeds.feed_files(site),
        *exports.data_files(site),
    ):  # fmt: skip
        target = folder / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reading")
    write_site(reading_room(), folder)
    write_index(folder, "en")
    return folder


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    with serving(folder, "/reading/") as address:
        yield address


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(10_000)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda exc: complaints.append(str(exc)))
    yield page
    assert complaints == []


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


# ---- search -------------------------------------------------------------------------------------
def test_s2_a_word_on_many_lists_is_found_once(page: Page, url: str):
    assert type_in(page, url, "otterbell") == [identifier(1)]
    assert type_in(page, url, "Headline by sitegen") == []


def test_s3_hyphenated_words_are_found(page: Page, url: str):
    for query in ("low-cost", "low cost", "lowcost", "flux"):
        assert identifier(2) in type_in(page, url, query), query


def test_s4_nonsense_finds_nothing_and_says_so(page: Page, url: str):
    assert type_in(page, url, "zxqvbn") == []
    expect(page.locator("[data-status]")).to_have_text("Nothing found for “zxqvbn”")
    assert type_in(page, url, "zxqvbn otterbell") == [identifier(1)]
    expect(page.locator("[data-status]")).to_contain_text("no paper has “zxqvbn”")


def test_s4_a_longer_beginning_of_a_word_never_empties_the_list(page: Page, url: str):
    word = "interferometry"
    for end in range(4, len(word) + 1):
        assert identifier(1) in type_in(page, url, word[:end]), word[:end]


def test_s5_names_are_found_with_and_without_accents(page: Page, url: str):
    for query in ("Øydis", "oydis", "kvaele", "Kvæle"):
        assert type_in(page, url, query) == [identifier(4)], query


def test_s8_signs_that_make_a_word(page: Page, url: str):
    assert type_in(page, url, "C++")[0] == identifier(2)
    assert type_in(page, url, "GPT-4")[0] == identifier(2)


def test_a_papers_name_finds_it_however_it_is_written(page: Page, url: str):
    for query in ("E²-Otter", "E2-Otter", "e2 otter", "E^2-Otter", "E 2 -Otter"):
        assert type_in(page, url, query)[0] == identifier(5), query


def test_u2_hits_lead_to_papers_below_the_base_path_and_keep_the_words_marked(page: Page, url: str):
    ask(page, url, "interferometry")
    page.locator("[data-results] h3 a").first.click()
    expect(page).to_have_url(f"{url}papers/{identifier(1)}/")
    expect(page.locator(".abstract .hit")).to_have_text("interferometry")
    page.go_back()
    expect(page.locator("input[type=search]")).to_have_value("interferometry")


def test_filters_count_narrow_and_stay_in_the_address(page: Page, url: str):
    everything = ask(page, url, "flux")
    label = page.locator("label", has=page.locator("[name=topic][value=mud]"))
    number = int(label.locator("[data-count]").inner_text())
    assert 0 < number < len(everything)
    label.click()
    expect(page).to_have_url(f"{url}search/?q=flux&topic=mud")
    expect(page.locator("[data-results] > li")).to_have_count(number)
    assert len(ask(page, url, "flux", "&topic=mud")) == number
    assert ask(page, url, "otterbell", "&topic=mud") == []
    page.locator("button", has_text="without the filters").click()
    expect(page.locator("[data-results] > li")).to_have_count(1)


def test_newest_first(page: Page, url: str):
    assert ask(page, url, "kelp", "&sort=newest")[0] == identifier(7)


def test_a_pasted_identifier_opens_its_page(page: Page, url: str):
    for pasted, number in (
        (identifier(3), 3),
        (f"https://lab.example/reading/papers/{identifier(3)}/", 3),
        ("3105.12340", 4),
        ("https://arxiv.org/abs/3105.12340v2", 4),
    ):
        page.goto(f"{url}search/")
        page.fill("input[type=search]", pasted)
        page.keyboard.press("Enter")
        expect(page).to_have_url(f"{url}papers/{identifier(number)}/")


def test_s7_without_the_index_the_page_shows_other_ways(context: BrowserContext, tmp_path: Path):
    write_site(reading_room(), tmp_path)
    page = context.new_page()
    with serving(tmp_path, "/reading/") as address:
        page.goto(f"{address}search/?q=otters")
        expect(page.locator("[data-why]")).to_contain_text("could not be loaded")
        expect(page.locator("[data-fallback] a", has_text="Mud")).to_be_visible()


def test_from_a_disk_search_says_that_it_needs_a_server(context: BrowserContext, folder: Path):
    page = context.new_page()
    page.goto((folder / "search/index.html").as_uri())
    expect(page.locator("[data-why]")).to_contain_text("Search needs a server")
    expect(page.locator("h1")).to_have_css("font-family", re.compile("Newsreader"))
    page.locator("[data-fallback] a", has_text="Mud").click()
    expect(page.locator("h1")).to_have_text("Mud")


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
