"""Small worlds with questions: what the reader of questions is taught on. See ``training/domains/README.md``.

    python training/domains.py training/domains/bakery.txt

checks a file: each form is evaluated over the file's own graph, and what it says and yields is printed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from toulmin.errors import SourceError, ToulminError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal, Node, Qualifier, Relation, Statement
from toulmin.graph.values import literal_from_text
from toulmin.methods.reader.forms import (
    Agree,
    Calculated,
    Compared,
    Condition,
    Constant,
    Counted,
    Exists,
    Form,
    Grouped,
    Hop,
    Join,
    Key,
    Kind,
    Measured,
    Membership,
    Noted,
    Own,
    Ranked,
    Restricted,
    Sets,
    Tabled,
    Things,
)
from toulmin.methods.reader.forms import (
    Path as HopPath,
)
from toulmin.methods.reader.programs import ClassRelations, TimeRoles, place_of
from toulmin.methods.reader.utterances import utterance
from toulmin.program.builder import Builder
from toulmin.retrieval.schema import time_role
from toulmin.retrieval.statement_words import relation_text

__all__ = ["CLASSES", "INSTANCE", "Domain", "Example", "domains", "read_domain"]

INSTANCE = Relation("instance of", "instance of")
CLASSES = ClassRelations(("instance of",), ("subclass of",))
_TOKEN = re.compile(r'"([^"]*)"|([()])|([^\s()"]+)')
_OPERATORS = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥", "contains": "contains", "starts": "starts"}
_STATISTICS = ("sum", "mean", "min", "max")


@dataclass(frozen=True, slots=True)
class RelationRow:
    """A declared relation: its label, the class of its subjects, what it leads to (a class, or a kind of value)."""

    label: str
    domain: str
    range: str


@dataclass(slots=True)
class Example:
    """A form with the questions that mean it; without a form the graph cannot answer them."""

    form: Form | None
    questions: list[str]
    line: int


@dataclass(slots=True)
class Domain:
    """A world: its relations, statements, and examples."""

    name: str
    path: Path
    classes: list[str] = field(default_factory=list)
    relations: dict[str, RelationRow] = field(default_factory=dict)
    qualifiers: dict[str, str] = field(default_factory=dict)
    things: dict[str, str] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)

    def graph(self) -> MemoryGraph:
        """Its graph; classes and things have their names as ids."""
        return MemoryGraph.from_statements(self.statements, name=self.name)

    @property
    def times(self) -> TimeRoles:
        """Which of its qualifiers are times of which role."""
        roles: dict[str, list[str]] = {"start": [], "end": [], "point": []}
        for label, kind in self.qualifiers.items():
            if kind in ("date", "year"):
                roles[time_role(Relation(label, label))].append(label)
        return TimeRoles(tuple(roles["start"]), tuple(roles["end"]), tuple(roles["point"]))


def domains(folder: Path) -> Iterator[Domain]:
    """The domains of a folder, by name."""
    for path in sorted(folder.glob("*.txt")):
        yield read_domain(path)


def read_domain(path: Path) -> Domain:
    """Read a file of a domain.

    Raises:
        SourceError: a line is not of the format.
    """
    domain = Domain(path.stem, path)
    for number, raw in enumerate(path.read_text("utf-8").splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        try:
            _line(domain, line, number)
        except ToulminError as error:
            raise SourceError(str(error), path=path, line=number) from error
    return domain


def _line(domain: Domain, line: str, number: int) -> None:
    word, _, rest = line.partition(" ")
    if word == "class":
        domain.classes += [label.strip() for label in rest.split(",")]
    elif word == "relation":
        label, _, ends = rest.partition(":")
        first, arrow, second = ends.partition("->")
        if not arrow:
            raise SourceError("relation LABEL: CLASS -> CLASS or date, year, text, number, yes/no or a unit")
        domain.relations[label.strip()] = RelationRow(label.strip(), first.strip(), second.strip())
    elif word == "qualifier":
        label, _, kind = rest.partition(":")
        domain.qualifiers[label.strip()] = kind.strip()
    elif word == "thing":
        _thing(domain, rest)
    elif word == "?":
        domain.examples.append(Example(_Reading(domain).form(rest), [], number))
    elif word == "??":
        domain.examples.append(Example(None, [rest.strip()], number))
    elif word == "-":
        if not domain.examples:
            raise SourceError("a question stands after its form")
        domain.examples[-1].questions.append(rest.strip())
    else:
        raise SourceError(f"a line begins with class, relation, qualifier, thing, ?, ?? or -, not {word!r}")


def _thing(domain: Domain, rest: str) -> None:
    head, *pairs = [part.strip() for part in rest.split("|")]
    name, colon, kind = head.rpartition(":")
    name, kind = name.strip(), kind.strip()
    if not colon or kind not in domain.classes:
        raise SourceError(f"thing NAME: CLASS | relation = value …, with a declared class; {kind!r} is none")
    domain.things[name] = kind
    domain.statements.append(Statement(Entity(name, name), INSTANCE, Entity(kind, kind)))
    for pair in pairs:
        label, equals, value = pair.partition("=")
        relation = domain.relations.get(label.strip())
        if not equals or relation is None:
            raise SourceError(f"{pair!r} is no RELATION = VALUE with a declared relation")
        for one in value.split(";"):
            domain.statements.append(_statement(domain, name, relation, one.strip()))


def _statement(domain: Domain, name: str, relation: RelationRow, text: str) -> Statement:
    qualifiers: list[Qualifier] = []
    if noted := re.fullmatch(r"(.*?)\s*\[(.*)\]", text):
        text = noted[1]
        for pair in noted[2].split(","):
            label, _, value = pair.partition("=")
            kind = domain.qualifiers.get(label.strip())
            if kind is None:
                raise SourceError(f"{label.strip()!r} is no declared qualifier")
            qualifiers.append(Qualifier(Relation(label.strip(), label.strip()), _node(domain, kind, value.strip())))
    subject, link = Entity(name, name), Relation(relation.label, relation.label)
    return Statement(subject, link, _node(domain, relation.range, text), tuple(qualifiers))


def _node(domain: Domain, kind: str, text: str) -> Node:
    if kind in domain.classes:
        return Entity(text, text)
    return _literal(kind, text)


def _literal(kind: str, text: str) -> Literal:
    if kind == "text":
        return Literal(text)
    if kind == "yes/no":
        if text not in ("yes", "no"):
            raise SourceError(f"{text!r} is neither yes nor no")
        return Literal("true" if text == "yes" else "false", "boolean")
    wanted = "time" if kind in ("date", "year") else "quantity"
    written = text if wanted == "time" or kind == "number" or not re.fullmatch(r"[-\d.,]+", text) else f"{text} {kind}"
    literal = literal_from_text(written)
    if wanted == "quantity" and re.fullmatch(r"-?\d+(\.\d+)?", written):
        literal = Literal(written, "quantity")
    if literal is None or literal.kind != wanted:
        raise SourceError(f"{text!r} is no {kind}")
    return literal


# -- forms -----------------------------------------------------------------------------------------------------------

Tree = str | tuple[str] | list["Tree"]  # a word, a quoted text, a list


class _Reading:
    """Reads a form; the README of ``training/domains`` lists them."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain

    def form(self, text: str) -> Form:
        tokens = list(_TOKEN.finditer(text))
        tree, end = self._tree(tokens, 0)
        if end != len(tokens):
            raise SourceError(f"something stands behind the end of the form: {text[tokens[end].start() :]!r}")
        return self._form(tree)

    def _tree(self, tokens: Sequence[re.Match[str]], at: int) -> tuple[Tree, int]:
        if at >= len(tokens):
            raise SourceError("the form ends too early: a bracket is not closed")
        quoted, bracket, word = tokens[at].groups()
        if quoted is not None:
            return (quoted,), at + 1
        if word is not None:
            return word, at + 1
        if bracket == ")":
            raise SourceError("a bracket is closed that was not opened")
        parts: list[Tree] = []
        at += 1
        while at < len(tokens) and tokens[at].group() != ")":
            part, at = self._tree(tokens, at)
            parts.append(part)
        if at >= len(tokens):
            raise SourceError("a bracket is not closed")
        return parts, at + 1

    def _form(self, tree: Tree) -> Form:
        if isinstance(tree, tuple):
            return self._named(tree[0])
        if isinstance(tree, str):
            return self._things(tree) if tree.startswith(":") else self._value(tree)
        head, *rest = tree
        if not isinstance(head, str):
            raise SourceError("a form begins with its name")
        made = getattr(self, f"_{head.replace('-', '_')}", None)
        if head not in _FORMS or made is None:
            raise SourceError(f"no form is called {head!r}")
        return made(*rest)  # type: ignore[no-any-return]

    def _named(self, text: str) -> Constant:
        if text in self.domain.things:
            return Constant(text, Entity(text, text), name=text)
        node = literal_from_text(text)
        return Constant(text, node or Literal(text))

    def _value(self, text: str) -> Constant:
        if re.fullmatch(r"-?\d+(\.\d+)?", text):
            year = re.fullmatch(r"1\d{3}|20\d\d", text)
            return Constant(text, literal_from_text(text) if year else Literal(text, "quantity"))
        node = literal_from_text(text)
        if node is None:
            raise SourceError(f'{text!r} is no number or date; names and texts stand in "quotation marks"')
        return Constant(text, node)

    def _things(self, text: str) -> Things:
        label = text[1:].replace("_", " ")
        if label not in self.domain.classes:
            raise SourceError(f"{label!r} is no declared class")
        return Things(Kind(label, Entity(label, label)))

    def _path(self, text: Tree) -> HopPath:
        if not isinstance(text, str):
            raise SourceError("a path is written relation/relation, with ~ before one that is walked backward")
        hops = []
        for step in text.split("/"):
            backward, label = step.startswith("~"), step.lstrip("~").replace("_", " ")
            row = self.domain.relations.get(step.lstrip("~")) or self.domain.relations.get(label)
            if row is None:
                raise SourceError(f"{label!r} is no declared relation")
            far = row.domain if backward else row.range if row.range in self.domain.classes else ""
            hops.append(
                Hop(relation_text(row.label), backward, (row.label,), row.range if backward else row.domain, far)
            )
        return tuple(hops)

    def _key(self, tree: Tree) -> Key:
        if isinstance(tree, list):
            do, path = tree
            if do not in ("count", *_STATISTICS):
                raise SourceError(f"a measure is count, sum, mean, min or max of a path, not {do!r}")
            return Key(self._path(path), do)  # type: ignore[arg-type]
        return Key(self._path(tree))

    def _follow(self, of: Tree, path: Tree) -> Form:
        form = self._form(of)
        for hop in self._path(path):
            form = Join(form, hop)
        return form

    def _during(self, of: Tree, begin: Tree, end: Tree) -> Form:
        form = self._form(of)
        if not isinstance(form, Join):
            raise SourceError("during stands about a follow")
        ends = [None if tree == "_" else self._form(tree) for tree in (begin, end)]
        return Join(form.of, form.hop, (ends[0], ends[1]))  # type: ignore[arg-type]

    def _noted(self, of: Tree, label: Tree, to: Tree | None = None) -> Form:
        form, name = self._form(of), str(label).replace("_", " ")
        if not isinstance(form, Join) or name not in self.domain.qualifiers:
            raise SourceError("noted (follow …) QUALIFIER, with a declared qualifier")
        target = None if to is None else self._form(to)
        return Noted(form, name, (name,), target)  # type: ignore[arg-type]

    def _condition(self, tree: Tree) -> Condition:
        if not isinstance(tree, list) or len(tree) < 2:
            raise SourceError("a condition is (path op value), (has path) or (lacks path)")
        if tree[0] in ("has", "lacks"):
            return Condition(Key(self._path(tree[1])), tree[0])  # type: ignore[arg-type]
        key, do, *values = tree
        if str(do) not in _OPERATORS:
            raise SourceError(f"{do!r} is no operator")
        read = self._key(key)
        if str(do) in ("=", "!=") and any(isinstance(value, list) and value[:1] == ["own"] for value in values):
            raise SourceError("another value of the same thing is compared by <, <=, > or >=")
        return Condition(read, _OPERATORS[str(do)], tuple(self._of_kind(read, self._form(value)) for value in values))  # type: ignore[arg-type]

    def _of_kind(self, key: Key, value: Form) -> Form:
        """A value as what it is compared with has it: of numbers "1999" is a number, else a year."""
        last = key.path[-1]
        numbers = key.measure in ("count", "sum", "mean")
        if not last.backward and self.domain.relations[last.ids[0]].range not in (
            *("text", "date", "year", "yes/no"),
            *self.domain.classes,
        ):
            numbers = True
        if isinstance(value, Constant) and value.text.isdecimal() and numbers:
            return replace(value, node=Literal(value.text, "quantity"))
        return value

    def _own(self, path: Tree) -> Form:
        return Own(self._path(path))

    def _where(self, of: Tree, *conditions: Tree) -> Form:
        return Restricted(self._form(of), tuple(map(self._condition, conditions)))

    def _ranked(self, of: Tree, key: Tree, places: Sequence[Tree], *, largest: bool) -> Form:
        first, last = 1, 1
        if len(places) == 1:
            last = int(str(places[0]))
        elif places:
            first, last = int(str(places[0])), int(str(places[1]))
        return Ranked(self._form(of), self._key(key), largest, first, last)

    def _top(self, of: Tree, key: Tree, *places: Tree) -> Form:
        return self._ranked(of, key, places, largest=True)

    def _bottom(self, of: Tree, key: Tree, *places: Tree) -> Form:
        return self._ranked(of, key, places, largest=False)

    def _or(self, *of: Tree) -> Form:
        return Sets("union", tuple(map(self._form, of)))

    def _and(self, *of: Tree) -> Form:
        return Sets("intersection", tuple(map(self._form, of)))

    def _minus(self, *of: Tree) -> Form:
        return Sets("difference", tuple(map(self._form, of)))

    def _count(self, of: Tree) -> Form:
        return Counted(self._form(of))

    def _sum(self, of: Tree, path: Tree) -> Form:
        return Measured("sum", self._form(of), self._path(path))

    def _mean(self, of: Tree, path: Tree) -> Form:
        return Measured("mean", self._form(of), self._path(path))

    def _min(self, of: Tree, path: Tree) -> Form:
        return Measured("min", self._form(of), self._path(path))

    def _max(self, of: Tree, path: Tree) -> Form:
        return Measured("max", self._form(of), self._path(path))

    def _difference(self, left: Tree, right: Tree) -> Form:
        return Calculated("subtract", self._form(left), self._form(right))

    def _duration(self, left: Tree, right: Tree) -> Form:
        return Calculated("duration", self._form(left), self._form(right))

    def _is(self, left: Tree, do: Tree, right: Tree) -> Form:
        return Compared(self._form(left), _OPERATORS[str(do)], self._form(right))  # type: ignore[arg-type]

    def _exists(self, of: Tree) -> Form:
        return Exists(self._form(of))

    def _in(self, item: Tree, of: Tree) -> Form:
        return Membership(self._form(item), self._form(of))

    def _agree(self, left: Tree, right: Tree) -> Form:
        return Agree(self._form(left), self._form(right))

    def _table(self, of: Tree, *columns: Tree) -> Form:
        return Tabled(self._form(of), tuple(map(self._key, columns)))

    def _group(self, of: Tree, by: Tree, measure: Tree, do: Tree | None = None, value: Tree | None = None) -> Form:
        key = Key((), "count") if measure == "count" else self._key(measure)
        having = None if do is None or value is None else (_OPERATORS[str(do)], self._form(value))
        return Grouped(self._form(of), self._path(by), key, having)  # type: ignore[arg-type]


