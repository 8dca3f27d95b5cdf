"""A small invented digest as the stages hand it to the site model, and its pages drawn at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from sitegen import exports, render
from sitegen.config import Config
from sitegen.pages import SiteInput
from sitegen.records import (
    Author,
    Content,
    Doubt,
    Edition,
    Link,
    MergedText,
    Metadata,
    Name,
    Naming,
    OutFile,
    Override,
    Paper,
    Place,
    Prose,
    Relation,
    SourceCount,
    Span,
    Tag,
    Tagging,
    TextPage,
    Topic,
    TopicChoice,
    TopicScore,
)
from sitegen.views import Site

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
BASE_URL = "https://lab.example/reading/"

TOPICS = (
    Topic(
        slug="water",
        title="Lakes & rivers",
        body="How lakes, rivers and fjords are *measured*. See [the data](/data/papers.jsonl).",
        aliases=("Limnology", "fresh water"),
    ),
    Topic(slug="otters", title="Otter acoustics", parent="water", order=1, body="What otters say."),
    Topic(slug="mud", title="Mud", order=2),
)
EDITIONS = (
    Edition(slug="spring", title="Spring notes", date="2031-05-01", files=("seeds/spring.txt",)),
    Edition(
        slug="autumn", title="Autumn notes", date="2031-11", files=("seeds/autumn.txt",),
        body="What came in *late*.",
    ),
)  # fmt: skip


def identifier(number: int) -> str:
    """Return the id of the n-th invented paper."""
    return "k0" + "".join(ALPHABET[number // 32**power % 32] for power in range(5, -1, -1))


def place(number: int, edition: str = "spring") -> Place:
    """Return the n-th place of an edition's file."""
    dates = {"spring": "2031-05-01", "autumn": "2031-11"}
    return Place(
        file=f"seeds/{edition}.txt",
        position=number,
        line=2 * number + 1,
        edition=edition,
        date=dates[edition],
    )


