"""The public bug reports on duplicates (D), from source files to pages."""

from __future__ import annotations

import json
import random
from pathlib import Path

from sitegen.records import Doubt

from .cases import Read, build, page, papers, project

VERSIONS = {
    "v1": "We count otters by the calls of their young. In three fjords the count is close to that "
    "of divers, at a tenth of the cost, and it works at night when divers see nothing at all.",
    "v3": "Listening stations replace divers. Sixty hydrophones, a small recurrent network and two "
    "winters of recordings give the number of animals in a fjord within five percent.",
}


def listing(*items: tuple[str, int, str, str]) -> str:
    """Return an arXiv listing of (identifier, version, kind, title)."""
    lines = [
        f"<item><title>{title}</title><link>https://arxiv.org/abs/{number}</link>"
        f"<description>arXiv:{number}v{version} Announce Type: {kind}\nAbstract: {title} is told "
        f"in version {version} of a paper about fjords.</description>"
        f'<guid isPermaLink="false">oai:arXiv.org:{number}v{version}</guid>'
        f"<arxiv:announce_type>{kind}</arxiv:announce_type><dc:creator>Ann Meer</dc:creator></item>"
        for number, version, kind, title in items
    ]
    return (
        '<?xml version="1.0"?><rss version="2.0" xmlns:arxiv="http://arxiv.org/schemas/atom" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>l</title>'
        f"{''.join(lines)}</channel></rss>"
    )


def titled(key: str, title: str, *, more: str = "", author: str = "Meer, Ann and Ito, Ken") -> str:
    return f"@article{{{key}, title={{{title}}}, author={{{author}}}, {more}}}\n"


def test_d1_versions_of_a_preprint_are_one_page_with_the_newest_text(tmp_path: Path) -> None:
    project(
        tmp_path,
        a__csv=f"title,abstract,arxiv\nCounting otters,{json.dumps(VERSIONS['v1'])},9912.12340v1\n",
    )
    (before,) = Read(tmp_path).papers
    project(
        tmp_path,
        b__bib="@misc{k, title={Otters by ear}, eprint={arXiv:9912.12340}, author={Ito, K}}",
        c__json=json.dumps(
            [{"type": "article", "title": "Otters by ear", "abstract": VERSIONS["v3"],
              "URL": "https://arxiv.org/abs/9912.12340v3"}]
        ),
    )  # fmt: skip
    build(tmp_path)
    (after,) = papers(tmp_path)
    assert after["id"] == before.id
    assert after["arxiv"] == "9912.12340"
    assert (after["title"], after["abstract"]) == ("Otters by ear", VERSIONS["v3"])
    assert [merged["abstract_source"] for merged in after["merged"]] == [VERSIONS["v1"]]
    assert [place["file"] for place in after["sources"]] == [
        "seeds/a.csv", "seeds/b.bib", "seeds/c.json",
    ]  # fmt: skip
    html = page(tmp_path, after)
    assert "version 1, same arXiv identifier" in html
    assert "version 3" in html
    assert "12340v" not in html


def test_d1_a_new_version_keeps_the_page_when_it_replaces_the_old_one(tmp_path: Path) -> None:
    entry = "@misc{{k, title={{{title}}}, eprint={{9912.12340v{version}}}, abstract={{{text}}}}}"
    first = Read(
        project(tmp_path, a__bib=entry.format(title="Old", version=1, text=VERSIONS["v1"]))
    )
    project(tmp_path, a__bib=entry.format(title="New", version=3, text=VERSIONS["v3"]))
    second = Read(tmp_path, first.registry)
    assert [paper.id for paper in second.papers] == [paper.id for paper in first.papers]


def test_a_paper_without_abstract_keeps_its_page_when_it_gets_one(tmp_path: Path) -> None:
    bare = titled("k", "Counting otters by ear")
    full = titled("k", "Counting otters by ear", more=f"abstract={{{VERSIONS['v1']}}}")
    one = Read(project(tmp_path, a__bib=bare))
    two = Read(project(tmp_path, a__bib=full), one.registry)
    three = Read(project(tmp_path, a__bib=bare), two.registry)
    assert one.papers[0].id == two.papers[0].id == three.papers[0].id


def doubts_of(read: Read) -> list[tuple[str, tuple[str, ...]]]:
    def told(doubt: Doubt) -> tuple[str, tuple[str, ...]]:
        return doubt.kind, doubt.evidence

    return [told(doubt) for doubt in read.grouping.doubts]


def test_d2_a_preprint_and_its_article_are_proposed_as_one(tmp_path: Path) -> None:
    text = titled("a", "Counting otters by ear", more="doi={10.48550/arXiv.9912.12340}")
    text += titled("b", "Counting otters by ear at night", more="doi={10.5555/Otter.7}")
    read = Read(project(tmp_path, a__bib=text))
    assert len(read.papers) == 2
    assert doubts_of(read) == [
        ("title", ("Counting otters by ear", "Counting otters by ear at night"))
    ]
    assert 0.75 <= read.grouping.doubts[0].score < 1
    one, two = (group.main for group in read.grouping.groups)
    for answer, count in (("same", 1), ("different", 2)):
        decide(tmp_path, one.abstract, two.abstract, answer)
        again = Read(tmp_path, read.registry)
        assert (len(again.papers), doubts_of(again)) == (count, [])


def decide(root: Path, one: object, two: object, answer: str) -> None:
    from sitegen.records import Abstract
    from sitegen.shingles import fingerprint, known_by

    assert isinstance(one, Abstract)
    assert isinstance(two, Abstract)
    path = root / "content/decisions.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        f'[[pair]]\nleft = "{fingerprint(known_by(one))}"\nright = "{fingerprint(known_by(two))}"\n'
        f'answer = "{answer}"\n'
    )


