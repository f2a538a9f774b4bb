"""From an axiom whose terms are known to a program: its clauses and its formula, in Kleene's three-valued logic.

A property's ``take`` is a quantifier: ``one``, ``some`` or ``every`` around the smallest part of the formula that holds
every clause which mentions it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import prod

from toulmin.errors import InputError
from toulmin.graph.labels import normalise
from toulmin.graph.types import Entity, Literal, Node
from toulmin.graph.values import compare, time_of
from toulmin.methods.r3.axioms.formula import Formula, names_of
from toulmin.methods.r3.axioms.language import AxiomClause, Program, Take, Term
from toulmin.methods.r3.axioms.meanings import Meanings, UnnamedWords
from toulmin.methods.r3.axioms.term_sets import Bound, TermSets

__all__ = ["Compiler"]

_MOST_LITERALS = 200  # told apart, each from all others
_MOST = 20_000  # combinations of values of one part; a check would take too long
_SIGNS = {"!=": "≠", "<=": "≤", ">=": "≥"}  # the others are as programs write them
_CALCULATED = {"duration": "year", "distance": "kilometre"}  # units of what is computed


class Compiler:
    """Puts an axiom's formula into a program.

    Args:
        fixed: nodes that stand in place of clauses: what was judged of them, or that nothing is known.
        takes: what a term takes in place of what it says.
    """

    def __init__(
        self, sets: TermSets, fixed: Mapping[str, int] | None = None, takes: Mapping[Take, Take] | None = None
    ) -> None:
        self._sets, self._fixed, self._takes = sets, dict(fixed or {}), takes or {}
        self._builder, self._program = sets.builder, sets.program
        self._scopes = _scopes(sets.program, sets.meanings, self._fixed)
        for terms in self._scopes.values():
            if prod(max(1, len(sets.values(term.name))) for term in terms) > _MOST:
                raise InputError(f"the axiom takes more than {_MOST:,} combinations of values to evaluate")

    def clause(self, name: str) -> int | None:
        """A clause by itself, with the quantifiers of all its terms before it; None: no program can say it."""
        ranging = _ranging(self._program, self._sets.meanings, name)
        try:
            return self._bound(Formula("is", name=name), [t for t in self._program.terms if t.name in ranging], {})
        except InputError:  # what names nothing, or what compares what is named with what is named
            return None

    def formula(self, formula: Formula, bound: Bound | None = None) -> int:
        """A part of the formula, one whose quantifiers are all within it (``units``).

        Raises:
            InputError: no program can say it.
        """
        bound = bound or {}
        pending = [term for term in self._scopes.get(formula, ()) if term.name not in bound]
        if pending:
            return self._bound(formula, pending, bound)
        if formula.op == "is":
            return self._clause(formula.name, bound)
        return self._joined(formula.op, [self.formula(part, bound) for part in formula.parts])

    def units(self) -> list[Formula]:
        """The largest parts of the formula that can be evaluated each by itself, since no quantifier spans two."""

        def split(formula: Formula) -> Iterator[Formula]:
            if formula.op == "is" or formula in self._scopes:
                yield formula
            else:
                for part in formula.parts:
                    yield from split(part)

        return list(dict.fromkeys(split(self._program.tree)))

    def _joined(self, op: str, parts: Sequence[int]) -> int:
        if op == "not":
            return self._builder.not_(parts[0])
        return self._builder.and_(*parts) if op == "and" else self._builder.or_(*parts)

    def _bound(self, formula: Formula, terms: Sequence[Term], bound: Bound) -> int:
        """A formula with variables for some terms; parts that mention none of them stand beside it."""
        if not terms:
            return self.formula(formula, bound)
        names = {term.name for term in terms}
        beside = [part for part in formula.parts if not names & self._mentioned(part)] if formula.op != "not" else []
        if beside:
            inside = Formula(formula.op, tuple(part for part in formula.parts if part not in beside))
            parts = [self.formula(part, bound) for part in beside]
            return self._joined(formula.op, [*parts, self._bound(inside, terms, bound)])
        term, further = terms[0], terms[1:]
        of = self._sets.every(term, bound) if term.kind == "property" else self._sets.place(term.name, bound)
        if of is None:
            raise InputError(f"nothing is known of {term.name!r}")
        take = self._takes.get(term.take, term.take) if term.kind == "property" else "one"
        binder = {"one": self._builder.one, "some": self._builder.some, "all": self._builder.every}[take]
        return binder(of, lambda it: self._bound(formula, further, {**bound, term.name: it}))

    def _mentioned(self, formula: Formula) -> set[str]:
        names = names_of(formula) - self._fixed.keys()
        return {term for name in names for term in _ranging(self._program, self._sets.meanings, name)}

    # -- clauses -----------------------------------------------------------------------------------------------------

    def _clause(self, name: str, bound: Bound) -> int:
        if name in self._fixed:
            return self._fixed[name]
        clause = self._program.clause(name)
        if clause.op == "words":
            raise InputError(f"clause {name!r} is in words")
        if clause.op == "exists":
            return self._builder.exists(self._place(str(clause.left), bound))
        if clause.op == "member_of":
            return self._member(clause, bound)
        return self._compared(clause, bound)

    def _place(self, name: str, bound: Bound) -> int:
        term = self._program.term(name)
        if term.kind not in ("entity", "option", "constant", "property", "qualifier", "count"):
            for part in term.parts:
                if self._program.term(part).kind == "count":
                    raise InputError(f"a number that may be higher is no part of {name!r}")
        several = hasattr(self._builder.graph, "graphs")
        if term.kind == "count" and not _are_distinct(self._sets.values(str(term.of)), several=several):
            raise InputError(f"some values of {term.of!r} may be one")
        place = self._sets.place(name, bound)
        if place is None:
            raise InputError(f"nothing is known of {name!r}")
        return place

    def _member(self, clause: AxiomClause, bound: Bound) -> int:
        membership = self._sets.meanings.classes.get(clause.name)
        values = [value for side in clause.parts for value in self._sets.values(side)]
        if membership is None or any(isinstance(value, Literal) for value in values):
            raise InputError("nothing is known of what it is")
        words = self._words(clause.right)
        if words is not None and not words.complete:
            raise InputError(f"nothing is called {words.text!r}")
        right = self._builder.literal(words.text) if words is not None else self._place(str(clause.right), bound)
        left = self._place(str(clause.left), bound)
        return self._builder.is_a(
            left, right, membership.instance, membership.subclass, membership.disjoint, closed=membership.closed
        )

    def _words(self, name: str | None) -> UnnamedWords | None:
        """The words that a term is, where no entity is called so."""
        named = self._sets.meanings.named.get(str(name))
        return named if isinstance(named, UnnamedWords) else None

    def _compared(self, clause: AxiomClause, bound: Bound) -> int:
        left, right = str(clause.left), str(clause.right)
        if clause.op in ("=", "!="):
            for name, beside in ((left, right), (right, left)):
                if (words := self._words(name)) is not None:
                    return self._unnamed(words, beside, clause, bound)
            constant = any(self._program.term(name).kind == "constant" for name in (left, right))
            for first, second in product(self._sets.values(left), self._sets.values(right)):
                if _is_namesake(first, second) or (_is_respelled(first, second) and not constant):
                    raise InputError(f"{left!r} and {right!r} may be one by their names")
        sides = [self._side(name, beside, bound) for name, beside in ((left, right), (right, left))]
        return self._builder.compare(_SIGNS.get(clause.op, clause.op), *sides)

    def _unnamed(self, words: UnnamedWords, compared: str, clause: AxiomClause, bound: Bound) -> int:
        """Whether something is what no entity is called: a text that says so is; else it is open, or it is not."""
        values = self._sets.values(compared)
        texts = [value for value in values if isinstance(value, Literal) and value.kind == "string"]
        same = [value for value in texts if normalise(value.value) == normalise(words.text)]
        takes_some = self._program.term(compared).take == "some"
        if same and (takes_some or len(same) == len(values)):
            return self._builder.compare(
                _SIGNS.get(clause.op, clause.op), self._place(compared, bound), self._builder.literal(same[0])
            )
        if not words.complete or same or not all(isinstance(value, Entity) or value in texts for value in values):
            raise InputError(f"nothing is called {words.text!r}")
        both = self._builder.intersection(self._place(compared, bound), self._builder.literal(words.text))
        among = self._builder.exists(self._builder.complete(both))
        return among if clause.op == "=" else self._builder.not_(among)

    def _side(self, name: str, beside: str, bound: Bound) -> int:
        """A side of a comparison; a constant as the other side writes it, and in its unit."""
        term = self._program.term(name)
        if term.kind != "constant":
            return self._place(name, bound)
        value = term.literal()
        if value.kind == "time" and self._program.term(beside).is_number and value.value.isdigit():
            value = Literal(value.value, "quantity")  # a number of a year, not a year
        if value.kind == "string":
            alike = [spelled for spelled in self._sets.values(beside) if _is_respelled(spelled, value)]
            value = alike[0] if alike and isinstance(alike[0], Literal) else value
        if value.kind == "quantity" and value.unit is None:
            value = replace(value, unit=self._unit(self._program.term(beside)))
        return self._builder.literal(value)

    def _unit(self, term: Term) -> str | None:
        """The unit in which a plain number counts beside a term: years beside a duration, kilometres a distance."""
        if term.kind in _CALCULATED:
            return _CALCULATED[term.kind]
        if term.kind in ("sum", "difference", "product"):
            parts = [self._program.term(part) for part in term.parts]
            if term.kind == "difference" and all(self._is_time(part.name) for part in parts):
                return "year"
            units = {self._unit(part) for part in parts} - {None}
        else:
            units = {value.unit for value in self._sets.values(term.name) if isinstance(value, Literal)}
        unit = units.pop() if len(units) == 1 else None
        return unit if unit in _CALCULATED.values() else None

    def _is_time(self, name: str) -> bool:
        values = self._sets.values(name)
        times = [value for value in values if not (isinstance(value, Literal) and value.kind == "quantity")]
        return bool(values) and len(times) == len(values) and all(time_of(value) is not None for value in times)


def _ranging(program: Program, meanings: Meanings, clause: str) -> set[str]:
    """The properties whose values a clause ranges over: not those that it counts, orders, or asks to exist.

    The latest or earliest of some too; qualifiers where a missing one means that there is none.
    """
    asserted = program.clause(clause)
    if asserted.op == "words":  # it names terms for them to be looked up, and is judged as a whole
        return set()
    queue = list(program.term(str(asserted.left)).parts if asserted.op == "exists" else asserted.parts)
    ranging: set[str] = set()
    while queue:
        term = program.term(queue.pop())
        if term.kind == "count" or term.is_end:
            ranging |= {term.name} if term.is_end else set()
            of = program.term(str(term.of))
            queue.extend(of.parts if of.kind == "property" else program.term(str(of.of)).parts)
            continue
        if term.kind == "property" or meanings.qualifiers.get(term.name, ("", False))[1]:
            ranging.add(term.name)
        queue.extend(term.parts)
    return ranging


def _scopes(program: Program, meanings: Meanings, fixed: Mapping[str, int]) -> dict[Formula, list[Term]]:
    """The part of the formula that each property ranges over; in one part, parents first."""
    names = [clause.name for clause in program.clauses if clause.name not in fixed]
    ranging = {name: _ranging(program, meanings, name) for name in names}
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


def _is_namesake(left: Node, right: Node) -> bool:
    """Whether two are different entities of one name, which in two graphs may be one."""
    if not (isinstance(left, Entity) and isinstance(right, Entity)) or left.id == right.id or left.label is None:
        return False
    return normalise(left.label) == normalise(right.label or "")


def _is_respelled(left: Node, right: Node) -> bool:
    """Whether two are texts that differ in case, accents or spaces only."""
    texts = [node.value for node in (left, right) if isinstance(node, Literal) and node.kind == "string"]
    return len(texts) == 2 and texts[0] != texts[1] and normalise(texts[0]) == normalise(texts[1])


def _are_distinct(nodes: Sequence[Node], *, several: bool) -> bool:
    """Whether no two of some nodes may be one: values that do not surely differ, and of several graphs namesakes."""
    names = [normalise(node.label or node.id) for node in nodes if isinstance(node, Entity)]
    literals = [node for node in nodes if isinstance(node, Literal)]
    if (several and len(set(names)) < len(names)) or len(literals) > _MOST_LITERALS:
        return False
    return all(
        compare("=", later, earlier) is False and not _is_respelled(later, earlier)
        for earlier, later in combinations(literals, 2)
    )
