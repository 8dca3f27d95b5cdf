"""BibTeX and biblatex files: every entry is a paper, or reported with its line and key."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sitegen.diagnostics import note, warning
from sitegen.records import LinkKind
from sitegen.sources.bibtex_syntax import Block, blocks, expand, inside_braces
from sitegen.sources.collector import Collector, Raw, first
from sitegen.sources.identifiers import read_arxiv
from sitegen.sources.keyword_lists import parse_keywords
from sitegen.sources.people import People, parse_bibtex
from sitegen.sources.reading import Reading

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ENTRY = re.compile(
    r"^[ \t]*@[ \t]*(?!(?:string|comment|preamble)\b)[A-Za-z][\w+-]*\s*[{(]\s*[^\s,{}()\"#%=]*\s*,"
    r"|^[ \t]*@[ \t]*(?:string\s*[{(]\s*[\w:-]+\s*=|(?:comment|preamble)\s*[{(])",
    re.IGNORECASE | re.MULTILINE,
)
_HEAD = 65_536
_VOLUMES = frozenset(
    {"collection", "mvcollection", "mvproceedings", "periodical", "proceedings", "set", "xdata"}
)
_TIE = re.compile(r"(?<!\\)~")
_RELAX = re.compile(r"\\relax\s*")
_ESCAPED = re.compile(r"\\([&%$#_{}<>~^-])|\$([<>])\$|[{}]|\\textless\s*(?:\{\})?")
# Formulas, commands with what they take, and scripts keep their braces.
_GROUP = re.compile(
    r"""\$(?:[^$\\]|\\.)*\$
      | \\(?:[A-Za-z]+\*?|["'`^~=.])\s*(?:\{[^{}]*\})* | \\. | [\^_]\{[^{}]*\}
      | \{(?P<inner>(?:[^{}\\]|\\[&%$\#_])*)\}""",
    re.VERBOSE | re.DOTALL,
)
_DEEPEST = 4
_URL_COMMAND = re.compile(r"\\(?:url|path|href)\s*\{([^{}]*)\}")


def recognises(text: str) -> bool:
    """Whether a text holds an entry of BibTeX, whatever stands before it."""
    return bool(_ENTRY.search(text[:_HEAD]))


def read(text: str, file: str) -> Reading:
    """Read one file.

    Args:
        text: as `decode` returns it.
        file: path for the problems.

    Returns:
        the entries as papers; malformed ones, and volumes, are reported.
    """
    collector = Collector(file)
    entries = _Entries(text, collector)
    for block, fields in entries.each():
        collector.add(_raw(block, entries.with_parents(fields)))
    return collector.reading()


class _Entries:
    """The entries of a file, their macros filled in."""

    def __init__(self, text: str, collector: Collector) -> None:
        self._remarks = collector.remarks
        self._kept: list[tuple[Block, dict[str, str]]] = []
        self._macros = {name: name for name in _MONTHS}
        self._parents: dict[str, dict[str, str]] = {}
        keys: dict[str, int] = {}
        for block in blocks(text):
            if block.leftover:
                words = "a field stands outside of any entry and was passed over"
                self._remarks.add(warning, "source-leftover", block.leftover, words)
            if block.kind in {"comment", "preamble"}:
                continue
            fields = self._fields(block)
            if block.kind == "string":
                self._macros |= fields or {}
            elif fields is not None:
                self._kept.append((block, fields))
                folded = block.key.casefold()
                if not folded:
                    continue
                self._parents.setdefault(folded, fields)
                if keys.setdefault(folded, block.line) != block.line:
                    words = f"the key {block.key} was used on line {keys[folded]} already"
                    hint = "both papers are kept; give one another key"
                    self._remarks.add(warning, "source-key-twice", block.line, words, hint=hint)

    def each(self) -> Sequence[tuple[Block, dict[str, str]]]:
        """Return the entries that are papers; volumes are reported."""
        papers = []
        for block, fields in self._kept:
            if block.kind in _VOLUMES and not fields.get("abstract"):
                words = f"@{block.kind} is no paper"
                self._remarks.drop(note, "source-not-paper", block.line, words, piece=block.key)
            else:
                papers.append((block, fields))
        return papers

    def with_parents(self, fields: Mapping[str, str]) -> dict[str, str]:
        """Return an entry's fields, missing ones from the entries that it refers to."""
        full = dict(fields)
        for name in ("xdata", "crossref"):
            for key in fields.get(name, "").split(","):
                parent = self._parents.get(key.strip().casefold(), {})
                title = "title" if name == "xdata" else "booktitle"
                for other, value in parent.items():
                    target = title if other == "title" else other
                    if other not in {"abstract", "author", "doi", "eprint", "url"}:
                        full.setdefault(target, value)
        return full

    def _fields(self, block: Block) -> dict[str, str] | None:
        """Return a block's fields; None where it is malformed, which is reported."""
        fields: dict[str, str] = {}
        named = block.key or f"an @{block.kind}"
        fault = block.fault
        for name, value, line in block.fields:
            try:
                text, unknown = expand(value, self._macros)
            except ValueError as exc:
                fault = fault or f"{name} on line {line}: {exc}"
                continue
            if unknown and name == "month":
                text = ""
            for macro in unknown:
                words = f"{named} uses {macro}, which no @string defines"
                hint = "put the value in braces, or define it"
                self._remarks.add(warning, "source-macro", line, words, hint=hint)
            if not fields.setdefault(name, text).strip():
                fields[name] = text
        if fault:
            hint = "balance its braces and quotes"
            words = f"the entry {named} is malformed: {fault}"
            if block.kind == "string":
                self._remarks.add(warning, "source-malformed", block.line, words, hint=hint)
                return fields
            self._remarks.drop(warning, "source-malformed", block.line, words, hint=hint)
            return None
        if block.mended:
            words = f"{named}: {block.mended}; it was read nevertheless"
            self._remarks.add(warning, "source-mended", block.line, words)
        return fields


def _raw(block: Block, fields: Mapping[str, str]) -> Raw:
    def plain(*names: str) -> str:
        return first(_identifier(fields.get(name, "")) for name in names)

    title = _tex(fields.get("title", ""))
    if subtitle := _tex(fields.get("subtitle", "")):
        title = f"{title}: {subtitle}" if title else subtitle
    eprint = plain("arxivid", "eprint")
    system = plain("eprinttype", "archiveprefix").casefold()
    is_arxiv = system == "arxiv" or (not system and bool(read_arxiv(eprint)[0]))
    if plain("arxivid"):
        is_arxiv = True
    others = [
        fields.get(name, "") for name in ("journal", "journaltitle", "howpublished", "number")
    ]
    note_of = fields.get("note", "").strip()
    if note_of[:6].casefold() == "arxiv:":  # elsewhere in a note it may be another paper's
        others.append(note_of)
    return Raw(
        line=block.line,
        label=block.key,
        title=title,
        abstract=_tex(fields.get("abstract", "")),
        people=_people(fields.get("author", "")),
        dates=(plain("date"),) if plain("date") else (),
        parts=(plain("year"), plain("month"), plain("day")),
        arxiv=eprint if is_arxiv else "",
        version=int(plain("version")) if is_arxiv and plain("version").isdecimal() else 0,
        doi=plain("doi"),
        venue=_venue(fields),
        urls=tuple(filter(None, (plain("url"),))),
        links=_links(plain("pdf"), plain("code"), plain("howpublished")),
        language=plain("langid", "language"),
        keywords=_keywords(fields),
        mentions=(*others, f"{plain('journal')} {plain('volume')}"),
    )


def _keywords(fields: Mapping[str, str]) -> tuple[str, ...]:
    """Return the keywords one by one: a brace may keep a comma, an escape hold a semicolon."""
    found = first(fields.get(name, "") for name in ("keywords", "keyword", "author_keywords"))
    return tuple(map(_tex, parse_keywords([_tie(found)])))


def _venue(fields: Mapping[str, str]) -> str:
    names = ("journal", "journaltitle", "booktitle", "school", "institution", "publisher")
    found = first(_tex(fields.get(name, "")) for name in names)
    other = _tex(fields.get("howpublished", ""))
    return found or ("" if "://" in other else other)


def _links(pdf: str, code: str, published: str) -> tuple[tuple[LinkKind, str], ...]:
    links: list[tuple[LinkKind, str]] = [("paper", pdf), ("code", code)]
    if published.startswith(("http://", "https://")):
        links.append(("other", published))
    return tuple((kind, url) for kind, url in links if url.startswith(("http://", "https://")))


# ---- TeX ----------------------------------------------------------------------------------------
def _tex(value: str) -> str:
    """Return prose of TeX as the repair of texts takes it."""
    return _ungrouped(_tie(value)).strip()


def _ungrouped(text: str) -> str:
    """Take off braces that only keep letters together: not those of commands and scripts."""
    for _ in range(_DEEPEST):
        inner = inside_braces(text.strip())
        text = text if inner is None else inner
        shorter = _GROUP.sub(
            lambda found: found[0] if found["inner"] is None else found["inner"], text
        )
        if shorter == text:
            break
        text = shorter
    return text


def _people(value: str) -> People:
    people = parse_bibtex(_tie(value))
    authors = (
        replace(
            one,
            name=_ungrouped(one.name),
            family=_ungrouped(one.family),
            given=_ungrouped(one.given),
        )
        for one in people.authors
    )
    return replace(people, authors=tuple(authors))


def _tie(value: str) -> str:
    return _RELAX.sub("", _TIE.sub(" ", value)) if "://" not in value else value


def _identifier(value: str) -> str:
    """Return an identifier, address or number without TeX's escapes and braces."""
    value = _URL_COMMAND.sub(r"\1", value)
    return _ESCAPED.sub(lambda found: found[1] or found[2] or "", value).strip()
