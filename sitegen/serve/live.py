"""What the server tells the browsers that look at the site: new pages, or what is wrong."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from sitegen.diagnostics import Problem

PREFIX = "/__sitegen/"
"""Addresses of the server's own; no page of a site begins with an underscore."""
EVENTS = f"{PREFIX}events"
FILES = {
    f"{PREFIX}reload.js": ("reload.js", "text/javascript"),
    f"{PREFIX}reload.css": ("reload.css", "text/css"),
}
WORKER = b"""\
// Nothing may stand between the server and the browser while pages are being edited.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", async () => {
  for (const name of await caches.keys()) if (name.startsWith("digest-")) await caches.delete(name);
  await self.registration.unregister();
});
"""
"""Takes the place of the site's service worker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The state of the site after a build."""

    number: int = 0
    """Of the build; grows by one."""
    serial: int = 0
    """Of the pages; grows when any of them changed."""
    kept: bool = False
    """Whether the pages are older than the files, because the build failed."""
    problems: tuple[Problem, ...] = ()

    def message(self) -> str:
        """Return one server-sent event."""
        data = {
            "serial": self.serial,
            "kept": self.kept,
            "problems": [
                {"place": str(one.location), "code": one.code, "text": one.text, "hint": one.hint}
                for one in self.problems
            ],
        }
        return f"data: {json.dumps(data)}\n\n"


class Live:
    """The newest `Shown`, for the builder to set and any number of browsers to wait for."""

    def __init__(self, base_path: str) -> None:
        self.base_path = base_path
        self.shown = Shown()
        self.closed = False
        self._news = threading.Condition()

    def tell(self, problems: Sequence[Problem], *, changed: bool, kept: bool) -> None:
        """Announce the outcome of a build."""
        with self._news:
            self.shown = replace(
                self.shown,
                number=self.shown.number + 1,
                serial=self.shown.serial + changed,
                kept=kept,
                problems=tuple(problems),
            )
            self._news.notify_all()

    def wait(self, number: int, seconds: float) -> Shown | None:
        """Return what is newer than a build's number, or None if nothing came in time."""
        with self._news:
            self._news.wait_for(lambda: self.closed or self.shown.number != number, seconds)
            return self.shown if self.shown.number != number else None

    def close(self) -> None:
        """Let everyone go who waits."""
        with self._news:
            self.closed = True
            self._news.notify_all()


def inject(page: bytes, serial: int) -> bytes:
    """Add the script that follows `Live` to a page, told which state of the site the page is of."""
    script = f'<script type="module" src="{PREFIX}reload.js?serial={serial}"></script>'.encode()
    head, end, rest = page.partition(b"</head>")
    return head + script + end + rest if end else page + script


def failure_page(shown: Shown) -> bytes:
    """Return a page to show while there is no site yet."""
    items = "".join(f"<li><pre>{escape(str(problem))}</pre></li>" for problem in shown.problems)
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Not built yet</title></head>'
        f"<body><h1>There is no site yet</h1><ul>{items}</ul></body></html>"
    )
    return inject(text.encode(), shown.serial)


def own_file(name: str) -> bytes:
    """Return a file of the server's own."""
    return Path(__file__).with_name(name).read_bytes()
