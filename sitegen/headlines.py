"""What each paper is called: the names it introduces, a headline, and the sentence that says most."""

from __future__ import annotations

from collections.abc import Sequence

from sitegen.names import find_names
from sitegen.records import Naming, Paper
from sitegen.sentences import split_sentences


def write_headlines(papers: Sequence[Paper]) -> tuple[Naming, ...]:
    """Return the naming of each paper, in the order given."""
    return tuple(_name(paper) for paper in papers)


def _name(paper: Paper) -> Naming:
    sentences = split_sentences(paper.prose.text)
    gist = next((s for s in sentences if " we " in f" {s.lower()}"), sentences[0] if sentences else "")
    names = find_names(paper.prose.text)
    if paper.title is not None and paper.title.text.strip():
        return Naming(title=paper.title.text, title_source="source", names=names, gist=gist)
    words = gist.split()[:14] or ["Untitled", "abstract"]
    return Naming(title=" ".join(words), title_source="derived", names=names, gist=gist)
