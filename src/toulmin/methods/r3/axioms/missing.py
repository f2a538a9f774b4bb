"""What is missing where an axiom stays unknown: named, so that it can be looked for, and told in an abstention."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from toulmin.graph.protocol import Side
from toulmin.graph.types import Entity, Node
from toulmin.methods.r3.axioms.language import Term
from toulmin.methods.r3.axioms.term_sets import TermSets
from toulmin.program.answer import node_text
from toulmin.program.reasons import Lacks, Other, Reason, Unknown, Unnamed

__all__ = ["MissingEvidence", "known_of", "missing_of"]

_SHOWN = 3  # nodes that a reason names


@dataclass(frozen=True, slots=True)
class MissingEvidence:
    """What a clause lacks.

    Attributes:
        why: in words.
        term: the first of its terms of which nothing is known; None: its values leave it open, or it is to be judged.
        entities: of which the graph would have to say it.
        place: the node of the clause.
        because: why, where that can be looked up; else it stands in ``why`` alone.
    """

    clause: str
    text: str
    why: str
    place: int
    term: str | None = None
    entities: tuple[Entity, ...] = ()
    because: tuple[Reason, ...] | None = None

    def reasons(self, why: str | None = None) -> tuple[Reason, ...]:
        """That the clause is unknown, and why; in other words where some are given."""
        because = (
            self.because if self.because is not None and why in (None, self.why) else (Other(says=why or self.why),)
        )
        return (Unknown(of=self.place), *because)


def missing_of(sets: TermSets, name: str, place: int, *, computed: bool) -> MissingEvidence:
    """What one clause lacks.

    Args:
        place: its node.
        computed: whether that is a program of its own, which shows what is known.
    """
    program, clause = sets.program, sets.program.clause(name)
    terms = program.terms_beneath(name)
    for term in terms:
        of = sets.values(str(term.of)) if term.kind in ("property", "qualifier") else ()
        if of and term.kind == "qualifier" and not sets.values(term.name):  # its statement lacks it, not the value
            return MissingEvidence(name, clause.text, _unqualified(sets, term), place, term.name)
        if of and not sets.values(term.name):
            entities = tuple(subject for subject in of if isinstance(subject, Entity))
            because = _lacks(sets, term, entities)
            return MissingEvidence(name, clause.text, _unsaid(term, of), place, term.name, entities, because)
    for term in terms:
        if term.kind == "entity" and not isinstance(sets.meanings.named.get(term.name), int):
            why = f"nothing in the graph is called {term.text!r}"
            return MissingEvidence(name, clause.text, why, place, term.name, (), _unnamed(sets, term))
    if clause.op == "words":
        return MissingEvidence(name, clause.text, "nothing was found to judge it by", place)
    known = known_of(sets, name)
    why = f"what is known leaves it open ({known})" if known else "nothing is known of what it compares"
    return MissingEvidence(name, clause.text, why, place, because=() if computed else None)


def _lacks(sets: TermSets, term: Term, entities: Sequence[Entity]) -> tuple[Reason, ...] | None:
    """That there are no such statements, of each entity; None where that is not what is missing."""
    extents = sets.meanings.extents.get(term.name, ()) if term.to is None else ()
    reasons: list[Reason] = []
    for extent in extents:
        side: Side = "outgoing" if extent.direction == "forward" else "incoming"
        ids = [entity.id for entity in entities[:_SHOWN]]
        statements = sets.builder.graph.statements(ids, side=side, relations=extent.relations, limit=1)
        if extent.ends is not None or any(statements):
            return None
        reasons += [
            Lacks(entity=entity_id, relation=relation, direction=extent.direction)
            for entity_id in ids
            for relation in extent.relations
        ]
    return tuple(reasons) or None


def _unnamed(sets: TermSets, term: Term) -> tuple[Reason, ...] | None:
    """That nothing has these words of the question as its name; None where the question does not say them."""
    words, builder = (term.text or "").strip(), sets.builder
    match = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", builder.question, re.IGNORECASE) if words else None
    if match is None or builder.graph.lookup([match[0]])[0] or builder.is_named(match[0]):  # relations have names too
        return None
    return (Unnamed(words=match.span()),)


def _unsaid(term: Term, of: Sequence[Node]) -> str:
    shown = ", ".join(node_text(subject) for subject in of[:_SHOWN])
    more = f" and {len(of) - _SHOWN} more" if len(of) > _SHOWN else ""
    return f"no statement says {term.text!r} of {shown}{more}"


def _unqualified(sets: TermSets, term: Term) -> str:
    of = sets.program.term(str(term.of))
    shown = ", ".join(node_text(node) for node in sets.values(str(of.of))[:_SHOWN])
    return f"no statement of {of.text!r} of {shown} has a qualifier {term.text!r}"


def known_of(sets: TermSets, name: str) -> str:
    """What is known of the properties and qualifiers of a clause, in words."""
    return "; ".join(
        f"{term.text!r} is {', '.join(node_text(value) for value in values[:_SHOWN])}"
        for term in sets.program.terms_beneath(name)
        if term.kind in ("property", "qualifier") and (values := sets.values(term.name))
    )
