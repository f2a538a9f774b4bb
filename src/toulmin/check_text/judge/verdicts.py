"""The verdict on an atomic fact: the graph supports it, contradicts it, or says nothing of it, and why.

Also whether statements bear it out: its numbers, dates and denials, as far as code can read them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal as Choice

import numpy as np

from toulmin.check_text.judge.deciding import dated, decide, without_qualifiers
from toulmin.check_text.judge.find_mentions import find_mentions
from toulmin.check_text.judge.hypotheses import Fact, Hypothesis
from toulmin.check_text.judge.rank_hypotheses import ranked_hypotheses, texts_to_embed
from toulmin.check_text.judge.relation_statistics import Floats, statistics_of
from toulmin.check_text.judge.sentence_words import SentenceWords
from toulmin.check_text.judge.stating import Stating, is_undone, stating_of
from toulmin.check_text.rules import VerdictRule
from toulmin.english.denials import denials, is_denied
from toulmin.english.text_values import Value, is_hedged, same_value, stated_values
from toulmin.entailment.protocol import CONTRADICT, ENTAIL, Scorer
from toulmin.graph.types import Entity, Literal, Node, Statement
from toulmin.graph.values import quantity_of, time_of
from toulmin.retrieval.knowledge.evidence import Knowledge
from toulmin.retrieval.passages.excerpts import Excerpt
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.statement_words import node_words

__all__ = ["FactLink", "FactVerdict", "JudgeSettings", "denies", "judge", "not_borne_out", "prepare"]

_HELD = 8  # hypotheses that the graph holds, beside the likeliest, that are looked at
_STATED = 0.1  # by how much less sure a further statement between the same names may be stated

Verdict = Choice["supported", "contradicted", "not in the graph"]


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """Settings of the judge.

    Args:
        single: the share of a relation's subjects with one object from which on another object may contradict; the
            greater the share, the likelier.
        scored: the likeliest hypotheses of each fact, which are looked at beside those that the graph holds.
        passage_support, passage_contradiction: entailment scores from which on a passage decides.
        sure: the least score, 0 to 1, of a verdict that a fact is supported or contradicted; below it nothing is said.
    """

    single: float = 1 / 3
    scored: int = 8
    passage_support: float = 0.5
    passage_contradiction: float = 0.85
    sure: float = 0.0


@dataclass(frozen=True, slots=True)
class FactLink:
    """Words of a fact, ``text = fact.text[start:end]``, taken for an entity."""

    start: int
    end: int
    text: str
    entity: Entity
    form: str


@dataclass(frozen=True, slots=True)
class FactVerdict:
    """What is decided of a fact.

    Args:
        score: how sure the verdict is, 0 to 1.
        rule: which decided.
        reason: in words.
        links: what the words were taken for.
        statements: what the verdict rests on: what supports or what contradicts; empty where the graph is silent.
        excerpts: passages it rests on, where no statement decides.
        despite: a passage that says so although a statement contradicts, with its score.
        unsure: the verdict that is not given because it is not sure enough, in words; empty where there is none.
    """

    verdict: Verdict
    score: float
    rule: VerdictRule
    reason: str
    links: tuple[FactLink, ...] = ()
    statements: tuple[Statement, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    despite: tuple[Excerpt, float] | None = None
    unsure: str = ""

    def if_sure(self, least: float) -> FactVerdict:
        """The same, or "not in the graph" where it is supported or contradicted with a lower score than this."""
        if self.verdict == "not in the graph" or self.score >= least:
            return self
        unsure = f"{self.verdict} at {self.score:.3g}, less sure than {least:g}: {self.reason}"
        return FactVerdict("not in the graph", 1 - self.score, VerdictRule.NOT_SURE, unsure, self.links, unsure=unsure)


def judge(
    text: str,
    facts: Sequence[str],
    retriever: Retriever,
    scorer: Scorer,
    knowledge: Knowledge | None = None,
    settings: JudgeSettings | None = None,
) -> list[FactVerdict]:
    """Judge the facts of a text, all of them in one call of the embedder and one of the scorer.

    Args:
        text: where the facts are from.
        facts: in its order; each is a sentence that can be read alone.
        knowledge: passages that decide what the graph says nothing of. What it contradicts stays contradicted; a
            passage that says so is named.
    """
    chosen = settings or JudgeSettings()
    prepared = prepare(facts, retriever)
    needed = list(dict.fromkeys(words for fact in prepared for words in texts_to_embed(fact)))
    vector = dict(zip(needed, retriever.embedder.embed(needed), strict=True))
    ranked = [without_qualifiers(ranked_hypotheses(fact, vector)) for fact in prepared]
    likely = [_looked_at(hypotheses, chosen.scored) for hypotheses in ranked]
    verdicts = [
        _verdict(fact, hypotheses, stating, chosen).if_sure(chosen.sure)
        for fact, hypotheses, stating in zip(facts, likely, stating_of(likely, scorer), strict=True)
    ]
    if knowledge is None:
        return verdicts
    undecided = [place for place, verdict in enumerate(verdicts) if verdict.verdict != "supported"]
    found = dict(zip(undecided, knowledge.find([facts[place] for place in undecided], about=text), strict=True))
    pairs = [(passage.text, facts[place]) for place, passages in found.items() for passage in passages]
    scores, at = scorer.score(pairs) if pairs else np.zeros((0, 3), dtype=np.float32), 0
    for place, passages in found.items():
        if passages:
            excerpts = [passage.excerpt for passage in passages]
            verdicts[place] = _by_passage(verdicts[place], excerpts, scores[at : at + len(passages)], chosen)
        at += len(passages)
    return verdicts


def prepare(texts: Sequence[str], retriever: Retriever) -> list[Fact]:
    """The facts with their mentions, and with the statistics of the graph (around them, if it is remote)."""
    linked = [retriever.linker.link(text) for text in texts]
    seeds = dict.fromkeys(c.entity.id for fact in linked for mention in fact for c in mention.candidates[:2])
    statistics = statistics_of(retriever, list(seeds))
    prepared = []
    for text, mentions in zip(texts, linked, strict=True):
        words = SentenceWords(text)
        prepared.append(Fact(words, find_mentions(words, mentions, statistics, retriever.graph), statistics))
    return prepared


def _looked_at(hypotheses: Sequence[Hypothesis], most: int) -> list[Hypothesis]:
    """The likeliest hypotheses, and those that the graph holds."""
    held = [place for place, hypothesis in enumerate(hypotheses) if hypothesis.held is not None][:_HELD]
    return [hypothesis for place, hypothesis in enumerate(hypotheses) if place < most or place in held]


def _verdict(
    fact: str, hypotheses: Sequence[Hypothesis], stating: Sequence[Stating], settings: JudgeSettings
) -> FactVerdict:
    if not hypotheses:
        reason = "no name of the graph is in the sentence"
        return FactVerdict("not in the graph", 1.0, VerdictRule.NO_NAME, reason)
    stated, support, differing, rules = decide(hypotheses, stating, settings.single)
    against, denied, undone = differing, is_denied(fact), is_undone(fact)
    if denied:  # that the graph has another value does not prove a denial
        support, against = np.zeros_like(support), support
    if undone:
        support, against = np.zeros_like(support), np.zeros_like(against)
    chances = np.maximum(support, against)
    links = _links(hypotheses, chances)
    if chances.max() <= 0:
        row = int(stated.argmax())
        rule = VerdictRule.DENIAL if denied and differing.any() else rules[row]
        rule, score = VerdictRule.UNDONE if undone else rule, 1 - float(stated[row]) / 2
        return FactVerdict("not in the graph", score, rule, _why_silent(hypotheses[row]), links)
    supports = bool(support.max() >= against.max())
    chances = support if supports else against
    rows = np.flatnonzero(chances > 0)
    rows = rows[np.argsort(-chances[rows], kind="stable")]
    hypothesis, sure = hypotheses[int(rows[0])], float(chances.max())
    statements = _statements(hypotheses, rows if supports else rows[:1], chances, supports=supports)
    first = statements[0]
    graph_says = f"{node_words(first.subject)}: {hypothesis.label}: {node_words(first.object)}"
    if supports:
        reason = f"the graph says {graph_says} (statement {first.id})"
        links = (*links, *_beside(statements, links))
    elif hypothesis.held is not None:
        reason = f"the graph says {graph_says}, which the sentence denies (statement {first.id})"
    elif first.subject.id != hypothesis.statistics.subgraph.tables.keys[hypothesis.subject]:
        reason = f"the graph says it the other way round, {graph_says} (statement {first.id})"
    else:
        reason = f"the graph says {graph_says}, not {hypothesis.object_text} (statement {first.id})"
    rule = VerdictRule.DENIED if denied else rules[int(rows[0])]
    verdict: Verdict = "supported" if supports else "contradicted"
    return FactVerdict(verdict, sure, rule, reason, links, statements)


def _why_silent(hypothesis: Hypothesis) -> str:
    """What the graph does not say, by the likeliest hypothesis."""
    subject = hypothesis.subject_mention.text
    if hypothesis.held is not None:
        return f"the graph does not say of {subject} what the sentence states"
    if not len(hypothesis.values):
        return f"the graph has no {hypothesis.label} of {subject}"
    return f"the graph does not name this {hypothesis.label} of {subject}; it may have others"


def _statements(
    hypotheses: Sequence[Hypothesis], rows: np.ndarray, chances: Floats, *, supports: bool
) -> tuple[Statement, ...]:
    """The statements of some rows, the surest first; of several of the same words those that are about as sure."""
    statements: list[Statement] = []
    best: dict[frozenset[int], float] = {}
    for row in rows.tolist():
        hypothesis = hypotheses[row]
        if chances[row] < best.setdefault(frozenset(hypothesis.ends), float(chances[row])) - _STATED:
            continue
        of_time = dated(hypothesis) if supports else []
        statements += of_time or hypothesis.statements() or _exchanged(hypothesis)
    return tuple({statement.id: statement for statement in statements}.values())


def _exchanged(hypothesis: Hypothesis) -> list[Statement]:
    """The statements by which the graph says a hypothesis the other way round."""
    edges = hypothesis.statistics.subgraph.incoming
    rows = edges.edges(hypothesis.subject, hypothesis.relation)
    objects = list(hypothesis.object_mention.bearers)
    return hypothesis.statistics.subgraph.statements(edges.statement[rows][np.isin(edges.neighbour[rows], objects)])


def _links(hypotheses: Sequence[Hypothesis], chances: Floats) -> tuple[FactLink, ...]:
    """The words of the fact that were taken for entities, by the likeliest hypothesis that has them.

    Where no hypothesis decides, by their likeliest bearer: of several of one name the most prominent.
    """
    taken: dict[int, FactLink | None] = {}  # None: of a value
    for row in np.argsort(-chances, kind="stable").tolist():
        hypothesis = hypotheses[row]
        for place, number in zip(hypothesis.ends, (hypothesis.subject, hypothesis.held), strict=True):
            said = hypothesis.fact.mention(place)
            if number in said.bearers and place not in taken:
                bearer = said.bearers[number] if chances[row] > 0 else said.best[0]
                node, taken[place] = hypothesis.statistics.subgraph.node(bearer.node), None
                if isinstance(node, Entity):
                    taken[place] = FactLink(said.start, said.end, said.text, node, bearer.form)
    return tuple(link for _, link in sorted(taken.items()) if link is not None)


def _beside(statements: Sequence[Statement], links: Sequence[FactLink]) -> list[FactLink]:
    """Links of the ends of statements that the fact does not name, but the rest of its sentence may: where and when."""
    known = {link.entity for link in links}
    ends = [node for statement in statements for node in (statement.subject, statement.object)]
    unnamed = [node for node in dict.fromkeys(ends) if isinstance(node, Entity) and node not in known and node.label]
    return [FactLink(-1, -1, node.label or "", node, node.label or "") for node in unnamed]


def _by_passage(
    verdict: FactVerdict, excerpts: Sequence[Excerpt | None], scores: Floats, settings: JudgeSettings
) -> FactVerdict:
    """A verdict after the passages that were found for its fact: the one that is surest of it decides.

    Args:
        scores: float32[passages, 3], the scorer's.
    """
    surest = scores.argmax(axis=0)
    excerpt, score = excerpts[surest[ENTAIL]], float(scores[surest[ENTAIL], ENTAIL])
    if excerpt is not None and score >= max(settings.passage_support, settings.sure):
        if verdict.statements:
            reason = f"{verdict.reason}, though the passage {excerpt.source} says so: {excerpt.text!r}"
            return replace(verdict, reason=reason, despite=(excerpt, score))
        reason = f"the passage {excerpt.source} says so: {excerpt.text!r}"
        rule = VerdictRule.PASSAGE_SAYS
        return FactVerdict("supported", score, rule, reason, verdict.links, excerpts=(excerpt,))
    excerpt, score = excerpts[surest[CONTRADICT]], float(scores[surest[CONTRADICT], CONTRADICT])
    enough = score >= max(settings.passage_contradiction, settings.sure)
    if enough and excerpt is not None and not verdict.statements:
        reason, rule = f"the passage {excerpt.source} says otherwise: {excerpt.text!r}", VerdictRule.PASSAGE_DENIES
        return FactVerdict("contradicted", score, rule, reason, verdict.links, excerpts=(excerpt,))
    return verdict


def not_borne_out(claim: str, links: Sequence[FactLink], statements: Sequence[Statement]) -> str | None:
    """Why a claim cannot be supported by some statements, though its words name their ends; None where it can.

    Args:
        links: words that were taken for entities.
    """
    spans = [link.text for link in links]
    if denies(claim, statements, spans):
        return "is supported, though its words deny something and its statements do not"
    other = _value_not_given(claim, statements, spans)
    return f"is supported, though no statement that it rests on gives {other!r}" if other is not None else None


def denies(text: str, facts: Sequence[Statement], names: Sequence[str]) -> bool:
    """Whether some words deny something ("was not born in …"), and no fact says that there is no value.

    Args:
        names: parts of the words that name something, which denies nothing ("No Man's Land").
    """
    said_none = any(isinstance(fact.object, Literal) and fact.object.kind == "no_value" for fact in facts)
    return not said_none and denials(_without(text, names)) > 0


def _without(text: str, names: Sequence[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " · ")
    return text


def _value_not_given(text: str, facts: Sequence[Statement], names: Sequence[str]) -> str | None:
    """A date of some words that no fact gives, or a number where the facts give other ones; None where there is none.

    The values of qualifiers count like objects. A value under a hedge ("about", "before", "at least") says nothing.

    Args:
        names: parts of the words that name something else, whose numbers say nothing ("Apollo 11").
    """
    given: list[Node] = [node for fact in facts for node in (fact.object, *(q.value for q in fact.qualifiers))]
    texts = [node.value if isinstance(node, Literal) else node.label or "" for node in given]
    held = [Value(0, 0, time_of(node), quantity_of(node)) for node in given]
    text = _without(text, names)
    for stated in stated_values(text):
        words = text[stated.start : stated.end]
        agreeing = [score for value in held if (score := same_value(stated, value)) is not None]
        needed = (stated.time is not None or bool(agreeing)) and not is_hedged(text, stated.start)
        if needed and not any(agreeing) and not any(words in said for said in texts):
            return words
    return None
