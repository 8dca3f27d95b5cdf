"""Options and habits that commands share."""

from __future__ import annotations

import errno
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from sitegen.diagnostics import Location, Problem, Severity, SitegenError, error

MOST_ALIKE = 50
"""Problems of one code that are printed one by one."""
ROOT = click.option(
    "--root",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=Path(),
    help="The digest's folder.  [default: this folder]",
)
STRICT = click.option("--strict", is_flag=True, help="Count warnings as errors.")
QUIET = click.option("--quiet", "-q", is_flag=True, help="Print problems only.")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
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

EXECUTOR = click.option(
    "--executor",
    metavar="ADDRESS",
    default="",
    callback=lambda _context, _option, value: checked_executor(value),
    help="Tag papers on the Dask cluster at dask://HOST:PORT.  [default: processes here]",
)


def mendable(command: Callable[..., None]) -> Callable[..., None]:
    """Print a user's error without traceback and exit 1."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except SitegenError as exc:
            print_problems(exc.problems)
            sys.exit(1)
        except OSError as exc:
            if exc.errno == errno.EPIPE:  # the reader of our output has gone: click ends quietly
                raise
            reason = (exc.strerror or str(exc)).lower()
            hint = "free some space, or mend the file's place and permissions"
            place = Location(str(exc.filename2 or exc.filename or "."))
            print_problems([error("system-refused", f"the system says: {reason}", place, hint)])
            sys.exit(1)

    return run


def checked_url(value: str | None) -> str | None:
    """Return an address given on the command line.

    Raises:
        BadParameter: it is not absolute.
    """
    from sitegen.config import is_absolute_url

    if value is not None and not is_absolute_url(value):
        raise click.BadParameter("give an address like https://host/path/", param_hint="--base-url")
    return value


def checked_executor(value: str) -> str:
    """Return the address of a cluster given on the command line; empty where none is.

    Raises:
        BadParameter: it has another form.
    """
    from sitegen.cluster import FORM, scheduler_of

    if value and not scheduler_of(value):
        raise click.BadParameter(f"give an address of the form {FORM}")
    return value


def print_problems(problems: Iterable[Problem]) -> None:
    """Print problems to standard error, each in the colour of its severity."""
    colours = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "blue"}
    alike: Counter[str] = Counter()
    for problem in problems:
        alike[problem.code] += 1
        if alike[problem.code] <= MOST_ALIKE:
            click.secho(str(problem), fg=colours[problem.severity], err=True)
    for code, number in alike.items():
        if number > MOST_ALIKE:
            words = (
                f"and {number - MOST_ALIKE:,} more of [{code}]; --json of build and check has all"
            )
            click.secho(words, err=True)
