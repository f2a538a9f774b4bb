"""What is missing where an axiom stays unknown: named, so that it can be looked for, and told in an abstention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toulmin.graph.types import Entity, Literal, Node
from toulmin.proof.answer import node_text
from toulmin.proof.axioms.comparing import Unnamed
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
    beneath = program.beneath(name)
    for term in program.terms:
        if term.name not in beneath or term.kind not in ("entity", "property", "qualifier"):
            continue
        if term.kind == "entity" and term.name not in grounds.named:
            return Missing(name, clause.text, f"nothing in the graph is called {term.text!r}", term.name)
        of = grounds.values(program, str(term.of)) if term.of else []
        if term.kind != "entity" and of and not grounds.values(program, term.name):
            entities = tuple(one for one in of if isinstance(one, Entity))
            return Missing(name, clause.text, _unsaid(term, of), term.name, entities)
    return Missing(name, clause.text, _left_open(program, grounds, beneath))


def _unsaid(term: Term, of: list[Node]) -> str:
    shown = ", ".join(node_text(one) for one in of[:_SHOWN])
    more = f" and {len(of) - _SHOWN} more" if len(of) > _SHOWN else ""
    return f"no statement says {term.text!r} of {shown}{more}"


def _left_open(program: Program, grounds: Grounds, beneath: set[str]) -> str:
    known = [
        f"{term.text!r} is {', '.join(node_text(one) for one in values[:_SHOWN])}"
        for term in program.terms
        if term.name in beneath and term.kind in ("property", "qualifier")
        for values in [grounds.values(program, term.name)]
        if values
    ]
    named = [one for one in grounds.named.values() if isinstance(one, (Entity, Literal, Unnamed))]
    return f"what is known leaves it open ({'; '.join(known)})" if known else f"what is known of {len(named)} terms"
