"""The steps of a proof that an axiom brings: the axiom, and what its terms are bound to."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Literal as Choice

from pydantic import StrictBool, StrictFloat

from toulmin.errors import InputError
from toulmin.graph.types import Entity, Literal, Relation
from toulmin.proof.axioms.comparing import Unnamed
from toulmin.proof.axioms.evaluation import Extent, Grounds
from toulmin.proof.axioms.language import Program
from toulmin.proof.model import Fact, Policy, Step
from toulmin.proof.names import OneLine
from toulmin.proof.reading import name

__all__ = ["AS_LINKED", "ITS_NAME", "Axiom", "Binding", "Position", "axiom_of", "grounds_of", "judgement_claim"]

ITS_NAME, AS_LINKED = "its name", "as linked"

Position = Choice["entity", "words", "object", "subject", "qualifier", "classes"]


class Axiom(Step):
    """A commonsense rule: assumed, and shown."""

    kind: Choice["axiom"] = "axiom"
    program: Program

    def express(self, of: Callable[[str], str]) -> str:
        """The whole program."""
        return self.program.model_dump_json()


class Binding(Step):
    """What a term of an axiom is in the graph.

    Rests on the axiom, on the bindings of the terms it builds on, and on its statements.

    Args:
        axiom: the step of the axiom.
        words: of an option its text, also where it is an entity.
        term: its term; of position "classes" its clause.
        position: "entity": the term is ``entity``. "words": it is ``words``, an option, or what no entity is called.
            "object", "subject": it is that end of ``statements``, all over ``relation``. "qualifier": it is the
            qualifier ``relation`` of the statements of its property. "classes": ``statements`` lead up to classes.
        only: just these statements are meant; else they are all that the graph has over the relation.
        policy: whether there may be others that the graph does not know; of words that no entity is called, whether one
            may be it under another name.
        by: who says that the words mean this: ``ITS_NAME`` where they are its name, ``AS_LINKED`` where the question's
            words were taken for it; ``score`` on that judge's scale.
    """

    kind: Choice["binding"] = "binding"
    axiom: str
    term: str
    position: Position
    entity: Entity | None = None
    words: str | None = None
    relation: Relation | None = None
    statements: tuple[str, ...] = ()
    only: StrictBool = False
    policy: Policy = "open world"
    by: OneLine
    score: StrictFloat

    def express(self, of: Callable[[str], str]) -> str:
        """What the term is, and by which statements."""
        meant = name(self.entity) if self.entity else json.dumps(self.words, ensure_ascii=False) if self.words else ""
        over = name(self.relation) if self.relation else ""
        said = " ".join(
            part for part in (meant, over, *self.statements, "only" if self.only else "", self.policy) if part
        )
        return f"{self.term} is {self.position} {said}"


def axiom_of(step_id: str, steps: Mapping[str, Step]) -> Axiom:
    """The axiom of a step.

    Raises:
        InputError: it is none.
    """
    step = steps.get(step_id)
    if not isinstance(step, Axiom):
        raise InputError(f"{step_id!r} is no axiom")
    return step


def grounds_of(axiom: str, bindings: Sequence[str], steps: Mapping[str, Step]) -> Grounds:
    """What bindings of an axiom say, in one.

    Raises:
        InputError: one of them is no binding of this axiom, rests on no fact of a statement it names, or contradicts
            another.
    """
    grounds = Grounds()
    for one in bindings:
        step = steps.get(one)
        if not isinstance(step, Binding) or step.axiom != axiom:
            raise InputError(f"{one!r} binds no term of the axiom {axiom!r}")
        _take(step, steps, grounds)
    return grounds


def _take(step: Binding, steps: Mapping[str, Step], grounds: Grounds) -> None:
    facts = {fact.statement_id: fact.statement for fact in map(steps.get, step.rests_on) if isinstance(fact, Fact)}
    if lacking := [cited for cited in step.statements if cited not in facts]:
        raise InputError(f"{step.id!r} rests on no fact {lacking[0]}")
    statements = tuple(facts[cited] for cited in step.statements)
    complete = step.policy != "open world" and not step.only
    known = step.term in grounds.named or step.term in grounds.qualifiers or step.term in grounds.classes
    if known:
        raise InputError(f"{step.term!r} is bound twice")
    if step.position == "entity" and step.entity is not None:
        grounds.named[step.term] = step.entity
    elif step.position == "words" and step.words:
        option = axiom_of(step.axiom, steps).program.term(step.term).kind == "option"
        grounds.named[step.term] = Literal(step.words) if option else Unnamed(step.words, complete)
    elif step.position == "classes":
        grounds.classes[step.term] = (list(statements), complete)
    elif step.position == "qualifier" and step.relation is not None:
        grounds.qualifiers[step.term] = ({step.relation.id}, complete)
    elif step.position in ("object", "subject") and step.relation is not None:
        extent = Extent(step.relation.id, step.position == "object", statements, complete)
        grounds.extents.setdefault(step.term, []).append(extent)
    else:
        raise InputError(f"{step.id!r} does not say what {step.term!r} is")


def judgement_claim(program: Program, clause: str, option: str | None = None) -> str:
    """What a judgement of a clause claims, word for word; re-derived by the check."""
    of = f" of the option «{option}»" if option is not None else ""
    return f"clause {clause}{of} of «{program.text}» is true: «{program.clause(clause).text}»"
