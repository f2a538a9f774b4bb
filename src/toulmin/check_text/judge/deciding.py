"""From the hypotheses of a fact to what speaks for it: that the graph holds it, holds otherwise, or says nothing.

A hypothesis that the fact states and the graph holds supports the fact. One that the fact states, and whose subject has
the relation with another object, contradicts it where the subject has this one value, as most of its kind have, and
the words are of the kind of the relation's values; else the graph may be incomplete, and says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from toulmin.check_text.judge.hypotheses import FactMention, Hypothesis
from toulmin.check_text.judge.other_values import (
    dated,
    excuse,
    is_of_kind,
    is_out_of_bounds,
    names_in_qualifiers,
    qualifies,
    tells_class,
)
from toulmin.check_text.judge.regions import is_regional
from toulmin.check_text.judge.relation_labels import has_many_values, holds_both_ways, is_verb_label, tells_where
from toulmin.check_text.judge.relation_statistics import SHAPES, Floats, RelationStatistics
from toulmin.check_text.judge.roles import is_turned
from toulmin.check_text.judge.stating import Stating, is_inverse, stated_ends, words_for
from toulmin.check_text.rules import VerdictRule
from toulmin.english.inflection import verb_base
from toulmin.retrieval.linking.mention_words import bare_words

__all__ = ["Findings", "decide"]

_VALUED = [SHAPES.index(name) for name in ("date", "year", "integer", "decimal")]
_MOST = 0.5  # of a relation's objects
_ALWAYS = 0.8  # share of a relation's subjects with one object from which on two objects are two records of one
_PROVEN = 6  # subjects of a relation called by a verb, all with one object, from which on it has one value
_LIKELY = 0.1  # share of a subject's kind that has a relation, from which on it may have it
_ABBREVIATED = 5  # letters of a word of capitals that is no name
_LEADING = 4  # characters before the name that a fact begins with: an article
_WHERE = re.compile(r"(?:,? in |,? of |, )+")
_VERB = re.compile(r",? (?:is|was|are|were|has|had|lies|have) ")


@dataclass(frozen=True, slots=True)
class Findings:
    """What the graph says of the n hypotheses of a fact.

    Args:
        support, against: float32[n], how surely the graph holds a hypothesis that the fact states, and how surely it
            holds another value in its place; 0 where it does not.
        rules: by which rule each is supported, contradicted, or neither.
    """

    support: Floats
    against: Floats
    rules: list[VerdictRule]


def decide(hypotheses: Sequence[Hypothesis], stating: Stating, single: float) -> Findings:
    """Hold the hypotheses of a fact against the graph.

    Args:
        stating: how surely the fact states each.
        single: the share of the subjects of a kind with one object from which on another object may contradict.
    """
    stated = stating.strength
    support, against, rules = np.zeros_like(stated), np.zeros_like(stated), list(stating.rules)
    about = {row for row in np.flatnonzero(stated > 0).tolist() if _about(hypotheses[row])}
    held = [row for row in sorted(about) if hypotheses[row].held is not None]
    partly = _is_partly_told([hypotheses[row] for row in held])
    ends = {(hypotheses[row].subject, hypotheses[row].relation) for row in held}
    for row in np.flatnonzero(stated > 0).tolist():
        hypothesis = hypotheses[row]
        if row not in about:
            rules[row] = VerdictRule.OTHER_SUBJECT
        elif hypothesis.held is not None:
            if partly or is_out_of_bounds(hypothesis):
                rules[row] = VerdictRule.PART_MISSING if partly else VerdictRule.OUT_OF_BOUNDS
            else:
                support[row] = stated[row]
        elif not held and dated(hypothesis):  # a time alone may be that of what a statement says
            support[row], rules[row] = stated[row], VerdictRule.TIME
        elif (hypothesis.subject, hypothesis.relation) in ends:
            rules[row] = VerdictRule.SAID_OTHERWISE  # other words of the fact are its one value
        else:
            rules[row] = _otherwise(hypothesis, hypotheses, single)
            if rules[row] == VerdictRule.ANOTHER_VALUE:
                against[row] = stated[row] * hypothesis.statistics.single_of(hypothesis.subject, hypothesis.relation)
            elif rules[row] == VerdictRule.EXCHANGED:
                against[row] = stated[row]
    _drop_rivals(hypotheses, stated, Findings(support, against, rules))
    return Findings(support, against, rules)


def _otherwise(hypothesis: Hypothesis, hypotheses: Sequence[Hypothesis], single: float) -> VerdictRule:
    """By which rule the graph, which does not hold a hypothesis, contradicts it or says nothing of it."""
    inverse = is_inverse(hypothesis)
    if not (inverse or _says_only(hypothesis)):
        return VerdictRule.MORE_SAID
    if _is_turned(hypothesis):
        return VerdictRule.TURNED
    if tells_class(hypothesis):
        return VerdictRule.ONLY_KIND
    if _more_is_said(hypothesis, hypotheses):
        return VerdictRule.LONGER_LABEL
    if not len(hypothesis.values):
        return VerdictRule.EXCHANGED if _is_exchanged(hypothesis) else VerdictRule.NO_VALUE
    if inverse:
        return VerdictRule.NOT_INVERSE  # who is not the father may be the mother
    if not is_of_kind(hypothesis, named=words_for(hypothesis).said):
        return VerdictRule.OTHER_KIND
    if not _has_one(hypothesis, single):
        return VerdictRule.SEVERAL
    return excuse(hypothesis) or VerdictRule.ANOTHER_VALUE


def _drop_rivals(hypotheses: Sequence[Hypothesis], stated: Floats, findings: Findings) -> None:
    """Let a hypothesis count for nothing where the fact has not its words, and has those of another relation."""
    for row in np.flatnonzero(np.maximum(findings.support, findings.against) > 0).tolist():
        others = np.flatnonzero((stated > 0) & (findings.support == 0)).tolist()
        hypothesis = hypotheses[row]
        if not words_for(hypothesis).said and any(_is_rival(hypothesis, hypotheses[other]) for other in others):
            findings.support[row] = findings.against[row] = 0
            findings.rules[row] = VerdictRule.RIVAL


def _is_rival(hypothesis: Hypothesis, other: Hypothesis) -> bool:
    """Whether another hypothesis of the same names has words for its relation; two that tell where are no rivals."""
    return (
        set(hypothesis.ends) == set(other.ends)
        and hypothesis.label != other.label
        and not (tells_where(hypothesis.label) and tells_where(other.label))
        and words_for(other).said
        and is_of_kind(other, named=True)
        and float(other.statistics.domain(other.subject)[other.relation]) >= _LIKELY
    )


def _says_only(hypothesis: Hypothesis) -> bool:
    """Whether the words of a fact say a relation, or one verb that is related to it: not "lived in" of a death."""
    words = words_for(hypothesis)
    verb = len(words.other) == 1 and verb_base(words.other[0]) is not None and not words.unlike
    return words.said or not words.other or verb


def _is_partly_told(held: Sequence[Hypothesis]) -> bool:
    """Whether a number, a date or a name of the fact is in none of the statements that the graph holds of it.

    They then say a part of the fact at most: that Lund is retired, and not that he retired in 1981.
    """
    if not held:
        return False
    mentions = held[0].fact.mentions
    ends = [mentions[place] for hypothesis in held for place in hypothesis.ends]
    words = {word for hypothesis in held for word in bare_words(hypothesis.label) + bare_words(hypothesis.held_name)}
    for mention in mentions:
        if mention.plain or any(mention.meets(end) for end in ends) or words.issuperset(bare_words(mention.text)):
            continue
        if mention.value is not None:
            if not any(qualifies(hypothesis, mention) for hypothesis in held):
                return True
        elif mention.text.islower() or is_regional(mention.text):
            continue  # "the singer", "the Canadian city of": these tell of what is named beside them
        elif not any(names_in_qualifiers(hypothesis, mention) for hypothesis in held):
            return True
    return False


def _has_one(hypothesis: Hypothesis, single: float) -> bool:
    """Whether another value than the graph's contradicts: the subject has one, as most of its kind have.

    Where it has several, only if nearly no subject has: two records of one birthday.
    """
    statistics, relation = hypothesis.statistics, hypothesis.relation
    if has_many_values(hypothesis.label):
        return False
    if _may_be_done_again(relation, statistics) and statistics.subjects[relation] < _PROVEN:
        return False
    if statistics.has_one(hypothesis.subject, relation):
        return statistics.single_of(hypothesis.subject, relation) >= single
    return float(statistics.single[relation]) >= max(single, _ALWAYS)


def _may_be_done_again(relation: int, statistics: RelationStatistics) -> bool:
    """Whether the label of a relation to things is a verb, of which there may be another object: "treats"."""
    label = statistics.texts[relation]
    valued = float(statistics.seen_shapes[relation, _VALUED].sum()) >= _MOST
    return not valued and not tells_where(label) and is_verb_label(label)


def _is_turned(hypothesis: Hypothesis) -> bool:
    """Whether the words name the relation of a statement, and turn it round."""
    object_, subject = hypothesis.object_mention, hypothesis.subject_mention
    if object_ is None or not hypothesis.statistics.has_direction(hypothesis.relation):
        return False
    first, second = (subject, object_) if subject.start < object_.start else (object_, subject)
    return is_turned(hypothesis.text[first.end : second.start], hypothesis.label, subject_first=first is subject)


def _is_exchanged(hypothesis: Hypothesis) -> bool:
    """Whether the graph says it the other way round, of a relation that does not hold both ways.

    What is called by a verb may be done both ways; of a role ("manager", "managed by") one is the other's.
    """
    object_, subject, statistics = hypothesis.object_mention, hypothesis.subject_mention, hypothesis.statistics
    if object_ is None or any(end.value is not None or end.text.islower() for end in (object_, subject)):
        return False  # roles are exchanged between names: not "a specialist in botany"
    verb = _may_be_done_again(hypothesis.relation, statistics) and not hypothesis.label.endswith(" by")
    if verb or not statistics.has_direction(hypothesis.relation) or holds_both_ways(hypothesis.label):
        return False
    clear = words_for(hypothesis).said and stated_ends(hypothesis) == "as stated"
    if not (clear or is_inverse(hypothesis)):
        return False
    return any(hypothesis.subject in statistics.subgraph.objects(node, hypothesis.relation) for node in object_.meant)


def _more_is_said(hypothesis: Hypothesis, hypotheses: Sequence[Hypothesis]) -> bool:
    """Whether the words say all of a longer label between the same ends: "internal order number"."""
    others = {other.relation for other in hypotheses if other.ends == hypothesis.ends}
    statistics, relation = hypothesis.statistics, hypothesis.relation
    return any(
        statistics.says_more(other, relation, hypothesis.text) and statistics.kindred(other, relation)
        for other in others
    )


def _about(hypothesis: Hypothesis) -> bool:
    """Whether the fact is about the subject: not where it begins with another name, which the graph does not know.

    Such a name may be the object: "Jane Doe directed Heat".
    """
    mentions = hypothesis.fact.mentions
    first = next((place for place, mention in enumerate(mentions) if _is_name(mention, mentions)), None)
    if first is None:
        return True
    if _only_tells_where(hypothesis, mentions[first]):
        return False
    return bool(mentions[first].meant) or mentions[first].start > _LEADING or first in hypothesis.ends


def _only_tells_where(hypothesis: Hypothesis, first: FactMention) -> bool:
    """Whether the subject only tells where the name lies that the fact is about: "Tay County in Alba is …"."""
    text, subject, object_ = hypothesis.text, hypothesis.subject_mention, hypothesis.object_mention
    if text[: first.start].lower().strip() not in ("", "the") or object_ is None:
        return False
    if not _VERB.match(text[subject.end : object_.start]):
        return False
    if subject.within(first) and subject.start > first.start:
        return bool(first.meant) and hypothesis.subject not in first.bearers
    between = text[first.end : subject.start]
    for mention in hypothesis.fact.mentions:
        if first.end <= mention.start and mention.end <= subject.start:
            between = between.replace(mention.text, "")
    return subject.start >= first.end and bool(_WHERE.fullmatch(between))


def _is_name(mention: FactMention, mentions: Sequence[FactMention]) -> bool:
    """Whether a mention is a name by itself: no abbreviation ("the ISBN of …"), none around a name that is known."""
    if mention.plain or mention.value is not None:
        return False
    letters = mention.text.replace(".", "")
    if letters.isupper() and len(letters) <= _ABBREVIATED:
        return False
    return not any(inner.within(mention) and inner.meant for inner in mentions)
