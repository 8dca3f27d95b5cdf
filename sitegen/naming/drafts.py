"""Drafts of a paper's headline: shortened cores, alone or joined, beside the paper's name."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from sitegen.naming.casing import capitalize, cased, spelt_out
from sitegen.naming.clauses import LOOSE_KINDS
from sitegen.naming.compression import MAX_WORDS, POINTERS, Body, bodies, gerund_of
from sitegen.naming.expansions import pairs
from sitegen.naming.lexicon import Lexicon
from sitegen.naming.openings import HEADS, head_of
from sitegen.naming.stems import stems_of
from sitegen.naming.tagged import Core, Tagged
from sitegen.naming.tasks import find_subjects, find_tasks
from sitegen.naming.tokens import Tokens
from sitegen.naming.wordlists import word_list

MAX_TOLD, MAX_LOOSE = 48, 24
"""Most drafts of one paper that are judged: cut from what it says of itself, and from anywhere."""
_USUAL_STEMS = 8
"""Stems of a usual title."""
_UNLIKELY = 0.02
"""Probability of a stem that was not weighed to stand in the title."""

Combination = tuple[str, tuple[Body, ...], str]
"""Kind, bodies, and the word that joins them."""

_WELL_KNOWN = math.log1p(60)
"""Logarithm of the abstracts, of 12,000, that hold a short form which needs no explanation."""
_KEY = re.compile(r"[^a-z0-9]")
_WORD = re.compile(r"[^\W_]+")
_BEFORE_MARK = re.compile(r"\s+([,;:?])")
_THINGS = HEADS | word_list("drafts.things")
"""Nouns for what papers make; they take "for" and a task."""
_BEFORE_OBJECT = (["DT"], ["JJ"], ["NN"], ["NNS"], ["VBN"])
_DESCRIBING = ("beside", "is", "object")
_BY = ("by", "via", "through")
_SHORT_DEED = 9
"""Words of a doing that may take "for" and a task."""
_TAIL = frozenset(("for", "via", "through", "by", "in", "with"))
_OPENS_TAIL = frozenset(("NN", "NNS", "JJ", "VBG", "DT", "VBN"))
_FAR, _MOST_TAILS = 40, 3
"""Tokens behind a phrase in which its end may stand, and how many ends are tried."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One possible headline of a paper."""

    text: str
    body: str
    """The headline without the name before its colon."""
    kind: str
    """Of its core, or how two were joined: ``described_for``, ``described_by``, ``task``,
    ``expansion_for``, ``done_by``, ``ending_in``."""
    parts: tuple[Body, ...]
    named: bool


@dataclass(slots=True)
class Reading:
    """A paper read for its headline: everything that drafts are made from and judged by."""

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
    hints: Sequence[tuple[int, int, float]]
    """Token ranges of what may be a name, with its probability."""
    short_forms: Mapping[str, str]
    """What little-known short forms stand for, as the abstract says; not those of the name."""
    salience: Mapping[str, float]
    """Probability of each stem of the abstract to stand in the title."""
    telling: Sequence[float]
    """How much each sentence tells of what the paper contributes."""


def short_forms(tokens: Tokens, name: str, lexicon: Lexicon) -> dict[str, str]:
    """Return what the little-known short forms of a text stand for, in the order of the text.

    The paper's own name is left out: what it stands for is said beside it or not at all.
    """
    found: dict[str, str] = {}
    for first, last in tokens.sentences:
        for short, long in pairs(tokens, first, last):
            text = tokens.slice(*short)
            well_known = lexicon.known(_KEY.sub("", text.lower())) >= _WELL_KNOWN
            if text.isalnum() and text != name and not well_known:
                words = [spelt_out(tokens, i, lexicon) for i in range(*long)]
                found.setdefault(text, " ".join(words))
    return found


