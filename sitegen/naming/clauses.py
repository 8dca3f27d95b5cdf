"""The stretches of an abstract that state its contribution, found by verbs, tags and names.

A core is where a headline can be cut from: the object of "we propose", the description beside a
name, what "we show that" says, the question that a study asks. How it is shortened is decided in
``compression``; which result is best in ``titles``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sitegen.naming.beside import beside_name, relative
from sitegen.naming.tagged import FIND, OWN, PROPOSE, STUDY, Core, Stretch, Tagged, stretch_of
from sitegen.naming.wordlists import word_list

CALLED = word_list("clauses.called")
DOING = word_list("clauses.doing")
DEEDS = PROPOSE | STUDY | FIND
REACH = 16
"""Tokens behind a verb of proposing, studying or finding that it may govern."""
_FEW = 4
"""Cores with which a paper needs no phrases from anywhere."""
LOOSE_KINDS = frozenset(("phrase", "inner"))
"""Kinds of cores that no verb of the paper's governs: phrases taken from anywhere."""
_PAST = word_list("clauses.past")
_MAKING = word_list("clauses.making")
_OWN_RESULTS = word_list("clauses.own_results")
_OTHERS_WORK = word_list("clauses.others_work")
_UNCOVER = frozenset(("identify", "uncover", "reveal", "discover", "observe"))
_REPORT = 14
"""Tokens at the beginning of a sentence that may say which results show something."""
_ASK = word_list("clauses.ask")
_NO_ACT = word_list("clauses.no_act")
_AIMS = word_list("clauses.aims") | {","}
_NO_AIM = word_list("clauses.no_aim")
_PASSIVE = word_list("clauses.passive")
_POINTING = word_list("clauses.pointing")
_OPENS_PHRASE = frozenset(("NN", "NNS", "JJ", "VBN", "DT"))
_OBJECTS = frozenset(("DT", "JJ", "NN", "NNS"))
_LEADS_ON = _OPENS_PHRASE | {"VBG", "POS", "CD", "CC", "RB"}
_HOLDING = word_list("clauses.holding")
_THINGS = frozenset(
    ("method", "approach", "framework", "model", "algorithm", "technique", "strategy", "system")
)
_RESULTS = frozenset(("finding", "result", "observation", "phenomenon", "findings", "fact"))
_SUBJECT_OF = frozenset(("of", "for", "on", "in"))
"""Prepositions behind which may stand what a paper is about."""
_LEADS_TO_NAME = word_list("clauses.leads_to_name") | CALLED | frozenset(",–—(\"“‘'`:.") | {"--"}


def find_cores(tagged: Tagged, places: Sequence[tuple[int, int]]) -> list[Core]:
    """Return the cores of the chosen sentences, in the order of the text.

    ``places`` are the token ranges at which the paper's main name (or a form of it) stands.
    """
    cores: list[Core] = []
    for number in tagged.chosen:
        sentence = stretch_of(tagged, number, places)
        cores.extend(_in_sentence(sentence))
        cores.extend(_phrases(sentence))
    if len(cores) < _FEW:
        # Better a phrase said in passing than nothing.
        for number in tagged.chosen:
            cores.extend(_phrases(stretch_of(tagged, number, places), anywhere=True))
    if not cores and tagged.tokens.sentences:
        sentence = stretch_of(tagged, 0, ())
        cores.append(sentence.core("first", sentence.first, sentence.end, ""))
    unique = {(core.kind, core.start, core.limit): core for core in reversed(cores)}
    told = {core.start for core in cores if core.kind not in LOOSE_KINDS}
    return [
        _relinked(tagged, core, places)
        for core in sorted(unique.values(), key=lambda core: (core.sentence, cores.index(core)))
        if core.limit > core.start and not (core.kind in LOOSE_KINDS and core.start in told)
    ]


