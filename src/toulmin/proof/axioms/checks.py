"""The checks of axioms and of bindings: subject, direction and value by code; that words mean a relation is judged."""

from __future__ import annotations

from collections.abc import Iterable

from toulmin.errors import InputError
from toulmin.graph.labels import normalise, readable_relation
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Node, Relation, Statement, node_key
from toulmin.graph.values import compare
from toulmin.proof.axioms.classes import above, class_relation, deciding
from toulmin.proof.axioms.comparing import member
from toulmin.proof.axioms.evaluation import Grounds
from toulmin.proof.axioms.language import Clause, Program, Term
from toulmin.proof.axioms.steps import AS_LINKED, ITS_NAME, Axiom, Binding, axiom_of, grounds_of
from toulmin.proof.context import Context, Finding
from toulmin.proof.model import Absence, Fact, Link
from toulmin.proof.reading import name
from toulmin.proof.registry import Kind

__all__ = ["AXIOM", "BINDING", "extent", "means"]


def _check_axiom(step: Axiom, context: Context) -> Finding:
    return context.unused(step, ()) or Finding("assumed", f"{step.program.direction}: {step.program.text}")


def _check_binding(step: Binding, context: Context) -> Finding:
    program = axiom_of(step.axiom, context.steps).program
    if step.position == "classes":
        clause = next((one for one in program.clauses if one.name == step.term and one.op == "member_of"), None)
        return _check_classes(step, clause, program, context) if clause else _no_term(step)
    term = next((one for one in program.terms if one.name == step.term), None)
    if term is None:
        return _no_term(step)
    if step.position in ("entity", "words"):
        return _check_named(step, term, context)
    if step.relation is None or step.entity is not None or step.words is not None:
        return Finding("fails", "binds to a relation, and must name one and nothing else")
    if term.kind == "qualifier" and step.position == "qualifier":
        return _check_qualifier(step, term, program, context)
    if term.kind == "property" and step.position in ("object", "subject"):
        return _check_property(step, term, program, context)
    return _no_term(step)


def _no_term(step: Binding) -> Finding:
    return Finding("fails", f"the axiom has no {step.term!r} that could be bound to its {step.position}")


def _check_named(step: Binding, term: Term, context: Context) -> Finding:
    if term.kind not in ("entity", "option") or step.relation is not None or step.statements or step.only:
        return _no_term(step)
    if step.position == "words":
        return _check_words(step, term, context)
    if step.entity is None or (step.words is None) != (term.kind == "entity") or step.policy != "open world":
        return Finding("fails", "binds to an entity, and must have one, and words only if it is an option")
    links = [one for one in context.premises(step) if isinstance(one, Link) and one.entity == step.entity]
    facts = [one for one in context.premises(step) if isinstance(one, Fact) and step.entity in _ends(one.statement)]
    if idle := context.unused(step, (step.axiom, *(link.id for link in links), *(fact.id for fact in facts))):
        return idle
    if not links and _links(step.entity, context):
        return Finding("fails", f"the question names {name(step.entity)}, and it does not rest on that")
    info = context.described[step.entity.id]
    if info is None:
        return context.missing(f"the graph has no entity {name(step.entity)}")
    words = normalise(step.words or term.text or "")
    called = words in {normalise(form) for form in (info.entity.label, *info.aliases) if form}
    linked = any(words in (normalise(link.span), normalise(link.form)) for link in links)
    shown = f"{step.words or term.text!r} is {name(step.entity)}"
    if (step.by == ITS_NAME and not called) or (step.by == AS_LINKED and not linked):
        return Finding("fails", f"{shown}, but not {step.by}")
    if facts and (links or called):
        return Finding("fails", f"rests on {facts[0].id}, though it is known without")
    if linked:
        return Finding("recomputed", f"{shown}: the question's words are taken for it")
    if not called:
        if not links and not facts:
            return Finding("fails", f"{name(step.entity)} is not called so, and nothing else says that it is it")
        return Finding("judged", f"{shown}, by {step.by}")
    others = {match.id for match in context.graph.lookup([words])[0]} - {step.entity.id}
    if others and not links:
        told = f"{shown}, one of {len(others) + 1} of this name"
        return context.missing(told) if step.by == ITS_NAME else Finding("judged", f"{told}, by {step.by}")
    return Finding("recomputed", f"{shown}: its name")


