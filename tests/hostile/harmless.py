"""Holds HTML to what sitegen itself writes: elements, attributes, addresses."""

from __future__ import annotations

import re
from html.parser import HTMLParser

VOID = frozenset({"meta", "link", "br", "input", "img", "hr", "wbr", "col"})
_MATH = """
    math semantics annotation mrow mi mn mo mtext mspace msup msub msubsup munder mover
    munderover mfrac msqrt mroot mtable mtr mtd mstyle mpadded mphantom menclose merror
    mmultiscripts mprescripts none
"""
MATH = frozenset(_MATH.split())
_PROSE = """
    p a em strong code mark sub sup ul ol li blockquote h1 h2 h3 h4 h5 h6 hr br pre s
    del span table thead tbody tr th td div time
"""
PROSE = frozenset(_PROSE.split()) | {"img"}
ADDRESSES = frozenset({"href", "src", "action", "formaction", "srcset", "poster", "data", "cite"})
_SCHEME = re.compile(r"[\x00-\x20]*([a-zA-Z][a-zA-Z0-9+.\-\s]*):")


class HarmError(AssertionError):
    """Something in a text that no page of ours holds."""


class _Reader(HTMLParser):
    def __init__(self, elements: frozenset[str] | None) -> None:
        super().__init__(convert_charrefs=True)
        self.elements = elements
        self.open: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.elements is not None and tag not in self.elements:
            raise HarmError(f"<{tag}>")
        for name, value in attrs:
            if name.startswith("on") or name in {"style", "srcdoc", "xlink:href"}:
                raise HarmError(f"<{tag} {name}={value!r}>")
            if name in ADDRESSES and (scheme := _SCHEME.match(value or "")):
                if scheme[1].lower() not in {"http", "https"}:
                    raise HarmError(f"<{tag} {name}={value!r}>")
                self.links.append(value or "")
            if (
                tag in {"img", "script"}
                and name == "src"
                and re.match(r"\s*(\w+:|//)", value or "")
            ):
                raise HarmError(f"<{tag} src={value!r}>")
        kind = dict(attrs).get("type")
        if tag == "script" and not (dict(attrs).get("src") or kind == "application/ld+json"):
            raise HarmError("<script> with code in it")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            raise HarmError(f"</{tag}> closes nothing")

    def handle_comment(self, data: str) -> None:
        raise HarmError(f"a comment: {data!r}")

    def handle_pi(self, data: str) -> None:
        raise HarmError(f"an instruction: {data!r}")

    def unknown_decl(self, data: str) -> None:
        raise HarmError(f"a declaration: {data!r}")


def check_html(html: str, *, whole: bool = False) -> list[str]:
    """Return the absolute addresses in a page or a piece of HTML.

    Raises:
        HarmError: an element, attribute or address that sitegen never writes, or bad nesting.
    """
    for char in html:
        if (char < " " and char not in "\t\n") or "\ud800" <= char <= "\udfff":
            raise HarmError(f"character {char!r}")
    reader = _Reader(None if whole else PROSE | MATH)
    reader.feed(html)
    reader.close()
    if reader.open:
        raise HarmError(f"left open: {reader.open}")
    return reader.links
