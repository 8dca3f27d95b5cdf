"""The model in the package: a Model2Vec table, a few megabytes, without torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sitegen.embedders.chunks import readable
from sitegen.embedders.missing import missing_model

if TYPE_CHECKING:
    import numpy as np


class StaticEmbedder:
    """A Model2Vec table: a text's vector is the mean of all its tokens' vectors."""

    def __init__(self, folder: Path) -> None:
        if not (folder / "model.safetensors").is_file():
            raise missing_model(
                "static", "is not in the installed package", "Install sitegen again."
            )
        from model2vec import StaticModel
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        # Not from_pretrained(): that imports huggingface_hub, a way to the network we do not want.
        self.backend = StaticModel(
            vectors=load_file(folder / "model.safetensors")["embeddings"],
            tokenizer=Tokenizer.from_file(str(folder / "tokenizer.json")),
            max_length=None,
            normalize=True,
        )

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return vectors as Embedder says."""
        import numpy as np

        cut = [readable(text) for text in texts]
        if not cut:
            return np.zeros((0, self.backend.dim), dtype=np.float32)
        vectors = self.backend.encode(cut, use_multiprocessing=False)
        return np.asarray(vectors, dtype=np.float32)
