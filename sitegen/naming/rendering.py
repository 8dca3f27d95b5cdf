"""The words of a shortened core as they are printed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sitegen.naming.casing import cased, spelt_out
from sitegen.naming.compression import POINTERS, Body, gerund_of
from sitegen.naming.lexicon import Lexicon
from sitegen.naming.reading import Reading

_WORD = re.compile(r"[^\W_]+")
_BEFORE_MARK = re.compile(r"\s+([,;:?])")
_ARTICLE = re.compile(r"\ban? $")
_PLAIN_FORMS = {"VB", "VBP"}
_BEFORE_OBJECT = (["DT"], ["JJ"], ["NN"], ["NNS"], ["VBN"])


def render(reading: Reading, body: Body, lexicon: Lexicon) -> str:
    """Return the words of a body with their spacing, in sentence case without a first capital.

    Empty where its first word cannot be put into the -ing form: no verb that is known.
    """
    tokens = reading.tagged.tokens
    pieces: list[str] = [body.article] if body.article else []
    previous = -1
    for position, i in enumerate(body.kept):
        if body.gerund and (not position or turned(reading, body, position)):
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


def turned(reading: Reading, body: Body, position: int) -> bool:
    """Tell whether a later verb goes with the first: "learns X and improves Y"."""
    tags, i = reading.tagged.tags, body.kept[position]
    behind_and = position and body.kept[position - 1] == i - 1
    same = tags[i] == tags[body.kept[0]] or {tags[i], tags[body.kept[0]]} == _PLAIN_FORMS
    follows = behind_and and reading.tagged.tokens.lower[i - 1] == "and"
    return bool(follows and same and tags[i + 1 : i + 2] in _BEFORE_OBJECT)


def unfold(body: str, short_forms: Mapping[str, str], room: int) -> str:
    """Return a text with its short forms written out, as far as ``room`` words allow."""
    for short, whole in short_forms.items():
        found = re.search(rf"(?<![\w-]){re.escape(short)}(?![\w-])", body)
        if found and not repeats(whole, body):
            before = _ARTICLE.sub("an " if whole[0] in "aeio" else "a ", body[: found.start()])
            longer = before + whole + body[found.end() :]
            if len(longer.split()) <= room:
                body = longer
    return body


def repeats(name: str, body: str) -> bool:
    """Tell whether a name stands as a word of its own in what is said beside it."""
    words = f" {' '.join(_WORD.findall(body.lower()))} "
    return bool(name) and f" {' '.join(_WORD.findall(name.lower()))} " in words
