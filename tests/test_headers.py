"""Front matter that is written is read again, and what stood there stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sitegen.frontmatter import parse_document
from sitegen.headers import header_line, with_fields

# Control characters are taken out where a file is read.
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40)


@given(st.one_of(texts, st.lists(texts, max_size=4)))
def test_every_text_comes_back(value: str | list[str]) -> None:
    line = header_line("title", value)
    assert "\n" not in line
    document, problems = parse_document(f"---\n{line}\n---\n".encode(), "x.md")
    assert problems == ()
    read = document.fields["title"].value
    assert read == (value if isinstance(value, str) else tuple(value))


def test_plain_words_need_no_quotes() -> None:
    assert header_line("title", "Otters (a survey)") == "title: Otters (a survey)"
    assert header_line("pick", True) == "pick: true"
    assert header_line("tags", ["a b", "c: d", "x, y"]) == 'tags: [a b, "c: d", "x, y"]'


HEADER = """\
---
# checked in May
title: Old
tags:
  - a
  - b
# not yet: true
date: 2031
---
A note.
"""


def test_keys_are_set_where_they_stand_and_the_rest_stays() -> None:
    changed = with_fields(HEADER, {"tags": ["c"], "title": "New: one", "pick": True})
    assert changed == HEADER.replace("title: Old", 'title: "New: one"').replace(
        "tags:\n  - a\n  - b", "tags: [c]"
    ).replace("date: 2031\n", "date: 2031\npick: true\n")


def test_a_file_without_header_gets_one() -> None:
    assert with_fields("A note.\n", {"pick": True}) == "---\npick: true\n---\nA note.\n"
    assert with_fields("", {"pick": True}) == "---\npick: true\n---\n"


def test_a_header_whose_keys_are_indented_takes_new_keys_at_the_same_depth() -> None:
    text = with_fields("---\n # mine\n  date: 2031-05\n---\nBody.\n", {"title": "Otters"})
    assert text == "---\n # mine\n  date: 2031-05\n  title: Otters\n---\nBody.\n"
    document, problems = parse_document(text.encode(), "a.md")
    assert not problems
    assert {key: one.value for key, one in document.fields.items()} == {
        "date": "2031-05",
        "title": "Otters",
    }
