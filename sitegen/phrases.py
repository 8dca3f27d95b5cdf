"""Candidate phrases of a text: runs of content words, as they stand there; pure.

A candidate never crosses punctuation or a stop word, so that whatever is chosen from them can be
found in the text letter by letter (KeyBERT's own n-grams are cut after stop words were dropped).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from sitegen import languages
from sitegen.languages import data_lines

MAX_WORDS = 5
"""Of a longer run, its last five words are the candidate: English puts the head last."""
_MAX_LETTERS = 50  # a longer "word" is debris

# Marks belong to words of Indic and Thai scripts, which \w does not know.
_MARK = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0dff\u0e31-\u0e4e"
_HYPHEN = "\\-\u2010\u2011\u2013"
_LETTER = f"[^\\W_{_MARK}]"
_TOKEN = re.compile(
    rf"(?P<url>https?://\S+|www\.\S+|\S{{1,64}}@\S+)"
    rf"|\\?{_LETTER}(?:[^\W_]|[{_MARK}]|[{_HYPHEN}'\u2019&](?=[^\W_])|(?<=[0-9])\.(?=[0-9])"
    rf"|(?<=[A-Z])/(?=[A-Z]))*(?:\+{{1,2}}|\#)?"
)
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_MARK}]|[{_HYPHEN}'\u2019](?=[^\W_]))*")
_JOINTS = re.compile(f"[\\s{_HYPHEN}]+")
_UNIT = re.compile(
    r"[\d.,]+(?:x|k|m|b|t|s|h|ms|kb|mb|gb|tb|hz|khz|mhz|ghz|mm|cm|km|kg|mg|nm|db|fps|pp|th|st|nd|rd"
    r"|fold|shot-|day|hour|minute|page|year|point|percent)?|[\d.,]+[-\u2010\u2011\u2013][\d.,]+",
    re.IGNORECASE,
)
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One phrase where it stands."""

    surface: str
    """``text[start:start + len(surface)]``: hyphens, digits and capitals kept."""
    key: str
    """Lower case, NFKC, hyphens plain, plural of the last word folded; words joined by a space."""
    start: int

    @property
    def words(self) -> int:
        """Number of words, hyphenated ones counted as one."""
        return self.key.count(" ") + 1


STOP_WORDS = frozenset(data_lines("stop_words.txt"))
"""Function words, number words and empty nouns (``sitegen/data/stop_words.txt``)."""
_BREAKING = frozenset(data_lines("breaking_words.txt"))
_LY_NOUNS = frozenset(data_lines("ly_nouns.txt"))
_NOUN_VERBS = frozenset(data_lines("noun_verbs.txt"))
_WEAK_OPENERS = frozenset(data_lines("weak_openers.txt"))
_MODIFIERS = frozenset(data_lines("modifiers.txt"))
_PLURAL_MODIFIERS = frozenset(data_lines("plural_modifiers.txt"))
_SUFFIX_NOUNS = frozenset(data_lines("suffix_nouns.txt"))
_ADJECTIVE_ENDINGS = ("al", "ic", "ive", "ous", "able", "ible", "ful", "less", "ed")
_COMPOUND_ADJECTIVES = tuple("-" + ending for ending in data_lines("compound_endings.txt"))
_SINGULAR_ENDINGS = ("ss", "us", "is", "ics", "'s", "\u2019s")
_GENERIC = frozenset(data_lines("generic_words.txt"))
_GENERIC_OR_ALONE = _GENERIC | frozenset(data_lines("generic_alone.txt"))
EMPTY_WORDS = STOP_WORDS | _BREAKING | _GENERIC
"""Words that say nothing beside others."""
_PLURALS = {line.split()[0]: line.split()[-1] for line in data_lines("plural_exceptions.txt")}

# "models exhibit a bias": a run that runs into one of these ends with a verb, whatever the verb.
_AFTER_VERB = frozenset(data_lines("words_after_verbs.txt"))
# "we model", "can scale": a run right after one of these starts with a verb.
_BEFORE_VERB = frozenset(data_lines("words_before_verbs.txt"))


@lru_cache(maxsize=65536)
def fold_plural(word: str) -> str:
    """Return the singular of an English noun, as far as endings and a list of exceptions tell.

    Capitals are kept (``ViTs`` gives ``ViT``); of a hyphenated word the last part is folded.
    A word that only looks like a plural stays (bias, analysis, lens, physics, GPS).
    """
    cut = max(word.rfind(hyphen) for hyphen in "-\u2010\u2011\u2013") + 1
    head, tail = word[:cut], word[cut:]
    low = tail.lower()
    if low in _PLURALS:
        single = _PLURALS[low]
        return head + (tail if single == low else _like(tail, single))
    if tail[:-1].isupper() and tail.endswith("s") and "'" not in tail:  # LLMs, but not GPS
        return word[:-1]
    if not tail.endswith("s") or len(tail) < 4 or low.endswith(_SINGULAR_ENDINGS):
        return word
    if low.endswith("ies"):
        return word[:-3] + "y" if len(tail) > 4 else word[:-1]
    if low.endswith(("sses", "xes", "zzes", "ches", "shes", "oes")):
        return word[:-2]
    return word[:-1]


