"""Whatever stands in a source file: nothing crashes, nothing is lost, and time stays in bounds."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.records import Abstract, Place
from sitegen.repair import restore
from sitegen.sources import FORMATS, Format, read_text
from sitegen.sources.decode import decode
from sitegen.sources.identifiers import read_arxiv, read_doi
from sitegen.sources.language_tags import language_tag
from sitegen.sources.people import parse_bibtex, parse_list
from sitegen.sources.reading import Reading
from sitegen.sources.tagged import untagged

from .test_source_samples import SAMPLES

TEXTS = {
    path.name: path.read_text("utf-8-sig").replace("\r\n", "\n")
    for path in sorted(SAMPLES.iterdir())
}
SIGNS = ["{", "}", '"', "\\", ",", "<", ">", "&", "\n", "@", "]", "[", ":", "---\n", "ER  -", "\t"]


def check(reading: Reading) -> None:
    """Look at what any reading must be."""
    assert [one.position for one in reading.found] == [*range(1, len(reading.found) + 1)]
    assert reading.found or reading.problems
    assert reading.reported == 0 or reading.problems
    for one in reading.found:
        assert one.line >= 1
        assert one.text or one.metadata.title
        whole = f"{one.text}{one.metadata.title}"
        assert not any(char < " " and char not in "\t\n" for char in whole)
        place = Place(file="a", position=one.position, line=one.line, edition="a")
        restore(Abstract(place=place, text=one.text, metadata=one.metadata))


@settings(max_examples=150, deadline=None)
@given(
    name=st.sampled_from(sorted(TEXTS)),
    edits=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 40), st.sampled_from(["", *SIGNS])),
        min_size=1,
        max_size=4,
    ),
)
def test_any_edit_of_a_sample_is_read_or_reported(
    name: str, edits: list[tuple[float, int, str]]
) -> None:
    text = TEXTS[name]
    for share, cut, sign in edits:
        at = int(share * len(text))
        text = text[:at] + sign + text[at + cut :]
    check(read_text(text, name))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(FORMATS), st.text(max_size=300), st.sampled_from(sorted(TEXTS)))
def test_any_text_in_any_reader(form: object, text: str, name: str) -> None:
    assert isinstance(form, Format)
    for each in (text, f"{TEXTS[name][:200]}{text}"):
        check(form.read(decode(each.encode(), "a")[0] or "", "a"))


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_small_readers_take_any_text(text: str) -> None:
    for people in (parse_bibtex(text), parse_list(text)):
        assert all(author.name for author in people.authors)
    name, _ = read_arxiv(text)
    assert read_arxiv(name)[0] == name
    assert read_doi(read_doi(text)) == read_doi(text)
    assert language_tag(language_tag(text)) == language_tag(text)
    untagged(text)


ENTRY = '{"id":"3105.00001","title":"a","abstract":"b","categories":"x"'
HOSTILE = {
    "bib-braces": "@article{k, title={" + "{" * 200_000,
    "bib-unclosed": "@article{k, title={a " * 20_000,
    "bib-macros": "@string{a0={xxxxxxxxxx}}"
    + "".join(f"@string{{a{at + 1}=a{at} # a{at} # a{at}}}" for at in range(60))
    + "@misc{k,title=a60}",
    "bib-ties": "@misc{k,title={x},author={" + "~" * 90_000 + "}}",
    "json-open": '[{"a":' * 20_000,
    "json-commas": "[" + f"{ENTRY},,}}," * 5_000 + "]",
    "json-unclosed": "[" + f"{ENTRY}," * 5_000,
    "jsonl-broken": f"{ENTRY}\n" * 20_000,
    "json-number": '[{"title":"a","year":' + "9" * 100_000 + "}]",
    "json-spaces": f'[{{"title":"x","abstract":"{" " * 90_000}x","date":"{" " * 90_000}"}}]',
    "json-authors": '[{"title":"x","authors":"' + " and " * 20_000 + '"}]',
    "xml-deep": "<feed><entry>" + "<a>" * 100_000,
    "xml-unclosed": "<feed>" + "<entry><title>a</title>" * 20_000,
    "ris-lines": "TY  - JOUR\nAB  - x\n" + "more text\n" * 50_000,
    "jats-math": '[{"DOI":"10.5555/1","title":["x"],"abstract":"' + "<mml:math>" * 20_000 + '"}]',
    "csv-quote": 'title,abstract\n"' + "a,b\n" * 20_000,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_take_seconds(name: str) -> None:
    started = time.process_time()
    check(read_text(HOSTILE[name], name))
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY b SYSTEM "file:///etc/passwd">',
        '<!ENTITY % b SYSTEM "file:///etc/passwd"> %b;',
    ],
)
def test_xml_may_declare_no_entities(declaration: str) -> None:
    text = f"<!DOCTYPE feed [{declaration}]><feed><entry><title>&b;</title></entry></feed>"
    reading = read_text(text, "a.xml")
    assert reading.found == ()
    assert "declares entities" in reading.problems[0].text
    assert not [problem for problem in reading.problems if "root:" in problem.text]


def test_a_large_file_is_read_in_seconds(tmp_path: Path) -> None:
    line = (
        '{"id":"3105.%05d","title":"Paper %d","abstract":"' + "We measure the gas. " * 40 + '",'
        '"categories":"q-bio.PE","authors":"Ann Meer, Ken Ito"}\n'
    )
    text = "".join(line % (number, number) for number in range(10_000))
    started = time.process_time()
    reading = read_text(text, "a.jsonl")
    assert len(reading.found) == 10_000
    assert time.process_time() - started < 8
