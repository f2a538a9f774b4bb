"""The ten types of open-ended questions (papers/okgqa, table 1): each a file of ``types/`` with its template."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal as Choice

from toulmin.errors import SettingsError

__all__ = ["QuestionType", "question_types", "types_named"]

Ends = Choice["one", "joined", "alike"]


@dataclass(frozen=True, slots=True)
class QuestionType:
    """A type, its template, and what an entity must have to bear it.

    Args:
        name: "contrast-analysis"; the name of its file.
        group: "comparative": the paper's five.
        template: the shape of the question, with its places in brackets.
        asks: what its answer does, and when no such question can be written.
        ends: what it is about: one entity, two that statements join, or two of one kind that share relations.
        kinds: nouns, of one of which the entity's class or description has to be a kind; empty: of any.
        hints: words of which a relation or qualifier from the entity must have one; empty: none.
        without: words that no relation from the entity may have: what is over has no future.
        relations: least number of different relations from the entity, class and description aside.
        statements: least number of statements about it, in either direction.
        dated: least number of different times that are told of it or of what points to it.
        excluded: nouns of which it may be no kind.
    """

    name: str
    group: str
    template: str
    asks: str
    ends: Ends = "one"
    kinds: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    hints: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    relations: int = 0
    statements: int = 0
    dated: int = 0


@cache
def question_types() -> dict[str, QuestionType]:
    """All types by name, in the order of their names."""
    folder = files("toulmin.evaluation.generation") / "types"
    types = {}
    for entry in sorted(folder.iterdir(), key=lambda file: file.name):
        if (name := entry.name.removesuffix(".toml")) != entry.name:
            fields = tomllib.loads(entry.read_text(encoding="utf-8"))
            kinds, excluded = (tuple(fields.pop(field, ())) for field in ("kinds", "except"))
            hints, without = (frozenset(fields.pop(field, ())) for field in ("hints", "without"))
            types[name] = QuestionType(name, kinds=kinds, excluded=excluded, hints=hints, without=without, **fields)
    return types


def types_named(names: Sequence[str]) -> tuple[QuestionType, ...]:
    """The types of these names; all where none is named.

    Raises:
        SettingsError: there is no such type.
    """
    known = question_types()
    for name in names:
        if name not in known:
            raise SettingsError(f"unknown type of question {name!r}: use {', '.join(known)}")
    return tuple(known[name] for name in dict.fromkeys(names)) or tuple(known.values())
