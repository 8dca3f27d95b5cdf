"""Authors' names: their parts, particles, groups, and lists that end in "and others".

The family name is the part to sort by, without its particle; the particle goes behind the given
name, as bibliographies print it: ``Meer, Ann van der``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from sitegen.records import Author
from sitegen.sources.bibtex_syntax import inside_braces

MOST = 10_000
"""Authors of one paper that are read; the largest collaborations have 5,000."""
_LONGEST = 300
_OTHERS = re.compile(r"(?:and\s+)?(?:others|et\.?\s+al\.?|u\.\s?a\.|\.\.\.|…)", re.IGNORECASE)
_TRAILING_OTHERS = re.compile(r",?\s+(?:et\.?\s+al\.?|and\s+others)$", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_SUFFIX = re.compile(r"(?:jr|sr)\.?|i{2,3}|iv|[2-4](?:nd|rd|th)", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[\s-]*){1,4}")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af々〆]+")
_QUOTED = re.compile(r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\"""")
_PART = re.compile(r"\s*([\w-]+)\s*=\s*(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """The authors of a paper, in order."""

    authors: tuple[Author, ...] = ()
    et_al: bool = False
    """Whether the source says that there are more."""


NOBODY = People()


def gather(authors: Iterable[Author], *, et_al: bool = False) -> People:
    """Return the named ones of the authors; whoever is called "others" is nobody."""
    named: list[Author] = []
    for author in authors:
        if _OTHERS.fullmatch(author.name):
            et_al = True
        elif author.name and len(named) < MOST:
            named.append(author)
        elif author.name:
            et_al = True
    return People(authors=tuple(named), et_al=et_al)


def person(family: str, given: str = "", *, particle: str = "", suffix: str = "") -> Author:
    """Return a person whose name's parts are known.

    Args:
        family: a particle in lower case before it (``van der Meer``) is told apart.
        given: names or initials.
        particle: ``van der``, ``de la``.
        suffix: ``Jr.``, ``III``.
    """
    family, given, suffix = _tidy(family), _tidy(given), _tidy(suffix)
    first, _, last = given.rpartition(" ")
    if first and not suffix and _SUFFIX.fullmatch(last):
        given, suffix = first, last
    before, family = _without_particle(family)
    particle = " ".join(filter(None, (_tidy(particle), before)))
    if family and not given and not particle:
        return Author(name=" ".join(filter(None, (family, suffix))))
    if _UNSPACED.fullmatch(family) and _UNSPACED.fullmatch(given) and not particle:
        return Author(name=f"{family}{given}", family=family, given=given)
    joined = "" if particle.endswith(("'", "’")) else " "
    surname = f"{particle}{joined}{family}" if particle else family
    return Author(
        name=" ".join(filter(None, (given, surname, suffix))),
        family=family,
        given=" ".join(filter(None, (given, particle, suffix))),
    )


def group(name: str) -> Author:
    """Return a group, whose name has no parts."""
    return Author(name=_tidy(name), group=True)


def parse_name(name: str) -> Author:
    """Return a person named as ``Ann van der Meer``, ``Meer, Ann van der`` or ``Okoro, Jr., Sam``.

    Without a comma only the name as a whole is known.
    """
    name = _tidy(name)
    parts = [part.strip() for part in name.split(",") if part.strip()]
    if len(parts) < 2:
        return Author(name=parts[0] if parts else "")
    if len(parts) == 2 and not _SUFFIX.fullmatch(parts[1]):
        return person(parts[0], parts[1])
    if len(parts) == 2:
        return Author(name=" ".join(parts))
    if _SUFFIX.fullmatch(parts[-1]):
        return person(parts[0], " ".join(parts[1:-1]), suffix=parts[-1])
    return person(parts[0], " ".join(parts[2:]), suffix=parts[1])


def parse_names(names: Iterable[str]) -> People:
    """Return the people of a list with one name each."""
    people: list[Author] = []
    et_al = False
    for name in names:
        whole = " ".join(name.split())
        bare = _TRAILING_OTHERS.sub("", whole)
        et_al = et_al or bare != whole
        people.append(parse_name(bare))
    return gather(people, et_al=et_al)


def parse_list(text: str) -> People:
    """Return the people of a list in one text: parted by semicolons, lines, ``and`` or commas."""
    if text.startswith("[") and text.endswith("]"):  # a list as a program printed it
        return parse_names(one or two for one, two in _QUOTED.findall(text))
    lines = (" ".join(line.split()) for line in text.split("\n"))
    whole = "\n".join(filter(None, lines))
    bare = _TRAILING_OTHERS.sub("", whole)
    et_al = bare != whole
    for sign in (";", "\n", "|"):
        if sign in bare:
            names = re.sub(rf"{re.escape(sign)}\s*and\s+", sign, bare).split(sign)
            return gather(parse_names(names).authors, et_al=et_al)
    by_and = re.split(r"\s+(?:and|&)\s+", bare)
    names = [name for piece in by_and for name in _by_commas(piece.strip(" ,"), len(by_and) > 1)]
    return gather(map(parse_name, names), et_al=et_al)


def _by_commas(text: str, listed: bool) -> list[str]:
    """Part a text at commas, unless they stand within a name."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) < 2:
        return parts
    if len(parts) % 2 == 0 and all(_INITIALS.fullmatch(part) for part in parts[1::2]):
        return [f"{one}, {two}" for one, two in zip(parts[::2], parts[1::2], strict=True)]
    if len(parts) == 2 and (" " not in parts[0] or parts[0][:1].islower()):
        return [text]
    if len(parts) == 3 and listed and _SUFFIX.fullmatch(parts[1]):
        return [text]
    return parts


# ---- BibTeX -------------------------------------------------------------------------------------
def parse_bibtex(value: str) -> People:
    """Return the people of an ``author`` field of BibTeX or biblatex.

    Names are parted at ``and`` outside of braces. What stands wholly in braces is a group.
    """
    people = []
    for name in _split(" ".join(value.split()), _AND):
        bare = name.strip()
        if not bare:
            continue
        inner = inside_braces(bare)
        if inner is not None:
            people.append(group(inner))
        elif "=" in bare and (parts := _named_parts(bare)):
            people.append(parts)
        else:
            people.append(_bibtex_name(bare))
    return gather(people)


def _bibtex_name(name: str) -> Author:
    """Read ``First von Last``, ``von Last, First`` or ``von Last, Jr, First``."""
    parts = [part.strip() for part in _split(name, re.compile(","))]
    if len(parts) == 1:
        words = [word for word in _split(name, re.compile(r"\s+")) if word]
        if len(words) < 2:
            return Author(name=_tidy(name))
        last = words.pop()
        suffix = ""
        if len(words) > 1 and _SUFFIX.fullmatch(last):
            suffix, last = last, words.pop()
        at = next((i for i, word in enumerate(words) if _is_particle(word)), len(words))
        return person(last, " ".join(words[:at]), particle=" ".join(words[at:]), suffix=suffix)
    if len(parts) == 2:
        return person(parts[0], parts[1])
    return person(parts[0], " ".join(parts[2:]), suffix=parts[1])


def _named_parts(name: str) -> Author | None:
    """Read biblatex's ``family=Meer, given=Ann, prefix=van, useprefix=true``."""
    parts: dict[str, str] = {}
    for piece in _split(name, re.compile(",")):
        found = _PART.fullmatch(piece)
        if not found:
            return None
        value = found[2].strip()
        inner = inside_braces(value)
        parts[found[1].casefold()] = value if inner is None else inner
    if not parts.keys() & {"family", "given"}:
        return None
    return person(
        parts.get("family", ""),
        parts.get("given", ""),
        particle=parts.get("prefix", ""),
        suffix=parts.get("suffix", ""),
    )


def _split(text: str, sign: re.Pattern[str]) -> list[str]:
    """Part a text at a sign where no brace is open."""
    if "{" not in text:
        return sign.split(text)
    pieces, start, depth, at = [], 0, 0, 0
    for found in re.finditer(rf"[{{}}]|{sign.pattern}", text, sign.flags):
        if found[0] == "{":
            depth += 1
        elif found[0] == "}":
            depth = max(depth - 1, 0)
        elif not depth and found.start() >= at:
            pieces.append(text[start : found.start()])
            start = at = found.end()
    return [*pieces, text[start:]]


# ---- parts --------------------------------------------------------------------------------------
def _is_particle(word: str) -> bool:
    letters = [char for char in word if char.isalpha()]
    return bool(letters) and letters[0].islower() and "\\" not in word and "{" not in word


def _without_particle(family: str) -> tuple[str, str]:
    """Part the words in lower case at a family name's beginning from the rest."""
    words = _split(family, re.compile(r"\s+"))
    at = 0
    while at < len(words) - 1 and _is_particle(words[at]):
        at += 1
    return " ".join(words[:at]), " ".join(words[at:])


def _tidy(name: str) -> str:
    """Return a name in NFC on one line, of bearable length."""
    return unicodedata.normalize("NFC", " ".join(name[: 4 * _LONGEST].split()))[:_LONGEST].strip()
