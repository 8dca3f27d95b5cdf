"""Builds the project's digest with this Python and with others; says whether the bytes are equal.

``python tools/compare_pythons.py OTHER/bin/python …``, each with sitegen in it; ``make pythons``
makes such an environment.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def built(python: str, folder: Path) -> dict[str, str]:
    """Return the hash of every file that a Python's build makes, but those of the search index."""
    for name in ("seeds", "content"):
        shutil.copytree(ROOT / name, folder / name)
    env = {key: value for key, value in os.environ.items() if key != "CI"}
    command = [python, "-m", "sitegen", "build", "-q", "--no-search", "--root", str(folder)]
    subprocess.run(command, check=True, cwd=folder, env=env)
    files = [*sorted((folder / "public").rglob("*")), folder / "content/registry.jsonl"]
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if file.is_file()
    }


def main() -> int:
    """Compare."""
    with tempfile.TemporaryDirectory() as scratch:
        mine = built(sys.executable, Path(scratch) / "0")
        bad = 0
        for number, python in enumerate(sys.argv[1:], 1):
            theirs = built(python, Path(scratch) / str(number))
            differ = sorted(
                path for path in mine.keys() | theirs.keys() if mine.get(path) != theirs.get(path)
            )
            version = subprocess.run([python, "-V"], capture_output=True, text=True, check=True)
            print(f"{version.stdout.strip()}: {len(mine)} files, {len(differ)} differ {differ[:9]}")
            bad += bool(differ)
    return bad


if __name__ == "__main__":
    sys.exit(main())
