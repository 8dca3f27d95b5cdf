"""What an editor would not let pass in a headline, whatever its words promise."""

from __future__ import annotations

import itertools
import re

from sitegen.naming.clauses import DEEDS, DOING, LOOSE_KINDS, REACH
from sitegen.naming.compression import Body
from sitegen.naming.drafts import Draft
from sitegen.naming.endings import NOUN_KINDS
from sitegen.naming.openings import head_of
from sitegen.naming.reading import Reading
from sitegen.naming.rendering import turned
from sitegen.naming.stems import stems_of
from sitegen.naming.tagged import OWN, PROPOSE
from sitegen.naming.wordlists import word_list

FEWEST_WORDS, FEWEST_BESIDE_NAME = 5, 3
"""Shorter drafts come after all others: "Language models" may agree with the title's words, but
does not tell a reader which paper this is; a name does, and needs less beside it."""
DOUBTFUL = 0.15
"""Expected agreement under which a phrase taken from anywhere says too little of the paper."""
VAGUE, VAGUE_BESIDE_NAME = 15.0, 9.0
"""Inverse document frequencies of a headline's words, summed, under which it could head many
papers: of the titles that authors give to papers without a name, 4 in 100 lie under the first."""
_SUBJECTS = 6
"""Likeliest words of the title, of which a headline has to have some."""
FEWEST_SUBJECTS, FEWEST_SUBJECTS_BESIDE_NAME = 2, 1
"""Of drafts with fewer readers found six in ten bad, of those with two three in ten."""

_ABOUT = frozenset(("study", "asked", "found"))
"""Kinds of what a paper looks at, which is not what its named thing is."""
_SENTENCES = frozenset(("finding", "asked", "question"))
"""Kinds with a verb of their own, which others may follow."""
_FINITE = frozenset(("VBZ", "VBP", "VBD", "MD"))
_SHORT = 3
"""Letters of a stem that may come twice."""
_DOINGS = frozenset(("means", "purpose", "verb", "act"))
_DATA = word_list("faults.data")
_METHODS = word_list("faults.methods")
_PLAIN = word_list("candidates.stop")
_DOING = DOING | word_list("tasks.heads")
# A voice of the abstract's own, a citation, a clause that hangs on, a list run on, a bare number or
# a participle at the head.
_VOICE = re.compile(
    r"^(?:we|our|i|this|these|it|they|proposed|shown|\d+)\b|\b(?:we|our)\b|[\[\]]|\bet al\b"
    r"|, (?:which|who|where|that|thus|thereby|resulting|leading|making|while|with)\b"
    r"|\bas well as\b|\bat least\b|^how\b.*, \w+ing\b"
    r"|, (?:and|or)(?: \S+){1,3}$|^[^,]*, (?:and|or)\b[^,]*$|\bas (?:a|the) (?:baseline|basis)\b",
    re.IGNORECASE,
)
# What points to something outside: some models, the code, imagine two clusters, up to 11%.
_POINTS = re.compile(
    r"^(?:existing|current|recent|standard|prior|previous|traditional|additional|other|another"
    r"|further|such|imagine|consider|suppose|let|recall|since|even|however|while|although|there|one"
    r"|given|same|specific|overall|potential|promising|recently)\b"
    r"|^the (?:models?|methods?|approach(?:es)?|codes?|datasets?|results?|framework|problem|task"
    r"|latter|former|same|resulting|above|following|other|two|three|need|lack|authors?|existing"
    r"|current|standard|main|key|first|second|most|proposed|use)\b"
    r"|^the (?:impacts?|effects?|influence) on\b|\bthe (?:best results?|most important)\b"
    r"|(?<!each )\bother\b|\b(?:many|some|several|most|one) of the\b|\bup to \d"
    r"|\d%|\bO$|\bi\.e\.|\be\.g\.",
    re.IGNORECASE,
)
# A second sentence run in, a sign of markup, words that answer to what went before, no beginning.
_TORN = re.compile(
    r"[.!?] \w|[$\\]|\b(?:instead|respectively|however|also|thus|then)\b"
    r"|^(?:proposed|order to|extends|based on|due to|terms of|addition)\b"
    r"|\b(\w+) \1\b|\b(?:an?|the) (?:and|or|of|such)\b|^(?:an? )?similar\b"
    r"|\bthe one$|\b(?:in terms|that goal|with one|drawing inspiration)$| '"
    r"|^(?:their|corresponding|to|are|is|was|were|be|been)\b"
    r"|^[^\"]*\"[^\"]*$|^[^“]*”|“[^”]*$",
    re.IGNORECASE,
)
# How many, which a finding may begin with and nothing else.
_SOME = re.compile(
    r"^(?:several|various|many|most|some|certain|different|not|each|all|any|more|less|much|both)\b",
    re.IGNORECASE,
)


