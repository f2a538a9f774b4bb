"""From the hypotheses of a fact to what speaks for it: that the graph holds it, holds otherwise, or says nothing.

A hypothesis that the fact states and the graph holds supports the fact. One that the fact states, and whose subject has
the relation with another object, contradicts it where the subject has this one value, as most of its kind have, and
the words are of the kind of the relation's values, and not true beside it; else the graph may be incomplete, and says
nothing.

Dates and numbers of a fact may qualify a statement it states: "married in 1895" where the spouse has a start time. Else
the year would be read as the object of another relation, and held against a date of birth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from toulmin.check_text.judge.hypotheses import REST, FactMention, Hypothesis
from toulmin.check_text.judge.regions import is_placed, is_regional, lies_within
from toulmin.check_text.judge.relation_labels import has_many_values, holds_both_ways, is_verb_label, tells_where
from toulmin.check_text.judge.relation_statistics import SHAPES, Floats, RelationStatistics, log_share, shape_of
from toulmin.check_text.judge.roles import is_turned
from toulmin.check_text.judge.spelling import goes_on, is_another_name, is_place, may_be_one
from toulmin.check_text.judge.stating import Stating, is_inverse, names_of, stated_ends, words_for
from toulmin.check_text.rules import VerdictRule
from toulmin.english.inflection import verb_base
from toulmin.english.lexicon import get_lexicon
from toulmin.english.text_values import Bound, bound_before, is_beyond, same_value, value_of
from toulmin.english.words import FUNCTION_WORDS
from toulmin.graph.types import Entity, Literal, Qualifier, Statement
from toulmin.retrieval.linking.mention_words import bare_words, words_of
from toulmin.retrieval.statement_words import node_words, relation_words

__all__ = ["dated", "decide", "without_qualifiers"]

_OF_KIND = 0.1  # share of the nodes like it that are an object of the relation, from which on one may be
_OFTEN = 3  # times as likely as any node
_ALIKE = 0.1  # likeness to a relation's objects from which on words may be another of them
_SHAPED = 0.04  # share of a relation's objects that look like the words, at least
_SAME = 0.6  # agreement of a value with a qualifier's from which on it is that qualifier
#: Words before a time with which something ends, or begins.
_ENDING, _BEGINNING = re.compile(r"\b(?:until|till|to|through|ended in)\s+$"), re.compile(r"\b(?:since|from)\s+$")
#: Of qualifiers: when something ended, so that “since” does not say it.
_ENDINGS = frozenset("end ended until till to expiry left last death dissolved closed".split())
#: Of qualifiers: when something began, so that “until” does not say it.
_BEGINNINGS = frozenset("start started since from begin beginning joined first opened".split())
_IS_A = re.compile(r"\b(?:is|was) an? $")
_TITLES = frozenset("president professor prof dr mr mrs ms sir dame".split())
#: Shapes of one kind: a year is a coarse date, and "1,500" a rounded number.
_KINDS = {
    "date": ("date", "year"),
    "year": ("date", "year", "integer", "decimal"),
    "words": ("words", "name"),
    "capitals": ("code", "name"),  # "VELMED", "NOR"
} | dict.fromkeys(("integer", "decimal"), ("year", "integer", "decimal"))
_VALUED = [SHAPES.index(name) for name in ("date", "year", "integer", "decimal")]
_MOST = 0.5  # of a relation's objects
_ALWAYS = 0.8  # share of a relation's subjects with one object from which on two objects are two records of one
_PROVEN = 6  # subjects of a relation called by a verb, all with one object, from which on it has one value
_LIKELY = 0.1  # share of a subject's kind that has a relation, from which on it may have it
_ABBREVIATED = 5  # letters of a word of capitals that is no name
_LEADING = 4  # characters before the name that a fact begins with: an article
_WHERE = re.compile(r"(?:,? in |,? of |, )+")
_VERB = re.compile(r",? (?:is|was|are|were|has|had|lies|have) ")


def _tells_class(hypothesis: Hypothesis) -> bool:
    """Whether the fact only says what kind of thing something is, "is a dish"; a person's kind may be an occupation."""
    object_ = hypothesis.object_mention
    classed = _IS_A.search(hypothesis.text[: object_.start]) and not hypothesis.text[object_.end :].strip(" .")
    person = object_.plain and get_lexicon().coarse_type(object_.text.split()[-1].lower()) == "person"
    return object_.plain and bool(classed) and not person


