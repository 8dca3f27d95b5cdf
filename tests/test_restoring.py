"""What is kept of mended records is what mending them anew gives, and never anything else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.line_cache import LineCache
from sitegen.records import Abstract, Author, Link, Metadata, Place
from sitegen.repair import repair, restore, restore_all, restoring, texts

PLACE = Place(file="seeds/a.txt", position=1, line=1, edition="a")
DAMAGED = Abstract(
    place=PLACE,
    text="We show that $x^2$ grows---fast. See https://github.com/mud/otter for \\emph{code}.",
    metadata=Metadata(
        title="{FPGA-}based {O}tters",
        authors=(Author(name="Jos\\'e Mud", family="Mud", given="Jos\\'e"), Author(name="Ann Lee")),
        venue="Proc.~of Mud",
        keywords=("fine-tuning", "\\emph{mud}"),
        links=(Link(kind="data", url="https://mud.example/data"),),
    ),
)
PLAIN = Abstract(place=PLACE, text="Otters whistle.", metadata=Metadata(title="Otters"))
GONE = Abstract(place=PLACE, text="\x00", metadata=Metadata(title="Mud", venue="\u200b"))


def many(count: int = 100) -> list[Abstract]:
    more = [
        replace(PLAIN, text=f"Otter {number} has $n_{number}$ whistles.") for number in range(count)
    ]
    return [DAMAGED, PLAIN, GONE, *more]


@pytest.fixture
def mended(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts that were mended since."""
    calls: list[str] = []

    def told(text: str) -> object:
        calls.append(text)
        return repair(text)

    monkeypatch.setattr(restoring, "repair", told)
    return calls


def test_what_is_kept_is_not_mended_again_and_the_same(tmp_path: Path, mended: list[str]) -> None:
    abstracts = many()
    fresh = [restore(abstract) for abstract in abstracts]
    mended.clear()
    assert restore_all(abstracts, folder=tmp_path) == fresh
    assert len(mended) == len(abstracts)
    mended.clear()
    assert restore_all(abstracts, folder=tmp_path) == fresh
    new = replace(PLAIN, text="A new otter.")
    assert restore_all([new, *abstracts], folder=tmp_path) == [restore(new), *fresh]
    assert mended == ["A new otter."] * 2


def test_the_same_words_elsewhere_keep_what_is_theirs(tmp_path: Path) -> None:
    other = replace(
        DAMAGED,
        place=replace(PLACE, file="seeds/b.txt"),
        metadata=replace(DAMAGED.metadata, arxiv="2031.00001", links=()),
    )
    abstracts = [*many(), other]
    for _ in range(2):
        assert restore_all(abstracts, folder=tmp_path)[-1] == restore(other)


@pytest.mark.parametrize("value", [0, "x", [1], [None] * 5, [["a"], 1, 2, 3, 4, 5], {"a": 1}])
def test_lines_that_hold_something_else_are_mended_anew(tmp_path: Path, value: object) -> None:
    abstracts = many()
    fresh = restore_all(abstracts, folder=tmp_path)
    (file,) = tmp_path.iterdir()
    keys = [restoring._record(abstract).key for abstract in abstracts]
    LineCache(file).add(dict.fromkeys(keys, value))
    assert restore_all(abstracts, folder=tmp_path) == fresh


def test_damage_is_found_out(tmp_path: Path) -> None:
    abstracts = many()
    fresh = restore_all(abstracts, folder=tmp_path)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for hurt in (whole[: len(whole) // 2], whole.replace(b"whistles", b"whistlez"), b"\xff" * 9999):
        file.write_bytes(hurt)
        assert restore_all(abstracts, folder=tmp_path) == fresh


def test_other_code_reads_nothing(
    tmp_path: Path, mended: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    restore_all(many(), folder=tmp_path)
    mended.clear()
    monkeypatch.setattr(restoring, "code_hash", lambda *names: "another")
    restore_all(many(), folder=tmp_path)
    assert len(mended) == len(many())


def test_a_few_are_mended_without_a_file(tmp_path: Path) -> None:
    assert restore_all([DAMAGED], folder=tmp_path) == [restore(DAMAGED)]
    assert not list(tmp_path.iterdir())


NAMES = st.from_regex(texts._PLAIN_NAMES, fullmatch=True).map(str.split) | st.lists(
    st.sampled_from(["Times New", "Kevin", "In R", "Acirc", "Psi", "", "Jos\\'e", "Alpha-One"])
)


@given(NAMES)
def test_plain_names_are_what_mending_leaves_of_them(names: list[str]) -> None:
    assert texts.plain_names(tuple(names)) == tuple(repair(name).text for name in names)
