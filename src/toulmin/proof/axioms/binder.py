"""Binds the terms of an axiom: what was cited where something was, else by the names that the graph has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from toulmin.graph.labels import normalise
from toulmin.graph.types import Entity, Node, Relation, Statement, node_key
from toulmin.graph.values import compare
from toulmin.proof.axioms.checks import extent, means
from toulmin.proof.axioms.classes import above, deciding
from toulmin.proof.axioms.evaluation import Grounds
from toulmin.proof.axioms.language import Clause, Program, Term
from toulmin.proof.axioms.steps import AS_LINKED, ITS_NAME, Binding, Position, grounds_of
from toulmin.proof.builder import NEW, ProofBuilder
from toulmin.proof.model import Link, Policy

__all__ = ["Assumptions", "Binder", "Citation"]

_MOST = 1000  # statements over one relation; more would make no proof that people read


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What the caller takes for granted of what the graph does not say.

    Args:
        closed_world: what it does not say is not so.
        complete: ids of relations of which it says all there is.
    """

    closed_world: bool = False
    complete: frozenset[str] = frozenset()

    def policy(self, relation: Relation) -> Policy:
        """The policy for a relation."""
        if relation.id in self.complete:
            return "complete relation"
        return "closed world" if self.closed_world else "open world"


@dataclass(frozen=True, slots=True)
class Citation:
    """Statements cited for a term; ``only`` and ``qualifier`` as in a ``Grounding``."""

    statements: tuple[Statement, ...]
    only: bool = False
    qualifier: str | None = None


