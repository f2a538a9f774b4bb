"""The verdict on an atomic fact: the graph supports it, contradicts it, or says nothing of it, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from toulmin.entailment.protocol import ENTAIL, Scorer
from toulmin.entailment.statement_premise import premise_of
from toulmin.entailment.text.judging.by_passages import with_passages
from toulmin.entailment.text.judging.deciding import decide
from toulmin.entailment.text.judging.fact_verdict import FactLink, FactVerdict, JudgeSettings, Stated
from toulmin.entailment.text.judging.naming import SentenceWords
from toulmin.entailment.text.judging.profile import Floats, GraphProfile, profile_of
from toulmin.entailment.text.judging.qualified import without_qualifiers
from toulmin.entailment.text.judging.reading_model import ReadingModel, reading_model
from toulmin.entailment.text.judging.readings import Fact, Readings, read, texts_to_embed
from toulmin.entailment.text.judging.spot import Bearer, Spot
from toulmin.entailment.text.judging.spots import find_spots
from toulmin.graph.types import Entity, Statement
from toulmin.retrieval.linking import Mention
from toulmin.retrieval.wording import node_words

if TYPE_CHECKING:
    from toulmin.graph.protocol import Graph
    from toulmin.retrieval.knowledge.protocol import Knowledge
    from toulmin.retrieval.retriever import Retriever

__all__ = ["judge", "premises", "prepare", "weigh"]

_NEGATIONS = frozenset("not never no nor neither cannot without n't failed refused declined".split())
#: "is not his only book" and "was not just a poet" deny nothing of the book and the poet.
_DENIAL = re.compile(r" (?:not|never)\b|n['’]t\b", re.IGNORECASE)
_NOT_ONLY = re.compile(r"(?:\bnot|n['’]t)(?: [\w'’-]+){0,3}? (?:only|just|merely|simply)\b")


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
    model = reading_model()
    prepared, profile = prepare([fact.text for fact in facts], retriever, graph)
    needed = list(dict.fromkeys(one for fact in prepared for one in texts_to_embed(fact)))
    vector = dict(zip(needed, retriever.embedder.embed(needed), strict=True))
    readings = [without_qualifiers(read(fact, profile, vector, model.first), profile) for fact in prepared]
    likely = [some.take(np.arange(min(len(some), chosen.scored))) for some in readings]
    chances = weigh(likely, profile, scorer, model)
    verdicts = [
        _verdict(fact, some, chance, profile, model, chosen)
        for fact, some, chance in zip(facts, likely, chances, strict=True)
    ]
    verdicts = [
        _with_others(verdict.if_sure(chosen.sure), some, profile, model, chosen)
        for verdict, some in zip(verdicts, readings, strict=True)
    ]
    return verdicts if knowledge is None else with_passages(text, verdicts, knowledge, scorer, chosen)


def prepare(texts: Sequence[str], retriever: Retriever, graph: Graph) -> tuple[list[Fact], GraphProfile]:
    """The facts with their spots, ready to be read, and the statistics of the graph (around them, if it is remote)."""
    mentions = [retriever.linker.link(text) for text in texts]
    profile = profile_of(retriever, _seeds(mentions))
    prepared = []
    for text, found in zip(texts, mentions, strict=True):
        words = SentenceWords(text, profile.lexicon)
        prepared.append(Fact.of(words, find_spots(words, found, profile.subgraph, profile.short, graph), profile))
    return prepared, profile


def _seeds(mentions: Sequence[Sequence[Mention]]) -> list[str]:
    return list(dict.fromkeys(c.entity.id for some in mentions for one in some for c in one.candidates[:2]))


def weigh(readings: Sequence[Readings], profile: GraphProfile, scorer: Scorer, model: ReadingModel) -> list[Floats]:
    """How likely each reading of each fact is meant; one call of the scorer."""
    pairs = [pair for some in readings for pair in premises(some, profile)]
    distinct = list(dict.fromkeys(pairs))
    score = dict(zip(distinct, scorer.score(distinct)[:, ENTAIL].tolist(), strict=True))
    chances, at = [], 0
    for some in readings:
        some.entailment = np.array([score[pair] for pair in pairs[at : at + len(some)]], dtype=np.float32)
        chances.append(model.probabilities(some, some.entailment))
        at += len(some)
    return chances


def premises(readings: Readings, profile: GraphProfile) -> list[tuple[str, str]]:
    """Each reading as a premise, in the fact's own words for subject and object, and the fact, or what it denies.

    Without the mark of how many values the relation has: unmarked, the scorer knows more wordings of a relation again.
    """
    fact = readings.fact
    stated = _DENIAL.sub("", fact.words.text) if _negated(fact.words.text) else fact.words.text
    said = []
    for a, b, relation in zip(
        readings.subject_spot.tolist(), readings.object_spot.tolist(), readings.relation.tolist(), strict=True
    ):
        words = premise_of(fact.spots[a].text, profile.texts[relation], fact.object_text(b, (a, b)))
        said.append((words, stated))
    return said


def _verdict(
    fact: Stated,
    readings: Readings,
    chances: Floats,
    profile: GraphProfile,
    model: ReadingModel,
    settings: JudgeSettings,
) -> FactVerdict:
    decision = decide(readings, chances, profile, settings.single)
    held, other = decision.held, decision.other
    shares = model.verdicts(decision)
    negated = _negated(fact.text)
    if negated:
        shares, held, other = shares[[1, 0, 2]], other, held
    number = int(shares.argmax())
    links = _links(readings, chances, profile)
    if number == 2 or (number == 0 and negated):  # that the graph has another value does not prove a denial
        return FactVerdict(
            fact,
            "not in the graph",
            float(shares[2] + negated * shares[0]),
            _silence(readings, chances, profile),
            links,
        )
    rows = np.flatnonzero(held if number == 0 else other)
    rows = rows[np.argsort(-chances[rows], kind="stable")]
    statements = _statements(readings, rows, chances, profile, settings)
    claim = _claim(readings, int(rows[0]), profile)
    first = statements[0]
    graph_says = f"{node_words(first.subject)}: {profile.texts[readings.relation[rows[0]]]}: {node_words(first.object)}"
    if number == 0:
        reason = f"the graph says {graph_says} (statement {first.id})"
        return FactVerdict(fact, "supported", float(shares[0]), reason, links, statements, (), claim)
    said = readings.fact.object_text(int(readings.object_spot[rows[0]]), (int(readings.subject_spot[rows[0]]), -1))
    if readings.held[rows[0]] >= 0:
        reason = f"the graph says {graph_says}, which the sentence denies (statement {first.id})"
    elif first.subject.id != profile.subgraph.tables.keys[int(readings.subject[rows[0]])]:
        reason = f"the graph says it the other way round, {graph_says} (statement {first.id})"
    else:
        reason = f"the graph says {graph_says}, not {said} (statement {first.id})"
    return FactVerdict(fact, "contradicted", float(shares[1]), reason, links, statements, (), claim)


def _with_others(
    verdict: FactVerdict, readings: Readings, profile: GraphProfile, model: ReadingModel, settings: JudgeSettings
) -> FactVerdict:
    """A supported fact with the other statements that it states too, of other pairs of its names."""
    if verdict.verdict != "supported" or _negated(verdict.fact.text):
        return verdict
    scores = readings.features @ model.first
    pairs = np.stack([readings.subject_spot, readings.object_spot], axis=1)
    pairs.sort(axis=1)
    edges = profile.subgraph.outgoing
    numbers: list[int] = []
    links: list[FactLink | None] = list(verdict.links)
    for pair in np.unique(pairs, axis=0):
        rows = np.flatnonzero((pairs == pair).all(axis=1))
        shares = np.exp(scores[rows] - scores[rows].max())
        shares /= shares.sum()
        for row in rows[(readings.held[rows] >= 0) & (shares >= settings.statement)].tolist():
            node, relation, held = (int(column[row]) for column in (readings.subject, readings.relation, readings.held))
            start, end = int(edges.indptr[node]), int(edges.indptr[node + 1])
            there = (edges.relation[start:end] == relation) & (edges.neighbour[start:end] == held)
            numbers += edges.statement[start:end][there].tolist()
            for place, number in ((readings.subject_spot[row], node), (readings.object_spot[row], held)):
                spot = readings.fact.spots[int(place)]
                links.append(_link(spot, spot.bearers[number], profile))
    known = {statement.id for statement in verdict.statements}
    found = profile.subgraph.statements(list(dict.fromkeys(numbers)))
    others = tuple(statement for statement in found if statement.id not in known)
    kept = tuple(dict.fromkeys(link for link in links if link is not None))
    return replace(verdict, statements=verdict.statements + others, links=kept)


def _negated(text: str) -> bool:
    text = _NOT_ONLY.sub("", text.lower())
    words = text.replace("n't", " n't").replace("n’t", " n't").split()
    return sum(word.strip(".,;:!?") in _NEGATIONS for word in words) % 2 == 1


def _claim(readings: Readings, row: int, profile: GraphProfile) -> str:
    subject = readings.fact.spots[int(readings.subject_spot[row])].text
    said = readings.fact.object_text(int(readings.object_spot[row]), (int(readings.subject_spot[row]), -1))
    return f"the sentence states {subject}: {profile.texts[int(readings.relation[row])]}: {said}"


def _silence(readings: Readings, chances: Floats, profile: GraphProfile) -> str:
    if not len(readings):
        return "no name of the graph is in the sentence"
    row = int(chances.argmax())
    subject = readings.fact.spots[int(readings.subject_spot[row])].text
    relation = profile.texts[int(readings.relation[row])]
    if readings.held[row] >= 0:
        return f"the graph does not say of {subject} what the sentence states"
    if not len(profile.objects(int(readings.subject[row]), int(readings.relation[row]))):
        return f"the graph has no {relation} of {subject}"
    return f"the graph does not name this {relation} of {subject}; it may have others"


def _statements(
    readings: Readings, rows: np.ndarray, chances: Floats, profile: GraphProfile, settings: JudgeSettings
) -> tuple[Statement, ...]:
    """The statements of the likeliest row, and of others that are likely enough among those of their own words."""
    edges = profile.subgraph.outgoing
    numbers: list[int] = []
    best: dict[frozenset[int], float] = {}
    spots = list(zip(readings.subject_spot.tolist(), readings.object_spot.tolist(), strict=True))
    for pair, chance in zip(spots, chances.tolist(), strict=True):
        best[frozenset(pair)] = best.get(frozenset(pair), 0.0) + chance
    for row in rows.tolist():
        if numbers and chances[row] < settings.statement * best[frozenset(spots[row])]:
            continue
        node, relation, held = int(readings.subject[row]), int(readings.relation[row]), int(readings.held[row])
        start, end = int(edges.indptr[node]), int(edges.indptr[node + 1])
        wanted = edges.relation[start:end] == relation
        if held >= 0:
            wanted &= edges.neighbour[start:end] == held
        if not wanted.any():  # the graph says it the other way round
            back = profile.subgraph.incoming
            start, end = int(back.indptr[node]), int(back.indptr[node + 1])
            meant = list(readings.fact.spots[int(readings.object_spot[row])].bearers)
            there = (back.relation[start:end] == relation) & np.isin(back.neighbour[start:end], meant)
            numbers += back.statement[start:end][there].tolist()
            continue
        numbers += edges.statement[start:end][wanted].tolist()
    return tuple(profile.subgraph.statements(list(dict.fromkeys(numbers))))


def _links(readings: Readings, chances: Floats, profile: GraphProfile) -> tuple[FactLink, ...]:
    """The words of the fact that were taken for entities, by the likeliest reading that has them."""
    taken: dict[int, Bearer] = {}
    for row in np.argsort(-chances, kind="stable").tolist():
        a, b = int(readings.subject_spot[row]), int(readings.object_spot[row])
        taken.setdefault(a, readings.fact.spots[a].bearers[int(readings.subject[row])])
        if b >= 0 and int(readings.held[row]) in readings.fact.spots[b].bearers:
            taken.setdefault(b, readings.fact.spots[b].bearers[int(readings.held[row])])
    found = [_link(readings.fact.spots[place], bearer, profile) for place, bearer in sorted(taken.items())]
    return tuple(link for link in found if link is not None)


def _link(spot: Spot, bearer: Bearer, profile: GraphProfile) -> FactLink | None:
    node = profile.subgraph.node(bearer.node)
    if not isinstance(node, Entity):
        return None
    return FactLink(spot.start, spot.end, spot.text, node, bearer.form, bearer.link, bearer.how)
