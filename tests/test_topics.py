"""Topics: finding phrases, scoring, choosing, discovering, and the digest's own topic files."""

from __future__ import annotations

import importlib.util
import itertools
import random
import re
import sys
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen import kept
from sitegen.content import load_content
from sitegen.keywords import KeywordOptions, embed, read
from sitegen.phrase_index import index_phrases, phrase_signature
from sitegen.records import (
    Metadata,
    Override,
    Paper,
    Prose,
    Tag,
    Tagging,
    Topic,
    TopicChoice,
    TopicScore,
)
from sitegen.topic_discovery import discover_topics, keep_filled
from sitegen.topics import (
    TopicOptions,
    assign_topics,
    background_texts,
    check_overrides,
    explain_topics,
    index_topics,
)
from sitegen.word_columns import read_columns

ROOT = Path(__file__).parent.parent
OPTIONS = KeywordOptions()


def bag_of_words(texts: Sequence[str]) -> np.ndarray:
    """Embed texts by hashing their words: close where they share words."""
    vectors = np.zeros((len(texts), 512), np.float32)
    for row, text in enumerate(texts):
        for word in re.findall(r"\w+", text.lower()):
            vectors[row, zlib.crc32(word.encode()) % 512] += 1
    return vectors


KELP = Topic(slug="kelp", title="Kelp", phrases=("kelp forest", "seaweed"), order=1)
OTTERS = Topic(slug="otters", title="Otters", phrases=("sea otter", "otter acoustics"), order=2)
TIDES = Topic(slug="tides", title="Tides", phrases=("tidal model", "GAM"), order=3, narrow=True)
TOPICS = (KELP, OTTERS, TIDES)
BACKGROUND = tuple(
    f"We study the {noun} of {place} with a {tool} and report what we see there."
    for noun, place, tool in itertools.product(
        ("growth", "age", "colour", "kelp forest"),
        ("bays", "lakes", "otter", "rivers"),
        ("net", "camera"),
    )
)


def choose(*texts: str, **kwargs: object) -> list[list[str]]:
    index = index_topics(TOPICS, bag_of_words, BACKGROUND)
    choices = assign_topics(texts, bag_of_words(texts), index, **kwargs)  # type: ignore[arg-type]
    return [[score.slug for score in choice.topics] for choice in choices]


# ---- finding phrases ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("fine-tuning", "Finetuning helps"),
        ("fine-tuning", "we use fine tuning here"),
        ("finetuning", "FINE-TUNING"),
        ("language model", "large language models"),
        ("language models", "a language-model"),
        ("low-resource languages", "one low resource language"),
        ("GPU", "many GPUs"),
        ("CRISPR-Cas9", "with CRISPR-Cas9 and GPT-4"),
        ("取样方法", "我们提出一种新的湖泊取样方法"),
        ("Alzheimer's disease", "in Alzheimer’s disease."),
    ],
)
def test_phrase_is_found_in_any_spelling(phrase: str, text: str) -> None:
    assert index_phrases(["unlikely", phrase]).find(text) == {1: 1}


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("Adam", "adam was first"),
        ("CLIP", "we clip gradients"),
        ("LoRA", "the flora of a lake"),
        ("law", "scaling of the lawn"),
        ("generation", "generalization of models"),
        ("sea otter", "an otter at sea"),
    ],
)
def test_what_only_resembles_a_phrase_is_not_found(phrase: str, text: str) -> None:
    assert index_phrases([phrase]).find(text) == {}


def test_nested_and_repeated_phrases_all_count() -> None:
    index = index_phrases(["pruning", "expert pruning", ""])
    assert index.find("Expert pruning is pruning. Pruning experts") == {0: 3, 1: 1}


@given(st.lists(st.text("abc xyz-", min_size=1, max_size=12), min_size=1, max_size=5), st.data())
def test_a_phrase_set_into_a_text_is_always_found(phrases: list[str], data: st.DataObject) -> None:
    phrase = data.draw(st.sampled_from(phrases))
    found = index_phrases(phrases).find(f"Before it. {phrase} , after it.")
    assert phrases.index(phrase) in found or not phrase_signature(phrase)


