"""The site model: URLs, lists, counts, stubs and collisions."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.config import Config
from sitegen.pages import Gone, SiteInput, build_site, pictures
from sitegen.pages.alphabet import letter
from sitegen.pages.collisions import is_slug, is_sound
from sitegen.pages.dates import EPOCH, in_words, rfc3339
from sitegen.pages.hues import STEPS, spread
from sitegen.pages.items import Item
from sitegen.pages.metadata import script_json
from sitegen.pages.papers import tag_marks
from sitegen.pages.rows import CHUNK, ROWS, TYPICAL, gist, newest_first, pagings
from sitegen.pages.spellings import aliases
from sitegen.pages.urls import localise
from sitegen.records import (
    Author,
    Edition,
    Metadata,
    Name,
    Prose,
    Relation,
    SourceCount,
    Span,
    Tag,
    Tagging,
    TextPage,
    Topic,
)
from sitegen.views import (
    AliasView,
    EditionView,
    HomeView,
    IndexView,
    MapView,
    Page,
    PaperView,
    PicksView,
    Site,
    StatsView,
    TagView,
    TombstoneView,
    TopicView,
)
from tests.synthetic import (
    BASE_URL,
    EDITIONS,
    FLUX,
    TOPICS,
    choice,
    digest,
    identifier,
    naming,
    paper,
    place,
    rich_digest,
    tagging,
)


def pages_of(inputs: SiteInput) -> dict[str, Page]:
    site, problems = build_site(inputs)
    assert not problems
    return {page.path: page for page in site.pages}


def view_of(inputs: SiteInput, path: str) -> object:
    return pages_of(inputs)[path].view


def paper_view(inputs: SiteInput, number: int) -> PaperView:
    view = view_of(inputs, f"papers/{identifier(number)}/")
    assert isinstance(view, PaperView)
    return view


def test_every_kind_of_page_has_its_place():
    paths = set(pages_of(rich_digest()))
    assert {
        "", "topics/", "topics/water/", "tags/", "tags/flux-meter/", "editions/",
        "editions/spring/", "names/", "search/", "about/", "404.html",
        f"papers/{identifier(1)}/",
    } <= paths  # fmt: skip


def test_a_digest_without_papers_has_its_pages():
    pages = pages_of(digest(0, topics=(), editions=()))
    assert {"", "topics/", "tags/", "names/", "editions/", "search/", "about/"} <= set(pages)


def test_order_of_the_input_does_not_matter():
    base = rich_digest()
    order = list(range(len(base.papers)))
    random.Random(3).shuffle(order)
    aligned = ("papers", "namings", "taggings", "topic_choices", "relations", "positions")
    shuffled = replace(
        base,
        **{name: tuple(getattr(base, name)[i] for i in order) for name in aligned},
        topics=tuple(reversed(base.topics)),
        editions=tuple(reversed(base.editions)),
        counts=tuple(reversed(base.counts)),
    )
    assert build_site(base) == build_site(shuffled)


# ---- URLs ---------------------------------------------------------------------------------------
def test_u3_two_topics_of_one_slug_are_reported_with_both_places():
    topics = (*TOPICS, Topic(slug="water", title="Water again"))
    _, problems = build_site(digest(3, topics=topics))
    assert [problem.code for problem in problems] == ["url-collision"]
    assert "Lakes & rivers" in problems[0].text
    assert "Water again" in problems[0].text


def test_u3_two_tags_of_one_slug_are_reported():
    taggings = tuple(tagging((name, "c", True)) for name in ("C", "C++", "C"))
    _, problems = build_site(digest(3, taggings=taggings))
    assert "“C”" in problems[0].text
    assert "“C++”" in problems[0].text


def test_u3_a_page_may_not_take_the_place_of_the_tools_own():
    content = replace(
        digest().content,
        pages=(TextPage(slug="search", title="Mine", body="", path="content/pages/search.md"),),
    )
    _, problems = build_site(digest(content=content))
    assert [problem.location.path for problem in problems] == ["content/pages/search.md"]
    assert "search" in problems[0].text


@pytest.mark.parametrize("slug", ["Müsli 1", ".net", "tcp/ip", "C", "a--b", "-a", "x" * 81, ""])
def test_u7_u8_odd_slugs_are_refused(slug: str):
    assert not is_slug(slug)
    assert slug == "tcp/ip" or not is_sound(f"topics/{slug}/")
    _, problems = build_site(digest(topics=(Topic(slug=slug, title="Odd"),)))
    assert any(problem.code == "url-letters" for problem in problems)


def test_u6_a_moved_page_leads_on_and_a_gone_one_says_so():
    gone = (
        Gone(url="/topics/old/", target="/topics/older/"),
        Gone(url="/topics/older/", target="/topics/water/"),
        Gone(url="/papers/zzzzzzzz/", reason="Taken out by its author."),
        Gone(url="/papers/yyyyyyyy/", target="/papers/nowhere/"),
        Gone(url="/topics/water/", target="/topics/mud/"),
    )
    pages = pages_of(digest(gone=gone))
    alias = pages["topics/old/"]
    assert isinstance(alias.view, AliasView)
    assert alias.view.target == "topics/water/"
    assert not alias.listed
    stone = pages["papers/zzzzzzzz/"]
    assert isinstance(stone.view, TombstoneView)
    assert stone.view.reason == "Taken out by its author."
    assert isinstance(pages["papers/yyyyyyyy/"].view, TombstoneView)
    assert isinstance(pages["topics/water/"].view, TopicView)


def test_u6_moves_in_a_circle_end_in_a_tombstone():
    gone = (
        Gone(url="/topics/a/", target="/topics/b/"),
        Gone(url="/topics/b/", target="/topics/a/"),
    )
    pages = pages_of(digest(gone=gone))
    assert isinstance(pages["topics/a/"].view, TombstoneView)


def test_a_tag_that_became_a_form_of_another_leads_there():
    (tag,) = tagging(("flux meter", "flux-meter", True)).tags
    both = replace(tagging(), tags=(replace(tag, surfaces=("Flux gauges", "flux meter")),))
    gone = tuple(
        Gone(url=f"/tags/{slug}/", target="/tags/")
        for slug in ("flux-gauge", "flux-meter", "sea-urchin")
    )
    pages = pages_of(digest(2, taggings=(both, both), gone=gone))
    assert pages["tags/flux-gauge/"].view.target == "tags/flux-meter/"
    assert pages["tags/sea-urchin/"].view.target == "tags/"


def test_aliases_of_topics_lead_to_them_unless_taken():
    topics = (*TOPICS[:1], Topic(slug="limnology", title="Limnology"))
    pages = pages_of(digest(topics=topics))
    assert isinstance(pages["topics/limnology/"].view, TopicView)
    assert isinstance(pages["topics/fresh-water/"].view, AliasView)


def test_withdrawn_and_merged_papers_leave_lists_and_keep_their_address():
    inputs = rich_digest()
    site, _ = build_site(inputs)
    pages = {page.path: page for page in site.pages}
    withdrawn, merged = f"papers/{identifier(7)}/", f"papers/{identifier(8)}/"
    assert isinstance(pages[withdrawn].view, TombstoneView)
    assert pages[merged].view == AliasView(target=f"papers/{identifier(9)}/", label=naming(9).title)
    assert {record.id for record in site.records}.isdisjoint({identifier(7), identifier(8)})
    for feed in site.feeds:
        assert withdrawn not in {entry.path for entry in feed.entries}
    for page in site.pages:
        if isinstance(page.view, TopicView | TagView | EditionView):
            assert withdrawn not in {row.path for row in page.view.rows}


def test_links_from_the_root_are_made_relative():
    assert localise('<a href="/data/x">', "topics/a/") == '<a href="../../data/x">'
    assert localise('<a href="/">', "") == '<a href="./">'
    assert localise('<a href="//host/">', "a/") == '<a href="//host/">'
    assert "../../data/papers.jsonl" in view_of(digest(), "topics/water/").intro_html


def test_u9_a_doi_is_shown_as_it_is_and_encoded_in_its_link():
    view = paper_view(rich_digest(), 2)
    links = [link.url for link in view.links]
    doi = "10.5555/(SICI)12(2031)1:2<3::AID-X4>3.0.CO;2-#"
    assert (
        f"https://doi.org/{'10.5555/%28SICI%2912%282031%291%3A2%3C3%3A%3AAID-X4%3E3.0.CO%3B2-%23'}"
        in links
    )
    assert ("citation_doi", doi) in view.citation
    assert not any(link.startswith("javascript") for link in links)


# ---- lists --------------------------------------------------------------------------------------
@given(st.integers(min_value=0, max_value=1200), st.integers(min_value=1, max_value=100))
def test_pagings_cover_each_row_once(count: int, size: int):
    made = pagings("topics/x/", count, size)
    rows = [row for p in made for row in range(p.first_row, min(p.first_row + size, count + 1))]
    assert rows == list(range(1, count + 1))
    assert made[0].previous is None
    assert made[-1].following is None
    for before, after in itertools.pairwise(made):
        assert after.previous == (
            "topics/x/" if before.number == 1 else f"topics/x/page/{before.number}/"
        )
        assert before.following == f"topics/x/page/{after.number}/"


def test_long_lists_stand_newest_first_below_the_best():
    pages = pages_of(digest(230))
    folder = "tags/flux-meter/"
    parts = [pages[folder], *(pages[f"{folder}page/{number}/"] for number in range(5, 0, -1))]
    assert f"{folder}page/6/" not in pages
    assert [len(part.view.rows) for part in parts] == [65, 33, 33, 33, 33, 33]
    shown = [row.id for part in parts for row in part.view.rows]
    assert shown == [identifier(number) for number in range(230, 0, -1)]
    assert [len(part.view.typical) for part in parts] == [5, 0, 0, 0, 0, 0]
    assert len({part.title for part in parts}) == 6
    for newer, older in itertools.pairwise(parts):
        assert newer.view.paging.following == older.path
        assert older.view.paging.previous == newer.path
    offered = parts[4].view.paging.pages
    assert [label for label, _ in offered] == ["Newest", "", "4", "3", "2", "1"]


@given(st.integers(min_value=0, max_value=700))
def test_no_page_of_a_long_list_is_too_long_or_lacks_a_row(count: int):
    arrived = [str(number) for number in range(count)]
    made = newest_first("x/", arrived)
    assert [each for _, ids in made for each in ids] == arrived[::-1]
    assert all(len(ids) == CHUNK for _, ids in made[1:])
    assert len(made[0][1]) + TYPICAL <= ROWS or count <= ROWS


def test_pages_of_a_long_list_stay_when_papers_come():
    before, after = pages_of(digest(230)), pages_of(digest(300))
    for folder in ("tags/flux-meter/", "topics/water/"):
        numbers = range(1, len([path for path in before if path.startswith(f"{folder}page/")]) - 1)
        assert numbers
        for number in numbers:
            path = f"{folder}page/{number}/"
            assert [r.id for r in before[path].view.rows] == [r.id for r in after[path].view.rows]
    oldest = "tags/flux-meter/page/1/"
    assert before[oldest] == after[oldest]  # what leads to other pages, too


def test_topic_lists_put_the_most_typical_first_and_guests_last():
    inputs = digest(4, topic_choices=(
        choice("mud"), choice("water", "mud"), choice("mud", "water"), choice(),
    ))  # fmt: skip
    view = view_of(inputs, "topics/mud/")
    assert [row.id for row in view.rows] == [identifier(1), identifier(3), identifier(2)]
    assert view_of(inputs, "topics/").loose == 1


def test_a_tag_of_one_paper_has_no_page_whatever_the_input_says():
    inputs = digest(3, taggings=(
        tagging(FLUX, ("lonely tag", "lonely-tag", True)), tagging(FLUX), tagging(),
    ))  # fmt: skip
    site, _ = build_site(inputs)
    paths = {page.path for page in site.pages}
    assert "tags/flux-meter/" in paths
    assert "tags/lonely-tag/" not in paths
    exported = {tag.slug: tag.page for record in site.records for tag in record.tags}
    assert exported == {"flux-meter": True, "lonely-tag": False}
    assert {tag.label: tag.path for tag in paper_view(inputs, 1).tags}["lonely tag"] == ""


def test_lists_agree_with_the_data():
    site, _ = build_site(rich_digest())
    by_tag: dict[str, set[str]] = {}
    for record in site.records:
        for tag in record.tags:
            if tag.page:
                by_tag.setdefault(tag.slug, set()).add(record.id)
    for page in site.pages:
        if isinstance(page.view, TagView):
            assert {row.id for row in page.view.rows} == by_tag[page.path.split("/")[1]]
    assert {topic.slug: set(topic.papers) for topic in site.topics} == {
        topic.slug: {record.id for record in site.records if topic.slug in record.topics}
        for topic in site.topics
    }


def test_editions_count_what_they_read():
    inputs = rich_digest()
    autumn = view_of(inputs, "editions/autumn/")
    assert isinstance(autumn, EditionView)
    counts = autumn.counts
    assert (counts.read, counts.new, counts.seen, counts.merged) == (2, 0, 1, 1)
    assert autumn.seen == ("Spring notes",)
    for page in pages_of(inputs).values():
        if isinstance(page.view, EditionView):
            c = page.view.counts
            assert c.read == c.new + c.seen + c.merged + c.reported


def test_neighbours_stay_inside_the_edition():
    inputs = digest(3, papers=(
        paper(1), paper(2, places=(place(1, "autumn"),)), paper(3),
    ))  # fmt: skip
    view = paper_view(inputs, 1)
    assert view.previous is None
    assert view.following is not None
    assert view.following.path == f"papers/{identifier(3)}/"
    assert paper_view(inputs, 2).following is None


def test_home_shows_the_newest_edition():
    inputs = digest(3, papers=(paper(1), paper(2, places=(place(1, "autumn"),)), paper(3)))
    view = view_of(inputs, "")
    assert isinstance(view, HomeView)
    assert view.latest is not None
    assert view.latest.label == "Autumn notes"
    assert [row.id for row in view.rows] == [identifier(2)]
    assert view.heading == "What the otters say"


def test_picks_have_a_page_with_the_reasons_only_where_there_are_some():
    inputs = rich_digest()
    view = view_of(inputs, "picks/")
    assert isinstance(view, PicksView)
    assert [row.id for row in view.rows] == [identifier(9)]
    assert "Read <em>this</em> first." in view.notes[0]
    home = view_of(inputs, "")
    assert isinstance(home, HomeView)
    assert ([row.id for row in home.picks], home.pick_count) == ([identifier(9)], 1)
    assert "picks/" not in pages_of(digest())


def test_withdrawn_papers_are_no_picks():
    base = rich_digest()
    override = replace(base.content.overrides[identifier(7)], pick=True)
    content = replace(base.content, overrides={identifier(7): override})
    assert "picks/" not in pages_of(replace(base, content=content))


def test_a_gist_is_cut_between_words_and_never_inside_a_formula():
    text = "The bound is O(n log n) for every vector of the second paper."
    spans = (Span(start=13, end=23, kind="math", value=r"O(n \log n)"),)
    item = Item(
        paper=paper(1, prose=Prose(text=f"First. {text}", spans=tuple(
            replace(span, start=span.start + 7, end=span.end + 7) for span in spans
        ))),
        naming=replace(naming(1), gist=text), tags=(), topics=(), relations=(),
    )  # fmt: skip
    assert gist(item, 200) == text
    assert gist(item, 30) == "The bound is O(n log n) for…"
    assert gist(item, 20) == "The bound is…"


def test_reasons_of_related_papers_do_not_repeat_each_other():
    relations = (Relation(id=identifier(2), score=0.5, why=("norms", "norms in mud", "Norms")),)
    view = paper_view(digest(3, relations=(relations, (), ())), 1)
    assert view.related[0].why == ("norms in mud",)


def test_reasons_are_said_as_the_tags_are():
    relations = (Relation(id=identifier(2), score=0.5, why=("RAG", "retrieval-augmented mud")),)
    tagging = Tagging(
        tags=(Tag(slug="r", name="retrieval-augmented mud", score=1, surfaces=("RAG",), page=True),)
    )
    none = Tagging(tags=())
    inputs = digest(3, relations=(relations, (), ()), taggings=(tagging, none, none))
    assert paper_view(inputs, 1).related[0].why == ("retrieval-augmented mud",)


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("HumanEval-XL is larger than HumanEval.", 28),
        ("HumanEval-XL is large.", 0),
        ("A HumanEval-based score.", 2),
        ("NewHumanEval is none.", None),
    ],
)
def test_a_tag_is_marked_where_it_is_no_part_of_a_name(text: str, marked: int | None):
    tag = Tag(slug="h", name="HumanEval", score=1, page=True, surfaces=("HumanEval",))
    marks = tag_marks(text, [tag])
    assert [mark.start for mark in marks] == ([] if marked is None else [marked])


def test_names_stand_under_their_letter():
    names = ("Øvre", "éclair", "3D-Otter", "zeta", "静か", "Zebra")
    inputs = digest(6, namings=tuple(
        replace(naming(n), names=(Name(text=text),)) for n, text in enumerate(names, 1)
    ))  # fmt: skip
    view = view_of(inputs, "names/")
    assert isinstance(view, IndexView)
    found = {section.key: [entry.label for entry in section.entries] for section in view.sections}
    assert found == {
        "e": ["éclair"],
        "o": ["Øvre"],
        "z": ["Zebra", "zeta"],
        "0-9": ["3D-Otter", "静か"],
    }


def test_long_indexes_get_a_page_for_each_letter():
    pages = pages_of(digest(1100))
    assert pages["names/"].view.sections == ()
    assert [letter.path for letter in pages["names/"].view.letters] == ["names/k/"]
    assert len(pages["names/k/"].view.sections[0].entries) == 1000
    assert len(pages["names/k/page/2/"].view.sections[0].entries) == 100


@pytest.mark.parametrize(
    ("text", "key"),
    [("Otter", "o"), ("“Quoted", "q"), ("ßeta", "0-9"), ("ﬁn", "f"), ("—", "0-9"), ("", "0-9")],
)
def test_letter(text: str, key: str):
    assert letter(text) == key


def test_related_papers_are_published_ones():
    inputs = rich_digest()
    assert [other.path for other in paper_view(inputs, 6).related] == []
    assert [other.path for other in paper_view(inputs, 1).related] == [f"papers/{identifier(2)}/"]


def test_a_pick_says_who_picked_it_and_when():
    inputs = rich_digest()
    override = replace(
        inputs.content.overrides[identifier(9)],
        picked_by="Ann van der Meer",
        picked_on="2031-05-07",
    )
    overrides = {**inputs.content.overrides, identifier(9): override}
    signed = replace(inputs, content=replace(inputs.content, overrides=overrides))
    view = paper_view(signed, 9)
    assert (view.picked_by, view.picked_on) == ("Ann van der Meer", "7 May 2031")
    picks = pages_of(signed)["picks/"].view
    assert isinstance(picks, PicksView)
    assert picks.signatures == ("Picked by Ann van der Meer, 7 May 2031",)
    site, _ = build_site(signed)
    (feed,) = (feed for feed in site.feeds if feed.folder == "picks/")
    assert feed.entries[0].note == "Read this first. — Picked by Ann van der Meer, 7 May 2031"


def test_an_edition_counts_its_own_topics():
    view = pages_of(rich_digest())["editions/autumn/"].view
    assert isinstance(view, EditionView)
    rows = [row.topic.slug for row in view.rows if row.topic]
    assert {mark.slug: mark.count for mark in view.topics} == Counter(rows)
    assert max(mark.share for mark in view.topics) == 100


def test_the_map_shows_each_published_paper_once():
    site, _ = build_site(rich_digest())
    view = next(page.view for page in site.pages if page.path == "map/")
    assert isinstance(view, MapView)
    assert sum(group.dots.count("M") for group in view.groups) == len(site.records)
    assert {point.id for point in site.points} == {record.id for record in site.records}
    assert "map/" not in pages_of(digest())


def test_the_numbers_agree_with_the_lists():
    view = view_of(rich_digest(), "stats/")
    assert isinstance(view, StatsView)
    assert sum(edition.count for edition in view.editions) == 10
    for trend in view.trends:
        assert trend.total == sum(trend.counts)
    assert all(sum(part.length for part in bar) in {0, 1000} for bar in view.bars)
    pairs = {frozenset((a.label, b.label)): count for a, b, count in view.pairs}
    assert pairs[frozenset(("fjords", "flux meter"))] == 5


# ---- a paper's page -----------------------------------------------------------------------------
def test_places_tell_where_and_how_each_text_was_read():
    view = paper_view(rich_digest(), 3)
    assert [(p.edition.label, p.position, p.note) for p in view.places] == [
        ("Spring notes", 3, ""),
        ("Autumn notes", 1, "same text"),
        ("Autumn notes", 2, "nearly the same text, 97 % shared"),
    ]
    assert [text.text for text in view.merged] == ["Nearly & the same."]
    assert [doubt.path for doubt in paper_view(rich_digest(), 10).doubts] == [
        f"papers/{identifier(11)}/"
    ]


def test_n5_meta_tags_only_with_real_title_author_and_date():
    view = paper_view(rich_digest(), 2)
    citation = view.citation
    assert citation[:5] == (
        ("z:itemType", "preprint"),
        ("citation_title", "Counting otters by ear"),
        ("citation_author", "Øydis Kvæle"),
        ("citation_author", "Leo De Santis"),
        ("citation_date", "2031"),
    )
    assert paper_view(rich_digest(), 1).citation == ()


def test_n4_collaborations_are_folded():
    view = paper_view(rich_digest(), 5)
    assert len(view.authors) == 12
    assert len(view.authors) + len(view.more_authors) == 2800
    assert sum(name == "citation_author" for name, _ in view.citation) == 200
    row = next(r for r in view_of(rich_digest(), "topics/water/").rows if r.id == identifier(5))
    assert row.authors == "Person 0, Person 1, Person 2 and 2,797 more"


def test_a_derived_headline_is_no_title_for_machines():
    view = paper_view(digest(), 1)
    assert '"headline"' not in view.json_ld
    assert "@misc" in view.bibtex
    assert "title =" not in view.bibtex
    row = view_of(digest(), "topics/water/").rows[0]
    assert row.derived
    assert row.citation == ""


def test_m7_json_ld_cannot_end_its_script():
    text = script_json({"a": "</script><!--", "b": "&\u2028"})
    assert not set("<>&\u2028") & set(text)
    assert "<" not in paper_view(rich_digest(), 1).json_ld


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Øydis Kvæle", {"Oydis Kvaele"}),
        ("GUI-KV", {"GUI KV", "GUIKV"}),
        (
            "E²-Otter",
            {"E2-Otter", "E2 Otter", "E2Otter", "E^2-Otter", "E^2 Otter", "E^2Otter", "E 2 -Otter"},
        ),
        ("D^2O", {"D2O", "D 2 O"}),
        ("Plain", set()),
    ],
)
def test_s5_names_are_found_by_plain_spellings(name: str, expected: set[str]):
    assert set(aliases([name])) == expected


def test_a_wrong_tag_is_a_prefilled_issue_of_its_own():
    view = paper_view(rich_digest(), 1)
    asked = parse_qs(urlsplit(view.wrong_tag_url).query)
    assert "not_tags" in asked["body"][0]
    assert view.permalink in asked["body"][0]
    assert paper_view(digest(), 1).wrong_tag_url == ""


def test_fix_this_record_is_a_prefilled_issue():
    view = paper_view(rich_digest(), 2)
    assert view.fix_url.startswith("https://github.com/lab/reading/issues/new?title=Record+")
    assert "Counting+otters" in view.fix_url
    assert paper_view(digest(), 2).fix_url == ""


# ---- dates --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("date", "words", "padded"),
    [
        ("2031-05-01", "1 May 2031", "2031-05-01T00:00:00Z"),
        ("2031-05", "May 2031", "2031-05-01T00:00:00Z"),
        ("2031", "2031", "2031-01-01T00:00:00Z"),
        ("", "", EPOCH),
        ("2031-13-02", "2031-13-02", EPOCH),
        ("in press", "in press", EPOCH),
    ],
)
def test_c1_c2_dates_are_said_as_exactly_as_known(
    date: str, words: str, padded: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TZ", "America/Los_Angeles")
    assert in_words(date) == words
    assert rfc3339(date) == padded


def test_c2_odd_dates_do_not_stop_the_site():
    metadata = Metadata(title="T", authors=(Author(name="A"),), date="5/6/31")
    editions = (Edition(slug="spring", title="S", date="2031-13-02", files=("seeds/spring.txt",)),)
    inputs = digest(2, papers=(paper(1, metadata=metadata), paper(2)), editions=editions)
    assert paper_view(inputs, 1).published == "5/6/31"


def test_hues_differ():
    assert len(set(spread(STEPS))) == STEPS
    assert len(spread(100)) == 100
    assert spread(5) == spread(9)[:5]


def test_base_url_changes_no_path():
    here, _ = build_site(digest())
    there, _ = build_site(digest(config=Config(title="Mud & Otters", base_url="https://x.org/")))
    assert [page.path for page in here.pages] == [page.path for page in there.pages]
    assert BASE_URL not in repr(there)


def test_ten_thousand_papers_are_not_quadratic():
    site: Site
    site, problems = build_site(
        digest(
            3000,
            counts=(
                SourceCount(file="seeds/spring.txt", read=3000, kept=3000, merged=0, reported=0),
            ),
            editions=EDITIONS,
        )
    )
    assert not problems
    assert len(site.records) == 3000


def test_a_map_of_very_many_papers_shows_some_of_them(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pictures, "MOST_POINTS", 20)
    places = tuple((number / 60, number / 60) for number in range(60))
    site, _ = build_site(digest(60, positions=places))
    assert [point.id for point in site.points] == sorted(point.id for point in site.points)[:20]
    assert len(site.points) == 20
    view = pages_of(digest(60, positions=places))["map/"].view
    assert (view.papers, view.sample_of) == ("20", "60")
