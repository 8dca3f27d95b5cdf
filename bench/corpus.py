"""Makes digests of any size: invented papers from the seeds' own sentences, or real ones of arXiv.

usage: python -m bench.corpus N --out DIR [--add M] [--markdown DIR]
       python -m bench.corpus --arxiv DUMPS --out DIR

Paper number n is the same whatever N, so that figures can be repeated and a digest can grow:
`--add` writes M further papers to a seed file of their own, as a day's news. One paper in fifty is
nearly another one; `duplicates.tsv` says which. `--markdown` writes the same papers for Hugo.
`DUMPS` holds ``*.jsonl.gz`` with records of arXiv's listings.
"""

from __future__ import annotations

import argparse
import calendar
import datetime
import gzip
import json
import random
import re
import shutil
from bisect import bisect
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from bench.duplicates import ROOT
from bench.wordstock import (
    ADDRESS,
    NAME,
    NUMBER,
    PHRASE,
    PHRASES,
    Stock,
    Template,
    load_stock,
)

COPIES = 50
"""One paper in so many is nearly an earlier one."""
FIRST_DAY = datetime.date(2016, 1, 1)
DAYS = 3653
"""Ten years."""
NEWS = "2026-01-02"
"""Day and edition of what is added."""
LENGTH, SPREAD = 1300, 280
"""Characters of an abstract: mean and standard deviation."""
GOLDEN = 0.6180339887498949
"""Fraction of the golden ratio: its multiples spread dates evenly, however many there are."""
SYLLABLES = tuple(
    f"{onset}{vowel}{coda}"
    for onset in ("b", "br", "d", "dr", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z")
    for vowel in "aeiou"
    for coda in ("", "l", "n", "r", "x")
)
TAILS = ("", "Net", "Bench", "LM", "Former", "Tune", "Eval", "RAG", "-2", "QA", "Merge", "Prune")
TITLES = (
    "{0} for {1}", "{0} with {1}", "On {0} and {1}", "{0} beyond {1}", "Does {0} need {1}?",
    "Towards {0} in {1}", "A study of {0} under {1}", "Rethinking {0} through {1}",
)  # fmt: skip

_ARTICLE = re.compile(r"\b([Aa])n? (?=([a-z]))")


@dataclass(frozen=True, slots=True, kw_only=True)
class Invented:
    """A paper of the generator."""

    number: int
    title: str
    name: str
    """What it introduces; empty for a third of them."""
    authors: tuple[str, ...]
    date: str
    abstract: str
    topic: str
    """Slug of the topic that its words were chosen for."""
    tags: tuple[str, ...]
    """Phrases put into the text, by a Zipf law."""
    copy_of: int = -1
    """Number of the paper that it nearly is; -1 for one of its own."""

    @property
    def doi(self) -> str:
        """DOI under the prefix for tests; a copy has none."""
        return "" if self.copy_of >= 0 else f"10.5555/bench.{self.number}"


def invent(number: int, date: str = "") -> Invented:
    """Return the paper of a number, always the same.

    Args:
        number: from 0.
        date: ISO 8601; else a day of the ten years.
    """
    rng = random.Random(f"paper {number}")
    date = date or str(FIRST_DAY + datetime.timedelta(int(number * GOLDEN % 1 * DAYS)))
    if number % COPIES == COPIES - 1:
        original = rng.randrange(number // COPIES * COPIES) if number >= COPIES else 0
        original -= original % COPIES == COPIES - 1
        return _copy(invent(original), number, date, rng)
    stock = load_stock()
    topic, own = stock.topics[_skewed(rng, len(stock.topics))]
    tags = _tags(rng, stock, own)
    name = _name(rng) if rng.random() < 0.66 else ""
    head = rng.choice(TITLES).format(tags[0], _plural(tags[1]))
    title = head[0].upper() + head[1:]
    return Invented(
        number=number,
        title=f"{name}: {title}" if name and rng.random() < 0.8 else title,
        name=name,
        authors=tuple(_person(rng) for _ in range(1 + int(rng.expovariate(0.25)))),
        date=date,
        abstract=_abstract(rng, stock, name, tags),
        topic=topic.slug,
        tags=tags,
    )


def _copy(paper: Invented, number: int, date: str, rng: random.Random) -> Invented:
    """Return a later version of a paper: some words changed, perhaps a sentence more."""
    words = paper.abstract.split(" ")
    stock = load_stock()
    for _ in range(rng.randrange(1, 4)):
        words[rng.randrange(len(words))] = rng.choice(stock.words["NN"])
    text = " ".join(words)
    if rng.random() < 0.3:
        text += " " + _fill(rng, stock, rng.choice(stock.endings), paper.name, paper.tags)
    return replace(paper, number=number, date=date, abstract=text, copy_of=paper.number)


def _skewed(rng: random.Random, size: int) -> int:
    return int(size * rng.random() ** 1.6)


def _tags(rng: random.Random, stock: Stock, own: tuple[str, ...]) -> tuple[str, ...]:
    """Choose two phrases of a topic, three of all, and one that is put together anew."""
    words = stock.words
    chosen = [own[_skewed(rng, len(own))], own[_skewed(rng, len(own))]]
    chosen += [_phrase(rng, stock) for _ in range(3)]
    chosen.append(f"{rng.choice(words['JJ'])} {rng.choice(words['NN'])}")
    rng.shuffle(chosen)
    unique = tuple(dict.fromkeys(chosen))
    return unique if len(unique) > 1 else (*unique, chosen[0] + " model")


def _phrase(rng: random.Random, stock: Stock) -> str:
    return stock.phrases[bisect(stock.weights, rng.random() * stock.weights[-1])]


def _name(rng: random.Random) -> str:
    syllables = [rng.choice(SYLLABLES) for _ in range(rng.choice((2, 2, 3)))]
    return "".join(part.capitalize() for part in syllables) + rng.choice(TAILS)


def _person(rng: random.Random) -> str:
    family = "".join(rng.choice(SYLLABLES) for _ in range(rng.choice((2, 3)))).capitalize()
    return f"{rng.choice(SYLLABLES).capitalize()}{rng.choice(SYLLABLES)} {family}"


def _abstract(rng: random.Random, stock: Stock, name: str, tags: tuple[str, ...]) -> str:
    length = min(max(int(rng.gauss(LENGTH, SPREAD)), 450), 2400)
    parts = [_fill(rng, stock, rng.choice(stock.openings), name, tags)]
    ending = _fill(rng, stock, rng.choice(stock.endings), name, tags)
    size = len(parts[0]) + len(ending)
    if name:
        parts.append(_fill(rng, stock, rng.choice(stock.introductions), name, tags))
        size += len(parts[-1])
    while size < length:
        parts.append(_fill(rng, stock, rng.choice(stock.middles), name, tags))
        size += len(parts[-1]) + 1
    return " ".join([*parts, ending])


def _fill(
    rng: random.Random, stock: Stock, template: Template, name: str, tags: tuple[str, ...]
) -> str:
    """Return a sentence with its slots filled: half its words, and what makes it this paper's."""
    pieces = [template.texts[0]]
    chance, words = rng.random, stock.words
    for (kind, old), text in zip(template.slots, template.texts[1:], strict=True):
        if kind in {PHRASE, PHRASES}:
            draw = chance()
            new = tags[int(draw / 0.5 * len(tags))] if draw < 0.5 else _phrase(rng, stock)
            pieces.append(new if kind == PHRASE else _plural(new))
        elif kind == NAME:
            pieces.append(name or "our method")
        elif kind == NUMBER:
            new = str(rng.randrange(2, 100))
            pieces.append(f"{new}.{rng.randrange(10)}" if "." in old else new)
        elif kind == ADDRESS:
            pieces.append(f"https://github.com/example/{(name or tags[0]).replace(' ', '-')}")
        elif chance() < 0.5:
            own = words[kind]
            pieces.append(own[int(chance() * len(own))])
        else:
            pieces.append(old)
        pieces.append(text)
    return _ARTICLE.sub(_article, "".join(pieces))


def _article(match: re.Match[str]) -> str:
    return f"{match[1]}{'n' if match[2] in 'aeio' else ''} "


def _plural(phrase: str) -> str:
    if phrase.endswith(("s", "x", "ch", "sh")):
        return phrase
    return f"{phrase[:-1]}ies" if phrase.endswith("y") else f"{phrase}s"


def write_digest(out: Path, count: int, added: int = 0) -> None:
    """Write a digest's folder: settings, the seeds' topics, an edition a month, seeds, answers.

    Args:
        out: made where it does not exist; its seeds are replaced.
        count: papers of the ten years, numbers from 0.
        added: papers of the day after, the next numbers.
    """
    _begin(out, "Papers at size")
    with ExitStack() as stack:
        pairs = stack.enter_context((out / "duplicates.tsv").open("w", encoding="utf-8"))
        files: dict[str, TextIO] = {}
        for paper in papers(count, added):
            month = paper.date if paper.number >= count else paper.date[:7]
            if month not in files:
                path = out / "seeds" / f"{month}.jsonl"
                files[month] = stack.enter_context(path.open("w", encoding="utf-8"))
                _write_edition(out, month)
            files[month].write(json.dumps(_record(paper), ensure_ascii=False) + "\n")
            if paper.copy_of >= 0:
                pairs.write(f"{paper.number}\t{paper.copy_of}\n")


def papers(count: int, added: int = 0) -> Iterator[Invented]:
    """Yield the papers of a digest, see `write_digest`."""
    yield from (invent(number) for number in range(count))
    yield from (invent(count + number, NEWS) for number in range(added))


def _record(paper: Invented) -> dict[str, object]:
    record: dict[str, object] = {
        "title": paper.title, "authors": list(paper.authors), "date": paper.date,
        "abstract": paper.abstract,
    }  # fmt: skip
    return record | ({"doi": paper.doi} if paper.doi else {})


def _begin(out: Path, title: str) -> None:
    shutil.rmtree(out / "seeds", ignore_errors=True)
    shutil.rmtree(out / "content" / "editions", ignore_errors=True)
    for folder in ("seeds", "content/editions"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    shutil.copytree(ROOT / "content" / "topics", out / "content" / "topics", dirs_exist_ok=True)
    settings = f'title = "{title}"\nbase_url = "https://digest.example/"\n'
    (out / "content" / "site.toml").write_text(settings, encoding="utf-8")


def _write_edition(out: Path, date: str) -> None:
    year, month, *day = date.split("-")
    title = " ".join([*(str(int(each)) for each in day), calendar.month_name[int(month)], year])
    text = f"---\ntitle: {title}\ndate: {date}\n---\n"
    (out / "content" / "editions" / f"{date}.md").write_text(text, encoding="utf-8")


def write_arxiv(out: Path, dumps: Path) -> int:
    """Write a digest of the records in arXiv dumps, an edition a day; returns their number."""
    _begin(out, "arXiv at size")
    days: dict[str, list[str]] = {}
    for line in _lines(sorted(dumps.glob("*.jsonl.gz"))):
        days.setdefault(json.loads(line)["date"], []).append(line)
    for day, lines in sorted(days.items()):
        (out / "seeds" / f"{day}.jsonl").write_text("".join(lines), encoding="utf-8")
        _write_edition(out, day)
    return sum(map(len, days.values()))


def _lines(files: Iterable[Path]) -> Iterator[str]:
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            yield from lines


def main() -> None:
    """Write what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("count", type=int, nargs="?", default=0, metavar="N")
    parser.add_argument("--out", type=Path, metavar="DIR")
    parser.add_argument("--add", type=int, default=0, metavar="M")
    parser.add_argument("--markdown", type=Path, metavar="DIR")
    parser.add_argument("--arxiv", type=Path, metavar="DUMPS")
    args = parser.parse_args()
    if args.arxiv and args.out:
        print(f"{write_arxiv(args.out, args.arxiv):,} papers of arXiv in {args.out}")
        return
    if args.out:
        write_digest(args.out, args.count, args.add)
        print(f"{args.count + args.add:,} papers in {args.out}")
    if args.markdown:
        from bench.hugo import write_markdown

        write_markdown(args.markdown, papers(args.count, args.add))
        print(f"{args.count + args.add:,} papers as Markdown in {args.markdown}")


if __name__ == "__main__":
    main()
