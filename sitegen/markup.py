"""Prose and Markdown to safe HTML, plain text and slugs; pure.

Everything that comes out as Markup is escaped or made here: content is never markup of its own.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

from sitegen.formulas import tex_to_mathml
from sitegen.records import Prose, Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

MAX_SLUG: Final = 80
"""Bytes of a slug; file systems allow 255 a name, and URLs should stay readable."""
_DIGEST: Final = 8
"""Hexadecimal digits of the hash that keeps cut and non-Latin slugs apart."""


# ---- prose --------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Mark:
    """A stretch ``text[start:end]`` to wrap in ``<mark>``."""

    start: int
    end: int
    id: str = ""
    """Value of the ``id`` attribute; none where empty."""
    tag: str = ""
    """Value of ``data-tag``; none where empty."""
    css: str = ""
    """Value of ``class``; none where empty."""


def prose_html(prose: Prose, marks: Iterable[Mark] = ()) -> Markup:
    """Render a prose as inline HTML.

    Math becomes MathML, or ``<code class="tex">`` with its source where it cannot; links only lead
    to http(s). A mark that cuts into a formula, link or code is widened to hold it whole; marks
    that overlap an earlier one are left out; where a mark crosses emphasis, the emphasis is closed
    and opened again inside of it, so that elements nest.
    """
    text = prose.text
    chosen = _disjoint(marks, prose)
    edges = {0, len(text)}
    edges.update(edge for span in prose.spans for edge in (span.start, span.end))
    edges.update(edge for mark in chosen for edge in (mark.start, mark.end))
    borders = sorted(edges)
    spans, mark_list = iter(prose.spans), iter(chosen)
    span, mark = next(spans, None), next(mark_list, None)
    out: list[str] = []
    for start, end in pairwise(borders):
        while span and span.end <= start:
            span = next(spans, None)
        while mark and mark.end <= start:
            mark = next(mark_list, None)
        if mark and mark.start == start:
            out.append(_mark_tag(mark))
        inside = span is not None and span.start <= start < span.end
        out.append(_piece(text[start:end], span if inside else None))
        if mark and mark.end == end:
            out.append("</mark>")
    return Markup("".join(out))  # noqa: S704 - every piece above is escaped or made here


def _disjoint(marks: Iterable[Mark], prose: Prose) -> list[Mark]:
    """Return the marks in order, none overlapping, none cutting into a formula."""
    formulas = [span for span in prose.spans if span.kind in {"math", "link", "code"}]
    out: list[Mark] = []
    at = 0
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        start, end = max(0, mark.start), min(mark.end, len(prose.text))
        while at < len(formulas) and formulas[at].end <= start:
            at += 1
        for formula in formulas[at:]:
            if formula.start >= end:
                break
            start, end = min(start, formula.start), max(end, formula.end)
        if start < end and not (out and start < out[-1].end):
            out.append(Mark(start=start, end=end, id=mark.id, tag=mark.tag, css=mark.css))
    return out


def _mark_tag(mark: Mark) -> str:
    values = (("id", mark.id), ("class", mark.css), ("data-tag", mark.tag))
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in values if value)
    return f"<mark{attributes}>"


def _piece(text: str, span: Span | None) -> str:  # noqa: PLR0911 - one a kind of span
    shown = str(escape(text))
    if span is None:
        return shown
    match span.kind:
        case "math":
            return _math(span.value) or f'<code class="tex">{escape(span.value)}</code>'
        case "emphasis":
            return f"<em>{shown}</em>"
        case "strong":
            return f"<strong>{shown}</strong>"
        case "code":
            return f"<code>{shown}</code>"
        case "link":
            if not re.match(r"https?://[^\s\"'<>]+$", span.value):
                return shown
            return f'<a href="{escape(span.value)}" rel="nofollow noopener">{shown}</a>'


@lru_cache(maxsize=4096)
def _math(tex: str) -> str | None:
    return tex_to_mathml(tex)


def truncate(prose: Prose | str, limit: int) -> str:
    """Return plain text of at most ``limit`` characters, cut between words, never in a formula.

    A cut is shown by an ellipsis, which counts.
    """
    text = prose if isinstance(prose, str) else prose.text
    if len(text) <= limit:
        return text
    spans = () if isinstance(prose, str) else prose.spans
    room = max(0, limit - 1)
    cut = room if text[room : room + 1].isspace() else text.rfind(" ", 0, room + 1)
    for span in reversed(spans):
        if span.kind == "math" and span.start < cut < span.end:
            cut = span.start
    if cut <= 0:
        first = next((span for span in spans if span.kind == "math"), None)
        cut = first.start if first and first.start < room else room if not first else 0
    return text[:cut].rstrip(" ,;:.–—-([{“") + "…" if limit > 0 else ""


# ---- Markdown -----------------------------------------------------------------------------------
_ALLOWED_LINK: Final = re.compile(r"(?:https?|mailto):|[^:]*$|[^:/?#]*[/?#]", re.IGNORECASE)

_ELSEWHERE: Final = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:|[/\\]{2})", re.IGNORECASE)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # heavy

    parser = MarkdownIt("js-default", {"html": False, "linkify": False, "typographer": False})
    parser.validateLink = lambda url: bool(_ALLOWED_LINK.match(url.strip()))  # type: ignore[method-assign]
    parser.add_render_rule("image", _image)
    return parser


def _image(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    """Show a picture of the site, and a link to one elsewhere: pages load nothing from others."""
    token = tokens[index]
    address = str(token.attrs.get("src", ""))
    if not _ELSEWHERE.match(address):
        return renderer.image(tokens, index, options, env)
    shown = escape(renderer.renderInlineAsText(token.children or [], options, env) or address)
    before = [each.type for each in tokens[:index]]
    if before.count("link_open") > before.count("link_close"):
        return str(shown)
    return f'<a href="{escape(address)}" rel="nofollow noopener">{shown}</a>'


def markdown_html(text: str) -> Markup:
    """Render a curator's Markdown (CommonMark with tables and strike-through) as safe HTML.

    HTML in it is shown as text; links lead to http, https, mail or within the site only; a picture
    that lies elsewhere is a link.
    """
    return Markup(_parser().render(text))  # noqa: S704 - the parser escapes, HTML is off


def markdown_text(text: str) -> str:
    """Return a curator's Markdown as one line of plain text."""
    out: list[str] = []
    for block in _parser().parse(text):
        if block.type == "inline":
            for token in block.children or ():
                breaks = token.type in {"softbreak", "hardbreak"}
                out.append(" " if breaks else token.content)
            out.append(" ")
        elif block.type in {"fence", "code_block"}:
            out.append(f"{block.content} ")
    return " ".join("".join(out).split())


