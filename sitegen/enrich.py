"""Completes papers from references: finds their texts in metadata of any size, keeps what it says.

A build reads only what is kept (`references`); this is the one place that reads the large files.
"""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sitegen.atomic import write_atomic
from sitegen.attribution import Candidate, attribute
from sitegen.build import read_digest
from sitegen.config import SourceSpec
from sitegen.diagnostics import Location, Problem, Severity, SitegenError, error
from sitegen.digest import BuildOptions, Digest
from sitegen.matching import Finder, Wanted
from sitegen.progress import Progress
from sitegen.records import Metadata, Override, Paper
from sitegen.references import REFERENCES, Reference, dump, load, merge
from sitegen.repair import repair
from sitegen.shingles import fingerprint, words
from sitegen.snapshot import Hit, Scan, is_stream, scan
from sitegen.sources import read_sources
from sitegen.sources.collector import Collector
from sitegen.sources.identifiers import read_arxiv, read_doi
from sitegen.sources.json_file import find_format

_FORMATS = "give the arXiv metadata snapshot, BibTeX, CSL-JSON or another export with titles"


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrichment:
    """What came of looking through references."""

    found: tuple[Reference, ...]
    """What they say of our papers, by paper id."""
    wanted: int
    """Papers that were looked for."""
    records: int
    """Records that were looked through."""
    changed: bool
    """Whether `REFERENCES` was written anew."""
    problems: tuple[Problem, ...]

    def lines(self) -> Iterator[str]:
        """Yield the outcome to print: a line a paper, then the sum."""
        for one in self.found:
            metadata = one.metadata
            identifier = metadata.arxiv or metadata.doi
            yield f"{one.paper}  {metadata.title}" + (f"  [{identifier}]" if identifier else "")
        what = "written" if self.changed else "as it was"
        yield (
            f"{self.records:,} records: {len(self.found):,} of {self.wanted:,} papers found; "
            f"{REFERENCES} {what}"
        )


def enrich(options: BuildOptions, files: Sequence[Path], progress: Progress) -> Enrichment:
    """Look for our papers in references, and write down what is found.

    Args:
        options: which digest, and how many processes.
        files: the references; none means those that site.toml names.
        progress: told of each file.

    Returns:
        the outcome; a file that cannot be read is a problem, the others are read all the same.

    Raises:
        SitegenError: the digest, or the file of what was found before, cannot be read.
    """
    target = options.root / REFERENCES
    known, broken = load(target)
    if broken:  # writing would lose the lines that are not understood
        raise SitegenError(*broken)
    with progress.stage("digest"):
        digest = read_digest(options, Progress())
    named, missing = _choose_files(options.root, digest, files)
    problems = list(missing)
    keys, wanted = _wanted(digest)
    candidates: list[Candidate] = []
    read: list[str] = []
    records = 0
    for name, file in named:
        try:
            with progress.stage(file.name) as advance:
                result = _look_through(file, wanted, options.jobs, advance)
        except SitegenError as exc:
            problems += exc.problems
            continue
        problems += result.problems
        records += result.records
        read.append(name)
        candidates += [
            Candidate(
                paper=keys[hit.wanted][0],
                text=keys[hit.wanted][1],
                likeness=hit.likeness,
                metadata=replace(hit.metadata, reference=file.name),
                place=Location(file.name, hit.line),
            )
            for hit in result.hits
        ]
    found, doubts = attribute(candidates)
    found = tuple(_with_headlines(found, digest))
    data = dump(merge(known, found, read))
    changed = data != dump(known)
    if changed:
        write_atomic(target, data)
    return Enrichment(
        found=found,
        wanted=len({paper for paper, _ in keys}),
        records=records,
        changed=changed,
        problems=(*problems, *doubts),
    )


