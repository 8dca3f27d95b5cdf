"""Pages that answer for URLs which once were something else: aliases and tombstones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from sitegen.markup import slugify
from sitegen.pages import urls
from sitegen.pages.index import Index
from sitegen.phrases import phrase_key
from sitegen.views import AliasView, Page, TombstoneView

WITHDRAWN = "This paper was withdrawn from the digest"
GONE = "This page is no longer part of the digest."


def stub_pages(index: Index, pages: Mapping[str, Page]) -> Iterable[Page]:
    """Yield a stub for each URL that ``pages`` (by path) does not answer for."""
    answered = set(pages)
    former = dict(_former_addresses(index))
    for page in (
        *_overridden(index, pages),
        *_gone(index, pages, former),
        *_former_pages(index, pages, former),
        *_identifiers(index, pages),
    ):
        if page.path not in answered:
            answered.add(page.path)
            yield page


def _overridden(index: Index, pages: Mapping[str, Page]) -> Iterable[Page]:
    known = {paper.id for paper in index.inputs.papers}
    for identifier, override in sorted(index.inputs.content.overrides.items()):
        target = pages.get(urls.paper(override.same_as)) if override.same_as else None
        if target:
            yield _alias(urls.paper(identifier), target, override.path)
        elif identifier in known and (override.withdrawn or override.same_as):
            reason = override.withdrawn or GONE
            yield _tombstone(urls.paper(identifier), WITHDRAWN, reason, override.path)


def _gone(index: Index, pages: Mapping[str, Page], former: Mapping[str, str]) -> Iterable[Page]:
    moved = dict(former) | {
        urls.to_site_path(gone.url): urls.to_site_path(gone.target)
        for gone in index.inputs.gone
        if gone.target
    }
    moved |= _heirs(index, [path for path in moved if path not in pages])
    for gone in sorted(index.inputs.gone, key=lambda gone: gone.url):
        path = urls.to_site_path(gone.url)
        target = pages.get(_follow(moved, path, pages)) if gone.target else None
        if target:
            yield _alias(path, target, "the registry", published=True)
        else:
            yield _tombstone(path, GONE, gone.reason, "the registry")


def _follow(moved: Mapping[str, str], path: str, pages: Mapping[str, Page]) -> str:
    """Return the first page on a chain of moves; a circle without one ends where it closes."""
    seen = {path}
    while path not in pages and path in moved and moved[path] not in seen:
        path = moved[path]
        seen.add(path)
    return path


def _heirs(index: Index, lost: Iterable[str]) -> dict[str, str]:
    """Return the tag that each lost tag's words stand for now, as an alias made them one, by path.

    A slug has lost the capitals and signs of its tag: they are compared without.
    """
    tags = {phrase_key(PurePosixPath(path).name): path for path in lost if _is_tag(path)}
    if not tags:
        return {}
    found: dict[str, str] = {}
    for item in index.items.values():
        for tag in item.tags:
            for form in tag.surfaces if tag.page else ():
                if old := tags.get(phrase_key(slugify(form))):
                    found.setdefault(old, urls.tag(tag.slug))
    return found


def _is_tag(path: str) -> bool:
    return path.startswith(urls.TAGS) and path.count("/") == 2


def _former_addresses(index: Index) -> Iterable[tuple[str, str]]:
    """Yield the path of each alias that a topic or edition names, and its present path."""
    for topic in index.inputs.topics:
        for alias in topic.aliases:
            yield urls.topic(slugify(alias)), urls.topic(topic.slug)
    for edition in index.editions:
        for alias in edition.aliases:
            yield urls.edition(slugify(alias)), urls.edition(edition.slug)


def _identifiers(index: Index, pages: Mapping[str, Page]) -> Iterable[Page]:
    """Yield the addresses of identifiers that only the curator or a reference knows."""
    for key, item in index.items.items():
        meta = item.paper.metadata
        for name in (f"arxiv:{meta.arxiv}", f"doi:{meta.doi.casefold()}"):
            if not name.endswith(":") and (target := pages.get(urls.paper(key))):
                yield _alias(urls.identifier(name), target, "an identifier")


def _former_pages(
    index: Index, pages: Mapping[str, Page], former: Mapping[str, str]
) -> Iterable[Page]:
    for path, now in former.items():
        if target := pages.get(now):
            published = f"/{path}" in index.inputs.published
            yield _alias(path, target, f"an alias of {now}", published=published)


def _alias(path: str, target: Page, origin: str, *, published: bool = False) -> Page:
    return Page(
        path=path,
        template="alias.html",
        title=target.title,
        basis=AliasView(target=target.path, label=target.title, published=published),
        listed=False,
        origin=origin,
    )


def _tombstone(path: str, heading: str, reason: str, origin: str) -> Page:
    return Page(
        path=path,
        template="tombstone.html",
        title="Withdrawn",
        basis=TombstoneView(heading=heading, reason=reason),
        listed=False,
        origin=origin,
    )
