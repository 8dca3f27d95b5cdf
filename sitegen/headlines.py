"""What each paper is called: the names it introduces, a headline, and the sentence that says most.

A headline is cut from the clauses that state the contribution: drafts are made by rules that keep
phrases whole (``naming.clauses``, ``naming.compression``), and a small model trained on true titles
picks one (``naming.titles``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sitegen.names import READ, Background, Found, recognise, survey
from sitegen.naming.clauses import choose_sentences, find_cores, tag_text
from sitegen.naming.lexicon import load_lexicon
from sitegen.naming.tagger import load_tagger
from sitegen.naming.titles import (
    Draft,
    Reading,
    capitalize,
    fill_salience,
    judge,
    load_weights,
    write_drafts,
)
from sitegen.naming.tokens import tokenize
from sitegen.records import Naming, Paper

UNTITLED = "Untitled abstract"
"""Shown where an abstract has no word at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineReason:
    """Where a headline came from."""

    title: str
    sentence: str
    """The sentence it was cut from; empty where none was fit."""
    kind: str
    """What stretch of the sentence: object, beside, finding, purpose, ..."""
    score: float
    """Expected agreement with the title an author would give, from 0 to 1."""
    rivals: tuple[tuple[str, float], ...]
    """The next best drafts with their scores."""


def write_headlines(papers: Sequence[Paper]) -> tuple[Naming, ...]:
    """Return the naming of each paper, in the order given; titles are unique and never empty.

    A source's own title is kept. A derived one has at most 14 words; where two papers would get
    the same, the one whose id sorts later gets its next best draft.
    """
    background = survey(paper.prose.text for paper in papers)
    drafted = {paper.id: _draft(paper, background) for paper in papers}
    taken = {item.source_title for item in drafted.values() if item.source_title}
    titles: dict[str, str] = {}
    for paper in sorted(papers, key=lambda paper: paper.id):
        item = drafted[paper.id]
        title = item.source_title or _unique(item.titles, taken, paper.id)
        titles[paper.id] = title
        taken.add(title)
    return tuple(
        Naming(
            title=titles[paper.id],
            title_source="source" if drafted[paper.id].source_title else "derived",
            names=tuple(found.name for found in drafted[paper.id].found),
            gist=drafted[paper.id].gist,
        )
        for paper in papers
    )


def explain_headline(text: str) -> HeadlineReason:
    """Return the best headline of a text with the sentence it was cut from and its rivals."""
    reading, _ = _read(text, None)
    ranked = _rank(reading)
    if not ranked:
        return HeadlineReason(title=_fallback(text), sentence="", kind="none", score=0.0, rivals=())
    best, score = ranked[0]
    first, last = reading.tagged.tokens.sentences[best.parts[-1].core.sentence]
    return HeadlineReason(
        title=best.text,
        sentence=reading.tagged.tokens.slice(first, last),
        kind=best.kind,
        score=round(score, 3),
        rivals=tuple((draft.text, round(value, 3)) for draft, value in ranked[1:5]),
    )


@dataclass(frozen=True, slots=True)
class _Drafted:
    source_title: str
    titles: tuple[str, ...]
    found: tuple[Found, ...]
    gist: str


def _draft(paper: Paper, background: Background) -> _Drafted:
    text = paper.prose.text
    reading, found = _read(text, background)
    source = " ".join(paper.title.text.split()) if paper.title is not None else ""
    ranked = _rank(reading)
    return _Drafted(
        source_title=source,
        titles=(*(draft.text for draft, _ in ranked[:20]), _fallback(text)),
        found=found,
        gist=_gist(reading, ranked),
    )


def _read(text: str, background: Background | None) -> tuple[Reading, tuple[Found, ...]]:
    """Cut a text into tokens, find its names, tag its telling sentences and find their cores."""
    tokens = tokenize(text[:READ])
    found = recognise(tokens, background)
    main = found[0] if found else None
    places = tuple(sorted({*main.places, *main.expansions})) if main else ()
    tagged = tag_text(tokens, choose_sentences(tokens, places), load_tagger())
    kept = {i for item in found for start, end in item.places for i in range(start, end)}
    reading = Reading(
        tagged=tagged,
        cores=find_cores(tagged, places),
        name=main.name.text if main else "",
        places=places,
        expansions=main.expansions if main else (),
        kept_case=frozenset(kept),
    )
    return reading, found


def _rank(reading: Reading) -> list[tuple[Draft, float]]:
    """Return the drafts with their scores, best first."""
    lexicon, weights = load_lexicon(), load_weights()
    drafts = write_drafts(reading, lexicon)
    if not drafts:
        return []
    fill_salience(reading, lexicon, weights)
    scored = zip(drafts, judge(reading, drafts, weights), strict=True)
    return sorted(scored, key=lambda pair: (-round(pair[1], 6), pair[0].text))


def _unique(titles: Sequence[str], taken: set[str], paper_id: str) -> str:
    free = next((title for title in titles if title not in taken), "")
    return free or f"{titles[-1]} ({paper_id})"


def _gist(reading: Reading, ranked: Sequence[tuple[Draft, float]]) -> str:
    """Return the whole sentence that the best headline was cut from, else the first one."""
    tokens = reading.tagged.tokens
    if not tokens.sentences:
        return ""
    number = ranked[0][0].parts[-1].core.sentence if ranked else 0
    return " ".join(tokens.slice(*tokens.sentences[number]).split())


def _fallback(text: str) -> str:
    """Return the first words of a text that no clause could be cut from."""
    words = text[:2000].split()[:14]
    if not words:
        return UNTITLED
    title = " ".join(words)
    if len(title) > 120 or (len(words) < 4 and len(title) > 40):
        title = title[:40]
    return capitalize(title.rstrip(" ,;:.–—-")) or UNTITLED
