"""Where a headline may begin within a core, and what every paper says of itself is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sitegen.naming.tagged import PROPOSE, STUDY, Core, Tagged
from sitegen.naming.wordlists import word_list

HEADS = word_list("openings.heads")
"""Nouns that say no more than that something was made: method, framework, approach."""
_NOVEL = word_list("openings.novel")
_PRAISE = word_list("openings.praise")
_VERY = word_list("openings.very")
_LIGHT = word_list("openings.light")
_WEAK_VERBS = word_list("openings.weak_verbs")
_WEAK_GERUNDS = word_list("openings.weak_gerunds")
_EMPTY_HEADS = word_list("openings.empty_heads")
_GERUNDS = word_list("openings.gerunds")
_ONLY_GERUND = word_list("openings.only_gerund")
_SPELT_WITH_VOWEL = word_list("openings.spelt_with_vowel")
_SPOKEN = word_list("openings.spoken")
_ARTICLES = frozenset(("a", "an", "the", "our"))
_ASKING = frozenset(("whether", "how", "why", "what", "which", "when"))
_OBJECT_TAGS = frozenset(("DT", "JJ", "NN", "NNS", "VBN", "VBG", "CD", "PRP"))
_WITHIN = frozenset(("and", ",", '"', "“", "”", "'", "‘", "’"))
_INSIDE_TAGS = frozenset(("JJ", "VBN", "VBG", "CD", "RB", "POS"))
_REACH = 9
"""Tokens of a noun phrase up to its head."""


@dataclass(frozen=True, slots=True)
class Opening:
    """One way to begin."""

    start: int
    """First token that is kept."""
    cuts: tuple[str, ...] = ()
    """What was left out: ``novel``, ``praise``, ``article``, ``light`` or ``head``."""
    gerund: bool = False
    """Whether the first token is a verb to be put into its -ing form."""
    article: str = ""
    """Article to set before the first token."""


def openings(tagged: Tagged, core: Core) -> Iterator[Opening]:
    """Yield the ways in which a headline may begin within a core; none where it is unfit."""
    if core.kind in ("verb", "purpose", "act"):
        yield from _deeds(tagged, core)
    elif core.kind == "means":
        lower, i = tagged.tokens.lower, core.start
        told = lower[i] not in _WEAK_GERUNDS and lower[i + 1 : i + 2] != ("that",)
        if told and i + 1 < core.limit and tagged.tags[i + 1] in _OBJECT_TAGS:
            yield Opening(i)
    elif core.kind == "finding":
        yield Opening(_past_quantity(tagged, core))
    elif core.kind in ("asked", "question", "first", "for"):
        yield Opening(core.start)
    else:
        if core.kind == "study" and core.verb in _GERUNDS | _ONLY_GERUND:
            yield Opening(core.start - 1, gerund=True)
        if core.kind != "study" or core.verb not in _ONLY_GERUND:
            yield from _nouns(tagged, core)


def _past_quantity(tagged: Tagged, core: Core) -> int:
    """Step over "indeed", "a number of" and the like at the beginning of a finding."""
    lower, tags, start = tagged.tokens.lower, tagged.tags, core.start
    if start + 1 < core.limit and lower[start] in ("indeed", "surprisingly", "overall"):
        start += 1 + (lower[start + 1] == ",")
    counted = lower[start : start + 3] in (("a", "number", "of"), ("a", "variety", "of"))
    if counted and tags[start + 3 : start + 4] in (["NN"], ["NNS"], ["JJ"]):
        start += 3
    return start


def _deeds(tagged: Tagged, core: Core) -> Iterator[Opening]:
    """Begin with the verb, in its -ing form, where it has an object and says something."""
    lower, tags = tagged.tokens.lower, tagged.tags
    verb = _past_adverbs(tagged, core.start, core.limit)
    behind = _past_adverbs(tagged, verb + 1, core.limit)
    if behind >= core.limit or tags[verb] not in ("VB", "VBZ", "VBP", "VBD"):
        return
    weak = lower[verb] in PROPOSE or lower[verb] in _WEAK_VERBS
    asks = lower[behind] in _ASKING and lower[verb] in STUDY
    if not weak and lower[behind] != "that" and (asks or tags[behind] in _OBJECT_TAGS):
        yield Opening(verb, gerund=True)


def _nouns(tagged: Tagged, core: Core) -> Iterator[Opening]:
    """Begin with the noun phrase, with and without its article, or behind a head that is empty."""
    lower, words = tagged.tokens.lower, tagged.tokens.words
    start, article = core.start, ""
    while start < core.limit and lower[start] in _ARTICLES:
        article = lower[start]
        start += 1
    begin = _past_praise(tagged, start, core.limit)
    cuts = ("novel",) if begin > start else ()
    doing = core.kind == "object" and tagged.tags[begin : begin + 1] == ["VBG"]
    following = tagged.tags[begin + 1 : begin + 2]
    if doing and lower[begin] not in _WEAK_GERUNDS and {*following} & _OBJECT_TAGS:
        # "We propose learning the likelihood".
        yield Opening(begin)
    head = head_of(tagged, begin, core.limit)
    if begin >= core.limit or not head:
        return
    light = lower[head] in _LIGHT and head + 1 < core.limit and lower[head + 1] == "of"
    if lower[head] not in _EMPTY_HEADS and not light:
        if "first" in lower[start:begin]:
            # "the first benchmark" claims no less as "a benchmark".
            article = "" if tagged.tags[head] == "NNS" else "a"
        yield from _with_article(words, begin, article, cuts)
        bare = _past_adjectives(tagged, begin, head)
        if bare > begin:
            yield from _with_article(words, bare, article, (*cuts, "praise"))
    yield from _behind_head(tagged, core, begin, head)


def _with_article(
    words: Sequence[str], begin: int, article: str, cuts: tuple[str, ...]
) -> Iterator[Opening]:
    """Begin at a word, with and without the article of its phrase."""
    if article in ("a", "an"):
        yield Opening(begin, cuts, article="an" if _vowel(words[begin]) else "a")
        yield Opening(begin, (*cuts, "article"))
    else:
        yield Opening(begin, cuts, article="the" if article == "the" and not cuts else "")


def _past_adjectives(tagged: Tagged, begin: int, head: int) -> int:
    """Step over adjectives that only praise: "precise, fast, and differentiable upper bound"."""
    lower, tags = tagged.tokens.lower, tagged.tags
    i = begin
    while i < head and tags[i] in ("JJ", "RB", "NN") and lower[i] in _PRAISE:
        if tags[i] == "RB" and lower[i + 1] not in _PRAISE:
            # "carefully initialized layers" are other layers than "initialized" ones.
            break
        i += 1
        while i < head and lower[i] in (",", "and", "yet", "but"):
            i += 1
    return i


def _past_praise(tagged: Tagged, start: int, limit: int) -> int:
    """Step over "novel", "first", "simple yet effective": what every paper says of itself."""
    lower, tags = tagged.tokens.lower, tagged.tags
    i = start
    while i + 1 < limit:
        praise = lower[i] in _NOVEL and tags[i] in ("JJ", "NN", "RB")
        joined = i > start and (
            lower[i] in ("yet", "but", "and", ",")
            or (lower[i - 1] in ("yet", "but") and tags[i] == "JJ")
        )
        if not (praise or joined or (lower[i] in _VERY and lower[i + 1] in _NOVEL)):
            break
        i += 1
    return i


def _behind_head(tagged: Tagged, core: Core, start: int, head: int) -> Iterator[Opening]:
    """Begin behind a head that says nothing: "a method for", "the problem of", "a suite of"."""
    lower, tags = tagged.tokens.lower, tagged.tags
    if head + 2 >= core.limit:
        return
    word, following = lower[head], lower[head + 1]
    if following == "of" and word in _LIGHT:
        article = lower[head + 2] if lower[head + 2] in ("a", "an", "the") else ""
        yield Opening(head + 2 + bool(article), ("light",), article=article)
    elif word in HEADS:
        verb = _past_adverbs(tagged, head + 2, core.limit)
        if verb + 1 >= core.limit:
            return
        bare = head - start <= 1
        if following == "for" and bare and tags[verb] == "VBG":
            yield Opening(verb, ("head",))
        elif following == "to" and bare and tags[verb] == "VB":
            yield Opening(verb, ("head",), gerund=True)
        does = following in ("that", "which") and tags[verb] == "VBZ"
        if does and tags[verb + 1] in _OBJECT_TAGS and lower[verb] not in _WEAK_VERBS:
            yield Opening(verb, ("head",), gerund=True)


def head_of(tagged: Tagged, start: int, limit: int) -> int:
    """Return the last noun of the noun phrase that begins at ``start``; 0 where there is none."""
    head = 0
    for i in range(start, min(limit, start + _REACH)):
        if tagged.tags[i] in ("NN", "NNS"):
            head = i
        elif tagged.tags[i] not in _INSIDE_TAGS and tagged.tokens.lower[i] not in _WITHIN:
            break
    return head


def _past_adverbs(tagged: Tagged, i: int, limit: int) -> int:
    while i < limit and tagged.tags[i] == "RB":
        i += 1
    return i


def _vowel(word: str) -> bool:
    """Tell whether "an" goes before the word; short forms are spelt out (an LLM, a GUI)."""
    lower = word.lower()
    if len(word) > 1 and word[:2].isupper():
        return lower[0] in _SPELT_WITH_VOWEL and not lower.startswith(tuple(sorted(_SPOKEN)))
    return lower[0] in "aeiou8" and not lower.startswith(("uni", "use", "eu", "one"))