@dataclass(slots=True)
class Binder:
    """Adds the bindings of one axiom to a proof.

    Attributes:
        refused: citations that do not say what they are cited for.
    """

    builder: ProofBuilder
    axiom: str
    program: Program
    citations: Mapping[str, Sequence[Citation]]
    by: str
    assumptions: Assumptions
    option: str | None
    refused: list[str] = field(default_factory=list)
    _bindings: dict[str, list[str]] = field(default_factory=dict)

    @property
    def all(self) -> tuple[str, ...]:
        """Every binding made."""
        return tuple(step for some in self._bindings.values() for step in some)

    def of(self, names: Iterable[str]) -> tuple[str, ...]:
        """The bindings that some clauses need."""
        wanted = self.program.beneath(*names) | set(names)
        return tuple(step for name, some in self._bindings.items() if name in wanted for step in some)

    def bind(self) -> None:
        """Bind every term that can be bound, each after those it builds on."""
        used = self.program.beneath(*(clause.name for clause in self.program.clauses))
        for term in self.program.terms:
            if term.name not in used:
                continue
            cited = self.citations.get(term.name, ())
            if term.kind in ("entity", "option"):
                self._bind_named(term, cited)
            elif term.kind == "property":
                self._bind_property(term, cited)
            elif term.kind == "qualifier":
                self._bind_qualifier(term, cited)
        for clause in self.program.clauses:
            if clause.op == "member_of":
                self._bind_classes(clause)

    def _grounds(self, names: Iterable[str]) -> Grounds:
        return grounds_of(self.axiom, self._needed(names), self.builder.steps)

    def _needed(self, names: Iterable[str]) -> list[str]:
        beneath = self.program.beneath(*names)
        return [step for name, some in self._bindings.items() if name in beneath for step in some]

    def _add(self, term: str, position: Position, premises: Iterable[str], by: str, **fields: object) -> None:
        step = Binding(
            id=NEW,
            rests_on=tuple(dict.fromkeys((self.axiom, *premises))),
            axiom=self.axiom,
            term=term,
            position=position,
            by=by,
            score=1.0,
            **fields,  # type: ignore[arg-type]
        )
        self._bindings.setdefault(term, []).append(self.builder.add(step))

    def _bind_named(self, term: Term, cited: Sequence[Citation]) -> None:
        """By a link of the question, else by what is cited, else by name; else the words stand for themselves."""
        words = term.text if term.kind == "entity" else self.option
        if words is None:
            return
        ends = [(one, statement) for one in cited for statement in one.statements]
        found = [(s.subject if one.qualifier == "subject" else s.object, s) for one, s in ends]
        entities = [(end, statement) for end, statement in found if isinstance(end, Entity)]
        links = [one for one in self.builder.steps.values() if isinstance(one, Link)]
        called = next((one.entity for one in links if term.kind == "entity" and _is_called(words, one)), None)
        matches = self.builder.graph.lookup([words])[0]
        if called is None and entities:
            called = entities[0][0]
        elif called is None and (len(matches) == 1 or (matches and term.kind == "entity")):
            spoken = {
                end for some in self.citations.values() for one in some for s in one.statements for end in _ids(s)
            }
            best = next((match for match in matches if match.id in spoken), matches[0])
            info = self.builder.graph.describe([best.id])[0]
            called = info.entity if info else None
        if called is None:
            tried = term.kind == "option"
            policy: Policy = "closed world" if self.assumptions.closed_world and not tried else "open world"
            self._add(term.name, "words", [], "caller" if tried else self.by, words=words, policy=policy)
            return
        premises = [link.id for link in links if link.entity == called][:1]
        if not premises and called.id not in {match.id for match in matches}:
            premises = [self.builder.add_fact(entities[0][1])]
        by = self.by
        bearers = {match.id for match in matches}
        if called.id in bearers and (premises or len(bearers) == 1):
            by = ITS_NAME
        elif any(one.id in premises and _is_called(words, one) for one in links):
            by = AS_LINKED
        option = words if term.kind == "option" else None
        self._add(term.name, "entity", premises, by, entity=called, words=option)

    def _bind_property(self, term: Term, cited: Sequence[Citation]) -> None:
        grounds = self._grounds(term.parts)
        subjects = grounds.values(self.program, str(term.of))
        wanted = grounds.values(self.program, term.to) if term.to else None
        if not subjects or wanted == []:
            return
        keys = {node_key(one) for one in subjects}
        meant: dict[tuple[Relation, bool], list[Statement]] = {}
        only: set[tuple[Relation, bool]] = set()
        for citation in cited:
            for statement in citation.statements:
                ends = [node_key(statement.subject) in keys, node_key(statement.object) in keys]
                far = statement.object if ends[0] else statement.subject
                if not any(ends) or (wanted is not None and not any(compare("=", far, one) is True for one in wanted)):
                    self.refused.append(f"{_shown(statement)} says nothing of {term.text!r} of {_of(subjects)}")
                    continue
                meant.setdefault((statement.relation, ends[0]), []).append(statement)
                if citation.only:
                    only.add((statement.relation, ends[0]))
        if not any(isinstance(one, Entity) for one in subjects):  # of a text the graph says nothing by itself
            meant = {end: some for end, some in meant.items() if end in only}
        elif not meant:
            meant = {(one, True): [] for one in self._called(term, subjects)}
        for (relation, forward), some in meant.items():
            chosen = (
                some if (relation, forward) in only else extent(subjects, relation, forward, wanted, self.builder.graph)
            )
            self._bind_extent(term, relation, forward, chosen, (relation, forward) in only, subjects)

    def _called(self, term: Term, subjects: Sequence[Node]) -> list[Relation]:
        """The relations that a property has the name of: of its subjects' statements, else of the whole graph.

        The latter takes long of an endpoint, and is asked only where finding nothing may prove something.
        """
        entities = [one.id for one in subjects if isinstance(one, Entity)]
        said = self.builder.graph.statements(entities, side="outgoing") if entities else []
        found = dict.fromkeys(one.relation for some in said for one in some if means(term, one.relation))
        if not found and self.assumptions != Assumptions():
            found = dict.fromkeys(one for one, _ in self.builder.graph.relations() if means(term, one))
        return list(found)

    def _bind_extent(
        self, term: Term, relation: Relation, forward: bool, chosen: list[Statement], only: bool, subjects: list[Node]
    ) -> None:
        if len(chosen) > _MOST:
            self.refused.append(f"{len(chosen):,} statements for {term.text!r} are more than {_MOST:,}")
            return
        policy: Policy = "open world" if only else self.assumptions.policy(relation)
        distinct = list({one.id: one for one in chosen}.values())
        premises = [*self._needed(term.parts), *(self.builder.add_fact(one) for one in distinct)]
        if not distinct and not term.to:
            premises += self._absences(relation, forward, subjects, policy)
        self._add(
            term.name,
            "object" if forward else "subject",
            premises,
            ITS_NAME if means(term, relation) and not only else self.by,
            relation=relation,
            statements=tuple(one.id for one in distinct),
            only=only,
            policy=policy,
        )

    def _absences(self, relation: Relation, forward: bool, subjects: list[Node], policy: Policy) -> list[str]:
        """The searches that found nothing, of those subjects that the question names."""
        linked = {one.entity.id for one in self.builder.steps.values() if isinstance(one, Link)}
        named = [one for one in subjects if isinstance(one, Entity) and one.id in linked]
        add = self.builder.add_absence
        return [
            add(one, relation, None, policy=policy) if forward else add(None, relation, one, policy=policy)
            for one in named
        ]

    def _bind_qualifier(self, term: Term, cited: Sequence[Citation]) -> None:
        rows = [statement for _, statement in self._grounds([str(term.of)]).rows(self.program, str(term.of))]
        found = list({one.relation: None for row in rows for one in row.qualifiers})
        called = [normalise(one.qualifier) for one in cited if one.qualifier]
        meant = [one for one in found if normalise(one.label or one.id) in called] or [
            one for one in found if means(term, one)
        ]
        if meant:
            policy: Policy = "closed world" if self.assumptions.closed_world else "open world"
            by = ITS_NAME if means(term, meant[0]) else self.by
            self._add(term.name, "qualifier", self._needed([str(term.of)]), by, relation=meant[0], policy=policy)
        elif called:
            self.refused.append(f"no statement of {term.of!r} has a qualifier {cited[0].qualifier!r}")

    def _bind_classes(self, clause: Clause) -> None:
        grounds = self._grounds(clause.parts)
        left, right = (grounds.values(self.program, str(side)) for side in (clause.left, clause.right))
        if not left or not (right or self._bindings.get(str(clause.right))):
            return
        closed = self.assumptions.closed_world
        statements = above([*left, *right], self.builder.graph)
        if not closed:
            statements = deciding(left, right, statements)
        facts = [self.builder.add_fact(one) for one in statements]
        self._add(
            clause.name,
            "classes",
            [*self._needed(clause.parts), *facts],
            "the graph",
            statements=tuple(one.id for one in statements),
            policy="closed world" if closed else "open world",
        )


def _ids(statement: Statement) -> tuple[str, str]:
    return statement.subject.id, node_key(statement.object)


def _is_called(words: str, link: Link) -> bool:
    return normalise(words) in map(normalise, (link.span, link.form, link.entity.label or ""))


def _shown(statement: Statement) -> str:
    ends = (statement.subject.label or statement.subject.id, getattr(statement.object, "label", None))
    return f"({ends[0]}, {statement.relation.label or statement.relation.id}, {ends[1] or node_key(statement.object)})"


def _of(nodes: Sequence[Node]) -> str:
    return ", ".join(getattr(node, "label", None) or node_key(node) for node in nodes[:3])