def write_drafts(reading: Reading, lexicon: Lexicon) -> list[Draft]:
    """Return the drafts of a paper's headline, each text once, in a fixed order.

    Of more than can be judged those are kept whose words are likeliest to stand in the title.
    """
    promising = _Promise(reading)
    told: list[tuple[float, Combination]] = []
    loose: list[tuple[float, Combination]] = []
    for combination in _combinations(reading):
        kind, parts, _ = combination
        (loose if kind in LOOSE_KINDS else told).append((-promising.of(parts), combination))
    drafts: dict[str, Draft] = {}
    for combinations, most in ((told, MAX_TOLD), (loose, MAX_LOOSE)):
        limit = len(drafts) + most
        for _, (kind, parts, joint) in sorted(combinations, key=itemgetter(0)):
            if len(drafts) == limit:
                break
            draft = _drafted(reading, lexicon, kind, parts, joint)
            if draft is not None:
                drafts.setdefault(draft.text, draft)
    return list(drafts.values())


def _unfolded(body: str, short_forms: Mapping[str, str], room: int) -> str:
    """Write out the short forms in a body that few readers know, as far as there is room."""
    for short, whole in short_forms.items():
        found = re.search(rf"(?<![\w-]){re.escape(short)}(?![\w-])", body)
        if found and not repeats(whole, body):
            longer = body[: found.start()] + whole + body[found.end() :]
            if len(longer.split()) <= room:
                body = longer
    return body


class _Promise:
    """Tells how close to the title some tokens may be, from their probability to stand in it."""

    def __init__(self, reading: Reading) -> None:
        self._stems = [stems_of(word) for word in reading.tagged.tokens.lower]
        self._salience = reading.salience

    def of(self, parts: Sequence[Body]) -> float:
        """Return the expected F measure of the stems in the parts, each counted once."""
        stems = {stem for part in parts for i in part.kept for stem in self._stems[i]}
        mass = math.fsum(self._salience.get(stem, _UNLIKELY) for stem in stems)
        return round(2 * mass / (len(stems) + _USUAL_STEMS), 6)


def _drafted(
    reading: Reading, lexicon: Lexicon, kind: str, parts: tuple[Body, ...], joint: str
) -> Draft | None:
    """Return the draft, None where it is too long or says the name twice."""
    pieces = [render(reading, part, lexicon) for part in parts]
    if not all(pieces):
        return None
    room = MAX_WORDS - len(reading.name.split())
    body = _unfolded((f" {joint} " if joint else " ").join(pieces), reading.short_forms, room)
    least = 2 if kind == "expansion" or not reading.name else 3
    if not least <= len(body.split()) <= room or repeats(reading.name, body):
        return None
    text = f"{reading.name}: {body}" if reading.name else capitalize(body)
    return Draft(text, body, kind, parts, bool(reading.name))


