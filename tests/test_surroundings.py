"""The same bytes under another clock, time zone, locale, order of files, umask and hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .test_kills import tree
from .workbench import MUD, OTTERS, WHISTLES, start, write

# Stands for the command: the clock shows another day, and folders list their files backwards.
STRANGE = """
import builtins, datetime, glob, os, sys, time
day = float(sys.argv.pop(1))
real_time, real_ns = time.time, time.time_ns
time.time = lambda: real_time() + day
time.time_ns = lambda: real_ns() + int(day * 10**9)
local, utc = time.localtime, time.gmtime
time.localtime = lambda seconds=None: local(time.time() if seconds is None else seconds)
time.gmtime = lambda seconds=None: utc(time.time() if seconds is None else seconds)
class Day(datetime.date):
    @classmethod
    def today(cls): return cls.fromtimestamp(time.time())
class Moment(datetime.datetime):
    @classmethod
    def now(cls, tz=None): return cls.fromtimestamp(time.time(), tz)
    @classmethod
    def utcnow(cls): return cls.fromtimestamp(time.time(), datetime.timezone.utc)
datetime.date, datetime.datetime = Day, Moment
listing, scanning = os.listdir, os.scandir
os.listdir = lambda *a: sorted(listing(*a), reverse=True)
class Backwards:
    def __init__(self, *a):
        with scanning(*a) as found: self.found = iter(sorted(found, key=lambda e: e.name)[::-1])
    def __iter__(self): return self.found
    def __next__(self): return next(self.found)
    def __enter__(self): return self
    def __exit__(self, *a): pass
    def close(self): pass
os.scandir = Backwards
from sitegen.cli import main
main()
"""
YEARS = 365 * 86_400.0
CASES: dict[str, tuple[float, dict[str, str], tuple[str, ...]]] = {
    "the distant past": (-50 * YEARS, {"TZ": "America/Adak"}, ()),
    "the far future": (200 * YEARS, {"TZ": "Pacific/Kiritimati"}, ("--jobs", "1")),
    "Turkish": (0.0, {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}, ("--jobs", "3")),
    "no locale": (0.0, {"LC_ALL": "C", "LANG": ""}, ()),
    "another hash seed": (0.0, {"PYTHONHASHSEED": "1"}, ()),
    "yet another": (0.0, {"PYTHONHASHSEED": "4294967295", "COLUMNS": "20"}, ("--jobs", "4")),
    "optimised": (0.0, {"PYTHONOPTIMIZE": "2", "HOME": "/nowhere", "USER": "x"}, ()),
}


def digest(root: Path) -> Path:
    start(root, OTTERS, WHISTLES, name="b")
    start(root, MUD, OTTERS.replace("otters", "seals"), name="İstanbul ıssız")
    start(root, MUD.replace("mud", "sand").replace("four", "nine"), name="A")
    write(root, "content/topics/ice.md", "---\ntitle: Ice\nphrases: [fjord, mud]\n---\nCold.\n")
    write(root, "content/topics/animals.md", "---\ntitle: Animals\nphrases: [otter]\n---\nWarm.\n")
    return root


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], bytes]:
    root = digest(tmp_path_factory.mktemp("usual"))
    command = [sys.executable, "-m", "sitegen", "build", "-q", "--no-frozen", "--no-search"]
    subprocess.run(command, cwd=root, check=True)
    return tree(root / "public"), (root / "content/registry.jsonl").read_bytes()


@pytest.mark.parametrize("name", CASES)
def test_the_same_bytes_anywhere_at_any_time(
    usual: tuple[dict[str, str], bytes], tmp_path: Path, name: str
) -> None:
    shift, more, options = CASES[name]
    root = digest(tmp_path / "somewhere else")
    subprocess.run(
        [sys.executable, "-c", STRANGE, str(shift), "build", "-q", "--no-frozen", "--no-search",
         "--root", str(root), *options],
        cwd=tmp_path, env=os.environ | more, umask=0o077, check=True,
    )  # fmt: skip
    assert tree(root / "public") == usual[0]
    assert (root / "content/registry.jsonl").read_bytes() == usual[1]
