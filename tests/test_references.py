"""True titles from references: found by the text, kept in content/, used by every later build."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import random
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen import references, snapshot
from sitegen.attribution import Candidate, attribute
from sitegen.build import build_site
from sitegen.config import parse_config
from sitegen.diagnostics import Location, SitegenError
from sitegen.digest import BuildOptions
from sitegen.enrich import Enrichment, enrich, mend, read_record
from sitegen.matching import Finder, Likeness, Sieve, Wanted, compare
from sitegen.progress import Progress
from sitegen.records import Abstract, Author, Metadata, Paper, Place, Prose
from sitegen.references import Reference, References
from sitegen.repair import restore
from sitegen.shingles import fingerprint, words
from sitegen.snapshot import is_stream, scan

from .conftest import run_sitegen

WHISTLES = (
    "River otters call each other over long distances, yet nobody has told their voices apart. We\n"
    "present OtterNet, a network that names the caller from $0.4$ seconds of sound. It is trained\n"
    "on forty hours from three fjords and reaches an error of $\\epsilon = 3\\%$, which is\n"
    "$2.5\\times$ lower than what two trained listeners achieve. Voices stay recognisable for\n"
    "$\\ell_2$ distances of up to six years, and pups inherit the timbre of their mothers. Code:\n"
    "\\url{https://example.org/otternet}"
)
WHISTLES_DUMPED = (
    "River otters call each other over long distances, yet nobody has told their voices apart. We "
    "present OtterNet, a network that names the caller from 0.4 seconds of sound. It is trained "
    "on forty hours from three fjords and reaches an error of epsilon = 3%, which is "
    "2.5times lower than what two trained listeners achieve. Voices stay recognisable for "
    "ell_2 distances of up to six years, and pups inherit the timbre of their mothers. Code: "
    "https://example.org/otternet"
)
# The same authors a year later: they open alike and describe the same recordings.
WHISTLES_AGAIN = (
    "River otters call each other over long distances, yet nobody has told their voices apart. "
    "Building on OtterNet, which is trained on forty hours from three fjords, we ask what the "
    "calls mean. Playback of 640 whistles to captive families shows four answers: approach, dive, "
    "silence and a whistle of their own. Mothers answer strange pups as often as theirs, fathers "
    "never do, and a grammar of two rules predicts the order of calls better than chance."
)
KELP = (
    "Kelp forests shrink where urchins graze without predators. This paper follows eleven reefs "
    "over twenty years of diving surveys and asks how quickly a forest returns once sea otters "
    "do. Recovery takes six years on sheltered reefs and twice that on exposed ones; the first "
    "plants to come back are short-lived and hold no fish. We conclude that restored reefs "
    "should be judged by their age, not by their cover, and give a table of ages for planners."
)
MUD = (
    "The weight of lake mud is hard to measure without drying it. We propose a sampler that "
    "weighs mud under water and corrects for its pores by sending sound through the core. On "
    "sixty cores from four lakes the error stays below two percent, less than drying and "
    "weighing by hand gives, and a core takes eleven minutes instead of two days. Plans of the "
    "sampler, its firmware and all readings are open."
)
FILLERS = (
    "Bread rises faster in copper tins than in iron ones, and bakers disagree about the reason.",
    "A chess clock that slows down with the player's pulse makes for calmer and longer games.",
    "We list all tram lines that were closed twice, with the year and the excuse of each closing.",
    "Snow that falls on tin roofs slides at a pitch which depends on the paint, not on the tin.",
    "Two hundred letters to a lighthouse keeper are dated by the tides that they complain of.",
    "How a choir tunes itself without a piano is followed with nine microphones over one winter.",
    "Paper made of nettles yellows in eleven years; we show how to slow this down with chalk.",
)


def record(number: int, title: str, abstract: str, **more: Any) -> dict[str, Any]:
    """Return a record as the arXiv's snapshot has it."""
    return {
        "id": f"3105.{number:05}",
        "submitter": "A. Meer",
        "authors": 'Ann van der Meer, J\\"org Okoro',
        "title": title,
        "comments": "9 pages",
        "journal-ref": None,
        "doi": None,
        "categories": "q-bio.PE",
        "abstract": f"  {abstract}\n",
        "versions": [{"version": "v1", "created": f"Thu, {number % 27 + 1} May 2031 08:00:00 GMT"}],
        "update_date": "2032-01-01",
        "authors_parsed": [["van der Meer", "Ann", ""], ["Okoro", 'J\\"org', ""]],
        **more,
    }


