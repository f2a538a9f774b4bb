"""Tokens, terms and filters of the part of SPARQL that is read as programs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toulmin.errors import QueryError
from toulmin.graph.rdf_store import id_of_iri
from toulmin.graph.types import Entity, Literal, Node
from toulmin.graph.xsd import RDF, XSD, literal_from_rdf
from toulmin.program.sparql_syntax import Filter, Measure, Var

__all__ = ["NESTED", "Terms"]

NESTED = 40  # brackets
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
_TEXTS = {"CONTAINS": "contains", "STRSTARTS": "starts"}
#: What a text of a value is, whatever its case, is for a program to say.
_WRAPPERS = ("STR", "LCASE", "UCASE")
_CASTS = frozenset(XSD + name for name in ("decimal", "integer", "double", "float", "string"))
_PLAIN = re.compile(r"\^?[\w ,'-]+")


class Terms:
    """Goes through the tokens of a query.

    Args:
        prefixes: names that count as declared.
    """

    def __init__(self, text: str, prefixes: Mapping[str, str]) -> None:
        self._tokens = [(m.lastgroup or "", m[0]) for m in _TOKEN.finditer(text) if m.lastgroup != "blank"]
        self._at, self._depth = 0, 0
        self._prefixes = dict(prefixes)
        self._names: dict[str, Measure] = {}  # numbers that go by a name

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

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > NESTED:
            raise QueryError(f"SPARQL query: nests more than {NESTED} levels deep")

    # -- terms -------------------------------------------------------------------------------------------------------

    def _var(self) -> Var:
        kind, content = self._next()
        if kind != "var":
            raise QueryError(f"SPARQL query: a variable expected, not {content[:40]!r}, in the part that translates")
        return Var(content[1:])

    def _node(self) -> Node:
        found = self._term()
        if isinstance(found, Var):
            raise QueryError(f"SPARQL query: ?{found.name[:40]} stands where only a value translates")
        return found

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
        found = self._either()
        self._need(")")
        self._depth -= 1
        return found

    def _either(self) -> Filter:
        parts = [self._both()]
        while self._took("||"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else ("or", parts)

    def _both(self) -> Filter:
        parts = [self._single()]
        while self._took("&&"):
            parts.append(self._single())
        return parts[0] if len(parts) == 1 else ("and", parts)

    def _single(self) -> Filter:
        if self._took("!"):
            self._deeper()
            found = self._single()
            self._depth -= 1
            return "not", [found]
        if self._peek() == "(":
            return self._bracketed()
        if (made := self._function()) is not None:
            return made
        left = self._operand()
        negated = self._took("NOT", "IN")
        if negated or self._took("IN"):
            parts: list[Any] = [("=", [left, one]) for one in self._listed()]
            either: Filter = ("or", parts) if len(parts) > 1 else parts[0]
            return ("not", [either]) if negated else either
        sign = self._next()[1]
        if sign not in _COMPARISONS:
            raise QueryError(f"SPARQL query: {sign[:40]!r} does not translate in a filter")
        return _COMPARISONS[sign], [left, self._operand()]

    def _listed(self) -> list[Node]:
        self._need("(")
        found = [self._node()]
        while self._took(","):
            found.append(self._node())
        self._need(")")
        return found

    def _function(self) -> Filter | None:
        if self._took("BOUND", "("):
            variable = self._var()
            self._need(")")
            return "bound", [variable]
        for word, name in _TEXTS.items():
            if self._took(word, "("):
                left = self._operand()
                self._need(",")
                right = self._operand()
                self._need(")")
                return name, [left, right]
        if self._took("REGEX", "("):
            left = self._operand()
            self._need(",")
            pattern = self._node()
            flags = self._node() if self._took(",") else Literal("")
            self._need(")")
            plain = isinstance(pattern, Literal) and _PLAIN.fullmatch(pattern.value)
            if not plain or flags not in (Literal(""), Literal("i")):
                raise QueryError("SPARQL query: a REGEX of anything but plain words does not translate")
            assert isinstance(pattern, Literal)  # noqa: S101
            starts = pattern.value.startswith("^")
            return "starts" if starts else "contains", [left, Literal(pattern.value.removeprefix("^"))]
        return None

    def _operand(self) -> Any:
        if self._took("YEAR", "("):
            variable = self._var()
            self._need(")")
            return "year", variable
        if (number := self._number()) is not None:
            return number
        if any(self._took(word, "(") for word in _WRAPPERS) or self._took_cast():
            self._deeper()
            found = self._operand()
            self._need(")")
            self._depth -= 1
            return found
        found = self._term()
        return self._names.get(found.name, found) if isinstance(found, Var) else found

    def _took_cast(self) -> bool:
        """Take the name of a type that is used as a function, and its bracket."""
        kind, content = self._tokens[self._at] if self._at < len(self._tokens) else ("", "")
        opens = self._at + 1 < len(self._tokens) and self._tokens[self._at + 1][1] == "("
        if kind not in ("iri", "name") or not opens or self._iri(kind, content) not in _CASTS:
            return False
        self._at += 2
        return True
