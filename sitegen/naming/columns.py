"""The columns of a candidate's feature vector, by names that a reader can understand."""

from __future__ import annotations

_FLAGS_BEFORE = {
    "after_we_propose": "introduce introduces propose proposes present presents develop develops "
    "introducing proposing presenting developing devise design create unveil describe establish "
    "formulate",
    "after_release": "release releases releasing build construct collect curate contribute provide "
    "offer constructing building creating curating collecting",
    "after_called": "called dubbed termed coined named namely term dub denoted name call coin "
    "titled",
    "after_as": "as",
    "after_our": "our",
    "after_proposed": "proposed introduced presented resulting",
    "after_the": "the",
    "after_a": "a an",
    "after_of": "of",
    "after_on": "on",
    "after_in": "in",
    "after_with": "with",
    "after_by": "by",
    "after_using": "using via through use uses utilize leverage leverages leveraging employ "
    "employing apply applying applies utilizing utilized integrate integrates integrating "
    "incorporate incorporates incorporating combine combines combining adopt adopts adopting "
    "exploit exploits exploiting harness harnesses harnessing instantiate instantiates",
    "after_than": "than over",
    "after_and": "and or",
    "after_like": "like including e.g g",
    "after_on_top": "based upon",
    "after_extends": "extend extends extending extended adapt adapts adapting modify modifies "
    "complement complements augment augments",
    "after_train": "train trains pretrain pre-train pretrained",
    "after_result": "form forms forming yield yields yielding",
    "after_outperforms": "outperforms outperform outperforming surpasses surpass surpassing "
    "exceeds beats",
    "after_that": "that where while",
    "after_for": "for to",
    "after_show": "show demonstrate evaluate evaluating of",
    "after_comma": ",",
    "after_bracket": "( [",
    "after_quote": "\" “ ‘ ' « `",
    "after_dash": "– — -- : -",
    "after_sort": "framework method model dataset benchmark approach system architecture algorithm "
    "technique metric corpus pipeline tool module network suite mechanism strategy",
}
_FLAGS_AFTER = {
    "before_is": "is are",
    "before_comma": ",",
    "before_bracket": "(",
    "before_close": ") ]",
    "before_full_stop": ".",
    "before_which": "which that",
    "before_possessive": "'s ’s",
    "before_and": "and or",
    "before_quote": "\" ” ’ ' » `",
    "before_dash": "– — -- :",
    "before_we": "we",
    "before_sort": "framework method model dataset benchmark approach system architecture "
    "algorithm technique metric corpus pipeline tool module suite mechanism strategy",
    "before_thing": "models datasets benchmarks methods baselines networks variants families tasks "
    "dataset benchmark benchmarks leaderboard family series architecture architectures backbone",
    "before_verb": "achieves outperforms improves reduces leverages integrates employs introduces "
    "consists combines uses utilizes enables provides addresses surpasses demonstrates delivers "
    "yields attains operates incorporates adopts exploits extends enhances learns generates "
    "generalizes offers achieve outperform exhibits maintains supports allows performs works "
    "significantly consistently effectively not first also can aims",
    "before_data_verb": "contains comprises includes covers features spans provides consists "
    "encompasses consisting containing comprising covering",
    "before_for": "for to in on",
}

NAMES = (
    *_FLAGS_BEFORE,
    *_FLAGS_AFTER,
    "built_on",
    "built_on_within_9",
    "others_within_3",
    "cited",
    "near_team",
    "list_governed",
    "own_proposal_before",
    "using_before",
    "cue_before_mean",
    "cue_before_best",
    "cue_after_mean",
    "cue_after_best",
    "cue_both_best",
    "cue_first",
    "propose_within_3",
    "propose_within_8",
    "make_within_3",
    "make_within_8",
    "beside_sort",
    "own_made",
    "called_within_3",
    "our_within_3",
    "we_before",
    "article_described",
    "is_described",
    "first_word",
    "first_word_share",
    "rival_before",
    "listed",
    "in_brackets",
    "in_own_sentence",
    "in_others_sentence",
    "way_coined",
    "way_part",
    "way_quoted",
    "way_object",
    "way_apposed",
    "way_weak",
    "way_run",
    "way_head",
    "odd",
    "all_capitals",
    "has_digit",
    "has_hyphen",
    "has_capital",
    "one_capitalised",
    "capitalised_words",
    "words",
    "letters",
    "small_words",
    "ends_with_sort",
    "ends_adjectival",
    "joined_words",
    "common_word",
    "rarest_word",
    "known",
    "known_cased",
    "count",
    "count_share",
    "count_rank",
    "sentences",
    "first_place",
    "first_sentence",
    "last_place",
    "has_partner",
    "is_short",
    "partner_proposed",
    "partner_known",
    "partner_first_sentence",
    "in_address",
    "inside_other",
    "holds_other",
    "grows_other",
    "candidates",
    "earlier_proposed",
    "paper_proposes",
)
INDEX = {name: position for position, name in enumerate(NAMES)}
"""Each name's column."""
BEFORE = {word: INDEX[name] for name, words in _FLAGS_BEFORE.items() for word in words.split()}
"""Column of the flag that a word right before a place sets."""
AFTER: dict[str, tuple[int, ...]] = {}
for _name, _words in _FLAGS_AFTER.items():
    for _word in _words.split():
        AFTER[_word] = (*AFTER.get(_word, ()), INDEX[_name])
"""Columns of the flags that a word right after a place sets."""
