"""From what a format says of a paper to what the digest knows of it; the same for every format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sitegen.diagnostics import note, warning
from sitegen.links import absolute
from sitegen.records import Author, Link, LinkKind, Metadata
from sitegen.sources.dates import from_parts, read_date
from sitegen.sources.decode import clean
from sitegen.sources.identifiers import find_arxiv, find_doi, read_arxiv, read_doi
from sitegen.sources.keyword_lists import parse_keywords
from sitegen.sources.language_tags import language_tag
from sitegen.sources.people import NOBODY, People
from sitegen.sources.reading import Found, Reading, Remarks
from sitegen.sources.wrapping import Hyphens, Line

LONGEST = 100_000
"""Characters of an abstract; the longest known ones have 5,000."""
LONGEST_TITLE = 2_000
_MOST_LINKS = 50
_NO_ABSTRACT = frozenset(
    {
        "", "n/a", "na", "none", "null", "nan", "no abstract", "no abstract available",
        "no abstract provided", "abstract not available", "-", "–", "—",
    }
)  # fmt: skip
_LABEL = re.compile(r"abstract\s*(?:[:.—–-]|\n)\s*", re.IGNORECASE)
_ARXIV_VENUE = re.compile(r"(?:arxiv|corr)\b.*|.*\(cornell university\)", re.IGNORECASE | re.DOTALL)
_PLAIN_URL = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """One paper as its format tells of it: values as they stand there, empty where it is silent."""

    line: int
    """Where its record begins in the file, from 1."""
    label: str = ""
    """What the curator knows the record by, e.g. its key in BibTeX."""
    title: str = ""
    abstract: str = ""
    people: People = NOBODY
    dates: tuple[str, ...] = ()
    """Whole dates, best first; the first that says anything is taken."""
    parts: tuple[str, str, str] = ("", "", "")
    """Year, month and day, where they stand apart."""
    arxiv: str = ""
    version: int = 0
    doi: str = ""
    venue: str = ""
    urls: tuple[str, ...] = ()
    """Addresses of the paper itself, best first."""
    links: tuple[tuple[LinkKind, str], ...] = ()
    """Its code, data and other resources."""
    language: str = ""
    mentions: tuple[str, ...] = ()
    """Texts that may name the paper's arXiv identifier."""
    keywords: tuple[str, ...] = ()
    """One each, or a text with all of them."""


