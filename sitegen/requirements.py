"""Which packages sitegen needs, as far as it needs them: for lock files.

Follows declared dependencies, but leaves out what only serves models that sitegen never loads:
KeyBERT declares sentence-transformers, and with it torch; Model2Vec declares huggingface-hub.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distribution, requires, version

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LEFT_OUT = frozenset({"huggingface-hub", "sentence-transformers"})


def pin(declared: Iterable[str]) -> dict[str, str]:
    """Return name and installed version of every package that the declared ones need.

    Args:
        declared: requirements as in pyproject.toml; markers are evaluated for this machine.

    Raises:
        PackageNotFoundError: one of them is not installed.
    """
    pinned: dict[str, str] = {}
    waiting = [Requirement(text) for text in declared]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if wanted and name not in LEFT_OUT and name not in pinned:
            pinned[name] = version(name)
            waiting += [Requirement(text) for text in requires(name) or ()]
    return pinned


def own_requirement() -> str:
    """Return the requirement that installs this very sitegen: a commit or a version."""
    try:
        data = json.loads(distribution("sitegen").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        data = {}
    source = data.get("vcs_info", {})
    if source.get("vcs") == "git":
        return f"sitegen @ git+{data['url']}@{source['commit_id']}"
    return f"sitegen=={version('sitegen')}"
