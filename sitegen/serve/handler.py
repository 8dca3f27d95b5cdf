"""Answers requests as GitHub Pages would, on this machine and below the site's base path."""

from __future__ import annotations

import errno
import http.server
import io
import sys
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import unquote, urlsplit

from sitegen.diagnostics import Location, SitegenError, error
from sitegen.serve.live import EVENTS, FILES, WORKER, Live, failure_page, inject, own_file

HOST = "127.0.0.1"
PORTS_TRIED = 20
HEARTBEAT = 15.0
"""Seconds after which a silent connection is tried, to notice that its browser is gone."""


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

    def __init__(self, *args: Any, base_path: str, live: Live | None = None, **kwargs: Any) -> None:
        self.live = live
        self.base_path = live.base_path if live else base_path
        super().__init__(*args, **kwargs)

    def do_GET(self) -> None:
        """Answer the server's own addresses, lead from the root to the base path, else a file."""
        if self.live and urlsplit(self.path).path == EVENTS:
            self._stream(self.live)
        elif not self._leads_home():
            super().do_GET()

    def do_HEAD(self) -> None:
        """Answer as GET does, without a body."""
        if not self._leads_home():
            super().do_HEAD()

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        """Answer with a file; while a site is being edited, with its pages made to reload."""
        if self.live is None:
            return super().send_head()
        # times of one second are too coarse for files that are written every moment
        del self.headers["If-Modified-Since"]
        path = urlsplit(self.path).path
        # before the file is read: a page that is newer than its number is only loaded twice
        shown = self.live.shown
        if path in FILES:
            name, kind = FILES[path]
            return self._whole(HTTPStatus.OK, kind, own_file(name))
        if not shown.serial:
            return self._whole(HTTPStatus.SERVICE_UNAVAILABLE, "text/html", failure_page(shown))
        if path == f"{self.base_path}sw.js":
            return self._whole(HTTPStatus.OK, "text/javascript", WORKER)
        file = Path(self.translate_path(self.path))
        if path.endswith("/"):
            file /= "index.html"
        if file.suffix == ".html" and file.is_file():
            return self._whole(HTTPStatus.OK, "text/html", inject(file.read_bytes(), shown.serial))
        return super().send_head()

    def _whole(self, status: HTTPStatus, kind: str, body: bytes) -> io.BytesIO:
        """Send the head of an answer that is made in memory."""
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return io.BytesIO(body)

    def _stream(self, live: Live) -> None:
        """Send what happens to the site until the browser or the server leaves."""
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        number = -1
        try:
            while not live.closed:
                shown = live.wait(number, HEARTBEAT)
                if shown is None:
                    self.wfile.write(b": still here\n\n")
                    continue
                number = shown.number
                self.wfile.write(shown.message().encode())
        except OSError:  # the page was left
            return

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
        if self.live:
            body = inject(body, self.live.shown.serial)
        whole = self._whole(HTTPStatus.NOT_FOUND, "text/html", body)
        if self.command != "HEAD":
            self.copyfile(whole, self.wfile)

    def end_headers(self) -> None:
        """Keep browsers from showing yesterday's build."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Say nothing: the reader of the terminal wants the build's messages."""


class SiteServer(http.server.ThreadingHTTPServer):
    """A thread a connection; that a browser leaves early is no error."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print what failed, unless the other side went away."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def make_server(output: Path, base_path: str, port: int, live: Live | None = None) -> SiteServer:
    """Return a server bound to the first free port from ``port`` on.

    Args:
        output: folder of the site.
        base_path: path of its home page; where ``live`` is given, its base path counts.
        port: 0 for any.
        live: tells of new builds; pages then get a script that follows it.

    Raises:
        SitegenError: none of them is free.
    """
    handler = partial(SiteHandler, directory=str(output), base_path=base_path, live=live)
    for candidate in range(port, port + PORTS_TRIED) if port else (0,):
        try:
            return SiteServer((HOST, candidate), handler)
        except OSError as exc:
            if exc.errno != errno.EADDRINUSE:
                raise
    last = port + PORTS_TRIED - 1
    hint = "name another one with --port"
    text = f"ports {port} to {last} are all taken"
    raise SitegenError(error("serve-port", text, Location(HOST), hint))
