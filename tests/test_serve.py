"""The server for editing: real saves, a real server, a real browser."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser

from sitegen.config import Config, SourceSpec
from sitegen.digest import BuildOptions
from sitegen.progress import Progress
from sitegen.records import OutFile
from sitegen.serve.handler import make_server
from sitegen.serve.live import Live, inject
from sitegen.serve.mirror import Mirror
from sitegen.serve.preview import Preview
from sitegen.serve.watch import await_change, look, watched

ABSTRACTS = (
    "We record river otters over two winters and find that their whistles differ between rivers. "
    "A classifier of whistle contours names the home river of an otter in most cases.",
    "Sediment cores from four fjords show that mud settles in layers of unequal age. We date them "
    "with lead isotopes and give a chronology of the last three hundred years.",
    "Kelp forests slow the waves that reach a shore. We measure by how much with pressure gauges "
    "in front of and behind nine forests, and model the loss of height by stem density.",
)
DEADLINE = 60.0


class Editing:
    """A served digest with the lines that the command printed."""

    def __init__(self, root: Path, process: subprocess.Popen[str]) -> None:
        self.root = root
        self.lines: list[str] = []
        self._process = process
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.url = self.line("http://").split()[0]

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self.lines.append(line.rstrip())

    def line(self, start: str, after: int = 0) -> str:
        """Wait for a line that begins so."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            for line in self.lines[after:]:
                if line.startswith(start):
                    return line
            time.sleep(0.02)
        raise AssertionError(f"no line {start!r} in {self.lines}")

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def save(self, path: str, text: str, outcome: str = "rebuilt") -> str:
        """Save a file and wait until the server has seen it."""
        before = len(self.lines)
        self.write(path, text)
        return self.line(outcome, before)

    def get(self, path: str = "") -> str:
        with urlopen(self.url + path, timeout=20) as answer:
            return str(answer.read().decode())

    def event(self) -> dict[str, object]:
        """Return the present state as a browser that comes in is told."""
        host = self.url.split("/digest/")[0]
        with urlopen(f"{host}/__sitegen/events", timeout=20) as stream:
            line = stream.readline().decode()
        data = json.loads(line.removeprefix("data: "))
        assert isinstance(data, dict)
        return data

    def paper(self) -> str:
        return str(json.loads(self.get("data/papers.jsonl").splitlines()[0])["id"])


@contextmanager
def editing(root: Path) -> Iterator[Editing]:
    clean = {name: value for name, value in os.environ.items() if name != "CI"}
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "sitegen", "serve", "--port", "0", "--root", str(root)],
        env=clean,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        served = Editing(root, process)
        yield served
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0
        served.reader.join(timeout=10)
    finally:
        process.kill()
        process.wait(timeout=10)
        if process.stdout:
            process.stdout.close()


def start_files(root: Path) -> None:
    (root / "seeds").mkdir(parents=True)
    (root / "content").mkdir()
    (root / "seeds/may.txt").write_text("Notes\n\n" + "\n\n".join(ABSTRACTS) + "\n", "utf-8")
    (root / "content/site.toml").write_text('base_url = "https://lab.example/digest/"\n', "utf-8")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editing]:
    root = tmp_path_factory.mktemp("edited")
    start_files(root)
    with editing(root) as served:
        yield served
    assert served.lines[-1] == "stopped"


def test_pages_stand_below_the_base_path_and_follow_the_build(served: Editing) -> None:
    assert served.url.endswith("/digest/")
    assert 'src="/__sitegen/reload.js?serial=' in served.get()
    with urlopen(served.url.removesuffix("digest/"), timeout=20) as answer:
        assert answer.url == served.url
    with pytest.raises(HTTPError) as missing:
        served.get("papers/none/")
    assert missing.value.code == 404
    assert b"/__sitegen/reload.js" in missing.value.read()


def test_neither_the_published_site_nor_the_registry_changes(served: Editing) -> None:
    assert not (served.root / "public").exists()
    assert not (served.root / "content/registry.jsonl").exists()


