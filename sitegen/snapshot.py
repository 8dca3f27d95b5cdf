"""A reference of any size, one JSON object a line, searched for our texts as it streams by.

One process reads and unpacks, others parse and compare. What is held at a time is a few chunks of
the file, whatever its size; a broken line costs itself and nothing else.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import multiprocessing
import os
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO, Any

from sitegen.diagnostics import Location, Problem, SitegenError, error, warning
from sitegen.matching import Finder, Likeness, Mend, Wanted
from sitegen.orphans import end_with_parent
from sitegen.records import Metadata

CHUNK = 2 * 1024 * 1024
"""Bytes unpacked at a time."""
LONGEST = 16 * 1024 * 1024
"""Bytes of a line that are read; what goes beyond is passed over."""
MOST_ALIKE = 100
"""Broken lines that are listed one by one."""
LONGEST_TEXT = 100_000
"""Characters of an abstract that are compared."""
_SMALL = 4 * 1024 * 1024
"""Bytes of a file below which other processes take longer to start than to help."""
_MEGABYTE = 1024 * 1024
_OWN_KEYS = frozenset({"authors", "authors_parsed", "categories"})
"""Keys of the arXiv's records that those of CSL and of others do not have."""
_UNPACKING = (EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, gzip.BadGzipFile)

Advance = Callable[[int, int], None]
ReadRecord = Callable[[Mapping[str, Any]], Metadata]
"""Returns what a record says of its paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A record that has, or nearly has, one of our texts."""

    wanted: int
    """Position of our text."""
    likeness: Likeness
    metadata: Metadata
    line: int
    """From 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What one reference held."""

    hits: tuple[Hit, ...]
    """In the order of the file."""
    records: int
    """Lines with a title and an abstract."""
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """What one chunk held; its lines are counted from 1."""

    lines: int
    records: int
    hits: tuple[Hit, ...]
    broken: tuple[tuple[int, str], ...]
    """Line, and what is wrong with it; the first `MOST_ALIKE`."""
    skipped: int
    """Broken lines, all of them."""


def is_stream(path: Path) -> bool:
    """Whether a file, unpacked, holds one record of the arXiv's kind a line.

    Raises:
        SitegenError: it cannot be read or unpacked.
    """
    with _guarded(path):
        blocks = _blocks(path)
        head = next((data for data, _ in blocks), b"")
        blocks.close()
    # One of the first lines may be a broken one.
    first = [_parse(_bare(line)) for line in head[: 2 * _MEGABYTE].splitlines()[:5]]
    return any(
        bool(_text_of(record)) and isinstance(record, dict) and not _OWN_KEYS.isdisjoint(record)
        for record in first
    )


