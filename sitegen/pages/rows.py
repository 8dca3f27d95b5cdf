"""Papers as rows of lists, and lists cut into pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import quote_plus

from sitegen.markup import truncate
from sitegen.pages import urls
from sitegen.pages.items import Item
from sitegen.records import Author, Prose
from sitegen.views import Anchor, Paging, Row, TopicMark

ROWS = 100
"""Most rows of papers on one page."""
CHUNK = 33
"""Rows of a full page of a list that is numbered from its oldest page on; its front page has up to
twice as many but one."""
TYPICAL = 5
"""Best rows of such a list, above the newest ones."""
GIST = 150
"""Letters of a gist: two lines where there is room beside it for topics."""
TAGS = 3
"""Tags in a row."""
AUTHORS = 3
"""Authors in a row; the others are counted."""


_CONTEXT = (
    "ctx_ver=Z39.88-2004&rft_val_fmt=info%3Aofi%2Ffmt%3Akev%3Amtx%3Ajournal&rft.genre=article"
)
_LETTERS = re.compile("[A-Za-z0-9_.~ -]*")
_QUOTED = str.maketrans({chr(byte): quote_plus(bytes([byte])) for byte in range(256)})
"""Each byte as it stands in a query."""


def row(item: Item, topic_marks: Mapping[str, TopicMark], base_url: str) -> Row:
    """Return a paper as it stands in lists."""
    naming, paper = item.naming, item.paper
    return Row(
        id=paper.id,
        path=urls.paper(paper.id),
        title=naming.title,
        derived=naming.title_source == "derived",
        gist=gist(item, GIST),
        topic=topic_marks[item.topics[0]] if item.topics else None,
        tags=tuple(
            Anchor(label=tag.name, path=urls.tag(tag.slug)) for tag in item.tags if tag.page
        )[:TAGS],
        code=item.code,
        authors=_few_authors(paper.metadata.authors, et_al=paper.metadata.et_al),
        citation=_context_object(item, base_url),
    )


def gist(item: Item, limit: int) -> str:
    """Return the sentence that says most of a paper, cut between words and outside of formulas."""
    prose, text = item.paper.prose, item.naming.gist
    start = prose.text.find(text)
    if not text or start < 0:
        return truncate(text or prose, limit)
    spans = tuple(
        replace(span, start=span.start - start, end=span.end - start)
        for span in prose.spans
        if start <= span.start and span.end <= start + len(text)
    )
    return truncate(Prose(text=text, spans=spans), limit)


def _few_authors(authors: Sequence[Author], *, et_al: bool) -> str:
    """Return the first authors and how many more there are, as far as the source says."""
    names = ", ".join(author.name for author in authors[:AUTHORS])
    more = len(authors) - AUTHORS
    if more > 0:
        return f"{names} and {more:,} more"
    return f"{names} et al." if et_al and names else names


def _context_object(item: Item, base_url: str) -> str:
    """Return a COinS context object (Z39.88), so that a reference manager can save from lists.

    Empty for papers whose title is no title of the source's or the curator's.
    """
    paper, naming = item.paper, item.naming
    if naming.title_source == "derived":
        return ""
    meta = paper.metadata
    parts = [_CONTEXT, "&rft.atitle=", _quoted(naming.title)]
    for author in meta.authors[:AUTHORS]:
        parts += ["&rft.au=", _quoted(author.name)]
    parts += ["&rft.date=", _quoted(meta.date)] if meta.date else []
    parts += ["&rft_id=info%3Adoi%2F", _quoted(meta.doi)] if meta.doi else []
    parts += ["&rft_id=", _quoted(f"{base_url}{urls.paper(paper.id)}")]
    return "".join(parts)


def _quoted(text: str) -> str:
    """Return a text as `urllib.parse.quote_plus` does, in a fifth of the time."""
    if _LETTERS.fullmatch(text):
        return text.replace(" ", "+")
    return text.encode("utf-8", "replace").decode("latin-1").translate(_QUOTED)


def pagings(folder: str, count: int, size: int = ROWS) -> tuple[Paging, ...]:
    """Cut a list of ``count`` rows into pages below ``folder``; an empty list has one page."""
    last = max(1, -(-count // size))
    return tuple(
        Paging(
            number=number,
            last=last,
            previous=urls.numbered(folder, number - 1) if number > 1 else None,
            following=urls.numbered(folder, number + 1) if number < last else None,
            pages=_offered(
                [
                    (other, urls.numbered(folder, other))
                    for other in sorted(
                        {1, last, *range(max(1, number - 2), min(last, number + 2) + 1)}
                    )
                ]
            ),
            here=urls.numbered(folder, number),
            first_row=(number - 1) * size + 1,
        )
        for number in range(1, last + 1)
    )


def newest_first(folder: str, arrived: Sequence[str]) -> tuple[tuple[Paging, tuple[str, ...]], ...]:
    """Cut a long list into pages that stay as they are when papers come.

    Full pages are numbered from the oldest on, so that page 3 keeps its papers for ever; what is
    left stands on the front page, which has no number. No page shows how many there are.

    Args:
        folder: path of the front page.
        arrived: ids, oldest first.

    Returns:
        each page's place and its ids, newest first; the front page first, then from newest to
        oldest.
    """
    last = max(0, len(arrived) // CHUNK - 1)
    pages = []
    for number in (0, *range(last, 0, -1)):
        start = last * CHUNK if number == 0 else (number - 1) * CHUNK
        end = len(arrived) if number == 0 else number * CHUNK
        near = (
            range(max(1, number - 2), min(last, number + 2) + 1) if number else range(last, 0, -1)
        )
        offered = {1, *list(near)[:4]} if last else set()
        paging = Paging(
            number=number,
            last=2 if last else 1,
            previous=_archived(folder, (number + 1) % (last + 1)) if number else None,
            following=_archived(folder, (number or last + 1) - 1) if number != 1 and last else None,
            pages=_offered(
                [(0, folder), *((n, _archived(folder, n)) for n in sorted(offered, reverse=True))],
                last,
            ),
            here=_archived(folder, number),
        )
        pages.append((paging, tuple(reversed(arrived[start:end]))))
    return tuple(pages)


def _archived(folder: str, number: int) -> str:
    return f"{folder}page/{number}/" if number else folder


def _offered(pages: Sequence[tuple[int, str]], newest: int = 0) -> tuple[tuple[str, str], ...]:
    """Label pages and put a gap where some are left out; number 0 comes before the newest."""
    offered: list[tuple[str, str]] = []
    before = -1
    for number, path in pages:
        place = number or newest + 1
        if offered and abs(place - before) > 1:
            offered.append(("", ""))
        offered.append((str(number) if number else "Newest", path))
        before = place
    return tuple(offered)


def counted(number: int, one: str, many: str = "") -> str:
    """Return ``1 paper`` or ``2,400 papers``.

    >>> counted(1, "paper"), counted(2400, "paper")
    ('1 paper', '2,400 papers')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
