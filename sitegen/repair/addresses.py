"""Rules that take out what no later rule may touch: addresses, file names, code."""

from __future__ import annotations

import re
from typing import Final

from sitegen.links import ADDRESS, absolute, may_hold_address, trimmed
from sitegen.repair.draft import Draft

_ADDRESS_TEXT: Final = re.compile(r"\{{1,2}([^{}\\]{1,80})\}{1,2}")
_ESCAPED_IN_ADDRESS: Final = re.compile(r"(https?://[^\s{}<>\"]*)")
_IDENTIFIER: Final = re.compile(
    r"(?<![\w.@/%+-])(?:[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"
    r"|[A-Za-z_][A-Za-z0-9]*(?:_[A-Za-z0-9]+){2,}|[A-Za-z0-9]{2,}_[A-Za-z0-9]{2,})(?![\w@])"
)
_FILE: Final = re.compile(
    r"(?<![\w.@/-])[\w/-]+\.(?:py|ipynb|md|txt|json|jsonl|csv|tsv|yaml|yml|html|pdf|cpp|js|ts|rs)"
    r"(?![\w@])"
)
_DRIVE: Final = re.compile(r"(?<![A-Za-z])[A-Z]:\\[\w.\\-]+")
_FILE_ENDING: Final = re.compile(r"\.(?:py|ip|md|tx|js|cs|ts|ya|ym|ht|pd|cp|rs)")
_CODE: Final = re.compile(r"(?<![`\w])`([^`'\n]{1,80}[^`'\s])`(?![`\w'])|(?<!`)`(\w)`(?!`)")


def hold_addresses(draft: Draft) -> str:
    """Addresses become links and are left alone by all later rules."""
    text = draft.text
    if not may_hold_address(text):
        return text
    if "://" in text and "\\" in text:
        text = _ESCAPED_IN_ADDRESS.sub(lambda m: re.sub(r"\\([_%#&~-])", r"\1", m[1]), text)
        text = re.sub(r"(https?://[^\s{}<>\"\\]*)\\(?=[_%#&~])", r"\1", text)
    out: list[str] = []
    at = 0
    for found in ADDRESS.finditer(text):
        address = trimmed(found[0])
        end = found.start() + len(address)
        url = absolute(address)
        if url is None or found.start() < at:
            continue
        shown = _ADDRESS_TEXT.match(text, end)
        out.append(text[at : found.start()])
        out.append(draft.hold(shown[1] if shown else address, "link", url))
        at = shown.end() if shown else end
    out.append(text[at:])
    return "".join(out)


def hold_identifiers(draft: Draft) -> str:
    """Mail addresses, file names, paths and names with underscores are no formulas."""
    text = draft.text
    if "_" in text or "@" in text:
        text = _IDENTIFIER.sub(lambda m: draft.hold(m[0], None), text)
    if ":\\" in text:
        text = _DRIVE.sub(lambda m: draft.hold(m[0], None), text)
    if _FILE_ENDING.search(text):
        text = _FILE.sub(lambda m: draft.hold(m[0], None), text)
    return text


def hold_code(draft: Draft) -> str:
    """Markdown code between single backticks becomes code."""
    return _CODE.sub(lambda m: draft.hold(m[1] or m[2], "code"), draft.text)
