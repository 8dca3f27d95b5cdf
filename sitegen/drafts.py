"""New files for the curator's folder, with what is known filled in."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sitegen.diagnostics import Location, Problem, SitegenError, error, note
from sitegen.digest import Digest, Gathered
from sitegen.frontmatter import FENCE
from sitegen.headers import Value, header_line
from sitegen.markup import slugify
from sitegen.pages.urls import RESERVED
from sitegen.phrases import phrase_key
from sitegen.records import Naming, Paper, TopicChoice

EXAMPLES = 5
"""Papers named in a topic's draft."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A file to write."""

    path: str
    """From the root."""
    text: str
    problems: tuple[Problem, ...] = ()
    """What the curator should know of it."""


def draft_paper(digest: Digest, name: str) -> Draft:
    """Return a correction of a paper, every key a comment with its present value.

    Args:
        digest: after all stages.
        name: a paper's id or the beginning of one, or its address.

    Raises:
        SitegenError: no paper, or more than one, is meant.
    """
    paper = find_paper(digest.gathered.papers, name)
    at = digest.gathered.papers.index(paper)
    naming, choice = digest.described.namings[at], digest.described.choices[at]
    tags = [tag.name for tag in digest.described.taggings[at].tags]
    lines = [
        "# What sitegen knows. Take away the # of a line to change what it says.",
        *(f"# {header_line(key, value)}" for key, value in _known(paper, naming, choice, tags)),
        "# Below the next line: your note.",
    ]
    return Draft(path=f"content/papers/{paper.id}.md", text=document(lines))


def _known(
    paper: Paper, naming: Naming, choice: TopicChoice, tags: Sequence[str]
) -> Iterator[tuple[str, Value]]:
    meta = paper.metadata
    yield "title", naming.title
    yield "authors", [author.name for author in meta.authors]
    yield "date", meta.date
    yield "arxiv", meta.arxiv
    yield "doi", meta.doi
    yield "url", meta.url
    yield "tags", tags
    yield "not_tags", []
    yield "topics", [score.slug for score in choice.topics]
    yield "pick", True
    yield "picked_by", "who picked it"
    yield "picked_on", paper.first_seen
    yield "withdrawn", "why the paper is withdrawn"
    yield "same_as", "id of the paper it is the same as"


def draft_topic(digest: Digest, name: str) -> Draft:
    """Return a new topic; a tag of its name gives title, phrases and examples.

    Raises:
        SitegenError: the name is no slug, or taken by another topic.
    """
    slug = _slug(name, "topics")
    content, described = digest.gathered.content, digest.described
    owner = next(
        (topic.slug for topic in content.topics for alias in topic.aliases
         if slugify(alias) == slug), "",
    )  # fmt: skip
    if owner:
        raise SitegenError(_taken(f"content/topics/{slug}.md", f"an alias of topic {owner}"))
    phrases: dict[str, None] = {}
    title = ""
    examples = []
    for paper, naming, tagging in zip(
        digest.gathered.papers, described.namings, described.taggings, strict=True
    ):
        for tag in tagging.tags:
            if tag.slug == slug:
                title = title or tag.name
                phrases.update(dict.fromkeys((tag.name, *tag.surfaces)))
                examples.append(f"# for example {paper.id}: {naming.title}")
    orders = [topic.order for topic in content.topics]
    parents = ", ".join(topic.slug for topic in content.topics) or "none yet"
    lines = [
        header_line("title", _headline(title or slug.replace("-", " "))),
        header_line("aliases", []),
        "# Phrases that stand in abstracts of this topic.",
        header_line("phrases", distinct(phrases) or [slug.replace("-", " ")]),
        f"# parent: one of {parents}",
        header_line("order", max(orders, default=0) + 10),
        "# narrow: true asks for a phrase; closeness in meaning alone then does not do",
        *examples[:EXAMPLES],
    ]
    return Draft(path=f"content/topics/{slug}.md", text=document(lines))


def distinct(phrases: Iterable[str]) -> list[str]:
    """Return the first spelling of each phrase: case, hyphens and plurals make no other one."""
    kept: dict[str, str] = {}
    for phrase in phrases:
        kept.setdefault(phrase_key(phrase), phrase)
    return list(kept.values())


def draft_edition(gathered: Gathered, name: str) -> Draft:
    """Return title and date of an edition that the sources make.

    Raises:
        SitegenError: the name is no slug.
    """
    slug = _slug(name, "editions")
    path = f"content/editions/{slug}.md"
    known = next((edition for edition in gathered.editions if edition.slug == slug), None)
    if known is None or not known.files:
        slugs = [edition.slug for edition in gathered.editions if edition.files]
        hint = f"{_meant(slug, slugs)}editions: {', '.join(slugs) or 'none'}"
        problems = [note("new-unused", "no source makes this edition yet", Location(path), hint)]
    else:
        problems = []
    lines = [
        header_line("title", known.title if known else _headline(slug.replace("-", " "))),
        header_line("date", known.date) if known and known.date else "# date: 2031-05-01",
        "# aliases: [former-slug]",
        *(f"# made from {file}" for file in (known.files if known else ())),
    ]
    return Draft(path=path, text=document(lines), problems=tuple(problems))


def draft_page(gathered: Gathered, name: str) -> Draft:
    """Return a page of the curator's own.

    Raises:
        SitegenError: the name is no slug, or the tool's own.
    """
    slug = _slug(name, "pages")
    path = f"content/pages/{slug}.md"
    if slug in RESERVED:
        raise SitegenError(_taken(path, "the name of one of sitegen's own pages"))
    lines = [
        header_line("title", _headline(slug.replace("-", " "))),
        header_line("order", max((page.order for page in gathered.content.pages), default=0) + 10),
    ]
    return Draft(path=path, text=document(lines))


def find_paper(papers: Sequence[Paper], name: str) -> Paper:
    """Return the paper that an id, the beginning of one, or an address means.

    Raises:
        SitegenError: it means none, or several.
    """
    wanted = name.strip().rstrip("/").rpartition("/")[2].lower()
    found = [paper for paper in papers if wanted and paper.id.startswith(wanted)]
    exact = [paper for paper in found if paper.id == wanted]
    if len(exact or found) == 1:
        return (exact or found)[0]
    text = f"{len(found)} papers have an id that begins with {name!r}" if found else (
        f"there is no paper {name!r}"
    )  # fmt: skip
    hint = f"{_meant(wanted, [paper.id for paper in papers])}take the id from a paper's address"
    raise SitegenError(error("new-paper", text, Location("content/papers"), hint))


def _slug(name: str, folder: str) -> str:
    slug = slugify(name)
    if slug != name:
        text = f"{name!r} is no slug"
        raise SitegenError(
            error("new-name", text, Location(f"content/{folder}"), f"call it {slug}")
        )
    return slug


def _taken(path: str, what: str) -> Problem:
    return error("new-taken", f"this is {what}", Location(path), "choose another slug")


def _meant(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {close[0]}? " if close else ""


def _headline(name: str) -> str:
    """Give a name its first capital, unless its capitals are its own (mRNA)."""
    return name if name[1:2].isupper() else name[:1].upper() + name[1:]


def document(lines: Iterable[str]) -> str:
    """Return a Markdown file with these lines as its header and no body."""
    return "\n".join([FENCE, *lines, FENCE, ""])
