"""A part of SPARQL, parsed: columns and numbers over triples, paths, UNION, OPTIONAL, filters, groups, ORDER BY, LIMIT.

What lies beyond is refused, by name.
"""

from __future__ import annotations

from collections.abc import Mapping

from toulmin.errors import QueryError
from toulmin.graph.rdf_store import NAMES_GRAPH
from toulmin.graph.types import Entity, Node
from toulmin.graph.xsd import RDF
from toulmin.program.sparql_syntax import Column, GroupPattern, Measure, ParsedQuery, Step, Triple, Var
from toulmin.program.sparql_terms import Terms

__all__ = ["parse"]

_NAMES = frozenset(
    ("http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2004/02/skos/core#altLabel"),
)


def parse(text: str, prefixes: Mapping[str, str]) -> ParsedQuery:
    """The query of a text.

    Args:
        prefixes: names that count as declared.

    Raises:
        QueryError: malformed, or not of the part that is read.
    """
    return _Parser(text, prefixes).query()


class _Parser(Terms):
    def __init__(self, text: str, prefixes: Mapping[str, str]) -> None:
        super().__init__(text, prefixes)
        self._fresh = 0

    # -- query -------------------------------------------------------------------------------------------------------

    def query(self) -> ParsedQuery:
        while self._took("PREFIX"):
            name, iri = self._next()[1], self._next()[1]
            self._prefixes[name.rstrip(":")] = iri[1:-1]
        if self._took("ASK"):
            self._took("WHERE")
            made = ParsedQuery(self._group())
        else:
            self._need("SELECT")
            made = self._select()
        self._modifiers(made)
        if self._at < len(self._tokens):
            raise QueryError(f"SPARQL query: {self._peek()[:40]!r} does not translate")
        return made

    def _select(self) -> ParsedQuery:
        self._took("DISTINCT")
        columns: list[Column] = []
        while self._peek() not in ("{", "") and self._peek().upper() != "WHERE":
            if not self._took("("):
                columns.append(self._var())
                continue
            number = self._number()
            if number is None:
                raise QueryError(f"SPARQL query: {self._peek()[:40]!r} does not translate as a column")
            self._need("AS")
            self._names[self._var().name] = number
            self._need(")")
            columns.append(number)
        if not columns:
            raise QueryError("SPARQL query: nothing is selected")
        self._took("WHERE")
        return ParsedQuery(self._group(), columns, self._names)

    def _modifiers(self, made: ParsedQuery) -> None:
        if self._took("GROUP", "BY"):
            made.group_by.append(self._var())
            while self._peek()[:1] in ("?", "$"):
                made.group_by.append(self._var())
        if self._took("HAVING"):
            made.having.append(self._condition())
        if self._took("ORDER", "BY"):
            made.order.append(self._key())
            while self._peek()[:1] in ("?", "$") or self._peek().upper() in ("ASC", "DESC", "COUNT", "SUM", "AVG"):
                made.order.append(self._key())
        while (limit := self._took("LIMIT")) or self._took("OFFSET"):
            number = self._next()[1]
            if not number.isdecimal():
                raise QueryError(f"SPARQL query: {number[:40]!r} is no whole number")
            if limit:
                made.limit = int(number)
            else:
                made.offset = int(number)

    def _key(self) -> tuple[Column, bool]:
        last = self._took("DESC")
        bracket = (last or self._took("ASC")) and self._took("(")
        key = self._operand()
        if not isinstance(key, Var | Measure):
            raise QueryError("SPARQL query: what it is ordered by does not translate")
        if bracket:
            self._need(")")
        return key, last

    # -- patterns ----------------------------------------------------------------------------------------------------

    def _group(self) -> GroupPattern:
        self._need("{")
        self._deeper()
        made = GroupPattern()
        while not self._took("}"):
            if self._took("FILTER"):
                negated = self._took("NOT", "EXISTS")
                if negated or self._took("EXISTS"):
                    made.exists.append((not negated, self._group()))
                else:
                    made.filters.append(self._condition())
            elif self._took("MINUS"):
                made.exists.append((False, self._group()))
            elif self._took("OPTIONAL"):
                made.optional.append(self._group())
            elif self._took("VALUES"):
                made.values.append(self._values())
            elif self._took("GRAPH"):
                self._in_names(made)
            elif self._peek() == "{":
                parts = [self._group()]
                while self._took("UNION"):
                    parts.append(self._group())
                made.unions.append(parts)
            elif not self._took("."):
                self._triples(made)
        self._depth -= 1
        self._unbound(made)
        return made

    def _values(self) -> tuple[Var, list[Node]]:
        variable, found = self._var(), list[Node]()
        self._need("{")
        while not self._took("}"):
            found.append(self._node())
        if not found:
            raise QueryError("SPARQL query: VALUES without a value does not translate")
        return variable, found

    def _in_names(self, made: GroupPattern) -> None:
        """Labels are statements to a program, though they lie in a graph of their own."""
        name, inner = self._node(), self._group()
        plain = not (inner.unions or inner.exists or inner.optional or inner.values)
        relations = {one for triple in inner.triples for step in triple.path for one in step.relations}
        if name != Entity(NAMES_GRAPH) or not plain or not relations <= _NAMES:
            raise QueryError("SPARQL query: GRAPH does not translate, but for labels")
        made.triples += inner.triples
        made.filters += inner.filters

    def _unbound(self, made: GroupPattern) -> None:
        """OPTIONAL with BOUND: what must, or must not, have a solution."""
        for one in list(made.filters):
            negated = one[0] == "not" and one[1][0][0] == "bound"
            if not negated and one[0] != "bound":
                continue
            variable = (one[1][0] if negated else one)[1][0]
            found = [inner for inner in made.optional if _names(inner, variable)]
            if len(found) != 1:
                raise QueryError("SPARQL query: BOUND of what is in no OPTIONAL does not translate")
            made.filters.remove(one)
            made.exists.append((not negated, found[0]))
            if negated:
                made.optional.remove(found[0])

    def _triples(self, made: GroupPattern) -> None:
        subject = self._term()
        while True:
            path = self._path()
            while True:
                self._add(made, subject, path, self._term())
                if not self._took(","):
                    break
            if not self._took(";"):
                return
            if self._peek() in (".", "}"):
                return

    def _add(self, made: GroupPattern, subject: Var | Node, path: list[Step], end: Var | Node) -> None:
        """A path of several steps leads over variables of its own, but where it climbs classes."""
        while len(path) > 1 and not path[1].star:
            self._fresh += 1
            middle = Var(f" {self._fresh}")
            made.triples.append(Triple(subject, (path[0],), middle))
            subject, path = middle, path[1:]
        if path[0].star or len(path) > 2:
            raise QueryError("SPARQL query: this path does not translate")
        made.triples.append(Triple(subject, tuple(path), end))

    def _path(self) -> list[Step]:
        steps = [self._step()]
        while self._took("/"):
            steps.append(self._step())
        return steps

    def _step(self) -> Step:
        if self._took("("):
            found = [self._step()]
            while self._took("|"):
                found.append(self._step())
            self._need(")")
        else:
            backward = self._took("^")
            found = [Step((self._relation(),), backward)]
            while self._took("|"):
                backward = self._took("^")
                found.append(Step((self._relation(),), backward))
        if len({one.backward for one in found}) > 1 or any(one.star for one in found):
            raise QueryError("SPARQL query: this path does not translate")
        star = self._took("*")
        if self._peek() in ("+", "?"):
            raise QueryError("SPARQL query: paths with + and ? do not translate")
        return Step(tuple(relation for one in found for relation in one.relations), found[0].backward, star)

    def _relation(self) -> str:
        if self._took("A"):
            return RDF + "type"
        found = self._term()
        if not isinstance(found, Entity):
            raise QueryError("SPARQL query: a variable for a relation does not translate")
        return found.id


def _names(group: GroupPattern, variable: Var) -> bool:
    return any(variable in (one.subject, one.object) for one in group.triples)
