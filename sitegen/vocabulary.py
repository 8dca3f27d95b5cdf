"""The curated terms of a field with their aliases, and where they stand in a text; pure.

The file format is described at the top of ``sitegen/data/aliases.toml``.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from sitegen.diagnostics import Location, Problem, SitegenError, error, warning
from sitegen.wording import Wording, key_of, single, split_words

_SHORT = 5
"""A single word up to this length with a capital is an acronym or a name: "Adam", not "adam"."""
_KEYS = ("aliases", "with")


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One canonical term."""

    name: str
    """As it is shown."""
    context: tuple[str, ...] = ()
    """Keys of which one must stand in the text for a `Form.broad` alias to count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One way to say a term."""

    term: int
    """Position in `Vocabulary.terms`."""
    broad: bool = False
    """Counts only beside the term's context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A term where it stands in a text: its words ``start`` to before ``end``."""

    term: int
    start: int
    end: int
    broad: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Canonical terms, prepared for search; make one with `read_vocabulary`."""

    terms: tuple[Term, ...] = ()
    folded: Mapping[str, Form]
    """By key: case, hyphens, spaces and plurals folded."""
    exact: Mapping[str, Form]
    """Acronyms, by their singular with its capitals."""
    prefixes: frozenset[str]
    """Every beginning of a key of `folded`, where a match may go on."""

    def term_of(self, phrase: str) -> int | None:
        """Return the term that ``phrase`` is a form of, context not asked."""
        pieces = split_words(phrase).surfaces
        if len(pieces) == 1 and (form := self.exact.get(single(pieces[0]))):
            return form.term
        form = self.folded.get(key_of(phrase))
        return None if form is None else form.term

    def find(self, wording: Wording) -> list[Hit]:
        """Return where terms stand in a text, in order, none overlapping; the longest wins.

        Time is linear in the text for phrases of bounded length.
        """
        hits = []
        position = 0
        while position < len(wording.keys):
            hit = self._longest(wording, position)
            if hit is None:
                position += 1
                continue
            hits.append(hit)
            position = hit.end
        return [
            hit
            for hit in hits
            if not hit.broad or any(wording.holds(key) for key in self.terms[hit.term].context)
        ]

    def _longest(self, wording: Wording, start: int) -> Hit | None:
        best = None
        form = self.exact.get(wording.acronyms[start])
        if form is not None:
            best = Hit(term=form.term, start=start, end=start + 1, broad=form.broad)
        joined = ""
        for end in range(start + 1, wording.ends_of_run[start] + 1):
            joined += wording.keys[end - 1]
            form = self.folded.get(joined)
            if form is not None:
                best = Hit(term=form.term, start=start, end=end, broad=form.broad)
            if joined not in self.prefixes:
                break
        return best


EMPTY = Vocabulary(terms=(), folded={}, exact={}, prefixes=frozenset())
"""No terms at all: tags come from the digest's own phrases."""


@cache
def default_vocabulary() -> Vocabulary:
    """Return the package's terms of machine learning (``sitegen/data/aliases.toml``)."""
    path = "sitegen/data/aliases.toml"
    text = (resources.files("sitegen") / "data" / "aliases.toml").read_text(encoding="utf-8")
    vocabulary, problems = read_vocabulary(text, path)
    if problems:
        raise SitegenError(*problems)
    return vocabulary


