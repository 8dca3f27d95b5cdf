"""Make the site's serif from the packaged one, with no more weights than the style sheet asks for.

usage: python tools/make_site_fonts.py FOLDER

FOLDER holds the unpacked npm package @fontsource-variable/newsreader 5.3 (somewhere below it).
Needs fonttools and brotli, which building a site does not. The sans keeps all its weights: fewer
would save 100 bytes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

OUTPUT = Path(__file__).resolve().parent.parent / "sitegen/assets/fonts"
FONTS: dict[str, tuple[str, float | tuple[float, float]]] = {
    "newsreader": ("newsreader-latin-wght-normal.woff2", (400.0, 650.0)),
    "newsreader-italic": ("newsreader-latin-wght-italic.woff2", 400.0),
}
"""Name of the result: file of the package, weight or weights that stay."""


def main() -> None:
    """Write both fonts."""
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    for name, (file, weights) in FONTS.items():
        font = TTFont(next(folder.rglob(file)), recalcTimestamp=False)
        made = instantiateVariableFont(font, {"wght": weights})
        made.flavor = "woff2"
        made.save(OUTPUT / f"{name}.woff2")


if __name__ == "__main__":
    main()
