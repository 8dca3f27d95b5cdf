"""One page a URL: what else claims it is reported with both places."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sitegen.diagnostics import Location, Problem, error
from sitegen.views import Page

_PATH = re.compile(r"([a-z0-9]+(-[a-z0-9]+)*/)*([a-z0-9]+(-[a-z0-9]+)*\.html)?")
SEGMENT_BYTES = 80


def without_collisions(
    pages: Iterable[Page], reserved: frozenset[str]
) -> tuple[tuple[Page, ...], tuple[Problem, ...]]:
    """Keep the first page of each path, compared without regard to case.

    Args:
        pages: in order of their claim: the tool's own before the curator's.
        reserved: first segments of paths that only the tool's own pages may have.

    Returns:
        the pages to make, and an error for each page that is not among them.
    """
    kept: dict[str, Page] = {}
    problems = []
    for page in pages:
        key = page.path.casefold()
        if not is_sound(page.path):
            problems.append(
                error(
                    "url-letters",
                    f"{page.origin} would stand at /{page.path}",
                    _location(page),
                    "use a-z, 0-9 and single hyphens, at most 80 of them",
                )
            )
        elif key in kept:
            problems.append(
                error(
                    "url-collision",
                    f"/{page.path} is claimed by {_place(kept[key])} and by {_place(page)}",
                    _location(page),
                    "give one of them another slug",
                )
            )
        elif page.template == "text.html" and page.path.partition("/")[0] in reserved:
            problems.append(
                error(
                    "url-collision",
                    f"/{page.path} is sitegen's own and is claimed by {_place(page)}",
                    _location(page),
                    "rename the file",
                )
            )
        else:
            kept[key] = page
    return tuple(kept.values()), tuple(problems)


def is_sound(path: str) -> bool:
    """Whether a site path holds only what works on every host and file system."""
    return bool(_PATH.fullmatch(path)) and all(
        len(segment) <= SEGMENT_BYTES for segment in path.split("/")
    )


def _place(page: Page) -> str:
    return f"{page.origin}:{page.line}" if page.line else page.origin


def _location(page: Page) -> Location:
    return Location(page.origin, page.line)
