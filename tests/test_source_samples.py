"""One awkward sample a format: what each record must come to, and that none is lost."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from sitegen.config import SourceSpec
from sitegen.diagnostics import Problem, Severity
from sitegen.records import Abstract, SourceCount
from sitegen.sources import read_sources

SAMPLES = Path(__file__).parent / "samples"


@dataclass(frozen=True)
class Want:
    """What one record must come to; names as ``Name`` or ``Name = Family, Given``."""

    line: int
    title: str
    names: str = ""
    et_al: bool = False
    date: str = ""
    arxiv: str = ""
    doi: str = ""
    venue: str = ""
    url: str = ""
    language: str = ""
    links: str = ""
    keywords: str = ""
    text: str = ""
    """How the abstract begins."""


SICI = "10.5555/(SICI)12(2031)1:2<3::AID-X4>3.0.CO;2-#"
LAKE = "静かな湖の採水方法"

WANTED = {
    "references.bib": [
        Want(
            7,
            r"A CO$_2$-aware FPGA-based meter for \emph{Zostera} meadows",
            r"Ana Mart{\'\i}n = Mart{\'\i}n, Ana; Tide and Mud Survey Group; Ken Ito = Ito, Ken",
            et_al=True,
            date="2031-10",
            doi=SICI,
            venue="J. Mud Res. B",
            language="de",
            keywords="eelgrass | CO$_2$ (gas, dissolved) | K\\\"orner | r{\\'e}gime",
            text=r"We measure the gas that eelgrass gives off with the Kova\v{c}--N\o{}rby test,",
        ),
        Want(
            24,
            'Counting "otters" by ear',
            "Ann van der Meer = Meer, Ann van der; Leo De Santis = De Santis, Leo; "
            "Sam Okoro Jr. = Okoro, Sam Jr.",
            date="2031-05-04",
            arxiv="9912.12340v2",
            language="en",
        ),
        Want(
            33,
            "Weighing wet mud",
            r"Mira S{\o}rli = S{\o}rli, Mira",
            date="2031",
            venue="Fjord University",
            url="https://fjord.example/theses/42?a=1&b=2",
            links="paper https://fjord.example/theses/42.pdf",
        ),
        Want(
            42,
            LAKE,
            r"伊藤健 = 伊藤, 健; Łukasz {\'S}wi{\k{a}}tek = {\'S}wi{\k{a}}tek, Łukasz",
            venue="Proceedings of the Lake Days",
        ),
        Want(
            49,
            "Old lakes and their names",
            "Ludwig van Beekhoven III = Beekhoven, Ludwig van III",
            date="2003",
            arxiv="math/0309136",
        ),
    ],
    "arxiv-page.xml": [
        Want(
            9,
            r"Bounds on $\mathcal{O}(\sqrt{n})$ tags for kelp & otters",
            "Ann van der Meer; Øydis Kvæle",
            et_al=True,
            date="2031-05-01",
            arxiv="3105.00123v3",
            doi="10.5555/Mud.2031.7",
            venue="J. Mud Res. 7 (2031) 1-12",
            text="We bound the number of tags that follow $n$ otters through low-cost receivers, "
            "when p<q and n<m, and show that K\\\"onig's",
        ),
        Want(
            31,
            "Sur les lacs",
            "Équipe des Lacs",
            date="2003-09-08",
            arxiv="math/0309136v1",
            language="fr",
            text="Nous comptons les lacs.",
        ),
    ],
    "huggingface.json": [
        Want(
            2,
            r"Bounds on $\mathcal{O}(\sqrt{n})$ tags for kelp",
            "Ann van der Meer; Øydis Kvæle",
            date="2031-05-01",
            arxiv="3105.00123",
            links="code https://github.com/lab/kelp-tags other https://kelp.example/tags",
            text="We bound the number of tags that follow $n$ otters. And more.",
        ),
        Want(
            26,
            LAKE,
            "伊藤健",
            date="2031-05",
            arxiv="9912.12340",
            text="静かな湖の採水方法を示す。",
        ),
    ],
    "csl.json": [
        Want(
            2,
            "A CO₂-aware meter when p<q",
            "Ann van der Meer = Meer, Ann van der; Sam Okoro Jr. = Okoro, Sam Jr.; "
            "Tide and Mud Survey Group; 伊藤健 = 伊藤, 健; Luc d'Prévert = Prévert, Luc d'",
            date="2031-05",
            doi=SICI,
            venue="Journal of Mud Research",
            url="https://mud.example/articles/7",
            language="en-GB",
            keywords="eelgrass | mud & tides",
            text="We measure the gas in situ.",
        ),
        Want(
            20,
            "Counting otters by ear",
            "Øydis Kvæle = Kvæle, Øydis",
            et_al=True,
            date="2031-05-01",
            arxiv="9912.12340",
        ),
        Want(31, "Lakes at night", "Aristo", arxiv="math/0309136"),
    ],
    "arxiv-listing.xml": [
        Want(
            10,
            title="Counting otters by ear",
            names="Ann van der Meer; \\'Elise d'Or; Tide and Mud Survey Group",
            date="2031-05-02",
            arxiv="9912.12340v1",
            text="We count otters by their calls, with $p<q$, in three fjords.",
        ),
        Want(
            22,
            title="Mud & tides at R&D labs",
            names="Sam Okoro",
            arxiv="3105.00200v3",
            doi="10.5555/Mud.2031.8",
            venue="J. Mud Res. 8, 1 (2031)",
            text="Mud is weighed wet here.",
        ),
        Want(
            37,
            title="Sur les lacs",
            names="Élise d'Or; Ken Ito",
            arxiv="math/0309136v1",
            text="Nous comptons les lacs, H₂O.",
        ),
    ],
    "pubmed.xml": [
        Want(
            4,
            title="CO₂ over Zostera meadows when p < q",
            names=(
                "Ann van der Meer = Meer, Ann van der; Sam Okoro Jr = Okoro, Sam Jr; "
                "Tide and Mud Survey Group"
            ),
            et_al=True,
            date="2031-05-04",
            doi=SICI,
            venue="Journal of mud research",
            url="https://pubmed.ncbi.nlm.nih.gov/99000001/",
            language="en",
            keywords="eelgrass | CO₂ flux",
            text=(
                "BACKGROUND: Eelgrass gives off gas. METHODS: We measured it at 10⁻⁶ and p < 0.05."
            ),
        ),
        Want(
            30,
            title="Counting otters by ear",
            names="M Sørli = Sørli, M",
            date="2031-05",
            doi="10.5555/Otter.2031",
            venue="Seen",
            url="https://pubmed.ncbi.nlm.nih.gov/99000002/",
            language="de",
        ),
    ],
    "pubmed.nbib": [
        Want(
            3,
            title=(
                "Low-cost meters for meadows: a comparison over two summers of "
                "eelgrass in nine fjords"
            ),
            names=(
                "Ann van der Meer = Meer, Ann van der; Sam Okoro Jr = Okoro, Sam Jr; "
                "Tide and Mud Survey Group"
            ),
            date="2031-05-04",
            doi="10.5555/Mud.2031.7",
            venue="Journal of mud research",
            url="https://pubmed.ncbi.nlm.nih.gov/99000001/",
            language="en",
            keywords="Eelgrass | low-cost meters",
            text=(
                "BACKGROUND: Eelgrass gives off gas. METHODS: We measured it with low-cost meters."
            ),
        ),
        Want(
            25,
            title="Counting otters by ear",
            names="M Sorli = Sorli, M",
            date="2031",
            doi="10.5555/Otter.2031",
            url="https://pubmed.ncbi.nlm.nih.gov/99000002/",
            language="de",
        ),
    ],
    "export.ris": [
        Want(
            2,
            title="A CO₂-aware meter",
            names=(
                "Ann van der Meer = Meer, Ann van der; Sam Okoro Jr. = Okoro, Sam Jr.; "
                "Tide and Mud Survey Group; 伊藤健 = 伊藤, 健"
            ),
            date="2031-05-04",
            doi=SICI,
            venue="Journal of Mud Research",
            url="https://mud.example/articles/7",
            language="en",
            links="paper https://mud.example/articles/7.pdf",
            keywords="Models, Statistical | mud & tides",
            text=(
                "We measure the gas that eelgrass gives off, in nine meadows. Results "
                "follow in a second paragraph."
            ),
        ),
        Want(
            29,
            title="Counting otters by ear",
            names="M. Sørli = Sørli, M.",
            et_al=True,
            date="2031",
            arxiv="9912.12340v2",
        ),
        Want(36, title="Lakes at night", venue="Lakes at night"),
    ],
    "openalex.json": [
        Want(
            4,
            title="A CO₂-aware meter & its use",
            names="Ann van der Meer; Mira Sørli = Sørli, Mira",
            et_al=True,
            date="2031-05-04",
            arxiv="3105.00123",
            doi="10.5555/mud.2031.7",
            venue="Journal of Mud Research",
            url="https://mud.example/articles/7",
            language="en",
            links="paper https://mud.example/articles/7.pdf",
            keywords="Mud",
            text="We measure the gas over the meadows.",
        ),
        Want(22, title="Counting otters by ear", date="2031"),
    ],
    "crossref.json": [
        Want(
            7,
            title="A CO₂-aware meter & its use: Nine meadows",
            names=(
                "Ann van der Meer = Meer, Ann van der; Sam Okoro Jr. = Okoro, Sam Jr.; "
                "Tide and Mud Survey Group"
            ),
            date="2031-05",
            arxiv="3105.00123",
            doi=SICI,
            venue="Journal of Mud Research",
            url="https://mud.example/articles/7",
            language="en",
            links="paper https://mud.example/articles/7.pdf",
            text="Methods: We measure at 10⁻⁶ when $p<q$.",
        ),
        Want(29, title=LAKE, names="伊藤健 = 伊藤, 健", date="2031", doi="10.5555/LAKE.1"),
    ],
    "semanticscholar.json": [
        Want(
            4,
            title="A CO2-aware meter when p < q",
            names="Ann van der Meer; M. Sørli",
            date="2031-05-04",
            arxiv="3105.00123",
            doi="10.5555/mud.2031.7",
            venue="Journal of Mud Research",
            url="https://www.semanticscholar.org/paper/0123456789abcdef0123456789abcdef01234567",
            links="paper https://mud.example/articles/7.pdf",
            text="We measure the gas over nine meadows.",
        ),
        Want(15, title="Counting otters by ear", date="2031"),
    ],
    "arxiv-snapshot.jsonl": [
        Want(
            1,
            title=r"Bounds on $\mathcal{O}(\sqrt{n})$ tags for kelp",
            names=(
                "Ann van der Meer = Meer, Ann van der; Elise d'Or = d'Or, Elise; Sam "
                "Okoro Jr = Okoro, Sam Jr"
            ),
            date="2031-05-05",
            arxiv="3105.00123v3",
            doi="10.5555/Mud.2031.7",
            venue="J. Mud Res. 7 (2031)",
            text="We bound the number of tags that follow $n$ otters through low-cost receivers.",
        ),
        Want(
            2,
            title="Sur les lacs",
            names="\\'Elise d'Or; Ken Ito; Bo Li",
            date="2003-09-08",
            arxiv="math/0309136",
            text="Nous comptons les lacs.",
        ),
        Want(
            4,
            title="Counting otters by ear",
            names="Ann van der Meer; Øydis Kvæle",
            date="2031-05-08",
            arxiv="3105.00125",
            text="We count otters by their calls.",
        ),
    ],
    "library.csv": [
        Want(
            2,
            title="A meter; its use",
            names="Ann van der Meer = Meer, Ann van der; Sam Okoro = Okoro, Sam",
            date="2031-05-04",
            doi="10.5555/mud.2031.7",
            venue="Journal of Mud Research",
            url="https://mud.example/articles/7",
            language="en",
            keywords="Eelgrass | mud, wet",
            text='We measure the gas over "nine" meadows.',
        ),
        Want(
            4,
            title="=Counting otters",
            names="Ann Meer; Ken Ito; Bo Li",
            date="2031",
            arxiv="9912.12340",
        ),
        Want(6, title=LAKE, names="伊藤健", arxiv="2310.12340"),
        Want(8, title="Too many", names="M. Sørli = Sørli, M."),
    ],
    "table.tsv": [
        Want(
            2,
            title='The "five-inch" meter 5"',
            names="A. Meer = Meer, A.; K. Ito = Ito, K.",
            date="2031-05",
            links="paper https://mud.example/5.pdf",
            text='We measure 5" of mud.',
        ),
        Want(
            3, title='"Otters" by ear', names="Sørli", et_al=True, date="2031", text="We hear them."
        ),
    ],
    "note.md": [
        Want(
            1,
            title="no",
            names="Ann van der Meer; Sam Okoro = Okoro, Sam",
            date="2031-05",
            arxiv="2310.12340",
            doi="10.5555/mud.2031.7",
            venue="12:30:00",
            url="https://mud.example/articles/7",
            language="nb",
            links="code https://github.com/lab/kelp-tags",
            keywords="no | 1e5 | eelgrass",
            text="We measure the gas over nine meadows.",
        ),
    ],
    "papers.json": [
        Want(
            2,
            title="",
            names="Ann Meer",
            date="2031-05",
            arxiv="2310.12340",
            links="code https://github.com/lab/otters",
            keywords="otters, counted | C++",
            text="We count $n$ otters.",
        ),
        Want(
            3,
            title="Lakes at night",
            names="Mira Sørli = Sørli, Mira; Ken Ito",
            date="2031",
            doi="10.5555/Lake.1",
            venue="Seen",
            url="https://lakes.example/1",
            language="no",
        ),
    ],
}

REPORTED = {
    "references.bib": [
        "19 source-malformed",
        "37 source-macro",
        "42 source-key-twice",
        "42 source-date",
        "49 source-mended",
        "57 source-not-paper",
        "62 source-record-empty",
    ],
    "arxiv-page.xml": ["38 source-record-empty"],
    "huggingface.json": [
        "2 source-control",
        "22 source-malformed",
        "26 source-link",
        "32 source-record-unknown",
        "33 source-record-empty",
    ],
    "csl.json": [
        "31 source-identifier",
        "31 source-date",
        "37 source-record-empty",
        "38 source-record-unknown",
    ],
    "arxiv-listing.xml": [
        "23 source-mended",
        "33 source-malformed",
    ],
    "pubmed.xml": [
        "43 source-record-empty",
    ],
    "pubmed.nbib": [
        "1 source-leftover",
        "32 source-record-empty",
    ],
    "export.ris": [
        "25 source-leftover",
        "29 source-mended",
        "36 source-date",
        "41 source-record-empty",
    ],
    "openalex.json": [
        "19 source-record-empty",
    ],
    "crossref.json": [
        "26 source-record-empty",
    ],
    "semanticscholar.json": [
        "19 source-record-empty",
        "20 source-malformed",
    ],
    "arxiv-snapshot.jsonl": [
        "3 source-malformed",
        "6 source-record-empty",
    ],
    "library.csv": [
        "6 source-date",
        "7 source-record-empty",
        "8 source-mended",
    ],
    "table.tsv": [
        "3 source-date",
    ],
    "note.md": [],
    "papers.json": [
        "4 source-record-unknown",
    ],
}
DROPPED = {
    "source-malformed",
    "source-not-paper",
    "source-record-empty",
    "source-record-unknown",
}


def read_sample(
    root: Path, name: str
) -> tuple[tuple[Abstract, ...], tuple[Problem, ...], SourceCount]:
    (root / "seeds").mkdir()
    shutil.copy(SAMPLES / name, root / "seeds" / name)
    abstracts, problems, (count,) = read_sources(root, [SourceSpec(pattern="seeds/*")])
    return abstracts, problems, count


def shown(abstract: Abstract, text: str) -> Want:
    """Return a record in the form of what is wanted, its abstract cut as there."""
    meta = abstract.metadata
    names = [
        f"{author.name} = {author.family}, {author.given}" if author.family else author.name
        for author in meta.authors
    ]
    return Want(
        line=abstract.place.line,
        title=meta.title,
        names="; ".join(names),
        et_al=meta.et_al,
        date=meta.date,
        arxiv=f"{meta.arxiv}v{meta.version}" if meta.version else meta.arxiv,
        doi=meta.doi,
        venue=meta.venue,
        url=meta.url,
        language=meta.language,
        links=" ".join(f"{link.kind} {link.url}" for link in meta.links),
        keywords=" | ".join(meta.keywords),
        text=abstract.text[: len(text)] if text else abstract.text,
    )


def test_every_sample_is_looked_at() -> None:
    names = {path.name for path in SAMPLES.iterdir()}
    assert names == set(WANTED) == set(REPORTED)


@pytest.mark.parametrize("name", WANTED)
def test_a_sample_comes_to_what_it_says(tmp_path: Path, name: str) -> None:
    abstracts, _, _ = read_sample(tmp_path, name)
    assert len(abstracts) == len(WANTED[name])
    for abstract, want in zip(abstracts, WANTED[name], strict=True):
        assert shown(abstract, want.text) == want
    assert [abstract.place.position for abstract in abstracts] == [*range(1, len(abstracts) + 1)]


@pytest.mark.parametrize("name", WANTED)
def test_a_sample_loses_nothing_without_a_problem(tmp_path: Path, name: str) -> None:
    abstracts, problems, count = read_sample(tmp_path, name)
    assert [f"{problem.location.line} {problem.code}" for problem in problems] == REPORTED[name]
    assert all(problem.severity != Severity.ERROR for problem in problems)
    assert count.kept == len(abstracts)
    assert count.reported == sum(problem.code in DROPPED for problem in problems)
    assert count.read == count.kept + count.reported
