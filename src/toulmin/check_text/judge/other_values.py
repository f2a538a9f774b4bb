"""Whether the words for an object may be another value than the graph's: of its kind, and not true beside it.

Dates and numbers of a fact may qualify a statement it states: "married in 1895" where the spouse has a start time. Else
the year would be read as the object of another relation, and held against a date of birth.
"""

from __future__ import annotations

import re

import numpy as np

from toulmin.check_text.judge.hypotheses import FactMention, Hypothesis
from toulmin.check_text.judge.regions import is_placed, lies_within
from toulmin.check_text.judge.relation_labels import BEGINNINGS, ENDINGS, tells_where
from toulmin.check_text.judge.relation_statistics import SHAPES, log_share, shape_of
from toulmin.check_text.judge.spelling import goes_on, is_another_name, is_place, may_be_one
from toulmin.check_text.rules import VerdictRule
from toulmin.english.lexicon import get_lexicon
from toulmin.english.text_values import bound_before, is_beyond, same_value, value_of
from toulmin.english.words import FUNCTION_WORDS
from toulmin.graph.types import Entity, Literal, Statement
from toulmin.retrieval.linking.mention_words import bare_words, words_of
from toulmin.retrieval.statement_words import node_words, relation_words

__all__ = [
    "dated",
    "excuse",
    "is_of_kind",
    "is_out_of_bounds",
    "names_in_qualifiers",
    "qualifies",
    "tells_class",
    "without_qualifiers",
]

_OF_KIND = 0.1  # share of the nodes like it that are an object of the relation, from which on one may be
_OFTEN = 3  # times as likely as any node
_ALIKE = 0.1  # likeness to a relation's objects from which on words may be another of them
_SHAPED = 0.04  # share of a relation's objects that look like the words, at least
_SAME = 0.6  # agreement of a value with a qualifier's from which on it is that qualifier
#: Words before a time with which something ends, or begins.
_ENDING, _BEGINNING = re.compile(r"\b(?:until|till|to|through|ended in)\s+$"), re.compile(r"\b(?:since|from)\s+$")
_IS_A = re.compile(r"\b(?:is|was) an? $")
_TITLES = frozenset("president professor prof dr mr mrs ms sir dame".split())
#: Shapes of one kind: a year is a coarse date, and "1,500" a rounded number.
_KINDS = {
    "date": ("date", "year"),
    "year": ("date", "year", "integer", "decimal"),
    "words": ("words", "name"),
    "capitals": ("code", "name"),  # "VELMED", "NOR"
} | dict.fromkeys(("integer", "decimal"), ("year", "integer", "decimal"))


def tells_class(hypothesis: Hypothesis) -> bool:
    """Whether the fact only says what kind of thing something is, "is a dish"; a person's kind may be an occupation."""
    object_ = hypothesis.object_mention
    if object_ is None or not object_.plain:
        return False
    classed = _IS_A.search(hypothesis.text[: object_.start]) and not hypothesis.text[object_.end :].strip(" .")
    return bool(classed) and get_lexicon().coarse_type(object_.text.split()[-1].lower()) != "person"


def is_of_kind(hypothesis: Hypothesis, *, named: bool) -> bool:
    """Whether the object's words are of the kind of the relation's values, so that both cannot hold.

    Args:
        named: whether the fact has the words of the relation; else what the graph knows must be known as of this kind.
    """
    object_, statistics, near = hypothesis.object_mention, hypothesis.statistics, hypothesis.features["near_objects"]
    if object_ is None:
        return False
    if object_.plain:
        return named and near > 0
    least = log_share(np.maximum(_OF_KIND, _OFTEN * statistics.object_share[hypothesis.relation]))
    if hypothesis.features["member"] > 0 or (object_.meant and hypothesis.features["range"] >= least):
        return True
    if object_.meant and object_.value is None and (not named or near <= -_ALIKE / 2):
        return False  # the graph knows it, as something else
    if object_.value is None and not named and near <= _ALIKE:
        return False
    dated = object_.value is not None and object_.value.time is not None and object_.value.quantity is None
    shape = "date" if dated else SHAPES[shape_of(object_.text)]
    if shape in ("code", "words") and object_.value is not None and object_.value.quantity is not None:
        shape = "decimal"  # "8.3m", "four years"
    if shape == "code" and object_.text.isalpha():
        shape = "capitals"
    alike = [SHAPES.index(kind) for kind in _KINDS.get(shape, (shape,))]
    return float(statistics.seen_shapes[hypothesis.relation, alike].sum()) >= _SHAPED


def excuse(hypothesis: Hypothesis) -> VerdictRule | None:
    """The rule by which what is said and the graph's value are both true; None where they are not."""
    for holds, rule in (
        (_are_joined, VerdictRule.JOINED),
        (_may_be_named_alike, VerdictRule.ALIKE),
        (_lies_within, VerdictRule.WITHIN),
        (_is_in_qualifiers, VerdictRule.IN_QUALIFIER),
        (_is_bounded, VerdictRule.BOUNDED),
    ):
        if holds(hypothesis):
            return rule
    return None


def _are_joined(hypothesis: Hypothesis) -> bool:
    """Whether one of the graph's value and the one said lies in the other: died in Missolonghi, which is in Greece."""
    # "The owner of Rovers is Rovers Group": the second may look like the first
    object_, edges = hypothesis.object_mention, hypothesis.statistics.subgraph.outgoing
    meant = [node for node in object_.meant if node != hypothesis.subject] if object_ else []
    for value in hypothesis.values.tolist() if meant else ():
        for node, others in [(value, meant), *((node, [value]) for node in meant)]:
            rows = edges.edges(node)
            relations = edges.relation[rows][np.isin(edges.neighbour[rows], others)].tolist()
            if any(tells_where(hypothesis.statistics.texts[relation]) for relation in relations):
                return True
    return False


