"""One site made of every payload, in sources and in the curator's files: nothing of it runs."""

from __future__ import annotations

import csv
import io
import json
import re
import resource
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser

from sitegen.content import load_content
from sitegen.sources import read_text
from tests.conftest import run_sitegen, serving
from tests.workbench import write

from .corpus import (
    FORMATS,
    PAYLOADS,
    Entry,
    document,
    edition,
    encoded,
    innocent,
    override,
    page,
    topic,
)
from .harmless import check_html

ATOM = "{http://www.w3.org/2005/Atom}"
SECONDS, MEGABYTES = 150, 1500
"""Most that the whole build may take, of processor time and of memory."""
NASTY = "</title></script><script>window.__pwned=1</script>\"'><img src=x onerror=alert(1)>{{7*7}}"
WATCH = """
window.__violations = [];
document.addEventListener('securitypolicyviolation',
    event => window.__violations.push(event.violatedDirective + ' ' + event.blockedURI));
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """The hostile site, and what it took."""

    root: Path
    public: Path
    seconds: float
    megabytes: float
    said: str
    refused: dict[str, str]
    """Files that were not taken, with the first problem."""

    @property
    def report(self) -> dict[str, object]:
        return dict(json.loads((self.root / ".sitegen/report.json").read_bytes()))

    def pages(self) -> Iterator[tuple[str, str]]:
        for file in sorted(self.public.rglob("*.html")):
            yield file.relative_to(self.public).as_posix(), file.read_text("utf-8")


def curated(root: Path) -> dict[str, str]:
    """Write each kind of the curator's files; return what `load_content` refuses, by path."""
    makers = {"topics": topic, "pages": page, "editions": edition}
    refused = {}
    for number, payload in enumerate(PAYLOADS):
        for kind, make in makers.items():
            scratch = root / "scratch"
            path = f"content/{kind}/x{number}.md"
            (scratch / path).parent.mkdir(parents=True)
            (scratch / path).write_bytes(encoded(make(payload)))
            _, problems = load_content(scratch)
            if problems:
                assert str(problems[0]).startswith(path), problems
                refused[path] = str(problems[0])
            elif number % 6 == 0:
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(scratch / path, root / path)
            shutil.rmtree(scratch)
    plain = [text for text in PAYLOADS if not re.search("[\ud800-\udfff]", text)]
    write(root, "content/pages/all.md", document({"title": "All"}, "\n\n".join(plain)))
    write(root, "content/index.md", document({"title": NASTY}, "\n\n".join(plain[:150])))
    shown = [json.dumps(text, ensure_ascii=False) for text in plain if text and text.isprintable()]
    pairs = (f"[[pair]]\nanswer = 'same'\nleft = {text}\nright = 'b'\n" for text in shown)
    write(root, "content/decisions.toml", "\n".join(pairs))
    terms = [
        json.dumps(t, ensure_ascii=False)
        for t in plain
        if t.isprintable() and re.search(r"[a-z]{2}", t)
    ]
    write(root, "content/aliases.toml", "[terms]\n" + "".join(f"{t} = []\n" for t in terms[::4]))
    write(
        root,
        "content/registry.jsonl",
        '{"kind":"registry","format":1}\n'
        + "".join(
            json.dumps({"kind": "topic", "id": f"old{number}", "url": f"/topics/old{number}/",
                        "state": "gone", "reason": text}) + "\n"
            for number, text in enumerate(plain[::6])
            if not re.search("[\x00-\x1f\x7f-\x9f\uffff]", text)
        ),
    )  # fmt: skip
    return refused


def sources(root: Path) -> None:
    names = list(FORMATS)
    for number, payload in enumerate(PAYLOADS):
        name = names[number % len(names)]
        stem, _, suffix = name.partition(".")
        path = root / f"seeds/{stem}/{number}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encoded(FORMATS[name]([Entry(number, payload)])))
    quiet(root)


def quiet(root: Path) -> None:
    write(root, "seeds/quiet/q.csv", FORMATS["table.csv"]([innocent(n) for n in range(5)]))


