"""Fixtures shared by tests: the real digest built once, a server for it, a real browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from sitegen.serve import make_server

ROOT = Path(__file__).parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kills", type=int, default=4, help="moments at which builds are killed")


@pytest.fixture(scope="session")
def kills(request: pytest.FixtureRequest) -> int:
    """Number of moments at which each test of `test_kills` kills a build."""
    return int(request.config.getoption("--kills"))


def run_sitegen(*args: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user does, in a process of its own."""
    clean = {name: value for name, value in os.environ.items() if name != "CI"}
    return subprocess.run(
        [sys.executable, "-m", "sitegen", *args],
        cwd=cwd,
        env=clean | env,
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )


@contextmanager
def serving(output: Path, base_path: str) -> Iterator[str]:
    """Serve a folder on a free port of this machine; yields the site's address."""
    server = make_server(output, base_path, 0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}{base_path}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=10)


@pytest.fixture(scope="session")
def digest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's own digest, built from the real seeds in a folder of its own."""
    root = tmp_path_factory.mktemp("digest")
    for name in ("seeds", "content"):
        shutil.copytree(ROOT / name, root / name)
    result = run_sitegen("build", cwd=root)
    assert result.returncode == 0, result.stderr
    return root


@pytest.fixture(scope="session")
def digest_url(digest: Path) -> Iterator[str]:
    """Address of the digest, served below a base path."""
    with serving(digest / "public", "/digest/") as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium or Chrome; without one, skip on a user's machine and fail where CI is set."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        message = f"no browser: install one of {', '.join(BROWSERS)}"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, headless=True, args=list(BROWSER_FLAGS)
        )
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(10_000)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda exc: complaints.append(str(exc)))
    yield page
    assert complaints == []
