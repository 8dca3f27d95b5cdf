"""The public bug reports on input (I), names (N), dates (C), and M2, F3 and U9 with them.

What a page shows is looked up in one digest that holds the input of all cases, built twice: under
different time zones and locales.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from sitegen.sources.people import parse_bibtex, parse_list, parse_names

from .cases import Read, build, page, papers, project, tree

SICI = "10.5555/(SICI)12(2031)1:2<3::AID-X4>3.0.CO;2-#"
NOTE = "---\ntitle: Marsh soil\nauthors: [Ken Ito]\ndate: 2031-05\n---\nWe weigh soil\nwet.\n"
UMLAUTS = "@article{k1, title={Über Seen}, author={Müller, Jörg}, year=2031}\n"
CROWD = [f"Author{at} Number{at}" for at in range(2800)]


def atom(*entries: str, total: int, start: int = 0, size: int = 100) -> str:
    return (
        '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" '
        'xmlns:o="http://a9.com/-/spec/opensearch/1.1/"><title>q</title>'
        f"<o:totalResults>{total}</o:totalResults><o:startIndex>{start}</o:startIndex>"
        f"<o:itemsPerPage>{size}</o:itemsPerPage>{''.join(entries)}</feed>"
    )


def entry(number: int, published: str = "2031-05-01T23:30:00Z") -> str:
    return (
        f"<entry><id>http://arxiv.org/abs/3105.{number:05}v1</id><title>Fjord number {number} and "
        f"its otters</title><summary>We count the otters of fjord {number}.</summary>"
        f"<published>{published}</published><author><name>Ann Meer</name></author></entry>"
    )


def sici(how: str) -> str:
    """Return the old DOI as a format writes it."""
    if how == "bib":
        escaped = SICI.replace("<", "$<$").replace(">", "$>$").replace("#", r"\#")
        return f"@article{{k, title={{Old DOI in bib}}, doi={{{escaped}}}}}"
    if how == "ris":
        return f"TY  - JOUR\nTI  - Old DOI in ris\nDO  - doi:{SICI.replace('12(', '13(')}\nER  - \n"
    item = {"type": "article", "title": "Old DOI in json"}
    return json.dumps([item | {"DOI": SICI.replace("12(", "14(").replace("<", "&lt;")}])


HEAT = {
    "paper": {
        "id": "3105.90123",
        "title": "Heat\u000b of lakes",
        "summary": "SUMMARY",
        "authors": [{"name": "Ann\u0000 Meer"}],
        "publishedAt": "2031-05-01",
    }
}
FILES: dict[str, str | bytes] = {
    "c1__xml": atom(entry(1, "2031-05-01T23:30:00-08:00"), total=1),
    "c1__bib": "@article{k, title={Day of the fjord}, author={Ito, K}, date={2031-05-01}}",
    "c1note__md": "---\ntitle: Day of the note\ndate: 2031-05-01\n---\nWe weigh it dry.\n",
    "f3__json": json.dumps([HEAT]).replace(
        "SUMMARY", r"heat\u000cflux\u0010 and \ud800half \ud83d\ude00"
    ),
    "i1__bib": '@string{jmr="J. Mud Res."}\n'
    "@article{k1, title={Wet mud}, journal = jmr # { B}, month = oct, year = 2031}\n"
    "@article{k2, title={Dry mud}, journal = JMR, year = 2031,\n  month = okt}\n",
    "i4__bib": UMLAUTS,
    "i4latin__bib": UMLAUTS.replace("Seen", "Moore").encode("latin-1"),
    "i7__md": "---\narxiv: 9912.12340\ntitle: no\nvenue: 12:30:00\ntags: [on, 1e5]\n---\nYes.\n",
    "m2__bib": r"@article{k, title={A {CO$_2$}-aware {FPGA-}based meter}, "
    r"author={Mart{\'\i}n, Ana and {\O}ydis {\'E}va Kv{\ae}le and A.~B. \v{C}ech}, year=2031,"
    r"abstract={the Kova\v{c}--N\o{}rby test of {\relax Ch}ristos in M{\"u}nchen}}",
    "n1__bib": "@article{k, title={Parts of names}, author={family=Meer, given=Ann, prefix=van, "
    "useprefix=true and De Santis, Leo and Okoro, Jr., Sam}}",
    "n2__bib": "@article{k, title={Groups and others}, author={{Tide and Mud Survey Group} and "
    "Ito, Ken and others}}",
    "n3__bib": "".join(
        f"@article{{k{at}, title={{Mud of lake {at}}}, author={{{name}}}}}\n"
        for at, name in enumerate(("Mira Sørli", "Sorli, Mira", "M. Sørli"))
    ),
    "n4__jsonl": json.dumps(
        {"id": "3105.99999", "categories": "hep-ex", "title": "A very large detector",
         "abstract": "We detect.", "authors": CROWD, "date": "2031-05-01"}
    ),
    "n5__bib": "@article{k, title={Year {O}nly}, author={Ito, Ken and Sam Okoro}, year=2031, "
    "doi={https://doi.org/10.5555/Mud.1}}",
    "u9__bib": sici("bib"),
    "u9__ris": sici("ris"),
    "u9__json": sici("json"),
}  # fmt: skip


class Built:
    """The digest of all cases."""

    def __init__(self, root: Path, said: str) -> None:
        self.root = root
        self.said = said
        self.papers = {paper["title"]: paper for paper in papers(root)}

    def page(self, title: str) -> str:
        return page(self.root, self.papers[title])


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Built, Built]:
    """The digest built west and east of Greenwich, under two locales."""
    root = tmp_path_factory.mktemp("cases")
    west = project(root / "west", i6__md=NOTE, **FILES)
    marked = b"\xef\xbb\xbf" + NOTE.replace("\n", "\r\n").encode()
    east = project(root / "east", i6__md=marked, **FILES)
    one = build(west, TZ="America/Los_Angeles", LC_ALL="C", PYTHONUTF8="0")
    two = build(east, TZ="Pacific/Auckland", LC_ALL="C.UTF-8", PYTHONHASHSEED="1")
    return Built(west, one), Built(east, two)


@pytest.fixture(scope="module")
def built(twice: tuple[Built, Built]) -> Built:
    return twice[0]


# ---- I: records ---------------------------------------------------------------------------------
def test_i1_macros_and_joins_are_expanded_and_unknown_ones_reported(built: Built) -> None:
    line = "seeds/i1.bib:4: warning: k2 uses okt, which no @string defines [source-macro]"
    assert built.said.count(line) == built.said.count("[source-macro]") == 1
    assert built.papers["Wet mud"]["date"] == "2031-10"
    assert built.papers["Dry mud"]["date"] == "2031"
    assert "J. Mud Res. B, October 2031" in built.page("Wet mud")


def test_i2_one_malformed_entry_is_reported(tmp_path: Path) -> None:
    project(
        tmp_path,
        a__bib="@article{k1, title={One}, year=2031}\n"
        "@article{k2,\n  title={Two {open}, year=2031\n}\n"
        "@thesisplus{k3, title={Three}, year=2031}\n\n"
        "@article{k4, title={Four}, year=2031}\n",
    )
    said = build(tmp_path, "--strict", code=1)
    assert "seeds/a.bib:2: warning: the entry k2 is malformed" in said
    assert "seeds/a.bib: 4 read = 3 kept + 0 merged + 1 reported" in said
    assert sorted(Read(tmp_path).by_title()) == ["Four", "One", "Three"]


@pytest.mark.parametrize(
    "broken",
    [
        "@article{k2, title={Two, year=2031}",
        '@article{k2, title="Two, year=2031}',
        "@article{k2, title={Two} {more}}",
        "@article{k2 title, author={Ito}",
        "@article{k2, title=, year={}, = {x}}",
        "@article{k2, title={Two}, year",
        "@article(k2, title={Two}",
        "@article{k2, title={Two}, year=2031 # }",
    ],
)
def test_i2_wherever_an_entry_breaks_the_others_stay(tmp_path: Path, broken: str) -> None:
    whole = "@article{{{0}, title={{Paper {0}}}}}\n"
    project(tmp_path, a__bib=whole.format("k1") + broken + "\n" + whole.format("k3"))
    read = Read(tmp_path)
    assert sorted(read.by_title()) == ["Paper k1", "Paper k3"]
    assert read.lines("source-malformed") == ["seeds/a.bib:2"]
    assert [(count.read, count.reported) for count in read.counts] == [(3, 1)]


def test_i3_a_repeated_key_hides_no_paper(tmp_path: Path) -> None:
    one = "@article{k1, title={Wet mud in lakes}, author={Ito, Ken}}\n"
    two = "@article{k1, title={Dry mud in deserts}, author={Okoro, Sam}}\n"
    found = []
    for name, text in (("a", one + two), ("b", two + one)):
        read = Read(project(tmp_path / name, refs__bib=text))
        assert len(read.lines("source-key-twice")) == 1
        found.append({title: paper.id for title, paper in read.by_title().items()})
    assert found[0] == found[1]
    assert len(set(found[0].values())) == 2


def test_i3_papers_without_abstract_get_ids_of_their_own(tmp_path: Path) -> None:
    people = ("Ito, Ken", "Okoro, Sam", "Meer, Ann")
    text = "".join(
        f"@misc{{k{at}, title={{Errata}}, author={{{name}}}}}\n" for at, name in enumerate(people)
    )
    read = Read(project(tmp_path, a__bib=text))
    assert len({paper.id for paper in read.papers}) == 3
    assert {len(paper.id) for paper in read.papers} == {8}


def test_i4_utf8_first_then_1252_whatever_the_machine(twice: tuple[Built, Built]) -> None:
    for one in twice:
        assert "seeds/i4latin.bib:1: warning: not all UTF-8" in one.said
        assert one.said.count("[source-encoding]") == 1
        assert one.papers["Über Seen"]["authors"] == ["Jörg Müller"]
        assert one.papers["Über Moore"]["authors"] == ["Jörg Müller"]


def test_i5_what_databases_put_between_records_is_reported_once(tmp_path: Path) -> None:
    project(
        tmp_path,
        a__ris="1.\nTY  - JOUR\nTI  - Wet mud\nAB  - \nER  -\n\nSearch strategy:\nC1  - Base\n\n"
        "2.\nTY  - JOUR\nTI  - Dry mud\n",
    )
    read = Read(tmp_path)
    assert sorted(read.by_title()) == ["Dry mud", "Wet mud"]
    assert read.lines("source-leftover") == ["seeds/a.ris:7"]
    assert read.lines("source-mended") == ["seeds/a.ris:11"]


def test_i6_a_note_with_bom_and_crlf_is_the_same_note(twice: tuple[Built, Built]) -> None:
    west, east = twice
    assert west.page("Marsh soil") == east.page("Marsh soil")
    assert west.papers["Marsh soil"]["abstract"] == "We weigh soil wet."
    assert "title:" not in west.page("Marsh soil")


def test_i7_identifiers_of_a_note_stay_the_text_that_was_typed(
    built: Built, tmp_path: Path
) -> None:
    assert built.papers["no"]["arxiv"] == "9912.12340"
    assert "12:30:00" in built.page("no")
    record = '[{"id": "x", "title": "yes", "abstract": "Other.", "arxiv": 2310.12340}]'
    (paper,) = Read(project(tmp_path, plain__json=record)).papers
    assert paper.metadata.arxiv == "2310.12340"


def test_i8_an_empty_page_is_an_incomplete_import_and_published_papers_stay(tmp_path: Path) -> None:
    project(tmp_path, page1__xml=atom(*map(entry, range(100)), total=250))
    build(tmp_path)
    before = {paper["id"] for paper in papers(tmp_path)}
    assert len(before) == 100
    project(
        tmp_path,
        page1__xml=atom(*map(entry, range(40)), total=250),
        page2__xml=atom(total=250, start=100),
    )
    said = build(tmp_path, code=1)
    assert "seeds/page1.xml: error: the page is incomplete: 40 of 100 papers" in said
    assert "seeds/page2.xml: error: the page is incomplete: 0 of 100 papers (250 in all)" in said
    assert {paper["id"] for paper in papers(tmp_path)} == before


def test_i8_a_whole_page_of_many_is_no_error(tmp_path: Path) -> None:
    last = [entry(at) for at in range(200, 250)]
    project(tmp_path, page3__xml=atom(*last, total=250, start=200), page4__xml=atom(total=0))
    assert Read(tmp_path).lines("source-incomplete") == []


# ---- N: names -----------------------------------------------------------------------------------
def test_n1_name_parts_and_particles(built: Built) -> None:
    names = (
        "family=Meer, given=Ann, prefix=van, useprefix=true and De Santis, Leo and Okoro, Jr., Sam"
    )
    people = parse_bibtex(names).authors
    assert [one.family for one in people] == ["Meer", "De Santis", "Okoro"]
    shown = ["Ann van Meer", "Leo De Santis", "Sam Okoro Jr."]
    assert [one.name for one in people] == built.papers["Parts of names"]["authors"] == shown
    bib = (built.root / "public/data/papers.bib").read_text()
    exported = "Meer, Ann van and De Santis, Leo and Okoro, Sam Jr."
    assert f"author = {{{exported}}}" in bib
    assert parse_bibtex(exported).authors == people


def test_n1_the_same_person_in_every_writing() -> None:
    wanted = parse_bibtex("van der Meer, Ann").authors
    assert wanted[0].name == "Ann van der Meer"
    for text in (
        "Ann van der Meer", "Meer, Ann van der", "family=Meer, given=Ann, prefix={van der}",
        "family={van der Meer}, given={Ann}", "van  der Meer,\n Ann",
    ):  # fmt: skip
        assert parse_bibtex(text).authors == wanted, text
    (suffixed,) = parse_bibtex("Okoro, III, Sam").authors
    assert suffixed == parse_bibtex("Sam Okoro III").authors[0]
    assert suffixed == parse_names(["Okoro, Sam III"]).authors[0]


def test_n2_a_group_stays_whole_and_others_are_nobody(built: Built) -> None:
    names = ["Tide and Mud Survey Group", "Ken Ito"]
    assert built.papers["Groups and others"]["authors"] == names
    html = built.page("Groups and others")
    assert "Tide and Mud Survey Group, Ken Ito et al." in html
    assert list((built.root / "public").rglob("*others*")) == []


def test_n2_ends_of_lists() -> None:
    for text in ("Ito, Ken and others", "Ken Ito et al.", "Ken Ito, et al", "Ken Ito; et al."):
        people = parse_list(text)
        assert [one.name for one in people.authors] == ["Ken Ito"], text
        assert people.et_al, text
    assert parse_list("").authors == ()


def test_n2_lists_of_names_in_one_text() -> None:
    cases = {
        "Ann Meer, Ken Ito and Bo Li": ["Ann Meer", "Ken Ito", "Bo Li"],
        "Ann Meer, Ken Ito, and Bo Li": ["Ann Meer", "Ken Ito", "Bo Li"],
        "Meer, Ann; Ito, Ken": ["Ann Meer", "Ken Ito"],
        "Meer, Ann and Ito, Ken": ["Ann Meer", "Ken Ito"],
        "Meer, A., Ito, K.-L.": ["A. Meer", "K.-L. Ito"],
        "Meer, Ann": ["Ann Meer"],
        "van der Meer, Ann": ["Ann van der Meer"],
        "Ann Meer & Ken Ito": ["Ann Meer", "Ken Ito"],
        "伊藤健": ["伊藤健"],
    }
    for text, names in cases.items():
        assert [one.name for one in parse_list(text).authors] == names, text


def test_n3_spellings_of_a_name_stay_as_each_paper_has_them(built: Built) -> None:
    spellings = [built.papers[f"Mud of lake {at}"]["authors"] for at in range(3)]
    assert spellings == [["Mira Sørli"], ["Mira Sorli"], ["M. Sørli"]]
    assert not (built.root / "public/authors").exists()


def test_n4_thousands_of_authors_are_folded(built: Built) -> None:
    title = "A very large detector"
    assert built.papers[title]["authors"] == CROWD
    html = built.page(title)
    assert 0 < html.count('name="citation_author"') <= 200
    assert "All 2,800 authors" in html
    listing = (built.root / "public/editions/n4/index.html").read_text()
    assert "and 2,79" in listing
    assert len(listing) < 30_000


def test_n5_meta_tags_say_no_more_than_the_source(built: Built) -> None:
    html = built.page("Year Only")
    tags = re.findall(r'<meta name="citation_(title|author|date|doi)" content="([^"]*)">', html)
    assert tags == [
        ("title", "Year Only"), ("author", "Ken Ito"), ("author", "Sam Okoro"), ("date", "2031"),
        ("doi", "10.5555/Mud.1"),
    ]  # fmt: skip
    assert 'name="DC.' not in html
    assert 'name="dc.' not in html


# ---- C: dates -----------------------------------------------------------------------------------
def test_c1_a_day_is_the_same_day_everywhere_on_earth(twice: tuple[Built, Built]) -> None:
    west, east = twice
    for title in ("Fjord number 1 and its otters", "Day of the fjord", "Day of the note"):
        assert west.papers[title]["date"] == "2031-05-01"
        assert "1 May 2031" in west.page(title)
    assert tree(west.root) == tree(east.root)


def test_c2_an_odd_date_costs_no_paper_and_is_one_warning(tmp_path: Path) -> None:
    dates: dict[str, tuple[str, int]] = {
        "date={2031-13-02}": ("2031", 1),
        "year={in press}": ("", 1),
        "year=2031": ("2031", 0),
        "year=2031, month={spring}": ("2031", 1),
        "date={5/6/31}": ("", 1),
        "date={5/6/2031}": ("2031", 1),
        "date={25/6/2031}": ("2031-06-25", 0),
        "year=2031, month=feb, day=30": ("2031-02", 1),
        "date={2031-05-04T10:00:00Z}": ("2031-05-04", 0),
        "date={2031~}": ("2031", 0),
        "date={2031-21}": ("2031", 0),
        "year={c2031}": ("2031", 1),
        "year=2031, month={10~may}": ("2031-05-10", 0),
        "year=2031, month={jul # aug}": ("2031-07", 0),
        "year={}": ("", 0),
    }
    entries = [
        f"@article{{k{number}, title={{Mud of lake {number}}}, {date}}}"
        for number, date in enumerate(dates)
    ]
    read = Read(project(tmp_path, refs__bib="\n".join(entries)))
    found = read.by_title()
    lines = [problem.location.line for problem in read.problems]
    for number, (date, (want, warnings)) in enumerate(dates.items()):
        assert found[f"Mud of lake {number}"].metadata.date == want, date
        assert lines.count(number + 1) == warnings, date


# ---- M2, F3, U9 ---------------------------------------------------------------------------------
def test_m2_case_braces_and_accents_of_an_entry(built: Built) -> None:
    paper = built.papers["A CO₂-aware FPGA-based meter"]
    assert paper["authors"] == ["Ana Martín", "Øydis Éva Kvæle", "A. B. Čech"]
    assert paper["abstract"] == "the Kovač–Nørby test of Christos in München"
    head = built.page(paper["title"]).split("<article")[0]
    assert "{" not in re.sub(r"<script.*?</script>", "", head)
    assert '<meta name="citation_author" content="Ana Martín">' in head


def test_f2_dates_of_papers_make_valid_feeds(built: Built) -> None:
    atom_ns = "{http://www.w3.org/2005/Atom}"
    feed = ET.parse(built.root / "public/feed.xml").getroot()
    found = {
        entry.findtext(f"{atom_ns}title"): entry.findtext(f"{atom_ns}published")
        for entry in feed.iter(f"{atom_ns}entry")
    }
    assert found["Day of the fjord"] == "2031-05-01T00:00:00Z"
    assert found["Year Only"] == "2031-01-01T00:00:00Z"
    assert found["Parts of names"] == "1970-01-01T00:00:00Z"


def test_f3_escapes_bring_no_control_character_back(built: Built) -> None:
    assert "seeds/f3.json:1: note: 5 control characters removed" in built.said
    paper = built.papers["Heat of lakes"]
    assert paper["abstract"] == "heat flux and half 😀"
    assert paper["authors"] == ["Ann Meer"]
    for path in (built.root / "public").rglob("*.xml"):
        ET.parse(path)


@pytest.mark.parametrize(("how", "volume"), [("bib", 12), ("ris", 13), ("json", 14)])
def test_u9_an_old_doi_is_shown_as_it_is_and_linked_encoded(
    built: Built, how: str, volume: int
) -> None:
    doi = SICI.replace("12(", f"{volume}(")
    paper: dict[str, Any] = built.papers[f"Old DOI in {how}"]
    assert paper["doi"] == doi
    tail = f"%28SICI%29{volume}%282031%291%3A2%3C3%3A%3AAID-X4%3E3.0.CO%3B2-%23"
    assert f'href="https://doi.org/10.5555/{tail}"' in built.page(paper["title"])
    known = json.loads((built.root / "public/data/identifiers.json").read_text())
    assert known[f"doi:{doi.lower()}"] == paper["id"]
    assert not [path for path in tree(built.root) if re.search(r"[^\w./-]", path)]
