"""The logical forms of drafts: S-expressions, as in the paper, with names in square brackets.

E is ``[name]``, ``(JOIN r E)``: what has the relation r to E, ``(AND E E …)``, ``(ARGMAX E r)``, ``(ARGMIN E r)``,
``(COUNT E)``, and within AND ``(LT r [value])``, LE, GT, GE: what has less, at most … over r; r is ``[relation]`` or
``(R [relation])``, which leads the other way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal as Choice

from toulmin.errors import InputError
from toulmin.graph.types import Literal
from toulmin.graph.values import literal_from_text

__all__ = ["And", "Arg", "Count", "Form", "NameForm", "Rel", "RelationJoin", "ValueTest", "names", "parse", "relations"]

_TOKEN = re.compile(r"\s*(?:(?P<sign>[()])|\[(?P<name>[^\[\]]*)\]|(?P<word>[A-Za-z]+))")
_LONGEST, _DEEPEST = 2000, 12  # characters of a form, and forms within forms: the parser recurses
_SIGNS: dict[str, Choice["<", "≤", ">", "≥"]] = {"LT": "<", "LE": "≤", "GT": ">", "GE": "≥"}


@dataclass(frozen=True, slots=True)
class Rel:
    """A relation by its words; ``backward``: written ``(R [...])``."""

    text: str
    backward: bool = False


@dataclass(frozen=True, slots=True)
class NameForm:
    """An entity, a class or a value by its words."""

    text: str


@dataclass(frozen=True, slots=True)
class RelationJoin:
    """What has a relation to something."""

    relation: Rel
    of: Form


@dataclass(frozen=True, slots=True)
class And:
    """What is in all of several sets."""

    parts: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class Arg:
    """Of a set what has the greatest (``last``) or least value of a relation."""

    of: Form
    relation: Rel
    last: bool


@dataclass(frozen=True, slots=True)
class Count:
    """How many."""

    of: Form


@dataclass(frozen=True, slots=True)
class ValueTest:
    """What has a value of a relation that is less, more …"""

    relation: Rel
    do: Choice["<", "≤", ">", "≥"]
    value: Literal


Form = NameForm | RelationJoin | And | Arg | Count | ValueTest


def parse(text: str) -> Form:
    """The form of a text.

    Raises:
        InputError: it is none, in one line.
    """
    return _FormParser(text).form()


class _FormParser:
    def __init__(self, text: str) -> None:
        if len(text) > _LONGEST:
            raise InputError(f"the form has {len(text):,} characters: {_LONGEST:,} are read at most")
        self._text, self._at, self._depth = text, 0, 0

    def form(self) -> Form:
        form = self._form()
        if self._text[self._at :].strip():
            raise InputError(f"the form goes on after its end: {self._text[self._at :].strip()[:40]!r}")
        if isinstance(form, NameForm | ValueTest):
            raise InputError("the form asks for nothing: it needs JOIN, AND, ARGMAX, ARGMIN or COUNT")
        return form

    def _next(self) -> re.Match[str]:
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            remainder = self._text[self._at :].strip()
            raise InputError(
                f"the form cannot be read at {remainder[:40]!r}" if remainder else "the form ends too early"
            )
        self._at = match.end()
        return match

    def _need(self, sign: str) -> None:
        match = self._next()
        if match["sign"] != sign:
            raise InputError(f"{sign} expected, not {match[0].strip()[:40]!r}")

    def _closes(self) -> bool:
        match = _TOKEN.match(self._text, self._at)
        return match is not None and match["sign"] == ")"

    def _name(self, match: re.Match[str]) -> str:
        name = " ".join((match["name"] or "").split())
        if not name:
            raise InputError(f"a name in square brackets expected, not {match[0].strip()[:40]!r}")
        return name

    def _form(self) -> Form:
        match = self._next()
        if match["sign"] != "(":
            return NameForm(self._name(match))
        self._depth += 1
        if self._depth > _DEEPEST:
            raise InputError(f"the form nests more than {_DEEPEST} levels deep")
        form = self._made((self._next()["word"] or "").upper())
        self._need(")")
        self._depth -= 1
        return form

    def _made(self, word: str) -> Form:
        if word == "JOIN":
            return RelationJoin(self._relation(), self._form())
        if word == "AND":
            parts = [self._form(), self._form()]
            while not self._closes():
                parts.append(self._form())
            if all(isinstance(part, ValueTest) for part in parts):
                raise InputError("AND of comparisons alone compares nothing")
            return And(tuple(parts))
        if word in ("ARGMAX", "ARGMIN"):
            return Arg(self._form(), self._relation(), word == "ARGMAX")
        if word == "COUNT":
            return Count(self._form())
        if word in _SIGNS:
            relation, value = self._relation(), self._name(self._next())
            return ValueTest(relation, _SIGNS[word], _value(value))
        raise InputError(f"no form is called {word[:40]!r} (JOIN, AND, ARGMAX, ARGMIN, COUNT, LT, LE, GT, GE)")

    def _relation(self) -> Rel:
        match = self._next()
        if match["sign"] != "(":
            return Rel(self._name(match))
        if (self._next()["word"] or "").upper() != "R":
            raise InputError("a relation expected: [words], or (R [words])")
        relation = Rel(self._name(self._next()), backward=True)
        self._need(")")
        return relation


def _value(text: str) -> Literal:
    value = literal_from_text(text)
    if value is None or value.kind not in ("quantity", "time"):
        raise InputError(f"{text[:40]!r} is neither a number nor a time, to be compared with")
    return value


def relations(form: Form) -> Iterator[Rel]:
    """The relations of a form, each time it has them."""
    match form:
        case RelationJoin(relation, of):
            yield relation
            yield from relations(of)
        case Arg(of, relation, _):
            yield from relations(of)
            yield relation
        case ValueTest(relation, _, _):
            yield relation
        case Count(of):
            yield from relations(of)
        case And(parts):
            for part in parts:
                yield from relations(part)


def names(form: Form, *, classes: bool = False) -> Iterator[str]:
    """The names of entities and values; with ``classes`` those that stand in AND, and may be classes."""
    match form:
        case NameForm(text):
            if not classes:
                yield text
        case RelationJoin(_, of):
            yield from names(of, classes=classes)
        case Arg() | Count() | And():
            for part in form.parts if isinstance(form, And) else (form.of,):
                if not isinstance(part, NameForm):
                    yield from names(part, classes=classes)
                elif classes:
                    yield part.text
