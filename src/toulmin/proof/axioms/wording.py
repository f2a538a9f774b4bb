"""Axioms, what their terms are bound to, and what was computed and judged of them, in words that anybody can read."""

from __future__ import annotations

from collections.abc import Mapping

from toulmin.graph.labels import readable_relation
from toulmin.proof.answer import node_text
from toulmin.proof.axioms.formula import Formula, parse, written
from toulmin.proof.axioms.language import Clause, Program
from toulmin.proof.axioms.steps import AS_LINKED, ITS_NAME, Axiom, Binding, judgement_claim
from toulmin.proof.model import Computation, Fact, Judgement, Step
from toulmin.proof.operators.axioms import AxiomChoice, AxiomPart, AxiomVerdict

__all__ = ["binding_words", "clauses_in_words", "computed_words", "judged_words", "licence"]

_LICENCES = {
    "sufficient": "if it is met, the answer is {0}; if not, nothing follows",
    "necessary": "if it is not met, the answer is {1}; if it is, nothing follows",
    "both": "if it is met, the answer is {0}; if not, {1}",
}
_POLICIES = {
    "closed world": "what the graph does not say is taken not to be so",
    "complete relation": "the graph is taken to know all of them",
}


def licence(program: Program) -> str:
    """What follows from an axiom: ``assumed, as common sense: if it is met, the answer is yes; if not, no``."""
    return f"assumed, as common sense: {_LICENCES[program.direction].format(program.if_true, program.if_false)}"


def clauses_in_words(program: Program) -> list[str]:
    """How an axiom is met: each clause by its name, and how they combine."""
    lines = [f"{clause.name}: {clause.text}{_tested(clause, program)}" for clause in program.clauses]
    return (
        [*lines, f"it is met if {program.formula}"] if program.formula not in ("", program.clauses[0].name) else lines
    )


def _tested(clause: Clause, program: Program) -> str:
    """What is computed of a clause, beside its words, which are the model's."""
    if clause.op == "words":
        return ""
    sides = [_term_words(side, program) if side else "" for side in (clause.left, clause.right)]
    return f" [{' '.join(filter(None, (sides[0], clause.op, sides[1])))}]"


def binding_words(step: Binding, steps: Mapping[str, Step]) -> str | None:
    """What a term was taken for; None where its words are the name of that, and nothing is assumed of it."""
    plain = step.by in (ITS_NAME, AS_LINKED)
    axiom = steps.get(step.axiom)
    if not isinstance(axiom, Axiom) or (step.policy == "open world" and (plain or step.position == "classes")):
        return None
    if step.position == "classes":
        said = f"classes of “{axiom.program.clause(step.term).text}”"
    elif step.position == "words":
        option = axiom.program.is_option(step.term)
        said = f"the option is “{step.words}”" if option else f"“{step.words}” is the name of nothing in the graph"
    else:
        words = _term_words(step.term, axiom.program)
        said = f"“{words}”" if plain else f"“{words}” is taken for {_meant(step)}, by {step.by}"
    return f"{said}: {_POLICIES.get(step.policy, step.policy)}" if step.policy != "open world" else said


def _meant(step: Binding) -> str:
    if step.relation is None:
        return f"{node_text(step.entity)} ⟨{step.entity.id}⟩" if step.entity else ""
    meant = step.relation.label or readable_relation(step.relation.id)
    meant += " (walked backwards)" if step.position == "subject" else ""
    return f"{meant}, just these statements" if step.only else meant


def _term_words(name: str, program: Program) -> str:
    term = program.term(name)
    if term.kind == "option":
        return "the option"
    of = f" of {_term_words(term.of, program)}" if term.kind in ("property", "qualifier") and term.of else ""
    return f"{term.text or term.name}{of}"


def computed_words(step: Computation, steps: Mapping[str, Step]) -> str | None:
    """What an evaluation of an axiom is about; None of any other computation."""
    arguments = step.arguments
    if isinstance(arguments, AxiomPart):
        axiom, formula = steps.get(arguments.axiom), parse(arguments.part)
        said = _formula_words(formula, axiom.program) if isinstance(axiom, Axiom) else arguments.part
        return f"{_option(arguments.option)}{said}{' (as judged)' if arguments.judgements else ''}"
    if isinstance(arguments, AxiomVerdict):
        return f"{_option(arguments.option)}so the axiom answers"
    if isinstance(arguments, AxiomChoice):
        return "the options for which it answers yes"
    return None


def _formula_words(formula: Formula, program: Program) -> str:
    """One clause by its text, several by their names."""
    clause = next((clause for clause in program.clauses if formula.op == "is" and clause.name == formula.name), None)
    return f"“{clause.text}”{_tested(clause, program)}" if clause else written(formula)


def _option(option: str | None) -> str:
    return f"“{option}”: " if option is not None else ""


def judged_words(step: Judgement, steps: Mapping[str, Step]) -> str | None:
    """The clause that was judged, and by which statements; None of any other judgement."""
    options = {one.arguments.option for one in steps.values() if _judges(one, step.id)}  # type: ignore[attr-defined]
    for axiom in steps.values():
        if isinstance(axiom, Axiom):
            for clause in axiom.program.clauses:
                for option in sorted(options, key=str) or [None]:
                    if step.claim == judgement_claim(axiom.program, clause.name, option):
                        seen = [one for one in step.evidence if isinstance(steps.get(one), Fact)]
                        return f"{_option(option)}“{clause.text}”, from {', '.join(seen)}"
    return None


def _judges(step: Step, judgement: str) -> bool:
    arguments = step.arguments if isinstance(step, Computation) else None
    return isinstance(arguments, AxiomPart) and judgement in arguments.judgements
