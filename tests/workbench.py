"""A small digest on disk and the commands run on it in this process."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from sitegen.build import build_site, gather, read_digest
from sitegen.cli import main
from sitegen.digest import BuildOptions, Digest, Gathered
from sitegen.ledger import dump
from sitegen.memory import Memory
from sitegen.progress import Progress
from sitegen.report import Report

OTTERS = (
    "We record river otters over two winters and find that their whistles differ between rivers. "
    "A classifier of whistle contours names the home river of an otter in most cases."
)
WHISTLES = (
    "Whistle contours of captive otters change with age. We follow nine animals from birth and fit "
    "a growth curve to the pitch of each whistle contour, week by week, for three years."
)
MUD = (
    "Sediment cores from four fjords show that mud settles in layers of unequal age. We date them "
    "with lead isotopes and give a chronology of the last three hundred years of storms."
)


def start(root: Path, *texts: str, name: str = "may") -> Path:
    """Write a digest of some abstracts, in one source file."""
    (root / "seeds").mkdir(parents=True, exist_ok=True)
    (root / "content").mkdir(exist_ok=True)
    write(root, f"seeds/{name}.txt", "Notes\n\n" + "\n\n".join(texts) + "\n")
    return root


def write(root: Path, path: str, text: str) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, "utf-8")


def sitegen(root: Path, *args: str, typed: str = "") -> Result:
    """Run a command in a digest's folder."""
    return CliRunner().invoke(main, [*args, "--root", str(root)], input=typed)


def build(root: Path) -> Report:
    return build_site(BuildOptions(root=root, search=False), Progress())


def read(root: Path) -> Digest:
    return read_digest(BuildOptions(root=root, search=False), Progress())


def gathered(root: Path) -> Gathered:
    return gather(BuildOptions(root=root), Progress(), Memory())


def register(root: Path) -> Gathered:
    """Do what a build does with the registry."""
    found = gathered(root)
    (root / "content/registry.jsonl").write_bytes(dump(found.registry))
    return found


def paper_of(root: Path, text: str) -> str:
    """Return the id of the paper with this abstract."""
    return next(paper.id for paper in gathered(root).papers if paper.source_text == text)
