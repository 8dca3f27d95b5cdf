"""Texts as words and as hashes of word 3-shingles; what dedup and registry compare texts by.

Every hash comes from the words alone, so it is the same on every machine, in every run and for
every order of texts.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitegen.distinct import distinct
from sitegen.records import Abstract, Metadata, Restored

Hashes = npt.NDArray[np.uint64]

SIZE = 3
"""Words in a shingle."""
FINGERPRINT = 16
"""Characters of a fingerprint."""
CROCKFORD = b"0123456789abcdefghjkmnpqrstvwxyz"
"""Digits of lower-case Crockford base32: no i, l, o, u."""
_TO_CROCKFORD = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", CROCKFORD)
# Scripts written without spaces: each character counts as a word.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_AUTHORS = 20
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_LATEX_COMMAND = re.compile(r"\\[A-Za-z]+")
# Odd multipliers of the three places in a shingle (fractions of the golden ratio, 2 and 3 roots).
_PLACES = tuple(
    np.uint64(value) for value in (0x9E3779B97F4A7C15, 0xB504F333F9DE6485, 0xDDB3D742C265539D)
)
_MIX = np.uint64(0xFF51AFD7ED558CCD)
_SHIFT = np.uint64(32)
_BLOCK = 1 << 14


def words(text: str) -> list[str]:
    """Return the words two copies of a text share: no case, accents, markup or punctuation.

    Compatibility forms are folded (NFKC), LaTeX commands and soft hyphens dropped; a character of
    a script without spaces is a word of its own.
    """
    bare = _fold(text)
    if bare.isascii():
        return _ASCII_WORD.findall(bare.lower())
    return [surface.casefold() for surface in _WORD.findall(bare)]


def surfaces(text: str) -> list[str]:
    """Return what `words` returns, in the case of the text."""
    return _WORD.findall(_fold(text))


def _fold(text: str) -> str:
    if "\\" in text:
        text = _LATEX_COMMAND.sub(" ", text)
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKD", text.replace("\u00ad", ""))
    return unicodedata.normalize("NFC", text.translate(_WITHOUT_ACCENTS))


class _WithoutAccents(dict[int, int | None]):
    """For `str.translate`: drops combining characters, and remembers which are."""

    def __missing__(self, code: int) -> int | None:
        self[code] = kept = None if unicodedata.combining(chr(code)) else code
        return kept


_WITHOUT_ACCENTS = _WithoutAccents()


def digest(text: str, tokens: Sequence[str] | None = None) -> str:
    """Return SHA-256 of a text's words in lower-case Crockford base32 (52 characters).

    A text without any word is told from others by its characters.

    Args:
        text: the text.
        tokens: its `words`, where they are known already.
    """
    plain = " ".join(words(text) if tokens is None else tokens) or f"\n{text.strip()}"
    code = base64.b32encode(hashlib.sha256(plain.encode("utf-8", "surrogatepass")).digest())
    return code.rstrip(b"=").translate(_TO_CROCKFORD).decode()


def known_by(abstract: Abstract) -> str:
    """Return the text that a record is recognised by: its abstract's.

    Where it has none: its title with its arXiv identifier, DOI, or else its authors and date.
    """
    if abstract.text.strip():
        return abstract.text
    return title_line(abstract.metadata)


def title_line(metadata: Metadata) -> str:
    """Return a title with what tells it from the same title of another paper; see `known_by`."""
    if not metadata.title:
        return ""
    people = [metadata.date, *(author.name for author in metadata.authors[:_AUTHORS])]
    identifier = metadata.arxiv or metadata.doi.casefold()
    return "\n".join([metadata.title, *([identifier] if identifier else people)])


def shown(restored: Restored) -> str:
    """Return the text of a record to show and compare: as mended, as read where nothing is left."""
    return restored.prose.text or restored.abstract.text


def fingerprint(text: str) -> str:
    """Return the first characters of `digest`: 80 bits, what decisions and registry name."""
    return digest(text)[:FINGERPRINT]


class _WordHashes(dict[str, int]):
    def __missing__(self, token: str) -> int:
        data = token.encode("utf-8", "surrogatepass")
        value = int.from_bytes(hashlib.blake2b(data, digest_size=8).digest())
        self[token] = value
        return value


class Hasher:
    """Hashes words and runs of words; remembers the hash of each word it met."""

    def __init__(self) -> None:
        self._known = _WordHashes()

    def words(self, tokens: Sequence[str]) -> Hashes:
        """Return one 64-bit hash a word, in order."""
        return np.fromiter(map(self._known.__getitem__, tokens), np.uint64, len(tokens))


@dataclass(frozen=True, slots=True)
class Print:
    """What a text is compared by."""

    digest: str
    """See `digest`."""
    words: Hashes
    """A hash of each of its `words`, in order."""

    @property
    def mark(self) -> str:
        """Its `fingerprint`."""
        return self.digest[:FINGERPRINT]


class Prints(dict[str, Print]):
    """Prints by text; makes the print of a text that it lacks."""

    def __init__(self) -> None:
        super().__init__()
        self._hasher = Hasher()

    def __missing__(self, text: str) -> Print:
        tokens = words(text)
        self[text] = made = Print(digest(text, tokens), self._hasher.words(tokens))
        return made


def distinct_shingles(each: Hashes) -> Hashes:
    """Return the distinct hashes of a text's 3-shingles, sorted; empty below 3 words."""
    return distinct(runs(each, SIZE))


def runs(each: Hashes, size: int) -> Hashes:
    """Return the hash of each run of size words (1 to 3), by its first word's position."""
    count = max(len(each) - size + 1, 0)
    whole = np.zeros(count, dtype=np.uint64)
    for start in range(0, count, _BLOCK):  # what fits the processor's own memory
        mixed = whole[start : start + _BLOCK]
        for place in range(size):
            # Multiplication wraps around by intention: arithmetic modulo 2**64.
            mixed ^= each[start + place : start + place + len(mixed)]
            mixed *= _PLACES[place]
            mixed ^= mixed >> _SHIFT
        mixed *= _MIX
    return whole
