"""The command line."""

from __future__ import annotations

import io
import os
import sys

import click

from sitegen import __version__
from sitegen.commands.building import build, check, serve
from sitegen.commands.collecting import add, enrich
from sitegen.commands.curating import fix, new, retire, topics
from sitegen.commands.inspecting import explain, keywords, stats
from sitegen.commands.publishing import deploy, init
from sitegen.commands.reviewing import review

COMMANDS = (
    add, build, check, deploy, enrich, explain, fix, init, keywords, new, retire, review, serve,
    stats, topics,
)  # fmt: skip


FIRST_STEPS = (
    "First steps: sitegen init DIR, then in DIR sitegen add FILE..., sitegen build, sitegen serve."
    " Every week: add, review, build, and deploy or git push. sitegen COMMAND --help says more."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, epilog=FIRST_STEPS)
@click.version_option(__version__, prog_name="sitegen")
@click.pass_context
def main(context: click.Context) -> None:
    """Turn paper abstracts into a curated, searchable static digest."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if os.environ.get("NO_COLOR"):
        context.color = False


for command in COMMANDS:
    main.add_command(command)
