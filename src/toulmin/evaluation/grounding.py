"""Whether an answer is grounded: no premise of it is a fact about the world that is no statement of the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toulmin.errors import InputError
from toulmin.graph.labels import normalise
from toulmin.graph.types import Entity
from toulmin.program.answer import Answer
from toulmin.proof.axioms.steps import Axiom, Binding, axiom_of
from toulmin.proof.checker import CheckReport, StepReport
from toulmin.proof.model import Computation, Fact, Judgement, Link, Step
from toulmin.proof.operators.axioms import AxiomPart
from toulmin.proof.reading import reading

__all__ = ["is_grounded"]

_LOOKED_UP = ("fact", "query", "absence", "computation")  # kinds of step that say what the graph says


def is_grounded(answer: Answer, report: CheckReport) -> bool:
    """Whether an answer (not an abstention) is grounded, by its proof and the check of it.

    It is iff

    - nothing fails, is stale or is unverifiable, and the answer rests on a look-up in the graph;
    - what is assumed is an axiom or an option of the caller: that the graph, or a relation, is complete is a premise
      that the graph does not state;
    - what is judged is how words are to be read (links, bindings, the reading of the question), or is judged by steps
      that hold a statement of the graph or an option of the caller: what a model says from memory is neither;
    - a statement that a clause of an axiom is judged by speaks of something that the question, the axiom or the option
      names, or is joined to it by statements that the answer rests on: else something that is not stated is between.
    """
    if answer.abstained or report.exit_code or report.status == "unverifiable":
        return False
    steps = answer.proof.by_id()
    used = [found for found in report.steps if found.used]
    if not any(found.kind in _LOOKED_UP for found in used):
        return False
    if not all(_grounded(found, answer.question, steps) for found in used):
        return False
    return _joined(answer.question, [steps[found.id] for found in used], steps)


def _joined(question: str, used: Sequence[Step], steps: Mapping[str, Step]) -> bool:
    """Whether the statements by which clauses were judged are joined to what is named."""
    judgements = {one for step in used for one in _judgements(step)}
    facts = {step.id: step.statement for step in used if isinstance(step, Fact)}
    cited = [one for step in judgements for one in steps[step].rests_on if one in facts]
    if not cited:
        return True
    axioms = [step.program for step in used if isinstance(step, Axiom)]
    texts = [question, *(axiom.text for axiom in axioms), *(c.text for axiom in axioms for c in axiom.clauses)]
    texts += [step.words for step in used if isinstance(step, Binding) and step.words]
    texts += [option for step in used if (option := _option_of(step))]
    said = f" {normalise(' '.join(texts))} "
    linked = (step for step in steps.values() if isinstance(step, (Link, Binding)))
    known = {step.entity.id for step in linked if step.entity is not None}
    left = {
        one: {end.id: end.label for end in (fact.subject, fact.object) if isinstance(end, Entity)}
        for one, fact in facts.items()
    }
    while joined := [
        one
        for one, ends in left.items()
        if known & set(ends) or any(label and f" {normalise(label)} " in said for label in ends.values())
    ]:
        for one in joined:
            known |= set(left.pop(one))
    return not any(one in left for one in cited)


def _judgements(step: Step) -> tuple[str, ...]:
    arguments = step.arguments if isinstance(step, Computation) else None
    return arguments.judgements if isinstance(arguments, AxiomPart) else ()


def _option_of(step: Step) -> str | None:
    arguments = step.arguments if isinstance(step, Computation) else None
    return arguments.option if isinstance(arguments, AxiomPart) else None


def _grounded(found: StepReport, question: str, steps: Mapping[str, Step]) -> bool:
    step = steps[found.id]
    if found.status == "assumed":
        return found.kind == "axiom" or _is_option(step, steps)
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
