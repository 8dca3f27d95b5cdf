"""One page a URL: what else claims it is reported with both places."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sitegen.diagnostics import Location, Problem, error
from sitegen.pages.items import SiteInput
from sitegen.views import Page

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PATH = re.compile(r"([a-z0-9]+(-[a-z0-9]+)*/)*([a-z0-9]+(-[a-z0-9]+)*\.html)?")
SEGMENT_BYTES = 80
_RENAME = "give one of them another slug"


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
            problems.append(_odd(page.path, page.origin, _location(page)))
        elif key in kept:
            problems.append(
                error(
                    "url-collision",
                    f"/{page.path} is claimed by {_place(kept[key])} and by {_place(page)}",
                    _location(page),
                    _RENAME,
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


def check_slugs(inputs: SiteInput) -> tuple[Problem, ...]:
    """Report topics, editions and tags that share a slug, or whose slug is none."""
    claims = [
        (f"topics/{topic.slug}/", topic.slug, f"content/topics/{topic.slug}.md", topic.title)
        for topic in inputs.topics
    ]
    claims += [
        (
            f"editions/{edition.slug}/", edition.slug,
            edition.files[0] if edition.files else f"content/editions/{edition.slug}.md",
            edition.title,
        )
        for edition in inputs.editions
    ]  # fmt: skip
    names = {
        (tag.slug, tag.name) for tagging in inputs.taggings for tag in tagging.tags if tag.page
    }
    claims += [(f"tags/{slug}/", slug, "tags", name) for slug, name in sorted(names)]
    first: dict[str, tuple[str, str]] = {}
    problems = []
    for path, slug, origin, label in claims:
        if not is_slug(slug):
            problems.append(_odd(path, f"“{label}”", Location(origin)))
        elif path in first:
            there, other = first[path]
            text = f"/{path} is claimed by “{other}” ({there}) and by “{label}” ({origin})"
            problems.append(error("url-collision", text, Location(origin), _RENAME))
        else:
            first[path] = (origin, label)
    return tuple(problems)


def is_slug(slug: str) -> bool:
    """Whether a slug is one flat, lower-case path segment of bounded length."""
    return bool(_SLUG.fullmatch(slug)) and len(slug) <= SEGMENT_BYTES


def _odd(path: str, what: str, where: Location) -> Problem:
    hint = f"use a-z, 0-9 and single hyphens, at most {SEGMENT_BYTES} of them"
    return error("url-letters", f"{what} would stand at /{path}", where, hint)


def is_sound(path: str) -> bool:
    """Whether a site path holds only what works on every host and file system."""
    return bool(_PATH.fullmatch(path)) and all(
        len(segment) <= SEGMENT_BYTES for segment in path.split("/")
    )


def _place(page: Page) -> str:
    return f"{page.origin}:{page.line}" if page.line else page.origin


def _location(page: Page) -> Location:
    return Location(page.origin, page.line)
