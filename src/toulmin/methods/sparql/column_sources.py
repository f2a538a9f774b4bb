"""Whether a query asks the graph, or says itself what it gives: what each column rests on.

``SELECT ("Copenhagen" AS ?x) {}`` gives what whoever wrote it remembers. So each column has to come from a triple
pattern, or be computed from what does. A query is parsed for that as far as the specification has it (SPARQL 1.1, and
the triple terms of 1.2), but expressions: of these the variables count.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from toulmin.errors import QueryError
from toulmin.graph.sparql import tokens

__all__ = ["check_grounded"]


class _Rests(IntEnum):
    """What the value of a variable comes from."""

    MAYBE = 0  # a triple pattern, where it has a value at all
    LOOSE = 1  # perhaps none: VALUES, a constant, a path of no steps
    SURE = 2  # a triple pattern, in every solution


_Bound = dict[str, _Rests]


@dataclass
class _Pattern:
    """What a group binds.

    Args:
        stated: every solution takes a statement.
    """

    bound: _Bound = field(default_factory=dict)
    stated: bool = False

    def join(self, inner: _Pattern, optional: bool = False) -> None:
        """Join with an inner pattern; if optional, its variables need have no value."""
        for name, rests in inner.bound.items():
            self.bind(name, _Rests.MAYBE if optional and rests is _Rests.SURE else rests)
        self.stated = self.stated or (inner.stated and not optional)

    def bind(self, name: str, rests: _Rests) -> None:
        self.bound[name] = max(rests, self.bound.get(name, rests))

    def compute(self, name: str, uses: _Uses) -> None:
        """What is computed rests on what it is computed from."""
        sources = [self.bound[variable] for variable in uses.variables if variable in self.bound]
        sources += [_Rests.SURE] if uses.exists or (uses.rows and self.stated) else []
        best = _Rests.LOOSE
        if any(source is not _Rests.LOOSE for source in sources):
            best = _Rests.SURE if _Rests.SURE in sources else _Rests.MAYBE
        self.bind(name, best)


@dataclass
class _Uses:
    """What an expression is made of: variables, the number of rows (``COUNT(*)``), EXISTS, its name if it has one."""

    variables: list[str] = field(default_factory=list)
    rows: bool = False
    exists: bool = False
    name: str = ""


def check_grounded(text: str) -> None:
    """Let a query pass only if each of its columns comes from triple patterns, and if it has one at all.

    Args:
        text: a SELECT or ASK that ``check_read_only`` lets pass, so that it is well formed.

    Raises:
        QueryError: a column that rests on nothing but the query's own terms; no triple pattern; a query that cannot be
            read.
    """
    parser = _ColumnParser(text)
    try:
        columns, asked = parser.query()
    except RecursionError:
        raise QueryError("the query is nested too deeply") from None
    if not parser.asks_graph:
        raise QueryError("the query has no triple pattern: it must ask the graph, and not say what it gives by itself")
    for name in columns:
        if asked.bound.get(name) is _Rests.LOOSE:
            raise QueryError(
                f"{name} does not come from the graph: it must stand in a triple pattern (a path with * or ? alone is "
                "none) or be computed from variables that do, not be bound by VALUES or a constant alone"
            )


class _ColumnParser:
    """Goes through a query. ``asks_graph``: whether there was a triple pattern anywhere."""

    def __init__(self, text: str) -> None:
        self._tokens, self._at = [*tokens(text), ("", "")], 0  # after the last one: the end
        self.asks_graph = False

    def _peek(self, ahead: int = 0) -> str:
        kind, content = self._tokens[min(self._at + ahead, len(self._tokens) - 1)]
        return content.upper() if kind in ("word", "sign") else content

    def _next(self) -> str:
        if not self._kind():
            raise QueryError("the query ends too early")
        self._at += 1
        return self._tokens[self._at - 1][1]

    def _kind(self) -> str:
        return self._tokens[min(self._at, len(self._tokens) - 1)][0]

    def _took(self, *words: str) -> bool:
        if any(self._peek(ahead) != word for ahead, word in enumerate(words)):
            return False
        self._at += len(words)
        return True

    def _need(self, word: str) -> None:
        if not self._took(word):
            raise QueryError(f"the query cannot be read: {word} expected, not {self._peek()[:40]!r}")

    def _variable(self) -> str:
        if self._kind() != "variable":
            raise QueryError(f"the query cannot be read: a variable expected, not {self._peek()[:40]!r}")
        return "?" + self._next()[1:]

    # -- query -------------------------------------------------------------------------------------------------------

    def query(self) -> tuple[list[str], _Pattern]:
        """The columns, and what they rest on."""
        while self._peek() in ("PREFIX", "BASE", "VERSION"):
            self._at += 3 if self._peek() == "PREFIX" else 2
        if self._took("ASK"):
            self._took("WHERE")
            columns, pattern = list[str](), self._group()
            self._modifiers(pattern)
        else:
            columns, pattern = self._select()
        if self._peek():
            raise QueryError(f"the query cannot be read: {self._peek()[:40]!r} after its end")
        return columns, pattern

    def _select(self) -> tuple[list[str], _Pattern]:
        self._need("SELECT")
        if self._peek() in ("DISTINCT", "REDUCED"):
            self._at += 1
        columns, computed = list[str](), list[_Uses]()
        whole = self._took("*")
        while self._peek() not in ("{", "WHERE"):
            if self._peek() == "(":
                computed.append(self._expression())
                columns.append(computed[-1].name)
            else:
                columns.append(self._variable())
        self._took("WHERE")
        pattern = self._group()
        self._modifiers(pattern)
        for uses in computed:
            pattern.compute(uses.name, uses)
        columns = list(pattern.bound) if whole else columns
        return columns, _Pattern(
            {column: pattern.bound[column] for column in columns if column in pattern.bound}, pattern.stated
        )

    def _modifiers(self, pattern: _Pattern) -> None:
        while self._peek() not in ("", "}"):
            if self._took("VALUES"):
                self._values(pattern)
            elif self._peek() == "(":
                uses = self._expression()
                if uses.name:
                    pattern.compute(uses.name, uses)
            elif self._took("EXISTS"):
                self._group()
            else:
                self._next()

    def _expression(self) -> _Uses:
        """What stands in brackets, names included."""
        self._need("(")
        uses, depth = _Uses(), 1
        while depth:
            if self._took("EXISTS"):
                uses.exists = self._group().stated or uses.exists
            elif self._took("AS"):
                uses.name = self._variable()
            elif self._kind() == "variable":
                uses.variables.append(self._variable())
            elif self._took("COUNT", "(", "*") or self._took("COUNT", "(", "DISTINCT", "*"):
                uses.rows = True
                depth += 1
            else:
                depth += {"(": 1, ")": -1}.get(self._next(), 0)
        return uses

    # -- groups ------------------------------------------------------------------------------------------------------

    def _group(self) -> _Pattern:
        self._need("{")
        if self._peek() == "SELECT":
            pattern = self._select()[1]
            self._need("}")
            return pattern
        pattern, computed = _Pattern(), list[_Uses]()
        while not self._took("}"):
            if self._took("FILTER"):
                self._filter(pattern)
            elif self._took("OPTIONAL"):
                pattern.join(self._group(), optional=True)
            elif self._took("MINUS"):
                self._group()
            elif self._took("GRAPH"):
                self._graph(pattern)
            elif self._took("BIND"):
                uses = self._expression()
                # What comes later has no value here.
                uses.variables = [variable for variable in uses.variables if variable in pattern.bound]
                pattern.compute(uses.name, uses)
                computed.append(uses)
            elif self._took("VALUES"):
                self._values(pattern)
            elif self._peek() == "{":
                pattern.join(self._union())
            elif not self._took("."):
                self._triples(pattern)
        for uses in computed:  # a later pattern may have made sure of what they use
            pattern.compute(uses.name, uses)
        return pattern

    def _filter(self, pattern: _Pattern) -> None:
        negated = self._took("NOT")
        if self._took("EXISTS"):
            inner = self._group()
            if not negated:  # what is in a statement within is vouched for by it
                sure: _Bound = {
                    name: rests for name, rests in inner.bound.items() if rests is _Rests.SURE and name in pattern.bound
                }
                pattern.join(_Pattern(sure, inner.stated))
            return
        while self._peek() != "(":
            self._next()
        self._expression()

    def _graph(self, pattern: _Pattern) -> None:
        name = self._next_term()
        inner = self._group()
        if name[0] == "?":
            inner.bind(name, _Rests.SURE if inner.stated else _Rests.MAYBE)
        pattern.join(inner)

    def _union(self) -> _Pattern:
        parts = [self._group()]
        while self._took("UNION"):
            parts.append(self._group())
        pattern = _Pattern(stated=all(part.stated for part in parts))
        for name in {name for part in parts for name in part.bound}:
            rests = [part.bound.get(name, _Rests.MAYBE) for part in parts]
            pattern.bound[name] = _Rests.LOOSE if _Rests.LOOSE in rests else min(rests)
        return pattern

    def _values(self, pattern: _Pattern) -> None:
        names = list[str]()
        if self._took("("):
            while not self._took(")"):
                names.append(self._variable())
        else:
            names.append(self._variable())
        self._need("{")
        while not self._took("}"):
            self._next()
        for name in names:
            pattern.bind(name, _Rests.LOOSE)

    # -- triples -----------------------------------------------------------------------------------------------------

    def _triples(self, pattern: _Pattern) -> None:
        bracket = self._peek() in ("[", "(", "<<")  # may stand alone
        subject = self._node(pattern)
        if not bracket and self._keyword():
            raise QueryError(f"the query cannot be read: a relation expected, not {self._peek()[:40]!r}")
        self._properties(pattern, subject)

    def _keyword(self) -> bool:
        return self._kind() == "word" and self._peek() != "A"

    def _properties(self, pattern: _Pattern, subject: str) -> None:
        while True:
            if self._took(";"):
                continue
            if self._peek() in (".", "{", "}", "]", "|}", "") or self._keyword():
                return
            variable = self._variable() if self._kind() == "variable" else ""
            empty = not variable and self._path()
            while True:
                target = self._node(pattern)
                if empty:
                    self._steps(pattern, subject, target)
                else:
                    self._statement(pattern, subject, variable, target)
                self._annotation(pattern, target)
                if not self._took(","):
                    break
            if self._peek() != ";":
                return

    def _statement(self, pattern: _Pattern, *terms: str) -> None:
        self.asks_graph = pattern.stated = True
        for term in terms:
            if term[:1] == "?":
                pattern.bind(term, _Rests.SURE)

    def _steps(self, pattern: _Pattern, subject: str, target: str) -> None:
        """A path that may have no steps: then its ends are the same, whether or not the graph has them."""
        ends = [variable for variable in (subject, target) if variable[:1] == "?"]
        self.asks_graph = self.asks_graph or len(ends) == 2 or (not ends and subject != target)
        for variable in ends:
            pattern.bind(variable, _Rests.MAYBE if len(ends) == 2 else _Rests.LOOSE)

    def _annotation(self, pattern: _Pattern, target: str) -> None:
        while True:
            if self._took("~"):
                if self._kind() in ("variable", "iri", "name"):
                    self._statement(pattern, self._node(pattern), target)
            elif self._took("{|"):
                self._properties(pattern, "")
                self._need("|}")
            else:
                return

    def _node(self, pattern: _Pattern) -> str:
        """A term: a variable with its question mark, the text of another, "" for brackets."""
        if self._kind() == "variable":
            return self._variable()
        text = ""
        if self._took("["):
            self._properties(pattern, "")
            self._need("]")
        elif self._took("("):
            while not self._took(")"):
                self._statement(pattern, self._node(pattern))
        elif self._took("<<(") or self._took("<<"):
            self._statement(pattern, self._node(pattern), self._next_term(), self._node(pattern))
            self._annotation(pattern, "")
            if not (self._took(")>>") or self._took(">>")):
                raise QueryError("the query cannot be read: a triple term does not end")
        else:
            text = self._next() if self._peek() in ("+", "-") else ""
            if self._kind() not in ("string", "iri", "name", "number") and self._peek() not in ("TRUE", "FALSE"):
                raise QueryError(f"the query cannot be read: a term expected, not {self._peek()[:40]!r}")
            text += self._next()
            if self._took("^^"):
                text += "^^" + self._next()
            elif self._kind() == "lang":
                text += self._next()
        return text

    def _next_term(self) -> str:
        return self._variable() if self._kind() == "variable" else self._next()

    # -- paths -------------------------------------------------------------------------------------------------------

    def _path(self) -> bool:
        """Go over a path. Whether it may have no steps."""
        empty = self._sequence()
        while self._took("|"):
            empty = self._sequence() or empty
        return empty

    def _sequence(self) -> bool:
        empty = self._step()
        while self._took("/"):
            empty = self._step() and empty
        return empty

    def _step(self) -> bool:
        while self._took("^") or self._took("!"):
            pass
        if self._took("("):
            empty = self._path()
            self._need(")")
        else:
            empty = False
            if self._kind() not in ("iri", "name") and self._peek() != "A":
                raise QueryError(f"the query cannot be read: a relation expected, not {self._peek()[:40]!r}")
            self._next()
        if self._took("*") or self._took("?"):
            return True
        self._took("+")
        return empty