def _check_words(step: Binding, term: Term, context: Context) -> Finding:
    """Words that stand for themselves: those of an option, or of what no entity is called."""
    if step.entity is not None or not step.words:
        return Finding("fails", "binds to words, and must have these and no entity")
    if idle := context.unused(step, (step.axiom,)):
        return idle
    bearers = {match.id for match in context.graph.lookup([step.words])[0]}
    if term.kind == "option":
        if len(bearers) == 1 or step.policy != "open world":
            return context.missing(f"the option {step.words!r} is an entity of the graph")
        return Finding("assumed", f"an option, as the caller gave it: {step.words!r}")
    if step.words != term.text or bearers:
        return context.missing(f"the graph has an entity of the name {term.text!r}")
    if step.policy == "closed world":
        return Finding("assumed", f"no entity of the graph is called {step.words!r}, and so none is it (closed world)")
    if step.policy != "open world":
        return _no_term(step)
    return Finding("recomputed", f"no entity of the graph is called {step.words!r}")


def _links(entity: Entity, context: Context) -> bool:
    return any(isinstance(one, Link) and one.entity == entity for one in context.steps.values())


def _ends(statement: Statement) -> list[Node]:
    return [statement.subject, statement.object, *(qualifier.value for qualifier in statement.qualifiers)]


def _parents(step: Binding, names: Iterable[str], program: Program, context: Context) -> tuple[Grounds, list[str]]:
    """What the step's premises say of the terms it builds on, and which of the premises say it.

    Raises:
        InputError: such a term is bound in the proof, and the step does not rest on that.
    """
    wanted = program.beneath(*names)
    bindings = [p.id for p in context.premises(step) if isinstance(p, Binding) and p.term in wanted]
    bound = {p.term for p in context.steps.values() if isinstance(p, Binding) and p.axiom == step.axiom}
    if left_out := sorted((bound & wanted) - {context.steps[one].term for one in bindings}):  # type: ignore[attr-defined]
        raise InputError(f"does not rest on what {left_out[0]!r} is")
    return grounds_of(step.axiom, bindings, context.steps), bindings


def _check_property(step: Binding, term: Term, program: Program, context: Context) -> Finding:
    grounds, parents = _parents(step, term.parts, program, context)
    facts = [one for one in context.premises(step) if isinstance(one, Fact)]
    subjects = grounds.values(program, str(term.of))
    absences = [one.id for one in context.premises(step) if isinstance(one, Absence) and _speaks(one, step, subjects)]
    if idle := context.unused(step, (step.axiom, *parents, *absences, *(fact.id for fact in facts))):
        return idle
    if step.statements != tuple(fact.statement_id for fact in facts):
        return Finding("fails", "rests on other statements than it names")
    wanted = grounds.values(program, term.to) if term.to else None
    relation, forward = step.relation, step.position == "object"
    if relation is None or not subjects:
        return Finding("fails", f"nothing says what {term.of!r} is, of which {term.name!r} is a property")
    if step.by in (ITS_NAME, AS_LINKED) and not means(term, relation):
        return Finding("fails", f"{term.text!r} is not the name of {name(relation)}")
    keys = {node_key(one) for one in subjects}
    for fact in facts:
        near, far = fact.statement.subject, fact.statement.object
        near, far = (near, far) if forward else (far, near)  # type: ignore[assignment]
        if fact.statement.relation != relation or node_key(near) not in keys or not _fits(far, wanted):
            return Finding("fails", f"{fact.id} does not say {term.text!r} of {term.of!r} by this relation and end")
    searched = [one for one in subjects if isinstance(one, Entity) and _links(one, context)]
    if not facts and not term.to and len(absences) != len(searched):
        return Finding("fails", "names no statements, and does not rest on the searches that found none")
    if not step.only:
        if not any(isinstance(one, Entity) for one in subjects):
            return Finding("fails", f"{term.of!r} is a text, of which the graph says nothing")
        all_ = {one.id for one in extent(subjects, relation, forward, wanted, context.graph)}
        if all_ != set(step.statements):
            return context.missing(f"the graph has {len(all_)} such statements, not {len(set(step.statements))}")
        if not facts and relation.id not in {one.id for one, _ in context.graph.relations()}:
            return context.missing(f"the graph has no relation {name(relation)}")
    elif not facts or step.policy != "open world":
        return Finding("fails", "says that only some statements are meant, but names none, or takes them for all")
    if step.policy == "no value":
        return Finding("fails", "takes its statements for all there are by a policy of searches that found none")
    if step.policy != "open world":
        return Finding("assumed", f"{term.text!r} is {name(relation)}, and the graph knows all ({step.policy})")
    if means(term, relation) and not step.only:
        return Finding("recomputed", f"{term.text!r} is the name of {name(relation)}; {len(facts)} statements, all")
    picked = "just these" if step.only else "all"
    return Finding("judged", f"{step.by} says {term.text!r} is {name(relation)}; {len(facts)} statements, {picked}")