# ---- slugs --------------------------------------------------------------------------------------
_TRANSLITERATION: Final = str.maketrans(
    {"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O"}
    | {"đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ł": "l", "Ł": "L"}
    | {"ı": "i", "ħ": "h", "Ħ": "H", "ŋ": "n", "Ŋ": "N", "ŧ": "t", "Ŧ": "T", "ĸ": "k"}
    | {"’": "", "'": "", "‘": "", "×": " x ", "ℓ": "l"}
    | dict(
        zip(
            "αβγδεζηθικλμνξοπρστυφχψωϵϕ",
            (
                *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota"),
                *("kappa", "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau"),
                *("upsilon", "phi", "chi", "psi", "omega", "epsilon", "phi"),
            ),
            strict=True,
        )
    )
)
_LANGUAGES: Final = (
    (re.compile(r"(?<=\w)\+\+"), " plus plus "),
    (re.compile(r"(?<=\w)#(?!\w)"), " sharp "),
)
_LEADING_DOT: Final = re.compile(r"(?<!\S)\.(?=\w)")
_RESERVED: Final = frozenset({"con", "prn", "aux", "nul"}) | {
    f"{name}{digit}" for name in ("com", "lpt") for digit in range(10)
}
"""Names that Windows does not allow for a file or folder."""


def slugify(text: str) -> str:
    """Return a flat path segment of ``[a-z0-9-]``, never empty, at most MAX_SLUG bytes.

    Depends on the text alone. Accents are dropped, ``C++``, ``C#`` and ``.NET`` keep apart; a text
    that loses letters of another script, or is too long, ends with a hash of itself.
    """
    shown = " ".join(unicodedata.normalize("NFKC", text).split()).casefold()
    plain = shown
    for pattern, spelt in _LANGUAGES:
        plain = pattern.sub(spelt, plain)
    plain = _LEADING_DOT.sub("dot ", plain)
    plain = unicodedata.normalize("NFKD", plain.translate(_TRANSLITERATION))
    kept = "".join(char for char in plain if not unicodedata.combining(char))
    slug = re.sub(r"[^a-z0-9]+", "-", kept).strip("-")
    lost = any(char.isalpha() and not char.isascii() for char in kept)
    if slug and not lost and len(slug) <= MAX_SLUG:
        return f"{slug}-x" if slug in _RESERVED else slug
    digest = hashlib.sha256(shown.encode("utf-8", "replace")).hexdigest()[:_DIGEST]
    room = MAX_SLUG - _DIGEST - 1
    if len(slug) > room:
        cut = slug.rfind("-", room // 2, room + 1)
        slug = slug[: cut if cut > 0 else room].strip("-")
    return f"{slug}-{digest}" if slug else f"x-{digest}"
