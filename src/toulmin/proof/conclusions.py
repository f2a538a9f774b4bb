"""The checks of computations, of judgements, and of the conclusion that ties them to the answer."""

from __future__ import annotations

from collections.abc import Mapping

from toulmin.errors import InputError
from toulmin.graph.types import node_key
from toulmin.proof.context import Context, Finding
from toulmin.proof.model import Computation, Conclusion, Judgement, Link, Output, Path, Step
from toulmin.proof.operators.chosen import Among, EntityNamed, Exists
from toulmin.proof.operators.nodes import machine_ids
from toulmin.proof.operators.sets import Count, Sets
from toulmin.proof.operators.values import Compare, Convert, Distance, Extreme
from toulmin.proof.order import check_acyclic
from toulmin.proof.reading import name, reading
from toulmin.proof.registry import OPERATORS, Kind
from toulmin.proof.showing import SHOWN, to_show
from toulmin.proof.texts.sentences import check_text_conclusion

__all__ = ["COMPUTATION", "CONCLUSION", "JUDGEMENT"]


def _keys(output: Output) -> tuple[object, ...]:
    return (*map(node_key, output.values), output.verdict, output.at_least)


def _check_computation(step: Computation, context: Context) -> Finding:
    if idle := context.unused(step, step.arguments.inputs()):
        return idle
    operator = OPERATORS.get(step.operator)
    try:
        output = operator.recompute(step.arguments, context.steps, context.graph)
    except InputError as error:
        return Finding("fails", str(error))
    if _keys(output) != _keys(step.output):
        return context.missing(_difference(step.output, output))
    if assumption := operator.assumes(step.arguments):
        return Finding("assumed", f"recomputed, and assumes that {assumption}")
    return Finding(
        "recomputed",
        f"{step.operator} gives the same {len(output.values)} value{'s' if len(output.values) > 1 else ''}"
        if output.values
        else f"{step.operator} gives the same",
    )


def _difference(recorded: Output, computed: Output) -> str:
    there, here = ({node_key(node) for node in output.values} for output in (recorded, computed))
    if there - here or here - there:
        return f"{len(there - here)} of the recorded values do not follow, {len(here - there)} that follow are missing"
    if recorded.verdict != computed.verdict:
        return f"the verdict that follows is {computed.verdict}, not {recorded.verdict}"
    return "the recorded output is not in the order, or not the bound, that follows"


def _check_judgement(step: Judgement, context: Context) -> Finding:
    if step.rests_on != step.evidence:
        return Finding("fails", "rests on other steps than it names as evidence")
    return Finding("judged", f"{step.by} says {step.decision} ({step.score:.2f})")


def _check_conclusion(step: Conclusion, context: Context) -> Finding:
    answer = context.answer
    for field, said, concluded in (
        ("question", answer.question, step.question),
        ("kind", answer.kind, step.answer_kind),
        ("values", answer.values, step.values),
        ("verdict", answer.verdict, step.verdict),
        ("abstained", answer.abstained, step.abstained),
        ("reason", answer.reason, step.reason),
        ("confidence", answer.confidence, step.confidence),
    ):
        if said != concluded:
            return Finding("fails", f"the answer's {field} is not what is concluded")
    if step.abstained:
        return _check_abstention(step, context)
    if step.answer_kind == "text":
        return check_text_conclusion(step, context)
    if step.reason is not None:
        return Finding("fails", "gives the reason of an abstention, but does not abstain")
    if step.of is None or step.of not in step.rests_on:
        return Finding("fails", "names no step, among those it rests on, that yields the answer")
    output = context.steps[step.of].yields() or Output()
    if not _answers(output):
        return Finding("fails", f"{step.of} yields no answer, so it should abstain")
    if _only_named(step.of, context.steps):
        return Finding("fails", f"{step.of} is what the question names, not an answer to it")
    if (step.values, step.verdict, step.at_least) != (output.values, output.verdict, output.at_least):
        return Finding("fails", f"the answer is not what {step.of} yields")
    if step.answer_kind != ("values" if output.verdict is None else "verdict"):
        return Finding("fails", f"{step.of} does not yield an answer of kind {step.answer_kind!r}")
    if nameless := machine_ids(step.values, context.graph):
        return Finding("fails", f"{min(nameless)!r} has only a machine id for a name, and cannot be an answer")
    return _check_premises(step, step.of, context)


