"""Permanent ids: whatever is edited, moved, added or merged, every URL keeps answering."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.diagnostics import Severity, SitegenError
from sitegen.ids import mint, read_sketch, sketches
from sitegen.records import (
    Abstract,
    Author,
    Copy,
    Group,
    Link,
    MergeKind,
    Metadata,
    Place,
    Prose,
    Restored,
)
from sitegen.registry import (
    Assignment,
    Entry,
    Registry,
    assign,
    dump,
    load,
    paper_url,
    parse,
    redirect,
    register_urls,
)
from sitegen.shingles import (
    CROCKFORD,
    Hasher,
    digest,
    distinct_shingles,
    fingerprint,
    words,
)
from tests.test_dedup import invent
from tests.variants import KINDS

EMPTY = Registry()
TEXTS = [invent(seed) for seed in range(8)]


def restored(
    text: str, position: int = 1, file: str = "seeds/a.txt", date: str = "", **metadata: object
) -> Restored:
    place = Place(file=file, position=position, line=2 * position + 1, edition="a", date=date)
    return Restored(
        abstract=Abstract(place=place, text=text, metadata=replace(Metadata(), **metadata)),  # type: ignore[arg-type]
        prose=Prose(text=text),
        title=None,
        links=(Link(kind="code", url=f"https://code.example/{position}"),),
    )


def group(main: Restored, *others: Restored, kind: MergeKind = "near") -> Group:
    copies = tuple(Copy(restored=one, kind=kind, score=0.7) for one in others)
    return Group(main=main, copies=copies)


def singles(texts: Sequence[str], file: str = "seeds/a.txt") -> list[Group]:
    return [group(restored(text, at, file)) for at, text in enumerate(texts, 1)]


def ids(assignment: Assignment) -> dict[str, str]:
    """Ids by shown text."""
    return {paper.source_text: paper.id for paper in assignment.papers}


def answering(registry: Registry) -> dict[str, str]:
    return {entry.url: entry.state for entry in registry.entries}


def codes(assignment: Assignment) -> list[str]:
    return [problem.code for problem in assignment.problems]


# ---- ids ----------------------------------------------------------------------------------------
def test_an_id_is_the_beginning_of_its_text_s_digest() -> None:
    (paper,) = assign(singles(["Kelp drifts."]), EMPTY).papers
    assert paper.id == digest("kelp drifts")[:8] == fingerprint("Kelp  drifts!")[:8]
    assert len(paper.id) == 8
    assert set(paper.id.encode()) <= set(CROCKFORD)


def test_i3_equal_tiny_texts_get_ids_of_their_own() -> None:
    first = assign(singles(["Errata"] * 60), EMPTY)
    assert len({paper.id for paper in first.papers}) == 60
    again = assign(singles(["Errata"] * 61), first.registry)
    assert [paper.id for paper in again.papers[:60]] == [paper.id for paper in first.papers]
    assert len(again.registry.entries) == 61
    fewer = assign(singles(["Errata"] * 59), first.registry)
    assert answering(fewer.registry).keys() == answering(first.registry).keys()


def test_a_clash_makes_the_id_longer_whatever_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitegen.ids.SHORTEST", 1)
    groups = singles([invent(seed, 20) for seed in range(50)])
    first = assign(groups, EMPTY)
    assert {len(paper.id) for paper in first.papers} >= {1, 2}
    assert ids(assign(groups[::-1], EMPTY)) == ids(first)


def test_a_taken_id_is_never_given_again() -> None:
    whole = digest("kelp")
    assert mint(whole, {whole[:8], whole[:9]}) == whole[:10]
    gone = assign([], assign(singles(["Kelp."]), EMPTY).registry).registry
    clash = replace(gone.entries[0], fingerprint="0" * 16, sketch="")
    (paper,) = assign(singles(["Kelp."]), Registry(entries=(clash,))).papers
    assert paper.id == whole[:9]


# ---- URLs stay ----------------------------------------------------------------------------------
def test_u6_building_twice_changes_nothing() -> None:
    first = assign(singles(TEXTS), EMPTY)
    again = assign(singles(TEXTS), first.registry)
    assert again == replace(first, problems=())
    assert dump(again.registry) == dump(first.registry)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "opening only"])
def test_u6_an_edited_text_keeps_its_url(kind: str) -> None:
    rng = random.Random(7)
    first = assign(singles(TEXTS), EMPTY)
    edited = [KINDS[kind](text, rng, TEXTS) for text in TEXTS]
    second = assign(singles(edited), first.registry)
    assert [paper.id for paper in second.papers] == [paper.id for paper in first.papers]
    assert second.problems == ()
    back = assign(singles(TEXTS), second.registry)
    assert [paper.id for paper in back.papers] == [paper.id for paper in first.papers]


def test_many_small_edits_in_a_row_keep_the_url() -> None:
    rng = random.Random(3)
    now = assign(singles(TEXTS[:1]), EMPTY)
    text, first = TEXTS[0], now.papers[0].id
    for _ in range(12):
        text = KINDS["typos"](text, rng, TEXTS)
        now = assign(singles([text]), now.registry)
        assert now.papers[0].id == first
    assert len(now.registry.entries) == 1


def test_unrelated_texts_never_take_an_id() -> None:
    first = assign(singles([invent(seed) for seed in range(300)]), EMPTY)
    others = assign(singles([invent(seed) for seed in range(300, 600)]), first.registry)
    old = {entry.id for entry in first.registry.entries}
    assert not any(paper.id in old for paper in others.papers)
    assert len(others.registry.gone()) == 300
    assert codes(others) == ["paper-gone"] * 300
    assert others.problems[0].severity == Severity.WARNING


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_no_url_is_ever_lost(data: st.DataObject) -> None:
    rng = random.Random(5)
    registry = EMPTY
    seen: dict[str, str] = {}
    for step in range(3):
        chosen = data.draw(st.lists(st.sampled_from(TEXTS), max_size=6))
        files = data.draw(st.permutations(["seeds/a.txt", "seeds/b.txt", "c.txt"]))
        groups = []
        for at, text in enumerate(dict.fromkeys(chosen)):
            shown = text if data.draw(st.booleans()) else KINDS["typos"](text, rng, TEXTS)
            groups.append(group(restored(shown, at, files[at % 3])))
        if len(groups) > 1 and data.draw(st.booleans()):
            one, two = groups.pop(), groups.pop()
            groups.append(group(one.main, two.main))
        result = assign(data.draw(st.permutations(groups)), registry)
        assert assign(groups, registry) == result
        assert len({paper.id for paper in result.papers}) == len(groups)
        assert parse(dump(result.registry))[0] == result.registry
        registry = result.registry
        assert answering(registry).keys() >= seen.keys(), step
        seen = answering(registry)
        for url, target in registry.redirects():
            assert target in seen
            assert seen[target] != "alias"
            assert url != target
        assert assign(groups, registry).registry == registry


@given(st.randoms(use_true_random=False))
@settings(max_examples=15, deadline=None)
def test_r2_order_renaming_and_new_files_keep_every_url(rng: random.Random) -> None:
    first = assign(singles(TEXTS), EMPTY)
    renamed = singles(TEXTS, "seeds/z.txt") + singles([invent(99), invent(98)], "seeds/0.txt")
    rng.shuffle(renamed)
    second = assign(renamed, first.registry)
    assert ids(first).items() <= ids(second).items()
    assert second.problems == ()
    places = [paper.places[0] for paper in second.papers]
    assert places == sorted(places)


def test_without_a_saved_registry_the_ids_are_the_same() -> None:
    assert (
        ids(assign(singles(TEXTS), EMPTY)).items()
        <= ids(assign(singles([invent(50), *TEXTS]), EMPTY)).items()
    )


# ---- merges, splits, departures -----------------------------------------------------------------
def test_two_registered_papers_that_become_one_keep_both_urls() -> None:
    one, two = TEXTS[:2]
    first = assign(
        [group(restored(one, 1, date="2031-02")), group(restored(two, 2, date="2031-01"))], EMPTY
    )
    old = ids(first)
    merged = assign([group(restored(one, 1), restored(two, 2))], first.registry)
    (paper,) = merged.papers
    assert paper.id == old[two]  # registered with the earlier date
    assert paper.first_seen == "2031-01"
    assert merged.registry.redirects() == ((paper_url(old[one]), paper_url(old[two])),)
    assert codes(merged) == ["paper-merged"]
    stable = assign([group(restored(one, 8), restored(two, 9))], merged.registry)
    assert stable.registry == merged.registry
    assert stable.problems == ()
    split = assign(singles([one, two]), merged.registry)
    assert ids(split) == old
    assert split.registry.redirects() == ()


def test_the_survivor_of_a_merge_leaves_its_url_to_the_other_text() -> None:
    one, two = TEXTS[:2]
    merged = assign([group(restored(one, 1), restored(two, 2))], EMPTY)
    only = assign(singles([two]), merged.registry)
    assert only.papers[0].id == merged.papers[0].id
    rest = assign(singles([one, two]), merged.registry)
    assert ids(rest)[one] == merged.papers[0].id
    assert len(rest.registry.entries) == 2


def test_an_edited_text_merged_elsewhere_leads_there() -> None:
    one, two = TEXTS[:2]
    first = assign(singles([one, two]), EMPTY)
    edited = two.replace("a", "o", 3)
    merged = assign([group(restored(one, 1), restored(edited, 2))], first.registry)
    assert merged.registry.redirects() == (
        (paper_url(ids(first)[two]), paper_url(ids(first)[one])),
    )


def test_aliases_of_aliases_lead_to_the_end() -> None:
    one, two, three = TEXTS[:3]
    now = assign(singles([one, two, three]), EMPTY)
    old = ids(now)
    now = assign([group(restored(one, 1), restored(two, 2)), group(restored(three, 3))],
                 now.registry)  # fmt: skip
    now = assign([group(restored(three, 3), restored(one, 1), restored(two, 2))], now.registry)
    (paper,) = now.papers
    targets = dict(now.registry.redirects())
    assert targets == {paper_url(old[t]): paper_url(paper.id)
                       for t in (one, two, three) if old[t] != paper.id}  # fmt: skip


def test_b1_a_paper_that_left_is_kept_as_gone_and_can_return() -> None:
    first = assign(singles(TEXTS), EMPTY)
    fewer = assign(singles(TEXTS[1:]), first.registry)
    assert [entry.id for entry in fewer.registry.gone()] == [ids(first)[TEXTS[0]]]
    assert codes(fewer) == ["paper-gone"]
    assert assign(singles(TEXTS[1:]), fewer.registry).problems == ()
    assert ids(assign(singles(TEXTS), fewer.registry)) == ids(first)


# ---- papers -------------------------------------------------------------------------------------
def test_a_paper_knows_all_its_places_and_other_texts() -> None:
    main = restored(TEXTS[0], 5, "seeds/b.txt", "2031-05")
    same = restored(TEXTS[0], 9, "seeds/a.txt")
    near = restored(TEXTS[1], 2, "seeds/c.txt", "2030")
    copies = (Copy(restored=same, kind="exact", score=1.0),
              Copy(restored=near, kind="near", score=0.7))  # fmt: skip
    (paper,) = assign([Group(main=main, copies=copies)], EMPTY).papers
    assert [place.file for place in paper.places] == ["seeds/a.txt", "seeds/b.txt", "seeds/c.txt"]
    assert [(text.kind, text.score, text.text) for text in paper.merged] == [
        ("near", 0.7, TEXTS[1])
    ]
    assert paper.first_seen == "2030"
    assert paper.id == fingerprint(TEXTS[1])[:8]
    assert [link.url[-1] for link in paper.links] == ["5", "9", "2"]


def test_metadata_is_filled_from_the_copies() -> None:
    main = restored(TEXTS[0], 1, arxiv="9912.12340", version=2)
    other = restored(TEXTS[1], 2, arxiv="9912.12340", version=1, doi="10.5555/x",
                     authors=(Author(name="Mira Sørli"),))  # fmt: skip
    (paper,) = assign([group(main, other)], EMPTY).papers
    assert (paper.metadata.version, paper.metadata.doi) == (2, "10.5555/x")
    assert paper.metadata.authors[0].name == "Mira Sørli"


def test_d4_a_replacement_updates_in_place() -> None:
    first = assign([group(restored(TEXTS[0], 1, date="2031-01"))], EMPTY)
    newer = group(restored(TEXTS[1], 1, "seeds/b.txt", "2031-02"), restored(TEXTS[0], 1))
    second = assign([newer, *singles([TEXTS[2]], "seeds/c.txt")], first.registry)
    assert ids(second)[TEXTS[1]] == first.papers[0].id
    known = {entry.id for entry in first.registry.entries}
    assert [paper.source_text for paper in second.papers if paper.id not in known] == [TEXTS[2]]


# ---- other pages --------------------------------------------------------------------------------
PAGES = [("topic", "kelp", "/topics/kelp/"), ("tag", "mud", "/tags/mud/"),
         ("edition", "may", "/editions/may/")]  # fmt: skip


def test_pages_are_registered_and_their_loss_is_told() -> None:
    papers = assign(singles(TEXTS[:1]), EMPTY).registry
    registry, vanished = register_urls(papers, PAGES, "2031-05")
    assert vanished == ()
    assert register_urls(registry, [*PAGES[::-1], ("paper", "x", "/papers/x/")]) == (registry, ())
    assert {entry.first_seen for entry in registry.entries if entry.kind != "paper"} == {"2031-05"}
    fewer, vanished = register_urls(registry, PAGES[:1])
    assert [(entry.kind, entry.url) for entry in vanished] == [
        ("edition", "/editions/may/"), ("tag", "/tags/mud/"),
    ]  # fmt: skip
    assert register_urls(fewer, PAGES[:1]) == (fewer, vanished)
    assert register_urls(fewer, PAGES) == (registry, ())


def test_u6_a_page_that_moved_leaves_an_alias() -> None:
    registry, _ = register_urls(EMPTY, PAGES)
    moved = [("topic", "kelp", "/topics/seaweed/"), *PAGES[1:]]
    registry, vanished = register_urls(registry, moved)
    assert vanished == ()
    assert registry.redirects() == (("/topics/kelp/", "/topics/seaweed/"),)
    again = [*moved, ("topic", "kelp-2", "/topics/kelp/")]
    registry, vanished = register_urls(registry, again)
    assert (registry.redirects(), vanished) == ((), ())
    assert parse(dump(registry))[0] == registry


def test_a_former_slug_can_be_sent_to_its_new_page() -> None:
    registry, _ = register_urls(EMPTY, PAGES)
    now = [("topic", "seaweed", "/topics/seaweed/"), *PAGES[1:]]
    registry, vanished = register_urls(registry, now)
    assert [entry.url for entry in vanished] == ["/topics/kelp/"]
    registry = redirect(registry, {"/topics/kelp/": "/topics/seaweed/"})
    assert register_urls(registry, now) == (registry, ())
    assert registry.redirects() == (("/topics/kelp/", "/topics/seaweed/"),)


KEYS = st.tuples(st.sampled_from(["tag", "topic"]), st.sampled_from("abc"))


@given(st.lists(st.tuples(KEYS, st.sampled_from(["/x/", "/y/", "/z/"])), max_size=5), st.data())
@settings(max_examples=60, deadline=None)
def test_any_pages_in_any_order_make_a_good_registry(
    drawn: list[tuple[tuple[str, str], str]], data: st.DataObject
) -> None:
    pages = [(kind, key, url) for (kind, key), url in drawn]
    first, _ = register_urls(EMPTY, pages)
    more = data.draw(st.permutations(pages))[: len(pages) // 2 + 1]
    registry, vanished = register_urls(first, more)
    assert register_urls(first, more[::-1]) == (registry, vanished)
    assert parse(dump(registry))[0] == registry
    assert answering(registry).keys() >= answering(first).keys()


# ---- the file -----------------------------------------------------------------------------------
def test_a_missing_file_is_an_empty_registry_an_empty_one_a_loss(tmp_path: Path) -> None:
    path = tmp_path / "registry.jsonl"
    assert load(path) == (EMPTY, ())
    path.write_text("\n")
    with pytest.raises(SitegenError, match=r"jsonl:1: .*empty \[registry-header\]"):
        load(path)


def test_a_line_a_thing_sorted_and_small(tmp_path: Path) -> None:
    full = register_urls(assign(singles(TEXTS), EMPTY).registry, PAGES)[0]
    data = dump(full)
    lines = data.decode().splitlines()
    assert json.loads(lines[0]) == {"kind": "registry", "format": 1}
    keys = [(row["kind"], row["id"]) for row in map(json.loads, lines[1:])]
    assert keys == sorted(keys)
    assert max(map(len, lines)) < 400
    path = tmp_path / "registry.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    assert load(path) == (full, ())
    edited = assign(singles([TEXTS[0].replace("a", "o", 1), *TEXTS[1:]]), full).registry
    changed = set(dump(edited).splitlines()) ^ set(data.splitlines())
    assert len(changed) == 2


GOOD = dump(assign(singles(TEXTS[:2]), EMPTY).registry).decode()
HEADER, ONE, TWO = GOOD.splitlines()


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (f"{HEADER}\n<<<<<<< HEAD\n{ONE}\n", "registry-conflict", 2),
        (f"{HEADER}\n{ONE}\n=======\n{TWO}\n", "registry-conflict", 3),
        (f"{HEADER}\n{ONE}\n{TWO[:50]}", "registry-syntax", 3),
        (f"{HEADER}\nkelp\n", "registry-syntax", 2),
        (f"{HEADER}\n{'[' * 100_000}\n", "registry-syntax", 2),
        (f"{HEADER}\n[1]\n", "registry-entry", 2),
        (f'{HEADER}\n{{"kind":"paper","id":"x"}}\n', "registry-entry", 2),
        (f"{HEADER}\n{ONE.replace('/papers/', '/../')}\n", "registry-entry", 2),
        (f"{HEADER}\n{ONE.replace('live', 'alias')}\n", "registry-entry", 2),
        (f'{HEADER}\n{ONE[:-1]},"colour":"red"}}\n', "registry-entry", 2),
        (f"{HEADER}\n{ONE}\n{ONE.replace('live', 'gone')}\n", "registry-duplicate", 3),
        (f"{ONE}\n{TWO}\n", "registry-header", 1),
        (f'{{"kind":"registry","format":2}}\n{ONE}\n', "registry-format", 1),
        (f'{{"kind":"registry"}}\n{ONE}\n', "registry-header", 1),
    ],
)
def test_a_damaged_registry_stops_everything(text: str, code: str, line: int) -> None:
    with pytest.raises(SitegenError) as caught:
        parse(text.encode())
    problem = caught.value.problems[0]
    assert (problem.code, problem.location.line) == (code, line)
    assert problem.location.path == "content/registry.jsonl"
    assert problem.hint


def test_aliases_in_a_circle_are_an_error() -> None:
    entries = [
        Entry(kind="topic", id=one, url=f"/{one}/", state="alias", target=f"/{two}/")
        for one, two in ("ab", "ba")
    ]
    with pytest.raises(SitegenError, match="registry-circle"):
        parse(dump(Registry(entries=tuple(entries))))


def test_bytes_that_are_no_text_are_an_error() -> None:
    with pytest.raises(SitegenError, match=r"registry.jsonl:2: .*\[registry-encoding\]"):
        parse(f"{HEADER}\n".encode() + b"\xff\xfe")


def test_a_line_that_a_merge_doubled_is_a_warning() -> None:
    registry, problems = parse(f"{HEADER}\n{ONE}\n{ONE}\n{TWO}\n{HEADER}\n".encode())
    assert len(registry.entries) == 2
    assert [problem.code for problem in problems] == ["registry-repeat"]


def test_a_sketch_is_read_as_written() -> None:
    each = Hasher().words(words(TEXTS[0]))
    shingles = distinct_shingles(each)
    short, written = sketches([each[:7], each])
    assert len(written) == 192
    assert set(read_sketch(written)) == {int(value) & 0xFFFFF for value in shingles[:48]}
    assert short == ""
    assert list(read_sketch(written)) == sorted(read_sketch(written))


def texts_of(numbers: Iterable[int]) -> list[str]:
    return [invent(number, 150) for number in numbers]


@pytest.mark.slow
def test_ten_thousand_papers_take_seconds() -> None:
    texts = texts_of(range(10_000))
    start = time.process_time()
    first = assign(singles(texts), EMPTY)
    assert time.process_time() - start < 6
    rng = random.Random(1)
    edited = [KINDS["edited 5-25 %"](text, rng, texts[:9]) for text in texts]
    second = assign(singles(edited), first.registry)
    kept = zip(first.papers, second.papers, strict=True)
    assert sum(one.id == two.id for one, two in kept) > 9_950