def _may_be_named_alike(hypothesis: Hypothesis) -> bool:
    """Whether the words may be another form of the graph's value, or a place in it: "Harbury", "City of Harbury"."""
    mention = hypothesis.object_mention
    if mention is None or mention.value is not None:
        return False
    words = mention.text
    ours = set(bare_words(words)) - FUNCTION_WORDS
    ours = ours - _TITLES or ours
    for value, label in hypothesis.named_values():
        theirs = set(bare_words(label)) - FUNCTION_WORDS
        if not ours or not theirs or mention.is_other(value, label):
            continue
        within = ours <= theirs or theirs <= ours
        sure = is_another_name(words, label) and not (is_place(label) or is_place(words) or goes_on(words, label))
        if (within and not sure) or may_be_one(words, label):
            return True
    return False


def _lies_within(hypothesis: Hypothesis) -> bool:
    """Whether words for a place lie in the graph's value, or around it: born in Texas, and in Austin."""
    mention = hypothesis.object_mention
    if mention is None or hypothesis.subject in mention.bearers or not is_placed(hypothesis.text, mention.start):
        return False
    return any(
        lies_within(mention.text, name) and not mention.is_other(node, name) for node, name in hypothesis.named_values()
    )


def _is_bounded(hypothesis: Hypothesis) -> bool:
    """Whether the words only bound a number or a date: "at least 100", "about 100"."""
    object_ = hypothesis.object_mention
    return (
        object_ is not None and object_.value is not None and bound_before(hypothesis.text, object_.start) is not None
    )


def is_out_of_bounds(hypothesis: Hypothesis) -> bool:
    """Whether the graph's value, which the words name, is not within the bound that they set: 9 of "more than 9"."""
    object_ = hypothesis.object_mention
    if object_ is None or object_.value is None:
        return False
    bound, held = bound_before(hypothesis.text, object_.start), value_of(hypothesis.held_name)
    return bound is not None and held is not None and is_beyond(bound, object_.value, held)


def without_qualifiers(hypotheses: list[Hypothesis]) -> list[Hypothesis]:
    """The hypotheses less those whose object is a value that qualifies a statement between two names of the fact."""
    held = [hypothesis for hypothesis in hypotheses if hypothesis.held is not None]
    joined = [hypothesis for hypothesis in held if hypothesis.object_mention and not hypothesis.object_mention.value]
    statements = [statement for hypothesis in joined for statement in hypothesis.statements()]
    if not statements:
        return hypotheses
    fact = joined[0].fact
    taken = {
        place
        for place, mention in enumerate(fact.mentions)
        if any(_qualifies(mention, statement, fact.words.text) for statement in statements)
    }
    return [hypothesis for hypothesis in hypotheses if hypothesis.ends[1] not in taken]


def _is_in_qualifiers(hypothesis: Hypothesis) -> bool:
    """Whether the object said is in a qualifier of the subject's statements: who followed a president, say."""
    keys, object_ = hypothesis.statistics.subgraph.tables.keys, hypothesis.object_mention
    meant = {keys[node] for node in object_.meant} if object_ is not None else set()
    return bool(meant) and any(
        isinstance(qualifier.value, Entity) and qualifier.value.id in meant
        for statement in hypothesis.statements()
        for qualifier in statement.qualifiers
    )


def qualifies(hypothesis: Hypothesis, mention: FactMention) -> bool:
    """Whether a value is in a qualifier of a statement that says a hypothesis."""
    return any(_qualifies(mention, statement, hypothesis.text) for statement in hypothesis.statements())


def dated(hypothesis: Hypothesis) -> list[Statement]:
    """The statements of a subject and a relation that the object, a time, qualifies: "was hired in 1990"."""
    object_ = hypothesis.object_mention
    if object_ is None or object_.value is None or object_.value.time is None or hypothesis.held is not None:
        return []
    return [statement for statement in hypothesis.statements() if _qualifies(object_, statement, hypothesis.text)]


def names_in_qualifiers(hypothesis: Hypothesis, mention: FactMention) -> bool:
    """Whether a name is said by a qualifier of a statement that says a hypothesis."""
    words = set(bare_words(mention.text))
    return any(
        words <= set(bare_words(node_words(qualifier.value)))
        for statement in hypothesis.statements()
        for qualifier in statement.qualifiers
    )


def _qualifies(mention: FactMention, statement: Statement, text: str) -> bool:
    """Whether a value is a qualifier's: not that of an end where the words before it say a beginning, or vice versa."""
    before = text[: mention.start]
    for qualifier in statement.qualifiers:
        held = value_of(qualifier.value.value) if isinstance(qualifier.value, Literal) else None
        agreement = same_value(mention.value, held) if held is not None and mention.value is not None else None
        if agreement is not None and agreement >= _SAME:
            label = {word.lower for word in words_of(relation_words(qualifier.relation))}
            ends, begins = not ENDINGS.isdisjoint(label), not BEGINNINGS.isdisjoint(label)
            if not ((_ENDING.search(before) and not ends) or (_BEGINNING.search(before) and ends and not begins)):
                return True
    return False
