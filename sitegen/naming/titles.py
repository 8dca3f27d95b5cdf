"""Drafts of a headline, what speaks for each, and the model that picks one."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from sitegen.naming.candidates import key_of
from sitegen.naming.clauses import Core, Tagged
from sitegen.naming.compression import MAX_WORDS, Body, bodies, gerund_of
from sitegen.naming.lexicon import Lexicon
from sitegen.naming.tokens import Tokens
from sitegen.naming.trees import Trees, read_trees

MAX_DRAFTS = 160
"""Most drafts that are scored for one paper."""

KINDS = (
    "beside object is verb purpose finding study asked act question passive first for expansion "
    "expansion_for described_for described_to"
).split()
ENDINGS = "whole comma preposition to that participle".split()
_STEM_ENDINGS = "ational ization isation ations ation ings ing ies es ed s al e y".split()
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Draft:
    """One possible headline of a paper."""

    text: str
    body: str
    """The headline without the name before its colon."""
    kind: str
    parts: tuple[Body, ...]
    named: bool


@dataclass(frozen=True, slots=True)
class Weights:
    """What ``tools/train_names.py`` learnt from titles."""

    salience: Trees
    """Log odds that a word of the abstract stands in the title."""
    rank: Trees
    """Expected agreement (ROUGE-L) of a draft with the title."""
    rates: Mapping[str, float]
    """Log odds by stem of standing in the title where it stands in the abstract."""
    openings: Mapping[str, float]
    """Logarithm of the count of titles that begin with the word."""


@dataclass(slots=True)
class Reading:
    """A paper read for its headline: everything the drafts are made from and judged by."""

    tagged: Tagged
    cores: Sequence[Core]
    name: str
    """Main name as shown; empty where the paper introduces none."""
    places: Sequence[tuple[int, int]]
    """Token ranges of the main name in any form."""
    expansions: Sequence[tuple[int, int]]
    """Token ranges at which the expansion of the main name stands."""
    kept_case: frozenset[int]
    """Tokens that keep their capitals: parts of names."""
    stems: Sequence[str] = field(default_factory=tuple)
    salience: Mapping[str, float] = field(default_factory=dict)


def stem(word: str) -> str:
    """Return a word in lower case without a common ending; at least three letters stay."""
    word = word.lower()
    for ending in _STEM_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def stems_of(text: str) -> list[str]:
    """Return the stems of a text's words, hyphened words taken apart."""
    return [stem(word) for word in _WORD.findall(text.lower())]


def write_drafts(reading: Reading, lexicon: Lexicon) -> list[Draft]:
    """Return the drafts of a paper's headline, each text once, in a fixed order."""
    room = MAX_WORDS - len(reading.name.split())
    drafts: dict[str, Draft] = {}

    def add(kind: str, parts: Sequence[Body], joint: str = "") -> None:
        body = f" {joint} ".join(render(reading, part, lexicon) for part in parts)
        body = body if joint else " ".join(render(reading, part, lexicon) for part in parts)
        if reading.name and key_of(reading.name) in key_of(body) and len(key_of(reading.name)) > 2:
            return
        if len(body.split()) > room:
            return
        text = f"{reading.name}: {body}" if reading.name else capitalize(body)
        if text not in drafts and len(drafts) < MAX_DRAFTS:
            drafts[text] = Draft(text, body, kind, tuple(parts), bool(reading.name))

    found: dict[str, list[Body]] = {}
    for core in reading.cores:
        for body in bodies(reading.tagged, core, room):
            found.setdefault(core.kind, []).append(body)
            if core.kind != "for":
                add(core.kind, (body,))
    described = [b for kind in ("beside", "is", "object") for b in found.get(kind, ())]
    purposes = [b for b in found.get("purpose", ()) if b.gerund]
    for body in [b for b in described if len(b.kept) <= 7][:12]:
        for purpose in purposes[:8]:
            add("described_for", (body, purpose), "for")
    for start, stop in reading.expansions[:2]:
        number = _sentence_of(reading.tagged.tokens, start)
        whole = Body(
            Core("expansion", number, start, stop), tuple(range(start, stop)), False, "whole", ()
        )
        add("expansion", (whole,))
        for core in _prepositional(reading, number):
            for body in bodies(reading.tagged, core, room - (stop - start)):
                add("expansion_for", (whole, body))
        for purpose in purposes[:10]:
            add("expansion_for", (whole, purpose), "for")
    return list(drafts.values())


def _prepositional(reading: Reading, number: int) -> list[Core]:
    """Return the phrases with "for" or "in" that belong to what is described, as cores."""
    lower = reading.tagged.tokens.lower
    result = []
    for core in reading.cores:
        if core.kind == "for":
            result.append(core)
        elif core.kind in ("beside", "object", "is") and core.sentence == number:
            for i in range(core.start + 1, min(core.limit, core.start + 14)):
                if lower[i] in ("that", "which", ","):
                    break
                if lower[i] in ("for", "in", "via", "with"):
                    result.append(Core("for", core.sentence, i, core.limit))
    return result


