"""Related papers: near, for a reason, and hardly moved by new ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from sitegen.records import Paper, Relation
from sitegen.related import relate
from sitegen.wording import key_of
from tests.test_tags import keywords, paper, tag

BIOLOGY = Path(__file__).parent / "data" / "biology.txt"


@pytest.fixture(scope="module")
def biology() -> list[str]:
    return [text for text in BIOLOGY.read_text(encoding="utf-8").split("\n\n")[1:] if text.strip()]


def letters(texts: Sequence[str]) -> np.ndarray:
    """Vectors that know nothing of meaning: counts of letter pairs, unit length."""
    rows = np.zeros((len(texts), 97), dtype=np.float32)
    for row, text in enumerate(texts):
        for left, right in pairwise(text):
            rows[row, (31 * ord(left) + ord(right)) % 97] += 1
    unit: np.ndarray = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1)
    return unit


def related(texts: Sequence[str], count: int = 5) -> dict[str, tuple[Relation, ...]]:
    papers: list[Paper] = [paper(text) for text in texts]
    found = relate(papers, [keywords(t) for t in texts], letters(texts), tag(texts), count=count)
    return {one.id: relations for one, relations in zip(papers, found, strict=True)}


def test_neighbours_share_what_their_reasons_say(biology: list[str]) -> None:
    texts = {paper(text).id: text for text in biology}
    shown = 0
    for identifier, relations in related(biology).items():
        assert len({relation.id for relation in relations}) == len(relations) <= 5
        assert [r.score for r in relations] == sorted((r.score for r in relations), reverse=True)
        for relation in relations:
            assert relation.id != identifier
            assert 1 <= len(relation.why) <= 3
            for reason in relation.why:
                assert key_of(reason) in key_of(texts[identifier])
                assert key_of(reason) in key_of(texts[relation.id])
                shown += 1
    assert shown > 40


def test_a_distant_paper_shares_two_things_or_a_leading_tag(biology: list[str]) -> None:
    leading = {
        paper(text).id: {one.slug for one in tagging.tags[:3]}
        for text, tagging in zip(biology, tag(biology), strict=True)
    }
    distant = [
        (left, relation)
        for left, relations in related(biology).items()
        for relation in relations
        if relation.score < 2
    ]
    assert distant
    for left, relation in distant:
        assert len(relation.why) > 1 or leading[left] & leading[relation.id]


def test_near_papers_find_each_other(biology: list[str]) -> None:
    found = related(biology)
    by_words = {word: [paper(t).id for t in biology if word in t] for word in ("mushroom body",)}
    left, right = by_words["mushroom body"]
    assert found[left][0].id == right
    assert found[right][0].id == left
    assert "mushroom body" in found[left][0].why


def test_order_does_not_matter(biology: list[str]) -> None:
    shuffled = biology[:]
    random.Random(2).shuffle(shuffled)
    assert related(biology) == related(shuffled)


def test_a_new_paper_changes_few_lists(biology: list[str]) -> None:
    before, after = related(biology[:38]), related(biology)
    new = set(after) - set(before)
    moved = sum(
        bool({r.id for r in after[one]} - {r.id for r in before[one]} - new) for one in before
    )
    assert moved <= 38 * 0.25


def test_papers_of_different_worlds_are_not_related() -> None:
    texts = [
        "Sea urchins graze kelp forests along the coast of Norway in summer.",
        "A tax on sugar lowers consumption in poor households by a tenth.",
        "Cathedral organs were tuned by temperaments that we measured anew.",
    ]
    assert all(relations == () for relations in related(texts).values())


def test_nothing_generic_is_a_reason() -> None:
    texts = [
        "Extensive experiments show state-of-the-art performance of mosses on real-world data.",
        "Extensive experiments show state-of-the-art performance of ferns on real-world data.",
        "A tax on sugar lowers consumption.",
        "Organs were tuned by ear.",
    ]
    for relations in related(texts).values():
        assert relations == ()


@pytest.mark.parametrize("texts", [[], ["One abstract alone."], ["", ""], ["", "Kelp forest."]])
def test_too_little_gives_nothing(texts: list[str]) -> None:
    found = relate(
        [paper(t) for t in texts], [keywords(t) for t in texts], letters(texts), tag(texts)
    )
    assert found == ((),) * len(texts)


def test_count_is_kept_and_a_prefix(biology: list[str]) -> None:
    two, five = related(biology, 2), related(biology, 5)
    for identifier, relations in two.items():
        assert relations == five[identifier][:2]


def test_a_reason_is_told_once() -> None:
    texts = [
        "Kelp quantization helps. We quantize kelp blades, and otters watch.",
        "To quantize kelp is old. Kelp quantization is cheap. Otters do not care.",
        "Nothing here is about the sea at all.",
        "Bees build a hive of wax.",
    ]
    reasons = [reason for one in related(texts).values() for each in one for reason in each.why]
    assert reasons
    for one in related(texts).values():
        for each in one:
            assert sum("quanti" in reason for reason in each.why) <= 1
