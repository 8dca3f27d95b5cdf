from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.phrases import (
    MAX_WORDS,
    STOP_WORDS,
    candidates,
    fold_plural,
    is_generic,
    phrase_key,
    words,
)


def surfaces(text: str) -> list[str]:
    return [candidate.surface for candidate in candidates(text)]


def keys(text: str) -> list[str]:
    return [candidate.key for candidate in candidates(text)]


def test_t1_a_phrase_never_crosses_a_stop_word() -> None:
    assert surfaces("We reduce drift in the detector.") == ["drift", "detector"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kelp forests, otter counts", ["kelp forests", "otter counts"]),
        ("kelp forests (otter counts)", ["kelp forests", "otter counts"]),
        ("kelp forests; otter counts", ["kelp forests", "otter counts"]),
        ("kelp/otter counts", ["kelp", "otter counts"]),
        ("kelp https://kelp.example/otter-counts otters", ["kelp", "otters"]),
        ("kelp a.b@kelp.example otters", ["kelp", "otters"]),
        (r"kelp \textbf otters", ["kelp", "otters"]),
        ("the F#kelp C++otters", ["F#", "kelp C++", "otters"]),
    ],
)
def test_a_phrase_never_crosses_punctuation(text: str, expected: list[str]) -> None:
    assert surfaces(text) == expected


@given(st.text(max_size=300))
def test_every_candidate_stands_in_the_text(text: str) -> None:
    for candidate in candidates(text):
        assert text[candidate.start :].startswith(candidate.surface)
        assert candidate.surface
        assert len(candidate.surface.split()) <= MAX_WORDS
        assert 1 <= candidate.words <= MAX_WORDS
        assert not set(candidate.surface.lower().split()) & STOP_WORDS


TOKENS = ["the", "kelp", "model", "models", "Models", "of", "GPT-4", "weakly", "supervised", "we"]
TOKENS += ["to", "support", "finite", "-", ".", "(", "robust", "models'", "Zipf's", "large", "uses"]
TOKENS += ["3D", "x2", "学习", "の"]


@given(st.lists(st.sampled_from(TOKENS), max_size=40))
def test_every_candidate_stands_in_prose(tokens: list[str]) -> None:
    text = " ".join(tokens)
    for candidate in candidates(text):
        assert text[candidate.start :].startswith(candidate.surface)


def test_t6_hyphens_digits_and_capitals_are_kept() -> None:
    assert surfaces("CRISPR-Cas9 and GPT-4") == ["CRISPR-Cas9", "GPT-4"]
    assert surfaces("k-means++ in C++, TCP/IP, GPT-3.5 and 4-bit weights") == [
        "k-means++",
        "C++",
        "TCP/IP",
        "GPT-3.5",
        "4-bit weights",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我们提出一种新的湖泊取样方法", ["湖泊取样方法"]),
        ("静かな湖の採水方法を示す", ["採水方法"]),
        ("เราเสนอวิธีการใหม่ในการเก็บตัวอย่างทะเลสาบ", []),
    ],
)
def test_t6_writing_without_spaces_is_cut_or_skipped(text: str, expected: list[str]) -> None:
    assert surfaces(text) == expected


@pytest.mark.parametrize(
    ("text", "present", "absent"),
    [
        (
            "Wir untersuchen die Drift im Detektor und stellen ein neues Verfahren zur Messung der "
            "Wassertemperatur vor.",
            "Wassertemperatur",
            "die",
        ),
        (
            "Nous proposons une nouvelle méthode pour la détection automatique des anomalies dans "
            "les séries temporelles.",
            "séries temporelles",
            "dans",
        ),
        (
            "Мы предлагаем новый метод машинного обучения для анализа временных рядов и показываем "
            "его эффективность.",
            "метод машинного обучения",
            "для",
        ),
    ],
)
def test_t6_other_languages_are_cut_at_their_function_words(
    text: str, present: str, absent: str
) -> None:
    found = surfaces(text)
    assert present in found
    assert not any(absent in phrase.split() for phrase in found)


def test_t6_no_sentence_of_an_unknown_language_is_a_phrase() -> None:
    text = "우리는 새로운 호수 표본 추출 방법을 제안하고 그 효과를 실험으로 보인다 그리고 한다"
    assert all(len(phrase.split()) <= 2 for phrase in surfaces(text))


