import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitegen import publish as publishing
from sitegen.diagnostics import SitegenError
from sitegen.publish import build_lock, publish
from sitegen.records import OutFile


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


@pytest.mark.parametrize("step", ["_link_all", "_keep_foreign", "save_manifest", "_exchange"])
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
