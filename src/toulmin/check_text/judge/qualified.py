"""Dates and numbers of a fact that qualify a statement it states: "married in 1895" where the spouse has a start time.

Without this, the year would be read as the object of another relation, and held against a date of birth.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from toulmin.check_text.judge.hypotheses import Hypotheses
from toulmin.check_text.judge.relation_statistics import RelationStatistics
from toulmin.check_text.judge.values import same_value, value_of
from toulmin.graph.types import Entity, Literal
from toulmin.retrieval.linking.mention_words import bare_words, words_of
from toulmin.retrieval.statement_words import node_words, relation_words

if TYPE_CHECKING:
    from toulmin.check_text.judge.fact_mention import FactMention
    from toulmin.graph.types import Statement

__all__ = ["dated", "is_in_qualifiers", "names_in_qualifiers", "qualifies", "without_qualifiers"]

_SAME = 0.6  # agreement of a value with a qualifier's from which on it is that qualifier
#: Words before a time with which something ends, or begins; and words of the labels of qualifiers that say so.
_ENDING, _BEGINNING = re.compile(r"\b(?:until|till|to|through|ended in)\s+$"), re.compile(r"\b(?:since|from)\s+$")
_ENDS = frozenset("end ended until till to expiry left last death dissolved closed".split())
_BEGINS = frozenset("start started since from begin beginning joined first opened".split())


def without_qualifiers(hypotheses: Hypotheses, statistics: RelationStatistics) -> Hypotheses:
    """The hypotheses less those whose object is a value that qualifies a statement between two names of the fact."""
    mentions, text = hypotheses.fact.mentions, hypotheses.fact.words.text
    values = [place for place, mention in enumerate(mentions) if mention.value is not None]
    joined = hypotheses.held >= 0
    joined &= ~np.isin(hypotheses.object_mention, values) & (hypotheses.object_mention >= 0)
    if not values or not joined.any():
        return hypotheses
    statements = [
        statement for row in np.flatnonzero(joined).tolist() for statement in _of(hypotheses, row, statistics)
    ]
    taken = [
        place
        for place in values
        if any(_qualifies(mentions[place], one, text[: mentions[place].start]) for one in statements)
    ]
    return hypotheses.take(np.flatnonzero(~np.isin(hypotheses.object_mention, taken))) if taken else hypotheses


def is_in_qualifiers(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> bool:
    """Whether the object said is in a qualifier of the subject's statements: who followed a president, say."""
    place = int(hypotheses.object_mention[row])
    meant = (
        {statistics.subgraph.tables.keys[node] for node in hypotheses.fact.mentions[place].meant}
        if place >= 0
        else set()
    )
    return bool(meant) and any(
        isinstance(qualifier.value, Entity) and qualifier.value.id in meant
        for statement in _of(hypotheses, row, statistics)
        for qualifier in statement.qualifiers
    )


def _of(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> list[Statement]:
    """The statements that a hypothesis is held by; where it is not, those of its subject over its relation."""
    edges = statistics.subgraph.outgoing
    node, relation, held = (int(column[row]) for column in (hypotheses.subject, hypotheses.relation, hypotheses.held))
    start, end = int(edges.indptr[node]), int(edges.indptr[node + 1])
    there = (edges.relation[start:end] == relation) & ((held < 0) | (edges.neighbour[start:end] == held))
    return list(statistics.subgraph.statements(edges.statement[start:end][there].tolist()))


def qualifies(hypotheses: Hypotheses, row: int, mention: FactMention, statistics: RelationStatistics) -> bool:
    """Whether a value is in a qualifier of a statement that a hypothesis is held by."""
    before = hypotheses.fact.words.text[: mention.start]
    return any(_qualifies(mention, statement, before) for statement in _of(hypotheses, row, statistics))


def dated(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> list[Statement]:
    """The statements of a hypothesis's subject and relation that its object, a time, qualifies: "was hired in 1990"."""
    place = int(hypotheses.object_mention[row])
    mention = hypotheses.fact.mentions[place] if place >= 0 else None
    if mention is None or mention.value is None or mention.value.time is None or hypotheses.held[row] >= 0:
        return []
    before = hypotheses.fact.words.text[: mention.start]
    return [one for one in _of(hypotheses, row, statistics) if _qualifies(mention, one, before)]


def names_in_qualifiers(hypotheses: Hypotheses, row: int, mention: FactMention, statistics: RelationStatistics) -> bool:
    """Whether a name is said by a qualifier of a statement that a hypothesis is held by."""
    said = set(bare_words(mention.text))
    return any(
        said <= set(bare_words(node_words(qualifier.value)))
        for statement in _of(hypotheses, row, statistics)
        for qualifier in statement.qualifiers
    )


def _qualifies(mention: FactMention, statement: Statement, before: str) -> bool:
    """Whether a value is a qualifier's: not that of an end where the words before it say a beginning, or vice versa."""
    for qualifier in statement.qualifiers:
        held = value_of(qualifier.value.value) if isinstance(qualifier.value, Literal) else None
        agreement = same_value(mention.value, held) if held is not None and mention.value is not None else None
        if agreement is not None and agreement >= _SAME:
            label = {word.lower for word in words_of(relation_words(qualifier.relation))}
            ends, begins = not _ENDS.isdisjoint(label), not _BEGINS.isdisjoint(label)
            if not ((_ENDING.search(before) and not ends) or (_BEGINNING.search(before) and ends and not begins)):
                return True
    return False
