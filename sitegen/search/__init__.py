"""The search index: papers to Pagefind's files, in one piece or in shards.

Pagefind has no incremental mode and holds its whole index in memory. Beyond `shards.MOST` papers
the digest is therefore indexed in shards, each on its own and only when its papers changed; the
browser merges them (``assets/index.js``).
"""

from __future__ import annotations

from sitegen.search.indexing import index_beside, index_files

__all__ = ["index_beside", "index_files"]
