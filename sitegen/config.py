"""``content/site.toml`` as one frozen Config; keys have defaults, unknown ones are problems."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sitegen import tomltext
from sitegen.diagnostics import Location, Problem, SitegenError, error

SITE_TOML = "content/site.toml"
CARDS = ("lists", "all", "none")
LOCAL_BASE_URL = "http://localhost:8000/"

_PARTIAL_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_DOMAIN = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*", re.IGNORECASE)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSpec:
    """One ``[[source]]`` table: which files, and the edition they make."""

    pattern: str
    """Path or glob from the project's root."""
    title: str = ""
    """Title of the edition; empty = the one of ``content/editions/<slug>.md`` or the file's."""
    date: str = ""
    """ISO 8601, as exact as known."""
    edition: str = ""
    """Slug of the edition; empty = made from each file's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TagOptions:
    """The ``[tags]`` table."""

    model: str = "static"
    """``static`` (in the package), ``onnx``, or a sentence-transformers name or path."""
    limit: int = 8
    """Tags a paper may carry."""
    linked: int = 5
    """How many of them may have a page."""
    aliases: str = "content/aliases.toml"
    """File of the curator's own terms and aliases; extends the package's."""
    builtin_aliases: bool = True
    """Whether the package's vocabulary of machine learning is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DedupOptions:
    """The ``[dedup]`` table; shares of common word 3-shingles of the shorter text."""

    join: float = 0.40
    """From here on two texts are one paper."""
    propose: float = 0.20
    """From here on they are a doubtful pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """A digest's settings."""

    title: str = "Paper digest"
    description: str = ""
    base_url: str = LOCAL_BASE_URL
    """Absolute address of the home page, with trailing slash."""
    domain: str = ""
    """Custom domain that the host of the branch is to be told of; empty where there is none."""
    language: str = "en"
    cards: str = "lists"
    """Pages with a picture of their own for shared links: ``lists`` (the site, topics, editions and
    picks), ``all`` (every paper too) or ``none``."""
    repository: str = ""
    """Absolute URL of the digest's own repository; empty if unknown."""
    sources: tuple[SourceSpec, ...] = (SourceSpec(pattern="seeds/*"),)
    references: tuple[str, ...] = ()
    """Paths of the ``[[reference]]`` tables: metadata that completes papers, adding none."""
    tags: TagOptions = TagOptions()
    dedup: DedupOptions = DedupOptions()

    @property
    def base_path(self) -> str:
        """Path part of base_url, e.g. ``/digest/``."""
        return urlsplit(self.base_url).path or "/"


def load_config(
    root: Path, *, base_url: str | None = None, repository: str = ""
) -> tuple[Config, tuple[Problem, ...]]:
    """Read ``content/site.toml`` below root.

    Args:
        root: the digest's folder.
        base_url: overrides the file's.
        repository: ``owner/name`` to use where the file names none (CI knows it).

    Returns:
        the settings, wrong values replaced by their defaults, and a problem for each of those.

    Raises:
        SitegenError: the file is not TOML at all, not UTF-8, or cannot be read.
    """
    path = root / SITE_TOML
    try:
        text = path.read_bytes().decode("utf-8-sig") if path.exists() else ""
    except OSError as exc:
        reason = (exc.strerror or str(exc)).lower()
        found = error("config-unreadable", f"cannot be read: {reason}", Location(SITE_TOML))
        raise SitegenError(found) from exc
    except UnicodeDecodeError as exc:
        line = path.read_bytes()[: exc.start].count(b"\n") + 1
        raise SitegenError(
            error("config-encoding", "not UTF-8", Location(SITE_TOML, line), "save it as UTF-8")
        ) from exc
    return parse_config(text, base_url=base_url, repository=repository)


