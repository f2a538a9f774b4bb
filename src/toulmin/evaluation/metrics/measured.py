"""What a data set names of the way to an answer, measured on the graph on which the question was asked."""

from __future__ import annotations

from collections.abc import Callable

from toulmin.evaluation.datasets.types import Question
from toulmin.evaluation.linking import known_as
from toulmin.evaluation.metrics.grounds import citation_scores, faithfulness, statement_scores
from toulmin.evaluation.metrics.paths import LINKING, coverage_ratio, followed, linking_success, mean_depth
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Statement
from toulmin.program.answer import STATED, Answer
from toulmin.retrieval.retriever import Retriever

__all__ = ["measured"]

_EVERY = 1_000_000  # statements that a report lists
_CITED = 12  # digits of a statement's id in a report


def measured(
    question: Question, answer: Answer | None, graph: Graph, retriever: Callable[[], Retriever]
) -> dict[str, float]:
    """The metrics of linking, paths and evidence that the question and its answer have; see their declarations.

    Args:
        retriever: of the graph; opened only where the question names its entities.
    """
    said = answer if answer is not None and not answer.abstained else None
    found = _linking(question, graph, retriever)
    if (depth := mean_depth(question.gold_paths)) is not None:
        found["gold_depth"] = depth
    ways = followed(said, graph) if said else []
    if question.gold_paths:
        found["coverage_ratio"] = coverage_ratio(set(ways), question.gold_paths)
    if (depth := mean_depth(ways)) is not None:
        found["depth"] = depth
    found |= _statements(question, said, graph, measure_steps=bool(ways))
    has_gold = bool(question.answers) or question.verdict is not None or question.unknown
    if said.kind == "text" if said else not has_gold:
        found |= citation_scores(said)
    if said and (faithful := faithfulness(said)) is not None:
        found["faithfulness"] = faithful
    return found


def _statements(question: Question, answer: Answer | None, graph: Graph, *, measure_steps: bool) -> dict[str, float]:
    """What takes a report of the kernel: the validity of steps, and the statements that the answer rests on."""
    gold = {_bare(statement)[:_CITED] for statement in question.gold_statements}
    if answer is None or not (gold or measure_steps):
        return statement_scores((), gold) if gold else {}
    used = [node for node in answer.check(graph, shown=_EVERY).nodes if node["used"]]
    found = {}
    if steps := [node for node in used if node["op"] == "follow"]:
        found["validity_ratio"] = sum(bool(node["statements"]) for node in steps) / len(steps)
    if gold:
        texts = [text for node in used if node["op"] in STATED for text in node["statements"]]
        found |= statement_scores({text.rpartition("[")[2][:-1] for text in texts}, gold)
    return found


def _linking(question: Question, graph: Graph, retriever: Callable[[], Retriever]) -> dict[str, float]:
    known = known_as(question.gold_entities, graph) if question.gold_entities else {}
    if not known or not all(known.values()):
        return {}
    mentions = [
        [candidate.entity.id for candidate in mention.candidates]
        for mention in retriever().linker.link(question.question)
    ]
    return {f"linking_top{k}": linking_success(mentions, list(known.values()), k) for k in LINKING}


def _bare(statement: Statement) -> str:
    """The id of a statement whatever the graph that holds it."""
    return statement.id.rpartition(":")[2]