_FORMS = frozenset(
    "follow during noted own where top bottom or and minus count sum mean min max difference duration is exists in "
    "agree table group".split()
)


def _words(domain: Domain, example: Example) -> str:
    """What a form says and yields, in one line."""
    assert example.form is not None
    graph = domain.graph()
    builder = Builder(example.questions[0] if example.questions else "", graph)
    place = place_of(example.form, builder, CLASSES, domain.times)
    value = builder.value(place)
    shown = str(getattr(value, "nodes", getattr(value, "rows", value)))
    labels = re.findall(r"label='([^']*)'|value='([^']*)'", shown)
    answer = ", ".join(filter(None, (a or b for a, b in labels))) or shown
    return f"{utterance(example.form)}\n      => {answer[:200]}"


def main() -> None:
    """Check files and print what their forms say and yield."""
    failed = 0
    for name in sys.argv[1:]:
        try:
            domain = read_domain(Path(name))
        except ToulminError as error:
            sys.exit(str(error))
        for example in domain.examples:
            if example.form is None:
                continue
            if not example.questions:
                failed += 1
                print(f"{name}:{example.line}: no question stands beneath this form")
                continue
            try:
                print(f"{name}:{example.line}: {_words(domain, example)}")
            except ToulminError as error:
                failed += 1
                print(f"{name}:{example.line}: ERROR {error}")
        count = sum(len(example.questions) for example in domain.examples)
        empty = "" if not failed else f", {failed} to mend"
        print(f"{name}: {len(domain.examples)} forms, {count} questions{empty}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
