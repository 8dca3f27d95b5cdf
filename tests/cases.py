"""Help for the tests named after public bug reports: small digests, built as a curator does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sitegen.config import SourceSpec, load_config
from sitegen.content import load_content
from sitegen.dedup import Grouping, group_papers
from sitegen.ledger import Registry
from sitegen.records import Paper
from sitegen.registry import assign
from sitegen.repair import restore
from sitegen.sources import read_sources

from .conftest import run_sitegen


def project(root: Path, **files: str | bytes) -> Path:
    """Write seed files; the double underscore of a name stands for its dot."""
    for name, data in files.items():
        path = root / "seeds" / name.replace("__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return root


class Read:
    """A digest read up to its papers, without headlines, tags and pages."""

    def __init__(self, root: Path, known: Registry = Registry()) -> None:  # noqa: B008 - frozen
        content, _ = load_content(root)
        abstracts, self.problems, self.counts = read_sources(root, [SourceSpec(pattern="seeds/*")])
        restored = [restore(abstract) for abstract in abstracts]
        options = load_config(root)[0].dedup
        self.grouping: Grouping = group_papers(
            restored, decisions=content.decisions, options=options
        )
        assigned = assign(self.grouping.groups, known)
        self.registry = assigned.registry
        self.papers: tuple[Paper, ...] = assigned.papers

    def lines(self, code: str) -> list[str]:
        """Return file and line of each problem of a code."""
        return [str(problem.location) for problem in self.problems if problem.code == code]

    def by_title(self) -> dict[str, Paper]:
        """Return the papers by their titles."""
        return {paper.title.text if paper.title else "": paper for paper in self.papers}


def build(root: Path, *args: str, code: int = 0, **env: str) -> str:
    """Build a digest in a process of its own and return what it said."""
    ran = run_sitegen("build", "--no-search", *args, cwd=root, **env)
    assert ran.returncode == code, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


def papers(root: Path) -> list[dict[str, Any]]:
    """Return the published papers."""
    lines = (root / "public/data/papers.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def page(root: Path, paper: dict[str, Any]) -> str:
    """Return a paper's page."""
    return (root / "public/papers" / paper["id"] / "index.html").read_text(encoding="utf-8")


def tree(root: Path) -> dict[str, bytes]:
    """Return all published files."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted((root / "public").rglob("*"))
        if path.is_file()
    }
