r"""Measure the repair of damaged abstracts against arXiv abstracts, whose LaTeX is the answer.

Each abstract with markup loses it as the source dumps lose theirs, is repaired, and is compared
with what its own LaTeX renders to. Two kinds of loss:

``dump``  inside ``$…$`` the dollars and backslashes go, and commands lose their name where they hold
          an argument (``\mathbb{R}`` leaves ``R``); outside of it LaTeX stays: what the dumps show
``bare``  every backslash and dollar of the abstract goes, and nothing else

usage: repair.py FILE.jsonl[.gz] [--part dev|held|all] [--show N]
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

from sitegen.records import Prose
from sitegen.repair import repair
from sitegen.repair.draft import Draft
from sitegen.repair.latex import hold_formulas, is_formula

MARKUP = re.compile(r"[\\$^_{}~`*|#&<>]|--|''| - |\w/\w*/|[^\x20-\x7e]")
"""An abstract without any of these has nothing to repair."""
TEX = re.compile(r"[\\$^_{}~`]|--|''")
DOLLARS = re.compile(r"\$([^$]{1,400})\$")


def lose_as_dump(text: str) -> str:
    """Lose the markup of formulas as the source dumps do."""
    return DOLLARS.sub(_lose_formula, text)


def _lose_formula(found: re.Match[str]) -> str:
    inner = found[1]
    if not is_formula(inner, found.string[found.end() : found.end() + 1]):
        return found[0]
    inner = re.sub(r"\\[A-Za-z]+\s*\{([^{}]*)\}", r"\1", inner)
    inner = re.sub(r"\\[,;:! ]", "", inner)
    return re.sub(r"\\([A-Za-z]+|.)", r"\1", inner)


def lose_bare(text: str) -> str:
    """Lose every backslash and dollar."""
    return re.sub(r"[\\$]", "", text)


LOSSES: dict[str, Callable[[str], str]] = {"dump": lose_as_dump, "bare": lose_bare}


@dataclass(slots=True)
class Score:
    """Counts over one kind of loss."""

    formulas: int = 0
    formulas_restored: int = 0
    words: int = 0
    words_restored: int = 0
    phrases: int = 0
    phrases_restored: int = 0
    spoilt: int = 0
    texts: int = 0
    same: int = 0
    misses: list[str] = field(default_factory=list)


def shown_formulas(text: str) -> list[str]:
    """Return what each formula of a LaTeX text is shown as, in order."""
    draft = Draft(text=text)
    hold_formulas(draft)
    return [part.shown for part in draft.parts]


def formula_places(truth: str, formulas: list[str]) -> Iterator[tuple[int, int]]:
    """Find the formulas in the rendered text."""
    at = 0
    for shown in formulas:
        start = truth.find(shown, at)
        if start >= 0 and shown:
            at = start + len(shown)
            yield start, at


def words_of(text: str) -> tuple[list[str], list[int]]:
    """Return the words of a text and for each character the number of the word it is in."""
    words = text.split(" ")
    places = [number for number, word in enumerate(words) for _ in range(len(word) + 1)]
    return words, places


def matched(left: list[str], right: list[str]) -> set[int]:
    """Return which words of ``left`` stand in ``right``, in order."""
    blocks = SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
    return {number for block in blocks for number in range(block.a, block.a + block.size)}


def styled(prose: Prose) -> set[str]:
    """Return the stretches set in a style of their own."""
    kinds = {"emphasis", "strong", "code"}
    return {prose.text[s.start : s.end].strip() for s in prose.spans if s.kind in kinds}


def compare(original: str, lose: Callable[[str], str], score: Score) -> None:
    """Add one abstract to the score."""
    lost = lose(original)
    if lost == original:
        return
    truth, mended = repair(original), repair(lost)
    words, places = words_of(truth.text)
    before = matched(words, lost.split(" "))
    mended_words = mended.text.split(" ")
    after = matched(words, mended_words)
    damaged = set(range(len(words))) - before
    score.texts += 1
    score.same += truth.text == mended.text
    score.words += len(damaged)
    score.words_restored += len(damaged & after)
    score.spoilt += len(before - after)
    phrases = styled(truth)
    score.phrases += len(phrases)
    score.phrases_restored += len(phrases & styled(mended))
    formulas = shown_formulas(original)
    for start, end in formula_places(truth.text, formulas):
        score.formulas += 1
        of_formula = set(places[start:end])
        if of_formula <= after:
            score.formulas_restored += 1
    for number in sorted((damaged | before) - after):
        right = " ".join(words[max(0, number - 2) : number + 3])
        score.misses.append(f"{right!r}   kind={'spoilt' if number in before else 'missed'}")


def report(path: Path, part: str, show: int) -> None:
    """Print the figures for one file."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        texts = [" ".join(json.loads(line)["abstract"].split()) for line in lines if line.strip()]
    if part != "all":
        texts = texts[part == "held" :: 2]
    start = time.perf_counter()
    proses = [repair(text) for text in texts]
    seconds = time.perf_counter() - start
    print(f"{len(texts)} abstracts repaired in {seconds:.2f} s")
    for name, pattern in (("without markup", MARKUP), ("without TeX signs", TEX)):
        plain = [(t, p) for t, p in zip(texts, proses, strict=True) if not pattern.search(t)]
        changed = [(t, p) for t, p in plain if t != p.text]
        print(f"undamaged ({name}): {len(plain)}, changed {len(changed)}")
        for text, prose in changed[:show]:
            at = next(
                (i for i, (a, b) in enumerate(zip(text, prose.text, strict=False)) if a != b), 0
            )
            print(
                f"    {text[max(0, at - 30) : at + 30]!r} -> {prose.text[max(0, at - 30) : at + 30]!r}"
            )
    for name, lose in LOSSES.items():
        score = Score()
        for text in texts:
            if "\\" in text or "$" in text:
                compare(text, lose, score)
        print(
            f"loss {name}: texts {score.texts}, wholly restored {score.same / max(score.texts, 1):.3f};"
            f" formulas {score.formulas}, restored {score.formulas_restored / max(score.formulas, 1):.3f};"
            f" damaged words {score.words}, restored {score.words_restored / max(score.words, 1):.3f};"
            f" styled phrases {score.phrases}, restored {score.phrases_restored / max(score.phrases, 1):.3f};"
            f" whole words spoilt {score.spoilt}"
        )
        for miss in score.misses[:show]:
            print("   ", miss)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--part", choices=["dev", "held", "all"], default="all")
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    report(options.file, options.part, options.show)


if __name__ == "__main__":
    main()
