"""The command line: each command parses, calls one function, reports."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from sitegen import __version__
from sitegen.diagnostics import Location, Problem, Severity, SitegenError, error

ROOT = click.option(
    "--root",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=Path(),
    help="The digest's folder.  [default: this folder]",
)
STRICT = click.option("--strict", is_flag=True, help="Count warnings as errors.")
QUIET = click.option("--quiet", "-q", is_flag=True, help="Print problems only.")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
BASE_URL = click.option("--base-url", help="The site's address.  [default: from site.toml]")
FROZEN = click.option(
    "--frozen/--no-frozen",
    default=lambda: bool(os.environ.get("CI")),
    help="Leave content/registry.jsonl as it is.  [default: where CI is set]",
)
JOBS = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=lambda: os.cpu_count() or 1,
    help="Processes to use.  [default: one a core]",
)


def _mendable(command: Callable[..., None]) -> Callable[..., None]:
    """Print a user's error without traceback and exit 1."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except SitegenError as exc:
            _print_problems(exc.problems)
            sys.exit(1)

    return run


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sitegen")
def main() -> None:
    """Turn paper abstracts into a curated, searchable static digest."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@main.command()
@ROOT
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the site goes.  [default: ROOT/public]",
)
@BASE_URL
@FROZEN
@STRICT
@click.option("--no-search", is_flag=True, help="Build without a search index.")
@JOBS
@click.option("--timings", is_flag=True, help="Print how long each stage took.")
@QUIET
@AS_JSON
@_mendable
def build(
    root: Path,
    output: Path | None,
    base_url: str | None,
    *,
    frozen: bool,
    strict: bool,
    no_search: bool,
    jobs: int,
    timings: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Build the site from seeds/ and content/."""
    from sitegen.build import build_site
    from sitegen.digest import BuildOptions
    from sitegen.progress import choose_progress

    progress = choose_progress(quiet=quiet or as_json)
    options = BuildOptions(
        root=root,
        output=output,
        base_url=_checked_url(base_url),
        repository=os.environ.get("GITHUB_REPOSITORY", ""),
        frozen=frozen,
        strict=strict,
        search=not no_search,
        jobs=jobs,
    )
    report = build_site(options, progress)
    _print_problems(report.problems)
    if as_json:
        click.echo(json.dumps(report.to_json(), ensure_ascii=False, indent=1))
    else:
        if timings:
            for name, seconds in report.seconds.items():
                click.echo(f"{name:<12} {seconds:7.2f} s", err=True)
        if not quiet:
            click.echo(report.summary())
    sys.exit(report.exit_code)


@main.command()
@ROOT
@BASE_URL
@STRICT
@JOBS
@AS_JSON
@_mendable
def check(root: Path, base_url: str | None, *, strict: bool, jobs: int, as_json: bool) -> None:
    """Do all of a build but rendering, and print what is wrong."""
    from sitegen.build import check_site
    from sitegen.digest import BuildOptions
    from sitegen.progress import Progress

    options = BuildOptions(
        root=root, base_url=_checked_url(base_url), strict=strict, jobs=jobs, frozen=True
    )
    report = check_site(options, Progress())
    if as_json:
        click.echo(json.dumps(report.to_json(), ensure_ascii=False, indent=1))
    else:
        _print_problems(report.problems)
        click.echo(report.summary())
    sys.exit(report.exit_code)


@main.command()
@ROOT
@BASE_URL
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="First port to try.")
@click.option("--no-search", is_flag=True, help="Build without a search index.")
@JOBS
@_mendable
def serve(root: Path, base_url: str | None, *, port: int, no_search: bool, jobs: int) -> None:
    """Show the digest on this machine, built anew after every save.

    Neither public/ nor the registry changes; build before you publish.
    """
    from sitegen.digest import BuildOptions
    from sitegen.progress import choose_progress
    from sitegen.serve.loop import serve as run

    options = BuildOptions(
        root=root,
        base_url=_checked_url(base_url),
        repository=os.environ.get("GITHUB_REPOSITORY", ""),
        search=not no_search,
        jobs=jobs,
    )
    run(
        options,
        port=port,
        progress=choose_progress(quiet=False),
        say=click.echo,
        complain=_print_problems,
    )


