"""What earlier builds found out about single abstracts: mentions of names, drafts of headlines."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sitegen.line_cache import LineCache, code_hash, path_of, text_hash
from sitegen.records import Name
from sitegen.workers import Workers

_DECIDES = ("headlines.py", "names.py", "naming", "sentences.py", "data/*nam*", "data/*.json")
"""Everything whose change may change a draft."""
_BATCH, _LEAST = 128, 600
"""Texts that are handed to a worker at once, and fewest texts that are worth starting workers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """All that the names and drafts of one abstract depend on."""

    text: str
    title: str
    """The paper's own, by which its gist is found; empty where it has none."""
    counts: Mapping[str, int]
    """What is known of the text's mentions from the digest: see `Background.about`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """The names, the headline's drafts and the gist of one abstract."""

    titles: tuple[str, ...]
    """Best first; the last one is always possible."""
    names: tuple[Name, ...]
    gist: str


class Shelf:
    """Keeps findings by text from run to run, and has workers find what is missing."""

    def __init__(self, folder: Path | None, workers: Workers) -> None:
        """Take the folder of the cache, None for nowhere, and those who work."""
        self._folder = folder
        self._workers = workers

    def mentions(
        self, texts: Sequence[str], find: Callable[[str], tuple[str, ...]]
    ) -> list[tuple[str, ...]]:
        """Return ``find(text)`` for each text: its strings that look like names."""
        keys = [text_hash(text) for text in texts]
        kept = self._cache("mentions")
        known = kept.read(keys)
        new = {key: find(text) for key, text in zip(keys, texts, strict=True) if key not in known}
        kept.add(new)
        kept.tidy()
        known.update(new)
        return [tuple(known[key]) for key in keys]

    def drafts(
        self,
        tasks: Sequence[Task],
        make: Callable[[Sequence[Task]], list[Drafted]],
    ) -> list[Drafted]:
        """Return what ``make`` finds for each task.

        Args:
            tasks: one a paper.
            make: finds it for several tasks; pure, called only where nothing fitting is kept;
                importable by its name.
        """
        keys = [_key(task) for task in tasks]
        kept = self._cache("headlines")
        found = _unpacked(kept.read(keys))
        missing = {key: task for key, task in zip(keys, tasks, strict=True) if key not in found}
        waiting = iter(missing)
        work = partial(_make_all, make=make)
        todo = list(missing.values())
        for values in self._workers.run(work, todo, size=_BATCH, least=_LEAST):
            new = {next(waiting): value for value in values}
            found.update(_unpacked(new))
            kept.add(new)
        kept.tidy()
        return [found[key] for key in keys]

    def _cache(self, kind: str) -> LineCache:
        setting = code_hash(*_DECIDES)
        return LineCache(path_of(self._folder, kind, setting) if self._folder else None)


def _key(task: Task) -> str:
    counts = (f"{name} {count}" for name, count in sorted(task.counts.items()))
    known = "\n".join([task.title, *counts]).encode("utf-8", "surrogatepass")
    return f"{text_hash(task.text)} {hashlib.sha256(known).hexdigest()[:16]}"


def _make_all(
    tasks: Sequence[Task], *, make: Callable[[Sequence[Task]], list[Drafted]]
) -> list[Any]:
    """Return the drafts of several texts as plain JSON, as their cache holds them."""
    return [
        [
            list(each.titles),
            [[name.text, name.expansion, name.score] for name in each.names],
            each.gist,
        ]
        for each in make(tasks)
    ]


def _unpacked(values: Mapping[str, Any]) -> dict[str, Drafted]:
    """Return the drafts of a cache that are sound."""
    found = {}
    for key, value in values.items():
        with contextlib.suppress(ValueError, TypeError):
            titles, names, gist = value
            found[key] = Drafted(
                titles=tuple(titles),
                names=tuple(
                    Name(text=text, expansion=long, score=score) for text, long, score in names
                ),
                gist=gist,
            )
    return found
