"""The record of a question that was asked: what came of it, held against its gold and checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toulmin.errors import RefusedError
from toulmin.evaluation.datasets.types import Question
from toulmin.evaluation.grounding import passes_grounded
from toulmin.evaluation.metrics import question_metrics
from toulmin.evaluation.outcomes import QuestionOutcome, attempt, failure
from toulmin.evaluation.records import Outcome
from toulmin.kernel import Report
from toulmin.program.answer import Answer

__all__ = ["Check", "Measure", "record_of"]

Check = Callable[[Question, Answer], Report]
Measure = Callable[[Question, Answer | None], Mapping[str, float]]
_BAD = ("stale", "fails")


def record_of(asked: QuestionOutcome, check: Check | None, measure: Measure | None) -> dict[str, Any]:
    """The record of a question that was asked.

    Args:
        check: re-checks an answer or abstention, for ``grounded_accuracy``; None: the record says nothing of it.
        measure: further metrics of a question, by name; not of one for which the model or the graph was not to be had.
    """
    question, answer = asked.question, asked.answer
    outcome: Outcome = "answered"
    if answer is None:
        outcome = "timed out" if asked.late else "crashed"
    elif answer.abstained:
        outcome = "abstained"
    metrics = question_metrics(question, answer)
    checked: dict[str, Any] | None = None
    if check is not None:
        grounded = False
        if answer is not None:
            report, error = attempt(lambda: check(question, answer))
            failed = None if error is None else failure(error)
            checked = {"passed": False, "status": None, "error": failed} if report is None else _outline(report)
            grounded = report is not None and passes_grounded(answer, report)
        right = metrics.get("accuracy", metrics.get("hits_at_1"))
        if right is not None:
            metrics["grounded_accuracy"] = right * grounded
    if measure is not None and (asked.outage is None or isinstance(asked.outage, RefusedError)):
        metrics |= measure(question, answer)
    return {
        "id": question.id,
        "question": question.question,
        "file": question.file,
        "line": question.line,
        "type": question.type,
        "hops": question.hops,
        "gold": {
            "answers": question.answers,
            "verdict": question.verdict,
            "unknown": question.unknown,
            "text": question.gold_text,
            "entities": question.gold_entities,
        },
        **({"options": question.options} if question.options else {}),
        "outcome": outcome,
        "confidence": None if answer is None else answer.confidence,
        "metrics": metrics,
        "seconds": asked.seconds,
        "check": checked,
        "error": asked.error,
        **({"usage": asked.usage.model_dump(mode="json")} if asked.usage is not None else {}),
        "answer": None if answer is None else answer.certificate,
    }


def _outline(report: Report) -> dict[str, Any]:
    """What a record keeps of a check."""
    failed = [
        f"node {n['place']} ({n['op']}) {n['status']}: {n['reason']}" for n in report.nodes if n["status"] in _BAD
    ]
    return {"passed": report.exit_code == 0, "status": report.status, "problems": [*report.problems, *failed]}
