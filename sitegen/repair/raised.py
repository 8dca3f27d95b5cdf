"""Rules on raised and lowered digits in names and units: ``D^2O``, ``km^2``, ``E 2 -LLM``."""

from __future__ import annotations

import re
from typing import Final

from sitegen.repair.draft import Draft

_RAISED: Final = dict(zip("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True))
_LOWERED: Final = dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True))
_NAME_SCRIPT: Final = re.compile(
    r"(?<![A-Za-z0-9_^\\{])([A-Z][A-Za-z]{0,3})([\^_])(?:\{(\d)\}|(\d))"
    r"(?=-?[A-Z][A-Za-z]*)(?![A-Za-z]*[_^({=])"
)
_NAME_SPACED: Final = re.compile(r"(?<![A-Za-z0-9])([A-Z]) ([23]) - ?(?=[A-Z]{2})")
_UNIT_SCRIPT: Final = re.compile(r"(?<=[\d ])([mcknµμu]?m|in|ft)\^\{?([23])\}?(?![\w^])")
_ISOTOPE: Final = re.compile(r"(?<![\w)\]}|])\^\{?(\d{1,3})\}?(?=[A-Z])")
_BRACED: Final = re.compile(
    r"(?<![A-Za-z])\{(sim|times|approx|pm|ge|le|geq|leq|deg|circ|mu|to|rightarrow|%|cm|mm|ms"
    r"|[=<>,+\-]|[A-Za-z](?=\}[\^_]))\}"
)
_DEGREES: Final = re.compile(r"(?<=[\dA-Z])\s?\^\{?circ\}?(?![a-z])")
_BETWEEN_NAMES: Final = re.compile(
    "("
    + "|".join(
        rf"{name}(?<=[A-Za-z]{name})"
        for name in ("otimes", "oplus", "leftrightarrow", "rightarrow", "times")
    )
    + r")(?<!sometimes)(?<!runtimes)(?=[A-Z][a-z])"
)
_BETWEEN: Final = {"times": "×", "pm": "±", "sim": "∼", "rightarrow": "→", "otimes": "⊗"} | {
    "oplus": "⊕",
    "leftrightarrow": "↔",
}
_BETWEEN_NUMBERS: Final = re.compile(
    r"(\d(?<![A-Za-z\d.].)[\d.,]*%?)((?:(?:times|pm|sim|rightarrow)\d[\d.,]*%?)+)(?![A-Za-z]{3}|\d)"
)
_OPERATOR: Final = re.compile(r"times|pm|sim|rightarrow")
_MICRO: Final = re.compile(r"mu(?=[mslgAVW]\b)(?:(?<=\dmu)|(?<=\d mu))")


def set_name_scripts(draft: Draft) -> str:
    """Names with a raised or lowered digit (``D^2O``, ``H_2O``, ``E 2 -LLM``) are set so."""
    text = draft.text
    if "{" in text:
        text = _BRACED.sub(r"\1", text)
    text = _MICRO.sub("μ", text)
    if "times" in text or "sim" in text or "pm" in text or "rightarrow" in text:
        text = _BETWEEN_NUMBERS.sub(
            lambda m: m[1] + _OPERATOR.sub(lambda o: _BETWEEN[o[0]], m[2]), text
        )
    if "times" in text or "oplus" in text or "rightarrow" in text:
        text = _BETWEEN_NAMES.sub(lambda m: _BETWEEN[m[1]], text)
    if "^" in text:
        text = _DEGREES.sub("°", text)
        text = _UNIT_SCRIPT.sub(lambda m: m[1] + _RAISED[m[2]], text)
        text = _ISOTOPE.sub(lambda m: "".join(_RAISED[digit] for digit in m[1]), text)
    if "^" in text or "_" in text:
        text = _NAME_SCRIPT.sub(
            lambda m: m[1] + (_RAISED if m[2] == "^" else _LOWERED)[m[3] or m[4]], text
        )
    if "2 -" in text or "3 -" in text:
        text = _NAME_SPACED.sub(lambda m: f"{m[1]}{_RAISED[m[2]]}-", text)
    return text
