"""What the pipeline knows at its halts: options, what was read, what was found out, the site."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sitegen.config import Config
from sitegen.diagnostics import Problem
from sitegen.records import (
    Content,
    Doubt,
    Edition,
    Group,
    Naming,
    Paper,
    Relation,
    SourceCount,
    Tagging,
    Topic,
    TopicChoice,
)
from sitegen.registry import Registry
from sitegen.topics import TopicIndex
from sitegen.views import Site

STATE = ".sitegen"
"""The tool's own folder below the root: cache, manifest, report; never in git."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """What the caller of a build decides."""

    root: Path
    output: Path | None = None
    """Folder to publish to; None = ``public`` below root."""
    base_url: str | None = None
    repository: str = ""
    """``owner/name`` to use where site.toml names none."""
    commit: str = ""
    """Of the digest's repository, where it is known: told in ``data/commit.txt``."""
    frozen: bool = False
    """Leave the registry file as it is."""
    strict: bool = False
    search: bool = True
    cards: bool = True
    """Draw the pictures for shared links."""
    steady_map: bool = False
    """Leave the map as it is while the papers are the same ones, though their texts change."""
    jobs: int = 1
    executor: str = ""
    """Address of a cluster that tags the papers; empty for processes of this machine."""

    @property
    def state(self) -> Path:
        """The tool's own folder, never in git."""
        return self.root / STATE

    @property
    def target(self) -> Path:
        """Where the site goes."""
        return self.output or self.root / "public"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What was read, up to permanent ids."""

    config: Config
    content: Content
    editions: tuple[Edition, ...]
    counts: tuple[SourceCount, ...]
    groups: tuple[Group, ...]
    """One a paper, in any order."""
    doubts: tuple[Doubt, ...]
    papers: tuple[Paper, ...]
    registry: Registry
    problems: tuple[Problem, ...]
    """Of the curator's own files: an error among them blocks publishing."""
    source_problems: tuple[Problem, ...]
    loses: bool
    """Whether a source file could not be read and a published paper is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What was found out about the papers; all but topics aligned with them."""

    namings: tuple[Naming, ...]
    vectors: np.ndarray
    """(papers, dims), L2-normalised."""
    taggings: tuple[Tagging, ...]
    topics: tuple[Topic, ...]
    topic_index: TopicIndex
    choices: tuple[TopicChoice, ...]
    relations: tuple[tuple[Relation, ...], ...]
    positions: tuple[tuple[float, float], ...]
    """On the map."""
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """Everything that is known once all stages before rendering are done."""

    gathered: Gathered
    described: Described
    site: Site
    registry: Registry
    problems: tuple[Problem, ...]
    blocked: bool
    """Whether publishing would lose something."""