def _phrases(sentence: Stretch, *, anywhere: bool = False) -> Iterator[Core]:
    """Yield the noun phrases of a sentence, with what follows them.

    Only those soon behind a verb of the paper's, or beside its name, unless ``anywhere``.
    ``inner`` are those that a preposition holds: "token-free models" in "a study of token-free
    models".
    """
    verb = sentence.first - REACH - 1
    for i in range(sentence.first, sentence.end):
        if sentence.lower[i] in DEEDS:
            verb = i
        governed = sentence.named or (sentence.own and i - verb <= REACH)
        if not (governed or anywhere):
            continue
        if sentence.tag(i) == "RB" and sentence.tag(i + 1) in ("VBN", "JJ"):
            # "sparsely activated layers" begins with its adverb.
            if sentence.tag(i - 1) not in _LEADS_ON and sentence.word(i - 1) not in _HOLDING:
                yield sentence.core("phrase", i, sentence.end, sentence.word(i - 1))
            continue
        if sentence.tag(i) not in _OPENS_PHRASE or sentence.word(i) in _POINTING:
            continue
        before = sentence.word(i - 1)
        if before in _SUBJECT_OF and sentence.tag(i - 1) not in _LEADS_ON:
            yield sentence.core("inner", i, sentence.end, before)
        elif before not in _HOLDING and sentence.tag(i - 1) not in _LEADS_ON:
            yield sentence.core("phrase", i, sentence.end, before)
            yield from _governing(sentence, i - 1)


def _governing(sentence: Stretch, verb: int) -> Iterator[Core]:
    """Yield an object with its verb: "X aligns optical models with teachers" is about aligning."""
    act = sentence.word(verb)
    if sentence.named and act not in DEEDS and act not in _NO_ACT:
        if sentence.tag(verb) in ("VBZ", "VB"):
            yield sentence.core("act", verb, sentence.end, act, linked=True)
        elif sentence.tag(verb) == "VBG" and act not in DOING:
            yield sentence.core("means", verb, sentence.end, "by", linked=True)


def _relinked(tagged: Tagged, core: Core, places: Sequence[tuple[int, int]]) -> Core:
    """Unlink what is made in a sentence without the name, unless the next one brings it.

    Readers found half of what was made before and not named soon another thing than the named one,
    and six in ten of what was made later.
    """
    if core.kind not in ("object", "verb") or not core.linked or not places:
        return core
    sentences = tagged.tokens.sentences[core.sentence : core.sentence + 2]
    first, last = sentences[0][0], sentences[-1][1]
    after = any(start < first for start, _ in places)
    last = sentences[0][1] if after else last
    near = any(first <= start < last for start, _ in places)
    return core if near else replace(core, linked=False)


def _in_sentence(sentence: Stretch) -> Iterator[Core]:
    if (
        sentence.tagged.tokens.words[sentence.tagged.tokens.sentences[sentence.number][1] - 1]
        == "?"
    ):
        yield sentence.core("question", _after_colon(sentence), sentence.end, "?")
    for _, stop in sentence.places:
        yield from beside_name(sentence, stop)
    for i in range(sentence.first, sentence.end):
        word = sentence.lower[i]
        if sentence.tags[i].startswith("VB") and not (word in _PAST and sentence.tags[i] == "VBN"):
            if word in PROPOSE and _is_own(sentence, i):
                yield from _object(sentence, i)
            if word in STUDY and _is_own(sentence, i):
                yield from _studied(sentence, i)
        points = sentence.lower[max(sentence.first, i - 2) : i]
        concludes = "this" in points and sentence.word(i + 1) == "that"
        concludes = concludes or (_reports(sentence, i) and sentence.word(i + 1) == "that")
        if word in FIND and (concludes or _is_own(sentence, i, _OWN_RESULTS)):
            yield from _found(sentence, i)
            yield from _behind_colon(sentence, i)
        elif word in PROPOSE and _is_own(sentence, i):
            yield from _behind_colon(sentence, i, _RESULTS)
        elif word in _UNCOVER and _is_own(sentence, i):
            yield from _behind_colon(sentence, i)
        if word in _PASSIVE and sentence.word(i - 1) in ("is", "are") and i > sentence.first + 1:
            start = _past_lead(sentence, sentence.first)
            yield sentence.core("passive", start, i - 1, word)
        yield from _by_small_word(sentence, i)


