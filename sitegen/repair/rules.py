"""The rules of repair, in the order in which they run: a name, its reason, its cure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One kind of damage and its cure."""

    name: str
    reason: str
    """What did the damage."""
    signs: tuple[str, ...] = ()
    """Strings of which a text must hold one for the rule to run; without any it always runs."""
    apply: Callable[[Draft], str]


def _on_text(function: Callable[[str], str]) -> Callable[[Draft], str]:
    """Turn a rule on plain characters into one on drafts."""
    return lambda draft: function(draft.text)


RULES: Final[tuple[Rule, ...]] = (
    Rule(
        name="mojibake",
        reason="UTF-8 was read as Windows-1252 or Latin-1",
        signs=("Ã", "Â", "Ä", "Å", "â", "ï", "ð"),
        apply=_on_text(characters.mend_mojibake),
    ),
    Rule(
        name="controls",
        reason="control characters and lone surrogates come from PDF copies and break feeds",
        apply=_on_text(characters.drop_unprintable),
    ),
    Rule(
        name="entities",
        reason="HTML was taken for plain text",
        signs=("&",),
        apply=_on_text(characters.decode_entities),
    ),
    Rule(
        name="invisible",
        reason="soft hyphens and zero-width characters split words unseen",
        apply=_on_text(characters.drop_invisible),
    ),
    Rule(
        name="ligatures",
        reason="fonts of PDFs join letters that search must find apart",
        signs=("ﬀ", "ﬁ", "ﬂ", "ﬃ", "ﬄ", "ﬅ", "ﬆ"),
        apply=_on_text(characters.split_ligatures),
    ),
    Rule(
        name="spaces",
        reason="no-break and thin spaces split phrases that are the same",
        apply=_on_text(characters.plain_spaces),
    ),
    Rule(
        name="composition",
        reason="one letter in two encodings is two words",
        apply=_on_text(characters.compose),
    ),
    Rule(
        name="lost-codes",
        reason=r"\unicode{x2013} lost its command and braces",
        signs=("x0", "x2"),
        apply=_on_text(characters.decode_lost_codes),
    ),
    Rule(
        name="tex-links", reason=r"\url and \href are links", signs=("\\",), apply=latex.hold_urls
    ),
    Rule(
        name="addresses",
        reason="nothing inside an address may be mended",
        signs=("/",),
        apply=addresses.hold_addresses,
    ),
    Rule(
        name="identifiers",
        reason="underscores and dots of names are no markup",
        signs=("_", "@", ".", ":\\"),
        apply=addresses.hold_identifiers,
    ),
    Rule(
        name="comments",
        reason="the authors commented a sentence out",
        signs=("%",),
        apply=latex.drop_comments,
    ),
    Rule(
        name="accents",
        reason="TeX spells accents with commands",
        signs=("\\",),
        apply=accents.set_accents,
    ),
    Rule(
        name="formulas",
        reason="formulas stand in their delimiters",
        signs=("$", "\\"),
        apply=mathmode.hold_formulas,
    ),
    Rule(
        name="abbreviations",
        reason=r"\ie and its like are macros of style files",
        signs=("\\",),
        apply=latex.spell_abbreviations,
    ),
    Rule(name="escapes", reason="TeX escapes % & # _", signs=("\\",), apply=latex.open_escapes),
    Rule(
        name="commands",
        reason="text commands set styles, cite, or lay out",
        signs=("\\",),
        apply=latex.resolve_commands,
    ),
    Rule(
        name="symbols",
        reason="symbol commands stand outside of formulas too",
        signs=("\\",),
        apply=latex.set_symbols,
    ),
    Rule(
        name="lost-commands",
        reason="commands lost their backslash, name or first argument",
        signs=("{",),
        apply=remains.resolve_lost_commands,
    ),
    Rule(
        name="stray-dollars",
        reason="the other end of the formula is lost",
        signs=("$",),
        apply=remains.drop_stray_dollars,
    ),
    Rule(
        name="citation-keys",
        reason=r"\cite lost its command and braces",
        signs=("19", "20"),
        apply=remains.drop_citation_keys,
    ),
    Rule(name="code", reason="authors write Markdown", signs=("`",), apply=addresses.hold_code),
    Rule(
        name="markdown",
        reason="authors write Markdown",
        signs=("*", "__"),
        apply=punctuation.set_markdown,
    ),
    Rule(
        name="name-scripts",
        reason="names and units hold raised and lowered digits",
        signs=("^", "_", "{", "mu", " -", "times", "pm", "sim", "rightarrow"),
        apply=raised.set_name_scripts,
    ),
    Rule(
        name="lost-formulas",
        reason="formulas lost their dollars and backslashes",
        apply=lost.restore_formulas,
    ),
    Rule(
        name="quotes",
        reason="TeX spells quotes with backticks and apostrophes",
        signs=("`", "''"),
        apply=punctuation.set_quotes,
    ),
    Rule(
        name="tildes", reason="TeX ties words with ~", signs=("~",), apply=punctuation.open_tildes
    ),
    Rule(
        name="dashes",
        reason="TeX and typewriters spell dashes with hyphens",
        signs=("-",),
        apply=punctuation.set_dashes,
    ),
    Rule(
        name="glued-sentences",
        reason="a line end between two sentences is lost",
        signs=(".", "!", "?"),
        apply=gluing.part_sentences,
    ),
    Rule(
        name="glued-short-forms",
        reason="the space before a short form is lost",
        signs=("(",),
        apply=gluing.part_short_forms,
    ),
)
"""Every rule, in order: first characters, then what is still LaTeX, then what was lost of it."""