def scan(
    path: Path,
    wanted: Sequence[Wanted],
    *,
    mend: Mend,
    read_record: ReadRecord,
    jobs: int = 1,
    advance: Advance,
) -> Scan:
    """Look for our texts in a file of JSON lines.

    Args:
        path: plain, gzip, bzip2, xz, or a ZIP archive of such files.
        wanted: what is looked for.
        mend: repairs a record's text as ours were.
        read_record: takes a record apart. Both are functions of a module: other processes have to
            find them.
        jobs: processes to search with.
        advance: told how many megabytes of how many were read.

    Returns:
        everything that resembles one of our texts; broken lines as problems. The same for every
        number of jobs.

    Raises:
        SitegenError: the file cannot be opened.
    """
    hits: list[Hit] = []
    broken: list[tuple[int, str]] = []
    lines = records = skipped = 0
    problems: list[Problem] = []
    with _guarded(path):
        size = path.stat().st_size
        total = -(-size // _MEGABYTE)
        several = jobs if size > _SMALL else 1
        try:
            for part, position in _search_all(_blocks(path), (wanted, mend, read_record), several):
                hits += [replace(hit, line=lines + hit.line) for hit in part.hits]
                room = MOST_ALIKE - len(broken)
                broken += [(lines + line, text) for line, text in part.broken[:room]]
                lines += part.lines
                records += part.records
                skipped += part.skipped
                advance(position // _MEGABYTE, total)
        except _UNPACKING as exc:
            text = f"cannot be unpacked to its end ({exc}); {records:,} records were read"
            problems.append(_unreadable(path, text))
    listed = [
        warning("reference-line", text, Location(path.name, line), "mend the line, or ignore it")
        for line, text in broken
    ]
    if skipped > MOST_ALIKE:
        more = skipped - MOST_ALIKE
        listed[-1] = replace(listed[-1], text=f"{listed[-1].text} (and {more:,} more lines)")
    return Scan(hits=tuple(hits), records=records, problems=(*listed, *problems))


# ---- files --------------------------------------------------------------------------------------
@contextmanager
def _guarded(path: Path) -> Iterator[None]:
    """Turn whatever keeps a file from being read into an error for the user."""
    try:
        yield
    except BrokenProcessPool as exc:
        text = "a process that searched it was ended, perhaps for lack of memory"
        problem = error("reference-unreadable", text, Location(path.name), "try --jobs 1")
        raise SitegenError(problem) from exc
    except (OSError, RuntimeError, NotImplementedError, *_UNPACKING) as exc:
        # RuntimeError, NotImplementedError: a ZIP archive with a password, or of an odd kind.
        reason = (exc.strerror if isinstance(exc, OSError) else "") or str(exc)
        raise SitegenError(_unreadable(path, f"cannot be read: {reason}")) from exc


def _unreadable(path: Path, text: str) -> Problem:
    return error("reference-unreadable", text, Location(path.name), "fetch the file anew")


def _blocks(path: Path) -> Generator[tuple[bytes, int], None, None]:
    """Yield a file's content, unpacked, in blocks of whole lines, and how far it was read."""
    with path.open("rb") as raw:
        for stream in _streams(raw):
            for block in _whole_lines(iter(partial(stream.read, CHUNK), b"")):
                yield block, raw.tell()


def _streams(raw: IO[bytes]) -> Iterator[IO[bytes]]:
    """Open what a file holds, told by its first bytes; several streams for an archive."""
    head = raw.read(6)
    raw.seek(0)
    if head.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(raw) as archive:
            for member in sorted(archive.namelist()):
                if not member.endswith("/") and not member.startswith("__MACOSX/"):
                    with archive.open(member) as stream:
                        yield stream
    elif head.startswith(b"\x1f\x8b"):
        with gzip.open(raw) as packed:
            yield packed  # type: ignore[misc]
    elif head.startswith(b"BZh"):
        with bz2.open(raw) as packed:
            yield packed
    elif head.startswith(b"\xfd7zXZ\x00"):
        with lzma.open(raw) as packed:
            yield packed
    else:
        yield raw


def _whole_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Cut at line ends; a line that goes on beyond `LONGEST` ends there, its rest is left out."""
    begun: list[bytes] = []
    length = 0
    passing = False
    for piece in pieces:
        data = piece
        if passing:
            cut = data.find(b"\n")
            passing = cut < 0
            data = b"" if passing else data[cut + 1 :]
        cut = data.rfind(b"\n") + 1
        if cut:
            yield b"".join((*begun, data[:cut]))
            begun, length = [], 0
        begun.append(data[cut:])
        length += len(data) - cut
        if length > LONGEST:
            yield b"".join((*begun, b"\n"))
            begun, length, passing = [], 0, True
    if length:
        yield b"".join((*begun, b"\n"))


# ---- search -------------------------------------------------------------------------------------
_Task = tuple[Sequence[Wanted], Mend, ReadRecord]


class _Searcher:
    """Searches blocks of lines; one a process."""

    def __init__(self, task: _Task) -> None:
        wanted, mend, self._read = task
        self._finder = Finder(wanted, mend)

    def search(self, block: bytes) -> _Part:
        hits: list[Hit] = []
        broken: list[tuple[int, str]] = []
        records = skipped = 0
        lines = block.removesuffix(b"\n").split(b"\n")
        for number, line in enumerate(lines, 1):
            bare = _bare(line)
            if not bare:
                continue
            record = _parse(bare)
            text = _text_of(record)
            if isinstance(record, dict) and text:
                records += 1
                hits += self._find(record, text, number)
                continue
            skipped += 1
            if len(broken) < MOST_ALIKE:
                broken.append((number, _wrong_with(record)))
        return _Part(
            lines=len(lines),
            records=records,
            hits=tuple(hits),
            broken=tuple(broken),
            skipped=skipped,
        )

    def _find(self, record: dict[str, Any], text: str, number: int) -> Iterator[Hit]:
        names = (record.get("id"), record.get("doi"))
        identifiers = [name.casefold() for name in names if isinstance(name, str)]
        for at, likeness in self._finder.find(text, identifiers):
            yield Hit(wanted=at, likeness=likeness, metadata=self._read(record), line=number)


def _bare(line: bytes) -> bytes:
    """Return a line without what a list with one record a line has around its records."""
    return line.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r,[]")


def _parse(line: bytes) -> object:
    """Return what a line of JSON says; None where it is none."""
    try:
        return json.loads(line.decode())
    except (ValueError, RecursionError):
        return None


def _text_of(record: object) -> str:
    """Return a record's abstract; empty where it is no record with title and abstract."""
    if not isinstance(record, dict):
        return ""
    title, text = record.get("title"), record.get("abstract")
    if not (isinstance(title, str) and isinstance(text, str) and title.strip()):
        return ""
    return text[:LONGEST_TEXT].strip()


def _wrong_with(record: object) -> str:
    if record is None:
        return "not a line of JSON in UTF-8, perhaps cut off"
    if not isinstance(record, dict):
        return "not a JSON object"
    return "a record without title or abstract"


_SEARCHERS: list[_Searcher] = []
"""The process's own one, once it is prepared."""


def _prepare(task: _Task, parent: int) -> None:
    end_with_parent(parent)
    _SEARCHERS[:] = [_Searcher(task)]


def _search(block: bytes) -> _Part:
    return _SEARCHERS[0].search(block)


def _search_all(
    blocks: Iterator[tuple[bytes, int]], task: _Task, jobs: int
) -> Iterator[tuple[_Part, int]]:
    """Search all blocks, in several processes if asked to; yields in the order of the blocks."""
    if jobs == 1:
        searcher = _Searcher(task)
        for block, position in blocks:
            yield searcher.search(block), position
        return
    # Not forked: another thread (a progress bar's) may hold a lock at that moment.
    pool = ProcessPoolExecutor(
        jobs, multiprocessing.get_context("spawn"), _prepare, (task, os.getpid())
    )
    waiting: deque[tuple[Future[_Part], int]] = deque()
    failure: Exception | None = None
    try:
        while True:
            try:
                block, position = next(blocks)
            except StopIteration:
                break
            except _UNPACKING as exc:
                failure = exc  # what was unpacked before is searched all the same
                break
            waiting.append((pool.submit(_search, block), position))
            if len(waiting) > 2 * jobs:
                future, at = waiting.popleft()
                yield future.result(), at
        while waiting:
            future, at = waiting.popleft()
            yield future.result(), at
    finally:
        pool.shutdown(cancel_futures=True)
    if failure:
        raise failure
