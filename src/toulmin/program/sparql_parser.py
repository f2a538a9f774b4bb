"""A part of SPARQL, parsed: a variable (or a number of it, or ASK) of triples, paths, UNION, filters, ORDER BY, LIMIT.

What lies beyond is refused, by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from toulmin.errors import QueryError
from toulmin.graph.rdf_store import id_of_iri
from toulmin.graph.types import Entity, Literal, Node
from toulmin.graph.xsd import RDF, XSD, literal_from_rdf

__all__ = ["Group", "Query", "Step", "Triple", "Var", "parse", "variables"]

_TOKEN = re.compile(
    r"""
      (?P<blank> [ \t\r\n]+ | \#[^\r\n]* )
    | (?P<string> "(?:[^"\\\r\n]|\\.)*" | '(?:[^'\\\r\n]|\\.)*' )
    | (?P<iri> <[^<>"{}|^`\\\x00-\x20]*> )
    | (?P<var> [?$]\w+ )
    | (?P<name> (?:[^\W\d_][\w.-]*)?:(?:[\w.-]*[\w-])? )
    | (?P<lang> @[A-Za-z][A-Za-z0-9-]* )
    | (?P<number> [+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)? )
    | (?P<word> [^\W\d]\w* )
    | (?P<sign> \|\||&&|\^\^|[<>!]=|. )
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_COMPARISONS = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
_NUMBERS = {"COUNT": "count", "SUM": "sum", "AVG": "mean", "MIN": "min", "MAX": "max"}
_NESTED = 40  # brackets


@dataclass(frozen=True, slots=True)
class Var:
    """A variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a path: any of some relations, forward or (``^``) backward, once or (``*``) as often as one likes."""

    relations: tuple[str, ...]
    backward: bool = False
    star: bool = False


@dataclass(frozen=True, slots=True)
class Triple:
    """A pattern; ends are variables or nodes."""

    subject: Var | Node
    path: tuple[Step, ...]
    object: Var | Node


@dataclass(slots=True)
class Group:
    """What stands between braces: triples, filters, alternatives, and groups that must (not) have a solution.

    A filter is ``(operator, operands)``: "and", "or", "not" of filters, or a comparison of variables, nodes and
    ``("year", variable)``.
    """

    triples: list[Triple] = field(default_factory=list)
    filters: list[tuple[str, list[Any]]] = field(default_factory=list)
    unions: list[list[Group]] = field(default_factory=list)
    exists: list[tuple[bool, Group]] = field(default_factory=list)


@dataclass(slots=True)
class Query:
    """A query.

    Attributes:
        of: the variable that is selected; None of ASK.
        number: what is asked for of it, "count", "sum", "mean", "min" or "max"; ``distinct``: of its distinct values.
        order: the variable to order by, or ("count", variable); with ``last`` from the greatest.
    """

    where: Group
    of: Var | None
    number: str | None = None
    distinct: bool = False
    group_by: Var | None = None
    order: Any = None
    last: bool = False
    limit: int | None = None
    offset: int = 0


def parse(text: str, prefixes: Mapping[str, str]) -> Query:
    """The query of a text.

    Args:
        prefixes: names that count as declared.

    Raises:
        QueryError: malformed, or not of the part that is read.
    """
    return _Parser(text, prefixes).query()


class _Parser:
    def __init__(self, text: str, prefixes: Mapping[str, str]) -> None:
        self._tokens = [(m.lastgroup or "", m[0]) for m in _TOKEN.finditer(text) if m.lastgroup != "blank"]
        self._at, self._depth, self._fresh = 0, 0, 0
        self._prefixes = dict(prefixes)

    # -- tokens ------------------------------------------------------------------------------------------------------

    def _peek(self) -> str:
        return self._tokens[self._at][1] if self._at < len(self._tokens) else ""

    def _next(self) -> tuple[str, str]:
        if self._at >= len(self._tokens):
            raise QueryError("SPARQL query: ends too early")
        self._at += 1
        return self._tokens[self._at - 1]

    def _took(self, *words: str) -> bool:
        """Take these words, if they come next."""
        found = [content.upper() for _, content in self._tokens[self._at : self._at + len(words)]]
        if found != list(words):
            return False
        self._at += len(words)
        return True

    def _need(self, word: str) -> None:
        if not self._took(word):
            raise QueryError(f"SPARQL query: {word} expected, not {self._peek()[:40]!r}, in the part that translates")

    # -- query -------------------------------------------------------------------------------------------------------

    def query(self) -> Query:
        while self._took("PREFIX"):
            name, iri = self._next()[1], self._next()[1]
            self._prefixes[name.rstrip(":")] = iri[1:-1]
        if self._took("ASK"):
            self._took("WHERE")
            made = Query(self._group(), None)
        else:
            self._need("SELECT")
            made = self._select()
        self._modifiers(made)
        if self._at < len(self._tokens):
            raise QueryError(f"SPARQL query: {self._peek()[:40]!r} does not translate")
        return made

    def _select(self) -> Query:
        distinct = self._took("DISTINCT")
        number = next((name for word, name in _NUMBERS.items() if self._took("(", word, "(")), None)
        if number is not None:
            distinct = self._took("DISTINCT")
            of = None if number == "count" and self._took("*") else self._var()
            self._need(")")
            self._need("AS")
            self._var()
            self._need(")")
        else:
            of = self._var()
        self._took("WHERE")
        where = self._group()
        every = variables(where)
        if of is None and len(every) == 1:
            of = Var(*every)
        if of is None or (number == "count" and not distinct and len(every) > 1):
            raise QueryError("SPARQL query: a count of solutions, not of distinct values, does not translate")
        return Query(where, of, number, distinct)

    def _modifiers(self, made: Query) -> None:
        if self._took("GROUP", "BY"):
            made.group_by = self._var()
        if self._took("ORDER", "BY"):
            made.last = self._took("DESC")
            bracket = (made.last or self._took("ASC")) and self._took("(")
            if self._took("COUNT", "("):
                self._took("DISTINCT")
                made.order = ("count", self._var())
                self._need(")")
            else:
                made.order = self._var()
            if bracket:
                self._need(")")
        while (limit := self._took("LIMIT")) or self._took("OFFSET"):
            number = self._next()[1]
            if not number.isdecimal():
                raise QueryError(f"SPARQL query: {number[:40]!r} is no whole number")
            if limit:
                made.limit = int(number)
            else:
                made.offset = int(number)

    # -- patterns ----------------------------------------------------------------------------------------------------

    def _group(self) -> Group:
        self._need("{")
        self._depth += 1
        if self._depth > _NESTED:
            raise QueryError(f"SPARQL query: nests more than {_NESTED} levels deep")
        made = Group()
        while not self._took("}"):
            if self._took("FILTER"):
                negated = self._took("NOT", "EXISTS")
                if negated or self._took("EXISTS"):
                    made.exists.append((not negated, self._group()))
                else:
                    made.filters.append(self._bracketed())
            elif self._took("MINUS"):
                made.exists.append((False, self._group()))
            elif self._peek() == "{":
                parts = [self._group()]
                while self._took("UNION"):
                    parts.append(self._group())
                made.unions.append(parts)
            elif not self._took("."):
                self._triples(made)
        self._depth -= 1
        return made

    def _triples(self, made: Group) -> None:
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

    def _add(self, made: Group, subject: Var | Node, path: list[Step], end: Var | Node) -> None:
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
                found.append(Step((self._relation(),), self._took("^")))
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

    def _var(self) -> Var:
        kind, content = self._next()
        if kind != "var":
            raise QueryError(f"SPARQL query: a variable expected, not {content[:40]!r}, in the part that translates")
        return Var(content[1:])

    def _term(self) -> Var | Node:
        kind, content = self._next()
        if kind == "var":
            return Var(content[1:])
        if kind in ("iri", "name"):
            return Entity(id_of_iri(self._iri(kind, content)))
        if kind == "number":
            kind = "integer" if content.lstrip("+-").isdecimal() else "decimal"
            return literal_from_rdf(content, XSD + kind, None)
        if kind == "word" and content.lower() in ("true", "false"):
            return Literal(content.lower(), "boolean")
        if kind != "string":
            raise QueryError(f"SPARQL query: {content[:40]!r} does not translate")
        text = re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), content[1:-1])
        if self._took("^^"):
            return literal_from_rdf(text, self._iri(*self._next()), None)
        lang = self._next()[1][1:] if self._peek().startswith("@") else None
        return literal_from_rdf(text, RDF + "langString" if lang else XSD + "string", lang)

    def _iri(self, kind: str, content: str) -> str:
        if kind == "iri":
            return content[1:-1]
        prefix, _, local = content.partition(":")
        if prefix not in self._prefixes:
            raise QueryError(f"SPARQL query: the prefix {prefix[:40]}: is not declared")
        return self._prefixes[prefix] + local

    # -- filters -----------------------------------------------------------------------------------------------------

    def _bracketed(self) -> tuple[str, list[Any]]:
        self._need("(")
        self._depth += 1
        if self._depth > _NESTED:
            raise QueryError(f"SPARQL query: nests more than {_NESTED} levels deep")
        found = self._either()
        self._need(")")
        self._depth -= 1
        return found

    def _either(self) -> tuple[str, list[Any]]:
        parts = [self._both()]
        while self._took("||"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else ("or", parts)

    def _both(self) -> tuple[str, list[Any]]:
        parts = [self._single()]
        while self._took("&&"):
            parts.append(self._single())
        return parts[0] if len(parts) == 1 else ("and", parts)

    def _single(self) -> tuple[str, list[Any]]:
        if self._took("!"):
            return "not", [self._single()]
        if self._peek() == "(":
            return self._bracketed()
        left = self._operand()
        sign = self._next()[1]
        if sign not in _COMPARISONS:
            raise QueryError(f"SPARQL query: {sign[:40]!r} does not translate in a filter")
        return _COMPARISONS[sign], [left, self._operand()]

    def _operand(self) -> Any:
        if self._took("YEAR", "("):
            variable = self._var()
            self._need(")")
            return "year", variable
        return self._term()


def variables(group: Group) -> set[str]:
    """The names of the variables of its patterns, and of those of groups within it."""
    found = {end.name for one in group.triples for end in (one.subject, one.object) if isinstance(end, Var)}
    inner = [part for parts in group.unions for part in parts] + [part for _, part in group.exists]
    return found.union(*map(variables, inner))
