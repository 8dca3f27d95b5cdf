"""Words as columns: the same words, keys and places as of each text by itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sitegen.word_columns import find_runs, read_columns
from sitegen.wording import key_of, split_words

TEXTS = st.lists(
    st.text(st.sampled_from("aB-. (é中́3s'+"), max_size=40) | st.text(max_size=40), max_size=4
)


@given(TEXTS)
def test_columns_are_the_words_of_each_text(texts: list[str]) -> None:
    columns = read_columns(texts)
    for number, text in enumerate(texts):
        first, after = columns.first[number : number + 2].tolist()
        wording = split_words(text, columns.short_forms.of(number))
        words = range(first, after)
        assert [columns.surfaces[columns.surface[at]] for at in words] == list(wording.surfaces)
        assert [columns.forms[columns.form[at]] for at in words] == list(wording.keys)
        assert columns.start[first:after].tolist() == list(wording.starts)
        ends = columns.run_end[first:after] - first
        assert ends.tolist() == list(wording.ends_of_run)


@given(TEXTS, st.lists(st.text(st.sampled_from("ab3s中"), min_size=1, max_size=4), max_size=5))
def test_runs_are_found_where_their_words_join_to_a_key(texts: list[str], more: list[str]) -> None:
    columns = read_columns(texts)
    keys = list(dict.fromkeys(key for key in (*map(key_of, texts), *map(key_of, more)) if key))
    prefixes = sorted({key[:length] for key in keys for length in range(1, len(key))})
    for runs in (find_runs(columns, keys), find_runs(columns, keys, prefixes=prefixes)):
        found = set(zip(runs.starts.tolist(), runs.ends.tolist(), runs.keys.tolist(), strict=True))
        assert len(found) == len(runs)
        expected = {
            (int(columns.first[number]) + start, int(columns.first[number]) + end, position)
            for number, text in enumerate(texts)
            for position, key in enumerate(keys)
            for start, end in split_words(text, columns.short_forms.of(number)).spans(key)
        }
        assert found == expected


def test_a_run_is_as_long_as_asked_for() -> None:
    columns = read_columns(["kelp forest of the north", "Kelp-forests. Of"])
    runs = find_runs(columns, ["kelpforest", "kelpforestof"], most=2)
    assert columns.cut(runs.starts, runs.ends) == ["kelp forest", "Kelp-forests"]
