"""A model's steps as nodes of a program.

Steps say in few words what people ask; each comes to a handful of nodes. A condition, a key or a column is a *path*
from the thing at hand, and what is made of its ends: the values themselves, their number, their sum.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from typing import Literal as OneOf

from pydantic import ValidationError

from toulmin.errors import InputError
from toulmin.graph.types import Entity, Literal, Node
from toulmin.graph.values import compare, literal_from_text
from toulmin.methods.programs.vocabulary import Vocabulary
from toulmin.program.builder import Builder
from toulmin.program.json_forms import one_line
from toulmin.program.nodes import It, Window
from toulmin.retrieval.schema import time_role

__all__ = ["build"]

Step = Mapping[str, Any]
_WAYS: Mapping[str, Sequence[OneOf["forward", "backward"]]] = {
    "forward": ("forward",),
    "backward": ("backward",),
    "either": ("forward", "backward"),
}
#: Steps that are one node over others.
_OF_SEVERAL: Mapping[str, Callable[..., int]] = {
    "union": Builder.union,
    "intersection": Builder.intersection,
    "difference": Builder.difference,
    "and": Builder.and_,
    "or": Builder.or_,
}
_OF_ONE: Mapping[str, Callable[[Builder, int], int]] = {
    "complete": Builder.complete,
    "exists": Builder.exists,
    "not": Builder.not_,
    "each": Builder.it,
}
#: Steps that test each thing of a set, and the operators that do.
_TESTED = {"keep": "where", "any": "some", "all": "every"}


def build(steps: Sequence[Step], answer: int, builder: Builder, vocabulary: Vocabulary) -> int:
    """The place of the step that is the answer.

    Args:
        answer: the number of a step, from 1.

    Raises:
        InputError: a step names one that does not stand before it, or what it says does not fit together.
    """
    building = _StepBuilder(builder, vocabulary)
    for number, step in enumerate(steps, 1):
        try:
            building.add(step)
        except InputError as error:
            raise InputError(f"step {number} ({step['op']}): {error}") from error
        except ValidationError as error:  # a node that cannot be, such as the difference of one set
            raise InputError(f"step {number} ({step['op']}): {one_line(error)}") from None
    return building.place(answer)


class _StepBuilder:
    def __init__(self, builder: Builder, vocabulary: Vocabulary) -> None:
        self._b, self._v = builder, vocabulary
        self._places: list[int] = []

    def add(self, step: Step) -> None:
        """Add the node of a step."""
        self._places.append(self._set(step))

    def place(self, number: int) -> int:
        """The place of a step's node."""
        if not 1 <= number <= len(self._places):
            raise InputError(f"there is no step {number} before it")
        return self._places[number - 1]

    def _every(self, numbers: Sequence[int]) -> list[int]:
        if not numbers:
            raise InputError("of names no step")
        return [self.place(number) for number in numbers]

    def _set(self, step: Step) -> int:
        """The node of a step that names something, or says which things of a set there are, in which order."""
        b, place = self._b, self.place
        match step:
            case {"op": "name", "name": number}:
                node, words, form = self._v.node(number)
                return b.entity(node, words, form) if isinstance(node, Entity) else b.literal(node)
            case {"op": "value", "kind": kind, "value": text, "unit": unit}:
                return b.literal(_literal(kind, text, unit))
            case {"op": "class"}:
                return b.instances(self._kind(step), self._v.view.instance, self._v.view.subclass)
            case {"op": "follow", "path": []}:
                raise InputError("the path is empty")
            case {"op": "follow", "of": of, "path": path, "among": among}:
                return self._walked(place(of), path, among)
            case {"op": "qualified"}:
                return self._qualified(step)
            case {"op": "qualifier", "of": of, "qualifier": number}:
                return b.qualifier(place(of), self._v.qualifiers[number - 1])
            case {"op": "where"}:
                return self._where(step)
            case {"op": "having"}:
                return self._having(step)
            case {"op": "lacking", "of": of}:
                return b.difference(place(of), self._having(step))
            case {"op": "rank", "of": of, "path": path, "order": order, "from": first, "to": last}:
                ranked = b.last if order == "highest" else b.first
                return ranked(place(of), partial(self._measured, step=step) if path else None, from_=first, to=last)
            case _:
                return self._computed(step)

    def _computed(self, step: Step) -> int:
        """The node of a step that computes something of others, or of each thing of a set."""
        b, place = self._b, self.place
        match step:
            case {"op": op, "of": list(several)} if op in _OF_SEVERAL:
                return _OF_SEVERAL[op](b, *self._every(several))
            case {"op": op, "of": of} if op in _OF_ONE:
                return _OF_ONE[op](b, place(of))
            case {"op": "measure", "of": of}:
                return self._measured(place(of), step)
            case {"op": "calculate", "do": do, "left": left, "right": right}:
                second = None if right is None else place(right)
                return b.arithmetic(do, place(left), second)
            case {"op": "compare", "do": do, "left": left, "right": right}:
                return b.compare(do, place(left), place(right))
            case {"op": "is a", "of": of}:
                return b.is_a(place(of), self._kind(step), self._v.view.instance, self._v.view.subclass)
            case {"op": "table", "of": of, "columns": columns}:
                return b.table(place(of), [partial(self._measured, step=column) for column in columns])
            case {"op": "group", "path": []}:
                raise InputError("the path by which things are grouped is empty")
            case {"op": "group", "of": of, "path": path, "columns": columns}:
                measured = [partial(self._measured, step=column) for column in columns]
                return b.group(place(of), lambda it: self._walked(it, path), measured)
            case {"op": "order", "order": order, "by": by, "from": first, "to": last}:
                op = "last" if order == "highest" else "first"
                return b.add({"op": op, **self._each(step), "by": place(by), "from": first, "to": last})
            case {"op": "total", "measure": measure, "by": by}:
                return b.add({"op": measure, **self._each(step), "by": place(by)})
            case {"op": "rows", "columns": columns}:
                return b.add({"op": "table", **self._each(step), "columns": self._every(columns)})
            case _:
                return b.add({"op": _TESTED[step["op"]], **self._each(step), "test": place(step["test"])})

    def _each(self, step: Step) -> dict[str, Any]:
        """The set over which a variable ranges, and the variable."""
        place = self.place(step["each"])
        node = self._b.program[place]
        if not isinstance(node, It):
            raise InputError(f'step {step["each"]} is no step "each"')
        return {"of": node.of, "it": place}

    def _kind(self, step: Step) -> int:
        return self._b.entity(self._v.view.classes[step["class"] - 1].entity)

    def _constant(self, number: int) -> Node:
        nodes = self._b.nodes(self.place(number))
        if len(nodes) != 1:
            raise InputError(f"step {number} is no single name or value")
        return nodes[0]

    def _walked(self, of: int, path: Sequence[Step], among: int | None = None) -> int:
        """The ends of a path; with ``among`` those of them that this step yields too."""
        for hop in path:
            ways = _WAYS[hop["direction"]]
            ends = [self._b.follow(of, self._v.relation(hop["relation"]), way) for way in ways]
            of = self._b.union(*ends) if len(ends) > 1 else ends[0]
        return of if among is None else self._b.intersection(of, self.place(among))

    def _qualified(self, step: Step) -> int:
        of, relation = self.place(step["of"]), self._v.relation(step["relation"])
        window = self._window(step["from"], step["to"])
        plain = self._b.follow(of, relation, step["direction"], window=window)
        qualified = []
        for entry in step["qualified"]:
            qualifier = self._v.qualifiers[entry["qualifier"] - 1]
            stated = self._b.nodes(self._b.qualifier(plain, qualifier))
            qualified.append((qualifier, _as_stated(self._constant(entry["is"]), stated)))
        return self._b.follow(of, relation, step["direction"], qualified=qualified, window=window)

    def _window(self, begin: str, end: str) -> Window | None:
        """The statements that hold at some time between two dates, by the qualifiers that are shown."""
        times = [_literal("date", text, "") if text.strip() else None for text in (begin, end)]
        if not any(times):
            return None
        roles: dict[str, list[str]] = {"start": [], "end": [], "point": []}
        for qualifier in self._v.qualifiers:
            roles[time_role(qualifier)].append(qualifier.id)
        return Window.model_validate({"from": times[0], "to": times[1], **roles})

    def _measured(self, of: int, step: Step) -> int:
        """What a path measures: its ends, their number, or the sum, mean … of what its last relation leads to."""
        path, measure, among = step["path"], step["measure"], step.get("among")
        if measure in ("value", "count"):
            ends = self._walked(of, path, among)
            return ends if measure == "value" else self._b.count(ends)
        if not path:
            raise InputError(f"a {measure} needs a path to numbers")
        things = self._walked(of, path[:-1], among)
        return self._b.aggregate(measure, things, lambda it: self._walked(it, path[-1:]))

    def _where(self, step: Step) -> int:
        value = self.place(step["value"])

        def test(it: int) -> int:
            measured = self._measured(it, step)
            if step["measure"] != "value":
                return self._b.compare(step["do"], measured, value)
            return self._b.some(measured, lambda end: self._b.compare(step["do"], end, value))

        return self._b.where(self.place(step["of"]), test)

    def _having(self, step: Step) -> int:
        ends = step["path"], step["among"]
        return self._b.where(self.place(step["of"]), lambda it: self._b.exists(self._walked(it, *ends)))


