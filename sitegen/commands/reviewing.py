"""Tell doubtful duplicates apart or join them, one pair at a time."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

import click

from sitegen.commands.options import AS_JSON, ROOT, mendable

if TYPE_CHECKING:
    from sitegen.review import ReviewPair, ReviewText
    from sitegen.word_diff import Piece

WIDEST = 100
"""Columns of a shown text at most."""
ARE = {"same": "one paper", "different": "two papers"}
LINE = 72
"""Letters of a text in a list."""
ANSWERS = {
    "s": "same", "same": "same", "d": "different", "different": "different", "k": "skip",
    "skip": "skip", "": "skip", "q": "quit", "quit": "quit",
}  # fmt: skip


@click.command()
@ROOT
@click.option("--list", "as_list", is_flag=True, help="Print the pairs and ask nothing.")
@AS_JSON
@click.option("--merged", is_flag=True, help="Show what was merged, to part what is not one paper.")
@click.option(
    "--answer",
    nargs=3,
    metavar="same|different LEFT RIGHT",
    help="Answer for two papers or texts, by id or fingerprint, and ask nothing.",
)
@mendable
def review(
    root: Path, answer: tuple[str, str, str] | None, *, as_list: bool, as_json: bool, merged: bool
) -> None:
    """Decide which doubtful pairs of texts are one paper.

    Answers go to content/decisions.toml and hold for ever, for later versions of the texts too. The
    next build follows them; every address that was ever published goes on answering.
    """
    from sitegen.build import gather
    from sitegen.digest import BuildOptions
    from sitegen.memory import Memory
    from sitegen.progress import Progress
    from sitegen.review import Pairs

    if answer and answer[0] not in {"same", "different"}:
        raise click.BadParameter("say same or different first", param_hint="--answer")
    pairs = Pairs(gather(BuildOptions(root=root, frozen=True), Progress(), Memory()))
    if answer:
        one, two = pairs.find(answer[1], answer[2])
        _record(root, one, two, answer[0])
        return
    chosen = pairs.merged() if merged else pairs.doubtful()
    if as_json:
        click.echo(json.dumps([pair.to_json() for pair in chosen], ensure_ascii=False, indent=1))
    elif as_list:
        for pair in chosen:
            click.echo("\n".join(_listed(pair)))
        click.echo(_count(len(chosen), merged=merged), err=True)
    else:
        _ask_all(root, chosen, merged=merged)


def _count(number: int, *, merged: bool) -> str:
    what = "merged" if merged else "doubtful"
    return f"{number} {what} pair{'' if number == 1 else 's'}"


def _record(root: Path, one: ReviewText, two: ReviewText, answer: str) -> None:
    """Write one answer into the curator's file."""
    from sitegen.atomic import write_atomic
    from sitegen.decisions import DECISIONS, Side, with_answer

    path = root / DECISIONS
    before = path.read_bytes().decode("utf-8-sig", "replace") if path.is_file() else ""
    sides = [Side(mark=side.mark, paper=side.own, text=side.text) for side in (one, two)]
    write_atomic(path, with_answer(before, *sides, same=answer == "same").encode())
    click.echo(f"{DECISIONS}: {one.own or one.mark} and {two.own or two.mark} are {ARE[answer]}")


# ---- asking -------------------------------------------------------------------------------------
def _ask_all(root: Path, pairs: Sequence[ReviewPair], *, merged: bool) -> None:
    """Show pair after pair until all are answered, skipped or the curator leaves."""
    answered = 0
    for number, pair in enumerate(pairs, 1):
        click.echo("\n".join(_shown(pair, f"{number} of {len(pairs)}")))
        answer = _ask()
        if answer == "quit":
            break
        if answer != "skip":
            _record(root, pair.left, pair.right, answer)
            answered += 1
        click.echo()
    then = "; the next build follows them" if answered else ""
    click.echo(f"{_count(len(pairs), merged=merged)}, {answered} answered{then}")


def _ask() -> str:
    """Return same, different, skip or quit; the end of the input quits."""
    while True:
        click.echo("[s]ame, [d]ifferent, s[k]ip, [q]uit? ", nl=False)
        line = sys.stdin.readline()
        answer = ANSWERS.get(line.strip().lower()) if line else "quit"
        if answer:
            return answer


# ---- showing ------------------------------------------------------------------------------------
def _listed(pair: ReviewPair) -> Iterator[str]:
    yield f"{pair.kind} {pair.score:.2f}"
    for side in (pair.left, pair.right):
        yield f"  {_name(side)}  {shorten(side.title or side.text, LINE, placeholder=' …')}"
    for phrase in pair.evidence:
        yield f"  shared: {phrase}"


def _name(side: ReviewText) -> str:
    where = f"{side.place.file}:{side.place.line}"
    return f"{side.own or side.mark}  {where}"


def _shown(pair: ReviewPair, number: str) -> Iterator[str]:
    """Yield the lines of a pair: what it is, the evidence, both texts as one with differences."""
    from sitegen.word_diff import word_diff

    width = min(shutil.get_terminal_size().columns, WIDEST)
    yield click.style(f"Pair {number}: {_reason(pair)}", bold=True)
    for label, side in (("left", pair.left), ("right", pair.right)):
        title = f"  {side.title}" if side.title else ""
        yield f"{_styled(label, label)}{' ' * (7 - len(label))}{_name(side)}{title}"
    for phrase in pair.evidence:
        yield f"shared: {phrase}"
    yield ""
    yield from _wrapped(word_diff(pair.left.text, pair.right.text), width)
    yield ""


def _reason(pair: ReviewPair) -> str:
    if pair.merged:
        return f"merged ({pair.kind}, {pair.score:.2f})"
    what = {
        "overlap": "share passages",
        "names": "share names and rare phrases",
        "title": "have close titles",
    }
    return f"{what.get(pair.kind, pair.kind)} ({pair.score:.2f})"


def _wrapped(pieces: Iterable[Piece], width: int) -> Iterator[str]:
    """Yield lines of styled words; the marks of git's word diff say it without colours."""
    line: list[str] = []
    used = 0
    for piece in pieces:
        words = list(piece.words)
        if piece.change != "same":
            opening, closing = ("[-", "-]") if piece.change == "left" else ("{+", "+}")
            words[0] = opening + words[0]
            words[-1] += closing
        for word in words:
            if line and used + 1 + len(word) > width:
                yield " ".join(line)
                line, used = [], 0
            used += len(word) + bool(line)
            line.append(_styled(word, piece.change))
    if line:
        yield " ".join(line)


def _styled(text: str, change: str) -> str:
    """Return text in the colour of what it is: strike and line tell it to the colour-blind."""
    if change == "left":
        return click.style(text, fg="red", strikethrough=True)
    if change == "right":
        return click.style(text, fg="green", underline=True)
    return text
