"""Disks that are full, read-only or somebody else's: a clear error, and nothing is destroyed."""

from __future__ import annotations

import errno
import os
import re
import resource
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import run_sitegen
from .test_kills import change, hashes, tree
from .workbench import OTTERS, WHISTLES, sitegen, start, write


def limit_files(size: int) -> Callable[[], None]:
    """Return what keeps a process from writing files above a size, as a full disk would."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def ran(
    command: list[str], root: Path, before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=root, capture_output=True, text=True, check=False, timeout=120,
        preexec_fn=before, env={k: v for k, v in os.environ.items() if k != "CI"},
    )  # fmt: skip


def here(root: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Build in this process, which is quicker; whatever escapes is as good as a traceback."""
    result = sitegen(root, "build", "-q", "--no-frozen", *more)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return subprocess.CompletedProcess([], result.exit_code, stderr=result.stderr)


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A digest of two papers, built with its search index."""
    root = start(tmp_path_factory.mktemp("once") / "digest", OTTERS, WHISTLES)
    assert here(root).returncode == 0
    return root


@pytest.fixture
def built(once: Path, tmp_path: Path) -> Path:
    """A copy of it to spoil."""
    return Path(shutil.copytree(once, tmp_path / "digest", symlinks=True))


def refused(result: subprocess.CompletedProcess[str], *words: str) -> None:
    """The command failed with a problem that has a code and a hint, not with a traceback."""
    assert result.returncode == 1, result.stderr
    assert "Traceback" not in result.stderr
    assert re.search(r"error: .+ \[[a-z-]+\]", result.stderr), result.stderr
    for word in words:
        assert word in result.stderr, result.stderr


def in_namespace(root: Path, *steps: str) -> subprocess.CompletedProcess[str]:
    """Run a build after mounts of its own; skips where this machine allows none."""
    probe = ["unshare", "--mount", "--map-root-user", "mount", "-t", "tmpfs", "none", "/mnt"]
    if not shutil.which("unshare") or subprocess.run(probe, check=False).returncode:
        pytest.skip("mounts are not allowed here")
    script = " && ".join([*steps, f'"{sys.executable}" -m sitegen build -q --no-frozen $OUTPUT'])
    return ran(["unshare", "--mount", "--map-root-user", "sh", "-c", script], root)


# ---- no room -------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [0, 300, 4_000, 12_000])
def test_without_room_the_last_site_stays(built: Path, size: int) -> None:
    root = built
    before = hashes(root / "public"), (root / "content/registry.jsonl").read_bytes()
    change(root)
    command = [sys.executable, "-m", "sitegen", "build", "-q", "--no-frozen"]
    refused(ran(command, root, limit_files(size)), "hint: ")
    assert before == (hashes(root / "public"), (root / "content/registry.jsonl").read_bytes())
    assert not list(root.rglob(".*.tmp"))
    assert here(root, "--no-search").returncode == 0


@pytest.mark.parametrize("kilobytes", [40, 200, 400])
def test_a_full_disk_leaves_the_last_site(tmp_path: Path, kilobytes: int) -> None:
    root = start(tmp_path, OTTERS, WHISTLES)
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f"mount -t tmpfs -o size={kilobytes}k none disk"
    result = in_namespace(root, mount, "OUTPUT='--output disk/site'")
    refused(result, "no space left on device", "free some space")
    assert not (root / "content/registry.jsonl").exists()


def test_a_disk_that_fills_up_in_the_midst_leaves_the_last_site(built: Path) -> None:
    root = built
    (root / "disk").mkdir()
    shutil.copytree(root / "public", root / "before")
    change(root)
    result = in_namespace(
        root,
        "mount -t tmpfs -o size=1500k none disk",
        "cp -r public disk/site",
        "dd if=/dev/zero of=disk/filler bs=1k count=3000 2>/dev/null; rm -f nothing",
        "cp -r .sitegen disk/state; rm -rf .sitegen/report.json",
        "OUTPUT='--output disk/site'",
        f'"{sys.executable}" -m sitegen build -q --no-frozen $OUTPUT; code=$?',
        "diff -r before disk/site || exit 7",
        "exit $code",
    )
    refused(result, "no space left on device")


def test_a_read_only_output_is_told(built: Path) -> None:
    root = built
    (root / "disk").mkdir()
    mounts = ("mount -t tmpfs none disk", "mkdir disk/site", "mount -o remount,ro disk")
    result = in_namespace(root, *mounts, "OUTPUT='--output disk/site'")
    refused(result, "read-only file system")


def test_a_read_only_project_is_told(tmp_path: Path) -> None:
    root = start(tmp_path / "digest", OTTERS)
    steps = ("mount --bind . . ", 'cd "$PWD"', "mount -o remount,bind,ro .")
    refused(in_namespace(root, *steps), ".sitegen")


def test_an_output_that_is_a_mount_point_is_told(built: Path) -> None:
    root = built
    (root / "disk").mkdir()
    write(root, "disk/below", "")
    steps = ("mount -t tmpfs none disk", "echo mine > disk/CNAME", "OUTPUT='--output disk'")
    refused(in_namespace(root, *steps), "mount point", "--output")
    assert not (root / ".disk.sitegen-next").exists()
    assert not (root / ".disk.sitegen-old").exists()


def test_the_output_may_be_on_another_disk_than_the_project(built: Path) -> None:
    root = built
    (root / "disk").mkdir()
    result = in_namespace(
        root,
        "mount -t tmpfs none disk",
        "OUTPUT='--output disk/site'",
        f'"{sys.executable}" -m sitegen build -q $OUTPUT',
        "cp -r disk/site copy",
    )
    assert result.returncode == 0, result.stderr
    assert tree(root / "copy") == tree(root / "public")


@pytest.mark.parametrize("code", [errno.ENOSYS, errno.EINVAL])
def test_without_the_system_call_two_renames_do(built: Path, code: int) -> None:
    root = built
    change(root)
    script = (
        "import ctypes, sitegen.publish as p\n"
        "class Old:\n"
        "    def __init__(self, *a, **k): pass\n"
        f"    def renameat2(self, *a): ctypes.set_errno({code}); return -1\n"
        "p.ctypes = type('c', (), {'CDLL': Old})\n"
        "from sitegen.cli import main; main()"
    )
    result = ran([sys.executable, "-c", script, "build", "-q", "--no-search"], root)
    assert result.returncode == 0, result.stderr
    assert (root / "public/thanks/index.html").is_file()
    assert sorted(path.name for path in root.iterdir()) == [
        ".sitegen", "content", "public", "seeds",
    ]  # fmt: skip


# ---- things of others ----------------------------------------------------------------------------
def test_somebody_s_things_in_the_output_stay(tmp_path: Path) -> None:
    root = start(tmp_path / "digest", OTTERS, WHISTLES)
    output = root / "public"
    write(tmp_path, "elsewhere/treasure", "gold")
    write(output, "CNAME", "lab.example\n")
    write(output, "thesis/index.html", "<h1>Somebody's own page</h1>")
    (output / "thesis").chmod(0o750)
    (output / "empty/folder").mkdir(parents=True)
    (output / "archive").symlink_to("../../elsewhere")
    (output / "nowhere").symlink_to("missing")
    (output / "treasure").symlink_to(tmp_path / "elsewhere/treasure")
    write(output, "run.sh", "#!/bin/sh\n")
    (output / "run.sh").chmod(0o755)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@lab.example"]
    for command in (["init", "-q"], ["add", "CNAME"], ["commit", "-qm", "a"], ["gc", "-q"]):
        subprocess.run([*git, *command], cwd=output, check=True, capture_output=True)
    before = {path: path.lstat() for path in sorted(output.rglob("*"))}
    for _ in range(2):
        assert here(root, "--no-search").returncode == 0
        for path, stat in before.items():
            assert os.path.lexists(path), path
            assert path.lstat().st_mode == stat.st_mode, path
        change(root)
    assert (output / "thesis/index.html").read_text() == "<h1>Somebody's own page</h1>"
    assert (output / "archive/treasure").read_text() == "gold"
    subprocess.run(["git", "fsck", "--strict"], cwd=output, check=True, capture_output=True)
    assert (output / "papers").is_dir()


def a_file(output: Path, name: str) -> None:
    write(output, name, "somebody's file")


def a_link(output: Path, name: str) -> None:
    write(output, "../elsewhere/treasure", "gold")
    (output / name).parent.mkdir(parents=True, exist_ok=True)
    (output / name).symlink_to(output.parent / "elsewhere")


def a_folder(output: Path, name: str) -> None:
    write(output, f"{name}/note.txt", "somebody's note")


@pytest.mark.parametrize("earlier", [False, True])
@pytest.mark.parametrize(
    ("make", "name"),
    [
        (a_file, "papers"),
        (a_file, "tags"),
        (a_link, "papers"),
        (a_link, "assets"),
        (a_link, "index.html"),
        (a_link, "data/papers.jsonl"),
        (a_folder, "index.html"),
        (a_folder, "feed.xml"),
        (a_folder, "data/papers.csv"),
        (a_file, "pagefind"),
        (a_link, "pagefind"),
    ],
)
def test_something_else_in_the_place_of_ours_is_told(
    built: Path, make: Callable[[Path, str], None], name: str, earlier: bool
) -> None:
    root, output = built, built / "public"
    if not earlier:
        shutil.rmtree(output)
        shutil.rmtree(root / ".sitegen")
    else:
        change(root)
        place = output / name
        shutil.rmtree(place) if place.is_dir() else place.unlink()
    make(output, name)
    before = hashes(output), sorted(output.rglob("*"))
    result = here(root)
    if earlier and make is a_link and "." in name:
        assert result.returncode == 0  # a page of ours that somebody replaced is written again
        assert not (output / name).is_symlink()
        assert (root / "elsewhere/treasure").read_text() == "gold"
        return
    refused(result, name, "publish-foreign-file")
    assert before == (hashes(output), sorted(output.rglob("*")))
    assert not (root / ".public.sitegen-next").exists()
    if (root / "elsewhere").exists():
        assert (root / "elsewhere/treasure").read_text() == "gold"


@pytest.mark.parametrize("place", [".sitegen", ".sitegen/cache", ".sitegen/lock", "content"])
@pytest.mark.parametrize("what", ["file", "folder", "loop"])
def test_something_else_in_the_place_of_the_state_is_told(
    tmp_path: Path, place: str, what: str
) -> None:
    root = start(tmp_path, OTTERS)
    target = root / place
    target.parent.mkdir(exist_ok=True)
    if target.is_dir():
        shutil.rmtree(target)
    if what == "file":
        target.write_text("somebody's")
    elif what == "loop":
        target.symlink_to(target.name)
    else:
        target.mkdir()
    result = here(root, "--no-search")
    if result.returncode:
        refused(result)
    if what == "file":
        assert target.read_text() == "somebody's" or place.endswith("lock")


# ---- two at once ---------------------------------------------------------------------------------
def test_two_builds_at_once_give_one_site(built: Path) -> None:
    root = built
    change(root)
    results: list[subprocess.CompletedProcess[str]] = []
    threads = [
        threading.Thread(target=lambda: results.append(run_sitegen("build", "-q", cwd=root)))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.returncode for result in results] == [0, 0, 0]
    after = hashes(root / "public")
    assert here(root).returncode == 0
    assert hashes(root / "public") == after
    assert not list(root.glob(".public*"))


def test_two_projects_with_one_output_give_one_whole_site(tmp_path: Path) -> None:
    projects = [start(tmp_path / name, OTTERS, WHISTLES) for name in ("a", "b")]
    change(projects[1])
    output = str(tmp_path / "site")
    results: list[int] = []

    def run(root: Path) -> None:
        results.append(run_sitegen("build", "-q", "--output", output, cwd=root).returncode)

    threads = [threading.Thread(target=run, args=(root,)) for root in projects]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [0, 0]
    assert not list(tmp_path.glob(".site*"))
    alone = []
    for root in projects:
        assert here(root).returncode == 0
        alone.append(tree(root / "public"))
    site = tree(tmp_path / "site")
    assert any(own.items() <= site.items() for own in alone)
