import subprocess
from pathlib import Path

import pytest

from sitegen import deploy as deploying
from sitegen.deploy import deploy
from sitegen.diagnostics import SitegenError
from sitegen.scaffold import start_digest

from .conftest import run_sitegen


def git(folder: Path, *args: str) -> str:
    ran = subprocess.run(["git", *args], cwd=folder, capture_output=True, text=True, check=True)
    return ran.stdout.strip()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a built site and a bare repository as its remote."""
    git(tmp_path, "init", "--quiet", "--bare", "remote.git")
    root = tmp_path / "project"
    (root / "public").mkdir(parents=True)
    (root / "public/index.html").write_text("home")
    (root / "public/.nojekyll").write_text("")
    git(root, "init", "--quiet")
    git(root, "remote", "add", "origin", str(tmp_path / "remote.git"))
    return root


def push(root: Path) -> str:
    return deploy(root, root / "public", remote="origin", branch="gh-pages", message="Deploy")


def listed(root: Path) -> list[str]:
    return git(root.parent / "remote.git", "ls-tree", "-r", "--name-only", "gh-pages").splitlines()


def test_r3_the_branch_keeps_one_commit(project: Path) -> None:
    push(project)
    (project / "public/index.html").write_text("new home")
    second = push(project)
    remote = project.parent / "remote.git"
    assert git(remote, "rev-list", "--count", "gh-pages") == "1"
    assert git(remote, "show", "gh-pages:index.html") == "new home"
    assert push(project) == second  # nothing differs, nothing is pushed
    assert git(project, "status", "--porcelain") == "?? public/"


def test_p3_nojekyll_is_pushed(project: Path) -> None:
    push(project)
    assert listed(project) == [".nojekyll", ".sitegen-files", "index.html"]


def test_p2_files_of_others_stay_and_ours_go(project: Path) -> None:
    work = project.parent / "work"
    git(project.parent, "clone", "--quiet", str(project.parent / "remote.git"), "work")
    (work / "CNAME").write_text("lab.example\n")
    git(work, "add", "CNAME")
    git(work, "-c", "user.name=x", "-c", "user.email=x@localhost", "commit", "-qm", "domain")
    git(work, "push", "--quiet", "origin", "HEAD:gh-pages")
    (project / "public/old.html").write_text("old")
    push(project)
    assert "old.html" in listed(project)
    (project / "public/old.html").unlink()
    push(project)
    assert listed(project) == [".nojekyll", ".sitegen-files", "CNAME", "index.html"]


def test_nothing_to_deploy_is_an_error(project: Path) -> None:
    (project / "public/index.html").unlink()
    with pytest.raises(SitegenError, match="no site here"):
        push(project)


def test_a_remote_that_is_not_there_is_named(project: Path) -> None:
    with pytest.raises(SitegenError, match="git ls-remote failed: 'nowhere' does not") as raised:
        deploy(project, project / "public", remote="nowhere", branch="x", message="m")
    assert "git remote add nowhere" in raised.value.problems[0].hint


def test_a_new_digest_builds_and_deploys(tmp_path: Path) -> None:
    root = tmp_path / "new"
    written = start_digest(root)
    assert {"content/site.toml", ".gitignore", ".github/workflows/pages.yml"} <= set(written)
    requirements = (root / "requirements.txt").read_text()
    assert requirements.startswith("sitegen")
    assert "torch" not in requirements
    result = run_sitegen("build", cwd=root)
    assert result.returncode == 0, result.stderr
    assert "0 without topic" in result.stdout
    git(tmp_path, "init", "--quiet", "--bare", "remote.git")
    git(root, "init", "--quiet")
    git(root, "remote", "add", "origin", str(tmp_path / "remote.git"))
    result = run_sitegen("deploy", cwd=root)
    assert result.returncode == 1  # nobody said where the site will be
    assert "base_url" in result.stderr
    settings = root / "content/site.toml"
    settings.write_text(settings.read_text().replace("# base_url", "base_url"))
    assert run_sitegen("build", cwd=root).returncode == 0
    result = run_sitegen("deploy", cwd=root)
    assert result.returncode == 0, result.stderr
    assert git(tmp_path / "remote.git", "cat-file", "-t", "gh-pages:index.html") == "blob"


def test_init_refuses_a_folder_with_files(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    with pytest.raises(SitegenError, match="something here already"):
        start_digest(tmp_path)


def test_p2_a_configured_domain_is_in_every_output(tmp_path: Path) -> None:
    root = tmp_path / "new"
    start_digest(root)
    settings = root / "content/site.toml"
    settings.write_text('domain = "Otters.example"\n' + settings.read_text())
    git(tmp_path, "init", "--quiet", "--bare", "remote.git")
    git(root, "init", "--quiet")
    git(root, "remote", "add", "origin", str(tmp_path / "remote.git"))
    for _ in range(2):
        assert run_sitegen("build", "--no-search", cwd=root).returncode == 0
        assert run_sitegen("deploy", cwd=root).returncode == 0
        assert git(tmp_path / "remote.git", "show", "gh-pages:CNAME") == "otters.example"
        (root / "seeds/second.txt").write_text("Notes\n\nOtters whistle in rivers of the north.\n")
    assert "https://otters.example/sitemap.xml" in (root / "public/robots.txt").read_text()
    assert run_sitegen("build", "--base-url", "https://x.example/y/", cwd=root).returncode == 0
    assert not (root / "public/CNAME").exists()


def test_what_github_refuses_is_not_sent(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "public/data").mkdir()
    (project / "public/data/papers.jsonl").write_text("x" * 2000)
    monkeypatch.setattr(deploying, "LARGEST", 1000)
    push(project)  # another host may take it
    git(project, "remote", "set-url", "origin", "https://github.com/nobody/nothing.git")
    with pytest.raises(SitegenError) as caught:
        push(project)
    (problem,) = caught.value.problems
    assert problem.code == "deploy-large"
    assert problem.location.path.endswith("public/data/papers.jsonl")
    assert "workflow" in problem.hint
