"""A paper's page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

from sitegen.citations import bibtex
from sitegen.markup import Mark, prose_html
from sitegen.pages import dates, urls
from sitegen.pages.cards import paper_card
from sitegen.pages.entries import cite
from sitegen.pages.index import Index
from sitegen.pages.items import EditionMark, Item
from sitegen.pages.metadata import citation_tags, fix_url, json_ld, wrong_tag_url
from sitegen.pages.picks import note_html
from sitegen.pages.rows import gist
from sitegen.records import Link, Tag
from sitegen.views import (
    Anchor,
    LinkView,
    MergedView,
    Page,
    PaperView,
    PlaceView,
    RelatedView,
    TopicMark,
)

DESCRIPTION = 160
"""Letters of a page's description."""
AUTHORS_SHOWN = 12

_LINK_LABELS = {
    "code": "Code", "data": "Data", "model": "Model", "demo": "Demo", "paper": "Paper",
    "other": "Link",
}  # fmt: skip
_HOSTS = {
    "github.com": "GitHub", "gitlab.com": "GitLab", "huggingface.co": "Hugging Face",
    "arxiv.org": "arXiv", "zenodo.org": "Zenodo", "bitbucket.org": "Bitbucket",
    "youtube.com": "YouTube", "colab.research.google.com": "Colab",
}  # fmt: skip


_NAME_GOES_ON = re.compile(r"[-–.][0-9A-Z]")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperBasis:
    """All that a paper's page is made from, so that equal values mean equal pages."""

    item: Item = field(compare=False)
    key: bytes
    """The paper's fingerprint, in the place of the paper."""
    base_url: str
    language: str
    """Of the site."""
    repository: str
    note: str
    """The curator's, in Markdown."""
    pick: bool
    picked_by: str
    picked_on: str
    topics: tuple[TopicMark, ...]
    editions: tuple[EditionMark, ...]
    """Those it stands in, oldest first."""
    first: str
    """Slug of the oldest edition that has it; empty if there is none."""
    related: tuple[tuple[str, str], ...]
    """Title and date of each paper that the item is related to."""
    doubts: tuple[Anchor, ...]
    previous: Anchor | None
    following: Anchor | None


def paper_pages(index: Index) -> Iterable[Page]:
    """Yield the page of each published paper; its view is made when it is asked for."""
    neighbours = _neighbours(index)
    doubts = _doubts(index)
    marks = {e.slug: EditionMark(slug=e.slug, title=e.title, date=e.date) for e in index.editions}
    said = {item.id: (item.naming.title, item.date) for item in index.items.values()}
    age = {slug: number for number, slug in enumerate(reversed(marks))}
    for item in index.items.values():
        beside = neighbours.get(item.id, (None, None))
        yield Page(
            path=urls.paper(item.id),
            template="paper.html",
            title=item.naming.title,
            basis=_basis(
                index, item, marks, age, said, doubts=doubts.get(item.id, ()), beside=beside
            ),
            draw=paper_view,
            describe=paper_gist,
            modified=item.paper.first_seen,
            card=paper_card(index, item),
            origin=str(item.paper.places[0].file) if item.paper.places else "",
            line=item.paper.places[0].line if item.paper.places else 0,
        )


def _basis(
    index: Index,
    item: Item,
    marks: Mapping[str, EditionMark],
    age: Mapping[str, int],
    said: Mapping[str, tuple[str, str]],
    *,
    doubts: tuple[Anchor, ...],
    beside: tuple[Anchor | None, Anchor | None],
) -> PaperBasis:
    config, override = index.inputs.config, index.inputs.content.overrides.get(item.id)
    own = {place.edition for place in item.paper.places if place.edition in marks}
    return PaperBasis(
        item=item,
        key=index.keys.whole[item.id],
        base_url=config.base_url,
        language=config.language,
        repository=config.repository,
        note=override.note if override else "",
        pick=bool(override and override.pick),
        picked_by=override.picked_by if override else "",
        picked_on=override.picked_on if override else "",
        topics=tuple(index.plain_marks[slug] for slug in item.topics),
        editions=tuple(marks[slug] for slug in sorted(own, key=age.__getitem__)),
        first=index.first_edition.get(item.id, ""),
        related=tuple([said[relation.id] for relation in item.relations]),
        doubts=doubts,
        previous=beside[0],
        following=beside[1],
    )


