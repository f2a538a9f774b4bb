"""Small graphs and axioms of the example questions, and a short way to answer them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Literal, Node, Qualifier, Relation, Statement
from toulmin.graph.values import literal_from_text
from toulmin.proof.answer import Answer
from toulmin.proof.axioms.binder import Assumptions
from toulmin.proof.axioms.language import Program
from toulmin.proof.axioms.reasoning import Evaluation, Reasoner, conclude
from toulmin.proof.axioms.replies import GroundingReply
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.checker import check

BY = "a careful reader"


def node(text: str) -> Node:
    """A date or number as what it is, any other text as an entity of that name."""
    literal = literal_from_text(text) if text[:1].isdigit() else None
    return literal if literal is not None else Entity(f"e:{text.replace(' ', '_')}", text)


def relation(label: str) -> Relation:
    """The relation with this label."""
    return Relation(f"r:{label.replace(' ', '_')}", label)


def said(subject: str, label: str, value: str | Literal, **qualifiers: str) -> Statement:
    """A statement; ``start_time="2005"`` is a qualifier."""
    entity = Entity(f"e:{subject.replace(' ', '_')}", subject)
    pairs = tuple(Qualifier(relation(key.replace("_", " ")), node(text)) for key, text in qualifiers.items())
    return Statement(entity, relation(label), node(value) if isinstance(value, str) else value, pairs)


def graph_of(*statements: Statement, name: str = "memory") -> MemoryGraph:
    """A graph in memory."""
    return MemoryGraph.from_statements(statements, name=name)


def entity(name: str, text: str) -> dict[str, Any]:
    """A term."""
    return {"name": name, "kind": "entity", "text": text}


def of(name: str, text: str, parent: str, **more: str) -> dict[str, Any]:
    """A property term."""
    return {"name": name, "kind": "property", "text": text, "of": parent, **more}


def term(name: str, kind: str, parent: str, to: str | None = None, text: str | None = None) -> dict[str, Any]:
    """Any other term."""
    return {"name": name, "kind": kind, "of": parent, "to": to, "text": text}


def constant(name: str, text: str) -> dict[str, Any]:
    """A term."""
    return {"name": name, "kind": "constant", "text": text}


def clause(name: str, op: str, left: str | None = None, right: str | None = None, text: str = "") -> dict[str, Any]:
    """A clause."""
    return {"name": name, "op": op, "left": left, "right": right, "text": text or f"{left} {op} {right}"}


def program(
    text: str, terms: Sequence[dict[str, Any]], clauses: Sequence[dict[str, Any]], direction: str = "both", **more: str
) -> Program:
    """An axiom."""
    return Program.read({"text": text, "terms": terms, "clauses": clauses, "direction": direction, **more})


def linked(question: str, graph: Graph) -> ProofBuilder:
    """A builder with a link for every entity whose name stands in the question."""
    builder = ProofBuilder(question, graph)
    seen: set[str] = set()
    for start in range(len(question)):
        for end in range(len(question), start, -1):
            span = question[start:end]
            at_word = (start == 0 or question[start - 1] == " ") and (span[:1].isupper() or span[:1].isdigit())
            found = graph.lookup([span])[0] if at_word and not span.endswith((" ", "?", "'s")) else []
            if found and not any(start < int(old.split("-")[1]) and end > int(old.split("-")[0]) for old in seen):
                info = graph.describe([found[0].id])[0]
                assert info is not None
                builder.add_link(start, end, info.entity, found[0].form, 1.0, "exact")
                seen.add(f"{start}-{end}")
    return builder


def reason(
    question: str,
    axiom: Program,
    graph: Graph,
    listed: Sequence[Statement] = (),
    reply: dict[str, Any] | None = None,
    assumptions: Assumptions | None = None,
) -> tuple[Answer, Evaluation]:
    """The answer to a question by an axiom, with what was cited from a list of statements."""
    builder = linked(question, graph)
    reasoner = Reasoner(axiom, BY)
    reasoner.ground(GroundingReply.read(reply or {}, axiom, len(listed)), listed)
    evaluation = reasoner.evaluate(builder, assumptions=assumptions)
    proof = conclude(builder, evaluation, by=BY, score=1.0)
    return builder.answer(proof, method="by hand"), evaluation


def status(answer: Answer, graph: Graph) -> str:
    """What the check says of the answer; every step of its own must pass."""
    report = check(Answer.from_json(answer.to_json()), graph)
    assert report.exit_code == 0, [step for step in report.steps if step.status in ("fails", "stale")]
    idle = [step for step in answer.proof.steps if step.id in report.unused and step.kind != "link"]
    assert not idle
    return report.status
