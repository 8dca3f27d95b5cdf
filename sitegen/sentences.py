"""Where sentences end in a scientific abstract; pure, one pass, linear in the text's length."""

from __future__ import annotations

import re

# It begins with one of few characters, which the matcher looks for at once.
_NARROW_BREAK = re.compile(
    r"(?P<stop>[.!?][.!?]*+)(?P<close>[\"'”’»)\]]{0,3})(?P<gap>\s++)(?=(?P<next>\S))"
)
_BREAK = re.compile(_NARROW_BREAK.pattern + r"|(?P<wide>[。！？｡]+[」』”’）]{0,3})\s*")
_WIDE = re.compile(r"[。！？｡]")
# Dots after these words end no sentence, whatever follows.
_NEVER = re.compile(
    r"(?:e\.g|i\.e|cf|vs|viz|resp|approx|figs?|eqs?|secs?|refs?|tab|thm|def|no|nos|vol|ch|app|dr|mr|"
    r"mrs|ms|prof|st|dept|univ|inc|ltd|w\.r\.t|a\.k\.a|ca|incl|ph\.d)\Z"
)
# Dots after these end a sentence when a capital follows.
_SOMETIMES = re.compile(r"(?:al|etc|a\.m|p\.m|u\.s|u\.k|co|corp|jr|sr)\Z")
_LAST_WORD = re.compile(r"[^\s(\[{\"“‘,;]{1,40}\Z")
# A single capital before a full stop is an initial, unless the next word only begins sentences.
_STARTER = re.compile(
    r"(?:We|Our|The|This|These|It|In|To|However|Here|Then|For|While|By|As|An?|With|On|Moreover|"
    r"Furthermore|Finally|Thus|Hence|When|Such|Unlike|First|Second|Based|Using|Experiments)\b"
)
_OPENERS = "\"'“‘«([{`¿¡*_"


def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the start and end of each sentence of ``text``, without the white space around it.

    Abbreviations (``e.g.``, ``et al.``, ``vs.``), initials, decimals and URLs end no sentence; a
    full stop before a lower-case word ends none either, unless that word is a name such as mBERT.
    The spans are in order, do not overlap and leave out nothing but white space.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    breaks = _BREAK if not text.isascii() and _WIDE.search(text) else _NARROW_BREAK
    for match in breaks.finditer(text):
        wide = match.lastgroup == "wide"
        if wide or _ends_sentence(text, match):
            _append(spans, text, start, match.end("wide") if wide else match.start("gap"))
            start = match.end()
    _append(spans, text, start, len(text))
    return tuple(spans)


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of ``text``, each without white space around it."""
    return tuple(text[start:end] for start, end in sentence_spans(text))


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    if size := len(piece.strip()):
        spans.append((start + left, start + left + size))


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    following = match["next"]
    position = match.start("next")
    if following in _OPENERS and position + 1 < len(text):
        position += 1
        following = text[position]
    if match["stop"] != ".":
        return not following.islower()
    before = _LAST_WORD.search(text, max(0, match.start() - 40), match.start())
    word = before[0].rstrip(".").lower() if before else ""
    if _NEVER.match(word):
        return False
    if before and _is_initial(before[0]):
        return _STARTER.match(text, position) is not None
    if following.islower():
        return not _SOMETIMES.match(word) and _is_name(text, position)
    if _SOMETIMES.match(word):
        return following.isupper()
    return following.isalnum() or following in "$\\%#" or not following.isascii()


def _is_initial(word: str) -> bool:
    return len(word) == 1 and word.isalpha() and word.isupper() and word != "I"


def _is_name(text: str, position: int) -> bool:
    """Tell whether the word at ``position`` begins small but carries a capital (mBERT)."""
    word = re.match(r"\w{1,30}", text[position : position + 30])
    return word is not None and any(letter.isupper() for letter in word[0][1:])