def _combinations(reading: Reading) -> Iterator[Combination]:
    """Yield kind, bodies and joining word of each draft: single bodies first, then pairs."""
    room = MAX_WORDS - len(reading.name.split())
    lower = reading.tagged.tokens.lower
    found: dict[str, list[Body]] = {}
    for core in reading.cores:
        for body in bodies(reading.tagged, core, room):
            found.setdefault(core.kind, []).append(body)
            if core.kind != "for":
                yield core.kind, (body,), ""
    purposes = [body for body in found.get("purpose", ()) if body.gerund][:10]
    tasks = [_whole(reading, "task", *place) for place in find_tasks(reading.tagged)]
    known = {task.kept for task in tasks}
    for subject in find_subjects(reading.tagged):
        if subject.tokens not in known:
            tasks.append(_of_tokens(reading, "task", subject.tokens, gerund=subject.gerund))
    described = [body for kind in _DESCRIBING for body in found.get(kind, ())]
    short = [body for body in described if _takes_more(reading, body)][:10]
    means = [b for b in found.get("means", ()) if b.core.verb in _BY][:6]
    yield from _joined(reading, short, tasks, "task", "for")
    done = [
        body
        for kind in ("verb", "means", "act", "purpose")
        for body in found.get(kind, ())
        if len(body.kept) <= _SHORT_DEED and "for" not in (lower[i] for i in body.kept)
    ]
    yield from _joined(reading, done[:8], tasks, "task", "for")
    nouns = [task for task in tasks if not task.gerund]
    if reading.name:
        yield from (("task", (task,), "") for task in tasks)
    yield from _joined(reading, nouns, means, "done_by", "by")
    for body in described:
        for tail in _tails(reading, body):
            for rest in bodies(reading.tagged, tail, room - len(body.kept)):
                yield "ending_in", (body, rest), ""
    for body in short:
        # Another sentence may say what something else is for.
        at = body.core.sentence
        own = [p for p in purposes if abs(p.core.sentence - at) <= 1 or p.core.linked]
        yield from _joined(reading, [body], own[:6], "described_for", "for")
        same = [mean for mean in means if mean.core.sentence == body.core.sentence]
        for mean in same:
            yield from _joined(reading, [body], [mean], "described_by", mean.core.verb)
    for body in short:
        sentence = body.core.sentence
        near = [b for b in found.get("inner", ()) if b.core.verb == "for"]
        after = [b for b in near if b.core.sentence == sentence and b.kept[0] > body.kept[-1]]
        yield from _joined(reading, [body], after[:6], "described_for", "for")
    for place in reading.expansions[:2]:
        whole = _whole(reading, "expansion", *place)
        yield "expansion", (whole,), ""
        yield from _joined(reading, [whole], tasks, "task", "for")
        for phrase in _prepositional(reading, whole.core.sentence):
            for body in bodies(reading.tagged, phrase, room - len(whole.kept)):
                yield "expansion_for", (whole, body), ""
        yield from _joined(reading, [whole], purposes, "expansion_for", "for")


def _joined(
    reading: Reading, lefts: Sequence[Body], rights: Sequence[Body], kind: str, joint: str
) -> Iterator[Combination]:
    """Yield the pairs that do not say the same twice."""
    for left in lefts:
        for right in rights:
            if not _overlap(reading, left, right):
                yield kind, (left, right), joint


def _takes_more(reading: Reading, body: Body) -> bool:
    """Tell whether "for" can be added: a thing that was made, named shortly, without a "for"."""
    lower, tags = reading.tagged.tokens.lower, reading.tagged.tags
    words = [lower[i] for i in body.kept]
    if len(words) > 8 or body.gerund or "for" in words or tags[body.kept[0]] == "VBG":
        return False
    head = head_of(reading.tagged, body.kept[0], body.kept[-1] + 1)
    thing = lower[head] in _THINGS or body.core.kind in ("beside", "is")
    return "head" in body.cuts or (head == body.kept[-1] and thing)


def _whole(reading: Reading, kind: str, start: int, stop: int) -> Body:
    """Return a range of tokens as a body of its own."""
    return _of_tokens(reading, kind, range(start, stop))


def _of_tokens(
    reading: Reading, kind: str, tokens: Sequence[int], *, gerund: bool = False
) -> Body:
    """Return tokens of one sentence as a body of its own."""
    sentences = reading.tagged.tokens.sentences
    start = tokens[0]
    number = next((n for n, (first, last) in enumerate(sentences) if first <= start < last), 0)
    core = Core(kind, number, start, tokens[-1] + 1, "", True)
    return Body(core, tuple(tokens), gerund=gerund)


def _tails(reading: Reading, body: Body) -> Iterator[Core]:
    """Yield the later phrases of a body's sentence that say what for or by which means.

    What stands between is left out: "a method [that is deployed on phones] via side-tuning".
    """
    tagged, core = reading.tagged, body.core
    lower, tags = tagged.tokens.lower, tagged.tags
    begin = body.kept[-1] + 2
    if not _closed_by(tagged, body.kept[-1] + 1):
        return
    count = 0
    for i in range(begin, min(core.limit - 1, begin + _FAR)):
        before = lower[i - 1]
        opens = lower[i] in _TAIL and tags[i + 1] in _OPENS_TAIL and before not in ("and", "or")
        aim = lower[i] == "to" and tags[i + 1] == "VB" and tags[i - 1] in ("NN", "NNS")
        if opens or aim:
            yield Core("for", core.sentence, i, core.limit)
            count += 1
            if count == _MOST_TAILS:
                return


