"""Curated terms, their files, and the words of a text as they see them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.diagnostics import Severity, SitegenError
from sitegen.term_places import find_terms
from sitegen.vocabulary import EMPTY, Vocabulary, default_vocabulary, read_vocabulary
from sitegen.word_columns import read_columns
from sitegen.wording import ShortForms, key_of, long_form, singular, split_words


def vocabulary(text: str, base: Vocabulary = EMPTY) -> Vocabulary:
    read, problems = read_vocabulary(text, "content/aliases.toml", base)
    assert problems == ()
    return read


def short_forms(texts: list[str]) -> ShortForms:
    return read_columns(texts).short_forms


def found(terms: Vocabulary, text: str) -> list[tuple[str, str]]:
    columns = read_columns([text])
    hits = find_terms(columns, terms)
    names = [terms.terms[term].name for term in hits.terms.tolist()]
    return list(zip(names, columns.cut(hits.starts, hits.ends), strict=True))


KELP = """
[terms]
"kelp forests" = ["forest of kelp", "KF"]
"sea urchins" = ["urchin"]
"urchin barrens" = []
"marine heatwaves" = { aliases = ["warming"], with = ["ocean", "sea"] }
"""


def test_a_term_is_found_by_any_form_but_not_by_its_stem() -> None:
    terms = vocabulary(KELP)
    assert found(terms, "Kelp-forests and a forest of kelp; KFs, not kf, kelpforest.") == [
        ("kelp forests", "Kelp-forests"),
        ("kelp forests", "forest of kelp"),
        ("kelp forests", "KFs"),
        ("kelp forests", "kelpforest"),
    ]
    assert found(terms, "kelping forested urchined") == []


def test_a_name_of_several_meanings_counts_beside_its_context_only() -> None:
    terms = vocabulary(
        '[terms]\n"calibration" = { aliases = ["calibration"], with = ["confidence"],'
        ' unless = ["calibration data"] }\n"data" = []'
    )
    assert found(terms, "Calibration of a balance.") == []
    assert found(terms, "Calibration, and confidence.") == [("calibration", "Calibration")]
    assert found(terms, "Calibration data, confidence.") == []  # not "data" either
    assert terms.term_of("Calibration") == 0
    more = vocabulary('[terms]\n"calibration" = { unless = ["camera calibration"] }', terms)
    assert found(more, "Camera calibration; calibration data; confidence.") == []
    assert found(more, "Calibration of a balance.") == []


def test_what_a_term_does_may_be_said_the_other_way_round() -> None:
    terms = vocabulary('[terms]\n"deepfake detection" = []\n"data selection" = []')
    text = "Detecting deepfakes, detection of deepfakes, a deepfake detector; detect the deepfake."
    assert [name for name, _ in found(terms, text)] == ["deepfake detection"] * 4
    assert found(terms, "We select data and selecting data is dull.") == []  # says nothing alone


def test_the_longest_form_wins_and_none_overlap() -> None:
    terms = vocabulary(KELP)
    assert found(terms, "Urchin barrens hold urchins.") == [
        ("urchin barrens", "Urchin barrens"),
        ("sea urchins", "urchins"),
    ]


def test_no_form_reaches_over_punctuation() -> None:
    terms = vocabulary('[terms]\n"kelp forests" = []\n')
    assert found(terms, "We cut kelp, forests grew. Kelp (forests), kelp/forests.") == []


def test_a_broad_alias_counts_only_beside_its_context() -> None:
    terms = vocabulary(KELP)
    assert found(terms, "Warming of the sea.") == [("marine heatwaves", "Warming")]
    assert found(terms, "Warming of the talks.") == []


def test_a_broad_alias_leaves_the_form_to_another_term_elsewhere() -> None:
    terms = vocabulary(
        '[terms]\n"warming" = []\n"marine warming" = { aliases = ["warming"], with = ["sea"] }\n'
    )
    assert found(terms, "Warming at sea") == [("marine warming", "Warming")]
    assert found(terms, "Warming on land") == [("warming", "Warming")]


def test_the_curators_file_extends_overrides_and_drops() -> None:
    base = vocabulary('[terms]\n"kelp forests" = ["kelp bed"]\n"sea urchins" = []\n')
    own = vocabulary('[terms]\n"Kelp forests" = ["Macrocystis"]\n"sea urchins" = false\n', base)
    assert found(own, "kelp beds of Macrocystis and sea urchins") == [
        ("Kelp forests", "kelp beds"),
        ("Kelp forests", "Macrocystis"),
    ]
    moved = vocabulary('[terms]\n"kelp beds" = []\n', base)
    assert found(moved, "kelp bed, kelp forest") == [
        ("kelp beds", "kelp bed"),
        ("kelp forests", "kelp forest"),
    ]
    assert [t.name for t in vocabulary("replace = true\n[terms]\nkelp = []\n", base).terms] == [
        "kelp"
    ]


@pytest.mark.parametrize(
    ("text", "code", "line", "part"),
    [
        ("[term]\nkelp = []\n", "aliases-key", 1, "term"),
        ('[terms]\n"kelp" = "algae"\n', "aliases-type", 2, "list of phrases"),
        ('[terms]\n"kelp" = { alias = [] }\n', "aliases-type", 2, "aliases?"),
        ('[terms]\n\n"—" = []\n', "aliases-type", 3, "letter"),
        (
            '[terms]\n"kelp" = ["brown algae"]\n"moss" = ["Brown-Algae"]\n',
            "aliases-twice",
            3,
            "'kelp'",
        ),
        ('[terms]\n"kelp" = false\n', "aliases-unknown", 2, "kelp"),
        ('[terms]\nkelp = []\n[broader]\n"kelp" = ["moss"]\n', "aliases-unknown", 4, "moss"),
    ],
)
def test_what_cannot_be_used_is_reported_with_its_line(
    text: str, code: str, line: int, part: str
) -> None:
    _, problems = read_vocabulary(text, "content/aliases.toml")
    assert [problem.code for problem in problems] == [code]
    assert part in problems[0].text
    assert problems[0].location.line == line
    assert problems[0].severity in (Severity.ERROR, Severity.WARNING)


def test_a_file_that_is_no_toml_stops() -> None:
    with pytest.raises(SitegenError, match="not TOML"):
        read_vocabulary("kelp: algae", "content/aliases.toml")


def test_the_packages_terms_are_sound() -> None:
    terms = default_vocabulary()  # raises on a form given twice
    assert len(terms.terms) > 400
    for term in terms.terms:
        assert terms.term_of(term.name) is not None, term.name
        assert terms.terms[terms.term_of(term.name) or 0].name == term.name
    for key, position in terms.folded.items():
        assert len(key) > 2, (key, terms.terms[position].name)


def test_the_packages_terms_leave_ordinary_words_alone() -> None:
    text = (
        "In this novel study we face the control of a new law and simulate its metrics. We adapt "
        "to the task, crop images, map words, and give guidance; an aligned review of recruitment."
    )
    assert found(default_vocabulary(), text) == []


# ---- words -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("short", "before", "long"),
    [
        ("RAG", "We use retrieval-augmented generation ", "retrieval-augmented generation"),
        ("MoE", "a sparse mixture of experts ", "mixture of experts"),
        ("LoRA", "with low-rank adaptation ", "low-rank adaptation"),
        ("PTQ", "methods of post-training quantization ", "post-training quantization"),
        ("ASR", "the speech is recognised ", ""),
        ("GPU", "we train on a ", ""),
        ("KF", "kelp, forest ", ""),
        ("WHO", "", ""),
    ],
)
def test_a_long_form_gives_its_initials_backwards(short: str, before: str, long: str) -> None:
    assert long_form(short, before) == long


def test_a_short_form_means_what_its_text_says_else_what_the_digest_agrees_on() -> None:
    learned = short_forms(
        [
            "Deep sea mining (DSM) harms. DSM again.",
            "Deep-sea mining (DSM) is new.",
            "Dynamic soil models (DSM) differ.",
            "DSM is not explained here.",
            "KB (kelp bed) and a kind of word (KOW).",
        ]
    )
    assert learned.of(3) == {"DSM": "deepseamining"}
    assert learned.of(2)["DSM"] == "dynamicsoilmodel"
    assert learned.of(4)["KB"] == "kelpbed"
    assert "KB" not in learned.of(0)  # one text alone does not speak for all
    assert split_words("DSMs help", learned.of(0)).keys == ("deepseamining", "help")


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("Fine-Tuning", "finetuning", True),
        ("kelp forests", "Kelp forest", True),
        ("C++", "C", False),
        ("C#", "C", False),
        ("biases", "bias", True),
        ("generation", "generalization", False),
        ("ℓ₂ norm", "l2 norms", True),
    ],
)
def test_keys_fold_case_plural_and_hyphen_only(left: str, right: str, same: bool) -> None:
    assert (key_of(left) == key_of(right)) is same


def test_singular_keeps_capitals_and_marks() -> None:
    assert singular("Vision-Language Models (VLMs)") == "Vision-Language Model (VLM)"


@given(st.text(max_size=300))
def test_words_stand_where_they_are_said_to_stand(text: str) -> None:
    wording = split_words(text)
    for start, surface in zip(wording.starts, wording.surfaces, strict=True):
        assert text.startswith(surface, start)
    for position, end in enumerate(wording.ends_of_run):
        assert position < end <= len(wording.keys)
    short_forms([text])
    find_terms(read_columns([text]), default_vocabulary())


def test_a_term_with_an_acronym_is_found_where_the_text_spells_the_acronym_out() -> None:
    terms = vocabulary('[terms]\n"large kelp" = ["LK"]\n"LK grazing" = ["grazing of LK"]\n')
    text = "Large kelp (LK) is tall; LK grazing is rare, and so is grazing of large kelp."
    assert found(terms, text) == [
        ("large kelp", "Large kelp"),
        ("large kelp", "LK"),
        ("LK grazing", "LK grazing"),
        ("LK grazing", "grazing of large kelp"),
    ]
