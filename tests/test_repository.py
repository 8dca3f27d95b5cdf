"""What must hold of the files that are committed, whatever they say."""

import re
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from tools.lock import locks

ROOT = Path(__file__).parent.parent
LOCKS = ("requirements.lock", "requirements-test.lock")


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def pins(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text().splitlines()
    pinned = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {package.lower().replace("_", "-"): number for package, number in pinned}


def test_no_tracked_file_names_a_home_folder_or_the_address_of_a_package() -> None:
    found = re.compile(
        rb"/(?:root|home/\w+)/|https?://[^\s\"'<>)]+(?:\.whl|\.tgz|\.tar\.gz|/simple)\b"
    )
    hits = [
        path.relative_to(ROOT).as_posix()
        for path in tracked()
        if path.suffix not in {".txt", ".safetensors", ".woff2"}
        and path.is_file()
        and path != Path(__file__)
        and found.search(path.read_bytes())
    ]
    assert hits == []


def test_nothing_built_is_tracked() -> None:
    assert [p.name for p in tracked() if p.parent.name == "public"] == [".gitkeep"]


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_plainly_and_in_order(name: str) -> None:
    lines = [line for line in (ROOT / name).read_text().splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9_.-]+==[0-9a-z.]+", line) for line in lines)
    names = [line.split("==")[0] for line in lines]
    assert names == sorted(names)


def test_the_locks_hold_what_is_needed_and_no_more() -> None:
    for name, text in locks().items():
        assert (ROOT / name).read_text() == text, f"run make lock: {name}"


def test_the_environment_is_the_locked_one() -> None:
    for package, number in pins("requirements.lock").items():
        try:
            assert version(package) == number, package
        except PackageNotFoundError:
            pytest.fail(f"{package} is not installed")


def test_torch_is_not_needed() -> None:
    with pytest.raises(PackageNotFoundError):
        version("sentence-transformers")
