"""RSS, as arXiv's daily listings have it: RSS 2.0 today, RSS 1.0 (RDF) before 2024."""

from __future__ import annotations

import re

from sitegen.sources.atom import report_faults
from sitegen.sources.collector import LONGEST_TITLE, Collector, Raw
from sitegen.sources.identifiers import read_arxiv
from sitegen.sources.people import People, parse_list, parse_names
from sitegen.sources.reading import Reading
from sitegen.sources.tagged import unescaped, untagged
from sitegen.sources.xml_records import Element, read_tree, root_tag

_TAGS = frozenset({"item"})
# "arXiv:2503.19683v1 Announce Type: new \nAbstract: ..."
_ANNOUNCED = re.compile(
    r"\s*(?:arXiv:(?P<id>\S+)\s+)?Announce Type:\s*(?P<type>[\w-]+)\s*(?:Abstract:\s*)?"
)
# "Kelp tags. (arXiv:2301.00001v1 [cs.CL])", with "UPDATED" or "CROSS LISTED" behind.
_OLD_TITLE = re.compile(
    r"(?P<title>.*?)\.?\s*\(arXiv:(?P<id>\S+)(?:\s*\[[^\]]*\])?[\w\s]*\)\s*", re.DOTALL
)
_ANCHOR = re.compile(r"<a\b[^<>]{0,500}>([^<>]{0,300})</a>", re.IGNORECASE)


def recognises(text: str) -> bool:
    """Whether a text is RSS."""
    return root_tag(text).casefold() in {"rss", "rdf:rdf"}


def read(text: str, file: str) -> Reading:
    """Read one listing.

    Args:
        text: as `decode` returns it.
        file: path for the problems.

    Returns:
        the items as papers, whatever they are announced as: a replacement or cross-list of a paper
        that is known joins it by its identifier.
    """
    collector = Collector(file)
    tree = read_tree(text, _TAGS)
    report_faults(tree, collector)
    for item in tree.records:
        collector.add(_raw(item))
    return collector.reading()


def _raw(item: Element) -> Raw:
    title, abstract = item.text("title"), item.text("description") or item.text("encoded")
    identifier = item.text("guid").removeprefix("oai:")
    kind = item.text("announce_type")
    if old := _OLD_TITLE.fullmatch(" ".join(title.split())[:LONGEST_TITLE]):
        title, identifier = old["title"], old["id"]
    if announced := _ANNOUNCED.match(abstract):
        abstract = abstract[announced.end() :]
        identifier = announced["id"] or identifier
        kind = kind or announced["type"]
    is_arxiv = bool(read_arxiv(identifier)[0])
    return Raw(
        line=item.line,
        label=identifier if is_arxiv else item.text("link"),
        title=unescaped(untagged(title)),
        abstract=unescaped(untagged(abstract)),
        people=_people(item, by_commas=is_arxiv),
        # The day on which a replacement or cross-list was announced is not the paper's.
        dates=(item.text("pubDate") or item.text("date"),) if kind in {"", "new"} else (),
        arxiv=identifier if is_arxiv else "",
        doi=item.text("DOI") or item.text("doi"),
        venue=item.text("journal_reference") or item.text("publicationName"),
        urls=(item.text("link") or item.attributes.get("about", ""),),
        language=item.text("language"),
    )


def _people(item: Element, *, by_commas: bool) -> People:
    """Return the creators: one element each, or all in one, as links or in a list."""
    creators = [creator.text() for creator in item.children("creator")]
    if len(creators) > 1:
        return parse_names(creators)
    words = "".join(creators)
    if linked := _ANCHOR.findall(words):
        return parse_names(unescaped(name) for name in linked)
    words = unescaped(untagged(words))
    return parse_names(words.split(",")) if by_commas else parse_list(words)
