"""A part of SPARQL, parsed: columns and numbers over triples, paths, UNION, OPTIONAL, filters, groups, ORDER BY, LIMIT.

What lies beyond is refused, by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from toulmin.errors import QueryError
from toulmin.graph.rdf_store import NAMES_GRAPH, id_of_iri
from toulmin.graph.types import Entity, Literal, Node
from toulmin.graph.xsd import RDF, XSD, literal_from_rdf
from toulmin.program.sparql_syntax import Column, Filter, GroupPattern, Measure, ParsedQuery, Step, Triple, Var

__all__ = ["parse"]

_NAMES = frozenset(
    ("http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2004/02/skos/core#altLabel"),
)
_NESTED = 40  # brackets
_TOKEN = re.compile(
    r"""
      (?P<blank> [ \t\r\n]+ | \#[^\r\n]* )
    | (?P<string> "(?:[^"\\\r\n]|\\.)*" | '(?:[^'\\\r\n]|\\.)*' )
    | (?P<iri> <[^<>"{}|^`\\\x00-\x20]*> )
    | (?P<var> [?$]\w+ )
    | (?P<name> (?:[^\W\d_][\w.-]*)?:(?:[\w.%-]*[\w%-])? )
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
_FUNCTIONS = {"BOUND": "bound", "CONTAINS": "contains", "STRSTARTS": "starts", "REGEX": "contains"}
#: What a text of a value is, whatever its case, is for a program to say.
_WRAPPERS = ("STR", "LCASE", "UCASE")
_CASTS = frozenset(XSD + name for name in ("decimal", "integer", "double", "float", "string"))
_PLAIN = re.compile(r"\^?[\w ,'-]+")

_T = TypeVar("_T")


def parse(text: str, prefixes: Mapping[str, str]) -> ParsedQuery:
    """The query of a text.

    Args:
        prefixes: names that count as declared.

    Raises:
        QueryError: malformed, or not of the part that is read.
    """
    return _SparqlParser(text, prefixes).query()


class _SparqlParser:
    """Reads the tokens of a query, by recursive descent.

    Args:
        prefixes: names that count as declared.
    """

    def __init__(self, text: str, prefixes: Mapping[str, str]) -> None:
        self._tokens = [(m.lastgroup or "", m[0]) for m in _TOKEN.finditer(text) if m.lastgroup != "blank"]
        self._at, self._depth = 0, 0
        self._prefixes = dict(prefixes)
        self._names: dict[str, Measure] = {}  # numbers that go by a name
        self._fresh = 0

    def _peek(self) -> str:
        return self._tokens[self._at][1] if self._at < len(self._tokens) else ""

    def _next(self) -> tuple[str, str]:
        if self._at >= len(self._tokens):
            raise QueryError("SPARQL query: ends too early")
        self._at += 1
        return self._tokens[self._at - 1]

    def _took(self, *words: str) -> bool:
        """Take these words, if they come next."""
        upcoming = [content.upper() for _, content in self._tokens[self._at : self._at + len(words)]]
        if upcoming != list(words):
            return False
        self._at += len(words)
        return True

    def _need(self, word: str) -> None:
        if not self._took(word):
            raise QueryError(f"SPARQL query: {word} expected, not {self._peek()[:40]!r}, in the part that translates")

    def _several(self, read: Callable[[], _T], sign: str) -> list[_T]:
        """What stands between the signs, once or more often."""
        parts = [read()]
        while self._took(sign):
            parts.append(read())
        return parts

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > _NESTED:
            raise QueryError(f"SPARQL query: nests more than {_NESTED} levels deep")

    # -- terms -------------------------------------------------------------------------------------------------------

    def _var(self) -> Var:
        kind, content = self._next()
        if kind != "var":
            raise QueryError(f"SPARQL query: a variable expected, not {content[:40]!r}, in the part that translates")
        return Var(content[1:])

    def _node(self) -> Node:
        term = self._term()
        if isinstance(term, Var):
            raise QueryError(f"SPARQL query: ?{term.name[:40]} stands where only a value translates")
        return term

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

    def _number(self) -> Measure | None:
        """``COUNT(DISTINCT ?x)`` and the like, if one comes next."""
        name = next((name for word, name in _NUMBERS.items() if self._took(word, "(")), None)
        if name is None:
            return None
        distinct = self._took("DISTINCT")
        of = None
        if not (name == "count" and self._took("*")):
            operand = self._operand()
            if not isinstance(operand, Var):
                raise QueryError("SPARQL query: a number of anything but a variable does not translate")
            of = operand
        self._need(")")
        return Measure(name, of, distinct)

    # -- filters -----------------------------------------------------------------------------------------------------

    def _condition(self) -> Filter:
        """A condition in brackets, or a function."""
        return self._bracketed() if self._peek() == "(" else self._single()

    def _bracketed(self) -> Filter:
        self._need("(")
        self._deeper()
        condition = self._either()
        self._need(")")
        self._depth -= 1
        return condition

    def _either(self) -> Filter:
        return self._joined("or", "||", lambda: self._joined("and", "&&", self._single))

    def _joined(self, name: str, sign: str, read: Callable[[], Filter]) -> Filter:
        parts = self._several(read, sign)
        return parts[0] if len(parts) == 1 else (name, parts)

    def _single(self) -> Filter:
        if self._took("!"):
            self._deeper()
            condition = self._single()
            self._depth -= 1
            return "not", [condition]
        if self._peek() == "(":
            return self._bracketed()
        if (function := self._function()) is not None:
            return function
        left = self._operand()
        negated = self._took("NOT", "IN")
        if negated or self._took("IN"):
            self._need("(")
            parts: list[Any] = [("=", [left, value]) for value in self._several(self._node, ",")]
            self._need(")")
            either: Filter = ("or", parts) if len(parts) > 1 else parts[0]
            return ("not", [either]) if negated else either
        sign = self._next()[1]
        if sign not in _COMPARISONS:
            raise QueryError(f"SPARQL query: {sign[:40]!r} does not translate in a filter")
        return _COMPARISONS[sign], [left, self._operand()]

    def _function(self) -> Filter | None:
        function = next((word for word in _FUNCTIONS if self._took(word, "(")), None)
        if function is None:
            return None
        if function == "BOUND":
            operands: list[Any] = [self._var()]
        else:
            operands = [self._operand()]
            self._need(",")
            operands.append(self._node() if function == "REGEX" else self._operand())
        flags = self._node() if function == "REGEX" and self._took(",") else Literal("")
        self._need(")")
        return _matched(operands, flags) if function == "REGEX" else (_FUNCTIONS[function], operands)

    def _operand(self) -> Any:
        if self._took("YEAR", "("):
            variable = self._var()
            self._need(")")
            return "year", variable
        if (number := self._number()) is not None:
            return number
        if any(self._took(word, "(") for word in _WRAPPERS) or self._took_cast():
            self._deeper()
            operand = self._operand()
            self._need(")")
            self._depth -= 1
            return operand
        term = self._term()
        return self._names.get(term.name, term) if isinstance(term, Var) else term

    def _took_cast(self) -> bool:
        """Take the name of a type that is used as a function, and its bracket."""
        kind, content = self._tokens[self._at] if self._at < len(self._tokens) else ("", "")
        opens = self._at + 1 < len(self._tokens) and self._tokens[self._at + 1][1] == "("
        if kind not in ("iri", "name") or not opens or self._iri(kind, content) not in _CASTS:
            return False
        self._at += 2
        return True

    # -- query -------------------------------------------------------------------------------------------------------

    def query(self) -> ParsedQuery:
        while self._took("PREFIX"):
            name, iri = self._next()[1], self._next()[1]
            self._prefixes[name.rstrip(":")] = iri[1:-1]
        if self._took("ASK"):
            self._took("WHERE")
            query = ParsedQuery(self._group())
        else:
            self._need("SELECT")
            query = self._select()
        self._modifiers(query)
        if self._at < len(self._tokens):
            raise QueryError(f"SPARQL query: {self._peek()[:40]!r} does not translate")
        return query

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
        return ParsedQuery(self._group(), columns)

    def _modifiers(self, query: ParsedQuery) -> None:
        if self._took("GROUP", "BY"):
            query.group_by.append(self._var())
            while self._peek()[:1] in ("?", "$"):
                query.group_by.append(self._var())
        if self._took("HAVING"):
            query.having.append(self._condition())
        if self._took("ORDER", "BY"):
            query.order.append(self._key())
            while self._peek()[:1] in ("?", "$") or self._peek().upper() in ("ASC", "DESC", "COUNT", "SUM", "AVG"):
                query.order.append(self._key())
        while (limit := self._took("LIMIT")) or self._took("OFFSET"):
            number = self._next()[1]
            if not number.isdecimal():
                raise QueryError(f"SPARQL query: {number[:40]!r} is no whole number")
            if limit:
                query.limit = int(number)
            else:
                query.offset = int(number)

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
        group = GroupPattern()
        while not self._took("}"):
            if self._took("FILTER"):
                negated = self._took("NOT", "EXISTS")
                if negated or self._took("EXISTS"):
                    group.exists.append((not negated, self._group()))
                else:
                    group.filters.append(self._condition())
            elif self._took("MINUS"):
                group.exists.append((False, self._group()))
            elif self._took("OPTIONAL"):
                group.optional.append(self._group())
            elif self._took("VALUES"):
                group.values.append(self._values())
            elif self._took("GRAPH"):
                self._in_names(group)
            elif self._peek() == "{":
                group.unions.append(self._several(self._group, "UNION"))
            elif not self._took("."):
                self._triples(group)
        self._depth -= 1
        self._unbound(group)
        return group

    def _values(self) -> tuple[Var, list[Node]]:
        variable, nodes = self._var(), list[Node]()
        self._need("{")
        while not self._took("}"):
            nodes.append(self._node())
        if not nodes:
            raise QueryError("SPARQL query: VALUES without a value does not translate")
        return variable, nodes

    def _in_names(self, group: GroupPattern) -> None:
        """Labels are statements to a program, though they lie in a graph of their own."""
        name, inner = self._node(), self._group()
        plain = not (inner.unions or inner.exists or inner.optional or inner.values)
        relations = {relation for triple in inner.triples for step in triple.path for relation in step.relations}
        if name != Entity(NAMES_GRAPH) or not plain or not relations <= _NAMES:
            raise QueryError("SPARQL query: GRAPH does not translate, but for labels")
        group.triples += inner.triples
        group.filters += inner.filters

    def _unbound(self, group: GroupPattern) -> None:
        """OPTIONAL with BOUND: what must, or must not, have a solution."""
        for condition in list(group.filters):
            negated = condition[0] == "not" and condition[1][0][0] == "bound"
            if not negated and condition[0] != "bound":
                continue
            variable = (condition[1][0] if negated else condition)[1][0]
            groups = [
                inner for inner in group.optional if any(variable in (t.subject, t.object) for t in inner.triples)
            ]
            if len(groups) != 1:
                raise QueryError("SPARQL query: BOUND of what is in no OPTIONAL does not translate")
            group.filters.remove(condition)
            group.exists.append((not negated, groups[0]))
            if negated:
                group.optional.remove(groups[0])

    def _triples(self, group: GroupPattern) -> None:
        subject = self._term()
        while True:
            path = self._several(self._step, "/")
            self._several(partial(self._leads, group, subject, path), ",")
            if not self._took(";") or self._peek() in (".", "}"):
                return

    def _leads(self, group: GroupPattern, subject: Var | Node, path: list[Step]) -> None:
        """A path of several steps leads over variables of its own, but where it climbs classes."""
        end = self._term()
        while len(path) > 1 and not path[1].star:
            self._fresh += 1
            middle = Var(f" {self._fresh}")
            group.triples.append(Triple(subject, (path[0],), middle))
            subject, path = middle, path[1:]
        if path[0].star or len(path) > 2:
            raise QueryError("SPARQL query: this path does not translate")
        group.triples.append(Triple(subject, tuple(path), end))

    def _step(self) -> Step:
        if self._took("("):
            steps = self._several(self._step, "|")
            self._need(")")
        else:
            steps = self._several(self._relation, "|")
        if len({step.backward for step in steps}) > 1 or any(step.star for step in steps):
            raise QueryError("SPARQL query: this path does not translate")
        star = self._took("*")
        if self._peek() in ("+", "?"):
            raise QueryError("SPARQL query: paths with + and ? do not translate")
        return Step(tuple(relation for step in steps for relation in step.relations), steps[0].backward, star)

    def _relation(self) -> Step:
        backward = self._took("^")
        term = Entity(RDF + "type") if self._took("A") else self._term()
        if not isinstance(term, Entity):
            raise QueryError("SPARQL query: a variable for a relation does not translate")
        return Step((term.id,), backward)


def _matched(operands: Sequence[Any], flags: Node) -> Filter:
    """What a REGEX asks of a text, in plain words."""
    text, pattern = operands
    plain = isinstance(pattern, Literal) and _PLAIN.fullmatch(pattern.value)
    if not plain or flags not in (Literal(""), Literal("i")):
        raise QueryError("SPARQL query: a REGEX of anything but plain words does not translate")
    words = plain[0]
    return "starts" if words.startswith("^") else "contains", [text, Literal(words.removeprefix("^"))]
