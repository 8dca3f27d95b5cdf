"""Answers to doubtful pairs: how they are given, written down, and carried to later versions."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from sitegen.answers import follow_answers
from sitegen.build import build_site, gather
from sitegen.cli import main
from sitegen.decisions import HEADER, Side, parse_decisions, with_answer
from sitegen.diagnostics import SitegenError
from sitegen.digest import BuildOptions, Gathered
from sitegen.ledger import Entry, Registry, dump
from sitegen.memory import Memory
from sitegen.progress import Progress
from sitegen.records import Abstract, Decision, Metadata, Place
from sitegen.shingles import fingerprint
from sitegen.word_diff import plain, word_diff
from tests.conftest import run_sitegen

SHARED = (
    "a network of cheap hydrophones hears every whistle of a river otter and tells by its contour"
)
LEFT = (
    f"In the winter of the great flood we built what we had long wanted: {SHARED} where it "
    "grew up. We describe how the devices are made, what they cost to build and to run, and how "
    "long their batteries last under ice and snow."
)
RIGHT = (
    f"Dialects were thought to need teachers. We test this with young animals: {SHARED} who "
    "raised it. Orphans that were brought up by people whistle like their river all the same, and "
    "so dialects must be older than learning."
)
OTHER = (
    "Sediment cores from four fjords show that mud settles in layers of unequal age. We date them "
    "with lead isotopes and give a chronology of the last three hundred years of storms."
)


def start(root: Path, *texts: str) -> Path:
    (root / "seeds").mkdir(parents=True, exist_ok=True)
    (root / "content").mkdir(exist_ok=True)
    (root / "seeds/may.txt").write_text("Notes\n\n" + "\n\n".join(texts) + "\n", "utf-8")
    return root


def run(root: Path, *args: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["review", "--root", str(root), *args], input=typed)


def build(root: Path) -> None:
    build_site(BuildOptions(root=root, search=False), Progress())


def read(root: Path) -> Gathered:
    return gather(BuildOptions(root=root), Progress(), Memory())


def register(root: Path) -> Gathered:
    """Do what a build does with the registry."""
    gathered = read(root)
    (root / "content/registry.jsonl").write_bytes(dump(gathered.registry))
    return gathered


def ids(gathered: Gathered) -> dict[str, str]:
    """Return the id of each paper by the first word of its text."""
    return {paper.source_text.split()[0]: paper.id for paper in gathered.papers}


# ---- the command --------------------------------------------------------------------------------
def test_a_doubtful_pair_is_listed_with_its_evidence(tmp_path: Path) -> None:
    start(tmp_path, LEFT, RIGHT, OTHER)
    listed = run(tmp_path, "--list")
    assert listed.exit_code == 0
    assert "hydrophones hears every whistle" in listed.output
    (pair,) = json.loads(run(tmp_path, "--json").stdout)
    assert {pair["left"]["text"], pair["right"]["text"]} == {LEFT, RIGHT}
    assert pair["kind"] == "overlap"
    assert pair["merged"] is False
    assert pair["left"]["file"] == "seeds/may.txt"
    assert not (tmp_path / "content/decisions.toml").exists()


def test_answers_typed_in_are_kept_one_by_one(tmp_path: Path) -> None:
    start(tmp_path, LEFT, RIGHT, OTHER)
    asked = run(tmp_path, typed="what?\nd\n")
    assert asked.output.count("[s]ame, [d]ifferent, s[k]ip, [q]uit? ") == 2
    assert "[-In the winter" in asked.output
    data = tomllib.loads((tmp_path / "content/decisions.toml").read_text("utf-8"))
    assert [pair["answer"] for pair in data["pair"]] == ["different"]
    assert read(tmp_path).doubts == ()
    assert "0 doubtful pairs, 0 answered" in run(tmp_path).output


@pytest.mark.parametrize("typed", ["k\n", "\n", "q\n", ""])
def test_skipping_and_leaving_write_nothing(tmp_path: Path, typed: str) -> None:
    start(tmp_path, LEFT, RIGHT)
    asked = run(tmp_path, typed=typed)
    assert asked.exit_code == 0
    assert "1 doubtful pair, 0 answered" in asked.output
    assert not (tmp_path / "content/decisions.toml").exists()


def test_names_that_mean_nothing_or_too_much_are_errors(tmp_path: Path) -> None:
    start(tmp_path, LEFT, RIGHT)
    one = read(tmp_path).papers[0].id
    for names, code in (
        (("nosuchid", one), "review-unknown"),
        ((one, one), "review-same-text"),
        (("", one), "review-unknown"),
    ):
        result = run(tmp_path, "--answer", "same", *names)
        assert result.exit_code == 1
        assert code in result.output
    assert run(tmp_path, "--answer", "maybe", one, one).exit_code == 2


def test_a_false_merge_is_undone_and_both_addresses_answer(tmp_path: Path) -> None:
    start(tmp_path, LEFT, RIGHT, OTHER)
    build(tmp_path)
    left, right = ids(read(tmp_path))["In"], ids(read(tmp_path))["Dialects"]
    assert run(tmp_path, "--answer", "same", left, right).exit_code == 0
    build(tmp_path)
    pages = {name: tmp_path / f"public/papers/{name}/index.html" for name in (left, right)}
    stubs = [name for name, page in pages.items() if 'http-equiv="refresh"' in page.read_text()]
    assert len(stubs) == 1
    (pair,) = json.loads(run(tmp_path, "--merged", "--json").stdout)
    assert {pair["left"]["own_paper"], pair["right"]["own_paper"]} == {left, right}
    assert run(tmp_path, "--merged", typed="d\n").exit_code == 0
    build(tmp_path)
    for name, page in pages.items():
        assert f'data-id="{name}"' in page.read_text(), name
    assert ids(read(tmp_path)) == {**ids(read(tmp_path)), "In": left, "Dialects": right}


def test_a_merge_of_likeness_is_undone_before_it_had_two_addresses(tmp_path: Path) -> None:
    edited = LEFT.replace("winter", "autumn").replace("ice and snow", "rain and mud")
    start(tmp_path, LEFT, edited)
    first = register(tmp_path)
    (paper,) = first.papers
    (pair,) = json.loads(run(tmp_path, "--merged", "--json").stdout)
    assert pair["kind"] == "near"
    names = pair["left"]["fingerprint"], pair["right"]["fingerprint"]
    assert run(tmp_path, "--answer", "different", *names).exit_code == 0
    second = register(tmp_path)
    assert len(second.papers) == 2
    assert paper.id in {each.id for each in second.papers}


def test_x1_a_narrow_terminal_encoding_is_no_error(tmp_path: Path) -> None:
    start(tmp_path, f"{LEFT} 静かな湖", RIGHT)
    shown = run_sitegen("review", "--root", str(tmp_path), cwd=tmp_path, PYTHONIOENCODING="cp1252")
    assert shown.returncode == 0, shown.stderr
    assert "1 doubtful pair, 0 answered" in shown.stdout


def test_no_color_is_respected(tmp_path: Path) -> None:
    start(tmp_path, LEFT, RIGHT)
    for env, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        shown = CliRunner(env=env).invoke(main, ["review", "--root", str(tmp_path)], color=True)
        assert ("\x1b[" in shown.output) is coloured


# ---- for ever -----------------------------------------------------------------------------------
@pytest.mark.parametrize("answer", ["same", "different"])
def test_an_answer_survives_a_mended_typo(tmp_path: Path, answer: str) -> None:
    start(tmp_path, LEFT, RIGHT, OTHER)
    known = ids(register(tmp_path))
    assert run(tmp_path, "--answer", answer, known["In"], known["Dialects"]).exit_code == 0
    papers = 2 if answer == "same" else 3
    # edited at once, and again after a build has noted the first edit
    for text in (LEFT.replace("batteries", "accumulators"), LEFT.replace("cost", "are worth")):
        start(tmp_path, text, RIGHT.replace("Orphans", "Foundlings"), OTHER)
        gathered = register(tmp_path)
        assert len(gathered.papers) == papers
        assert gathered.doubts == ()
        assert {problem.code for problem in gathered.problems} <= {"paper-merged"}


def place(position: int) -> Place:
    return Place(file="seeds/a.bib", position=position, line=position, edition="a")


def test_an_answer_holds_for_a_later_version_with_the_same_identifier() -> None:
    old, new = "We weigh otters in nine rivers.", "Otters of nine rivers are weighed and measured."
    other = "We weigh beavers in nine rivers."
    registry = Registry(
        entries=(
            Entry(
                kind="paper", id="aaaaaaaa", url="/papers/aaaaaaaa/", fingerprint=fingerprint(old),
                ids=("arxiv:9901.00001",),
            ),
            Entry(
                kind="paper", id="bbbbbbbb", url="/papers/bbbbbbbb/",
                fingerprint=fingerprint(other),
            ),
        )
    )  # fmt: skip
    decision = Decision(left=fingerprint(old), right=fingerprint(other), same=False)
    abstracts = [
        Abstract(place=place(1), text=new, metadata=Metadata(arxiv="9901.00001")),
        Abstract(place=place(2), text=other),
    ]
    followed = follow_answers([decision], abstracts, registry)
    assert followed == (decision, replace(decision, left=fingerprint(new)))


def test_an_answer_is_not_carried_over_where_the_registry_knows_one_paper_only() -> None:
    one, two, three = (f"We weigh otters in {count} rivers." for count in ("two", "six", "ten"))
    entry = Entry(
        kind="paper", id="aaaaaaaa", url="/papers/aaaaaaaa/", fingerprint=fingerprint(one),
        texts=tuple(sorted((fingerprint(two), fingerprint(three)))),
    )  # fmt: skip
    decision = Decision(left=fingerprint(one), right=fingerprint(two), same=False)
    abstracts = [Abstract(place=place(at), text=text) for at, text in enumerate((one, two, three))]
    followed = follow_answers([decision], abstracts, Registry(entries=(entry,)))
    assert followed == (decision,)


# ---- the file -----------------------------------------------------------------------------------
A, B, C = (Side(mark=letter * 16, paper=letter * 8, text=f"Text {letter}.") for letter in "abc")


def test_answers_are_sorted_and_comments_stay() -> None:
    text = with_answer("", C, B, same=True)
    assert text.startswith(HEADER)
    text = text.replace("[[pair]]", "# asked the authors\n[[pair]]").replace(
        '\nanswer = "same"', '\nanswer = "same" # by mail'
    )
    text = with_answer(text, B, A, same=False)
    assert text.index("aaaa") < text.index("# asked the authors") < text.index("# by mail")
    changed = with_answer(text, B, C, same=False)
    assert changed == text.replace('answer = "same" #', 'answer = "different" #')
    assert with_answer(changed, C, B, same=False) == changed


def test_a_file_of_another_layout_is_left_alone() -> None:
    for text in ('pair = [{left = "x", right = "y", answer = "same"}]\n', "[[pair]\n"):
        with pytest.raises(SitegenError) as found:
            with_answer(text, A, B, same=True)
        assert found.value.problems[0].code in {"decisions-layout", "decisions-syntax"}


marks = st.text("0123456789abcdefghjkmnpqrstvwxyz", min_size=16, max_size=16)
sides = st.builds(Side, mark=marks, paper=st.just(""), text=st.text(max_size=40))


@given(st.lists(st.tuples(sides, sides, st.booleans()), max_size=6))
def test_whatever_is_written_is_read_again(answers: list[tuple[Side, Side, bool]]) -> None:
    text = ""
    wanted: dict[frozenset[str], bool] = {}
    for one, two, same in answers:
        text = with_answer(text, one, two, same=same)
        wanted[frozenset((one.mark, two.mark))] = same
    decisions, problems = parse_decisions(text.encode())
    assert problems == ()
    assert {frozenset((one.left, one.right)): one.same for one in decisions} == wanted


# ---- differences --------------------------------------------------------------------------------
def test_differences_are_shown_word_by_word_and_chance_is_not_common() -> None:
    left = "We weigh nine otters in the river and let them go again"
    right = "We weigh two beavers in a brook and let them go again"
    assert plain(word_diff(left, right)) == (
        "We weigh [-nine otters in the river-] {+two beavers in a brook+} and let them go again"
    )


@given(st.text("ab \n", max_size=60), st.text("ab \n", max_size=60))
def test_both_texts_can_be_read_from_the_difference(left: str, right: str) -> None:
    pieces = word_diff(left, right)
    for skipped, text in (("right", left), ("left", right)):
        words = [word for piece in pieces if piece.change != skipped for word in piece.words]
        assert words == text.split()
