"""The words of a text as tags see them: hyphens cut, plurals folded, short forms spelled out; pure.

Learned short forms: a text that says "retrieval-augmented generation (RAG)" tells what RAG means,
to itself and, where no other text disagrees, to the whole digest.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, islice

from sitegen.phrases import fold_plural

# Scripts written without spaces are read letter by letter; marks belong to Indic and Thai words.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_MARK = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0dff"
_LETTER = rf"(?:(?![{_UNSPACED}])(?:[^\W_]|[{_MARK}]))"
_ENDING = r"(?:\+\+?(?!\w)|\#(?!\w))?"
_WORD = re.compile(rf"([{_UNSPACED}]|{_LETTER}+(?:(?<=[0-9])\.(?=[0-9]){_LETTER}+)*{_ENDING})")
# The same where no letter needs a closer look; many times faster.
_PLAIN_WORD = re.compile(rf"([^\W_]+(?:(?<=[0-9])\.(?=[0-9])[^\W_]+)*{_ENDING})")
_ODD_LETTER = re.compile(f"[{_UNSPACED}{_MARK}]")
_JOINT = re.compile(r"[\s\-\u2010-\u2013\u2019'~]*")
_SHORT_FORM = re.compile(r"\(\s*[\"“'‘]?([^\W\d_][^\W_]{1,9})[\"”'’]?\s*[),;]")
_LONG_FORM = re.compile(r"\(([^()]{5,80})\)")
_BEFORE_BRACKET = re.compile(r"(?<![\w-])([^\W\d_][^\W_]{1,9})\s+\Z")
_MINOR = frozenset(
    ["a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "the", "to", "via"]
)
_REACH = 10
"""Words before a bracket in which its long form is sought."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The words of one text; all tuples run in parallel."""

    text: str
    surfaces: tuple[str, ...]
    """As they stand, cut at hyphens."""
    starts: tuple[int, ...]
    ends_of_run: tuple[int, ...]
    """For each word, the position after the last one that no punctuation parts from it."""
    keys: tuple[str, ...]
    """Folded: lower case, singular; of a known short form the whole long form."""

    def spans(self, key: str) -> list[tuple[int, int]]:
        """Return the places of a key as (first word, after the last word)."""
        found = []
        for start, first in enumerate(self.keys):
            if not key.startswith(first):
                continue
            joined = ""
            for end in range(start, self.ends_of_run[start]):
                joined += self.keys[end]
                if joined == key:
                    found.append((start, end + 1))
                if len(joined) >= len(key):
                    break
        return found

    def surface(self, start: int, end: int) -> str:
        """Return the text from word ``start`` to before word ``end``."""
        return self.text[self.starts[start] : self.starts[end - 1] + len(self.surfaces[end - 1])]


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """Return the key of one word: singular, NFKC, lower case."""
    return fold_plural(unicodedata.normalize("NFKC", word)).casefold()


def single(word: str) -> str:
    """Return the singular of an acronym, capitals kept."""
    return fold_plural(word)


def singular(phrase: str) -> str:
    """Return a phrase with the plural of each of its words folded; capitals and marks stay."""
    return _WORD.sub(lambda match: fold_plural(match.group()), phrase)


@lru_cache(maxsize=65536)
def key_of(phrase: str) -> str:
    """Return what all spellings of a phrase share; short forms are not known here."""
    return "".join(map(fold, word_pieces(phrase)[1::2]))


def word_pieces(text: str) -> list[str]:
    """Cut a text into joints and words by turns, the first and the last one a joint."""
    return _pattern(text).split(text)


def _pattern(text: str) -> re.Pattern[str]:
    return _PLAIN_WORD if text.isascii() or not _ODD_LETTER.search(text) else _WORD


@lru_cache(maxsize=4096)
def joins(joint: str) -> bool:
    """Tell whether what stands between two words leaves them in one phrase."""
    return joint == " " or _JOINT.fullmatch(joint) is not None


