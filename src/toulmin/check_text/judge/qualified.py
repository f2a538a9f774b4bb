"""Dates and numbers of a fact that qualify a statement it states: "married in 1895" where the spouse has a start time.

Without this, the year would be read as the object of another relation, and held against a date of birth.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toulmin.check_text.judge.hypotheses import Hypothesis
from toulmin.check_text.judge.relation_labels import BEGINNINGS, ENDINGS
from toulmin.english.text_values import same_value, value_of
from toulmin.graph.types import Entity, Literal
from toulmin.retrieval.linking.mention_words import bare_words, words_of
from toulmin.retrieval.statement_words import node_words, relation_words

if TYPE_CHECKING:
    from toulmin.check_text.judge.fact_mention import FactMention
    from toulmin.graph.types import Statement

__all__ = ["dated", "is_in_qualifiers", "names_in_qualifiers", "qualifies", "without_qualifiers"]

_SAME = 0.6  # agreement of a value with a qualifier's from which on it is that qualifier
#: Words before a time with which something ends, or begins.
_ENDING, _BEGINNING = re.compile(r"\b(?:until|till|to|through|ended in)\s+$"), re.compile(r"\b(?:since|from)\s+$")


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
    return [hypothesis for hypothesis in hypotheses if hypothesis.object_place not in taken]


def is_in_qualifiers(hypothesis: Hypothesis) -> bool:
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
