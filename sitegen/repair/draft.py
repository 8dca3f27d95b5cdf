"""The text under repair: a string in which finished parts stand as opaque marks.

A finished part (a formula, a URL, code) is taken out and leaves a mark made of Unicode
noncharacters, which no pattern of a rule matches by accident; emphasis leaves marks at both ends.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Final

from sitegen.records import Prose, Span, SpanKind

HELD: Final = "\ufdd0"
"""Opens the mark of a held part; its number and END follow."""
END: Final = "\ufdd1"
STRONG: Final = "\ufdd2"
STRONG_END: Final = "\ufdd3"
EMPHASIS: Final = "\ufdd4"
EMPHASIS_END: Final = "\ufdd5"
DIGITS: Final = "".join(chr(0xFDE0 + digit) for digit in range(10))
"""Noncharacters that stand for 0 to 9 in a mark, so that no rule takes them for digits."""
MARKS: Final = f"[{HELD}-{EMPHASIS_END}{DIGITS}]"
"""Character class of everything that marks are made of."""
HELD_MARK: Final = f"{HELD}[{DIGITS}]+{END}"
"""Pattern of one held part."""

_TO_MARK: Final = str.maketrans("0123456789", DIGITS)
_FROM_MARK: Final = str.maketrans(DIGITS, "0123456789")
_PIECE: Final = re.compile(f"{HELD}([{DIGITS}]+){END}|([{STRONG}-{EMPHASIS_END}])")
_OPENING: Final[dict[str, SpanKind]] = {STRONG: "strong", EMPHASIS: "emphasis"}
_CLOSING: Final[dict[str, SpanKind]] = {STRONG_END: "strong", EMPHASIS_END: "emphasis"}
_SPACE_AFTER_OPENING: Final = re.compile(f"([{STRONG}{EMPHASIS}]+)( )")
_SPACE_BEFORE_CLOSING: Final = re.compile(f"( )([{STRONG_END}{EMPHASIS_END}]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A finished part: what is shown, and what it is (None for plain text)."""

    shown: str
    kind: SpanKind | None
    value: str = ""


@dataclass(slots=True)
class Draft:
    """A text on its way; rules replace ``text`` and hold parts."""

    text: str
    parts: list[Part] = field(default_factory=list)

    def hold(self, shown: str, kind: SpanKind | None, value: str = "") -> str:
        """Take a finished part out and return the mark to leave in its place."""
        if _PIECE.search(shown):
            shown = self.shown(shown)
        if not shown:
            return ""
        self.parts.append(Part(shown=shown, kind=kind, value=value))
        return f"{HELD}{str(len(self.parts) - 1).translate(_TO_MARK)}{END}"

    def shown(self, text: str | None = None) -> str:
        """Return the text (or a piece of it) with every mark replaced by what it shows.

        Marks that the source itself has, until a rule takes them away, show nothing.
        """
        whole = self.text if text is None else text
        return _PIECE.sub(lambda m: self._shown_part(m[1]) if m[1] else "", whole)

    def _shown_part(self, number: str) -> str:
        at = int(number.translate(_FROM_MARK))
        return self.parts[at].shown if at < len(self.parts) else ""

    def _part(self, number: str) -> Part:
        return self.parts[int(number.translate(_FROM_MARK))]

    def prose(self) -> Prose:
        """Return the clean text with its spans; spaces stand outside of emphasis, never doubled."""
        if self.text.isascii() or self.text.isprintable():  # no marks: noncharacters are neither
            return Prose(text=_folded(self.text.strip(" ")))
        text = _SPACES.sub(" ", self.text)
        text = _with_spaces_outside(text) if STRONG in text or EMPHASIS in text else text
        pieces: list[str] = []
        spans: list[Span] = []
        open_at: list[tuple[SpanKind, int]] = []
        length = 0

        def add(piece: str) -> None:
            nonlocal length
            if pieces and pieces[-1].endswith(" "):
                piece = piece.lstrip(" ")
            if piece:
                pieces.append(piece)
                length += len(piece)

        def close_inner() -> None:
            if open_at and open_at[-1][1] < length:
                spans.append(Span(start=open_at[-1][1], end=length, kind=open_at[-1][0]))

        at = 0
        text = text.strip(" ")
        for found in _PIECE.finditer(text):
            add(_folded(text[at : found.start()]))
            at = found.end()
            if found[1]:
                part = self._part(found[1])
                if part.kind is None:
                    add(_folded(part.shown))
                    continue
                close_inner()
                start = length
                add(_folded(part.shown))
                if length > start:
                    spans.append(Span(start=start, end=length, kind=part.kind, value=part.value))
                if open_at:
                    open_at[-1] = (open_at[-1][0], length)
            elif found[2] in _OPENING:
                close_inner()
                open_at.append((_OPENING[found[2]], length))
            elif open_at:
                close_inner()
                open_at.pop()
                if open_at:
                    open_at[-1] = (open_at[-1][0], length)
        add(_folded(text[at:]))
        close_inner()
        clean = "".join(pieces)
        if not unicodedata.is_normalized("NFC", clean):
            # Parts that compose across a border (a lone accent after a formula): no safe offsets.
            return Prose(text=unicodedata.normalize("NFC", clean).strip())
        end = len(clean.rstrip(" "))
        kept = (span for span in spans if span.start < end)
        return Prose(
            text=clean[:end],
            spans=tuple(
                span
                if span.end <= end
                else Span(start=span.start, end=end, kind=span.kind, value=span.value)
                for span in kept
            ),
        )


def _with_spaces_outside(text: str) -> str:
    text = _SPACE_AFTER_OPENING.sub(r"\2\1", text)
    return _SPACE_BEFORE_CLOSING.sub(r"\2\1", text)


def _folded(piece: str) -> str:
    """Return the piece in NFC with every run of spaces as one."""
    return unicodedata.normalize("NFC", _SPACES.sub(" ", piece))


_SPACES: Final = re.compile(r"  +")
