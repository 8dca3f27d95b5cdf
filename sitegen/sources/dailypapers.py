"""The "Daily Papers" dumps: a header line, then one abstract a paragraph; no titles, no ids.

Paragraphs are parted by blank lines, or stand one on each line without any blank ones. Lines that
the page around the abstracts left behind are reported, not published. So are short pieces that
look like headings; a short text that ends like a sentence is an abstract, as is ``N/A``.
"""

from __future__ import annotations

import re
from itertools import pairwise

from sitegen.diagnostics import note, warning
from sitegen.sources.debris import is_debris, is_fragment, is_strong_debris, is_weak_debris, plain
from sitegen.sources.reading import Found, Reading, Remarks
from sitegen.sources.wrapping import Hyphens, Line, ends_sentence, goes_on

LONGEST = 100_000
"""Characters of an abstract; the longest known ones have 5,000."""
UNWRAPPED = 240
"""Characters from which on a line is a paragraph of its own: nobody wraps that wide."""
_SHORT_WORDS = 8
_SHORT_LENGTH = 40
_HEADER_WORDS = 8
_HEADER_LENGTH = 80
_FULL_LINE = 40
# Of 12,000 arXiv abstracts 26 have three long lines or more, none has these many.
_MOST_PARTS = 8
_LONG_ABSTRACT = 6000
_MARKUP = re.compile(
    r"""\s*(?:<(?:!doctype|html|\?xml|feed|rss)\b | \{\s*" | \[\s*\{ | @\w+\s*[{(] | TY\ \ -)""",
    re.IGNORECASE | re.VERBOSE,
)
_LABELLED = re.compile(r"[A-Z][\w &/-]{2,30}: |\(?[ivx\d]{1,4}[.)] |[-*•–] ")

_Block = list[Line]


def recognises(text: str) -> bool:
    """Whether a text is prose: not HTML, XML, JSON, BibTeX or RIS."""
    return not _MARKUP.match(text[:200])


def read(text: str, file: str) -> Reading:
    """Read one dump.

    Args:
        text: as `decode` returns it.
        file: path for the problems.

    Returns:
        the abstracts, unwrapped; what else stands in the file is reported with its line.
    """
    remarks = Remarks(file)
    blocks = _blocks(text)
    if not blocks:
        remarks.add(warning, "source-empty", 0, "the file is empty")
        return Reading(problems=remarks.problems())
    header = _take_header(blocks)
    if not header:
        remarks.add(note, "source-no-header", 1, "no header line; read from the first line on")
    blocks = [rest for block in blocks if (rest := _without_debris(block, header, remarks))]
    paragraphs = _paragraphs(blocks, remarks)
    hyphens = Hyphens(paragraphs, text)
    found: list[Found] = []
    for lines in paragraphs:
        joined = hyphens.join(lines)
        if _check(joined, lines[0].number, remarks):
            found.append(Found(text=joined, position=len(found) + 1, line=lines[0].number))
    if not found:
        remarks.add(warning, "source-empty", 0, "the file holds no abstract")
    return Reading(found=tuple(found), reported=remarks.reported, problems=remarks.problems())


def _blocks(text: str) -> list[_Block]:
    """Return the stretches of lines between blank ones."""
    blocks: list[_Block] = [[]]
    for number, raw in enumerate(text.split("\n"), 1):
        if line := raw.strip():
            blocks[-1].append(Line(number, line))
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if block]


def _take_header(blocks: list[_Block]) -> str:
    """Remove the header from the first block and return it; empty where there is none."""
    first, *rest = blocks[0]
    line = first.text
    known = is_strong_debris(line) and "daily papers" in plain(line)
    heading = (
        len(line) <= _HEADER_LENGTH
        and len(line.split()) <= _HEADER_WORDS
        and not ends_sentence(line)
        and (not rest or (len(rest[0].text) > 3 * len(line) and not goes_on(line, rest[0].text)))
    )
    if not (known or heading):
        return ""
    blocks[0] = rest
    return line


