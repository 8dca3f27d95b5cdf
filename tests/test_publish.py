import os
import stat
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sitegen import publish as publishing
from sitegen.diagnostics import Location, SitegenError, error
from sitegen.publish import build_lock, publish
from sitegen.records import LateFile, OutFile


def site(**pages: str) -> list[OutFile]:
    return [
        OutFile(path=name.replace("__", "/") + ".html", data=text.encode())
        for name, text in pages.items()
    ]


def tree(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): file.read_text()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "public", tmp_path / ".sitegen"


def test_a_second_run_writes_nothing(folders: tuple[Path, Path]) -> None:
    output, state = folders
    files = site(index="home", papers__a="A")
    first = publish(files, output, state)
    assert first.added == ("index.html", "papers/a.html")
    before = {path: path.stat().st_mtime_ns for path in output.rglob("*")}
    assert not publish(files, output, state)
    assert {path: path.stat().st_mtime_ns for path in output.rglob("*")} == before


def test_only_what_differs_is_written(folders: tuple[Path, Path]) -> None:
    output, state = folders
    publish(site(index="home", papers__a="A", papers__b="B"), output, state)
    kept = (output / "papers/a.html").stat().st_ino
    changes = publish(site(index="new home", papers__a="A"), output, state)
    assert changes.changed == ("index.html",)
    assert changes.removed == ("papers/b.html",)
    assert (output / "papers/a.html").stat().st_ino == kept
    assert tree(output) == {
        "index.html": "new home",
        "papers/a.html": "A",
    }


def test_leftovers_of_an_index_are_not_carried_over(folders: tuple[Path, Path]) -> None:
    output, state = folders
    publish(site(index="home", pagefind__a="A"), output, state)
    (output / "pagefind/old.pf_index").write_bytes(b"of a build whose manifest was lost")
    changes = publish(site(index="home", pagefind__b="B"), output, state)
    assert (changes.added, changes.removed) == (("pagefind/b.html",), ("pagefind/a.html",))
    assert tree(output) == {"index.html": "home", "pagefind/b.html": "B"}


def test_b2_a_failing_stage_leaves_the_last_site(folders: tuple[Path, Path]) -> None:
    output, state = folders
    publish(site(index="home", papers__a="A"), output, state)
    before = tree(output)

    def broken() -> Iterator[OutFile]:
        yield from site(index="half")
        raise SitegenError

    with pytest.raises(SitegenError):
        publish(broken(), output, state)
    assert tree(output) == before
    assert sorted(path.name for path in output.parent.iterdir()) == [".sitegen", "public"]


def test_p1_plain_modes_whatever_the_umask(folders: tuple[Path, Path]) -> None:
    output, state = folders
    before = os.umask(0o077)
    try:
        publish(site(index="home", papers__a="A"), output, state)
    finally:
        os.umask(before)
    for path in [output, *output.rglob("*")]:
        mode = stat.S_IMODE(path.lstat().st_mode)
        assert mode == (0o755 if path.is_dir() else 0o644), path
        assert not path.is_symlink()


def test_files_of_others_stay(folders: tuple[Path, Path]) -> None:
    output, state = folders
    (output / ".git").mkdir(parents=True)
    (output / ".git/HEAD").write_text("ref")
    (output / "CNAME").write_text("lab.example")
    publish(site(index="home"), output, state)
    publish(site(index="new home"), output, state)
    assert tree(output) == {".git/HEAD": "ref", "CNAME": "lab.example", "index.html": "new home"}


def test_a_file_of_others_in_the_way_is_an_error(folders: tuple[Path, Path]) -> None:
    output, state = folders
    output.mkdir()
    (output / "index.html").write_text("somebody's page")
    with pytest.raises(SitegenError, match=r"index\.html: error: this file is not sitegen's"):
        publish(site(index="home"), output, state)
    assert tree(output) == {"index.html": "somebody's page"}


def test_b1_old_pages_go_even_without_a_manifest(folders: tuple[Path, Path]) -> None:
    output, state = folders
    page = '<meta name="generator" content="sitegen 1">'
    publish(site(index=page, papers__old=page), output, state)
    for file in state.glob("manifest-*"):
        file.write_text("{ broken")
    publish(site(index=page + "new"), output, state)
    assert tree(output) == {"index.html": page + "new"}


def test_a_page_changed_by_hand_is_written_again(folders: tuple[Path, Path]) -> None:
    output, state = folders
    publish(site(index="home"), output, state)
    (output / "index.html").write_text("changed by hand")
    assert publish(site(index="home"), output, state).changed == ("index.html",)
    assert tree(output) == {"index.html": "home"}