def count_faults(
    reading: Reading, draft: Draft, score: float, weight: float, subjects: frozenset[str]
) -> int:
    """Count what is wrong with a draft; those without faults go before all others.

    Args:
        reading: the paper.
        draft: one of its drafts.
        score: the draft's expected agreement with the title.
        weight: see `titles.weight_of`.
        subjects: see :func:`subjects_of`.
    """
    fewest = FEWEST_BESIDE_NAME if draft.named else FEWEST_WORDS
    vague = VAGUE_BESIDE_NAME if draft.named else VAGUE
    fewest_subjects = FEWEST_SUBJECTS_BESIDE_NAME if draft.named else FEWEST_SUBJECTS
    return (
        (draft.kind in LOOSE_KINDS and (score < DOUBTFUL or not _governed(reading, draft)))
        + (len(draft.body.split()) < fewest)
        + (weight < vague)
        + (len(subjects & {*stems_of(draft.body.lower())}) < min(fewest_subjects, len(subjects)))
        + (draft.named and not _describes(reading, draft))
        + (draft.named and _other_sort(reading, draft))
        + (draft.kind == "task" and len(draft.parts) > 1 and _aside(reading, draft, subjects))
        + _runs_on(reading, draft)
        + (len(draft.parts) > 1 and _echoes(draft.body))
        + len(_VOICE.findall(draft.text))
        + len(_POINTS.findall(draft.body))
        + sum(1 for _ in _TORN.finditer(draft.body))
        + _turns(reading, draft)
        + _miscounts(reading, draft)
        + _borrows(draft)
        + bool(draft.kind != "finding" and _SOME.match(draft.body))
    )


def subjects_of(reading: Reading) -> frozenset[str]:
    """Return the stems likeliest to stand in the title, without those of the name."""
    own = set(stems_of(reading.name.lower()))
    plain = {stem for word in _PLAIN for stem in stems_of(word)}
    ranked = sorted(reading.salience.items(), key=lambda item: (-item[1], item[0]))
    content = [stem for stem, _ in ranked[:20] if stem not in own and stem not in plain]
    return frozenset(content[:_SUBJECTS])


def _governed(reading: Reading, draft: Draft) -> bool:
    """Tell whether a phrase stands soon behind what the paper says that it does, or by the name."""
    tokens, head = reading.tagged.tokens, draft.parts[0]
    first, last = tokens.sentences[head.core.sentence]
    start = head.kept[0]
    named = any(first <= place < last for place, _ in reading.places)
    own = "our" in tokens.lower[first:last] or not OWN.isdisjoint(tokens.lower[first:last])
    near = tokens.lower[max(first, start - REACH) : start]
    return named or (own and (draft.named or not DEEDS.isdisjoint(near)))


def _runs_on(reading: Reading, draft: Draft) -> bool:
    """Tell whether a noun phrase goes over into another clause: "the texts and providing"."""
    tags, lower = reading.tagged.tags, reading.tagged.tokens.lower
    for part in draft.parts:
        if part.core.kind in _DOINGS and _clause(reading, part):
            return True
        if part.core.kind not in NOUN_KINDS:
            continue
        words = [lower[i] for i in part.kept]
        if "and" not in words and "or" not in words:
            # "training paradigm, hard labels": two names of one thing, or a list cut short.
            commas = [i for i in part.kept if lower[i] == ","]
            if any({*tags[i - 1 : i], *tags[i + 1 : i + 2]} <= {"NN", "NNS"} for i in commas):
                return True
        for one, two in itertools.pairwise(part.kept):
            # "uniform and interpolating methods" stays a noun phrase.
            acts = tags[two] == "VB" or (tags[two] == "VBG" and tags[two + 1 : two + 2] == ["DT"])
            if lower[one] == "and" and acts and lower[two] not in _DOING:
                return True
            # "a toolkit around path-norms that encompasses" without its toolkit.
            plural = tags[one] == "NNS" and not any(tags[i] == "IN" for i in part.kept if i < one)
            if plural and lower[two] in ("that", "which"):
                verb = next((i for i in part.kept if i > two and tags[i] != "RB"), two)
                if tags[verb] == "VBZ":
                    return True
    return False