class Collector:
    """Takes the records of one file in order; none is lost without a problem."""

    def __init__(self, file: str) -> None:
        self.remarks = Remarks(file)
        """For what else is wrong in the file."""
        self._found: list[Found] = []
        self._removed = 0
        self._removed_line = 0

    def add(self, raw: Raw) -> None:
        """Keep a record, or report it where it has neither title nor abstract."""
        raw = self._cleaned(raw)
        text = raw.abstract.strip()
        if label := _LABEL.match(text):
            text = text[label.end() :]
        if text.strip(" .[]()").casefold() in _NO_ABSTRACT:
            text = ""
        title = " ".join(raw.title.split())
        if not text and not title:
            self._drop("source-record-empty", raw, "a record with neither title nor abstract")
        elif len(text) > LONGEST or len(title) > LONGEST_TITLE:
            words = f"a record of {max(len(text), len(title)):,} characters is no paper's"
            self._drop("source-too-long", raw, words)
        else:
            metadata = self._metadata(raw, title)
            self._found.append(
                Found(text=text, position=len(self._found) + 1, line=raw.line, metadata=metadata)
            )

    def reading(self) -> Reading:
        """Return everything the file gave."""
        if self._removed:
            many = "s" if self._removed > 1 else ""
            self.remarks.add(
                note,
                "source-control",
                self._removed_line,
                f"{self._removed:,} control character{many} removed, the first here",
            )
        if not self._found and not self.remarks.reported:
            self.remarks.add(warning, "source-empty", 0, "the file holds no paper")
        ordered = sorted(self.remarks.problems(), key=lambda problem: problem.location.line)
        return Reading(
            found=tuple(_unwrap(self._found)),
            reported=self.remarks.reported,
            problems=tuple(ordered),
        )

    def _drop(self, code: str, raw: Raw, text: str) -> None:
        self.remarks.drop(warning, code, raw.line, text, piece=raw.label)

    def _warn(self, code: str, raw: Raw, what: str, fault: str, hint: str = "") -> None:
        of = f" of {raw.label}" if raw.label else ""
        self.remarks.add(warning, code, raw.line, f"{what}{of} {fault}", hint=hint)

    def _cleaned(self, raw: Raw) -> Raw:
        """Remove what escapes brought back from the texts."""
        if _whole(raw).isprintable():
            return raw
        counts = 0

        def tidy(text: str) -> str:
            nonlocal counts
            bare, count = clean(text)
            counts += count
            return bare

        def tidied(author: Author) -> Author:
            return replace(
                author,
                name=tidy(author.name),
                family=tidy(author.family),
                given=tidy(author.given),
            )

        cleaned = replace(
            raw,
            title=tidy(raw.title),
            abstract=tidy(raw.abstract),
            venue=tidy(raw.venue),
            arxiv=tidy(raw.arxiv),
            doi=tidy(raw.doi),
            language=tidy(raw.language),
            dates=tuple(map(tidy, raw.dates)),
            urls=tuple(map(tidy, raw.urls)),
            links=tuple((kind, tidy(url)) for kind, url in raw.links),
            label=tidy(raw.label),
            keywords=tuple(map(tidy, raw.keywords)),
            people=replace(raw.people, authors=tuple(map(tidied, raw.people.authors))),
        )
        if counts:
            self._removed_line = self._removed_line or raw.line
            self._removed += counts
        return cleaned

    def _metadata(self, raw: Raw, title: str) -> Metadata:
        arxiv, version = self._arxiv(raw)
        urls = [url for each in raw.urls if (url := self._url(raw, each))]
        links = [
            Link(kind=kind, url=url)
            for kind, each in raw.links[:_MOST_LINKS]
            if (url := self._url(raw, each))
        ]
        doi = read_doi(raw.doi)
        if raw.doi.strip() and not doi and not read_arxiv(raw.doi)[0]:
            self._warn("source-identifier", raw, "the DOI", f"is none: {raw.doi[:80]!r}")
        own = [url for url in urls if not find_doi(url) and not read_arxiv(url)[0]]
        venue = " ".join(raw.venue.split())
        return Metadata(
            title=title,
            authors=raw.people.authors,
            et_al=raw.people.et_al,
            date=self._date(raw),
            arxiv=arxiv,
            version=version,
            doi=doi or next(filter(None, map(find_doi, urls)), ""),
            venue="" if arxiv and _ARXIV_VENUE.fullmatch(venue) else venue,
            url=own[0] if own else "",
            language=language_tag(raw.language),
            links=tuple(dict.fromkeys(links)),
            keywords=parse_keywords(raw.keywords),
        )

    def _arxiv(self, raw: Raw) -> tuple[str, int]:
        """Return the identifier and version that the record gives or its addresses lead to."""
        given, version = read_arxiv(raw.arxiv)
        if raw.arxiv.strip() and not given:
            fault = f"is none: {raw.arxiv[:80]!r}"
            self._warn("source-identifier", raw, "the arXiv identifier", fault)
        if given:
            return given, version or raw.version
        for name, number in map(read_arxiv, (raw.doi, *raw.urls)):
            if name:
                return name, number or raw.version
        # A mention names the paper, not the version that was read.
        name = first(find_arxiv(text)[0] for text in raw.mentions)
        return name, raw.version if name else 0

    def _date(self, raw: Raw) -> str:
        """Return the first date that says anything; one that is not understood is reported."""
        odd = ""
        for text in raw.dates:
            iso, sure = read_date(text)
            if not sure:
                odd = odd or text
            if iso:
                break
        else:
            iso, sure = from_parts(*raw.parts)
            if not sure:
                odd = odd or " ".join(filter(None, raw.parts))
        if odd:
            kept = f"only {iso} was used" if iso else "it was left out"
            self._warn(
                "source-date",
                raw,
                "the date",
                f"was not understood: {odd[:60]!r}; {kept}",
                "write it as 2031-05-01, 2031-05 or 2031",
            )
        return iso

    def _url(self, raw: Raw, address: str) -> str:
        """Return an absolute web address, or report what is none."""
        address = address.strip()
        if not address:
            return ""
        url = absolute(address) if _PLAIN_URL.match(address) else None
        if url is None:
            self._warn("source-link", raw, "an address", f"is none: {address[:80]!r}")
        return url or ""


def _whole(raw: Raw) -> str:
    """Return all texts of a record as one, line ends left out."""
    names = [
        part for author in raw.people.authors for part in (author.name, author.family, author.given)
    ]
    texts = [
        raw.title, raw.abstract, raw.venue, raw.arxiv, raw.doi, raw.language, raw.label,
        *raw.dates, *raw.urls, *(url for _, url in raw.links), *raw.keywords, *names,
    ]  # fmt: skip
    return "".join(texts).replace("\n", "")


def _unwrap(found: Sequence[Found]) -> Iterator[Found]:
    """Yield the papers with each abstract on one line; the file tells of words cut by a line end.

    Programs wrap at the hyphens of a text and make no new ones, so an unknown word keeps its own.
    """
    paragraphs = {
        one.position: [Line(at, line.strip()) for at, line in enumerate(one.text.split("\n"), 1)]
        for one in found
        if "\n" in one.text
    }
    shown = {at: [line for line in lines if line.text] for at, lines in paragraphs.items()}
    evidence = "\n".join(one.text for one in found) if shown else ""
    hyphens = Hyphens(shown.values(), evidence, unsure_keeps=True)
    for one in found:
        joined = hyphens.join(shown[one.position]) if one.position in shown else one.text
        text = " ".join(joined.split())
        yield one if text == one.text else replace(one, text=text)


def first(values: Iterable[str]) -> str:
    """Return the first text that is not blank, or an empty one."""
    return next((value for value in values if value.strip()), "")
