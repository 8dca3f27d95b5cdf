"""Search as the reader meets it, in a real browser: over one index and over one in shards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from bench.search_corpus import invented
from bench.search_corpus import write_site as bench_site
from sitegen.pages import front

from .conftest import serving
from .reading import ask, reading_room, type_in, until, write_site
from .synthetic import identifier

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module", params=[100, 3], ids=["one index", "shards"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reading")
    write_site(reading_room(), folder, request.param)
    return folder


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    with serving(folder, "/reading/") as address:
        yield address


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


def test_only_the_newest_editions_are_listed_and_an_address_may_name_any(
    context: BrowserContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(front, "EDITIONS", 1)
    write_site(reading_room(), tmp_path / "site", 100)
    html = (tmp_path / "site/search/index.html").read_text(encoding="utf-8")
    listed = re.findall('name="edition" value="([^"]*)"', html)
    (other,) = {"spring", "autumn"} - set(listed)
    assert "1 older edition: " in html
    page = context.new_page()
    with serving(tmp_path / "site", "/reading/") as address:
        everything = ask(page, address, "flux")
        found = ask(page, address, "flux", f"&edition={other}")
        assert 0 < len(found) < len(everything)
        box = page.locator(f"[name=edition][value={other}]")
        expect(box).to_be_checked()
        box.click()
        expect(page).to_have_url(f"{address}search/?q=flux")


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


def test_a_list_of_all_papers_goes_on_over_all_shards(page: Page, url: str, tmp_path: Path):
    page.goto(f"{url}search/")
    expect(page.locator("[data-status]")).to_contain_text("in all")
    number = int(page.locator("[data-status]").inner_text().split()[0])
    more = page.locator("[data-more]")
    if page.locator("[data-results] > li").count() < number:
        more.click()
    expect(page.locator("[data-results] > li")).to_have_count(number)
    expect(more).to_be_hidden()
    label = page.locator("label", has=page.locator("[name=topic][value=mud]"))
    counted = label.locator("[data-count]").inner_text()
    label.click()
    expect(page.locator("[data-results] > li")).to_have_count(int(counted))


def test_what_stands_in_one_paper_alone_is_found_alone(page: Page, url: str):
    assert type_in(page, url, "otterbell") == [identifier(1)]
    assert type_in(page, url, "otterbell interferometry") == [identifier(1)]
    assert type_in(page, url, "otterbell GPT-4") == []
    assert type_in(page, url, '"interferometry of the bells"') == [identifier(1)]


def test_search_works_on_without_a_network(context: BrowserContext, url: str):
    page = context.new_page()
    page.goto(url)
    until(page, "navigator.serviceWorker.controller !== null")
    assert ask(page, url, "otterbell") == [identifier(1)]
    context.set_offline(True)
    assert ask(page, url, "otterbell") == [identifier(1)]
    expect(page.locator("[data-status]")).to_contain_text("without a network")
    expect(page.locator("mark").first).to_have_text("otterbell")


def test_a_shard_that_cannot_be_loaded_is_told(context: BrowserContext, tmp_path: Path):
    write_site(reading_room(), tmp_path / "site", 3)
    shards = sorted((tmp_path / "site/pagefind/shards").iterdir())
    (shards[0] / "pagefind-entry.json").unlink()
    page = context.new_page()
    with serving(tmp_path / "site", "/reading/") as address:
        page.goto(f"{address}search/?q=kelp")
        status = page.locator("[data-status]")
        expect(status).to_contain_text(re.compile(r"[1-3] papers could not be searched"))
        expect(page.locator("[data-results] > li").first).to_be_visible()
        page.fill("input[type=search]", "flux")
        expect(status).to_contain_text("“flux”")


def test_what_is_typed_or_found_never_runs(page: Page, url: str):
    hostile = '"><img src=x onerror=document.title=1><script>document.title=1</script>'
    page.goto(f"{url}search/?q={quote(hostile)}&topic={quote(hostile)}&sort={quote(hostile)}")
    expect(page.locator("[data-status]")).to_contain_text("img src=x")
    assert page.locator("main img, main script").count() == 0
    assert page.title() != "1"


FIND = """async ({ script, engine, queries }) => {
  const { EVERY, openIndex } = await import(script);
  const index = await openIndex(engine);
  await index.load();
  const all = (await index.search(EVERY)).results;
  const urls = await Promise.all(all.map(async (hit) => [hit.id, (await hit.data()).url]));
  const byId = new Map(urls);
  const found = {};
  for (const query of queries) {
    const { results, filters } = await index.search(query);
    const code = `${filters.code?.yes ?? 0} with code`;
    found[query] = [code, ...results.map((hit) => byId.get(hit.id))];
  }
  return found;
}"""


def found_in(context: BrowserContext, site: Path, queries: list[str]) -> dict[str, list[str]]:
    """Return how many papers have code and which are found, best first, by query."""
    (script,) = (site / "assets").glob("index.*.js")
    page = context.new_page()
    with serving(site, "/digest/") as url:
        page.goto(url)
        engine = f"{url}pagefind/pagefind.js"
        arguments = {"script": f"{url}assets/{script.name}", "engine": engine, "queries": queries}
        found: dict[str, list[str]] = page.evaluate(FIND, arguments)
    page.close()
    return found


def test_shards_find_what_one_index_finds(context: BrowserContext, tmp_path: Path):
    entries = list(invented(90))
    words = sorted({word for entry in entries[:3] for word in re.findall(r"\w{3,}", entry.text)})
    names = [name.text for entry in entries for name in entry.names]
    queries = [
        *words, *names,
        *(word[:-1] for word in words), *(f"{word}x" for word in words[:40]),
        *(f"{left} {right}" for left, right in pairwise(words)),
        *(f"{name} {word}" for name, word in zip(names, words, strict=False)),
        *(f'"{left} {right}"' for left, right in pairwise(entries[0].text.split()[:30])),
    ]  # fmt: skip
    for name, most in (("one", 1000), ("shards", 18)):
        bench_site(entries, tmp_path / name, tmp_path / f"cache-{name}", most)
    assert len(list((tmp_path / "shards/pagefind/shards").iterdir())) >= 4
    one, shards = (found_in(context, tmp_path / name, queries) for name in ("one", "shards"))
    differ = [query for query in one if sorted(one[query]) != sorted(shards[query])]
    first = sum(one[query][:2] == shards[query][:2] for query in one)
    print(f"{len(differ)} of {len(one)} differ: {differ[:20]}; {first} with the same first")
    # One index misses words that begin in another piece of it; a few half-typed ones differ.
    assert len(differ) <= len(one) // 50
    assert first >= len(one) * 0.9
