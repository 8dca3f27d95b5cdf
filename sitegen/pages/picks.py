"""What the editor picked, newest first; there is no page of it where nothing was."""

from __future__ import annotations

from collections.abc import Iterable

from sitegen.markup import markdown_html, markdown_text
from sitegen.pages import dates, urls
from sitegen.pages.cards import picks_card
from sitegen.pages.index import Index
from sitegen.pages.rows import ROWS, counted, pagings
from sitegen.records import Override
from sitegen.views import Page, PicksView


def picked(index: Index) -> tuple[str, ...]:
    """Return the ids of the published papers that the editor picked, newest first."""
    overrides = index.inputs.content.overrides
    chosen = [i for i in index.items if i in overrides and overrides[i].pick]
    chosen.sort(
        key=lambda i: (overrides[i].picked_on or index.items[i].paper.first_seen, i), reverse=True
    )
    return tuple(chosen)


def signature(override: Override) -> str:
    """Say who picked a paper, and when, as far as the editor says.

    >>> signature(Override(id="x", path="", picked_by="Ann", picked_on="2031-05-01"))
    'Picked by Ann, 1 May 2031'
    """
    day = dates.in_words(override.picked_on)
    if override.picked_by:
        return f"Picked by {override.picked_by}" + (f", {day}" if day else "")
    return f"Picked on {day}" if day else ""


def note_html(note: str, path: str) -> str:
    """Return an editor's note as HTML for the page at ``path``; empty if there is none."""
    return urls.localise(markdown_html(note), path) if note else ""


def note_text(index: Index, identifier: str) -> str:
    """Return the editor's note on a paper as one signed line of plain text; empty if none."""
    override = index.inputs.content.overrides.get(identifier)
    if not override:
        return ""
    return " — ".join(filter(None, (markdown_text(override.note), signature(override))))


def picks_pages(index: Index) -> Iterable[Page]:
    """Yield the pages of picks, if there are any."""
    ids = picked(index)
    if not ids:
        return
    overrides = index.inputs.content.overrides
    facts = [counted(len(ids), "paper")]
    code = sum(index.items[identifier].code for identifier in ids)
    facts += [f"{code:,} with code"] if code else []
    for paging in pagings(urls.PICKS, len(ids)):
        path = urls.numbered(urls.PICKS, paging.number)
        shown = ids[paging.first_row - 1 :][:ROWS]
        yield Page(
            path=path,
            template="picks.html",
            title="Picks" if paging.number == 1 else f"Picks, page {paging.number}",
            about=f"{counted(len(ids), 'paper')} picked by the editor, newest first.",
            basis=PicksView(
                rows=index.rows(shown),
                notes=tuple(note_html(overrides[identifier].note, path) for identifier in shown),
                signatures=tuple(signature(overrides[identifier]) for identifier in shown),
                facts=tuple(facts),
                paging=paging,
            ),
            section="picks",
            modified=max(index.items[identifier].paper.first_seen for identifier in ids),
            feed=urls.PICKS,
            card=picks_card(index, len(ids)),
            origin="the editor's picks",
        )