def test_w1_a_broken_note_keeps_the_last_page_and_is_mended_without_restart(
    served: Editing,
) -> None:
    paper = served.paper()
    note = f"content/papers/{paper}.md"
    served.save(note, "---\npick: true\n---\nWorth an evening.\n")
    assert "Worth an evening" in served.get(f"papers/{paper}/")
    served.save(note, "---\npick: [true\n---\nWorth a night.\n", "not rebuilt")
    told = served.event()
    assert told["kept"] is True
    (problem,) = told["problems"]  # type: ignore[misc]
    assert problem["place"].startswith(note)
    assert "Worth an evening" in served.get(f"papers/{paper}/")
    served.save(note, "---\npick: true\n---\nWorth a night.\n")
    assert served.event() == {"serial": told["serial"] + 1, "kept": False, "problems": []}  # type: ignore[operator]
    assert "Worth a night" in served.get(f"papers/{paper}/")


def test_w1_a_broken_template_keeps_the_last_page(served: Editing) -> None:
    served.save("templates/404.html", "{{ page.nothing() }}", "not rebuilt")
    assert served.event()["kept"] is True
    assert "<h1" in served.get()
    served.save("templates/404.html", "<!doctype html><title>Not here</title>")
    assert served.event()["problems"] == []
    (served.root / "templates/404.html").unlink()


def test_w2_one_rebuild_a_save_and_unchanged_files_are_not_written(served: Editing) -> None:
    served.save("content/index.md", "Welcome.\n")
    preview = served.root / ".sitegen/preview"
    times = {file: file.stat().st_mtime_ns for file in preview.rglob("*.html")}
    before = len(served.lines)
    assert served.save("content/index.md", "Welcome to the notes.\n").startswith("rebuilt")
    time.sleep(1.0)
    assert len(served.lines) == before + 1
    assert [file for file in times if file.stat().st_mtime_ns != times[file]] == [
        preview / "index.html"
    ]


def test_a_new_abstract_appears(served: Editing) -> None:
    more = "Lichens on old roofs record the smoke of the towns below them, we show by assay."
    served.save("seeds/june.txt", f"Notes\n\n{more} We compare forty roofs in three towns.\n")
    assert "Lichens on old roofs" in served.get("data/papers.jsonl")


def test_the_browser_shows_new_pages_and_errors(served: Editing, browser: Browser) -> None:
    page = browser.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto(served.url)
    served.save("content/index.md", "Kingfisher hours.\n")
    page.get_by_text("Kingfisher hours.").wait_for()
    served.save("content/index.md", "---\ntitle: [x\n---\nNo.\n", "not rebuilt")
    page.get_by_role("alert").get_by_text("content/index.md").wait_for()
    assert page.get_by_text("Kingfisher hours.").is_visible()
    served.save("content/index.md", "Heron hours.\n")
    page.get_by_text("Heron hours.").wait_for()
    assert page.get_by_role("alert").count() == 0
    assert faults == []
    page.close()


def test_w1_a_digest_that_never_built_says_why_and_comes_to_life(tmp_path: Path) -> None:
    start_files(tmp_path)
    (tmp_path / "content/index.md").write_text("---\ntitle: <b\n", "utf-8")
    with editing(tmp_path) as served:
        with pytest.raises(HTTPError) as fault:
            served.get()
        page = fault.value.read().decode()
        assert "front matter has no end" in page
        assert "/__sitegen/reload.js" in page
        served.save("content/index.md", "Here we go.\n")
        assert "Here we go." in served.get()


def test_a_taken_port_gives_the_next_one(tmp_path: Path) -> None:
    with make_server(tmp_path, "/", 0) as first:
        port = first.server_address[1]
        with make_server(tmp_path, "/", port) as second:
            assert second.server_address[1] > port


