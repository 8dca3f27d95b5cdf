"""Concepts of texts that were looked through before are those of a fresh search."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen import kept
from sitegen.concepts import DEFAULT_WEIGHTS
from sitegen.records import Keyword
from sitegen.standing import Standing, find_standing
from sitegen.vocabulary import default_vocabulary
from sitegen.word_columns import read_columns

TEXTS = (
    "Deep sea mining (DSM) harms kelp forests, and kelp forests harm it.",
    "Kelp forest monitoring by DSM; large language models (LLMs) of kelp.",
    "Digital surface models (DSM) of kelp-forest edges. DSM, again.",
    "We prune large language models; RAG helps.",
    "",
)
PHRASES = ("kelp forest", "deep sea mining", "kelp forest monitoring", "edges", "DSM", "RAG helps")
DIGESTS = st.lists(
    st.tuples(st.sampled_from(TEXTS), st.frozensets(st.sampled_from(PHRASES), max_size=3)),
    max_size=6,
    unique_by=lambda one: one[0],
)


def stand(digest: Sequence[tuple[str, frozenset[str]]], before: Standing | None) -> Standing:
    keywords = [
        tuple(Keyword(phrase=phrase, score=1.0) for phrase in sorted(own)) for _, own in digest
    ]
    columns = read_columns([text for text, _ in digest])
    headlines = [f"{text[:9]} {'and kelp forests' * len(own)}" for text, own in digest]
    vocabulary = default_vocabulary()
    return find_standing(
        columns, keywords, vocabulary, DEFAULT_WEIGHTS, before, headlines=headlines
    )


@settings(max_examples=60, deadline=None)
@given(DIGESTS, DIGESTS)
def test_what_was_found_before_changes_nothing(
    old: list[tuple[str, frozenset[str]]], new: list[tuple[str, frozenset[str]]]
) -> None:
    own = dict(old)  # what a text's keywords are rests on the text alone
    new = [(text, own.get(text, phrases)) for text, phrases in new]
    before = Standing.of_table(stand(old, None).table())
    once, again = stand(new, None), stand(new, before)
    assert dict(once.whole) == dict(again.whole)
    tables = (
        {
            key: table[key]
            for key in ("keys", "text", "key", "term", "score", "first", "starts", "sizes")
        }
        for table in (once.table(), again.table())
    )
    for left, right in zip(*(table.values() for table in tables), strict=True):
        assert np.array_equal(left, right)


def test_concepts_of_many_texts_are_kept_with_what_decides_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "SMALL", 1)
    columns = read_columns(TEXTS)
    keywords = [(Keyword(phrase="kelp forest", score=1.0),)] * len(TEXTS)
    seen: list[bool] = []

    def watched(*args: object, **kwargs: object) -> Standing:
        seen.append(args[-1] is not None)
        return find_standing(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(kept, "find_standing", watched)
    for model in ("one", "one", "two", "two"):
        found = kept.standing(columns, keywords, default_vocabulary(), model, tmp_path)
    assert seen == [False, True, False, True]
    file = tmp_path / "concepts.bin"
    file.write_bytes(file.read_bytes()[:-1])
    again = kept.standing(columns, keywords, default_vocabulary(), "two", tmp_path)
    assert not seen[-1]
    assert np.array_equal(found.rows.starts, again.rows.starts)