def _is_of_kind(hypothesis: Hypothesis, *, named: bool) -> bool:
    """Whether the object's words are of the kind of the relation's values, so that both cannot hold.

    Args:
        named: whether the fact has the words of the relation; else what the graph knows must be known as of this kind.
    """
    object_, statistics, near = hypothesis.object_mention, hypothesis.statistics, hypothesis.features["near_objects"]
    if object_.plain or object_ is REST:
        return object_.plain and named and near > 0
    least = log_share(np.maximum(_OF_KIND, _OFTEN * statistics.object_share[hypothesis.relation]))
    if hypothesis.features["member"] > 0 or (object_.meant and hypothesis.features["range"] >= least):
        return True
    known = bool(object_.meant) and (not named or near <= -_ALIKE / 2)  # as something else
    if object_.value is None and (known or (not named and near <= _ALIKE)):
        return False
    time, quantity = (object_.value.time, object_.value.quantity) if object_.value is not None else (None, None)
    shape = "date" if time is not None and quantity is None else SHAPES[shape_of(object_.text)]
    if shape in ("code", "words") and quantity is not None:
        shape = "decimal"  # "8.3m", "four years"
    elif shape == "code" and object_.text.isalpha():
        shape = "capitals"
    alike = [SHAPES.index(kind) for kind in _KINDS.get(shape, (shape,))]
    return float(statistics.seen_shapes[hypothesis.relation, alike].sum()) >= _SHAPED


def _are_joined(hypothesis: Hypothesis) -> bool:
    """Whether one of the graph's value and the one said lies in the other: died in Missolonghi, which is in Greece."""
    # "The owner of Rovers is Rovers Group": the second may look like the first
    edges, texts = hypothesis.statistics.subgraph.outgoing, hypothesis.statistics.texts
    meant = [node for node in hypothesis.object_mention.meant if node != hypothesis.subject]
    for value in hypothesis.values.tolist() if meant else ():
        for node, others in [(value, meant), *((node, [value]) for node in meant)]:
            rows = edges.edges(node)
            relations = edges.relation[rows][np.isin(edges.neighbour[rows], others)].tolist()
            if any(tells_where(texts[relation]) for relation in relations):
                return True
    return False


def _may_be_named_alike(hypothesis: Hypothesis) -> bool:
    """Whether the words may be another form of the graph's value, or a place in it: "Harbury", "City of Harbury"."""
    mention, words = hypothesis.object_mention, hypothesis.object_mention.text
    ours = set(bare_words(words)) - FUNCTION_WORDS
    ours = ours - _TITLES or ours
    for value, label in hypothesis.named_values() if ours and mention.value is None else ():
        theirs = set(bare_words(label)) - FUNCTION_WORDS
        within = ours <= theirs or theirs <= ours
        sure = is_another_name(words, label) and not (is_place(label) or is_place(words) or goes_on(words, label))
        alike = (within and not sure) or may_be_one(words, label)
        if theirs and alike and not mention.is_other(value, label):
            return True
    return False


def _lies_within(hypothesis: Hypothesis) -> bool:
    """Whether words for a place lie in the graph's value, or around it: born in Texas, and in Austin."""
    mention = hypothesis.object_mention
    if hypothesis.subject in mention.bearers or not is_placed(hypothesis.text, mention.start):
        return False
    values = hypothesis.named_values()
    return any(lies_within(mention.text, name) and not mention.is_other(node, name) for node, name in values)


def _bound(hypothesis: Hypothesis) -> Bound | None:
    """The bound that the words set to the number or date that they say: "at least 100", "about 100"."""
    object_ = hypothesis.object_mention
    return bound_before(hypothesis.text, object_.start) if object_.value is not None else None


def _is_out_of_bounds(hypothesis: Hypothesis) -> bool:
    """Whether the graph's value, which the words name, is not within the bound that they set: 9 of "more than 9"."""
    value, bound, held = hypothesis.object_mention.value, _bound(hypothesis), value_of(hypothesis.held_name)
    return value is not None and bound is not None and held is not None and is_beyond(bound, value, held)


