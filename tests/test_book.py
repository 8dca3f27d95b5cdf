"""Every command in the curators' book is run, in its order, on the book's own sample."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from sitegen.cli import main

BOOK = (Path(__file__).parent.parent / "docs/curating.md").read_text("utf-8")
TYPED = {"sitegen review": "k\n"}
"""What the reader types where a command asks."""


def sample(language: str, fence: str = "```") -> str:
    """Return the one fenced block of a language."""
    (found,) = re.findall(rf"^{fence}{language}\n(.*?)^{fence}$", BOOK, re.DOTALL | re.MULTILINE)
    return str(found)


def commands() -> list[str]:
    blocks = re.findall(r"^```console\n(.*?)^```$", BOOK, re.DOTALL | re.MULTILINE)
    return [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]


def prepare(line: str, folder: Path) -> None:
    """Put there what a reader of the book would have at this point."""
    if line.startswith("sitegen enrich"):
        record = {"id": "2031.00001", "title": "Seals", "abstract": "Seals sing.", "authors": ""}
        (folder / line.rsplit(maxsplit=1)[-1]).write_text(json.dumps(record) + "\n", "utf-8")
    elif line.startswith("sitegen fix"):
        (folder / line.rsplit(maxsplit=1)[-1]).write_text(sample("text", "````"), "utf-8")
    elif line.startswith("sitegen topics suggest"):
        settings = folder / "content/site.toml"
        settings.write_text(settings.read_text("utf-8").replace("# base_url", "base_url"), "utf-8")
    elif line.startswith("sitegen deploy"):
        for args in (["init", "-q", "--bare", "../host.git"], ["init", "-q", "."]):
            subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True)
        subprocess.run(["git", "remote", "add", "origin", "../host.git"], cwd=folder, check=True)


def run(line: str, where: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run one line; returns the folder that the reader is in afterwards."""
    name, *args = shlex.split(line)
    if name == "cd":
        where = where / args[0]
        monkeypatch.chdir(where)
    elif name == "rm":
        for each in args:
            (where / each).unlink()
    elif args[0] == "serve":  # tests/test_serve.py runs it
        assert isinstance(main.commands["serve"].make_context("serve", args[1:]), click.Context)
    else:
        assert name == "sitegen"
        result = CliRunner().invoke(main, args, input=TYPED.get(line, ""))
        assert result.exit_code == 0, f"{line}\n{result.output}\n{result.exception!r}"
    return where


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_every_command_of_the_book_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "otters.bib").write_text(sample("bibtex"), "utf-8")
    where = tmp_path
    lines = commands()
    for line in lines:
        prepare(line, where)
        where = run(line, where, monkeypatch)
    assert len(lines) > 20
    site = where / "public"
    assert "Tom Birch" in (site / "papers/kfy74edk/index.html").read_text("utf-8")
    assert "told elsewhere" in (site / "history/index.html").read_text("utf-8")
    for paper in ("0gn4afts", "sbcbnaxb"):
        assert f'data-id="{paper}"' in (site / f"papers/{paper}/index.html").read_text("utf-8")


def test_every_command_is_in_the_book() -> None:
    for name in main.commands:
        assert f"sitegen {name}" in BOOK or name == "keywords", name
