"""Words of texts that were read before are those of a fresh reading."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen import array_cache, text_words
from sitegen.kept import columns
from sitegen.text_words import TextWords, read_words

TEXTS = st.lists(
    st.sampled_from(["Deep sea mining (DSM) harms.", "KB (kelp bed), 3.5 m", "", "深度 C++", "a-b"])
    | st.text(max_size=12),
    max_size=5,
)


def same(one: TextWords, two: TextWords) -> bool:
    return all(
        np.array_equal(left, right)
        for left, right in zip(one.table().values(), two.table().values(), strict=True)
    )


@given(TEXTS, TEXTS)
def test_what_was_read_before_changes_nothing(old: list[str], texts: list[str]) -> None:
    before = read_words(old)
    assert same(read_words(texts, before), read_words(texts))
    assert read_words(old, before) is before or len(set(old)) < len(old)


def test_only_new_texts_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["Deep sea mining (DSM) harms.", "The DSM of kelp-beds."]
    read: list[str] = []
    pieces = text_words.word_pieces

    def counted(text: str) -> list[str]:
        read.append(text)
        return pieces(text)

    monkeypatch.setattr(text_words, "word_pieces", counted)
    columns(texts, tmp_path)
    columns(["An eel.", *texts], tmp_path)
    assert read == [*texts, "An eel."]
    file = tmp_path / "words.bin"
    assert array_cache.load(file, "another code") == {}
    file.write_bytes(file.read_bytes()[:-1])
    again = columns(texts, tmp_path)
    assert read == [*texts, "An eel.", *texts]
    assert again.surfaces == columns(texts, tmp_path).surfaces