TITLE = "OtterNet: Telling River\n  Otters Apart by $0.4$ Seconds"
RECORDS = (
    *(record(number, f"On matter {number}", text) for number, text in enumerate(FILLERS)),
    record(40, "What Otters Say to Each Other", WHISTLES_AGAIN),
    record(41, TITLE, WHISTLES, doi="10.5555/otter.41", **{"journal-ref": "Otter Letters 7"}),
    record(42, "Reefs have ages", KELP),
    record(43, "Weighing mud", MUD.upper()),
)


def jsonl(*records: dict[str, Any] | str) -> bytes:
    lines = (one if isinstance(one, str) else json.dumps(one) for one in records)
    return "".join(f"{line}\n" for line in lines).encode()


def want(text: str, **known: str) -> Wanted:
    return Wanted(text=text, tokens=" ".join(words(mend(text))), **known)


def search(path: Path, *texts: str, jobs: int = 1) -> snapshot.Scan:
    return scan(
        path,
        [want(text) for text in texts],
        mend=mend,
        read_record=read_record,
        jobs=jobs,
        advance=lambda done, total: None,
    )


def matches(result: snapshot.Scan) -> list[tuple[int, str]]:
    return [(hit.wanted, hit.metadata.arxiv) for hit in result.hits if hit.likeness.same]


@pytest.fixture
def digest(tmp_path: Path) -> Path:
    """A digest of two abstracts without title."""
    (tmp_path / "seeds").mkdir()
    text = f"Daily Papers\n\n{WHISTLES_DUMPED}\n\n{KELP}\n"
    (tmp_path / "seeds" / "may.txt").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def reference(tmp_path: Path) -> Path:
    path = tmp_path / "snapshot.jsonl"
    path.write_bytes(jsonl(*RECORDS))
    return path


def run(root: Path, *files: Path) -> Enrichment:
    return enrich(BuildOptions(root=root, frozen=True, search=False), files, Progress())


def built(root: Path) -> dict[str, dict[str, Any]]:
    """Build, and return the papers by the first word of their abstracts."""
    build_site(BuildOptions(root=root, search=False), Progress())
    lines = (root / "public/data/papers.jsonl").read_text("utf-8").splitlines()
    papers = [json.loads(line) for line in lines]
    return {paper["abstract"].split()[0]: paper for paper in papers}


# ---- the whole ----------------------------------------------------------------------------------
def test_a_paper_gets_its_true_title_and_keeps_its_address(digest: Path, reference: Path) -> None:
    before = built(digest)["River"]
    assert before["title_source"] == "derived"
    assert before["arxiv"] is None

    result = run(digest, reference)
    assert {one.metadata.arxiv for one in result.found} == {"3105.00041", "3105.00042"}
    assert (result.wanted, result.records, result.changed) == (2, 11, True)
    reference.unlink()  # a build needs it no more

    after = built(digest)["River"]
    assert after["title"] == "OtterNet: Telling River Otters Apart by 0.4 Seconds"
    assert after["title_source"] == "source"
    assert after["authors"] == ["Ann van der Meer", "Jörg Okoro"]
    assert (after["date"], after["arxiv"], after["doi"]) == (
        "2031-05-15", "3105.00041", "10.5555/otter.41",
    )  # fmt: skip
    assert (after["id"], after["url"]) == (before["id"], before["url"])
    assert after["abstract"] == before["abstract"]
    page = (digest / "public/papers" / after["id"] / "index.html").read_text("utf-8")
    assert f'"alternativeHeadline":"{before["title"]}"' in page
    assert "Completed from snapshot.jsonl" in page


def test_what_was_found_is_written_sorted_and_never_twice(digest: Path, reference: Path) -> None:
    run(digest, reference)
    path = digest / references.REFERENCES
    first = path.read_bytes()
    lines = [json.loads(line) for line in first.splitlines()]
    assert lines[0] == {"kind": "references", "format": 1, "read": ["snapshot.jsonl"]}
    assert [line["paper"] for line in lines[1:]] == sorted(line["paper"] for line in lines[1:])
    assert all(line["headline"] for line in lines[1:])

    again = run(digest, reference)
    assert not again.changed
    assert path.read_bytes() == first


