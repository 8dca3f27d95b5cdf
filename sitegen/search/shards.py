"""Which papers share a shard of the search index: decided by the papers alone.

Papers in the order of their dates are cut where the hash of a paper's id says so (content-defined
chunking, as in rsync and backup tools). What comes in with the newest date touches the last shard
only; a paper put among old ones, or taken from them, moves the borders of its shard and rarely
those of the next.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from sitegen.views import SearchEntry

LEAST = 2000
"""Papers before a shard may end."""
MOST = 3000
"""Papers in a shard; a digest of no more has one index. Pagefind takes 130 MB for 1,000."""
ENDS = 500
"""One paper of so many ends a shard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """Papers that are indexed together."""

    name: str
    """The id of the paper that ends it; empty for the newest papers, which nothing ends yet."""
    entries: tuple[SearchEntry, ...]
    """Oldest first."""


def split(entries: Iterable[SearchEntry], most: int = MOST) -> tuple[Shard, ...]:
    """Return the shards of a digest, newest first.

    Dates don't overlap: no paper of a shard is older than one of the shards after it.

    Args:
        entries: papers, any order.
        most: papers that a shard may have; the other limits keep their ratio to it.
    """
    # Where nothing is dated, an edition at least keeps together what came in at once.
    ordered = sorted(entries, key=lambda entry: (entry.date, entry.editions[:1], entry.id))
    if len(ordered) <= most:
        return (Shard(name="", entries=tuple(ordered)),)
    least, ends = max(most * LEAST // MOST, 1), max(most * ENDS // MOST, 1)
    shards: list[Shard] = []
    start = 0
    for end, entry in enumerate(ordered[:-1], 1):
        size = end - start
        if size >= most or (size >= least and _number(entry.id) % ends == 0):
            shards.append(Shard(name=entry.id, entries=tuple(ordered[start:end])))
            start = end
    shards.append(Shard(name="", entries=tuple(ordered[start:])))
    return tuple(reversed(shards))


def _number(identifier: str) -> int:
    return int.from_bytes(hashlib.sha256(identifier.encode()).digest()[:8])