def _like(model: str, word: str) -> str:
    if model.isupper() and len(model) > 1:
        return word.upper()
    return word.capitalize() if model[:1].isupper() else word


@lru_cache(maxsize=65536)
def _normal(word: str) -> str:
    return re.sub(f"[{_HYPHEN}]", "-", unicodedata.normalize("NFKC", word)).replace("\u2019", "'")


@lru_cache(maxsize=65536)
def phrase_key(phrase: str) -> str:
    """Return what all spellings of one phrase share; equal keys mean one tag.

    Lower case, the plural of every word folded, hyphens and spaces dropped: ``Fine-Tuning``,
    ``fine tuning`` and ``finetuning`` all give ``finetuning``. Never stems: "generation" and
    "generalization" would become one.
    """
    parts = _JOINTS.split(_normal(phrase.strip()))
    return "".join(fold_plural(part) for part in parts).lower()


def words(text: str) -> tuple[str, ...]:
    """Return all words of a text in order: lower case, NFKC, hyphenated ones whole."""
    return tuple(_normal(word).lower() for word in _WORD.findall(text))


@lru_cache(maxsize=65536)
def is_generic(phrase: str) -> bool:
    """Tell whether a phrase says nothing by itself: "results", "experimental results".

    Words such as "language" or "network" are general alone, not in "language network".
    """
    parts = phrase.split()
    if len(parts) > 1:
        return all(map(is_generic_beside, parts))
    known = [fold_plural(word) for word in words(phrase)]
    general = _GENERIC_OR_ALONE if len(known) == 1 else _GENERIC
    return all(word in general or _breaks(word) for word in known)


@lru_cache(maxsize=65536)
def is_generic_beside(part: str) -> bool:
    """Tell whether a part of a phrase, up to the next space, says nothing beside others."""
    known = map(fold_plural, words(part))
    return all(word in _GENERIC or _breaks(word) for word in known)


@lru_cache(maxsize=65536)
def _breaks(word: str) -> bool:
    """Whether no candidate may hold this word (lower case)."""
    if word in STOP_WORDS or word in _BREAKING:
        return True
    return (word.endswith("ly") and word not in _LY_NOUNS) or _shapeless(word)


@lru_cache(maxsize=65536)
def _shapeless(word: str) -> bool:
    """Whether this is no word of a phrase in any language: debris, number, unit, unspaced run."""
    if len(word) < 2 or len(word) > _MAX_LETTERS or word.startswith("\\"):
        return True
    if not any(letter.isalpha() for letter in word):
        return True
    return bool(_UNIT.fullmatch(word)) or bool(_UNSPACED.search(word))


def _ends_subject(noun: str, following: str) -> bool:
    """Whether a phrase ends between a plural and the next word: "libraries | support sharing".

    English compounds hold singulars, but for a few nouns (news, sports) and names (Gibbs).
    """
    if fold_plural(noun) == noun:
        return False
    if noun[:1].isupper() and not noun[:-1].isupper() and following not in _NOUN_VERBS:
        return False
    return noun.lower() not in _PLURAL_MODIFIERS


@lru_cache(maxsize=65536)
def _modifies(word: str) -> bool:
    """Whether a word (lower case) is an adjective, participle or adverb, which end no phrase."""
    if word in _MODIFIERS or word.endswith(_COMPOUND_ADJECTIVES):
        return True
    if word.endswith("ly"):
        return word not in _LY_NOUNS
    return len(word) > 4 and word.endswith(_ADJECTIVE_ENDINGS) and word not in _SUFFIX_NOUNS


def candidates(text: str) -> list[Candidate]:
    """Return every candidate phrase of a text, in order, one for each place where it stands.

    Runs of content words are cut at punctuation, stop words, academic verbs and adverbs; of a run
    its last five words are taken. Linear in the length of the text. Texts in other languages are
    cut at their own function words where these are known; where not, only runs of one or two
    words count, so that no sentence passes for a phrase.
    """
    return list(_candidates(text))


class _Token(NamedTuple):
    """A word or address where it stands."""

    surface: str
    word: str
    """Lower case, NFKC, hyphens plain."""
    start: int
    end: int
    url: bool


def _tokens(text: str) -> list[_Token]:
    tokens = []
    for match in _TOKEN.finditer(text):
        surface = match.group()
        url = match.lastgroup == "url"
        tokens.append(_Token(surface, _folded(surface), match.start(), match.end(), url))
    return tokens


@lru_cache(maxsize=65536)
def _folded(surface: str) -> str:
    return _normal(surface).lower()


