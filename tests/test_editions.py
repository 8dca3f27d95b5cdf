from sitegen.config import SourceSpec
from sitegen.editions import date_abstracts, list_editions
from sitegen.records import Abstract, Edition, Place


def abstract(file: str, edition: str, date: str = "") -> Abstract:
    place = Place(file=file, position=1, line=1, edition=edition, date=date)
    return Abstract(place=place, text="Otters whistle.")


def test_an_edition_takes_the_curators_words_first() -> None:
    curated = (Edition(slug="may", title="May", date="2031-05-01", body="The first."),)
    read = date_abstracts(
        [abstract("seeds/a.txt", "may"), abstract("seeds/b.txt", "june", "2031-06")], curated
    )
    assert [one.place.date for one in read] == ["2031-05-01", "2031-06"]
    sources = (SourceSpec(pattern="seeds/a.txt", title="Never seen"),)
    june, may = list_editions(read, curated, sources)
    assert (may.title, may.date, may.files) == ("May", "2031-05-01", ("seeds/a.txt",))
    assert (june.title, june.date) == ("June", "2031-06")


def test_the_sources_title_comes_before_the_slug() -> None:
    sources = (SourceSpec(pattern="seeds/*.txt", title="Spring"),)
    (edition,) = list_editions([abstract("seeds/a.txt", "a-b")], (), sources)
    assert edition.title == "Spring"
    (edition,) = list_editions([abstract("seeds/a.txt", "a-b")], (), ())
    assert edition.title == "A b"


def test_an_edition_without_abstracts_stays_listed() -> None:
    (edition,) = list_editions((), (Edition(slug="may", title="May"),), ())
    assert edition.files == ()