@pytest.mark.parametrize("step", ["carry_over", "_note", "save_manifest", "_exchange"])
def test_a_kill_at_any_step_leaves_one_whole_site(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    output, state = folders
    old = site(about="same", index="old", papers__a="A")
    new = site(about="same", index="new", papers__b="B")
    publish(old, output, state)
    whole = tree(output)

    class Killed(BaseException):
        pass

    def killed(*args: object, **kwargs: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(publishing, step, killed)
        patch.setattr(publishing.shutil, "rmtree", lambda *a, **k: None)
        with pytest.raises(Killed):
            publish(new, output, state)
    assert tree(output) == whole
    publish(new, output, state)
    assert tree(output) == {
        "about.html": "same",
        "index.html": "new",
        "papers/b.html": "B",
    }
    assert not list(output.parent.glob(".public*"))


def test_a_kill_after_the_exchange_is_repaired(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    output, state = folders
    publish(site(index="old", papers__a="A"), output, state)
    exchange = publishing._exchange

    class Killed(BaseException):
        pass

    def killed(new: Path, target: Path) -> None:
        exchange(new, target)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(publishing, "_exchange", killed)
        with pytest.raises(Killed):
            publish(site(index="new", papers__b="B"), output, state)
    publish(site(index="newest", papers__b="B2"), output, state)
    assert tree(output) == {
        "index.html": "newest",
        "papers/b.html": "B2",
    }


def test_without_the_system_call_two_renames_do(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    output, state = folders
    publish(site(index="old"), output, state)
    monkeypatch.setattr(publishing.ctypes, "CDLL", lambda *a, **k: object())
    publish(site(index="new"), output, state)
    assert tree(output) == {"index.html": "new"}
    output.rename(output.with_name(".public.sitegen-old"))  # as a kill between the two leaves it
    assert not publish(site(index="new"), output, state)
    assert tree(output) == {"index.html": "new"}


def test_a_file_in_place_of_the_output_folder_is_an_error(folders: tuple[Path, Path]) -> None:
    output, state = folders
    output.write_text("not a folder")
    with pytest.raises(SitegenError):
        publish(site(index="home"), output, state)
    assert output.read_text() == "not a folder"


def test_two_builds_wait_for_each_other(folders: tuple[Path, Path]) -> None:
    _, state = folders
    waited = threading.Event()
    done: list[str] = []

    def second() -> None:
        with build_lock(state, waiting=waited.set):
            done.append("second")

    with build_lock(state, waiting=lambda: None):
        thread = threading.Thread(target=second)
        thread.start()
        assert waited.wait(timeout=10)
        done.append("first")
    thread.join(timeout=10)
    assert done == ["first", "second"]


# ---- many files ----------------------------------------------------------------------------------
def many(count: int, **changes: str) -> list[OutFile]:
    texts = {f"papers__p{number:04}__index": f"paper {number}" for number in range(count)}
    return site(**(texts | changes))


def test_several_processes_write_the_same_site(folders: tuple[Path, Path]) -> None:
    output, state = folders
    other = output.with_name("other")
    told: list[tuple[int, int]] = []
    changes = publish(many(900), output, state, jobs=3, advance=lambda *at: told.append(at))
    assert publish(many(900), other, state) == changes
    assert tree(output) == tree(other)
    assert told[-1] == (900, 900)
    changes = publish(many(900, papers__p0003__index="new"), output, state, jobs=3)
    assert (changes.changed, changes.added) == (("papers/p0003/index.html",), ())


def test_a_failure_in_another_process_is_told(folders: tuple[Path, Path]) -> None:
    output, state = folders

    def broken() -> bytes:
        raise SitegenError(error("template-failed", "no such thing", Location("page.html", 7)))

    files = [*many(500), LateFile(path="last.html", make=broken)]
    with pytest.raises(SitegenError, match=r"page\.html:7: error: no such thing") as caught:
        publish(files, output, state, jobs=2)
    assert caught.value.problems[0].code == "template-failed"
    assert not output.exists()


def test_what_has_the_same_key_is_not_made_again(folders: tuple[Path, Path]) -> None:
    output, state = folders

    def page(text: str, key: str) -> list[LateFile]:
        return [LateFile(path="a.html", make=text.encode, key=lambda: key)]

    publish(page("one", "k"), output, state)
    assert not publish([replace(page("", "k")[0], make=pytest.fail)], output, state)
    assert publish(page("two", "l"), output, state).changed == ("a.html",)
    (output / "a.html").write_text("changed by hand")
    assert publish(page("two", "l"), output, state).changed == ("a.html",)
    (output / "a.html").unlink()
    assert publish(page("two", "l"), output, state).added == ("a.html",)
    assert tree(output) == {"a.html": "two"}


def test_the_tree_before_last_is_used_again_and_never_written_into(
    folders: tuple[Path, Path],
) -> None:
    output, state = folders
    publish(many(3), output, state)
    publish(many(3, index="one"), output, state)
    (spare,) = state.glob("spare-*")
    assert "index.html" not in tree(spare)
    (spare / "papers/p0000/index.html").unlink()
    (spare / "papers/p0000/index.html").write_text("damaged")
    (spare / "papers/p0001/index.html").unlink()
    (spare / "foreign").mkdir()
    (spare / "foreign/x.html").write_text("not of the site")
    publish(many(2, index="two"), output, state)
    assert tree(output) == {
        "index.html": "two",
        "papers/p0000/index.html": "paper 0",
        "papers/p0001/index.html": "paper 1",
    }
    assert not (output / "foreign").exists()
    assert not (output / "papers/p0002").exists()
    publish(many(2, index="three"), output, state)
    assert tree(spare)["index.html"] == "two"
    assert tree(output)["index.html"] == "three"
