"""Whether a fact states a relation between two of its names: what a verdict needs, beside what the graph has.

Likeness does not do: "causes" is like "treats", and "recommended in" like "contraindicated in". Stated is a relation

- whose words the fact says, in some form or by synonyms, and hardly anything else;
- or whose statement entails the fact by the scorer, told that the relation has one value and told that it has several,
  and does not entail it with its ends exchanged.

In both ways the fact must not have the words of the opposite, and must not turn the relation round.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from toulmin.check_text.judge.denials import stated_of
from toulmin.check_text.judge.direction import holds_both_ways, says_inverse
from toulmin.check_text.judge.hypotheses import FEATURES, Hypotheses
from toulmin.check_text.judge.meanings import means
from toulmin.check_text.judge.relation_statistics import Floats, RelationStatistics, parts_of_word
from toulmin.check_text.judge.roles import Ends, ends_of, is_doer
from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import FUNCTION_WORDS
from toulmin.entailment.protocol import ENTAIL, Pair, Scorer
from toulmin.entailment.statement_premise import premise_of
from toulmin.retrieval.linking.mention_words import words_of

__all__ = ["CLASSES", "Wording", "is_inverse", "is_verb_label", "stated_ends", "strengths", "wording_of"]

_SAID = 0.9  # how sure it is that a relation is stated whose words are said
_LIKELY = 0.5  # of an entailment that only must not be missing
_SURE, _SURE_TOO = 0.9, 0.85  # of an entailment that stands alone, with one value and with several
_EXCHANGED = 0.35  # of the entailment by the exchanged statement, at most
_SUREST, _EXCHANGED_TOO = 0.95, 0.65  # the same where both entailments are as sure as this
_RELATED = 0.6  # of two verbs, from which on one may say the other
_DONE_BY = 0.8  # how sure it is of "by" that it tells who did what a statement says
_LESS = 0.3  # by how much that must be lower where the words of the relation are said
_MUTUAL = 0.05  # share of statements that hold both ways, up to which a relation has a direction
_COUNTED = re.compile(r" ([a-z]+)")
_OPPOSED = FEATURES.index("opposed")
#: Verbs that add nothing to a noun or a verb beside them, and adverbs of time that change nothing.
_LIGHT = frozenset(
    "have be do use make take give get become find know call name currently now also once originally".split()
)
#: Labels of relations from a thing to what it is.
CLASSES = frozenset("instance of|subclass of|type|is a|kind of|class".split("|"))
#: Function words that change what is said.
_CHANGING = frozenset("against without before after almost nearly except instead".split())
_EMPTY = FUNCTION_WORDS - {"won"}
#: With one of these a verb is another relation than with the next: "works on", "works for".
_LED = frozenset("in at on to for with from into against through under".split())
#: Nouns that only tell of what kind a value is: "date of birth", "number of floors".
_GENERIC = frozenset("name number amount date year day time place kind type".split())
_PLACE_OR_TIME = ("location", "time")


@dataclass(frozen=True, slots=True)
class Wording:
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


def wording_of(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> Wording:
    """What the words around the two names of a hypothesis say of its relation."""
    fact, pair = hypotheses.fact, (int(hypotheses.subject_mention[row]), int(hypotheses.object_mention[row]))
    around = [word.lower for word in words_of(fact.masked.get(pair, fact.words.text))]
    return _wording(tuple(around), statistics.texts[int(hypotheses.relation[row])], _counted(hypotheses, pair[1]))


@lru_cache(1 << 14)
def _wording(around: tuple[str, ...], label: str, counted: str) -> Wording:
    own, kinds, event = _telling(label)
    words = [word for word in around if word not in _EMPTY or (word in _CHANGING and word not in label.split())]
    words = [word for word in words if word != counted]
    # A kind of object is said by the object itself: "born in London" is all of "place of birth".
    other = [
        word
        for word in words
        if not (any(means(word, one) for one in (*own, *kinds)) or word == "".join(label.split()))
        and _LIGHT.isdisjoint(get_lexicon().lemmas(word))
        and word not in _LIGHT
    ]
    led = label.split()[-1] if label else ""
    said = "".join(label.split()) in around  # "birthplace" says "birth place"
    said |= bool(own) and all(any(means(word, one) for word in around) for one in own)
    said &= led not in _LED or led in around
    silent = all(word in _LIGHT or not _LIGHT.isdisjoint(get_lexicon().lemmas(word)) for word in words)
    related = any(get_lexicon().relatedness(word, one) >= _RELATED for word in words for one in own)
    unlike = bool(other) and not related
    return Wording(said, tuple(other), silent, unlike, event)


def _is_verb_form(word: str) -> bool:
    """Whether a word is a form of a verb other than its base: "treats", "housed"."""
    lexicon = get_lexicon()
    return word.endswith(("s", "ed", "en")) and any(
        base != word and lexicon.is_verb(base) for base in lexicon.lemmas(word)
    )


@lru_cache(4096)
def is_verb_label(label: str) -> bool:
    """Whether a label is a verb: "treats", "works on", "housed in"; not "headquarters", which may be one."""
    words = [word.lower for word in words_of(label)]
    last = next((word for word in reversed(words) if word not in FUNCTION_WORDS), "")
    led = bool(words) and words[-1] in FUNCTION_WORDS
    return _is_verb_form(last) and (led or (len(words) == 1 and last not in get_lexicon().lemmas(last)))


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
    own = [word for word in content if word not in kinds] or content
    noun = lexicon.is_noun(words[-1]) and words[-1] not in FUNCTION_WORDS
    verb = len(words) == 1 and _is_verb_form(words[-1])
    person = lexicon.coarse_type(words[-1]) == "person"
    if label in CLASSES:
        return tuple(own), tuple(kinds), False
    more = bool(kinds) and not all(map(is_kind, own))
    return tuple(own), tuple(kinds), more or not noun or verb or person


@dataclass(slots=True)
class _Asked:
    """Pairs of a premise and a hypothesis whose entailment is asked for together."""

    scorer: Scorer
    known: dict[Pair, float] = field(default_factory=dict)

    def entailments(self, pairs: Sequence[Pair]) -> Mapping[Pair, float]:
        """The scorer's entailment of each pair; none is asked for twice."""
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self.known]
        if new:
            self.known.update(zip(new, self.scorer.score(new)[:, ENTAIL].tolist(), strict=True))
        return self.known


