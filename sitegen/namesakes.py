"""Papers with equal or close titles and the same authors: one paper, or a preprint and its article.

A title is evidence where it is long enough to be nobody else's and an author agrees; "Errata" by
two people is none. Part of dedup; pure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from sitegen.likeness import Text
from sitegen.overlap import sharing_pairs
from sitegen.records import Author
from sitegen.shingles import Hasher, words

LEAST_WORDS = 5
"""Words of a title that alone can make two records one paper."""
LEAST_LETTERS = 20
CLOSE_WORDS = 4
"""Words of a title that can be proposed with a close one."""
CLOSE = 0.75
"""Share of words in the same order, of both titles, from which on they are close."""
SHARED = 0.5
"""Share of the shorter list's authors that must stand in the other."""
YEARS = 2
"""Years between two records of one paper: a preprint waits for its article."""
MOST_COMMON = 50
"""A run of title words that more papers have is a habit of speech."""
_MOST_AUTHORS = 200
_MOST_WORDS = 60
_ARXIV_DOI = "10.48550/"
# A character of these scripts counts as a word, and tells more than a letter does.
_UNSPACED = "\u3040"
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Namesake:
    """Two texts, by position, whose titles and authors speak for one paper."""

    left: int
    right: int
    score: float
    """Share of their titles' words in the same order; 1 for equal titles."""
    same: bool
    """Whether that is enough; else it is for the curator."""


def find_namesakes(read: Sequence[Text]) -> tuple[Namesake, ...]:
    """Return the pairs of papers with equal or close titles; strongest first, then by position.

    Time grows with the papers that share three words of their titles in a row, each such run
    bounded by `MOST_COMMON`.
    """
    titles = {
        at: tokens
        for at, text in enumerate(read)
        if (title := text.restored.title)
        and len(tokens := tuple(words(title.text)[:_MOST_WORDS])) >= CLOSE_WORDS
    }
    cards = _Cards(read, titles)
    found = [
        pair
        for one, two in _candidates(titles, cards)
        if _may_agree(cards[one].families, cards[two].families)
        and (pair := _compare(cards[one], cards[two]))
    ]
    return tuple(sorted(found, key=lambda pair: (-pair.score, pair.left, pair.right)))


@dataclass(frozen=True, slots=True)
class _Card:
    """What a record is compared by."""

    at: int
    title: tuple[str, ...]
    people: frozenset[tuple[str, str]]
    """Family name and initial of each author; the initial empty where it is not known."""
    families: frozenset[str]
    year: int
    arxiv: str
    doi: str


class _Cards(dict[int, _Card]):
    """Cards by position, made when they are asked for: most titles share nothing with another."""

    def __init__(self, read: Sequence[Text], titles: Mapping[int, tuple[str, ...]]) -> None:
        super().__init__()
        self._read = read
        self._titles = titles

    def __missing__(self, at: int) -> _Card:
        meta = self._read[at].metadata
        each = (_plain_person(author) or _person(author) for author in meta.authors[:_MOST_AUTHORS])
        people = frozenset(filter(None, each))
        self[at] = card = _Card(
            at=at,
            title=self._titles[at],
            people=people,
            families=frozenset(family for family, _ in people),
            year=int(meta.date[:4] or 0),
            arxiv=meta.arxiv,
            doi=meta.doi.casefold(),
        )
        return card


def _plain_person(author: Author) -> tuple[str, str] | None:
    """Return `_person` of a name that hides nothing; None where it has to be looked at."""
    family, given = author.family, author.given
    if not family and not given:
        plain = author.name.isascii() and author.name.replace(" ", "").isalpha()
        whole = author.name.lower().split() if plain else []
        return (whole[-1], whole[0][0]) if len(whole) > 1 and whole[-1] not in _SUFFIXES else None
    if not (family.isascii() and family.isalpha() and given.isascii() and given[:1].isalpha()):
        return None
    return (family.lower(), given[0].lower()) if author.name == f"{given} {family}" else None


@lru_cache(maxsize=65536)
def _person(author: Author) -> tuple[str, str] | None:
    """Return what two spellings of a name have in common."""
    whole = words(author.name)
    if not whole:
        return None
    if whole[0] >= _UNSPACED or len(whole) == 1:
        return "".join(whole), ""
    family = words(author.family)
    if not family:
        ends = [word for word in whole if word not in _SUFFIXES]
        family = ends[-1:] or whole[-1:]
    given = words(author.given) if author.given else whole[:-1]
    return " ".join(family), given[0][0] if given else ""