def without_qualifiers(hypotheses: list[Hypothesis]) -> list[Hypothesis]:
    """The hypotheses less those whose object is a value that qualifies a statement between two names of the fact."""
    held = [hypothesis for hypothesis in hypotheses if hypothesis.held is not None]
    joined = [hypothesis for hypothesis in held if hypothesis.ends[1] >= 0 and not hypothesis.object_mention.value]
    qualifiers = [qualifier for hypothesis in joined for qualifier in hypothesis.qualifiers]
    mentions = enumerate(joined[0].fact.mentions if joined else ())
    taken = {place for place, mention in mentions if _qualifies(mention, qualifiers, joined[0].text)}
    return [hypothesis for hypothesis in hypotheses if hypothesis.ends[1] not in taken]


def _is_in_qualifiers(hypothesis: Hypothesis) -> bool:
    """Whether the object said is in a qualifier of the subject's statements: who followed a president, say."""
    keys = hypothesis.statistics.subgraph.tables.keys
    meant = {keys[node] for node in hypothesis.object_mention.meant}
    values = (qualifier.value for qualifier in (hypothesis.qualifiers if meant else ()))
    return any(isinstance(value, Entity) and value.id in meant for value in values)


def dated(hypothesis: Hypothesis) -> list[Statement]:
    """The statements of a subject and a relation that the object, a time, qualifies: "was hired in 1990"."""
    object_ = hypothesis.object_mention
    if object_.value is None or object_.value.time is None or hypothesis.held is not None:
        return []
    return [one for one in hypothesis.statements() if _qualifies(object_, one.qualifiers, hypothesis.text)]


def _qualifies(mention: FactMention, qualifiers: Iterable[Qualifier], text: str) -> bool:
    """Whether a value is a qualifier's: not that of an end where the words before it say a beginning, or vice versa."""
    before = text[: mention.start]
    for qualifier in qualifiers:
        held = value_of(qualifier.value.value) if isinstance(qualifier.value, Literal) else None
        agreement = same_value(mention.value, held) if held is not None and mention.value is not None else None
        if agreement is not None and agreement >= _SAME:
            label = {word.lower for word in words_of(relation_words(qualifier.relation))}
            ends, begins = not _ENDINGS.isdisjoint(label), not _BEGINNINGS.isdisjoint(label)
            if not ((_ENDING.search(before) and not ends) or (_BEGINNING.search(before) and ends and not begins)):
                return True
    return False


def decide(
    hypotheses: Sequence[Hypothesis], stating: Sequence[Stating], single: float
) -> tuple[Floats, Floats, Floats, list[VerdictRule]]:
    """Hold the n hypotheses of a fact against the graph.

    Args:
        stating: how surely the fact states each, and by which rule.
        single: the share of the subjects of a kind with one object from which on another object may contradict.

    Returns:
        float32[n] each: how surely the fact states them, how surely the graph holds one that the fact states, and how
        surely it holds another value in its place, 0 where it does not. And by which rule each is decided.
    """
    stated, rules = np.array([score for score, _ in stating], dtype=np.float32), [rule for _, rule in stating]
    support, against = np.zeros_like(stated), np.zeros_like(stated)
    about = {row for row in np.flatnonzero(stated > 0).tolist() if _about(hypotheses[row])}
    held = [row for row in sorted(about) if hypotheses[row].held is not None]
    partly = _is_partly_told([hypotheses[row] for row in held])
    ends = {(hypotheses[row].subject, hypotheses[row].relation) for row in held}
    for row in np.flatnonzero(stated > 0).tolist():
        hypothesis = hypotheses[row]
        if row not in about:
            rules[row] = VerdictRule.OTHER_SUBJECT
        elif hypothesis.held is not None:
            if partly or _is_out_of_bounds(hypothesis):
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
    for row in np.flatnonzero(np.maximum(support, against) > 0).tolist():
        others = np.flatnonzero((stated > 0) & (support == 0)).tolist()
        said = words_for(hypotheses[row]).said
        if not said and any(_is_rival(hypotheses[row], hypotheses[other]) for other in others):
            support[row] = against[row] = 0
            rules[row] = VerdictRule.RIVAL
    return stated, support, against, rules


