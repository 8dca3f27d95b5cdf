"""Names that papers introduce: candidates, the model's judgement, forms shown to a reader."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.naming import score_names
from sitegen.names import explain_names, find_names, readable, recognise, recognise_all, survey
from sitegen.naming.candidates import find_candidates, is_odd, key_of
from sitegen.naming.columns import INDEX
from sitegen.naming.features import describe
from sitegen.naming.lexicon import load_lexicon
from sitegen.naming.tokens import tokenize
from sitegen.naming.trees import read_trees

STUDY = (
    "Toxic language deters readers from public forums. Earlier detectors rely on BERT and were "
    "tested on HateCheck. We analyse how annotators disagree about irony and compare three "
    "classifiers on comments from Reddit. We find that context halves the disagreement."
)


def main_name(text: str) -> str:
    names = find_names(text)
    return names[0].text if names else ""


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        (
            "We introduce KelpNet, a network that maps kelp forests from satellite images.",
            "KelpNet",
        ),
        (
            "In this paper, we propose a novel method called TideMix for tide forecasting.",
            "TideMix",
        ),
        ("We release MudBank, the first dataset of mud samples with labels.", "MudBank"),
        (
            "We present a simple yet effective framework, dubbed OtterCall, for otter calls.",
            "OtterCall",
        ),
        ("Our approach, FjordLM, learns from tide tables and outperforms BERT.", "FjordLM"),
    ],
)
def test_a_proposed_thing_is_its_name(sentence: str, name: str) -> None:
    text = (
        f"Coastal data is scarce. {sentence} {name} is evaluated on three bays. Code is released."
    )
    assert main_name(text) == name


def test_expansion_and_short_form_are_one_name() -> None:
    text = (
        "Training is slow. We propose Gradient Tide Scaling (GTS), an optimizer that follows the "
        "tides of gradients. GTS is faster than Adam on ImageNet."
    )
    (name, *others) = find_names(text)
    assert (name.text, name.expansion) == ("GTS", "Gradient Tide Scaling")
    assert "Gradient Tide Scaling" not in [other.text for other in others]


def test_texts_are_judged_together_as_they_are_alone() -> None:
    texts = [
        tokenize(text)
        for text in (STUDY, "", "We introduce KelpNet, a network for kelp. It beats UNet.", "Kelp.")
    ]
    together = recognise_all(texts, [None] * len(texts))
    assert together == list(map(recognise, texts))
    assert [found.name.text for found in together[2].found] == ["KelpNet"]


def test_a_study_that_introduces_nothing_has_no_name() -> None:
    assert find_names(STUDY) == ()


def test_what_is_compared_with_is_no_name() -> None:
    text = (
        "We introduce KelpNet, a network for kelp forests. KelpNet outperforms UNet, SegFormer "
        "and DeepLabV3 on the Cityscapes benchmark."
    )
    assert [name.text for name in find_names(text)] == ["KelpNet"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [("E 2 -LLM", "E2-LLM"), ("D^2O", "D²O"), ("P^2 Law", "P² Law"), ("GUI-KV", "GUI-KV")],
)
def test_damaged_names_are_shown_readable(written: str, shown: str) -> None:
    assert readable(written) == shown


def test_a_damaged_name_is_found_whole() -> None:
    text = (
        "We propose an Efficient and Extreme length extension method, called E 2 -LLM, with one "
        "training procedure. The training data of our E 2 -LLM is short. E 2 -LLM is effective."
    )
    assert main_name(text) == "E2-LLM"


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("we use large language models (LLMs) here", "LLMs", "large language models"),
        (
            "PIR (Perplexity-based Importance Refinement), a",
            "PIR",
            "Perplexity-based Importance Refinement",
        ),
        (
            "Structured Packing for Long Context (SPLiCe), a",
            "SPLiCe",
            "Structured Packing for Long Context",
        ),
        ("propose Light Latent-space Decoding (L2D), an", "L2D", "Light Latent-space Decoding"),
        (
            "named Progressive Rectification Prompting (PRP) to",
            "PRP",
            "Progressive Rectification Prompting",
        ),
    ],
)
def test_short_forms_find_their_expansion(text: str, short: str, long: str) -> None:
    found = find_candidates(tokenize(text))
    candidate = found[key_of(short)]
    assert candidate.is_short
    assert found[candidate.partner].text == long


def test_brackets_that_expand_nothing_make_no_pair() -> None:
    found = find_candidates(tokenize("accuracy on the test set (Figure 3) and (see Table) grows"))
    assert not any(candidate.partner for candidate in found.values())


def test_a_short_form_without_brackets_needs_all_its_initials_right_before_it() -> None:
    found = find_candidates(
        tokenize("We study Gradient Tide Scaling GTS. Our tidal nets TNX differ.")
    )
    assert found["gts"].partner == "gradienttidescaling"
    assert not found["tnx"].partner


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We release Tidal Nets for Kelp Maps TNKM here.", "TNKM", "Tidal Nets for Kelp Maps"),
        ("We present Gradient Tide Scaling, or GTS, here.", "GTS", "Gradient Tide Scaling"),
        ("GTS, short for Gradient Tide Scaling, is fast.", "GTS", "Gradient Tide Scaling"),
        ("Our GTS: Gradient Tide Scaling in bays.", "GTS", "Gradient Tide Scaling"),
    ],
)
def test_short_forms_are_spelt_out_without_brackets(text: str, short: str, long: str) -> None:
    found = find_candidates(tokenize(text))
    assert found[found[key_of(short)].partner].text == long


def test_what_is_built_beside_a_citation_is_not_the_papers_own() -> None:
    own = (
        "Kelp is hard to map. We evaluate one such score, “variance of kelp” (VoK)%s, on three "
        "bays. VoK finds the rare samples. Code is released."
    )

    def probability(text: str) -> float:
        return max(
            r.probability for r in explain_names(text) if r.text in ("variance of kelp", "VoK")
        )

    cited = explain_names(own % " from Moor et al. (2022)")
    assert ("cited", -1.5) in cited[0].reasons
    assert probability(own % " from Moor et al. (2022)") < probability(own % "")


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ("We build TideMap and KelpMap from images.", "list_governed"),
        ("This leads to the KelpMap model.", "after_result"),
        ("Our work extends and builds on tidal networks such as KelpMap.", "built_on_within_9"),
        ("We compare with the recently proposed KelpMap.", "others_within_3"),
        ("KelpMap's submission won.", "near_team"),
        ("Moor et al. (2020) proposed KelpMap for bays.", "cited"),
        ("We create a large dataset – KelpMap – to compare them.", "own_made"),
        ("Like CLIP, KelpCLIP is fast.", "grows_other"),
    ],
)
def test_words_around_a_candidate_set_their_features(text: str, feature: str) -> None:
    tokens = tokenize(text)
    key = "kelpclip" if "CLIP" in text else "kelpmap"
    (row,) = [
        d
        for d in describe(find_candidates(tokens), tokens, load_lexicon())
        if d.candidate.key == key
    ]
    assert row.values[INDEX[feature]]


def test_others_work_before_our_own_is_no_citation_of_it() -> None:
    tokens = tokenize("Unlike Moor et al. (2020), we propose KelpMap for bays.")
    found = {d.candidate.key: d for d in describe(find_candidates(tokens), tokens, load_lexicon())}
    assert not found["kelpmap"].values[INDEX["cited"]]


def test_what_only_says_what_a_thing_is_like_ends_in_an_adjective() -> None:
    tokens = tokenize("We propose an AI-backed pipeline for bays.")
    found = {d.candidate.key: d for d in describe(find_candidates(tokens), tokens, load_lexicon())}
    assert found["aibacked"].values[INDEX["ends_adjectival"]]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We use a new approach, tidal sparsity, which counts.", "tidal sparsity"),
        (
            "We propose a holistic framework, the tide-driven kelp network, for bays.",
            "tide-driven kelp network",
        ),
        ("This is a bias that we define as tidal drift.", "tidal drift"),
        ("We introduce the new notion of a tide window, and use it.", "tide window"),
        ("We call this phenomenon ebb collapse in what follows.", "ebb collapse"),
        ("We propose response mooring: identities are removed.", "response mooring"),
        (
            "It has two parts: (1) Anchor feedback, which compares, and (2) a loss.",
            "Anchor feedback",
        ),
        ('Models bring a "tidal direction" to the surface.', "tidal direction"),
    ],
)
def test_coinages_in_small_letters_are_candidates(text: str, name: str) -> None:
    assert key_of(name) in find_candidates(tokenize(text))


def test_a_common_word_that_opens_a_sentence_is_no_candidate_unless_it_stands_elsewhere() -> None:
    assert "results" not in find_candidates(tokenize("Results are good. Results hold."))
    found = find_candidates(tokenize("Results are good. We propose Results, a network."))
    assert {place.start for place in found["results"].places} == {0, 6}


@pytest.mark.parametrize("word", ["GUI-KV", "T2Ranking", "mLongRR", "EgoNormia2", "D²O", "QKNorm"])
def test_odd_words(word: str) -> None:
    assert is_odd(word)


@pytest.mark.parametrize(
    "word", ["network", "Network", "2024", "1.85×", "30%", "x_1", "L^2", "128k"]
)
def test_plain_words_numbers_and_formulas_are_not_odd(word: str) -> None:
    assert not is_odd(word)


def test_the_digest_tells_what_is_known() -> None:
    texts = [
        f"Paper {i} uses TideNet as its baseline and compares TideNet with others."
        for i in range(6)
    ]
    background = survey(texts)
    assert background.counts["tidenet"] == 6
    assert background.about(["tidenet", "kelp"], counted=True).counts == {"tidenet": 6}
    assert background.about(["tidenet"], counted=False).counts == {"tidenet": 7}
    assert survey(texts[:2]).counts == {}


def test_reasons_name_features_and_say_what_was_taken() -> None:
    text = "We introduce KelpNet, a network for kelp forests. KelpNet beats UNet."
    reasons = explain_names(text)
    assert reasons[0].text == "KelpNet"
    assert reasons[0].taken
    assert all(isinstance(feature, str) and weight for feature, weight in reasons[0].reasons)
    assert [reason.probability for reason in reasons] == sorted(
        (reason.probability for reason in reasons), reverse=True
    )


@pytest.mark.parametrize(
    "text", ["", "   ", ".", "N/A", "()", "((((", "静かな湖の採水方法を示す。", "\u200b", "“"]
)
def test_texts_without_names_give_none(text: str) -> None:
    assert find_names(text) == ()


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400))
def test_any_text_gives_names_that_hold_together(text: str) -> None:
    for name in find_names(text):
        assert name.text.strip() == name.text != ""
        assert 0 <= name.score <= 1


@pytest.mark.parametrize("unit", ["(A ", "AbC ", "called called ", "We propose ", '"x ', "A of B "])
def test_long_texts_take_bounded_time(unit: str) -> None:
    start = time.process_time()
    find_names(unit * (2_000_000 // len(unit)))
    assert time.process_time() - start < 5


def test_gold_names_stay_above_their_floor() -> None:
    figures = score_names()
    assert figures["precision"] >= 0.88
    assert figures["recall"] >= 0.76


def test_trees_sum_their_leaves() -> None:
    tree = {
        "feature": [1, 0, 0],
        "threshold": [0.5, 0, 0],
        "left": [1, 1, 2],
        "right": [2, 1, 2],
        "value": [0.2, -1.0, 2.0],
    }
    trees = read_trees({"features": ["a", "b"], "base": 0.25, "depth": 1, "trees": [tree, tree]})
    assert trees.score([(9.0, 0.5), (9.0, 0.6)]) == [-1.75, 4.25]
    assert trees.reasons((9.0, 0.6)) == (("b", 3.6),)
    assert trees.score([]) == []


@st.composite
def grown_trees(draw: st.DrawFn) -> dict[str, object]:
    """A tree of up to 20 leaves over three columns, as plain lists."""
    tree: dict[str, list[float]] = {
        name: [] for name in ("feature", "threshold", "left", "right", "value")
    }

    def grow(room: int) -> int:
        node = len(tree["left"])
        for column in tree.values():
            column.append(node)
        tree["value"][node] = draw(st.floats(-3, 3))
        if room > 1 and draw(st.booleans()):
            tree["feature"][node] = draw(st.integers(0, 2))
            tree["threshold"][node] = draw(st.sampled_from([-1.0, 0.0, 0.5, 2.0]))
            tree["left"][node] = grow(room // 2)
            tree["right"][node] = grow(room - room // 2)
        return node

    grow(20)
    return {**tree}


def walk(tree: dict[str, list[float]], row: tuple[float, ...]) -> float:
    node = 0
    while tree["left"][node] != node:
        left = row[int(tree["feature"][node])] <= tree["threshold"][node]
        node = int(tree["left" if left else "right"][node])
    return tree["value"][node]


@settings(deadline=None)
@given(
    st.lists(grown_trees(), min_size=1, max_size=6),
    st.lists(st.tuples(*[st.sampled_from([-2.0, -1.0, 0.0, 0.4, 0.5, 0.6, 2.0, 9.0])] * 3)),
)
def test_bits_find_the_leaf_that_walking_finds(
    trees: list[dict[str, list[float]]], rows: list[tuple[float, ...]]
) -> None:
    judged = read_trees({"features": "abc", "base": 0.5, "depth": 20, "trees": trees})
    walked = [0.5 + sum(walk(tree, row) for tree in trees) for row in rows]
    assert judged.score(rows) == pytest.approx(walked, abs=1e-8)
