"""Time of a frame while a reader points, moves and zooms on a map of many papers.

usage: python bench/map.py [SITE] [--points 10000]

The map of SITE is made larger: every paper gets neighbours at random (seeded) distances, so that
topics keep their places. Times are those between two frames that the browser draws while the
pointer moves or the wheel turns at each of them, without a graphics card; the page's weight is told
beside.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tools.audit import BROWSERS, base_path, serving

FRAMES = 120
SPREAD = 26.0
"""Standard deviation of the distance of a new neighbour, in units of the map."""
DOTS = re.compile(r'(data-topic="([^"]*)" d=")([^"]*)"')

KINDS = {"rest": "at rest", "point": "pointing", "zoom": "zooming", "drag": "moving"}

RECORD = """
() => {
  window.frames_ = [];
  let last;
  const tick = (now) => {
    if (last) window.frames_.push(now - last);
    last = now;
    window.recording_ = requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
"""
STOP = "() => { cancelAnimationFrame(window.recording_); return window.frames_; }"
EACH_FRAME = """
([kind, frames]) => new Promise((done) => {
  const svg = document.querySelector("[data-map] svg");
  const box = svg.getBoundingClientRect();
  let number = 0;
  const tick = () => {
    const at = number++ / frames;
    const where = {
      clientX: box.left + box.width * (0.1 + 0.8 * at), bubbles: true, cancelable: true,
      clientY: box.top + box.height * (0.5 + 0.35 * Math.sin(9 * at)),
    };
    if (kind === "point") svg.dispatchEvent(new PointerEvent("pointermove", where));
    if (kind === "zoom") {
      const deltaY = number % 24 < 12 ? -1 : 1;
      svg.dispatchEvent(new WheelEvent("wheel", { ...where, deltaY, ctrlKey: true }));
    }
    if (kind === "drag") {
      if (number === 1) svg.dispatchEvent(new PointerEvent("pointerdown", where));
      svg.dispatchEvent(new PointerEvent("pointermove", where));
    }
    if (number < frames) requestAnimationFrame(tick);
    else { dispatchEvent(new PointerEvent("pointerup")); done(); }
  };
  requestAnimationFrame(tick);
})
"""


def enlarge(site: Path, points: int, target: Path) -> tuple[int, int]:
    """Write a copy with as many points on the map; return bytes of page and data, packed."""
    shutil.copytree(site / "assets", target / "assets")
    shutil.copy(site / "index.html", target / "index.html")
    data = json.loads((site / "data/map.json").read_text(encoding="utf-8"))
    chance = random.Random(11)
    papers = list(data["papers"])
    known = len(papers)
    while len(papers) < points:
        _, x, y, topic, title = papers[chance.randrange(known)]
        papers.append(
            [f"{len(papers):08d}", round(chance.gauss(x, SPREAD)), round(chance.gauss(y, SPREAD)),
             topic, title]
        )  # fmt: skip
    data["papers"] = papers
    dots: dict[str, str] = {}
    for _, x, y, topic, _ in papers:
        slug = data["topics"][topic] if topic >= 0 else ""
        dots[slug] = f"{dots.get(slug, '')}M{x} {y}h0"
    page = (site / "map/index.html").read_text(encoding="utf-8")
    page = DOTS.sub(lambda found: f'{found[1]}{dots.get(found[2], found[3])}"', page)
    texts = {"map/index.html": page, "data/map.json": json.dumps(data, separators=(",", ":"))}
    for name, text in texts.items():
        (target / name).parent.mkdir(exist_ok=True)
        (target / name).write_text(text, encoding="utf-8")
    page_size, data_size = (len(gzip.compress(text.encode(), 6)) for text in texts.values())
    return page_size, data_size


def measure(page: Page, kind: str) -> tuple[list[float], float]:
    """Do one thing at each frame; return milliseconds between frames, sorted, and those of work.

    The latter are what the main thread worked for one frame, whatever else the machine did.
    """
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def worked() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")

    before = worked()
    page.evaluate(RECORD)
    page.evaluate(EACH_FRAME, [kind, FRAMES])
    times: Sequence[float] = page.evaluate(STOP)
    return sorted(times), (worked() - before) * 1000 / FRAMES


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("site", type=Path, nargs="?", default=Path("public"))
    parser.add_argument("--points", type=int, default=10_000)
    options = parser.parse_args()
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        sys.exit("no browser")
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        folder = Path(scratch)
        page_size, data_size = enlarge(options.site.resolve(), options.points, folder)
        sizes = f"page {page_size / 1000:.0f} KB and data {data_size / 1000:.0f} KB, packed"
        print(f"{options.points:,} points: {sizes}\n")
        print("| while | work ms | median ms | 95 % ms | worst ms |\n|---|---:|---:|---:|---:|")
        with serving(folder, base_path(folder)) as url:
            chrome = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
            page = chrome.new_page(viewport={"width": 1280, "height": 900})
            page.goto(f"{url}map/", wait_until="networkidle")
            page.locator("[data-map] svg").hover()
            page.wait_for_timeout(500)
            for kind, label in KINDS.items():
                if kind == "drag":
                    page.click("[data-zoom=in]")
                times, work = measure(page, kind)
                shown = (work, times[len(times) // 2], times[len(times) * 95 // 100], times[-1])
                print(f"| {label} | {' | '.join(f'{time:.1f}' for time in shown)} |")
            chrome.close()


if __name__ == "__main__":
    main()
