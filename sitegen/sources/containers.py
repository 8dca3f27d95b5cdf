"""Files within files: gzip and ZIP, unpacked in memory and within bounds."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from sitegen.diagnostics import Location, Problem, error, note, warning

LARGEST = 256 * 1024 * 1024
"""Bytes that the members of one archive may have in all, unpacked."""
MOST_MEMBERS = 5_000
_CHUNK = 1 << 20
_GZIP = b"\x1f\x8b"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_END = b"PK\x05\x06"
# The directory is read whole before anything can be counted; 300 bytes are a long entry.
_LARGEST_DIRECTORY = 300 * MOST_MEMBERS
_OFFICE = frozenset({"[Content_Types].xml", "mimetype"})
_ASIDE = re.compile(r"(?:readme|licen[cs]e|copying|notice|changelog)\b.*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One file of an archive."""

    name: str
    """Path for problems: the archive's, and behind it that within the archive."""
    data: bytes = b""
    problem: Problem | None = None
    """Why it cannot be read; None where it can."""


def too_large(name: str, how: str) -> Problem:
    """Return the error for a file of more bytes than `LARGEST`, which ``how`` comes about."""
    words = f"it {how} more than {LARGEST >> 20} MB: so many papers are no digest"
    hint = (
        "keep only the records of your field: grep 'cs[.]CL' FILE > seeds/field.jsonl; or leave"
        " it where it is, and complete the papers you have from it: sitegen enrich FILE"
    )
    return error("source-too-large", words, Location(name), hint)


def is_container(data: bytes) -> bool:
    """Whether a file is a gzip or ZIP archive."""
    return data.startswith((_GZIP, *_ZIP))


def unpack(data: bytes, name: str) -> Iterator[Member]:
    """Yield the files of an archive in the order of their names.

    Args:
        data: the archive, `is_container`.
        name: its path.

    Yields:
        the members. What the archiver or the publisher put beside them (resource forks, a readme)
        comes with a note, what cannot be unpacked with a warning; an archive that cannot be read
        at all is one member with an error.
    """
    if data.startswith(_GZIP):
        yield _gunzip(data, name, LARGEST)
        return
    yield from _unzip(data, name)


def _gunzip(data: bytes, name: str, most: int) -> Member:
    """Unpack gzip, also of several streams in a row."""
    parts: list[bytes] = []
    size = 0
    broken = False
    while data.startswith(_GZIP):
        engine = zlib.decompressobj(wbits=31)
        try:
            while not engine.eof:
                part = engine.decompress(data, _CHUNK)
                data = engine.unconsumed_tail
                if not part and not data:
                    break
                size += len(part)
                if size > most:
                    return Member(name=name, problem=too_large(name, "unpacks to"))
                parts.append(part)
        except zlib.error:
            broken = True
            break
        broken = not engine.eof
        data = engine.unused_data
    problem = None
    if broken:
        words = "the archive is damaged or breaks off; it was read as far as it goes"
        problem = warning("source-archive", words, Location(name), "fetch it again")
    return Member(name=name, data=b"".join(parts), problem=problem)


def _unzip(data: bytes, name: str) -> Iterator[Member]:
    end = data.rfind(_END)
    if end < 0 or len(data) < end + 22:
        yield _refused(name, "it is damaged or breaks off")
        return
    if struct.unpack_from("<I", data, end + 12)[0] > _LARGEST_DIRECTORY:
        yield _refused(name, f"it holds more than {MOST_MEMBERS:,} files")
        return
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        listed = sorted(archive.infolist(), key=lambda info: info.filename)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, struct.error) as exc:
        yield _refused(name, f"it is damaged: {exc}")
        return
    if len(listed) > MOST_MEMBERS:
        yield _refused(name, f"it holds more than {MOST_MEMBERS:,} files")
        return
    if any(info.filename in _OFFICE for info in listed):
        yield _refused(name, "it is an office document or book, no archive of sources")
        return
    left = LARGEST
    for info in listed:
        if info.is_dir():
            continue
        member = _unzipped(archive, info, name, left)
        left -= len(member.data)
        yield member


def _unzipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, left: int) -> Member:
    path = f"{name}/{info.filename.encode('utf-8', 'backslashreplace').decode()}"
    inner = PurePosixPath(info.filename)
    if any(part.startswith((".", "__MACOSX")) for part in inner.parts) or _ASIDE.match(inner.name):
        problem = note("source-archive", "passed over: no source of papers", Location(path))
        return Member(name=path, problem=problem)
    try:
        # What the directory says of the size is not to be trusted.
        with archive.open(info) as file:
            data = file.read(left + 1)
    except (
        zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError,
        ValueError, struct.error,
    ) as exc:  # fmt: skip
        words = f"cannot be unpacked: {exc}"
        return Member(name=path, problem=warning("source-archive", words, Location(path)))
    if len(data) > left:
        words = f"the archive unpacks to more than {LARGEST >> 20} MB; the rest was not read"
        return Member(name=path, problem=warning("source-archive", words, Location(path)))
    if data.startswith(_GZIP):
        return _gunzip(data, path, left)
    if is_container(data):
        words = "an archive within an archive is not read"
        return Member(name=path, problem=warning("source-archive", words, Location(path)))
    return Member(name=path, data=data)


def _refused(name: str, why: str) -> Member:
    words = f"the archive cannot be read: {why}"
    hint = "unpack it, and give the files in it"
    return Member(name=name, problem=error("source-archive", words, Location(name), hint))