def _choose_files(
    root: Path, digest: Digest, files: Sequence[Path]
) -> tuple[list[tuple[str, Path]], list[Problem]]:
    """Return the files to look through, each with the name to remember it by."""
    if files:
        return [(file.name, file) for file in files], []
    named: list[tuple[str, Path]] = []
    problems = []
    for path in digest.gathered.config.references:
        # A reference may lie anywhere: it is read here, on the curator's own machine only.
        there = sorted(glob.glob(path, root_dir=root, recursive=True))  # noqa: PTH207
        named += [(path, root / name) for name in there]
        if not there:
            hint = "correct the path, or run sitegen enrich FILE"
            place = Location("content/site.toml")
            problems.append(error("reference-missing", f"{path} does not exist", place, hint))
    if not digest.gathered.config.references:
        hint = "run sitegen enrich FILE, or add [[reference]] with path to content/site.toml"
        place = Location("content/site.toml")
        problems.append(error("reference-missing", "no reference is named", place, hint))
    return named, problems


def _look_through(
    file: Path, wanted: Sequence[Wanted], jobs: int, advance: Callable[[int, int], None]
) -> Scan:
    """Look through one file: line by line, or with the reader of its format."""
    if is_stream(file):
        return scan(file, wanted, mend=mend, read_record=read_record, jobs=jobs, advance=advance)
    abstracts, problems, _ = read_sources(file.parent, [SourceSpec(pattern=file.name)])
    finder = Finder(wanted, mend)
    hits: list[Hit] = []
    titled = [abstract for abstract in abstracts if abstract.metadata.title]
    for done, abstract in enumerate(titled, 1):
        known = abstract.metadata
        for at, likeness in finder.find(abstract.text, (known.arxiv, known.doi.casefold())):
            line = abstract.place.line
            hits.append(Hit(wanted=at, likeness=likeness, metadata=known, line=line))
        advance(done, len(titled))
    if not titled and not any(problem.severity is Severity.ERROR for problem in problems):
        text = "holds no title, so that it tells nothing"
        problems = (*problems, error("reference-format", text, Location(file.name), _FORMATS))
    return Scan(hits=tuple(hits), records=len(titled), problems=problems)


def _wanted(digest: Digest) -> tuple[list[tuple[str, str]], list[Wanted]]:
    """Return the texts to look for, each with its paper's id and its own fingerprint."""
    keys: list[tuple[str, str]] = []
    wanted: list[Wanted] = []
    overrides = digest.gathered.content.overrides
    for paper in digest.gathered.papers:
        if not _is_incomplete(paper):
            continue
        override = overrides.get(paper.id) or Override(id=paper.id, path="")
        # What a reference said before is no evidence for what it says now.
        known = Metadata() if paper.metadata.reference else paper.metadata
        texts = {paper.source_text: paper.prose.text}
        texts |= {other.text: mend(other.text) for other in paper.merged}
        for text, mended in texts.items():
            keys.append((paper.id, fingerprint(text)))
            wanted.append(
                Wanted(
                    text=text,
                    tokens=" ".join(words(mended)),
                    arxiv=read_arxiv(override.arxiv or "")[0] or known.arxiv,
                    doi=read_doi(override.doi or "") or known.doi,
                )
            )
    return keys, wanted


def _is_incomplete(paper: Paper) -> bool:
    """Whether a reference could tell more of a paper, or tells something already."""
    known = paper.metadata
    return bool(
        not paper.title
        or not known.authors
        or not known.date
        or not (known.arxiv or known.doi)
        or known.reference
    )


def _with_headlines(found: Sequence[Reference], digest: Digest) -> Iterator[Reference]:
    """Yield what was found with the derived headlines that give way to it."""
    papers, namings = digest.gathered.papers, digest.described.namings
    derived = {
        paper.id: naming.title
        for paper, naming in zip(papers, namings, strict=True)
        if naming.title_source == "derived"
    }
    for one in found:
        yield replace(one, metadata=replace(one.metadata, headline=derived.get(one.paper, "")))


def mend(text: str) -> str:
    """Return a text as the digest would show it."""
    return repair(text).text


def read_record(record: Mapping[str, Any]) -> Metadata:
    """Return what a record of a stream says of its paper, as a source with that record would."""
    form = find_format(record)
    if form is None:
        return Metadata()
    collector = Collector("")
    collector.add(form.read(record, 0))
    found = collector.reading().found
    return found[0].metadata if found else Metadata()
