"""Models of sentence-transformers, for those who have that package."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module, util
from typing import TYPE_CHECKING

from sitegen.embedders.chunks import embed_chunks
from sitegen.embedders.missing import missing_model

if TYPE_CHECKING:
    import numpy as np


class SentenceEmbedder:
    """A sentence-transformers model that the user has on this machine."""

    def __init__(self, name: str) -> None:
        if util.find_spec("sentence_transformers") is None:
            raise missing_model(
                name,
                "needs the package sentence-transformers",
                'Run "pip install sentence-transformers", or set model = "static" under [tags].',
            )
        for switch in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
            os.environ[switch] = "1"  # a build makes no network call, not even to ask for news
        library = import_module("sentence_transformers")
        try:
            self.backend = library.SentenceTransformer(name, device="cpu", local_files_only=True)
        except (OSError, ValueError, KeyError) as failure:
            raise missing_model(
                name,
                f"is not on this machine, or cannot be read ({type(failure).__name__})",
                "Give the path of a folder that holds the model, or fetch it into the local cache "
                'beforehand; or set model = "static" under [tags].',
            ) from failure

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return vectors as Embedder says."""
        return embed_chunks(
            texts,
            lambda parts: self.backend.encode(parts, show_progress_bar=False, batch_size=1),
            dims=int(self.backend.get_sentence_embedding_dimension()),
        )
