"""Style sheet, scripts and fonts under names that change with their content."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from sitegen.records import OutFile

FOLDER = Path(__file__).with_name("assets")
ORDER = (
    "fonts/newsreader.woff2", "fonts/newsreader-italic.woff2", "fonts/source-sans-3.woff2",
    "icon.svg", "style.css", "theme.js", "cite.js", "site.js",
    "index.js", "search.js", "saved.js", "map.js",
)  # fmt: skip
"""Named by content, each after those it refers to."""
PLAIN = ("fonts/newsreader-OFL.txt", "fonts/source-sans-3-OFL.txt")
"""Licences, under their own names."""
HUES = 72

_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_SPACE = re.compile(r"\s+")
_AROUND = re.compile(r"\s*([{};,])\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """The assets as they are published."""

    files: tuple[OutFile, ...]
    paths: Mapping[str, str]
    """Site path of each asset by its name in the assets folder."""


@cache
def bundle() -> Bundle:
    """Read the package's assets, let them refer to each other's final names, and name them."""
    files: list[OutFile] = []
    paths: dict[str, str] = {}
    for name in ORDER:
        data = (FOLDER / name).read_bytes()
        if name.endswith((".css", ".js")):
            text = data.decode("utf-8")
            if name == "style.css":
                text = _shorten(text + _hue_rules())
            for other, path in paths.items():
                base = PurePosixPath(path).relative_to("assets")
                text = text.replace(f'"{other}"', f'"{base}"')
                text = text.replace(f'"./{other}"', f'"./{base}"')
            data = text.encode()
        stem, _, suffix = name.rpartition(".")
        paths[name] = f"assets/{stem}.{hashlib.sha256(data).hexdigest()[:8]}.{suffix}"
        files.append(OutFile(path=paths[name], data=data))
    files += [OutFile(path=f"assets/{name}", data=(FOLDER / name).read_bytes()) for name in PLAIN]
    return Bundle(files=tuple(files), paths=paths)


def _hue_rules() -> str:
    return "".join(f".h{step}{{--h:{step * 360 // HUES}}}\n" for step in range(HUES))


def _shorten(css: str) -> str:
    """Drop comments and the spaces that mean nothing; strings of ours hold none of ``{};,``."""
    return _AROUND.sub(r"\1", _SPACE.sub(" ", _COMMENT.sub("", css))).replace(";}", "}").strip()
