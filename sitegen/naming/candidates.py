"""Strings of an abstract that may be names, with every place where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from sitegen.naming.expansions import expansion_beside, pairs
from sitegen.naming.lexicon import load_lexicon
from sitegen.naming.tokens import Tokens
from sitegen.naming.wordlists import word_list

MAX_WORDS = 7
"""Longest name in words."""
MAX_CANDIDATES = 400
"""Most candidates of one text; those that stand first are kept."""

_ADJECTIVAL = frozenset(("proposed", "introduced", "presented", "developed"))
_ODD = re.compile(
    r"(?=.*[^\W\d_])(?:.+[A-Z²³].*|.*\d.*[^\W\d_].*|.*[^\W\d_].*\d.*|[^\W\d_]+\+{1,2})\Z"
)
_CAPITAL = re.compile(r"[A-Z][^\W_]*(?:[-‑–'’^_&@.²³\d][^\W_]*)*\Z")
_COINING = word_list("candidates.coining")
_PROPOSING = word_list("candidates.proposing")
_OPEN_QUOTES = frozenset("\"“‘«'`*")
_BEFORE_AS = word_list("candidates.before_as")
_BODIES = word_list("candidates.bodies")
_SAID_OF = word_list("candidates.said_of")
_CLOSE_QUOTES = frozenset("\"”’»'`*")
_JOINERS = word_list("candidates.joiners")
_STOP = word_list("candidates.stop")
_NUMBER = re.compile(r"[\d.,]+(?:%|×|x|st|nd|rd|th|k|K|M|B|T|[kK]\+|M\+|D|GB|MB|ms|fps|FPS|dB)?\Z")
# A letter with an index or power is a formula, not a name; but D^2O is a name.
_FORMULA = re.compile(
    r"(?:[^\W\d_]{1,5}[_^](?!\d[^\W\d_])\w{1,4}|[^\W\d_][\d₀-₉⁰¹²³⁴-⁹ⁿ]{1,3}|\d+[^\W\d_])\Z"
)


_NUMERAL = re.compile(r"(?:\d|i{1,3}|iv|v|[a-e])\Z")


class Place(NamedTuple):
    """Token range of one occurrence, and how it was found."""

    start: int
    end: int
    way: str
    """``odd``, ``run``, ``head``, ``coined``, ``part``, ``quoted``, ``short``, ``long``,
    ``object``, ``weak``, ``apposed`` or ``again``."""


@dataclass(slots=True)
class Candidate:
    """A string with its places; filled while the text is read, then only looked at."""

    key: str
    """Letters and digits only, in lower case."""
    text: str
    """The form that stands first, or the most telling one."""
    places: list[Place] = field(default_factory=list)
    partner: str = ""
    """Key of its expansion or short form; empty where the text gives none."""
    is_short: bool = False
    """Whether it is the short form of its partner."""


@lru_cache(maxsize=65_536)
def key_of(text: str) -> str:
    """Return ``text`` in lower case with nothing but letters and digits."""
    return "".join(letter for letter in text.lower() if letter.isalnum())


@lru_cache(maxsize=65_536)
def is_odd(word: str) -> bool:
    """Tell whether a word is written as no common word is: inner capitals, letters with digits."""
    return (
        _ODD.match(word) is not None
        and _NUMBER.match(word) is None
        and _FORMULA.match(word) is None
    )


_OFTEN = 30
"""Abstracts that write a word small, from which on its capital alone makes it no candidate."""
_OPENERS = word_list("candidates.openers")
_CAPITALISED, _WRITTEN_ODDLY, _CUE, _UPPER, _INITIALS, _COMMON = 1, 2, 4, 8, 16, 32
_LOOKED_AT = _CAPITALISED | _WRITTEN_ODDLY | _CUE


@lru_cache(maxsize=65_536)
def _kind_of(word: str) -> int:
    """Return what makes a word worth a look, as a sum of marks; 0 for nearly all words."""
    lower = word.lower()
    cue = (
        lower in _COINING
        or lower in _PROPOSING
        or lower in ("as", ")", ",")
        or word in _OPEN_QUOTES
    )
    return (
        _CAPITALISED * (_CAPITAL.match(word) is not None)
        + _WRITTEN_ODDLY * is_odd(word)
        + _CUE * cue
        + _UPPER * word[0].isupper()
        + _COMMON * _is_common(word)
        + _INITIALS * (2 < len(word) < 8 and word.isalpha() and word[:-1].isupper())
    )


def _is_common(word: str) -> bool:
    """Tell whether a word owes its capital to its place: many abstracts write it small."""
    lower = word.lower()
    if not (word[:1].isupper() and word[1:].islower()):
        return False
    return load_lexicon().words.get(lower, 0) >= _OFTEN or lower in _OPENERS


def find_candidates(tokens: Tokens) -> dict[str, Candidate]:
    """Return the candidates of a text by key, in the order in which they first stand.

    Recall matters here: what is common, used or compared with is told apart by the features.
    """
    found: dict[str, Candidate] = {}
    kinds = list(map(_kind_of, tokens.words))
    for first, last in tokens.sentences:
        for place in _in_sentence(tokens, kinds, first, last):
            _add(found, tokens, place)
        if "(" in tokens.words[first:last]:
            for short, long in pairs(tokens, first, last):
                _add_pair(found, tokens, short, long)
        for i in [i for i, kind in enumerate(kinds[first:last], first) if kind & _INITIALS]:
            expansion = expansion_beside(tokens, i, first, last)
            if expansion is not None:
                _add_pair(found, tokens, (i, i + 1), expansion)
        if len(found) > MAX_CANDIDATES:
            break
    _find_again(found, tokens, kinds)
    return found


def _add(found: dict[str, Candidate], tokens: Tokens, place: Place) -> Candidate | None:
    last = tokens.words[place.end - 1]
    if tokens.words[place.start] in _STOP or last in _STOP or last in _BODIES:
        return None
    text = tokens.slice(place.start, place.end)
    key = _key_of_candidate(text)
    if not key:
        return None
    candidate = found.get(key)
    if candidate is None:
        candidate = found[key] = Candidate(key=key, text=text)
    candidate.places.append(place)
    return candidate


@lru_cache(maxsize=65_536)
def _key_of_candidate(text: str) -> str:
    """Return the key of a string; empty where it cannot be a name."""
    key = key_of(text)
    unfit = not 2 <= len(key) <= 80 or key.isdigit() or _FORMULA.match(text)
    return "" if unfit else key


def _add_pair(
    found: dict[str, Candidate], tokens: Tokens, short: tuple[int, int], long: tuple[int, int]
) -> None:
    first = _add(found, tokens, Place(*short, "short"))
    second = _add(found, tokens, Place(*long, "long"))
    if first and second and first is not second and not first.partner:
        first.partner, first.is_short = second.key, True
        if not second.partner:
            second.partner = first.key


def _find_again(found: dict[str, Candidate], tokens: Tokens, kinds: Sequence[int]) -> None:
    """Add places that only the whole text shows: another case, or a name that begins a sentence."""
    seen = set()
    singles: dict[str, Candidate] = {}
    several: dict[str, list[tuple[int, tuple[str, ...], Candidate]]] = {}
    lower = tokens.lower
    for key, candidate in found.items():
        alone = True
        for start, end, _ in candidate.places:
            seen.add((start, end))
            alone = alone and end - start == 1
        if alone:
            singles[key] = candidate
        start, end, _ = candidate.places[0]
        if end - start > 1:
            whole = end - start, lower[start:end], candidate
            several.setdefault(lower[start], []).append(whole)
    if singles:
        for i in [i for i, kind in enumerate(kinds) if kind & _UPPER]:
            again = singles.get(key_of(tokens.words[i]))
            if again is not None and (i, i + 1) not in seen:
                again.places.append(Place(i, i + 1, "again"))
    for i in [i for i, word in enumerate(lower) if word in several]:
        for size, phrase, candidate in several[lower[i]]:
            if lower[i : i + size] == phrase and (i, i + size) not in seen:
                candidate.places.append(Place(i, i + size, "again"))
    for candidate in found.values():
        if len(candidate.places) > 1:
            candidate.places.sort()


def _in_sentence(tokens: Tokens, kinds: Sequence[int], first: int, last: int) -> Iterator[Place]:
    words, lower = tokens.words, tokens.lower
    run_end = first
    for i in [i for i, kind in enumerate(kinds[first:last], first) if kind & _LOOKED_AT]:
        kind = kinds[i]
        if kind & _WRITTEN_ODDLY:
            yield Place(i, i + 1, "odd")
        if i >= run_end and kind & (_WRITTEN_ODDLY | _CAPITALISED):
            run_end = _run_end(tokens, kinds, i, last)
            common = kind & _COMMON > 0
            if not (common and i == first and run_end == i + 1):
                yield from _runs(tokens, i, run_end, first, last, common=common)
        if not kind & _CUE:
            continue
        if lower[i] in _COINING or (lower[i] == "as" and i > first and lower[i - 1] in _BEFORE_AS):
            yield from _coined(tokens, i, last)
        elif lower[i] in _PROPOSING:
            yield from _objects(tokens, i, last)
        elif words[i] == ")" and i > first and _NUMERAL.match(lower[i - 1]):
            yield from _numbered(tokens, i, last)
        elif words[i] == "," and i > first and lower[i - 1] in _SORT_NOUNS:
            yield from _apposed(tokens, i, last)
        if words[i] in _OPEN_QUOTES:
            end = _quote_end(tokens, i, last)
            if end:
                yield Place(i + 1, end, "quoted")


def _run_end(tokens: Tokens, kinds: Sequence[int], start: int, last: int) -> int:
    """Return where the run of capitalised words that begins at ``start`` ends."""
    words, lower = tokens.words, tokens.lower
    end = start + 1
    while end < last and end - start < MAX_WORDS + 3:
        if kinds[end] & (_WRITTEN_ODDLY | _CAPITALISED):
            end += 1
        elif lower[end] in _JOINERS:
            following = end + 1
            if following < last and lower[following] in _JOINERS:
                following += 1
            if following < last and kinds[following] & _CAPITALISED:
                end = following + 1
            else:
                break
        elif end + 1 < last and words[end].isdigit() and len(words[end]) < 3:
            end += 1
        else:
            break
    return end


def _runs(
    tokens: Tokens, start: int, end: int, first: int, last: int, *, common: bool
) -> Iterator[Place]:
    """Yield the whole run, the run without a sentence's first word, and its parts at joiners.

    ``common`` tells whether its first word is no name by itself.
    """
    begins = [start]
    if start == first and end - start > 1:
        begins.append(start + 1)
    for begin in begins:
        if begin == first and tokens.lower[begin] in _STOP:
            continue
        if end - begin <= MAX_WORDS:
            yield Place(begin, end, "run")
    cut = start
    for i in range(start, end):
        if tokens.lower[i] in _JOINERS and i > cut:
            if i - cut <= MAX_WORDS and not (cut == first and tokens.lower[cut] in _STOP):
                yield Place(cut, i, "run")
            cut = i + 1
    if start < cut < end:
        yield Place(cut, end, "run")
    if not (start == first and tokens.lower[start] in _STOP):
        yield from _heads(tokens, start, end, common=common)
    if end < last and end - start == 1 and is_odd(tokens.words[start]):
        following = tokens.lower[end]
        if following.isalpha() and following in _SORTS:
            yield Place(start, end + 1, "run")


def _heads(tokens: Tokens, start: int, end: int, *, common: bool) -> Iterator[Place]:
    """Yield names behind which a sort or size stands: "Tracktention Layer", "Sabia-2 Medium"."""
    if end - start > 1:
        if not common:
            yield Place(start, start + 1, "odd" if is_odd(tokens.words[start]) else "head")
        if 2 < end - start <= MAX_WORDS + 1 and tokens.lower[end - 2] not in _JOINERS:
            yield Place(start, end - 1, "head")


_SORTS = word_list("candidates.sorts")


def _coined(tokens: Tokens, cue: int, last: int) -> Iterator[Place]:
    """Yield what follows "called", "dubbed", "referred to as" up to the end of its phrase."""
    lower, words = tokens.lower, tokens.words
    i = cue + 1
    while i < last and (lower[i] in ("as", "the", "a", "an", "this", "these", "it", "them", ":")):
        i += 1
    if i < last and words[i] in _OPEN_QUOTES:
        end = _quote_end(tokens, i, last)
        if end:
            yield Place(i + 1, end, "coined")
        return
    # "we call this approach tide mixing"
    while cue + 1 < i < last and lower[i] in _SAID_OF and i - cue < 6:
        i += 1
    end = i
    while end < last and end - i < 5 and words[end][0].isalnum() and lower[end] not in _STOP:
        end += 1
    for stop in range(i + 1, end + 1):
        closed = stop == last or not words[stop][0].isalnum() or lower[stop] in _STOP
        if closed or stop - i <= 3:
            yield Place(i, stop, "coined" if closed else "part")


def _objects(tokens: Tokens, cue: int, last: int) -> Iterator[Place]:
    """Yield the object of "introduce" and its like where a description or short form follows."""
    lower, words = tokens.lower, tokens.words
    i = cue + 1
    while i < last and lower[i] in ("the", "our", "a", "an", "two", "three", ":"):
        i += 1
    i = _past_concept(tokens, i, last)
    end = i
    while end < last and end - i < 6 and words[end][0].isalnum() and lower[end] not in _STOP:
        if lower[end] in _COINING:
            return
        end += 1
    if end == i or end >= last:
        return
    following = lower[end]
    comma = following == "," and end + 1 < last and lower[end + 1] in _DESCRIBING
    plain = not any(letter.isupper() for word in words[i:end] for letter in word)
    # "the proposed frameworks, the ..." names nothing.
    conceived = i > cue + 2 and lower[i - 1] in _OF_A and following in _CLOSES
    told = following in _MARKS and lower[end - 1] not in _EMPTY
    described = (comma and lower[cue] not in _ADJECTIVAL) or following == "(" or conceived or told
    if plain and not described:
        return
    if comma or conceived or following in ("(", ":", "–", "—", "--", "which", "that"):
        yield Place(i, end, "object" if following not in ("which", "that", "(") else "weak")


def _apposed(tokens: Tokens, comma: int, last: int) -> Iterator[Place]:
    """Yield a phrase that names the noun before it: "an approach, tide mixing, that"."""
    lower, words = tokens.lower, tokens.words
    i = comma + 1
    if i < last and lower[i] in ("the", "our"):
        i += 1
    end = i
    while end < last and end - i < 5 and words[end][0].isalnum() and lower[end] not in _STOP:
        end += 1
    if i < end < last and end - i < 5 and words[end] in _ENDS_APPOSITION:
        yield Place(i, end, "apposed")


def _past_concept(tokens: Tokens, start: int, last: int) -> int:
    """Step over "new notion of a" to what is conceived; ``start`` where no such words stand."""
    lower = tokens.lower
    of = next((i for i in range(start, min(start + 4, last)) if lower[i] == "of"), start)
    if of == start or lower[of - 1] not in _CONCEPTS:
        return start
    return of + 2 if of + 1 < last and lower[of + 1] in ("a", "an", "the") else of + 1


def _numbered(tokens: Tokens, bracket: int, last: int) -> Iterator[Place]:
    """Yield the head of a numbered item where a description follows: "(2) Tide mixing, which"."""
    lower, words = tokens.lower, tokens.words
    i = bracket + 1
    while i < last and lower[i] in ("a", "an", "the"):
        i += 1
    end = i
    while end < last and end - i < 6 and words[end][0].isalnum() and lower[end] not in _STOP:
        end += 1
    if end == i or end + 1 >= last:
        return
    if lower[end] == ":" or (lower[end] == "," and lower[end + 1] in _DESCRIBING):
        yield Place(i, end, "object")


_DESCRIBING = word_list("candidates.describing")
_MARKS = frozenset((":", "–", "—", "--"))
_ENDS_APPOSITION = frozenset((",", ".", "(", ":"))
_SORT_NOUNS = word_list("features.sorts")
_EMPTY = word_list("openings.heads") | word_list("openings.empty_heads")
"""Nouns that name nothing: "we present a finding: ..."."""
_CONCEPTS = word_list("candidates.concepts")
_OF_A = frozenset(("of", "a", "an", "the"))
_CLOSES = frozenset((",", ".", ";", ":", "that", "which", "where", "by", "as", "and", "to", "in"))


def _quote_end(tokens: Tokens, start: int, last: int) -> int:
    """Return where the quotation that opens at ``start`` ends; 0 where it is no short phrase."""
    begin = start + 1
    if begin < last and tokens.words[begin] in _OPEN_QUOTES:
        return 0
    for i in range(begin, min(begin + 6, last)):
        if tokens.words[i] in _CLOSE_QUOTES:
            return i if i > begin else 0
    return 0
