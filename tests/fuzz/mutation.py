"""Changes inputs at random: edits, repetition, pieces of hostile content."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.hostile.corpus import PAYLOADS, encoded

LONGEST = 60_000
"""Bytes of an input."""
_SIGNS = (
    b"{", b"}", b"[", b"]", b"(", b")", b"<", b">", b"&", b";", b'"', b"'", b"\\", b"$", b"$$",
    b"`", b"```", b"---\n", b"\n", b"\r\n", b"\t", b" ", b",", b":", b"=", b"@", b"#", b"%", b"*",
    b"_", b"^", b"~", b"|", b"\0", b"\xff", b"\xed\xa0\x80", b"\xe2\x80\xae", b"\xc3", b"0",
    b"9" * 30, b"-", b"\\begin{", b"\\end{", b"\\frac", b"\\left", b"<![CDATA[", b"]]>", b"<!--",
    b"&#x0;", b"\\u0000", b"\\ud800", b"TY  - ", b"ER  - ", b"PMID- ", b"@article{", b"null",
    b"true", b"1e999", b"[[", b"]]",
)  # fmt: skip


def inputs(seeds: tuple[bytes, ...], runs: int, name: str) -> Iterator[bytes]:
    """Yield so many inputs; the same ones for the same name."""
    rng = random.Random(name)
    pool = [*seeds, *(encoded(text) for text in PAYLOADS), b""]
    for _ in range(runs):
        data = rng.choice(seeds) if rng.random() < 0.8 else rng.choice(pool)
        for _ in range(rng.choice((1, 1, 1, 2, 3, 5, 8))):
            data = _changed(data, rng, pool)
        yield data[:LONGEST]


def _changed(  # noqa: PLR0911 - one a kind of change
    data: bytes, rng: random.Random, pool: list[bytes]
) -> bytes:
    start = rng.randint(0, len(data))
    end = min(len(data), start + rng.choice((0, 1, 3, 20, 200)))
    piece = data[start:end]
    match rng.randrange(7):
        case 0:
            return data[:start] + rng.choice(_SIGNS) + data[end:]
        case 1:
            return data[:start] + data[end:]
        case 2:
            return data[:start]
        case 3:
            return data[:start] + piece * rng.choice((2, 3, 300)) + data[end:]
        case 4:
            other = rng.choice(pool)
            at = rng.randint(0, len(other))
            return data[:start] + other[at : at + rng.choice((5, 50, 500))] + data[start:]
        case 5 if data:
            at = min(start, len(data) - 1)
            return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        case _:
            times = rng.choice((2, 10, 50, 3000))
            return data[:start] + rng.choice(_SIGNS) * times + data[start:]
