"""The curator's folder ``content/``: topics, corrections of papers, editions, pages, decisions."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from sitegen.config import is_absolute_url, is_partial_date
from sitegen.decisions import DECISIONS, parse_decisions
from sitegen.diagnostics import Location, Problem, error, warning
from sitegen.frontmatter import Document, Field, parse_document
from sitegen.markup import slugify
from sitegen.records import Content, Edition, Override, TextPage, Topic
from sitegen.strays import find_strays

TOPIC_KEYS = ("title", "aliases", "phrases", "parent", "order", "narrow")
PAPER_KEYS = (
    "title", "authors", "date", "arxiv", "doi", "url", "tags", "not_tags", "topics", "pick",
    "picked_by", "picked_on",
    "withdrawn", "same_as",
)  # fmt: skip
EDITION_KEYS = ("title", "aliases", "date")
PAGE_KEYS = ("title", "order")

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PAPER_ID = re.compile(r"[0-9a-hjkmnp-tv-z]{8,}")


def load_content(root: Path) -> tuple[Content, tuple[Problem, ...]]:
    """Read everything below ``content/`` but site.toml and the registry.

    Returns:
        what could be used, sorted by slug or id, and a problem for each file or key that could not.
    """
    problems: list[Problem] = []
    lines: dict[tuple[str, str], int] = {}

    def read(kind: str, keys: tuple[str, ...]) -> Iterator[_Fields]:
        for fields in _read_folder(root, kind, keys, problems):
            document = fields.document
            lines.update(((document.path, key), one.line) for key, one in document.fields.items())
            yield fields

    topics = [_topic(fields) for fields in read("topics", TOPIC_KEYS)]
    overrides = [_override(fields) for fields in read("papers", PAPER_KEYS)]
    editions = [_edition(fields) for fields in read("editions", EDITION_KEYS)]
    pages = [_page(fields) for fields in read("pages", PAGE_KEYS)]
    problems += [*_check_parents(topics), *_check_aliases(topics)]
    welcome = Document(path="content/index.md")
    if data := _read(root, welcome.path, problems):
        welcome, found = parse_document(data, welcome.path)
        problems += [*found, *_unknown_keys(welcome, ("title",))]
    decisions, found = parse_decisions(_read(root, DECISIONS, problems))
    title = welcome.fields.get("title")
    content = Content(
        topics=tuple(topics),
        overrides={override.id: override for override in overrides},
        editions=tuple(editions),
        pages=tuple(pages),
        headline=title.value if title and isinstance(title.value, str) else "",
        welcome=welcome.body,
        decisions=decisions,
        lines=lines,
    )
    return content, with_lines((*problems, *found, *find_strays(root)), lines)


def with_lines(
    problems: Iterable[Problem], lines: Mapping[tuple[str, str], int]
) -> tuple[Problem, ...]:
    """Return problems with the line of the key that their text begins with, where they had none."""
    return tuple(
        replace(problem, location=Location(problem.location.path, line))
        if not problem.location.line
        and (line := lines.get((problem.location.path, re.split(r"[\s:]", problem.text)[0])))
        else problem
        for problem in problems
    )


class _Fields:
    """Typed access to a document's fields; a value of the wrong kind becomes a problem."""

    def __init__(self, document: Document, slug: str, problems: list[Problem]) -> None:
        self.document = document
        self.slug = slug
        self.problems = problems

    def _reject(self, key: str, field: Field, wants: str) -> None:
        shown = field.value if isinstance(field.value, str) else list(field.value)
        self.problems.append(
            error(
                "content-value",
                f"{key} cannot be {shown!r}",
                Location(self.document.path, field.line),
                f"give {wants}",
            )
        )

    def given(self, key: str) -> bool:
        return key in self.document.fields

    def text(self, key: str, default: str = "") -> str:
        field = self.document.fields.get(key)
        if field is None:
            return default
        if isinstance(field.value, str):
            return field.value.strip()
        self._reject(key, field, "one text")
        return default

    def texts(self, key: str) -> tuple[str, ...]:
        field = self.document.fields.get(key)
        if field is None:
            return ()
        values = (field.value,) if isinstance(field.value, str) else field.value
        return tuple(value.strip() for value in values if value.strip())

    def flag(self, key: str) -> bool:
        field = self.document.fields.get(key)
        if field is None:
            return False
        if isinstance(field.value, str) and field.value.lower() in {"true", "yes", "false", "no"}:
            return field.value.lower() in {"true", "yes"}
        self._reject(key, field, "true or false")
        return False

    def number(self, key: str) -> int:
        field = self.document.fields.get(key)
        if field is None:
            return 0
        if isinstance(field.value, str) and re.fullmatch(r"-?\d{1,6}", field.value.strip()):
            return int(field.value)
        self._reject(key, field, "a whole number")
        return 0

    def reason(self, key: str) -> str:
        value = self.text(key)
        if value.lower() not in {"true", "yes", "false", "no"}:
            return value
        self._reject(key, self.document.fields[key], "the reason, which readers will see")
        return ""

    def date(self, key: str) -> str:
        value = self.text(key)
        if not value or is_partial_date(value):
            return value
        self._reject(key, self.document.fields[key], "a date like 2031-05-01, 2031-05 or 2031")
        return ""

    def url(self, key: str) -> str:
        value = self.text(key)
        if not value or is_absolute_url(value.partition("#")[0].partition("?")[0]):
            return value
        self._reject(key, self.document.fields[key], "an address that begins with https://")
        return ""