def _by_small_word(sentence: Stretch, i: int) -> Iterator[Core]:
    """Yield the cores that "we", "to", "by", "how" or a comma open."""
    word = sentence.lower[i]
    if word == "we":
        verb = sentence.past_adverbs(i + 1)
        act = sentence.word(verb)
        known = act in _NO_ACT or act in STUDY or act in FIND or act in PROPOSE
        if sentence.tag(verb) in ("VBP", "VB", "VBD") and not known:
            yield sentence.core("act", verb, sentence.end, act, linked=sentence.named)
    elif word == "our":
        yield from _own_thing(sentence, i)
    elif word.startswith("focus") and sentence.word(i + 1) == "on" and _is_own(sentence, i):
        yield sentence.core("study", i + 2, sentence.end, word)
    elif word == "to" and sentence.tag(i + 1) == "VB":
        yield from _purpose(sentence, i)
    elif word in ("how", "why") and sentence.own and i > sentence.first:
        if sentence.tags[i - 1] in ("VB", "VBP", "VBZ", "VBG", "IN", "."):
            yield sentence.core("asked", i, sentence.end, word)
    elif sentence.tag(i + 1) == "VBG" and (sentence.named or sentence.own):
        if word in ("by", "via", "through", "for", "while"):
            stop = _main_clause(sentence, i) if i == sentence.first else sentence.end
            yield sentence.core("means", i + 1, stop, word, linked=sentence.named)
        acts = sentence.word(i + 1) not in DOING and sentence.tag(i + 2) in _OBJECTS
        if word == "," and acts:
            yield sentence.core("means", i + 1, sentence.end, ",", linked=sentence.named)


def _own_thing(sentence: Stretch, our: int) -> Iterator[Core]:
    """Yield what "our method" does, where that opens a sentence."""
    noun = our + 1
    while sentence.tag(noun) in ("JJ", "NN", "VBN", "VBG") and noun - our < 5:
        noun += 1
    verb = sentence.past_adverbs(noun)
    thing = sentence.word(noun - 1) in _THINGS and our - sentence.first <= 3
    if verb > noun and sentence.tag(verb) == "NNS":
        # The tagger takes "our method randomly masks" for a plural.
        sentence.tags[verb] = "VBZ"
    if thing and sentence.tag(verb) == "VBZ" and sentence.word(verb) not in FIND:
        act = sentence.word(verb)
        yield sentence.core("act", verb, sentence.end, act, linked=sentence.named)


def _purpose(sentence: Stretch, to: int) -> Iterator[Core]:
    """Yield what follows "to" where it says what the paper or its thing is for."""
    opens = to == sentence.first
    before = "" if opens else sentence.lower[to - 1]
    if opens or before in _AIMS:
        stop = _main_clause(sentence, to) if opens else sentence.end
        yield sentence.core("purpose", to + 1, stop, before, linked=sentence.named)
    elif before == "able":
        if "we" in sentence.lower[max(sentence.first, to - 4) : to]:
            yield sentence.core("purpose", to + 1, sentence.end, "", linked=sentence.named)
    elif (sentence.named or sentence.own) and before not in _NO_AIM:
        yield sentence.core("purpose", to + 1, sentence.end, "", linked=sentence.named)


def _found(sentence: Stretch, verb: int) -> Iterator[Core]:
    """Yield what a verb of finding governs: a clause after "that", or its object."""
    that = verb + 1
    while that < verb + 3 and sentence.word(that) not in ("that", "how", ""):
        that += 1
    clause = sentence.word(that) == "how" and sentence.word(that + 1) != "to"
    # "We demonstrate analyses that are possible": they are what is found.
    attached = that > verb + 1 and sentence.tag(that - 1) in ("NN", "NNS")
    if clause or (sentence.word(that) == "that" and not attached):
        start = _past_lead(sentence, that + 1)
        yield sentence.core("finding", start, sentence.end, sentence.lower[verb])
    elif sentence.tag(verb + 1) in ("DT", "JJ", "NN", "NNS", "VBN"):
        yield sentence.core("found", verb + 1, sentence.end, sentence.lower[verb])


def _behind_colon(
    sentence: Stretch, verb: int, before: frozenset[str] = frozenset()
) -> Iterator[Core]:
    """Yield what a colon brings: "we discover scaling laws: the optimal rate follows a power law".

    Where ``before`` is given, only behind one of its words: "we present a finding: pruning hurts".
    """
    for colon in range(verb + 2, sentence.end - 4):
        if sentence.lower[colon] == ":":
            if not before or sentence.lower[colon - 1] in before:
                yield sentence.core("finding", colon + 1, sentence.end, ":")
            return


def _studied(sentence: Stretch, verb: int) -> Iterator[Core]:
    """Yield what a verb of studying governs: a question or a subject."""
    start = verb + 1
    while sentence.tag(start) == "RB" or sentence.word(start) in ("on", "into"):
        start += 1
    kind = "asked" if sentence.word(start) in _ASK else "study"
    if start < sentence.end:
        yield sentence.core(kind, start, sentence.end, sentence.lower[verb], linked=sentence.named)


