"""What is fuzzed: functions of some bytes that raise where a promise is broken."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from sitegen import decisions, ledger, references
from sitegen.citations import Citation, bibtex
from sitegen.config import parse_config
from sitegen.correction_block import read_blocks
from sitegen.diagnostics import Problem, SitegenError
from sitegen.formulas import tex_to_mathml, tex_to_text
from sitegen.frontmatter import parse_document
from sitegen.headers import with_fields
from sitegen.markup import markdown_html, markdown_text, prose_html, slugify, truncate
from sitegen.phrases import candidates
from sitegen.repair import repair, repair_title
from sitegen.sentences import sentence_spans
from sitegen.sources import FORMATS, read_text
from sitegen.sources.containers import is_container, unpack
from sitegen.sources.decode import clean, decode
from sitegen.sources.reading import Reading
from sitegen.vocabulary import read_vocabulary
from tests.hostile.corpus import FORMATS as WRITERS
from tests.hostile.corpus import PAYLOADS, encoded, innocent
from tests.hostile.harmless import check_html
from tests.test_source_bounds import check

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Target:
    """One thing to fuzz, with inputs to begin from."""

    run: Callable[[bytes], None]
    seeds: tuple[bytes, ...]


def _said(problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        shown, _, hint = str(problem).partition("\n  hint: ")
        assert "\n" not in shown + hint
        assert problem.location.line >= 0


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _reader(read: Callable[[str, str], Reading]) -> Callable[[bytes], None]:
    def run(data: bytes) -> None:
        text, problems = decode(data, "a")
        _said(problems)
        if text is not None:
            reading = read(text, "a")
            check(reading)
            _said(reading.problems)

    return run


def _archive(data: bytes) -> None:
    if is_container(data):
        for member in unpack(data, "a.zip"):
            _said((member.problem,) if member.problem else ())


def _repair(data: bytes) -> None:
    prose = repair(_text(data))
    check_html(str(prose_html(prose)))
    assert repair(prose.text).text == prose.text
    truncate(prose, 40)
    repair_title(_text(data))


def _formula(data: bytes) -> None:
    text = " ".join(clean(data.decode("utf-8", "replace"))[0].split())
    tex_to_text(text).encode()
    if mathml := tex_to_mathml(text):
        check_html(mathml)
        if not any(char < " " or char in "\ufffe\uffff" for char in text):
            ElementTree.fromstring(mathml)


def _front_matter(data: bytes) -> None:
    document, problems = parse_document(data, "content/pages/a.md")
    _said(problems)
    json.dumps([[field.value, field.line] for field in document.fields.values()]).encode()
    check_html(str(markdown_html(document.body)))
    markdown_text(document.body)
    document.body.encode()


def _fields(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    document, problems = parse_document(data, "a.md")
    if problems or not document.fields:
        return
    try:
        changed = with_fields(text, {"title": "A: b", "tags": ("x", "#y")})
    except SitegenError:
        return
    again, problems = parse_document(changed.encode(), "a.md")
    assert not problems
    assert again.fields["title"].value == "A: b"
    assert again.fields["tags"].value == ("x", "#y")
    assert again.body == document.body
    for key in document.fields.keys() - {"title", "tags"}:
        old, new = document.fields[key].value, again.fields[key].value
        assert isinstance(old, str) == isinstance(new, str)
        assert "".join(old).strip() == "".join(new).strip()


def _config(data: bytes) -> None:
    try:
        config, problems = parse_config(data.decode("utf-8", "replace"))
    except SitegenError as exc:
        _said(exc.problems)
        return
    _said(problems)
    assert config.base_path.startswith("/")


def _decisions(data: bytes) -> None:
    found, problems = decisions.parse_decisions(data)
    _said(problems)
    one, two = decisions.Side(mark="0" * 16, text="a\nb"), decisions.Side(mark="1" * 16)
    try:
        changed = decisions.with_answer(data.decode("utf-8", "replace"), one, two, same=True)
    except SitegenError as exc:
        _said(exc.problems)
        return
    if not problems:
        again = decisions.parse_decisions(changed.encode())[0]
        assert len(again) in {len(found), len(found) + 1}


def _vocabulary(data: bytes) -> None:
    try:
        _said(read_vocabulary(data.decode("utf-8", "replace"), "a.toml")[1])
    except SitegenError as exc:
        _said(exc.problems)


def _registry(data: bytes) -> None:
    try:
        registry, problems = ledger.parse(data)
    except SitegenError as exc:
        _said(exc.problems)
        return
    _said(problems)
    assert ledger.parse(ledger.dump(registry))[0] == registry


def _references(data: bytes) -> None:
    try:
        found, problems = references.parse(data)
    except SitegenError as exc:
        _said(exc.problems)
        return
    _said(problems)
    references.dump(found)


def _blocks(data: bytes) -> None:
    corrections, problems = read_blocks(data.decode("utf-8", "replace"), "issue")
    _said(problems)
    for correction in corrections:
        assert correction.line >= 1


def _bibliography(data: bytes) -> None:
    text = " ".join(data.decode("utf-8", "replace").split())[:100]
    entry = bibtex(
        Citation(id="x", url="https://a.example/", title=f"a{text}", authors=(f"b{text}",),
                 venue=text, keywords=(text,), doi=f"10.5555/{text}")
    )  # fmt: skip
    (found,) = read_text(f"{entry}\n@misc{{y, title={{Next}}}}\n", "a.bib").found[:1]
    assert read_text(f"{entry}\n@misc{{y, title={{Next}}}}\n", "a.bib").found[-1].line > found.line


def _words(data: bytes) -> None:
    text = repair(_text(data)).text
    for found in candidates(text):
        assert found.surface
    sentence_spans(text)
    slug = slugify(text)
    assert len(slug) <= 80
    assert slug.isascii()


_SAMPLES = ROOT / "tests/samples"
_TEX = (
    rb"\frac{a}{b}", rb"x_{i}^{2}", rb"\left( \sqrt[3]{x} \right)",
    rb"\begin{cases}a&b\\c\end{cases}",
    rb"\text{if $x$}", rb"\mathbb{R}^n \to \mathcal{O}(n\log n)",
    rb"\hat\theta", rb"\operatorname{x}",
    rb"\not\in \overset{a}{\to} \underbrace{x}_{y}", rb"\binom{n}{k} \pmod{3}",
)  # fmt: skip
_HEADER = (
    b"---\ntitle: A\ntags: [x, 'y: z']\nauthors:\n  - A b\n  - C\n# note\ndate: 2031-05\n---\nB.\n",
    b'---\ntitle: >\n  folded\n  text\nurl: "https://a.example"\n---\n# T\n\n[x](y) ![p](q)\n',
)
_TOML = (
    (ROOT / "content/site.toml").read_bytes(),
    b'title = "A"\n[tags]\nlimit = 3\n[[source]]\npath = "seeds/*"\ndate = "2031"\n'
    b"[dedup]\njoin=0.5\n",
)
_PAIR = (
    b'# kept\n[[pair]]\nanswer = "same"\nleft = "aaaaaaaaaaaaaaaa"\nright = "bbbbbbbbbbbbbbbb"\n',
    b"[[pair]]\nanswer = 'different'\nleft = 'a'\nright = 'b'\nnote = '''x\ny'''\n",
)
_TERMS = (
    b'replace = true\n[terms]\nLLM = ["large language model"]\nx = false\n[broader]\na = ["b"]\n',
)
_BLOCK = (
    b'text\n```json\n{\n"id": "01yzf68r",\n"title": "A",\n"tags": ["x"],\n"pick": true\n}\n```\n',
)
_REGISTRY = (b"".join((ROOT / "content/registry.jsonl").read_bytes().splitlines(True)[:12]),)
_PROSE = (
    *(encoded(text) for text in PAYLOADS[::7]),
    b"We use $x_{i} < 4$ ppm of CO$_2$ (see \\textbf{here} \\cite{a}) at 10\\% -- "
    b"https://a.example/b_c).",
)
_FILES = {
    form.name: tuple(
        path.read_bytes()
        for path in sorted(_SAMPLES.iterdir())
        if form.recognises(decode(path.read_bytes(), "a")[0] or "")
    )
    for form in FORMATS
}
_WRITTEN = tuple(write([innocent(1), innocent(2)]).encode() for write in WRITERS.values())

TARGETS: Mapping[str, Target] = {
    **{
        f"read {form.name}": Target(_reader(form.read), (*_FILES[form.name], *_WRITTEN))
        for form in FORMATS
    },
    "read any": Target(_reader(read_text), _WRITTEN),
    "archive": Target(_archive, (b"PK\x03\x04", b"\x1f\x8b\x08")),
    "repair": Target(_repair, _PROSE),
    "formula": Target(_formula, _TEX),
    "front matter": Target(_front_matter, _HEADER),
    "header fields": Target(_fields, _HEADER),
    "settings": Target(_config, _TOML),
    "decisions": Target(_decisions, _PAIR),
    "aliases": Target(_vocabulary, _TERMS),
    "registry": Target(_registry, _REGISTRY),
    "references": Target(_references, (b'{"kind":"references","format":1}\n',)),
    "correction": Target(_blocks, _BLOCK),
    "bibliography": Target(_bibliography, _PROSE),
    "words": Target(_words, _PROSE),
}
