"""Whole builds of small digests through the command line, as a curator runs them."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from .conftest import run_sitegen

OTTERS = (
    "We introduce OtterNet, a recurrent network that tells river otters apart by their whistles. "
    "Trained on forty hours of recordings from three fjords, OtterNet names the caller in nine of "
    "ten cases and needs no hydrophone array. The recordings and the code are released."
)
KELP = (
    "Kelp forests shrink where urchins graze without predators. This paper asks how quickly a "
    "forest returns once sea otters do, and follows eleven reefs over twenty years of diving "
    "surveys. Recovery takes six years on sheltered reefs and twice that on exposed ones."
)
MUD = (
    "The weight of lake mud is hard to measure without drying it. We propose a sampler that weighs "
    "mud under water and corrects for its pores. On sixty cores from four lakes the error stays "
    "below two percent, which is less than drying and weighing by hand gives."
)
SALMON = (
    "Salmon remember the smell of the stream they were born in. We study how long that memory "
    "lasts by moving tagged fish between hatcheries, and find that it fades after the third "
    "winter at sea unless the fish pass the mouth of their stream again."
)


def project(root: Path, **files: str) -> Path:
    """Write a digest: names of seed files to their abstracts."""
    for name, text in files.items():
        path = root / "seeds" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def dump(*abstracts: str) -> str:
    return "Daily Papers\n\n" + "\n\n".join(abstracts) + "\n"


def hashes(public: Path) -> dict[str, str]:
    """Return a digest of each file but those of the search index, which differ between runs."""
    return {
        path: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(public.rglob("*"))
        if file.is_file()
        and not (path := file.relative_to(public).as_posix()).startswith("pagefind/")
    }


def ids(root: Path) -> dict[str, str]:
    """Return the first words of each paper's abstract and its id."""
    lines = (root / "public/data/papers.jsonl").read_text(encoding="utf-8").splitlines()
    return {p["abstract_source"][:12]: p["id"] for p in map(json.loads, lines)}


def report(root: Path) -> dict[str, object]:
    data: dict[str, object] = json.loads((root / ".sitegen/report.json").read_text())
    return data


