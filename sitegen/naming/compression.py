"""Ways to shorten a core into a headline without cutting a phrase or changing what it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sitegen.naming.clauses import DOING
from sitegen.naming.endings import NOUN_KINDS, ending
from sitegen.naming.openings import HEADS, head_of, openings
from sitegen.naming.tagged import Core, Tagged
from sitegen.naming.wordlists import word_list

MAX_WORDS = 14
"""Longest headline in words, the name included."""
MAX_ENDS = 7
"""Most places at which one core is cut."""

_ADVERB_DROPS = word_list("compression.adverb_drops")
_OWN_THINGS = word_list("compression.own_things")
_UNFIT = word_list("compression.unfit")
_UNFIT_LAST = word_list("compression.unfit_last")
_UNFIT_MARKS = frozenset("{}|\\=<>[]()–—") | {"--"}
_DASHES = frozenset(("–", "—", "--"))
POINTERS = frozenset(("this", "these"))
"""Words that are printed as "the" where it is known what they stand for."""
_NAMING = frozenset(("NN", "JJ"))
_MOST_MEANT = 4
"""Words before a noun that are taken over."""
_EMPTY_NOUNS = HEADS | word_list("openings.empty_heads") | word_list("openings.light")
_NAMELY = frozenset(("specifically", "namely", "especially", "particularly", "notably"))
_EXAMPLE = frozenset(("such", "including", "like"))
_FINITE = frozenset(("VBZ", "VBP", "MD"))
_OWNERS = frozenset(("its", "their", "his", "her"))
_NO_MEMBER = frozenset(("VBN", "VBG", "WH", "IN", "RB", "PRP", "TO", "DT"))
_ORDINALS = frozenset(("first", "second", "third", "finally"))
_DOUBLED = frozenset("bdgklmnprt")


@dataclass(frozen=True, slots=True)
class Body:
    """One shortened core: the tokens kept, in order, and how it begins and ends."""

    core: Core
    kept: tuple[int, ...]
    """Token numbers."""
    article: str = ""
    """Article to set before the first kept token; empty where none is needed."""
    gerund: bool = False
    """Whether the first kept token is a verb to be put into its -ing form."""
    ending: str = "whole"
    """What was cut off behind it: see ``endings.ending``."""
    cuts: tuple[str, ...] = ()
    """What was left out: ``article``, ``novel``, ``praise``, ``head``, ``light``, ``adverb``."""


def bodies(tagged: Tagged, core: Core, room: int) -> Iterator[Body]:
    """Yield the shortened forms of a core that have at most ``room`` words."""
    for opening in openings(tagged, core):
        # The verb that turns into the -ing form makes no assertion of a noun phrase.
        first = opening.start + (opening.gerund and core.kind == "study")
        kept: list[int] = []
        size = int(bool(opening.article))
        ends = 0
        for j in _outside_brackets(tagged, core, opening.start):
            if tagged.tokens.lower[j] in POINTERS:
                meant = _meant(tagged, core, j, first=not kept)
                if meant is None:
                    break
                kept += (j, *meant)
                size += 1 + len(meant)
                continue
            if not _fit(tagged, core, j, first=not kept) or _leaves(tagged, core, j):
                break
            if tagged.tokens.lower[j] in _OWNERS and not _has_noun(tagged, kept):
                break
            kept.append(j)
            size += tagged.tokens.words[j][0].isalnum() and not _dropped(tagged, kept)
            if size > room or ends >= MAX_ENDS:
                break
            how = ending(tagged, core, first, j + 1)
            if not how or len(kept) < 2 or tagged.tokens.lower[j] in _UNFIT_LAST:
                continue
            ends += 1
            clean = _without_adverbs(tagged, kept)
            cuts = opening.cuts if len(clean) == len(kept) else (*opening.cuts, "adverb")
            yield Body(core, tuple(clean), opening.article, opening.gerund, how, cuts)
            short = [] if opening.gerund else _headless(tagged, core, clean)
            if short:
                yield Body(core, tuple(short), "", False, how, (*cuts, "head"))


def _leaves(tagged: Tagged, core: Core, comma: int) -> bool:
    """Tell whether a comma ends the noun phrase itself: "a method, which", "a guide, made of"."""
    if tagged.tokens.lower[comma] != "," or core.kind not in NOUN_KINDS:
        return False
    follows = comma + 1 < core.limit and tagged.tags[comma + 1] in _NO_MEMBER
    joined = any(word in ("and", "or") for word in tagged.tokens.lower[comma : comma + 8])
    return follows or (core.kind in ("phrase", "inner") and not joined)


def _meant(tagged: Tagged, core: Core, i: int, *, first: bool) -> tuple[int, ...] | None:
    """Return the words that "this" or "these" at ``i`` stands for; None where that is unclear.

    None are needed where its noun says enough ("this sampling behavior"); else those are taken
    that stood before the same noun last: "this bias" is "the score range bias".
    """
    lower, tags = tagged.tokens.lower, tagged.tags
    if first and core.kind != "finding":
        return None
    head = head_of(tagged, i + 1, core.limit)
    if not head or lower[head] in _EMPTY_NOUNS or tags[i + 1] == "CD":
        return None
    if head > i + 1:
        return () if tags[i + 1] in _NAMING else None
    for j in range(tagged.tokens.sentences[core.sentence][0] - 1, -1, -1):
        whole = tags[j + 1] not in ("NN", "NNS")
        if whole and lower[j].rstrip("s") == lower[head].rstrip("s"):
            start = j
            while start and j - start < _MOST_MEANT and tags[start - 1] in _NAMING:
                start -= 1
            if start < j and tags[start - 1] not in ("VBG", "CC", "RB"):
                return tuple(range(start, j))
    return None


def _has_noun(tagged: Tagged, kept: Sequence[int]) -> bool:
    return any(tagged.tags[i] in ("NN", "NNS") for i in kept)


def _headless(tagged: Tagged, core: Core, kept: Sequence[int]) -> list[int]:
    """Return the tokens without an empty head: "cache compression [method] for GUI agents"."""
    if core.kind not in ("object", "beside", "is"):
        return []
    lower, tags = tagged.tokens.lower, tagged.tags
    for position in range(2, min(len(kept), 9)):
        i = kept[position]
        if tags[i] in ("IN", "WH", "TO", "."):
            return []
        if lower[i] in HEADS and lower[kept[position - 1]] in DOING:
            rest = kept[position + 1 :]
            plain = all(tags[j] != "WH" for j in rest) and (not rest or tags[rest[0]] == "IN")
            return [*kept[:position], *rest] if plain else []
    return []


def _outside_brackets(tagged: Tagged, core: Core, start: int) -> Iterator[int]:
    """Yield the token numbers from ``start``, stepping over brackets and what dashes set apart."""
    words, limit = tagged.tokens.words, core.limit
    i = start
    while i < limit:
        if i > start and words[i] in _DASHES:
            close = next((j for j in range(i + 2, min(limit, i + 25)) if words[j] == words[i]), -1)
            i = close + 1 or i
        i = _past_aside(tagged, core, i) if i > start else i
        if i < limit and words[i] in "([":
            close = next((j for j in range(i + 1, min(limit, i + 30)) if words[j] in ")]"), -1)
            if close < 0:
                return
            i = close + 1
            continue
        if i < limit:
            yield i
        i += 1


def _past_aside(tagged: Tagged, core: Core, comma: int) -> int:
    """Return where the text goes on behind an aside that begins at ``comma``, or ``comma``.

    ", which is often so, has"; ", specifically T5, with"; in a claim also ", such as T5, can".
    """
    lower, tags, limit = tagged.tokens.lower, tagged.tags, core.limit
    if lower[comma] != "," or comma + 1 >= limit:
        return comma
    clause = lower[comma + 1] in ("which", "where")
    example = lower[comma + 1] in _EXAMPLE or tags[comma + 1] in ("VBG", "VBN")
    goes_on = _FINITE if clause or example else _FINITE | {"IN", "TO"}
    if clause or lower[comma + 1] in _NAMELY or (example and core.kind == "finding"):
        for i in range(comma + 2, min(limit - 1, comma + 20)):
            if lower[i] == ",":
                behind = i + 2 if example and tags[i + 1] == "RB" else i + 1
                if behind < limit and tags[behind] in goes_on:
                    return i + 1
                if not example:
                    return comma
    return comma


def _without_adverbs(tagged: Tagged, kept: Sequence[int]) -> list[int]:
    """Leave out adverbs that only emphasise, and "novel" within."""
    return [i for place, i in enumerate(kept, 1) if not _dropped(tagged, kept[:place])]


def _dropped(tagged: Tagged, kept: Sequence[int]) -> bool:
    """Tell whether the last of the tokens is left out."""
    word, tag = tagged.tokens.lower[kept[-1]], tagged.tags[kept[-1]]
    emphasis = len(kept) > 1 and tag == "RB" and word in _ADVERB_DROPS
    return emphasis or (word == "novel" and tag == "JJ")


def _fit(tagged: Tagged, core: Core, i: int, *, first: bool) -> bool:
    """Tell whether a word can stand in a headline: it points to nothing outside, marks nothing."""
    lower, word = tagged.tokens.lower, tagged.tokens.words[i]
    if lower[i] == "our":
        return not any(other in _OWN_THINGS for other in lower[i + 1 : i + 4])
    if lower[i] in _UNFIT or lower[i].startswith("http") or word in _UNFIT_MARKS or word in ":;":
        return False
    if lower[i] in _ORDINALS and lower[i + 1 : i + 2] == (",",):
        return False
    return not first or _opens(tagged, core, i)


def _opens(tagged: Tagged, core: Core, i: int) -> bool:
    """Tell whether a word can be the first of a headline."""
    lower, tags = tagged.tokens.lower, tagged.tags
    if lower[i] in ("its", "their", "his", "that", "which") or tags[i] in ("CC", "."):
        return False
    if tags[i] == "IN":
        return core.kind == "for"
    if core.kind == "finding" and tags[i] in _FINITE:
        return False
    return not (core.kind in NOUN_KINDS and tags[i] in ("VBZ", "MD"))


def gerund_of(verb: str, vocabulary: Mapping[str, int]) -> str:
    """Return the -ing form of an inflected or plain verb, the one the vocabulary knows best."""
    verb = verb.lower()
    stems = [verb]
    if verb.endswith("ies"):
        stems.append(verb[:-3] + "y")
    elif verb.endswith("es"):
        stems += [verb[:-2], verb[:-1]]
    elif verb.endswith("s") and not verb.endswith("ss"):
        stems.append(verb[:-1])
    elif verb.endswith("ed"):
        stems += [verb[:-2], verb[:-1], verb[:-3]]
    forms = []
    for stem in stems:
        if stem.endswith("e") and not stem.endswith(("ee", "oe", "ye")):
            forms.append(stem[:-1] + "ing")
        forms.append(stem + "ing")
        if len(stem) > 2 and stem[-1] in _DOUBLED and stem[-2] in "aeiou":
            forms.append(stem + stem[-1] + "ing")
    return min(forms, key=lambda form: (-vocabulary.get(form.rsplit("-", 1)[-1], 0), form))
