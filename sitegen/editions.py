"""The issues of the digest: which files make each, under which title and date; pure."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from sitegen.config import SourceSpec
from sitegen.diagnostics import Location, Problem, warning
from sitegen.records import Abstract, Edition


def date_abstracts(
    abstracts: Sequence[Abstract], editions: Sequence[Edition]
) -> tuple[Abstract, ...]:
    """Give abstracts without a date the one of their edition's own file."""
    dates = {edition.slug: edition.date for edition in editions if edition.date}
    return tuple(
        replace(abstract, place=replace(abstract.place, date=dates[abstract.place.edition]))
        if not abstract.place.date and abstract.place.edition in dates
        else abstract
        for abstract in abstracts
    )


def list_editions(
    abstracts: Sequence[Abstract], curated: Sequence[Edition], sources: Sequence[SourceSpec]
) -> tuple[Edition, ...]:
    """Return every edition that has an abstract or a file of the curator's, sorted by slug.

    Args:
        abstracts: dated, see `date_abstracts`.
        curated: from ``content/editions/``; their titles and texts go before all else.
        sources: whose titles come next; an edition that neither names is titled after its slug.
    """
    files: defaultdict[str, dict[str, None]] = defaultdict(dict)
    dates: dict[str, str] = {}
    for abstract in abstracts:
        place = abstract.place
        files[place.edition][place.file] = None
        dates[place.edition] = max(dates.get(place.edition, ""), place.date)
    known = {edition.slug: edition for edition in curated}
    editions = []
    for slug in sorted({*files, *known}):
        edition = known.get(slug, Edition(slug=slug, title=""))
        made_of = tuple(sorted(files.get(slug, ())))
        title = edition.title or _title(made_of, sources) or slug.replace("-", " ").capitalize()
        date = edition.date or dates.get(slug, "")
        editions.append(replace(edition, title=title, date=date, files=made_of))
    return tuple(editions)


def check_editions(curated: Sequence[Edition], editions: Sequence[Edition]) -> Iterator[Problem]:
    """Yield a warning for each of the curator's editions that no source makes.

    Args:
        curated: from ``content/editions/``.
        editions: as `list_editions` returns them.
    """
    made = [edition.slug for edition in editions if edition.files]
    for edition in curated:
        if edition.slug not in made:
            close = difflib.get_close_matches(edition.slug, made, n=1)
            hint = (
                f"did you mean {close[0]}?" if close else "its slug is the name of a file in seeds/"
            )
            text = "no source makes this edition: it is not shown"
            place = Location(f"content/editions/{edition.slug}.md")
            yield warning("edition-unknown", text, place, hint)


def _title(files: Sequence[str], sources: Sequence[SourceSpec]) -> str:
    """Return the title that the first source matching one of the files gives."""
    return next(
        (
            source.title
            for source in sources
            if source.title and any(fnmatchcase(file, source.pattern) for file in files)
        ),
        "",
    )
