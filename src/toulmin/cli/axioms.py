"""Axioms and what their terms are bound to, as a person reads them."""

from __future__ import annotations

from rich.text import Text

from toulmin.cli.wording import node_words, relation_words, shorten
from toulmin.proof.answer import Answer
from toulmin.proof.axioms.steps import Axiom, Binding
from toulmin.proof.model import Computation, Judgement
from toulmin.proof.operators.axioms import AxiomPart, AxiomVerdict

__all__ = ["axiom_lines", "computed_words", "judged_clause"]

_LICENCE = {
    "sufficient": "if so: {0}; if not, nothing follows",
    "necessary": "if not: {1}; if so, nothing follows",
    "both": "if so: {0}; if not: {1}",
}


def axiom_lines(answer: Answer) -> list[Text]:
    """Each axiom with its clauses, what it licenses, and what its terms were taken for where that is not their name."""
    lines: list[Text] = []
    for step in answer.proof.steps:
        if isinstance(step, Axiom):
            licence = _LICENCE[step.program.direction].format(step.program.if_true, step.program.if_false)
            lines.append(Text.assemble((f"[{step.id}] ", "dim"), shorten(step.program.text), (f" ({licence})", "dim")))
            lines += [Text(f"{clause.name}: {shorten(clause.text)}") for clause in step.program.clauses]
        elif isinstance(step, Binding) and step.position != "classes" and step.by != "its name":
            lines.append(_binding(step, answer))
    return lines


def _binding(step: Binding, answer: Answer) -> Text:
    axiom = answer.proof.by_id()[step.axiom]
    terms = axiom.program.terms if isinstance(axiom, Axiom) else ()
    words = next((term.text for term in terms if term.name == step.term and term.text), step.term)
    meant = node_words(step.entity) if step.entity else step.words or ""
    if step.relation is not None:
        backwards = ", backwards" if step.position == "subject" else ""
        chosen = ", just these statements" if step.only else ""
        meant = f"{relation_words(step.relation)}{backwards}{chosen}"
    return Text.assemble((f"[{step.id}] ", "dim"), f"“{shorten(words)}” is {shorten(meant)}", (f" ({step.by})", "dim"))


def computed_words(step: Computation) -> str | None:
    """What an evaluation of an axiom is about; None of any other computation."""
    if isinstance(step.arguments, AxiomPart):
        judged = ", as judged" if step.arguments.judgements else ""
        return f"{step.arguments.part}{_option(step.arguments.option)}{judged}"
    if isinstance(step.arguments, AxiomVerdict):
        return f"so the axiom answers{_option(step.arguments.option)}"
    return None


def _option(option: str | None) -> str:
    return f" for {shorten(option)!r}" if option is not None else ""


def judged_clause(step: Judgement, answer: Answer) -> str | None:
    """The words of the clause that was judged; None of any other judgement."""
    for axiom in answer.proof.steps:
        if isinstance(axiom, Axiom):
            for clause in axiom.program.clauses:
                if step.claim.startswith(f"clause {clause.name} of ") and step.claim.endswith(f"«{clause.text}»"):
                    return shorten(clause.text)
    return None
