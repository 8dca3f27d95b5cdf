"""Embedding models by name: ``static`` (in the package), ``onnx`` (an extra) or others.

Everything here is local: a model that is not on this machine is an error that says how to get it,
never a download.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from sitegen.embedders.onnx import OnnxEmbedder
from sitegen.embedders.onnx import files as onnx_files
from sitegen.embedders.sentence import SentenceEmbedder
from sitegen.embedders.static import StaticEmbedder

if TYPE_CHECKING:
    import numpy as np

STATIC = Path(__file__).parent.parent / "model" / "static"


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
        content = _files_hash(onnx_files(STATIC / "tokenizer.json"))
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
        return OnnxEmbedder(STATIC / "tokenizer.json", threads)
    return SentenceEmbedder(model)


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
