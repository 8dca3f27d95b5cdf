"""Web addresses in running text: where they stand, what they lead to, and which are resources."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, urlsplit

from sitegen.records import Link, LinkKind, Prose

_BODY: Final = r"[^\s<>\"'`{}|\\^\x00-\x1f\u00a0\u2018-\u201f\ufdd0-\ufdef]"
_DOMAINS: Final = "com|org|net|io|co|ai|dev|edu|gov|app|me|ly|de|fr|uk|cn|jp|eu|ch|it|xyz|page|site"

ADDRESS: Final = re.compile(
    rf"(?<![\w@/.:-])(?:[hH][tT][tT][pP][sS]?://{_BODY}+"
    rf"|(?:www\.)?(?:[A-Za-z0-9](?:[A-Za-z0-9-]{{0,62}})\.){{1,4}}(?:{_DOMAINS})/{_BODY}+)"
)
"""An address with scheme, or a domain with a path; trim what it finds with ``trimmed``."""

_MAYBE_ADDRESS: Final = re.compile(rf"://|\.(?:{_DOMAINS})/")

_TRAILING: Final = ".,;:!?*"
_CLOSERS: Final = {")": "(", "]": "["}
_HOST: Final = re.compile(
    r"(?:[A-Za-z0-9\u0080-\uffff_-]+\.)+[A-Za-z\u0080-\uffff][A-Za-z0-9-]*(?::\d+)?"
)
_SAFE: Final = "/:?#[]@!$&()*+,;=%~-._"

_MODEL_HUB: Final = re.compile(r"(?:huggingface\.co|hf\.co|hf\.[a-z0-9-]+\.[a-z]+|modelscope\.cn)")
_CODE_HOSTS: Final = re.compile(
    r"(?:github\.com|gitlab\.[a-z.]+|bitbucket\.org|codeberg\.org|gitee\.com|git\.[a-z.]+"
    r"|anonymous\.4open\.science|pypi\.org|colab\.research\.google\.com)"
)
_DATA_HOSTS: Final = re.compile(
    r"(?:zenodo\.org|kaggle\.com|figshare\.com|osf\.io|dataverse\.[a-z.]+|physionet\.org|archive\.ics\.uci\.edu"
    r"|data\.[a-z.]+|openneuro\.org)"
)
_PAPER_HOSTS: Final = re.compile(
    r"(?:arxiv\.org|aclanthology\.org|openreview\.net|doi\.org|dx\.doi\.org|proceedings\.[a-z.]+|biorxiv\.org"
    r"|medrxiv\.org|dl\.acm\.org|ieeexplore\.ieee\.org|papers\.nips\.cc)"
)
_DEMO_WORDS: Final = re.compile(
    r"\b(?:demos?|demonstrations?|playground|live|try it)\b", re.IGNORECASE
)
_DATA_WORDS: Final = re.compile(
    r"\b(?:data|data ?sets?|corpus|corpora|benchmarks?|annotations?)\b", re.IGNORECASE
)
_CODE_WORDS: Final = re.compile(
    r"\b(?:code|codes|codebase|source|implementations?|repository|scripts?|software|toolkit|library|package)\b",
    re.IGNORECASE,
)
_MODEL_WORDS: Final = re.compile(r"\b(?:models?|weights?|checkpoints?)\b", re.IGNORECASE)
_BEFORE: Final = 160
"""Characters before an address that are read for what it leads to."""


def may_hold_address(text: str) -> bool:
    """Tell fast whether ``ADDRESS`` may find anything in a text."""
    return "/" in text and _MAYBE_ADDRESS.search(text) is not None


def trimmed(address: str) -> str:
    """Return the address without the sentence's punctuation and unmatched closing brackets."""
    end = len(address)
    surplus = {
        closer: address.count(closer) - address.count(opener) for closer, opener in _CLOSERS.items()
    }
    while end:
        last = address[end - 1]
        if last in _TRAILING:
            end -= 1
        elif surplus.get(last, 0) > 0:
            surplus[last] -= 1
            end -= 1
        else:
            break
    return address[:end]


def absolute(address: str) -> str | None:
    """Return an address as an http(s) URL safe for an attribute, or None where it is none.

    A missing scheme becomes https; characters that no URL may hold are percent-encoded.
    """
    url = address if re.match(r"https?://", address, re.IGNORECASE) else f"https://{address}"
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if not _HOST.fullmatch(parts.netloc):
        return None
    scheme, rest = url.split("://", 1)
    return f"{scheme.lower()}://{quote(rest, safe=_SAFE, errors='replace')}"


def find_links(prose: Prose) -> tuple[Link, ...]:
    """Find the resources an abstract points to, in order, no URL twice.

    Reads the link spans and, where there are none, the addresses in the text. The kind comes from
    the host and path, else from the words before it in its sentence.
    """
    found: list[Link] = []
    spans = [span for span in prose.spans if span.kind == "link"]
    places = [(span.start, span.value) for span in spans]
    if not places and may_hold_address(prose.text):
        places = [(m.start(), trimmed(m[0])) for m in ADDRESS.finditer(prose.text)]
    seen: set[str] = set()
    for start, address in places:
        url = absolute(address)
        if url is None or url.rstrip("/").casefold() in seen:
            continue
        seen.add(url.rstrip("/").casefold())
        found.append(Link(kind=_kind(url, _words_before(prose.text, start)), url=url))
    return tuple(found)


def _words_before(text: str, start: int) -> str:
    """Return the words between the last sentence end or address and ``start``."""
    before = text[max(0, start - _BEFORE) : start]
    return re.split(r"[.!?]\s+(?=[A-Z])|https?://\S+", before)[-1]


def _kind(url: str, words: str) -> LinkKind:  # noqa: PLR0911 - a plain table of cases
    parts = urlsplit(url)
    host = parts.netloc.lower().removeprefix("www.")
    path = parts.path.lower()
    if _MODEL_HUB.fullmatch(host):
        if path.startswith("/datasets/"):
            return "data"
        if path.startswith("/spaces/"):
            return "demo"
        if path.startswith("/papers/"):
            return "paper"
        if path.startswith("/collections/"):
            return _by_words(words, "other")
        return "data" if _only(words, _DATA_WORDS) else "model"
    if host == "kaggle.com" and path.startswith("/code"):
        return "code"
    if _CODE_HOSTS.fullmatch(host):
        return "data" if _only(words, _DATA_WORDS) else "code"
    if _DATA_HOSTS.fullmatch(host):
        return "code" if _only(words, _CODE_WORDS) else "data"
    if _PAPER_HOSTS.fullmatch(host):
        return "paper"
    return _by_words(words, "other")


def _only(words: str, pattern: re.Pattern[str]) -> bool:
    """Tell whether the words speak of this kind and of no other."""
    others = [p for p in (_CODE_WORDS, _DATA_WORDS, _MODEL_WORDS) if p is not pattern]
    return bool(pattern.search(words)) and not any(p.search(words) for p in others)


def _by_words(words: str, otherwise: LinkKind) -> LinkKind:
    table: tuple[tuple[re.Pattern[str], LinkKind], ...] = (
        (_DEMO_WORDS, "demo"),
        (_CODE_WORDS, "code"),
        (_DATA_WORDS, "data"),
        (_MODEL_WORDS, "model"),
    )
    if re.search(r"project(?:'s)? (?:web)?(?:page|site)|home ?page", words, re.IGNORECASE):
        return otherwise
    return next((kind for pattern, kind in table if pattern.search(words)), otherwise)
