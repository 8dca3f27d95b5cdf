"""Which abstracts are one paper: what must join, what must not, what goes to the curator."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen import namesakes
from sitegen.config import DedupOptions
from sitegen.dedup import Grouping, count_merged, group_papers
from sitegen.overlap import aligned, kin_pairs, near_pairs
from sitegen.records import (
    Abstract,
    Author,
    Decision,
    Metadata,
    Place,
    Prose,
    Restored,
    SourceCount,
)
from sitegen.shingles import Hasher, digest, distinct_shingles, fingerprint, words
from tests.variants import KINDS

ROOT = Path(__file__).parent.parent
OPTIONS = DedupOptions()


def restored(
    text: str, position: int = 1, file: str = "seeds/a.txt", *, shown: str = "", date: str = "",
    metadata: Metadata | None = None,
) -> Restored:  # fmt: skip
    place = Place(file=file, position=position, line=2 * position + 1, edition="a", date=date)
    return Restored(
        abstract=Abstract(place=place, text=text, metadata=metadata or Metadata()),
        prose=Prose(text=shown or text),
        title=None,
        links=(),
    )


def group(read: Iterable[Restored], decisions: Sequence[Decision] = ()) -> Grouping:
    return group_papers(tuple(read), decisions=decisions, options=OPTIONS)


def clusters(grouping: Grouping) -> list[list[tuple[str, int]]]:
    """Places of each group's texts."""
    found = []
    for one in grouping.groups:
        places = [one.main.abstract.place, *(copy.restored.abstract.place for copy in one.copies)]
        found.append(sorted((place.file, place.position) for place in places))
    return sorted(found)


def seeds() -> list[Restored]:
    read = []
    for path in sorted((ROOT / "seeds").glob("*.txt")):
        paragraphs = re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip())[1:]
        read += [restored(text, at, f"seeds/{path.name}") for at, text in enumerate(paragraphs, 1)]
    return read


def invent(seed: int, length: int = 140) -> str:
    """Return an abstract of invented words in sentences; different seeds share nothing."""
    rng = random.Random(seed)
    stock = ["".join(rng.choices("abdegiklmnoprstu", k=rng.randint(3, 9))) for _ in range(length)]
    text = " ".join(
        word + ("." if at % 14 == 13 else "")
        for at, word in enumerate(rng.choices(stock, k=length))
    )
    return re.sub(r"(^|\. )(\w)", lambda match: match[1] + match[2].upper(), text).rstrip(".") + "."


@pytest.fixture(scope="module")
def seed_grouping() -> Grouping:
    return group(seeds())


# ---- the real seeds -----------------------------------------------------------------------------
def test_nine_abstracts_of_the_seeds_stand_in_two_files(seed_grouping: Grouping) -> None:
    assert len(seed_grouping.groups) == 351
    merged = [one for one in seed_grouping.groups if one.copies]
    assert len(merged) == 9
    assert {copy.kind for one in merged for copy in one.copies} == {"exact"}
    counts = [
        SourceCount(file=file, read=120, kept=120, merged=0, reported=0)
        for file in sorted({one.abstract.place.file for one in seeds()})
    ]
    settled = count_merged(counts, seed_grouping.groups)
    assert sum(count.merged for count in settled) == 9
    assert all(count.read == count.kept + count.merged + count.reported for count in settled)
    assert count_merged(settled, seed_grouping.groups) == settled


def test_the_rewritten_work_of_the_seeds_is_proposed(seed_grouping: Grouping) -> None:
    pairs = {
        (doubt.left.file[6:9], doubt.left.position, doubt.right.file[6:9], doubt.right.position)
        for doubt in seed_grouping.doubts
    }
    assert ("000", 21, "000", 31) in pairs
    assert len(pairs) <= 8  # a curator reads them
    for doubt in seed_grouping.doubts:
        assert 1 <= len(doubt.evidence) <= 5
        assert all(len(phrase) <= 160 for phrase in doubt.evidence)


@pytest.mark.parametrize("seed", [1, 2])
def test_variants_of_the_seeds_join_their_originals(seed: int) -> None:
    rng = random.Random(seed)
    texts = list(dict.fromkeys(one.abstract.text for one in seeds()))
    read = [restored(text, at) for at, text in enumerate(texts)]
    origin = list(range(len(texts)))
    for at, source in enumerate(rng.sample(range(len(texts)), 100) * 3):
        kind = list(KINDS)[at % len(KINDS)]
        read.append(restored(KINDS[kind](texts[source], rng, texts), at + 1, "seeds/v.txt"))
        origin.append(source)
    by_place = {
        (one.abstract.place.file, one.abstract.place.position): source
        for one, source in zip(read, origin, strict=True)
    }
    together = [
        by_place[one] == by_place[two]
        for members in clusters(group(read))
        for one, two in combinations(members, 2)
    ]
    wanted = sum(one == two for one, two in combinations(origin, 2))
    assert sum(together) / len(together) > 0.99
    assert sum(together) / wanted > 0.99


