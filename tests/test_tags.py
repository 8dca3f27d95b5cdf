"""Tags of a digest: what may be one, whose it is, and that it stays."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from sitegen.markup import slugify
from sitegen.phrases import candidates
from sitegen.records import Keyword, Metadata, Override, Paper, Prose, Tagging
from sitegen.tag_choice import TagLimits
from sitegen.tags import choose_tags
from sitegen.vocabulary import EMPTY, Vocabulary, default_vocabulary, read_vocabulary
from sitegen.wording import key_of

BIOLOGY = Path(__file__).parent / "data" / "biology.txt"


def paper(text: str) -> Paper:
    return Paper(
        id=hashlib.sha256(text.encode()).hexdigest()[:8],
        prose=Prose(text=text),
        source_text=text,
        title=None,
        metadata=Metadata(),
        links=(),
        places=(),
    )


def keywords(text: str) -> tuple[Keyword, ...]:
    """All candidates, the most frequent first: as good as KeyBERT for what is tested here."""
    counts = Counter(candidate.surface for candidate in candidates(text))
    return tuple(Keyword(phrase=phrase, score=float(n)) for phrase, n in counts.most_common(30))


def tag(
    texts: Sequence[str],
    vocabulary: Vocabulary = EMPTY,
    *,
    overrides: Sequence[Override] = (),
    limits: TagLimits = TagLimits(),  # noqa: B008
) -> tuple[Tagging, ...]:
    return choose_tags(
        [paper(text) for text in texts],
        [keywords(text) for text in texts],
        vocabulary=vocabulary,
        slugify=slugify,
        overrides={override.id: override for override in overrides},
        limits=limits,
    )


def names(tagging: Tagging) -> list[str]:
    return [tag.name for tag in tagging.tags]


def override(text: str, **fields: tuple[str, ...]) -> Override:
    identifier = paper(text).id
    return Override(id=identifier, path=f"content/papers/{identifier}.md", **fields)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def biology() -> list[str]:
    return [text for text in BIOLOGY.read_text(encoding="utf-8").split("\n\n")[1:] if text.strip()]


URCHINS = "Sea urchins graze the kelp forest. Where sea urchins are rare, kelp forests return."
BARRENS = "Sea-urchin density decides. Kelp forests turn into barrens that the sea urchin keeps."
OTTERS = "Otters eat crabs in the kelp forest; crab fishery suffers from otter predation."


# ---- cases -----------------------------------------------------------------------------------
def test_t1_every_literal_tag_stands_in_the_text(biology: list[str]) -> None:
    text = "We reduce drift in the detector. Drift of detectors is a nuisance for tide gauges."
    for read, tagging in zip([text, *biology], tag([text, *biology]), strict=True):
        for one in tagging.tags:
            assert one.surfaces
            for surface in one.surfaces:
                assert surface in read
                assert key_of(surface) == key_of(one.name)
    assert "drift detector" not in names(tag([text])[0])


def test_t1_a_curated_tag_stands_by_one_of_its_aliases() -> None:
    tagging = tag(["We train an LLM with LoRA. LoRA is cheap."], default_vocabulary())[0]
    surfaces = {one.name: one.surfaces for one in tagging.tags}
    assert surfaces["low-rank adaptation"] == ("LoRA",)
    assert surfaces["large language models"] == ("LLM",)


def test_t2_no_tag_is_part_of_another(biology: list[str]) -> None:
    text = (
        "A kelp model beats other kelp models. Coastal kelp model runs need a kelp model; kelp "
        "models fail inland, coastal kelp models hold."
    )
    for tagging in tag([text, *biology], default_vocabulary()):
        words = [set(one.name.lower().replace("-", " ").split()) for one in tagging.tags]
        for position, one in enumerate(words):
            assert not any(one <= other for other in words[position + 1 :])
            assert not any(one >= other for other in words[position + 1 :])
    assert sum("kelp model" in name for name in names(tag([text])[0])) == 1


def test_t3_order_of_papers_does_not_matter(biology: list[str]) -> None:
    shuffled = biology[:]
    random.Random(4).shuffle(shuffled)
    before = dict(zip(biology, tag(biology), strict=True))
    after = dict(zip(shuffled, tag(shuffled), strict=True))
    assert before == after


def test_t3_more_papers_leave_most_tags_and_all_names(biology: list[str]) -> None:
    few = tag(biology[:34])
    many = tag(biology)[:34]
    changed = sum(
        {one.slug for one in left.tags} != {one.slug for one in right.tags}
        for left, right in zip(few, many, strict=True)
    )
    assert changed <= 34 * 0.35
    for left, right in zip(few, many, strict=True):
        kept = {one.slug: key_of(one.name) for one in right.tags}
        assert all(kept.get(one.slug, key_of(one.name)) == key_of(one.name) for one in left.tags)


@pytest.mark.parametrize("text", ["", "To be or not.", "N/A", "—", "12 % of 3.4", "\x00\ufffd"])
def test_t4_texts_without_phrases_have_no_tags(text: str) -> None:
    assert tag([text, text], default_vocabulary()) == (Tagging(tags=()),) * 2


def test_t6_tags_keep_hyphens_digits_and_capitals() -> None:
    text = "CRISPR-Cas9 screens of barley. CRISPR-Cas9 screens find genes by CRISPR-Cas9 screens."
    assert "CRISPR-Cas9 screens" in names(tag([text])[0])


def test_t6_a_sentence_without_spaces_is_no_tag() -> None:
    for one in tag(["我们提出一种新的湖泊取样方法。" * 3])[0].tags:
        assert len(one.name) < 8


def test_u3_spellings_share_one_tag_and_lookalikes_do_not() -> None:
    texts = [f"Nothing to see in text {word}." for word in "abcdef"]
    pins = ["Remote sensing", "remote sensing", "remote-sensing ", "C", "C++", "C#"]
    taggings = tag(
        texts,
        overrides=[override(text, tags=(pin,)) for text, pin in zip(texts, pins, strict=True)],
    )
    slugs = [tagging.tags[0].slug for tagging in taggings]
    assert slugs[0] == slugs[1] == slugs[2] == "remote-sensing"
    assert len(set(slugs[3:])) == 3
    assert [tagging.tags[0].page for tagging in taggings] == [True] * 3 + [False] * 3
    assert len({tagging.tags[0].name for tagging in taggings[:3]}) == 1


def test_u3_a_clash_of_slugs_is_resolved() -> None:
    texts = ["One text here.", "Another text here."]
    taggings = choose_tags(
        [paper(text) for text in texts],
        [(), ()],
        vocabulary=EMPTY,
        slugify=lambda _: "same",
        overrides={
            paper(text).id: override(text, tags=(pin,))
            for text, pin in zip(texts, ["moss", "fern"], strict=True)
        },
    )
    assert sorted(tagging.tags[0].slug for tagging in taggings) == ["same", "same-2"]


# ---- one vocabulary --------------------------------------------------------------------------
def test_case_plural_and_hyphen_are_one_tag_under_its_commonest_form() -> None:
    taggings = tag([URCHINS, BARRENS])
    assert {"sea urchins", "kelp forests"} <= set(names(taggings[0])) & set(names(taggings[1]))
    assert all(one.page for one in taggings[0].tags if one.name == "sea urchins")


def test_the_slug_does_not_depend_on_number() -> None:
    singular = [text.replace("urchins", "urchin") for text in (URCHINS, BARRENS)]
    one = {t.slug for t in tag([URCHINS, BARRENS])[0].tags}
    two = {t.slug for t in tag(singular)[0].tags}
    assert "sea-urchin" in one & two


def test_short_and_long_form_are_one_tag() -> None:
    texts = [
        "Harmful algal bloom (HAB) warning. A harmful algal bloom kills fish.",
        "We map each harmful algal bloom (HAB) from space; one HAB lasted weeks.",
        "HAB forecasts help farms. The HAB came early.",
    ]
    for tagging in tag(texts):
        assert "harmful algal bloom" in names(tagging)
    assert tag(texts)[2].tags[0].page


def test_stems_are_never_merged() -> None:
    texts = ["Image generation works. Image generation is fun.", "Image generalization is hard."]
    slugs = [{one.slug for one in tagging.tags} for tagging in tag(texts)]
    assert "image-generation" in slugs[0]
    assert not slugs[0] & slugs[1]


def test_generic_words_are_no_tags() -> None:
    text = (
        "Experimental results show significant improvement. The proposed method improves model "
        "performance; experimental results on downstream tasks support the proposed method."
    )
    assert names(tag([text, text + " Again."])[0]) == []


def test_clauses_and_possessives_are_no_tags() -> None:
    text = "Many bees rose early and bees rose late. The reef's edge: the reef's edge and more."
    assert not {"bees rose", "reef's edge"} & set(names(tag([text])[0]))


def test_a_narrow_term_speaks_for_a_broader_one() -> None:
    terms, problems = read_vocabulary(
        '[terms]\n"grazers" = []\n"sea urchins" = []\n[broader]\n"grazers" = ["sea urchins"]\n', "x"
    )
    assert not problems
    tagging = tag([URCHINS], terms)[0]
    scores = {one.name: one.score for one in tagging.tags}
    assert scores["sea urchins"] > scores["grazers"]
    assert next(t for t in tagging.tags if t.name == "grazers").surfaces == (
        "Sea urchins",
        "sea urchins",
    )


# ---- pages -----------------------------------------------------------------------------------
def check_pages(taggings: Sequence[Tagging], limits: TagLimits = TagLimits()) -> None:  # noqa: B008
    carriers = Counter(one.slug for tagging in taggings for one in tagging.tags)
    for tagging in taggings:
        assert len(tagging.tags) <= limits.most
        assert sum(one.page for one in tagging.tags) <= limits.linked
        assert len({one.slug for one in tagging.tags}) == len(tagging.tags)
        assert [one.score for one in tagging.tags] == sorted(
            (one.score for one in tagging.tags), reverse=True
        )
        for one in tagging.tags:
            assert one.page is (carriers[one.slug] > 1)


@pytest.mark.parametrize("terms", [EMPTY, default_vocabulary()], ids=["bare", "packaged"])
def test_another_field_gets_sound_tags(biology: list[str], terms: Vocabulary) -> None:
    taggings = tag(biology, terms)
    check_pages(taggings)
    tags = Counter(one.name for tagging in taggings for one in tagging.tags)
    assert {"sea urchins", "stem cells", "migratory birds", "antibiotic resistance"} <= set(tags)
    curated = [name for name in tags if terms.term_of(name) is not None]
    assert len(curated) <= 12  # machine learning has little to say here
    assert sum(any(one.page for one in tagging.tags) for tagging in taggings) >= 34


def test_limits_are_kept(biology: list[str]) -> None:
    limits = TagLimits(most=4, linked=2)
    check_pages(tag(biology, limits=limits), limits)


def test_no_weak_tag_is_forced_in() -> None:
    assert len(names(tag(["A note about mosses and their neighbours in some places."])[0])) <= 2


# ---- the curator's word ----------------------------------------------------------------------
def test_pinned_tags_come_first_and_blocked_ones_never(biology: list[str]) -> None:
    plain = tag(biology)
    target = names(plain[1])[0]
    pinned = tag(
        biology,
        overrides=[override(biology[1], tags=("Otter Acoustics", "stem cell"), not_tags=(target,))],
    )
    first = pinned[1].tags
    assert [one.name for one in first[:2]] == ["Otter Acoustics", "stem cells"]
    assert first[0].surfaces == ()
    assert (first[0].page, first[1].page) == (False, True)
    assert target not in names(pinned[1])


def test_a_pinned_alias_is_its_term_and_a_blocked_one_too() -> None:
    text = "We train with LoRA and test with RLHF."
    tagging = tag(
        [text], default_vocabulary(), overrides=[override(text, tags=("ReLU",), not_tags=("LoRA",))]
    )[0]
    assert names(tagging)[0] == "activation functions"
    assert "low-rank adaptation" not in names(tagging)


def test_pinned_tags_count_among_the_eight(biology: list[str]) -> None:
    pins = tuple(f"pin number {word}" for word in "abcdefghij")
    tagging = tag(biology, overrides=[override(biology[0], tags=pins)])[0]
    assert names(tagging) == list(pins[:8])


def test_what_a_paper_introduces_is_no_tag_of_that_paper_alone() -> None:
    crabs = "KelpNet counts crabs. KelpNet is a net; KelpNet learns crabs of the kelp forest."
    nets = "Deep nets such as KelpNet are slow; KelpNet fails, KelpNet is old and heavy."

    def tags_of(texts: Sequence[str], introduced: Sequence[Sequence[str]]) -> list[str]:
        found = choose_tags(
            [paper(text) for text in texts],
            [keywords(text) for text in texts],
            vocabulary=EMPTY,
            slugify=slugify,
            introduced=introduced,
            limits=TagLimits(floor=0.02, own_floor=0.02),
        )
        return names(found[0])

    assert "KelpNet" in tags_of([crabs, URCHINS], ())
    assert "KelpNet" not in tags_of([crabs, URCHINS], (("KelpNet",), ()))
    assert "KelpNet" in tags_of([crabs, nets], (("KelpNet",), ()))
