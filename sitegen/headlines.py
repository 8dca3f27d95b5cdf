"""What each paper is called: the names it introduces, a headline, and the sentence that says most.

A headline is cut from the clauses that state the contribution: drafts are made by rules that keep
phrases whole (``naming.clauses``, ``naming.compression``), and two small models pick one: the
first trained on true titles (``naming.titles``), the second on an editor's verdicts
(``naming.editor``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sitegen.basis import basis
from sitegen.names import (
    READ,
    Background,
    Found,
    Recognised,
    find_mentions,
    recognise,
    recognise_all,
    tally,
)
from sitegen.naming.casing import capitalize
from sitegen.naming.clauses import find_cores
from sitegen.naming.compression import MAX_WORDS
from sitegen.naming.drafts import Draft, write_drafts
from sitegen.naming.editor import Described, load_editor, order_drafts
from sitegen.naming.faults import count_faults, subjects_of
from sitegen.naming.lexicon import load_lexicon
from sitegen.naming.reading import Reading, short_forms
from sitegen.naming.salience import Subject, weigh_words
from sitegen.naming.shelf import Drafted, Shelf, Task
from sitegen.naming.stems import stems_of
from sitegen.naming.tagged import tag_text
from sitegen.naming.tagger import load_tagger
from sitegen.naming.telling import choose_sentences, sentence_like, weigh_sentences
from sitegen.naming.titles import Weights, describe_drafts, judge, load_weights, weight_of
from sitegen.naming.tokens import Tokens, tokenize
from sitegen.naming.wording import marks_of
from sitegen.naming.wordlists import word_list
from sitegen.records import Naming, Paper
from sitegen.sentences import split_sentences
from sitegen.workers import ALONE, Workers

KEPT = 20
"""Drafts kept of one abstract, in case others take its best ones."""
_AT_ONCE = 16
"""Texts whose candidates are judged together."""
UNTITLED = "Untitled abstract"
"""Shown where an abstract has no word at all."""
# A sentence that speaks of its authors, with what it says before it comes to the point.
_OWN_START = re.compile(
    r"\A(?:in (?:this|our) \w+,? )?(?:we|our|this|these)\b(?: \w+ that)? ?", re.IGNORECASE
)
# The label of a structured abstract ("Introduction:"), and citations.
_NO_PART = re.compile(r"\A\w+: (?=\S+ \S+ \S)|\s\[[^\[\]]{1,60}\]")
_FALLBACK_LENGTH = 100
_FALLBACK_READ = 2000
_NO_END = word_list("candidates.stop")
"""Words that a headline does not end with."""


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


def write_headlines(
    papers: Sequence[Paper], *, cache_dir: Path | None = None, workers: Workers = ALONE
) -> tuple[Naming, ...]:
    """Return the naming of each paper, in the order given; titles are unique and never empty.

    A source's own title is kept. A derived one has at most 14 words; where two papers would get
    the same, the one whose id sorts later gets its next best draft.

    Args:
        papers: all papers of the digest.
        cache_dir: where drafts are kept from one run to the next; None for nowhere.
        workers: who drafts, where there are many papers; the result does not depend on it.
    """
    texts = [paper.prose.text for paper in papers]
    given = {
        paper.id: " ".join(paper.title.text.split()) if paper.title is not None else ""
        for paper in papers
    }
    shelf = Shelf(cache_dir, workers)
    mentions = shelf.mentions(texts, find_mentions)
    counted = frozenset(basis(papers).tolist())
    background = tally(mentions[at] for at in sorted(counted))
    tasks = [
        Task(
            text=texts[at],
            title=given[paper.id],
            counts=background.about(mentions[at], counted=at in counted).counts,
        )
        for at, paper in enumerate(papers)
    ]
    found = shelf.drafts(tasks, _draft_all)
    drafted = {paper.id: each for paper, each in zip(papers, found, strict=True)}
    taken = {title for title in given.values() if title}
    titles: dict[str, str] = {}
    for paper in sorted(papers, key=lambda paper: paper.id):
        title = given[paper.id] or _unique(drafted[paper.id].titles, taken, paper.id)
        titles[paper.id] = title
        taken.add(title)
    return tuple(
        Naming(
            title=titles[paper.id],
            title_source="source" if given[paper.id] else "derived",
            names=drafted[paper.id].names,
            gist=drafted[paper.id].gist,
        )
        for paper in papers
    )


def headline_reason(text: str, *, background: Background | None = None) -> HeadlineReason:
    """Return the best headline of a text with the sentence it was cut from and its rivals."""
    reading, _ = read_paper(text, background)
    ranked = edited(reading)
    if not ranked:
        return HeadlineReason(title=_fallback(text), sentence="", kind="none", score=0.0, rivals=())
    best, score = ranked[0]
    return HeadlineReason(
        title=best.text,
        sentence=_sentence(reading, best),
        kind=best.kind,
        score=round(score, 3),
        rivals=tuple((draft.text, round(value, 3)) for draft, value in ranked[1:5]),
    )


def explain_headline(paper: Paper, naming: Naming) -> tuple[str, ...]:
    """Return in plain lines where a paper's headline came from."""
    if naming.title_source != "derived":
        return (f"taken from the {naming.title_source}",)
    reason = headline_reason(paper.prose.text)
    lines = [f"cut from: {reason.sentence}" if reason.sentence else "no clause was fit"]
    lines.append(f"kind {reason.kind}, expected agreement {reason.score:.2f}")
    if reason.title != naming.title:
        lines.append(f"alone it would be: {reason.title}")
    lines.extend(f"next: {title} ({score:.2f})" for title, score in reason.rivals)
    return tuple(lines)


