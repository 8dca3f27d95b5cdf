"""The words and marks of a text with their places, grouped into sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sitegen.sentences import sentence_spans

_TOKEN = re.compile(
    r"[a-z]++(?=[\s,;)])"  # nearly every word, told at a glance
    r"|(?:https?://|www\.)[^\s<>\"]*[^\s<>\".,;:!?)\]}]"  # addresses
    r"|\b[A-Z]{1,4} \d ?- ?[A-Z][^\W_]+"  # a name whose superscript was lost: E 2 -LLM
    r"|[^\W_](?:[^\W_]++|[-‑^_&@](?=[^\W_])|['’](?=[^\W_])(?![sS]\b)"
    r"|(?<=\w)\.(?=\d)|(?<=\d),(?=\d{3})|(?<=[a-z])\.(?=[a-z]))*(?:\++(?!\w)|[%×]|-(?=\s(?:and|or)\s))?"
    r"|['’][sS]\b|--+|\.\.\.|\S"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """A text cut into words and single marks; the four tuples run in parallel."""

    text: str
    words: tuple[str, ...]
    """As they stand in the text."""
    lower: tuple[str, ...]
    """The same in lower case."""
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    sentences: tuple[tuple[int, int], ...]
    """Sentences as ranges over the tokens, in order, covering all of them."""

    def slice(self, start: int, end: int) -> str:
        """Return the text from token ``start`` to before token ``end``, as it was written."""
        return self.text[self.starts[start] : self.ends[end - 1]] if start < end else ""


def tokenize(text: str) -> Tokens:
    """Cut ``text`` into tokens and sentences; one pass, linear in its length."""
    words: list[str] = []
    sentences: list[tuple[int, int]] = []
    for left, right in sentence_spans(text):
        first = len(words)
        words += _TOKEN.findall(text, left, right)
        if len(words) > first:
            sentences.append((first, len(words)))
    # Nothing but white space is left out, so that each word stands where it is found next.
    starts: list[int] = []
    ends: list[int] = []
    end = 0
    for word in words:
        start = text.find(word, end)
        end = start + len(word)
        starts.append(start)
        ends.append(end)
    return Tokens(
        text=text,
        words=tuple(words),
        lower=tuple(map(str.lower, words)),
        starts=tuple(starts),
        ends=tuple(ends),
        sentences=tuple(sentences),
    )