def _speaks(absence: Absence, step: Binding, subjects: list[Node]) -> bool:
    """Whether an absence is that of this relation, of one of the subjects, under the same policy."""
    near, far = (absence.subject, absence.object) if step.position == "object" else (absence.object, absence.subject)
    same = absence.relation == step.relation and absence.policy == step.policy
    return same and far is None and near is not None and near in subjects


def _fits(value: Node, wanted: list[Node] | None) -> bool:
    return wanted is None or any(compare("=", value, one) is True for one in wanted)


def extent(
    subjects: Iterable[Node], relation: Relation, forward: bool, wanted: list[Node] | None, graph: Graph
) -> list[Statement]:
    """All statements of the graph over a relation from (or, not ``forward``, to) some entities."""
    entities = [one.id for one in subjects if isinstance(one, Entity)]
    side = "outgoing" if forward else "incoming"
    found = graph.statements(entities, side=side, relations=[relation.id]) if entities else []  # type: ignore[arg-type]
    distinct = {one.id: one for some in found for one in some}
    return [one for one in distinct.values() if _fits(one.object if forward else one.subject, wanted)]


def means(term: Term, relation: Relation) -> bool:
    """Whether the words of a term are the name of a relation."""
    return normalise(term.text or "") == normalise(relation.label or readable_relation(relation.id))


def _check_qualifier(step: Binding, term: Term, program: Program, context: Context) -> Finding:
    grounds, parents = _parents(step, term.parts, program, context)
    if idle := context.unused(step, (step.axiom, *parents)):
        return idle
    if step.statements or step.only or step.relation is None or step.policy not in ("open world", "closed world"):
        return Finding("fails", "binds to a qualifier of the statements of its property, and to nothing else")
    rows = [statement for _, statement in grounds.rows(program, str(term.of))]
    if not any(qualifier.relation == step.relation for row in rows for qualifier in row.qualifiers):
        return Finding("fails", f"no statement of {term.of!r} has a qualifier {name(step.relation)}")
    if step.by in (ITS_NAME, AS_LINKED) and not means(term, step.relation):
        return Finding("fails", f"{term.text!r} is not the name of {name(step.relation)}")
    if step.policy != "open world":
        return Finding("assumed", f"{term.text!r} is {name(step.relation)}; where it is missing there is none")
    if means(term, step.relation):
        return Finding("recomputed", f"{term.text!r} is the name of the qualifier {name(step.relation)}")
    return Finding("judged", f"{step.by} says {term.text!r} is the qualifier {name(step.relation)}")


def _check_classes(step: Binding, clause: Clause, program: Program, context: Context) -> Finding:
    grounds, parents = _parents(step, clause.parts, program, context)
    facts = [one for one in context.premises(step) if isinstance(one, Fact)]
    if idle := context.unused(step, (step.axiom, *parents, *(fact.id for fact in facts))):
        return idle
    if step.statements != tuple(fact.statement_id for fact in facts) or step.only or step.relation is not None:
        return Finding("fails", "rests on other statements than it names")
    reached = {node_key(one) for side in clause.parts for one in grounds.values(program, side)}
    left = [fact.statement for fact in facts]
    while left:
        next_ = [one for one in left if one.subject.id in reached]
        if not next_:
            return Finding("fails", "some of its statements do not lead on from what is asked about")
        if any(class_relation(one.relation) is None for one in next_):
            return Finding("fails", "some of its statements are not about classes")
        reached |= {node_key(one.object) for one in next_}
        left = [one for one in left if one not in next_]
    ones, classes = (grounds.values(program, side) for side in clause.parts)
    all_ = above([*ones, *classes], context.graph)
    if step.policy == "open world":
        own = [fact.statement for fact in facts]
        known = all(member(one, cls, own, complete=False) is not None for one in ones for cls in classes)
        found = {one.id for one in deciding(ones, classes, own if known else all_)}
        if found != set(step.statements):
            return context.missing(f"{len(found)} statements decide what is of which class, not these {len(facts)}")
        return Finding("recomputed", f"{len(facts)} statements lead to classes")
    if step.policy != "closed world":
        return Finding("fails", "says that there are no other classes, which only a closed world can")
    if {one.id for one in all_} != set(step.statements):
        return context.missing(f"the graph has {len(all_)} statements about these classes, not {len(facts)}")
    return Finding("assumed", f"these are all classes there are ({step.policy})")


AXIOM = Kind(Axiom, _check_axiom)
BINDING = Kind(Binding, _check_binding)
