from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sitegen import line_cache
from sitegen.keywords import (
    STATIC_WEIGHTS,
    KeywordOptions,
    Readings,
    embed,
    keyword_lines,
    rank,
    read,
)
from sitegen.phrases import candidates

KELP = (
    "Kelp forests shelter sea otters along cold coasts. We count sea otters by ear with underwater "
    "microphones and compare acoustic counts with aerial surveys. Acoustic counts of sea otters "
    "agree with aerial surveys within four percent."
)
MUD = (
    "Mud cores hold a record of past floods. A convolutional network reads grain sizes from "
    "photographs of mud cores, and flood dates follow from a Bayesian age model."
)
OPTIONS = KeywordOptions()


def phrases_of(readings: Readings, row: int = 0) -> list[str]:
    return [keyword.phrase for keyword in readings.keywords[row]]


def test_the_subject_of_a_text_comes_first() -> None:
    readings = read([KELP], OPTIONS)
    assert "sea otters" in phrases_of(readings)[:3]
    assert "acoustic counts" in [phrase.lower() for phrase in phrases_of(readings)[:5]]
    scores = [keyword.score for keyword in readings.keywords[0]]
    assert scores == sorted(scores, reverse=True)
    assert scores == [round(score, 4) for score in scores]


def test_t1_every_keyword_stands_in_the_text() -> None:
    for text in (KELP, MUD, "We reduce drift in the detector."):
        for phrase in phrases_of(read([text], OPTIONS)):
            assert phrase in text


def test_t2_spellings_of_one_phrase_are_one_keyword() -> None:
    text = "Fine-tuning kelp models. Fine tuning a kelp model helps. Finetuning of kelp helps."
    keys = [
        phrase.lower().replace("-", "").replace(" ", "")
        for phrase in phrases_of(read([text], OPTIONS))
    ]
    assert keys.count("finetuning") == 1
    assert sum(key.startswith("kelpmodel") for key in keys) == 1


def test_t3_keywords_and_vector_do_not_depend_on_company_or_order() -> None:
    others = [f"{MUD} Station {n} has otters and kelp, {n} of them." for n in range(19)]
    alone = read([KELP], OPTIONS)
    first = read([KELP, *others], OPTIONS)
    last = read([*others, KELP], OPTIONS)
    assert alone.keywords[0] == first.keywords[0] == last.keywords[-1]
    assert np.array_equal(alone.vectors[0], first.vectors[0])
    assert np.array_equal(alone.vectors[0], last.vectors[-1])


@pytest.mark.parametrize("text", ["To be or not.", "N/A", "", " ", "—", "\ud800"])
def test_t4_a_text_without_candidates_has_no_keywords(text: str) -> None:
    assert read([text], OPTIONS).keywords == ((),)
    mixed = read([text, KELP, text], OPTIONS)
    assert mixed.keywords[0] == mixed.keywords[2] == ()
    assert mixed.keywords[1]


def test_t4_no_texts_at_all() -> None:
    readings = read([], OPTIONS)
    assert readings.keywords == ()
    assert len(readings.vectors) == 0


def test_t5_the_end_of_a_long_text_counts() -> None:
    places = ["fjord", "marsh", "delta", "lagoon", "estuary", "strait", "reef", "harbour", "creek"]
    filler = " ".join(
        f"Sediment from the {place} holds {place} shells, and {place} floods left sand there. "
        f"We date the {place} shells and weigh the sand of each {place} flood by hand."
        for place in places * 2
    )
    end = (
        "Otter acoustics is harder: with otter acoustics we count the animals by ear at night. "
        * 14
    )
    text = filler + " " + end
    assert len(text.split()) > 600
    assert "otter acoustics" in [phrase.lower() for phrase in phrases_of(read([text], OPTIONS))[:3]]


