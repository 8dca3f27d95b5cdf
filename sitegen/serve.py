"""A small local server for looking at a built site under its base path."""

from __future__ import annotations

import errno
import http.server
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from sitegen.diagnostics import Location, SitegenError, error

HOST = "127.0.0.1"
PORTS_TRIED = 20


class SiteHandler(http.server.SimpleHTTPRequestHandler):
    """Serves the output folder as GitHub Pages would, below the site's base path."""

    extensions_map = {  # noqa: RUF012 - the base class declares it so
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".json": "application/json",
        ".jsonl": "application/x-ndjson; charset=utf-8",
        ".wasm": "application/wasm",
        ".woff2": "font/woff2",
        ".xml": "application/xml",
        ".bib": "text/plain; charset=utf-8",
    }

    def __init__(self, *args: Any, base_path: str, **kwargs: Any) -> None:
        self.base_path = base_path
        super().__init__(*args, **kwargs)

    def do_GET(self) -> None:
        """Redirect the bare root to the base path; serve everything else."""
        if self._leads_home():
            return
        super().do_GET()

    def do_HEAD(self) -> None:
        """Answer as GET does, without a body."""
        if self._leads_home():
            return
        super().do_HEAD()

    def _leads_home(self) -> bool:
        path = urlsplit(self.path).path
        if self.base_path == "/" or path not in {"/", self.base_path.rstrip("/")}:
            return False
        self.send_response(HTTPStatus.FOUND)
        self.send_header("Location", self.base_path)
        self.send_header("Content-Length", "0")
        self.end_headers()
        return True

    def translate_path(self, path: str) -> str:
        """Map a URL path below the base path to a file; anything else to one that is not there."""
        plain = unquote(urlsplit(path).path)
        if not plain.startswith(self.base_path):
            return str(Path(self.directory) / ".outside")
        return super().translate_path("/" + plain[len(self.base_path) :])

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer a missing page with the site's own 404.html."""
        page = Path(self.directory) / "404.html"
        if code != HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def end_headers(self) -> None:
        """Keep browsers from showing yesterday's build."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Say nothing: the reader of the terminal wants the build's messages."""


def make_server(output: Path, base_path: str, port: int) -> http.server.ThreadingHTTPServer:
    """Return a server bound to the first free port from ``port`` on.

    Raises:
        SitegenError: none of them is free.
    """
    handler = partial(SiteHandler, directory=str(output), base_path=base_path)
    for candidate in range(port, port + PORTS_TRIED) if port else (0,):
        try:
            return http.server.ThreadingHTTPServer((HOST, candidate), handler)
        except OSError as exc:
            if exc.errno != errno.EADDRINUSE:
                raise
    last = port + PORTS_TRIED - 1
    hint = "name another one with --port"
    text = f"ports {port} to {last} are all taken"
    raise SitegenError(error("serve-port", text, Location(HOST), hint))