def paper(number: int, text: str = "", **changes: object) -> Paper:
    """Return an invented paper."""
    text = text or (
        f"Low-cost flux meters are slow. We present Kelp-{number}, a meter for low-cost flux in "
        "fjords that needs no calibration. It is 1.85× faster than what came before."
    )
    made = Paper(
        id=identifier(number),
        prose=Prose(text=text),
        source_text=text.replace("×", "times"),
        title=None,
        metadata=Metadata(),
        links=(),
        places=(place(number),),
        first_seen="2031-05-01",
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def naming(number: int) -> Naming:
    """Return the naming of the n-th paper."""
    return Naming(
        title=f"Kelp-{number}: a low-cost flux meter for fjords",
        title_source="derived",
        names=(Name(text=f"Kelp-{number}"),),
        gist=f"We present Kelp-{number}, a meter for low-cost flux in fjords.",
    )


def tagging(*pairs: tuple[str, str, bool]) -> Tagging:
    """Return tags from (name, slug, page)."""
    return Tagging(
        tags=tuple(
            Tag(name=name, slug=slug, score=0.9 - 0.1 * rank, page=page, surfaces=(name,))
            for rank, (name, slug, page) in enumerate(pairs)
        )
    )


def choice(*slugs: str) -> TopicChoice:
    """Return topics with falling scores."""
    return TopicChoice(
        topics=tuple(TopicScore(slug=s, score=0.8 - 0.2 * rank) for rank, s in enumerate(slugs))
    )


FLUX = ("flux meter", "flux-meter", True)
FJORD = ("fjords", "fjords", True)
RARE = ("calibration drift", "calibration-drift", False)


def digest(count: int = 12, *, config: Config | None = None, **changes: object) -> SiteInput:
    """Return an invented digest of ``count`` plain papers; changes replace whole fields."""
    numbers = range(1, count + 1)
    made = SiteInput(
        config=config or Config(title="Mud & Otters", base_url=BASE_URL),
        content=Content(welcome="Notes on *mud*.", headline="What the otters say"),
        papers=tuple(paper(number) for number in numbers),
        namings=tuple(naming(number) for number in numbers),
        taggings=tuple(
            tagging(FLUX, FJORD) if number % 2 else tagging(FLUX, RARE) for number in numbers
        ),
        topic_choices=tuple(
            choice("water", "otters") if number % 3 else choice("mud") for number in numbers
        ),
        relations=tuple(
            (Relation(id=identifier(number % count + 1), score=0.7, why=("low-cost flux",)),)
            for number in numbers
        ),
        topics=TOPICS,
        editions=EDITIONS,
        counts=(
            SourceCount(file="seeds/spring.txt", read=count, kept=count, merged=0, reported=0),
            SourceCount(file="seeds/autumn.txt", read=0, kept=0, merged=0, reported=0),
        ),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def rich_digest() -> SiteInput:
    """Return a digest that has one of everything."""
    base = digest(12, config=Config(
        title="Mud & Otters", base_url=BASE_URL, repository="https://github.com/lab/reading",
        description="Papers on mud.",
    ))  # fmt: skip
    papers, namings = list(base.papers), list(base.namings)
    hostile = (
        "safe<script>x()</script><img src=x onerror=y()> & {{ 7*7 }} {% raw %} in C++ and GPT-4"
    )
    papers[0] = paper(1, hostile)
    namings[0] = Naming(
        title="When p<q and n<m", title_source="derived", names=(), gist="safe<script>x()</script>"
    )
    papers[1] = paper(
        2,
        metadata=Metadata(
            title="Counting otters by ear",
            authors=(
                Author(name="Øydis Kvæle", family="Kvæle", given="Øydis"),
                Author(name="Leo De Santis"),
            ),
            date="2031",
            arxiv="3105.12340",
            doi="10.5555/(SICI)12(2031)1:2<3::AID-X4>3.0.CO;2-#",
        ),
        links=(
            Link(kind="code", url="https://github.com/lab/otters"),
            Link(kind="other", url="javascript:alert(1)"),
        ),
    )
    namings[1] = Naming(
        title="Counting otters by ear", title_source="source", gist="Otters are counted by ear.",
        names=(Name(text="E²-Otter", expansion="Ear-to-Ear Otter"), Name(text="OtterSet")),
    )  # fmt: skip
    papers[2] = paper(
        3,
        places=(place(3), place(1, "autumn"), place(2, "autumn")),
        merged=(
            MergedText(
                kind="near", score=0.97, text="Nearly & the same.", place=place(2, "autumn")
            ),
        ),
    )
    papers[3] = paper(4, "محتوى عربي عن الأنهار والبحيرات.")
    papers[4] = paper(5, metadata=Metadata(
        title="x", date="2031-05-01",
        authors=tuple(Author(name=f"Person {n}") for n in range(2800)),
    ))  # fmt: skip
    namings[4] = Naming(
        title="A collaboration paper", title_source="source", names=(), gist="Gist."
    )
    papers[5] = paper(
        6, "The bound is O(n²) for all n.", prose=Prose(
            text="The bound is O(n²) for all n.",
            spans=(Span(start=13, end=18, kind="math", value="O(n^2)"),),
        ),
    )  # fmt: skip
    overrides = {
        identifier(7): Override(
            id=identifier(7), path="content/papers/7.md", withdrawn="Asked for."
        ),
        identifier(8): Override(
            id=identifier(8), path="content/papers/8.md", same_as=identifier(9)
        ),
        identifier(9): Override(
            id=identifier(9), path="content/papers/9.md", pick=True, note="Read *this* first."
        ),
    }
    counts = (
        SourceCount(file="seeds/spring.txt", read=13, kept=12, merged=0, reported=1),
        SourceCount(file="seeds/autumn.txt", read=2, kept=0, merged=2, reported=0),
    )
    content = replace(
        base.content,
        overrides=overrides,
        pages=(
            TextPage(
                slug="about",
                title="About this",
                body="# Hm\n\nText.",
                path="content/pages/about.md",
            ),
        ),
    )
    return replace(
        base,
        positions=tuple((n / 12, (5 * n % 12) / 12) for n in range(12)),
        papers=tuple(papers),
        namings=tuple(namings),
        content=content,
        counts=counts,
        doubts=(
            Doubt(left=place(10), right=place(11), kind="names", score=0.3, evidence=("Kelp",)),
        ),
    )


def drawn_pages(site: Site, template_dirs: Sequence[Path] = ()) -> Iterator[OutFile]:
    """Yield the files of the app and of each page, made here and now."""
    lines = exports.Lines(site.records, site.info.base_url, site.weights)
    app = render.app_files(site, lines.key, lines.version)
    for file in (*app, *render.page_files(site, template_dirs)):
        yield OutFile(path=file.path, data=file.data)