def test_the_watch_sees_saves_and_nothing_of_its_own(tmp_path: Path) -> None:
    start_files(tmp_path)
    output = tmp_path / "public"

    def see() -> object:
        return look(tmp_path, ["."], output)

    before = see()
    for path in (
        ".sitegen/cache/x",
        "public/index.html",
        "content/.site.toml.swp",
        "seeds/a.txt~",
        "seeds/#a.txt#",
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x", "utf-8")
    assert see() == before
    (tmp_path / "seeds/may.txt").write_text("Notes\n", "utf-8")
    assert await_change(lambda: look(tmp_path, ["."], output), before) != before  # type: ignore[arg-type]


def test_what_is_watched_follows_the_settings() -> None:
    assert watched(Config()) == ("content", "seeds", "templates")
    elsewhere = Config(sources=(SourceSpec(pattern="exports/2031/*.bib"),))
    assert watched(elsewhere) == ("content", "exports", "templates")
    assert watched(Config(sources=(SourceSpec(pattern="*.bib"),))) == (".",)


def test_a_failure_on_the_way_leaves_the_mirror_as_it_was(tmp_path: Path) -> None:
    def files(text: bytes, *, fails: bool = False) -> Iterator[OutFile]:
        yield OutFile(path="index.html", data=text)
        if fails:
            raise ZeroDivisionError
        yield OutFile(path="a/index.html", data=b"a")

    (tmp_path / "old.html").write_bytes(b"of an earlier run")
    (tmp_path / "pagefind").mkdir()
    (tmp_path / "pagefind/pagefind.js").write_bytes(b"index")
    mirror = Mirror(tmp_path)
    assert mirror.follow(files(b"one")) == ("a/index.html", "index.html", "old.html")
    with pytest.raises(ZeroDivisionError):
        mirror.follow(files(b"two", fails=True))
    assert (tmp_path / "index.html").read_bytes() == b"one"
    assert mirror.follow(files(b"two")) == ("index.html",)
    assert mirror.follow([]) == ("a/index.html", "index.html")
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == ["pagefind.js"]


def preview_of(root: Path) -> Preview:
    return Preview(BuildOptions(root=root, search=False), list)


def test_what_is_remembered_between_builds_changes_no_byte(tmp_path: Path) -> None:
    start_files(tmp_path)
    edited = preview_of(tmp_path)
    edited.build(Progress())
    paper = json.loads((edited.folder / "data/papers.jsonl").read_text().splitlines()[0])["id"]
    seeds = "Notes\n\n" + "\n\n".join(ABSTRACTS).replace("winters", "summers")
    topic = "---\nphrases: [otter whistle, kelp]\n---\n"
    base = '{% extends "sitegen/base.html" %}{% block main %}<p>Gone.</p>{% endblock %}'
    for path, text in (
        (f"content/papers/{paper}.md", "---\npick: true\n---\nRead this.\n"),
        (f"content/papers/{paper}.md", "---\ntitle: Another title\ntags: [mud]\n---\n"),
        ("content/topics/otters.md", topic),
        (f"content/papers/{paper}.md", "---\nwithdrawn: by its authors\n---\n"),
        ("seeds/may.txt", seeds),
        ("templates/404.html", base),
        ("content/site.toml", 'base_url = "https://lab.example/other/"\ntitle = "New"\n'),
    ):
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
        edited.build(Progress())
        assert edited.changed, path
    files = {
        file.relative_to(edited.folder).as_posix(): file.read_bytes()
        for file in edited.folder.rglob("*")
        if file.is_file()
    }
    fresh = preview_of(tmp_path)
    fresh.build(Progress())
    assert files == {
        file.relative_to(fresh.folder).as_posix(): file.read_bytes()
        for file in fresh.folder.rglob("*")
        if file.is_file()
    }


def test_waiting_ends_with_news_or_at_closing() -> None:
    live = Live("/")
    assert live.wait(0, 0.01) is None
    threading.Timer(0.05, live.tell, [()], {"changed": True, "kept": False}).start()
    shown = live.wait(0, 10)
    assert shown is not None
    assert (shown.number, shown.serial) == (1, 1)
    threading.Timer(0.05, live.close).start()
    assert live.wait(1, 10) is None


def test_a_page_without_a_head_gets_the_script_too() -> None:
    assert inject(b"<p>x", 3).endswith(b'serial=3"></script>')
    assert inject(b"<head></head><p>x", 3).endswith(b"</head><p>x")