def read_vocabulary(
    text: str, path: str, base: Vocabulary = EMPTY
) -> tuple[Vocabulary, tuple[Problem, ...]]:
    """Read an alias file on top of another vocabulary.

    Args:
        text: the file's text.
        path: where it stands, for problems.
        base: the terms that it extends, unless it says ``replace = true``.

    Returns:
        the vocabulary, and a problem for each entry that could not be used.

    Raises:
        SitegenError: the text is not TOML.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        raise SitegenError(error("aliases-toml", f"not TOML: {exc}", Location(path))) from exc
    problems = [
        error(
            "aliases-key",
            f"unknown key {key!r}",
            _locate(text, path, key),
            "known are: replace, [terms]",
        )
        for key in data
        if key not in ("replace", "terms")
    ]
    terms = data.get("terms", {})
    if not isinstance(terms, dict):
        problems.append(error("aliases-type", "terms is not a table", Location(path)))
        terms = {}
    entries: dict[str, _Entry] = {}
    for name, value in terms.items():
        try:
            entries[name] = _entry(name, value)
        except ValueError as exc:
            problems.append(error("aliases-type", f"{name}: {exc}", _locate(text, path, name)))
    builder = _Builder(EMPTY if data.get("replace") is True else base)
    for name, entry in entries.items():
        if entry.dropped and not builder.drop(name):
            problems.append(
                warning("aliases-unknown", f"no term {name!r} to drop", _locate(text, path, name))
            )
    for name, entry in entries.items():
        if not entry.dropped:
            for form, other in builder.add(name, entry):
                problems.append(
                    error(
                        "aliases-twice",
                        f"{form!r} is given to {name!r} and to {other!r}",
                        _locate(text, path, name),
                        "give it to one of them",
                    )
                )
    return builder.build(), tuple(problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    aliases: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    dropped: bool = False


def _entry(name: str, value: object) -> _Entry:
    if not key_of(name):
        raise ValueError("a term needs a letter or a digit")
    if value is False:
        return _Entry(dropped=True)
    if isinstance(value, dict):
        for key in value:
            if key not in _KEYS:
                close = difflib.get_close_matches(key, _KEYS, 1)
                raise ValueError(f"unknown key {key!r}" + (f", {close[0]}?" if close else ""))
        return _Entry(
            aliases=_phrases(value.get("aliases", [])), context=_phrases(value.get("with", []))
        )
    return _Entry(aliases=_phrases(value))


def _phrases(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("a list of phrases is needed, or false")
    return tuple(item for item in value if key_of(item))


def _locate(text: str, path: str, name: str) -> Location:
    """Where a key stands: the TOML reader does not tell."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith((f'"{name}"', f"'{name}'", f"{name} ", f"{name}=", f"[{name}")):
            return Location(path, number)
    return Location(path)


class _Builder:
    """Gathers terms; later files win over earlier ones, within one file the first term does."""

    def __init__(self, base: Vocabulary) -> None:
        self.terms = list(base.terms)
        self.folded = dict(base.folded)
        self.exact = dict(base.exact)
        self._by_key = {key_of(term.name): position for position, term in enumerate(base.terms)}
        self._own: dict[tuple[bool, str], int] = {}

    def drop(self, name: str) -> bool:
        position = self._by_key.pop(key_of(name), None)
        if position is None:
            return False
        for forms in (self.folded, self.exact):
            for key in [key for key, form in forms.items() if form.term == position]:
                del forms[key]
        return True

    def add(self, name: str, entry: _Entry) -> Iterator[tuple[str, str]]:
        """Add a term; yield each form that another term of the same file already has."""
        context = tuple(key_of(phrase) for phrase in entry.context)
        position = self._by_key.setdefault(key_of(name), len(self.terms))
        if position == len(self.terms):
            self.terms.append(Term(name=name, context=context))
        else:
            context = context or self.terms[position].context
            self.terms[position] = Term(name=name, context=context)
        for alias in (name, *entry.aliases):
            acronym = _is_acronym(alias)
            key = single(split_words(alias).surfaces[0]) if acronym else key_of(alias)
            owner = self._own.setdefault((acronym, key), position)
            if owner != position:
                yield alias, self.terms[owner].name
                continue
            form = Form(term=position, broad=bool(entry.context) and alias != name)
            (self.exact if acronym else self.folded)[key] = form

    def build(self) -> Vocabulary:
        prefixes = {key[:length] for key in self.folded for length in range(1, len(key))}
        return Vocabulary(
            terms=tuple(self.terms),
            folded=self.folded,
            exact=self.exact,
            prefixes=frozenset(prefixes),
        )


def _is_acronym(alias: str) -> bool:
    pieces = split_words(alias).surfaces
    return len(pieces) == 1 and len(pieces[0]) <= _SHORT and pieces[0] != pieces[0].lower()
