"""Audit a built site as others judge it: axe, the Nu validator, Lighthouse, schemas, in one table.

usage: python tools/audit.py [SITE] [--only axe,html,feeds,lighthouse] [--all] [--tools DIR]

SITE is a folder with a built site (``public``); it is served on this machine below the base path it
was built for. The programs come from npm and pip into a folder that is thrown away, or into DIR,
where the next run finds them. What a machine lacks (node, npm, java, a browser, a way to the
packages) is said and skipped. Exit code 1 where something is found.

- axe-core: every kind of page, wide and narrow, in both themes, and the search page with results.
- Nu validator: one page of every kind, or all with ``--all``.
- Feeds and data: every Atom feed by the grammar of RFC 4287 (RELAX NG), every JSON Feed and every
  line of papers.jsonl by its JSON Schema, the sitemap by its XML Schema; and what no grammar says.
- Lighthouse: home, a topic, a paper and search, with default throttling; below 100 for
  accessibility, best practices or SEO, or below 98 for performance, is a finding.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sitegen.serve import make_server

PACKAGES = {"axe": "axe-core@4", "html": "vnu-jar@26", "lighthouse": "lighthouse@12"}
PYTHON_PACKAGES = ("lxml", "jsonschema[format-nongpl]")
NEEDS = {"axe": ("npm",), "html": ("npm", "java"), "feeds": (), "lighthouse": ("npm", "node")}
SCHEMAS = Path(__file__).with_name("schemas")
ATOM = "{http://www.w3.org/2005/Atom}"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLOORS = {"accessibility": 100, "best-practices": 100, "seo": 100, "performance": 98}
KINDS = {
    "home": "index.html", "search": "search/index.html", "topics": "topics/index.html",
    "topic": "topics/*/index.html", "tags": "tags/index.html", "tag": "tags/*/index.html",
    "editions": "editions/index.html", "edition": "editions/*/index.html",
    "names": "names/index.html", "paper": "papers/*/index.html", "picks": "picks/index.html",
    "map": "map/index.html", "numbers": "stats/index.html", "data": "data/index.html",
    "reading list": "saved/index.html", "about": "about/index.html", "404": "404.html",
}  # fmt: skip
"""Kinds of pages with where they stand."""
SHAPES = {"wide": (1280, 900), "narrow": (390, 844)}

FILLED = "reading list with a paper"

Row = tuple[str, str, str]
"""Audit, page, result; a result that is no finding starts with ``ok``."""


# ---- which pages --------------------------------------------------------------------------------
def sample(site: Path) -> dict[str, list[str]]:
    """Return pages of each kind that the site has: of many the usual and the largest one."""
    found: dict[str, list[str]] = {}
    for kind, pattern in KINDS.items():
        pages = sorted(
            (
                page
                for page in site.glob(pattern)
                if b'http-equiv="refresh"' not in page.read_bytes()
            ),
            key=lambda page: (page.stat().st_size, page.as_posix()),
        )
        chosen = dict.fromkeys([pages[len(pages) // 2], pages[-1]]) if pages else ()
        found[kind] = [page.relative_to(site).as_posix() for page in chosen]
    moved = [page for page in site.rglob("index.html") if b'http-equiv="refresh"' in _head(page)]
    gone = [page for page in site.glob("papers/*/index.html") if b"Withdrawn" in _head(page)]
    for kind, pages in (("moved", sorted(moved)), ("withdrawn", sorted(gone))):
        found[kind] = [page.relative_to(site).as_posix() for page in pages[:1]]
    return {kind: pages for kind, pages in found.items() if pages}


def _head(page: Path) -> bytes:
    return page.read_bytes()[:2000]


def address(page: str) -> str:
    """Return the address of a page below the site's root."""
    return page.removesuffix("index.html")


