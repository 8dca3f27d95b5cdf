"""Atom and JSON feeds, sitemap and robots.txt: all from data, nothing from the clock."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from xml.sax.saxutils import escape, quoteattr

from sitegen.fingerprints import Fingerprints, code_digest
from sitegen.records import LateFile, OutFile, SiteFile
from sitegen.views import Entry, Feed, Page, Site

SITEMAP_URLS = 50_000
"""Most addresses in one sitemap (sitemaps.org)."""
AUTHORS = 50
"""Authors named in an entry; a collaboration's list would be longer than its abstract."""

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
# what XML 1.0 cannot hold
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def feed_files(site: Site) -> Iterator[SiteFile]:
    """Yield ``feed.xml`` and ``feed.json`` of each feed, the sitemap and robots.txt.

    A feed stands at the former addresses of its list too, since feed readers follow no stub; not at
    those that only ever were other names of it.
    """
    former: dict[str, list[str]] = {}
    for old, now in site.moved:
        former.setdefault(now, []).append(old)
    made: dict[str, Made] = {"atom": {}, "brief atom": {}, "json": {}, "brief json": {}}
    of = Fingerprints(code_digest() + repr(site.info).encode("utf-8", "replace")).of
    for feed in site.feeds:
        makers = {
            "feed.xml": partial(_atom_file, site, feed, made),
            "feed.json": partial(_json_file, site, feed, made),
        }
        for folder in (feed.folder, *former.get(feed.folder, ())):
            for name, make in makers.items():
                yield LateFile(path=f"{folder}{name}", make=make, key=partial(of, feed))
    yield from _sitemap(site)
    robots = f"User-agent: *\nAllow: /\n\nSitemap: {site.info.base_url}sitemap.xml\n"
    yield OutFile(path="robots.txt", data=robots.encode("utf-8", "replace"))
    yield OutFile(path=".nojekyll", data=b"")
    if site.info.domain:
        yield OutFile(path="CNAME", data=f"{site.info.domain}\n".encode())


Made = dict[tuple[str, str], str]
"""Entries as they stand in feeds, by id and note: a paper stands in some ten feeds."""


def _atom_file(site: Site, feed: Feed, made: Mapping[str, Made]) -> bytes:
    brief = feed.whole == "neither"
    write = _brief_atom_entry if brief else _atom_entry
    entries = _entries(site, feed, write, made["brief atom" if brief else "atom"])
    return _atom(site, feed, entries).encode("utf-8", "replace")


def _json_file(site: Site, feed: Feed, made: Mapping[str, Made]) -> bytes:
    brief = feed.whole != "both"
    write = _brief_json_entry if brief else _json_entry
    items = _entries(site, feed, write, made["brief json" if brief else "json"])
    return _json_feed(site, feed, items).encode("utf-8", "replace")


def _entries(site: Site, feed: Feed, write: Callable[[Site, Entry], str], made: Made) -> list[str]:
    texts = []
    for entry in feed.entries:
        key = entry.id, entry.note
        if key not in made:
            made[key] = write(site, entry)
        texts.append(made[key])
    return texts


def _text(value: str) -> str:
    return escape(_FORBIDDEN.sub("", value))


def _attribute(value: str) -> str:
    return quoteattr(_FORBIDDEN.sub("", value))


def _brief_atom_entry(site: Site, entry: Entry) -> str:
    """Return an entry with the gist in place of the abstract, without what its page repeats."""
    return (
        f"<entry><id>{_text(entry.id)}</id><title>{_text(entry.title)}</title>"
        f"<link href={_attribute(site.info.base_url + entry.path)}/>"
        f"<updated>{entry.date}</updated><summary>{_text(entry.gist)}</summary></entry>"
    )


def _brief_json_entry(site: Site, entry: Entry) -> str:
    """Return the same for JSON Feed."""
    item = {
        "id": entry.id,
        "url": site.info.base_url + entry.path,
        "title": entry.title,
        "content_text": entry.gist,
    }
    if entry.dated:
        item["date_published"] = entry.date
    if entry.note:
        item["summary"] = entry.note
    return _dump(item)


def _atom(site: Site, feed: Feed, entries: Sequence[str]) -> str:
    base = site.info.base_url
    own = _attribute(f"{base}{feed.folder}feed.xml")
    head = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang={_attribute(site.info.language)}>',
        f"<id>{_text(feed.id)}</id>",
        f"<title>{_text(feed.title)}</title>",
        f"<updated>{feed.updated}</updated>",
        f"<author><name>{_text(site.info.title)}</name></author>",
        f'<link rel="self" href={own}/>',
        f"<link href={_attribute(base + feed.folder)}/>",
    ]
    return "\n".join([*head, *entries, "</feed>"]) + "\n"