def _literal(kind: str, text: str, unit: str) -> Literal:
    """A value as a model writes it.

    Raises:
        InputError: it is none of its kind.
    """
    if kind == "text":
        return Literal(text)
    if kind == "yes or no":
        if text.lower() not in ("yes", "no", "true", "false"):
            raise InputError(f"{text!r} is neither yes nor no")
        return Literal("true" if text.lower() in ("yes", "true") else "false", "boolean")
    literal_kind = "time" if kind == "date" else "quantity"
    literal = literal_from_text(f"{text} {unit}".strip()) if kind == "date" or unit else _number(text)
    if literal is None or literal.kind != literal_kind:
        raise InputError(f"{f'{text} {unit}'.strip()!r} is no {kind} that can be read")
    return literal


def _as_stated(value: Node, stated: Sequence[Node]) -> Node:
    """A value as qualifiers have it, which are compared letter by letter: 1950 is 1950, by whatever precision."""
    if not isinstance(value, Literal) or value in stated:
        return value
    literals = [literal for literal in stated if isinstance(literal, Literal)]
    return next(
        (literal for literal in literals if literal.value == value.value or compare("=", literal, value)), value
    )


def _number(text: str) -> Literal | None:
    """A bare number; 1998 is one, where a number is meant."""
    try:
        float(text)
    except ValueError:
        return literal_from_text(text)
    return Literal(text.strip(), "quantity")
