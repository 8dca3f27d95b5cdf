"""What a paper's page tells programs: schema.org data, citation tags, a prefilled correction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from urllib.parse import quote, urlencode, urlsplit

from sitegen.correction_block import write_block
from sitegen.pages import dates, urls
from sitegen.pages.items import EditionMark, Item

_PLAIN = "/:,?"
"""What may stand in a query as it is."""
AUTHORS_CITED = 200
"""Authors named in meta tags; a collaboration's list would be larger than its page."""
AUTHORS_TO_FIX = 20
"""Authors that a block to edit holds at most; an address must not grow too long."""

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def fix_url(repository: str, item: Item, permalink: str) -> str:
    """Return the address of a new issue with the record as a block to edit or complete."""
    meta = item.paper.metadata
    record: dict[str, str | list[str]] = {"id": item.id, "title": item.naming.title}
    if len(meta.authors) <= AUTHORS_TO_FIX:
        record["authors"] = [author.name for author in meta.authors]
    record |= {"date": meta.date, "arxiv": meta.arxiv, "doi": meta.doi, "topics": list(item.topics)}
    return _new_issue(repository, item, permalink, "What should change in this record?", record)


def wrong_tag_url(repository: str, item: Item, permalink: str) -> str:
    """Return the address of a new issue that asks which tag does not belong."""
    record: dict[str, str | list[str]] = {"id": item.id, "not_tags": []}
    return _new_issue(repository, item, permalink, "Which tags do not belong?", record)


def _new_issue(
    repository: str,
    item: Item,
    permalink: str,
    question: str,
    record: Mapping[str, str | list[str]],
) -> str:
    if not repository:
        return ""
    body = f"{permalink}\n{question}\n{write_block(record)}"
    title = f"Record {item.id}"
    host = urlsplit(repository).hostname or ""
    if "gitlab" in host:
        return f"{repository}/-/issues/new?" + urlencode(
            {"issue[title]": title, "issue[description]": body}, safe=_PLAIN
        )
    return f"{repository}/issues/new?" + urlencode({"title": title, "body": body}, safe=_PLAIN)


def json_ld(
    item: Item, permalink: str, language: str, base_url: str, edition: EditionMark | None
) -> str:
    """Return schema.org data as JSON that is safe inside a script element.

    ``headline`` only with a real title; a derived one is, and stays, an ``alternativeHeadline``.
    The abstract is marked on the page as a property of the same thing (RDFa) and not repeated.
    """
    naming, meta = item.naming, item.paper.metadata
    real = naming.title_source != "derived"
    same = [f"https://arxiv.org/abs/{meta.arxiv}"] if meta.arxiv else []
    same += [f"https://doi.org/{quote(meta.doi, safe='/')}"] if meta.doi else []
    data: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "ScholarlyArticle",
        "@id": permalink,
        "headline": naming.title if real else "",
        "alternativeHeadline": meta.headline if real else naming.title,
        "inLanguage": meta.language or language,
        "keywords": list(meta.keywords),
        "author": [
            {"@type": "Organization" if author.group else "Person", "name": author.name}
            for author in meta.authors[:AUTHORS_CITED]
        ],
        "datePublished": meta.date if dates.is_iso(meta.date) else "",
        "sameAs": same,
    }
    if edition:
        data["isPartOf"] = base_url + urls.edition(edition.slug)
    return script_json({key: value for key, value in data.items() if value})


def script_json(data: Mapping[str, object]) -> str:
    """Serialise for a script element: no ``<``, ``>`` or ``&`` can end it or start markup."""
    text = _ENCODER.encode(data)
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def citation_tags(item: Item, permalink: str) -> Iterable[tuple[str, str]]:
    """Yield Highwire tags; only where title, author and date are the source's own."""
    meta = item.paper.metadata
    if item.naming.title_source == "derived" or not meta.authors or not dates.is_iso(meta.date):
        return
    if not meta.venue:
        yield "z:itemType", "preprint"  # Zotero would take it for a journal article
    yield "citation_title", item.naming.title
    for author in meta.authors[:AUTHORS_CITED]:
        yield "citation_author", author.name
    yield "citation_date", meta.date.replace("-", "/")
    if meta.venue:
        yield "citation_journal_title", meta.venue
    if meta.doi:
        yield "citation_doi", meta.doi
    if meta.arxiv:
        yield "citation_arxiv_id", meta.arxiv
    if item.paper.prose.text:  # else Zotero would take the description, which is cut
        yield "citation_abstract", item.paper.prose.text
    yield "citation_abstract_html_url", permalink
