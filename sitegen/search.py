"""Runs Pagefind over a staged site; its failure becomes our error."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from sitegen.diagnostics import Location, Problem, SitegenError, error
from sitegen.orphans import end_with_parent

INDEXED = "papers/*/index.html"
"""Only paper pages are indexed: lists and menus would drown them."""
INCLUDED_CHARACTERS = "+#"
"""Characters that stay part of a word, for C++ and C#."""

UNUSED = ("*-ui*", "pagefind-highlight.js")
"""Pagefind's ready-made interfaces and its marks, which the search page does without."""


def write_index(site: Path, language: str) -> None:
    """Write the search index of a staged site into its ``pagefind`` folder.

    Args:
        site: folder that holds the complete site.
        language: BCP 47 tag, for stemming.

    Raises:
        SitegenError: Pagefind is not there or did not succeed; its last lines are in the text.
    """
    # Imported here: the wheel looks for its binary on import, which only this step needs.
    from pagefind_bin import get_executable

    command = [
        str(get_executable()),
        "--site", str(site),
        "--glob", INDEXED,
        "--force-language", language.partition("-")[0].lower(),
        "--include-characters", INCLUDED_CHARACTERS,
    ]  # fmt: skip
    try:
        result = subprocess.run(
            command, capture_output=True, text=True, check=False, preexec_fn=end_with_parent
        )
    except OSError as exc:
        raise SitegenError(_failure(str(exc), "reinstall the package pagefind-bin")) from exc
    if result.returncode == -9:
        # The system ends whoever takes too much: about 1.2 GB for 10,000 papers, 3.5 for 30,000.
        hint = "use a machine with more memory, or build with --no-search"
        raise SitegenError(_failure("it ran out of memory", hint))
    if result.returncode or not (site / "pagefind" / "pagefind.js").is_file():
        said = (result.stderr or result.stdout).strip().splitlines()[-5:]
        ended = f"exit code {result.returncode}: {' / '.join(said) or 'no message'}"
        hint = "build with --no-search to publish without a search index"
        raise SitegenError(_failure(ended, hint))
    folder = site / "pagefind"
    unused = [file for pattern in UNUSED for file in folder.glob(pattern)]
    entry = json.loads((folder / "pagefind-entry.json").read_text(encoding="utf-8"))
    stemmers = {
        f"wasm.{part['wasm'] or 'unknown'}.pagefind" for part in entry["languages"].values()
    }
    unused += [file for file in folder.glob("wasm.*.pagefind") if file.name not in stemmers]
    for file in unused:
        file.unlink()


def _failure(text: str, hint: str) -> Problem:
    return error("search-failed", f"Pagefind failed: {text}", Location("pagefind"), hint)
