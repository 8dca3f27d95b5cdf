"""Two trees taken in turns: whatever happens between builds, the site is what was asked for."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen import publish as publishing
from sitegen import trees
from sitegen.publish import publish, spare_beside
from sitegen.records import LateFile
from sitegen.staging import Stage

PATHS = ("index.html", "a/index.html", "a/feed.xml", "b/c/index.html", "b/d/index.html", "e.txt")
FOREIGN = (".git/HEAD", "a/own.txt", "b/c/deep/own.txt", "CNAME")


def files(site: dict[str, str]) -> list[LateFile]:
    return [
        LateFile(path=path, make=text.encode, key=lambda text=text: text)
        for path, text in site.items()
    ]


def tree(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): file.read_text()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def replaced(path: Path) -> None:
    """Put a file with other bytes in the place of one, as an editor does; its time is kept."""
    stat = path.stat()
    aside = path.with_name("aside")
    aside.write_text("x" * stat.st_size)
    os.utime(aside, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    aside.replace(path)


texts = st.sampled_from(["one", "two", "three"])
sites = st.dictionaries(st.sampled_from(PATHS), texts, min_size=1)
happenings = st.one_of(
    st.tuples(st.just("publish"), sites),
    st.tuples(st.just("add"), st.sampled_from(FOREIGN)),
    st.tuples(st.just("delete"), st.sampled_from(PATHS + FOREIGN)),
    st.tuples(st.just("edit"), st.sampled_from(PATHS)),
    st.tuples(st.just("spoil spare"), st.sampled_from(PATHS + FOREIGN)),
    st.tuples(st.just("copy"), st.just("")),
)


ticks = count(10**18)


def changed(path: Path) -> None:
    """Give the folders above a file other times, as a fine clock would."""
    for above in list(path.parents)[:3]:
        if above.is_dir():
            tick = next(ticks)
            os.utime(above, ns=(tick, tick))


@pytest.mark.parametrize("coarse", [trees.COARSE, -(10**19)])
@given(st.lists(happenings, max_size=10), sites, sites)
def test_the_site_is_what_was_asked_whatever_happened_between(
    coarse: int, happened: list, before: dict[str, str], last: dict[str, str]
) -> None:
    with TemporaryDirectory() as name, patch.object(trees, "COARSE", coarse):
        output, state = Path(name, "public"), Path(name, ".sitegen")
        foreign: dict[str, str] = {}
        publish(files(before), output, state)
        for what, value in happened:
            target = output / value if isinstance(value, str) else output
            if what == "publish":
                publish(files(value), output, state)
            elif what == "add":
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text("own")
                foreign[value] = "own"
                changed(target)
            elif what == "delete":
                target.unlink(missing_ok=True)
                foreign.pop(value, None)
                changed(target)
            elif what == "edit" and target.is_file():
                target.write_text("changed by hand")
            elif what == "spoil spare":
                for spare in state.glob("spare-*"):
                    (spare / value).parent.mkdir(parents=True, exist_ok=True)
                    (spare / value).unlink(missing_ok=True)
                    (spare / value).write_text("spoilt")
                    changed(spare / value)
            elif what == "copy":
                for folder in (output, *state.glob("spare-*")):
                    aside = Path(shutil.copytree(folder, folder.with_name("aside")))
                    shutil.rmtree(folder)
                    aside.rename(folder)
        publish(files(last), output, state)
        assert tree(output) == last | foreign


def test_neither_tree_is_walked_when_both_are_as_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output, state = tmp_path / "public", tmp_path / ".sitegen"
    monkeypatch.setattr(trees, "COARSE", -(10**19))
    site = {f"{number}/index.html": "text" for number in range(50)}
    for text in ("one", "two"):
        publish(files(site | {"0/index.html": text}), output, state)
    seen: list[str] = []
    scandir: Callable[[str], object] = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: seen.append(str(path)) or scandir(path))
    publish(files(site | {"0/index.html": "three"}), output, state)
    assert len([path for path in seen if "public" in path]) < 5
    assert tree(output) == site | {"0/index.html": "three"}


def test_damaged_notes_cost_nothing(tmp_path: Path) -> None:
    output, state = tmp_path / "public", tmp_path / ".sitegen"
    for text in ("one", "two", "three"):
        publish(files({"a/index.html": text, "b/index.html": "b"}), output, state)
        for notes in state.glob("trees-*"):
            notes.write_bytes(notes.read_bytes()[:-9])
    assert tree(output) == {"a/index.html": "three", "b/index.html": "b"}


def test_a_replaced_file_is_not_taken_from_the_spare_tree(tmp_path: Path) -> None:
    output, state = tmp_path / "public", tmp_path / ".sitegen"
    for text in ("one", "two"):
        publish(files({"a/index.html": text, "b/index.html": "b"}), output, state)
    replaced(output / "b/index.html")
    publish(files({"a/index.html": "three", "b/index.html": "b"}), output, state)
    # Size and time say that it is as it was: as with every build, its bytes are believed.
    assert tree(output) == {"a/index.html": "three", "b/index.html": "x"}


# ---- a spare tree made beside --------------------------------------------------------------------
def spare_of(output: Path, state: Path, jobs: int = 2) -> list[Path]:
    with patch.object(publishing, "MANY", 0), spare_beside(output, state, jobs) as wait:
        wait()
    return list(state.glob("spare-*"))


def test_a_spare_tree_is_made_beside_where_there_is_none(tmp_path: Path) -> None:
    output, state = tmp_path / "public", tmp_path / ".sitegen"
    site = {f"{number}/index.html": "text" for number in range(20)} | {"e.txt": "e"}
    assert spare_of(output, state) == []
    publish(files(site), output, state)
    (output / "CNAME").write_text("lab.example")
    assert spare_of(output, state, jobs=1) == []
    (spare,) = spare_of(output, state)
    assert tree(spare) == site
    linked: list[str] = []
    link = Stage.link

    def counted(stage: Stage, paths: Sequence[str]) -> int:
        linked.extend(paths)
        return link(stage, paths)

    with patch.object(Stage, "link", counted):
        publish(files(site | {"e.txt": "new"}), output, state)
    assert tree(output) == site | {"e.txt": "new", "CNAME": "lab.example"}
    assert linked == []
    publish(files(site), output, state)
    assert tree(output) == site | {"CNAME": "lab.example"}


def test_half_a_spare_tree_costs_nothing(tmp_path: Path) -> None:
    output, state = tmp_path / "public", tmp_path / ".sitegen"
    site = {"a/index.html": "a", "b/index.html": "b", "c/index.html": "c"}
    publish(files(site), output, state)
    (name,) = state.glob("manifest-*.json")
    spare = name.with_name(name.stem.replace("manifest", "spare"))
    (spare / "a").mkdir(parents=True)  # as a kill leaves it: some links, no notes
    os.link(output / "a/index.html", spare / "a/index.html")
    (spare / "b").mkdir()
    (spare / "b/index.html").write_text("other")
    publish(files(site | {"c/index.html": "new"}), output, state)
    assert tree(output) == site | {"c/index.html": "new"}


def test_no_spare_tree_where_somebody_else_was_at_the_output(tmp_path: Path) -> None:
    output, state = tmp_path / "public", tmp_path / ".sitegen"
    publish(files({"a/index.html": "a"}), output, state)
    shutil.copytree(output, tmp_path / "aside")
    shutil.rmtree(output)
    (tmp_path / "aside").rename(output)
    assert spare_of(output, state) == []
