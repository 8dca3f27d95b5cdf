"""Pictures that stand for pages where a link is shared, drawn in the site's look."""

from __future__ import annotations

import hashlib
import io
import math
import unicodedata
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from sitegen.atomic import write_atomic
from sitegen.records import LateFile
from sitegen.views import Card, MapPoint, Site

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

WIDTH, HEIGHT = 1200, 630
"""What the big networks show uncut."""
FONTS = Path(__file__).with_name("data")
HEADLINE, TEXT = "card-headline.ttf", "card-text.ttf"
_PNG = b"\x89PNG\r\n\x1a\n"

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Face:
    """A font at a size in pixels."""

    font: str
    size: int


LINE, SMALL = _Face(TEXT, 32), _Face(TEXT, 28)
PAPER, INK, SOFT, RULE = (251, 250, 246), (29, 27, 24), (93, 88, 80), (228, 223, 212)
MARGIN = 72
MAP_WIDTH, MAP_TOP = 470, 118
SIZES = range(92, 39, -4)
"""Sizes of a title in pixels; the largest that fits is taken."""
LEADING = 1.14
DEPTH = 300
"""Most pixels that the lines of a title take."""
MOST_LETTERS = 400
SPARE = 100
"""Unused pictures that the cache may hold beyond as many as there are used ones."""
MOST_POINTS = 4000
SHADES = 4
"""Steps from the paper to each colour, for smooth edges."""


def card_files(site: Site, folder: Path) -> Iterator[LateFile]:
    """Yield the picture of each card, drawn when it is asked for.

    Args:
        site: what `sitegen.pages.build_site` decided.
        folder: cache of pictures, named by all that they depend on; where many are there that no
            card of this site uses, they are thrown out.
    """
    if not site.cards:
        return
    folder.mkdir(parents=True, exist_ok=True)
    used = set()
    drawn = repr([(point.x, point.y, point.topic, point.hue) for point in site.points])
    points = hashlib.sha256(drawn.encode("utf-8", "replace")).hexdigest()
    for card in site.cards:
        kept = folder / f"{_key(site, card, points if card.mapped else '')}.png"
        used.add(kept.name)
        make = partial(_drawn, card, site, kept)
        yield LateFile(path=card.path, make=make, key=partial(str, kept.stem))
    unused = [file for file in folder.iterdir() if file.name not in used]
    if len(unused) > len(used) + SPARE:  # a preview under another address has its own
        for old in unused:
            old.unlink()


def _is_whole(data: bytes) -> bool:
    """Whether a PNG is as it was written, by the checksums of its chunks."""
    at = len(_PNG)
    if not data.startswith(_PNG):
        return False
    while at + 12 <= len(data):
        end = at + 8 + int.from_bytes(data[at : at + 4])
        if zlib.crc32(data[at + 4 : end]) != int.from_bytes(data[end : end + 4]):
            return False
        if data[at + 4 : at + 8] == b"IEND":
            return end + 4 == len(data)
        at = end + 4
    return False


def _drawn(card: Card, site: Site, kept: Path) -> bytes:
    """Return a picture from the cache, or draw it and keep it there."""
    data = kept.read_bytes() if kept.is_file() else b""
    if not _is_whole(data):
        data = draw(card, site)
        write_atomic(kept, data, synced=False)
    return data


def _key(site: Site, card: Card, points: str) -> str:
    shown = (card, site.info.title, site.info.base_url, points)
    return hashlib.sha256(_style() + repr(shown).encode("utf-8", "replace")).hexdigest()[:32]


@cache
def _style() -> bytes:
    """Digest of what all pictures depend on: this module, the fonts, the library."""
    from PIL import __version__

    parts = (Path(__file__), FONTS / HEADLINE, FONTS / TEXT)
    return hashlib.sha256(
        b"".join(part.read_bytes() for part in parts) + __version__.encode()
    ).digest()