def _otherwise(hypothesis: Hypothesis, hypotheses: Sequence[Hypothesis], single: float) -> VerdictRule:
    """By which rule the graph, which does not hold a hypothesis, contradicts it or says nothing of it."""
    words, inverse = words_for(hypothesis), is_inverse(hypothesis)
    verb = len(words.other) == 1 and verb_base(words.other[0]) is not None and not words.unlike
    if not (words.said or not words.other or verb or inverse):
        return VerdictRule.MORE_SAID  # "lived in" of a death
    if _is_turned(hypothesis):
        return VerdictRule.TURNED
    if _tells_class(hypothesis):
        return VerdictRule.ONLY_KIND
    if _more_is_said(hypothesis, hypotheses):
        return VerdictRule.LONGER_LABEL
    if not len(hypothesis.values):
        return VerdictRule.EXCHANGED if _is_exchanged(hypothesis) else VerdictRule.NO_VALUE
    if inverse:
        return VerdictRule.NOT_INVERSE  # who is not the father may be the mother
    if not _is_of_kind(hypothesis, named=words.said):
        return VerdictRule.OTHER_KIND
    if not _has_one(hypothesis, single):
        return VerdictRule.SEVERAL
    both_true = (
        (_are_joined, VerdictRule.JOINED),
        (_may_be_named_alike, VerdictRule.ALIKE),
        (_lies_within, VerdictRule.WITHIN),
        (_is_in_qualifiers, VerdictRule.IN_QUALIFIER),
        (_bound, VerdictRule.BOUNDED),
    )
    return next((rule for holds, rule in both_true if holds(hypothesis)), VerdictRule.ANOTHER_VALUE)


def _is_rival(hypothesis: Hypothesis, other: Hypothesis) -> bool:
    """Whether the fact has words for another relation of the same names; two that tell where are no rivals."""
    return (
        set(hypothesis.ends) == set(other.ends)
        and hypothesis.label != other.label
        and not (tells_where(hypothesis.label) and tells_where(other.label))
        and words_for(other).said
        and _is_of_kind(other, named=True)
        and float(other.statistics.domain(other.subject)[other.relation]) >= _LIKELY
    )


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
        name = set(bare_words(mention.text))
        if mention.plain or any(mention.meets(end) for end in ends) or name <= words:
            continue
        if mention.value is None and (mention.text.islower() or is_regional(mention.text)):
            continue  # "the singer", "the Canadian city of": these tell of what is named beside them
        told = [qualifier for hypothesis in held for qualifier in hypothesis.qualifiers]
        named = any(name <= set(bare_words(node_words(qualifier.value))) for qualifier in told)
        if not (named if mention.value is None else _qualifies(mention, told, held[0].text)):
            return True
    return False


def _has_one(hypothesis: Hypothesis, single: float) -> bool:
    """Whether another value than the graph's contradicts: the subject has one, as most of its kind have.

    Where it has several, only if nearly no subject has: two records of one birthday.
    """
    statistics, relation = hypothesis.statistics, hypothesis.relation
    again = _may_be_done_again(relation, statistics) and statistics.subjects[relation] < _PROVEN
    if again or has_many_values(hypothesis.label):
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
    ((_, begin), (end, _)), subject = names_of(hypothesis)
    turned = is_turned(hypothesis.text[begin:end], hypothesis.label, subject_first=subject == 0)
    return turned and hypothesis.statistics.has_direction(hypothesis.relation)


def _is_exchanged(hypothesis: Hypothesis) -> bool:
    """Whether the graph says it the other way round, of a relation that does not hold both ways.

    What is called by a verb may be done both ways; of a role ("manager", "managed by") one is the other's.
    """
    object_, subject, statistics = hypothesis.object_mention, hypothesis.subject_mention, hypothesis.statistics
    if any(end.value is not None or end.text.islower() for end in (object_, subject)):
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
    statistics, relation, text = hypothesis.statistics, hypothesis.relation, hypothesis.text
    return any(statistics.says_more(other, relation, text) and statistics.kindred(other, relation) for other in others)


def _about(hypothesis: Hypothesis) -> bool:
    """Whether the fact is about the subject: not where it begins with another name, which the graph does not know.

    Such a name may be the object: "Jane Doe directed Heat".
    """
    mentions = hypothesis.fact.mentions
    place = next((place for place, mention in enumerate(mentions) if _is_name(mention, mentions)), None)
    if place is None:
        return True
    first = mentions[place]
    known = bool(first.meant) or first.start > _LEADING or place in hypothesis.ends
    return known and not _only_tells_where(hypothesis, first)


def _only_tells_where(hypothesis: Hypothesis, first: FactMention) -> bool:
    """Whether the subject only tells where the name lies that the fact is about: "Tay County in Alba is …"."""
    text, subject, object_ = hypothesis.text, hypothesis.subject_mention, hypothesis.object_mention
    opens = text[: first.start].lower().strip() in ("", "the") and object_ is not REST
    if not opens or not _VERB.match(text[subject.end : object_.start]):
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