def split_words(text: str, short_forms: Mapping[str, str] | None = None) -> Wording:
    """Cut a text into words.

    Args:
        text: any text.
        short_forms: singular of a short form, capitals kept, to the key of its long form.
    """
    short_forms = short_forms or {}
    pieces = word_pieces(text)
    surfaces = tuple(pieces[1::2])
    offsets = list(accumulate(map(len, pieces)))
    count = len(surfaces)
    ends = [count] * count
    for i in range(count - 2, -1, -1):
        ends[i] = ends[i + 1] if joins(pieces[2 * i + 2]) else i + 1
    return Wording(
        text=text,
        surfaces=surfaces,
        starts=tuple(offsets[0:-1:2]),
        ends_of_run=tuple(ends),
        keys=tuple([short_forms.get(single(word)) or fold(word) for word in surfaces]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortForms:
    """What short forms mean: keys of their long forms by their singular, capitals kept."""

    own: tuple[Mapping[str, str], ...]
    """What each text defines itself; goes before the digest's."""
    shared: Mapping[str, str]
    """The digest's."""
    long_forms: Mapping[str, str]
    """Key of a long form to its commonest spelling."""

    def of(self, text: int) -> Mapping[str, str]:
        """Return what is known in one text, by its number."""
        return {**self.shared, **self.own[text]}


def learn_short_forms(
    counts: Sequence[int], shorts: Sequence[str], longs: Sequence[str]
) -> ShortForms:
    """Learn "long form (SF)" and "SF (long form)" from the `definitions` of all texts.

    A text's own definition counts for it. The digest's is what two texts or more, and two thirds of
    the defining ones, agree on; a short form without such a majority stays as it is elsewhere.

    Args:
        counts: of definitions in each text.
        shorts: the short forms of all texts, one text after the other.
        longs: their long forms.
    """
    own: list[dict[str, str]] = []
    spellings: dict[str, Counter[str]] = {}
    meanings: dict[str, Counter[str]] = {}
    pairs = zip(shorts, longs, strict=True)
    for count in counts:
        mine: dict[str, str] = {}
        for short, long in islice(pairs, count):
            key = key_of(long)
            if mine.setdefault(short, key) == key:
                spellings.setdefault(key, Counter())[long] += 1
        for short, key in mine.items():
            meanings.setdefault(short, Counter())[key] += 1
        own.append(mine)
    shared: dict[str, str] = {}
    for short, meant in meanings.items():
        key, votes = min(meant.items(), key=lambda item: (-item[1], item[0]))
        if votes >= 2 and votes * 3 >= meant.total() * 2:
            shared[short] = key
    return ShortForms(
        own=tuple(own),
        shared=shared,
        long_forms={
            key: min(forms, key=lambda spelling: (-forms[spelling], spelling))
            for key, forms in sorted(spellings.items())
        },
    )


def definitions(text: str) -> list[tuple[str, str]]:
    """Return the short forms that a text defines, each with its long form as it stands there."""
    found = []
    turned = []
    at = text.find("(")
    while at >= 0:
        match = _SHORT_FORM.match(text, at)
        short = single(match[1]) if match else ""
        if _plausible(short) and (long := long_form(short, text[max(0, at - 200) : at])):
            found.append((short, long))
        before = _BEFORE_BRACKET.search(text, max(0, at - 40), at)
        inner = _LONG_FORM.match(text, at) if before and _plausible(before[1]) else None
        if before and inner:
            short = single(before[1])
            if _plausible(short) and long_form(short, inner[1]) == inner[1].strip():
                turned.append((short, inner[1].strip()))
        at = text.find("(", at + 1)
    return found + turned


def _plausible(short: str) -> bool:
    return sum(letter.isupper() for letter in short) >= 2


def long_form(short: str, before: str) -> str:
    """Return the words at the end of ``before`` whose initials, read backwards, spell ``short``.

    Every word of weight must give its initial and may give further letters in order; small words
    such as "of" may give theirs. Empty where nothing fits.
    """
    matches = list(_pattern(before).finditer(before))[-_REACH:]
    if not matches or _JOINT.fullmatch(before, matches[-1].end(), len(before)) is None:
        return ""
    words = [match.group().lower() for match in matches]
    letters = short.lower()
    memo: dict[tuple[int, int], int | None] = {}

    def start_of(left: int, word: int) -> int | None:
        """First word of a match of ``letters[:left]`` with the words up to ``word``."""
        if left == 0:
            return word + 1
        if word < 0:
            return None
        if (left, word) not in memo:
            memo[left, word] = search(left, word)
        return memo[left, word]

    def search(left: int, word: int) -> int | None:
        found = []
        for taken in range(1, left + 1):
            piece = letters[left - taken : left]
            if piece[0] == words[word][0] and _in_order(piece, words[word]):
                found.append(start_of(left - taken, word - 1))
        if words[word] in _MINOR:
            found.append(start_of(left, word - 1))
        return max((start for start in found if start is not None), default=None)

    start = start_of(len(letters), len(words) - 1)
    if start is None or len(words) - start < 2 or words[start] in _MINOR:
        return ""
    for left, right in zip(matches[start:], matches[start + 1 :], strict=False):
        if _JOINT.fullmatch(before, left.end(), right.start()) is None:
            return ""
    return before[matches[start].start() : matches[-1].end()]


def _in_order(piece: str, word: str) -> bool:
    letters = iter(word)
    return all(letter in letters for letter in piece)
