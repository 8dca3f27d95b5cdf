"""Pages there is one of: home, search, about and other texts, 404."""

from __future__ import annotations

from collections.abc import Iterable

from sitegen.markup import markdown_html, markdown_text, truncate
from sitegen.pages import dates, urls
from sitegen.pages.cards import site_card
from sitegen.pages.index import Index
from sitegen.pages.picks import picked
from sitegen.pages.rows import counted
from sitegen.views import (
    Anchor,
    DataView,
    HomeView,
    Info,
    NotFoundView,
    Page,
    SavedView,
    SearchView,
    TextView,
    TopicMark,
)

DESCRIPTION = 200
"""Letters of a page's description."""
LATEST = 10
PICKS = 3
TOPICS = 14
EDITIONS = 24
"""Newest ones that a search can be narrowed to by a click; others by the page's address."""


def info(index: Index) -> Info:
    """Return what every page says of the digest."""
    config = index.inputs.config
    nav = [
        ("topics", "Topics", urls.TOPICS),
        ("editions", "Editions", urls.EDITIONS),
        ("names", "Names", urls.NAMES),
        ("tags", "Tags", urls.TAGS),
    ]
    if index.inputs.positions:
        nav.append(("map", "Map", urls.MAP))
    pages = sorted(index.inputs.content.pages, key=lambda page: (page.order, page.slug))
    titles = {page.slug: page.title for page in pages}
    nav.append(("about", _short(titles.get("about", "About")), urls.text_page("about")))
    footer = [Anchor(label="Numbers", path=urls.STATS)]
    footer += [Anchor(label="Picks", path=urls.PICKS)] if picked(index) else []
    footer += [
        Anchor(label=page.title, path=urls.text_page(page.slug))
        for page in pages
        if page.slug != "about"
    ]
    return Info(
        title=config.title,
        description=config.description,
        base_url=config.base_url,
        base_path=config.base_path,
        language=config.language,
        repository=config.repository,
        domain=config.domain if config.base_url.endswith(f"//{config.domain}/") else "",
        nav=tuple(nav),
        footer=tuple(footer),
    )


def summary(index: Index) -> str:
    """Return the digest in one line of counts."""
    counts = [
        counted(len(index.items), "paper"),
        counted(len(index.topics), "topic"),
        counted(len(index.editions), "edition"),
    ]
    return " · ".join(counts)


def newest(index: Index) -> str:
    """Return the slug of the newest edition; empty where there is none."""
    return index.editions[0].slug if index.editions else ""


def front_pages(index: Index) -> Iterable[Page]:
    """Yield home, search, the curator's texts and the 404 page."""
    yield _home(index)
    yield Page(
        path=urls.SEARCH,
        template="search.html",
        title="Search",
        about=f"Search {counted(len(index.items), 'paper')}.",
        basis=SearchView(
            topics=index.topics,
            editions=tuple(
                Anchor(label=edition.title, path=urls.edition(edition.slug), detail=edition.slug)
                for edition in index.editions[:EDITIONS]
            ),
            older=counted(len(index.editions) - EDITIONS, "older edition")
            if len(index.editions) > EDITIONS
            else "",
        ),
        section="search",
        origin="the search page",
    )
    yield Page(
        path=urls.DATA,
        template="data.html",
        title="Data",
        about="The whole digest to take along: JSON, CSV, BibTeX, feeds.",
        basis=DataView(papers=len(index.items)),
        section="data",
        origin="the page of downloads",
    )
    yield Page(
        path=urls.SAVED,
        template="saved.html",
        title="Reading list",
        basis=SavedView(),
        section="saved",
        listed=False,
        origin="the reading list",
    )
    for page in index.inputs.content.pages:
        # the page has its own first heading
        body = str(markdown_html(page.body)).replace("<h1>", "<h2>").replace("</h1>", "</h2>")
        path = urls.text_page(page.slug)
        yield Page(
            path=path,
            template="text.html",
            title=page.title,
            about=truncate(markdown_text(page.body), DESCRIPTION),
            basis=TextView(heading=page.title, body_html=urls.localise(body, path)),
            section=page.slug,
            origin=page.path,
        )
    if not any(page.slug == "about" for page in index.inputs.content.pages):
        yield Page(
            path=urls.text_page("about"),
            template="about.html",
            title="About",
            about="How this digest is made.",
            basis=TextView(heading="About this digest", body_html=""),
            section="about",
            origin="the page about the digest",
        )
    yield Page(
        path=urls.NOT_FOUND,
        template="404.html",
        title="Page not found",
        basis=NotFoundView(),
        listed=False,
        origin="the 404 page",
    )


def _home(index: Index) -> Page:
    config, content = index.inputs.config, index.inputs.content
    latest = index.editions[0] if index.editions else None
    run = index.by_edition.get(latest.slug, ()) if latest else ()
    fresh = [i for _, i in run if latest and index.first_edition[i] == latest.slug]
    stood = [identifier for _, identifier in run]
    picks = picked(index)
    copies = sum(len(item.paper.places) - 1 for item in index.items.values())
    facts = [counted(len(index.items), "paper"), counted(len(index.topics), "topic")]
    facts += [f"{counted(copies, 'duplicate')} merged"] if copies else []
    lead = markdown_html(content.welcome or config.description)
    return Page(
        path=urls.HOME,
        template="home.html",
        title=config.title,
        about=config.description or truncate(markdown_text(content.welcome), DESCRIPTION),
        basis=HomeView(
            heading=content.headline or config.title,
            lead_html=urls.localise(lead, urls.HOME),
            facts=tuple(facts),
            latest=Anchor(
                label=latest.title,
                path=urls.edition(latest.slug),
                count=len(run),
                detail=dates.in_words(latest.date),
            )
            if latest
            else None,
            rows=index.rows((fresh or stood)[:LATEST]),
            picks=index.rows(picks[:PICKS]),
            pick_count=len(picks),
            topics=_by_size(index)[:TOPICS],
            topic_count=len(index.topics),
            editions=tuple(
                Anchor(
                    label=edition.title,
                    path=urls.edition(edition.slug),
                    count=len(index.by_edition.get(edition.slug, ())),
                    detail=dates.in_words(edition.date),
                )
                for edition in index.editions[:LATEST]
            ),
        ),
        modified=latest.date if latest else "",
        section="home",
        newest=newest(index),
        card=site_card(index),
        origin="the home page",
    )


def _by_size(index: Index) -> tuple[TopicMark, ...]:
    return tuple(
        sorted(
            (mark for mark in index.topics if mark.count), key=lambda mark: (-mark.count, mark.slug)
        )
    )


def _short(title: str) -> str:
    # the navigation has room for a word
    return title if len(title) <= 12 else "About"