def test_t5_very_long_texts_stay_bounded() -> None:
    text = " ".join(f"The otter of bay{n} is in bay{n}." for n in range(150_000))
    readings = read([text, KELP], OPTIONS)
    assert len(readings.keywords[0]) == OPTIONS.top
    assert readings.keywords[1] == read([KELP], OPTIONS).keywords[0]


def test_t6_capitals_and_other_scripts() -> None:
    readings = read(["CRISPR-Cas9 and GPT-4", "我们提出一种新的湖泊取样方法"], OPTIONS)
    assert phrases_of(readings) == ["CRISPR-Cas9", "GPT-4"]
    assert phrases_of(readings, 1) in ([], ["湖泊取样方法"])


def test_vectors_are_normalised_and_zero_without_words() -> None:
    vectors = read([KELP, MUD, ""], OPTIONS).vectors
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), [1, 1, 0], atol=1e-5)


def test_a_rank_is_decided_by_rounded_score_then_key() -> None:
    found = candidates("otter kelp, kelp otter")
    equal = dict.fromkeys([candidate.key for candidate in found], 0.5)
    weights = STATIC_WEIGHTS.__class__(frequency=0, position=0, length=(0, 0, 0, 0), generic=0)
    ranked = rank(found, equal, length=22, weights=weights, top=5)
    assert [keyword.phrase for keyword in ranked] == ["kelp otter", "otter kelp"]
    assert rank(found, equal, length=22, weights=weights, top=1) == ranked[:1]


# ---- cache --------------------------------------------------------------------------------------
def cache_file(folder: Path) -> Path:
    [path] = folder.glob("keywords-*")
    return path


def test_b_a_second_run_computes_nothing(tmp_path: Path) -> None:
    first = read([KELP, MUD, KELP], OPTIONS, cache_dir=tmp_path)
    content = cache_file(tmp_path).read_bytes()
    second = read([MUD, KELP], OPTIONS, cache_dir=tmp_path)
    assert (first.computed, second.computed) == (2, 0)
    assert second.keywords == (first.keywords[1], first.keywords[0])
    assert np.array_equal(second.vectors, first.vectors[[1, 0]])
    assert cache_file(tmp_path).read_bytes() == content
    assert read([MUD + " More.", KELP], OPTIONS, cache_dir=tmp_path).computed == 1


def test_l3_a_new_text_is_the_only_one_computed(tmp_path: Path) -> None:
    texts = [f"{KELP} Number {n}." for n in range(50)]
    read(texts, OPTIONS, cache_dir=tmp_path)
    steps: list[tuple[int, int]] = []
    readings = read(
        [*texts, MUD],
        OPTIONS,
        cache_dir=tmp_path,
        progress=lambda done, todo: steps.append((done, todo)),
    )
    assert readings.computed == 1
    assert steps == [(1, 1)]


