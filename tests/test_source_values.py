"""Identifiers, dates, languages and markup as sources write them, and entries as services do."""

from __future__ import annotations

import pytest

from sitegen.sources import read_text
from sitegen.sources.dates import from_parts, read_date
from sitegen.sources.identifiers import find_arxiv, read_arxiv, read_doi
from sitegen.sources.keyword_lists import parse_keywords
from sitegen.sources.language_tags import language_tag
from sitegen.sources.people import parse_list
from sitegen.sources.tagged import untagged


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2503.19683", ("2503.19683", 0)),
        ("2503.19683v2", ("2503.19683", 2)),
        ("arXiv:2503.19683v11 [cs.CV]", ("2503.19683", 11)),
        ("arxiv: 0704.0001", ("0704.0001", 0)),
        ("https://arxiv.org/abs/2503.19683v1", ("2503.19683", 1)),
        ("http://www.arxiv.org/pdf/2503.19683v1.pdf", ("2503.19683", 1)),
        ("https://arxiv.org/html/2503.19683v3#S1", ("2503.19683", 3)),
        ("https://export.arxiv.org/abs/math.GT/0309136v2", ("math/0309136", 2)),
        ("oai:arXiv.org:hep-th/9901001", ("hep-th/9901001", 0)),
        ("10.48550/arXiv.2503.19683", ("2503.19683", 0)),
        ("https://doi.org/10.48550/ARXIV.2503.19683", ("2503.19683", 0)),
        ("abs/2503.19683", ("2503.19683", 0)),
        ("2513.19683", ("", 0)),
        ("2503.196", ("", 0)),
        ("10.5555/2503.19683", ("", 0)),
        ("https://example.org/abs/2503.19683", ("", 0)),
        ("", ("", 0)),
    ],
)
def test_arxiv_identifiers(text: str, wanted: tuple[str, int]) -> None:
    assert read_arxiv(text) == wanted


def test_an_identifier_within_a_text_must_be_named() -> None:
    assert find_arxiv("arXiv preprint arXiv:2503.19683v2")[0] == "2503.19683"
    assert find_arxiv("CoRR abs/math/0309136")[0] == "math/0309136"
    assert find_arxiv("CoRR, vol. abs/2503.19683, 2025")[0] == "2503.19683"
    assert find_arxiv("pages 2503.19683 to 2503.19700")[0] == ""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("10.5555/Mud.7", "10.5555/Mud.7"),
        ("https://doi.org/10.5555/Mud.7", "10.5555/Mud.7"),
        ("http://dx.doi.org/10.5555/mud%2E7", "10.5555/mud.7"),
        ("doi:10.5555/Mud.7.", "10.5555/Mud.7"),
        ("DOI 10.5555/Mud.7", "10.5555/Mud.7"),
        ("10.5555/a&lt;b&gt;;2-#", "10.5555/a<b>;2-#"),
        ("10.5555/x%3Cy", "10.5555/x<y"),
        ("to appear", ""),
        ("10.5555", ""),
        ("https://mud.example/10.5555/Mud.7", ""),
    ],
)
def test_u9_dois(text: str, wanted: str) -> None:
    assert read_doi(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2031", ("2031", True)),
        ("2031-5-4", ("2031-05-04", True)),
        ("2031/05//", ("2031-05", True)),
        ("20310504", ("2031-05-04", True)),
        ("2031-05-04T23:59:59+14:00", ("2031-05-04", True)),
        ("Mon, 05 May 2031 23:18:42 -0700", ("2031-05-05", True)),
        ("May 4th, 2031", ("2031-05-04", True)),
        ("4 May 2031", ("2031-05-04", True)),
        ("Published online: 4 May 2031", ("2031-05-04", True)),
        ("2031 May-Jun", ("2031-05", True)),
        ("2031 Jan 5-11", ("2031-01", True)),
        ("2031 Spring", ("2031", True)),
        ("4.5.2031", ("2031-05-04", True)),
        ("2031-02-30", ("2031-02", False)),
        ("2031-00-00", ("2031", False)),
        ("31/12/2031", ("2031-12-31", True)),
        ("forthcoming 2031", ("2031", False)),
        ("0000-00-00", ("", False)),
        ("", ("", True)),
    ],
)
def test_c2_dates(text: str, wanted: tuple[str, bool]) -> None:
    assert read_date(text) == wanted


