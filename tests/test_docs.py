"""The documentation says what the program does, completely."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from sitegen.cli import main
from sitegen.config import parse_config
from sitegen.content import EDITION_KEYS, PAGE_KEYS, PAPER_KEYS, TOPIC_KEYS
from sitegen.frontmatter import parse_document
from sitegen.vocabulary import default_vocabulary, read_vocabulary
from tools.cli_reference import reference

ROOT = Path(__file__).parent.parent
DOCS = (*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md")
# What a problem can be about is the first part of its code.
CODE = re.compile(
    r"(?:add|aliases|config|content|decisions?|deploy|edition|executor|explain|fix|init"
    r"|front-matter|keywords|model|new|paper|publish"
    r"|references?|registry|retire|review|search|serve|source|stats|system|template|topic|url)-[a-z]+(?:-[a-z]+)*"
)


def codes_in(tree: ast.AST) -> Iterator[str]:
    """Yield each string of a module that is the code of a problem."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from CODE.findall(node.value) if CODE.fullmatch(node.value) else ()


def blocks(language: str) -> list[str]:
    """Return the fenced samples of a language in docs/curating.md."""
    text = (ROOT / "docs/curating.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_every_problem_is_documented_and_no_other() -> None:
    made = {
        code
        for file in (ROOT / "sitegen").rglob("*.py")
        for code in codes_in(ast.parse(file.read_text(encoding="utf-8")))
    }
    text = (ROOT / "docs/problems.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE)
    assert sorted(made) == sorted(documented)


def test_every_command_has_help() -> None:
    for name, command in main.commands.items():
        assert command.help, name
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.help, f"{name} {option.name}"


def test_the_reference_of_commands_is_fresh() -> None:
    text = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
    assert text == reference(), "run python tools/cli_reference.py"


def test_the_sample_settings_are_right() -> None:
    sample, aliases = blocks("toml")
    config, problems = parse_config(sample)
    assert problems == ()
    assert config.sources[0].edition == "may-2031"
    terms, problems = read_vocabulary(aliases, "content/aliases.toml", default_vocabulary())
    assert problems == ()
    assert "passive acoustics" in {term.name for term in terms.terms}


def test_the_sample_files_are_right() -> None:
    topic, paper = blocks("markdown")
    for sample, keys in ((topic, TOPIC_KEYS), (paper, PAPER_KEYS)):
        document, problems = parse_document(sample.encode(), "sample.md")
        assert problems == ()
        assert set(document.fields) <= set(keys)
        assert document.body


def test_the_guide_names_every_key() -> None:
    text = (ROOT / "docs/curating.md").read_text(encoding="utf-8")
    for key in {*TOPIC_KEYS, *EDITION_KEYS, *PAGE_KEYS}:
        assert key in text, key


@pytest.mark.parametrize("file", DOCS, ids=lambda file: file.name)
def test_links_between_documents_lead_somewhere(file: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", file.read_text(encoding="utf-8")):
        assert (file.parent / link).exists(), link