# ---- never merged -------------------------------------------------------------------------------
def test_d3_empty_and_tiny_texts_are_never_merged() -> None:
    tiny = ["", "", "", "Errata", "Errata", "N/A", "n/a", "To be or not.", "To be or not.",
            "This paper has been withdrawn by the author.",
            "This paper has been withdrawn by the author!"]  # fmt: skip
    grouping = group(restored(text, at) for at, text in enumerate(tiny))
    assert len(grouping.groups) == len(tiny)
    assert grouping.doubts == ()


def test_d3_boilerplate_is_no_evidence() -> None:
    end = "Code and data are publicly available on our project page for research use only."
    read = [restored(f"{invent(at, 60)} {end}", at) for at in range(80)]
    read.append(restored(end, 99))
    grouping = group(read)
    assert len(grouping.groups) == 81
    assert grouping.doubts == ()


def test_one_line_papers_that_differ_in_a_number_stay_apart() -> None:
    read = [
        restored(f"Paper number {at} is about otters in fjord {at} and holds nothing else.", at)
        for at in range(500)
    ]
    assert len(group(read).groups) == 500


def test_a_middle_text_does_not_merge_two_works() -> None:
    one, two = invent(1, 120), invent(2, 120)
    middle = f"{one[: len(one) // 2]} {two[len(two) // 2 :]}"
    grouping = group([restored(one, 1), restored(middle, 2), restored(two, 3)])
    together = [members for members in clusters(grouping) if len(members) > 1]
    assert not any({("seeds/a.txt", 1), ("seeds/a.txt", 3)} <= set(one) for one in together)
    assert [doubt.kind for doubt in grouping.doubts] == ["overlap"]


def test_a_paragraph_of_two_abstracts_run_together_stays_apart() -> None:
    one, two = invent(1), invent(2)
    grouping = group([restored(one, 1), restored(f"{one} {two}", 2), restored(two, 3)])
    assert len(grouping.groups) == 3
    assert [doubt.score for doubt in grouping.doubts] == [1.0, 1.0]


def test_two_cuts_of_one_abstract_join_through_the_whole() -> None:
    parts = invent(3, 200).split()
    read = [" ".join(parts), " ".join(parts[:60]), " ".join(parts[120:])]
    assert len(group(restored(text, at) for at, text in enumerate(read)).groups) == 1


def test_a_notice_that_stands_in_two_works_joins_neither() -> None:
    notice = "We release the code, the data and all of the models to the public for research only."
    read = [restored(f"{invent(at)} {notice}", at) for at in (1, 2)]
    grouping = group([*read, restored(notice, 3)])
    assert len(grouping.groups) == 3


@pytest.mark.parametrize(
    ("shared", "expected"),
    [(0.10, "apart"), (0.30, "doubt"), (0.55, "one")],
)
def test_the_thresholds_mean_what_they_say(shared: float, expected: str) -> None:
    one, two = invent(4, 200).split(), invent(5, 200).split()
    cut = round(shared * 200)
    grouping = group([restored(" ".join(one), 1), restored(" ".join(one[:cut] + two[cut:]), 2)])
    assert (len(grouping.groups), len(grouping.doubts)) == {
        "apart": (2, 0), "doubt": (2, 1), "one": (1, 0),
    }[expected]  # fmt: skip


def test_options_move_the_thresholds() -> None:
    one, two = invent(4, 200).split(), invent(5, 200).split()
    read = [restored(" ".join(one), 1), restored(" ".join(one[:110] + two[110:]), 2)]
    strict = group_papers(read, decisions=(), options=DedupOptions(join=0.9, propose=0.5))
    assert (len(strict.groups), len(strict.doubts)) == (2, 1)


# ---- what is shown ------------------------------------------------------------------------------
def test_the_earliest_text_is_shown_of_equals() -> None:
    text = invent(6)
    read = [
        restored(text, 1, "seeds/a.txt"),
        restored(text, 1, "seeds/c.txt", date="2031-05"),
        restored(text, 1, "seeds/d.txt", date="2031-04-30"),
    ]
    (one,) = group(read).groups
    assert one.main.abstract.place.file == "seeds/d.txt"
    assert [(copy.kind, copy.score) for copy in one.copies] == [("exact", 1.0), ("exact", 1.0)]


