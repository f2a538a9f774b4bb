"""Recorded plans: a file of relation paths for questions, as RoG's authors published theirs.

JSON lines, an object for each question::

    {"question": "where does the ferry from Elm Quay go", "plans": [["route.from", "^route.to"], ["quay.ferry"]],
     "scores": [0.6, 0.4], "starts": ["Elm Quay"]}

A relation is named by its id or its label, and is walked in whichever direction the graph has it; after "^" only from
object to subject. ``scores`` (weights, the surest first; where there are more than plans, the first of them count) and
``starts`` (names or ids of entities) may be left out. The names in RoG's records stand for the same:
``rog_predicted_relation_paths``, ``rog_scores``, ``path_start_entities``; other fields are not read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from toulmin.errors import SourceError
from toulmin.graph.labels import normalise
from toulmin.graph.types import Entity
from toulmin.program.builder import Builder

__all__ = ["Record", "RecordedPlans", "RecordedStart"]

_NAMES = {"plans": "rog_predicted_relation_paths", "scores": "rog_scores", "starts": "path_start_entities"}


@dataclass(frozen=True, slots=True)
class RecordedStart:
    """An entity to walk from that a record names."""

    entity: Entity

    def place(self, builder: Builder) -> int:
        """The node of a program that it is."""
        return builder.entity(self.entity)


@dataclass(frozen=True, slots=True)
class Record:
    """What is recorded of a question: its relation paths, each with a weight, and where they start, if it says so."""

    plans: tuple[tuple[tuple[str, ...], float], ...]
    starts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordedPlans:
    """The plans of many questions.

    Args:
        name: of the file, without its folder.
    """

    name: str
    _records: Mapping[str, Record]

    @classmethod
    def read(cls, path: Path) -> RecordedPlans:
        """Read a file; see the module.

        Raises:
            SourceError: it cannot be read, or a line is no such object; with the line and the field.
        """
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror or error}", path) from None
        except UnicodeDecodeError:
            raise SourceError("is not UTF-8: give JSON lines", path) from None
        records: dict[str, Record] = {}
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip():
                continue
            try:
                question, record = _record(json.loads(line))
            except (ValueError, RecursionError):
                raise SourceError("is no JSON object", path, number) from None
            except SourceError as error:
                raise SourceError(error.problem, path, number, error.field) from None
            if records.setdefault(normalise(question), record) != record:
                raise SourceError(f"has other plans than a line before for the question {question!r}", path, number)
        if not records:
            raise SourceError("has no plan: give a question with its plans a line", path)
        return cls(path.name, records)

    def of(self, question: str) -> Record | None:
        """What is recorded of a question, by its words; None: nothing."""
        return self._records.get(normalise(question))


def _record(item: Any) -> tuple[str, Record]:
    if not isinstance(item, dict):
        raise SourceError("is no JSON object")
    question = item.get("question")
    if not isinstance(question, str) or not question.strip():
        raise SourceError("is no text", field="question")
    paths, name = _field(item, "plans")
    if not isinstance(paths, list) or not all(isinstance(path, list) and all(map(_is_text, path)) for path in paths):
        raise SourceError("is no list of lists of relations", field=name)
    scores, name = _field(item, "scores")
    if scores is None:
        scores = [1 / rank for rank in range(1, len(paths) + 1)]
    elif not isinstance(scores, list) or len(scores) < len(paths) or not all(map(_is_weight, scores)):
        raise SourceError("is no list of numbers above 0, one for each plan at least", field=name)
    starts, name = _field(item, "starts")
    if starts is not None and (not isinstance(starts, list) or not all(map(_is_text, starts))):
        raise SourceError("is no list of names", field=name)
    plans = tuple((tuple(path), float(weight)) for path, weight in zip(paths, scores, strict=False) if path)
    return question, Record(plans, tuple(starts or ()))


def _field(item: Mapping[str, Any], name: str) -> tuple[Any, str]:
    """A field by either of its names, and the name."""
    key = name if name in item else _NAMES[name]
    return item.get(key), key


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip("^ "))


def _is_weight(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value) and value > 0
