"""Every payload through every reader, repair and the making of HTML: whole, harmless, in time."""

from __future__ import annotations

import gzip
import io
import re
import time
import zipfile
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from sitegen.frontmatter import parse_document
from sitegen.markup import markdown_html, markdown_text, prose_html
from sitegen.repair import repair
from sitegen.sources import read_file
from tests.test_source_bounds import check

from .corpus import ENCODED, FORMATS, PAYLOADS, Entry, encoded, innocent
from .harmless import check_html

SECONDS = 1.0
"""Most that one payload may cost in one format; it takes milliseconds."""


UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def texts_in(value: object) -> Iterator[str]:
    """Yield every text in a record of any shape."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from texts_in(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from texts_in(getattr(value, field.name))


def test_the_corpus_is_large_and_distinct() -> None:
    assert len(PAYLOADS) >= 200


@pytest.mark.parametrize("name", FORMATS)
def test_every_payload_through_every_reader(tmp_path: Path, name: str) -> None:
    slowest = 0.0
    for number, payload in enumerate(PAYLOADS):
        entries = (innocent(1), Entry(number, payload), innocent(2))
        file = FORMATS[name](entries if name != "note.md" else entries[1:2])
        (tmp_path / name).write_bytes(encoded(file))
        started = time.process_time()
        reading = read_file(tmp_path, name)
        check(reading)
        for one in reading.found:
            assert not [text for text in texts_in(one) if UNFIT.search(text)], ascii(payload)
            for text in (one.text, one.metadata.title):
                check_html(str(prose_html(repair(text))))
            for link in (*one.metadata.links, one.metadata):
                assert not link.url or link.url.startswith(("http://", "https://"))
        slowest = max(slowest, time.process_time() - started)
        refused = [one for one in reading.problems if one.code == "source-not-text"]
        if name in ENCODED and not refused:
            texts = [one.text for one in reading.found]
            assert innocent(1).abstract in texts, payload
            assert innocent(2).abstract in texts, payload
    assert slowest < SECONDS


def test_every_payload_as_markdown_of_a_curator() -> None:
    for payload in PAYLOADS:
        for text in (payload, f"# {payload}\n\n- {payload}\n\n> {payload}", f"a `{payload}` b"):
            started = time.process_time()
            document, _ = parse_document(encoded(text), "content/pages/a.md")
            check_html(str(markdown_html(document.body)))
            markdown_text(document.body)
            assert time.process_time() - started < SECONDS


# ---- archives ------------------------------------------------------------------------------------
def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


RECORD = FORMATS["plain.json"]([innocent(1)]).encode()
ARCHIVES = {
    "slip": zipped({"../../evil.json": RECORD, "/etc/evil.json": RECORD, "C:\\evil.json": RECORD}),
    "bomb": zipped({"bomb.txt": b"a" * 600_000_000}),
    "many": zipped({f"{number}.txt": b"a" for number in range(20_000)}),
    "twice": zipped({"a.json": RECORD, "A.json": RECORD}),
    "in archives": zipped({"a.zip": zipped({"b.zip": zipped({"c.json": RECORD})})}),
    "gz of gz": gzip.compress(gzip.compress(RECORD)),
    "gz bomb": gzip.compress(b"a" * 600_000_000, 9),
    "gz of zip": gzip.compress(zipped({"a.json": RECORD})),
    "gz cut": gzip.compress(RECORD)[:-9],
    "zip cut": zipped({"a.json": RECORD})[:-9],
    "zip of names": zipped(
        {"a\x00.json": RECORD, "a\nb.json": RECORD, "CON": RECORD, "\u202e.json": RECORD}
    ),
    "empty zip": zipped({}),
    "only a head": b"PK\x03\x04",
    "only a gz head": b"\x1f\x8b",
}  # fmt: skip


@pytest.mark.parametrize("name", ARCHIVES)
def test_archives_stay_in_memory_and_in_bounds(tmp_path: Path, name: str) -> None:
    import resource

    root = tmp_path / "in/here"
    root.mkdir(parents=True)
    (root / "archive.zip").write_bytes(ARCHIVES[name])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    reading = read_file(root, "archive.zip")
    assert time.process_time() - started < 6
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1_000_000
    assert reading.found or reading.problems
    for problem in reading.problems:
        shown, _, hint = str(problem).partition("\n  hint: ")
        assert (shown + hint).isprintable()
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == [root / "archive.zip"]
    assert not Path("/etc/evil.json").exists()