def test_the_whole_undamaged_text_is_shown() -> None:
    text = invent(7)
    cut = text[: int(0.6 * len(text))]
    read = [
        restored(cut, 1, date="2031-01"),
        restored(text.upper(), 2, date="2031-02"),
        restored(text.replace("a", r"\'a", 3), 3, date="2031-03"),
        restored(text, 4, date="2031-04"),
    ]
    (one,) = group(read).groups
    assert one.main.abstract.text == text
    assert {copy.kind for copy in one.copies} == {"near"}
    assert all(0.4 <= copy.score <= 1 for copy in one.copies)


def test_likeness_is_that_of_the_repaired_texts() -> None:
    one, two = invent(8), invent(9)
    assert len(group([restored(one, 1, shown=two), restored(two, 2)]).groups) == 1


# ---- identifiers and decisions ------------------------------------------------------------------
def test_d1_versions_of_a_preprint_are_one_and_the_newest_is_shown() -> None:
    read = [
        restored(invent(10 + v), v, metadata=Metadata(arxiv="9912.12340", version=v))
        for v in (1, 2, 3)
    ]
    (one,) = group(read).groups
    assert one.main.abstract.metadata.version == 3
    assert {copy.kind for copy in one.copies} == {"arxiv"}


def test_equal_dois_join_and_different_preprints_never_by_likeness() -> None:
    text = invent(14)
    dois = [restored(invent(15 + n), n, metadata=Metadata(doi=doi))
            for n, doi in enumerate(("10.5555/ABC", "10.5555/abc"))]  # fmt: skip
    ids = [restored(text, 9 + n, metadata=Metadata(arxiv=f"9912.1234{n}")) for n in (0, 1)]
    grouping = group([*dois, *ids])
    assert len(grouping.groups) == 3
    assert [(doubt.kind, doubt.score) for doubt in grouping.doubts] == [("overlap", 1.0)]


def decide(one: str, two: str, *, same: bool) -> Decision:
    return Decision(left=fingerprint(one), right=fingerprint(two), same=same)


def test_d2_a_decision_goes_before_all_evidence() -> None:
    one, two = invent(20), invent(21)
    half = " ".join(one.split()[:42] + two.split()[42:])
    read = [restored(one, 1), restored(half, 2), restored(two, 3)]
    before = group(read)
    assert len(before.doubts) == 1
    apart = group(read, [decide(half, one, same=False), decide(two, half, same=False)])
    assert len(apart.groups) == 3
    assert apart.doubts == ()
    (joined,) = group(read, [decide(one, two, same=True), decide(half, two, same=True)]).groups
    assert {copy.kind for copy in joined.copies} == {"decision"}


def test_a_decision_parts_even_equal_texts_of_a_set() -> None:
    text = invent(22)
    near = text.replace("a", "o", 2)
    grouping = group([restored(text, 1), restored(near, 2)], [decide(text, near, same=False)])
    assert (len(grouping.groups), grouping.doubts) == (2, ())


def test_same_as_a_same_is_the_same_and_contradictions_are_told() -> None:
    a, b, c = invent(23), invent(24), invent(25)
    read = [restored(text, at) for at, text in enumerate((a, b, c))]
    decisions = [decide(a, b, same=True), decide(b, c, same=True), decide(a, c, same=False)]
    grouping = group(read, decisions)
    assert len(grouping.groups) == 2
    assert [problem.code for problem in grouping.problems] == ["decision-conflict"]
    assert group(read, decisions[::-1]) == grouping


def test_tiny_texts_join_where_the_curator_says_so() -> None:
    read = [restored("Errata", 1), restored("errata!", 2)]
    assert len(group(read, [decide("Errata", "Errata", same=True)]).groups) == 1
    assert len(group(read, [decide("Errata", invent(1), same=False)]).groups) == 2


# ---- order, numbers, words ----------------------------------------------------------------------
@given(st.randoms(use_true_random=False))
@settings(max_examples=15, deadline=None)
def test_d3_r2_the_order_of_the_input_changes_nothing(rng: random.Random) -> None:
    base = [invent(seed, 80) for seed in range(6)]
    fixed = random.Random(4)
    texts = base + [KINDS[kind](base[at % 6], fixed, base) for at, kind in enumerate(KINDS)]
    read = [restored(text, at, f"seeds/{at % 3}.txt") for at, text in enumerate([*texts, *base])]
    expected = group(read)
    rng.shuffle(read)
    assert group(read) == expected


