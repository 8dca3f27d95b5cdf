"""Embedding models by name: ``static`` (in the package), ``onnx`` (an extra) or others.

Everything here is local: a model that is not on this machine is an error that says how to get it,
never a download.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module, metadata, util
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from sitegen import onnx_embedder
from sitegen.diagnostics import Location, SitegenError, error

if TYPE_CHECKING:
    import numpy as np

MAX_CHARS = 100_000
"""Only so much of a text is read, about 15,000 words; an abstract has 200."""
CHUNK_WORDS = 160
"""A transformer reads 256 word pieces: longer texts are cut, their pieces' vectors averaged."""

STATIC = Path(__file__).parent / "model" / "static"
_SETTING = Location("content/site.toml")


class Embedder(Protocol):
    """Turns texts into vectors; equal texts give equal vectors, whatever else is in the call."""

    backend: Any
    """What KeyBERT takes as its model."""

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return vectors, shape (len(texts), dims), float32, L2-normalised; zeros for no words."""
        ...


@cache
def identity(model: str) -> str:
    """Return what names a model's content in a cache: cheap, without loading or importing it.

    Args:
        model: ``static``, ``onnx``, or a sentence-transformers name or path.

    Raises:
        SitegenError: the model is not on this machine.
    """
    if model == "static":
        content = _files_hash(sorted(STATIC.glob("*.*")))
        return f"static {content} {_versions('model2vec', 'tokenizers')}"
    if model == "onnx":
        content = _files_hash(onnx_embedder.files(STATIC / "tokenizer.json"))
        return f"onnx {content} {_versions('onnxruntime', 'tokenizers')}"
    versions = _versions("sentence-transformers", "transformers", "torch")
    folder = Path(model)
    if folder.is_dir():
        inside = sorted(path for path in folder.rglob("*") if path.is_file())
        return f"path {_files_hash(inside)} {versions}"
    return f"name {model} {versions}"


def load(model: str, threads: int = 1) -> Embedder:
    """Load a model, once a process; see identity() for its names.

    Args:
        model: its name.
        threads: at most so many work for ``onnx``; its vectors do not depend on it.

    Raises:
        SitegenError: the model is not on this machine; the hint says how to install it.
    """
    return _loaded(model, threads if model == "onnx" else 1)


@cache
def _loaded(model: str, threads: int) -> Embedder:
    if model == "static":
        return StaticEmbedder(STATIC)
    if model == "onnx":
        return onnx_embedder.OnnxEmbedder(STATIC / "tokenizer.json", threads)
    return SentenceEmbedder(model)


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


def missing_model(model: str, why: str, hint: str) -> SitegenError:
    """Return the error for a model that cannot be used."""
    text = f'embedding model "{model}" {why}'
    return SitegenError(error("model-missing", text, _SETTING, hint))


def _files_hash(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _versions(*packages: str) -> str:
    out = []
    for package in packages:
        try:
            out.append(re.sub(r"\+.*", "", metadata.version(package)))
        except metadata.PackageNotFoundError:
            out.append("-")
    return " ".join(out)
