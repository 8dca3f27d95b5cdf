"""What stands together in one headline: a thing with its task, a phrase with its sentence's end."""

from __future__ import annotations

import pytest

from sitegen.headlines import read_paper
from sitegen.naming.drafts import write_drafts
from sitegen.naming.faults import count_faults
from sitegen.naming.lexicon import load_lexicon
from sitegen.naming.tasks import find_subjects
from sitegen.naming.wording import marks_of


def drafts(text: str) -> list[str]:
    reading, _ = read_paper(text)
    return [draft.text for draft in write_drafts(reading, load_lexicon())]


def subjects(text: str) -> list[tuple[str, str]]:
    reading, _ = read_paper(text)
    words = reading.tagged.tokens.words
    found = find_subjects(reading.tagged)
    return [(" ".join(words[i] for i in one.tokens), one.cue) for one in found]


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        (
            "Mass estimation of ripe strawberries remains hard. We propose a vision pipeline.",
            ("Mass estimation of ripe strawberries", "subject"),
        ),
        (
            "In recent years, tide prediction (TP) is crucial for ports. We propose a network.",
            ("tide prediction", "subject"),
        ),
        (
            "Sailors rely on tables. They serve the task of tide prediction. We propose a network.",
            ("tide prediction", "task"),
        ),
        (
            "Tables struggle to follow strong winds in spring. We propose a network.",
            ("follow strong winds in spring", "struggle"),
        ),
    ],
)
def test_an_opening_says_what_there_is_to_be_done(text: str, subject: tuple[str, str]) -> None:
    assert subject in subjects(text)


@pytest.mark.parametrize(
    "text",
    [
        "The rapid growth of tide tables is well known. We propose a network.",
        "A lack of tide tables is a challenge. We propose a network.",
        "It is hard. We propose a network.",
    ],
)
def test_nothing_is_made_for_a_trend(text: str) -> None:
    assert subjects(text) == []


def test_what_was_made_takes_the_task_of_the_opening_sentence() -> None:
    text = (
        "Weather prediction for narrow harbours is crucial for sailors. Tables are coarse. "
        "We propose TideNet, a recurrent network that reads gauges in real time and corrects "
        "itself whenever the wind turns."
    )
    assert "TideNet: a recurrent network for weather prediction for narrow harbours" in drafts(text)


def test_a_phrase_takes_the_end_of_its_sentence() -> None:
    text = (
        "We present TideNet, a light network that can be deployed on small buoys and cheap phones "
        "of all the sailors in the harbour for predicting storm tides."
    )
    assert "TideNet: a light network for predicting storm tides" in drafts(text)


def test_short_forms_that_few_know_are_written_out() -> None:
    text = (
        "Grey harbour seals (GHS) sleep a lot. We propose a camera network for watching GHS in "
        "narrow fjords. Large language models (LLMs) are slow."
    )
    found = drafts(text)
    assert any("watching grey harbour seals" in draft for draft in found)
    assert not any("GHS" in draft for draft in found)


@pytest.mark.parametrize(
    ("text", "draft"),
    [
        (
            "Our findings suggest that tide tables, such as those of Bergen and of Oslo, can halve "
            "the number of strandings in narrow harbours with only a slight delay.",
            "Tide tables can halve the number of strandings",
        ),
        (
            "Experiments in four harbours using old gauges show that tide tables follow the moon.",
            "Tide tables follow the moon",
        ),
        (
            "We observe that raising the number of gauges amplifies the use of tables, suggesting "
            "a link between both.",
            "Raising the number of gauges amplifies the use of tables",
        ),
        (
            "We identify a tide paradox: deep harbours silt up when their gauges are read daily.",
            "Deep harbours silt up when their gauges are read daily",
        ),
        (
            "This demonstrates that careful gauge reading improves tide tables for old harbours.",
            "Careful gauge reading improves tide tables for old harbours",
        ),
        (
            "Our training method randomly masks certain gauges within the chain of harbours.",
            "Masking certain gauges within the chain of harbours",
        ),
    ],
)
def test_findings_and_deeds_are_found_where_they_are_told(text: str, draft: str) -> None:
    assert draft in drafts(f"Tides matter. {text}")


@pytest.mark.parametrize(
    "text",
    [
        "We demonstrate analyses that are possible with tide tables of narrow harbours.",
        "We show how to efficiently read the tide tables of narrow harbours.",
    ],
)
def test_no_finding_is_cut_from_what_none_found(text: str) -> None:
    reading, _ = read_paper(f"Tides matter. {text}")
    assert "finding" not in {core.kind for core in reading.cores}


def test_an_article_before_a_plural_is_a_fault() -> None:
    text = "We propose a quick and data-free methods for reading tide tables in narrow harbours."
    reading, _ = read_paper(f"Tides matter. {text}")
    counted = {
        draft.text: count_faults(reading, draft, 0.5, 40.0, frozenset())
        for draft in write_drafts(reading, load_lexicon())
    }
    wrong = next(text for text in counted if text.startswith("A quick and data-free methods for"))
    right = wrong.removeprefix("A q")
    assert counted[wrong] > counted[f"Q{right}"]


def test_the_work_of_others_is_not_the_papers() -> None:
    text = (
        "While existing work focused on the tide tables of deep harbours, in this work we expose "
        "narrow harbours to gauges at scale."
    )
    reading, _ = read_paper(text)
    assert not [core for core in reading.cores if core.kind == "study"]
    assert "Exposing narrow harbours to gauges at scale" in drafts(text)


def test_marks_tell_what_was_cut_off() -> None:
    reading, _ = read_paper("We study the angle between tides and gauges in narrow harbours.")
    marks = {
        draft.text: marks_of(reading, draft) for draft in write_drafts(reading, load_lexicon())
    }
    whole = next(text for text in marks if text.endswith("narrow harbours"))
    assert ("next", ".") in marks[whole]
    shorter = next(text for text in marks if text.endswith("gauges"))
    assert ("cut words", "gauges", "in") in marks[shorter]
    assert ("verb", "study", "study") in marks[whole]
