"""Damaged, older and newer state: said with file and line, and never built on in silence."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from .test_disk import here, refused
from .test_kills import change, hashes, tree
from .workbench import MUD, OTTERS, WHISTLES, start, write

REGISTRY = "content/registry.jsonl"


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = start(tmp_path_factory.mktemp("damage") / "digest", OTTERS, WHISTLES, MUD)
    write(root, "content/topics/mud.md", "---\ntitle: Mud\nphrases: [mud, sediment]\n---\nWet.\n")
    assert here(root, "--no-search").returncode == 0
    return root


@pytest.fixture
def built(once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(once, tmp_path / "digest", symlinks=True))


def again(root: Path) -> subprocess.CompletedProcess[str]:
    return here(root, "--no-search")


# ---- the registry --------------------------------------------------------------------------------
def edit(root: Path, change: Callable[[list[str]], list[str]]) -> None:
    path = root / REGISTRY
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(change(lines)), "utf-8", newline="")


def at(lines: list[str], kind: str) -> int:
    return next(n for n, line in enumerate(lines) if json.loads(line)["kind"] == kind)


def swapped(lines: list[str], kind: str, old: str, new: str) -> list[str]:
    number = at(lines, kind)
    assert old in lines[number]
    return [*lines[:number], lines[number].replace(old, new), *lines[number + 1 :]]


DAMAGE: dict[str, tuple[str, Callable[[list[str]], list[str]]]] = {
    "conflict": (
        "registry-conflict",
        lambda lines: [*lines[:3], "<<<<<<< ours\n", lines[3], "=======\n", ">>>>>>> theirs\n"],
    ),
    "newer": ("registry-format", lambda lines: [lines[0].replace("1", "99"), *lines[1:]]),
    "cut": ("registry-syntax", lambda lines: [*lines[:-1], lines[-1][:40]]),
    "cut in the midst": ("registry-syntax", lambda lines: [*lines[:2], lines[2][:9] + lines[3]]),
    "no header": ("registry-header", lambda lines: lines[1:]),
    "empty": ("registry-header", lambda lines: []),
    "blank": ("registry-header", lambda lines: ["\n", " \n"]),
    "id twice": (
        "registry-duplicate",
        lambda lines: [*lines, lines[at(lines, "topic")].replace("/mud/", "/dum/")],
    ),
    "address twice": (
        "registry-duplicate",
        lambda lines: [*lines, lines[at(lines, "topic")].replace('"id":"mud"', '"id":"dum"')],
    ),
    "zeros": ("registry-syntax", lambda lines: [*lines[:2], "\0" * 400 + "\n", *lines[3:]]),
    "other address": (
        "registry-entry",
        lambda lines: swapped(lines, "paper", '"url":"/papers/', '"url":"/papers/0'),
    ),
    "other text": (
        "registry-entry",
        lambda lines: swapped(lines, "paper", '"fingerprint":"', '"fingerprint":"0'),
    ),
    "address outside": (
        "registry-entry",
        lambda lines: swapped(lines, "topic", "/topics/mud/", "/../../etc/mud/"),
    ),
    "circle": (
        "registry-circle",
        lambda lines: [
            *lines,
            '{"kind":"alias","id":"/a/","url":"/a/","state":"alias","target":"/b/"}\n',
            '{"kind":"alias","id":"/b/","url":"/b/","state":"alias","target":"/a/"}\n',
        ],
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_registry_stops_the_build(built: Path, name: str) -> None:
    code, damage = DAMAGE[name]
    edit(built, damage)
    change(built)
    before = hashes(built / "public"), (built / REGISTRY).read_bytes()
    refused(again(built), f"{REGISTRY}:", code, "hint: ")
    assert before == (hashes(built / "public"), (built / REGISTRY).read_bytes())


@pytest.mark.parametrize("lines", ["none", "header", "half"])
def test_a_lost_registry_never_changes_addresses_in_silence(built: Path, lines: str) -> None:
    if lines == "none":
        (built / REGISTRY).unlink()
    else:
        edit(built, lambda all_: all_[: 1 if lines == "header" else at(all_, "paper") + 1])
    change(built)  # takes one paper away, which nobody remembers now
    before = hashes(built / "public")
    refused(again(built), "registry-lost", "git checkout", "/papers/")
    assert hashes(built / "public") == before
    shutil.rmtree(built / "public")
    assert again(built).returncode == 0


def test_a_lost_registry_is_made_again_from_the_same_texts(built: Path) -> None:
    kept = (built / REGISTRY).read_bytes()
    (built / REGISTRY).unlink()
    assert again(built).returncode == 0
    assert (built / REGISTRY).read_bytes() == kept


@pytest.mark.parametrize("how", ["crlf", "bom", "shuffled", "doubled", "no last line end"])
def test_what_editors_and_merges_do_is_no_damage(built: Path, how: str) -> None:
    kept, site = (built / REGISTRY).read_bytes(), tree(built / "public")
    head, *rest = kept.decode().splitlines(keepends=True)
    mixed = random.Random(6).sample(rest, len(rest))
    (built / REGISTRY).write_bytes(
        {
            "crlf": kept.replace(b"\n", b"\r\n"),
            "bom": b"\xef\xbb\xbf" + kept,
            "shuffled": "".join([head, *mixed]).encode(),
            "doubled": kept + rest[0].encode(),
            "no last line end": kept.rstrip(b"\n"),
        }[how]
    )
    assert again(built).returncode == 0
    assert (built / REGISTRY).read_bytes() == kept
    assert tree(built / "public") == site


def test_any_flipped_bit_of_the_registry_is_found_or_harmless(built: Path) -> None:
    """Whatever bit flips, each paper keeps its address, or the build stops."""
    from sitegen.diagnostics import SitegenError
    from sitegen.ledger import parse
    from sitegen.registry import assign

    from .workbench import gathered

    found = gathered(built)
    kept = (built / REGISTRY).read_bytes()
    addresses = {paper.source_text: paper.id for paper in found.papers}
    rng = random.Random(6)
    stopped = 0
    for _ in range(1500):
        data = bytearray(kept)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        try:
            registry, _ = parse(bytes(data))
        except SitegenError:
            stopped += 1
            continue
        papers = assign(found.groups, registry).papers
        assert {paper.source_text: paper.id for paper in papers} == addresses
    assert stopped > 500


# ---- caches --------------------------------------------------------------------------------------
def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    rng = random.Random(path.name.partition("-")[0])
    for _ in range(max(1, len(data) // 200)):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def replace_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def cross(path: Path) -> None:
    """Leave sound lines of another kind: what an older version may have kept."""
    from sitegen.line_cache import LineCache

    path.unlink()
    assert LineCache(path).add({"0" * 64: ["older", {"a": 1}], "1" * 64: None})


CACHE_DAMAGE: dict[str, Callable[[Path], object]] = {
    "truncated": truncate,
    "flipped": flip,
    "empty": lambda path: path.write_bytes(b""),
    "binary": lambda path: path.write_bytes(random.Random(6).randbytes(5000)),
    "of another version": cross,
    "a folder": replace_by_folder,
    "a dead link": lambda path: (path.unlink(), path.symlink_to("nowhere/at/all")),
}


@pytest.mark.parametrize("damage", CACHE_DAMAGE)
def test_a_damaged_cache_changes_no_byte(built: Path, damage: str) -> None:
    site, registry = tree(built / "public"), (built / REGISTRY).read_bytes()
    files = [path for path in (built / ".sitegen/cache").rglob("*") if path.is_file()]
    assert len(files) > 3
    for file in files:
        CACHE_DAMAGE[damage](file)
    result = again(built)
    if damage in {"a folder"} and result.returncode:
        refused(result, ".sitegen/cache", "hint: ")  # said, and the site is as it was
    assert tree(built / "public") == site
    assert (built / REGISTRY).read_bytes() == registry


@pytest.mark.parametrize("damage", CACHE_DAMAGE)
def test_a_damaged_manifest_costs_nothing(built: Path, damage: str) -> None:
    site = tree(built / "public")
    for file in (built / ".sitegen").glob("manifest-*"):
        CACHE_DAMAGE[damage](file)
    result = again(built)
    if damage == "a folder":
        refused(result, "manifest", "hint: ")
    else:
        assert result.returncode == 0, result.stderr
    assert tree(built / "public") == site


@pytest.mark.parametrize("value", ["[]", "{}", '{"format": 1, "files": {"a": 1}}', "null", "1"])
def test_a_manifest_of_another_shape_costs_nothing(built: Path, value: str) -> None:
    site = tree(built / "public")
    for file in (built / ".sitegen").glob("manifest-*"):
        file.write_text(value)
    assert again(built).returncode == 0
    assert tree(built / "public") == site


def test_paths_in_a_manifest_never_lead_outside(built: Path) -> None:
    """A manifest is data like any other: what it names outside the output stays."""
    write(built, "precious.html", '<meta name="generator" content="sitegen 1">')
    for file in (built / ".sitegen").glob("manifest-*"):
        data = json.loads(file.read_bytes())
        for name in ("../precious.html", "/etc/hostname", "a/../../precious.html"):
            data["files"][name] = ["0" * 64, 1, 1]
        file.write_text(json.dumps(data))
    change(built)
    again(built)
    assert (built / "precious.html").is_file()
    assert Path("/etc/hostname").exists()
