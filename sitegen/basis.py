"""The papers that a digest's statistics are taken from: they stay when papers are added; pure.

What is common and what rare, what lies in the middle and how far apart papers are: taken from all
papers, such figures move with every new one, and with them every page. They are therefore taken
from the earliest papers, of which there are as many as the largest power of two allows, and taken
anew when the digest has doubled.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sitegen.records import Paper

SMALL = 1024
"""A digest of up to so many papers is its own basis."""


def basis(papers: Sequence[Paper]) -> npt.NDArray[np.int64]:
    """Return the positions of the papers that statistics are taken from.

    Args:
        papers: all papers of the digest, in any order.

    Returns:
        positions in the order of first dates, then ids; papers without a date count as the oldest.
    """
    order = sorted(range(len(papers)), key=lambda at: (papers[at].first_seen, papers[at].id))
    size = len(order) if len(order) <= SMALL else 1 << (len(order).bit_length() - 1)
    return np.array(order[:size], np.int64)
