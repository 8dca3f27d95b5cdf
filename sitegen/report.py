"""What a build did: printed as its last line and kept in ``.sitegen/report.json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sitegen.config import LOCAL_BASE_URL
from sitegen.diagnostics import Problem, Severity
from sitegen.digest import BuildOptions, Digest
from sitegen.progress import Progress
from sitegen.publish import Changes
from sitegen.records import Doubt, Place, SourceCount


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The outcome of a build or a check."""

    counts: tuple[SourceCount, ...]
    papers: int
    topics: int
    tags: int
    without_topic: tuple[str, ...]
    """Ids of papers that no topic fits."""
    doubts: tuple[Doubt, ...]
    problems: tuple[Problem, ...]
    seconds: Mapping[str, float]
    """Stage to seconds; ``total`` is the whole."""
    cpu: Mapping[str, float]
    """Stage to seconds of processor time."""
    strict: bool
    output: str = ""
    """Folder the site is in; empty where nothing was published."""
    added: tuple[str, ...] = ()
    """URLs that are new."""
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    written: int = 0
    """Files written."""
    local: bool = False
    """Whether the site has no address but this machine's."""

    @property
    def exit_code(self) -> int:
        """0, or 1 where something was not used (or, if strict, may not be as meant)."""
        bad = {Severity.ERROR, Severity.WARNING} if self.strict else {Severity.ERROR}
        return int(any(problem.severity in bad for problem in self.problems))

    def summary(self) -> str:
        """Return a few plain lines for the end of a command's output."""
        lines = [
            f"{count.file}: {count.read} read = {count.kept} kept + {count.merged} merged"
            f" + {count.reported} reported"
            for count in self.counts
        ]
        found = _counted(self.problems)
        lines.append(
            f"{_many(self.papers, 'paper')}, {_many(self.topics, 'topic')},"
            f" {_many(self.tags, 'tag page')}; {_many(len(self.doubts), 'doubtful pair')},"
            f" {len(self.without_topic)} without topic" + (f"; {found}" if found else "")
        )
        if self.doubts:
            lines.append("Which doubtful pairs are one paper? Decide with: sitegen review")
        if self.output:
            if self.local:
                lines.append(
                    "No address is known: feeds, sitemap and shared links lead to this machine. Set"
                    " base_url or repository in content/site.toml before you publish"
                )
            lines.append(
                f"Built {self.output} in {self.seconds['total']:.1f} s,"
                f" {_many(self.written, 'file')} written. Look at it: sitegen serve"
            )
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "sources": [
                {
                    "file": count.file,
                    "read": count.read,
                    "kept": count.kept,
                    "merged": count.merged,
                    "reported": count.reported,
                }
                for count in self.counts
            ],
            "papers": self.papers,
            "topics": self.topics,
            "tags": self.tags,
            "without_topic": list(self.without_topic),
            "doubts": [
                {
                    "left": _place(doubt.left),
                    "right": _place(doubt.right),
                    "kind": doubt.kind,
                    "score": doubt.score,
                    "evidence": list(doubt.evidence),
                }
                for doubt in self.doubts
            ],
            "problems": [
                {
                    "path": problem.location.path,
                    "line": problem.location.line,
                    "severity": str(problem.severity),
                    "code": problem.code,
                    "text": problem.text,
                    "hint": problem.hint,
                }
                for problem in self.problems
            ],
            "seconds": dict(self.seconds),
            "cpu": dict(self.cpu),
            "exit_code": self.exit_code,
            "output": self.output,
            "written": self.written,
            "added": list(self.added),
            "changed": list(self.changed),
            "removed": list(self.removed),
        }


def urls_of(paths: Sequence[str]) -> tuple[str, ...]:
    """Return the URL paths of the pages among some files, sorted."""
    ends = "index.html"
    return tuple(sorted(f"/{path.removesuffix(ends)}" for path in paths if path.endswith(ends)))


def _many(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _place(place: Place) -> dict[str, Any]:
    return {"file": place.file, "position": place.position, "line": place.line}


def _counted(problems: Sequence[Problem]) -> str:
    totals = [
        (sum(problem.severity is severity for problem in problems), str(severity))
        for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE)
    ]
    return ", ".join(f"{total} {word}{'s' if total > 1 else ''}" for total, word in totals if total)


def report_of(
    digest: Digest, options: BuildOptions, progress: Progress, changes: Changes, *, published: bool
) -> Report:
    """Return what is to be told of a build.

    Args:
        digest: what was decided.
        options: of the build.
        progress: what the stages took.
        changes: what became of the files.
        published: whether there is a new site.
    """
    gathered, described = digest.gathered, digest.described
    tagged = (tag for tagging in described.taggings for tag in tagging.tags)
    return Report(
        counts=gathered.counts,
        papers=len(gathered.papers),
        topics=len(described.topics),
        tags=len({tag.slug for tag in tagged if tag.page}),
        without_topic=tuple(
            paper.id
            for paper, choice in zip(gathered.papers, described.choices, strict=True)
            if not choice.topics
        ),
        doubts=gathered.doubts,
        problems=digest.problems,
        seconds=progress.seconds,
        cpu=progress.cpu,
        strict=options.strict,
        output=str(options.target) if published else "",
        added=urls_of(changes.added),
        changed=urls_of(changes.changed),
        removed=urls_of(changes.removed),
        written=changes.written,
        local=gathered.config.base_url == LOCAL_BASE_URL,
    )
