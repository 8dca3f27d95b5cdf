"""A build killed at any moment leaves one whole site, and the next build makes good.

Two kinds of moments: just before the n-th change of the disk (any n, drawn with a fixed seed), and
by the clock. ``pytest tests/test_kills.py --kills 50`` tries 50 of them instead of a few.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from .conftest import run_sitegen
from .workbench import MUD, OTTERS, WHISTLES, start, write

FIRNS = (
    "Firn cores tell how much snow fell in each year. We read forty cores from one plateau with a "
    "camera and a balance, and find that the wind moves a third of the snow after it has fallen."
)
LICHENS = (
    "Lichens on gravestones grow at a steady pace. We measure nine hundred of them in two parishes "
    "and give a curve that dates undated stones to within eleven years."
)
# Stands for any command; kills its own process before the n-th change that it makes to the disk.
KILLER = """
import os, signal, sys
left, count, own = int(sys.argv.pop(1)), sys.argv.pop(1), os.getpid()
made = exchange = 0
CHANGES = {"os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.chmod",
           "subprocess.Popen", "ctypes.dlsym"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
def hook(event, args):
    global made, exchange
    writes = event == "open" and isinstance(args[2], int) and args[2] & WRITING
    if (writes or event in CHANGES) and os.getpid() == own:
        made += 1
        if event == "ctypes.dlsym" and args[1] == "renameat2":
            exchange = made
        if made == left:
            os.kill(own, signal.SIGKILL)
sys.addaudithook(hook)
from sitegen.cli import main
try:
    main()
finally:
    if count != "-":
        numbers = f"{made} {exchange}"
        open(count, "w").write(numbers)
"""


pytestmark = pytest.mark.timeout(3600)  # with --kills 50


@dataclass(frozen=True, slots=True, kw_only=True)
class States:
    """A digest before and after a change of its sources, each built undisturbed."""

    old: Path
    new: Path
    changes: dict[str, int]
    """How often each kind of build changes the disk."""
    exchange: int
    """Which of the warm build's changes is the one that readers see."""
    seconds: dict[str, float]


def tree(folder: Path) -> dict[str, str]:
    """Return the hashes of a site's files, without the search index, whose bytes are its own."""
    return {
        path: digest for path, digest in hashes(folder).items() if not path.startswith("pagefind/")
    }


def hashes(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def change(root: Path) -> None:
    """Mend one text, take one away, add one; and a page."""
    texts = (OTTERS.replace("two winters", "three winters"), FIRNS, LICHENS, MUD)
    write(root, "seeds/may.txt", "Notes\n\n" + "\n\n".join(texts) + "\n")
    write(root, "content/pages/thanks.md", "---\ntitle: Thanks\n---\nTo all who counted.\n")


def prepared(states: Path, kind: str, root: Path) -> Path:
    """Lay out a digest whose sources changed since it was built, or that was never built."""
    shutil.copytree(states, root, symlinks=True)
    if kind != "warm":
        shutil.rmtree(root / ".sitegen")
    if kind == "cold":
        shutil.rmtree(root / "public")
    change(root)
    return root


def killed(root: Path, at: int, count: str = "-") -> int:
    command = [sys.executable, "-c", KILLER, str(at), count, "build", "--no-frozen", "-q"]
    return subprocess.run(command, cwd=root, check=False, timeout=120).returncode


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> States:
    folder = tmp_path_factory.mktemp("states")
    old = start(folder / "old", OTTERS, WHISTLES, FIRNS, LICHENS)
    write(old, "content/topics/ice.md", "---\ntitle: Ice\nphrases: [firn core, snow]\n---\nCold.\n")
    assert run_sitegen("build", cwd=old).returncode == 0
    changes, seconds = {}, {}
    for kind in ("cold", "warm"):
        root = prepared(old, kind, folder / kind)
        started = time.monotonic()
        assert killed(root, 0, str(folder / "count")) == 0
        seconds[kind] = time.monotonic() - started
        changes[kind], exchange = map(int, (folder / "count").read_text().split())
    assert tree(folder / "cold/public") == tree(folder / "warm/public")
    assert tree(folder / "warm/public") != tree(old / "public")
    return States(old=old, new=folder / "warm", changes=changes, exchange=exchange, seconds=seconds)


def check_whole(root: Path, states: States, kind: str) -> str:
    """Return which of the two sites is published; fail where it is neither."""
    output = root / "public"
    if kind == "cold" and not output.exists():
        return "none"
    if tree(output) == tree(states.old / "public"):
        assert hashes(output) == hashes(states.old / "public")
        return "old"
    assert tree(output) == tree(states.new / "public")
    manifests = sorted((root / ".sitegen").glob("manifest-*"))
    named: dict[str, str] = {}
    for manifest in manifests:  # a pending one comes after the last one
        named |= {k: v[0] for k, v in json.loads(manifest.read_bytes())["files"].items()}
    found = hashes(output)
    assert found == {path: named[path] for path in found}
    entry = json.loads((output / "pagefind/pagefind-entry.json").read_bytes())
    (language,) = entry["languages"].values()
    assert (output / f"pagefind/pagefind.{language['hash']}.pf_meta").is_file()
    assert language["page_count"] == 4
    return "new"


def check_mended(root: Path, states: States) -> None:
    """The next build does what an undisturbed one does, and clears up."""
    result = run_sitegen("build", "-q", cwd=root)
    assert (result.returncode, "Traceback" in result.stderr) == (0, False), result.stderr
    assert tree(root / "public") == tree(states.new / "public")
    registry = "content/registry.jsonl"
    assert (root / registry).read_bytes() == (states.new / registry).read_bytes()
    found = {path.relative_to(root).as_posix() for path in root.rglob("*")}
    known = {path.relative_to(states.new).as_posix() for path in states.new.rglob("*")}
    # the tree of the build before last is kept for the next one to use again
    fluid = ("public/pagefind/", ".sitegen/spare-")
    assert {path for path in found - known if not path.startswith(fluid)} == set()


def check_no_orphan(group: int) -> None:
    """Whatever a build started ends with it."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("the killed build left a process behind")


def moments(kind: str, kills: int) -> list[float]:
    """Draw moments as shares of a whole build."""
    rng = random.Random(f"{kind} 6")
    return [rng.random() for _ in range(kills)]


@pytest.mark.parametrize("kind", ["cold", "warm"])
def test_killed_before_any_change_of_the_disk(
    states: States, tmp_path: Path, kills: int, kind: str
) -> None:
    found = []
    for number, share in enumerate(moments(kind, kills)):
        at = 1 + int(share * states.changes[kind])
        root = prepared(states.old, kind, tmp_path / str(number))
        assert killed(root, at) == -signal.SIGKILL
        found.append(check_whole(root, states, kind))
        check_mended(root, states)
        shutil.rmtree(root)
    print(kind, sorted(found))


@pytest.mark.parametrize("kind", ["cold", "warm"])
def test_killed_by_the_clock(states: States, tmp_path: Path, kills: int, kind: str) -> None:
    found = []
    for number, share in enumerate(moments(f"{kind} clock", max(1, kills // 2))):
        root = prepared(states.old, kind, tmp_path / str(number))
        command = [sys.executable, "-m", "sitegen", "build", "--no-frozen", "-q"]
        with subprocess.Popen(command, cwd=root, start_new_session=True) as process:
            time.sleep(share * states.seconds[kind])
            process.kill()
        check_no_orphan(process.pid)
        found.append(check_whole(root, states, kind))
        check_mended(root, states)
        shutil.rmtree(root)
    print(kind, sorted(found))


def test_killed_around_the_exchange(states: States, tmp_path: Path) -> None:
    outcomes = []
    for step in range(-2, 4):
        root = prepared(states.old, "warm", tmp_path / str(step))
        assert killed(root, states.exchange + step) == -signal.SIGKILL
        outcomes.append(check_whole(root, states, "warm"))
        if step in (0, 1):
            check_mended(root, states)
    assert outcomes == ["old", "old", "old", "new", "new", "new"]


WORKING = """
import time
from sitegen.workers import local_workers
if __name__ == "__main__":
    with local_workers(2, print) as workers:
        futures = [workers.executor.submit(pow, number, 2) for number in range(8)]
        futures = [future.result() for future in futures]
        print("ready", flush=True)
        workers.executor.submit(time.sleep, 60).result()
"""


def test_workers_end_with_a_killed_build(tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text(WORKING)
    command = [sys.executable, "work.py"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.kill()
    check_no_orphan(process.pid)
