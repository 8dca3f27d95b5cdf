"""Payloads that are hostile by their size: a whole build stays within bounds, others unharmed."""

from __future__ import annotations

import json
import resource
from pathlib import Path

from tests.conftest import run_sitegen
from tests.workbench import write

from .corpus import FORMATS, Entry, innocent

BULK = {
    "word": "a" * 10_000_000,
    "brackets": "(" * 100_000,
    "nested": "{" * 20_000 + "}" * 20_000,
    "dollars": "$x^" * 30_000,
    "fractions": "$" + "\\frac{1}{" * 9_000 + "}" * 9_000 + "$",
    "marks": "e" + "\u0301" * 90_000,
    "words": "kelp " * 19_000,
    "many words": " ".join(f"kelp{number} otter" for number in range(7_000)),
    "urls": "https://a.example/" * 5_000,
    "bidi": "\u202e\u2066" * 40_000,
    "entities": "&amp;" * 19_000,
    "sentences": "We find it. " * 8_000,
    "hyphens": "low-cost-" * 10_000,
    "commas": "A, " * 30_000,
}
SECONDS, MEGABYTES = 120, 1500


def test_a_build_of_huge_texts_stays_in_bounds(tmp_path: Path) -> None:
    names = list(FORMATS)
    for number, (name, payload) in enumerate(BULK.items()):
        form = names[number % len(names)]
        entries = [innocent(number), Entry(number, payload)]
        text = FORMATS[form](entries[1:] if form == "note.md" else entries)
        write(tmp_path, f"seeds/{name.replace(' ', '-')}.{form.partition('.')[2]}", text)
        body = payload[:90_000]
        write(tmp_path, f"content/pages/p{number}.md", f"---\ntitle: Page\n---\n{body}\n")
        write(tmp_path, f"content/topics/t{number}.md", f"---\ntitle: T{number}\n---\n{body}\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = run_sitegen("build", "--no-frozen", "-q", cwd=tmp_path)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert "Traceback" not in result.stderr
    lines = (tmp_path / "public/data/papers.jsonl").read_text("utf-8").splitlines()
    abstracts = {json.loads(line)["abstract"] for line in lines}
    for number in range(len(BULK)):
        if names[number % len(names)] != "note.md":
            assert innocent(number).abstract in abstracts, number
    assert after.ru_utime - before.ru_utime < SECONDS
    assert after.ru_maxrss / 1024 < MEGABYTES
    print(f"{after.ru_utime - before.ru_utime:.0f} s, {after.ru_maxrss / 1024:.0f} MB")
