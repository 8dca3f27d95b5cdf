"""The file ``content/registry.jsonl``: a header, then one line a permanent thing, sorted.

The tool writes it and git keeps it. A file that cannot be understood is never rebuilt in silence:
that would give papers other addresses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, get_args

from sitegen.diagnostics import Location, Problem, SitegenError, error, warning

REGISTRY = "content/registry.jsonl"
FORMAT = 1
State = Literal["live", "gone", "alias"]

_URL = re.compile(r"/(?:[a-z0-9][a-z0-9._-]*/)*(?:[a-z0-9][a-z0-9._-]*)?")
_SKETCH = re.compile(r"(?:[0-9a-hjkmnp-tv-z]{4})*")
_KIND = re.compile(r"[a-z]+(?:-[a-z]+)*")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_CONFLICT = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
_RESTORE = f"bring back its last good version, e.g. git checkout -- {REGISTRY}"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Entry:
    """One thing that has, or had, an address of its own."""

    kind: str
    """``paper``, ``topic``, ``edition``, ``tag``, ``page`` or whatever else has pages."""
    id: str
    """Unique in its kind."""
    url: str
    """Path from the site's root, e.g. ``/papers/0123abcd/``; unique."""
    state: State = "live"
    """``gone``: nothing stands behind it now; ``alias``: it has moved to target."""
    target: str = ""
    """URL path that an alias leads to."""
    reason: str = ""
    """Why the curator gave the address up; its notice says so."""
    first_seen: str = ""
    """ISO date of its earliest known edition; empty if unknown."""
    fingerprint: str = ""
    """Of the text a paper was first seen with; its id is the beginning of that text's digest."""
    texts: tuple[str, ...] = ()
    """Fingerprints of the paper's other texts, sorted."""
    ids: tuple[str, ...] = ()
    """What else a paper is recognised by, sorted: ``arxiv:`` and ``doi:`` with its identifiers,
    ``title:`` with the fingerprint of its title and authors."""
    sketch: str = ""
    """Sample of the shown text's shingles, by which an edited text is recognised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """All entries, sorted by kind and id."""

    entries: tuple[Entry, ...] = ()

    def of_kind(self, kind: str) -> tuple[Entry, ...]:
        """Return the entries of one kind."""
        return tuple(entry for entry in self.entries if entry.kind == kind)

    def redirects(self) -> tuple[tuple[str, str], ...]:
        """Return (URL, target) of each alias, chains of aliases followed to their end."""
        return tuple((entry.url, entry.target) for entry in self.entries if entry.state == "alias")

    def gone(self, kind: str = "paper") -> tuple[Entry, ...]:
        """Return the entries of a kind with nothing behind them: their URLs show tombstones."""
        return tuple(entry for entry in self.of_kind(kind) if entry.state == "gone")


_FIELDS = tuple(Entry.__dataclass_fields__)
_VALUES = attrgetter(*_FIELDS)
"""All fields of an entry, in the order that sorts entries: much faster than comparing them."""
_NAMES = frozenset(_FIELDS)
_STATES = frozenset(get_args(State))
_ENCODE = json.JSONEncoder(separators=(",", ":")).encode


def make_registry(entries: Iterable[Entry]) -> Registry:
    """Sort entries and let each alias lead to the end of its chain."""
    ordered = sorted(entries, key=_VALUES)
    moves = {entry.url: entry.target for entry in ordered if entry.state == "alias"}
    straight = []
    for entry in ordered:
        target = entry.target
        seen = {entry.url}
        while target in moves and target not in seen:
            seen.add(target)
            target = moves[target]
        straight.append(entry if target == entry.target else _with_target(entry, target))
    return Registry(entries=tuple(straight))


def _with_target(entry: Entry, target: str) -> Entry:
    return Entry(**{**_fields(entry), "target": target})


# ---- reading ------------------------------------------------------------------------------------
def load(path: Path) -> tuple[Registry, tuple[Problem, ...]]:
    """Read a registry; a missing file is an empty one, but an empty file is a damaged one.

    Returns:
        the registry, and warnings: repeated lines.

    Raises:
        SitegenError: the file is damaged, in conflict, or of a newer format; names each line.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Registry(), ()
    except OSError as exc:
        raise SitegenError(
            error("registry-unreadable", f"cannot be read: {exc.strerror}", Location(REGISTRY))
        ) from exc
    return parse(data)