# ---- the audits ----------------------------------------------------------------------------------
def axe(site: Path, url: str, packages: Path, browser: str) -> Iterator[Row]:
    """Yield what axe-core finds on each kind of page, in both themes and shapes."""
    from playwright.sync_api import sync_playwright

    script = (packages / "axe-core/axe.min.js").read_text(encoding="utf-8")
    pages = [(kind, address(p)) for kind, some in sample(site).items() if kind != "moved"
             for p in some]  # fmt: skip
    pages += [("search with results", "search/?q=language"), ("search, nothing", "search/?q=zzyzx")]
    paper = next((path for kind, path in pages if kind == "paper"), "")
    pages += [(FILLED, "saved/")] if paper else []
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(
            executable_path=browser, headless=True, args=["--no-sandbox", "--disable-gpu"]
        )
        for kind, path in pages:
            found: set[str] = set()
            for width, height in SHAPES.values():
                for theme in ("light", "dark"):
                    context = chrome.new_context(
                        viewport={"width": width, "height": height},
                        color_scheme=theme,  # type: ignore[arg-type]
                        bypass_csp=True,
                    )
                    page = context.new_page()
                    if kind == FILLED:
                        page.goto(url + paper)
                        page.click("[data-save]")
                    page.goto(url + path, wait_until="networkidle")
                    page.evaluate(script)
                    result: dict[str, Any] = page.evaluate("axe.run()")
                    found |= {
                        f"{rule['id']}: {rule['nodes'][0]['html'][:80]} ({theme}, {width} px)"
                        for rule in result["violations"]
                    }
                    context.close()
            yield "axe", f"{kind} /{path}", "; ".join(sorted(found)) or "ok"
        chrome.close()


def html(site: Path, url: str, packages: Path, *, every: bool) -> Iterator[Row]:
    """Yield the Nu validator's errors; its warnings are counted and told, and are no finding."""
    jar = next((packages / "vnu-jar").rglob("vnu.jar"))
    files = [page for some in sample(site).values() for page in some]
    if every:
        files = [page.relative_to(site).as_posix() for page in sorted(site.rglob("*.html"))
                 if "pagefind" not in page.parts]  # fmt: skip
    messages: dict[str, list[str]] = {url + address(name): [] for name in files}
    warnings: Counter[str] = Counter()
    pages = list(messages)
    for start in range(0, len(pages), 200):  # command lines have an end
        ran = subprocess.run(
            [
                "java", "-Xss8m", "-Dnu.validator.servlet.allow-forbidden-hosts=true",
                "-jar", str(jar), "--format", "json", "--exit-zero-always",
                *pages[start : start + 200],
            ],
            capture_output=True, text=True, check=True, timeout=900,
        )  # fmt: skip
        for message in json.loads(ran.stderr or '{"messages": []}')["messages"]:
            if message.get("subType") == "warning":
                warnings[message["message"]] += 1
            elif message["type"] != "info":
                text = f"line {message.get('lastLine', '?')}: {message['message']}"
                messages.setdefault(message["url"], []).append(text)
    for name, texts in messages.items():
        if texts or not every:
            yield "html", f"/{name.removeprefix(url)}", "; ".join(texts[:5]) or "ok"
    told = "; ".join(f"{count} × {text}" for text, count in warnings.most_common(3))
    yield "html", f"{len(pages)} pages", f"ok: {sum(warnings.values())} warnings: {told}"


