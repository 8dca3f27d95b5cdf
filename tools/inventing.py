"""Names that nobody bears, put into abstracts in the place of their own, for training."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from sitegen.naming.candidates import Candidate
from sitegen.sentences import split_sentences

_PLAIN_WORDS = """
this that these with from such which their have been more most also than into both while when where
using based each only other over between through during under however model models data results
method methods approach propose show
"""
PLAIN = frozenset(_PLAIN_WORDS.split())
"""Words of an abstract that no name is made of."""
TAILS = ("-2", "2", "-S", "+", "-XL", "Net", "-Eval", "Norm")
ENDINGS = ["loss", "score", "sampling", "attention", "pruning", "weight", "search", "norm", "test"]
CUES = (
    "called",
    "termed",
    "dubbed",
    "named",
    "coined",
    "which we call",
    "referred to as",
    "denoted",
)


class Inventor:
    """Invents names out of an abstract's own words and common ones."""

    def __init__(self, words: Mapping[str, int], seed: int) -> None:
        self.rng = random.Random(seed)
        self.common = sorted(
            word
            for word, count in words.items()
            if 8 <= count <= 400 and 4 <= len(word) <= 10 and not word.endswith(("ing", "ly", "ed"))
        )

    def name(self, own: Sequence[str]) -> str:
        """Return a name as authors make them: a word, capitals, a phrase, a blend."""
        rng = self.rng
        a, b, v, w = (
            rng.choice(own),
            rng.choice(own),
            rng.choice(self.common),
            rng.choice(self.common),
        )
        draw = rng.random()
        if draw < 0.20:
            made = rng.choice([v, a]).capitalize()
        elif draw < 0.32:
            made = rng.choice([v, a]).upper()[:9]
        elif draw < 0.55:
            made = rng.choice([f"{a} {b}", f"{v} {a}", f"{a}-{v} {b}"]).title()
        elif draw < 0.78:
            made = rng.choice([f"{v} {a}", f"{a} {w}", f"{a} {b}"])
        elif draw < 0.88:
            made = f"{a[0]}{b[0]}".upper() + " " + rng.choice([*ENDINGS, b])
        elif draw < 0.94:
            made = v.capitalize() + rng.choice(TAILS)
        else:
            made = f"{v[:3]}{a[:4].capitalize()}{b[:2].upper()}"
        return made

    def pair(self, own: Sequence[str]) -> tuple[str, str]:
        """Return a short form and its expansion."""
        words = [
            self.rng.choice(own if self.rng.random() < 0.6 else self.common)
            for _ in range(self.rng.choice([2, 3, 3, 4]))
        ]
        long = " ".join(words)
        return "".join(
            word[0] for word in words
        ).upper(), long.title() if self.rng.random() < 0.8 else long

    def rename(
        self, text: str, name: Candidate, partner: Candidate | None
    ) -> tuple[str, str] | None:
        """Return a copy of an abstract with another name, and that name; None where it is unfit."""
        rng = self.rng
        own = [
            word for word in re.findall(r"(?<= )[a-z]{4,11}(?=[ ,.])", text) if word not in PLAIN
        ]
        if len(own) < 10 or not any(letter.isupper() for letter in name.text):
            return None
        new = name.text if rng.random() < 0.15 else self.name(own)
        if partner is not None and rng.random() < 0.85:
            short, long = self.pair(own)
            new, other = (short, long) if name.is_short else (long, short)
            text = text.replace(partner.text, "\0")
        else:
            other = ""
        whole = rf"(?<![^\W_]){re.escape(name.text)}(?![^\W_])"
        text = re.sub(whole, lambda _: new, text).replace("\0", other)
        text = re.sub(
            r"([.!?] )(" + re.escape(new) + ")", lambda m: m[1] + m[2][0].upper() + m[2][1:], text
        )
        text = re.sub(
            r"\b(?:called|termed|dubbed|named|coined)(?= )",
            lambda m: rng.choice([*CUES, m[0]]),
            text,
        )
        if rng.random() < 0.45:
            # Names that an abstract mentions once are rare in titles, not in abstracts.
            text = " ".join(_first_mention(text, new))
        return text, new


def _first_mention(text: str, name: str) -> Iterator[str]:
    seen = False
    for sentence in split_sentences(text):
        holds = name.lower() in sentence.lower()
        if not (holds and seen):
            yield sentence
        seen |= holds