@pytest.mark.parametrize("text", ["", " ", "To be or not.", "N/A", "—", "2031", "a b c"])
def test_t4_a_text_without_a_phrase_gives_none(text: str) -> None:
    assert surfaces(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # verbs are told by their neighbours, listed or not
        ("Kelp models exhibit a bias", ["Kelp models", "bias"]),
        ("Kelp models zorp the otters", ["Kelp models", "otters"]),
        ("we benchmark kelp models", ["kelp models"]),
        ("tools to model kelp drift", ["tools", "kelp drift"]),
        ("otters support kelp growth", ["otters", "kelp growth"]),
        # no phrase ends with an adjective or a participle
        ("kelp models robust to drift", ["kelp models", "drift"]),
        ("kelp models trained on tides", ["kelp models", "tides"]),
        ("the kelp is economical", ["kelp"]),
        ("signal retrieval", ["signal retrieval"]),
        # none opens with a word that only points
        ("this specific kelp model", ["kelp model"]),
        ("domain specific language", ["domain specific language"]),
        ("the framework KelpNet", ["KelpNet"]),
        # possessives open none, unless they name a law
        ("the model's drift", ["drift"]),
        ("fits Zipf's law", ["Zipf's law"]),
        # adverbs only with their participle
        ("weakly supervised learning", ["weakly supervised learning"]),
        ("widely used kelp", ["kelp"]),
        ("large language models", ["large language models"]),
        # a sentence whose full stop was lost
        ("models of kelp Models of otters", ["models", "kelp", "Models", "otters"]),
        ("the Mass Rapid Transit line", ["Mass Rapid Transit line"]),
    ],
)
def test_where_phrases_begin_and_end(text: str, expected: list[str]) -> None:
    assert surfaces(text) == expected


def test_a_long_run_gives_its_last_words() -> None:
    assert surfaces("deep coastal kelp canopy drift model") == ["coastal kelp canopy drift model"]


@pytest.mark.parametrize(
    ("plural", "single"),
    [
        ("models", "model"),
        ("studies", "study"),
        ("losses", "loss"),
        ("boxes", "box"),
        ("databases", "database"),
        ("ViTs", "ViT"),
        ("LLMs", "LLM"),
        ("IDs", "ID"),
        ("data-sets", "data-set"),
        ("Matrices", "Matrix"),
        ("analyses", "analysis"),
        ("biases", "bias"),
        ("bias", "bias"),
        ("analysis", "analysis"),
        ("lens", "lens"),
        ("Texas", "Texas"),
        ("physics", "physics"),
        ("metrics", "metric"),
        ("class", "class"),
        ("corpus", "corpus"),
        ("GPS", "GPS"),
        ("us", "us"),
        ("", ""),
    ],
)
def test_fold_plural(plural: str, single: str) -> None:
    assert fold_plural(plural) == single


@given(st.text(max_size=20))
def test_folding_twice_changes_nothing_more_than_letters(word: str) -> None:
    assert fold_plural(word).lower()[:1] == word.lower()[:1]
    assert len(fold_plural(word)) <= len(word) + 3


def test_phrase_key_joins_spellings_and_nothing_else() -> None:
    assert phrase_key("fine tuning") == phrase_key("Fine-tuning") == phrase_key("finetuning")
    assert phrase_key("data sets") == phrase_key("dataset")
    assert phrase_key("kelp models") == phrase_key("Kelp model")
    assert phrase_key("generation") != phrase_key("generalization")
    assert phrase_key("kelp modelling") != phrase_key("kelp model")


def test_words_are_all_words_in_order() -> None:
    assert words("The GPT-4 of Zipf's, ﬁne\u2010tuned.") == (
        "the",
        "gpt-4",
        "of",
        "zipf's",
        "fine-tuned",
    )


def test_generic_phrases() -> None:
    assert is_generic("results")
    assert is_generic("experimental results")
    assert is_generic("novel methods")
    assert not is_generic("kelp results")
    assert not is_generic("large language models")


def test_l_a_text_of_megabytes_takes_linear_time() -> None:
    sentence = "Kelp models exhibit a bias in coastal drift; we benchmark otter counts (n=3). "
    start = time.process_time()
    candidates(sentence * 400)
    short = time.process_time() - start
    start = time.process_time()
    candidates(sentence * 1600)
    assert time.process_time() - start < 12 * short + 0.5


@pytest.mark.parametrize(
    "piece", ["a-", "-", "\u0301", "a'", "1.", "@", "a" * 50, "学", "\\a", "A/"]
)
def test_no_input_makes_the_regexes_crawl(piece: str) -> None:
    start = time.process_time()
    candidates(piece * 5000)
    assert time.process_time() - start < 1