def test_d2_equal_titles_and_dois_that_differ_are_for_the_curator(tmp_path: Path) -> None:
    title = "Counting otters by ear at night"
    text = titled("a", title, more="doi={10.5555/Otter.6}")
    text += titled("b", title, more="doi={10.5555/Otter.7}")
    read = Read(project(tmp_path, a__bib=text))
    assert (len(read.papers), doubts_of(read)) == (2, [("title", (title,))])


def test_title_and_authors_join_records_without_identifiers(tmp_path: Path) -> None:
    title = "Counting otters by ear at night"
    project(
        tmp_path,
        a__bib=titled("a", "{C}ounting {O}tters by Ear at Night", more="year=2031"),
        b__ris=f"TY  - JOUR\nTI  - {title}.\nAU  - Meer, A.\nAU  - Ito, K.\nPY  - 2032\n"
        f"AB  - {VERSIONS['v1']}\nDO  - 10.5555/Otter.7\nER  - \n",
        c__csv=f"title,authors\n{title},Bo Li; Cy Xu\n",
    )
    read = Read(project(tmp_path))
    joined, other = sorted(read.papers, key=lambda paper: -len(paper.places))
    assert [place.file for place in joined.places] == ["seeds/a.bib", "seeds/b.ris"]
    assert joined.source_text == VERSIONS["v1"]
    assert [copy.kind for group in read.grouping.groups for copy in group.copies] == ["title"]
    assert [place.file for place in other.places] == ["seeds/c.csv"]
    assert doubts_of(read) == []


def test_d3_short_titles_empty_texts_and_other_people_never_join(tmp_path: Path) -> None:
    text = titled("a", "Errata", author="Meer, Ann") + titled("b", "Errata", author="Ito, Ken")
    text += titled("c", "Preface", author="Meer, Ann") + titled("d", "Preface", author="Meer, Ann")
    long = "An account of all the otters of the northern fjords"
    text += titled("e", long, author="Meer, Ann") + titled("f", long, author="Meer, Bo")
    text += titled("g", long, author="Ito, Ken") + titled(
        "h", long.replace("all", "the"), author="Xu"
    )
    text += titled("i", "Survey of the kelp of the fjords 2030", author="Li, Bo")
    text += titled("j", "Survey of the kelp of the fjords 2031", author="Li, Bo")
    read = Read(project(tmp_path, a__bib=text))
    assert len(read.papers) == 10
    assert read.grouping.doubts == ()


def test_d3_years_apart_and_unlike_abstracts_are_for_the_curator(tmp_path: Path) -> None:
    title = "An account of all the otters of the northern fjords"
    long = {name: f"{text} {text[::-1]}" for name, text in VERSIONS.items()}
    text = titled("a", title, more="year=2011") + titled("b", title, more="year=2031")
    read = Read(project(tmp_path / "years", a__bib=text))
    assert (len(read.papers), [kind for kind, _ in doubts_of(read)]) == (2, ["title"])
    text = titled("a", title, more=f"abstract={{{long['v1']}}}")
    text += titled("b", title, more=f"abstract={{{long['v3']}}}")
    read = Read(project(tmp_path / "texts", a__bib=text))
    assert (len(read.papers), [kind for kind, _ in doubts_of(read)]) == (2, ["title"])


def test_d3_the_order_of_the_records_changes_nothing(tmp_path: Path) -> None:
    names = ["Meer, Ann", "Meer, A.", "Ito, Ken", "Meer, Ann and Ito, Ken"] * 6
    entries = [
        titled(
            f"k{at}",
            f"Counting the otters of fjord {'and fjord ' * (at % 3)}by ear",
            author=name,
            more=f"year={2030 + at % 2}",
        )
        for at, name in enumerate(names)
    ]
    found = []
    for seed in range(4):
        random.Random(seed).shuffle(entries)
        read = Read(project(tmp_path / str(seed), a__bib="".join(entries)))
        groups = [
            [group.main, *(copy.restored for copy in group.copies)]
            for group in read.grouping.groups
        ]
        found.append(
            sorted(sorted(str(one.abstract.metadata) for one in group) for group in groups)
        )
    assert found.count(found[0]) == 4


def test_d4_a_replacement_updates_in_place_and_only_new_papers_are_new(tmp_path: Path) -> None:
    project(
        tmp_path,
        **{
            "2031-05-01__xml": listing(
                ("3105.00001", 1, "new", "Otters"), ("3105.00002", 1, "new", "Kelp"),
                ("3105.00003", 1, "new", "Mud"),
            )
        },
    )  # fmt: skip
    before = {paper.metadata.arxiv: paper.id for paper in Read(tmp_path).papers}
    project(
        tmp_path,
        **{
            "2031-05-02__xml": listing(
                ("3105.00001", 2, "replace", "Otters again"), ("3105.00002", 1, "cross", "Kelp"),
                ("3105.00003", 2, "replace-cross", "Mud"), ("3105.00004", 1, "new", "Tides"),
            )
        },
    )  # fmt: skip
    build(tmp_path)
    after = {paper["arxiv"]: paper for paper in papers(tmp_path)}
    assert {number: after[number]["id"] for number in before} == before
    assert after["3105.00001"]["title"] == "Otters again"
    assert "version 2 of" in after["3105.00001"]["abstract"]
    editions = json.loads((tmp_path / "public/data/editions.json").read_text())
    (second,) = [edition for edition in editions if edition["slug"] == "2031-05-02"]
    new = set(second["papers"]) - set(second["seen_before"])
    assert new == {after["3105.00004"]["id"]}
