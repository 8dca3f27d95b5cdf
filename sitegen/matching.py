"""Which record of a large reference has the text of one of ours: a coarse sieve, then the words.

The sieve sees every record and must cost next to nothing: it counts runs of three words that few
of our texts hold. What it lets through is mended as our texts are and compared word by word.

Measured on 12,000 arXiv abstracts: different works share at most 0.44 of the shorter one's runs of
three words and, in order, 0.56 of its words (both follow-ups by the same authors); texts that lost
their markup keep 0.78 and 0.91 and more.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sitegen.overlap import aligned
from sitegen.shingles import SIZE, words

Mend = Callable[[str], str]
"""Repairs a text."""

TINY = 9
"""Fewest words of a text that is looked for: shorter ones are notices."""
SHORT = 40
"""Below so many words one text must be the whole of the other, but for a fifth: authors open
several abstracts with the same two sentences."""
WHOLE = 0.80
CLOSE = 0.60
"""Shared runs that make two texts one, if their words also stand in the same `COURSE`."""
COURSE = 0.60
LOOSE = 0.35
"""Shared runs of a text with many edited words: then its words must agree with `STEADY`."""
STEADY = 0.75
PART = 0.50
"""Of two texts, the length of the shorter one as a share of the longer one's below which it is a
passage, and has to stand there as it is."""
DOUBTFUL = 0.30
"""Shared runs from which on a record that is not the same is worth telling the curator."""

_ANCHORS = 48
"""Runs of three words that a text is sought by."""
_FEWEST_ANCHORS = 12
_MOST_ANCHORS = 300_000
"""Of all texts together: about 100 MB a process."""
_FOUND = 0.12
"""Share of its anchors with which a text comes through the sieve."""
_COMMON = 3
"""Texts of ours that hold a run from which on it tells none of them apart."""

# Letters to lower case, digits as they are, all else to spaces.
_PLAIN = bytes(code if chr(code).isalnum() and code < 128 else 32 for code in range(256)).lower()

Run = tuple[bytes, bytes, bytes]


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Likeness:
    """How much a record's text is like one of ours; shares from 0 to 1."""

    shared: float
    """Common runs of three words over those of the shorter text."""
    course: float
    """Longest common sequence of words over the words of the shorter text."""
    cover: float
    """Common runs of three words over those of our text."""
    same: bool
    """Whether they are one text, give or take damage and edits; or one paper by identifier."""
    named: bool = False
    """Whether an identifier says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One of our texts that is looked for."""

    text: str
    """As read."""
    tokens: str
    """Words of the mended text with a space between them: far smaller than a list."""
    arxiv: str = ""
    """Its identifiers, where they are known: a record with one of them needs no likeness."""
    doi: str = ""


class Finder:
    """Finds which of our texts a record has."""

    def __init__(self, wanted: Sequence[Wanted], mend: Mend) -> None:
        self._wanted = wanted
        self._mend = mend
        self._sieve = Sieve([one.text for one in wanted])
        self._named: dict[str, list[int]] = defaultdict(list)
        for at, one in enumerate(wanted):
            for identifier in filter(None, (one.arxiv, one.doi.casefold())):
                self._named[identifier].append(at)

    def find(self, text: str, identifiers: Iterable[str]) -> Iterator[tuple[int, Likeness]]:
        """Yield the positions of our texts that resemble a record, and how much.

        Args:
            text: the record's abstract, with its markup; may be empty.
            identifiers: its arXiv id without version, and its DOI in lower case.
        """
        named = {at for name in identifiers for at in self._named.get(name, ())}
        candidates = self._sieve.candidates(text) if text else []
        if not (named or candidates):
            return
        theirs = words(self._mend(text))
        for at in sorted({*candidates, *named}):
            ours = self._wanted[at].tokens.split(" ")
            likeness = compare(ours, theirs)
            if at in named:
                yield at, replace(likeness, same=True, named=True)
            elif likeness.same or (likeness.shared >= DOUBTFUL and len(ours) >= SHORT):
                yield at, likeness


class Sieve:
    """Lets through the records that may have one of our texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        share = _MOST_ANCHORS // max(len(texts), 1)
        most = min(_ANCHORS, max(_FEWEST_ANCHORS, share))
        # Lots are the same in every text: among the lowest ones of each, those of a run that many
        # texts hold meet. Only lots are kept on this first walk, as runs would fill the memory.
        holders = Counter(
            lot for text in texts for lot in sorted(map(_lot, set(_runs(text))))[: 2 * most]
        )
        self._owners: dict[Run, list[int]] = {}
        self._needed: list[int] = []
        for at, text in enumerate(texts):
            drawn = sorted((_lot(run), run) for run in set(_runs(text)))
            rare = [run for lot, run in drawn[: 2 * most] if holders[lot] < _COMMON]
            anchors = (rare or [run for _, run in drawn])[:most]
            self._needed.append(max(2, round(_FOUND * len(anchors))))
            for run in anchors:
                self._owners.setdefault(run, []).append(at)

    def candidates(self, text: str) -> list[int]:
        """Return the positions of our texts that a record's text may be, sorted."""
        hits = list(filter(self._owners.__contains__, _runs(text)))
        if len(hits) < 2:
            return []
        counts = Counter(at for run in set(hits) for at in self._owners[run])
        return sorted(at for at, count in counts.items() if count >= self._needed[at])


def compare(ours: Sequence[str], theirs: Sequence[str]) -> Likeness:
    """Compare the words of one of our texts with those of a record's, both mended."""
    mine, other = set(_word_runs(ours)), set(_word_runs(theirs))
    common = len(mine & other)
    shared = common / max(min(len(mine), len(other)), 1)
    course = aligned(ours, theirs) if shared >= DOUBTFUL else 0.0
    shorter, longer = sorted((len(ours), len(theirs)))
    if shorter < TINY:
        same = False
    elif shorter < SHORT:
        alike = shared >= WHOLE or (shared >= CLOSE and course >= 0.9)
        same = alike and shorter >= WHOLE * longer
    elif shorter < PART * longer:
        # A record that is but a passage of our text tells what half of it is at most.
        same = shared >= WHOLE and len(ours) < len(theirs)
    else:
        same = (shared >= CLOSE and course >= COURSE) or (shared >= LOOSE and course >= STEADY)
    return Likeness(
        shared=round(shared, 3),
        course=round(course, 3),
        cover=round(common / max(len(mine), 1), 3),
        same=same,
    )


def _tokens(text: str) -> list[bytes]:
    """Cut a text into words in a rough way that is the same for damaged and undamaged ones."""
    data = text.encode("ascii", "replace")
    if not text.isascii() and 2 * data.count(b"?") > len(data):
        # Not in Latin letters: the thorough way, which takes ten times as long.
        return [word.encode() for word in words(text)]
    return data.translate(_PLAIN).split()


def _runs(text: str) -> Iterator[Run]:
    tokens = _tokens(text)
    return zip(tokens, tokens[1:], tokens[2:], strict=False)


def _word_runs(tokens: Sequence[str]) -> Iterable[tuple[str, ...]]:
    return (tuple(tokens[at : at + SIZE]) for at in range(len(tokens) - SIZE + 1))


def _lot(run: Run) -> int:
    """Return a number drawn for a run, the same everywhere: the lowest ones sample a text."""
    return int.from_bytes(hashlib.blake2b(b" ".join(run), digest_size=8).digest())
