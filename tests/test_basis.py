"""The papers that statistics are taken from."""

from __future__ import annotations

from dataclasses import replace

from sitegen.basis import SMALL, basis
from tests.test_tags import paper


def test_later_papers_leave_the_basis_of_a_large_digest_as_it_is() -> None:
    old = [
        replace(paper(f"text {n}"), first_seen=f"2031-{1 + n % 12:02}") for n in range(SMALL + 9)
    ]
    new = [replace(paper(f"more {n}"), first_seen="2032") for n in range(30)]
    before = {old[at].id for at in basis(old)}
    assert len(before) == SMALL
    assert before == {[*new, *old][at].id for at in basis([*new, *old])}
    assert max(old[at].first_seen for at in basis(old)) <= "2031-12"


def test_a_small_digest_is_its_own_basis() -> None:
    papers = [paper("b"), paper("a")]
    assert sorted(basis(papers).tolist()) == [0, 1]
    assert basis([]).tolist() == []
