"""Axioms in words that anybody can read."""

from __future__ import annotations

from toulmin.methods.r3.axioms.language import Clause, Program

__all__ = ["clauses_in_words", "licence"]

_LICENCES = {
    "sufficient": "if it is met, the answer is {0}; if not, nothing follows",
    "necessary": "if it is not met, the answer is {1}; if it is, nothing follows",
    "both": "if it is met, the answer is {0}; if not, {1}",
}


def licence(program: Program) -> str:
    """What follows from an axiom: ``if it is met, the answer is yes; if not, no``."""
    return _LICENCES[program.direction].format(program.if_true, program.if_false)


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


def _term_words(name: str, program: Program) -> str:
    term = program.term(name)
    if term.kind == "option":
        return "the option"
    of = f" of {_term_words(term.of, program)}" if term.kind in ("property", "qualifier") and term.of else ""
    return f"{term.text or term.name}{of}"