def test_a_reference_with_less_takes_nothing_away(digest: Path, reference: Path) -> None:
    run(digest, reference)
    first = references.load(digest / references.REFERENCES)[0]
    reference.write_bytes(jsonl(*RECORDS[:3]))
    run(digest, reference)
    assert references.load(digest / references.REFERENCES)[0] == first


def test_an_edited_text_keeps_its_title_by_the_id(digest: Path, reference: Path) -> None:
    built(digest)
    run(digest, reference)
    seeds = digest / "seeds/may.txt"
    seeds.write_text(seeds.read_text("utf-8").replace("voices apart", "voyces apart"), "utf-8")
    paper = built(digest)["River"]
    assert paper["title_source"] == "source"
    assert paper["authors"] == ["Ann van der Meer", "Jörg Okoro"]
    assert paper["arxiv"] == "3105.00041"


def test_a_new_id_keeps_its_title_by_the_text(digest: Path, reference: Path) -> None:
    run(digest, reference)
    path = digest / references.REFERENCES
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    path.write_bytes(jsonl(*(line | {"paper": "00000000"} for line in lines[:1]), *lines[1:]))
    assert built(digest)["River"]["title_source"] == "source"


def test_the_curators_arxiv_id_finds_what_the_text_does_not(digest: Path, tmp_path: Path) -> None:
    paper = built(digest)["Kelp"]["id"]
    (digest / "content/papers").mkdir(parents=True)
    (digest / f"content/papers/{paper}.md").write_text("---\narxiv: 3105.00077\n---\n", "utf-8")
    path = tmp_path / "snapshot.jsonl"
    path.write_bytes(jsonl(record(77, "Reefs, rewritten", "An entirely other text. " * 9)))
    (found,) = run(digest, path).found
    assert (found.paper, found.metadata.title) == (paper, "Reefs, rewritten")


def test_the_curator_goes_before_the_reference(digest: Path, reference: Path) -> None:
    paper = built(digest)["River"]["id"]
    run(digest, reference)
    (digest / "content/papers").mkdir()
    ours = "---\ntitle: Our own words\ndate: 2030-01-02\n---\n"
    (digest / f"content/papers/{paper}.md").write_text(ours, "utf-8")
    shown = built(digest)["River"]
    assert (shown["title"], shown["title_source"]) == ("Our own words", "curated")
    assert (shown["date"], shown["arxiv"]) == ("2030-01-02", "3105.00041")


def test_settings_name_references_and_the_build_says_when_one_is_unread(
    digest: Path, reference: Path
) -> None:
    (digest / "content").mkdir()
    settings = '[[source]]\npath = "seeds/*"\n\n[[reference]]\npath = "snap*.jsonl"\n'
    (digest / "content/site.toml").write_text(settings, "utf-8")
    options = BuildOptions(root=digest, search=False)
    codes = [problem.code for problem in build_site(options, Progress()).problems]
    assert "reference-unread" in codes
    assert len(run(digest).found) == 2
    codes = [problem.code for problem in build_site(options, Progress()).problems]
    assert "reference-unread" not in codes


def test_without_any_reference_the_hint_says_how(digest: Path) -> None:
    (problem,) = run(digest).problems
    assert problem.code == "reference-missing"
    assert "[[reference]]" in problem.hint


def test_a_broken_file_of_findings_is_not_overwritten(digest: Path, reference: Path) -> None:
    path = digest / references.REFERENCES
    path.parent.mkdir()
    path.write_bytes(b'{"kind":"references","format":1}\n{"paper":"0123\n')
    with pytest.raises(SitegenError) as caught:
        run(digest, reference)
    assert [(p.code, p.location.line) for p in caught.value.problems] == [("references-syntax", 2)]
    report = build_site(BuildOptions(root=digest, search=False), Progress())
    assert "references-syntax" in [problem.code for problem in report.problems]
    assert not (digest / "public").exists()


