r"""Rule on accents that TeX spells out: ``Sabi\'a``, ``Kova\v{c}``, ``Bokm{\aa}l``."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from sitegen.repair.draft import Draft

_ACCENTS: Final = {
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    '"': "\u0308",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "c": "\u0327",
    "v": "\u030c",
    "u": "\u0306",
    "H": "\u030b",
    "k": "\u0328",
    "r": "\u030a",
    "d": "\u0323",
    "b": "\u0331",
}
_ACCENT: Final = re.compile(
    r"\{?\\(?:(['`^\"~=.])\s*|([cvuHkrdb])(?:\s+|(?=\{)|(?=\\[ij]\b)))"
    r"(?:\{\s*(\\?[A-Za-z])\s*\}|(\\[ij])(?![A-Za-z])\s?|([A-Za-z]))(\}?)"
)
_LETTERS: Final = {
    "ss": "ß",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "aa": "å",
    "AA": "Å",
    "dh": "ð",
    "DH": "Ð",
    "th": "þ",
    "TH": "Þ",
    "dj": "đ",
    "DJ": "Đ",
    "ng": "ŋ",
    "NG": "Ŋ",
    "i": "ı",
    "j": "ȷ",
}
_LETTER: Final = re.compile(
    r"\{\\(ss|[oO]|[lL]|ae|AE|oe|OE|aa|AA|dh|DH|th|TH|dj|DJ|ng|NG|i|j)\}"
    r"|\\(ss|[oO]|[lL]|ae|AE|oe|OE|aa|AA|dh|DH|th|TH|dj|DJ|ng|NG|i|j)(?![A-Za-z])(?:\{\}|\s)?"
)


def set_accents(draft: Draft) -> str:
    r"""``Sabi\'a``, ``Kova\v{c}``, ``Bokm{\aa}l`` get their letters."""
    text = _ACCENT.sub(_accent, draft.text)
    return _LETTER.sub(lambda m: _LETTERS[m[1] or m[2]], text)


def _accent(found: re.Match[str]) -> str:
    mark = _ACCENTS[found[1] or found[2]]
    letter = (found[3] or found[4] or found[5]).lstrip("\\")
    opened, closed = found[0].startswith("{"), bool(found[6])
    composed = unicodedata.normalize("NFC", letter + mark)
    return (
        ("{" if opened and not closed else "") + composed + ("}" if closed and not opened else "")
    )
