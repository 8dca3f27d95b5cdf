"""Bring papers in, and what is known of them."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from sitegen.commands.options import JOBS, QUIET, ROOT, mendable, print_problems
from sitegen.diagnostics import Severity


@click.command()
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True),
    metavar="FILE...",
)
@ROOT
@mendable
def add(files: tuple[Path, ...], root: Path) -> None:
    """Bring files of papers into seeds/, whatever their format.

    The format is told by the content. A file that no reader understands is refused; one that is
    there already is not copied again.
    """
    from sitegen.additions import add_file
    from sitegen.config import load_config

    config, problems = load_config(root)
    print_problems(problems)
    refused = False
    for file in files:
        addition = add_file(root, file, config.sources)
        print_problems(addition.problems)
        click.echo(addition.line())
        refused = refused or addition.refused
    sys.exit(refused)


@click.command()
@click.argument(
    "files",
    nargs=-1,
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE...",
)
@ROOT
@JOBS
@QUIET
@mendable
def enrich(files: tuple[Path, ...], root: Path, *, jobs: int, quiet: bool) -> None:
    """Find true titles of papers in metadata of any size.

    Authors, dates and ids are found with them. FILE is e.g. the arXiv metadata snapshot, plain or
    compressed; without any, those are read that site.toml names. No paper is added. What is found
    is kept in content/references.jsonl.
    """
    from sitegen.digest import BuildOptions
    from sitegen.enrich import enrich as look_through
    from sitegen.progress import choose_progress

    options = BuildOptions(root=root, jobs=jobs, frozen=True)
    result = look_through(options, files, choose_progress(quiet=quiet))
    print_problems(result.problems)
    if not quiet:
        for line in result.lines():
            click.echo(line)
    sys.exit(any(problem.severity is Severity.ERROR for problem in result.problems))
