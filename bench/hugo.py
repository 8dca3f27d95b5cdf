"""The generator's papers as a site for Hugo, with the same kinds of pages as sitegen's.

Everything that sitegen has to find out is given here: headline, topics, tags, gist, related papers.
What is left for Hugo is what it is made for: Markdown, lists, paging, feeds.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from bench.corpus import Invented
from bench.wordstock import load_stock
from sitegen.markup import slugify

RELATED = 5
SITE = Path(__file__).with_name("hugo-site")
"""Settings and layouts."""


def write_markdown(out: Path, papers: Iterable[Invented]) -> None:
    """Write one Markdown file a paper beside settings and layouts; what was there goes.

    Args:
        out: the Hugo project's folder.
        papers: near copies are left out, as sitegen joins them.
    """
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(SITE, out)
    (out / "content" / "papers").mkdir(parents=True)
    stock = load_stock()
    # What is put together anew stands on one paper: no page, as with sitegen.
    shared = set(stock.phrases).union(*(own for _, own in stock.topics))
    latest: dict[str, list[dict[str, str]]] = {}
    for paper in papers:
        if paper.copy_of >= 0:
            continue
        tags = tuple(tag for tag in paper.tags if tag in shared)
        slug = f"p{paper.number:07}"
        near = [other for tag in tags for other in latest.get(tag, ())][:RELATED]
        head = {
            "title": paper.title, "date": paper.date, "authors": paper.authors,
            "description": paper.abstract[:180].rpartition(" ")[0],
            "topics": [paper.topic], "tags": [slugify(tag) for tag in tags], "related": near,
        }  # fmt: skip
        text = f"{json.dumps(head, ensure_ascii=False)}\n\n{paper.abstract}\n"
        (out / "content" / "papers" / f"{slug}.md").write_text(text, encoding="utf-8")
        for tag in tags:
            entry = {"path": f"/papers/{slug}/", "title": paper.title}
            latest[tag] = [entry, *latest.get(tag, ())][:3]