def parse_config(
    text: str, *, base_url: str | None = None, repository: str = ""
) -> tuple[Config, tuple[Problem, ...]]:
    """Check the text of a site.toml; see `load_config`."""
    try:
        data = tomltext.parse(text)
    except ValueError as exc:
        found = re.search(r"line (\d+)", str(exc))
        line = int(found[1]) if found else text.count("\n") + 1
        raise SitegenError(
            error(
                "config-syntax",
                f"not valid TOML: {str(exc).split(' (at')[0].lower()}",
                Location(SITE_TOML, line),
                'write text values in quotes, e.g. title = "My digest"',
            )
        ) from exc
    reader = _Reader(text)
    top = reader.table("", data, _TOP)
    tags = reader.table("tags", data.get("tags", {}), _TAGS)
    dedup = reader.table("dedup", data.get("dedup", {}), _DEDUP)
    sources = reader.sources(data.get("source", []))
    references = reader.references(data.get("reference", []))
    if dedup.get("propose", 0.2) > dedup.get("join", 0.4):
        reader.report("dedup", "propose", "propose is above join", "give propose a smaller value")
        dedup = {}
    repository = _repository_url(str(top.pop("repository", "")) or repository)
    written, domain = str(top.pop("base_url", "")), str(top.pop("domain", "")).lower()
    own = f"https://{domain}/" if domain else ""
    if own and written and urlsplit(written)[1:3] not in {(domain, ""), (domain, "/")}:
        reader.report(
            "", "domain", f"base_url is not the address of {domain}", f'base_url = "{own}", or none'
        )
    address = base_url or written or own or _pages_url(repository) or LOCAL_BASE_URL
    config = Config(
        **top,
        base_url=address if address.endswith("/") else address + "/",
        domain=domain,
        repository=repository,
        sources=sources or (SourceSpec(pattern="seeds/*"),),
        references=references,
        tags=TagOptions(**tags),
        dedup=DedupOptions(**dedup),
    )
    return config, tuple(reader.problems)


def is_absolute_url(value: str) -> bool:
    """Whether value is an http(s) address with a host and nothing after its path."""
    try:
        parts = urlsplit(value)
        host = parts.hostname
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(host) and not (parts.query or parts.fragment)


def is_partial_date(value: str) -> bool:
    """Whether value is ``YYYY``, ``YYYY-MM`` or ``YYYY-MM-DD``."""
    return bool(_PARTIAL_DATE.fullmatch(value))


def _repository_url(value: str) -> str:
    return f"https://github.com/{value}" if _REPOSITORY.fullmatch(value) else value.rstrip("/")


def _pages_url(repository: str) -> str:
    """Address that GitHub Pages gives a repository's site; empty for other hosts."""
    found = re.fullmatch(r"https://github\.com/([\w.-]+)/([\w.-]+)", repository)
    if not found:
        return ""
    owner, name = found[1].lower(), found[2]
    root = f"https://{owner}.github.io/"
    return root if name.lower() == f"{owner}.github.io" else f"{root}{name}/"


@dataclass(frozen=True, slots=True)
class _Key:
    """What a key may hold, and how to say so."""

    accepts: Callable[[Any], bool]
    wants: str


def _text(check: Callable[[str], bool], wants: str) -> _Key:
    return _Key(lambda value: isinstance(value, str) and check(value), wants)


def _number(low: float, high: float, kind: type | tuple[type, ...], wants: str) -> _Key:
    def accepts(value: Any) -> bool:
        number = isinstance(value, kind) and not isinstance(value, bool)
        return number and bool(low <= value <= high)

    return _Key(accepts, wants)


_ANY_TEXT = _text(lambda _: True, "text in quotes")
_DATE = _text(is_partial_date, 'a date in quotes like "2031-05-01", "2031-05" or "2031"')
_TOP: Mapping[str, _Key] = {
    "title": _text(lambda value: bool(value.strip()), "text in quotes"),
    "description": _ANY_TEXT,
    "base_url": _text(is_absolute_url, 'an address like "https://host/path/"'),
    "domain": _text(lambda value: bool(_DOMAIN.fullmatch(value)), 'a host like "lab.example"'),
    "language": _text(lambda value: bool(_LANGUAGE.fullmatch(value)), 'a tag like "en" or "pt-BR"'),
    "cards": _text(lambda value: value in CARDS, '"lists", "all" or "none"'),
    "repository": _text(
        lambda value: bool(_REPOSITORY.fullmatch(value)) or is_absolute_url(value),
        '"owner/name" or an address',
    ),
}
_TAGS: Mapping[str, _Key] = {
    "model": _text(bool, '"static", "onnx", or a model\'s name or path'),
    "limit": _number(1, 8, int, "a whole number from 1 to 8"),
    "linked": _number(0, 8, int, "a whole number from 0 to 8"),
    "aliases": _ANY_TEXT,
    "builtin_aliases": _Key(lambda value: isinstance(value, bool), "true or false"),
}
_DEDUP: Mapping[str, _Key] = {
    "join": _number(0.12, 1, (int, float), "a number from 0.12 to 1"),
    "propose": _number(0.12, 1, (int, float), "a number from 0.12 to 1"),
}
_SOURCE: Mapping[str, _Key] = {
    "path": _text(lambda value: bool(value) and not value.startswith("/"), "a path or glob"),
    "title": _ANY_TEXT,
    "date": _DATE,
    "edition": _text(
        lambda value: bool(_SLUG.fullmatch(value)) and len(value) <= 80,
        "a slug of a-z, 0-9 and hyphens",
    ),
}
_REFERENCE: Mapping[str, _Key] = {
    "path": _text(lambda value: bool(value.strip()), "a path or glob")
}
_TABLES = ("tags", "dedup", "source", "reference")