def _closed_by(tagged: Tagged, i: int) -> bool:
    """Tell whether what begins here may be left out: a relative clause, an aside, a preposition."""
    lower, tags = tagged.tokens.lower, tagged.tags
    return lower[i : i + 1] != ("of",) and (
        tags[i : i + 1] in (["WH"], ["IN"], ["VBN"], ["VBG"])
        or lower[i : i + 1] in (("that",), (",",), ("–",), ("—",))
    )


def _prepositional(reading: Reading, number: int) -> list[Core]:
    """Return the phrases with "for" or "in" that belong to what is described, as cores."""
    lower = reading.tagged.tokens.lower
    result = []
    for core in reading.cores:
        if core.kind == "for":
            result.append(core)
        elif core.kind in _DESCRIBING and core.sentence == number:
            for i in range(core.start + 1, min(core.limit, core.start + 14)):
                if lower[i] in ("that", "which", ","):
                    break
                if lower[i] in ("for", "in", "via", "with"):
                    result.append(Core("for", core.sentence, i, core.limit))
    return result


def repeats(name: str, body: str) -> bool:
    """Tell whether a name stands as a word of its own in what is said beside it."""
    words = f" {' '.join(_WORD.findall(body.lower()))} "
    return bool(name) and f" {' '.join(_WORD.findall(name.lower()))} " in words


def _overlap(reading: Reading, left: Body, right: Body) -> bool:
    """Tell whether two bodies say the same: half of the shorter's words stand in the other."""
    words = reading.tagged.tokens.words
    a, b = (
        {stem for i in body.kept for stem in stems_of(words[i]) if len(stem) > 3}
        for body in (left, right)
    )
    # "an LLM for large language models" says it twice as well.
    short = "".join(words[i][0].lower() for i in right.kept)
    said = {words[i].lower().rstrip("s") for i in left.kept}
    return len(a & b) * 2 >= max(1, min(len(a), len(b))) or short in said


def render(reading: Reading, body: Body, lexicon: Lexicon) -> str:
    """Return the words of a body with their spacing, in sentence case without a first capital.

    Empty where its first word cannot be put into the -ing form: no verb that is known.
    """
    tokens, tags = reading.tagged.tokens, reading.tagged.tags
    pieces: list[str] = [body.article] if body.article else []
    previous = -1
    for position, i in enumerate(body.kept):
        # "learns X and improves Y": the second verb turns with the first.
        second = position and previous == i - 1 and tokens.lower[previous] == "and"
        second = second and tags[i + 1 : i + 2] in _BEFORE_OBJECT
        if body.gerund and (not position or (second and tags[i] == tags[body.kept[0]])):
            word = gerund_of(tokens.words[i], lexicon.words)
            if not lexicon.words.get(word.rsplit("-", 1)[-1]):
                return ""
        elif tokens.lower[i] == "our" or tokens.lower[i] in POINTERS:
            word = "the"
        elif body.core.kind in ("expansion", "task"):
            word = spelt_out(tokens, i, lexicon)
        else:
            word = tokens.words[i] if i in reading.kept_case else cased(tokens, i, lexicon)
        glued = previous == i - 1 >= 0 and tokens.ends[previous] == tokens.starts[i]
        # "large language model (LLM)-based" without its brackets.
        glued = glued or (position > 0 and word == "-")
        if glued:
            pieces[-1] += word
        else:
            pieces.append(word)
        previous = i
    text = _BEFORE_MARK.sub(r"\1", " ".join(pieces)).strip(" ,;:–—-")
    asked = body.core.kind == "question" and body.ending == "whole"
    return f"{text}?" if asked else text
