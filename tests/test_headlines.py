"""Headlines: faithful, whole, short, unique; where they come from; sentences and tags beneath."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.naming import name_seeds, papers_of, score_headlines
from sitegen.headlines import (
    UNTITLED,
    explain_headline,
    headline_reason,
    read_paper,
    write_headlines,
)
from sitegen.naming.compression import MAX_WORDS, gerund_of
from sitegen.naming.drafts import write_drafts
from sitegen.naming.lexicon import load_lexicon
from sitegen.naming.rendering import render, repeats
from sitegen.naming.stems import stem, stems_of
from sitegen.naming.tagger import load_tagger
from sitegen.records import Naming, Prose
from sitegen.sentences import sentence_spans, split_sentences

KELP = (
    "Kelp forests shelter fish and store carbon. Existing maps are coarse and old. To address this "
    "issue, we introduce KelpNet, a novel lightweight network for mapping kelp forests from "
    "satellite images that needs no labels. KelpNet outperforms UNet on three coasts. Code is "
    "available at https://example.org/kelpnet."
)
STUDY = (
    "Annotators often disagree about irony. It is unclear what this does to classifiers. In this "
    "paper, we study how disagreement between annotators changes the accuracy of classifiers. "
    "We find that context halves the disagreement."
)
UNFINISHED = frozenset(
    ("a", "an", "the", "of", "for", "in", "on", "with", "to", "and", "or", "that", "which", "by")
)


def titles(*texts: str) -> list[str]:
    return [naming.title for naming in write_headlines(papers_of(texts))]


def all_drafts(text: str) -> list[str]:
    reading, _ = read_paper(text)
    return [draft.text for draft in write_drafts(reading, load_lexicon())]


# ---- what a headline says -----------------------------------------------------------------------
def test_a_named_paper_gets_name_and_description() -> None:
    (title,) = titles(KELP)
    assert title.startswith("KelpNet: ")
    assert "novel" not in title
    assert "kelp forests" in title
    assert "KelpNet" not in title.removeprefix("KelpNet: ")


def test_a_study_gets_its_question_or_finding() -> None:
    (title,) = titles(STUDY)
    assert "disagreement" in title.lower()
    assert not title.lower().startswith(("we ", "in this paper", "annotators often"))


def test_the_first_ten_words_are_no_headline() -> None:
    for text in (KELP, STUDY):
        assert not titles(text)[0].startswith(" ".join(text.split()[:6]))


def test_the_title_of_a_source_is_kept() -> None:
    (paper,) = papers_of([KELP])
    (naming,) = write_headlines([replace(paper, title=Prose(text="Kelp from  above"))])
    assert (naming.title, naming.title_source) == ("Kelp from above", "source")
    assert naming.names[0].text == "KelpNet"


def test_an_empty_source_title_counts_as_none() -> None:
    (paper,) = papers_of([KELP])
    (naming,) = write_headlines([replace(paper, title=Prose(text="  "))])
    assert naming.title_source == "derived"


def test_the_gist_is_a_whole_sentence_of_the_abstract() -> None:
    (naming,) = write_headlines(papers_of([KELP]))
    assert naming.gist in split_sentences(KELP)
    assert "we introduce KelpNet" in naming.gist


def test_no_draft_speaks_of_its_authors_or_points_outside() -> None:
    for text in (KELP, STUDY):
        for draft in all_drafts(text):
            words = set(draft.lower().replace(":", " ").split())
            assert not words & {"we", "our", "us", "this", "these", "it", "they", "novel"}, draft
            assert len(draft.split()) <= MAX_WORDS
            assert draft.split()[-1].lower() not in UNFINISHED, draft


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("We propose a method for learning both weights and masks of networks.", "both weights"),
        (
            "We study the distance between training and test accuracy of networks.",
            "between training",
        ),
        ("We present a model with the ability to read tide tables in ports.", "the ability"),
        ("We study accuracy with respect to the number of labels in ports.", "with respect"),
        ("We show that pruning is safe when the network is wide and deep.", "Pruning is safe"),
        (
            "We propose a model that reads maps, charts, and tables of tides.",
            "reading maps, charts",
        ),
        ("We study the use of large models in settings where labels are rare.", "in settings"),
        (
            "We propose applying norms to early layers and scales to deep ones.",
            "norms to early layers and scales",
        ),
        ("We study augmenting tide models with images of narrow ports.", "augmenting tide models"),
        ("We study 3D scene understanding in harbours with many boats.", "3D scene"),
    ],
)
def test_no_phrase_is_cut(text: str, cut: str) -> None:
    drafts = all_drafts(text)
    assert drafts
    assert not [draft for draft in drafts if draft.endswith(cut)]


@pytest.mark.parametrize(
    ("text", "draft"),
    [
        (
            "We discover laws of tides: the height of tides follows the depth of the bay.",
            "The height of tides follows the depth of the bay",
        ),
        (
            "We present a surprising finding: pruning one weight can destroy tide models.",
            "Pruning one weight can destroy tide models",
        ),
        (
            "We propose carefully tuned tide tables for narrow harbours.",
            "Carefully tuned tide tables for narrow harbours",
        ),
        (
            "We present a fast, robust, and scalable tide table for narrow harbours.",
            "A tide table for narrow harbours",
        ),
        (
            "We show that tide tables – old as they are – help sailors in narrow harbours.",
            "Tide tables help sailors in narrow harbours",
        ),
        (
            "We evaluate four tide tables across thirteen harbours of the north.",
            "Evaluating four tide tables across thirteen harbours of the north",
        ),
        (
            "To examine whether sailors trust tide tables, we ask them.",
            "Examining whether sailors trust tide tables",
        ),
    ],
)
def test_what_is_found_is_said_whole(text: str, draft: str) -> None:
    assert draft in all_drafts(text)


def test_what_stands_in_brackets_is_left_out() -> None:
    (title,) = titles(
        "We study large tide models (LTMs) for ports (see Fig. 3) and their errors in spring."
    )
    assert "(" not in title


def test_titles_are_unique_without_numbers() -> None:
    other = KELP.replace("satellite images", "satellite images taken in winter")
    namings = write_headlines(papers_of([KELP, other, KELP + " It is fast."]))
    assert len({naming.title for naming in namings}) == 3
    assert not any(naming.title.rstrip(")").endswith(("2", "3")) for naming in namings)


def test_order_and_company_of_other_papers_change_nothing() -> None:
    papers = papers_of([KELP, STUDY])
    there = {p.id: n for p, n in zip(papers, write_headlines(papers), strict=True)}
    back = {p.id: n for p, n in zip(papers[::-1], write_headlines(papers[::-1]), strict=True)}
    assert there == back
    assert write_headlines(papers[:1])[0] == there[papers[0].id]


def test_sentence_case_keeps_proper_names_and_short_forms() -> None:
    (title,) = titles(
        "Models are large. We present TideLM, a Transformer-Based Language Model for Norwegian "
        "tide reports from the BBC."
    )
    assert "transformer-based language model" in title


# ---- bad input ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text", ["", " ", ".", "...", "\n", "\u200b", "%", "N/A", "(", "?", "- - -"]
)
def test_t4_tiny_texts_get_a_headline(text: str) -> None:
    (title,) = titles(text)
    assert title.strip()


def test_empty_abstracts_are_told_apart() -> None:
    first, second = titles("", "")
    assert first == UNTITLED
    assert second.startswith(UNTITLED)
    assert first != second


@pytest.mark.parametrize(
    "text",
    [
        "静かな湖の採水方法を示す。我々は新しい方法を提案する。" * 8,
        "Мы предлагаем новый метод забора воды. " * 6,
    ],
)
def test_t6_other_scripts_get_the_first_sentence(text: str) -> None:
    (title,) = titles(text)
    assert text.startswith(title)
    assert 0 < len(title) <= 100


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=200), max_size=3))
def test_any_text_gets_a_unique_headline(texts: list[str]) -> None:
    found = titles(*texts)
    assert all(found)
    assert len(set(found)) == len(texts)


MARKS_AND_WORDS = (
    "we",
    "propose",
    "a",
    "novel",
    "model",
    ",",
    "that",
    "(",
    "X",
    ")",
    "for",
    ".",
    "of",
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(MARKS_AND_WORDS)))
def test_any_words_give_headlines_of_at_most_14_words(words: list[str]) -> None:
    (title,) = titles(" ".join(words))
    assert len(title.split()) <= MAX_WORDS


@pytest.mark.parametrize("unit", ["We propose a ", "X (", "that is ", "a. ", "and, "])
def test_long_texts_take_bounded_time(unit: str) -> None:
    start = time.process_time()
    titles(unit * (1_000_000 // len(unit)))
    assert time.process_time() - start < 8


# ---- explanation --------------------------------------------------------------------------------
def test_a_headline_knows_its_sentence() -> None:
    reason = headline_reason(KELP)
    assert reason.sentence in split_sentences(KELP)
    assert 0 < reason.score < 1
    assert all(score <= reason.score for _, score in reason.rivals)


def test_the_explanation_is_plain_lines() -> None:
    (paper,) = papers_of([KELP])
    (naming,) = write_headlines([paper])
    lines = explain_headline(paper, naming)
    assert "KelpNet" in lines[0]
    curated = Naming(title="Kelp", title_source="curated", names=())
    assert explain_headline(paper, curated) == ("taken from the curated",)


# ---- parts --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("verb", "form"),
    [
        ("learns", "learning"), ("applies", "applying"), ("cut", "cutting"), ("uses", "using"),
        ("embed", "embedding"), ("fine-tunes", "fine-tuning"), ("sees", "seeing"),
        ("misses", "missing"),
    ],
)  # fmt: skip
def test_gerunds(verb: str, form: str) -> None:
    assert gerund_of(verb, load_lexicon().words) == form


def test_a_name_is_not_said_twice() -> None:
    assert repeats("KelpNet", "mapping with kelpnet")
    assert not repeats("PatientSim", "a patient simulator")


def test_stems() -> None:
    assert [stem(word) for word in ("maps", "mapping", "Maps", "as", "normalization")] == [
        "map", "mapp", "map", "as", "normal",
    ]  # fmt: skip
    assert stems_of("full-rank LLMs") == ("full", "rank", "llm")


def test_a_second_verb_turns_with_the_first() -> None:
    text = "We propose TideNet, which learns tide tables and predicts storms."
    reading, _ = read_paper(text)
    shown = [
        render(reading, part, load_lexicon())
        for d in write_drafts(reading, load_lexicon())
        for part in d.parts
    ]
    assert any(text.startswith("learning tide tables") for text in shown)
    assert not any("learning tide tables and predicts" in text for text in shown)


def test_tags_of_a_plain_sentence() -> None:
    text = "We/PRP propose/VBP a/DT model/NN that/WH improves/VBZ the/DT accuracy/NN of/IN nets/NNS"
    words, tags = zip(*(pair.split("/") for pair in text.split()), strict=True)
    assert load_tagger().tag(words) == tags


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("We use e.g. BERT. It gains 3.5 points vs. the base.", 2),
        ("See Smith et al. 2022. It works.", 2),
        ("See Smith et al. It works.", 2),
        ("mBERT wins. mBERT is small.", 2),
        ("Why? Because! See https://a.example/c.d. Done (U.S. data).", 4),
        ("J. R. Okoro and A. Ito agree. We do too.", 2),
        ("We set W. We learn.", 2),
        ("静かな湖。採水する。", 2),
        ("no end", 1),
        ("", 0),
    ],
)
def test_sentences(text: str, count: int) -> None:
    assert len(split_sentences(text)) == count


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_sentences_leave_out_nothing_but_white_space(text: str) -> None:
    spans = sentence_spans(text)
    kept = "".join(text[start:end] for start, end in spans)
    assert "".join(kept.split()) == "".join(text.split())
    assert list(spans) == sorted(spans)
    assert all(text[start:end].strip() == text[start:end] != "" for start, end in spans)


def test_gold_headlines_stay_above_their_floor() -> None:
    figures = score_headlines(name_seeds())
    assert figures["rougeL"] >= 0.39
    assert figures["name_in_title"] >= 0.76
    assert figures["words_max"] <= MAX_WORDS
    assert figures["unique"] == 1
