"""Fuzzes for a stated number of runs: ``python -m tests.fuzz --runs 20000 [--only NAME]``.

With ``--guided`` Google's atheris chooses the inputs by what code they reach, one process a target;
else they are changed at random from a fixed seed. What breaks a promise or takes too long is
written to ``.fuzz/`` and listed; the exit code tells whether there was any.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import time
import traceback
from pathlib import Path

from .mutation import inputs
from .targets import TARGETS

FINDS = Path(".fuzz")
SECONDS = 2.0
"""Of processor time, that an input of at most 60 KB may take."""


def attempt(name: str, data: bytes) -> str:
    """Run a target on an input; return what went wrong, or nothing."""
    started = time.process_time()
    try:
        TARGETS[name].run(data)
    except Exception as exc:
        place = traceback.extract_tb(exc.__traceback__)[-1]
        return f"{type(exc).__name__} at {Path(place.filename).name}:{place.lineno}: {exc}"[:200]
    spent = time.process_time() - started
    return f"slow: {spent:.1f} s" if spent > SECONDS else ""


def fuzz(name: str, runs: int) -> dict[str, bytes]:
    """Return the shortest input for each kind of fault."""
    finds: dict[str, bytes] = {}
    for data in inputs(TARGETS[name].seeds, runs, name):
        if fault := attempt(name, data):
            kind = fault.partition(": ")[0]
            if kind not in finds or len(data) < len(finds[kind]):
                finds[kind] = data
    return finds


def guided(name: str, runs: int) -> dict[str, bytes]:
    """Let atheris fuzz a target in a process of its own."""
    folder = FINDS / name.replace(" ", "-")
    (folder / "seeds").mkdir(parents=True, exist_ok=True)
    for seed in TARGETS[name].seeds:
        (folder / "seeds" / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    command = [
        sys.executable, "-m", "tests.fuzz.guided", name, f"-runs={runs}", "-timeout=20",
        "-rss_limit_mb=3000", "-max_len=4096", "-seed=6", "-verbosity=0",
        f"-artifact_prefix={folder}/find-", str(folder / "corpus"), str(folder / "seeds"),
    ]  # fmt: skip
    (folder / "corpus").mkdir(exist_ok=True)
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    finds = {}
    for file in folder.glob("find-*"):
        data = file.read_bytes()
        finds[attempt(name, data) or file.name] = data
    if result.returncode and not finds:
        finds[f"exit {result.returncode}: {result.stderr[-200:]}"] = b""
    return finds


def main() -> int:
    """Fuzz all targets, or one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20_000, help="for each target")
    parser.add_argument("--only", choices=sorted(TARGETS))
    parser.add_argument("--guided", action="store_true", help="by atheris")
    options = parser.parse_args()
    FINDS.mkdir(exist_ok=True)
    bad = 0
    for name in [options.only] if options.only else TARGETS:
        started = time.process_time(), time.monotonic()
        finds = (guided if options.guided else fuzz)(name, options.runs)
        spent = time.monotonic() - started[1]
        print(f"{name:<36} {options.runs:>8} runs {spent:7.1f} s {len(finds):>3} finds", flush=True)
        for fault, data in finds.items():
            mark = hashlib.sha256(data).hexdigest()[:12]
            (FINDS / f"{name.replace(' ', '-')}-{mark}").write_bytes(data)
            print(f"  {mark} {len(data)} bytes: {fault}", flush=True)
        bad += len(finds)
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
