"""Holding each sentence against the statements that it cites, and against nothing else.

A sentence is taken apart into facts by the rules of ``check-text``. A fact is supported where a cited statement, or all
of them together, entail it; contradicted where one whose relation has one value does, and none entails it; else open.
Where the facts are not all supported, the sentence as it stands may still be by all its statements together, which has
to be surer. A number that no cited statement gives leaves a sentence open, whatever the scorer says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from toulmin.entailment.protocol import CONTRADICT, ENTAIL, Pair, Scorer
from toulmin.entailment.statement_premise import premise_of
from toulmin.entailment.text.judging.bearing import unstated_numbers
from toulmin.entailment.text.splitting.atomic import AtomicFact, split_facts
from toulmin.entailment.text.splitting.sentences import Sentence, split_sentences
from toulmin.graph.local import LocalGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Literal, Node, Statement
from toulmin.graph.wording import literal_words
from toulmin.program.nodes import Decision
from toulmin.retrieval.wording import node_words, relation_words

__all__ = ["Cited", "Held", "Holder"]

_AS_A_WHOLE = 0.8  # the score of a sentence that is entailed though its facts by themselves are not
_ONE_VALUE = 0.9  # the share of a relation's subjects that have one object, from which on it has one value
_TOGETHER = 16  # statements of one premise

Row = tuple[float, float]  # entailment and contradiction


@dataclass(frozen=True, slots=True)
class Cited:
    """A sentence of a text, ``text[start:end]``, with the statements that it cites."""

    start: int
    end: int
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """A claim that a sentence makes, and what its statements say of it.

    Args:
        rule: why it is left open whatever the scorer says; empty: the scorer decides.
    """

    says: str
    decision: Decision
    score: float
    rule: str = ""


class Holder:
    """Holds sentences against statements.

    Args:
        support, contradict: the scores from which on the scorer decides.
    """

    def __init__(self, graph: Graph, subgraph: Subgraph, scorer: Scorer, support: float, contradict: float) -> None:
        self._graph, self._subgraph, self._scorer = graph, subgraph, scorer
        self._support, self._contradict = support, contradict
        self._numbers = {relation.id: number for number, relation in enumerate(subgraph.relations)}
        self._single: dict[str, bool] = {}

    def hold(self, text: str, sentences: Sequence[Cited]) -> list[list[Held]]:
        """The claims of each sentence; none of one that cites nothing.

        One call of the scorer for all of them.
        """
        stated = self._facts(text, sentences)
        pairs: dict[Pair, None] = {}
        for one, facts in zip(sentences, stated, strict=True):
            for fact in (*facts, text[one.start : one.end]) if one.statements else ():
                pairs |= dict.fromkeys((premise, fact) for premise, _ in self._premises(one.statements))
        found = self._scorer.score(list(pairs)) if pairs else np.zeros((0, 3))
        scores = dict(
            zip(pairs, zip(found[:, ENTAIL].tolist(), found[:, CONTRADICT].tolist(), strict=True), strict=True)
        )
        return [
            self._claims(text[one.start : one.end], facts, one.statements, scores) if one.statements else []
            for one, facts in zip(sentences, stated, strict=True)
        ]

    def _facts(self, text: str, sentences: Sequence[Cited]) -> list[list[str]]:
        """The facts of each sentence; where the rules find none, the sentence itself."""
        names = self._are_names if isinstance(self._graph, LocalGraph) else None
        facts: list[list[str]] = [[] for _ in sentences]
        apart = split_sentences(text)
        for some in split_facts(text, apart, names):
            place = _place(some.sentence, sentences)
            if place is not None:
                stated: Iterator[AtomicFact] = (fact for fact in some.facts if not fact.implied)
                facts[place] += [fact.text for fact in stated] or [some.sentence.text]
        return [found or [text[one.start : one.end]] for found, one in zip(facts, sentences, strict=True)]

    def _are_names(self, forms: Sequence[str]) -> list[bool]:
        return [bool(matches) for matches in self._graph.lookup(list(forms))]

    def _premises(self, statements: Sequence[Statement]) -> list[tuple[str, bool]]:
        """Each statement, those with qualifiers also with these, and all together; whether it may contradict."""
        premises: list[tuple[str, bool]] = []
        plain = []
        for one in statements:
            single = self._has_one_value(one)
            premises.append((_premise(one, single), single))
            plain.append(_premise(one, qualified=True))
            if one.qualifiers:
                premises.append((plain[-1], False))
        if len(statements) > 1:
            premises.append((" ".join(plain[:_TOGETHER]), False))
        return premises

    def _claims(
        self, sentence: str, facts: Sequence[str], statements: Sequence[Statement], scores: Mapping[Pair, Row]
    ) -> list[Held]:
        premises = self._premises(statements)
        given = [" ".join([_premise(one, qualified=True), _premise(one, raw=True)]) for one in statements]
        if lacking := unstated_numbers(sentence, [*given, *_without_zeros(given)]):
            rule = f"no statement that it cites gives {', '.join(lacking)}"
            return [Held(sentence, "unknown", 1.0, rule)]
        held = [self._judged(fact, premises, scores) for fact in dict.fromkeys(facts)]
        if all(one.decision == "yes" for one in held) or any(one.decision == "no" for one in held):
            return held
        entailed = max(scores[premise, sentence][0] for premise, _ in premises)
        return [Held(sentence, "yes", entailed)] if entailed >= max(_AS_A_WHOLE, self._support) else held

    def _judged(self, fact: str, premises: Sequence[tuple[str, bool]], scores: Mapping[Pair, Row]) -> Held:
        entailed = max(scores[premise, fact][0] for premise, _ in premises)
        against = max((scores[premise, fact][1] for premise, single in premises if single), default=0.0)
        if entailed >= self._support:
            return Held(fact, "yes", entailed)
        if against >= self._contradict:
            return Held(fact, "no", against)
        return Held(fact, "unknown", 1 - max(entailed, against))

    def _has_one_value(self, statement: Statement) -> bool:
        """Whether nearly all subjects of its relation have one object, in the sub-graph."""
        relation = statement.relation.id
        if relation not in self._single:
            number, tables = self._numbers.get(relation), self._subgraph.tables
            rows = np.flatnonzero(tables.relation == number) if number is not None else np.empty(0, dtype=np.int64)
            counts = np.unique(tables.subject[rows], return_counts=True)[1]
            self._single[relation] = bool(len(counts)) and float((counts == 1).mean()) >= _ONE_VALUE
        return self._single[relation]


def _place(sentence: Sentence, cited: Sequence[Cited]) -> int | None:
    return next((place for place, one in enumerate(cited) if one.start <= sentence.start < one.end), None)


def _premise(statement: Statement, single: bool | None = None, *, qualified: bool = False, raw: bool = False) -> str:
    end = _words(statement.object, raw=raw)
    if qualified and statement.qualifiers:
        said = (f"{relation_words(one.relation)} {_words(one.value, raw=raw)}" for one in statement.qualifiers)
        end = f"{end} ({', '.join(said)})"
    return premise_of(_words(statement.subject, raw=raw), relation_words(statement.relation), end, single)


def _words(node: Node, *, raw: bool) -> str:
    return literal_words(node) if isinstance(node, Literal) and not raw else node_words(node)


def _without_zeros(texts: Sequence[str]) -> list[str]:
    """The numbers of texts as they are said: "1903-04" gives 4, and 8,848 also 8848."""
    words = [word for text in texts for word in text.replace("-", " ").replace("T", " ").replace(",", "").split()]
    return [" ".join(word.lstrip("0+") for word in words)]