def _check_abstention(step: Conclusion, context: Context) -> Finding:
    if step.of is not None or step.values or step.verdict is not None or step.at_least:
        return Finding("fails", "abstains, and yet concludes something")
    if not (step.reason or "").strip():
        return Finding("fails", "abstains without a reason")
    premises = context.premises(step)
    judged = [one for one in premises if isinstance(one, Judgement)]
    tried = [one for one in premises if one.yields() is not None and not isinstance(one, Link)]
    for one in tried:
        verdict = _reading_of(one.id, judged, context)
        if isinstance(verdict, Finding):
            return verdict
        if verdict.decision == "yes" and _answers(one.yields()):
            return Finding("fails", f"abstains, though by {verdict.id} the question asks for what {one.id} yields")
    needed = [one.id for one in premises if isinstance(one, Link) or one in tried]
    needed.extend(one.id for one in judged if set(one.evidence) & {one.id for one in tried})
    if idle := context.unused(step, needed):
        return idle
    if not tried:
        return Finding("unverifiable", "abstains with nothing tried: the reason is what the method says, and no more")
    return Finding("judged", "abstains; that this is what is missing is what the method says")


#: What is computed of values alone, without a look at statements.
_OVER_VALUES = (Sets, Count, Among, Exists, EntityNamed, Compare, Extreme, Convert, Distance)


def _only_named(of: str, steps: Mapping[str, Step]) -> bool:
    """Whether what a step yields may be what the question names, with no statement to say it.

    So does a link, and what is computed of links alone; of a union any link is too much, and a difference yields of
    its first set alone.
    """
    known: dict[str, bool] = {}
    for one in check_acyclic({step.id: step.rests_on for step in steps.values()}):
        step = steps[one]
        arguments = step.arguments if isinstance(step, Computation) else None
        if isinstance(arguments, Sets) and isinstance(step, Computation) and step.operator != "intersection":
            chosen = arguments.of if step.operator == "union" else arguments.of[:1]
            known[one] = any(known[part] for part in chosen)
        elif isinstance(arguments, Extreme) and arguments.by is not None:
            known[one] = False  # chosen by what statements say
        elif isinstance(arguments, _OVER_VALUES):
            known[one] = all(known[part] for part in arguments.inputs())
        else:
            known[one] = isinstance(step, Link)
    return known[of]


def _answers(output: Output | None) -> bool:
    return output is not None and (bool(output.values) or output.verdict is not None)


def _reading_of(of: str, judged: list[Judgement], context: Context) -> Judgement | Finding:
    """The one judgement of whether the question asks for what a step yields."""
    claim = reading(context.answer.question, of, context.steps)
    about = [one for one in judged if one.claim == claim and of in one.evidence]
    return about[0] if len(about) == 1 else Finding("fails", f"rests on no judgement of {of} that {claim}")


def _check_premises(step: Conclusion, of: str, context: Context) -> Finding:
    """The conclusion rests on ``of``, on one reading of the question, and on paths to its values; on nothing else."""
    premises = context.premises(step)
    judged = _reading_of(of, [one for one in premises if isinstance(one, Judgement)], context)
    if isinstance(judged, Finding):
        return judged
    if judged.decision != "yes":
        return Finding("fails", f"{judged.id} does not say that the question asks for {of}")
    paths = [one for one in premises if isinstance(one, Path)]
    if idle := context.unused(step, (of, judged.id, *(path.id for path in paths))):
        return idle
    return _check_paths(of, paths, context) or Finding("recomputed", f"what {of} yields is the answer")


def _check_paths(of: str, paths: list[Path], context: Context) -> Finding | None:
    """Each path leads to a value by a computation that the answer follows from, and each value has its paths."""
    led: set[str] = set()  # the paths that lead to something to show
    for walked, values in to_show(of, context.steps).items():
        step = context.steps[walked]
        shows = OPERATORS.get(step.operator).shows if isinstance(step, Computation) else None
        if not isinstance(step, Computation) or shows is None:
            continue
        shown: set[str] = set()
        for path in paths:
            end = node_key(path.path.end)
            if end in values and shows(step.arguments, path, context.steps):
                shown.add(end)
                led.add(path.id)
        if hidden := [value for key, value in list(values.items())[:SHOWN] if key not in shown]:
            return Finding("fails", f"shows no path to {name(hidden[0])} by {walked}")
    if idle := [path.id for path in paths if path.id not in led]:
        return Finding("fails", f"the answer does not follow from the path {idle[0]}")
    return None


COMPUTATION = Kind(Computation, _check_computation)
JUDGEMENT = Kind(Judgement, _check_judgement)
CONCLUSION = Kind(Conclusion, _check_conclusion)
