"""What an answer rests on: whether it is grounded, which statements it cites, and whether they bear it out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from toulmin.graph.labels import normalise
from toulmin.graph.types import Entity
from toulmin.kernel import Report
from toulmin.kernel.format import ALIAS, LABEL
from toulmin.program.answer import STATED, Answer
from toulmin.program.json_forms import statement_of
from toulmin.program.nodes import Vote
from toulmin.program.weighing import counted

__all__ = ["citation_scores", "faithfulness", "passes_grounded", "statement_scores"]


def statement_scores(cited: Collection[str], gold: Collection[str]) -> dict[str, float]:
    """``gold_statement_used``, ``statement_precision`` and ``statement_recall`` of two sets of statement ids."""
    common = len(set(cited) & set(gold))
    return {
        "gold_statement_used": float(common > 0),
        "statement_precision": common / len(set(cited)) if cited else 0.0,
        "statement_recall": common / len(set(gold)) if gold else 0.0,
    }


def citation_scores(answer: Answer | None) -> dict[str, float]:
    """``citation_precision`` and ``citation_recall`` of the sentences of a text, by their verdicts.

    A text that answers nobody's question (``check-text``) has the verdicts of the graph: what is not checked is taken
    for a sentence without a citation.
    """
    verdicts = [sentence.verdict for sentence in answer.sentences] if answer is not None else []
    supported = verdicts.count("supported")
    cited = sum(verdict not in ("uncited", "not checked") for verdict in verdicts)
    return {
        "citation_precision": supported / cited if cited else 0.0,
        "citation_recall": supported / len(verdicts) if verdicts else 0.0,
    }


def faithfulness(answer: Answer) -> float | None:
    """The mean entailment of the facts of an explanation; None of an answer without a vote whose outputs were weighed.

    An answer of several votes (none has so far) is judged by the last.
    """
    votes = [Vote.model_validate(node) for node in answer.certificate["program"] if node["op"] == "vote"]
    if not votes or not any(chain.sentences for chain in votes[-1].chains):
        return None
    won = counted(votes[-1])
    scores = [sentence.entailment for sentence in votes[-1].chains[won.best].sentences] if won else []
    return sum(scores) / len(scores) if scores else 0.0


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
    question_text = f" {normalise(' '.join(_texts(answer.question, used)))} "
    joined_ids = {node["id"] for node in program if node["op"] == "entity"}
    unjoined = {place: _ends(program[place], labels) for place in places}
    while joined := [
        place
        for place, ends in unjoined.items()
        if joined_ids & set(ends) or any(label and f" {normalise(label)} " in question_text for label in ends.values())
    ]:
        for place in joined:
            joined_ids |= set(unjoined.pop(place))
    return not any(place in unjoined for place in cited)


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