def _without_debris(block: _Block, header: str, remarks: Remarks) -> _Block:
    """Take page furniture out of a block of several lines, each line reported."""
    if len(block) < 2:
        return block
    title = plain(header)

    def is_furniture(line: Line) -> bool:
        again = len(line.text) <= _HEADER_LENGTH and bool(title) and plain(line.text) == title
        return again or is_strong_debris(line.text)

    first, last = 0, len(block)
    while first < last and (is_furniture(block[first]) or is_weak_debris(block[first].text)):
        first += 1
    while last > first + 1 and (
        is_furniture(block[last - 1])
        or (is_weak_debris(block[last - 1].text) and ends_sentence(block[last - 2].text))
    ):
        last -= 1
    kept = []
    for at, line in enumerate(block):
        inside = first <= at < last
        number = (
            first < at < last - 1
            and line.text.isdecimal()
            and min(len(block[at - 1].text), len(block[at + 1].text)) >= _FULL_LINE
        )
        if inside and not number and not is_furniture(line):
            kept.append(line)
        else:
            _drop_debris(line.text, line.number, remarks)
    return kept


def _drop_debris(text: str, line: int, remarks: Remarks) -> None:
    remarks.drop(note, "source-debris", line, "not an abstract but page furniture", piece=text)


def _paragraphs(blocks: list[_Block], remarks: Remarks) -> list[_Block]:
    """Part the blocks into paragraphs; what a line break means is decided for the whole file."""
    pieces = [_pieces(block) for block in blocks]
    breaks = sum(len(parts) - 1 for parts in pieces if _is_unwrapped(parts))
    dense = breaks >= max(len(blocks) - 1, 1)
    paragraphs: list[_Block] = []
    for block, parts in zip(blocks, pieces, strict=True):
        if _is_unwrapped(parts):
            total = sum(len(line.text) for line in block)
            several = dense or len(parts) > _MOST_PARTS or total > _LONG_ABSTRACT
            labelled = any(_LABELLED.match(part[0].text) for part in parts[1:])
            if not several and not labelled:
                remarks.add(
                    warning,
                    "source-joined-lines",
                    block[0].number,
                    "long lines without a blank line between them were read as one abstract",
                    hint="put a blank line between them if they are several",
                )
        else:
            ended = [ends_sentence(part[-1].text) for part in parts]
            several = len(blocks) <= 2 and len(parts) == len(block) and all(ended)
        paragraphs += parts if several else [block]
    return paragraphs


def _pieces(block: _Block) -> list[_Block]:
    """Part a block at each line break that does not fall into a sentence."""
    parts = [[block[0]]]
    for one, two in pairwise(block):
        if goes_on(one.text, two.text):
            parts[-1].append(two)
        else:
            parts.append([two])
    return parts


def _is_unwrapped(parts: list[_Block]) -> bool:
    return len(parts) > 1 and max(len(line.text) for part in parts for line in part) >= UNWRAPPED


def _check(text: str, line: int, remarks: Remarks) -> bool:
    """Tell whether a paragraph is an abstract; report it where it is not."""
    if len(text) > LONGEST:
        remarks.drop(
            warning,
            "source-too-long",
            line,
            f"a paragraph of {len(text):,} characters is no abstract",
            hint="put a blank line between the abstracts",
        )
        return False
    short = len(text) < _SHORT_LENGTH or len(text.split(maxsplit=_SHORT_WORDS)) < _SHORT_WORDS
    if is_debris(text) or not any(map(str.isalpha, text)):
        _drop_debris(text, line, remarks)
        return False
    if short and not ends_sentence(text) and is_fragment(text):
        remarks.drop(
            warning,
            "source-fragment",
            line,
            "not an abstract but a heading or button",
            piece=text,
            hint="end it with a full stop if it is an abstract",
        )
        return False
    if short:
        remarks.add(note, "source-short", line, "a very short abstract", piece=text)
    return True