@main.command()
@click.argument(
    "files",
    nargs=-1,
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE...",
)
@ROOT
@JOBS
@QUIET
@_mendable
def enrich(files: tuple[Path, ...], root: Path, *, jobs: int, quiet: bool) -> None:
    """Find true titles, authors, dates and ids of papers in metadata of any size.

    FILE is e.g. the arXiv metadata snapshot, plain or compressed; without any, those are read that
    site.toml names. No paper is added. What is found is kept in content/references.jsonl.
    """
    from sitegen.digest import BuildOptions
    from sitegen.enrich import enrich as look_through
    from sitegen.progress import choose_progress

    options = BuildOptions(root=root, jobs=jobs, frozen=True)
    result = look_through(options, files, choose_progress(quiet=quiet))
    _print_problems(result.problems)
    if not quiet:
        for line in result.lines():
            click.echo(line)
    sys.exit(any(problem.severity is Severity.ERROR for problem in result.problems))


@main.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@_mendable
def init(folder: Path) -> None:
    """Start a new digest in DIR: settings, an example, a publishing workflow."""
    from sitegen.scaffold import start_digest

    for path in start_digest(folder):
        click.echo(f"wrote {folder / path}")
    click.echo(f"Put abstracts into {folder / 'seeds'}, then: cd {folder} && sitegen build")


@main.command()
@ROOT
@click.option("--remote", default="origin", help="Git remote to push to.  [default: origin]")
@click.option("--branch", default="gh-pages", help="Branch to push.  [default: gh-pages]")
@click.option("--message", default="Deploy the site", help="Message of the commit.")
@_mendable
def deploy(root: Path, remote: str, branch: str, message: str) -> None:
    """Push the built site to a branch, for hosts that serve branches."""
    from sitegen.deploy import deploy as push

    commit = push(root, root / "public", remote=remote, branch=branch, message=message)
    click.echo(f"{branch} on {remote} holds the site (commit {commit[:12]})")


@main.command()
@click.argument("identifier", metavar="ID")
@ROOT
@JOBS
@_mendable
def explain(identifier: str, root: Path, *, jobs: int) -> None:
    """Print why a paper got its headline, names, tags, topics and neighbours."""
    from sitegen.build import read_digest
    from sitegen.digest import BuildOptions
    from sitegen.explain import explain_paper
    from sitegen.progress import Progress

    digest = read_digest(BuildOptions(root=root, jobs=jobs, frozen=True), Progress())
    for line in explain_paper(digest, identifier):
        click.echo(line)


@main.command()
@click.argument("file", type=click.File("r", encoding="utf-8"))
@click.option("--top", type=click.IntRange(min=1), default=10, help="Phrases a text.")
@click.option("--model", default="static", help="Embedding model, as in site.toml.")
@_mendable
def keywords(file: Iterable[str], top: int, model: str) -> None:
    """Print the key phrases of each line {"id", "text"} of a JSON Lines FILE."""
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
    for row in keyword_lines(records, KeywordOptions(model=model, top=top)):
        click.echo(json.dumps(row, ensure_ascii=False))
    _print_problems(problems)
    sys.exit(1 if problems else 0)


def _checked_url(value: str | None) -> str | None:
    from sitegen.config import is_absolute_url

    if value is not None and not is_absolute_url(value):
        raise click.BadParameter("give an address like https://host/path/", param_hint="--base-url")
    return value


def _print_problems(problems: Iterable[Problem]) -> None:
    colours = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "blue"}
    for problem in problems:
        click.secho(str(problem), fg=colours[problem.severity], err=True)
