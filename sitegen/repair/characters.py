"""Rules on single characters: what copying, decoding and conversion to ASCII do to a text."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Final

_LINE_BREAKS: Final = re.compile("[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+")
_UNPRINTABLE: Final = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
_INVISIBLE: Final = re.compile(
    "[\u00ad\u200b\u2060-\u2064\ufeff\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]"
)
_JOINERS: Final = re.compile(
    "(?<![\u0590-\U0010ffff])[\u200c\u200d]|[\u200c\u200d](?![\u0590-\U0010ffff])"
)
_SPACES: Final = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_RUN: Final = re.compile("  +")
_LIGATURES: Final = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)
_LIGATURE: Final = re.compile("[\ufb00-\ufb06]")

_ENTITY: Final = re.compile(
    r"&(?:amp;)*(lt|gt|amp|quot|apos|nbsp|ndash|mdash|hellip|[lr][sd]quo|times|minus|deg|plusmn|micro"
    r"|le|ge|ne|rarr|larr|alpha|beta|gamma|delta|epsilon|lambda|mu|sigma"
    r"|[A-Za-z](?:acute|grave|circ|uml|tilde|cedil|caron|ring|slash)|szlig|[ao]elig"
    r"|#\d{2,6}|#[xX][0-9A-Fa-f]{2,5});"
)

_LOST_CODE: Final = re.compile(
    r"([a-z)]{2})x(201[03489cd]|2026|2192|2212|00d7|00b1|2264|2265)(?=([a-z]*))"
)
_LOST_SIGN: Final = re.compile(r"(?<!\b0)(?<=[\d)])x00(25|2b|b0|d7|b1)(?![0-9a-f])(?:x00(25|2b))?")
_ENDS_IN_X: Final = re.compile(
    r"(?:inde|verte|comple|simple|late|matri|mi|fi|bo|ma|prefi|suffi|uni|linu|he|te|appendi|refle"
    r"|synta|conte|vorte|ape|hoa|la|ta|rela|multiple|duple|fle|se|si|pi|wa|fo|fa)$"
)

_CP1252: Final = {
    bytes([byte]).decode("cp1252"): byte
    for byte in range(0x80, 0xA0)
    if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
_HIGH: Final = "".join(_CP1252)
_TAIL: Final = f"[\x80-\xbf{_HIGH}]"
_MOJIBAKE: Final = re.compile(
    f"[ÃÅÄ][\x80-\xbf€‚ƒ„†‡ˆ‰Š‹ŒŽ•˜šœžŸ]|Â[\x80-\x9f\xa0§©®°±²³´µ·¹¼½¾×]|[âï]{_TAIL}{_TAIL}|ð{_TAIL}{_TAIL}{_TAIL}"
)


def drop_unprintable(text: str) -> str:
    """Line breaks become spaces; control characters, lone surrogates, noncharacters go."""
    if text.isprintable():
        return text
    return _UNPRINTABLE.sub("", _LINE_BREAKS.sub(" ", text))


def mend_mojibake(text: str) -> str:
    """Mend UTF-8 that was read as Windows-1252 or Latin-1, where the bytes leave no doubt."""
    return _MOJIBAKE.sub(_redecoded, text)


def _redecoded(found: re.Match[str]) -> str:
    raw = bytes(_CP1252.get(char, ord(char) & 0xFF) for char in found[0])
    try:
        char = raw.decode("utf-8")
    except UnicodeDecodeError:
        return found[0]
    return char if char.isprintable() or char.isspace() else found[0]


def drop_invisible(text: str) -> str:
    """Soft hyphens, zero-width and direction signs go; joiners stay in scripts that use them."""
    if text.isascii() or text.isprintable():
        return text
    return _JOINERS.sub("", _INVISIBLE.sub("", text))


def plain_spaces(text: str) -> str:
    """No-break, thin and ideographic spaces become plain ones, runs of spaces one."""
    text = text if text.isascii() or text.isprintable() else _SPACES.sub(" ", text)
    return _RUN.sub(" ", text) if "  " in text else text


def split_ligatures(text: str) -> str:
    """Typographic ligatures become letters, so that words match."""
    return text.translate(_LIGATURES) if _LIGATURE.search(text) else text


def decode_entities(text: str) -> str:
    """HTML entities become their characters, also where they were escaped twice."""
    return _ENTITY.sub(_entity, text)


def _entity(found: re.Match[str]) -> str:
    char = html.unescape(f"&{found[1]};")
    plain = len(char) == 1 and (char.isprintable() or char == "\xa0") and not _INVISIBLE.match(char)
    return char.replace("\xa0", " ") if plain else found[0]


def decode_lost_codes(text: str) -> str:
    r"""``domainsx2013varying`` (from ``\unicode{x2013}``) gets its character back."""
    text = _LOST_SIGN.sub(
        lambda m: "".join(chr(int(code, 16)) for code in m.groups() if code), text
    )
    return _LOST_CODE.sub(_lost_code, text)


def _lost_code(found: re.Match[str]) -> str:
    word_before = found.string[max(0, found.start() - 12) : found.end(1)]
    follows = found[3]
    is_word_in_x = _ENDS_IN_X.search(word_before) is not None
    if is_word_in_x or not (len(follows) > 1 or follows == "s"):
        return found[0]
    return found[1] + chr(int(found[2], 16))


def compose(text: str) -> str:
    """Letters and their accents become one character each (NFC)."""
    return unicodedata.normalize("NFC", text)
