"""Pages of the arXiv API, and other Atom feeds of papers."""

from __future__ import annotations

from sitegen.diagnostics import error, warning
from sitegen.records import LinkKind
from sitegen.sources.collector import Collector, Raw
from sitegen.sources.identifiers import find_doi, read_arxiv
from sitegen.sources.people import parse_names
from sitegen.sources.reading import Reading
from sitegen.sources.tagged import unescaped, untagged
from sitegen.sources.xml_records import Element, Tree, read_tree, root_tag

_TAGS = frozenset({"entry"})
_FAILURE = "http://arxiv.org/api/errors"


def recognises(text: str) -> bool:
    """Whether a text is an Atom feed, or one entry."""
    return root_tag(text).rpartition(":")[2] in {"feed", "entry"}


def read(text: str, file: str) -> Reading:
    """Read one page.

    Args:
        text: as `decode` returns it.
        file: path for the problems.

    Returns:
        the entries as papers. A page that holds fewer than it promises is an error: the service
        broke off, and the file is to be fetched again.
    """
    collector = Collector(file)
    tree = read_tree(text, _TAGS)
    report_faults(tree, collector)
    entries = 0
    for entry in tree.records:
        if _FAILURE in entry.text("id"):
            words = f"arXiv answered with an error: {entry.text('summary')[:200]}"
            hint = "fetch the page again"
            collector.remarks.drop(error, "source-incomplete", entry.line, words, hint=hint)
        else:
            entries += 1
            collector.add(_raw(entry))
    _check_count(tree, entries + len(tree.faults), collector)
    return collector.reading()


def report_faults(tree: Tree, collector: Collector) -> None:
    """Report the records of a tree that cannot be read."""
    for line, why in tree.faults:
        words = f"a record is not well-formed XML: {why}"
        collector.remarks.drop(warning, "source-malformed", line, words)
    if tree.mended and tree.records:
        words = "the file is not well-formed XML from here on; its records were read one by one"
        collector.remarks.add(warning, "source-mended", tree.mended, words)


def _raw(entry: Element) -> Raw:
    links: list[tuple[LinkKind, str]] = []
    pages = []
    doi = entry.text("doi")
    for link in entry.children("link"):
        address = link.attributes.get("href", "")
        title = link.attributes.get("title", "")
        if title == "doi" or find_doi(address):
            doi = doi or address
        elif link.attributes.get("rel", "alternate") == "alternate":
            pages.append(address)
        elif link.attributes.get("rel") == "related" and not read_arxiv(address)[0]:
            links.append(("other", address))
    identifier = entry.text("id")
    if identifier.startswith(("http://", "https://")):
        pages.append(identifier)
    return Raw(
        line=entry.line,
        label=identifier.rpartition("/abs/")[2],
        title=_prose(entry, "title"),
        abstract=_prose(entry, "summary") or _prose(entry, "content"),
        people=parse_names(author.text("name") for author in entry.children("author")),
        dates=(entry.text("published"), entry.text("updated")),
        arxiv=identifier if read_arxiv(identifier)[0] else "",
        doi=doi,
        venue=entry.text("journal_ref"),
        urls=tuple(pages),
        links=tuple(links),
        language=entry.attributes.get("lang", ""),
    )


def _prose(entry: Element, tag: str) -> str:
    """Return a text of an entry; HTML in it without its tags."""
    found = entry.find(tag)
    if found is None:
        return ""
    words = entry.text(tag)
    kind = found.attributes.get("type", "text")
    return unescaped(untagged(words)) if kind in {"html", "xhtml"} else words


def _check_count(tree: Tree, entries: int, collector: Collector) -> None:
    """Report a page that holds fewer entries than it says."""
    head = dict(reversed(tree.head))
    counts = [head.get(name, "") for name in ("totalResults", "startIndex", "itemsPerPage")]
    total, start, size = (int(each) if each.isdecimal() else 0 for each in counts)
    left = max(total - start, 0)
    expected = min(left, size) if size else min(left, 1)
    if entries < expected:
        words = f"the page is incomplete: {entries} of {expected} papers ({total} in all)"
        hint = "arXiv broke off; fetch the page again"
        collector.remarks.add(error, "source-incomplete", 0, words, hint=hint)