def build(root: Path, *args: str, code: int = 0, **env: str) -> str:
    result = run_sitegen("build", *args, cwd=root, **env)
    assert result.returncode == code, result.stdout + result.stderr
    return result.stdout + result.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A digest of two files that was built once; tests copy it."""
    root = tmp_path_factory.mktemp("built")
    project(root, may=dump(OTTERS, KELP), june=dump(MUD, OTTERS))
    build(root)
    return root


@pytest.fixture
def digest_copy(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "copy", copy_function=shutil.copy2))


def test_a_folder_with_nothing_but_seeds_builds(built: Path) -> None:
    assert len(ids(built)) == 3
    for page in ("index.html", "404.html", "feed.xml", "sitemap.xml", "pagefind/pagefind.js"):
        assert (built / "public" / page).is_file(), page
    assert (built / "content/registry.jsonl").is_file()


def test_the_last_line_says_what_was_built_and_how_to_look_at_it(tmp_path: Path) -> None:
    result = run_sitegen("build", cwd=project(tmp_path, may=dump(OTTERS, KELP, OTTERS)))
    said = result.stdout
    assert "seeds/may.txt: 3 read = 2 kept + 1 merged + 0 reported" in said
    assert said.strip().splitlines()[-1].endswith("Look at it: sitegen serve")


def test_a_second_build_writes_nothing_and_tags_nothing(digest_copy: Path) -> None:
    build(digest_copy)
    before = hashes(digest_copy / "public")
    times = {p: p.stat().st_mtime_ns for p in (digest_copy / "public").rglob("*")}
    assert ", 0 files written" in build(digest_copy)
    assert hashes(digest_copy / "public") == before
    assert {p: p.stat().st_mtime_ns for p in (digest_copy / "public").rglob("*")} == times
    assert report(digest_copy)["seconds"]["keywords"] < 0.3  # type: ignore[index]


def test_r2_the_same_bytes_whatever_the_surroundings(built: Path, tmp_path: Path) -> None:
    root = tmp_path / "elsewhere"
    for name in ("june", "may"):  # written in another order, without cache or registry
        text = (built / f"seeds/{name}.txt").read_text(encoding="utf-8")
        project(root, **{name: text})
    build(root, "--jobs", "1", PYTHONHASHSEED="7", LC_ALL="C", TZ="Pacific/Auckland")
    assert hashes(root / "public") == hashes(built / "public")


def test_ids_hold_when_seeds_are_added_renamed_and_mended(digest_copy: Path) -> None:
    before = ids(digest_copy)
    project(digest_copy, july=dump(SALMON), april=dump(KELP))
    may = digest_copy / "seeds/may.txt"
    may.write_text(may.read_text().replace("whistles", "whistled calls"), encoding="utf-8")
    may.rename(digest_copy / "seeds/zulu.txt")
    assert "/editions/may/ would answer 404" in build(digest_copy, code=1)
    (digest_copy / "content/site.toml").write_text(
        '[[source]]\npath = "seeds/zulu.txt"\nedition = "may"\n[[source]]\npath = "seeds/*"\n'
    )
    build(digest_copy)
    after = ids(digest_copy)
    assert {start: after[start] for start in before} == before
    assert len(after) == 4


def test_frozen_gives_the_same_ids_and_leaves_the_registry(built: Path, tmp_path: Path) -> None:
    root = project(tmp_path, may=dump(OTTERS, KELP), june=dump(MUD, OTTERS))
    build(root, CI="true")
    assert ids(root) == ids(built)
    assert not (root / "content/registry.jsonl").exists()


def test_b1_a_vanished_paper_leaves_a_tombstone(digest_copy: Path) -> None:
    paper = ids(digest_copy)[KELP[:12]]
    project(digest_copy, may=dump(OTTERS))
    build(digest_copy)
    page = (digest_copy / f"public/papers/{paper}/index.html").read_text()
    assert "noindex" in page
    for name in ("sitemap.xml", "feed.xml", "data/papers.jsonl", "index.html"):
        assert paper not in (digest_copy / "public" / name).read_text(), name


def test_b2_an_unreadable_file_does_not_cost_its_papers(digest_copy: Path) -> None:
    before = hashes(digest_copy / "public")
    (digest_copy / "seeds/may.txt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8)
    said = build(digest_copy, code=1)
    assert "seeds/may.txt" in said
    assert hashes(digest_copy / "public") == before


def test_a_file_that_is_no_text_does_not_stop_the_others(tmp_path: Path) -> None:
    root = project(tmp_path, may=dump(OTTERS, KELP))
    (root / "seeds/photo.txt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8)
    assert "seeds/photo.txt" in build(root, code=1)
    assert len(ids(root)) == 2


def test_b2_a_template_error_leaves_the_last_site(digest_copy: Path) -> None:
    before = hashes(digest_copy / "public")
    (digest_copy / "templates").mkdir()
    (digest_copy / "templates/paper.html").write_text("<p>\n{{ view.no_such_thing }}\n")
    said = build(digest_copy, code=1)
    assert "paper.html:2" in said
    assert hashes(digest_copy / "public") == before


def test_a_search_failure_leaves_the_last_site(
    digest_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sitegen.build import build_site
    from sitegen.diagnostics import SitegenError
    from sitegen.digest import BuildOptions
    from sitegen.progress import Progress

    before = hashes(digest_copy / "public")
    project(digest_copy, may=dump(OTTERS, KELP, SALMON))
    monkeypatch.setattr("pagefind_bin.get_executable", lambda: digest_copy / "no-such-file")
    with pytest.raises(SitegenError, match="search-failed"):
        build_site(BuildOptions(root=digest_copy), Progress())
    assert hashes(digest_copy / "public") == before


def test_a_broken_correction_blocks_publishing(digest_copy: Path) -> None:
    paper = ids(digest_copy)[MUD[:12]]
    before = hashes(digest_copy / "public")
    (digest_copy / "content/papers").mkdir(parents=True)
    (digest_copy / f"content/papers/{paper}.md").write_text("---\ntitel: Lake mud\n---\n")
    assert f"content/papers/{paper}.md:2: error: unknown key titel" in build(digest_copy, code=1)
    assert hashes(digest_copy / "public") == before


def test_a_lost_topic_blocks_publishing_until_it_has_an_heir(digest_copy: Path) -> None:
    topics = digest_copy / "content/topics"
    topics.mkdir(parents=True)
    (topics / "mud.md").write_text("---\ntitle: Mud\nphrases: [lake mud]\n---\nOn mud.\n")
    (topics / "sea.md").write_text("---\ntitle: Sea\nphrases: [sea, otter]\n---\nOn the sea.\n")
    build(digest_copy)
    (topics / "mud.md").rename(topics / "sediment.md")
    assert "/topics/mud/ would answer 404" in build(digest_copy, code=1)
    (topics / "sediment.md").write_text(
        "---\ntitle: Sediment\naliases: [mud]\nphrases: [lake mud]\n---\nOn mud.\n"
    )
    build(digest_copy)
    stub = (digest_copy / "public/topics/mud/index.html").read_text()
    assert "sediment" in stub
    assert 'http-equiv="refresh"' in stub
    build(digest_copy)


def test_strict_counts_warnings(tmp_path: Path) -> None:
    root = project(tmp_path, may=dump(OTTERS, KELP))
    (root / "seeds/empty.txt").write_text("")
    build(root)
    build(root, "--strict", code=1)


def test_check_writes_nothing(tmp_path: Path) -> None:
    root = project(tmp_path, may=dump(OTTERS, KELP))
    result = run_sitegen("check", cwd=root)
    assert result.returncode == 0
    assert "2 papers" in result.stdout
    assert not (root / "public").exists()
    assert not (root / "content").exists()


def test_json_is_the_report(tmp_path: Path) -> None:
    root = project(tmp_path, may=dump(OTTERS))
    result = run_sitegen("build", "--json", cwd=root)
    assert json.loads(result.stdout) == report(root)


def test_x1_a_narrow_terminal_encoding_is_no_error(tmp_path: Path) -> None:
    root = project(tmp_path, may=dump(OTTERS))
    (root / "seeds/静かな湖.txt").write_bytes(b"\x00\x01\x02\x03" * 200)
    build(root, code=1, PYTHONIOENCODING="cp1252")


def test_wrong_usage_exits_2(tmp_path: Path) -> None:
    assert run_sitegen("build", "--no-such-thing", cwd=tmp_path).returncode == 2
    assert run_sitegen("build", "--base-url", "lab.example", cwd=tmp_path).returncode == 2