def feeds(site: Path, packages: Path) -> Iterator[Row]:
    """Yield what the grammars of feeds, sitemap and data find, and what they cannot see."""
    sys.path.insert(0, str(packages))
    import jsonschema
    from lxml import etree

    def checker(path: Path) -> Any:
        form = jsonschema.Draft202012Validator
        schema = json.loads(path.read_text(encoding="utf-8"))
        return form(schema, format_checker=form.FORMAT_CHECKER)

    base = canonical(site)
    found: dict[str, list[str]] = {"Atom": [], "JSON Feed": [], "sitemap": [], "papers.jsonl": []}
    counts: Counter[str] = Counter()
    grammar = etree.RelaxNG(etree.parse(SCHEMAS / "atom.rng"))
    for file in sorted(site.rglob("feed.xml")):
        name = file.relative_to(site).as_posix()
        tree = etree.parse(file)
        counts["Atom"] += 1
        if not grammar.validate(tree):
            found["Atom"].append(f"{name}: {grammar.error_log[0].message}")
        found["Atom"] += [f"{name}: {fault}" for fault in _atom_faults(tree.getroot())]
    form = checker(SCHEMAS / "json-feed.schema.json")
    for file in sorted(site.rglob("feed.json")):
        feed = json.loads(file.read_text(encoding="utf-8"))
        counts["JSON Feed"] += 1
        faults = [error.message for error in form.iter_errors(feed)]
        ids = [item["id"] for item in feed["items"]]
        faults += ["two entries of one id"] if len(set(ids)) < len(ids) else []
        found["JSON Feed"] += [f"{file.relative_to(site)}: {fault}" for fault in faults]
    form = etree.XMLSchema(etree.parse(SCHEMAS / "sitemap.xsd"))
    for file in sorted(site.glob("sitemap*.xml")):
        tree = etree.parse(file)
        counts["sitemap"] += 1
        if not form.validate(tree):
            found["sitemap"].append(f"{file.name}: {form.error_log[0].message}")
        for place in tree.getroot().iter("{*}loc"):
            path = place.text.removeprefix(base)
            if not (site / path / "index.html").is_file() and not (site / path).is_file():
                found["sitemap"].append(f"{file.name}: {place.text} is not there")
    form = checker(site / "data/papers.schema.json")
    for line in (site / "data/papers.jsonl").read_text(encoding="utf-8").splitlines():
        paper = json.loads(line)
        counts["papers.jsonl"] += 1
        found["papers.jsonl"] += [
            f"{paper.get('id')}: {e.message}" for e in form.iter_errors(paper)
        ]
    for kind, faults in found.items():
        yield "feeds", f"{counts[kind]} × {kind}", "; ".join(faults[:5]) or "ok"


def _atom_faults(feed: Any) -> Iterator[str]:
    """Yield what RFC 4287 asks for and a grammar cannot say."""
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    if len(set(ids)) < len(ids):
        yield "two entries of one id"
    if feed.find(f"{ATOM}author") is None:
        yield "no author"
    links = {(link.get("rel", "alternate")) for link in feed.findall(f"{ATOM}link")}
    if not {"self", "alternate"} <= links:
        yield "no link to itself or to its page"
    dates = [entry.findtext(f"{ATOM}updated") for entry in feed.iter(f"{ATOM}entry")]
    if dates and max(dates) != feed.findtext(f"{ATOM}updated"):
        yield "not as new as its newest entry"
    for entry in feed.iter(f"{ATOM}entry"):
        if entry.find(f"{ATOM}content") is None and entry.find(f"{ATOM}summary") is None:
            yield "an entry says nothing"
        if all(
            link.get("rel", "alternate") != "alternate" for link in entry.findall(f"{ATOM}link")
        ):
            yield "an entry leads nowhere"