def _turns(reading: Reading, draft: Draft) -> bool:
    """Tell whether a second verb does not fit the first: "generating tests and grades answers"."""
    tags, lower = reading.tagged.tags, reading.tagged.tokens.lower
    for part in draft.parts:
        if part.core.kind in _SENTENCES:
            continue
        for at, i in enumerate(part.kept[:-1]):
            if tags[i] == "WH" or lower[i] in ("that", "which", "whether"):
                break
            if lower[i] not in ("and", "or", ","):
                continue
            after = part.kept[at + 1 :]
            adverbs = list(itertools.takewhile(lambda j: tags[j] == "RB", after))
            verb = after[len(adverbs) : len(adverbs) + 1]
            base = verb and tags[verb[0]] in ("VB", "VBP")
            plain = base and (adverbs or (part.gerund and not turned(reading, part, at + 1)))
            if plain or (verb and tags[verb[0]] in _FINITE):
                return True
    return False


def _miscounts(reading: Reading, draft: Draft) -> bool:
    """Tell whether "a" stands before a plural: "a generalizable and data-free approaches"."""
    head = draft.parts[0]
    noun = head_of(reading.tagged, head.kept[0], head.kept[-1] + 1)
    return head.article in ("a", "an") and bool(noun) and reading.tagged.tags[noun] == "NNS"


def _borrows(draft: Draft) -> bool:
    """Tell whether a purpose was taken from another sentence, which mostly speaks of another thing.

    Of such drafts six in ten were found bad by readers, of those from one sentence two in ten.
    """
    head, *others = draft.parts
    return draft.kind == "described_for" and any(
        part.core.sentence != head.core.sentence for part in others
    )


def _aside(reading: Reading, draft: Draft, subjects: frozenset[str]) -> bool:
    """Tell whether the task that was joined to a draft holds none of the paper's subjects.

    Of such drafts readers found one in two bad, of the others one in three.
    """
    lower = reading.tagged.tokens.lower
    stems = {stem for i in draft.parts[-1].kept for stem in stems_of(lower[i])}
    return subjects.isdisjoint(stems)


def _other_sort(reading: Reading, draft: Draft) -> bool:
    """Tell whether a data set's name stands before a method, or a method's before a data set."""
    lower, head = reading.tagged.tokens.lower, draft.parts[0]
    noun = head_of(reading.tagged, head.kept[0], head.kept[-1] + 1)
    if not noun or lower[noun] not in _DATA | _METHODS:
        return False
    beside = {
        lower[i] for start, stop in reading.places for i in (start - 1, stop) if 0 <= i < len(lower)
    }
    other = _METHODS if lower[noun] in _DATA else _DATA
    same = _DATA if lower[noun] in _DATA else _METHODS
    return bool(beside & other) and not beside & same


def _echoes(body: str) -> bool:
    """Tell whether a headline says a word twice: "fine-tuning for effective fine-tuning"."""
    stems = [stem for stem in stems_of(body.lower()) if len(stem) > _SHORT]
    return len(stems) > len(set(stems))


def _clause(reading: Reading, part: Body) -> bool:
    """Tell whether what is done holds a verb of its own, or lost what its object is of.

    "Achieving safe AI, models should integrate"; "balancing contribution [to]".
    """
    tags, lower = reading.tagged.tags, reading.tagged.tokens.lower
    for one, two in itertools.pairwise(part.kept):
        if tags[two] == "WH" or lower[two] in ("that", "which", "whether"):
            break
        # "systems need"; and a plain verb beside one in the -ing form: "calculating and take".
        plain = tags[two] in ("VB", "VBP") or lower[two] in PROPOSE
        other = lower[one] in ("and", ",") and plain and not part.gerund
        # "processing one stream and susceptible to".
        other = other or (
            lower[one] == "and"
            and tags[two] == "JJ"
            and tags[two + 1 : two + 2] in (["TO"], ["IN"])
        )
        late = tags[two] == "VBZ" and "," in (lower[i] for i in part.kept if i < two)
        if late or tags[two] == "MD" or (tags[two] == "VBP" and tags[one] == "NNS") or other:
            return True
    bare = len(part.kept) > 1 and tags[part.kept[-1]] == "NN" and part.ending == "preposition"
    return bare and part.kept[-2] == part.kept[0]


def _describes(reading: Reading, draft: Draft) -> bool:
    """Tell whether a draft speaks of the named thing: linked to it, or a doing it is about."""
    head = draft.parts[0]
    core = head.core
    if core.kind == "finding":
        return False
    if core.kind == "expansion" or (core.linked and core.kind not in _ABOUT):
        return True
    noun = head_of(reading.tagged, head.kept[0], head.kept[-1] + 1)
    return bool(noun) and reading.tagged.tokens.lower[noun] in _DOING
