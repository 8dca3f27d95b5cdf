"""Writes docs/licences.md: the licence of every package that the default install brings."""

from __future__ import annotations

import re
from importlib.metadata import metadata
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/licences.md"
HEAD = """\
# Licences of what sitegen installs

Every package of `requirements.lock`, as its own metadata states it; made by `make lock`. What
sitegen itself contains of others stands in [NOTICE](../NOTICE).

| package | version | licence |
|---|---|---|
"""
_LONG = {"Apache License 2.0": "Apache-2.0", "Apache Software License": "Apache-2.0",
         "MIT License": "MIT", "BSD License": "BSD"}  # fmt: skip


def licence_of(package: str) -> str:
    """Return a package's licence: its SPDX expression, else what its metadata says in words."""
    data = metadata(package)
    named = [
        value.rpartition(" :: ")[2]
        for value in data.get_all("Classifier") or ()
        if value.startswith("License :: ")
    ]
    plain = (data.get("License") or "").strip().splitlines()
    found = data.get("License-Expression") or next(iter(named), "") or next(iter(plain), "")
    return _LONG.get(found, found) or "not stated"


def page() -> str:
    """Return the page for the packages that are locked."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pins = [re.split("==", line) for line in lines if "==" in line]
    return HEAD + "".join(
        f"| {package} | {version} | {licence_of(package)} |\n" for package, version in pins
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)} written")
