"""What tags, topics and related papers are found from: title, abstract and own keywords; pure."""

from __future__ import annotations

from sitegen.records import Paper

_CLOSING = (".", "!", "?", ":", "。", "！", "？")


def subject_of(paper: Paper) -> str:
    """Return one text of a paper's title, its abstract and the keywords its source gives.

    A paper of an abstract alone is that abstract, letter by letter; keywords come last, parted by
    semicolons, so that none makes a phrase with another.
    """
    title = paper.title.text if paper.title else ""
    if title and not title.endswith(_CLOSING):
        title += "."
    known = title.casefold()
    keywords = [word for word in paper.metadata.keywords if word.casefold() not in known]
    listed = f"{'; '.join(keywords)}." if keywords else ""
    return " ".join(filter(None, (title, paper.prose.text, listed)))
