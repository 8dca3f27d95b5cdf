"""The files of the search index, from the cache where their papers did not change."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path

from sitegen import line_cache
from sitegen.fingerprints import Fingerprints
from sitegen.records import LateFile, OutFile, SiteFile
from sitegen.search import store
from sitegen.search.documents import document
from sitegen.search.pagefind import run_pagefind
from sitegen.search.shards import MOST, Shard, split
from sitegen.views import SearchEntry

FOLDER = "pagefind/"
PLAN = f"{FOLDER}shards.json"
SHARDS = "shards/"
"""Below the index's folder: a folder for each shard but the newest, which is there itself."""
MOST_AT_ONCE = 4
"""Shards indexed side by side take 400 MB each."""

Files = Mapping[str, bytes]
"""By path below a shard's folder."""


@contextmanager
def index_beside(
    entries: Sequence[SearchEntry],
    language: str,
    cache: Path,
    *,
    jobs: int = 1,
    most: int = MOST,
) -> Iterator[Callable[[], Iterator[SiteFile]]]:
    """Index papers beside what the caller does meanwhile.

    Args:
        entries: papers, any order.
        language: BCP 47 tag, for stemming.
        cache: folder that keeps finished shards.
        jobs: processes to use; with one, nothing happens before the files are asked for.
        most: papers in a shard.

    Yields:
        a function that gives the files of the index, and waits for them. It raises SitegenError
        where Pagefind is not there or did not succeed.
    """
    language = language.partition("-")[0].lower()
    shards = split(entries, most) if entries else ()
    tags = {shard.name: f"{language}-{shard.name}".rstrip("-") for shard in shards}

    def index(shard: Shard) -> tuple[str, Files | None]:
        return _index(shard, tags[shard.name], cache)

    def files() -> Iterator[SiteFile]:
        made = started or map(index, shards)
        keys: list[str] = []
        for shard, (key, unkept) in zip(shards, made, strict=True):
            keys.append(key)
            folder = f"{FOLDER}{SHARDS}{shard.name}/" if shard.name else FOLDER
            pack = None if unkept else store.load(cache, key)
            if pack:
                same = partial(str, pack.digest)
                for path, view in pack.files.items():
                    yield LateFile(path=folder + path, make=partial(bytes, view), key=same)
            else:
                for path, data in (unkept or _pagefind(shard, tags[shard.name], cache)).items():
                    yield OutFile(path=folder + path, data=data)
        store.forget(cache, keys)
        yield OutFile(path=PLAN, data=_plan(entries, shards, tags))

    pool = ThreadPoolExecutor(max(1, min(jobs, MOST_AT_ONCE)))
    try:
        started = pool.map(index, shards) if jobs > 1 else None
        yield files
    finally:
        pool.shutdown(cancel_futures=True)


def index_files(
    entries: Sequence[SearchEntry], language: str, cache: Path, *, jobs: int = 1, most: int = MOST
) -> Iterator[SiteFile]:
    """Yield the files of the search index; the arguments are those of `index_beside`."""
    with index_beside(entries, language, cache, jobs=jobs, most=most) as files:
        yield from files()


def _index(shard: Shard, language: str, cache: Path) -> tuple[str, Files | None]:
    """See to it that the cache holds a shard.

    Returns:
        its key, and its files only where they could not be kept.
    """
    settings = (version("pagefind-bin"), line_cache.code_hash("search"), language)
    of = Fingerprints(repr(settings).encode()).of
    # Where their fingerprints are known the texts need not be read.
    entries = [
        (one.key, one.topics, one.editions) if one.key else (one, one.words())
        for one in shard.entries
    ]
    key = of(shard.name, entries)
    if store.load(cache, key) is not None:
        return key, None
    files = _pagefind(shard, language, cache)
    return key, None if store.save(cache, key, files) else files


def _pagefind(shard: Shard, language: str, cache: Path) -> Files:
    return run_pagefind(_documents(shard), language, engine=not shard.name, folder=cache)


def _documents(shard: Shard) -> Files:
    return {f"{entry.path}index.html": document(entry) for entry in shard.entries}


def _plan(entries: Sequence[SearchEntry], shards: Sequence[Shard], tags: dict[str, str]) -> bytes:
    """Return what the search page knows before it loads a shard; newest first."""
    counts = {
        "topic": Counter(slug for entry in entries for slug in entry.topics),
        "edition": Counter(slug for entry in entries for slug in entry.editions),
        "code": Counter("yes" for entry in entries if entry.code),
    }
    data = {
        "papers": len(entries),
        "shards": [
            {
                "path": f"{SHARDS}{shard.name}/" if shard.name else "",
                "language": tags[shard.name],
                "papers": len(shard.entries),
            }
            for shard in shards
        ],
        "counts": {name: dict(sorted(count.items())) for name, count in counts.items()},
    }
    return (json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