def strengths(facts: Sequence[Hypotheses], statistics: RelationStatistics, scorer: Scorer) -> list[Floats]:
    """How surely each fact states each of its hypotheses, float32[n] for each fact; 0 where it does not.

    Two calls of the scorer for all of them.
    """
    asked = _Asked(scorer)
    rows = [(some, row) for some in facts for row in range(len(some)) if not some.features[row, _OPPOSED]]
    first = {(id(some), row): _pairs(some, row, statistics) for some, row in rows}
    asked.entailments([pairs[0] for pairs in first.values()])
    further = [pair for pairs in first.values() if asked.known[pairs[0]] >= _LIKELY for pair in pairs[1:]]
    asked.entailments(further)
    found = [np.zeros(len(some), dtype=np.float32) for some in facts]
    for some, strength in zip(facts, found, strict=True):
        for row in range(len(some)):
            pairs = first.get((id(some), row))
            if pairs is not None:
                told = [asked.known.get(pair, 0.0) for pair in pairs]
                strength[row] = _strength(some, row, statistics, told[0], told[1], told[2])
    return found


def _pairs(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> tuple[Pair, Pair, Pair]:
    """A hypothesis as a premise, of one value and of several, and with its ends exchanged; each with the fact."""
    fact = hypotheses.fact
    a, b = int(hypotheses.subject_mention[row]), int(hypotheses.object_mention[row])
    subject, said = fact.mentions[a].text, f"{fact.object_text(b, (a, b))} {_counted(hypotheses, b)}".strip()
    relation = statistics.texts[int(hypotheses.relation[row])]
    stated = stated_of(fact.words.text, fact.mentions, (a, b))
    return (
        (premise_of(subject, relation, said, True), stated),
        (premise_of(subject, relation, said, False), stated),
        (premise_of(said, relation, subject, True), stated),
    )


def _counted(hypotheses: Hypotheses, place: int) -> str:
    """The noun that the number of a mention counts: "euros" of "180,000 euros"; "" where there is none."""
    mention = hypotheses.fact.mentions[place] if place >= 0 else None
    if mention is None or mention.value is None or mention.value.quantity is None:
        return ""
    after = _COUNTED.match(hypotheses.fact.words.text, mention.end)
    return after[1] if after is not None and get_lexicon().is_noun(after[1]) else ""


def _strength(
    hypotheses: Hypotheses, row: int, statistics: RelationStatistics, one: float, several: float, exchanged: float
) -> float:
    """How surely a hypothesis is stated, by its words and by three entailments."""
    wording = wording_of(hypotheses, row, statistics)
    if is_inverse(hypotheses, row, statistics):
        return _SAID
    ends = stated_ends(hypotheses, row, statistics)
    if ends == "turned":
        return 0.0
    sure, directed = min(one, several), ends == "as stated"
    if wording.said:
        if not directed and one - exchanged < _LESS:
            return 0.0
        if not wording.other and (directed or sure >= _LIKELY):
            return max(_SAID, sure)
        return sure if sure >= _LIKELY else 0.0
    if wording.silent and hypotheses.held[row] >= 0 and _is_by(hypotheses, row, statistics):
        return _DONE_BY
    if wording.silent and (wording.event or _is_number(hypotheses, row, statistics)):
        return 0.0  # "is in", "is a", "is 80": no words for more than a kind
    if wording.unlike and is_verb_label(statistics.texts[int(hypotheses.relation[row])]):
        return 0.0  # "destroyed" of "repaired at"
    likely = one >= _SURE and several >= _SURE_TOO and (directed or exchanged <= _EXCHANGED)
    return sure if likely or (sure >= _SUREST and exchanged <= _EXCHANGED_TOO) else 0.0


def _is_number(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> bool:
    """Whether the object is a number or a date, of any relation: it counts nothing that is related to the label."""
    place = int(hypotheses.object_mention[row])
    if place < 0 or hypotheses.fact.mentions[place].value is None:
        return False
    counted, lexicon = _counted(hypotheses, place), get_lexicon()
    own = _telling(statistics.texts[int(hypotheses.relation[row])])[0]
    return not any(lexicon.relatedness(counted, word) >= _RELATED for word in own if counted)  # "inhabitants"


def _is_by(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> bool:
    """Whether only "by" stands before the object, "a play by A", and the relation tells who did something."""
    fact, label = hypotheses.fact, statistics.texts[int(hypotheses.relation[row])]
    subject, place = fact.mentions[int(hypotheses.subject_mention[row])], int(hypotheses.object_mention[row])
    words = label.split()
    by = place >= 0 and fact.words.text[: fact.mentions[place].start].rstrip().endswith((" by", " by the"))
    return by and subject.start < fact.mentions[place].start and (words[-1:] == ["by"] or is_doer(words[-1]))


def stated_ends(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> Ends:
    """Whether the words lead from the subject of a hypothesis to its object, by their grammar."""
    fact, relation = hypotheses.fact, int(hypotheses.relation[row])
    b, label = int(hypotheses.object_mention[row]), statistics.texts[relation]
    if b < 0:
        return "unknown"
    if fact.mentions[b].value is not None or statistics.mutual[relation] > _MUTUAL or holds_both_ways(label):
        return "as stated"
    names, subject = _names(hypotheses, row)
    return ends_of(fact.words.text, names, label, subject=subject)


def is_inverse(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> bool:
    """Whether the words say a hypothesis by its inverse: "the son of" of "father"; "the mother of" of "child"."""
    if hypotheses.object_mention[row] < 0:
        return False
    names, subject = _names(hypotheses, row)
    label = statistics.texts[int(hypotheses.relation[row])]
    return says_inverse(hypotheses.fact.words.text, names, label, subject=subject)


def _names(hypotheses: Hypotheses, row: int) -> tuple[list[tuple[int, int]], int]:
    """The characters of the two names of a hypothesis in the order of the text, and which of them is its subject."""
    mentions = hypotheses.fact.mentions
    subject, other = mentions[int(hypotheses.subject_mention[row])], mentions[int(hypotheses.object_mention[row])]
    first, second = sorted((subject, other), key=lambda mention: mention.start)
    return [(first.start, first.end), (second.start, second.end)], int(first is not subject)
