"""What a check sees: the answer, the graph, and the look-ups that all steps share, one batched call each."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from functools import cached_property
from typing import Literal as Choice
from typing import NamedTuple

from pydantic import BaseModel

from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, EntityInfo, Relation
from toulmin.proof.answer import Answer
from toulmin.proof.model import Fact, Link, Step
from toulmin.proof.reading import name

__all__ = ["STATUSES", "Context", "Finding", "Status", "weakest"]

Status = Choice["holds", "recomputed", "judged", "assumed", "unverifiable", "stale", "fails"]

#: From strong to weak. An answer is as strong as the weakest step it needs.
STATUSES: tuple[Status, ...] = ("holds", "recomputed", "judged", "assumed", "unverifiable", "stale", "fails")


class Finding(NamedTuple):
    """The status of a step and why, in one line."""

    status: Status
    reason: str


def weakest(statuses: Iterable[Status]) -> Status:
    """The weakest of some statuses; "holds" of none."""
    return max(statuses, key=STATUSES.index, default="holds")


class Context:
    """What the check of a step may use.

    Args:
        answer: the answer whose proof is checked.
        graph: the graph it is checked against.
        passages: the text of a document by its id, None where there is none such; None: no documents are at hand.
        seconds: that the check may take.
    """

    def __init__(
        self,
        answer: Answer,
        graph: Graph,
        passages: Callable[[str], str | None] | None = None,
        seconds: float = math.inf,
    ) -> None:
        self.answer, self.graph, self.passages = answer, graph, passages
        self._until = time.monotonic() + seconds
        self.steps = answer.proof.by_id()
        self.changed = graph.fingerprint != answer.graph_fingerprint

    def left(self) -> float:
        """The seconds that are left for the check, at least 0."""
        return max(0.0, self._until - time.monotonic())

    def missing(self, reason: str) -> Finding:
        """What the graph does not bear out: stale where it is not the graph the proof was made on, else it fails."""
        return Finding("stale", f"{reason}; the graph has changed") if self.changed else Finding("fails", reason)

    def premises(self, step: Step) -> list[Step]:
        """The steps that a step rests on."""
        return [self.steps[premise] for premise in step.rests_on]

    def unused(self, step: Step, used: Iterable[str]) -> Finding | None:
        """A failure where a step does not rest on exactly what it uses: a true but idle statement is no evidence."""
        needed, given = set(used), set(step.rests_on)
        if extra := sorted(given - needed):
            return Finding("fails", f"rests on {', '.join(extra)}, which it does not use")
        if lacking := sorted(needed - given):
            return Finding("fails", f"uses {', '.join(lacking)} without resting on it")
        return None

    @cached_property
    def _named(self) -> dict[str, list[Entity | Relation]]:
        """The distinct entities and relations that each step shows."""
        named: dict[str, list[Entity | Relation]] = {}
        for step in self.steps.values():
            found: list[Entity | Relation] = []
            _collect(step, found)
            named[step.id] = list(dict.fromkeys(found))
        return named

    @cached_property
    def described(self) -> dict[str, EntityInfo | None]:
        """What the graph says of every entity and relation that the proof shows."""
        ids = list(dict.fromkeys(named.id for some in self._named.values() for named in some))
        return dict(zip(ids, self.graph.describe(ids), strict=True))

    @cached_property
    def contained(self) -> dict[str, bool]:
        """Whether the statement of each fact is in the graph, by step id."""
        facts = [step for step in self.steps.values() if isinstance(step, Fact)]
        found = self.graph.contains([fact.statement for fact in facts])
        return {fact.id: held for fact, held in zip(facts, found, strict=True)}

    @cached_property
    def bearers(self) -> dict[str, set[str]]:
        """The ids of all entities that bear each form which a link names."""
        forms = list(dict.fromkeys(step.form for step in self.steps.values() if isinstance(step, Link)))
        return {form: {m.id for m in found} for form, found in zip(forms, self.graph.lookup(forms), strict=True)}

    @cached_property
    def _relations(self) -> set[Relation]:
        """Relations as they are labelled as such: an id that names an entity too may read otherwise there."""
        return {relation for relation, _ in self.graph.relations()}

    def mislabelled(self, step: Step) -> Finding | None:
        """A failure where the step shows a name that is not the graph's: a reader reads labels, not ids."""
        for named in self._named[step.id]:
            info = self.described[named.id]
            label = info.entity.label if info is not None else None
            if named.label == label or (info is None and named.label == named.id):
                continue
            if not isinstance(named, Relation) or named not in self._relations:
                known = "has no name for it" if label is None else f"calls it {label!r}"
                return self.missing(f"shows {name(named)}, but the graph {known}")
        return None


def _collect(value: object, found: list[Entity | Relation]) -> None:
    """Every entity and relation inside a step, in the order of the fields."""
    if isinstance(value, str):
        return
    if isinstance(value, (Entity, Relation)):
        found.append(value)
    elif isinstance(value, tuple):
        for item in value:
            _collect(item, found)
    elif isinstance(value, BaseModel):
        for item in value.__dict__.values():
            _collect(item, found)
    elif is_dataclass(value):
        for attribute in fields(value):
            _collect(getattr(value, attribute.name), found)
