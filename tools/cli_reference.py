"""Writes docs/cli.md from the commands themselves: `python tools/cli_reference.py`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import click

from sitegen.cli import main

TARGET = Path(__file__).parent.parent / "docs/cli.md"
HEAD = """\
# Command line

Written by `tools/cli_reference.py` from the program; `sitegen COMMAND --help` says the same. Every
command works on the digest in the present folder unless `--root` names another. Exit codes: 0 fine,
1 the digest has errors, 2 wrong usage. `NO_COLOR` is respected.
"""


def reference() -> str:
    """Return the whole document."""
    parts = [HEAD, *(part for name in sorted(main.commands) for part in _command(name))]
    return "\n".join(parts)


def _command(name: str) -> Iterator[str]:
    command = main.commands[name]
    yield from _section(f"sitegen {name}", command, "##")
    if isinstance(command, click.Group):
        for inner in sorted(command.commands):
            yield from _section(f"sitegen {name} {inner}", command.commands[inner], "###")


def _section(path: str, command: click.Command, level: str) -> Iterator[str]:
    context = click.Context(command, info_name=path)
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"{level} `{path}`\n"
    yield f"```\n{path} {usage}\n```\n"
    yield f"{inspect.cleandoc(command.help or '')}\n"
    rows = [row for param in command.get_params(context) if (row := _row(param, context))]
    if rows:
        yield "\n".join(["| option | meaning |", "|---|---|", *rows, ""])


def _row(param: click.Parameter, context: click.Context) -> str:
    record = param.get_help_record(context) if isinstance(param, click.Option) else None
    if record is None or "--help" in param.opts:
        return ""
    names, meaning = (part.replace("|", "\\|") for part in record)
    return f"| `{names}` | {meaning} |"


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