def test_c2_a_month_with_the_days_of_a_meeting_is_a_month() -> None:
    assert from_parts("2031", "jun~1--6") == ("2031-06", True)
    assert from_parts("2031", "oct", "4") == ("2031-10-04", True)
    assert from_parts("2031", "10") == ("2031-10", True)
    assert from_parts("", "may") == ("", False)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("en", "en"), ("English", "en"), ("ger", "de"), ("zh_CN", "zh-CN"), ("zh-hans", "zh-Hans"),
     ("pt-br", "pt-BR"), ("brazilian", "pt-BR"), ("klingon", ""), ("x", ""), ("", "")],
)  # fmt: skip
def test_languages(text: str, wanted: str) -> None:
    assert language_tag(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("H<sub>2</sub>O and 10<sup>-6</sup>", "H₂O and 10⁻⁶"),
        ("x<sub>abc</sub>", "x$_{abc}$"),
        ("When p<q and n<m", "When p<q and n<m"),
        ("safe<script>x()</script>", "safe<script>x()</script>"),
        ("<jats:title>Methods.</jats:title><jats:p>We.</jats:p>", " Methods:  We. "),
        ("a <b>bold</b> <i>claim</i>", "a bold claim"),
        (
            r"<tex-math>\documentclass{m}\begin{document}$$x<y$$\end{document}</tex-math>",
            "$x<y$",
        ),
        ('<mml:math altspace="1" alttext="x^2"><mml:mi>x</mml:mi></mml:math>!', "$x^2$!"),
        ("<math><mi>x</mi><mo>+</mo></math>", "x +"),
        ("<math><mi>x</mi>", "<math><mi>x</mi>"),
    ],
)
def test_markup_of_catalogues(text: str, wanted: str) -> None:
    assert untagged(text) == wanted


def test_lists_of_names_that_programs_print() -> None:
    for text in ("['Ann Meer', \"Bo O'Hara\"]", '["Ann Meer", "Bo O\'Hara"]'):
        assert [one.name for one in parse_list(text).authors] == ["Ann Meer", "Bo O'Hara"]


def test_a_line_of_an_abstract_is_no_tag() -> None:
    text = "TY  - JOUR\nTI  - Maps\nAB  - We draw maps with\nAI - a survey.\nER  - \n"
    (found,) = read_text(text, "a.ris").found
    assert found.text == "We draw maps with AI - a survey."
    (found,) = read_text("TY - JOUR\nTI - Maps\nAU - Ito, K\nER -\n", "a.ris").found
    assert [author.name for author in found.metadata.authors] == ["K Ito"]


ENTRIES = {
    "arXiv": "@misc{v, title={Wet Mud},\n author={Ann van der Meer and Ken Ito}, year={2031},\n "
    "eprint={3105.00123},\n archivePrefix={arXiv}, primaryClass={cs.CL},\n "
    "url={https://arxiv.org/abs/3105.00123}, \n}",
    "DBLP": "@article{DBLP:journals/corr/abs-3105-00123,\n author = {Ann van der Meer and\n Ken "
    "Ito},\n title = {Wet Mud},\n journal = {CoRR},\n volume = {abs/3105.00123},\n year = {2031}}",
    "ADS": "@ARTICLE{2031arXiv310500123M,\n author = {{Meer}, Ann van der and {Ito}, Ken},\n "
    'title = "{Wet Mud}",\n journal = {arXiv e-prints},\n year = 2031,\n eid = {arXiv:3105.00123},'
    "\n archivePrefix = {arXiv},\n eprint = {3105.00123}\n}",
    "Mendeley": "@article{Meer2031,\n archivePrefix = {arXiv},\n arxivId = {3105.00123},\n author "
    "= {van der Meer, Ann and Ito, Ken},\n title = {{Wet Mud}},\n year = {2031}\n}",
    "Zotero": "@online{meer, title = {Wet {{Mud}}}, author = {family=Meer, given=Ann, prefix=van "
    "der, useprefix=true and Ito, Ken}, date = {2031}, eprint = {3105.00123}, eprinttype = {arxiv},"
    " doi = {10.48550/arXiv.3105.00123}, pubstate = {prepublished}, file = {:C\\:/x.pdf:PDF}}",
    "Google": "@article{meer2031wet,\n  title={Wet Mud},\n  author={Meer, Ann van der and Ito, Ken"
    "},\n  journal={arXiv preprint arXiv:3105.00123},\n  year={2031}\n}",
}


@pytest.mark.parametrize("service", ENTRIES)
def test_the_same_paper_from_every_service(service: str) -> None:
    reading = read_text(ENTRIES[service], "a.bib")
    assert reading.problems == ()
    (found,) = reading.found
    meta = found.metadata
    assert (meta.title, meta.arxiv, meta.date) == ("Wet Mud", "3105.00123", "2031")
    assert [author.name for author in meta.authors] == ["Ann van der Meer", "Ken Ito"]
    assert meta.authors[0].family in {"Meer", ""}
    assert meta.venue == ""


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        (["1,2-ethanediol, heat (wet, dry), Mud, mud."], "1,2-ethanediol | heat (wet, dry) | Mud"),
        (["Models, Statistical", "*Otters", ""], "Models, Statistical | Otters"),
        (["a; b, c;; .NET"], "a | b, c | .NET"),
        (["one\ntwo"], "one | two"),
        (["an (open, list, of three"], "an (open | list | of three"),
        (["x" * 121 + ", kept"], "kept"),
        ([], ""),
    ],
)
def test_keywords_are_told_apart(values: list[str], wanted: str) -> None:
    assert " | ".join(parse_keywords(values)) == wanted