def test_finding_stays_linear_on_a_hostile_text() -> None:
    index = index_phrases([" ".join(["a"] * 30), "ab " * 20])
    start = time.process_time()
    index.find("a " * 20_000 + "ab " * 20_000)
    assert time.process_time() - start < 3


# ---- choosing -----------------------------------------------------------------------------------
def test_the_topic_whose_phrases_stand_in_the_text_comes_first() -> None:
    assert choose("Seaweed grows in a kelp forest.") == [["kelp"]]
    assert choose("The sea otter and otter acoustics in one kelp forest")[0][:1] == ["otters"]


def test_a_narrow_topic_needs_a_phrase_not_just_closeness() -> None:
    assert choose("Tides, tides and tides.") == [[]]
    assert choose("Tides by a tidal model.") == [["tides"]]
    assert choose("Tides in the gam of a whale") == [[]], "GAM keeps its capitals"


def test_secondary_topics_reach_a_share_of_the_first() -> None:
    text = "Seaweed, seaweed, a kelp forest, a sea otter."
    assert choose(text) == [["kelp", "otters"]]
    assert choose(text, options=TopicOptions(secondary=1.0)) == [["kelp"]]
    assert choose(text, options=TopicOptions(most=1)) == [["kelp"]]


def test_where_nothing_fits_no_topic_is_forced() -> None:
    assert choose("A Banach space of arithmetic functions.") == [[]]


def test_t3_a_paper_keeps_its_topics_in_any_company() -> None:
    index = index_topics(TOPICS, bag_of_words, BACKGROUND)
    text = "The sea otter in a kelp forest of seaweed."
    alone = assign_topics([text], bag_of_words([text]), index)[0]
    others = [f"Filler {number} about seaweed." for number in range(19)]
    for texts in ([text, *others], [*others, text]):
        choices = assign_topics(texts, bag_of_words(texts), index)
        assert choices[texts.index(text)] == alone


def test_order_of_topic_files_does_not_matter() -> None:
    text = "Seaweed and sea otters."
    results = {
        assign_topics([text], bag_of_words([text]), index_topics(order, bag_of_words, BACKGROUND))
        for order in itertools.permutations(TOPICS)
    }
    assert len(results) == 1


def test_t4_texts_without_words_get_no_topic() -> None:
    texts = ["To be or not.", "N/A", "", "我们提出一种新的湖泊取样方法", "\u0000\ufffd" * 50]
    assert choose(*texts) == [[], [], [], [], []]
    index = index_topics(TOPICS, bag_of_words, BACKGROUND)
    bad = np.array([[np.nan] * 512, [np.inf] * 512, [0] * 512])
    assert [c.topics for c in assign_topics(["", "", ""], bad, index)] == [(), (), ()]
    assert assign_topics([], np.zeros((0, 512)), index) == ()


def test_t5_the_end_of_a_long_text_counts() -> None:
    filler = "We describe boats, nets, weather and harbours at length. " * 45
    assert choose(filler + "The otter acoustics of a sea otter: otter acoustics decide. " * 20) == [
        ["otters"]
    ]


def test_without_background_the_papers_are_the_measure() -> None:
    texts = ["Seaweed of a kelp forest.", "A sea otter.", "A tidal model.", "Something else."] * 8
    index = index_topics(TOPICS, bag_of_words, ())
    choices = assign_topics(texts, bag_of_words(texts), index)
    firsts = [choice.topics[0].slug if choice.topics else "" for choice in choices[:4]]
    assert firsts == ["kelp", "otters", "tides", ""]
    few = assign_topics(texts[:2], bag_of_words(texts[:2]), index)
    assert [choice.topics[0].slug for choice in few] == ["kelp", "otters"]