@pytest.mark.parametrize("damage", ["cut", "altered", "garbage", "empty", "folder"])
def test_a_damaged_cache_is_read_anew(tmp_path: Path, damage: str) -> None:
    sound = read([KELP, MUD], OPTIONS, cache_dir=tmp_path)
    path = cache_file(tmp_path)
    content = path.read_bytes()
    if damage == "cut":
        path.write_bytes(content[: len(content) * 2 // 3])
    elif damage == "altered":
        path.write_bytes(content.replace(b"otters", b"badger"))
    elif damage == "garbage":
        path.write_bytes(b"\xff\x00[]\n{}\n" * 9)
    elif damage == "empty":
        path.write_bytes(b"")
    else:
        path.unlink()
        path.mkdir()
    again = read([KELP, MUD], OPTIONS, cache_dir=tmp_path)
    assert again.computed > 0
    assert again.keywords == sound.keywords
    assert np.array_equal(again.vectors, sound.vectors)


def test_options_have_their_own_entries(tmp_path: Path) -> None:
    assert len(read([KELP], OPTIONS, cache_dir=tmp_path).keywords[0]) > 3
    few = read([KELP], KeywordOptions(top=3), cache_dir=tmp_path)
    assert few.computed == 1
    assert len(few.keywords[0]) == 3


def test_unused_entries_go_when_they_are_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_cache, "SPARE", 2)
    read([f"{MUD} {n}" for n in range(6)], OPTIONS, cache_dir=tmp_path)
    read([KELP], OPTIONS, cache_dir=tmp_path)
    assert len(cache_file(tmp_path).read_bytes().splitlines()) == 1


def test_an_unwritable_cache_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert read([KELP], OPTIONS, cache_dir=blocked / "cache").computed == 1


def test_phrases_are_embedded_and_cached(tmp_path: Path) -> None:
    asked = ["sea otters", "mud cores", "sea otters"]
    vectors = embed(asked, OPTIONS, cache_dir=tmp_path)
    assert vectors.shape == (3, vectors.shape[1])
    assert np.array_equal(vectors[0], vectors[2])
    assert np.array_equal(vectors, embed(asked, OPTIONS, cache_dir=tmp_path))
    near, far = read([KELP], OPTIONS).vectors[0] @ vectors[:2].T
    assert near > far


def test_keyword_lines_keep_ids_and_bad_texts() -> None:
    rows = [{"id": 7, "text": KELP}, {"id": "x"}, {"id": "y", "text": 3}, {"text": MUD}]
    lines = list(keyword_lines(rows, KeywordOptions(top=2)))
    assert [line["id"] for line in lines] == [7, "x", "y", None]
    assert [len(line["keywords"]) for line in lines] == [2, 0, 0, 2]
    assert json.loads(json.dumps(lines)) == lines


WARM = """
import sys
from pathlib import Path
from sitegen.keywords import KeywordOptions, embed, read
folder = Path(sys.argv[1])
readings = read(["Sea otters eat kelp urchins."], KeywordOptions(), cache_dir=folder)
embed(["sea otters"], KeywordOptions(), cache_dir=folder)
heavy = ("sklearn", "keybert", "model2vec")
print(readings.computed, *(name for name in heavy if name in sys.modules))
"""


def test_b_a_warm_run_imports_no_model(tmp_path: Path) -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", WARM, str(tmp_path)], capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(2)
    ]
    assert runs == [["1", "sklearn", "keybert", "model2vec"], ["0"]]


def test_r_the_result_does_not_depend_on_the_hash_seed() -> None:
    code = (
        "from sitegen.keywords import *; import hashlib;"
        f"r = read([{KELP!r}, {MUD!r}], KeywordOptions());"
        "print(r.keywords, hashlib.sha256(r.vectors.tobytes()).hexdigest())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={
                "PYTHONHASHSEED": seed,
                "LC_ALL": "C",
                "PYTHONPATH": str(Path(__file__).parents[1]),
            },
        ).stdout
        for seed in ("0", "1")
    }
    assert len(outputs) == 1


def test_many_texts_are_kept_as_a_table_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitegen.keywords._TABLED", 3)
    texts = ["Kelp forests grow.", "Sea urchins graze the kelp.", "Otters eat urchins.", ""]
    first = read(texts, KeywordOptions(), cache_dir=tmp_path)
    lines = next(tmp_path.glob("keywords-*.jsonl"))
    lines.write_text("")
    again = read(texts[::-1], KeywordOptions(), cache_dir=tmp_path)
    assert again.computed == 0
    assert again.keywords == first.keywords[::-1]
    assert np.array_equal(again.vectors, first.vectors[::-1])
    new = read([*texts, "Eels."], KeywordOptions(), cache_dir=tmp_path)
    assert new.computed == 1
    table = tmp_path / "keywords.bin"
    table.write_bytes(table.read_bytes()[:-1])
    damaged = read(texts, KeywordOptions(), cache_dir=tmp_path)
    assert damaged.computed == len(texts)  # the lines are gone as well
    assert damaged.keywords == first.keywords
    assert read(texts, KeywordOptions(top=2), cache_dir=tmp_path).computed == len(texts)