def _candidates(titles: Mapping[int, tuple[str, ...]], cards: _Cards) -> Iterable[tuple[int, int]]:
    """Return the pairs, none twice, that share three words of their titles in a row."""
    hasher = Hasher()
    hashes = list(map(hasher.words, titles.values()))
    at = list(titles)
    pairs = dict.fromkeys(
        (at[one], at[two]) for one, two in sharing_pairs(hashes, most=MOST_COMMON)
    )
    equal: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, title in titles.items():
        equal[title].append(number)
    for holders in equal.values():
        if len(holders) > MOST_COMMON:
            # So many papers of one title: each is compared with the first of its authors' only.
            pairs.update(dict.fromkeys(_by_author(cards, holders)))
        elif len(holders) > 1:
            pairs.update(dict.fromkeys(combinations(holders, 2)))
    return pairs


def _by_author(cards: _Cards, holders: Sequence[int]) -> Iterator[tuple[int, int]]:
    firsts: dict[str, int] = {}
    for number in holders:
        for family in sorted(cards[number].families):
            if firsts.setdefault(family, number) != number:
                yield firsts[family], number


def _may_agree(one: frozenset[str], two: frozenset[str]) -> bool:
    """Tell fast whether two records may name the same author."""
    return not (one and two) or not one.isdisjoint(two)


def _compare(one: _Card, two: _Card) -> Namesake | None:
    if one.arxiv and two.arxiv and one.arxiv != two.arxiv:
        return None
    equal = one.title == two.title
    known = bool(one.people and two.people)
    if not known and not equal:
        return None
    if known and _shared(one, two) < SHARED:
        return None
    score = 1.0 if equal else _closeness(one.title, two.title)
    if score < CLOSE:
        return None
    long_enough = (
        len(one.title) >= LEAST_WORDS
        and sum(3 if word >= _UNSPACED else len(word) for word in one.title) >= LEAST_LETTERS
    )
    if not known and not long_enough:
        return None
    near_in_time = not (one.year and two.year) or abs(one.year - two.year) <= YEARS
    one_doi = not (one.doi and two.doi) or one.doi == two.doi
    return Namesake(
        left=one.at,
        right=two.at,
        score=round(score, 3),
        same=equal and long_enough and known and near_in_time and one_doi,
    )


def _shared(one: _Card, two: _Card) -> float:
    """Return the share of the shorter list's people that the other one names, too."""
    few, many = sorted((one.people, two.people), key=lambda people: (len(people), sorted(people)))
    initials: dict[str, set[str]] = defaultdict(set)
    for family, initial in many:
        initials[family].add(initial)
    hits = sum(
        1
        for family, initial in few
        if family in initials
        and (not initial or "" in initials[family] or initial in initials[family])
    )
    return hits / len(few)


def _closeness(one: Sequence[str], two: Sequence[str]) -> float:
    """Return the share of words in the same order; 0 where only numbers differ on both sides."""
    # Cheap first: words in common in any order; half is asked, since each counts only once here.
    bound = len(set(one) & set(two))
    if bound < min(len(set(one)), len(set(two))) and 2 * bound < CLOSE * (len(one) + len(two)) / 2:
        return 0.0
    length, rest = _common(one, two)
    if all(left and all(word.isdecimal() for word in left) for left in rest):
        return 0.0
    shorter = min(len(one), len(two))
    share = 2 * length / (len(one) + len(two))
    # A title that goes on: "Counting otters by ear" and "... at night".
    return max(share, CLOSE) if length == shorter else share


def _common(one: Sequence[str], two: Sequence[str]) -> tuple[int, tuple[list[str], list[str]]]:
    """Return the length of the longest common subsequence, and what is not in it on each side."""
    table = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for i, left in enumerate(one):
        for j, right in enumerate(two):
            same = table[i][j] + 1 if left == right else 0
            table[i + 1][j + 1] = max(same, table[i][j + 1], table[i + 1][j])
    rest: tuple[list[str], list[str]] = ([], [])
    i, j = len(one), len(two)
    while i or j:
        if i and j and one[i - 1] == two[j - 1]:
            i, j = i - 1, j - 1
        elif i and (not j or table[i - 1][j] >= table[i][j - 1]):
            i -= 1
            rest[0].append(one[i])
        else:
            j -= 1
            rest[1].append(two[j])
    return table[-1][-1], rest