@pytest.mark.parametrize("form", ["bib", "json"])
def test_other_formats_complete_papers_too(digest: Path, form: str) -> None:
    path = digest / f"library.{form}"
    if form == "bib":
        path.write_text(
            "@article{meer, author={van der Meer, Ann and Okoro, J{\\\"o}rg}, year=2031,\n"
            f"  title={{Reefs have {{Ages}}}}, doi={{10.5555/reef}}, abstract={{{KELP}}}}}\n"
            "@misc{bare, title={Nothing but a title}}\n",
            "utf-8",
        )  # fmt: skip
    else:
        item = {
            "id": "meer", "type": "article-journal", "title": "Reefs have Ages", "abstract": KELP,
            "author": [{"family": "van der Meer", "given": "Ann"}], "DOI": "10.5555/reef",
            "issued": {"date-parts": [[2031]]},
        }  # fmt: skip
        path.write_text(json.dumps([item]), "utf-8")
    (found,) = run(digest, path).found
    assert found.metadata.title.replace("{", "").replace("}", "") == "Reefs have Ages"
    assert (found.metadata.doi, found.metadata.date) == ("10.5555/reef", "2031")
    assert found.metadata.authors[0].family == "Meer"
    assert built(digest)["Kelp"]["title"] == "Reefs have Ages"


def test_the_guide_shows_how_a_reference_is_named() -> None:
    guide = (Path(__file__).parent.parent / "docs/curating.md").read_text("utf-8")
    sample = guide.partition("```toml\n")[2].partition("```")[0]
    config, problems = parse_config(sample)
    assert problems == ()
    assert config.references == ("/data/arxiv-metadata-oai-snapshot.json",)
    assert "$ sitegen enrich " in guide


def test_the_command_prints_what_it_found(digest: Path, reference: Path) -> None:
    done = run_sitegen("enrich", "--jobs", "1", str(reference), cwd=digest)
    assert done.returncode == 0, done.stderr
    assert "Reefs have ages  [3105.00042]" in done.stdout
    assert "11 records: 2 of 2 papers found" in done.stdout
    done = run_sitegen("enrich", "--quiet", str(digest / "seeds/may.txt"), cwd=digest)
    assert done.returncode == 1
    assert "[reference-format]" in done.stderr


# ---- reading a reference ------------------------------------------------------------------------
def packed(data: bytes, form: str, path: Path) -> Path:
    if form == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            half = data.index(b"\n", len(data) // 2) + 1
            archive.writestr("a.json", data[:half])
            archive.writestr("b.json", data[half:].rstrip(b"\n"))
        return path
    pack: dict[str, Callable[[bytes], bytes]] = {
        "plain": bytes, "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress,
        "crlf": lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
        "list": lambda data: b"[\n" + data.rstrip(b"\n").replace(b"\n", b",\n") + b"\n]\n",
    }  # fmt: skip
    path.write_bytes(pack[form](data))
    return path


@pytest.mark.parametrize("form", ["plain", "gz", "bz2", "xz", "zip", "crlf", "list"])
def test_every_packing_gives_the_same(tmp_path: Path, form: str) -> None:
    path = packed(jsonl(*RECORDS), form, tmp_path / "any-name")
    assert is_stream(path)
    result = search(path, WHISTLES_DUMPED, KELP, MUD)
    assert matches(result) == [(0, "3105.00041"), (1, "3105.00042"), (2, "3105.00043")]
    assert (result.records, result.problems) == (11, ())


def test_a_broken_line_costs_only_itself(tmp_path: Path) -> None:
    cut = json.dumps(RECORDS[0])[:200]
    odd = ('["a list"]', '{"id": "9", "title": "No abstract"}', "\ud800", "[" * 3000)
    path = tmp_path / "snapshot.jsonl"
    lines = [cut, *odd[:2], "", *map(json.dumps, RECORDS)]
    path.write_bytes("\n".join(lines).encode() + b"\n\xff\xfe\n" + odd[3].encode())
    assert is_stream(path)
    result = search(path, KELP)
    assert matches(result) == [(0, "3105.00042")]
    assert [hit.line for hit in result.hits] == [14]
    assert [(p.location.line, p.code) for p in result.problems] == [
        (1, "reference-line"), (2, "reference-line"), (3, "reference-line"), (16, "reference-line"),
    ]  # fmt: skip


def test_broken_lines_are_counted_not_all_listed(tmp_path: Path) -> None:
    path = tmp_path / "snapshot.jsonl"
    path.write_bytes(jsonl(*["{"] * 250, *RECORDS))
    result = search(path, KELP)
    assert len(result.problems) == snapshot.MOST_ALIKE
    assert "150 more" in result.problems[-1].text
    assert matches(result) == [(0, "3105.00042")]


def test_a_download_that_broke_off_is_read_as_far_as_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "CHUNK", 4096)
    rng = random.Random(3)
    rest = [
        record(100 + at, "Noise", " ".join(f"{rng.getrandbits(40):x}" for _ in range(80)))
        for at in range(60)
    ]
    path = tmp_path / "snapshot.jsonl.gz"
    path.write_bytes(gzip.compress(jsonl(*RECORDS, *rest))[:-20_000])
    result = search(path, KELP)
    assert matches(result) == [(0, "3105.00042")]
    assert [problem.code for problem in result.problems] == ["reference-unreadable"]


