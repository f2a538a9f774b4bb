"""Registries of step kinds and of operators: an explicit table of ours, and an entry-point group for those of others.

The tables name objects by ``module:attribute`` and load them when they are asked for, so that the model does not import
the checks that import the model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from toulmin.errors import InputError, SettingsError

if TYPE_CHECKING:
    from toulmin.graph.protocol import Graph
    from toulmin.proof.context import Context, Finding
    from toulmin.proof.model import Arguments, Output, Path, Step
    from toulmin.proof.operators.paths import Walk

__all__ = ["KINDS", "OPERATORS", "Kind", "Operator", "Registry"]

T = TypeVar("T")


class Registry(Generic[T]):
    """Objects of one type by name.

    Args:
        what: what a name names, for error messages ("step kind").
        group: the entry-point group in which other packages add theirs. Our own names cannot be taken.
        type_: what a loaded object must be an instance of.
        table: name -> ``module:attribute``.
    """

    def __init__(self, what: str, group: str, type_: type[T], table: Mapping[str, str]) -> None:
        self.what, self.group, self._type = what, group, type_
        self._table = dict(table)
        self._others: dict[str, EntryPoint] | None = None
        self._loaded: dict[str, T] = {}

    def names(self) -> list[str]:
        """Every name, ours first.

        Raises:
            SettingsError: two packages offer the same name, or one offers a name of ours.
        """
        return [*self._table, *self._third_parties()]

    def get(self, name: str) -> T:
        """The object of a name.

        Raises:
            InputError: no such name.
            SettingsError: what an entry point names is not what it should be.
        """
        if name not in self._loaded:
            if name in self._table:
                entry = EntryPoint(name=name, value=self._table[name], group=self.group)
            else:
                others = self._third_parties()
                if name not in others:
                    known = ", ".join(self.names())
                    raise InputError(f"{self.what} {name!r} is not known; known are {known}")
                entry = others[name]
            found = entry.load()
            if not isinstance(found, self._type):
                raise SettingsError(f"entry point {entry.value!r} of {self.group!r} is not a {self._type.__name__}")
            self._loaded[name] = found
        return self._loaded[name]

    def _third_parties(self) -> dict[str, EntryPoint]:
        if self._others is None:
            others: dict[str, EntryPoint] = {}
            for entry in sorted(entry_points(group=self.group), key=lambda entry: (entry.name, entry.value)):
                if entry.name in self._table or others.get(entry.name, entry).value != entry.value:
                    raise SettingsError(f"{self.what} {entry.name!r} is offered twice in {self.group!r}: {entry.value}")
                others[entry.name] = entry
            self._others = others
        return self._others


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of step: its model, and the check of one such step."""

    model: type[Step]
    check: Callable[[Any, Context], Finding]


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator of computations.

    Args:
        arguments: the model of its arguments.
        recompute: (arguments, steps by id, graph) -> output; pure. Raises InputError where these steps do not fit.
        express: (arguments, expression of a step id) -> the canonical form of the computation, with every argument.
        assumes: (arguments) -> the assumption the output needs beside the graph, or None.
        walk: where the values are ends of paths: (arguments, steps by id, graph) -> the walk that reaches them.
        shows: with ``walk``: (arguments, a path, steps by id) -> whether the path is one by which its end is a value.
            A conclusion must show such a path to each value, and may show no other.
    """

    arguments: type[Arguments]
    recompute: Callable[[Any, Mapping[str, Step], Graph], Output]
    express: Callable[[Any, Callable[[str], str]], str]
    assumes: Callable[[Any], str | None] = lambda _: None
    walk: Callable[[Any, Mapping[str, Step], Graph], Walk] | None = None
    shows: Callable[[Any, Path, Mapping[str, Step]], bool] | None = None


KINDS: Registry[Kind] = Registry(
    "step kind",
    "toulmin.proof_kinds",
    Kind,
    {
        "link": "toulmin.proof.links:LINK",
        "fact": "toulmin.proof.facts:FACT",
        "path": "toulmin.proof.facts:PATH",
        "query": "toulmin.proof.queries:QUERY",
        "absence": "toulmin.proof.queries:ABSENCE",
        "computation": "toulmin.proof.conclusions:COMPUTATION",
        "judgement": "toulmin.proof.conclusions:JUDGEMENT",
        "conclusion": "toulmin.proof.conclusions:CONCLUSION",
        "axiom": "toulmin.proof.axioms.checks:AXIOM",
        "binding": "toulmin.proof.axioms.checks:BINDING",
        "passage": "toulmin.proof.passages:PASSAGE",
        "chain": "toulmin.proof.chains.steps:CHAIN",
        "entailment": "toulmin.proof.chains.steps:ENTAILMENT",
        "claim": "toulmin.proof.texts.claims:CLAIM",
    },
)

OPERATORS: Registry[Operator] = Registry(
    "operator",
    "toulmin.proof_operators",
    Operator,
    {
        "path_ends": "toulmin.proof.operators.paths:PATH_ENDS",
        "restrict_time": "toulmin.proof.operators.times:RESTRICT_TIME",
        "union": "toulmin.proof.operators.sets:UNION",
        "intersection": "toulmin.proof.operators.sets:INTERSECTION",
        "difference": "toulmin.proof.operators.sets:DIFFERENCE",
        "count": "toulmin.proof.operators.sets:COUNT",
        "among": "toulmin.proof.operators.chosen:AMONG",
        "exists": "toulmin.proof.operators.chosen:EXISTS",
        "entity_named": "toulmin.proof.operators.chosen:ENTITY_NAMED",
        "compare": "toulmin.proof.operators.values:COMPARE",
        "first": "toulmin.proof.operators.values:FIRST",
        "last": "toulmin.proof.operators.values:LAST",
        "convert": "toulmin.proof.operators.values:CONVERT",
        "distance": "toulmin.proof.operators.values:DISTANCE",
        "axiom_part": "toulmin.proof.operators.axioms:AXIOM_PART",
        "axiom_verdict": "toulmin.proof.operators.axioms:AXIOM_VERDICT",
        "axiom_choice": "toulmin.proof.operators.axioms:AXIOM_CHOICE",
        "weighted_vote": "toulmin.proof.operators.votes:WEIGHTED_VOTE",
        "fact_selection": "toulmin.proof.operators.selection:FACT_SELECTION",
    },
)
