"""The preview's files on disk: only those that differ are written, one by one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from sitegen.foreign import SEARCH_FOLDER
from sitegen.records import OutFile, SiteFile


class Mirror:
    """A folder that follows a site from build to build; leftovers of an earlier run are used."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._digests: dict[str, bytes] = {}
        self._complete = False

    def follow(self, files: Iterable[SiteFile], kept: Iterable[str] = ()) -> tuple[str, ...]:
        """Make the folder hold these files and those kept, beside the search index.

        A site that is there already is not touched before the last of the files has been made, so
        that a failure on the way leaves it as it was.

        Returns:
            paths of the files that are new, different or gone, sorted.
        """
        digests = {path: self._digests[path] for path in kept}
        differing: list[OutFile] = []
        changed: set[str] = set()
        for late in files:
            file = OutFile(path=late.path, data=late.data)
            digests[file.path] = hashlib.blake2b(file.data, digest_size=16).digest()
            if self._digests.get(file.path) != digests[file.path]:
                changed.add(file.path)
                if self._complete:
                    differing.append(file)
                else:
                    self._write(file)
        for file in differing:
            self._write(file)
        gone = self._digests.keys() - digests.keys() if self._complete else self._foreign(digests)
        for path in gone:
            (self.folder / path).unlink(missing_ok=True)
        self._digests = digests
        self._complete = True
        return tuple(sorted(changed | gone))

    def _foreign(self, known: Iterable[str]) -> set[str]:
        """Return what an earlier run left and this site does not have."""
        there = {
            file.relative_to(self.folder).as_posix()
            for file in self.folder.rglob("*")
            if file.is_file()
        }
        return {path for path in there - set(known) if not path.startswith(SEARCH_FOLDER)}

    def _write(self, file: OutFile) -> None:
        target = self.folder / file.path
        with suppress(OSError):
            if target.read_bytes() == file.data:
                return
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = target.with_name(f".{target.name}.tmp")
        aside.write_bytes(file.data)
        aside.replace(target)
