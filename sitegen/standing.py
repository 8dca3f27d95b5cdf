"""Which concepts stand in which texts, as far as possible as another build found them; pure.

A text is looked through anew where it is new, where a phrase that counts in all texts came or went
that stands in it, or where the digest means something else by a short form in it. Nothing else
moves what is found in a text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegen.concept_search import find_rows
from sitegen.concepts import Rows, TagWeights, joined, renamed
from sitegen.literals import PIECES, tails_of, whole_keys
from sitegen.phrases import STOP_WORDS
from sitegen.records import Keyword
from sitegen.said import Said
from sitegen.text_words import Integers, Share, alone, same_texts, spread
from sitegen.vocabulary import Vocabulary
from sitegen.word_columns import Hashes, WordColumns, find_runs
from sitegen.wording import single


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What stands in texts."""

    texts: Hashes
    """(texts, 2): a hash of each, and of its headline."""
    shared: Mapping[str, str]
    """What short forms mean in all texts."""
    phrases: tuple[str, ...]
    """Distinct keywords of all texts."""
    whole: Mapping[str, bool]
    """Keys of those that count wherever they stand."""
    rows: Rows
    """By text; places are words counted from the beginning of their text."""

    def placed(self, columns: WordColumns) -> Rows:
        """Return the rows with their places in the columns of words of the same texts."""
        return _moved(self.rows, columns.first[:-1])

    def table(self) -> dict[str, Any]:
        """Return arrays and lists of strings to keep."""
        rows = self.rows
        return {
            "texts": self.texts,
            "shorts": tuple(self.shared),
            "longs": tuple(self.shared.values()),
            "phrases": self.phrases,
            "whole": tuple(self.whole),
            "keys": tuple(rows.keys),
            "text": rows.text.astype(np.int32),
            "key": rows.key.astype(np.int32),
            "term": rows.term.astype(np.int32),
            "score": rows.score,
            "first": rows.first.astype(np.int32),
            "starts": rows.starts.astype(np.int32),
            "sizes": (rows.ends - rows.starts).astype(np.uint16),
        }

    @classmethod
    def of_table(cls, table: Mapping[str, Any]) -> Standing | None:
        """Return what was kept as a `table`; None for an empty one."""
        if not table:
            return None
        starts = table["starts"].astype(np.int64)
        return cls(
            texts=table["texts"],
            shared=dict(zip(table["shorts"], table["longs"], strict=True)),
            phrases=table["phrases"],
            whole=dict.fromkeys(table["whole"], True),
            rows=Rows(
                keys=table["keys"],
                text=table["text"].astype(np.int64),
                key=table["key"].astype(np.int64),
                term=table["term"].astype(np.int64),
                score=table["score"],
                first=table["first"].astype(np.int64),
                starts=starts,
                ends=starts + table["sizes"],
            ),
        )


def find_standing(
    columns: WordColumns,
    keywords: Sequence[Sequence[Keyword]],
    vocabulary: Vocabulary,
    weights: TagWeights,
    before: Standing | None = None,
    *,
    headlines: Sequence[str] = (),
    share: Share = alone,
) -> Standing:
    """Return the concepts that stand in each text.

    Args:
        columns: words of all texts.
        keywords: of each text; together they are the literal phrases possible.
        vocabulary: curated terms.
        weights: of the score.
        before: what an earlier call returned for the same vocabulary and weights; saves time.
        headlines: of each text; none where they are not known.
        share: may have it done by several processes.
    """
    texts = _marks(columns, headlines)
    said = Said.of(keywords)
    told = dict.fromkeys(said.told())
    new: Sequence[str] = tuple(told)
    whole: dict[str, bool] = {}
    if before and told.keys() >= set(before.phrases):
        whole = dict(before.whole)
        known = set(before.phrases)
        new = [phrase for phrase in told if phrase not in known]
    tails = {phrase: tails_of(phrase) for phrase in new}
    whole.update(whole_keys(tails, vocabulary))
    same = np.full(len(columns.texts), -1)
    if before:
        same = same_texts(before.texts, texts)
        same[_touched(before, columns, whole)] = -1
    wanted = np.flatnonzero(same < 0)
    own = said.only(wanted)
    tails |= {phrase: tails_of(phrase) for phrase in own.told() if phrase not in tails}

    def look(numbers: Sequence[int]) -> Rows:
        at = np.array(numbers, np.int64)
        some = columns.only(wanted[at])
        rows = find_rows(
            some,
            own.only(at),
            vocabulary,
            weights,
            tails=tails,
            whole=whole,
            headlines=[headlines[text] for text in wanted[at].tolist()] if headlines else (),
        )
        return replace(_moved(rows, -some.first[:-1]), text=wanted[at[rows.text]])

    found = list(share(look, range(len(wanted))))
    rows = _together([*([_rows_of(before.rows, same)] if before else ()), *found])
    return Standing(
        texts=texts,
        shared=columns.short_forms.shared,
        phrases=tuple(told),
        whole=whole,
        rows=rows,
    )


def _marks(columns: WordColumns, headlines: Sequence[str]) -> Hashes:
    each = [
        hashlib.blake2b(headline.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        for headline in headlines
    ]
    marks = columns.keys.copy()
    marks[: len(each), 1] ^= np.frombuffer(b"".join(each), "<u8")
    return marks


def _touched(
    before: Standing, columns: WordColumns, whole: Mapping[str, bool]
) -> npt.NDArray[np.bool_]:
    """Tell which texts may hold other concepts than before."""
    touched = np.zeros(len(columns.texts), np.bool_)
    changed = sorted(before.whole.keys() ^ whole.keys())
    if changed:
        prefixes = {key[:length] for key in changed for length in range(1, len(key))}
        stop = np.fromiter((form in STOP_WORDS for form in columns.forms), np.bool_)
        runs = find_runs(columns, changed, most=PIECES, prefixes=sorted(prefixes), without=stop)
        touched[columns.owners(runs.starts)] = True
    shared = columns.short_forms.shared
    meant = {short for short, _ in before.shared.items() ^ shared.items()}
    if meant:
        names = columns.surfaces
        other = np.fromiter((single(name) in meant for name in names), np.bool_, len(names))
        touched[columns.owners(np.flatnonzero(other[columns.surface]))] = True
    return touched


def _moved(rows: Rows, begins: Integers) -> Rows:
    """Return rows with their places moved by where their texts begin."""
    by = np.repeat(begins[rows.text], np.diff(rows.first))
    return replace(rows, starts=rows.starts + by, ends=rows.ends + by)


def _rows_of(rows: Rows, texts: Integers) -> Rows:
    """Return the rows of some texts, given for each text of today, -1 for none."""
    first = np.searchsorted(rows.text, np.arange(int(rows.text.max(initial=-1)) + 2))
    there = np.flatnonzero(texts >= 0)
    bounds = np.append(
        first, np.full(max(int(texts.max(initial=-1)) + 2 - len(first), 0), first[-1])
    )
    begins = bounds[texts[there]]
    owners, at = spread(begins, bounds[texts[there] + 1] - begins)
    return replace(rows.where(at), text=there[owners])


def _together(parts: Sequence[Rows]) -> Rows:
    """Return all rows, by text; those of a text stand in one part."""
    rows = renamed(reduce(joined, parts))
    if (np.diff(rows.text) >= 0).all():
        return rows
    return rows.where(np.argsort(rows.text, kind="stable"))
