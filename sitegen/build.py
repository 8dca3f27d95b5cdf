"""The pipeline: the one place that knows the order of the stages."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sitegen import cards, dedup, exports, feeds, kept, references, registry, render
from sitegen.answers import follow_answers
from sitegen.atomic import clear_leftovers, write_atomic
from sitegen.basis import basis
from sitegen.cluster import open_workers
from sitegen.config import Config, load_config
from sitegen.content import load_content, with_lines
from sitegen.corrections import check_answers, check_targets, correct_papers, curated_titles
from sitegen.diagnostics import Location, Problem, Severity, SitegenError, error
from sitegen.digest import BuildOptions, Described, Digest, Gathered
from sitegen.editions import check_editions, date_abstracts, list_editions
from sitegen.headlines import write_headlines
from sitegen.keywords import KeywordOptions, embed, read
from sitegen.line_cache import forget_unused, uncollected
from sitegen.markup import slugify
from sitegen.memory import Memory, collecting_seldom
from sitegen.pages import SiteInput
from sitegen.pages import build_site as model_site
from sitegen.permanence import (
    keep_identifiers,
    lost_papers,
    register_pages,
    stand_ins,
    unregistered,
)
from sitegen.prints import read_prints
from sitegen.progress import Progress
from sitegen.publish import Changes, build_lock, publish, published_files, spare_beside
from sitegen.records import Metadata, OutFile, Override, SiteFile, Topic, TopicChoice
from sitegen.related import with_reasons
from sitegen.repair import restore, restore_all
from sitegen.report import Report, report_of
from sitegen.search import index_beside
from sitegen.sources import read_sources
from sitegen.subjects import subject_of
from sitegen.tag_choice import TagLimits
from sitegen.tags import choose_tags
from sitegen.topic_discovery import discover_topics, keep_filled
from sitegen.topics import TopicIndex, check_overrides, index_topics
from sitegen.vocabulary import EMPTY, Vocabulary, default_vocabulary, read_vocabulary
from sitegen.workers import ALONE, Workers


@collecting_seldom()
def build_site(options: BuildOptions, progress: Progress, memory: Memory | None = None) -> Report:
    """Build and publish a digest.

    Args:
        options: what to build, and where.
        progress: told of each stage.
        memory: of earlier builds in this process, to do only what changed.

    Raises:
        SitegenError: nothing could be published; the output folder is as it was.
    """
    options.state.mkdir(parents=True, exist_ok=True)
    with (
        build_lock(options.state, lambda: progress.say("waiting for another build to end")),
        spare_beside(options.target, options.state, options.jobs) as spare,
    ):
        cache = options.state / "cache"
        clear_leftovers(
            options.state, cache, cache / "cards", cache / "search", options.root / "content"
        )
        with progress.stage("total"):
            digest = _guarded(read_digest(options, progress, memory), options)
            changes = Changes()
            if not digest.blocked:
                with (
                    _searching(digest, options, progress) as search_files,
                    progress.stage("render") as advance,
                ):
                    lines = kept.lines(digest.site, options.target, cache)
                    spare()
                    changes = publish(
                        site_files(digest, options, lines=lines),
                        options.target,
                        options.state,
                        late=search_files,
                        jobs=options.jobs,
                        advance=advance,
                    )
                if not options.frozen:
                    write_atomic(options.root / registry.REGISTRY, registry.dump(digest.registry))
        forget_unused(cache)
        report = report_of(digest, options, progress, changes, published=not digest.blocked)
        data = json.dumps(report.to_json(), ensure_ascii=False, indent=1).encode()
        write_atomic(options.state / "report.json", data)
    return report


def _guarded(digest: Digest, options: BuildOptions) -> Digest:
    """Stop a build that would lose published papers, as one without its registry does."""
    made = {page.file for page in digest.site.pages}
    published = published_files(options.target, options.state, made)
    lost = lost_papers(published, digest.site.pages, frozen=options.frozen)
    if options.frozen:
        lost += unregistered(registry.load(options.root / registry.REGISTRY)[0], digest.registry)
    blocked = digest.blocked or _has_error(lost)
    return replace(digest, problems=(*digest.problems, *lost), blocked=blocked)


@collecting_seldom()
def check_site(options: BuildOptions, progress: Progress) -> Report:
    """Do everything but rendering and publishing."""
    with progress.stage("total"):
        digest = read_digest(options, progress)
    return report_of(digest, options, progress, Changes(), published=False)


@uncollected()
def read_digest(options: BuildOptions, progress: Progress, memory: Memory | None = None) -> Digest:
    """Run all stages up to the site model; see `build_site`."""
    memory = memory or Memory(keeping=False)
    with open_workers(options.executor, options.jobs, progress.say) as workers:
        gathered = gather(options, progress, memory, workers)
        described = _describe(gathered, options, progress, memory, workers)
    with progress.stage("pages"):
        site, site_problems = model_site(
            SiteInput(
                config=gathered.config,
                content=gathered.content,
                papers=gathered.papers,
                namings=described.namings,
                taggings=described.taggings,
                topic_choices=described.choices,
                relations=described.relations,
                positions=described.positions,
                topics=described.topics,
                editions=gathered.editions,
                doubts=gathered.doubts,
                counts=gathered.counts,
                gone=tuple(stand_ins(gathered.registry)),
                published=frozenset(entry.url for entry in gathered.registry.entries),
            )
        )
        updated, lost = register_pages(
            gathered.registry, site.pages, curated=bool(gathered.content.topics)
        )
    lines = gathered.content.lines
    own = with_lines((*gathered.problems, *described.problems, *site_problems, *lost), lines)
    return Digest(
        gathered=gathered,
        described=described,
        site=site,
        registry=updated,
        problems=(*gathered.source_problems, *own),
        blocked=gathered.loses or _has_error(own),
    )


def gather(
    options: BuildOptions, progress: Progress, memory: Memory, workers: Workers = ALONE
) -> Gathered:
    """Read settings, content and sources; merge duplicates; give permanent ids."""
    root = options.root
    if not any((root / name).exists() for name in ("seeds", "content")):
        text, hint = (
            "no digest here: neither seeds/ nor content/",
            "go to its folder, or: sitegen init",
        )
        raise SitegenError(error("init-missing", text, Location(str(root.absolute())), hint))
    config, config_problems = load_config(
        root, base_url=options.base_url, repository=options.repository
    )
    content, content_problems = load_content(root)
    with progress.stage("sources"):
        read_in, source_problems, counts = read_sources(
            root, config.sources, memory.files, options.state / "cache"
        )
        completions, completion_problems = references.load(root / references.REFERENCES)
        read_in = references.complete_abstracts(read_in, completions)
        abstracts = date_abstracts(read_in, content.editions)
        editions = list_editions(abstracts, content.editions, config.sources)
    with progress.stage("repair") as advance:
        restored = memory.each(
            restore_all,
            abstracts,
            folder=options.state / "cache",
            workers=workers,
            advance=advance,
        )
    known, registry_problems = registry.load(root / registry.REGISTRY)
    prints = memory.prints
    with progress.stage("dedup"):
        read_prints(prints, restored, folder=options.state / "cache", workers=workers)
        decisions = memory.recall(follow_answers, content.decisions, abstracts, known, prints)
        grouping = memory.recall(
            dedup.group_papers, restored, decisions=decisions, options=config.dedup, prints=prints
        )
    with progress.stage("registry"):
        assignment = memory.recall(registry.assign, grouping.groups, known, prints)
    papers, corrected = correct_papers(
        references.complete_papers(assignment.papers, completions, restore),
        content.overrides,
        restore,
    )
    newly_gone = len(assignment.registry.gone()) > len(known.gone())
    return Gathered(
        config=config,
        content=content,
        editions=editions,
        counts=dedup.count_merged(counts, grouping.groups),
        groups=grouping.groups,
        doubts=grouping.doubts,
        papers=papers,
        registry=keep_identifiers(known, assignment.registry),
        problems=(
            *config_problems,
            *content_problems,
            *check_editions(content.editions, editions),
            *check_answers(content.decisions, assignment.registry),
            *completion_problems,
            *references.unread(config.references, completions),
            *grouping.problems,
            *registry_problems,
            *assignment.problems,
            *corrected,
            *check_targets(content.overrides, assignment.registry),
        ),
        source_problems=source_problems,
        loses=newly_gone and _has_error(source_problems),
    )


def _describe(
    gathered: Gathered,
    options: BuildOptions,
    progress: Progress,
    memory: Memory,
    workers: Workers,
) -> Described:
    """Find names, headlines, tags, topics and neighbours of the papers."""
    papers, config, overrides = gathered.papers, gathered.config, gathered.content.overrides
    texts = [subject_of(paper) for paper in papers]
    # All that follows but headlines rests on these texts; a note or date leaves it as it is.
    bodies = tuple(
        replace(paper, title=None, metadata=Metadata(), links=(), places=(), merged=())
        for paper in papers
    )
    model = KeywordOptions(model=config.tags.model)
    cache = options.state / "cache"
    # Tags and topics need not be found anew for a note or a title.
    classing = {
        key: Override(
            id=key, path=one.path, tags=one.tags, not_tags=one.not_tags, topics=one.topics
        )
        for key, one in overrides.items()
        if one.tags or one.not_tags or one.topics is not None
    }
    with progress.stage("headlines"):
        written = memory.recall(write_headlines, papers, cache_dir=cache, workers=workers)
        namings = curated_titles(papers, written, overrides)
    with progress.stage("keywords") as advance:
        readings = read(
            texts, model, cache_dir=cache, jobs=options.jobs, workers=workers, progress=advance
        )
    with progress.stage("tags"):
        vocabulary, problems = _vocabulary(options.root, config)
        columns = memory.recall(kept.columns, texts, cache, options.jobs)
        nearest = memory.recall(
            kept.nearest_beside,
            bodies,
            readings.vectors,
            columns=columns,
            cache=cache,
            jobs=options.jobs,
        )
        taggings = memory.recall(
            choose_tags,
            bodies,
            readings.keywords,
            vocabulary=vocabulary,
            slugify=slugify,
            overrides=classing,
            limits=TagLimits(most=config.tags.limit, linked=config.tags.linked),
            columns=columns,
            introduced=tuple(
                tuple(form for name in naming.names for form in (name.text, name.expansion) if form)
                for naming in namings
            ),
            standing=memory.recall(
                kept.standing,
                columns,
                readings.keywords,
                vocabulary,
                model.cache_key(),
                cache,
                headlines=tuple(naming.title for naming in written),
                jobs=options.jobs,
            ),
        )

    def assign(topics: tuple[Topic, ...]) -> tuple[TopicIndex, tuple[TopicChoice, ...]]:
        index = memory.recall(_index, topics, model, cache, curated=bool(gathered.content.topics))
        ids = [paper.id for paper in papers]
        early = basis(papers).tolist()
        choices = memory.recall(
            kept.choices,
            columns,
            readings.vectors,
            index,
            ids=ids,
            overrides=classing,
            early=early,
            model=model.cache_key(),
            cache=cache,
        )
        return index, choices

    with progress.stage("topics"):
        topics = gathered.content.topics
        if topics:
            index, choices = assign(topics)
        else:
            found = memory.recall(discover_topics, bodies, taggings, readings.vectors)
            first = assign(found)[1]
            topics = keep_filled(found, [first[at] for at in basis(papers).tolist()])
            index, choices = assign(topics)
    firsts = [choice.topics[0].slug if choice.topics else "" for choice in choices]
    placing = readings.vectors, firsts, basis(papers).tolist(), cache
    placed = None
    if not options.steady_map:
        placed = memory.recall(kept.positions_beside, *placing, jobs=options.jobs)
    with progress.stage("related"):
        relations = memory.recall(with_reasons, bodies, readings.keywords, taggings, nearest())
    with progress.stage("map"):
        ids = tuple(paper.id for paper in papers)
        positions = placed() if placed else memory.recall_while(ids, kept.positions, *placing)
    return Described(
        namings=namings,
        vectors=readings.vectors,
        taggings=taggings,
        topics=topics,
        topic_index=index,
        choices=choices,
        relations=relations,
        positions=positions,
        problems=(*problems, *check_overrides(topics, overrides)),
    )


def _index(
    topics: tuple[Topic, ...], model: KeywordOptions, cache: Path, *, curated: bool
) -> TopicIndex:
    # Topics found in the digest itself are measured against the digest, curated ones against
    # fixed texts.
    return index_topics(
        topics, lambda phrases: embed(phrases, model, cache_dir=cache), None if curated else ()
    )


def _has_error(problems: Iterable[Problem]) -> bool:
    return any(problem.severity is Severity.ERROR for problem in problems)


def site_files(
    digest: Digest,
    options: BuildOptions,
    skip: Container[str] = (),
    lines: exports.Lines | None = None,
) -> Iterator[SiteFile]:
    """Yield every file of the site; what takes longest first, so that no process waits for it.

    Args:
        digest: what was decided.
        options: of the build.
        skip: paths of pages that are left out.
        lines: of the papers in the data files, where some may stand in former files.
    """
    site = digest.site
    lines = lines or exports.Lines(site.records, site.info.base_url, site.weights)
    yield from exports.data_files(site, lines)
    yield from render.app_files(site, lines.key, lines.version)
    if options.cards:
        yield from cards.card_files(digest.site, options.state / "cache" / "cards")
    yield from render.page_files(digest.site, [options.root / "templates"], skip=skip)
    yield from feeds.feed_files(digest.site)
    yield from render.asset_files()
    if options.commit:
        yield OutFile(path="data/commit.txt", data=f"{options.commit}\n".encode())


@contextmanager
def _searching(
    digest: Digest, options: BuildOptions, progress: Progress
) -> Iterator[Iterable[SiteFile]]:
    """Make the search index beside the pages; its time is what it takes longer than they do."""

    def wait(files: Callable[[], Iterator[SiteFile]]) -> Iterator[SiteFile]:
        with progress.stage("search"):
            yield from files()

    if not options.search or not digest.site.records:
        yield ()
        return
    language, cache = digest.gathered.config.language, options.state / "cache/search"
    with index_beside(digest.site.search, language, cache, jobs=options.jobs) as files:
        yield wait(files)


def _vocabulary(root: Path, config: Config) -> tuple[Vocabulary, tuple[Problem, ...]]:
    """Read the curator's terms on top of the package's."""
    base = default_vocabulary() if config.tags.builtin_aliases else EMPTY
    path = root / config.tags.aliases
    if not path.exists():
        return base, ()
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        reason = "not UTF-8" if isinstance(exc, UnicodeDecodeError) else str(exc.strerror).lower()
        hint = "save it as UTF-8, or mend its permissions"
        return base, (error("aliases-unreadable", reason, Location(config.tags.aliases), hint),)
    return read_vocabulary(text, config.tags.aliases, base)
