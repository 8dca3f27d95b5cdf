"""Other spellings of a name under which a reader may look for it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_RAISED = re.compile(r"\^\w|[²³¹⁰-⁹₀-₉ⁿ]+")
# Han, kana and Thai; search.js has the same by script.
_UNSPACED = re.compile("[\u0e01-\u0e4e\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff]{2,}")
_COMPOUND = re.compile(r"\w[-‐–_./]\w")
_SPELLED = re.compile(rf"\^|{_COMPOUND.pattern}")
"""What makes a name in plain letters have another spelling."""
_HYPHEN = re.compile("[-‐–_./]")
_FOLDED = str.maketrans(
    {"ø": "o", "Ø": "O", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ł": "l", "Ł": "L",
     "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ß": "ss", "ı": "i"}
)  # fmt: skip


def aliases(spoken: Iterable[str]) -> list[str]:
    """Return other spellings under which names may be typed; none that is among the names.

    Raised digits as plain ones, after a caret and apart (``D²O``: ``D2O``, ``D^2O``, ``D 2 O``),
    ASCII for letters that search engines do not fold (ø, æ, ł), compounds as one word and as
    several.
    """
    names = list(spoken)
    found: dict[str, None] = {}
    for name in names:
        if name.isascii() and not _SPELLED.search(name):
            continue
        plain = folded = name.replace("^", "")
        if not name.isascii():
            plain = unicodedata.normalize("NFKC", name).replace("^", "")
            folded = "".join(
                char
                for char in unicodedata.normalize("NFD", plain.translate(_FOLDED))
                if not unicodedata.combining(char)
            )
        forms = [plain, folded]
        if re.search(_RAISED, name):
            forms.append(re.sub(_RAISED, _with_caret, name))
            forms.append(" ".join(re.sub(_RAISED, _apart, name).split()))
        for form in forms:
            found[form] = None
            if _COMPOUND.search(form):
                found[_HYPHEN.sub(" ", form)] = None
                found[_HYPHEN.sub("", form)] = None
    own = set(names)
    return [form for form in found if form not in own]


def pairs(text: str) -> list[str]:
    """Return each two neighbouring letters of scripts that put no spaces between words, once.

    Pagefind takes such a run for one word; by pairs a noun in the midst of a sentence is found. The
    search page cuts what is typed in the same way.
    """
    if text.isascii():
        return []
    runs = _UNSPACED.findall(text)
    return list(dict.fromkeys(run[at : at + 2] for run in runs for at in range(len(run) - 1)))


def _with_caret(raised: re.Match[str]) -> str:
    digits = unicodedata.normalize("NFKC", raised[0])
    return digits if digits.startswith("^") else f"^{digits}"


def _apart(raised: re.Match[str]) -> str:
    return f" {unicodedata.normalize('NFKC', raised[0]).removeprefix('^')} "
