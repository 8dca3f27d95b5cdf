"""Papers with true titles, read for training and measuring: repaired text, and leading names."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import dataclass
from pathlib import Path

from sitegen.naming.candidates import key_of
from sitegen.naming.stems import stems_of
from sitegen.repair import repair, repair_title

_PREFIX = re.compile(r"\s*(.{2,60}?)\s*(?::|\s[-–—]{1,2}\s)\s*\S")
_WITH_SHORT = re.compile(r"(.+?)\s*\((.+?)\)\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Titled:
    """One paper: its abstract and title, both repaired plain text."""

    abstract: str
    title: str
    arxiv: str = ""
    """Its arXiv id, where the file has one."""


def read_titled(path: Path, limit: int = 0) -> list[Titled]:
    """Return the papers of a JSON-lines file (``title``, ``abstract``), gzipped or not."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        papers = []
        for line in lines:
            record = json.loads(line)
            title = repair_title(" ".join(record["title"].split())).text
            abstract = repair(record["abstract"]).text
            papers.append(Titled(abstract=abstract, title=title, arxiv=record.get("id", "")))
            if len(papers) == limit:
                break
    return papers


def leading_names(title: str) -> tuple[str, ...]:
    """Return the keys of the name before a title's colon, and of its short form; else none."""
    match = _PREFIX.match(title)
    if not match:
        return ()
    prefix = match[1].strip(" \"“”'")
    both = _WITH_SHORT.match(prefix)
    forms = [both[1], both[2]] if both else [prefix]
    if len(forms[0].split()) > 6:
        return ()
    return tuple(key for key in map(key_of, forms) if key)


def rouge(one: str, two: str) -> float:
    """Return the F measure of the longest common subsequence of stems."""
    a, b = stems_of(one.lower()), stems_of(two.lower())
    row = [0] * (len(b) + 1)
    for word in a:
        diagonal = 0
        for j, other in enumerate(b, 1):
            above = row[j]
            row[j] = diagonal + 1 if word == other else max(above, row[j - 1])
            diagonal = above
    return 2 * row[-1] / max(len(a) + len(b), 1)