def paper_gist(basis: PaperBasis) -> str:
    """Return the description of a paper's page; pure."""
    return gist(basis.item, DESCRIPTION)


def paper_view(basis: PaperBasis) -> PaperView:
    """Return what the template shows; pure."""
    item = basis.item
    paper, naming = item.paper, item.naming
    meta = paper.metadata
    permalink = basis.base_url + urls.paper(paper.id)
    marks = tag_marks(paper.prose.text, item.tags)
    names = tuple(author.name for author in meta.authors)
    shown = AUTHORS_SHOWN if len(names) > AUTHORS_SHOWN + 3 else len(names)
    first = next((edition for edition in basis.editions if edition.slug == basis.first), None)
    return PaperView(
        id=paper.id,
        title=naming.title,
        title_source=naming.title_source,
        topics=basis.topics,
        place=_first_place(item, first),
        abstract_html=prose_html(paper.prose, marks),
        note_html=note_html(basis.note, urls.paper(paper.id)),
        pick=basis.pick,
        picked_by=basis.picked_by,
        picked_on=dates.in_words(basis.picked_on),
        language=meta.language if meta.language != basis.language else "",
        authors=names[:shown],
        more_authors=names[shown:],
        et_al=meta.et_al,
        published=dates.in_words(meta.date),
        venue=meta.venue,
        names=naming.names,
        reference=meta.reference,
        headline=meta.headline,
        tags=tuple(
            Anchor(label=tag.name, path=urls.tag(tag.slug) if tag.page else "") for tag in item.tags
        ),
        links=tuple(link_views(item)),
        bibtex=bibtex(cite(basis.base_url, item), keywords=False),
        places=tuple(_places(item, basis.editions)),
        merged=tuple(
            MergedView(label=_likeness(text.kind, text.score), text=text.text)
            for text in paper.merged
        ),
        doubts=basis.doubts,
        related=tuple(_related(basis)),
        previous=basis.previous,
        following=basis.following,
        fix_url=fix_url(basis.repository, item, permalink),
        wrong_tag_url=wrong_tag_url(basis.repository, item, permalink) if item.tags else "",
        permalink=permalink,
        json_ld=json_ld(item, permalink, basis.language, basis.base_url, first),
        citation=tuple(citation_tags(item, permalink)),
    )


def tag_marks(text: str, tags: Iterable[Tag]) -> list[Mark]:
    """Return where each tag's phrase first stands in a text, as whole words, with its number."""
    marks = []
    for number, tag in enumerate(tags):
        at = [start for form in tag.surfaces if (start := _find_words(text, form)) >= 0]
        if at:
            start = min(at)
            longest = max(len(form) for form in tag.surfaces if text.startswith(form, start))
            marks.append(Mark(start=start, end=start + longest, tag=str(number)))
    return marks


def _find_words(text: str, phrase: str) -> int:
    """Return the start of a phrase that neither begins nor ends inside a word; -1 if none.

    Inside a longer name (``HumanEval`` in ``HumanEval-XL``) only where it stands nowhere else.
    """
    inside = -1
    start = text.find(phrase) if phrase else -1
    while start >= 0:
        end = start + len(phrase)
        if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
            if not _NAME_GOES_ON.match(text, end):
                return start
            inside = start if inside < 0 else inside
        start = text.find(phrase, start + 1)
    return inside


def _first_place(item: Item, edition: EditionMark | None) -> Anchor | None:
    """Where the paper stands in the oldest edition that has it."""
    if edition is None:
        return None
    position = next(p.position for p in sorted(item.paper.places) if p.edition == edition.slug)
    return Anchor(
        label=edition.title, path=urls.edition(edition.slug), count=position,
        detail=dates.in_words(edition.date),
    )  # fmt: skip


def _neighbours(index: Index) -> dict[str, tuple[Anchor | None, Anchor | None]]:
    """Papers before and after each one in the edition where it was new."""
    result: dict[str, tuple[Anchor | None, Anchor | None]] = {}
    for edition in index.editions:
        run = [
            identifier
            for _, identifier in index.by_edition.get(edition.slug, ())
            if index.first_edition[identifier] == edition.slug
        ]
        links = [
            Anchor(label=index.items[identifier].naming.title, path=urls.paper(identifier))
            for identifier in run
        ]
        for position, identifier in enumerate(run):
            result[identifier] = (
                links[position - 1] if position else None,
                links[position + 1] if position + 1 < len(links) else None,
            )
    return result