def test_an_endless_line_is_passed_over_in_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "CHUNK", 1000)
    monkeypatch.setattr(snapshot, "LONGEST", 5000)
    path = tmp_path / "snapshot.jsonl"
    path.write_bytes(jsonl(RECORDS[0], '{"a": "' + "x" * 50_000, *RECORDS[1:]))
    result = search(path, KELP)
    assert matches(result) == [(0, "3105.00042")]
    assert [hit.line for hit in result.hits] == [11]
    assert [problem.location.line for problem in result.problems] == [2]


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04nothing", b"\x1f\x8bnothing", b"Daily Papers\n"])
def test_what_is_no_stream_is_told_from_what_cannot_be_read(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    if data[:1] in {b"P", b"\x1f"}:
        with pytest.raises(SitegenError, match="reference-unreadable"):
            is_stream(path)
    else:
        assert not is_stream(path)


def test_several_processes_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "_SMALL", 0)
    monkeypatch.setattr(snapshot, "CHUNK", 2000)
    path = tmp_path / "snapshot.jsonl"
    path.write_bytes(jsonl(RECORDS[0], "{", *RECORDS[1:]))
    alone, together = (search(path, WHISTLES_DUMPED, KELP, jobs=jobs) for jobs in (1, 2))
    assert together == alone
    assert len(matches(alone)) == 2


@given(st.lists(st.binary(max_size=30)), st.integers(1, 40))
def test_blocks_are_whole_lines_whatever_the_reads(lines: list[bytes], size: int) -> None:
    data = b"".join(line.replace(b"\n", b"") + b"\n" for line in lines)
    pieces: Iterator[bytes] = (data[at : at + size] for at in range(0, len(data), size))
    blocks = list(snapshot._whole_lines(pieces))
    assert b"".join(blocks) == data
    assert all(block.endswith(b"\n") for block in blocks)


# ---- matching -----------------------------------------------------------------------------------
def test_damage_is_mended_on_both_sides(reference: Path) -> None:
    (hit,) = [hit for hit in search(reference, WHISTLES_DUMPED).hits if hit.likeness.same]
    assert hit.likeness.shared > 0.95
    assert hit.metadata == Metadata(
        title=TITLE.replace("\n  ", " "),
        authors=(
            Author(name="Ann van der Meer", family="Meer", given="Ann van der"),
            Author(name='J\\"org Okoro', family="Okoro", given='J\\"org'),
        ),
        date="2031-05-15",
        arxiv="3105.00041",
        version=1,
        doi="10.5555/otter.41",
        venue="Otter Letters 7",
    )


def test_a_follow_up_is_not_the_paper(reference: Path) -> None:
    without = reference.with_name("without.jsonl")
    without.write_bytes(jsonl(*(one for one in RECORDS if one["title"] != TITLE)))
    result = search(without, WHISTLES_DUMPED)
    assert matches(result) == []


@pytest.mark.parametrize("share", [0.05, 0.15])
def test_edited_texts_are_found(reference: Path, share: float) -> None:
    rng = random.Random(1)
    text = KELP.split()
    for at in rng.sample(range(len(text)), round(share * len(text))):
        text[at] = "otherwise"
    assert matches(search(reference, " ".join(text))) == [(0, "3105.00042")]


def test_an_opening_alone_is_no_evidence(reference: Path) -> None:
    assert matches(search(reference, WHISTLES_DUMPED.partition(" We ")[0])) == []


def test_notices_and_nothing_match_nothing(tmp_path: Path) -> None:
    notice = "This paper has been withdrawn by the author."
    path = tmp_path / "snapshot.jsonl"
    path.write_bytes(jsonl(record(1, "Gone", notice), record(2, "Gone, too", notice)))
    assert search(path, notice, "", "?!").hits == ()


