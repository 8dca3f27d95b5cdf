"""What invented papers are put together from: the seeds' sentences with slots, and their words.

The parts of speech of the package's own tagger say which word can stand for which, so that texts
read like abstracts and no two of them share more than real ones do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

from bench.duplicates import ROOT, seed_texts
from sitegen.content import load_content
from sitegen.naming.tagger import load_tagger
from sitegen.naming.tokens import Tokens, tokenize
from sitegen.records import Topic

PHRASE, PHRASES, NAME, NUMBER, ADDRESS = "phrase", "phrases", "name", "number", "address"
"""Kinds of slots beside the parts of speech: a noun phrase in singular and plural, what the paper
introduces, a number, a web address."""
SHORTEST, LONGEST = 40, 420
"""Characters of a sentence that is used."""
FLATNESS = 10.0
"""Shift of the Zipf-Mandelbrot law: the most frequent tag stands on some 7 % of the papers."""

_WORD = re.compile(r"[a-z]{4,}")
_PART = re.compile(r"[a-z]{3,}(?:-[a-z]{3,})?")
_NUMBER = re.compile(r"\d{2,}(?:\.\d+)?|\d\.\d+")
_NAME = re.compile(r"(?=(?:.*[A-Z]){2})(?=.*[a-z])[A-Za-z][\w-]{3,}")
_OPEN = re.compile(r"(?:NN|NNS|JJ|RB|VB|VBP|VBZ|VBD|VBN|VBG)\Z")
_FREQUENT = 3
"""Seeds' texts in which a capitalised word must stand to be common property, not a paper's own."""


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence: texts, and between them slots as pairs of kind and what stood there."""

    texts: tuple[str, ...]
    """One more than slots."""
    slots: tuple[tuple[str, str], ...]

    @property
    def names(self) -> bool:
        """Whether it speaks of something the paper introduces."""
        return any(kind == NAME for kind, _ in self.slots)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """Sentences and words."""

    openings: tuple[Template, ...]
    introductions: tuple[Template, ...]
    """Those with a name."""
    middles: tuple[Template, ...]
    endings: tuple[Template, ...]
    words: Mapping[str, tuple[str, ...]]
    """By part of speech, each as often as the seeds have it."""
    phrases: tuple[str, ...]
    """Noun phrases in the singular, most frequent first."""
    weights: tuple[float, ...]
    """Cumulated Zipf-Mandelbrot weights of the phrases."""
    topics: tuple[tuple[Topic, tuple[str, ...]], ...]
    """The seeds' topics, each with those of its phrases that have two words or more."""


@cache
def load_stock() -> Stock:
    """Cut the seeds' abstracts and count their words; a second or two."""
    texts = seed_texts()
    tagger = load_tagger()
    seen_in = Counter(word for text in texts for word in set(_NAME.findall(text)))
    common = {word for word, count in seen_in.items() if count >= _FREQUENT}
    words: dict[str, list[str]] = {}
    phrases: Counter[str] = Counter()
    groups: tuple[list[Template], ...] = ([], [], [], [])
    for text in texts:
        tokens = tokenize(text)
        last = len(tokens.sentences) - 1
        for number, (start, end) in enumerate(tokens.sentences):
            tags = tagger.tag(tokens.words[start:end])
            for word, tag in zip(tokens.words[start:end], tags, strict=True):
                if _OPEN.match(tag) and _WORD.fullmatch(word):
                    words.setdefault(tag, []).append(word)
            template, found = _template(tokens, start, end, tags, common)
            phrases.update(found)
            if not SHORTEST <= tokens.ends[end - 1] - tokens.starts[start] <= LONGEST:
                continue
            place = 0 if number == 0 else 3 if number == last else 1 if template.names else 2
            groups[place].append(template)
    ranked = tuple(sorted(phrases, key=lambda phrase: (-phrases[phrase], phrase)))
    content, _ = load_content(ROOT)
    topics = tuple(
        (topic, own) for topic in content.topics if len(own := _own_phrases(topic)) >= _FREQUENT
    )
    return Stock(
        openings=tuple(groups[0]),
        introductions=tuple(groups[1]),
        middles=tuple(groups[2]),
        endings=tuple(groups[3]),
        words={tag: tuple(sorted(found)) for tag, found in words.items()},
        phrases=ranked,
        weights=tuple(accumulate(1 / (rank + FLATNESS) for rank in range(len(ranked)))),
        topics=topics,
    )


def _own_phrases(topic: Topic) -> tuple[str, ...]:
    return tuple(phrase for phrase in topic.phrases if " " in phrase and phrase.islower())


def _template(
    tokens: Tokens, start: int, end: int, tags: Sequence[str], common: set[str]
) -> tuple[Template, list[str]]:
    """Return a sentence with slots, and the noun phrases (in the singular) that stood in it."""
    texts: list[str] = []
    slots: list[tuple[str, str]] = []
    phrases: list[str] = []
    done = tokens.starts[start]
    for kind, first, limit in _slots(tokens, start, end, tags, common):
        left, right = tokens.starts[first], tokens.ends[limit - 1]
        texts.append(tokens.text[done:left])
        slots.append((kind, tokens.text[left:right]))
        done = right
        if kind == PHRASE:
            phrases.append(tokens.text[left:right])
    texts.append(tokens.text[done : tokens.ends[end - 1]])
    return Template(tuple(texts), tuple(slots)), phrases


def _slots(
    tokens: Tokens, start: int, end: int, tags: Sequence[str], common: set[str]
) -> Iterator[tuple[str, int, int]]:
    """Yield kind and range of each slot of a sentence, in order."""
    place = start
    while place < end:
        limit = place
        while limit < end and limit < place + 3 and _in_phrase(tokens, limit, tags[limit - start]):
            limit += 1
        if limit - place >= 2 and (tag := tags[limit - 1 - start]) in {"NN", "NNS"}:
            yield (PHRASE if tag == "NN" else PHRASES), place, limit
            place = limit
            continue
        word, tag = tokens.words[place], tags[place - start]
        if word.startswith(("http", "www.")):
            yield ADDRESS, place, place + 1
        elif _stands_free(tokens, place):
            if _WORD.fullmatch(word) and _OPEN.match(tag):
                yield tag, place, place + 1
            elif _NUMBER.fullmatch(word):
                yield NUMBER, place, place + 1
            elif _NAME.fullmatch(word) and word not in common:
                yield NAME, place, place + 1
        place += 1


def _in_phrase(tokens: Tokens, place: int, tag: str) -> bool:
    return (
        tag in {"NN", "NNS", "JJ"}
        and _PART.fullmatch(tokens.words[place]) is not None
        and _stands_free(tokens, place)
    )


def _stands_free(tokens: Tokens, place: int) -> bool:
    """Whether a word stands between blanks or marks of prose, not within damaged markup."""
    before = tokens.text[tokens.starts[place] - 1 : tokens.starts[place]] or " "
    after = tokens.text[tokens.ends[place] : tokens.ends[place] + 1] or " "
    return before in " (" and after in " ,.;:)%"