def _doubts(index: Index) -> dict[str, tuple[Anchor, ...]]:
    """Papers that the curator has yet to tell apart from this one."""
    at: dict[tuple[str, int], str] = {
        (place.file, place.position): item.id
        for item in index.items.values()
        for place in item.paper.places
    }
    found: dict[str, list[Anchor]] = {}
    for doubt in index.inputs.doubts:
        left = at.get((doubt.left.file, doubt.left.position))
        right = at.get((doubt.right.file, doubt.right.position))
        if not left or not right or left == right:
            continue
        for one, other in ((left, right), (right, left)):
            title = index.items[other].naming.title
            found.setdefault(one, []).append(Anchor(label=title, path=urls.paper(other)))
    return {identifier: tuple(links) for identifier, links in found.items()}


def _places(item: Item, editions: Sequence[EditionMark]) -> Iterable[PlaceView]:
    notes = {(text.place.file, text.place.position): text for text in item.paper.merged}
    age = {edition.slug: number for number, edition in enumerate(editions)}
    by_slug = {edition.slug: edition for edition in editions}
    ordered = sorted(item.paper.places, key=lambda place: (age.get(place.edition, -1), place))
    whole = [p for p in ordered if (p.file, p.position) not in notes]
    main = next((p for p in whole if p not in item.paper.bare), next(iter(whole), None))
    for place in ordered:
        edition = by_slug.get(place.edition)
        merged = notes.get((place.file, place.position))
        if merged:
            note = _likeness(merged.kind, merged.score)
        elif place in item.paper.bare:
            note = "without an abstract"
        else:
            note = "" if place == main else "same text"
        version = merged.version if merged else place == main and item.paper.metadata.version
        if version:
            note = ", ".join(filter(None, (f"version {version}", note)))
        yield PlaceView(
            edition=Anchor(
                label=edition.title if edition else place.edition or place.file,
                path=urls.edition(edition.slug) if edition else "",
            ),
            position=place.position,
            file=place.file,
            line=place.line,
            note=note,
        )


def _likeness(kind: str, score: float) -> str:
    if kind == "exact":
        return "same text"
    if kind == "near":
        return f"nearly the same text, {round(100 * score)} % shared"
    reasons = {
        "decision": "joined by the curator", "arxiv": "same arXiv identifier", "doi": "same DOI",
        "title": "same title",
    }  # fmt: skip
    return reasons.get(kind, kind)


def _related(basis: PaperBasis) -> Iterable[RelatedView]:
    own = basis.item.date
    # said as the tags beside it are: RAG is retrieval-augmented generation
    names = {form.casefold(): tag.name for tag in basis.item.tags for form in tag.surfaces}
    for relation, (title, date) in zip(basis.item.relations, basis.related, strict=True):
        yield RelatedView(
            path=urls.paper(relation.id),
            title=title,
            why=_telling(tuple(dict.fromkeys(names.get(p.casefold(), p) for p in relation.why))),
            when=dates.in_words(date) if date != own else "",
        )


def _telling(phrases: Sequence[str]) -> tuple[str, ...]:
    """Leave out phrases that another one holds: ``norm`` beside ``norm tweaking``."""
    return tuple(
        phrase
        for phrase in phrases
        if not any(phrase.casefold() in other.casefold() for other in phrases if other != phrase)
    )


def link_views(item: Item) -> Iterable[LinkView]:
    """Yield a paper's links, its identifiers first, each address once."""
    meta = item.paper.metadata
    known: list[Link] = []
    if meta.arxiv:
        known.append(Link(kind="paper", url=f"https://arxiv.org/abs/{quote(meta.arxiv, safe='/')}"))
    if meta.doi:
        known.append(Link(kind="paper", url=f"https://doi.org/{quote(meta.doi, safe='/')}"))
    if meta.url:
        known.append(Link(kind="paper", url=meta.url))
    seen = set()
    for link in (*known, *item.paper.links):
        if link.url in seen or urlsplit(link.url).scheme not in {"http", "https"}:
            continue
        seen.add(link.url)
        host = (urlsplit(link.url).hostname or "").removeprefix("www.")
        label = "Page" if link.kind == "other" else _LINK_LABELS[link.kind]
        yield LinkView(
            label=f"{label} on {_HOSTS.get(host, host)}", url=link.url, code=link.kind == "code"
        )
