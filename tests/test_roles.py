"""How words stand in their sentences, and what that makes of a tag."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from sitegen.concepts import Rows
from sitegen.roles import Roles, in_headlines, read_roles
from sitegen.word_columns import WordColumns, read_columns


def stand(text: str) -> tuple[WordColumns, Roles]:
    columns = read_columns([text])
    return columns, read_roles(columns)


def words(columns: WordColumns, flags: npt.NDArray[np.bool_]) -> list[str]:
    return [columns.surfaces[at] for at in columns.surface[flags].tolist()]


def test_examples_and_contrasts_are_said_in_passing() -> None:
    columns, roles = stand(
        "Unlike otters, we watch seals. Animals such as crabs and clams. We beat existing nets, on"
        " eelgrass. Code for kelp is at github. Seals need ice."
    )
    passing = words(columns, roles.passing)
    assert {"otters", "crabs", "clams", "nets", "kelp"} <= set(passing)
    assert not {"seals", "eelgrass", "Seals", "ice"} & set(passing)


def test_what_the_paper_does_stands_behind_its_verb() -> None:
    columns, roles = stand("Otters are studied a lot. In spring we study seals. They study ice.")
    assert words(columns, roles.deed) == ["seals"]
    assert words(columns, roles.background) == ["Otters", "are", "studied", "a", "lot"]
    assert words(columns, roles.opening) == ["Otters", "are", "studied", "a", "lot"]


def test_nothing_is_background_where_no_sentence_speaks_of_the_paper() -> None:
    columns, roles = stand("Otters dive. Seals dive deeper.")
    assert words(columns, roles.background) == []


def test_a_headline_holds_words_in_any_number_and_form() -> None:
    columns, roles = stand("A harmful algal bloom (HAB) kills fish. HABs last (weeks).")
    ranges = [(1, 4), (4, 5), (5, 7), (7, 8)]  # harmful algal bloom; HAB; kills fish; HABs
    rows = Rows(
        keys=list("abcd"),
        text=np.zeros(4, np.int64),
        key=np.arange(4),
        term=np.full(4, -1),
        score=np.zeros(4),
        first=np.arange(5),
        starts=np.array([start for start, _ in ranges]),
        ends=np.array([end for _, end in ranges]),
    )
    assert in_headlines(rows, columns, ["How a HAB kills"]).tolist() == [False, True, False, True]
    assert words(columns, roles.bracketed) == ["HAB", "weeks"]


@given(st.lists(st.text("We study (such as) x. Unlike\n,!?。", max_size=60), max_size=4))
def test_every_word_has_a_role_of_its_text_alone(texts: list[str]) -> None:
    together = read_roles(read_columns(texts))
    alone = [read_roles(read_columns([text])) for text in texts]
    for kind in Roles.__slots__:
        apart = [flag for one in alone for flag in getattr(one, kind).tolist()]
        assert getattr(together, kind).tolist() == apart
