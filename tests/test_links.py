"""Addresses in running text and what they lead to."""

from __future__ import annotations

import time

import pytest

from sitegen.links import ADDRESS, absolute, find_links, trimmed
from sitegen.records import Link, Prose
from sitegen.repair import repair

KINDS = {
    "Code is available at https://github.com/a/b.": ("code", "https://github.com/a/b"),
    "see gitlab.com/a/b)": ("code", "https://gitlab.com/a/b"),
    "The dataset is at https://github.com/a/mud-data": ("data", "https://github.com/a/mud-data"),
    "Code and data: https://github.com/a/b": ("code", "https://github.com/a/b"),
    "at https://huggingface.co/datasets/a/b.": ("data", "https://huggingface.co/datasets/a/b"),
    "at huggingface.co/a/Mud-7b. These": ("model", "https://huggingface.co/a/Mud-7b"),
    "demo at https://huggingface.co/spaces/a/b": ("demo", "https://huggingface.co/spaces/a/b"),
    "see https://arxiv.org/abs/2031.00001v2": ("paper", "https://arxiv.org/abs/2031.00001v2"),
    "see https://doi.org/10.5555/abc": ("paper", "https://doi.org/10.5555/abc"),
    "https://zenodo.org/records/1": ("data", "https://zenodo.org/records/1"),
    "A demo is at https://mud.example.org/": ("demo", "https://mud.example.org/"),
    "Project page: https://mud.github.io/otter": ("other", "https://mud.github.io/otter"),
    "The corpus can be found at https://mud.example.org/c": ("data", "https://mud.example.org/c"),
    "Our code: https://mud.example.org/c": ("code", "https://mud.example.org/c"),
    "(https://mud.example.org/), returns": ("other", "https://mud.example.org/"),
}


@pytest.mark.parametrize(("text", "right"), KINDS.items())
def test_kinds(text: str, right: tuple[str, str]) -> None:
    links = find_links(repair(text))
    assert [(link.kind, link.url) for link in links] == [right]
    assert find_links(Prose(text=text)) == links


def test_words_of_another_sentence_do_not_decide() -> None:
    text = "We build a dataset. Everything is at https://github.com/a/b."
    assert find_links(repair(text))[0].kind == "code"


def test_every_url_once_in_order() -> None:
    text = "at https://b.org/x, https://a.org/y and https://b.org/x/ again"
    assert [link.url for link in find_links(repair(text))] == [
        "https://b.org/x",
        "https://a.org/y",
    ]


def test_shown_text_of_a_tex_link_is_no_address() -> None:
    prose = repair(r"our \href{https://github.com/a/b}{code}")
    assert prose.text == "our code"
    assert find_links(prose) == (Link(kind="code", url="https://github.com/a/b"),)


@pytest.mark.parametrize(
    ("address", "right"),
    [
        ("https://a.org/b.", "https://a.org/b"),
        ("https://a.org/b).", "https://a.org/b"),
        ("https://a.org/b_(c)", "https://a.org/b_(c)"),
        ("https://a.org/b_(c)).", "https://a.org/b_(c)"),
        ("https://a.org/?q=1!", "https://a.org/?q=1"),
    ],
)
def test_trimmed(address: str, right: str) -> None:
    assert trimmed(address) == right


@pytest.mark.parametrize(
    "text",
    [
        "and/or, TCP/IP, 1/2, e.g./i.e.",
        "mail me@a.org/x",
        "https:// github.com",
        "javascript:alert(1)",
        "ftp://a.org/b",
        "version 1.2.3/4",
        "data.Through/x",
    ],
)
def test_no_address(text: str) -> None:
    assert find_links(repair(text)) == ()
    assert repair(text).text == text


def test_broken_address_is_left_as_it_stands() -> None:
    text = "see https://github.com/ a/b for more"
    assert repair(text).text == text


def test_u9_reserved_characters_are_encoded_once() -> None:
    url = absolute("https://doi.org/10.5555/(SICI)12<3::AID-X4>3.0.CO;2-é")
    assert url == "https://doi.org/10.5555/(SICI)12%3C3::AID-X4%3E3.0.CO;2-%C3%A9"
    assert absolute("https://a.org/x%20y") == "https://a.org/x%20y"


@pytest.mark.parametrize("address", ["https://", "https://[", "https://a b", "http://x", "a"])
def test_what_is_no_host_is_refused(address: str) -> None:
    assert absolute(address) is None


@pytest.mark.parametrize("text", ["https://a.b/" + ")" * 200_000, "a." * 100_000, "www." * 50_000])
def test_linear_time(text: str) -> None:
    start = time.process_time()
    find_links(Prose(text=text))
    list(ADDRESS.finditer(text))
    assert time.process_time() - start < 2