def test_no_topics_at_all() -> None:
    index = index_topics((), bag_of_words)
    assert assign_topics(["x"], bag_of_words(["x"]), index) == (TopicChoice(topics=()),)
    assert explain_topics("x", bag_of_words(["x"])[0], index) == ()


def test_a_topic_without_phrases_is_known_by_its_title() -> None:
    bare = Topic(slug="sea-otters", title="Sea otters")
    index = index_topics((bare, KELP), bag_of_words, BACKGROUND)
    text = "On the sea otter."
    (score,) = assign_topics([text], bag_of_words([text]), index)[0].topics
    assert (score.slug, score.phrases) == ("sea-otters", ("Sea otters",))


# ---- the curator's word -------------------------------------------------------------------------
def correction(paper: str, *topics: str) -> Override:
    return Override(id=paper, path=f"content/papers/{paper}.md", topics=topics)


def test_a_correction_replaces_the_computed_topics() -> None:
    text = "Seaweed grows in a kelp forest."
    overrides = {"a": correction("a", "Tides", "kelp"), "b": correction("b")}
    slugs = choose(text, text, text, ids=["a", "b", "c"], overrides=overrides)
    assert slugs == [["tides", "kelp"], [], ["kelp"]]


def test_topics_that_are_kept_are_those_of_a_fresh_assignment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "SMALL", 1)
    asked: list[int] = []

    def watched(texts: Sequence[str], *args: object, **kwargs: object) -> object:
        asked.append(len(texts))
        return assign_topics(texts, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(kept, "assign_topics", watched)
    texts = ["Seaweed of a kelp forest.", "Sea otters and a GAM.", "Nothing.", "Otter acoustics."]
    ids = ["a", "b", "c", "d"]
    overrides = {"c": correction("c", "Tides", "kelp")}

    def keep(rows: Sequence[int], topics: Sequence[Topic] = TOPICS) -> object:
        some = [texts[row] for row in rows]
        index = index_topics(topics, bag_of_words, BACKGROUND)
        own = [ids[row] for row in rows]
        found = kept.choices(
            read_columns(some), bag_of_words(some), index, ids=own, overrides=overrides,
            early=[0], model="bag", cache=tmp_path,
        )  # fmt: skip
        fresh = assign_topics(some, bag_of_words(some), index, ids=own, overrides=overrides)
        assert found == fresh
        return found

    keep([0, 1, 2])
    keep([3, 0, 2, 1])
    assert asked == [3, 1, 1, 1]  # the new ones, then those with a correction
    keep([0, 1, 2], TOPICS[:2])
    file = tmp_path / "topics.bin"
    file.write_bytes(file.read_bytes()[:-1])
    keep([0, 1, 2], TOPICS[:2])
    assert asked[4:] == [3, 1, 3, 1]


def test_an_unknown_topic_in_a_correction_is_an_error_at_its_file() -> None:
    (problem,) = check_overrides(TOPICS, {"a": correction("a", "kelp", "kepl")})
    assert str(problem).startswith(
        "content/papers/a.md: error: topics: no topic 'kepl' [topic-unknown]"
    )
    assert "kelp, otters, tides" in problem.hint
    assert choose("x", ids=["a"], overrides={"a": correction("a", "kepl")}) == [[]]


def test_explanation_shows_the_figures_of_the_choice() -> None:
    index = index_topics(TOPICS, bag_of_words, BACKGROUND)
    text = "Sea otters, otter acoustics, and sea otters again in a kelp forest."
    vector = bag_of_words([text])[0]
    chosen = assign_topics([text], vector[None, :], index)[0].topics
    first, *rest = explain_topics(text, vector, index)
    assert (first.slug, first.score) == (chosen[0].slug, chosen[0].score)
    assert first.found == (("sea otter", 2), ("otter acoustics", 1))
    assert chosen[0].phrases == ("sea otter", "otter acoustics")
    assert [e.slug for e in rest if not e.eligible] == ["tides"]


# ---- automatic topics ---------------------------------------------------------------------------
SUBJECTS = ("kelp forests", "sea otters", "tidal models", "sea_urchins", "mRNA vaccines", "coral")


def tagged(
    count: int, tags: int = 2, seed: int = 1
) -> tuple[list[Paper], list[Tagging], np.ndarray]:
    """Make papers on one subject each, all tagged with it and with "oceans"."""
    chance = random.Random(seed)
    papers, taggings, texts = [], [], []
    for number in range(count):
        subject = SUBJECTS[number % len(SUBJECTS)]
        text = f"On {subject} {subject} number {chance.random()}"
        names = (subject, "oceans")[:tags]
        papers.append(
            Paper(
                id=f"{number:08}",
                prose=Prose(text=text),
                source_text=text,
                title=None,
                metadata=Metadata(),
                links=(),
                places=(),
            )
        )
        found = [
            Tag(name=name, slug=re.sub(r"\W|_", "-", name.lower()), score=1.0, page=count > 6)
            for name in names
        ]
        taggings.append(Tagging(tags=tuple(found)))
        texts.append(text)
    return papers, taggings, bag_of_words(texts)


def test_topics_are_the_shared_tags_that_tell_papers_apart() -> None:
    topics = discover_topics(*tagged(60))
    assert {topic.slug for topic in topics} == {
        "kelp-forests", "sea-otters", "tidal-models", "sea-urchins", "mrna-vaccines", "coral",
    }  # fmt: skip
    titles = {topic.title for topic in topics}
    assert {"Kelp forests", "mRNA vaccines"} <= titles
    urchins = next(topic for topic in topics if topic.slug == "sea-urchins")
    assert urchins.body == "Gathered automatically: papers on sea\\_urchins."


def test_discovery_does_not_depend_on_the_order_of_papers() -> None:
    papers, taggings, vectors = tagged(60)
    shuffled = random.Random(3).sample(range(60), 60)
    again = discover_topics(
        [papers[i] for i in shuffled], [taggings[i] for i in shuffled], vectors[shuffled]
    )
    assert again == discover_topics(papers, taggings, vectors)


def test_more_papers_keep_the_topics() -> None:
    before = {topic.slug for topic in discover_topics(*tagged(60))}
    after = {topic.slug for topic in discover_topics(*tagged(66))}
    assert before <= after


@pytest.mark.parametrize("count", [0, 1, 5])
def test_a_digest_without_shared_tags_has_no_topics(count: int) -> None:
    assert discover_topics(*tagged(count)) == ()


def test_discovery_bears_vectors_of_zeros_and_no_tags() -> None:
    papers, taggings, vectors = tagged(60)
    assert discover_topics(papers, taggings, np.zeros_like(vectors))
    assert discover_topics(papers, [Tagging(tags=())] * 60, vectors) == ()


def test_synonyms_and_narrower_names_make_one_topic() -> None:
    papers, taggings, vectors = tagged(60)
    narrower = Tag(name="giant kelp forests", slug="giant-kelp-forests", score=0.5, page=True)
    taggings = [
        Tagging(tags=(*tagging.tags, narrower)) if number % 12 == 0 else tagging
        for number, tagging in enumerate(taggings)
    ]
    topics = {topic.slug: topic for topic in discover_topics(papers, taggings, vectors)}
    assert "giant-kelp-forests" not in topics
    assert "giant kelp forests" in topics["kelp-forests"].phrases
    assert topics["kelp-forests"].body.endswith("kelp forests, with giant kelp forests.")


def test_topics_left_nearly_empty_are_dropped() -> None:
    chosen = [TopicChoice(topics=(TopicScore(slug="kelp", score=2.0),))] * 50
    chosen += [TopicChoice(topics=(TopicScore(slug="otters", score=2.0),))] * 2
    assert keep_filled(TOPICS, chosen) == (KELP,)


# ---- the digest's own topics --------------------------------------------------------------------
@pytest.fixture(scope="module")
def own_topics() -> tuple[Topic, ...]:
    content, problems = load_content(ROOT)
    assert problems == ()
    return content.topics


def test_the_digest_has_well_made_topics(own_topics: tuple[Topic, ...]) -> None:
    assert 20 <= len(own_topics) <= 28
    assert len({topic.order for topic in own_topics}) == len(own_topics)
    for topic in own_topics:
        assert len(topic.title) <= 40
        assert len(topic.phrases) >= 15
        assert 2 <= len(re.findall(r"[.!?](?:\s|$)", topic.body)) <= 4, topic.slug
    owners = Counter(phrase_signature(phrase) for topic in own_topics for phrase in topic.phrases)
    assert [phrase for phrase, count in owners.items() if count > 1] == []


def test_introductions_point_to_topics_by_their_titles(own_topics: tuple[Topic, ...]) -> None:
    titles = {f"/topics/{topic.slug}/": topic.title for topic in own_topics}
    links = [
        link for topic in own_topics for link in re.findall(r"\[([^]]*)\]\(([^)]*)\)", topic.body)
    ]
    assert len(links) > 20
    assert [link for link in links if titles.get(link[1]) != link[0]] == []


def test_background_is_plain_and_large_enough() -> None:
    texts = background_texts()
    assert len(texts) >= 200
    assert not [text for text in texts if re.search(r"[\\$]|https?:", text)]


def load_bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_topics", ROOT / "bench/topics.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_topics"] = module
    spec.loader.exec_module(module)
    return module


def test_topics_agree_with_the_annotated_file(own_topics: tuple[Topic, ...]) -> None:
    bench = load_bench()
    rows = bench.seed_abstracts()
    texts = [text for _, _, text in rows]
    index = index_topics(own_topics, lambda items: embed(items, OPTIONS))
    choices = assign_topics(texts, read(texts, OPTIONS).vectors, index)
    areas = bench.gold_areas()
    figures = bench.measure(choices, [areas.get((file, number)) for file, number, _ in rows])
    assert figures["topics_nmi"] >= 0.70
    assert figures["topics_accuracy"] >= 0.87
    assert figures["topics_coverage"] >= 0.99
    assert figures["biggest"] <= 0.15
    assert 1.1 <= figures["per_paper"] <= 1.6


def test_ten_thousand_abstracts_are_matched_in_seconds(own_topics: tuple[Topic, ...]) -> None:
    index = index_topics(own_topics, bag_of_words, BACKGROUND)
    texts = [text for _, _, text in load_bench().seed_abstracts()]
    start = time.process_time()
    for text in texts:
        index.phrase_index.find(text)
    assert (time.process_time() - start) / len(texts) * 10_000 < 6


WORDS = st.sampled_from(
    [
        "deep-learning",
        "Deep",
        "learnings",
        "RAG",
        "rag",
        "RAGs",
        "3.5",
        "C++",
        "\u6df1\u5ea6",
        "a_b",
        ". ",
        "-",
    ]
)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.lists(WORDS | st.text(max_size=8), max_size=9).map(" ".join), max_size=5),
    st.lists(
        st.lists(WORDS | st.text(max_size=4), min_size=1, max_size=3).map(" ".join), max_size=5
    ),
)
def test_phrases_are_found_in_all_texts_at_once_as_in_each(
    texts: list[str], phrases: list[str]
) -> None:
    index = index_phrases(phrases)
    found = index.find_all(read_columns(texts))
    rows = zip(found.text.tolist(), found.phrase.tolist(), found.count.tolist(), strict=True)
    expected = [
        (number, *pair)
        for number, text in enumerate(texts)
        for pair in sorted(index.find(text).items())
    ]
    assert list(rows) == expected


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(max_size=80), max_size=4))
def test_any_text_gets_at_most_three_topics_best_first(texts: list[str]) -> None:
    index = index_topics(TOPICS, bag_of_words, BACKGROUND)
    for choice in assign_topics(texts, bag_of_words(texts), index):
        scores = [score.score for score in choice.topics]
        assert len(scores) <= 3
        assert scores == sorted(scores, reverse=True)
