"""From the hypotheses of a fact to what speaks for it: that the graph holds it, holds otherwise, or says nothing.

A hypothesis that the fact states and the graph holds supports the fact. One that the fact states, and whose subject has
the relation with another object, contradicts it where the subject has this one value, as most of its kind have, and
the words are of the kind of the relation's values; else the graph may be incomplete, and says nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from toulmin.check_text.judge.direction import holds_both_ways, is_turned
from toulmin.check_text.judge.fact_mention import FactMention
from toulmin.check_text.judge.hypotheses import Hypotheses
from toulmin.check_text.judge.object_kinds import is_of_kind, tells_class
from toulmin.check_text.judge.qualified import dated, is_in_qualifiers, names_in_qualifiers, qualifies
from toulmin.check_text.judge.regions import is_placed, is_regional, lies_within, tells_where
from toulmin.check_text.judge.relation_statistics import SHAPES, Floats, RelationStatistics
from toulmin.check_text.judge.spelling import goes_on, is_another_name, is_place, may_be_one
from toulmin.check_text.judge.stating import CLASSES, is_inverse, is_verb_label, stated_ends, wording_of
from toulmin.check_text.judge.values import bound_before, is_beyond, value_of
from toulmin.english.inflection import verb_base
from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import FUNCTION_WORDS
from toulmin.retrieval.linking.mention_words import bare_words

__all__ = ["Decision", "decide"]

_VALUED = [SHAPES.index(name) for name in ("date", "year", "integer", "decimal")]
_MOST = 0.5  # of a relation's objects
_ALWAYS = 0.8  # share of a relation's subjects with one object from which on two objects are two records of one
_PROVEN = 6  # subjects of a relation called by a verb, all with one object, from which on it has one value
_LIKELY = 0.1  # share of a subject's kind that has a relation, from which on it may have it
_ABBREVIATED = 5  # letters of a word of capitals that is no name
_MUTUAL = 0.05  # share of statements that hold both ways, up to which a relation has a direction
_LEADING = 4  # characters before the name that a fact begins with: an article
_TITLES = frozenset("president professor prof dr mr mrs ms sir dame".split())
_WHERE = re.compile(r"(?:,? in |,? of |, )+")
_VERB = re.compile(r",? (?:is|was|are|were|has|had|lies|have) ")
#: Relations to classes and free texts: there are always others, so that another one never contradicts.
_OPEN = CLASSES | {"description", "abstract", "comment", "label"}
#: Nouns of which there may always be another, whatever the graph's subjects have.
_MANY = frozenset(
    "child son daughter sibling brother sister relative friend student award prize product member ingredient part "
    "component example hobby language skill effect symptom".split()
)


@dataclass(frozen=True, slots=True)
class Decision:
    """What the graph says of the hypotheses of a fact.

    Args:
        support, against: float32[n], how surely the graph holds a hypothesis that the fact states, and how surely it
            holds another value in its place; 0 where it does not.
    """

    support: Floats
    against: Floats


def decide(hypotheses: Hypotheses, stated: Floats, statistics: RelationStatistics, single: float) -> Decision:
    """Hold the hypotheses of a fact against the graph.

    Args:
        stated: float32[n], how surely the fact states each.
        single: the share of the subjects of a kind with one object from which on another object may contradict.
    """
    support, against = np.zeros_like(stated), np.zeros_like(stated)
    rows = [row for row in np.flatnonzero(stated > 0).tolist() if _about(hypotheses, row)]
    held = [row for row in rows if hypotheses.held[row] >= 0]
    if not _is_partly_told(hypotheses, held, statistics):
        met = [row for row in held if not _is_out_of_bounds(hypotheses, row, statistics)]
        support[met] = stated[met]
    if not held:  # a time alone may be that of what a statement says
        dates = [row for row in rows if dated(hypotheses, row, statistics)]
        support[dates] = stated[dates]
    ends = {(int(hypotheses.subject[row]), int(hypotheses.relation[row])) for row in held}
    for row in rows:
        subject, relation = int(hypotheses.subject[row]), int(hypotheses.relation[row])
        if support[row] > 0 or row in held or (subject, relation) in ends:
            continue  # other words of the fact are its one value
        inverse = is_inverse(hypotheses, row, statistics)
        if not (inverse or _says_only(hypotheses, row, statistics)):
            continue
        if (
            _turned(hypotheses, row, statistics)
            or tells_class(hypotheses, row)
            or _more_is_said(hypotheses, row, statistics)
        ):
            continue
        if not len(statistics.objects(subject, relation)):
            against[row] = stated[row] if _reversed(hypotheses, row, statistics) else 0
        elif (
            not inverse  # who is not the father may be the mother
            and is_of_kind(hypotheses, row, statistics, named=_is_said(hypotheses, row, statistics))
            and _has_one(subject, relation, statistics, single)
            and not any(same(hypotheses, row, statistics) for same in _NOT_OTHERWISE)
        ):
            against[row] = stated[row] * statistics.single_of(subject, relation)
    _leave_rivals(hypotheses, stated, support, against, statistics)
    return Decision(support, against)


def _leave_rivals(
    hypotheses: Hypotheses, stated: Floats, support: Floats, against: Floats, statistics: RelationStatistics
) -> None:
    """Take away what speaks for a hypothesis where the fact has the words of another relation, and not its own."""
    for row in np.flatnonzero(np.maximum(support, against) > 0).tolist():
        others = np.flatnonzero((stated > 0) & (support == 0)).tolist()
        if not _is_said(hypotheses, row, statistics) and any(
            _is_rival(hypotheses, row, one, statistics) for one in others
        ):
            support[row] = against[row] = 0


def _is_rival(hypotheses: Hypotheses, row: int, other: int, statistics: RelationStatistics) -> bool:
    """Whether another hypothesis of the same names has words for its relation; two that tell where are no rivals."""
    ends = [{int(hypotheses.subject_mention[one]), int(hypotheses.object_mention[one])} for one in (row, other)]
    labels = [statistics.texts[int(hypotheses.relation[one])] for one in (row, other)]
    return (
        ends[0] == ends[1]
        and labels[0] != labels[1]
        and not all(map(tells_where, labels))
        and _is_said(hypotheses, other, statistics)
        and is_of_kind(hypotheses, other, statistics, named=True)
        and float(statistics.domain(int(hypotheses.subject[other]))[hypotheses.relation[other]]) >= _LIKELY
    )


def _is_said(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> bool:
    """Whether the fact has the words of a hypothesis's relation."""
    return wording_of(hypotheses, row, statistics).said


