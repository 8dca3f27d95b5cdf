"""arXiv identifiers and DOIs, in all the ways sources write them."""

from __future__ import annotations

import html
import re
from urllib.parse import unquote

_NEW = r"\d\d(?:0[1-9]|1[0-2])\.\d{4,5}"
_OLD = r"[a-z]+(?:-[a-z]+)*(?:\.[A-Za-z]{2})?/\d\d(?:0[1-9]|1[0-2])\d{3}"
_VERSION = r"(?:v(?P<version>\d{1,3}))?"
_ARXIV = re.compile(
    r"""(?: arxiv\s*:\s* | oai:arxiv\.org: | (?:https?://)?(?:[\w-]+\.)?arxiv\.org/[a-z-]+/
          | (?:https?://(?:dx\.)?doi\.org/)?10\.48550/arxiv\. | abs/ )?"""
    rf"(?P<id>{_NEW}|{_OLD}){_VERSION}(?:\.pdf)?(?:[?#]\S*)?(?:\s*\[[\w.-]+\])?",
    re.IGNORECASE | re.VERBOSE,
)
# Within other text only where something says that it is an identifier.
_ARXIV_NAMED = re.compile(
    r"""(?: \barxiv\s*:\s* | \barxiv\.org/(?:abs|pdf|html|format)/ | \b10\.48550/arxiv\.
          | \bCoRR,?\s+(?:vol(?:ume)?\.?\s*)?abs/ | ^abs/ )"""
    rf"(?P<id>{_NEW}|{_OLD}){_VERSION}(?![\d])",
    re.IGNORECASE | re.VERBOSE,
)
_DOI_PREFIX = re.compile(
    r"(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|(?:info:)?doi\s*[:/]?\s*|urn:doi:)", re.IGNORECASE
)
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
_LONGEST = 300


def read_arxiv(text: str) -> tuple[str, int]:
    """Return the arXiv identifier that a text is, and its version.

    Args:
        text: ``2503.19683v2``, ``arXiv:math.GT/0309136``, an address at arxiv.org, an arXiv DOI.

    Returns:
        the identifier without version and, in the old style, without subject class
        (``math/0309136``); 0 where no version is named; an empty text where it is none.
    """
    found = _ARXIV.fullmatch(text.strip()[:_LONGEST]) if text else None
    return _parts(found) if found else ("", 0)


def find_arxiv(text: str) -> tuple[str, int]:
    """Return the first arXiv identifier that stands, named as one, in a text; see `read_arxiv`."""
    found = _ARXIV_NAMED.search(text[:2000]) if text else None
    return _parts(found) if found else ("", 0)


def _parts(found: re.Match[str]) -> tuple[str, int]:
    name = found["id"].lower()
    if "/" in name:
        archive, number = name.split("/")
        name = f"{archive.partition('.')[0]}/{number}"
    return name, int(found["version"] or 0)


def read_doi(text: str) -> str:
    """Return the DOI that a text is, as its registrant wrote it; empty where it is none.

    Resolver and label are cut off; an address is percent-decoded, entities are resolved. The
    signs that old DOIs hold (``<``, ``>``, ``#``, ``;``) stay.
    """
    if not text:
        return ""
    text = text.strip()[:_LONGEST]
    bare = _DOI_PREFIX.sub("", text, count=1) if _DOI_PREFIX.match(text) else text
    if re.search(r"%[0-9A-Fa-f]{2}", bare):
        bare = unquote(bare)
    if "&" in bare:
        bare = html.unescape(bare)
    bare = bare.strip().rstrip(".,")
    return bare if _DOI.fullmatch(bare) else ""


def find_doi(url: str) -> str:
    """Return the DOI that a web address leads to by a resolver; empty where it is none."""
    found = re.match(r"https?://(?:dx\.|www\.)?doi\.org/10\.", url, re.IGNORECASE)
    return read_doi(url) if found else ""
