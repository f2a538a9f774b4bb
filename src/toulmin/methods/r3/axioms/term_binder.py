"""Finds what the terms of an axiom are: what was cited where something was, else by the names that the graph has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from toulmin.graph.labels import normalise, readable_relation
from toulmin.graph.local import LocalGraph
from toulmin.graph.types import Direction, Entity, Node, Relation, Statement, node_key
from toulmin.graph.values import compare, time_of
from toulmin.methods.r3.axioms.language import AxiomClause, Program, Term
from toulmin.methods.r3.axioms.meanings import Assumptions, Extent, Link, Meanings, MembershipRelations, UnnamedWords
from toulmin.methods.r3.axioms.replies import Grounding
from toulmin.methods.r3.axioms.term_sets import TermSets
from toulmin.program.answer import node_text
from toulmin.program.builder import Builder
from toulmin.program.value import Nodes

__all__ = ["Citation", "TermBinder", "shown_statement"]

_SEVERAL = 2  # times of one thing from which on the vaguer ones are left out
_SHOWN = 3  # nodes that a refusal names
_MOST = 1000  # values over one relation; more would make no certificate that people read
_FORWARD: Mapping[bool, Direction] = {True: "forward", False: "backward"}
#: What was said of a term, and the statements that were cited for it.
Citation = tuple[Grounding, tuple[Statement, ...]]


@dataclass(slots=True)
class TermBinder:
    """Finds the meanings of one axiom's terms.

    Args:
        links: the words of the question that stand for entities.
        option: the words of the option that is tried, and ``option_entity`` the entity that it is, where that is known.

    Attributes:
        refused: citations that do not say what they are cited for.
    """

    builder: Builder
    program: Program
    citations: Mapping[str, Sequence[Citation]]
    links: Sequence[Link]
    assumptions: Assumptions
    option: str | None = None
    option_entity: Entity | None = None
    refused: list[str] = field(default_factory=list)
    meanings: Meanings = field(default_factory=Meanings)

    def bind(self) -> TermSets:
        """Find what every term is that a clause uses, each after those it builds on."""
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
        return self._sets()

    def _sets(self) -> TermSets:
        return TermSets(self.builder, self.program, self.meanings)

    def _values(self, name: str) -> tuple[Node, ...]:
        return self._sets().values(name)

    def _bind_named(self, term: Term, cited: Sequence[Citation]) -> None:
        """By a link of the question, else by what is cited, else by name; else the words stand for themselves."""
        words = term.text if term.kind == "entity" else self.option
        if words is None:
            return
        ends_cited = [
            statement.subject if grounding.qualifier == "subject" else statement.object
            for grounding, statements in cited
            for statement in statements
        ]
        entities = [end for end in ends_cited if isinstance(end, Entity)]
        entity = self.option_entity if term.kind == "option" else None
        if entity is None and term.kind == "entity":
            entity = next((known_link.entity for known_link in self.links if self._is_called(words, known_link)), None)
        matches = self.builder.graph.lookup([words])[0] if normalise(words) else []
        if entity is None and entities:
            entity = entities[0]
        elif entity is None and (len(matches) == 1 or (matches and term.kind == "entity")):
            spoken = {
                end
                for citations in self.citations.values()
                for _, statements in citations
                for statement in statements
                for end in (statement.subject.id, node_key(statement.object))
            }
            best = next((match for match in matches if match.id in spoken), matches[0])
            info = self.builder.graph.describe([best.id])[0]
            entity = info.entity if info else None
        if entity is None:
            unnamed = UnnamedWords(words, self.assumptions.closed_world)
            self.meanings.named[term.name] = self.builder.literal(words) if term.kind == "option" else unnamed
            return
        link = next((known_link for known_link in self.links if known_link.entity.id == entity.id), None)
        form = next((match.form for match in matches if match.id == entity.id), None)
        if link is not None:
            place = self.builder.entity(entity, (link.start, link.end), self._name(entity, link.form))
        else:
            place = self.builder.entity(entity, name=form and self._name(entity, form))
        self.meanings.named[term.name] = place

    def _is_called(self, words: str, link: Link) -> bool:
        words_linked = self.builder.question[link.start : link.end]
        return normalise(words) in map(normalise, (words_linked, link.form, link.entity.label or ""))

    def _name(self, entity: Entity, form: str) -> str | None:
        """A name of an entity as the graph writes it, if it is one."""
        info = self.builder.graph.describe([entity.id])[0]
        return form if info is not None and form in (info.entity.label, *info.aliases) else None

    def _bind_property(self, term: Term, cited: Sequence[Citation]) -> None:
        subjects = self._values(str(term.of))
        targets = self._values(term.to) if term.to else None
        if not subjects or targets == ():
            unread = not subjects and self._sets().place(str(term.of), {}) is not None
            if unread and self._is_local() and (called := self._called_in_graph(term)):  # to show what was asked
                self.meanings.extents[term.name] = (Extent(tuple(relation.id for relation in called), "forward"),)
            return
        keys = {node_key(node) for node in subjects}
        cited_by: dict[tuple[Relation, bool], list[Statement]] = {}
        only: set[tuple[Relation, bool]] = set()
        for grounding, evidence in cited:
            for statement in evidence:
                ends = [node_key(statement.subject) in keys, node_key(statement.object) in keys]
                far = statement.object if ends[0] else statement.subject
                if not any(ends) or (
                    targets is not None and not any(compare("=", far, target) is True for target in targets)
                ):
                    shown = ", ".join(map(node_text, subjects[:_SHOWN]))
                    self.refused.append(f"{shown_statement(statement)} says nothing of {term.text!r} of {shown}")
                    continue
                cited_by.setdefault((statement.relation, ends[0]), []).append(statement)
                if grounding.only:
                    only.add((statement.relation, ends[0]))
        if not any(isinstance(node, Entity) for node in subjects):  # of a text the graph says nothing by itself
            cited_by = {end: statements for end, statements in cited_by.items() if end in only}
        elif not cited_by:
            cited_by = {(relation, True): [] for relation in self._called(term, subjects)}
        extents: dict[tuple[Direction, bool], Extent] = {}
        picked: list[Extent] = []
        for (relation, forward), statements in cited_by.items():
            if (relation, forward) in only:
                picked += self._picked(term, relation, forward, statements)
                continue
            count = len(self._followed(term, relation, forward))
            if count > _MOST:
                self.refused.append(f"{count:,} statements for {term.text!r} are more than {_MOST:,}")
                continue
            complete = self.assumptions.closed_world or relation.id in self.assumptions.complete
            if self.assumptions.stated and term.complete:  # the axiom's word that these are all, where there are some
                complete = complete or count > 0
            extent = extents.get((_FORWARD[forward], complete))
            relations = (*extent.relations, relation.id) if extent else (relation.id,)
            extents[_FORWARD[forward], complete] = Extent(relations, _FORWARD[forward], complete=complete)
        if extents or picked:
            self.meanings.extents[term.name] = (*extents.values(), *picked)
            self._drop_vague(term)

    def _drop_vague(self, term: Term) -> None:
        """Of the one time of something, its year beside its day says nothing more: the most precise is meant."""
        values = self._values(term.name)
        counted = any(user.of == term.name and (user.kind == "count" or user.is_end) for user in self.program.terms)
        if counted or term.take != "one" or len(values) < _SEVERAL or any(time_of(value) is None for value in values):
            return
        exact = tuple(value for value in values if not any(_is_vaguer(value, finer) for finer in values))
        if len(exact) < len(values):
            extents = self.meanings.extents[term.name]
            self.meanings.extents[term.name] = tuple(
                replace(extent, ends=exact if extent.ends is None else tuple(e for e in extent.ends if e in exact))
                for extent in extents
            )

    def _called_in_graph(self, term: Term) -> list[Relation]:
        return [relation for relation, _ in self.builder.graph.relations() if _means(term, relation)]

    def _is_local(self) -> bool:
        graph = self.builder.graph
        return all(isinstance(part, LocalGraph) for part in getattr(graph, "graphs", {"": graph}).values())

    def _called(self, term: Term, subjects: Sequence[Node]) -> list[Relation]:
        """The relations that a property has the name of: of its subjects' statements, else of the whole graph.

        The latter takes long of an endpoint, which is asked only where finding nothing may prove something.
        """
        entities = [subject.id for subject in subjects if isinstance(subject, Entity)]
        by_subject = self.builder.graph.statements(entities, side="outgoing") if entities else []
        spoken = dict.fromkeys(statement.relation for statement in chain.from_iterable(by_subject))
        relations = [relation for relation in spoken if _means(term, relation)]
        if not relations and (self.assumptions != Assumptions() or self._is_local()):
            relations = self._called_in_graph(term)
        return relations

    def _followed(self, term: Term, relation: Relation, forward: bool) -> Nodes:
        """Everything that one relation leads to, with the statements."""
        of = self._sets().place(str(term.of), {})
        value = self.builder.value(self.builder.follow(of or 0, relation, _FORWARD[forward]))
        assert isinstance(value, Nodes)  # noqa: S101  (a ``follow`` yields them)
        return value

    def _picked(self, term: Term, relation: Relation, forward: bool, cited: Sequence[Statement]) -> list[Extent]:
        """The cited statements alone: by their ends, and where uncited ones have the same end by a qualifier."""
        followed = self._followed(term, relation, forward)
        cited_ids = {statement.id for statement in cited}
        plain: dict[str, Node] = {}
        extents: list[Extent] = []
        for statement in cited:
            end = statement.object if forward else statement.subject
            uncited = [row for _, row in followed.leading_to(end) if row.id not in cited_ids]
            distinguishing = next(
                (pair for pair in _pairs(statement) if not any(pair in _pairs(row) for row in uncited)), None
            )
            if uncited and distinguishing is not None:
                extents.append(Extent((relation.id,), _FORWARD[forward], ends=(end,), qualified=distinguishing))
            else:
                plain[node_key(end)] = end
        if plain:
            extents.append(Extent((relation.id,), _FORWARD[forward], ends=tuple(plain.values())))
        return extents

    def _bind_qualifier(self, term: Term, cited: Sequence[Citation]) -> None:
        of, sets = self.program.term(str(term.of)), self._sets()
        values = [self.builder.value(part) for part in sets.parts(of, {})]
        arrivals = (chain.from_iterable(value.arrivals.values()) for value in values if isinstance(value, Nodes))
        rows = (row for _, row in chain.from_iterable(arrivals))
        relations = list({qualifier.relation: None for row in rows for qualifier in row.qualifiers})
        called = [normalise(grounding.qualifier) for grounding, _ in cited if grounding.qualifier]
        matching = [relation for relation in relations if normalise(relation.label or relation.id) in called] or [
            relation for relation in relations if _means(term, relation)
        ]
        if matching:
            self.meanings.qualifiers[term.name] = (matching[0].id, self.assumptions.closed_world)
        elif called:
            self.refused.append(f"no statement of {term.of!r} has a qualifier {cited[0][0].qualifier!r}")

    def _bind_classes(self, clause: AxiomClause) -> None:
        left, right = (self._values(str(side)) for side in (clause.left, clause.right))
        if left and (right or str(clause.right) in (self.meanings.named.keys() | self.meanings.extents.keys())):
            self.meanings.classes[clause.name] = MembershipRelations.of(
                [*left, *right], self.builder.graph, closed=self.assumptions.closed_world
            )


def _means(term: Term, relation: Relation) -> bool:
    """Whether the words of a term are the name of a relation."""
    return normalise(term.text or "") == normalise(relation.label or readable_relation(relation.id))


def _is_vaguer(coarse: Node, fine: Node) -> bool:
    """Whether a time holds another that is more precise, and so may be the same."""
    outer, inner = time_of(coarse), time_of(fine)
    if outer is None or inner is None or outer == inner:
        return False
    return outer.start <= inner.start and inner.end <= outer.end


def _pairs(statement: Statement) -> list[tuple[str, Node]]:
    return [(qualifier.relation.id, qualifier.value) for qualifier in statement.qualifiers]


def shown_statement(statement: Statement) -> str:
    """A statement in words, as a refusal or a reason tells it."""
    relation = statement.relation.label or statement.relation.id
    return f"({node_text(statement.subject)}, {relation}, {node_text(statement.object)})"