def _sentence_of(tokens: Tokens, place: int) -> int:
    for number, (first, last) in enumerate(tokens.sentences):
        if first <= place < last:
            return number
    return 0


def render(reading: Reading, body: Body, lexicon: Lexicon) -> str:
    """Return the words of a body with their spacing, in sentence case without a first capital."""
    tokens = reading.tagged.tokens
    pieces: list[str] = []
    previous = -1
    for position, i in enumerate(body.kept):
        word = tokens.words[i]
        if position == 0 and body.gerund:
            word = gerund_of(word, lexicon.words)
        elif i not in reading.kept_case:
            word = _lowered(tokens, i, lexicon)
        if previous >= 0 and (
            tokens.text[tokens.ends[i - 1] : tokens.starts[i]] if previous == i - 1 else " "
        ):
            pieces.append("" if word in ",;:.?!%" else " ")
        pieces.append(word)
        previous = i
    text = "".join(pieces)
    return re.sub(r"\s+([,;:?])", r"\1", text).strip(" ,;:–—-")


def _lowered(tokens: Tokens, i: int, lexicon: Lexicon) -> str:
    """Return a word in lower case where its capital is owed to its place or to emphasis."""
    word = tokens.words[i]
    if not word[0].isupper() or any(letter.isupper() or letter.isdigit() for letter in word[1:].replace("-", "")):
        parts = word.split("-")
        if not (len(parts) > 1 and all(_plain(part) for part in parts)):
            return word
    if len(word) == 1:
        return word.lower() if word == "A" else word
    lower = word.lower()
    counts = [lexicon.words.get(part, 0) for part in lower.split("-")]
    first = any(i == start for start, _ in tokens.sentences)
    neighbours = [j for j in (i - 1, i + 1) if 0 <= j < len(tokens.words)]
    in_run = any(tokens.words[j][0].isupper() for j in neighbours)
    needed = 4 if first else 12 if in_run else 40
    return lower if min(counts) >= needed else word


def _plain(part: str) -> bool:
    return part.isalpha() and (part.islower() or (part[0].isupper() and part[1:].islower()))


def capitalize(text: str) -> str:
    """Return a headline with a capital first letter, unless its first word has its own case."""
    first = text.split(" ", 1)[0]
    if any(letter.isupper() for letter in first) or not first[:1].isalpha():
        return text
    return text[:1].upper() + text[1:]


# ---- features -------------------------------------------------------------------------------------
WORD_FEATURES = (
    "count", "first_sentence", "last_sentence", "sentences", "in_first", "in_chosen", "in_core",
    "core_rank", "in_name_sentence", "rate", "rarity", "capital", "letters", "in_name", "in_expansion",
)  # fmt: skip
DRAFT_FEATURES = (
    *(f"kind_{kind}" for kind in KINDS),
    *(f"ends_{ending}" for ending in ENDINGS),
    "cut_article", "cut_novel", "cut_head", "cut_light", "cut_adverb", "gerund", "named", "words",
    "body_words", "stems", "mean", "total", "expected", "least", "first", "last", "content_share",
    "low_words", "sentence", "sentence_share", "has_name_in_sentence", "opening", "starts_article",
    "commas", "ands", "prepositions", "fors", "digits", "verbs", "core_order", "left_out",
    "missed", "parts", "brackets",
)  # fmt: skip


def weigh_words(
    reading: Reading, lexicon: Lexicon, rates: Mapping[str, float]
) -> tuple[list[str], list[tuple[float, ...]]]:
    """Return the stems of an abstract and the vector of each, in the order of WORD_FEATURES."""
    tokens = reading.tagged.tokens
    total = max(len(tokens.sentences), 1)
    chosen = set(reading.tagged.chosen)
    name_sentences = {_sentence_of(tokens, start) for start, _ in reading.places[:6]}
    in_core: dict[int, int] = {}
    for rank, core in enumerate(reading.cores):
        for i in range(core.start, min(core.limit, core.start + 22)):
            in_core.setdefault(i, rank)
    own = set(stems_of(reading.name))
    long = {
        s for start, stop in reading.expansions[:1] for w in tokens.words[start:stop] for s in stems_of(w)
    }
    data: dict[str, list[float]] = {}
    for number, (first, last) in enumerate(tokens.sentences[:40]):
        for i in range(first, last):
            word = tokens.words[i]
            if not word[0].isalnum() or word.startswith("http"):
                continue
            for key in stems_of(word):
                if key.isdigit() or len(key) < 2:
                    continue
                row = data.get(key)
                if row is None:
                    row = data[key] = [0.0] * len(WORD_FEATURES)
                    row[1] = number
                    row[7] = 99
                    row[9] = rates.get(key, 0.0)
                    row[10] = lexicon.rarity(word.lower())
                    row[12] = len(word)
                    row[13] = float(key in own)
                    row[14] = float(key in long)
                row[0] += 1
                if row[2] != number or row[3] == 0:
                    row[3] += 1
                row[2] = number
                row[4] = max(row[4], float(number == 0))
                row[5] = max(row[5], float(number in chosen))
                if i in in_core:
                    row[6] += 1
                    row[7] = min(row[7], in_core[i])
                row[8] = max(row[8], float(number in name_sentences))
                row[11] = max(row[11], float(i != first and word[0].isupper()))
    for row in data.values():
        row[2] = row[2] / total
    return list(data), [tuple(row) for row in data.values()]


