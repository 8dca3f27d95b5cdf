"""Source files: every abstract is kept, or reported with its file and line."""

from __future__ import annotations

import os
import textwrap
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.config import SourceSpec
from sitegen.diagnostics import Problem, Severity
from sitegen.records import Abstract, SourceCount
from sitegen.sources import dailypapers, edition_slug, read_sources
from sitegen.sources.decode import decode

KELP = (
    "Kelp forests drift with the tide, and nobody has measured how far. We present KelpTrace, a "
    "low-cost tag that follows single fronds for a month. In three fjords it finds drifts of up "
    "to 14 km, which is twice what earlier models of the coast assumed, and it costs a tenth."
)
OTTER = (
    "Otters call to their young under water. This study records 4,200 calls in a state-of-the-art "
    "tank and asks which of them carry names. Mothers answer 87% of the calls of their own young "
    "and 3% of those of others, so we conclude that calls are individual; code is on our page."
)
MUD = (
    "Mud is hard to weigh. Earlier methods dry it first, which takes days. We weigh it wet, with "
    "a detection limit of two grams, by pushing a vibrating fork into the lake bed and listening "
    "to the tone. Across 31 lakes the error stays below 4%, at a fraction of the earlier effort."
)
ALL = [KELP, OTTER, MUD]


def read(
    root: Path, data: bytes | str, name: str = "seeds/000.txt"
) -> tuple[tuple[Abstract, ...], tuple[Problem, ...], SourceCount]:
    """Write one file and read it, newlines as given."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    abstracts, problems, counts = read_sources(root, [SourceSpec(pattern="seeds/*")])
    assert len(counts) == 1
    assert counts[0].read == counts[0].kept + counts[0].reported
    assert counts[0].kept == len(abstracts)
    return abstracts, problems, counts[0]


def texts(abstracts: tuple[Abstract, ...]) -> list[str]:
    return [abstract.text for abstract in abstracts]


def codes(problems: tuple[Problem, ...]) -> list[str]:
    return [problem.code for problem in problems]


def wrap(text: str, width: int = 79) -> str:
    return "\n".join(textwrap.wrap(text, width, break_on_hyphens=False, break_long_words=False))


# ---- variants of the format ---------------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Daily Papers\n\n" + "\n\n".join(ALL) + "\n", id="blank-lines"),
        pytest.param("Daily Papers\n" + "\n".join(ALL) + "\n", id="one-a-line"),
        pytest.param("Daily Papers\n\n" + "\n".join(ALL), id="one-a-line-after-blank"),
        pytest.param("Daily Papers\n" + "\n \t\n".join(ALL), id="white-lines"),
        pytest.param("Daily Papers\n\n" + "\n\n".join(map(wrap, ALL)), id="wrapped"),
        pytest.param("Daily Papers\n" + "\n\n".join(map(wrap, ALL)), id="wrapped-header-close"),
        pytest.param("\n\n# Daily Papers\n\n\n" + "\n\n\n".join(ALL) + "\n\n", id="more-blanks"),
        pytest.param("Papers of 5 March\n\n" + "\n\n".join(ALL), id="other-header"),
        pytest.param("\n\n".join(ALL), id="no-header"),
        pytest.param("\n".join(ALL), id="no-header-one-a-line"),
        pytest.param("Daily Papers\r\n\r\n" + "\r\n\r\n".join(ALL), id="crlf"),
        pytest.param("Daily Papers\r" + "\r".join(ALL), id="cr"),
        pytest.param("Daily Papers\n\n" + "\n\x0c\n".join(ALL), id="form-feed-lines"),
        pytest.param("\ufeffDaily Papers\n\n" + "\n\n".join(ALL), id="bom"),
        pytest.param("Daily Papers\n\n  " + "  \n\n   ".join(ALL), id="indented"),
    ],
)
def test_every_variant_gives_the_same_abstracts(tmp_path: Path, text: str) -> None:
    abstracts, problems, _ = read(tmp_path, text)
    assert texts(abstracts) == ALL
    assert [abstract.place.position for abstract in abstracts] == [1, 2, 3]
    assert not [problem for problem in problems if problem.severity != Severity.NOTE]
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for abstract in abstracts:
        line = lines[abstract.place.line - 1].strip().strip("\x0c")
        assert line
        assert abstract.text.startswith(line)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_byte_order_mark_decides(tmp_path: Path, encoding: str) -> None:
    text = f"Daily Papers\n\nÜber {KELP}\n\n{MUD}\n"
    mark = "\ufeff" if encoding.endswith(("le", "be")) else ""
    abstracts, problems, _ = read(tmp_path, (mark + text).encode(encoding))
    assert texts(abstracts) == [f"Über {KELP}", MUD]
    assert codes(problems) == []


def test_i4_utf8_first_then_1252_with_a_warning(tmp_path: Path) -> None:
    whole = f"Daily Papers\n\n{KELP} Müller saw it – “twice”.\n"
    abstracts, problems, _ = read(tmp_path, whole.encode("cp1252"))
    assert texts(abstracts) == [f"{KELP} Müller saw it – “twice”."]
    assert codes(problems) == ["source-encoding"]
    assert str(problems[0]).startswith("seeds/000.txt:3: warning: ")


def test_i4_one_bad_byte_does_not_spoil_the_rest(tmp_path: Path) -> None:
    data = f"Daily Papers\n\n{KELP} Sørli and 静かな湖. ".encode() + b"M\xfcller.\n"
    abstracts, _, _ = read(tmp_path, data)
    assert texts(abstracts) == [f"{KELP} Sørli and 静かな湖. Müller."]


def test_f3_control_characters_go_with_a_note(tmp_path: Path) -> None:
    text = f"Daily Papers\n\nheat\x0cflux \x10in\x00 lakes\x85 {KELP}\ufffe\n"
    abstracts, problems, _ = read(tmp_path, text)
    assert texts(abstracts) == [f"heat flux in lakes… {KELP}"]
    assert codes(problems) == ["source-control"]
    assert problems[0].severity == Severity.NOTE
    assert problems[0].location.line == 3


# ---- line breaks --------------------------------------------------------------------------------
def test_a_word_broken_at_a_line_end_is_made_whole(tmp_path: Path) -> None:
    text = (
        "Daily Papers\n\nWe state a limit of detec-\ntion for wet mud in a low-\ncost and state-of-"
        "the-\nart way, as the low cost of detec-\ntion asks, with GPT-\n4 and pre-\ndicted tones "
        "for in-\u00ad\nstance.\n\n"
    ).replace("in-\u00ad", "in\u00ad")
    abstracts, _, _ = read(tmp_path, text)
    assert texts(abstracts) == [
        "We state a limit of detection for wet mud in a low-cost and state-of-the-art way, as the "
        "low cost of detection asks, with GPT-4 and predicted tones for instance."
    ]


def test_the_text_itself_settles_a_hyphen(tmp_path: Path) -> None:
    wrapped = "They re-\nlease it in multi-\nlingual form and fine-\ntune all of it here."
    text = f"Daily Papers\n\n{wrapped}\n\nWe release multilingual tones and fine-tune them {KELP}"
    abstracts, _, _ = read(tmp_path, text)
    assert abstracts[0].text == (
        "They release it in multilingual form and fine-tune all of it here."
    )


def test_a_hyphen_that_waits_for_its_word_keeps_its_space(tmp_path: Path) -> None:
    wrapped = "Mud of high-\nand low-\nlevel lakes, with high and low tides and a low level here."
    abstracts, _, _ = read(tmp_path, f"Daily Papers\n\n{wrapped}\n\n{MUD}")
    assert abstracts[0].text == (
        "Mud of high- and low-level lakes, with high and low tides and a low level here."
    )


def test_a_link_on_the_last_line_stays(tmp_path: Path) -> None:
    text = f"Daily Papers\n\n{wrap(KELP)}\nhttps://kelp.example/trace\n\n{wrap(MUD)}"
    assert texts(read(tmp_path, text)[0]) == [f"{KELP} https://kelp.example/trace", MUD]


def test_wrapped_chinese_gets_no_spaces(tmp_path: Path) -> None:
    abstracts, _, _ = read(tmp_path, "Daily Papers\n\n我们提出一种新的\n湖泊取样方法。\n\n" + KELP)
    assert abstracts[0].text == "我们提出一种新的湖泊取样方法。"


def test_a_sentence_a_line_stays_one_abstract_between_blank_lines(tmp_path: Path) -> None:
    blocks = [text.replace(". ", ".\n") for text in ALL]
    abstracts, _, _ = read(tmp_path, "Daily Papers\n\n" + "\n\n".join(blocks))
    assert texts(abstracts) == ALL


def test_two_long_lines_in_a_file_of_blank_lines_are_one_abstract_with_a_warning(
    tmp_path: Path,
) -> None:
    text = f"Daily Papers\n\n{KELP}\n\n{OTTER}\n{MUD}\n\n{KELP[::-1]}.\n\n{OTTER.upper()}"
    abstracts, problems, _ = read(tmp_path, text)
    assert texts(abstracts)[1] == f"{OTTER} {MUD}"
    assert codes(problems) == ["source-joined-lines"]
    assert problems[0].location.line == 5


def test_a_run_of_lines_in_a_file_of_blank_lines_is_parted(tmp_path: Path) -> None:
    apart = [f"{text} Again, number {n}." for n, text in enumerate(ALL * 8)]
    text = "Daily Papers\n\n" + "\n\n".join(apart) + "\n\n" + "\n".join(ALL * 4)
    assert texts(read(tmp_path, text)[0]) == apart + ALL * 4


def test_a_structured_abstract_stays_whole(tmp_path: Path) -> None:
    parts = f"Background: {KELP}\nMethods: {OTTER}\nResults: {MUD}"
    text = "Daily Papers\n\n" + "\n\n".join([KELP, parts, OTTER, MUD])
    assert texts(read(tmp_path, text)[0]) == [KELP, parts.replace("\n", " "), OTTER, MUD]


def test_one_a_line_with_an_end_without_full_stop(tmp_path: Path) -> None:
    linked = f"{KELP[:-1]} at https://kelp.example/trace"
    text = "Daily Papers\n" + "\n".join([linked, OTTER, MUD, f"mT5 is a name. {KELP}"])
    assert len(read(tmp_path, text)[0]) == 4


@given(
    st.lists(st.sampled_from(ALL), min_size=2, max_size=6),
    st.integers(min_value=40, max_value=110),
)
@settings(max_examples=40, deadline=None)
def test_wrapping_at_any_width_changes_nothing(chosen: list[str], width: int) -> None:
    text = "Daily Papers\n\n" + "\n\n".join(wrap(one, width) for one in chosen)
    assert [found.text for found in dailypapers.read(text, "f").found] == chosen


# ---- debris -------------------------------------------------------------------------------------
DEBRIS = [
    "Daily Papers",
    "byAK and the research community",
    "by AK and the research community",
    "Mar 5",
    "March 5, 2031",
    "5 March 2031",
    "2031-03-05",
    "Wednesday, March 5th",
    "12",
    "Page 3 of 10",
    "- 3 -",
    "3/10",
    "Submitted by",
    "Submitted by kelpfan",
    "Upvote",
    "Upvote 42",
    "View all papers",
    "Get trending papers in your email inbox once a day!",
    "Previous",
    "Next",
    "Models Datasets Spaces Docs Pricing",
    "Sign Up",
    "· 14 authors",
    "https://papers.example/2031",
    "***",
    "—",
]


@pytest.mark.parametrize("debris", DEBRIS)
def test_debris_between_abstracts_is_reported_with_its_line(tmp_path: Path, debris: str) -> None:
    text = f"Daily Papers\n\n{KELP}\n\n{debris}\n\n{OTTER}\n\n{MUD}\n"
    abstracts, problems, count = read(tmp_path, text)
    assert texts(abstracts) == ALL
    assert (count.read, count.kept, count.reported) == (4, 3, 1)
    assert [problem.location.line for problem in problems] == [5]
    assert debris in problems[0].text


@pytest.mark.parametrize("debris", DEBRIS)
def test_debris_among_lines_is_reported(tmp_path: Path, debris: str) -> None:
    abstracts, problems, count = read(tmp_path, f"Daily Papers\n{KELP}\n{debris}\n{OTTER}\n{MUD}\n")
    assert texts(abstracts) == ALL
    assert (count.read, count.reported) == (4, 1)
    assert [problem.location.line for problem in problems] == [3]


def test_a_page_break_inside_a_wrapped_abstract(tmp_path: Path) -> None:
    lines = wrap(KELP).split("\n")
    lines[2:2] = ["Page 3 of 10", "\x0cDaily Papers"]
    text = "Daily Papers\n\n" + "\n".join(lines) + f"\n\n{wrap(OTTER)}\n12\n\n" + wrap(MUD)
    abstracts, problems, count = read(tmp_path, text)
    assert texts(abstracts) == ALL
    assert count.reported == 3
    assert [p.location.line for p in problems if p.code == "source-debris"] == [5, 6, 14]


def test_two_dumps_in_one_file(tmp_path: Path) -> None:
    text = f"Daily Papers\n\n{KELP}\n\ufeffDaily Papers\n\n{OTTER}\n\n{MUD}\n"
    abstracts, problems, _ = read(tmp_path, text)
    assert texts(abstracts) == ALL
    assert "source-debris" in codes(problems)


@pytest.mark.parametrize(
    "short",
    [
        "To be or not.",
        "N/A",
        "low-cost CO2-flux meter",
        "静かな湖の採水方法を示す",
        "我们提出一种新的湖泊取样方法",
        "rate ${{p_i}^{n}}$, {# draft #} and {% raw",
        "safe<script>x()</script><img src=x onerror=y()>",
        "costs fell from $23 million to $14 million",
        "the set $A^*$ and its dual $B^*$",
    ],
)
def test_t4_a_very_short_abstract_is_kept_with_a_note(tmp_path: Path, short: str) -> None:
    abstracts, problems, _ = read(tmp_path, f"Daily Papers\n\n{KELP}\n\n{short}\n\n{MUD}\n")
    assert texts(abstracts) == [KELP, short, MUD]
    assert not [problem for problem in problems if problem.severity != Severity.NOTE]


def test_i5_a_heading_is_reported_with_a_way_out(tmp_path: Path) -> None:
    abstracts, problems, count = read(
        tmp_path, f"Daily Papers\n\n{KELP}\n\nOtter Acoustics\n\n{MUD}\n"
    )
    assert texts(abstracts) == [KELP, MUD]
    assert count.reported == 1
    assert (codes(problems), problems[0].severity) == (["source-fragment"], Severity.WARNING)
    assert "full stop" in problems[0].hint


# ---- files --------------------------------------------------------------------------------------
@pytest.mark.parametrize("data", [b"", b" \n\t\n", b"\xef\xbb\xbf", b"Daily Papers\n", b"\x0c\n"])
def test_an_empty_file_is_a_warning(tmp_path: Path, data: bytes) -> None:
    abstracts, problems, count = read(tmp_path, data)
    assert abstracts == ()
    assert count.read == 0
    assert "source-empty" in codes(problems)
    assert max(problem.severity == Severity.WARNING for problem in problems)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"%PDF-1.7\n1 0 obj\nstream", id="pdf"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + bytes(range(256)), id="image"),
        pytest.param(bytes(range(256)) * 40, id="all-bytes"),
        pytest.param(b"\x00" * 4096, id="zeros"),
        pytest.param(b"\xff\xfe" + bytes(range(256)) * 9, id="not-utf-16"),
        pytest.param("Daily Papers\n\nкилька и выдра".encode("koi8-r") * 9, id="koi8"),
        pytest.param("Daily Papers\n\nkelp".encode("utf-16-le"), id="utf-16-without-mark"),
    ],
)
def test_what_is_no_text_is_an_error_and_the_others_go_on(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds/a.txt").write_bytes(data)
    (tmp_path / "seeds/b.txt").write_text(f"Daily Papers\n\n{KELP}\n")
    abstracts, problems, counts = read_sources(tmp_path, [SourceSpec(pattern="seeds/*")])
    assert texts(abstracts) == [KELP]
    assert [count.file for count in counts] == ["seeds/a.txt", "seeds/b.txt"]
    assert [(p.code, p.severity) for p in problems] == [("source-not-text", Severity.ERROR)]
    assert problems[0].location.path == "seeds/a.txt"
    assert problems[0].hint


@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE html>\n<p>Kelp drifts.</p>",
        '<?xml version="1.0"?><opml/>',
        '{"id": 1}\n',
        '[\n {"id": 1}]',
    ],
)
def test_i2_another_format_is_an_error_not_a_paper(tmp_path: Path, text: str) -> None:
    abstracts, problems, _ = read(tmp_path, text)
    assert abstracts == ()
    assert codes(problems) == ["source-format"]


def test_b2_unreadable_things_are_errors_and_the_others_go_on(tmp_path: Path) -> None:
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    (seeds / "good.txt").write_text(f"Daily Papers\n\n{KELP}\n")
    (seeds / "folder.txt").mkdir()
    (seeds / "broken.txt").symlink_to("nowhere")
    os.mkfifo(seeds / "pipe.txt")
    abstracts, problems, counts = read_sources(tmp_path, [SourceSpec(pattern="seeds/*.txt")])
    assert texts(abstracts) == [KELP]
    assert len(counts) == 4
    assert codes(problems) == ["source-unreadable"] * 3
    assert all(problem.severity == Severity.ERROR for problem in problems)


def test_a_file_name_that_is_no_utf8_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    path = os.fsencode(tmp_path / "seeds") + b"/m\xfcsli.txt"
    try:
        Path(os.fsdecode(path)).write_text(KELP)
    except OSError:
        pytest.skip("the file system takes only UTF-8")
    _, problems, counts = read_sources(tmp_path, [SourceSpec(pattern="seeds/*")])
    assert codes(problems) == ["source-name"]
    assert counts == ()
    str(problems[0]).encode()


def test_a_file_is_read_once_for_the_first_table_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    for name in ("b.txt", "a.txt", ".hidden.txt", "2031-05-01.txt"):
        (tmp_path / "seeds" / name).write_text(f"Daily Papers\n\n{KELP}\n")
    (tmp_path / "seeds" / "folder").mkdir()
    specs = [
        SourceSpec(pattern="seeds/b.txt", edition="special", date="2031"),
        SourceSpec(pattern="./seeds/*"),
    ]
    abstracts, problems, _ = read_sources(tmp_path, specs)
    assert [(a.place.file, a.place.edition, a.place.date) for a in abstracts] == [
        ("seeds/2031-05-01.txt", "2031-05-01", "2031-05-01"),
        ("seeds/a.txt", "a", ""),
        ("seeds/b.txt", "special", "2031"),
    ]
    assert problems == ()


def test_paths_that_lead_nowhere_or_outside(tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds/kelp.txt").write_text(f"Daily Papers\n\n{KELP}\n")
    patterns = ["../x.txt", "/etc/passwd", "seeds/klep.txt", "seeds/*.bib", "a\0b"]
    _, problems, counts = read_sources(tmp_path, [SourceSpec(pattern=one) for one in patterns])
    assert counts == ()
    assert codes(problems) == [
        "source-outside", "source-outside", "source-missing", "source-none", "source-outside",
    ]  # fmt: skip
    assert "kelp.txt" in problems[2].hint


def test_a_file_with_brackets_in_its_name_is_itself(tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds/a[1].txt").write_text(f"Daily Papers\n\n{KELP}\n")
    assert read_sources(tmp_path, [SourceSpec(pattern="seeds/a[1].txt")])[2][0].kept == 1


def test_two_files_that_make_one_edition_are_named(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "may.txt").write_text(f"Daily Papers\n\n{KELP}\n")
    _, problems, _ = read_sources(tmp_path, [SourceSpec(pattern="*/may.txt")])
    assert codes(problems) == ["source-edition-shared"]


def test_u4_u5_edition_slugs_are_plain_short_and_distinct() -> None:
    names = [
        "May 2031",
        "静かな湖",
        "湖底の泥",
        "—",
        "ß",
        "Müsli 1",
        "x" * 300,
        "x" * 299 + "y",
        "é",
    ]
    slugs = [edition_slug(name) for name in names]
    assert slugs[0] == "may-2031"
    assert slugs[5] == "musli-1"
    assert len(set(slugs)) == len(slugs)
    assert all(len(slug) <= 80 and slug.strip("abcdefghijklmnopqrstuvwxyz0123456789-") == ""
               for slug in slugs)  # fmt: skip
    assert not any(slug.startswith("-") or slug.endswith("-") or not slug for slug in slugs)


# ---- bounds -------------------------------------------------------------------------------------
def test_an_absurdly_long_paragraph_is_reported(tmp_path: Path) -> None:
    text = f"Daily Papers\n\n{KELP}\n\n{'kelp ' * 30_000}\n\n{MUD}\n"
    abstracts, problems, count = read(tmp_path, text)
    assert texts(abstracts) == [KELP, MUD]
    assert count.reported == 1
    assert (problems[0].code, problems[0].location.line) == ("source-too-long", 5)


def test_problems_of_one_kind_are_bounded(tmp_path: Path) -> None:
    _, problems, count = read(tmp_path, f"Daily Papers\n\n{KELP}\n" + "\n\n—" * 5000)
    assert count.reported == 5000
    assert len(problems) == 100
    assert "4,900 more" in problems[-1].text


@pytest.mark.slow
def test_a_file_of_50_mb_is_read_in_time(tmp_path: Path) -> None:
    wrapped = [wrap(text).replace("low-cost", "low-\ncost") for text in ALL]
    count = 50_000_000 // (sum(map(len, wrapped)) + 40)
    pieces = [f"{text} Number {n}." for n in range(count) for text in wrapped]
    start = time.process_time()
    abstracts, _, _ = read(tmp_path, "Daily Papers\n\n" + "\n\n".join(pieces))
    assert len(abstracts) == len(pieces)
    assert abstracts[-1].text == f"{MUD} Number {count - 1}."
    assert time.process_time() - start < 20


@given(st.binary(max_size=400))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_text_or_an_error(data: bytes) -> None:
    text, problems = decode(data, "f")
    assert (text is None) == any(problem.severity == Severity.ERROR for problem in problems)
    if text is not None:
        text.encode()
        reading = dailypapers.read(text, "f")
        assert reading.reported <= sum(p.code.startswith("source-") for p in reading.problems)


@given(
    st.lists(
        st.text(st.sampled_from("aB .\n\t-é湖1*\r\x0c"), max_size=30)
        | st.sampled_from(ALL + DEBRIS),
        max_size=12,
    )
)
@settings(max_examples=200, deadline=None)
def test_no_letter_is_lost(pieces: list[str]) -> None:
    text, _ = decode("\n".join(pieces).encode(), "f")
    assert text is not None
    reading = dailypapers.read(text, "f")
    told = "".join(found.text for found in reading.found)
    dropped = [p for p in reading.problems if p.code in {"source-debris", "source-fragment"}]
    assert reading.reported == len(dropped)
    letters = sum(map(str.isalpha, text))
    kept = sum(map(str.isalpha, told))
    lines = text.split("\n")
    first = next((line for line in lines if line.strip()), "")
    reported = sum(sum(map(str.isalpha, problem.text)) for problem in dropped)
    assert kept + reported + sum(map(str.isalpha, first)) >= letters


def test_an_editors_backup_is_no_source_unless_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    for name in ("a.txt", "a.txt~", "#a.txt#"):
        (tmp_path / "seeds" / name).write_text(f"Notes\n\n{KELP}\n")
    _, problems, counts = read_sources(tmp_path, [SourceSpec(pattern="seeds/*")])
    assert [count.file for count in counts] == ["seeds/a.txt"]
    assert [problem.code for problem in problems] == ["source-backup"] * 2
    _, problems, counts = read_sources(tmp_path, [SourceSpec(pattern="seeds/a.txt~")])
    assert ([count.kept for count in counts], problems) == ([1], ())
