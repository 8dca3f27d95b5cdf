"""Fingerprints of all that a page's bytes depend on: equal ones mean equal bytes, never less.

They hold the page with the basis of its view, what every page shows, every file of the package and
every template, and the versions of the libraries that make HTML.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

from sitegen.views import Page, Row

MAKERS = ("jinja2", "markupsafe", "markdown-it-py")
_IGNORED = {"__pycache__"}


def page_keys(shared: object, template_dirs: Sequence[Path]) -> Callable[[Page], str]:
    """Return the function that gives a page's fingerprint.

    Args:
        shared: what all pages are rendered with, as frozen values.
        template_dirs: the project's own templates.
    """
    base = hashlib.sha256(_package())
    for folder in template_dirs:
        base.update(_digest_of(folder))
    base.update(_flat(shared, None))
    known: dict[int, tuple[Row, bytes]] = {}

    def row(each: Row) -> tuple[type[bytes], tuple[bytes]]:
        # A paper stands in some ten lists; the row is kept, so that its id stays its own.
        if id(each) not in known:
            known[id(each)] = each, hashlib.sha256(_flat(each, None)).digest()
        return bytes, (known[id(each)][1],)

    def key(page: Page) -> str:
        digest = base.copy()
        digest.update(_flat(page, row))
        return digest.hexdigest()[:32]

    return key


def _flat(value: object, row: Callable[[Row], tuple[type[bytes], tuple[bytes]]] | None) -> bytes:
    """Return a value's bytes, the same for equal values whichever of their parts are one object."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, protocol=5)
    pickler.fast = True
    if row:
        pickler.dispatch_table = {Row: row}
    pickler.dump(value)
    return buffer.getvalue()


@cache
def _package() -> bytes:
    """Digest of the package, of the built-in templates and of the libraries."""
    package = Path(__file__).parent
    parts = [_digest_of(package), _digest_of(package.parent / "templates"), sys.version.encode()]
    parts += [version(name).encode() for name in MAKERS]
    return b"\n".join(parts)


def _digest_of(folder: Path) -> bytes:
    digest = hashlib.sha256()
    for file in _files(folder):
        name = file.relative_to(folder).as_posix()
        digest.update(f"{name}\0{file.stat().st_size}\0".encode() + file.read_bytes())
    return digest.digest()


def _files(folder: Path) -> Iterable[Path]:
    return sorted(
        file
        for file in folder.rglob("*")
        if file.is_file() and not _IGNORED.intersection(file.parts)
    )
