"""Writes requirements.lock and requirements-test.lock from what is installed in this environment.

To move to newer versions: install them, run the tests, then `make lock`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from sitegen.requirements import pin

ROOT = Path(__file__).parent.parent
HEAD = (
    "# Every package this environment needs, pinned; made by `make lock`. Install with --no-deps.\n"
)


def lock_text(pinned: dict[str, str]) -> str:
    """Return a lock file's text."""
    return HEAD + "".join(f"{name}=={number}\n" for name, number in sorted(pinned.items()))


def locks() -> dict[str, str]:
    """Return the text of each lock file by its name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    base = pin(project["dependencies"])
    extras = project["optional-dependencies"]
    more = pin([*extras["test"], *extras["dev"]])
    return {
        "requirements.lock": lock_text(base),
        "requirements-test.lock": lock_text({k: v for k, v in more.items() if k not in base}),
    }


if __name__ == "__main__":
    for name, text in locks().items():
        (ROOT / name).write_text(text, encoding="utf-8")
        print(f"{name}: {text.count('==')} packages")