def draw(card: Card, site: Site) -> bytes:
    """Return a card as PNG; the same card gives the same bytes."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    pen = ImageDraw.Draw(image)
    address = site.info.base_url.partition("://")[2].rstrip("/")
    here = f"{address}/{card.path.rpartition('/')[0]}".rstrip("/")
    points = site.points if card.mapped else ()
    room = WIDTH - 2 * MARGIN
    if points:
        _draw_map(image, points, card.topic)
        room -= MAP_WIDTH + 40
    left = MARGIN
    if card.hue >= 0:
        pen.ellipse((left, 92, left + 20, 112), fill=_hue(card.hue))
        left += 34
    _write(pen, (left, 112), _fit_line(card.kicker, LINE, room - left + MARGIN), LINE)
    size, lines = _fit(_shown(card.title) or here, room)
    step = round(size * LEADING)
    top = 152 + (DEPTH - step * len(lines)) // 3
    for number, line in enumerate(lines):
        base = top + round(size * 0.84) + number * step
        _write(pen, (MARGIN, base), line, _Face(HEADLINE, size), INK)
    under = top + step * len(lines) + 48
    _write(pen, (MARGIN, under), _fit_line(card.facts, LINE, room), LINE)
    pen.rectangle((MARGIN, 534, WIDTH - MARGIN, 537), fill=INK)
    right = _fit_line(address, SMALL, 520)
    _write(pen, (WIDTH - MARGIN - _length(right, SMALL), 584), right, SMALL)
    if card.title != site.info.title:
        _write(pen, (MARGIN, 584), _fit_line(site.info.title, LINE, 500), LINE, INK)
    out = io.BytesIO()
    hues = {card.hue} if card.topic or not points else {point.hue for point in points}
    small = image.quantize(palette=_palette(hues - {-1}), dither=Image.Dither.NONE)
    # The highest level takes seven times as long for a twentieth of the bytes.
    small.save(out, "PNG", compress_level=7)
    return out.getvalue()


# ---- text ---------------------------------------------------------------------------------------
@cache
def _font(name: str, size: int) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(FONTS / name, size)


@cache
def _holds(font: str, char: str) -> bool:
    # a letter that a font lacks is drawn as its empty box
    face = _font(font, 24)
    return char.isspace() or bytes(face.getmask(char)) != bytes(face.getmask("\U0010ffff"))


def _shown(text: str) -> str:
    """Return a text with its letters in forms that the fonts hold; empty where some are in none."""
    shown = "".join(
        char if _held(char) else unicodedata.normalize("NFKC", char)
        for char in unicodedata.normalize("NFC", " ".join(text.split()))
    )
    return shown if all(_held(char) for char in shown) else ""


def _held(char: str) -> bool:
    return _holds(HEADLINE, char) or _holds(TEXT, char)


def _runs(text: str, face: _Face) -> Iterator[tuple[FreeTypeFont, str]]:
    """Split a text by the font to draw with: the face's own where it holds the letter."""
    other = TEXT if face.font == HEADLINE else HEADLINE
    for name, chars in groupby(text, lambda c: face.font if _holds(face.font, c) else other):
        yield _font(name, face.size), "".join(chars)


def _length(text: str, face: _Face) -> float:
    return sum(font.getlength(part) for font, part in _runs(text, face))


def _write(
    pen: ImageDraw, place: tuple[float, float], text: str, face: _Face, colour: Colour = SOFT
) -> None:
    """Write a line whose baseline starts at ``place``."""
    x, y = place
    for font, part in _runs(text, face):
        pen.text((x, y), part, colour, font, anchor="ls")
        x += font.getlength(part)


def _fit_line(text: str, face: _Face, room: float) -> str:
    """Return a line, cut where it is too long; empty where the fonts lack its letters."""
    text = _shown(text)
    return text if _length(text, face) <= room else _cut(text, face, room)


def _cut(line: str, face: _Face, room: float) -> str:
    while line and _length(f"{line}…", face) > room:
        line = line[:-1].rstrip(" ,;:·")
    return f"{line}…"


def _fit(title: str, room: float) -> tuple[int, list[str]]:
    """Return the largest size at which a title takes few enough lines, and the lines."""
    # no title that fits is longer; the search below looks at each letter many times
    title = title[:MOST_LETTERS]
    for size in SIZES:
        face = _Face(HEADLINE, size)
        lines = _wrap(title, face, room)
        deep = len(lines) * size * LEADING
        if deep <= DEPTH and all(_length(line, face) <= room for line in lines):
            return size, _balance(title, face, room, len(lines))
    lines = lines[: int(DEPTH / (size * LEADING))]
    lines[-1] += " …"
    return size, [n if _length(n, face) <= room else _cut(n, face, room) for n in lines]


