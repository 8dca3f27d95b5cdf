"""Bytes of a file to text: encodings, line ends, control characters."""

from __future__ import annotations

import codecs
import re

from sitegen.diagnostics import Location, Problem, error, note, warning

_BOMS = (
    # UTF-32 first: its little-endian mark begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8-sig"),
)
_SIGNATURES = (
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"{\\rtf", "a document of a word processor"),
    (b"\xd0\xcf\x11\xe0", "an office document"),
)
_PLAIN_CONTROLS = b"\t\n\x0b\x0c\r"
_CONTROL_BYTES = bytes(byte for byte in (*range(32), 127) if byte not in _PLAIN_CONTROLS)
_HIGH_BYTES = bytes(range(128, 256))
_SAVE = "export the records as BibTeX, RIS, CSV or JSON, or give plain text in UTF-8"


def _replacements() -> dict[str, str]:
    """Map each character that no XML document may hold, or that only moves a printer's head."""
    table = dict.fromkeys(map(chr, (*range(9), *range(0x0E, 0x1C), 0x7F)), "")
    table |= dict.fromkeys("\ufeff\ufffe\uffff", "")
    table |= dict.fromkeys("\x0b\x0c\x1c\x1d\x1e\x1f\u2028\u2029", " ")
    for code in range(0x80, 0xA0):
        # Code page 1252 that was read as Latin-1 on its way here.
        table[chr(code)] = bytes([code]).decode("cp1252", "ignore")
    return table


_REPLACED = _replacements()
_REPLACE = re.compile("[" + "".join(map(re.escape, _REPLACED)) + "]")
_UNFIT = re.compile(rf"{_REPLACE.pattern}|[\ud800-\udfff]")


def clean(text: str) -> tuple[str, int]:
    """Return a text that came out of escapes without what no XML document may hold.

    Escapes in JSON and XML can bring back control characters, and JSON half a surrogate pair.

    Returns:
        the text, and how many characters were replaced or removed.
    """
    if text.isprintable():
        return text, 0
    return _UNFIT.subn(lambda match: _REPLACED.get(match[0], ""), text)


def decode(data: bytes, file: str) -> tuple[str | None, tuple[Problem, ...]]:
    """Return a file's text with Unix line ends and without control characters.

    A byte order mark decides; else UTF-8, and what is no UTF-8 is read as code page 1252.

    Args:
        data: the file's bytes.
        file: its path, for the problems.

    Returns:
        the text, or None where the bytes are no text; problems.
    """
    problems: list[Problem] = []
    encoding = next((name for mark, name in _BOMS if data.startswith(mark)), "utf-8")
    if kind := _not_text(data, encoding):
        return None, (error("source-not-text", f"not a text file: {kind}", Location(file), _SAVE),)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as exc:
        line = data.count(b"\n", 0, exc.start) + 1
        if not encoding.startswith("utf-8"):
            text = f"it begins like {encoding.upper()} but is broken"
            return None, (error("source-not-text", text, Location(file, line), _SAVE),)
        text, count = _decode_mixed(data.removeprefix(codecs.BOM_UTF8))
        problems.append(
            warning(
                "source-encoding",
                f"not all UTF-8: {count:,} bytes were read as code page 1252",
                Location(file, line),
                "look at the accents on its pages, and save the file as UTF-8",
            )
        )
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if encoding in {"utf-16", "utf-32"} and _odd(text):
        return None, (error("source-not-text", "not a text file", Location(file), _SAVE),)
    if first := _REPLACE.search(text):
        line = text.count("\n", 0, first.start()) + 1
        text, count = _REPLACE.subn(lambda match: _REPLACED[match[0]], text)
        names = f"{count:,} control character{'s' if count > 1 else ''}"
        problems.append(
            note("source-control", f"{names} removed, the first here", Location(file, line))
        )
    return text, tuple(problems)


def _not_text(data: bytes, encoding: str) -> str:
    """Say what makes bytes no text; empty where they may be one."""
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            return f"it looks like {kind}"
    if encoding in {"utf-16", "utf-32"} or not data:
        return ""
    controls = len(data) - len(data.translate(None, _CONTROL_BYTES))
    high = len(data) - len(data.translate(None, _HIGH_BYTES))
    if controls > 0.1 * len(data) or (controls > 0.02 * len(data) and not _is_utf8(data)):
        return "it holds control characters throughout"
    if high > 0.3 * len(data) and not _is_utf8(data):
        return "it is in an encoding that its bytes do not tell"
    return ""


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _decode_mixed(data: bytes) -> tuple[str, int]:
    """Decode UTF-8 with stretches of code page 1252; return the text and their length in bytes."""
    count = 0

    def fall_back(exc: UnicodeError) -> tuple[str, int]:
        nonlocal count
        assert isinstance(exc, UnicodeDecodeError)
        count += exc.end - exc.start
        # Five bytes are undefined in 1252; as Latin-1 they become controls and are removed later.
        part = exc.object[exc.start : exc.end]
        return part.decode("cp1252", "ignore") or part.decode("latin-1"), exc.end

    codecs.register_error("sitegen-cp1252", fall_back)
    return data.decode("utf-8", "sitegen-cp1252"), count


def _odd(text: str) -> bool:
    """Whether most of a text's beginning is neither printable nor space."""
    sample = text[:4096]
    return sum(char.isprintable() or char.isspace() for char in sample) < 0.7 * len(sample)
