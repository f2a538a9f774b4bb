"""The nodes of a program that are the terms of an axiom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toulmin.errors import InputError
from toulmin.graph.types import Entity, Literal, Node
from toulmin.graph.values import quantity_of, time_of
from toulmin.methods.r3.axioms.language import Program, Term
from toulmin.methods.r3.axioms.meanings import Extent, Meanings
from toulmin.program.builder import Builder
from toulmin.program.nodes import Calculation
from toulmin.program.value import Nodes

__all__ = ["Bound", "TermSets"]

#: The variables that terms stand for, under binders.
Bound = Mapping[str, int]

_CALCULATIONS: Mapping[str, Calculation] = {
    "duration": "duration", "sum": "add", "difference": "subtract", "product": "multiply", "distance": "distance",
    "year": "year", "month": "month", "day": "day", "century": "century", "decade_of_century": "decade_of_century",
}  # fmt: skip


class TermSets:
    """Puts the terms of an axiom into a program, as sets; of what nothing is known there is no node.

    Args:
        meanings: what the terms are; may grow.
    """

    def __init__(self, builder: Builder, program: Program, meanings: Meanings) -> None:
        self.builder, self.program, self.meanings = builder, program, meanings
        self._nodes: dict[str, Nodes | None] = {}

    def values(self, name: str) -> tuple[Node, ...]:
        """Every value that a term can have, in canonical order; none where nothing is known."""
        value_set = self._all(name)
        return value_set.nodes if value_set is not None else ()

    def has_hole(self, name: str) -> bool:
        """Whether a value of a term is unknown."""
        value_set = self._all(name)
        return value_set is not None and value_set.hole

    def _all(self, name: str) -> Nodes | None:
        if name not in self._nodes:
            value = None
            try:
                place = self.place(name, {})
                value = self.builder.value(place) if place is not None else None
            except InputError:  # no such program can be written
                pass
            self._nodes[name] = value if isinstance(value, Nodes) else None
        return self._nodes[name]

    def place(self, name: str, bound: Bound) -> int | None:
        """The node of a term; a property that no variable stands for is the set of its values.

        Raises:
            InputError: no program can say it.
        """
        if name in bound:
            return bound[name]
        term = self.program.term(name)
        if term.kind in ("entity", "option"):
            named = self.meanings.named.get(name)
            return named if isinstance(named, int) else None
        if term.kind == "constant":
            return self.builder.literal(term.literal())
        if term.kind == "property":
            return self.every(term, bound)
        if term.kind == "qualifier":
            return self._noted(term, bound)
        if term.kind == "count":
            of = self.every(self.program.term(str(term.of)), bound)
            return None if of is None else self.builder.count(of)
        if term.is_end:
            return self._end(term, bound)
        sides = [self.place(operand, bound) if operand else None for operand in (term.of, term.to)]
        if term.kind == "interval":
            return self.builder.period(*sides) if any(side is not None for side in sides) else None
        left, right = sides[0], sides[1] if len(term.parts) > 1 else None
        if left is None or (right is None and len(term.parts) > 1):
            return None
        return self.builder.arithmetic(_CALCULATIONS[term.kind], left, right)

    def every(self, term: Term, bound: Bound) -> int | None:
        """All values of a property."""
        parts = self.parts(term, bound)
        if not parts:
            return None
        place = self.builder.union(*parts)
        complete = all(extent.complete for extent in self.meanings.extents[term.name])
        if complete and not any(isinstance(subject, Literal) for subject in self.values(str(term.of))):
            return self.builder.complete(place)  # of a text the graph knows nothing
        return place

    def parts(self, term: Term, bound: Bound) -> list[int]:
        """The values of a property over each of its extents."""
        of = self.place(str(term.of), bound)
        to = self.place(term.to, bound) if term.to else None
        if of is None or (term.to and to is None):
            return []
        followed = [self._followed(of, extent) for extent in self.meanings.extents.get(term.name, ())]
        if to is None:
            return followed
        return [self.builder.where(part, lambda it: self.builder.compare("=", it, to)) for part in followed]

    def _followed(self, of: int, extent: Extent) -> int:
        qualified = [extent.qualified] if extent.qualified else []
        part = self.builder.follow(of, extent.relations, extent.direction, qualified=qualified)
        if extent.ends is None:
            return part
        builder = self.builder
        ends = builder.union(*(builder.entity(e) if isinstance(e, Entity) else builder.literal(e) for e in extent.ends))
        plain = len(extent.ends) == 1 and _is_plain(extent.ends)
        return self.builder.where(part, lambda it: self._same(it, ends, plain=plain))

    def _same(self, left: int, right: int, *, plain: bool) -> int:
        """Whether two sets of one share their node; also of what is equal to nothing surely, such as a year."""
        if plain:
            return self.builder.compare("=", left, right)
        return self.builder.exists(self.builder.intersection(left, right))

    def _end(self, term: Term, bound: Bound) -> int | None:
        """The latest or earliest of some values, by themselves or by a qualifier of the statements that lead there."""
        of, by = self.program.term(str(term.of)), self.program.term(term.by) if term.by else None
        values = self.every(of, bound) if of.kind == "property" else self._noted(of, bound)
        if values is None or (by is not None and by.name not in self.meanings.qualifiers):
            return None
        order = self.builder.last if term.kind == "latest" else self.builder.first
        if by is None:
            return order(values)
        noted = by

        def key(value: int) -> int:
            noted_value = self._noted(noted, {**bound, of.name: value})
            if noted_value is None:
                raise InputError(f"nothing is known of {noted.name!r}")
            return noted_value

        return order(values, key)

    def _noted(self, term: Term, bound: Bound) -> int | None:
        """The qualifiers of the statements of a property; under its variable of those that lead there."""
        if term.name not in self.meanings.qualifiers:
            return None
        relation, complete = self.meanings.qualifiers[term.name]
        of = self.program.term(str(term.of))
        parts, values = self.parts(of, bound), self.values(of.name)
        if of.name in bound and len(values) > 1:
            value, plain = bound[of.name], _is_plain(values)
            parts = [self.builder.where(part, lambda it: self._same(it, value, plain=plain)) for part in parts]
        if not parts:
            return None
        place = self.builder.union(*(self.builder.qualifier(part, relation) for part in parts))
        return self.builder.complete(place) if complete else place


def _is_plain(nodes: Sequence[Node]) -> bool:
    """Whether all are entities that are compared by their ids."""
    return all(isinstance(node, Entity) and time_of(node) is None and quantity_of(node) is None for node in nodes)