def test_texts_in_other_scripts_are_found() -> None:
    text = (
        "我们提出了一种新的方法，用于识别水獭的叫声。" * 2
        + "该方法在三个峡湾的录音上训练，误差低于百分之三。"
    )
    other = "湖泥的重量很难在不干燥的情况下测量。本文提出一种采样器，在水下称量泥浆并校正孔隙。" * 2
    finder = Finder([want(text), want(other)], mend)
    assert [(at, one.same) for at, one in finder.find(f" {text}\n", ())] == [(0, True)]


def test_the_sieve_lets_records_through_that_share_rare_runs() -> None:
    sieve = Sieve([WHISTLES_DUMPED, KELP, MUD])
    assert sieve.candidates(WHISTLES) == [0]
    assert sieve.candidates(MUD.upper()) == [2]
    assert [at for text in FILLERS for at in sieve.candidates(text)] == []
    assert Sieve([]).candidates(KELP) == []


def test_the_sieve_stays_small_for_many_texts() -> None:
    sieve = Sieve([KELP] * 400 + [MUD])
    assert len(sieve.candidates(KELP)) == 400
    assert sieve.candidates(MUD) == [400]


def test_a_record_that_is_but_a_part_of_our_text_is_not_it() -> None:
    both = f"{KELP} {MUD} {WHISTLES_AGAIN}"
    assert not compare(words(both), words(MUD)).same
    assert compare(words(MUD), words(both)).same  # a text that was cut off


# ---- choosing -----------------------------------------------------------------------------------
def candidate(paper: str, title: str, shared: float, line: int, **more: Any) -> Candidate:
    same = more.pop("same", True)
    likeness = Likeness(shared=shared, course=shared, cover=shared, same=same)
    metadata = Metadata(title=title, reference="file", **more)
    return Candidate(
        paper=paper, text=f"{paper}-text", likeness=likeness, metadata=metadata,
        place=Location("file", line),
    )  # fmt: skip


def test_two_equal_records_with_different_titles_decide_nothing() -> None:
    found, (problem,) = attribute([candidate("p", "One", 1.0, 1), candidate("p", "Two", 0.98, 2)])
    assert found == ()
    assert problem.code == "reference-ambiguous"


def test_of_two_records_with_one_title_each_fills_the_others_gaps() -> None:
    found, problems = attribute(
        [
            candidate("p", "A study", 0.9, 1, arxiv="3105.00001"),
            candidate("p", "A Study.", 0.9, 2, doi="10.5555/1"),
            candidate("p", "Its follow-up", 0.6, 3, venue="Elsewhere"),
        ]
    )
    assert problems == ()
    assert [one.metadata for one in found] == [
        Metadata(title="A study", arxiv="3105.00001", doi="10.5555/1", reference="file")
    ]


def test_a_record_belongs_to_the_paper_that_is_most_like_it() -> None:
    found, (problem,) = attribute(
        [candidate("later", "A study", 0.65, 1), candidate("first", "A study", 1.0, 1)]
    )
    assert [one.paper for one in found] == ["first"]
    assert problem.code == "reference-doubt"
    assert "later" in problem.text


def test_doubts_are_told_with_their_share() -> None:
    found, (problem,) = attribute([candidate("p", "Near", 0.41, 7, same=False)])
    assert found == ()
    assert "41 %" in problem.text
    assert problem.location == Location("file", 7)


# ---- the file -----------------------------------------------------------------------------------
def entry(paper: str = "0123abcd", **more: Any) -> Reference:
    text, shared = more.pop("text", f"{paper}-text"), more.pop("shared", 1.0)
    metadata = Metadata(**{"title": "A study", "reference": "file"} | more)
    return Reference(paper=paper, text=text, metadata=metadata, shared=shared)


people = st.builds(
    Author, name=st.text(min_size=1), family=st.text(max_size=5), given=st.text(max_size=5)
).map(lambda author: author if author.family else replace(author, given=""))
entries = st.builds(
    Reference,
    paper=st.text("0123abcd", min_size=1),
    text=st.text("0123abcd", min_size=1),
    shared=st.integers(1, 1000).map(lambda number: number / 1000),
    metadata=st.builds(
        Metadata, title=st.text(), authors=st.lists(people, max_size=3).map(tuple),
        et_al=st.booleans(), date=st.text(max_size=4), arxiv=st.text(max_size=4),
        doi=st.text(max_size=4), venue=st.text(max_size=4), reference=st.text(max_size=4),
        headline=st.text(max_size=4),
    ),
)  # fmt: skip


