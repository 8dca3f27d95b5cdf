"""Damaged text to clean text with its markup beside it: pure, linear, every rule named.

The rules stand in ``RULES`` in the order in which they run. A text in which no rule finds anything
comes out as it went in, but for spaces and line breaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from sitegen.links import find_links
from sitegen.records import Abstract, Author, Link, Metadata, Prose, Restored
from sitegen.repair import (
    accents,
    addresses,
    characters,
    gluing,
    latex,
    lost,
    mathmode,
    punctuation,
    raised,
    remains,
)
from sitegen.repair.draft import Draft

Step = tuple[str, str, str]
"""Rule, text before, text after."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One kind of damage and its cure."""

    name: str
    signs: tuple[str, ...] = ()
    """Strings of which a text must hold one for the rule to run; without any it always runs."""
    apply: Callable[[Draft], str]


def _on_text(function: Callable[[str], str]) -> Callable[[Draft], str]:
    """Turn a rule on plain characters into one on drafts."""
    return lambda draft: function(draft.text)


RULES: Final[tuple[Rule, ...]] = (
    Rule(
        name="mojibake",
        signs=("Ã", "Â", "Ä", "Å", "â", "ï", "ð"),
        apply=_on_text(characters.mend_mojibake),
    ),
    Rule(name="controls", apply=_on_text(characters.drop_unprintable)),
    Rule(name="entities", signs=("&",), apply=_on_text(characters.decode_entities)),
    Rule(name="invisible", apply=_on_text(characters.drop_invisible)),
    Rule(
        name="ligatures",
        signs=("ﬀ", "ﬁ", "ﬂ", "ﬃ", "ﬄ", "ﬅ", "ﬆ"),
        apply=_on_text(characters.split_ligatures),
    ),
    Rule(name="spaces", apply=_on_text(characters.plain_spaces)),
    Rule(name="composition", apply=_on_text(characters.compose)),
    Rule(name="lost-codes", signs=("x0", "x2"), apply=_on_text(characters.decode_lost_codes)),
    Rule(name="tex-links", signs=("\\",), apply=latex.hold_urls),
    Rule(name="addresses", signs=("/",), apply=addresses.hold_addresses),
    Rule(name="identifiers", signs=("_", "@", ".", ":\\"), apply=addresses.hold_identifiers),
    Rule(name="comments", signs=("%",), apply=latex.drop_comments),
    Rule(name="accents", signs=("\\",), apply=accents.set_accents),
    Rule(name="formulas", signs=("$", "\\"), apply=mathmode.hold_formulas),
    Rule(name="abbreviations", signs=("\\",), apply=latex.spell_abbreviations),
    Rule(name="escapes", signs=("\\",), apply=latex.open_escapes),
    Rule(name="commands", signs=("\\",), apply=latex.resolve_commands),
    Rule(name="symbols", signs=("\\",), apply=latex.set_symbols),
    Rule(name="lost-commands", signs=("{",), apply=remains.resolve_lost_commands),
    Rule(name="stray-dollars", signs=("$",), apply=remains.drop_stray_dollars),
    Rule(name="citation-keys", signs=("19", "20"), apply=remains.drop_citation_keys),
    Rule(name="code", signs=("`",), apply=addresses.hold_code),
    Rule(name="markdown", signs=("*", "__"), apply=punctuation.set_markdown),
    Rule(
        name="name-scripts",
        signs=("^", "_", "{", "mu", " -", "times", "pm", "sim", "rightarrow"),
        apply=raised.set_name_scripts,
    ),
    Rule(name="lost-formulas", apply=lost.restore_formulas),
    Rule(name="quotes", signs=("`", "''"), apply=punctuation.set_quotes),
    Rule(name="tildes", signs=("~",), apply=punctuation.open_tildes),
    Rule(name="dashes", signs=("-",), apply=punctuation.set_dashes),
    Rule(name="glued-sentences", signs=(".", "!", "?"), apply=gluing.part_sentences),
    Rule(name="glued-short-forms", signs=("(",), apply=gluing.part_short_forms),
)
"""Every rule, in order: first characters, then what is still LaTeX, then what was lost of it."""

_MAX_ROUNDS: Final = 4
_BRACES: Final = re.compile(r"(?<![\\A-Za-z^_}])\{([^{}\\]*)\}")


def repair(text: str) -> Prose:
    """Return the text mended: clean Unicode on one line, and where its markup stands.

    Idempotent on its own plain output. Time is linear in the length of the text.
    """
    return _repaired(text)[0]


def repair_steps(text: str) -> tuple[Step, ...]:
    """Return which rules changed the text, each with the text before and after it."""
    return _repaired(text)[1]


def _repaired(text: str) -> tuple[Prose, tuple[Step, ...]]:
    steps: list[Step] = []
    prose = _once(text, steps)
    if prose.text == text:
        return prose, tuple(steps)
    for _ in range(_MAX_ROUNDS):
        # What a rule leaves behind can look like new damage; such rare texts run again.
        again: list[Step] = []
        second = _once(prose.text, again)
        if second.text == prose.text:
            break
        prose, steps = second, steps + again
    return prose, tuple(steps)


def _once(text: str, steps: list[Step]) -> Prose:
    draft = Draft(text=text)
    for rule in RULES:
        if rule.signs and not any(sign in draft.text for sign in rule.signs):
            continue
        after = rule.apply(draft)
        if after != draft.text:
            before = draft.shown()
            draft.text = after
            if draft.shown() != before:
                steps.append((rule.name, before, draft.shown()))
    return draft.prose()


def restore(abstract: Abstract) -> Restored:
    """Return an abstract with its text, title, authors and venue mended and its links found."""
    prose = repair(abstract.text)
    known = abstract.metadata
    metadata = replace(
        known,
        authors=tuple(_author(author) for author in known.authors),
        venue=_plain(known.venue),
    )
    return Restored(
        abstract=replace(abstract, metadata=metadata) if metadata != known else abstract,
        prose=prose,
        title=repair_title(known.title) if known.title.strip() else None,
        links=_joined(find_links(prose), known),
    )


def repair_title(title: str) -> Prose:
    """Return a title mended; braces that only protect capitals (``{FPGA-}based``) go as well."""
    return repair(_without_braces(title))


def _without_braces(text: str) -> str:
    for _ in range(4):
        shorter = _BRACES.sub(r"\1", text)
        if shorter == text:
            break
        text = shorter
    return text


def _plain(text: str) -> str:
    return repair(_without_braces(text)).text if text else text


def _author(author: Author) -> Author:
    return replace(
        author, name=_plain(author.name), family=_plain(author.family), given=_plain(author.given)
    )


def _joined(found: tuple[Link, ...], metadata: Metadata) -> tuple[Link, ...]:
    """Return the text's links, then those of the metadata; no URL twice."""
    links = {link.url: link for link in reversed((*found, *metadata.links))}
    ordered = dict.fromkeys(link.url for link in (*found, *metadata.links))
    return tuple(links[url] for url in ordered)