def settings(root: Path, *folders: str) -> None:
    tables = "".join(
        f'[[source]]\npath = "seeds/{name}/*"\nedition = "{name}"\ntitle = {json.dumps(NASTY)}\n'
        for name in folders
    )
    write(
        root,
        "content/site.toml",
        f"title = {json.dumps(NASTY)}\ndescription = {json.dumps(NASTY)}\n"
        f'base_url = "https://lab.example/digest/"\n{tables}',
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    root = tmp_path_factory.mktemp("hostile")
    refused = curated(root)
    sources(root)
    settings(root, *(name.partition(".")[0] for name in FORMATS), "quiet")
    # corrections of papers need their ids, which a first look gives
    write(root, "content/papers/.keep", "")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = run_sitegen("build", "--no-frozen", cwd=root)
    assert (root / "public/data/papers.jsonl").exists(), result.stderr[-4000:]
    lines = (root / "public/data/papers.jsonl").read_text("utf-8").splitlines()
    for number, line in enumerate(lines):
        payload = PAYLOADS[(number * 7) % len(PAYLOADS)]
        path = root / f"content/papers/{json.loads(line)['id']}.md"
        if not re.search("[\ud800-\udfff\0]", payload):
            path.write_bytes(encoded(override(payload)))
    for path in load_problem_paths(root):
        (root / path).unlink()
    result = run_sitegen("build", "--no-frozen", cwd=root)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert "Traceback" not in result.stderr, result.stderr[-4000:]
    return Built(
        root=root,
        public=root / "public",
        seconds=after.ru_utime - before.ru_utime,
        megabytes=after.ru_maxrss / 1024,
        said=result.stdout + result.stderr,
        refused=refused,
    )


def load_problem_paths(root: Path) -> set[str]:
    """Return the corrections that are refused, as a curator would take them out."""
    paths = {problem.location.path for problem in load_content(root)[1]}
    return {path for path in paths if path.startswith("content/papers/")}


# ---- the files -----------------------------------------------------------------------------------
def test_everything_is_accounted_for_in_bounds(built: Built) -> None:
    counts = built.report["sources"]
    assert isinstance(counts, list)
    assert len(counts) == len(PAYLOADS) + 1
    for count in counts:
        assert count["read"] == count["kept"] + count["merged"] + count["reported"]
    assert sum(count["kept"] for count in counts) > 300
    assert built.report["output"], built.said[-4000:]
    assert built.seconds < SECONDS
    assert built.megabytes < MEGABYTES


def test_what_a_curator_cannot_write_is_said(built: Built) -> None:
    for path, problem in built.refused.items():
        assert problem.startswith(path)
        assert "Traceback" not in problem
        assert problem.replace("\n", "").isprintable()


def test_pages_hold_nothing_that_we_do_not_write(built: Built) -> None:
    count = 0
    for path, html in built.pages():
        try:
            check_html(html, whole=True)
        except AssertionError as exc:
            pytest.fail(f"{path}: {exc}")
        for data in re.findall(r'<script type="application/ld\+json">(.*?)</script>', html, re.S):
            json.loads(data)
        ids = re.findall(r'\sid="([^"]*)"', html)
        assert len(ids) == len(set(ids)), path
        assert "{{7*7}}" in html or "&gt;49" not in html, path
        count += 1
    assert count > 450


def test_feeds_are_well_formed_and_what_they_hold_too(built: Built) -> None:
    feeds = sorted(built.public.rglob("feed.xml"))
    assert len(feeds) > 20
    for file in feeds:
        root = ElementTree.parse(file).getroot()
        assert root.find(f"{ATOM}title") is not None
        for entry in root.iter(f"{ATOM}entry"):
            for kind in ("content", "summary", "title"):
                for part in entry.findall(f"{ATOM}{kind}"):
                    if part.get("type") == "html":
                        check_html(part.text or "")
            for link in entry.findall(f"{ATOM}link"):
                assert link.get("href", "").startswith(("https://", "http://"))
    for file in sorted(built.public.rglob("feed.json")):
        data = json.loads(file.read_text("utf-8"))
        for item in data["items"]:
            check_html(item.get("content_html", ""))
            assert item["url"].startswith("https://lab.example/digest/")
    for file in sorted(built.public.rglob("*.json")):
        json.loads(file.read_text("utf-8"))
    ElementTree.parse(built.public / "sitemap.xml")


def test_downloads_are_read_back_whole(built: Built) -> None:
    lines = (built.public / "data/papers.jsonl").read_text("utf-8").split("\n")[:-1]
    papers = {one["id"]: one for one in map(json.loads, lines)}
    assert len(papers) == len(lines) > 300
    for paper in papers.values():
        for link in paper["links"]:
            assert link["url"].startswith(("http://", "https://"))
    csv.field_size_limit(10_000_000)
    text = (built.public / "data/papers.csv").read_text("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["id"] for row in rows] == list(papers)
    for row in rows:
        for cell in row.values():
            assert not (cell or "").startswith(("=", "+", "-", "@", "\t", "\r", "＝")), cell
        for column in row.keys() & {"title", "abstract", "doi"}:
            assert row[column].lstrip("'") == (papers[row["id"]][column] or "").lstrip("'")
    bib = (built.public / "data/papers.bib").read_text("utf-8")
    reading = read_text(bib, "papers.bib")
    assert not [problem for problem in reading.problems if "malformed" in problem.code]
    assert len(reading.found) + reading.reported == len(papers)
    assert bib.count("\n@") + bib.startswith("@") == len(papers)
    for file in sorted(built.public.rglob("*.ris")):
        assert read_text(file.read_text("utf-8"), file.name).found


def test_names_of_files_are_plain(built: Built) -> None:
    for file in built.public.rglob("*"):
        path = file.relative_to(built.public).as_posix()
        assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._/-]*|\.nojekyll", path), path
        assert not file.is_symlink()
        assert len(file.name) <= 100


def test_other_papers_are_unharmed(built: Built, tmp_path: Path) -> None:
    quiet(tmp_path)
    settings(tmp_path, "quiet")
    assert run_sitegen("build", "-q", "--no-search", cwd=tmp_path).returncode == 0

    def papers(root: Path) -> dict[str, dict[str, object]]:
        lines = (root / "public/data/papers.jsonl").read_text("utf-8").splitlines()
        kept = ("id", "url", "abstract", "abstract_source", "sources", "links", "date", "doi")
        every = map(json.loads, lines)
        return {one["id"]: {key: one[key] for key in kept} for one in every}

    alone, among = papers(tmp_path), papers(built.root)
    assert len(alone) == 5
    assert {key: among[key] for key in alone} == alone


# ---- the browser ---------------------------------------------------------------------------------
@pytest.mark.browser
@pytest.mark.slow
def test_nothing_runs_in_a_real_browser(built: Built, browser: Browser) -> None:
    found: list[str] = []
    with serving(built.public, "/digest/") as address:
        context = browser.new_context(service_workers="block")
        context.add_init_script(WATCH)
        tab = context.new_page()
        tab.on(
            "dialog", lambda dialog: (found.append(f"dialog {dialog.message}"), dialog.dismiss())
        )
        tab.on("pageerror", lambda error: found.append(f"error {error}"))
        tab.on("console", lambda told: told.type == "error" and found.append(told.text))
        tab.on("popup", lambda popup: found.append(f"popup {popup.url}"))
        tab.on(
            "request",
            lambda asked: asked.url.startswith((address, "data:")) or found.append(asked.url),
        )
        started = time.monotonic()
        count = 0
        for path, html in built.pages():
            if 'http-equiv="refresh"' in html or path == "404.html":
                continue  # an alias leads on; a page that is not there is an error by itself
            tab.goto(address + path.removesuffix("index.html"), wait_until="load")
            told = tab.evaluate("[window.__pwned ?? 0, ...window.__violations]")
            assert told == [0], (path, told, found)
            assert found == [], path
            count += 1
        print(f"{count} pages in {time.monotonic() - started:.0f} s")
        for words in ("kelpmarker", "script", "onerror", "<img src=x>", "window.__pwned"):
            tab.goto(f"{address}search/", wait_until="load")
            tab.fill("input[type=search]", words)
            tab.wait_for_timeout(700)
            told = tab.evaluate("[window.__pwned ?? 0, ...window.__violations]")
            assert (told, found) == ([0], []), words
        context.close()
    assert count > 450
