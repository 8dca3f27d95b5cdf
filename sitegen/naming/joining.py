"""What may stand together in one headline: a core alone, or with what it is for, or by what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sitegen.naming.compression import MAX_WORDS, Body, bodies
from sitegen.naming.openings import HEADS, head_of
from sitegen.naming.reading import Reading
from sitegen.naming.stems import stems_of
from sitegen.naming.tagged import Core, Tagged
from sitegen.naming.tasks import find_subjects, find_tasks
from sitegen.naming.wordlists import word_list

Combination = tuple[str, tuple[Body, ...], str]
"""Kind, bodies, and the word that joins them."""

_THINGS = HEADS | word_list("drafts.things")
"""Nouns for what papers make; they take "for" and a task."""
_DESCRIBING = ("beside", "is", "object")
_BY = ("by", "via", "through")
_SHORT_DEED = 9
"""Words of a doing that may take "for" and a task."""
_TAIL = frozenset(("for", "via", "through", "in", "with"))
_OPENS_TAIL = frozenset(("NN", "NNS", "JJ", "VBG", "DT", "VBN"))
_FAR, _MOST_TAILS = 40, 3
"""Tokens behind a phrase in which its end may stand, and how many ends are tried."""


def combinations(reading: Reading) -> Iterator[Combination]:
    """Yield kind, bodies and joining word of each draft: single bodies first, then pairs."""
    room = MAX_WORDS - len(reading.name.split())
    found: dict[str, list[Body]] = {}
    for core in reading.cores:
        for body in bodies(reading.tagged, core, room):
            found.setdefault(core.kind, []).append(body)
            if core.kind != "for":
                yield core.kind, (body,), ""
    tasks = _tasks(reading)
    described = [body for kind in _DESCRIBING for body in found.get(kind, ())]
    short = [body for body in described if _takes_more(reading, body)][:10]
    means = [body for body in found.get("means", ()) if body.core.verb in _BY][:6]
    done = [body for body in found.get("verb", ()) if _short_deed(reading, body)]
    yield from _joined(reading, short + done[:8], tasks, "task", "for")
    for body in described:
        for tail in _tails(reading, body):
            for rest in bodies(reading.tagged, tail, room - len(body.kept)):
                yield "ending_in", (body, rest), ""
    purposes = [body for body in found.get("purpose", ()) if body.gerund][:10]
    inner = [body for body in found.get("inner", ()) if body.core.verb == "for"]
    yield from _completed(reading, short, purposes, means, inner)
    yield from _expanded(reading, tasks, purposes, room)


def _tasks(reading: Reading) -> list[Body]:
    """Return what the paper may be for."""
    again = find_tasks(reading.tagged)
    tasks = [_whole(reading, "task", range(*place), cue="again") for place in again]
    known = {task.kept for task in tasks}
    presented = find_subjects(reading.tagged)
    more = [one for one in presented if one.tokens not in known]
    return tasks + [
        _whole(reading, "task", one.tokens, cue=one.cue, gerund=one.gerund) for one in more
    ]


def _completed(
    reading: Reading,
    short: Sequence[Body],
    purposes: Sequence[Body],
    means: Sequence[Body],
    inner: Sequence[Body],
) -> Iterator[Combination]:
    """Yield what was made with what it is for, or by what, as sentences close to it say."""
    for body in short:
        # Another sentence may say what something else is for.
        at = body.core.sentence
        own = [p for p in purposes if abs(p.core.sentence - at) <= 1 or p.core.linked]
        yield from _joined(reading, [body], own[:6], "described_for", "for")
        for mean in means:
            if mean.core.sentence == at:
                yield from _joined(reading, [body], [mean], "described_by", mean.core.verb)
        after = [b for b in inner if b.core.sentence == at and b.kept[0] > body.kept[-1]]
        yield from _joined(reading, [body], after[:6], "described_for", "for")


def _expanded(
    reading: Reading, tasks: Sequence[Body], purposes: Sequence[Body], room: int
) -> Iterator[Combination]:
    """Yield the expansion of the name, alone and with what it is for."""
    for place in reading.expansions[:2]:
        whole = _whole(reading, "expansion", range(*place))
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


def _short_deed(reading: Reading, body: Body) -> bool:
    """Tell whether "for" can be added to what is done."""
    lower = reading.tagged.tokens.lower
    return len(body.kept) <= _SHORT_DEED and all(lower[i] != "for" for i in body.kept)


def _whole(
    reading: Reading, kind: str, tokens: Sequence[int], *, cue: str = "", gerund: bool = False
) -> Body:
    """Return tokens of one sentence as a body of its own."""
    sentences = reading.tagged.tokens.sentences
    start = tokens[0]
    number = next((n for n, (first, last) in enumerate(sentences) if first <= start < last), 0)
    core = Core(kind, number, start, tokens[-1] + 1, cue, True)
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


def _overlap(reading: Reading, left: Body, right: Body) -> bool:
    """Tell whether two bodies say the same: half of the shorter's words stand in the other."""
    words = reading.tagged.tokens.words
    a, b = (
        {stem for i in body.kept for stem in stems_of(words[i]) if len(stem) > 3}
        for body in (left, right)
    )
    # "an LLM for large language models" says it twice as well.
    parts = (part for i in right.kept for part in words[i].split("-"))
    initials = "".join(part[:1].lower() for part in parts)
    said = {words[i].lower().rstrip("s") for i in left.kept if len(words[i]) > 1}
    short = any(initials.endswith(word) for word in said)
    return len(a & b) * 2 >= max(1, min(len(a), len(b))) or short
