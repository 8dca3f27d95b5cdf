"""Permanent ids and addresses: which registered paper each group is, and what became of the rest.

A paper is known by its texts' fingerprints, then by its identifiers, a sketch of its text, and last
by its title and authors, so that a mended typo, a new version, another order of files or a new seed
file never changes a URL.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sitegen.diagnostics import Location, Problem, note, warning
from sitegen.ids import holders, mint, read_sketch, sketches
from sitegen.ledger import (
    REGISTRY,
    Entry,
    Registry,
    dump,
    load,
    make_registry,
    parse,
)
from sitegen.overlap import COMMON
from sitegen.records import Group, Link, MergedText, Metadata, Paper, Place
from sitegen.shingles import FINGERPRINT, Hashes, Prints, known_by, title_line

__all__ = [
    "REGISTRY",
    "Assignment",
    "Entry",
    "Registry",
    "assign",
    "dump",
    "known_ids",
    "load",
    "paper_url",
    "parse",
    "recognised_from",
    "redirect",
    "register_urls",
]

RECOGNISED = 0.25
"""Share of a sketch found in a text from which on the text is an edited version: a quarter of the
words replaced leaves 0.25 and more, unrelated abstracts share 0.12 (measured on 12,000)."""
WHOLE = 0.8
"""The same where the sketch is of a short text."""
MERGED = 0.5
"""The same for a registered paper whose edited text now belongs to another's page."""
_FULL_SKETCH = 24
_TITLE = "title:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """Papers with their permanent ids."""

    papers: tuple[Paper, ...]
    """In the order of their first places."""
    registry: Registry
    """To be saved, unless the build is frozen."""
    problems: tuple[Problem, ...]
    """Papers newly merged (notes) and newly gone (warnings)."""


def paper_url(paper_id: str) -> str:
    """Return the URL path of a paper's page."""
    return f"/papers/{paper_id}/"


def assign(groups: Sequence[Group], registry: Registry, prints: Prints | None = None) -> Assignment:
    """Give each group its registered id, or a new one.

    Two registered papers in one group: the one registered first keeps its page, the other's URL
    becomes an alias of it. A registered paper whose text is in no group is kept as gone.

    Args:
        groups: all papers of the build, in any order.
        registry: as loaded.
        prints: of texts; what it lacks is added.

    Returns:
        the same for every order of the groups.
    """
    prints = Prints() if prints is None else prints
    cards = sorted((_card(group, prints) for group in groups), key=lambda card: card.places)
    entries = registry.of_kind("paper")
    found = _match(cards, entries, prints)
    mine: dict[int, list[Entry]] = defaultdict(list)
    for number, at in sorted(found.items()):
        mine[at].append(entries[number])
    chosen = {
        at: min(several, key=lambda entry: _seniority(entry, cards[at]))
        for at, several in mine.items()
    }
    ids = {at: entry.id for at, entry in chosen.items()}
    taken = {entry.id for entry in entries}
    fresh = [at for at in range(len(cards)) if at not in chosen]
    # In the order of their texts, not of their files: who gets the short id must not change.
    for at in sorted(fresh, key=lambda at: (cards[at].first, at)):
        ids[at] = mint(cards[at].first, taken)
        taken.add(ids[at])
    drawn = sketches([card.words for card in cards])
    live = [_live(ids[at], card, drawn[at], chosen.get(at)) for at, card in enumerate(cards)]
    pages = {entry.id for entry in live}
    problems = []
    retired = []
    for number, entry in enumerate(entries):
        if entry.id not in pages:
            target = live[found[number]].url if number in found else ""
            retired.append(_retired(entry, target))
            if entry.state == "live":
                problems.append(_change(entry, retired[-1]))
    rest = [entry for entry in registry.entries if entry.kind != "paper"]
    return Assignment(
        papers=tuple(_paper(card, entry) for card, entry in zip(cards, live, strict=True)),
        registry=make_registry([*rest, *live, *retired]),
        problems=tuple(problems),
    )


def register_urls(
    registry: Registry, live: Iterable[tuple[str, str, str]], today: str = ""
) -> tuple[Registry, tuple[Entry, ...]]:
    """Register the addresses of all pages but the papers'.

    Args:
        registry: as `assign` returned it.
        live: (kind, id, URL path) of each page of the build, each id and URL once; papers among
            them are passed over.
        today: ISO date to note as first seen of new ones; empty where unknown.

    Returns:
        the registry, and the entries that no page of the build answers for: the caller renders
        something at their URLs, or fails.
    """
    pages: dict[tuple[str, str], str] = {}
    owners: dict[str, tuple[str, str]] = {}
    for kind, key, url in sorted(set(live)):
        if kind != "paper" and (kind, key) not in pages and url not in owners:
            pages[kind, key] = url
            owners[url] = (kind, key)
    entries = []
    for entry in registry.entries:
        now = pages.get((entry.kind, entry.id))
        if entry.kind == "paper":
            entries.append(entry)
        elif now is not None:
            entries.append(_answering(entry, now))
            if now != entry.url and entry.url not in owners:
                entries.append(
                    Entry(kind="alias", id=entry.url, url=entry.url, state="alias", target=now)
                )
        elif entry.url not in owners:  # else another page answers there now
            entries.append(entry if entry.state == "alias" else replace(entry, state="gone"))
    known = {(entry.kind, entry.id) for entry in entries}
    entries += [
        Entry(kind=page[0], id=page[1], url=url, first_seen=today)
        for url, page in owners.items()
        if page not in known
    ]
    vanished = [entry for entry in entries if entry.kind != "paper" and entry.state == "gone"]
    return make_registry(entries), tuple(sorted(vanished))


