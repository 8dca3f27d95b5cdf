"""Find out why things are as they are."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from sitegen.commands.options import AS_JSON, EXECUTOR, JOBS, ROOT, mendable, print_problems
from sitegen.diagnostics import Location, Problem, error


@click.command()
@click.argument("identifier", metavar="ID")
@ROOT
@JOBS
@mendable
def explain(identifier: str, root: Path, *, jobs: int) -> None:
    """Print why a paper is shown as it is.

    Why it got its headline, names, tags, topics and neighbours.
    """
    from sitegen.build import read_digest
    from sitegen.digest import BuildOptions
    from sitegen.explain import explain_paper
    from sitegen.progress import Progress

    digest = read_digest(BuildOptions(root=root, jobs=jobs, frozen=True), Progress())
    for line in explain_paper(digest, identifier):
        click.echo(line)


@click.command()
@click.argument("file", type=click.File("r", encoding="utf-8"))
@click.option("--top", type=click.IntRange(min=1), default=10, help="Phrases a text.")
@click.option("--model", default="static", help="Embedding model, as in site.toml.")
@JOBS
@EXECUTOR
@mendable
def keywords(file: Iterable[str], top: int, model: str, *, jobs: int, executor: str) -> None:
    """Print the key phrases of texts.

    FILE holds a JSON object {"id", "text"} a line.
    """
    from sitegen.cluster import open_workers
    from sitegen.keywords import KeywordOptions, keyword_lines

    records: list[dict[str, Any]] = []
    problems: list[Problem] = []
    for number, line in enumerate(file, 1):
        try:
            record = json.loads(line) if line.strip() else None
        except ValueError:
            record = []
        if isinstance(record, dict):
            records.append(record)
        elif record is not None:
            place = Location(getattr(file, "name", ""), number)
            hint = 'write {"id": ..., "text": ...}'
            problems.append(error("keywords-line", "not a JSON object", place, hint))
    with open_workers(executor, jobs, lambda text: click.echo(text, err=True)) as workers:
        asked = KeywordOptions(model=model, top=top)
        for row in keyword_lines(records, asked, jobs=jobs, workers=workers):
            click.echo(json.dumps(row, ensure_ascii=False))
    print_problems(problems)
    sys.exit(1 if problems else 0)


@click.command()
@ROOT
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the site is.  [default: ROOT/public]",
)
@AS_JSON
@mendable
def stats(root: Path, output: Path | None, *, as_json: bool) -> None:
    """Count what the built site holds, and how long there is room.

    The limits are those of GitHub Pages.
    """
    from sitegen.digest import BuildOptions
    from sitegen.tally import take_tally, tally_lines

    options = BuildOptions(root=root, output=output)
    tally = take_tally(options.target, options.state)
    if as_json:
        click.echo(json.dumps(tally.to_json(), ensure_ascii=False, indent=1))
        return
    for line in tally_lines(tally):
        click.echo(line)
