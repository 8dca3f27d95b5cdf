"""The curated terms of a field with their aliases; pure.

The file format is described at the top of ``sitegen/data/aliases.toml``.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources

from sitegen import tomltext
from sitegen.diagnostics import Location, Problem, SitegenError, error, warning
from sitegen.languages import data_lines
from sitegen.phrases import is_generic
from sitegen.wording import key_of, single, split_words

_SHORT = 5
"""A single word up to this length with a capital is an acronym or a name: "Adam", not "adam"."""
_KEYS = ("aliases", "with", "unless")


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One canonical term."""

    name: str
    """As it is shown."""
    key: str
    """Its folded words, joined."""
    words: frozenset[str]
    """Its folded words."""
    context: tuple[str, ...] = ()
    """Keys of which one must stand in a text for the term's broad aliases to count."""
    broader: tuple[int, ...] = ()
    """Positions of the terms that it is a kind of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Canonical terms, prepared for search; make one with `read_vocabulary`.

    The mappings give the positions of terms in `terms`.
    """

    terms: tuple[Term, ...] = ()
    folded: Mapping[str, int] = field(default_factory=dict)
    """By key of a form: case, hyphens, spaces and plurals folded."""
    exact: Mapping[str, int] = field(default_factory=dict)
    """By the singular of an acronym, capitals kept."""
    broad: Mapping[str, int] = field(default_factory=dict)
    """By key of a form that counts only beside the term's context."""
    broad_names: frozenset[str] = frozenset()
    """Keys of terms whose own name is a broad form."""
    others: frozenset[str] = frozenset()
    """Keys of phrases that hold a form, but mean another thing."""
    prefixes: frozenset[str] = frozenset()
    """Every beginning of a key, where a match may go on."""

    def term_of(self, phrase: str) -> int | None:
        """Return the term that ``phrase`` is a form of, broad ones but names left out."""
        if len(phrase) <= _SHORT + 1 and (term := self.exact.get(single(phrase))) is not None:
            return term
        key = key_of(phrase)
        return self.folded.get(key, self.broad[key] if key in self.broad_names else None)

    def mark(self) -> str:
        """Return a hash of all that is said here."""
        terms = [
            (one.name, one.key, sorted(one.words), one.context, one.broader) for one in self.terms
        ]
        forms = [sorted(forms.items()) for forms in (self.folded, self.exact, self.broad)]
        told = sorted(self.broad_names), sorted(self.others)
        return hashlib.sha256(repr((terms, forms, told)).encode()).hexdigest()

    def is_no_acronym(self, phrase: str) -> bool:
        """Tell whether ``phrase`` is no form of a term by its capitals."""
        return len(phrase) > _SHORT + 1 or single(phrase) not in self.exact