def _atom_entry(site: Site, entry: Entry) -> str:
    url = _attribute(site.info.base_url + entry.path)
    parts = [
        f"<entry><id>{_text(entry.id)}</id>",
        f"<title>{_text(entry.title)}</title>",
        f"<link href={url}/>",
        f"<published>{entry.date}</published><updated>{entry.date}</updated>",
        *(
            f"<author><name>{_text(name)}</name></author>"
            for name in entry.authors[:AUTHORS]
            if name.strip()
        ),
        *(f"<category term={_attribute(label)}/>" for label in entry.categories),
        *(f'<link rel="related" href={_attribute(url)}/>' for url in _identifiers(entry)),
        *([f"<summary>{_text(entry.note)}</summary>"] if entry.note else []),
        f'<content type="text">{_text(entry.text)}</content></entry>',
    ]
    return "\n".join(parts)


def _identifiers(entry: Entry) -> Iterator[str]:
    if entry.arxiv:
        yield f"https://arxiv.org/abs/{entry.arxiv}"


def _json_feed(site: Site, feed: Feed, entries: Sequence[str]) -> str:
    base = site.info.base_url
    head: dict[str, object] = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "home_page_url": base + feed.folder,
        "feed_url": f"{base}{feed.folder}feed.json",
        "language": site.info.language,
    }
    if feed.closed:
        head["expired"] = True
    if site.info.description and not feed.folder:
        head["description"] = site.info.description
    items = ",\n".join(entries)
    return f'{_dump(head)[:-1]},"items":[\n{items}\n]}}\n'


def _json_entry(site: Site, entry: Entry) -> str:
    item: dict[str, object] = {
        "id": entry.id,
        "url": site.info.base_url + entry.path,
        "title": entry.title,
        "content_text": entry.text,
        "tags": list(entry.categories),
    }
    if entry.note:
        item["summary"] = entry.note
    if entry.dated:
        item["date_published"] = entry.date
    if entry.authors:
        item["authors"] = [{"name": name} for name in entry.authors[:AUTHORS]]
    known = {
        "title_source": "derived" if entry.derived else "", "arxiv": entry.arxiv, "doi": entry.doi,
    }  # fmt: skip
    extra = {key: value for key, value in known.items() if value}
    if extra:
        item["_paper"] = extra
    return _dump(item)


def _dump(value: object) -> str:
    return _ENCODER.encode(value)


def _sitemap(site: Site) -> Iterator[OutFile]:
    """Yield sitemap.xml, or an index of parts where there are too many addresses.

    Membership is stable: papers stand by id in parts of their own, so a new one moves few others.
    """
    pages = [page for page in site.pages if page.listed]
    if len(pages) <= SITEMAP_URLS:
        yield OutFile(path="sitemap.xml", data=_urlset(site, pages).encode("utf-8", "replace"))
        return
    pages.sort(key=lambda page: page.path)
    parts = [pages[start : start + SITEMAP_URLS] for start in range(0, len(pages), SITEMAP_URLS)]
    index = ['<?xml version="1.0" encoding="utf-8"?>']
    index.append('<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">')
    for number, part in enumerate(parts, 1):
        path = f"sitemap-{number}.xml"
        yield OutFile(path=path, data=_urlset(site, part).encode("utf-8", "replace"))
        newest = max(page.modified for page in part)
        lastmod = f"<lastmod>{newest}</lastmod>" if newest else ""
        index.append(f"<sitemap><loc>{_text(site.info.base_url + path)}</loc>{lastmod}</sitemap>")
    index.append("</sitemapindex>\n")
    yield OutFile(path="sitemap.xml", data="\n".join(index).encode("utf-8", "replace"))


def _urlset(site: Site, pages: list[Page]) -> str:
    lines = ['<?xml version="1.0" encoding="utf-8"?>']
    lines.append('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">')
    for page in pages:
        lastmod = f"<lastmod>{page.modified}</lastmod>" if page.modified else ""
        lines.append(f"<url><loc>{_text(site.info.base_url + page.path)}</loc>{lastmod}</url>")
    lines.append("</urlset>\n")
    return "\n".join(lines)
