"""What tags, topics and related papers are found from."""

from __future__ import annotations

from dataclasses import replace

from sitegen.records import Metadata, Prose
from sitegen.subjects import subject_of
from tests.test_tags import paper, tag


def test_an_abstract_alone_is_the_subject() -> None:
    assert subject_of(paper("We count otters.")) == "We count otters."


def test_title_and_keywords_belong_to_it() -> None:
    titled = replace(
        paper("We count."),
        title=Prose(text="Otters by ear"),
        metadata=Metadata(keywords=("kelp forests", "otters")),
    )
    assert subject_of(titled) == "Otters by ear. We count. kelp forests."
    bare = replace(paper(""), title=Prose(text="Do otters sleep?"))
    assert subject_of(bare) == "Do otters sleep?"


def test_a_paper_without_abstract_is_tagged_by_its_title() -> None:
    from sitegen.markup import slugify
    from sitegen.tags import choose_tags
    from sitegen.vocabulary import EMPTY
    from tests.test_tags import keywords

    papers = [
        replace(paper(""), id="00000001", title=Prose(text="Sea urchins in the kelp forest")),
        paper("Sea urchins graze the kelp forest, which sea urchins turn into a barren."),
    ]
    found = choose_tags(
        papers, [keywords(subject_of(one)) for one in papers], vocabulary=EMPTY, slugify=slugify
    )
    assert {"sea urchins", "kelp forest"} <= {one.name for one in found[0].tags}
    assert tag([""])[0].tags == ()
