"""Makes other versions of an abstract, of the kinds that turn up in dumps; seeded by its caller."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def typos(text: str, rng: random.Random, _: Sequence[str]) -> str:
    """Every eighth word has letters swapped, dropped, doubled or wrong."""
    words = text.split()
    for at in rng.sample(range(len(words)), max(len(words) // 8, 1)):
        word = words[at]
        if len(word) < 3:
            continue
        place = rng.randrange(1, len(word) - 1)
        words[at] = rng.choice(
            (
                word[:place] + word[place + 1] + word[place] + word[place + 2 :],
                word[:place] + word[place + 1 :],
                word[:place] + word[place] + word[place:],
                word[:place] + rng.choice(_LETTERS) + word[place + 1 :],
            )
        )
    return " ".join(words)


def mangled(text: str, rng: random.Random, _: Sequence[str]) -> str:
    """Markup comes in: bold and italic commands, math dollars, TeX quotes, escaped signs."""
    words = []
    for word in text.split():
        wrap = rng.choice(
            ("{}",) * 12 + ("\\textbf{{{}}}", "{{\\em {}}}", "``{}''", "${}$", "**{}**")
        )
        words.append(wrap.format(word))
    return " ".join(words).replace("%", r"\%").replace("_", r"\_")


def cut(text: str, rng: random.Random, _: Sequence[str]) -> str:
    """Only 60 % of the words are left, from the beginning or the end."""
    words = text.split()
    kept = max(round(0.6 * len(words)), 1)
    return " ".join(words[:kept] if rng.random() < 0.5 else words[-kept:])


def new_opening(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """The first sentence is another one."""
    first, *rest = re.split(r"(?<=[.?!])\s+", text)
    other = re.split(r"(?<=[.?!])\s+", rng.choice(others))[0]
    return " ".join([other, *(rest or [first])])


def opening_only(text: str, rng: random.Random, _: Sequence[str]) -> str:
    """Nothing but the first two sentences is left."""
    return " ".join(re.split(r"(?<=[.?!])\s+", text)[:2])


def edited(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """From 5 to 25 % of the words are replaced, dropped, or have a new one beside them."""
    words = text.split()
    foreign = rng.choice(others).split()
    for at in rng.sample(range(len(words)), round(rng.uniform(0.05, 0.25) * len(words))):
        words[at] = rng.choice((rng.choice(foreign), "", f"{words[at]} {rng.choice(foreign)}"))
    return " ".join(" ".join(words).split())


def reworded(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """A full quarter of the words is replaced, one by one."""
    words = text.split()
    foreign = rng.choice(others).split()
    for at in rng.sample(range(len(words)), round(0.25 * len(words))):
        words[at] = rng.choice(foreign)
    return " ".join(words)


def shouted(text: str, rng: random.Random, _: Sequence[str]) -> str:
    """All capitals."""
    return text.upper()


def resurfaced(text: str, rng: random.Random, _: Sequence[str]) -> str:
    """Other quotes, dashes, ligatures, spaces and accents; the same words."""
    return (
        text.replace("fi", "ﬁ").replace('"', "“").replace("-", "‐").replace(", ", " , ")
        .replace("e", "é", 1).replace(". ", ".  ")
    )  # fmt: skip


KINDS: dict[str, Callable[[str, random.Random, Sequence[str]], str]] = {
    "typos": typos,
    "mangled": mangled,
    "cut": cut,
    "new opening": new_opening,
    "opening only": opening_only,
    "edited 5-25 %": edited,
    "reworded 25 %": reworded,
    "shouted": shouted,
    "resurfaced": resurfaced,
}
