"""Start the curator's own files, and change them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from sitegen.commands.options import ROOT, mendable, print_problems
from sitegen.diagnostics import Location, SitegenError, error

if TYPE_CHECKING:
    from sitegen.digest import Digest, Gathered
    from sitegen.drafts import Draft

LARGEST = 1_000_000
"""Bytes of an issue's text."""


@click.group()
def new() -> None:
    """Start a file in content/, with what is known filled in.

    None is overwritten.
    """


@new.command("paper")
@click.argument("identifier", metavar="ID")
@ROOT
@mendable
def new_paper(identifier: str, root: Path) -> None:
    """Start a correction or a note of the paper with this id or address."""
    from sitegen.drafts import draft_paper

    _write(root, draft_paper(_digest(root), identifier))


@new.command("topic")
@click.argument("slug")
@ROOT
@mendable
def new_topic(slug: str, root: Path) -> None:
    """Start a topic; a tag of that name gives its phrases and examples."""
    from sitegen.drafts import draft_topic

    _write(root, draft_topic(_digest(root), slug))


@new.command("edition")
@click.argument("slug")
@ROOT
@mendable
def new_edition(slug: str, root: Path) -> None:
    """Start the title and text of an edition."""
    from sitegen.drafts import draft_edition

    _write(root, draft_edition(_gathered(root), slug))


@new.command("page")
@click.argument("slug")
@ROOT
@mendable
def new_page(slug: str, root: Path) -> None:
    """Start a page of your own."""
    from sitegen.drafts import draft_page

    _write(root, draft_page(_gathered(root), slug))


@click.command()
@click.argument("file", type=click.File("rb"))
@ROOT
@click.option("--force", is_flag=True, help="Prefer the correction to what the file says.")
@click.option("--dry-run", is_flag=True, help="Say what would change, and write nothing.")
@mendable
def fix(file: BinaryIO, root: Path, *, force: bool, dry_run: bool) -> None:
    """Apply the corrections in an issue's text.

    FILE holds it, - means standard input. "Fix this record" on a paper's page prefills such a
    block. What contradicts the paper's file in content/papers/ is reported and left alone.
    """
    from sitegen.atomic import write_atomic
    from sitegen.correction_block import read_blocks
    from sitegen.fixes import apply_correction, describe

    text = file.read(LARGEST).decode("utf-8-sig", "replace")
    corrections, faults = read_blocks(text, getattr(file, "name", "-"))
    print_problems(faults)
    if not corrections:
        sys.exit(1)
    digest = _digest(root)
    failed = bool(faults)
    for correction in corrections:
        path = root / "content/papers" / f"{correction.id}.md"
        try:
            present = path.read_text("utf-8") if path.is_file() else ""
        except UnicodeDecodeError:
            text = "the file is not UTF-8"
            raise SitegenError(error("content-encoding", text, Location(str(path)))) from None
        done = apply_correction(digest, correction, present, force=force)
        print_problems(done.problems)
        failed = failed or bool(done.problems)
        if done.changed and not dry_run:
            write_atomic(path, done.text.encode())
        for line in describe(done):
            click.echo(f"{line} (not written)" if dry_run and done.changed else line)
    sys.exit(failed)


@click.command()
@click.argument("url", metavar="URL")
@click.option("--why", required=True, help="The reason, shown to readers in one line.")
@ROOT
@mendable
def retire(url: str, why: str, root: Path) -> None:
    """Give up a published address: a notice answers there.

    URL is a path from the site's root, or a whole address. The notice gives the reason.
    """
    from sitegen.atomic import write_atomic
    from sitegen.ledger import REGISTRY, dump, load
    from sitegen.retirement import retire as give_up
    from sitegen.views import AliasView, TombstoneView

    digest = _digest(root)
    registry, _ = load(root / REGISTRY)
    changed, entry = give_up(
        registry,
        url,
        why,
        base_path=digest.gathered.config.base_path,
        pages=[
            page.path
            for page in digest.site.pages
            if not isinstance(page.basis, AliasView | TombstoneView)
        ],
    )
    write_atomic(root / REGISTRY, dump(changed))
    click.echo(f"{REGISTRY}: {entry.url} is given up: {entry.reason}")


@click.group()
def topics() -> None:
    """Look after the topics."""


@topics.command()
@click.option("--write", is_flag=True, help="Write the files; those that exist are left alone.")
@ROOT
@mendable
def suggest(root: Path, *, write: bool) -> None:
    """Propose topics for papers that none covers.

    They are printed as files to edit, with papers for example.
    """
    from sitegen.suggestions import suggest_topics

    drafts = suggest_topics(_digest(root))
    for draft in drafts:
        if not write:
            click.echo(f"{draft.path}\n{draft.text}")
        elif not (root / draft.path).exists():
            _write(root, draft)
    if not drafts:
        click.echo("no topic to suggest: every paper has one, or the rest have nothing in common")


def _digest(root: Path) -> Digest:
    from sitegen.build import read_digest
    from sitegen.digest import BuildOptions
    from sitegen.progress import Progress

    return read_digest(BuildOptions(root=root, frozen=True), Progress())


def _gathered(root: Path) -> Gathered:
    from sitegen.build import gather
    from sitegen.digest import BuildOptions
    from sitegen.memory import Memory
    from sitegen.progress import Progress

    return gather(BuildOptions(root=root, frozen=True), Progress(), Memory())


def _write(root: Path, draft: Draft) -> None:
    """Write a file that is not there yet."""
    path = root / draft.path
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(draft.text)
    except FileExistsError as exc:
        hint = "edit it"
        raise SitegenError(
            error("new-exists", "the file is there already", Location(draft.path), hint)
        ) from exc
    print_problems(draft.problems)
    click.echo(f"wrote {draft.path}")
