"""What is measured against the hand annotation: names, headlines, tags, topics, raw markup.

Every function takes what was made and what the expert wrote, aligned with each other, and returns
figures by name. Words are compared by stems: lower case, common endings cut (see `stems`).
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache

Figures = dict[str, float]

SUFFIXES = (
    "ational", "ization", "isation", "ations", "ation", "ings", "ing", "ies", "es", "ed", "s",
    "al", "e", "y",
)  # fmt: skip
RAW_MARKUP = (
    r"\{\\\w+", r"\\[a-zA-Z]+", r"\\[%#&_$]", r"``", r"(?<!\w)''", r"\*\*\w", r"\^\{?ast",
    r"_\{\w", r"\dtimes\b", r"\bell_\d", r"\w~\(", r"\bmtimes\b", r"\bhcirc\b", r"x2013", r"\\\(",
    r"\$textbf",
)  # fmt: skip
"""What a reader must not meet in an abstract: LaTeX, and what is left of it without backslashes."""
PROTECTED = ("8 to 24 times", "left-to-right", "GPT-4", "state-of-the-art")
"""Plain words that a rash repair would take for damage."""
NO_TOPIC = "-"

_raw_markup = re.compile("|".join(RAW_MARKUP))


def plain(text: str) -> str:
    """Return the words of a text in lower case, one space between them."""
    return re.sub(r"\W+", " ", text.lower()).strip()


@cache
def _stem(word: str) -> str:
    ending = next((s for s in SUFFIXES if word.endswith(s) and len(word) - len(s) >= 3), "")
    return word.removesuffix(ending)


def stems(phrase: str) -> tuple[str, ...]:
    """Return the words of a phrase without their endings."""
    return tuple(map(_stem, plain(phrase).split()))


def alike(left: str, right: str) -> bool:
    """Tell whether two tags mean nearly the same.

    Either their stems are equal as sets, or two or more are shared and one set holds the other or
    half of all.
    """
    one, two = set(stems(left)), set(stems(right))
    both = len(one & two)
    if not one or not two:
        return False
    nested = both == min(len(one), len(two)) or 2 * both >= len(one | two)
    return one == two or (both >= 2 and nested)


def rouge_l(text: str, reference: str) -> float:
    """Return ROUGE-L, the F1 of the longest common subsequence of stems, from 0 to 1."""
    one, two = stems(text), stems(reference)
    if not one or not two:
        return 0.0
    row = [0] * (len(two) + 1)
    for word in one:
        diagonal = 0
        for column, other in enumerate(two, 1):
            above = row[column]
            row[column] = diagonal + 1 if word == other else max(above, row[column - 1])
            diagonal = above
    return 2 * row[-1] / (len(one) + len(two))


def score_names(found: Sequence[Sequence[str]], wanted: Sequence[Sequence[str]]) -> Figures:
    """Score the names of papers, main name first.

    A main name is right where it is any of the expert's names for the paper. Precision is over
    papers that were given a name, recall over those that have one.
    """
    given = have = right = any_right = 0
    for names, gold in zip(found, wanted, strict=True):
        mine, theirs = [plain(name) for name in names], {plain(name) for name in gold}
        given += bool(mine)
        have += bool(theirs)
        right += bool(mine) and mine[0] in theirs
        any_right += not theirs.isdisjoint(mine)
    precision, recall = _ratio(right, given), _ratio(right, have)
    return {
        "names_precision": precision,
        "names_recall": recall,
        "names_f1": _ratio(2 * precision * recall, precision + recall),
        "names_any_recall": _ratio(any_right, have),
    }


def score_headlines(
    titles: Sequence[str], references: Sequence[str], names: Sequence[Sequence[str]]
) -> Figures:
    """Score headlines against reference headlines and the names that belong into them.

    A name stands in a headline where its plain letters do; papers without a name count in the
    other figures only.
    """
    named = [(plain(title), own) for title, own in zip(titles, names, strict=True) if own]
    holding = sum(any(plain(name) in title for name in own) for title, own in named)
    pairs = zip(titles, references, strict=True)
    lengths = [len(title.split()) for title in titles]
    return {
        "title_has_name": _ratio(holding, len(named)),
        "title_rouge_l": _mean(rouge_l(title, reference) for title, reference in pairs),
        "title_words_max": max(lengths, default=0),
        "title_words_mean": _mean(lengths),
    }


def score_tags(
    found: Sequence[Sequence[str]], wanted: Sequence[Sequence[str]], most: int = 8
) -> Figures:
    """Score the first tags of papers: recall with equal stems and with `alike`, soft precision."""
    exact = soft = gold = right = given = 0
    for tags, theirs in zip(found, wanted, strict=True):
        mine = tags[:most]
        keys = {stems(tag) for tag in mine}
        gold += len(theirs)
        exact += sum(stems(tag) in keys for tag in theirs)
        soft += sum(any(alike(tag, other) for other in mine) for tag in theirs)
        given += len(mine)
        right += sum(any(alike(tag, other) for other in theirs) for tag in mine)
    return {
        "tags_recall_exact": _ratio(exact, gold),
        "tags_recall_soft": _ratio(soft, gold),
        "tags_precision_soft": _ratio(right, given),
    }


def score_tag_pages(
    pages: Sequence[Sequence[str]], annotated: Iterable[int] | None = None
) -> Figures:
    """Score the tags with a page, given for each paper of a digest.

    Args:
        pages: each paper's tags that have a page, by slug.
        annotated: positions of the papers counted under ``tags_papers_with_3``; None for all.
    """
    carriers = Counter(slug for slugs in pages for slug in slugs)
    rows = list(range(len(pages)) if annotated is None else annotated)
    return {
        "tags_papers_with_3": _ratio(sum(len(pages[row]) >= 3 for row in rows), len(rows)),
        "tags_pages": len(carriers),
        "tags_singletons": _ratio(sum(n == 1 for n in carriers.values()), len(carriers)),
    }


def score_topics(found: Sequence[Sequence[str]], wanted: Sequence[tuple[str, str]]) -> Figures:
    """Score the topics of papers, primary first, against a first and a second area.

    Accuracy maps each topic to the area that most of its papers have, and counts a paper as right
    where that is either of its own areas. NMI and purity look at the first area alone.
    """
    pairs = [
        (topics[0] if topics else NO_TOPIC, *areas)
        for topics, areas in zip(found, wanted, strict=True)
    ]
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for topic, first, _ in pairs:
        table[topic][first] += 1
    majority = {topic: counts.most_common(1)[0][0] for topic, counts in table.items()}
    return {
        "topics_nmi": nmi([pair[0] for pair in pairs], [pair[1] for pair in pairs]),
        "topics_accuracy": _mean(majority[topic] in areas for topic, *areas in pairs),
        "topics_purity": _ratio(
            sum(counts.most_common(1)[0][1] for counts in table.values()), len(pairs)
        ),
        "topics_coverage": _mean(map(bool, found)),
    }


def biggest_share(found: Sequence[Sequence[str]]) -> float:
    """Return the share of papers under the most frequent primary topic."""
    sizes = Counter(topics[0] for topics in found if topics)
    return _ratio(max(sizes.values(), default=0), len(found))


def nmi(left: Sequence[Hashable], right: Sequence[Hashable]) -> float:
    """Return mutual information over the mean of both entropies."""
    total = len(left)
    joint = Counter(zip(left, right, strict=True))
    lefts, rights = Counter(left), Counter(right)
    shared = sum(
        count / total * math.log(count * total / (lefts[a] * rights[b]))
        for (a, b), count in joint.items()
    )
    return _ratio(2 * shared, _entropy(lefts, total) + _entropy(rights, total))


def _entropy(counts: Counter[Hashable], total: int) -> float:
    return -sum(count / total * math.log(count / total) for count in counts.values())


def same_area(near: Mapping[int, Sequence[int]], areas: Mapping[int, frozenset[str]]) -> float:
    """Return the share of neighbours, given for each paper, that have an area in common with it."""
    return _mean(bool(areas[row] & areas[other]) for row, own in near.items() for other in own)


def has_raw_markup(text: str) -> bool:
    """Tell whether a text shows markup, or what is left of it."""
    return _raw_markup.search(text) is not None


def protected_kept(before: Sequence[str], after: Sequence[str]) -> float:
    """Return how often the protected words of a text are as many after repair as before."""
    return _mean(
        old.count(words) == new.count(words)
        for old, new in zip(before, after, strict=True)
        for words in PROTECTED
        if words in old
    )


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return _ratio(sum(numbers), len(numbers))


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
