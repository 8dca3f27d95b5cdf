"""Start a digest, and put it before its readers."""

from __future__ import annotations

from pathlib import Path

import click

from sitegen.commands.options import ROOT, mendable

EXAMPLES = ("seeds/example.txt", "content/topics/getting-started.md")
"""Files of a new digest that its curator replaces."""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@mendable
def init(folder: Path) -> None:
    """Start a new digest in DIR, complete with an example.

    It holds settings, an example and a publishing workflow, and builds at once.
    """
    from sitegen.scaffold import start_digest

    for path in start_digest(folder):
        click.echo(f"wrote {folder / path}")
    click.echo(
        f"Now: cd {folder}; sitegen add FILE... brings your papers in; sitegen build makes the"
        f" site.\n{' and '.join(EXAMPLES)} are examples: delete them before you publish."
    )


@click.command()
@ROOT
@click.option("--remote", default="origin", help="Git remote to push to.  [default: origin]")
@click.option("--branch", default="gh-pages", help="Branch to push.  [default: gh-pages]")
@click.option("--message", default="Deploy the site", help="Message of the commit.")
@mendable
def deploy(root: Path, remote: str, branch: str, message: str) -> None:
    """Push the built site to a branch, for hosts that serve branches."""
    from sitegen.deploy import deploy as push

    commit = push(root, root / "public", remote=remote, branch=branch, message=message)
    click.echo(f"{branch} on {remote} holds the site (commit {commit[:12]})")
