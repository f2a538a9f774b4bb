"""The evaluation of axioms: pure, from what their terms are bound to, in Kleene's three-valued logic.

A property's ``take`` is a quantifier. In an open world the graph may not know all values, which is one more row that
nothing is known of: "some" is then true or unknown, "all" false or unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from toulmin.errors import InputError
from toulmin.graph.types import Entity, Literal, Node, Statement, node_key
from toulmin.graph.values import compare, period
from toulmin.proof.axioms.arithmetic import apply
from toulmin.proof.axioms.comparing import Count, Unnamed, Value, compared, counted, member
from toulmin.proof.axioms.formula import Formula, kleene_and, kleene_not, kleene_or, names_of
from toulmin.proof.axioms.language import Clause, Program, Term

__all__ = ["NO_VALUE", "Evaluator", "Extent", "Grounds", "units"]

NO_VALUE = Literal("", "no_value")
_MOST = 200_000  # evaluations of clauses; several quantifiers over long lists would never end
_COMPUTED = ("year", "kilometre")  # units of the durations and distances that code computes


@dataclass(frozen=True, slots=True)
class Extent:
    """The statements of a property over one relation.

    Args:
        forward: the object is the value, not the subject.
        complete: there are no others, by what the caller assumes.
    """

    relation: str
    forward: bool
    statements: tuple[Statement, ...]
    complete: bool

    def rows(self, of: Node) -> Iterator[tuple[Node, Statement]]:
        """The values that the statements give to ``of``, each with its statement."""
        for statement in self.statements:
            near, far = (statement.subject, statement.object) if self.forward else (statement.object, statement.subject)
            if node_key(near) == node_key(of):
                yield far, statement


@dataclass(slots=True)
class Grounds:
    """What the terms of a program are bound to.

    Attributes:
        named: entities, options, and words that no entity bears.
        extents: of each property.
        qualifiers: of each qualifier term the ids of relations, and whether a missing one means "no value".
        classes: of each membership clause the statements from an instance to its classes, and whether these are all.
    """

    named: dict[str, Entity | Literal | Unnamed] = field(default_factory=dict)
    extents: dict[str, list[Extent]] = field(default_factory=dict)
    qualifiers: dict[str, tuple[set[str], bool]] = field(default_factory=dict)
    classes: dict[str, tuple[list[Statement], bool]] = field(default_factory=dict)

    def values(self, program: Program, name: str) -> list[Node]:
        """Every value that an entity, option, property or qualifier can have, distinct."""
        term = program.term(name)
        found: list[Node] = []
        if name in self.named:
            said = self.named[name]
            found = [] if isinstance(said, Unnamed) else [said]
        elif term.kind == "constant":
            found = [term.literal()]
        elif term.kind in ("property", "qualifier"):
            for value, statement in self.rows(program, name if term.kind == "property" else str(term.of)):
                found += [value] if term.kind == "property" else self.qualifying(name, statement)
        return list({node_key(value): value for value in found}.values())

    def rows(self, program: Program, name: str) -> list[tuple[Node, Statement]]:
        """Every value of a property with its statement, whatever it is a property of."""
        parents = self.values(program, str(program.term(name).of))
        return [row for extent in self.extents.get(name, []) for parent in parents for row in extent.rows(parent)]

    def qualifying(self, name: str, statement: Statement) -> list[Node]:
        """The values of a qualifier term in a statement."""
        relations, _ = self.qualifiers.get(name, (set(), False))
        return [one.value for one in statement.qualifiers if one.relation.id in relations]


@dataclass(frozen=True, slots=True)
class _Row:
    value: Node | None
    statement: Statement | None = None


Rows = Mapping[str, _Row]
_UNKNOWN = _Row(None)


class Evaluator:
    """Evaluates parts of a program.

    Args:
        judged: what was judged of clauses; used of a clause only where it cannot be computed.
    """

    def __init__(self, program: Program, grounds: Grounds, judged: Mapping[str, bool | None] | None = None) -> None:
        self.program, self.grounds, self.judged = program, grounds, dict(judged or {})
        self._scopes = _scopes(program)
        self._count = 0
        self._found: dict[tuple[str, str, str | None], tuple[list[_Row], bool]] = {}
        self._counted: dict[tuple[str, int], Count] = {}

    def truth(self, formula: Formula) -> bool | None:
        """Whether a part of the formula is true, one whose quantifiers are all within it (``units``).

        Raises:
            InputError: it takes too many combinations of values to tell.
        """
        return self._truth(formula, {})

    def clause(self, name: str) -> bool | None:
        """Whether a clause is true, with the quantifiers of all its own terms before it."""
        leaf = Formula("is", name=name)
        return self._quantified(leaf, [t for t in self.program.terms if t.name in _ranging(self.program, name)], {})

    def _truth(self, formula: Formula, rows: Rows) -> bool | None:
        return self._quantified(formula, self._scopes.get(formula, []), rows)

    def _quantified(self, formula: Formula, terms: list[Term], rows: Rows) -> bool | None:
        pending = [term for term in terms if term.name not in rows]
        if not pending:
            return self._combined(formula, rows)
        term, rest = pending[0], pending[1:]
        found, complete = self._rows(term, rows)
        if term.take == "one":
            found = [row for row in found if row.statement and row.statement.rank == "preferred"] or found
            found = found or [_Row(NO_VALUE) if complete else _UNKNOWN]
            each = self._each(formula, term, rest, rows, found)
            return each[0] if len(set(each)) == 1 else None
        each = self._each(formula, term, rest, rows, found if complete else [*found, _UNKNOWN])
        return kleene_or(each) if term.take == "some" else kleene_and(each)

    def _each(self, formula: Formula, term: Term, rest: list[Term], rows: Rows, found: list[_Row]) -> list[bool | None]:
        return [self._quantified(formula, rest, {**rows, term.name: row}) for row in found]

    def _combined(self, formula: Formula, rows: Rows) -> bool | None:
        if formula.op == "is":
            self._count += 1
            if self._count > _MOST:
                raise InputError(f"the axiom takes more than {_MOST:,} combinations of values to evaluate")
            truth = self._computed(self.program.clause(formula.name), rows)
            return self.judged.get(formula.name) if truth is None else truth
        values = [self._truth(part, rows) for part in formula.parts]
        if formula.op == "not":
            return kleene_not(values[0])
        return kleene_and(values) if formula.op == "and" else kleene_or(values)

    def _rows(self, term: Term, rows: Rows) -> tuple[list[_Row], bool]:
        """The values of a property as its parents are, and whether there are no others."""
        parent = self._value(str(term.of), rows)
        wanted = self._value(term.to, rows) if term.to else None
        if not isinstance(parent, (Entity, Literal)) or (term.to and not isinstance(wanted, (Entity, Literal))):
            return [], False
        key = (term.name, node_key(parent), node_key(wanted) if isinstance(wanted, (Entity, Literal)) else None)
        if key not in self._found:
            self._found[key] = self._rows_of(self.grounds.extents.get(term.name, []), parent, wanted)
        return self._found[key]

    def _rows_of(self, extents: list[Extent], parent: Node, wanted: Value) -> tuple[list[_Row], bool]:
        found = {
            statement.id: _Row(value, statement)
            for extent in extents
            for value, statement in extent.rows(parent)
            if wanted is None or compare("=", value, wanted) is True  # type: ignore[arg-type]
        }
        complete = isinstance(parent, Entity) and bool(extents)  # of a text the graph says nothing, and knows nothing
        return list(found.values()), complete and all(extent.complete for extent in extents)

    def _value(self, name: str, rows: Rows) -> Value:
        term = self.program.term(name)
        if term.kind in ("entity", "option"):
            return self.grounds.named.get(name)
        if term.kind == "constant":
            return term.literal()
        if term.kind == "property":
            return rows[name].value if name in rows else None
        if term.kind == "qualifier":
            return self._qualifier(term, rows)
        if term.kind == "count":
            return self._number(self.program.term(str(term.of)), rows)
        sides = [self._value(part, rows) if part else None for part in (term.of, term.to)]
        known = [side if isinstance(side, (Entity, Literal)) else None for side in sides]
        if term.kind == "interval":
            return period(*known) if any(known) else None
        left, right = known[0], known[1] if len(term.parts) > 1 else None
        if left is None or (right is None and len(term.parts) > 1):
            return None
        return apply(term.kind, left, right)

    def _number(self, term: Term, rows: Rows) -> Count:
        found, complete = self._rows(term, rows)
        key = (term.name, id(found))  # the list is kept in ``_found``, or empty
        if not found or key not in self._counted:
            said = [(row.value, row.statement.graph) for row in found if row.value is not None and row.statement]
            self._counted[key] = counted(said, complete)
        return self._counted[key]

    def _qualifier(self, term: Term, rows: Rows) -> Node | None:
        row = rows.get(str(term.of), _UNKNOWN)
        if row.statement is None:
            return None
        values = self.grounds.qualifying(term.name, row.statement)
        if values:
            return values[0] if len(values) == 1 else None
        return NO_VALUE if self.grounds.qualifiers.get(term.name, (set(), False))[1] else None

    def _computed(self, clause: Clause, rows: Rows) -> bool | None:
        if clause.op == "words":
            return None
        if clause.op == "exists":
            return self._exists(self.program.term(str(clause.left)), rows)
        left, right = (self._value(str(side), rows) for side in (clause.left, clause.right))
        if left is None or right is None:
            return None
        if clause.op == "member_of":
            return member(left, right, *self.grounds.classes.get(clause.name, ([], False)))
        return compared(clause.op, self._measured(clause.left, left, right), self._measured(clause.right, right, left))

    def _measured(self, side: str | None, value: Value, other: Value) -> Value:
        """A plain constant beside a duration counts years, beside a distance kilometres."""
        if not (isinstance(value, Literal) and isinstance(other, Literal) and value.kind == other.kind == "quantity"):
            return value
        plain = value.unit is None and self.program.term(str(side)).kind == "constant"
        return replace(value, unit=other.unit) if plain and other.unit in _COMPUTED else value

    def _exists(self, term: Term, rows: Rows) -> bool | None:
        if term.kind == "qualifier":
            value = self._qualifier(term, rows)
            return None if value is None else not (isinstance(value, Literal) and value.kind == "no_value")
        found, complete = self._rows(term, rows)
        values = [row.value for row in found]
        if any(not (isinstance(value, Literal) and value.kind == "no_value") for value in values):
            return True
        silent = len({row.statement.relation.id for row in found if row.statement}) < len(self._relations(term))
        return False if complete or (values and not silent) else None

    def _relations(self, term: Term) -> set[str]:
        return {extent.relation for extent in self.grounds.extents.get(term.name, [])}


def _ranging(program: Program, clause: str) -> set[str]:
    """The properties whose values a clause ranges over: not those that it counts, or asks to exist."""
    said = program.clause(clause)
    queue = list(said.parts)
    if said.op == "exists" and program.term(str(said.left)).kind == "property":
        queue = list(program.term(str(said.left)).parts)
    found: set[str] = set()
    while queue:
        term = program.term(queue.pop())
        if term.kind == "count":
            queue.extend(program.term(str(term.of)).parts)
            continue
        if term.kind == "property":
            found.add(term.name)
        queue.extend(term.parts)
    return found


def _scopes(program: Program) -> dict[Formula, list[Term]]:
    """The part of the formula that each property ranges over; in one part, parents first."""
    ranging = {clause.name: _ranging(program, clause.name) for clause in program.clauses}
    scopes: dict[Formula, list[Term]] = {}
    for term in program.terms:
        clauses = {name for name, terms in ranging.items() if term.name in terms}
        if not clauses:
            continue
        scope = program.tree
        while True:
            inside = [part for part in scope.parts if names_of(part) & clauses]
            if len(inside) != 1:
                break
            scope = inside[0]
        scopes.setdefault(scope, []).append(term)
    return scopes


def units(program: Program) -> list[Formula]:
    """The largest parts of the formula that can be evaluated each by itself, since no quantifier spans two."""
    scopes = _scopes(program)

    def split(formula: Formula) -> Iterator[Formula]:
        if formula.op == "is" or formula in scopes:
            yield formula
        else:
            for part in formula.parts:
                yield from split(part)

    return list(dict.fromkeys(split(program.tree)))
