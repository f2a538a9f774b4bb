"""Small graphs and axioms of the example questions, and a short way to answer them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Literal, Node, Qualifier, Relation, Statement
from toulmin.graph.values import literal_from_text
from toulmin.methods.r3.axioms.language import Program
from toulmin.methods.r3.axioms.meanings import Assumptions, Link
from toulmin.methods.r3.axioms.reasoning import Evaluation, Reasoner, choose, conclude
from toulmin.methods.r3.axioms.replies import GroundingReply
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder

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


def linked(question: str, graph: Graph) -> list[Link]:
    """A link for every entity whose name stands in the question."""
    found: list[Link] = []
    for start in range(len(question)):
        for end in range(len(question), start, -1):
            span = question[start:end]
            at_word = (start == 0 or question[start - 1] == " ") and (span[:1].isupper() or span[:1].isdigit())
            matches = graph.lookup([span])[0] if at_word and not span.endswith((" ", "?", "'s")) else []
            if matches and not any(start < old.end and end > old.start for old in found):
                info = graph.describe([matches[0].id])[0]
                assert info is not None
                found.append(Link(info.entity, start, end, matches[0].form))
    return found


def reason(
    question: str,
    axiom: Program,
    graph: Graph,
    listed: Sequence[Statement] = (),
    reply: dict[str, Any] | None = None,
    assumptions: Assumptions | None = None,
) -> tuple[Answer, Evaluation]:
    """The answer to a question by an axiom, with what was cited from a list of statements."""
    builder = Builder(question, graph)
    reasoner = Reasoner(axiom, BY)
    reasoner.ground(GroundingReply.read(reply or {}, axiom, len(listed)), listed)
    evaluation = reasoner.evaluate(builder, links=linked(question, graph), assumptions=assumptions)
    return conclude(builder, evaluation, by=BY, score=1.0, method="by hand"), evaluation


def tried(
    question: str,
    axiom: Program,
    graph: Graph,
    options: Sequence[str],
    replies: Sequence[dict[str, Any]] = (),
    listed: Sequence[Statement] = (),
    assumptions: Assumptions | None = None,
) -> tuple[Answer, list[bool | None]]:
    """The choice among options, and what the axiom says of each."""
    builder, links, found = Builder(question, graph), linked(question, graph), []
    for number, option in enumerate(options):
        reasoner = Reasoner(axiom, BY)
        reply = replies[number] if replies else {}
        reasoner.ground(GroundingReply.read(reply, axiom, len(listed)), listed)
        found.append(reasoner.evaluate(builder, links=links, option=option, assumptions=assumptions))
    answer = choose(builder, found, by=BY, score=1.0, method="by hand")
    return answer, [one.verdict for one in found]


def status(answer: Answer, graph: Graph) -> str:
    """What the check says of the answer; every node must pass."""
    report = Answer.from_json(answer.to_json()).check(graph)
    assert report.exit_code == 0, [
        node for node in report.nodes if node["status"] in ("fails", "stale")
    ] + report.problems
    assert all(node["used"] for node in report.nodes)
    return report.status


def ops(answer: Answer) -> list[str]:
    """The kinds of node in the program of an answer."""
    return [node["op"] for node in answer.certificate["program"]]