@given(st.lists(st.sampled_from(["kelp drifts far", "mud", "", "otters call", "a b c d e"]),
                max_size=9), st.data())  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_every_text_is_in_exactly_one_group(parts: list[str], data: st.DataObject) -> None:
    texts = [" ".join(data.draw(st.permutations(parts))) * 3 for _ in range(5)]
    grouping = group(restored(text, at) for at, text in enumerate(texts))
    members = [place for one in clusters(grouping) for place in one]
    assert sorted(members) == sorted(("seeds/a.txt", at) for at in range(5))


def test_words_ignore_what_copies_differ_in() -> None:
    plain = words("The efficient Kovač–Nørby test: 95% at ℓ₂, naïve.")
    assert words("THE eﬃcient  Kovac-Nørby \\emph{test} 95\\% at ℓ2; nai\u0308ve") == plain
    assert words("湖の泥 mud") == ["湖", "の", "泥", "mud"]
    assert digest("") != digest("—")
    assert fingerprint("Mud.") == fingerprint("mud") == digest("mud")[:16]


def test_hashes_are_the_same_in_every_run() -> None:
    each = Hasher().words(["kelp", "drifts", "far"])
    assert distinct_shingles(each).tolist() == [11894245888264684788]


def test_near_pairs_are_exact() -> None:
    texts = [words(invent(seed, 60) + " " + invent(99, 30)) for seed in range(12)]
    hashes = [Hasher().words(text) for text in texts]
    sets = [set(zip(text, text[1:], text[2:], strict=False)) for text in texts]
    found = {(pair.left, pair.right): pair.containment
             for pair in near_pairs(hashes, least=0.1)}  # fmt: skip
    expected = {}
    for one, two in combinations(range(12), 2):
        share = len(sets[one] & sets[two]) / min(len(sets[one]), len(sets[two]))
        if share >= 0.1:
            expected[one, two] = round(share, 4)
    assert found == expected


def test_a_sampled_index_finds_the_same_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    base = [invent(seed) for seed in range(30)]
    texts = [words(one) for text in base for one in (text, KINDS["edited 5-25 %"](text, rng, base))]
    hashes = [Hasher().words(text) for text in texts]
    whole = near_pairs(hashes, least=0.2)
    monkeypatch.setattr("sitegen.overlap.PAIR_BUDGET", 1000)
    assert near_pairs(hashes, least=0.2) == whole
    assert len(whole) == 30


def test_alignment_is_the_longest_common_subsequence() -> None:
    assert aligned(["a", "b", "c", "d", "e"], ["x", "a", "c", "y", "e", "z"]) == 0.6
    assert aligned([], ["a"]) == 0


def test_kin_need_phrases_of_their_own() -> None:
    names = "the MoralCompass probe of Zwicky norms across dialects of Low Saxon shepherds"
    texts = [words(f"{invent(1, 50)} {names}"), words(f"{names} {invent(2, 50)}"),
             words(invent(3, 60))]  # fmt: skip
    hashes = [Hasher().words(text) for text in texts]
    (pair,) = kin_pairs(hashes, least=0.1, least_words=10)
    assert (pair.left, pair.right) == (0, 1)
    assert texts[0][slice(*pair.spans[0])] == words(names)
    third = [*texts, words(f"{invent(4, 50)} {names}")]
    assert kin_pairs([Hasher().words(t) for t in third], least=0.1, least_words=10) == []


@pytest.mark.slow
def test_ten_thousand_abstracts_take_seconds() -> None:
    read = [restored(invent(at, 150), at) for at in range(10_000)]
    start = time.process_time()
    assert len(group(read).groups) == 10_000
    assert time.process_time() - start < 20


PARTS = ("Ann", "lee", "Jr", "van", "O'N", "A", "\u00e9", "II", "\u6e56", " ", "X-Y", "iv")
SOME = st.lists(st.sampled_from(PARTS), max_size=4).map(" ".join)


@given(SOME, SOME, SOME)
def test_plain_names_are_told_apart_like_all(name: str, family: str, given: str) -> None:
    whole = f"{given} {family}"
    for author in (
        Author(name=name),
        Author(name=whole, family=family, given=given),
        Author(name=name, family=family, given=given),
    ):
        assert namesakes._plain_person(author) in {None, namesakes._person(author)}