def _answering(entry: Entry, url: str) -> Entry:
    """Return the entry of a page that the build has."""
    if (entry.url, entry.state, entry.target, entry.reason) == (url, "live", "", ""):
        return entry
    return replace(entry, url=url, state="live", target="", reason="")


def redirect(registry: Registry, moves: Mapping[str, str]) -> Registry:
    """Make registered URLs aliases: moves maps a URL path to the one that answers for it now."""
    return make_registry(
        replace(entry, state="alias", target=moves[entry.url]) if entry.url in moves else entry
        for entry in registry.entries
    )


# ---- matching -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Card:
    """A group and what it is recognised by."""

    group: Group
    places: tuple[Place, ...]
    """Sorted."""
    marks: tuple[str, ...]
    """Fingerprints of its texts, the shown one's first."""
    first: str
    """Digest of the text with the earliest known date, then place."""
    words: Hashes
    """Of the shown text, or what else the paper is known by."""
    ids: tuple[str, ...]
    """Its identifiers and titles, sorted; see `Entry.ids`."""


def _card(group: Group, prints: Prints) -> _Card:
    abstracts = [group.main.abstract, *(copy.restored.abstract for copy in group.copies)]
    texts = [known_by(one) for one in abstracts]
    _, first = min(
        zip(abstracts, texts, strict=True),
        key=lambda pair: (not pair[0].place.date, pair[0].place.date, pair[0].place),
    )
    return _Card(
        group=group,
        places=tuple(sorted(one.place for one in abstracts)),
        marks=tuple(dict.fromkeys(prints[text].mark for text in texts)),
        first=prints[first].digest,
        words=prints[texts[0]].words,
        ids=tuple(sorted({each for one in abstracts for each in known_ids(one.metadata, prints)})),
    )


def known_ids(metadata: Metadata, prints: Prints) -> Iterator[str]:
    """Yield what a record is recognised by besides its text, as `Entry.ids` holds it."""
    if metadata.arxiv:
        yield f"arxiv:{metadata.arxiv}"
    if metadata.doi:
        yield f"doi:{metadata.doi.casefold()}"
    if metadata.title and (metadata.authors or metadata.arxiv or metadata.doi):
        yield f"{_TITLE}{prints[title_line(metadata)].mark}"


def _match(cards: Sequence[_Card], entries: Sequence[Entry], prints: Prints) -> dict[int, int]:
    """Return, by position, the card that each registered paper is found on; not all are."""
    by_mark: dict[str, list[int]] = defaultdict(list)
    for at, card in enumerate(cards):
        for mark in card.marks:
            by_mark[mark].append(at)
    found: dict[int, int] = {}
    used: Counter[str] = Counter()
    for number, entry in sorted(enumerate(entries), key=lambda one: one[1].state != "live"):
        if places := by_mark.get(entry.fingerprint):
            # Papers of equal tiny texts share a fingerprint: one entry each while they last.
            turn = used[entry.fingerprint]
            found[number] = places[turn if turn < len(places) else 0]
            used[entry.fingerprint] += 1
    for number, entry in enumerate(entries):
        places = next((by_mark[mark] for mark in entry.texts if mark in by_mark), [])
        if places and number not in found:
            found[number] = places[0]
    _match_ids(cards, entries, found, titles=False)
    loose = {
        number: read_sketch(entry.sketch)
        for number, entry in enumerate(entries)
        if number not in found and entry.sketch and entry.state != "alias"
    }
    if loose:
        _match_edited(cards, loose, found, prints)
    _match_ids(cards, entries, found, titles=True)
    return found


def _match_ids(
    cards: Sequence[_Card], entries: Sequence[Entry], found: dict[int, int], *, titles: bool
) -> None:
    """Find cards by identifiers, or else by titles, whatever their texts say; fills found."""
    owned = set(found.values())
    holders: dict[str, list[int]] = defaultdict(list)
    for at, card in enumerate(cards):
        for each in card.ids:
            if each.startswith(_TITLE) == titles:
                holders[each].append(at)
    for number, entry in sorted(enumerate(entries), key=lambda one: one[1].state != "live"):
        if number in found or entry.state == "alias":
            continue
        places = [at for each in entry.ids for at in holders.get(each, ())]
        free = [at for at in places if at not in owned]
        # A title alone does not take a paper from the page that its text has.
        if free or (places and not titles):
            found[number] = (free or places)[0]
            owned.add(found[number])


