"""Alphabetical lists of names and tags, split by letter where they are long."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from sitegen.pages import urls
from sitegen.pages.index import Index
from sitegen.pages.rows import counted, pagings
from sitegen.views import Anchor, IndexView, Page, Paging, Section

WHOLE = 1000
"""Most entries of a list on one page; a longer one gets a page for each letter."""
OTHER = "0-9"
"""Key of all that begins with no letter of the alphabet."""


def name_pages(index: Index) -> Iterable[Page]:
    """Yield the names A to Z."""
    entries = [
        (
            name.text,
            Anchor(
                label=name.text,
                path=urls.paper(item.id),
                detail=name.expansion or _after(item.naming.title, name.text),
            ),
        )
        for item in index.items.values()
        for name in item.naming.names
    ]
    lead = (
        f"{counted(len(entries), 'name')} of systems, methods, models and data sets that papers "
        "here introduce."
    )
    yield from _pages(entries, urls.NAMES, heading="Names", lead=lead, section="names")


def tag_index_pages(index: Index) -> Iterable[Page]:
    """Yield the list of all tags with a page."""
    entries = [
        (name, Anchor(label=name, path=urls.tag(slug), count=len(index.by_tag[slug])))
        for slug, name in index.tag_names.items()
    ]
    lead = f"{counted(len(entries), 'tag')}, each carried by two papers or more."
    yield from _pages(
        entries, urls.TAGS, heading="Tags", lead=lead, section="tags", taken="letter/"
    )


def letter(text: str) -> str:
    """Return the letter under which a text stands: ``a`` to ``z``, or `OTHER`.

    >>> letter("Øvre"), letter("éclair"), letter("3D-LLM"), letter("静か")
    ('o', 'e', '0-9', '0-9')
    """
    first = next((char for char in text if char.isalnum()), "")
    plain = unicodedata.normalize("NFKD", first.replace("Ø", "O").replace("ø", "o"))[:1].lower()
    return plain if "a" <= plain <= "z" else OTHER


def _after(title: str, name: str) -> str:
    """Return the rest of a title that opens with the name."""
    head, _, rest = title.partition(": ")
    return rest if head.casefold() == name.casefold() else title


def _pages(
    entries: Sequence[tuple[str, Anchor]],
    folder: str,
    *,
    heading: str,
    lead: str,
    section: str,
    taken: str = "",
) -> Iterable[Page]:
    """Yield one page, or a page a letter behind a first one that leads to them."""
    groups: dict[str, list[Anchor]] = {}
    for text, anchor in sorted(entries, key=lambda pair: (_order(pair[0]), pair[0], pair[1].path)):
        groups.setdefault(letter(text), []).append(anchor)
    keys = sorted(groups, key=lambda key: (key == OTHER, key))
    whole = len(entries) <= WHOLE
    letters = tuple(
        Section(
            key=key,
            heading=key.upper(),
            entries=() if not whole else tuple(groups[key]),
            path="" if whole else f"{folder}{taken}{key}/",
        )
        for key in keys
    )

    def page(
        path: str, title: str, shown: tuple[Section, ...], paging: Paging, lead: str = lead
    ) -> Page:
        return Page(
            path=path,
            template="alphabet.html",
            title=title,
            about=lead,
            basis=IndexView(
                heading=heading, lead=lead, letters=letters, sections=shown,
                total=len(entries), paging=paging,
            ),
            section=section,
            origin=f"the list of {heading.lower()}",
        )  # fmt: skip

    yield page(folder, heading, letters if whole else (), Paging())
    if whole:
        return
    for key in keys:
        group = groups[key]
        for paging in pagings(f"{folder}{taken}{key}/", len(group), WHOLE):
            shown = Section(
                key=key, heading=key.upper(), entries=tuple(group[paging.first_row - 1 :][:WHOLE])
            )
            path = urls.numbered(f"{folder}{taken}{key}/", paging.number)
            # no count of all, so that only the letters of new entries change
            yield page(
                path,
                f"{heading}: {key.upper()}",
                (shown,),
                paging,
                f"{heading} under {key.upper()}.",
            )


def _order(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.replace("Ø", "O").replace("ø", "o"))
    return "".join(char for char in plain.casefold() if char.isalnum())
