"""Gives up a published address on purpose: a notice with the reason answers there for ever."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import urlsplit

from sitegen.diagnostics import Location, SitegenError, error
from sitegen.ledger import REGISTRY, Entry, Registry, make_registry


def retire(
    registry: Registry, address: str, why: str, *, base_path: str, pages: Iterable[str]
) -> tuple[Registry, Entry]:
    """Return the registry with an address given up.

    Args:
        registry: as loaded.
        address: a path from the site's root, or a whole address.
        why: shown to readers; one line.
        base_path: of the site, as whole addresses begin.
        pages: paths of the pages that there are now, e.g. ``topics/x/``.

    Raises:
        SitegenError: the address was never published, or something answers there.
    """
    url = _path(address, base_path)
    entry = next((each for each in registry.entries if each.url == url), None)
    if entry is None:
        known = [each.url for each in registry.entries]
        close = difflib.get_close_matches(url, known, n=1)
        hint = f"did you mean {close[0]}?" if close else "content/registry.jsonl lists them all"
        text = f"{url} was never published"
        raise SitegenError(error("retire-unknown", text, Location(REGISTRY), hint))
    if entry.state == "alias":
        text = f"{url} leads to {entry.target}"
        hint = "nothing is lost: there is nothing to retire"
        raise SitegenError(error("retire-live", text, Location(REGISTRY), hint))
    if url.removeprefix("/") in set(pages):
        raise SitegenError(
            error("retire-live", f"a page answers at {url}", Location(REGISTRY), _first(entry))
        )
    shown = "".join(char for char in why if char.isprintable() or char.isspace())
    gone = replace(entry, state="gone", target="", reason=" ".join(shown.split()))
    others = (each for each in registry.entries if each is not entry)
    return make_registry([*others, gone]), gone


def _path(address: str, base_path: str) -> str:
    parts = urlsplit(address.strip())
    path = parts.path
    if parts.scheme and path.startswith(base_path):
        path = path[len(base_path) :]
    path = path.removesuffix("index.html").strip("/")
    return f"/{path}/" if path else "/"


def _first(entry: Entry) -> str:
    """Say what to do before an address can be given up."""
    if entry.kind == "paper":
        return f"write withdrawn: and the reason into content/papers/{entry.id}.md instead"
    return "take away what makes the page first, e.g. its file in content/"
