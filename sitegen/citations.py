"""One paper as reference managers want it: BibTeX, and nothing they could take for a real title."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_ESCAPES = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$",
    "#": r"\#", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
})  # fmt: skip
_SPECIAL = re.compile(r"[\\{}&%$#_~^]")
_LONE_BRACES = str.maketrans({"{": r"\textbraceleft{}", "}": r"\textbraceright{}"})
"""BibTeX counts braces even behind a backslash, so those without a partner need a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """What is known of a paper for citing it."""

    id: str
    url: str
    """Of its page in the digest."""
    title: str = ""
    """The source's or the curator's; empty where only a derived headline exists."""
    headline: str = ""
    """The derived headline, for a note; empty where there is a title."""
    authors: tuple[str, ...] = ()
    """``Family, Given`` or as the source has it."""
    groups: frozenset[str] = frozenset()
    """Those of the authors that are no persons."""
    et_al: bool = False
    """Whether there are more than those."""
    date: str = ""
    arxiv: str = ""
    doi: str = ""
    venue: str = ""
    keywords: tuple[str, ...] = ()
    """The source's own, else the digest's tags."""


def bibtex(citation: Citation, *, keywords: bool = True) -> str:
    """Return one BibTeX entry, ending with a line break.

    A paper without a real title is an ``@misc`` whose ``note`` says so: there is no ``title`` for a
    bibliography to print.
    """
    fields: list[tuple[str, str]] = []
    if citation.title:
        fields.append(("title", f"{{{_escape(citation.title)}}}"))
    if citation.authors:
        names = [_author(name, name in citation.groups) for name in citation.authors]
        names += ["others"] if citation.et_al else []
        fields.append(("author", " and ".join(names)))
    if citation.date[:4].isdigit():
        fields.append(("year", citation.date[:4]))
    if citation.date[5:7].isdigit():
        fields.append(("month", str(int(citation.date[5:7]))))
    if citation.venue:
        kind = "journal" if _is_article(citation) else "howpublished"
        fields.append((kind, _escape(citation.venue)))
    if citation.arxiv:
        fields += [("eprint", _bare(citation.arxiv)), ("archiveprefix", "arXiv")]
    if citation.doi:
        fields.append(("doi", _bare(citation.doi)))
    if not citation.title:
        fields.append(
            ("note", f"Abstract without title; headline by sitegen: {_escape(citation.headline)}")
        )
    if citation.keywords and keywords:
        sign = "; " if any(", " in word for word in citation.keywords) else ", "
        fields.append(("keywords", sign.join(_escape(word) for word in citation.keywords)))
    fields.append(("url", _bare(citation.url)))
    kind = "article" if _is_article(citation) else "misc"
    lines = [f"  {name} = {{{value}}}," for name, value in fields]
    return "\n".join([f"@{kind}{{sitegen-{citation.id},", *lines, "}"]) + "\n"


def _is_article(citation: Citation) -> bool:
    return bool(citation.venue and citation.title and citation.authors and citation.doi)


def _author(name: str, group: bool) -> str:
    # braces keep a group whole and stop a literal " and ", or a third comma, from splitting it
    plain = _escape(name)
    whole = group or name.count(",") > 2 or " and " in f" {name.lower()} "
    return f"{{{plain}}}" if whole else plain


def _escape(text: str) -> str:
    clean = unicodedata.normalize("NFC", " ".join(text.split()))
    if not _SPECIAL.search(clean):
        return clean
    return clean.translate(_ESCAPES if _balanced(clean) else _ESCAPES | _LONE_BRACES)


def _balanced(text: str) -> bool:
    if "{" not in text and "}" not in text:
        return True
    depth = 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return False
    return depth == 0


def _bare(text: str) -> str:
    """Drop what would end the field early; identifiers and URLs are not escaped."""
    if text.isprintable() and not any(char in text for char in "{}\\"):
        return text
    return "".join(char for char in text if char not in "{}\\" and char.isprintable())
