"""What an abstract says right beside its main name: "X, a method that", "X is a", "X does"."""

from __future__ import annotations

from collections.abc import Iterator

from sitegen.naming.tagged import Core, Stretch

_QUOTES = frozenset("\"”’»'`*")
_DASHES = frozenset(("–", "—", "--", ":", "-"))
_ARTICLES = frozenset(("a", "an", "the", "one"))
_FINITE = frozenset(("VBZ", "VBP", "VBD", "MD"))


def beside_name(sentence: Stretch, stop: int) -> Iterator[Core]:
    """Yield the cores that describe a name which ends before token ``stop``."""
    i = _behind_name(sentence, stop)
    if i >= sentence.end:
        return
    _mend_tags(sentence, i)
    word, following = sentence.word(i), sentence.word(i + 1)
    if word == "," or word in _DASHES:
        yield from _after_mark(sentence, i)
    elif word in ("is", "are"):
        if following in _ARTICLES:
            yield sentence.core("is", i + 1, sentence.end, word, linked=True)
        elif following == "designed" and sentence.word(i + 2) == "to":
            yield sentence.core("purpose", i + 3, sentence.end, "designed", linked=True)
    elif word in ("which", "that"):
        yield from relative(sentence, i, linked=True)
    elif word == "to" and sentence.tag(i + 1) == "VB":
        yield sentence.core("purpose", i + 1, sentence.end, "name", linked=True)
    elif word == "for":
        yield sentence.core("for", i, sentence.end, "for", linked=True)
    else:
        verb = i + 1 if sentence.tag(i) == "RB" else i
        if sentence.tag(verb) == "VBZ":
            yield sentence.core("verb", verb, sentence.end, sentence.word(verb), linked=True)


def relative(sentence: Stretch, which: int, *, linked: bool) -> Iterator[Core]:
    """Yield what the thing before "which" or "that" does."""
    verb = sentence.past_adverbs(which + 1)
    if sentence.tag(verb) == "VBZ":
        yield sentence.core("verb", verb, sentence.end, sentence.word(verb), linked=linked)


def _behind_name(sentence: Stretch, stop: int) -> int:
    i = sentence.past_brackets(stop)
    if sentence.word(i) in _QUOTES:
        i += 1
    # A noun of sort may follow the name: "our NormFormer architecture, which adds".
    if sentence.tag(i) == "NN" and sentence.tag(i + 1) in (".", "WH", "VBZ", "TO"):
        i += 1
    return i


def _mend_tags(sentence: Stretch, i: int) -> None:
    """Correct a rare verb that the tagger takes for a plural: "GenD, fine-tunes only the ..."."""
    for j in (i, i + 1):
        plural = sentence.tag(j) == "NNS" and sentence.tag(j + 1) in ("DT", "RB")
        if plural and sentence.word(i) != "and":
            sentence.tags[j] = "VBZ"


def _after_mark(sentence: Stretch, mark: int) -> Iterator[Core]:
    """Yield what follows the comma, dash or colon after a name."""
    i, end = mark + 1, sentence.end
    if sentence.tag(i) == "RB" and sentence.tag(i + 1) == "VBZ":
        i += 1
    word, tag = sentence.word(i), sentence.tag(i)
    if word in ("which", "that"):
        yield from relative(sentence, i, linked=True)
    elif word in _ARTICLES or (tag in ("JJ", "NN", "VBN", "CD") and _describes(sentence, i)):
        yield sentence.core("beside", i, end, sentence.word(mark), linked=True)
    elif word == "is" and sentence.word(i + 1) in ("a", "an"):
        yield sentence.core("is", i + 1, end, "is", linked=True)
    elif tag == "VBZ":
        yield sentence.core("verb", i, end, word, linked=True)
    elif word == "to" and sentence.tag(i + 1) == "VB":
        yield sentence.core("purpose", i + 1, end, "name", linked=True)
    elif sentence.word(mark) != ",":
        # A long form stands between the dash and the description: "F2LLM - Foundation ..., a".
        for comma in range(i, min(end, i + 10)):
            if sentence.word(comma) == "," and sentence.word(comma + 1) in _ARTICLES:
                yield sentence.core("beside", comma + 1, end, ",", linked=True)
                break


def _describes(sentence: Stretch, start: int) -> bool:
    """Tell whether no finite verb follows soon, so that the words describe and do not assert."""
    return not any(tag in _FINITE for tag in sentence.tags[start : start + 7])