EMPTY = Vocabulary()
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
        data = tomltext.parse(text)
    except ValueError as exc:
        raise SitegenError(error("aliases-toml", f"not TOML: {exc}", Location(path))) from exc
    problems = [
        error(
            "aliases-key",
            f"unknown key {key!r}",
            _locate(text, path, key),
            "known are: replace, [terms], [broader]",
        )
        for key in data
        if key not in ("replace", "terms", "broader")
    ]
    terms, broader = (
        table if isinstance(table := data.get(key, {}), dict) else {}
        for key in ("terms", "broader")
    )
    entries: dict[str, _Entry] = {}
    for name, value in terms.items():
        try:
            entries[name] = _entry(name, value)
        except ValueError as exc:
            problems.append(
                error("aliases-type", f"{name}: {exc}", _locate(text, path, name, "terms"))
            )
    builder = _Builder(EMPTY if data.get("replace") is True else base)
    for name, entry in entries.items():
        if entry.dropped and not builder.drop(name):
            problems.append(
                warning(
                    "aliases-unknown",
                    f"no term {name!r} to drop",
                    _locate(text, path, name, "terms"),
                    _meant(name, base),
                )
            )
    for name, entry in entries.items():
        if not entry.dropped:
            for form, other in builder.add(name, entry):
                problems.append(
                    error(
                        "aliases-twice",
                        f"{form!r} is given to {name!r} and to {other!r}",
                        _locate(text, path, name, "terms"),
                        "give it to one of them",
                    )
                )
    for name, kinds in broader.items():
        problems.extend(
            error("aliases-unknown", f"no term {unknown!r}", _locate(text, path, name, "broader"))
            for unknown in builder.broaden(name, kinds)
        )
    return builder.build(), tuple(problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    aliases: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
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
        aliases, context, unless = (_phrases(value.get(key, [])) for key in _KEYS)
        return _Entry(aliases=aliases, context=context, unless=unless)
    return _Entry(aliases=_phrases(value))


def _phrases(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("a list of phrases is needed, or false")
    return tuple(item for item in value if key_of(item))


def _meant(name: str, base: Vocabulary) -> str:
    close = difflib.get_close_matches(name, [term.name for term in base.terms], n=1)
    return f"did you mean {close[0]}?" if close else "there is nothing to drop: take the line out"


def _locate(text: str, path: str, name: str, table: str = "") -> Location:
    """Where a key stands, at the top or below ``[table]``: the TOML reader does not tell."""
    inside = not table
    for number, line in enumerate(text.splitlines(), 1):
        inside = inside or line.strip() == f"[{table}]"
        starts = (f'"{name}"', f"'{name}'", f"{name} ", f"{name}=", f"[{name}]")
        if inside and line.lstrip().startswith(starts):
            return Location(path, number)
    return Location(path)


class _Builder:
    """Gathers terms; later files win over earlier ones, within one file the first term does."""

    def __init__(self, base: Vocabulary) -> None:
        self.terms = list(base.terms)
        self.folded = dict(base.folded)
        self.exact = dict(base.exact)
        self.broad = dict(base.broad)
        self.others = set(base.others)
        self._by_key = {term.key: position for position, term in enumerate(base.terms)}
        self._own: dict[tuple[str, str], int] = {}
        self._with_acronym: list[tuple[dict[str, int], str, str, int]] = []

    def drop(self, name: str) -> bool:
        """Remove a term's forms, which leaves nothing to find it by; tell whether there is one."""
        position = self._by_key.pop(key_of(name), None)
        for forms in (self.folded, self.exact, self.broad):
            for key in [key for key, term in forms.items() if term == position]:
                del forms[key]
        return position is not None

    def add(self, name: str, entry: _Entry) -> Iterator[tuple[str, str]]:
        """Add a term; yield each form that another term of the same file already has."""
        key = key_of(name)
        position = self._by_key.setdefault(key, len(self.terms))
        if position == len(self.terms):
            self.terms.append(Term(name=name, key=key, words=frozenset(split_words(name).keys)))
        context = tuple(map(key_of, entry.context)) or self.terms[position].context
        self.others.update(map(key_of, entry.unless))
        self.terms[position] = replace(self.terms[position], name=name, context=context)
        for alias in dict.fromkeys((name, *entry.aliases)):
            if alias == name and not entry.context and self.broad.get(key) == position:
                continue
            if entry.context and alias in entry.aliases:
                kind, forms, form = "broad", self.broad, key_of(alias)
            elif _is_acronym(alias):
                kind, forms, form = "exact", self.exact, single(split_words(alias).surfaces[0])
            else:
                kind, forms, form = "folded", self.folded, key_of(alias)
            owner = self._own.setdefault((kind, form), position)
            if owner == position:
                forms[form] = position
                if forms is not self.exact:
                    self._with_acronym.append((forms, form, alias, position))
            else:
                yield alias, self.terms[owner].name

    def broaden(self, name: str, kinds: object) -> Iterator[str]:
        """Put a term above others; yield the names that are no terms."""
        above = self._by_key.get(key_of(name))
        if above is None:
            yield name
            return
        for kind in kinds if isinstance(kinds, list) else [kinds]:
            below = self._by_key.get(key_of(str(kind)))
            if below is None:
                yield str(kind)
            elif below != above and above not in self.terms[below].broader:
                term = self.terms[below]
                self.terms[below] = replace(term, broader=(*term.broader, above))

    def build(self) -> Vocabulary:
        """Return what was gathered."""
        for forms, form, alias, position in self._with_acronym:
            if forms.get(form) == position:
                forms.setdefault(self._spelt_out(alias), position)
                for turned in _turned(alias):
                    forms.setdefault(turned, position)
        others = self.others.difference(self.folded, self.broad)
        keys = (*self.folded, *self.broad, *others)
        return Vocabulary(
            terms=tuple(self.terms),
            folded=self.folded,
            exact=self.exact,
            broad=self.broad,
            broad_names=frozenset(
                key for key, term in self.broad.items() if self.terms[term].key == key
            ).difference(self.folded),
            others=frozenset(others),
            prefixes=frozenset(key[:length] for key in keys for length in range(1, len(key))),
        )

    def _spelt_out(self, alias: str) -> str:
        """Return the key of a form whose acronyms are spelt out, as texts that define them are."""
        words = split_words(alias)
        terms = [self.exact.get(single(surface)) for surface in words.surfaces]
        each = zip(words.keys, terms, strict=True)
        return "".join(key if term is None else self.terms[term].key for key, term in each)


def _turned(alias: str) -> Iterator[str]:
    """Yield the keys of what says the same the other way round (``turned_heads.txt``)."""
    *rest, head = split_words(alias).keys
    if not rest or head not in _heads() or is_generic(" ".join(rest)):
        return
    first, last = _heads()[head]
    matter = "".join(rest)
    for word in (*first, head):
        yield f"{word}{matter}"
        yield f"{word}the{matter}"
    yield f"{head}of{matter}"
    for word in last:
        yield f"{matter}{word}"


@cache
def _heads() -> Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    heads = {}
    for line in data_lines("turned_heads.txt"):
        head, _, forms = line.partition(":")
        first, last = (tuple(map(key_of, part.split(","))) for part in f"{forms}|".split("|")[:2])
        heads[head] = tuple(filter(None, first)), tuple(filter(None, last))
    return heads


def _is_acronym(alias: str) -> bool:
    pieces = split_words(alias).surfaces
    return len(pieces) == 1 and len(pieces[0]) <= _SHORT and pieces[0] != pieces[0].lower()
