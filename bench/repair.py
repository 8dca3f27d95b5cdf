r"""Measure the repair of damaged abstracts against arXiv abstracts, whose LaTeX is the answer.

Each abstract with markup loses it as the source dumps lose theirs, is repaired, and is compared
with what its own LaTeX renders to. Two kinds of loss:

``dump``  inside ``$…$`` the dollars and backslashes go, and commands lose their name where they
          hold an argument (``\mathbb{R}`` leaves ``R``); outside of it LaTeX stays: so the dumps
``bare``  every backslash and dollar of the abstract goes, and nothing else

The rules were made looking at the parts ``dev`` (every other abstract) and ``second`` (the next
quarter); ``held`` (the last quarter) was only ever counted.

usage: repair.py FILE.jsonl[.gz] [--part dev|second|held|all] [--show N]
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

from sitegen.formulas import tex_to_mathml
from sitegen.records import Prose
from sitegen.repair import repair, repair_steps
from sitegen.repair.draft import Draft
from sitegen.repair.mathmode import hold_formulas, is_formula

MARKUP = re.compile(r"[\\$^_{}~`*|#&<>]|--|''| - |\w/\w*/|[^\x20-\x7e]")
"""An abstract without any of these has nothing to repair."""
GLUED = re.compile(r"[a-z)%][.!?][A-Z][a-z]|[a-z]{3}\([A-Z]|% ?[A-Z][a-z]+ ")
"""Lost spaces and commented sentences: damage as well, though no markup."""
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


PARTS = {
    "all": slice(None),
    "dev": slice(0, None, 2),
    "second": slice(1, None, 4),
    "held": slice(3, None, 4),
}
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

    def __str__(self) -> str:
        shares = (
            ("texts wholly restored", self.same, self.texts),
            ("formulas", self.formulas_restored, self.formulas),
            ("damaged words", self.words_restored, self.words),
            ("styled phrases", self.phrases_restored, self.phrases),
        )
        told = [f"{name} {good}/{of} = {good / max(of, 1):.3f}" for name, good, of in shares]
        return "; ".join([*told, f"sound words spoilt {self.spoilt}"])


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
    texts = texts[PARTS[part]]
    start = time.process_time()
    proses = [repair(text) for text in texts]
    print(f"{len(texts)} abstracts repaired in {time.process_time() - start:.2f} s of CPU")
    formulas = [span.value for prose in proses for span in prose.spans if span.kind == "math"]
    shown = sum(tex_to_mathml(tex) is not None for tex in formulas)
    print(f"formulas as MathML: {shown} of {len(formulas)}")
    for name, patterns in (
        ("without markup or lost spaces", (MARKUP, GLUED)),
        ("without markup", (MARKUP,)),
        ("without TeX signs", (TEX,)),
    ):
        pairs = list(zip(texts, proses, strict=True))
        report_undamaged(
            name, [p for p in pairs if not any(x.search(p[0]) for x in patterns)], show
        )
    for name, lose in LOSSES.items():
        score = Score()
        for text in texts:
            if "\\" in text or "$" in text:
                compare(text, lose, score)
        print(f"loss {name}: {score}")
        for miss in score.misses[:show]:
            print("   ", miss)


def report_undamaged(name: str, pairs: list[tuple[str, Prose]], show: int) -> None:
    """Print how many undamaged texts were changed, and by which rules."""
    changed = [(text, prose) for text, prose in pairs if text != prose.text]
    rules = Counter(step[0] for text, _ in changed for step in repair_steps(text))
    print(f"undamaged ({name}): {len(pairs)}, changed {len(changed)} {dict(rules.most_common())}")
    for text, prose in changed[:show]:
        pairs_of_chars = enumerate(zip(text, prose.text, strict=False))
        at = next((i for i, (a, b) in pairs_of_chars if a != b), 0)
        window = slice(max(0, at - 30), at + 30)
        print(f"    {text[window]!r} -> {prose.text[window]!r}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--part", choices=list(PARTS), default="all")
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    report(options.file, options.part, options.show)


if __name__ == "__main__":
    main()
