"""What speaks for and against a candidate being a name that the paper introduces.

Each feature has a name a reader can understand; ``explain_names`` shows them. A candidate's vector
is made of its shape, of the words before and after each of its places (a flag is 1 where any place
has it), of where it stands, and of what is known about its words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sitegen.naming.candidates import Candidate, is_odd, key_of
from sitegen.naming.lexicon import Lexicon
from sitegen.naming.tokens import Tokens
from sitegen.naming.wordlists import word_list

_FLAGS_BEFORE = {
    "after_we_propose": "introduce introduces propose proposes present presents develop develops "
    "introducing proposing presenting developing devise design create unveil describe establish "
    "formulate",
    "after_release": "release releases releasing build construct collect curate contribute provide "
    "offer constructing building creating curating collecting",
    "after_called": "called dubbed termed coined named namely term dub denoted name call coin "
    "titled",
    "after_as": "as",
    "after_our": "our",
    "after_proposed": "proposed introduced presented resulting",
    "after_the": "the",
    "after_a": "a an",
    "after_of": "of",
    "after_on": "on",
    "after_in": "in",
    "after_with": "with",
    "after_by": "by",
    "after_using": "using via through use uses utilize leverage leverages leveraging employ "
    "employing apply applying utilizing",
    "after_than": "than over",
    "after_and": "and or",
    "after_like": "like including e.g g",
    "after_on_top": "based upon",
    "after_outperforms": "outperforms outperform outperforming surpasses surpass surpassing "
    "exceeds beats",
    "after_that": "that where while",
    "after_for": "for to",
    "after_show": "show demonstrate evaluate evaluating of",
    "after_comma": ",",
    "after_bracket": "( [",
    "after_quote": "\" “ ‘ ' « `",
    "after_dash": "– — -- : -",
    "after_sort": "framework method model dataset benchmark approach system architecture algorithm "
    "technique metric corpus pipeline tool module network suite mechanism strategy",
}
_FLAGS_AFTER = {
    "before_is": "is are",
    "before_comma": ",",
    "before_bracket": "(",
    "before_close": ") ]",
    "before_full_stop": ".",
    "before_which": "which that",
    "before_possessive": "'s ’s",
    "before_and": "and or",
    "before_quote": "\" ” ’ ' » `",
    "before_dash": "– — -- :",
    "before_we": "we",
    "before_sort": "framework method model dataset benchmark approach system architecture "
    "algorithm technique metric corpus pipeline tool module suite mechanism strategy",
    "before_thing": "models datasets benchmarks methods baselines networks variants families tasks "
    "dataset benchmark benchmarks leaderboard family series architecture architectures backbone",
    "before_verb": "achieves outperforms improves reduces leverages integrates employs introduces "
    "consists combines uses utilizes enables provides addresses surpasses demonstrates delivers "
    "yields attains operates incorporates adopts exploits extends enhances learns generates "
    "generalizes offers achieve outperform exhibits maintains supports allows performs works "
    "significantly consistently effectively not first also can aims",
    "before_data_verb": "contains comprises includes covers features spans provides consists "
    "encompasses consisting containing comprising covering",
    "before_for": "for to in on",
}
_BEFORE = {word: name for name, words in _FLAGS_BEFORE.items() for word in words.split()}
_AFTER: dict[str, tuple[str, ...]] = {}
for _name, _words in _FLAGS_AFTER.items():
    for _word in _words.split():
        _AFTER[_word] = (*_AFTER.get(_word, ()), _name)

_PROPOSE = word_list("features.propose")
_SELF = word_list("features.self")
_OTHERS = word_list("features.others")
_RIVALS = word_list("features.rivals")
_SORTS = word_list("features.sorts")
_ARTICLES = frozenset(("a", "an", "the", "our", "one", "new", "novel"))

_THROUGH = frozenset(("the", "a", "an", "our", '"', "“", "'", "‘", "`"))
_GOVERNING = frozenset(("after_called", "after_we_propose", "after_as", "after_release"))
_SETS_OFF = frozenset((",", "–", "—", "--", ":", ")", "-"))
_JOINING = frozenset((",", "and", "or"))

NAMES = (
    *_FLAGS_BEFORE,
    *_FLAGS_AFTER,
    "own_proposal_before",
    "using_before",
    "cue_before_mean",
    "cue_before_best",
    "cue_after_mean",
    "cue_after_best",
    "cue_both_best",
    "cue_first",
    "propose_within_3",
    "propose_within_8",
    "called_within_3",
    "our_within_3",
    "we_before",
    "article_described",
    "is_described",
    "first_word",
    "first_word_share",
    "rival_before",
    "listed",
    "in_brackets",
    "in_own_sentence",
    "in_others_sentence",
    "way_coined",
    "way_part",
    "way_quoted",
    "way_object",
    "way_weak",
    "way_run",
    "way_head",
    "odd",
    "all_capitals",
    "has_digit",
    "has_hyphen",
    "has_capital",
    "one_capitalised",
    "capitalised_words",
    "words",
    "letters",
    "small_words",
    "ends_with_sort",
    "joined_words",
    "common_word",
    "rarest_word",
    "known",
    "known_cased",
    "count",
    "count_share",
    "count_rank",
    "sentences",
    "first_place",
    "first_sentence",
    "last_place",
    "has_partner",
    "is_short",
    "partner_proposed",
    "partner_known",
    "partner_first_sentence",
    "in_address",
    "inside_other",
    "holds_other",
    "candidates",
    "earlier_proposed",
    "paper_proposes",
)
_INDEX = {name: position for position, name in enumerate(NAMES)}
_ADDRESS = re.compile(r"https?://\S+|(?:github|huggingface)\.\w+/\S+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Described:
    """A candidate with its feature vector, in the order of NAMES."""

    candidate: Candidate
    values: tuple[float, ...]


def describe(
    candidates: dict[str, Candidate], tokens: Tokens, lexicon: Lexicon
) -> tuple[Described, ...]:
    """Return the vector of each candidate; values are flags, counts, shares and logarithms."""
    sentence_of = [0] * len(tokens.words)
    marks: list[tuple[bool, bool, bool]] = []
    for number, (first, last) in enumerate(tokens.sentences):
        sentence_of[first:last] = [number] * (last - first)
        words = set(tokens.lower[first:last])
        marks.append((bool(words & _SELF), bool(words & _OTHERS), bool(words & _PROPOSE)))
    address = key_of(" ".join(_ADDRESS.findall(tokens.text)))
    rows = [
        _one(candidate, tokens, lexicon, sentence_of, marks) for candidate in candidates.values()
    ]
    _relate(rows, candidates, address, marks, tokens)
    return tuple(
        Described(candidate, tuple(row))
        for candidate, row in zip(candidates.values(), rows, strict=True)
    )


def _one(
    candidate: Candidate,
    tokens: Tokens,
    lexicon: Lexicon,
    sentence_of: Sequence[int],
    marks: Sequence[tuple[bool, bool, bool]],
) -> list[float]:
    row = [0.0] * len(NAMES)
    total = max(len(tokens.words), 1)
    seen: set[tuple[int, int]] = set()
    starts = 0
    for place in candidate.places:
        ways = _INDEX.get(f"way_{place.way}")
        if ways is not None:
            row[ways] = 1.0
        if (place.start, place.end) in seen:
            continue
        seen.add((place.start, place.end))
        number = sentence_of[place.start]
        first, last = tokens.sentences[number]
        _before(row, tokens, place.start, first)
        _after(row, tokens, place.end, last)
        _raise(row, "listed", _listed(tokens, (place.start, place.end), (first, last)))
        starts += place.start == first
        own, others, _ = marks[number]
        row[_INDEX["in_own_sentence"]] += own
        row[_INDEX["in_others_sentence"]] += others and not own
    spans = sorted(seen)
    count = len(spans)
    _cues(row, tokens, spans, sentence_of, lexicon)
    row[_INDEX["in_own_sentence"]] /= count
    row[_INDEX["in_others_sentence"]] /= count
    row[_INDEX["first_word"]] = float(starts > 0)
    row[_INDEX["first_word_share"]] = starts / count
    row[_INDEX["count"]] = min(count, 12)
    row[_INDEX["sentences"]] = len({sentence_of[start] for start, _ in spans})
    row[_INDEX["first_place"]] = spans[0][0] / total
    row[_INDEX["last_place"]] = spans[-1][0] / total
    row[_INDEX["first_sentence"]] = min(sentence_of[spans[0][0]], 12)
    _shape(row, candidate, tokens, lexicon, spans[0])
    return row


def _raise(row: list[float], name: str, held: object) -> None:
    """Set a flag where the condition holds; it stays once set."""
    if held:
        row[_INDEX[name]] = 1.0


def _before(row: list[float], tokens: Tokens, start: int, first: int) -> None:
    """Set the flags that the words before one place give."""
    lower = tokens.lower
    governor = start - 1
    name = _BEFORE.get(lower[governor]) if governor >= first else None
    _raise(row, name or "after_the", name)
    # Look through an opening bracket or quote and an article to what governs the name.
    while governor > first and lower[governor] in _THROUGH:
        governor -= 1
        name = _BEFORE.get(lower[governor])
        _raise(row, name or "after_the", name in _GOVERNING)
    near = lower[max(first, start - 3) : start]
    far = lower[max(first, start - 9) : start]
    _raise(row, "propose_within_3", any(word in _PROPOSE for word in near))
    _raise(row, "propose_within_8", any(word in _PROPOSE for word in far))
    _raise(row, "called_within_3", any(_BEFORE.get(word) == "after_called" for word in near))
    _raise(row, "our_within_3", "our" in near)
    _raise(row, "we_before", "we" in far)
    row[_INDEX["rival_before"]] += any(word in _RIVALS for word in far)
    bracketed = lower[max(first, start - 12) : start]
    row[_INDEX["in_brackets"]] += bracketed.count("(") > bracketed.count(")")


def _after(row: list[float], tokens: Tokens, end: int, last: int) -> None:
    """Set the flags that the words after one place give."""
    lower = tokens.lower
    after, second, third = (*lower[end : min(end + 3, last)], "", "", "")[:3]
    for name in _AFTER.get(after, ()):
        _raise(row, name, True)
    described = second in _ARTICLES or (second == "," and third in _ARTICLES)
    _raise(row, "article_described", after in _SETS_OFF and described)
    _raise(row, "is_described", after in ("is", "are") and second in _ARTICLES)


def _listed(tokens: Tokens, span: tuple[int, int], sentence: tuple[int, int]) -> bool:
    """Tell whether a place is a member of a list whose neighbours are written oddly too."""
    (start, end), (first, last) = span, sentence
    before = tokens.lower[start - 1] if start > first else ""
    after = tokens.lower[end] if end < last else ""
    joined = before in _JOINING or after in _JOINING
    left = start - 2 >= first and is_odd(tokens.words[start - 2])
    return joined and (left or (end + 1 < last and is_odd(tokens.words[end + 1])))


def _cues(
    row: list[float],
    tokens: Tokens,
    spans: Sequence[tuple[int, int]],
    sentence_of: Sequence[int],
    lexicon: Lexicon,
) -> None:
    """Set what the very words before and after say, as counted over arXiv titles (log odds)."""
    befores: list[float] = []
    afters: list[float] = []
    for start, end in spans:
        first, last = tokens.sentences[sentence_of[start]]
        before, after = cue_words(tokens, start, end, first, last)
        befores.append(sum(lexicon.cues.get(cue, 0.0) for cue in before))
        afters.append(sum(lexicon.cues.get(cue, 0.0) for cue in after))
        clause = tokens.lower[first:start]
        owned = next((i for i, word in enumerate(clause) if word in _SELF), len(clause))
        if any(word in _PROPOSE for word in clause[owned:]):
            row[_INDEX["own_proposal_before"]] = 1.0
        if any(_BEFORE.get(word) == "after_using" for word in clause[-9:]):
            row[_INDEX["using_before"]] += 1.0
    both = [before + after for before, after in zip(befores, afters, strict=True)]
    row[_INDEX["cue_before_mean"]] = sum(befores) / len(befores)
    row[_INDEX["cue_before_best"]] = max(befores)
    row[_INDEX["cue_after_mean"]] = sum(afters) / len(afters)
    row[_INDEX["cue_after_best"]] = max(afters)
    row[_INDEX["cue_both_best"]] = max(both)
    row[_INDEX["cue_first"]] = both[0]


def cue_words(
    tokens: Tokens, start: int, end: int, first: int, last: int
) -> tuple[tuple[str, str, str], tuple[str, str]]:
    """Return the marked words around a place whose odds are counted: three before, two after."""
    lower = tokens.lower
    return (
        (
            "1<" + (lower[start - 1] if start > first else "^"),
            "2<" + (lower[start - 2] if start - 1 > first else "^"),
            "3<" + (lower[start - 3] if start - 2 > first else "^"),
        ),
        (
            "1>" + (lower[end] if end < last else "$"),
            "2>" + (lower[end + 1] if end + 1 < last else "$"),
        ),
    )


def _shape(
    row: list[float],
    candidate: Candidate,
    tokens: Tokens,
    lexicon: Lexicon,
    span: tuple[int, int],
) -> None:
    words = tokens.words[span[0] : span[1]]
    text = candidate.text
    letters = [letter for letter in text if letter.isalpha()]
    capitals = sum(letter.isupper() for letter in letters)
    row[_INDEX["odd"]] = float(any(is_odd(word) for word in words))
    row[_INDEX["all_capitals"]] = float(bool(letters) and capitals == len(letters))
    row[_INDEX["has_digit"]] = float(any(letter.isdigit() for letter in text))
    row[_INDEX["has_hyphen"]] = float("-" in text)
    row[_INDEX["has_capital"]] = float(capitals > 0)
    row[_INDEX["one_capitalised"]] = float(len(words) == 1 and capitals == 1 and text[0].isupper())
    row[_INDEX["capitalised_words"]] = sum(word[0].isupper() for word in words)
    row[_INDEX["words"]] = len(words)
    row[_INDEX["letters"]] = len(candidate.key)
    row[_INDEX["small_words"]] = sum(word[0].islower() for word in words)
    row[_INDEX["ends_with_sort"]] = float(words[-1].lower() in _SORTS)
    parts = [part for word in words for part in re.split(r"[-–/]", word.lower()) if part]
    row[_INDEX["joined_words"]] = len(parts)
    frequencies = [lexicon.frequency(part) for part in parts] or [0.0]
    row[_INDEX["common_word"]] = max(frequencies)
    row[_INDEX["rarest_word"]] = min(frequencies)
    row[_INDEX["known"]] = lexicon.known(candidate.key)
    row[_INDEX["known_cased"]] = max((lexicon.known(key_of(word)) for word in words), default=0.0)


def _relate(
    rows: list[list[float]],
    candidates: dict[str, Candidate],
    address: str,
    marks: Sequence[tuple[bool, bool, bool]],
    tokens: Tokens,
) -> None:
    """Set the features that compare a candidate with the others of its text."""
    if not rows:
        return
    order = list(candidates)
    at = {key: position for position, key in enumerate(order)}
    counts = [row[_INDEX["count"]] for row in rows]
    most = max(counts)
    ranked = sorted(range(len(rows)), key=lambda i: (-counts[i], i))
    rank = {i: position for position, i in enumerate(ranked)}
    joined = "\n".join(order)
    proposed_before = False
    proposes = sum(proposing and own for own, _, proposing in marks)
    for i, key in enumerate(order):
        row, candidate = rows[i], candidates[key]
        row[_INDEX["count_share"]] = counts[i] / most
        row[_INDEX["count_rank"]] = min(rank[i], 20)
        row[_INDEX["candidates"]] = min(len(rows), 40)
        row[_INDEX["in_address"]] = float(len(key) > 2 and key in address)
        row[_INDEX["inside_other"]] = min(joined.count(key) - 1, 5)
        row[_INDEX["holds_other"]] = float(
            candidate.places[0].end - candidate.places[0].start > 1
            and any(other != key and len(other) > 2 and other in key for other in order[:60])
        )
        row[_INDEX["paper_proposes"]] = min(proposes, 4)
        row[_INDEX["earlier_proposed"]] = float(proposed_before)
        proposed_before |= row[_INDEX["propose_within_3"]] > 0 and row[_INDEX["odd"]] > 0
        if candidate.partner:
            partner = rows[at[candidate.partner]]
            row[_INDEX["has_partner"]] = 1.0
            row[_INDEX["is_short"]] = float(candidate.is_short)
            row[_INDEX["partner_proposed"]] = max(
                partner[_INDEX["propose_within_8"]], partner[_INDEX["after_called"]]
            )
            row[_INDEX["partner_known"]] = partner[_INDEX["known"]]
            row[_INDEX["partner_first_sentence"]] = partner[_INDEX["first_sentence"]]
    del tokens