def _wrap(title: str, face: _Face, room: float) -> list[str]:
    lines = [""]
    for word in title.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _length(longer, face) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _balance(title: str, face: _Face, room: float, count: int) -> list[str]:
    """Make lines of like length: the narrowest room that needs no more lines."""
    low, high = room / count, room
    while high - low > 8:
        middle = (low + high) / 2
        lines = _wrap(title, face, middle)
        fits = len(lines) <= count and all(_length(line, face) <= middle for line in lines)
        low, high = (low, middle) if fits else (middle, high)
    return _wrap(title, face, high)


# ---- colour and map -----------------------------------------------------------------------------
def _palette(hues: Collection[int]) -> Image:
    """Return a picture that holds the colours of a card and the steps between them and paper."""
    from PIL import Image

    colours: dict[Colour, None] = {PAPER: None}
    for colour in (INK, SOFT, RULE, *(_hue(step) for step in sorted(hues))):
        for shade in range(SHADES, 0, -1):
            parts = (
                round(p + (c - p) * shade / SHADES) for p, c in zip(PAPER, colour, strict=True)
            )
            red, green, blue = parts
            colours[red, green, blue] = None
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in [*colours][:256] for part in colour])
    return image


@cache
def _hue(step: int) -> Colour:
    """Return the colour of a hue class as the style sheet has it: oklch(0.62 0.13 5°·step)."""
    light, chroma, angle = 0.62, 0.13, math.radians(5 * step)
    a, b = chroma * math.cos(angle), chroma * math.sin(angle)
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    red, green, blue = (round(255 * _gamma(min(1.0, max(0.0, part)))) for part in linear)
    return red, green, blue


def _gamma(value: float) -> float:
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


FINE = 4
"""The map is drawn so many times larger and made small: the library's circles have rough edges."""


def _draw_map(image: Image, points: Sequence[MapPoint], topic: str) -> None:
    """Draw the papers' map at the right, a topic's own papers last and alone in colour."""
    from PIL import Image, ImageDraw

    points = tuple(points[:: max(1, -(-len(points) // MOST_POINTS))])
    layer = _grey_map(points).copy() if topic else _empty_map()
    pen = ImageDraw.Draw(layer)
    place = _placing(points)
    for point in sorted(points, key=lambda p: p.id):
        if topic in {"", point.topic}:
            pen.ellipse(place(point), fill=_hue(point.hue) if point.hue >= 0 else RULE)
    _, top, scale = _frame(points)
    depth = round((max(p.y for p in points) - top) * scale + 24)
    small = layer.resize((MAP_WIDTH, MAP_WIDTH), Image.Resampling.BOX).crop(
        (0, 0, MAP_WIDTH, depth)
    )
    image.paste(small, (WIDTH - MARGIN - MAP_WIDTH, MAP_TOP + max(0, (380 - depth) // 2)))


@lru_cache(1)
def _grey_map(points: tuple[MapPoint, ...]) -> Image:
    """Return the map with all papers in the colour of those that are not meant."""
    from PIL import ImageDraw

    layer = _empty_map()
    pen = ImageDraw.Draw(layer)
    place = _placing(points)
    for point in points:
        pen.ellipse(place(point), fill=RULE)
    return layer


def _empty_map() -> Image:
    from PIL import Image

    return Image.new("RGB", (MAP_WIDTH * FINE, MAP_WIDTH * FINE), PAPER)


def _frame(points: Sequence[MapPoint]) -> tuple[int, int, float]:
    """Return the left and upper edge of all points, and what a unit of theirs is in pixels."""
    left, top = min(p.x for p in points), min(p.y for p in points)
    across = max(max(p.x for p in points) - left, max(p.y for p in points) - top, 1)
    return left, top, (MAP_WIDTH - 24) / across


def _placing(
    points: Sequence[MapPoint],
) -> Callable[[MapPoint], tuple[float, float, float, float]]:
    """Return what gives the box of a point's circle."""
    left, top, scale = _frame(points)
    radius = max(1.6, 5.2 * min(1.0, math.sqrt(400 / len(points)))) * FINE

    def place(point: MapPoint) -> tuple[float, float, float, float]:
        x, y = ((point.x - left) * scale + 12) * FINE, ((point.y - top) * scale + 12) * FINE
        return x - radius, y - radius, x + radius, y + radius

    return place