@given(st.lists(entries, max_size=4), st.lists(st.text(max_size=5), max_size=2))
def test_what_is_written_is_read_again(some: list[Reference], read: list[str]) -> None:
    whole = references.merge(References(), some, read)
    data = references.dump(whole)
    assert references.parse(data) == (whole, ())
    assert len(data.splitlines()) >= 1 + len(whole.entries)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"<<<<<<< HEAD", "references-conflict"),
        (b'{"paper": "p"', "references-syntax"),
        (b"\xff", "references-syntax"),
        (b"[" * 5000, "references-syntax"),
        (b"[]", "references-entry"),
        (b'{"paper": "p", "text": "t", "title": 7}', "references-entry"),
        (b'{"paper": "p", "text": "t", "authors": [["A", 1]]}', "references-entry"),
        (b'{"kind": "references", "format": 2}', "references-format"),
    ],
)
def test_lines_that_are_not_understood_are_errors(line: bytes, code: str) -> None:
    good = references.dump(References(entries=(entry(),)))
    found, problems = references.parse(good + line + b"\n")
    assert found.entries == (entry(),)
    assert [(problem.code, problem.location.line) for problem in problems] == [(code, 3)]


def test_a_surer_finding_replaces_and_keeps_the_first_headline() -> None:
    known = References(entries=(entry(shared=0.7, venue="Old place", headline="Derived"),))
    better = entry(shared=1.0, title="True title", headline="Derived anew")
    (one,) = references.merge(known, [better], ()).entries
    assert (one.metadata.title, one.metadata.venue) == ("True title", "Old place")
    assert one.metadata.headline == "Derived"
    (kept,) = references.merge(References(entries=(better,)), [entry(shared=0.7)], ()).entries
    assert kept.metadata.title == "True title"


def test_a_refused_finding_is_neither_used_nor_found_again() -> None:
    refused = replace(entry(text=fingerprint(KELP)), refused=True)
    known = references.parse(references.dump(References(entries=(refused,))))[0]
    assert known.entries == (refused,)
    place = Place(file="seeds/a.txt", position=1, line=1, edition="a")
    abstracts = (Abstract(place=place, text=KELP),)
    assert references.complete_abstracts(abstracts, known) == abstracts
    assert references.merge(known, [entry(text=fingerprint(KELP))], ()) == known
    other = entry(text=fingerprint(KELP), title="Another work")
    assert references.merge(known, [other], ()).entries == (other,)


def test_only_gaps_are_filled() -> None:
    known = Metadata(title="Ours", date="2031", authors=(Author(name="A"),))
    other = Metadata(
        title="Theirs", date="2031-05-01", authors=(Author(name="B"),), arxiv="3105.00001",
        reference="file", headline="Derived",
    )  # fmt: skip
    filled = references.fill(known, other)
    assert filled == replace(known, date="2031-05-01", arxiv="3105.00001", reference="file")
    assert references.fill(replace(known, date="2030"), other).date == "2030"
    assert references.fill(filled, other) == filled


def test_texts_that_are_no_evidence_are_completed_by_id_only() -> None:
    places = [Place(file="seeds/a.txt", position=at, line=at, edition="a") for at in (1, 2)]
    bare = [Abstract(place=place, text="") for place in places]
    known = References(entries=(entry("aaaaaaaa", text=fingerprint("")),))
    assert references.complete_abstracts(bare, known) == tuple(bare)


def test_completing_takes_texts_first_then_ids() -> None:
    place = Place(file="seeds/a.txt", position=1, line=1, edition="a")
    abstract = Abstract(place=place, text=KELP)
    known = References(entries=(entry("aaaaaaaa", text=fingerprint(KELP)), entry("bbbbbbbb")))
    (done,) = references.complete_abstracts([abstract], known)
    assert done.metadata.title == "A study"
    paper = Paper(
        id="bbbbbbbb", prose=Prose(text=MUD), source_text=MUD, title=None, metadata=Metadata(),
        links=(), places=(place,),
    )  # fmt: skip
    (completed,) = references.complete_papers([paper], known, restore)
    assert completed.title == Prose(text="A study")
    assert completed.metadata.reference == "file"
    other = replace(paper, id="cccccccc")
    assert references.complete_papers([other], known, restore) == (other,)
