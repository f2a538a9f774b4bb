"""The verdict on an atomic fact: the graph supports it, contradicts it, or says nothing of it, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from toulmin.check_text.judge.by_passages import with_passages
from toulmin.check_text.judge.deciding import decide
from toulmin.check_text.judge.denials import is_denied, is_undone
from toulmin.check_text.judge.fact_mention import Bearer, FactMention
from toulmin.check_text.judge.fact_verdict import FactLink, FactVerdict, JudgeSettings, Stated
from toulmin.check_text.judge.find_mentions import find_mentions
from toulmin.check_text.judge.hypotheses import Fact, Hypotheses, read, texts_to_embed
from toulmin.check_text.judge.qualified import dated, without_qualifiers
from toulmin.check_text.judge.relation_statistics import Floats, RelationStatistics, statistics_of
from toulmin.check_text.judge.sentence_words import SentenceWords
from toulmin.check_text.judge.stating import strengths
from toulmin.entailment.protocol import Scorer
from toulmin.graph.types import Entity, Statement
from toulmin.retrieval.linking import Mention
from toulmin.retrieval.statement_words import node_words

if TYPE_CHECKING:
    from toulmin.graph.protocol import Graph
    from toulmin.retrieval.knowledge.protocol import Knowledge
    from toulmin.retrieval.retriever import Retriever

__all__ = ["judge", "prepare"]

_HELD = 8  # hypotheses that the graph holds, beside the likeliest, that are looked at
_STATED = 0.1  # by how much less sure a further statement between the same names may be stated


def judge(
    text: str,
    facts: Sequence[Stated],
    graph: Graph,
    retriever: Retriever,
    scorer: Scorer,
    knowledge: Knowledge | None = None,
    settings: JudgeSettings | None = None,
) -> list[FactVerdict]:
    """Judge the facts of a text, all of them in one call of the embedder and one of the scorer.

    Args:
        text: where the facts are from.
        facts: in its order.
        knowledge: passages that decide what the graph says nothing of.
    """
    chosen = settings or JudgeSettings()
    prepared, statistics = prepare([fact.text for fact in facts], retriever, graph)
    needed = list(dict.fromkeys(one for fact in prepared for one in texts_to_embed(fact)))
    vector = dict(zip(needed, retriever.embedder.embed(needed), strict=True))
    hypotheses = [without_qualifiers(read(fact, statistics, vector), statistics) for fact in prepared]
    likely = [_looked_at(some, chosen.scored) for some in hypotheses]
    verdicts = [
        _verdict(fact, some, stated, statistics, chosen).if_sure(chosen.sure)
        for fact, some, stated in zip(facts, likely, strengths(likely, statistics, scorer), strict=True)
    ]
    return verdicts if knowledge is None else with_passages(text, verdicts, knowledge, scorer, chosen)


def prepare(texts: Sequence[str], retriever: Retriever, graph: Graph) -> tuple[list[Fact], RelationStatistics]:
    """The facts with their mentions, and the statistics of the graph (around them, if it is remote)."""
    linked = [retriever.linker.link(text) for text in texts]
    statistics = statistics_of(retriever, _seeds(linked))
    prepared = []
    for text, found in zip(texts, linked, strict=True):
        words = SentenceWords(text, statistics.lexicon)
        prepared.append(
            Fact.of(words, find_mentions(words, found, statistics.subgraph, statistics.short, graph), statistics)
        )
    return prepared, statistics


def _seeds(linked: Sequence[Sequence[Mention]]) -> list[str]:
    return list(dict.fromkeys(c.entity.id for some in linked for one in some for c in one.candidates[:2]))


def _looked_at(hypotheses: Hypotheses, most: int) -> Hypotheses:
    """The likeliest hypotheses, and those that the graph holds."""
    held = np.flatnonzero(hypotheses.held >= 0)
    return hypotheses.take(np.union1d(np.arange(min(len(hypotheses), most)), held[:_HELD]))


def _verdict(
    fact: Stated, hypotheses: Hypotheses, stated: Floats, statistics: RelationStatistics, settings: JudgeSettings
) -> FactVerdict:
    decision = decide(hypotheses, stated, statistics, settings.single)
    support, against, denied = decision.support, decision.against, is_denied(fact.text)
    if denied:  # that the graph has another value does not prove a denial
        support, against = np.zeros_like(support), support
    if is_undone(fact.text):
        support, against = np.zeros_like(support), np.zeros_like(against)
    sure = float(max(support.max(initial=0), against.max(initial=0)))
    links = _links(hypotheses, np.maximum(support, against), statistics)
    if sure <= 0:
        likely = 1 - float(stated.max(initial=0)) / 2
        return FactVerdict(fact, "not in the graph", likely, _silence(hypotheses, stated, statistics), links)
    number = int(support.max(initial=0) < against.max(initial=0))
    chances = against if number else support
    rows = np.flatnonzero(chances > 0)
    rows = rows[np.argsort(-chances[rows], kind="stable")]
    statements = _statements(hypotheses, rows if number == 0 else rows[:1], chances, statistics, supports=not number)
    claim = _claim(hypotheses, int(rows[0]), statistics)
    first = statements[0]
    graph_says = (
        f"{node_words(first.subject)}: {statistics.texts[hypotheses.relation[rows[0]]]}: {node_words(first.object)}"
    )
    if number == 0:
        reason = f"the graph says {graph_says} (statement {first.id})"
        links = (*links, *_beside(statements, links))
        return FactVerdict(fact, "supported", sure, reason, links, statements, (), claim)
    said = hypotheses.fact.object_text(
        int(hypotheses.object_mention[rows[0]]), (int(hypotheses.subject_mention[rows[0]]), -1)
    )
    if hypotheses.held[rows[0]] >= 0:
        reason = f"the graph says {graph_says}, which the sentence denies (statement {first.id})"
    elif first.subject.id != statistics.subgraph.tables.keys[int(hypotheses.subject[rows[0]])]:
        reason = f"the graph says it the other way round, {graph_says} (statement {first.id})"
    else:
        reason = f"the graph says {graph_says}, not {said} (statement {first.id})"
    return FactVerdict(fact, "contradicted", sure, reason, links, statements, (), claim)


def _claim(hypotheses: Hypotheses, row: int, statistics: RelationStatistics) -> str:
    subject = hypotheses.fact.mentions[int(hypotheses.subject_mention[row])].text
    said = hypotheses.fact.object_text(int(hypotheses.object_mention[row]), (int(hypotheses.subject_mention[row]), -1))
    return f"the sentence states {subject}: {statistics.texts[int(hypotheses.relation[row])]}: {said}"


def _silence(hypotheses: Hypotheses, chances: Floats, statistics: RelationStatistics) -> str:
    if not len(hypotheses):
        return "no name of the graph is in the sentence"
    row = int(chances.argmax())
    subject = hypotheses.fact.mentions[int(hypotheses.subject_mention[row])].text
    relation = statistics.texts[int(hypotheses.relation[row])]
    if hypotheses.held[row] >= 0:
        return f"the graph does not say of {subject} what the sentence states"
    if not len(statistics.objects(int(hypotheses.subject[row]), int(hypotheses.relation[row]))):
        return f"the graph has no {relation} of {subject}"
    return f"the graph does not name this {relation} of {subject}; it may have others"


def _statements(
    hypotheses: Hypotheses, rows: np.ndarray, chances: Floats, statistics: RelationStatistics, *, supports: bool
) -> tuple[Statement, ...]:
    """The statements of some rows, the surest first; of several of the same words those that are about as sure."""
    edges = statistics.subgraph.outgoing
    numbers: list[int] = []
    best: dict[frozenset[int], float] = {}
    for row in rows.tolist():
        pair = frozenset((int(hypotheses.subject_mention[row]), int(hypotheses.object_mention[row])))
        if chances[row] < best.setdefault(pair, float(chances[row])) - _STATED:
            continue
        node, relation, held = int(hypotheses.subject[row]), int(hypotheses.relation[row]), int(hypotheses.held[row])
        start, end = int(edges.indptr[node]), int(edges.indptr[node + 1])
        told = {statement.id for statement in dated(hypotheses, row, statistics)} if supports else set()
        if told:
            found = edges.statement[start:end].tolist()
            some = statistics.subgraph.statements(found)
            numbers += [number for number, one in zip(found, some, strict=True) if one.id in told]
            continue
        wanted = edges.relation[start:end] == relation
        if held >= 0:
            wanted &= edges.neighbour[start:end] == held
        if not wanted.any():  # the graph says it the other way round
            back = statistics.subgraph.incoming
            start, end = int(back.indptr[node]), int(back.indptr[node + 1])
            meant = list(hypotheses.fact.mentions[int(hypotheses.object_mention[row])].bearers)
            there = (back.relation[start:end] == relation) & np.isin(back.neighbour[start:end], meant)
            numbers += back.statement[start:end][there].tolist()
            continue
        numbers += edges.statement[start:end][wanted].tolist()
    return tuple(statistics.subgraph.statements(list(dict.fromkeys(numbers))))


def _links(hypotheses: Hypotheses, chances: Floats, statistics: RelationStatistics) -> tuple[FactLink, ...]:
    """The words of the fact that were taken for entities, by the likeliest hypothesis that has them.

    Where no hypothesis decides, by their likeliest bearer: of several of one name the most prominent.
    """
    taken: dict[int, Bearer] = {}
    for row in np.argsort(-chances, kind="stable").tolist():
        a, b = int(hypotheses.subject_mention[row]), int(hypotheses.object_mention[row])
        ends = [(a, int(hypotheses.subject[row]))]
        ends += [(b, int(hypotheses.held[row]))] if b >= 0 and hypotheses.held[row] >= 0 else []
        for place, node in ends:
            bearers = hypotheses.fact.mentions[place].bearers  # in the linker's order
            if node in bearers:
                likeliest = max(bearers.values(), key=lambda bearer: bearer.score)
                taken.setdefault(place, bearers[node] if chances[row] > 0 else likeliest)
    found = [_link(hypotheses.fact.mentions[place], bearer, statistics) for place, bearer in sorted(taken.items())]
    return tuple(link for link in found if link is not None)


def _beside(statements: Sequence[Statement], links: Sequence[FactLink]) -> list[FactLink]:
    """Links of the ends of statements that the fact does not name, but the rest of its sentence may: where and when."""
    known = {link.entity for link in links}
    ends = [node for one in statements for node in (one.subject, one.object)]
    found = [node for node in dict.fromkeys(ends) if isinstance(node, Entity) and node not in known and node.label]
    return [FactLink(-1, -1, node.label or "", node, node.label or "", 1.0, "exact") for node in found]


def _link(mention: FactMention, bearer: Bearer, statistics: RelationStatistics) -> FactLink | None:
    node = statistics.subgraph.node(bearer.node)
    if not isinstance(node, Entity):
        return None
    return FactLink(mention.start, mention.end, mention.text, node, bearer.form, bearer.link, bearer.how)
