"""The operators that evaluate axioms: a part of the formula, the whole with its direction, a choice among options."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pydantic import Field

from toulmin.errors import InputError
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Literal
from toulmin.proof.axioms.evaluation import Evaluator, units
from toulmin.proof.axioms.formula import Formula, names_of, parse, value_of, written
from toulmin.proof.axioms.language import Program
from toulmin.proof.axioms.steps import Binding, axiom_of, grounds_of, judgement_claim
from toulmin.proof.model import Arguments, Computation, Fact, Judgement, Link, Output, Step
from toulmin.proof.registry import Operator

__all__ = ["AXIOM_CHOICE", "AXIOM_PART", "AXIOM_VERDICT", "AxiomChoice", "AxiomPart", "AxiomVerdict", "licensed"]

_DECISIONS = {"yes": True, "no": False, "unknown": None}


class AxiomPart(Arguments):
    """Whether a part of an axiom's formula is true.

    Args:
        axiom: its step.
        part: the part, of the formula as ``written``.
        bindings: of the terms it needs.
        judgements: of clauses that cannot be computed.
        option: the option that is tried.
    """

    axiom: str
    part: str
    bindings: tuple[str, ...] = ()
    judgements: tuple[str, ...] = ()
    option: str | None = None

    def inputs(self) -> tuple[str, ...]:
        """The axiom, the bindings and the judgements."""
        return tuple(dict.fromkeys((self.axiom, *self.bindings, *self.judgements)))


class AxiomVerdict(Arguments):
    """The answer that an axiom gives, from its parts: only what its direction licenses."""

    axiom: str
    parts: tuple[str, ...] = Field(min_length=1)
    option: str | None = None

    def inputs(self) -> tuple[str, ...]:
        """The axiom and the parts."""
        return tuple(dict.fromkeys((self.axiom, *self.parts)))


class AxiomChoice(Arguments):
    """The options for which an axiom says yes; all that were tried are named."""

    verdicts: tuple[str, ...] = Field(min_length=1)

    def inputs(self) -> tuple[str, ...]:
        """The verdict on each option."""
        return tuple(dict.fromkeys(self.verdicts))


def _judged(
    arguments: AxiomPart, program: Program, clauses: set[str], steps: Mapping[str, Step]
) -> dict[str, bool | None]:
    claims = {judgement_claim(program, clause, arguments.option): clause for clause in clauses}
    judged: dict[str, bool | None] = {}
    for one in arguments.judgements:
        step = steps.get(one)
        if not isinstance(step, Judgement) or step.claim not in claims:
            raise InputError(f"{one!r} judges no clause of {arguments.part!r}")
        if claims[step.claim] in judged:
            raise InputError(f"two judgements of the clause {claims[step.claim]!r}")
        _check_evidence(step, steps)
        judged[claims[step.claim]] = _DECISIONS[step.decision]
    return judged


def _check_evidence(step: Judgement, steps: Mapping[str, Step]) -> None:
    """Statements, and the links of those of their entities that the question names; nothing else."""
    seen = [steps.get(one) for one in step.evidence]
    facts = [one.statement for one in seen if isinstance(one, Fact)]
    if not facts:
        raise InputError(f"{step.id!r} judges a clause, but cites no statement")
    ends = {end.id for one in facts for end in (one.subject, one.object) if isinstance(end, Entity)}
    links = {one.entity.id for one in seen if isinstance(one, Link)}
    asked = {one.entity.id for one in steps.values() if isinstance(one, Link)}
    if links != ends & asked or not all(isinstance(one, (Fact, Link)) for one in seen):
        raise InputError(f"{step.id!r} must rest on statements, and on the links of what the question names in them")


def _part(arguments: AxiomPart, steps: Mapping[str, Step], graph: Graph) -> Output:
    program = axiom_of(arguments.axiom, steps).program
    formula = parse(arguments.part)
    if written(formula) != arguments.part or formula not in _nodes(program.tree):
        raise InputError(f"{arguments.part!r} is no part of the axiom's formula")
    clauses = names_of(formula)
    _check_bindings(arguments, program, program.beneath(*clauses) | clauses, steps)
    grounds = grounds_of(arguments.axiom, arguments.bindings, steps)
    computed = Evaluator(program, grounds).truth(formula)
    judged = _judged(arguments, program, clauses, steps)
    if judged and computed is not None:
        raise InputError(f"{arguments.part!r} can be computed, and is not to be judged")
    return Output(verdict=Evaluator(program, grounds, judged).truth(formula) if judged else computed)


def _check_bindings(arguments: AxiomPart, program: Program, wanted: set[str], steps: Mapping[str, Step]) -> None:
    """They bind terms of the part, of its option, and whatever of these the proof has bound."""
    bound = [step for step in map(steps.get, arguments.bindings) if isinstance(step, Binding)]
    for step in bound:
        if step.term not in wanted:
            raise InputError(f"{arguments.part!r} does not speak of {step.term!r}, which {step.id!r} binds")
        if program.is_option(step.term) and step.words != arguments.option:
            raise InputError(f"{step.id!r} is about another option than {arguments.option!r}")
    if arguments.option is None:  # of other options other terms may be bound
        every = {s.term for s in steps.values() if isinstance(s, Binding) and s.axiom == arguments.axiom} & wanted
        if left_out := sorted(every - {step.term for step in bound}):
            raise InputError(f"leaves out what {left_out[0]!r} is")


def _nodes(formula: Formula) -> list[Formula]:
    return [formula, *(node for part in formula.parts for node in _nodes(part))]


def licensed(program: Program, truth: bool | None) -> bool | None:
    """The answer (yes: True) that the direction licenses when the clauses are true, false or unknown."""
    if truth is None or program.direction == ("necessary" if truth else "sufficient"):
        return None
    return (program.if_true if truth else program.if_false) == "yes"


def _verdict(arguments: AxiomVerdict, steps: Mapping[str, Step], graph: Graph) -> Output:
    program = axiom_of(arguments.axiom, steps).program
    if arguments.option is not None and not program.tries_option:
        raise InputError("nothing in the axiom depends on the option")
    leaves: dict[Formula, bool | None] = {}
    for one in arguments.parts:
        step = steps.get(one)
        part = step.arguments if isinstance(step, Computation) else None
        if not isinstance(part, AxiomPart) or (part.axiom, part.option) != (arguments.axiom, arguments.option):
            raise InputError(f"{one!r} evaluates no part of the axiom")
        leaves[parse(part.part)] = step.yields().verdict if step and step.yields() else None  # type: ignore[union-attr]
    if list(leaves) != units(program) or len(leaves) < len(arguments.parts):
        raise InputError("its parts are not those of the axiom's formula, each once and in order")
    return Output(verdict=licensed(program, value_of(program.tree, leaves)))


def _choice(arguments: AxiomChoice, steps: Mapping[str, Step], graph: Graph) -> Output:
    chosen: list[Literal] = []
    tried: set[str | None] = set()
    for one in arguments.verdicts:
        step = steps.get(one)
        if not isinstance(step, Computation) or not isinstance(step.arguments, AxiomVerdict):
            raise InputError(f"{one!r} is no verdict of an axiom")
        option = step.arguments.option
        if option is None or option in tried:
            raise InputError(f"{one!r} is about no option, or one that was tried before")
        tried.add(option)
        if step.output.verdict:
            chosen.append(Literal(option))
    return Output(values=tuple(chosen))


def _express_part(arguments: AxiomPart, of: Callable[[str], str]) -> str:
    said = "; ".join(of(one) for one in arguments.bindings)
    judged = f"; judged by {', '.join(arguments.judgements)}" if arguments.judgements else ""
    option = f" for the option «{arguments.option}»" if arguments.option is not None else ""
    return f"whether {arguments.part}{option} where {said or 'nothing is bound'}{judged}"


AXIOM_PART = Operator(AxiomPart, _part, _express_part)
AXIOM_VERDICT = Operator(
    AxiomVerdict,
    _verdict,
    lambda one, of: (
        f"the answer by the axiom {of(one.axiom)} from {' and '.join(f'({of(part)})' for part in one.parts)}"
    ),
)
AXIOM_CHOICE = Operator(
    AxiomChoice, _choice, lambda one, of: f"which option has a yes of {' or '.join(f'({of(v)})' for v in one.verdicts)}"
)
