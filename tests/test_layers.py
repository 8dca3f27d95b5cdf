"""The walls of the house: who may import whom, and who may touch the world outside."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "sitegen"

BASE = {
    "records",
    "diagnostics",
    "config",
    "views",
    "array_cache",
    "atomic",
    "cluster",
    "line_cache",
    "fingerprints",
    "forks",
    "orphans",
    "row_cache",
    "tomltext",
    "workers",
    "__init__",
}
# Plain libraries about text, importable by every stage; they know nothing of papers' stages.
LIBRARIES = {
    "basis", "citations", "correction_block", "distinct", "formulas", "frontmatter", "headers",
    "languages", "links", "markup", "overlap", "phrase_index", "phrases", "said", "sentences",
    "shingles", "subjects", "text_words", "topicality", "word_columns", "word_diff", "wording",
}  # fmt: skip
# A stage and the modules that are its own.
STAGES = {
    "content": {"content", "decisions", "strays"},
    "sources": {"sources"},
    "editions": {"editions"},
    "repair": {"repair"},
    "references": {"references", "attribution", "matching", "snapshot"},
    "dedup": {"dedup", "clusters", "likeness", "namesakes"},
    "registry": {"registry", "answers", "ledger", "ids"},
    "headlines": {"headlines", "names", "naming"},
    "keywords": {"keywords", "keyword_cache", "embedders"},
    "tags": {
        "tags",
        "roles",
        "tag_choice",
        "concept_search",
        "concepts",
        "literals",
        "standing",
        "term_places",
        "vocabulary",
    },
    "topics": {"topics", "topic_choices", "topic_discovery", "topic_phrases"},
    "related": {"related", "nearness", "neighbours", "partition", "shared"},
    "landscape": {"landscape"},
    "pages": {"pages"},
    "render": {"render", "bundle"},
    "feeds": {"feeds"},
    "exports": {"exports"},
    "cards": {"cards"},
    "search": {"search"},
    "publish": {"publish", "foreign", "manifest", "staging", "trees"},
}
# What knows several stages: the pipeline, its record of itself, and the commands.
TOP = {
    "__main__", "additions", "build", "cli", "commands", "corrections", "deploy", "digest",
    "drafts", "enrich", "explain", "fixes", "kept", "memory", "permanence", "prints", "progress",
    "report", "requirements", "retirement", "review", "scaffold", "serve", "suggestions", "tally",
}  # fmt: skip

# Modules that may touch disk, process, clock, environment or network.
SHELLS = {
    "array_cache", "atomic", "bundle", "cards", "cli", "commands", "config", "content", "deploy",
    "embedders", "foreign", "forks", "keyword_cache", "keywords", "ledger", "line_cache",
    "manifest", "progress", "orphans", "publish", "render", "row_cache", "search", "serve",
    "snapshot", "sources", "staging", "strays", "trees", "workers",
}  # fmt: skip
OUTSIDE = {
    "asyncio", "http", "multiprocessing", "os", "random", "shutil", "socket", "subprocess",
    "tempfile", "threading", "time",
}  # fmt: skip
HEAVY = {"PIL", "jinja2", "keybert", "model2vec", "rich", "scipy", "sklearn", "tokenizers"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def name_of(file: Path) -> str:
    """Return the first part below the package: the module's own name, or its folder's."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(tree: ast.AST) -> Iterator[tuple[str, ast.stmt]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "sitegen":
            yield from ((f"sitegen.{alias.name}", node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, node


def own_imports(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {name.split(".")[1] for name, _ in imported(tree) if name.startswith("sitegen.")}


def test_every_module_has_its_place() -> None:
    placed = BASE | LIBRARIES | TOP | set().union(*STAGES.values())
    assert {name_of(file) for file in modules()} == placed


@pytest.mark.parametrize("stage", STAGES)
def test_stages_do_not_import_each_other(stage: str) -> None:
    own = STAGES[stage]
    for file in modules():
        if name_of(file) in own:
            assert own_imports(file) - own <= BASE | LIBRARIES | {"__version__"}, file


def test_libraries_rest_on_libraries_only() -> None:
    for file in modules():
        if name_of(file) in LIBRARIES:
            assert own_imports(file) <= LIBRARIES | {"records", "diagnostics"}, file
        elif name_of(file) in BASE:
            assert own_imports(file) <= BASE, file


def test_nothing_below_knows_the_pipeline() -> None:
    for file in modules():
        if name_of(file) not in TOP:
            assert own_imports(file) & TOP == set(), file


def test_only_shells_touch_the_world() -> None:
    for file in modules():
        if name_of(file) in SHELLS:
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        touched = {name.split(".")[0] for name, _ in imported(tree)} & OUTSIDE
        assert touched == set(), file
        calls = {
            node.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert "open" not in calls, file


def test_heavy_packages_are_imported_where_they_are_used() -> None:
    for file in modules():
        tree = ast.parse(file.read_text(encoding="utf-8"))
        at_top = [
            name
            for statement in tree.body
            for name, _ in imported(statement)
            if isinstance(statement, ast.Import | ast.ImportFrom)
        ]
        assert {name.split(".")[0] for name in at_top} & HEAVY == set(), file


def test_help_is_instant() -> None:
    script = "import sys, sitegen.cli; print(sorted(set(sys.modules) & set(sys.argv[1:])))"
    ran = subprocess.run(
        [sys.executable, "-c", script, *HEAVY, "numpy", "yaml", "markdown_it"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == "[]"


def test_modules_are_small() -> None:
    long = {file.name: len(file.read_text(encoding="utf-8").splitlines()) for file in modules()}
    assert {name: lines for name, lines in long.items() if lines > 450} == {}
