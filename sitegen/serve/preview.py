"""A site that is built again and again; the last good one stays."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from sitegen.build import read_digest, site_files
from sitegen.config import Config, load_config
from sitegen.diagnostics import Location, Problem, Severity, SitegenError, error
from sitegen.digest import BuildOptions, Digest
from sitegen.foreign import SEARCH_FOLDER
from sitegen.memory import Memory
from sitegen.progress import Advance, Progress
from sitegen.records import SiteFile
from sitegen.search import index_files
from sitegen.serve.live import Live
from sitegen.serve.mirror import Mirror
from sitegen.serve.watch import Snapshot, look, watched
from sitegen.views import Page, SearchEntry

FOLDER = "preview"
"""Below the tool's own folder: a preview neither replaces nor registers what was published."""


class Preview:
    """Builds into a folder of its own and tells `Live` how it went."""

    def __init__(
        self, options: BuildOptions, complain: Callable[[Sequence[Problem]], None]
    ) -> None:
        self.options = replace(options, frozen=True, cards=False, steady_map=True)
        self.folder = options.state / FOLDER
        self.changed = 0
        """Files that the last build wrote or removed."""
        self._config = Config()
        with suppress(SitegenError):  # the first build will say so
            self._config, _ = load_config(
                options.root, base_url=options.base_url, repository=options.repository
            )
        self.live = Live(self._config.base_path)
        self._memory = Memory()
        self._basis: object = None
        """What all pages depend on, as of the last good build."""
        self._pages: dict[str, Page] = {}
        """By path, as of the last good build."""
        self._mirror = Mirror(self.folder)
        self._indexer = _Indexer(self.folder, self.options, complain)
        self.names = watched(self._config)
        """What to watch."""

    def look(self) -> Snapshot:
        """Return the present state of the files that a build reads."""
        return look(self.options.root, self.names, self.options.target)

    def build(self, progress: Progress) -> tuple[Problem, ...]:
        """Build once; whatever goes wrong is a problem and costs no page.

        Returns:
            all problems found.
        """
        changed: tuple[str, ...] = ()
        kept = True
        try:
            with progress.stage("total"):
                digest = read_digest(self.options, progress, self._memory)
                problems = digest.problems
                if not digest.blocked:
                    with progress.stage("render") as advance:
                        changed = self._follow(digest, advance)
                    kept = False
                    self._use(digest.gathered.config)
                    if self.options.search:
                        self._indexer.ask(digest.site.search, self._config.language)
        except SitegenError as exc:
            problems = exc.problems
        except Exception as exc:  # a server outlives every fault of a build
            traceback.print_exc()
            text = f"{type(exc).__name__}: {exc}"
            hint = "this is a fault of sitegen or of a template; the terminal shows where"
            problems = (error("serve-internal", text, Location("sitegen"), hint),)
        self.changed = len(changed)
        wrong = [problem for problem in problems if problem.severity is Severity.ERROR]
        self.live.tell(wrong, changed=bool(changed), kept=kept)
        return problems

    def _follow(self, digest: Digest, advance: Advance) -> tuple[str, ...]:
        """Draw the pages that differ from the last ones, and write what is new."""
        basis = digest.site.info, look(self.options.root, ["templates"], self.options.target)
        pages = {page.path: page for page in digest.site.pages}
        same = {
            path: page.file
            for path, page in pages.items()
            if basis == self._basis and self._pages.get(path) == page
        }
        files = site_files(digest, self.options, same)
        changed = self._mirror.follow(_told(files, len(pages), advance), same.values())
        self._basis, self._pages = basis, pages
        return changed

    def close(self) -> None:
        """End what runs beside."""
        self._indexer.close()

    def _use(self, config: Config) -> None:
        self._config = config
        self.names = watched(config)
        self.live.base_path = config.base_path


def _told(files: Iterable[SiteFile], total: int, advance: Advance) -> Iterator[SiteFile]:
    for done, file in enumerate(files, 1):
        advance(min(done, total), total)
        yield file


class _Indexer:
    """Makes the search index in a thread of its own, so that nobody waits for it."""

    def __init__(
        self, folder: Path, options: BuildOptions, complain: Callable[[Sequence[Problem]], None]
    ) -> None:
        self._mirror = Mirror(folder / SEARCH_FOLDER)
        self._cache = options.state / "cache/search"
        self._jobs = options.jobs
        self._complain = complain
        self._entries: tuple[SearchEntry, ...] = ()
        self._language = ""
        self._wanted = threading.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="index", daemon=True)

    def ask(self, entries: tuple[SearchEntry, ...], language: str) -> None:
        """Have the index made soon; asking again meanwhile makes it once more afterwards."""
        if (entries, language) == (self._entries, self._language):
            return
        self._entries, self._language = entries, language
        self._wanted.set()
        if self._thread.ident is None:
            self._thread.start()

    def close(self) -> None:
        """Start no further index."""
        self._closed = True
        self._wanted.set()

    def _work(self) -> None:
        while self._wanted.wait() and not self._closed:
            self._wanted.clear()
            try:
                files = index_files(self._entries, self._language, self._cache, jobs=self._jobs)
                self._mirror.follow(
                    replace(file, path=file.path.removeprefix(SEARCH_FOLDER)) for file in files
                )
            except SitegenError as exc:
                self._complain(exc.problems)
