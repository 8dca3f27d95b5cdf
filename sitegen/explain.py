"""Why a paper is shown as it is, in plain lines for ``sitegen explain``."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from sitegen.basis import basis
from sitegen.diagnostics import Location, SitegenError, error
from sitegen.digest import Digest
from sitegen.headlines import explain_headline
from sitegen.names import explain_names, find_mentions, survey
from sitegen.subjects import subject_of
from sitegen.topics import explain_topics

TOPICS_SHOWN = 5


def explain_paper(digest: Digest, identifier: str) -> Iterator[str]:
    """Yield the reasons for a paper's headline, names, tags, topics and neighbours.

    Args:
        digest: after all stages.
        identifier: a paper's id, or the beginning of one.

    Raises:
        SitegenError: no paper, or more than one, has such an id.
    """
    papers, described = digest.gathered.papers, digest.described
    hits = [at for at, paper in enumerate(papers) if paper.id.startswith(identifier.lower())]
    if len(hits) != 1:
        text = f"{len(hits)} papers have an id that begins with {identifier!r}"
        ids = [paper.id for paper in papers]
        close = difflib.get_close_matches(identifier, ids, n=1, cutoff=0.7)
        meant = f"did you mean {close[0]}? " if close else ""
        hint = f"{meant}take the id from a paper's address"
        raise SitegenError(error("explain-id", text, Location("explain"), hint))
    at = hits[0]
    paper, naming = papers[at], described.namings[at]
    yield f"paper {paper.id}"
    for place in paper.places:
        yield f"  read from {place.file}:{place.line}, no. {place.position} of {place.edition}"
    for merged in paper.merged:
        where = f"{merged.place.file}:{merged.place.line}"
        yield f"  merged with {where} ({merged.kind} {merged.score:.2f})"
    yield f"headline ({naming.title_source}): {naming.title}"
    yield from (f"  {line}" for line in explain_headline(paper, naming))
    yield "names"
    early = basis(papers).tolist()
    background = survey(papers[each].prose.text for each in early)
    background = background.about(find_mentions(paper.prose.text), counted=at in early)
    for reason in explain_names(paper.prose.text, background=background):
        mark = "+" if reason.taken else "-"
        why = "; ".join(f"{name} {weight:+.2f}" for name, weight in reason.reasons)
        yield f"  {mark} {reason.text} {reason.probability:.2f}: {why}"
    yield "tags"
    for tag in described.taggings[at].tags:
        where = ", ".join(tag.surfaces) or "not in the text"
        yield f"  {tag.name} {tag.score:.2f}{'' if tag.page else ' (no page)'}: {where}"
    yield "topics"
    chosen = {score.slug for score in described.choices[at].topics}
    evidence = explain_topics(
        subject_of(paper),
        described.vectors[at],
        described.topic_index,
        papers=described.vectors[basis(papers)],
    )
    for item in evidence[:TOPICS_SHOWN]:
        mark = "+" if item.slug in chosen else "-"
        found = ", ".join(phrase for phrase, _ in item.found) or "none"
        yield (
            f"  {mark} {item.slug} {item.score:.2f}: description {item.description_z:+.2f},"
            f" nearest phrase {item.nearest_phrase} {item.phrase_z:+.2f}, found: {found}"
        )
    yield "related"
    titles = {each.id: named.title for each, named in zip(papers, described.namings, strict=True)}
    for relation in described.relations[at]:
        title, shared = titles[relation.id], ", ".join(relation.why)
        yield f"  {relation.id} {relation.score:.2f} {title}: {shared}"