def describe_drafts(
    reading: Reading, drafts: Sequence[Draft], openings: Mapping[str, float]
) -> list[tuple[float, ...]]:
    """Return the vector of each draft, in the order of DRAFT_FEATURES."""
    salience = reading.salience
    top = sorted(salience.values(), reverse=True)[:9]
    expected_size = 8.0
    orders = {id(core): rank for rank, core in enumerate(reading.cores)}
    total = max(len(reading.tagged.tokens.sentences), 1)
    name_sentences = {_sentence_of(reading.tagged.tokens, start) for start, _ in reading.places[:6]}
    rows = []
    for draft in drafts:
        body = draft.parts[0]
        tail = draft.parts[-1]
        words = stems_of(draft.body)
        values = [salience.get(word, 0.02) for word in words] or [0.0]
        unique = {word: salience.get(word, 0.02) for word in words}
        mass = sum(unique.values())
        sentence = body.core.sentence
        tags = [reading.tagged.tags[i] for part in draft.parts for i in part.kept]
        first_word = draft.body.split(" ", 1)[0].lower() if draft.body else ""
        core = tail.core
        row = [float(draft.kind == kind) for kind in KINDS]
        row += [float(tail.ending == ending) for ending in ENDINGS]
        row += [
            float("article" in body.cuts),
            float("novel" in body.cuts),
            float("head" in body.cuts),
            float("light" in body.cuts),
            float("adverb" in tail.cuts),
            float(body.gerund),
            float(draft.named),
            len(draft.text.split()),
            len(draft.body.split()),
            len(words),
            mass / len(words) if words else 0.0,
            mass,
            2 * mass / (len(words) + expected_size),
            min(values),
            values[0],
            values[-1],
            sum(value >= 0.15 for value in values) / len(values),
            sum(value < 0.05 for value in values),
            sentence,
            sentence / total,
            float(sentence in name_sentences),
            openings.get(first_word, 0.0),
            float(first_word in ("a", "an", "the")),
            draft.body.count(","),
            tags.count("CC"),
            tags.count("IN") + tags.count("TO"),
            draft.body.count(" for "),
            sum(letter.isdigit() for letter in draft.body),
            sum(tag in ("VBZ", "VBP", "VBD", "MD") for tag in tags),
            orders.get(id(body.core), 20),
            max(core.limit - tail.kept[-1] - 1, 0) if tail.kept else 0,
            sum(top) - mass,
            len(draft.parts),
            draft.body.count("(") + draft.body.count("["),
        ]
        rows.append(tuple(float(value) for value in row))
    return rows


def judge(reading: Reading, drafts: Sequence[Draft], weights: Weights) -> list[float]:
    """Return the expected agreement of each draft with the title an author would give."""
    return weights.rank.score(describe_drafts(reading, drafts, weights.openings))


def fill_salience(reading: Reading, lexicon: Lexicon, weights: Weights) -> None:
    """Set the probability of each stem of the abstract to stand in the title."""
    keys, rows = weigh_words(reading, lexicon, weights.rates)
    odds = weights.salience.score(rows)
    reading.salience = {
        key: 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))
        for key, score in zip(keys, odds, strict=True)
    }


def count_openings(titles: Sequence[str]) -> dict[str, float]:
    """Return how often titles, or what stands after their colon, begin with each word (logarithm)."""
    counts: Counter[str] = Counter()
    for title in titles:
        for part in title.split(":")[-1:]:
            words = part.lower().split()
            if words:
                counts[words[0]] += 1
    return {word: round(math.log1p(count), 2) for word, count in sorted(counts.items()) if count >= 5}


@cache
def load_weights() -> Weights:
    """Return the weights that come with the package."""
    text = (files("sitegen") / "data" / "headline_model.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return Weights(
        salience=read_trees(data["salience"]),
        rank=read_trees(data["rank"]),
        rates=data["rates"],
        openings=data["openings"],
    )
