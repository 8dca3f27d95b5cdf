"""Strings of an abstract that may be names, with every place where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

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
_CLOSE_QUOTES = frozenset("\"”’»'`*")
_JOINERS = word_list("candidates.joiners")
_STOP = word_list("candidates.stop")
_NO_BEGINNING = _STOP | _PROPOSING | _COINING
_NUMBER = re.compile(r"[\d.,]+(?:%|×|x|st|nd|rd|th|k|K|M|B|T|[kK]\+|M\+|D|GB|MB|ms|fps|FPS|dB)?\Z")
# A letter with an index or power is a formula, not a name; but D^2O is a name.
_FORMULA = re.compile(
    r"(?:[^\W\d_]{1,5}[_^](?!\d[^\W\d_])\w{1,4}|[^\W\d_][\d₀-₉⁰¹²³⁴-⁹ⁿ]{1,3}|\d+[^\W\d_])\Z"
)


class Place(NamedTuple):
    """Token range of one occurrence, and how it was found."""

    start: int
    end: int
    way: str
    """``odd``, ``run``, ``coined``, ``quoted``, ``short``, ``long``, ``object`` or ``again``."""


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


_CAPITALISED, _WRITTEN_ODDLY, _CUE, _UPPER = 1, 2, 4, 8
_LOOKED_AT = _CAPITALISED | _WRITTEN_ODDLY | _CUE


@lru_cache(maxsize=65_536)
def _kind_of(word: str) -> int:
    """Return what makes a word worth a look, as a sum of marks; 0 for nearly all words."""
    lower = word.lower()
    cue = lower in _COINING or lower in _PROPOSING or lower == "as" or word in _OPEN_QUOTES
    return (
        _CAPITALISED * (_CAPITAL.match(word) is not None)
        + _WRITTEN_ODDLY * is_odd(word)
        + _CUE * cue
        + _UPPER * word[0].isupper()
    )


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
        if len(found) > MAX_CANDIDATES:
            break
    _find_again(found, tokens, kinds)
    return found


def _add(found: dict[str, Candidate], tokens: Tokens, place: Place) -> Candidate | None:
    if tokens.words[place.start] in _STOP or tokens.words[place.end - 1] in _STOP:
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
            yield from _runs(tokens, i, run_end, first, last)
        if not kind & _CUE:
            continue
        if lower[i] in _COINING or (lower[i] == "as" and lower[i - 1 : i] in (("to",), ("as",))):
            yield from _coined(tokens, i, last)
        elif lower[i] in _PROPOSING:
            yield from _objects(tokens, i, last)
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


def _runs(tokens: Tokens, start: int, end: int, first: int, last: int) -> Iterator[Place]:
    """Yield the whole run, the run without a sentence's first word, and its parts at joiners."""
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
    # A sort or size may follow the name within the run: "Tracktention Layer", "Sabia-2 Medium".
    if end - start > 1 and not (start == first and tokens.lower[start] in _STOP):
        yield Place(start, start + 1, "odd" if is_odd(tokens.words[start]) else "head")
        if 2 < end - start <= MAX_WORDS + 1 and tokens.lower[end - 2] not in _JOINERS:
            yield Place(start, end - 1, "head")
    if end < last and is_odd(tokens.words[end - 1]) and end - start == 1:
        following = tokens.lower[end]
        if following.isalpha() and following in _SORTS:
            yield Place(start, end + 1, "run")


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
    described = (comma and lower[cue] not in _ADJECTIVAL) or following == "("
    if plain and not described:
        return
    if comma or following in ("(", ":", "–", "—", "--", "which", "that"):
        yield Place(i, end, "object" if following not in ("which", "that", "(") else "weak")


_DESCRIBING = word_list("candidates.describing")


def _quote_end(tokens: Tokens, start: int, last: int) -> int:
    """Return where the quotation that opens at ``start`` ends; 0 where it is no short phrase."""
    begin = start + 1
    if begin < last and tokens.words[begin] in _OPEN_QUOTES:
        return 0
    for i in range(begin, min(begin + 6, last)):
        if tokens.words[i] in _CLOSE_QUOTES:
            return i if i > begin else 0
    return 0


