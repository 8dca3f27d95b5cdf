"""Runs Pagefind over a folder of documents; its failure becomes our error."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from sitegen.diagnostics import Location, Problem, SitegenError, error
from sitegen.orphans import end_with_parent

INCLUDED_CHARACTERS = "+#"
"""Characters that stay part of a word, for C++ and C#."""
UNUSED = ("*-ui*", "*-highlight.js")
"""Pagefind's ready-made interfaces and its marks, which the search page does without."""
ENGINE = ("*.js", "wasm.*")
"""What runs in the browser: needed once, whatever the number of shards."""
ENTRY = "pagefind-entry.json"


def run_pagefind(
    documents: Mapping[str, bytes], language: str, *, engine: bool, folder: Path | None = None
) -> dict[str, bytes]:
    """Index documents.

    Args:
        documents: HTML by path below the site's root (``papers/ab12cd34/index.html``).
        language: tag whose first part decides on stemming; the rest makes the names of a shard's
            papers differ from those of others.
        engine: whether to return the engine beside the index.
        folder: to work in, where `clear_leftovers` finds what a killed run leaves; else the
            system's for temporary files.

    Returns:
        files of the index by path below its folder, sorted.

    Raises:
        SitegenError: Pagefind is not there or did not succeed; its last lines are in the text.
    """
    # Imported here: the wheel looks for its binary on import, which only this step needs.
    from pagefind_bin import get_executable

    with _aside(folder) as aside:
        site, made = aside / "site", aside / "index"
        try:
            for path, data in documents.items():
                file = site / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
        except OSError as exc:
            raise SitegenError(_failure(str(exc), _WITHOUT)) from exc
        command = [
            str(get_executable()),
            "--site", str(site),
            "--output-path", str(made),
            "--force-language", language,
            "--include-characters", INCLUDED_CHARACTERS,
        ]  # fmt: skip
        _run(command)
        if not (made / "pagefind.js").is_file():
            raise SitegenError(_failure("it wrote no index", _WITHOUT))
        unused = {file for pattern in UNUSED for file in made.glob(pattern)}
        if engine:
            unused |= set(made.glob("wasm.*")) - {made / name for name in _stemmers(made / ENTRY)}
        else:
            unused |= {file for pattern in ENGINE for file in made.glob(pattern)}
        return {
            file.relative_to(made).as_posix(): file.read_bytes()
            for file in sorted(made.rglob("*"))
            if file.is_file() and file not in unused
        }


@contextmanager
def _aside(folder: Path | None) -> Iterator[Path]:
    """Give a folder of one's own that goes at the end."""
    name = {"prefix": ".pagefind-", "suffix": f".{os.getpid()}.tmp"}
    with tempfile.TemporaryDirectory(
        dir=_usable(folder), ignore_cleanup_errors=True, **name
    ) as own:
        Path(own, "site").mkdir()
        yield Path(own)


def _usable(folder: Path | None) -> Path | None:
    """Return a folder that can be written to and whose name Pagefind can read, or None."""
    if folder:
        with suppress(OSError, UnicodeEncodeError):
            str(folder).encode()
            folder.mkdir(parents=True, exist_ok=True)
            return folder if os.access(folder, os.W_OK) else None
    return None


def _stemmers(entry: Path) -> list[str]:
    """Return the names of the engine's files for the languages of an index."""
    languages = json.loads(entry.read_text(encoding="utf-8"))["languages"]
    return [f"wasm.{language['wasm'] or 'unknown'}.pagefind" for language in languages.values()]


_WITHOUT = "build with --no-search to publish without a search index"


def _run(command: list[str]) -> None:
    try:
        result = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=partial(end_with_parent, os.getpid()),
        )
    except OSError as exc:
        raise SitegenError(_failure(str(exc), "reinstall the package pagefind-bin")) from exc
    if result.returncode == -9:
        # The system ends whoever takes too much.
        hint = "use a machine with more memory, or build with --no-search"
        raise SitegenError(_failure("it ran out of memory", hint))
    if result.returncode:
        said = (result.stderr or result.stdout).strip().splitlines()[-5:]
        ended = f"exit code {result.returncode}: {' / '.join(said) or 'no message'}"
        raise SitegenError(_failure(ended, _WITHOUT))


def _failure(text: str, hint: str) -> Problem:
    return error("search-failed", f"Pagefind failed: {text}", Location("pagefind"), hint)
