"""Whether a fact states a relation between two of its names: what a verdict needs, beside what the graph has.

Likeness does not do: "causes" is like "treats", and "recommended in" like "contraindicated in". Stated is a relation

- whose words the fact says, in some form or by synonyms, and hardly anything else;
- or whose statement entails the fact by the scorer, told that the relation has one value and told that it has several,
  and does not entail it with its ends exchanged.

In both ways the fact must not have the words of the opposite, and must not turn the relation round.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from toulmin.check_text.judge.hypotheses import REST, FactMention, Hypothesis
from toulmin.check_text.judge.relation_labels import CLASSES, holds_both_ways, is_verb_form, is_verb_label, means
from toulmin.check_text.judge.relation_statistics import parts_of_word
from toulmin.check_text.judge.roles import Ends, ends_of, is_doer, says_inverse
from toulmin.check_text.rules import VerdictRule
from toulmin.english.denials import is_denied, without_denial
from toulmin.english.lexicon import get_lexicon
from toulmin.english.text_values import values_in
from toulmin.english.words import FUNCTION_WORDS
from toulmin.entailment.protocol import ENTAIL, Pair, Scorer
from toulmin.entailment.statement_premise import premise_of
from toulmin.retrieval.linking.mention_words import words_of

__all__ = ["RelationWords", "Stating", "is_inverse", "is_undone", "names_of", "stated_ends", "stating_of", "words_for"]

_SAID = 0.9  # how sure it is that a relation is stated whose words are said
_LIKELY = 0.5  # of an entailment that only must not be missing
_SURE, _SURE_TOO = 0.9, 0.85  # of an entailment that stands alone, with one value and with several
_EXCHANGED = 0.35  # of the entailment by the exchanged statement, at most
_SUREST, _EXCHANGED_TOO = 0.95, 0.65  # the same where both entailments are as sure as this
_RELATED = 0.6  # of two verbs, from which on one may say the other
_DONE_BY = 0.8  # how sure it is of "by" that it tells who did what a statement says
_LESS = 0.3  # by how much that must be lower where the words of the relation are said
_NOT_STATED = 0.0, VerdictRule.NOT_STATED
_COUNTED = re.compile(r" ([a-z]+)")
#: Verbs that add nothing to a noun or a verb beside them, and adverbs of time that change nothing.
_LIGHT = frozenset(
    "have be do use make take give get become find know call name currently now also once originally".split()
)
#: Function words that change what is said.
_CHANGING = frozenset("against without before after almost nearly except instead".split())
_EMPTY = FUNCTION_WORDS - {"won"}
#: Verbs of which what follows did not, or did not yet, happen: with an infinitive; and is over: with "-ing".
_UNDONE = frozenset("want wish hope plan intend aim try attempt refuse fail decline cease".split())
_OVER = frozenset("try stop cease quit".split())
_NOT_QUITE = re.compile(r"\b(?:almost|nearly) [£$€]?")
_BASE = re.compile(r"[a-z]+")
_BEFORE_VALUE = re.compile(
    r",? (?:(?:since|until|till|by|in|on|from|to|during|around|about)(?: the)? )?$", re.IGNORECASE
)
#: With one of these a verb is another relation than with the next: "works on", "works for".
_LED = frozenset("in at on to for with from into against through under".split())
#: They only tell of what kind a value is, so that a sentence need not say them: “date of birth”, “number of floors”.
_GENERIC = frozenset("name number amount date year day time place kind type".split())
_PLACE_OR_TIME = ("location", "time")


@dataclass(frozen=True, slots=True)
class RelationWords:
    """What the words around two names say of a relation.

    Args:
        said: all words of its label that tell something.
        other: words that are none of it and tell something, as nouns or verbs do.
        silent: there are no words that tell something.
        unlike: there are such words, and none of all is related to the label: "lived" of "place of death".
        event: whether the label names more than the kind of its objects: "birth", "manager", "treats".
    """

    said: bool
    other: tuple[str, ...]
    silent: bool
    unlike: bool
    event: bool


def words_for(hypothesis: Hypothesis) -> RelationWords:
    """What the words around the two names of a hypothesis say of its relation."""
    around = [word.lower for word in words_of(hypothesis.fact.masked.get(hypothesis.ends, hypothesis.text))]
    return _words_for(tuple(around), hypothesis.label, _counted(hypothesis.object_mention, hypothesis.text))


@lru_cache(1 << 14)
def _words_for(around: tuple[str, ...], label: str, counted: str) -> RelationWords:
    telling, kinds, event = _telling(label)
    empty = _EMPTY - (_CHANGING - set(label.split()))
    words = [word for word in around if word not in empty and word != counted]
    # A kind of object is said by the object itself: "born in London" is all of "place of birth".
    other = [
        word
        for word in words
        if not (any(means(word, part) for part in (*telling, *kinds)) or word == "".join(label.split()))
        and _LIGHT.isdisjoint(get_lexicon().lemmas(word))
        and word not in _LIGHT
    ]
    led, joined = label.split()[-1] if label else "", "".join(label.split())  # "birthplace" says "birth place"
    said = joined in around or (bool(telling) and all(any(means(word, part) for word in around) for part in telling))
    said &= led not in _LED or led in around
    silent = all(word in _LIGHT or not _LIGHT.isdisjoint(get_lexicon().lemmas(word)) for word in words)
    related = any(get_lexicon().relatedness(word, part) >= _RELATED for word in words for part in telling)
    return RelationWords(said, tuple(other), silent, bool(other) and not related, event)


@lru_cache(4096)
def _telling(label: str) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """The words of a label that must be said, those that tell the kind of its objects, and whether it names more."""
    words = [part for word in words_of(label) for part in parts_of_word(word.lower)]
    content = [word for word in words if word not in FUNCTION_WORDS or word in _CHANGING] or words
    lexicon = get_lexicon()

    def is_kind(word: str) -> bool:
        return word in _GENERIC or (word != "area" and lexicon.coarse_type(word) in _PLACE_OR_TIME)

    head = words.index("of") if "of" in words[1:-1] else len(words)
    kinds = [word for word in content if word in words[:head] and is_kind(word)] if head < len(words) else []
    if head == len(words) and len(content) > 1 and is_kind(content[-1]):
        kinds = content[-1:]
    telling = [word for word in content if word not in kinds] or content
    noun = lexicon.is_noun(words[-1]) and words[-1] not in FUNCTION_WORDS
    verb = len(words) == 1 and is_verb_form(words[-1])
    person = lexicon.coarse_type(words[-1]) == "person"
    if label in CLASSES:
        return tuple(telling), tuple(kinds), False
    more = bool(kinds) and not all(map(is_kind, telling))
    return tuple(telling), tuple(kinds), more or not noun or verb or person


#: How surely a fact states a hypothesis, 0 where it does not, and by which rule.
Stating = tuple[float, VerdictRule]


def stating_of(facts: Sequence[Sequence[Hypothesis]], scorer: Scorer) -> list[list[Stating]]:
    """How surely each fact states each of its hypotheses, in two calls of the scorer for all of them."""
    known: dict[Pair, float] = {}

    def ask(pairs: Iterable[Pair]) -> None:
        if new := [pair for pair in dict.fromkeys(pairs) if pair not in known]:
            known.update(zip(new, scorer.score(new)[:, ENTAIL].tolist(), strict=True))

    pairs = [[None if hypothesis.features["opposed"] else _pairs(hypothesis) for hypothesis in fact] for fact in facts]
    asked = [three for of_fact in pairs for three in of_fact if three is not None]
    ask(first for first, *_ in asked)
    ask([pair for first, *rest in asked if known[first] >= _LIKELY for pair in rest])
    return [
        [
            _strength(hypothesis, *(known.get(pair, 0.0) for pair in three)) if three is not None else _NOT_STATED
            for hypothesis, three in zip(fact, of_fact, strict=True)
        ]
        for fact, of_fact in zip(facts, pairs, strict=True)
    ]


def _pairs(hypothesis: Hypothesis) -> tuple[Pair, Pair, Pair]:
    """A hypothesis as a premise, of one value and of several, and with its ends exchanged; each with the fact."""
    text, label, subject = hypothesis.text, hypothesis.label, hypothesis.subject_mention.text
    object_ = f"{hypothesis.object_text} {_counted(hypothesis.object_mention, text)}".strip()
    stated = _stated_of(text, hypothesis.fact.mentions, hypothesis.ends)
    return (
        (premise_of(subject, label, object_, True), stated),
        (premise_of(subject, label, object_, False), stated),
        (premise_of(object_, label, subject, True), stated),
    )


def _stated_of(text: str, mentions: Sequence[FactMention], ends: tuple[int, int]) -> str:
    """A fact without its denial, and without the dates that only qualify what joins two of its mentions.

    Args:
        ends: places of the two mentions.
    """
    joined = [mentions[place] for place in ends if place >= 0]
    dates = [mention for mention in mentions if mention.value is not None and mention.value.time is not None]
    stated = text
    for mention in sorted(dates, key=lambda date: -date.start):
        before = _BEFORE_VALUE.search(stated, 0, mention.start)
        if before and mention.end <= len(stated) and not any(mention.meets(end) for end in joined):
            stated = stated[: before.start()] + stated[mention.end :]
    return without_denial(stated) if is_denied(text) else stated


def _counted(mention: FactMention, text: str) -> str:
    """The noun that the number of a mention counts: "euros" of "180,000 euros"; "" where there is none."""
    number = mention.value is not None and mention.value.quantity is not None
    after = _COUNTED.match(text, mention.end) if number else None
    return after[1] if after is not None and get_lexicon().is_noun(after[1]) else ""


def _strength(hypothesis: Hypothesis, single: float, several: float, exchanged: float) -> Stating:
    """How surely a hypothesis is stated, by its words and by three entailments, and by which rule."""
    words = words_for(hypothesis)
    if is_inverse(hypothesis):
        return _SAID, VerdictRule.INVERSE
    ends = stated_ends(hypothesis)
    if ends == "turned":
        return 0.0, VerdictRule.TURNED
    sure, directed = min(single, several), ends == "as stated"
    if words.said:
        if not directed and single - exchanged < _LESS:
            return _NOT_STATED
        if not words.other and (directed or sure >= _LIKELY):
            return max(_SAID, sure), VerdictRule.WORDS
        return (sure, VerdictRule.WORDS) if sure >= _LIKELY else _NOT_STATED
    if words.silent and hypothesis.held is not None and _is_by(hypothesis):
        return _DONE_BY, VerdictRule.DONE_BY
    if words.silent and (words.event or _is_number(hypothesis)):
        return _NOT_STATED  # "is in", "is a", "is 80": no words for more than a kind
    if words.unlike and is_verb_label(hypothesis.label):
        return _NOT_STATED  # "destroyed" of "repaired at"
    likely = single >= _SURE and several >= _SURE_TOO and (directed or exchanged <= _EXCHANGED)
    likely = likely or (sure >= _SUREST and exchanged <= _EXCHANGED_TOO)
    return (sure, VerdictRule.ENTAILED) if likely else _NOT_STATED


def _is_number(hypothesis: Hypothesis) -> bool:
    """Whether the object is a number or a date, of any relation: it counts nothing that is related to the label."""
    object_, lexicon = hypothesis.object_mention, get_lexicon()
    counted = _counted(object_, hypothesis.text)  # "inhabitants"
    telling = _telling(hypothesis.label)[0] if counted else ()
    return object_.value is not None and not any(lexicon.relatedness(counted, word) >= _RELATED for word in telling)


def _is_by(hypothesis: Hypothesis) -> bool:
    """Whether only "by" stands before the object, "a play by A", and the relation tells who did something."""
    object_, words = hypothesis.object_mention, hypothesis.label.split()
    by = hypothesis.text[: object_.start].rstrip().endswith((" by", " by the"))
    after = hypothesis.subject_mention.start < object_.start
    return by and after and (words[-1:] == ["by"] or is_doer(words[-1]))


def is_undone(text: str) -> bool:
    """Whether a fact says of something that it does not hold yet, or no more: then it neither states nor denies it.

    "wants to marry", "stopped taking", "was almost born"; of a number "almost" says that it is rounded.
    """
    numbers = {value.start for value in values_in(text)}
    if any(match.end() not in numbers for match in _NOT_QUITE.finditer(text)):
        return True
    lexicon, words = get_lexicon(), text.split()
    for place, word in enumerate(words[:-1]):
        if not _BASE.fullmatch(word):
            continue
        lemmas, following = set(lexicon.lemmas(word)), words[place + 1 : place + 3]
        if not lemmas.isdisjoint(_UNDONE) and following[0] == "to" and lexicon.is_verb(following[-1]):
            return True
        over = not lemmas.isdisjoint(_OVER) or ("give" in lemmas and following[0] == "up")
        done = following[-1] if following[0] == "up" else following[0]
        if over and done.endswith("ing") and lexicon.is_verb(done):
            return True
    return False


def stated_ends(hypothesis: Hypothesis) -> Ends:
    """Whether the words lead from the subject of a hypothesis to its object, by their grammar."""
    object_, label, statistics = hypothesis.object_mention, hypothesis.label, hypothesis.statistics
    if object_ is REST:
        return "unknown"
    if object_.value is not None or not statistics.has_direction(hypothesis.relation) or holds_both_ways(label):
        return "as stated"
    names, subject = names_of(hypothesis)
    return ends_of(hypothesis.text, names, hypothesis.label, subject=subject)


def is_inverse(hypothesis: Hypothesis) -> bool:
    """Whether the words say a hypothesis by its inverse: "the son of" of "father"; "the mother of" of "child"."""
    names, subject = names_of(hypothesis)
    return says_inverse(hypothesis.text, names, hypothesis.label, subject=subject)


def names_of(hypothesis: Hypothesis) -> tuple[list[tuple[int, int]], int]:
    """The characters of the two names of a hypothesis in the order of the text, and which of them is its subject."""
    subject = hypothesis.subject_mention
    first, second = sorted((subject, hypothesis.object_mention), key=lambda mention: mention.start)
    return [(first.start, first.end), (second.start, second.end)], int(first is not subject)
