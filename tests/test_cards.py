"""Pictures for shared links: which pages have one, how they look as files, how they are kept."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from sitegen.cards import HEIGHT, SIZES, WIDTH, card_files, draw
from sitegen.cards import _Face as Face
from sitegen.cards import _fit as fit
from sitegen.cards import _length as length
from sitegen.cards import _shown as shown
from sitegen.config import Config
from sitegen.pages import build_site
from sitegen.views import Card, Site
from tests.synthetic import BASE_URL, digest, drawn_pages, identifier, rich_digest

MOST_BYTES = 30_000


def site_of(cards: str = "lists") -> Site:
    inputs = rich_digest()
    site, _ = build_site(replace(inputs, config=replace(inputs.config, cards=cards)))
    return site


def paths(site: Site) -> set[str]:
    return {card.path for card in site.cards}


def test_lists_have_a_picture_and_papers_only_where_all_have():
    lists = {
        "card.png", "picks/card.png", "topics/water/card.png", "topics/otters/card.png",
        "topics/mud/card.png", "editions/spring/card.png", "editions/autumn/card.png",
    }  # fmt: skip
    assert paths(site_of()) == lists
    assert paths(site_of("none")) == set()
    every = paths(site_of("all"))
    assert lists < every
    assert f"papers/{identifier(1)}/card.png" in every
    cards = {card.path: card for card in site_of("all").cards}
    assert cards[f"papers/{identifier(7)}/card.png"].title == cards["card.png"].title  # withdrawn


def test_a_card_is_a_small_picture_of_the_size_that_is_promised(tmp_path: Path):
    site = site_of("all")
    for file in card_files(site, tmp_path):
        assert len(file.data) < MOST_BYTES, file.path
        image = Image.open(io.BytesIO(file.data))
        assert (image.format, image.size) == ("PNG", (WIDTH, HEIGHT))
        colours = image.convert("RGB").getcolors()
        assert colours is not None
        assert 3 < len(colours) <= 64


def drawn(site: Site, folder: Path) -> list[tuple[str, bytes]]:
    return [(file.path, file.data) for file in card_files(site, folder)]


def test_the_same_card_gives_the_same_bytes_and_is_drawn_once(tmp_path: Path, monkeypatch):
    site = site_of()
    first = drawn(site, tmp_path / "one")
    assert first == drawn(site, tmp_path / "other")
    monkeypatch.setattr("sitegen.cards.draw", lambda *_: pytest.fail("drawn again"))
    assert first == drawn(site, tmp_path / "one")


def test_the_cache_keeps_some_that_are_not_shown_and_no_more(tmp_path: Path, monkeypatch):
    site = site_of()
    preview = replace(site, info=replace(site.info, base_url="http://localhost:8000/"))
    monkeypatch.setattr("sitegen.cards.SPARE", 3)
    for either in (site, preview, site):
        drawn(either, tmp_path)
    assert len(list(tmp_path.iterdir())) == 2 * len(site.cards)
    for number in range(5):
        (tmp_path / f"{number}.part").touch()
    drawn(site, tmp_path)
    assert len(list(tmp_path.iterdir())) == len(site.cards)


def test_a_picture_changes_with_what_it_shows():
    site = site_of()
    card = site.cards[0]
    base = draw(card, site)
    for other in (
        replace(card, title="Other"), replace(card, facts=""), replace(card, hue=5),
        replace(card, mapped=False), replace(card, topic="mud"),
    ):  # fmt: skip
        assert draw(other, site) != base


@pytest.mark.parametrize(
    "title",
    [
        "",
        "Otters",
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
        "a " * 400,
        "word " * 14,
        "x" * 3000,
        "محتوى عربي عن الأنهار",
        "深度学习",
        "\ud800 \x00 \u202e",
    ],
)
def test_no_title_breaks_a_picture(title: str):
    site = site_of()
    card = Card(path="papers/x/card.png", kicker=title, title=title, facts=title, mapped=False)
    assert Image.open(io.BytesIO(draw(card, site))).size == (WIDTH, HEIGHT)


@pytest.mark.parametrize("room", [400, 1056])
def test_lines_of_a_title_stay_inside_their_room_and_keep_its_words(room: int):
    title = "Kudge: the first non-English meta-evaluation dataset of human annotations"
    size, lines = fit(title, room)
    assert size in SIZES
    assert all(length(line, Face("card-headline.ttf", size)) <= room for line in lines)
    assert " ".join(lines) == title
    _, cut = fit(title * 9, room)
    assert cut[-1].endswith("…")


def test_letters_that_the_fonts_lack_are_never_boxes():
    assert shown("β-VAE, Øvre, Łódź, Привет") == "β-VAE, Øvre, Łódź, Привет"
    assert shown("𝔸ₚ") == "Ap"
    assert shown("深度 learning") == ""


def test_alternative_text_says_what_is_shown():
    card = next(card for card in site_of().cards if card.path == "topics/mud/card.png")
    assert card.alt == f"Topic: {card.title} ({card.facts})"


def test_pages_name_their_picture():
    site = site_of()
    files = {file.path: file.data.decode() for file in drawn_pages(site)}
    own = f'<meta property="og:image" content="{BASE_URL}topics/water/card.png">'
    assert own in files["topics/water/index.html"]
    assert "og:image" not in files["tags/flux-meter/index.html"]  # it has none of its own
    assert 'name="twitter:card" content="summary_large_image"' in files["index.html"]
    assert "og:image" not in files["404.html"]
    plain, _ = build_site(digest(3, config=Config(base_url=BASE_URL, cards="none")))
    assert not any(b"og:image" in file.data for file in drawn_pages(plain))
