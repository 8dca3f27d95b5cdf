"""Writes requirements.lock and requirements-test.lock from what is installed in this environment.

Follows the declared dependencies as far as they are needed: KeyBERT's sentence-transformers (and
with it torch) and Model2Vec's huggingface-hub serve models that sitegen never loads. To move to
newer versions: install them, run the tests, then `make lock`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from importlib.metadata import requires, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
LEFT_OUT = frozenset({"huggingface-hub", "sentence-transformers"})
HEAD = "# Every package this environment needs, pinned; made by `make lock`. Install with --no-deps.\n"


def closure(declared: Iterable[str]) -> dict[str, str]:
    """Return name and installed version of all packages that the declared ones need."""
    pinned: dict[str, str] = {}
    waiting = [Requirement(text) for text in declared]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if not wanted or name in LEFT_OUT or name in pinned:
            continue
        pinned[name] = version(name)
        waiting += [Requirement(text) for text in requires(name) or ()]
    return pinned


def lock_text(pinned: dict[str, str]) -> str:
    """Return a lock file's text."""
    return HEAD + "".join(f"{name}=={number}\n" for name, number in sorted(pinned.items()))


def locks() -> dict[str, str]:
    """Return the text of each lock file by its name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    base = closure(project["dependencies"])
    extras = project["optional-dependencies"]
    more = closure([*extras["test"], *extras["dev"]])
    return {
        "requirements.lock": lock_text(base),
        "requirements-test.lock": lock_text({k: v for k, v in more.items() if k not in base}),
    }


if __name__ == "__main__":
    for name, text in locks().items():
        (ROOT / name).write_text(text, encoding="utf-8")
        print(f"{name}: {text.count('==')} packages")
