"""Checks a stored answer against a graph, with no model: every look-up is made and every inference drawn again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from toulmin.errors import InputError
from toulmin.graph.protocol import Graph, check_opened
from toulmin.proof.answer import Answer, answer_text, shown
from toulmin.proof.context import STATUSES, Context, Finding, Status, weakest
from toulmin.proof.model import Conclusion, Frozen, Step, Verdict
from toulmin.proof.order import beneath
from toulmin.proof.registry import KINDS

__all__ = ["SECONDS", "CheckReport", "SentenceReport", "StepReport", "check"]

#: That a check may take.
SECONDS = 60.0


class StepReport(Frozen):
    """What the check found of one step.

    Args:
        used: whether the conclusion rests on it; what it does not rest on supports nothing, and says so.
    """

    id: str
    kind: str
    status: Status
    reason: str
    used: bool


class SentenceReport(Frozen):
    """What the check found of one sentence of a text.

    Args:
        verdict, reason, statements: as the answer has them.
        status: the weakest of the steps that its claims rest on, themselves included.
    """

    text: str
    verdict: Verdict | None
    status: Status
    reason: str | None
    statements: tuple[str, ...]


class CheckReport(Frozen):
    """What a check found.

    Args:
        steps: every step, in the order of the proof.
        sentences: of an answer of the kind "text", in order.
        problems: what is wrong with the answer beside its steps.
        status: of the answer: the weakest of the steps that its conclusion rests on (``STATUSES``); "fails" where there
            are problems.
        graph_changed: the graph is not the one, or no longer as, the answer was made on.
        strict: whether only what is looked up or recomputed passes.
    """

    steps: tuple[StepReport, ...]
    sentences: tuple[SentenceReport, ...] = ()
    problems: tuple[str, ...]
    status: Status
    graph_changed: bool
    strict: bool

    def __str__(self) -> str:
        """What ``print`` shows: whether it passes, by which statuses, and what is wrong."""
        found = ", ".join(f"{count:,} {status}" for status, count in self.counts.items())
        bad = [f"{s.id} ({s.kind}) {s.status}: {s.reason}" for s in self.steps if s.status in ("stale", "fails")]
        said = f"{'does not pass' if self.exit_code else 'passes'}: {found or 'no step'}"
        return "\n".join([said, *(f"  {shown(one)}" for one in (*self.problems, *bad))])

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        return [("status", self.status), ("counts", self.counts), ("exit_code", self.exit_code)]

    @property
    def counts(self) -> dict[Status, int]:
        """How many of the steps that the conclusion rests on have each status, strongest first."""
        counted = Counter(step.status for step in self.steps if step.used)
        return {status: counted[status] for status in STATUSES if counted[status]}

    @property
    def unused(self) -> tuple[str, ...]:
        """The ids of steps that the conclusion does not rest on."""
        return tuple(step.id for step in self.steps if not step.used)

    @property
    def exit_code(self) -> int:
        """1 if a step (used or not) or the answer fails or is stale; if strict, also if the answer needs a judgement or
        anything weaker. Else 0.
        """
        worst = weakest([self.status, *(step.status for step in self.steps)])
        limit: Status = "recomputed" if self.strict else "unverifiable"
        failed = STATUSES.index(worst) > STATUSES.index("unverifiable")
        return int(failed or STATUSES.index(self.status) > STATUSES.index(limit))


def check(
    answer: Answer,
    graph: Graph,
    *,
    strict: bool = False,
    passages: Callable[[str], str | None] | None = None,
    seconds: float = SECONDS,
) -> CheckReport:
    """Check an answer and its proof against a graph.

    Args:
        seconds: after which what is not yet checked is unverifiable, as a hostile file may ask for any amount of work.
        strict: what is judged, assumed or unverifiable does not pass.
        passages: the text of a document by its id, None where there is none such; without it no passage is verified.

    Raises:
        InputError: the graph is given by its name.
        GraphError: the graph cannot be asked.
    """
    check_opened(graph)
    context = Context(answer, graph, passages, seconds)
    used = answer.proof.reachable()
    found = {step.id: _check_step(step, context) for step in answer.proof.steps}
    problems = tuple(_problems(answer))
    status = weakest(found[step].status for step in used)
    return CheckReport(
        steps=tuple(
            StepReport(
                id=step.id,
                kind=step.kind,
                status=found[step.id].status,
                reason=found[step.id].reason,
                used=step.id in used,
            )
            for step in answer.proof.steps
        ),
        sentences=_sentences(answer, {step: finding.status for step, finding in found.items()}),
        problems=problems,
        status="fails" if problems else status,
        graph_changed=context.changed,
        strict=strict,
    )


def _check_step(step: Step, context: Context) -> Finding:
    if not context.left():
        return Finding("unverifiable", "the time for the check was up")
    try:
        return context.mislabelled(step) or KINDS.get(step.kind).check(step, context)
    except InputError as error:
        return Finding("fails", str(error))


def _sentences(answer: Answer, found: Mapping[str, Status]) -> tuple[SentenceReport, ...]:
    """Each sentence with its status; one that cites what is no step of the proof fails."""
    premises = {step.id: step.rests_on for step in answer.proof.steps}
    reports = []
    for one in answer.sentences:
        cited = one.citations and all(step in premises for step in one.citations)
        status = weakest(found[step] for step in beneath(one.citations, premises)) if cited else "fails"
        reports.append(
            SentenceReport(
                text=one.text, verdict=one.verdict, status=status, reason=one.reason, statements=one.statements
            )
        )
    return tuple(reports)


def _problems(answer: Answer) -> list[str]:
    """What is wrong with the fields of an answer that no step can see."""
    conclusions = sum(isinstance(step, Conclusion) for step in answer.proof.steps)
    said = answer.proof.conclusion()
    if said is None:
        return [f"the proof has {conclusions or 'no'} conclusions, not one"]
    problems = []
    text = answer_text(
        values=answer.values,
        verdict=answer.verdict,
        at_least=said.at_least,
        abstained=answer.abstained,
        reason=answer.reason,
        sentences=answer.sentences,
    )
    if answer.text != text:
        problems.append(f"the text of the answer does not say what it concludes: {text!r}")
    if answer.sentences and (answer.kind != "text" or answer.abstained):
        problems.append(f"an answer of kind {answer.kind!r} has no sentences")
    return problems
