"""What is installed: known licences, nothing that a build does not use, a package that is whole."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from tools.licences import PAGE, page

from .test_kills import tree
from .test_repository import ROOT, pins
from .workbench import OTTERS, WHISTLES, start

# Prints which packages a command has imported from.
TRACE = """
import json, sys
from importlib.metadata import packages_distributions
from sitegen.cli import main
try:
    main()
except SystemExit as done:
    assert not done.code, done.code
known = packages_distributions()
tops = {name.partition(".")[0] for name in sys.modules}
print(json.dumps(sorted({package for top in tops for package in known.get(top, ())})))
"""
BORNE = {"pygments"}
"""Declared by rich, which imports it only to colour source code."""
FREE = re.compile(r"MIT|BSD|Apache|PSF|HPND|ISC|MPL|0BSD|Zlib|CC0|Unlicense")


def test_licences_are_listed_and_free() -> None:
    text = PAGE.read_text("utf-8")
    assert text == page(), "run make lock, or: python tools/licences.py"
    rows = re.findall(r"^\| ([\w.-]+) \| ([\w.]+) \| (.+) \|$", text, re.MULTILINE)
    assert len(rows) == len(pins("requirements.lock")) + 1  # the table's head
    for package, _, licence in rows[1:]:
        assert FREE.search(licence), f"{package}: {licence}"


def test_a_build_uses_every_package_that_it_installs(tmp_path: Path) -> None:
    root = start(tmp_path, OTTERS, WHISTLES)
    env = os.environ | {"FORCE_COLOR": "1"}
    result = subprocess.run(
        [sys.executable, "-c", TRACE, "build", "--no-frozen", "-q"],
        cwd=root, env=env, capture_output=True, text=True, check=True,
    )  # fmt: skip
    used = {canonicalize_name(name) for name in json.loads(result.stdout.splitlines()[-1])}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {canonicalize_name(re.split(r"[^\w.-]", one)[0]) for one in project["dependencies"]}
    assert declared - used == set()
    assert set(pins("requirements.lock")) - used == BORNE


@pytest.mark.slow
def test_wheel_and_source_archive_hold_everything(tmp_path: Path) -> None:
    """The wheel, made from the source archive, builds the same site as the checkout."""
    source = tmp_path / "source"
    for name in ("sitegen", "templates", "docs"):
        shutil.copytree(ROOT / name, source / name)
    for name in ("README.md", "LICENSE", "NOTICE", "pyproject.toml"):
        shutil.copy2(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    made = subprocess.run(
        [*pip, "wheel", "--no-deps", "--wheel-dir", tmp_path, source],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if made.returncode and "hatchling" in made.stderr:
        pytest.skip("the build backend cannot be had here")
    assert made.returncode == 0, made.stderr
    (wheel,) = tmp_path.glob("*.whl")
    fresh = tmp_path / "fresh"
    subprocess.run(
        [*pip, "install", "--no-deps", "--no-index", "--target", fresh, wheel], check=True
    )
    sites = []
    for name, path in (("wheel", fresh), ("checkout", ROOT)):
        root = start(tmp_path / name, OTTERS, WHISTLES)
        first = f"import sys; sys.path.insert(0, {str(path)!r}); import sitegen"
        then = "print(sitegen.__file__); from sitegen.cli import main; main()"
        run = [sys.executable, "-c", f"{first}; {then}"]
        result = subprocess.run(
            [*run, "build", "--no-frozen", "-q", "--no-search"],
            cwd=root, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert result.stdout.startswith(str(path))
        sites.append(tree(root / "public"))
    assert sites[0] == sites[1]
