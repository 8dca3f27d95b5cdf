"""No address that was ever published dies: what answers where its page is gone; pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sitegen.diagnostics import Location, Problem, error, warning
from sitegen.ledger import Entry, make_registry
from sitegen.pages import Gone
from sitegen.pages.urls import identifier
from sitegen.registry import REGISTRY, Registry, redirect, register_urls
from sitegen.views import AliasView, Page, PicksView, TextView, TombstoneView

KEPT_KINDS = {"topic": "topics", "edition": "editions", "page": "pages"}
"""Kinds whose pages the curator made, with their folder in content/: never dropped in silence."""
PAPER_GONE = "Its abstract stands in none of the digest's sources any more."


def stand_ins(registry: Registry) -> Iterator[Gone]:
    """Yield what should answer for each registered address if no page of the build does.

    A list's later page leads to its first, a tag or an automatic topic to the index of its kind, an
    alias to its target; a vanished paper gets a tombstone. The curator's topics, editions and pages
    get one only where they were retired: losing one is an error, see `register_pages`. Addresses
    made of identifiers lead to their papers.
    """
    known = identifier_urls(registry)
    for url, target in known.items():
        yield Gone(url=url, target=target)
    for entry in registry.entries:
        if entry.state == "alias":
            if entry.url not in known:
                yield Gone(url=entry.url, target=entry.target)
        elif entry.kind == "paper" and entry.state == "gone":
            yield Gone(url=entry.url, reason=entry.reason or PAPER_GONE)
        elif entry.state == "gone" and entry.reason:
            yield Gone(url=entry.url, reason=entry.reason)
        elif entry.kind not in {"paper", *KEPT_KINDS}:
            yield Gone(url=entry.url, target=f"{_above(entry.url)}/")


def identifier_urls(registry: Registry) -> dict[str, str]:
    """Return the address of each identifier that a paper's sources give, with the paper's."""
    papers = sorted(registry.of_kind("paper"), key=lambda entry: entry.state != "live")
    found: dict[str, str] = {}
    for entry in papers:
        for name in entry.ids:
            if name.startswith(("arxiv:", "doi:")):
                found.setdefault(f"/{identifier(name)}", entry.target or entry.url)
    return found


def keep_identifiers(before: Registry, now: Registry) -> Registry:
    """Let addresses of identifiers that the sources gave up go on leading to their papers."""
    known = identifier_urls(now)
    return _with_aliases(
        now, {url: to for url, to in identifier_urls(before).items() if url not in known}
    )


def _with_aliases(registry: Registry, aliases: Mapping[str, str]) -> Registry:
    """Return a registry in which addresses that it does not hold lead to others."""
    held = {entry.url for entry in registry.entries}
    made = [
        Entry(kind="alias", id=url, url=url, state="alias", target=target)
        for url, target in aliases.items()
        if url not in held
    ]
    return make_registry([*registry.entries, *made]) if made else registry


def register_pages(
    registry: Registry, pages: Iterable[Page], *, curated: bool
) -> tuple[Registry, tuple[Problem, ...]]:
    """Note the addresses of a build, and find those that it would lose.

    Args:
        registry: as the papers' ids were assigned.
        pages: all pages of the site, stubs included.
        curated: whether the topics are the curator's; automatic ones may come and go.

    Returns:
        the registry to save, and an error for each published address that nothing answers for.
    """
    pages = tuple(pages)
    live = [
        (kind, key, f"/{page.path}")
        for page in pages
        if not isinstance(page.basis, AliasView | TombstoneView)
        for kind, key in _identity(page, curated=curated)
    ]
    aliases = {
        f"/{page.path}": f"/{page.basis.target}"
        for page in pages
        if isinstance(page.basis, AliasView)
    }
    known = identifier_urls(registry)
    registry = _with_aliases(
        registry,
        {
            url: to
            for url, to in aliases.items()
            if url.startswith(("/arxiv/", "/doi/")) and url not in known
        },
    )
    registry, vanished = register_urls(registry, live)
    moved = {entry.url: aliases[entry.url] for entry in vanished if entry.kind in KEPT_KINDS
             and entry.url in aliases}  # fmt: skip
    answered = {f"/{page.path}" for page in pages}
    lost = tuple(
        error(
            "url-lost",
            f"the published address {entry.url} would answer 404",
            Location(REGISTRY),
            f"{_mend(entry.kind, entry.id)}, or give it up: sitegen retire {entry.url} --why …",
        )
        for entry in vanished
        if entry.url not in answered
    )
    return redirect(registry, moved) if moved else registry, lost


def unregistered(before: Registry, now: Registry) -> tuple[Problem, ...]:
    """Warn of addresses that a build publishes and does not register, since it is frozen.

    Args:
        before: as it lies on disk.
        now: as a build that is not frozen would write it.
    """
    known = {entry.url for entry in before.entries}
    new = [entry.url for entry in now.entries if entry.url not in known]
    if not new:
        return ()
    text = f"{len(new):,} addresses are published that it does not hold, {new[0]} the first"
    hint = "run sitegen build where you edit, and commit the file: else nobody knows them later"
    return (warning("registry-behind", text, Location(REGISTRY), hint),)


def lost_papers(
    published: Iterable[str], pages: Iterable[Page], *, frozen: bool
) -> tuple[Problem, ...]:
    """Find papers that an earlier build published and neither pages nor registry know.

    That happens only where the registry was lost or damaged since, or was never written.

    Args:
        published: paths of files in the output folder that builds have made.
        pages: all pages of the site, stubs included.
        frozen: whether the registry is not to be written; then it is but a warning.
    """
    answered = {f"{page.path}index.html" for page in pages}
    lost = sorted(
        path for path in published if path.startswith("papers/") and path.endswith("/index.html")
        and path not in answered
    )  # fmt: skip
    if not lost:
        return ()
    say = warning if frozen else error
    return (
        say(
            "registry-lost",
            f"{len(lost)} published papers would answer 404, /{lost[0].removesuffix('index.html')}"
            " the first: the registry does not know them",
            Location(REGISTRY),
            f"bring back its last good version, e.g. git checkout -- {REGISTRY};"
            " to give the addresses up, remove the output folder",
        ),
    )


def _identity(page: Page, *, curated: bool) -> Iterator[tuple[str, str]]:
    """Yield kind and id under which a page is registered; nothing for papers and fixed pages."""
    parts = [part for part in page.path.split("/") if part]
    kinds = {"topics": "topic" if curated else "cluster", "tags": "tag", "editions": "edition"}
    if len(parts) == 2 and parts[0] in kinds:
        yield kinds[parts[0]], parts[1]
    elif len(parts) > 1 and parts[0] != "papers":
        yield "list", "/".join(parts)
    elif isinstance(page.basis, PicksView):
        yield "list", parts[0]  # gone with the last pick; home answers then
    elif len(parts) == 1 and isinstance(page.basis, TextView):
        yield "page", parts[0]


def _above(url: str) -> str:
    """Return the folder that leads on from a list's page or a tag: ``/tags``, ``/topics/x``."""
    above = url.rstrip("/").rpartition("/")[0]
    if above.endswith(("/page", "/letter")):
        above = above.rpartition("/")[0]
    return above


def _mend(kind: str, key: str) -> str:
    folder = KEPT_KINDS.get(kind, "")
    if kind == "topic":
        return f"bring content/topics/{key}.md back, or add {key} to the aliases of another topic"
    if kind == "edition":
        return (
            f"bring its files back, or add {key} to the aliases of another edition's file in"
            " content/editions/"
        )
    return f"bring content/{folder}/{key}.md back"
