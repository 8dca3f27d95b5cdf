"""One target under atheris: ``python -m tests.fuzz.guided NAME [libFuzzer's options]``."""

from __future__ import annotations

import sys

import atheris  # type: ignore[import-not-found]

with atheris.instrument_imports(include=["sitegen"]):
    from .targets import TARGETS


def main() -> None:
    """Fuzz until the runs are done or a promise is broken."""
    name = sys.argv.pop(1)
    atheris.Setup(sys.argv, TARGETS[name].run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
