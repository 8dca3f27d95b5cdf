"""A paper as Pagefind reads it: a page of what is searched and nothing else.

Kept apart from the paper's own page, so that nothing there (related papers, menus, a changed
template) counts as its text or makes a shard be indexed anew.
"""

from __future__ import annotations

from html import escape

from sitegen.views import SearchEntry

EVERY = "ꙮ"
"""A letter of no text, in every document; search.js asks for it where the reader asks for all."""


def document(entry: SearchEntry) -> bytes:
    """Return the HTML of a paper for Pagefind.

    The title comes first, then the abstract up to the letter: so search.js knows what to show.
    """
    meta = ""
    if entry.names:
        names = escape(", ".join(name.text for name in entry.names))
        meta = f' data-names="{names}" data-pagefind-meta="names[data-names]"'
    filters = [f"topic:{slug}" for slug in entry.topics]
    filters += [f"edition:{slug}" for slug in entry.editions]
    filters += ["code:yes"] if entry.code else []
    told = [f"{name.text} {name.expansion}".rstrip() for name in entry.names]
    parts = [
        "<!doctype html><html><head><meta charset=utf-8></head>",
        f"<body data-pagefind-body{meta}>",
        *(f'<i data-pagefind-filter="{escape(value)}"></i>' for value in filters),
        f'<h1 data-pagefind-meta="title" data-pagefind-weight="10" data-date="{escape(entry.date)}"'
        f' data-pagefind-sort="date[data-date]">{escape(entry.title)}</h1>',
        f"<p>{escape(entry.text)}</p><p>{EVERY}</p>",
        f'<p data-pagefind-weight="8">{escape(entry.words())}</p>',
        *(f'<p data-pagefind-weight="10">{escape(text)}</p>' for text in told),
        "</body></html>",
    ]
    return "".join(parts).encode("utf-8", "replace")
