"""What a headline is judged by: likely words, telling sentences, an editor's faults."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.headlines import edited, read_paper, read_tokens
from sitegen.names import Recognised
from sitegen.naming.faults import count_faults, subjects_of
from sitegen.naming.lexicon import load_lexicon
from sitegen.naming.salience import WORD_FEATURES, Subject, describe_words
from sitegen.naming.telling import (
    MOST,
    SENTENCE_FEATURES,
    choose_sentences,
    describe_sentences,
    sentence_like,
)
from sitegen.naming.titles import load_weights, weight_of
from sitegen.naming.tokens import tokenize

TIDES = (
    "Tide tables are old. However, storms change tides. In this paper, we study how storm surges "
    "change tide tables of small harbours. We find that storm surges raise tides in narrow "
    "harbours for three days. Code is available at https://example.org."
)


def drafts_of(text: str) -> dict[str, int]:
    """Return the drafts of a text with their faults, in the order an editor would take them."""
    reading, _ = read_paper(text)
    subjects = subjects_of(reading)
    return {
        draft.text: count_faults(
            reading, draft, score, weight_of(draft.body, load_lexicon()), subjects
        )
        for draft, score in edited(reading)
    }


def test_the_best_draft_has_no_faults() -> None:
    faults = list(drafts_of(TIDES).values())
    assert faults[0] == 0 < faults[-1]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("We study large language models.", "Large language models"),
        ("We present several tide tables for narrow harbours in spring.", "Several tide tables"),
        ("We show that narrow wells lose up to 11% of water when tides fall.", "Narrow wells lose"),
    ],
)
def test_what_could_head_any_paper_or_is_a_detail_is_a_fault(text: str, fault: str) -> None:
    found = {draft: count for draft, count in drafts_of(text).items() if draft.startswith(fault)}
    assert found
    assert all(found.values())


def test_common_words_weigh_little() -> None:
    lexicon = load_lexicon()
    assert weight_of("the models", lexicon) < weight_of("estuaries of otters", lexicon)
    assert weight_of("otters and otters", lexicon) == weight_of("the otters", lexicon)


def test_what_this_stands_for_is_told() -> None:
    drafts = drafts_of(
        "We first show that judges suffer from score range bias in tide reports. We then mitigate "
        "this bias through contrastive decoding."
    )
    assert any("score range bias through contrastive decoding" in draft for draft in drafts)
    assert not any("this" in draft.lower().split() for draft in drafts)


def test_the_telling_sentence_is_parsed_and_background_is_not_the_gist() -> None:
    tokens = tokenize(TIDES)
    reading = read_tokens(tokens, Recognised(found=(), hints=()), load_weights())
    best = max(range(len(reading.telling)), key=lambda n: reading.telling[n])
    assert best in (2, 3)
    assert best in reading.tagged.chosen
    assert sentence_like(tokens, "Tide tables and storm surges") == 2
    assert sentence_like(tokenize(""), "x") == 0


def test_at_most_so_many_sentences_are_parsed_and_the_first_always() -> None:
    subject = Subject(tokens=tokenize("A b. " * 30), name="", places=(), expansions=())
    telling = [n / 100 for n in range(len(subject.tokens.sentences))]
    chosen = choose_sentences(subject, telling)
    assert chosen[0] == 0
    assert len(chosen) <= MOST
    assert list(chosen) == sorted(set(chosen))
    assert choose_sentences(subject, []) == ()


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=300))
def test_vectors_have_the_length_that_the_models_were_trained_on(text: str) -> None:
    subject = Subject(tokens=tokenize(text), name="X", places=(), expansions=())
    keys, rows = describe_words(subject, load_lexicon(), {})
    assert len(keys) == len(rows)
    assert all(len(row) == len(WORD_FEATURES) for row in rows)
    sentences = describe_sentences(subject, dict.fromkeys(keys, 0.5))
    assert all(len(row) == len(SENTENCE_FEATURES) for row in sentences)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "By generating tables of tides and automatically learns harbours, we help.",
            "Generating tables of tides and automatically",
        ),
        (
            "We study tides by training a model of the tides and automatically extract wells.",
            "Training a model of the tides and automatically",
        ),
    ],
)
def test_a_second_verb_that_does_not_fit_the_first_is_a_fault(text: str, fault: str) -> None:
    found = {draft: count for draft, count in drafts_of(text).items() if draft.startswith(fault)}
    assert found
    assert all(found.values())