def _says_only(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> bool:
    """Whether the words of a fact say a relation, or one verb that is related to it: not "lived in" of a death."""
    wording = wording_of(hypotheses, row, statistics)
    verb = len(wording.other) == 1 and verb_base(wording.other[0]) is not None and not wording.unlike
    return wording.said or not wording.other or verb


def _is_partly_told(hypotheses: Hypotheses, held: list[int], statistics: RelationStatistics) -> bool:
    """Whether a number, a date or a name of the fact is in none of the statements that the graph holds of it.

    They then say a part of the fact at most: that Lund is retired, and not that he retired in 1981.
    """
    if not held:
        return False
    mentions = hypotheses.fact.mentions
    ends = [mentions[column[row]] for row in held for column in (hypotheses.subject_mention, hypotheses.object_mention)]
    labels = [label for row in held for label in _labels(hypotheses, row, statistics)]
    told = {word for label in labels for word in bare_words(label)}
    for mention in mentions:
        if mention.plain or any(mention.meets(end) for end in ends) or told.issuperset(bare_words(mention.text)):
            continue
        if mention.value is not None:
            if not any(qualifies(hypotheses, row, mention, statistics) for row in held):
                return True
        elif mention.text.islower() or is_regional(mention.text):
            continue  # "the singer", "the Canadian city of": these tell of what is named beside them
        elif not any(names_in_qualifiers(hypotheses, row, mention, statistics) for row in held):
            return True
    return False


def _labels(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> list[str]:
    """Of the relation and of the object of what the graph holds."""
    return [
        statistics.texts[int(hypotheses.relation[row])],
        *statistics.subgraph.labels(hypotheses.held[row : row + 1]),
    ]


def _has_one(subject: int, relation: int, statistics: RelationStatistics, single: float) -> bool:
    """Whether another value than the graph's contradicts: the subject has one, as most of its kind have.

    Where it has several, only if nearly no subject has: two records of one birthday.
    """
    if _has_many(statistics.texts[relation]):
        return False
    if _may_be_done_again(relation, statistics) and statistics.subjects[relation] < _PROVEN:
        return False
    if statistics.has_one(subject, relation):
        return statistics.single_of(subject, relation) >= single
    return float(statistics.single[relation]) >= max(single, _ALWAYS)


def _has_many(label: str) -> bool:
    """Whether there may always be another value: by a plural, or by a noun of which one may have several."""
    if label in _OPEN:
        return True
    lexicon = get_lexicon()
    nouns = label.split(" of ")[0].split() if " of " in label else label.split()
    last = nouns[-1] if nouns else ""
    plural = last.endswith("s") and not last.endswith("ss") and any(one != last for one in lexicon.lemmas(last))
    singular = [one for one in lexicon.lemmas(last) if one != last]
    return not _MANY.isdisjoint((*nouns, *singular)) or (plural and last not in lexicon.lemmas(last))


def _may_be_done_again(relation: int, statistics: RelationStatistics) -> bool:
    """Whether the label of a relation to things is a verb, of which there may be another object: "treats"."""
    label = statistics.texts[relation]
    valued = float(statistics.seen_shapes[relation, _VALUED].sum()) >= _MOST
    return not valued and not tells_where(label) and is_verb_label(label)


def _turned(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> bool:
    """Whether the words name the relation of a statement, and turn it round."""
    place, relation = int(hypotheses.object_mention[row]), int(hypotheses.relation[row])
    if place < 0 or statistics.mutual[relation] > _MUTUAL:
        return False
    subject, value = hypotheses.fact.mentions[int(hypotheses.subject_mention[row])], hypotheses.fact.mentions[place]
    first, second = (subject, value) if subject.start < value.start else (value, subject)
    between = hypotheses.fact.words.text[first.end : second.start]
    return is_turned(between, statistics.texts[relation], subject_first=first is subject)


def _reversed(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> bool:
    """Whether the graph says it the other way round, of a relation that does not hold both ways.

    What is called by a verb may be done both ways; of a role ("manager", "managed by") one is the other's.
    """
    place, relation = int(hypotheses.object_mention[row]), int(hypotheses.relation[row])
    label = statistics.texts[relation]
    verb = _may_be_done_again(relation, statistics) and not label.endswith(" by")
    mentions = hypotheses.fact.mentions
    ends = (place, int(hypotheses.subject_mention[row]))
    if place < 0 or any(mentions[end].value is not None or mentions[end].text.islower() for end in ends):
        return False  # roles are exchanged between names: not "a specialist in botany"
    if verb or statistics.mutual[relation] > _MUTUAL or holds_both_ways(label):
        return False
    clear = _is_said(hypotheses, row, statistics) and stated_ends(hypotheses, row, statistics) == "as stated"
    if not (clear or is_inverse(hypotheses, row, statistics)):
        return False
    meant = hypotheses.fact.mentions[place].meant
    return any(int(hypotheses.subject[row]) in statistics.objects(node, relation) for node in meant)


def _joined(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> bool:
    """Whether one of the graph's value and the one said lies in the other: died in Missolonghi, which is in Greece."""
    place = int(hypotheses.object_mention[row])
    if place < 0:
        return False
    subject = int(hypotheses.subject[row])  # "The owner of Rovers is Rovers Group": the second may look like the first
    meant = [node for node in hypotheses.fact.mentions[place].meant if node != subject]
    edges = statistics.subgraph.outgoing
    for value in statistics.objects(subject, int(hypotheses.relation[row])).tolist():
        for node, others in [(value, meant), *((node, [value]) for node in meant)]:
            start, end = int(edges.indptr[node]), int(edges.indptr[node + 1])
            there = np.isin(edges.neighbour[start:end], others)
            if any(tells_where(statistics.texts[relation]) for relation in edges.relation[start:end][there].tolist()):
                return True
    return False


def _more_is_said(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> bool:
    """Whether the words say all of a longer label between the same ends: "internal order number"."""
    same = (hypotheses.subject_mention == hypotheses.subject_mention[row]) & (
        hypotheses.object_mention == hypotheses.object_mention[row]
    )
    text, relation = hypotheses.fact.words.text, int(hypotheses.relation[row])
    others = np.unique(hypotheses.relation[same]).tolist()
    return any(statistics.says_more(other, relation, text) and statistics.kindred(other, relation) for other in others)


def _named_alike(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> bool:
    """Whether the words may be another form of the graph's value, or a place in it: "Harbury", "City of Harbury"."""
    place = int(hypotheses.object_mention[row])
    if place < 0 or hypotheses.fact.mentions[place].value is not None:
        return False
    words = hypotheses.fact.mentions[place].text
    said = set(bare_words(words)) - FUNCTION_WORDS
    said = said - _TITLES or said
    values = statistics.objects(int(hypotheses.subject[row]), int(hypotheses.relation[row]))
    for value, label in zip(values.tolist(), statistics.subgraph.labels(values), strict=True):
        held = set(bare_words(label)) - FUNCTION_WORDS
        if not said or not held or hypotheses.fact.mentions[place].is_other(value, label):
            continue
        within = said <= held or held <= said
        sure = is_another_name(words, label) and not (is_place(label) or is_place(words) or goes_on(words, label))
        if (within and not sure) or may_be_one(words, label):
            return True
    return False


def _lies_within(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> bool:
    """Whether words for a place lie in the graph's value, or around it: born in Texas, and in Austin."""
    place = int(hypotheses.object_mention[row])
    if place < 0:
        return False
    mention, subject = hypotheses.fact.mentions[place], int(hypotheses.subject[row])
    if subject in mention.bearers or not is_placed(hypotheses.fact.words.text, mention.start):
        return False
    values = statistics.objects(subject, int(hypotheses.relation[row]))
    names = zip(values.tolist(), statistics.subgraph.labels(values), strict=True)
    return any(lies_within(mention.text, name) and not mention.is_other(value, name) for value, name in names)


def _is_bounded(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> bool:
    """Whether the words only bound a number or a date: "at least 100", "about 100"."""
    place = int(hypotheses.object_mention[row])
    mention = hypotheses.fact.mentions[place] if place >= 0 else None
    return (
        mention is not None
        and mention.value is not None
        and bound_before(hypotheses.fact.words.text, mention.start) is not None
    )


def _is_out_of_bounds(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> bool:
    """Whether the graph's value, which the words name, is not within the bound that they set: 9 of "more than 9"."""
    if not _is_bounded(hypotheses, row, statistics):
        return False
    mention = hypotheses.fact.mentions[int(hypotheses.object_mention[row])]
    bound, held = (
        bound_before(hypotheses.fact.words.text, mention.start),
        value_of(_labels(hypotheses, row, statistics)[-1]),
    )
    return (
        bound is not None and mention.value is not None and held is not None and is_beyond(bound, mention.value, held)
    )


#: Where the words and the graph's value are both true.
_NOT_OTHERWISE = (_joined, _named_alike, _lies_within, is_in_qualifiers, _is_bounded)


def _about(hypotheses: Hypotheses, row: int) -> bool:
    """Whether the fact is about the subject: not where it begins with another name, which the graph does not know.

    Such a name may be the object: "Jane Doe directed Heat".
    """
    mentions = hypotheses.fact.mentions
    names = [place for place, mention in enumerate(mentions) if _is_name(mention, mentions)]
    first = names[0] if names else None
    if first is not None and _only_tells_where(hypotheses, row, mentions[first]):
        return False
    if first is None or mentions[first].meant or mentions[first].start > _LEADING:
        return True
    return first in (int(hypotheses.subject_mention[row]), int(hypotheses.object_mention[row]))


def _only_tells_where(hypotheses: Hypotheses, row: int, first: FactMention) -> bool:
    """Whether the subject only tells where the name lies that the fact is about: "Tay County in Alba is …"."""
    text = hypotheses.fact.words.text
    subject = hypotheses.fact.mentions[int(hypotheses.subject_mention[row])]
    place = int(hypotheses.object_mention[row])
    if text[: first.start].lower().strip() not in ("", "the") or place < 0:
        return False
    after = text[subject.end : hypotheses.fact.mentions[place].start]
    if not _VERB.match(after):
        return False
    if subject.within(first) and subject.start > first.start:
        return bool(first.meant) and int(hypotheses.subject[row]) not in first.bearers
    inside = [
        mention for mention in hypotheses.fact.mentions if first.end <= mention.start and mention.end <= subject.start
    ]
    between = text[first.end : subject.start]
    for mention in inside:
        between = between.replace(mention.text, "")
    return subject.start >= first.end and bool(_WHERE.fullmatch(between))


def _is_name(mention: FactMention, mentions: list[FactMention]) -> bool:
    """Whether a mention is a name by itself: no abbreviation ("the ISBN of …"), none around a name that is known."""
    if mention.plain or mention.value is not None:
        return False
    letters = mention.text.replace(".", "")
    if letters.isupper() and len(letters) <= _ABBREVIATED:
        return False
    return not any(one.within(mention) and one.meant for one in mentions)
