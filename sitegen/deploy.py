"""Pushes a built site to a branch as one commit, for hosts that serve branches.

Works on git's object store alone: neither the working tree nor the index of the project changes.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from sitegen.config import LOCAL_BASE_URL
from sitegen.diagnostics import Location, SitegenError, error

_FAULTS = (
    ("not a git repository", "git init, then git remote add origin ADDRESS"),
    ("does not appear to be a git repository", "git remote add {remote} ADDRESS, or --remote NAME"),
    ("stale info", "somebody else pushed in the meantime: run sitegen deploy again"),
    (
        "file size limit",
        "publish by the workflow that sitegen init writes, which has no such limit",
    ),
    ("rejected", "the host refuses the push: look at the branch's protection there"),
)
"""What git says, and what helps."""
LARGEST = 100 * 2**20
"""Bytes of the largest file that GitHub takes in a branch; its workflows have no such limit."""
_OTHERWISE = "git push {remote} has to work by hand first: check the address and your access"
LISTING = ".sitegen-files"
"""File on the branch that names what the last deployment put there; all else is not ours."""


def deploy(root: Path, site: Path, *, remote: str, branch: str, message: str) -> str:
    """Make the branch hold the site, and files of others that were on it before.

    The branch gets a single commit without history, so that it never grows; a push by somebody
    else in the meantime is an error, not overwritten.

    Args:
        root: a folder inside the project's git repository.
        site: the built site.
        remote: name or address of a remote.
        branch: name of the branch.
        message: of the commit.

    Returns:
        the commit's id; the branch's present one where nothing differs.

    Raises:
        SitegenError: there is no site, or git did not succeed; what it said is in the text.
    """
    if not (site / "index.html").is_file():
        hint = "run sitegen build first"
        raise SitegenError(error("deploy-nothing", "no site here", Location(str(site)), hint))
    _check_address(site)
    _check_sizes(root, site, remote)
    tip = _tip(root, remote, branch)
    with tempfile.TemporaryDirectory(prefix="sitegen-deploy-") as folder:
        index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        if tip:
            _git(root, "fetch", "--quiet", "--depth=1", remote, branch)
            _git(root, "read-tree", tip, env=index)
            _forget(root, tip, index)
        files = sorted(
            file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file()
        )
        _add(root, site, files, index)
        tree = _git(root, "write-tree", env=index)
    if tip and _git(root, "rev-parse", f"{tip}^{{tree}}") == tree:
        return tip
    author = {
        name: os.environ.get(name, "sitegen@localhost" if name.endswith("EMAIL") else "sitegen")
        for name in (
            "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL",
        )
    }  # fmt: skip
    commit = _git(root, "commit-tree", tree, "-m", message, env=author)
    lease = f"--force-with-lease=refs/heads/{branch}:{tip}"
    _git(root, "push", "--quiet", lease, remote, f"{commit}:refs/heads/{branch}", remote=remote)
    return commit


def _check_address(site: Path) -> None:
    """Refuse a site that was built for this machine.

    Raises:
        SitegenError: its feeds, sitemap and shared links would lead nowhere.
    """
    robots = site / "robots.txt"
    if robots.is_file() and f"Sitemap: {LOCAL_BASE_URL}".encode() in robots.read_bytes():
        text = f"the site was built for {LOCAL_BASE_URL}: feeds and shared links would lead there"
        hint = "set base_url or repository in content/site.toml, then: sitegen build"
        raise SitegenError(error("deploy-address", text, Location(str(site)), hint))


def _check_sizes(root: Path, site: Path, remote: str) -> None:
    """Refuse, before hundreds of megabytes are sent, what GitHub would refuse after it.

    Raises:
        SitegenError: a file is larger than GitHub takes in a branch, and the remote is there.
    """
    large = [
        (size, file)
        for file in site.rglob("*")
        if file.is_file() and (size := file.stat().st_size) > LARGEST
    ]
    if not large or "github.com" not in _address(root, remote):
        return
    raise SitegenError(
        *(
            error(
                "deploy-large",
                f"{size / 2**20:,.0f} MiB; GitHub takes files of {LARGEST / 2**20:.0f} MiB at most"
                " in a branch",
                Location(str(file)),
                "publish by the workflow that sitegen init writes (.github/workflows/pages.yml):"
                " it takes files of any size",
            )
            for size, file in sorted(large, reverse=True)
        )
    )


def _address(root: Path, remote: str) -> str:
    """Return the address of a remote, which may be an address itself."""
    try:
        return _git(root, "remote", "get-url", "--push", remote)
    except SitegenError:
        return remote


def _tip(root: Path, remote: str, branch: str) -> str:
    """Return the branch's commit on the remote; empty where there is no such branch."""
    listed = _git(root, "ls-remote", remote, f"refs/heads/{branch}", remote=remote)
    return listed.split()[0] if listed else ""


def _forget(root: Path, tip: str, index: Mapping[str, str]) -> None:
    """Take the files of the last deployment out of the index; those of others stay."""
    try:
        listing = _git(root, "cat-file", "blob", f"{tip}:{LISTING}")
    except SitegenError:
        return
    names = "\0".join([*listing.splitlines(), LISTING])
    _git(root, "update-index", "-z", "--force-remove", "--stdin", env=index, given=names.encode())


def _add(root: Path, site: Path, files: list[str], index: Mapping[str, str]) -> None:
    """Put the site's files, and the list of them, into the index as plain files."""
    paths = "\n".join(str((site / name).absolute()) for name in files)
    blobs = _git(
        root, "hash-object", "-w", "--no-filters", "--stdin-paths", given=paths.encode()
    ).splitlines()
    listing = "".join(f"{name}\n" for name in files)
    blobs.append(_git(root, "hash-object", "-w", "--stdin", given=listing.encode()))
    entries = zip(blobs, [*files, LISTING], strict=True)
    lines = "\0".join(f"100644 {blob}\t{name}" for blob, name in entries)
    _git(root, "update-index", "-z", "--index-info", env=index, given=lines.encode() + b"\0")


def _git(
    root: Path,
    *args: str,
    env: Mapping[str, str] | None = None,
    given: bytes | None = None,
    remote: str = "origin",
) -> str:
    try:
        result = subprocess.run(
            ["git", *args],
            cwd=root,
            env={**os.environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", **(env or {})},
            input=given,
            capture_output=True,
            check=False,
        )
    except OSError as exc:
        text = "git is not installed"
        raise SitegenError(error("deploy-git", text, Location("git"), "install git")) from exc
    if result.returncode:
        said = result.stderr.decode(errors="replace")
        lines = [line.strip() for line in said.splitlines() if line.strip()] or ["no message"]
        # Advice stands below what is wrong.
        why = next(
            (line for line in lines if line.startswith(("fatal:", "error:", "!"))), lines[-1]
        )
        text = f"git {args[0]} failed: {why.removeprefix('fatal: ')}"
        hint = next((helps for words, helps in _FAULTS if words in said), _OTHERWISE)
        place = Location(str(root.absolute()))
        raise SitegenError(error("deploy-git", text, place, hint.format(remote=remote)))
    return result.stdout.decode(errors="replace").strip()