def _read(root: Path, path: str, problems: list[Problem]) -> bytes:
    """Return a file's bytes, none where it is missing; one that cannot be read is a problem."""
    try:
        return (root / path).read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as exc:
        reason = (exc.strerror or type(exc).__name__).lower()
        problems.append(error("content-unreadable", reason, Location(path)))
        return b""


def _read_folder(
    root: Path, kind: str, keys: tuple[str, ...], problems: list[Problem]
) -> Iterator[_Fields]:
    """Yield each readable ``content/<kind>/<slug>.md``, sorted by name."""
    pattern, wants = _SLUG, "a slug of a-z, 0-9 and hyphens"
    if kind == "papers":
        pattern, wants = _PAPER_ID, "the paper's id, as its address shows it"
    folder = root / "content" / kind
    for file in sorted(folder.glob("*.md")) if folder.is_dir() else ():
        path = f"content/{kind}/{file.name}"
        if not pattern.fullmatch(file.stem) or len(file.stem) > 80:
            problems.append(
                error("content-name", "not a valid file name", Location(path), f"name it {wants}")
            )
            continue
        before = len(problems)
        data = _read(root, path, problems)
        if len(problems) > before:
            continue
        document, found = parse_document(data, path)
        problems += [*found, *_unknown_keys(document, keys)]
        yield _Fields(document, file.stem, problems)


def _unknown_keys(document: Document, known: Iterable[str]) -> Iterator[Problem]:
    known = sorted(known)
    for key, field in document.fields.items():
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            meant = f"did you mean {close[0]}? " if close else ""
            yield error(
                "content-unknown-key",
                f"unknown key {key}",
                Location(document.path, field.line),
                f"{meant}known keys: {', '.join(known)}",
            )


def _topic(fields: _Fields) -> Topic:
    return Topic(
        slug=fields.slug,
        title=fields.text("title") or fields.slug.replace("-", " ").capitalize(),
        aliases=fields.texts("aliases"),
        phrases=fields.texts("phrases"),
        parent=fields.text("parent"),
        order=fields.number("order"),
        body=fields.document.body,
        narrow=fields.flag("narrow"),
    )


def _override(fields: _Fields) -> Override:
    def optional(key: str, value: str) -> str | None:
        return value if fields.given(key) and value else None

    return Override(
        id=fields.slug,
        path=fields.document.path,
        title=optional("title", fields.text("title")),
        authors=fields.texts("authors") if fields.given("authors") else None,
        date=optional("date", fields.date("date")),
        arxiv=optional("arxiv", fields.text("arxiv")),
        doi=optional("doi", fields.text("doi")),
        url=optional("url", fields.url("url")),
        tags=fields.texts("tags"),
        not_tags=fields.texts("not_tags"),
        topics=fields.texts("topics") if fields.given("topics") else None,
        pick=fields.flag("pick"),
        picked_by=fields.text("picked_by"),
        picked_on=fields.date("picked_on"),
        withdrawn=fields.reason("withdrawn"),
        same_as=fields.text("same_as"),
        note=fields.document.body,
    )


def _edition(fields: _Fields) -> Edition:
    return Edition(
        slug=fields.slug,
        title=fields.text("title"),
        aliases=fields.texts("aliases"),
        date=fields.date("date"),
        body=fields.document.body,
    )


def _page(fields: _Fields) -> TextPage:
    return TextPage(
        slug=fields.slug,
        title=fields.text("title") or fields.slug.replace("-", " ").capitalize(),
        body=fields.document.body,
        path=fields.document.path,
        order=fields.number("order"),
    )


def _check_parents(topics: list[Topic]) -> Iterator[Problem]:
    """Report parents that do not exist or stand below their own child."""
    parents = {topic.slug: topic.parent for topic in topics}
    for topic in topics:
        location = Location(f"content/topics/{topic.slug}.md")
        if topic.parent and topic.parent not in parents:
            close = difflib.get_close_matches(topic.parent, parents, n=1)
            hint = f"did you mean {close[0]}?" if close else "name the file of another topic"
            yield error("topic-parent", f"parent: no topic {topic.parent}", location, hint)
        seen = [topic.slug]
        while (above := parents.get(seen[-1], "")) and above in parents:
            if above in seen:
                yield error(
                    "topic-circle",
                    f"parent leads in a circle: {' > '.join([*seen, above])}",
                    location,
                    "take one parent out",
                )
                break
            seen.append(above)


def _check_aliases(topics: list[Topic]) -> Iterator[Problem]:
    """Report aliases that are another topic's name or alias: the address can lead to one only."""
    owners = {topic.slug: topic.slug for topic in topics}
    for topic in topics:
        for alias in topic.aliases:
            slug = slugify(alias)
            owner = owners.setdefault(slug, topic.slug)
            if owner != topic.slug:
                what = "is a topic of its own" if owner == slug else f"leads to topic {owner}"
                text = f"aliases: {alias} {what}"
                place = Location(f"content/topics/{topic.slug}.md")
                hint = "delete that topic's file to merge the two, or take the alias out"
                yield warning("topic-alias", text, place, hint)
