"""What earlier builds found out about single abstracts: mentions of names, drafts of headlines."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sitegen import line_cache
from sitegen.records import Name

_DECIDES = ("headlines.py", "names.py", "naming", "sentences.py", "data/*nam*", "data/*.json")
"""Everything whose change may change a draft."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """The names, the headline's drafts and the gist of one abstract."""

    titles: tuple[str, ...]
    """Best first; the last one is always possible."""
    names: tuple[Name, ...]
    gist: str


class Shelf:
    """Keeps findings by text, in memory and, where a folder is given, from run to run."""

    def __init__(self, folder: Path | None) -> None:
        setting = line_cache.code_hash(*_DECIDES)
        self._path = line_cache.path_of(folder, "headlines", setting) if folder else None
        self._known: dict[str, Any] = line_cache.load(self._path)
        self._used: set[str] = set()
        self._grown = False

    def mentions(self, text: str, find: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
        """Return ``find(text)``: the strings of a text that look like names."""
        key = f"mentions {line_cache.text_hash(text)}"
        return tuple(self._get(key, lambda: find(text)))

    def draft(
        self,
        text: str,
        mentions: tuple[str, ...],
        counts: Mapping[str, int],
        title: str,
        make: Callable[[], Drafted],
    ) -> Drafted:
        """Return ``make()``, which depends on the text and on how common its mentions are.

        Args:
            text: an abstract.
            mentions: its strings that look like names.
            counts: in how many abstracts of the digest each stands.
            title: the paper's own, whose gist is found by it; empty where it has none.
            make: called only where nothing fitting is kept.
        """
        known = "\n".join(
            [title, *(f"{name} {counts[name]}" for name in sorted(mentions) if name in counts)]
        )
        common = hashlib.sha256(known.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        key = f"draft {line_cache.text_hash(text)} {common}"
        titles, names, gist = self._get(key, lambda: _as_lists(make()))
        return Drafted(
            titles=tuple(titles),
            names=tuple(
                Name(text=name, expansion=long, score=score) for name, long, score in names
            ),
            gist=gist,
        )

    def close(self) -> None:
        """Write what was found, if anything is new."""
        if self._grown:
            line_cache.save(self._path, self._known, self._used)

    def _get(self, key: str, make: Callable[[], Any]) -> Any:
        self._used.add(key)
        if key not in self._known:
            self._known[key] = make()
            self._grown = True
        return self._known[key]


def _as_lists(drafted: Drafted) -> list[Any]:
    names = [[name.text, name.expansion, name.score] for name in drafted.names]
    return [list(drafted.titles), names, drafted.gist]
