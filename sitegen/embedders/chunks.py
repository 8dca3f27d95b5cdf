"""Texts of any length for models that read only so far."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

MAX_CHARS = 100_000
"""Only so much of a text is read, about 15,000 words; an abstract has 200."""
CHUNK_WORDS = 160
"""A transformer reads 256 word pieces: longer texts are cut, their pieces' vectors averaged."""


def embed_chunks(texts: Sequence[str], encode: Any, dims: int) -> np.ndarray:
    """Embed texts of any length with a model that reads only so far.

    Args:
        texts: any.
        encode: a function from a list of short texts to their vectors.
        dims: the length of a vector.

    Returns:
        The mean of the vectors of a text's pieces, weighted by their words, L2-normalised.
    """
    import numpy as np

    pieces = [chunks(text) for text in texts]
    flat = [piece for parts in pieces for piece in parts]
    vectors = np.asarray(encode(flat), dtype=np.float32) if flat else np.zeros((0, dims))
    out = np.zeros((len(texts), dims), dtype=np.float32)
    start = 0
    for row, parts in enumerate(pieces):
        for vector, part in zip(vectors[start : start + len(parts)], parts, strict=True):
            out[row] += vector * len(part.split())
        start += len(parts)
    norms = np.linalg.norm(out, axis=1, keepdims=True)
    return out / np.where(norms > 0, norms, 1)


def chunks(text: str) -> list[str]:
    """Cut a text into equal pieces of at most CHUNK_WORDS words; none where there are no words."""
    words = readable(text).split()
    count = -(-len(words) // CHUNK_WORDS)
    borders = [len(words) * k // count for k in range(count + 1)] if count else []
    return [" ".join(words[a:b]) for a, b in pairwise(borders)]


def readable(text: str) -> str:
    """Return the part of a text that is read, without lone surrogates, which no tokenizer takes."""
    return text[:MAX_CHARS].encode("utf-8", "replace").decode()
