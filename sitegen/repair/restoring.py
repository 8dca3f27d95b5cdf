"""Records mended: by this process or others, or taken from what earlier builds made of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from sitegen.line_cache import LineCache, code_hash, path_of, text_hash
from sitegen.links import find_links
from sitegen.records import Abstract, Author, Link, Metadata, Prose, Restored, Span
from sitegen.repair.texts import plain, plain_names, repair, repair_title
from sitegen.workers import ALONE, Workers

FEW: Final = 64
"""Records that are sooner mended than looked up."""
_BATCH, _LEAST = 250, 2000
"""Records that are handed to a worker at once, and fewest that are worth starting workers."""
_DECIDES: Final = ("repair", "formulas", "links.py", "records.py")
_HARMLESS: Final = re.compile(r"[A-Za-z0-9]+(?:[ -][A-Za-z0-9]+)*")
"""A keyword in which no rule could find anything."""
_NOTHING: Final[list[Any]] = [None] * 6


@dataclass(frozen=True, slots=True)
class Record:
    """All that is mended of an abstract, as read."""

    text: str
    title: str
    venue: str
    keywords: tuple[str, ...]
    names: tuple[str, ...]
    """Name, family and given name of each author."""

    @property
    def key(self) -> str:
        """A hash of it all."""
        parts = [self.text, self.title, self.venue, *self.keywords, "", *self.names]
        return text_hash(f"{list(map(len, parts))}{len(self.names)}{''.join(parts)}")


def restore(abstract: Abstract) -> Restored:
    """Return an abstract with its text, title, names and keywords mended and its links found."""
    return _restored(abstract, _mended(_record(abstract)))


def restore_all(
    abstracts: Sequence[Abstract],
    *,
    folder: Path | None = None,
    workers: Workers = ALONE,
    advance: Callable[[int, int], None] | None = None,
) -> list[Restored]:
    """Return `restore` of each abstract.

    Args:
        abstracts: in any order.
        folder: of the cache; None for none. A few abstracts are mended without it.
        workers: who mends what is not kept.
        advance: called with (done, total).
    """
    records = list(map(_record, abstracts))
    keys = [record.key for record in records]
    path = path_of(folder, "repair", _setting()) if folder and len(records) > FEW else None
    kept = LineCache(path)
    known = kept.read(keys)
    missing = {key: record for key, record in zip(keys, records, strict=True) if key not in known}
    waiting = iter(missing)
    done = len(known)
    for values in workers.run(_mend, list(missing.values()), size=_BATCH, least=_LEAST):
        new = {next(waiting): value for value in values}
        known.update(new)
        kept.add(new)
        done += len(new)
        if advance:
            advance(done, len(known))
    kept.tidy()
    return [
        _restored_or_mended(abstract, record, known[key])
        for abstract, record, key in zip(abstracts, records, keys, strict=True)
    ]


def _setting() -> str:
    return f"{code_hash(*_DECIDES)} {unicodedata.unidata_version}"


def _record(abstract: Abstract) -> Record:
    known = abstract.metadata
    return Record(
        text=abstract.text,
        title=known.title,
        venue=known.venue,
        keywords=known.keywords,
        names=tuple(
            part for author in known.authors for part in (author.name, author.family, author.given)
        ),
    )


def _mend(records: Sequence[Record]) -> list[Any]:
    return list(map(_mended, records))


def _mended(record: Record) -> Any:
    """Return what mending changes, as plain JSON; None stands for what stays as it is."""
    prose = repair(record.text)
    title = repair_title(record.title) if record.title.strip() else None
    venue, keywords = plain(record.venue), tuple(map(_keyword, record.keywords))
    names = plain_names(record.names)
    changes = [
        _changes(record.text, prose),
        _changes(record.title, title) if title else None,
        None if venue == record.venue else venue,
        None if keywords == record.keywords else keywords,
        None if names == record.names else names,
        [[link.kind, link.url] for link in find_links(prose)] or None,
    ]
    return None if changes == _NOTHING else changes


def _changes(text: str, prose: Prose) -> Any:
    if prose.text == text and not prose.spans:
        return None
    spans = [[span.start, span.end, span.kind, span.value] for span in prose.spans]
    return [None if prose.text == text else prose.text, spans]


def _restored_or_mended(abstract: Abstract, record: Record, changes: Any) -> Restored:
    try:
        return _restored(abstract, changes)
    except (TypeError, ValueError):  # a line of the cache that holds something else
        return _restored(abstract, _mended(record))


def _restored(abstract: Abstract, changes: Any) -> Restored:
    """Return an abstract with the changes that `_mended` found for its record."""
    text, title, venue, keywords, names, links = _NOTHING if changes is None else changes
    known = abstract.metadata
    mended = known
    if any(each is not None for each in (venue, keywords, names)):
        mended = replace(
            known,
            authors=known.authors if names is None else _named(known.authors, names),
            venue=known.venue if venue is None else venue,
            keywords=known.keywords if keywords is None else tuple(keywords),
        )
    return Restored(
        abstract=abstract if mended is known else replace(abstract, metadata=mended),
        prose=_prose(abstract.text, text),
        title=_prose(known.title, title) if known.title.strip() else None,
        links=_joined([Link(kind=kind, url=url) for kind, url in links or ()], known),
    )


def _prose(text: str, changes: Any) -> Prose:
    if changes is None:
        return Prose(text=text)
    mended, spans = changes
    return Prose(
        text=text if mended is None else mended,
        spans=tuple(
            Span(start=start, end=end, kind=kind, value=value) for start, end, kind, value in spans
        ),
    )


def _keyword(word: str) -> str:
    return word if _HARMLESS.fullmatch(word) else plain(word)


def _named(authors: Sequence[Author], names: Sequence[str]) -> tuple[Author, ...]:
    parts = zip(authors, names[::3], names[1::3], names[2::3], strict=True)
    return tuple(
        replace(author, name=name, family=family, given=given)
        for author, name, family, given in parts
    )


def _joined(found: Sequence[Link], metadata: Metadata) -> tuple[Link, ...]:
    """Return the text's links, then those of the metadata; no URL twice."""
    if not found and not metadata.links:
        return ()
    links = {link.url: link for link in reversed((*found, *metadata.links))}
    ordered = dict.fromkeys(link.url for link in (*found, *metadata.links))
    return tuple(links[url] for url in ordered)