def recognised_from(size: int) -> float:
    """Return the share of a sketch of so many values from which on a text is an edited version."""
    return RECOGNISED if size >= _FULL_SKETCH else WHOLE


def _match_edited(
    cards: Sequence[_Card],
    loose: dict[int, tuple[int, ...]],
    found: dict[int, int],
    prints: Prints,
) -> None:
    """Find the cards of papers whose texts were edited, by their sketches; fills found."""
    owned = set(found.values())
    texts = [(at, card.words) for at, card in enumerate(cards)]
    texts += [
        (at, prints[copy.restored.abstract.text].words)
        for at, card in enumerate(cards)
        for copy in card.group.copies
    ]
    index = holders(texts, {value for values in loose.values() for value in values})
    hits = []
    for number, values in loose.items():
        counts = Counter(
            at
            for value in values
            if len(index.get(value, ())) <= COMMON
            for at in index.get(value, ())
        )
        least = recognised_from(len(values))
        for at, count in counts.items():
            share = count / len(values)
            if share >= least:
                hits.append((-share, number, at))
    hits.sort()
    for _, number, at in hits:  # a card without a paper takes the likest one
        if number not in found and at not in owned:
            found[number] = at
            owned.add(at)
    for share, number, at in hits:  # what is left may have been merged into another
        if number not in found and -share >= MERGED:
            found[number] = at


def _seniority(entry: Entry, card: _Card) -> tuple[object, ...]:
    """Order papers that became one: the one registered first comes first."""
    return (
        entry.state != "live",
        not entry.first_seen,
        entry.first_seen,
        entry.fingerprint != card.marks[0],
        entry.fingerprint not in card.marks,
        entry.id,
    )


# ---- results ------------------------------------------------------------------------------------
def _live(paper_id: str, card: _Card, drawn: str, old: Entry | None) -> Entry:
    """Return the entry of a paper of this build."""
    first = old.fingerprint if old else card.first[:FINGERPRINT]
    dates = [place.date for place in card.places if place.date]
    return Entry(
        kind="paper",
        id=paper_id,
        url=old.url if old else paper_url(paper_id),
        first_seen=(old.first_seen if old else "") or min(dates, default=""),
        fingerprint=first,
        texts=tuple(sorted(set(card.marks) - {first})),
        ids=card.ids,
        sketch=drawn,
    )


def _retired(entry: Entry, target: str) -> Entry:
    """Return the entry of a paper without a page of its own."""
    if target:
        return replace(entry, state="alias", target=target)
    return entry if entry.state == "alias" else replace(entry, state="gone")


def _change(old: Entry, new: Entry) -> Problem:
    """Say what became of a registered paper that had a page."""
    location = Location(REGISTRY)
    if new.state == "alias":
        text = f"paper {old.id} was merged: its URL leads to {new.target}"
        return note("paper-merged", text, location)
    return warning(
        "paper-gone",
        f"paper {old.id} stands in no source any more: its URL shows a notice",
        location,
        "bring its text back if this was not meant",
    )


def _paper(card: _Card, entry: Entry) -> Paper:
    group = card.group
    texts = [group.main, *(copy.restored for copy in group.copies)]
    shown = {group.main.abstract.text}
    merged = []
    for copy in group.copies:
        abstract = copy.restored.abstract
        if copy.kind != "exact" and abstract.text.strip() and abstract.text not in shown:
            shown.add(abstract.text)
            merged.append(
                MergedText(
                    kind=copy.kind,
                    score=copy.score,
                    text=abstract.text,
                    place=abstract.place,
                    version=abstract.metadata.version,
                )
            )
    links: dict[str, Link] = {}
    for text in texts:
        for link in text.links:
            links.setdefault(link.url, link)
    return Paper(
        id=entry.id,
        prose=group.main.prose,
        source_text=group.main.abstract.text,
        title=next((text.title for text in texts if text.title), None),
        metadata=_metadata([text.abstract.metadata for text in texts]),
        links=tuple(links.values()),
        places=card.places,
        merged=tuple(merged),
        bare=tuple(sorted(one.abstract.place for one in texts if not one.abstract.text.strip())),
        first_seen=entry.first_seen,
    )


def _metadata(all_of_it: Sequence[Metadata]) -> Metadata:
    """Return the first one, what it leaves open filled from the others."""
    if len(all_of_it) == 1:
        return all_of_it[0]
    names = Metadata.__dataclass_fields__
    values = {
        name: next((value for one in all_of_it if (value := getattr(one, name))), None)
        for name in names
    }
    named = next((one for one in all_of_it if one.authors), all_of_it[0])
    dois = [one.doi for one in all_of_it if one.doi]
    values["et_al"] = named.et_al
    # An article's own DOI says more than the one that arXiv gives each preprint.
    values["doi"] = min(dois, key=lambda doi: doi.casefold().startswith("10.48550/"), default="")
    return replace(all_of_it[0], **{name: value for name, value in values.items() if value})
