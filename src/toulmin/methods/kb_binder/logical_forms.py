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

__all__ = ["SIGNS", "LogicalForm", "Rel", "names", "parse", "relations"]

_TOKEN = re.compile(r"\s*(?:(?P<sign>[()])|\[(?P<name>[^\[\]]*)\]|(?P<word>[A-Za-z]+))")
_LONGEST, _DEEPEST = 2000, 12  # characters of a form, and forms within forms: the parser recurses
#: The comparisons.
SIGNS: dict[str, Choice["<", "≤", ">", "≥"]] = {"LT": "<", "LE": "≤", "GT": ">", "GE": "≥"}


@dataclass(frozen=True, slots=True)
class Rel:
    """A relation by its words; ``backward``: written ``(R [...])``."""

    text: str
    backward: bool = False


@dataclass(frozen=True, slots=True)
class LogicalForm:
    """A form, or a part of one.

    Args:
        op: the word that it begins with; "": it is a name.
        text: the words of a name: of an entity, a class or a value.
        relation: of JOIN, ARGMAX, ARGMIN and the comparisons.
        value: that a comparison compares with.
    """

    op: str
    parts: tuple[LogicalForm, ...] = ()
    text: str = ""
    relation: Rel | None = None
    value: Literal | None = None


def parse(text: str) -> LogicalForm:
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

    def form(self) -> LogicalForm:
        form = self._form()
        if self._text[self._at :].strip():
            raise InputError(f"the form goes on after its end: {self._text[self._at :].strip()[:40]!r}")
        if not form.op or form.op in SIGNS:
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

    def _form(self) -> LogicalForm:
        match = self._next()
        if match["sign"] != "(":
            return LogicalForm("", text=self._name(match))
        self._depth += 1
        if self._depth > _DEEPEST:
            raise InputError(f"the form nests more than {_DEEPEST} levels deep")
        form = self._made((self._next()["word"] or "").upper())
        self._need(")")
        self._depth -= 1
        return form

    def _set(self, word: str) -> LogicalForm:
        """A form that yields a set: no comparison, which stands within AND."""
        form = self._form()
        if form.op in SIGNS:
            raise InputError(f"{word} of a comparison: {form.op} stands within AND")
        return form

    def _made(self, word: str) -> LogicalForm:
        if word == "JOIN":
            return LogicalForm(word, relation=self._relation(), parts=(self._set(word),))
        if word == "AND":
            parts = [self._form(), self._form()]
            while not self._closes():
                parts.append(self._form())
            if all(part.op in SIGNS for part in parts):
                raise InputError("AND of comparisons alone compares nothing")
            return LogicalForm(word, tuple(parts))
        if word in ("ARGMAX", "ARGMIN"):
            return LogicalForm(word, (self._set(word),), relation=self._relation())
        if word == "COUNT":
            return LogicalForm(word, (self._set(word),))
        if word in SIGNS:
            return LogicalForm(word, relation=self._relation(), value=_value(self._name(self._next())))
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


def relations(form: LogicalForm) -> list[Rel]:
    """The relations of a form in the order of its text, each time it has them."""
    inner = [relation for part in form.parts for relation in relations(part)]
    own = [form.relation] if form.relation is not None else []
    return [*inner, *own] if form.op in ("ARGMAX", "ARGMIN") else [*own, *inner]


def names(form: LogicalForm, *, classes: bool = False) -> Iterator[str]:
    """The names of entities and values; with ``classes`` those that stand for a set, and may be classes."""
    for part in form.parts:
        if part.op:
            yield from names(part, classes=classes)
        elif classes == (form.op != "JOIN"):
            yield part.text
