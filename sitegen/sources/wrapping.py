"""Lines to paragraphs: which line breaks part abstracts, and how wrapped lines are joined."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

_SENTENCE_END = re.compile(r"""[.!?…。．！？؟۔।]["'”’»)\]}*_]*$""")
_URL = re.compile(r"[(<]?(?:https?://|www\.|[\w-]+(?:\.[\w-]+)+/)")
_HYPHENS = ("-", "‐", "\u00ad")
_FIRST_PART = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uff00-\uff65]")
# "high- and low-level": the hyphen stands for what follows later.
_SUSPENDED = re.compile(r"(?:and|or|to|as well as|und|oder|bis|et|ou|y|o)\b(?!-)")
_CHUNK = 1_000_000


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank, its ends stripped."""

    number: int
    """From 1."""
    text: str


def ends_sentence(text: str) -> bool:
    """Whether a text ends like a sentence, quotes and brackets after it allowed."""
    return bool(_SENTENCE_END.search(text[-12:]))


def goes_on(one: str, two: str) -> bool:
    """Whether the second line continues a sentence of the first."""
    if not two[:1].islower() or ends_sentence(one):
        return False
    return not _URL.match(one.rsplit(maxsplit=1)[-1])


def _is_broken(text: str) -> bool:
    """Whether a line ends in a hyphen after letters."""
    return text.endswith(_HYPHENS) and text[-3:-1].isalpha()


class Hyphens:
    """Joins wrapped lines; asks the text itself whether a hyphen at a line's end belongs there."""

    def __init__(
        self, paragraphs: Iterable[Sequence[Line]], text: str, *, unsure_keeps: bool = False
    ) -> None:
        """Count the words that tell.

        Args:
            paragraphs: what is to be joined.
            text: what to ask.
            unsure_keeps: whether a hyphen stays that the text says nothing of: programs wrap lines
                at hyphens that were there, printers make new ones.
        """
        self._unsure_keeps = unsure_keeps
        breaks = [
            self._forms(one.text, two.text)
            for lines in paragraphs
            for one, two in pairwise(lines)
            if _is_broken(one.text)
        ]
        wanted = {word for forms in breaks for form in forms for word in form}
        self._counts: Counter[str] = Counter()
        if wanted:
            for start in range(0, len(text), _CHUNK):  # a word cut at a border hardly matters
                words = _WORD.findall(text[start : start + _CHUNK].casefold().replace("‐", "-"))
                self._counts.update(filter(wanted.__contains__, words))
        for _, halves in breaks:  # the broken words themselves are no evidence
            self._counts.subtract(halves)

    def join(self, lines: Sequence[Line]) -> str:
        """Return the lines as one; words broken between them made whole."""
        parts = [lines[0].text]
        for one, two in pairwise(lines):
            if _is_broken(one.text) and not _SUSPENDED.match(two.text):
                if not self._keeps_hyphen(one.text, two.text):
                    parts[-1] = parts[-1][:-1]
                parts.append(two.text)
            elif _UNSPACED.match(one.text[-1:]) and _UNSPACED.match(two.text):
                parts.append(two.text)
            else:
                parts.append(f" {two.text}")
        return "".join(parts)

    def _keeps_hyphen(self, one: str, two: str) -> bool:
        if one.endswith("\u00ad"):
            return False
        if not two[:1].islower():
            return True
        (whole, compound), (left, right) = self._forms(one, two)
        if "-" in left or "‐" in left:
            return True
        if self._counts[whole] != self._counts[compound]:
            return self._counts[compound] > self._counts[whole]
        # Both halves are words of their own: more likely a compound than a broken word.
        return self._unsure_keeps or min(self._counts[left], self._counts[right]) > 0

    @staticmethod
    def _forms(one: str, two: str) -> tuple[tuple[str, str], tuple[str, str]]:
        """Return the word without and with its hyphen, and its two halves."""
        left = one.rsplit(maxsplit=1)[-1].casefold().rstrip("-‐\u00ad").lstrip("(\"'“‘[")
        found = _FIRST_PART.match(two)
        right = found[0].casefold() if found else ""
        return (f"{left}{right}", f"{left}-{right}"), (left, right)