def _candidates(text: str) -> Iterator[Candidate]:
    tokens = _tokens(text)
    language = languages.language_of([token.word for token in tokens], STOP_WORDS)
    if language != languages.ENGLISH:
        yield from _foreign(text, tokens, language)
        return
    lower = {token.surface for token in tokens if token.surface.islower()}
    run: list[_Token] = []
    before = ""  # the word in front of the run, where only a space parts them
    end = 0
    for token, following in zip_longest(tokens, tokens[1:]):
        surface, word = token.surface, token.word
        touching = text[end : token.start].isspace()
        end = token.end
        breaks = _breaks(word) and not (
            (touching and run and following and _in_name(run, token, following))
            or (following and _qualifies(token, following, text))
        )
        if breaks or token.url or _owns(word, surface):
            if run:
                yield from _phrase(text, run, before, surface if touching else "")
            run, before = [], "" if token.url else word
            yield from _unspaced(token)
            continue
        if run and (not touching or _opens_sentence(surface, run[-1].surface, lower)):
            yield from _phrase(text, run, before, "")
            run, before = [], ""
        elif run and _ends_subject(run[-1].surface, word):
            yield from _phrase(text, run, before, "")
            run, before = [], word
            if word in _NOUN_VERBS:
                continue
        elif not touching:
            before = ""
        run.append(token)
    if run:
        yield from _phrase(text, run, before, "")


def _unspaced(token: _Token) -> Iterator[Candidate]:
    if not token.surface.isascii() and not token.url and _UNSPACED.search(token.surface):
        for start, term in languages.unspaced_terms(token.surface):
            yield Candidate(term, _normal(term).lower(), token.start + start)


def _foreign(text: str, tokens: list[_Token], language: str) -> Iterator[Candidate]:
    """Yield the runs between function words of another language, as they stand."""
    function_words = languages.function_words(language)
    longest = MAX_WORDS if function_words else 2
    run: list[_Token] = []
    end = 0
    for token in [*tokens, None]:
        kept = token and not (token.url or _shapeless(token.word))
        kept = kept and token and token.word not in function_words
        if run and not (kept and token and text[end : token.start].isspace()):
            if len(run) <= longest:
                surface = text[run[0].start : run[-1].end]
                yield Candidate(surface, _normal(surface).lower(), run[0].start)
            run = []
        if token:
            end = token.end
            yield from _unspaced(token)
        if token and kept:
            run.append(token)


def _qualifies(token: _Token, following: _Token, text: str) -> bool:
    """Whether an adverb makes a term with the next word: "weakly supervised"."""
    adverb, word = token.word, following.word
    return (
        adverb.endswith("ly")
        and adverb not in _BREAKING
        and adverb not in STOP_WORDS
        and text[token.end : following.start].isspace()
        and word.endswith(("ed", "able", "ible"))
        and not _breaks(word)
    )


def _owns(word: str, surface: str) -> bool:
    """Whether a word is a possessive that no term begins with: "model's", unlike "Zipf's"."""
    return word.endswith("'s") and not (surface[:-2].istitle() and not _breaks(word[:-2]))


def _in_name(run: list[_Token], token: _Token, following: _Token) -> bool:
    """Whether a word that would break a run stands inside a name: "Mass Rapid Transit"."""
    return token.word in _BREAKING and all(
        one.surface[0].isupper() for one in (run[-1], token, following)
    )


def _opens_sentence(word: str, previous: str, lower: set[str]) -> bool:
    """Whether a word starts a sentence although no full stop is in front of it: "plane Vectors"."""
    return word.istitle() and previous[0].islower() and word.lower() in lower


def _phrase(text: str, run: list[_Token], before: str, after: str) -> Iterator[Candidate]:
    """Yield the candidate of a run, if anything is left once its ends are trimmed."""
    if after in _AFTER_VERB:
        run = run[:-1]
    if run and before in _BEFORE_VERB:
        run = run[1:]
    adverb = before.endswith("ly") and before not in _LY_NOUNS
    if len(run) > 1 and (before == "to" or adverb) and run[0].word in _NOUN_VERBS:
        run = run[1:]
    while run and _modifies(run[-1].word):
        run = run[:-1]
    while run and (run[0].word in _WEAK_OPENERS or (len(run) > 1 and _announces(run))):
        run = run[1:]
    if not run:
        return
    run = run[-MAX_WORDS:]
    surface = text[run[0].start : run[-1].end]
    parts = [_normal(token.surface) for token in run]
    parts[-1] = fold_plural(parts[-1])
    yield Candidate(surface, " ".join(parts).lower(), run[0].start)


def _announces(run: list[_Token]) -> bool:
    """Whether a run is a general noun and a name: "framework AndroidGen"."""
    first, last = run[0].surface, run[-1].surface
    return first in _GENERIC and any(letter.isupper() for letter in last)
