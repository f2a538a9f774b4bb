"""Whether an answer passes as grounded: no premise of it is a fact about the world that the graph does not state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from toulmin.graph.labels import normalise
from toulmin.graph.types import Entity
from toulmin.kernel import Report
from toulmin.kernel.format import ALIAS, LABEL
from toulmin.program.answer import STATED, Answer
from toulmin.program.json_forms import statement_of

__all__ = ["passes_grounded"]

Node = Mapping[str, Any]


def passes_grounded(answer: Answer, report: Report) -> bool:
    """Whether an answer (not an abstention) passes its check and is grounded, as grounded accuracy counts.

    ``Answer.grounded`` asks something else: it reads a certificate that nobody checked, takes documents for grounds as
    well, lets premises be assumed, and heeds what a method marks as its model's word. This here is so iff

    - nothing fails, is stale, unverifiable or assumed, and the answer rests on a look-up in the graph, other than of
      whom a name belongs to: that the graph, or a relation, is complete is a premise that the graph does not state;
    - what is judged is how words are to be read (entities, rules, the reading of the question), or is judged by nodes
      that look something up: what a model says from memory is neither, nor is what most outputs of a model say;
    - a statement that a clause of an axiom is judged by speaks of something that the question, the axiom or the option
      names, or is joined to it by statements that the answer rests on: else something that is not stated is between.
    """
    if answer.abstained or report.exit_code or report.status in ("unverifiable", "assumed"):
        return False
    program: Sequence[Node] = answer.certificate["program"]
    used = [program[node["place"]] for node in report.nodes if node["used"]]
    if not any(map(_is_stated, used)) or any(node["op"] == "vote" for node in used):
        return False
    judged = [node for node in used if node["op"] == "judged" and node["decision"] != "unknown"]
    if not all(any(_is_stated(program[place]) for place in node["seen"]) for node in judged):
        return False
    return _joined(answer, used, judged)


def _is_stated(node: Node) -> bool:
    return node["op"] in STATED and not {LABEL, ALIAS}.issuperset(node.get("relations", ("",)))


def _joined(answer: Answer, used: Sequence[Node], judged: Sequence[Node]) -> bool:
    """Whether the statements by which clauses were judged are joined to what is named."""
    program: Sequence[Node] = answer.certificate["program"]
    labels: Mapping[str, str] = (answer.certificate.get("trace") or {}).get("labels", {})
    cited = {place for node in judged for place in node["seen"] if program[place]["op"] == "statement"}
    places = cited | {place for place, node in enumerate(program) if node["op"] == "statement" and node in used}
    said = f" {normalise(' '.join(_texts(answer.question, used)))} "
    known = {node["id"] for node in program if node["op"] == "entity"}
    left = {place: _ends(program[place], labels) for place in places}
    while joined := [
        place
        for place, ends in left.items()
        if known & set(ends) or any(label and f" {normalise(label)} " in said for label in ends.values())
    ]:
        for place in joined:
            known |= set(left.pop(place))
    return not any(place in left for place in cited)


def _texts(question: str, used: Sequence[Node]) -> Iterable[str]:
    yield question
    for node in used:
        if node["op"] in ("judged", "rule"):
            yield node["says"]
        elif node["op"] == "literal":
            yield node["value"]["value"]
        elif node["op"] == "choice":
            yield from (part["option"]["value"] for part in node["options"])


def _ends(node: Node, labels: Mapping[str, str]) -> dict[str, str]:
    statement = statement_of(node["statement"])
    return {
        end.id: labels.get(end.id, end.id) for end in (statement.subject, statement.object) if isinstance(end, Entity)
    }