class _Reader:
    """Collects problems while tables are checked."""

    def __init__(self, text: str) -> None:
        self.lines = _key_lines(text)
        self.problems: list[Problem] = []

    def report(
        self, table: str, key: str, text: str, hint: str, code: str = "config-value"
    ) -> None:
        line = self.lines.get((table, key), self.lines.get((table, ""), 0))
        self.problems.append(error(code, text, Location(SITE_TOML, line), hint))

    def table(self, name: str, data: object, keys: Mapping[str, _Key]) -> dict[str, Any]:
        """Return the good values of one table."""
        if not isinstance(data, dict):
            self.report("", name, f"{name} is not a table", f"write [{name}] on a line of its own")
            return {}
        good = {}
        for key, value in data.items():
            if not name and key in _TABLES:
                continue
            label = f"{name.partition('#')[0]}.{key}" if name else key
            if key not in keys:
                known = [*keys, *(_TABLES if not name else ())]
                close = difflib.get_close_matches(key, known, n=1)
                meant = f"did you mean {close[0]}? " if close else ""
                self.report(
                    name, key, f"unknown key {label}",
                    f"{meant}known keys: {', '.join(sorted(known))}", "config-unknown-key",
                )  # fmt: skip
            elif keys[key].accepts(value):
                good[key] = value
            else:
                self.report(name, key, f"{label} cannot be {value!r}", f"give {keys[key].wants}")
        return good

    def sources(self, tables: object) -> tuple[SourceSpec, ...]:
        """Return the ``[[source]]`` tables that name a path."""
        if not isinstance(tables, list):
            self.report("", "source", "source is not a list of tables", "write [[source]]")
            return ()
        specs = []
        for index, data in enumerate(tables):
            name = f"source#{index}"
            good = self.table(name, data, _SOURCE)
            if "path" in good:
                specs.append(SourceSpec(pattern=good.pop("path"), **good))
            elif isinstance(data, dict) and "path" not in data:
                self.report(name, "", "a source without path", 'add path = "seeds/FILE"')
        return tuple(specs)

    def references(self, tables: object) -> tuple[str, ...]:
        """Return the paths of the ``[[reference]]`` tables."""
        if not isinstance(tables, list):
            self.report("", "reference", "reference is not a list of tables", "write [[reference]]")
            return ()
        paths = []
        for index, data in enumerate(tables):
            name = f"reference#{index}"
            good = self.table(name, data, _REFERENCE)
            if "path" in good:
                paths.append(good["path"])
            elif isinstance(data, dict) and "path" not in data:
                self.report(name, "", "a reference without path", 'add path = "FILE"')
        return tuple(paths)


def _key_lines(text: str) -> dict[tuple[str, str], int]:
    """Map (table, key) to its line; the n-th ``[[source]]`` is the table ``source#n``."""
    lines: dict[tuple[str, str], int] = {}
    table = ""
    counts: Counter[str] = Counter()
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[(\[?)\s*([\w.-]+)\s*\]", line):
            table = f"{header[2]}#{counts[header[2]]}" if header[1] else header[2]
            counts[header[2]] += bool(header[1])
            lines.setdefault((table, ""), number)
        elif key := re.match(r"""\s*["']?([\w-]+)["']?\s*=""", line):
            lines.setdefault((table, key[1]), number)
    return lines