def _object(sentence: Stretch, verb: int) -> Iterator[Core]:
    """Yield the object of a verb of proposing, up to where the name begins if it follows."""
    start = _object_start(sentence, verb)
    if any(begin <= start < stop or begin == start + 1 for begin, stop in sentence.places):
        return
    word, opening = sentence.lower[verb], sentence.word(start)
    if opening in ("that", "to"):
        if opening == "to" and sentence.tag(start + 1) == "VB":
            named = sentence.named
            yield sentence.core("purpose", start + 1, sentence.end, "propose", linked=named)
        return
    if opening in _ASK:
        yield sentence.core("asked", start, sentence.end, word)
        return
    limit, linked = sentence.end, word in _MAKING and not sentence.named
    following = [begin for begin, _ in sentence.places if begin > start + 1]
    if following:
        limit = _before_name(sentence, start, following[0])
        linked = limit < following[0] or sentence.tags[following[0] - 1] in ("NN", "NNS")
    yield sentence.core("object", start, limit, word, linked=linked)
    # What the object does may stand after the name or after "that".
    for i in range(start + 1, min(sentence.end, start + 22)):
        if sentence.lower[i] in ("that", "which"):
            yield from relative(sentence, i, linked=linked or not sentence.named)
            break


def _object_start(sentence: Stretch, verb: int) -> int:
    start = verb + 1
    while sentence.word(start) in (":", "(", "1", "i", ")") or (
        # "we propose sparsely activated nets" keeps its adverb.
        sentence.tag(start) == "RB" and sentence.tag(start + 1) not in ("VBN", "JJ")
    ):
        start += 1
    # "We propose in this paper a method": step over the phrase.
    if tuple(sentence.lower[start : start + 2]) == ("in", "this"):
        start += 3 + (sentence.word(start + 3) == ",")
    return start


def _before_name(sentence: Stretch, start: int, name: int) -> int:
    """Return where the phrase before a name ends, the words that lead to the name left out."""
    i = name
    while i > start and sentence.lower[i - 1] in _LEADS_TO_NAME:
        i -= 1
    return i


def _is_own(sentence: Stretch, verb: int, others: frozenset[str] = frozenset()) -> bool:
    """Tell whether the subject of the verb is the paper, its authors, or one of ``others``."""
    lower, tags, first = sentence.lower, sentence.tags, sentence.first
    for i in range(verb - 1, max(first - 1, verb - 9), -1):
        word = lower[i]
        if word in OWN and _OTHERS_WORK.intersection(lower[max(first, i - 2) : i]):
            # "While existing work focused on".
            return False
        if word in OWN or word in others or word == "our":
            return True
        if tags[i] in ("NN", "NNS"):
            # Another subject stands between, unless the verb is one of a series.
            return "we" in lower[first:i] and any(w in ("and", ",") for w in lower[i:verb])
    return ("we" in lower[first:verb] and tags[verb] in ("VB", "VBP", "VBG")) or (
        sentence.word(verb - 1) == "by" and tags[verb] == "VBG"
    )


def _reports(sentence: Stretch, verb: int) -> bool:
    """Tell whether a sentence opens with results: "Experiments on X using Y show"."""
    opening = sentence.lower[sentence.first : sentence.first + 4]
    return verb - sentence.first <= _REPORT and not _OWN_RESULTS.isdisjoint(opening)


def _after_colon(sentence: Stretch) -> int:
    """Return where a question begins after a lead such as "This raises the question:"."""
    for i in range(sentence.first, sentence.end - 4):
        if sentence.lower[i] == ":":
            return i + 1
    return sentence.first


def _past_lead(sentence: Stretch, start: int) -> int:
    """Step over "in this paper," and the like before the subject."""
    if sentence.word(start) == ",":
        start += 1
    if sentence.tag(start) in ("IN", "RB"):
        for i in range(start, min(start + 7, sentence.end)):
            if sentence.lower[i] == ",":
                return i + 1
    return start


def _main_clause(sentence: Stretch, start: int) -> int:
    """Return the comma that ends "To do this, we propose"; 0 where another subject follows."""
    for i in range(start + 2, min(sentence.end, start + 32)):
        subject = sentence.lower[i + 1 : i + 5]
        if sentence.lower[i] == "," and any(word in OWN or word == "this" for word in subject):
            return i
    return 0
