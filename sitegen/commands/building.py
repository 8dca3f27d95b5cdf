"""Build, check and look at a digest."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import click

from sitegen.commands.options import (
    AS_JSON,
    BASE_URL,
    EXECUTOR,
    FROZEN,
    JOBS,
    QUIET,
    ROOT,
    STRICT,
    checked_url,
    mendable,
    print_problems,
)


@click.command()
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
@EXECUTOR
@click.option("--timings", is_flag=True, help="Print how long each stage took.")
@QUIET
@AS_JSON
@mendable
def build(
    root: Path,
    output: Path | None,
    base_url: str | None,
    *,
    frozen: bool,
    strict: bool,
    no_search: bool,
    jobs: int,
    executor: str,
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
        base_url=checked_url(base_url),
        repository=os.environ.get("GITHUB_REPOSITORY", ""),
        commit=os.environ.get("GITHUB_SHA", ""),
        frozen=frozen,
        strict=strict,
        search=not no_search,
        jobs=jobs,
        executor=executor,
    )
    report = build_site(options, progress)
    print_problems(report.problems)
    if as_json:
        click.echo(json.dumps(report.to_json(), ensure_ascii=False, indent=1))
    else:
        if timings:
            for name, seconds in report.seconds.items():
                cpu = report.cpu[name]
                click.echo(f"{name:<12} {seconds:7.2f} s {cpu:8.2f} s of processor", err=True)
        if not quiet:
            click.echo(report.summary())
    sys.exit(report.exit_code)


@click.command()
@ROOT
@BASE_URL
@STRICT
@JOBS
@EXECUTOR
@AS_JSON
@mendable
def check(
    root: Path, base_url: str | None, *, strict: bool, jobs: int, executor: str, as_json: bool
) -> None:
    """Do all of a build but rendering, and print what is wrong."""
    from sitegen.build import check_site
    from sitegen.digest import BuildOptions
    from sitegen.progress import Progress

    options = BuildOptions(
        root=root,
        base_url=checked_url(base_url),
        strict=strict,
        jobs=jobs,
        executor=executor,
        frozen=True,
    )
    report = check_site(options, Progress())
    if as_json:
        click.echo(json.dumps(report.to_json(), ensure_ascii=False, indent=1))
    else:
        print_problems(report.problems)
        click.echo(report.summary())
    sys.exit(report.exit_code)


@click.command()
@ROOT
@BASE_URL
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="First port to try.")
@click.option("--no-search", is_flag=True, help="Build without a search index.")
@JOBS
@mendable
def serve(root: Path, base_url: str | None, *, port: int, no_search: bool, jobs: int) -> None:
    """Show the digest on this machine, built anew after every save.

    Neither public/ nor the registry changes; build before you publish.
    """
    from sitegen.digest import BuildOptions
    from sitegen.progress import choose_progress
    from sitegen.serve.loop import serve as run

    options = BuildOptions(
        root=root,
        base_url=checked_url(base_url),
        repository=os.environ.get("GITHUB_REPOSITORY", ""),
        search=not no_search,
        jobs=jobs,
    )
    run(
        options,
        port=port,
        progress=choose_progress(quiet=False),
        say=click.echo,
        complain=print_problems,
    )