def pairs(
    tokens: Tokens, first: int, last: int
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield short form and expansion as token ranges: ``Long Form (LF)`` and ``LF (Long Form)``.

    The letters of the short form must stand in order in the words of the long one, its first
    letter at the beginning of the first word (after Schwartz and Hearst, 2003).
    """
    words = tokens.words
    for i in range(first, last):
        if words[i] != "(":
            continue
        close = next((j for j in range(i + 1, min(i + 14, last)) if words[j] == ")"), 0)
        if not close or close == i + 1:
            continue
        inner = (i + 1, close)
        # A comma or semicolon ends the short form: "(FL, see below)".
        stop = next((j for j in range(i + 1, close) if words[j] in (",", ";", ":")), close)
        short = tokens.slice(i + 1, stop)
        if stop - i <= 4 and looks_short(short):
            begin = _expansion_start(tokens, short, first, i)
            if begin is not None:
                yield (i + 1, stop), (begin, i)
                continue
        if close - i > 2 and i > first and looks_short(words[i - 1]):
            begin = _expansion_start(tokens, words[i - 1], i + 1, close)
            if begin == i + 1:
                yield (i - 1, i), inner


def looks_short(text: str) -> bool:
    """Tell whether a string can be the short form of something longer."""
    letters = [letter for letter in text if letter.isalnum()]
    return (
        2 <= len(letters) <= 24
        and text[0].isalnum()
        and sum(letter.isupper() for letter in letters) >= 1
        and text.count(" ") <= 2
    )


def _expansion_start(tokens: Tokens, short: str, first: int, end: int) -> int | None:
    """Return where the words before ``end`` that ``short`` abbreviates begin, or None.

    The strictest match wins: all initials, then initials of the capitals, then letters in order.
    """
    letters = "".join(letter for letter in short.lower() if letter.isalpha())
    if short[-1:] == "s" and len(letters) > 2:
        letters = letters[:-1]
    capitals = "".join(letter.lower() for letter in short if letter.isupper())
    floor = max(first, end - max(2 * len(letters), len(letters) + 5) - 1)
    begins = [
        begin
        for begin in range(end - 1, floor - 1, -1)
        if tokens.lower[begin][0] == letters[:1] and tokens.lower[begin] not in _NO_BEGINNING
    ]
    # A digit repeats a letter: L2D is Light Latent-space Decoding.
    doubled = re.sub(r"([a-z])[2²]", r"\1\1", short.lower())
    doubled = "".join(letter for letter in doubled if letter.isalpha())
    tries = (
        (doubled, _by_initials),
        (letters, _by_initials),
        (letters, _by_capitals),
        (letters, _by_letters),
    )
    for wanted, match in tries:
        for begin in begins:
            if match(wanted, capitals, tokens.words[begin:end]):
                return _same_initial_before(tokens, begin, floor)
    return None


def _same_initial_before(tokens: Tokens, begin: int, floor: int) -> int:
    """Take in a capitalised word before that begins alike: [Neuron-wise] Normalized Muon."""
    words = tokens.words
    while begin > floor and words[begin - 1][0].isupper() and begin - 1 > 0:
        if words[begin - 1][0].lower() != words[begin][0].lower():
            break
        begin -= 1
    return begin


def _parts(words: tuple[str, ...]) -> list[str]:
    return [part for word in words for part in _parts_of(word)]


@lru_cache(maxsize=65_536)
def _parts_of(word: str) -> tuple[str, ...]:
    split = re.split(r"[-‑–/]", word)
    return tuple(part.lower() for part in split if part and part[0].isalnum())


def _by_initials(letters: str, capitals: str, words: tuple[str, ...]) -> bool:
    """Match the initials of all words, or of those that are no articles, or no joiners."""
    del capitals
    parts = _parts(words)
    every = "".join(part[0] for part in parts)
    bare = "".join(part[0] for part in parts if part not in _ARTICLES)
    content = "".join(part[0] for part in parts if part not in _SMALL)
    leading = len(letters) > 3 and content.startswith(letters) and len(content) <= len(letters) + 2
    return letters in (every, bare, content) or leading


def _by_capitals(letters: str, capitals: str, words: tuple[str, ...]) -> bool:
    """Match the capitals of the short form (SPLiCe) with the initials of the content words."""
    del letters
    content = "".join(part[0] for part in _parts(words) if part not in _SMALL)
    return len(capitals) > 1 and capitals == content


def _by_letters(letters: str, capitals: str, words: tuple[str, ...]) -> bool:
    """Match the letters in order, inner ones too, where most content words give their initial."""
    del capitals
    parts = _parts(words)
    content = [part for part in parts if part not in _SMALL]
    if not 1 < len(content) <= len(letters) + 1 or any(len(part) < 2 for part in content[:1]):
        return False
    position = 0
    used = 0
    for number, part in enumerate(parts):
        begun = position < len(letters) and part[0] == letters[position]
        used += begun and part in content
        following = parts[number + 1][0] if number + 1 < len(parts) else ""
        for at, letter in enumerate(part):
            # An inner letter counts only where the next word cannot give it.
            fits = position < len(letters) and letter == letters[position]
            position += fits and (at == 0 or letter != following)
    return position == len(letters) and used >= max(2, (2 * len(content)) // 3)


_ARTICLES = frozenset(("a", "an", "the", "or"))
_SMALL = _ARTICLES | _JOINERS
