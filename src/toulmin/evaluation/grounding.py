"""Whether an answer is grounded: no premise of it is a fact about the world that is no statement of the graph."""

from __future__ import annotations

from collections.abc import Mapping

from toulmin.errors import InputError
from toulmin.proof.answer import Answer
from toulmin.proof.axioms.steps import Binding, axiom_of
from toulmin.proof.checker import CheckReport, StepReport
from toulmin.proof.model import Judgement, Step
from toulmin.proof.reading import reading

__all__ = ["is_grounded"]

_LOOKED_UP = ("fact", "query", "absence", "computation")  # kinds of step that say what the graph says


def is_grounded(answer: Answer, report: CheckReport) -> bool:
    """Whether an answer (not an abstention) is grounded, by its proof and the check of it.

    It is iff

    - nothing fails, is stale or is unverifiable, and the answer rests on a look-up in the graph;
    - what is assumed is an axiom, an option of the caller, or that words name no entity of the graph: an assumption
      that the graph, or a relation, is complete is a premise that the graph does not state;
    - what is judged is how words are to be read (links, bindings, the reading of the question), or is judged by steps
      that hold a statement of the graph or an option of the caller: what a model says from memory is neither.
    """
    if answer.abstained or report.exit_code or report.status == "unverifiable":
        return False
    steps = answer.proof.by_id()
    used = [found for found in report.steps if found.used]
    if not any(found.kind in _LOOKED_UP for found in used):
        return False
    return all(_grounded(found, answer.question, steps) for found in used)


def _grounded(found: StepReport, question: str, steps: Mapping[str, Step]) -> bool:
    step = steps[found.id]
    if found.status == "assumed":
        return found.kind == "axiom" or (isinstance(step, Binding) and step.position == "words")
    if isinstance(step, Judgement):
        return _reads(step, question, steps) or _sees(step, steps)
    return True


def _reads(step: Judgement, question: str, steps: Mapping[str, Step]) -> bool:
    """Whether it is judged that the question asks for one of the steps, and nothing of the world."""
    for of in step.evidence:
        try:
            if step.claim == reading(question, of, steps):
                return True
        except InputError:  # a step that no question can ask for
            continue
    return False


def _sees(step: Judgement, steps: Mapping[str, Step]) -> bool:
    """Whether what was judged was judged by a look-up in the graph, or by an option of the caller."""
    seen, waiting = set[str](), list(step.rests_on)
    while waiting:
        one = steps[waiting.pop()]
        if one.kind in _LOOKED_UP or _is_option(one, steps):
            return True
        waiting += [premise for premise in one.rests_on if premise not in seen]
        seen.update(one.rests_on)
    return False


def _is_option(step: Step, steps: Mapping[str, Step]) -> bool:
    if not isinstance(step, Binding) or step.position != "words":
        return False
    return axiom_of(step.axiom, steps).program.term(step.term).kind == "option"