def parse(data: bytes) -> tuple[Registry, tuple[Problem, ...]]:
    """Check the bytes of a registry; see `load`."""
    try:
        lines = data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as exc:
        place = Location(REGISTRY, data.count(b"\n", 0, exc.start) + 1)
        raise SitegenError(error("registry-encoding", "not UTF-8", place, _RESTORE)) from exc
    numbered = [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    reader = _Reader()
    for number, line in numbered:
        reader.read(number, line)
    if not reader.errors and not reader.has_header:
        what = "the header line is missing" if numbered else "the file is empty"
        reader.fail("registry-header", what, 1, _RESTORE)
    reader.check_targets()
    if reader.errors:
        raise SitegenError(*reader.errors)
    return make_registry(reader.entries.values()), tuple(reader.warnings)


class _Reader:
    """Collects entries line by line."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str], Entry] = {}
        self.errors: list[Problem] = []
        self.warnings: list[Problem] = []
        self.has_header = False
        self._lines: dict[str, int] = {}

    def fail(self, code: str, text: str, line: int, hint: str) -> None:
        self.errors.append(error(code, text, Location(REGISTRY, line), hint))

    def read(self, number: int, line: str) -> None:
        if line.startswith(_CONFLICT):
            hint = "keep the lines of both sides, delete the conflict markers"
            self.fail("registry-conflict", "a merge conflict was left in", number, hint)
            return
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            self.fail("registry-syntax", "not a line of JSON, perhaps cut off", number, _RESTORE)
            return
        if isinstance(data, dict) and data.get("kind") == "registry":
            self._read_header(number, data)
            return
        entry = _entry(data)
        if entry is None:
            self.fail("registry-entry", "not a registry entry", number, _RESTORE)
            return
        known = self.entries.get((entry.kind, entry.id))
        if known == entry:
            text = f"{entry.kind} {entry.id} stands twice, the same"
            self.warnings.append(warning("registry-repeat", text, Location(REGISTRY, number)))
        elif known:
            first = self._lines[known.url]
            text = f"{entry.kind} {entry.id} differs from line {first}"
            self.fail("registry-duplicate", text, number, "keep one of the two lines")
        elif entry.url in self._lines:
            text = f"{entry.url} already stands on line {self._lines[entry.url]}"
            self.fail("registry-duplicate", text, number, "keep one of the two lines")
        else:
            self.entries[entry.kind, entry.id] = entry
            self._lines[entry.url] = number

    def _read_header(self, number: int, data: dict[str, Any]) -> None:
        version = data.get("format")
        self.has_header = True
        if not isinstance(version, int) or version < 1:
            self.fail("registry-header", "the header names no format", number, _RESTORE)
        elif version > FORMAT:
            text = f"written by a newer sitegen: format {version}, this one knows {FORMAT}"
            self.fail("registry-format", text, number, "update sitegen")

    def check_targets(self) -> None:
        """Report aliases that lead in a circle."""
        moves = {entry.url: entry.target for entry in self.entries.values() if entry.target}
        for url in moves:
            at, steps = url, 0
            while at in moves and steps <= len(moves):
                at, steps = moves[at], steps + 1
                if at == url:
                    text = f"the alias {url} leads back to itself"
                    self.fail("registry-circle", text, self._lines[url], _RESTORE)
                    break


def _entry(data: object) -> Entry | None:
    """Return a line's entry, or None where a field is missing, unknown or out of its range."""
    if not isinstance(data, dict) or not data.keys() <= _NAMES:
        return None
    lists = {key: data.get(key, []) for key in ("texts", "ids")}
    plain = {key: value for key, value in data.items() if key not in lists}
    values = list(plain.values())
    for listed in lists.values():
        values += listed if isinstance(listed, list) else [None]
    if not all(isinstance(value, str) for value in values):
        return None
    if not {"kind", "id", "url"} <= plain.keys():
        return None
    entry = Entry(**plain, texts=tuple(lists["texts"]), ids=tuple(lists["ids"]))
    good = (
        bool(_KIND.fullmatch(entry.kind))
        and bool(entry.id)
        and ((told := entry.id + entry.reason).isprintable() or not _UNSEEN.search(told))
        and bool(_URL.fullmatch(entry.url))
        and bool(_SKETCH.fullmatch(entry.sketch))
        and entry.state in _STATES
        and (entry.state == "alias") == bool(entry.target)
        and (not entry.target or bool(_URL.fullmatch(entry.target)))
        and (entry.kind != "paper" or _agrees(entry))
    )
    return entry if good else None


def _agrees(entry: Entry) -> bool:
    """Whether a paper's id, address and fingerprint say the same, as they do unless damaged."""
    known = entry.fingerprint
    return entry.url == f"/papers/{entry.id}/" and known.startswith(entry.id[: len(known)])


# ---- writing ------------------------------------------------------------------------------------
def dump(registry: Registry) -> bytes:
    """Return a registry's file: the same bytes for the same entries, one line each."""
    lines = [{"kind": "registry", "format": FORMAT}]
    lines += [_fields(entry) for entry in sorted(registry.entries, key=_VALUES)]
    texts = (_ENCODE({key: value for key, value in line.items() if value}) for line in lines)
    return "".join(f"{text}\n" for text in texts).encode()


def _fields(entry: Entry) -> dict[str, Any]:
    return dict(zip(_FIELDS, _VALUES(entry), strict=True))
