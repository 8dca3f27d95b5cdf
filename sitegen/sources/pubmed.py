"""PubMed in XML: article sets as saved by its site, or fetched from its programming interface."""

from __future__ import annotations

from collections.abc import Iterator

from sitegen.records import Author
from sitegen.sources.atom import report_faults
from sitegen.sources.collector import Collector, Raw, first
from sitegen.sources.people import People, gather, group, person
from sitegen.sources.reading import Reading
from sitegen.sources.tagged import untagged
from sitegen.sources.xml_records import Element, read_tree, root_tag

_TAGS = frozenset({"PubmedArticle", "PubmedBookArticle"})


def recognises(text: str) -> bool:
    """Whether a text is a set of PubMed's articles, or one of them."""
    return root_tag(text) in {"PubmedArticleSet", *_TAGS}


def read(text: str, file: str) -> Reading:
    """Read one file.

    Args:
        text: as `decode` returns it.
        file: path for the problems.

    Returns:
        the articles as papers.
    """
    collector = Collector(file)
    tree = read_tree(text, _TAGS)
    report_faults(tree, collector)
    for record in tree.records:
        collector.add(_raw(record))
    return collector.reading()


def tidy_title(title: str) -> str:
    """Return a title without the full stop that PubMed sets, and the brackets of a translation."""
    title = title.strip()
    if title.startswith("[") and title.rstrip(".").endswith("]"):
        title = title.rstrip(".")[1:-1]
    return title.removesuffix(".") if not title.endswith("..") else title


def _raw(record: Element) -> Raw:
    citation = record.find("MedlineCitation") or record.find("BookDocument") or record
    article = citation.find("Article") or citation
    journal = article.find("Journal") or article.find("Book") or article
    issue = journal.find("JournalIssue") or journal
    day = issue.find("PubDate")
    number = first((citation.text("PMID"), record.text("PMID")))
    return Raw(
        line=record.line,
        label=f"PMID {number}" if number else "",
        title=tidy_title(_prose(article.find("ArticleTitle"))),
        abstract=_abstract(article) or _abstract(citation),
        people=_people(article.find("AuthorList")),
        dates=_dates(article, day),
        parts=(day.text("Year"), day.text("Month"), day.text("Day")) if day else ("", "", ""),
        doi=first(_identifiers(record, article)),
        venue=journal.text("Title") or journal.text("ISOAbbreviation") or journal.text("BookTitle"),
        urls=(f"https://pubmed.ncbi.nlm.nih.gov/{number}/",) if number.isdecimal() else (),
        language=article.text("Language"),
        keywords=tuple(
            _prose(each)
            for words in citation.children("KeywordList")
            for each in words.children("Keyword")
        ),
    )


def _dates(article: Element, day: Element | None) -> tuple[str, ...]:
    """Return whole dates: what PubMed took over as it stood, else the electronic one."""
    whole = day.text("MedlineDate") if day else ""
    if whole or (day and day.text("Year")):
        return (whole,) if whole else ()
    online = article.find("ArticleDate")
    if online is None:
        return ()
    parts = (online.text("Year"), online.text("Month"), online.text("Day"))
    return ("-".join(filter(None, parts)),)


def _abstract(article: Element) -> str:
    """Return the abstract, its sections one after another with their labels."""
    found = article.find("Abstract")
    sections = [] if found is None else list(found.children("AbstractText"))
    parts = []
    for section in sections:
        label = section.attributes.get("Label", "")
        words = _prose(section)
        if words:
            labelled = label and label.casefold() not in {"abstract", "unlabelled", "unassigned"}
            parts.append(f"{label}: {words}" if labelled else words)
    return " ".join(parts)


def _prose(found: Element | None) -> str:
    if found is None:
        return ""
    return untagged(found.markup()).replace("‹", "<").replace("›", ">").strip()


def _people(found: Element | None) -> People:
    if found is None:
        return People()
    authors = [_author(each) for each in found.children("Author")]
    return gather(authors, et_al=found.attributes.get("CompleteYN") == "N")


def _author(found: Element) -> Author:
    if name := found.text("CollectiveName"):
        return group(name)
    given = found.text("ForeName") or found.text("Initials")
    return person(found.text("LastName"), given, suffix=found.text("Suffix"))


def _identifiers(record: Element, article: Element) -> Iterator[str]:
    for place in article.children("ELocationID"):
        if place.attributes.get("EIdType") == "doi":
            yield place.text()
    for data in ("PubmedData", "PubmedBookData"):
        found = record.find(data, "ArticleIdList")
        for each in found.children("ArticleId") if found else ():
            if each.attributes.get("IdType") == "doi":
                yield each.text()
