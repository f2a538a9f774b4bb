"""What is missing where an axiom stays unknown: named, so that it can be looked for, and told in an abstention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toulmin.graph.types import Entity, Node
from toulmin.proof.answer import node_text
from toulmin.proof.axioms.evaluation import Grounds
from toulmin.proof.axioms.language import Program, Term

__all__ = ["Missing", "missing_of"]

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Missing:
    """What a clause lacks.

    Attributes:
        why: in words.
        term: the first of its terms of which nothing is known; None: its values leave it open, or it is to be judged.
        entities: of which the graph would have to say it.
    """

    clause: str
    text: str
    why: str
    term: str | None = None
    entities: tuple[Entity, ...] = ()


def missing_of(program: Program, grounds: Grounds, clauses: Sequence[str]) -> tuple[Missing, ...]:
    """What each of some clauses lacks."""
    return tuple(_missing(program, grounds, name) for name in clauses)


def _missing(program: Program, grounds: Grounds, name: str) -> Missing:
    clause = program.clause(name)
    if clause.op == "words":
        return Missing(name, clause.text, "nothing was found to judge it by")
    terms = [program.term(one) for one in sorted(program.beneath(name), key=[t.name for t in program.terms].index)]
    for term in terms:
        of = grounds.values(program, str(term.of)) if term.kind in ("property", "qualifier") else []
        if of and not grounds.values(program, term.name):
            entities = tuple(one for one in of if isinstance(one, Entity))
            return Missing(name, clause.text, _unsaid(term, of), term.name, entities)
    for term in terms:
        if term.kind == "entity" and not isinstance(grounds.named.get(term.name), Entity):
            return Missing(name, clause.text, f"nothing in the graph is called {term.text!r}", term.name)
    return Missing(name, clause.text, _left_open(grounds, program, terms))


def _unsaid(term: Term, of: list[Node]) -> str:
    shown = ", ".join(node_text(one) for one in of[:_SHOWN])
    more = f" and {len(of) - _SHOWN} more" if len(of) > _SHOWN else ""
    return f"no statement says {term.text!r} of {shown}{more}"


def _left_open(grounds: Grounds, program: Program, terms: Sequence[Term]) -> str:
    known = [
        f"{term.text!r} is {', '.join(node_text(one) for one in values[:_SHOWN])}"
        for term in terms
        if term.kind in ("property", "qualifier") and (values := grounds.values(program, term.name))
    ]
    return f"what is known leaves it open ({'; '.join(known)})" if known else "nothing is known of what it compares"
