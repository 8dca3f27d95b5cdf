"""Make the two fonts that pictures of pages are drawn with.

usage: python tools/make_card_fonts.py FOLDER

FOLDER holds the unpacked npm packages @fontsource-variable/newsreader 5.3 and
@fontsource-variable/source-sans-3 5.3 (somewhere below it). Needs fonttools and brotli, which
building a site does not: the results are plain static TrueType, which every Pillow reads. The same
packages give the same files.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

OUTPUT = Path(__file__).resolve().parent.parent / "sitegen/data"
FONTS = {
    "card-headline": (
        "newsreader-{}-opsz-normal.woff2",
        ("latin", "latin-ext", "vietnamese"),
        {"opsz": 60.0, "wght": 560.0},
    ),
    "card-text": (
        "source-sans-3-{}-wght-normal.woff2",
        ("latin", "latin-ext", "vietnamese", "greek", "cyrillic"),
        {"wght": 480.0},
    ),
}
"""Name of the result: pattern of the parts, the parts, place on the axes."""


def make(folder: Path, name: str, work: Path) -> bytes:
    """Return one static font with the letters of all parts."""
    from fontTools.merge import Merger
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    pattern, parts, place = FONTS[name]
    statics = []
    for part in parts:
        font = TTFont(next(folder.rglob(pattern.format(part))))
        font.flavor = None
        statics.append(str(work / f"{part}.ttf"))
        instantiateVariableFont(font, place).save(statics[-1])
    merged = Merger().merge(statics)
    # a changed font may not bear the name that its authors reserved
    for record in merged["name"].names:
        if record.nameID in {1, 3, 4, 6, 16}:
            record.string = name
    merged["head"].created = merged["head"].modified = 0
    target = work / "merged.ttf"
    merged.recalcTimestamp = False
    merged.save(target)
    return target.read_bytes()


def main() -> None:
    """Write both fonts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    for name in FONTS:
        with tempfile.TemporaryDirectory() as work:
            data = make(arguments.folder, name, Path(work))
        (OUTPUT / f"{name}.ttf").write_bytes(data)
        print(f"{name}.ttf: {len(data):,} bytes")


if __name__ == "__main__":
    main()