def lighthouse(site: Path, url: str, packages: Path, browser: str) -> Iterator[Row]:
    """Yield Lighthouse's marks of the pages that readers meet first."""
    pages = sample(site)
    paths = [
        "",
        "search/?q=language",
        *(address(pages[k][0]) for k in ("topic", "paper") if k in pages),
    ]
    for path in paths:
        ran = subprocess.run(
            [
                "node", str(packages / "lighthouse/cli/index.js"), url + path, "--quiet",
                "--output=json", "--output-path=stdout",
                "--chrome-flags=--headless --no-sandbox --disable-gpu",
            ],
            env=os.environ | {"CHROME_PATH": browser},
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        if ran.returncode:
            yield "lighthouse", f"/{path}", f"failed: {ran.stderr.strip().splitlines()[-1:]}"
            continue
        report = json.loads(ran.stdout)
        marks = {name: round(100 * part["score"]) for name, part in report["categories"].items()}
        low = any(marks[name] < floor for name, floor in FLOORS.items())
        shown = ", ".join(f"{name} {mark}" for name, mark in marks.items())
        times = ", ".join(
            f"{label} {report['audits'][key]['displayValue']}"
            for label, key in (
                ("FCP", "first-contentful-paint"), ("LCP", "largest-contentful-paint"),
                ("CLS", "cumulative-layout-shift"), ("TBT", "total-blocking-time"),
            )
        )  # fmt: skip
        yield "lighthouse", f"/{path}", f"{'low' if low else 'ok'}: {shown} ({times})"


# ---- running ------------------------------------------------------------------------------------
@contextmanager
def serving(site: Path, base_path: str) -> Iterator[str]:
    """Serve a site on a free port; yield its address."""
    server = make_server(site, base_path, 0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}{base_path}"
    finally:
        server.shutdown()
        server.server_close()


def canonical(site: Path) -> str:
    """Return the address that a site was built for, as its home page says it."""
    home = (site / "index.html").read_text(encoding="utf-8")
    found = re.search(r'rel="canonical" href="([^"]+)"', home)
    return found[1] if found else "/"


def base_path(site: Path) -> str:
    """Return the path of that address."""
    return urlsplit(canonical(site)).path


def install(folder: Path, names: Sequence[str]) -> Path | None:
    """Install the packages that are not there yet; return where npm's are, None if it fails.

    Python's go into ``python`` beside them.
    """
    packages = folder / "node_modules"
    wanted = [PACKAGES[name] for name in names if name in PACKAGES
              and not (packages / PACKAGES[name].partition("@")[0]).is_dir()]  # fmt: skip
    if wanted:
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--silent"]
        if subprocess.run([*command, *wanted], check=False, timeout=600).returncode:
            return None
    if "feeds" in names and not (folder / "python/lxml").is_dir():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        target = ["--target", str(folder / "python")]
        if subprocess.run([*pip, *target, *PYTHON_PACKAGES], check=False, timeout=600).returncode:
            return None
    return packages


def main() -> int:
    """Run the audits that the machine can run; print one table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("site", type=Path, nargs="?", default=Path("public"))
    parser.add_argument("--only", default=",".join(NEEDS), help="audits to run")
    parser.add_argument("--tools", type=Path, help="folder that keeps the npm packages")
    parser.add_argument("--all", action="store_true", help="validate every page")
    options = parser.parse_args()
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), "")
    names = []
    for name in options.only.split(","):
        lacking = [tool for tool in NEEDS[name] if not shutil.which(tool)]
        lacking += ["a browser"] if name in {"axe", "lighthouse"} and not browser else []
        if lacking:
            print(f"{name}: skipped, this machine has no {' and no '.join(lacking)}")
        else:
            names.append(name)
    if not names:
        return 0
    site = options.site.resolve()
    with tempfile.TemporaryDirectory() as scratch, serving(site, base_path(site)) as url:
        packages = install(options.tools or Path(scratch), names)
        if packages is None:
            print(f"{', '.join(names)}: skipped, the packages cannot be installed")
            return 0
        bad = 0
        for name in names:
            rows = {
                "axe": lambda: axe(site, url, packages, browser),
                "html": lambda: html(site, url, packages, every=options.all),
                "feeds": lambda: feeds(site, packages.parent / "python"),
                "lighthouse": lambda: lighthouse(site, url, packages, browser),
            }[name]()
            for audit, page, result in rows:
                bad += not result.startswith("ok")
                print(f"{audit:<11}{page:<44} {result}", flush=True)
    print(f"{bad} with findings" if bad else "nothing found")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