def _draft_all(tasks: Sequence[Task]) -> list[Drafted]:
    """Find the names and the gist of each paper, and drafts of a headline where it needs one."""
    drafted: list[Drafted] = []
    for start in range(0, len(tasks), _AT_ONCE):
        some = tasks[start : start + _AT_ONCE]
        texts = [tokenize(task.text[:READ]) for task in some]
        names = recognise_all(texts, [Background(counts=task.counts) for task in some])
        drafted += map(_draft, some, texts, names)
    return drafted


def _draft(task: Task, tokens: Tokens, recognised: Recognised) -> Drafted:
    names = tuple(found.name for found in recognised.found)
    if task.title:
        gist = _whole_sentence(tokens, sentence_like(tokens, task.title))
        return Drafted(titles=(), names=names, gist=gist)
    reading = read_tokens(tokens, recognised, load_weights())
    ranked = edited(reading)[:KEPT]
    return Drafted(
        titles=(*(capitalize(draft.text) for draft, _ in ranked), _fallback(task.text)),
        names=names,
        gist=_gist(reading, ranked),
    )


def edited(reading: Reading) -> list[tuple[Draft, float]]:
    """Return the drafts, best first, with their expected agreement with the title."""
    drafts = sorted(write_drafts(reading, load_lexicon()), key=lambda draft: draft.text)
    described = describe(reading, drafts)
    return [(drafts[at], described.scores[at]) for at in order_drafts(described, load_editor())]


def describe(reading: Reading, drafts: Sequence[Draft]) -> Described:
    """Return what is known of each draft of a paper."""
    lexicon, learnt = load_lexicon(), load_weights()
    weights = [weight_of(draft.body, lexicon) for draft in drafts]
    rows = describe_drafts(reading, drafts, learnt)
    scores = judge(rows, drafts, weights, learnt)
    subjects = subjects_of(reading)
    each = zip(drafts, scores, weights, strict=True)
    faults = [count_faults(reading, *one, subjects) for one in each]
    return Described(
        marks=lambda at: marks_of(reading, drafts[at]),
        rows=rows,
        faults=faults,
        scores=scores,
        weights=weights,
        subjects=[len(subjects & {*stems_of(draft.body.lower())}) for draft in drafts],
    )


def read_paper(
    text: str, background: Background | None = None
) -> tuple[Reading, tuple[Found, ...]]:
    """Cut a text into tokens, find its names, tag its telling sentences and find their cores."""
    tokens = tokenize(text[:READ])
    recognised = recognise(tokens, background)
    return read_tokens(tokens, recognised, load_weights()), recognised.found


def read_tokens(tokens: Tokens, recognised: Recognised, weights: Weights) -> Reading:
    """Weigh the words and sentences of a text, parse the telling ones and find their cores."""
    subject = subject_of(tokens, recognised)
    salience = weigh_words(subject, load_lexicon(), weights.rates, weights.salience)
    telling = weigh_sentences(subject, salience, weights.telling)
    tagged = tag_text(tokens, choose_sentences(subject, telling), load_tagger())
    kept = {i for item in recognised.found for start, end in item.places for i in range(start, end)}
    return Reading(
        tagged=tagged,
        cores=find_cores(tagged, subject.places),
        name=subject.name,
        places=subject.places,
        expansions=subject.expansions,
        kept_case=frozenset(kept),
        hints=recognised.hints,
        short_forms=short_forms(tokens, subject.name, load_lexicon()),
        salience=salience,
        telling=telling,
    )


def subject_of(tokens: Tokens, recognised: Recognised) -> Subject:
    """Return what a text is read about."""
    main = recognised.found[0] if recognised.found else None
    return Subject(
        tokens=tokens,
        name=main.name.text if main else "",
        places=sorted({*main.places, *main.expansions}) if main else (),
        expansions=main.expansions if main else (),
    )


def _unique(titles: Sequence[str], taken: set[str], paper_id: str) -> str:
    free = next((title for title in titles if title not in taken), "")
    return free or f"{titles[-1]} ({paper_id})"


def _gist(reading: Reading, ranked: Sequence[tuple[Draft, float]]) -> str:
    """Return the whole sentence that the best headline was cut from, else the first one."""
    if ranked:
        return _sentence(reading, ranked[0][0])
    return _whole_sentence(reading.tagged.tokens, 0)


def _sentence(reading: Reading, draft: Draft) -> str:
    return _whole_sentence(reading.tagged.tokens, draft.parts[0].core.sentence)


def _whole_sentence(tokens: Tokens, number: int) -> str:
    """Return a sentence on one line; empty where the text has none."""
    return " ".join(tokens.slice(*tokens.sentences[number]).split()) if tokens.sentences else ""


def _fallback(text: str) -> str:
    """Return the beginning of a sentence, cut between words, where no clause was fit."""
    sentences = split_sentences(text[:_FALLBACK_READ])
    if not sentences:
        return UNTITLED
    # Better a sentence that does not speak of its authors.
    plain = (sentence for sentence in sentences[:4] if not _OWN_START.match(sentence))
    sentence = _NO_PART.sub("", next(plain, _OWN_START.sub("", sentences[0])))
    words = sentence.split()[:MAX_WORDS] or [UNTITLED]
    while len(words) > 1 and len(" ".join(words)) > _FALLBACK_LENGTH:
        words.pop()
    while len(words) > 3 and words[-1].lower() in _NO_END:
        words.pop()
    # Scripts without spaces are cut between characters.
    title = " ".join(words)[:_FALLBACK_LENGTH].rstrip(" ,;:.–—-")
    return capitalize(title) or UNTITLED
