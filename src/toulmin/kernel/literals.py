"""Nodes of a graph: entities, which are their ids, and literals."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .errors import KernelError

KINDS = ("string", "quantity", "time", "coordinate", "boolean", "unknown_value", "no_value")


class Literal(NamedTuple):
    """A value with its kind; an entity is a ``str``, its id."""

    value: str
    kind: str
    unit: str | None = None
    precision: str | None = None
    lang: str | None = None
    calendar: str | None = None


Node = str | Literal
Label = Callable[[str], str | None]  # the label of an entity, given its id


def literal_from(value: object) -> Literal:
    """The literal of a JSON object; KernelError, with a line that says why, where it is none."""
    if not isinstance(value, dict) or not value.keys() <= set(Literal._fields) or "value" not in value:
        raise KernelError(
            f"a literal must be an object with value and kind, and may have {', '.join(Literal._fields[2:])}"
        )
    if value.get("kind") not in KINDS:
        raise KernelError(f"kind of a literal must be one of {', '.join(KINDS)}")
    for name, text in value.items():
        if not isinstance(text, str) and (text is not None or name == "value"):
            raise KernelError(f"{name} of a literal must be a text")
        if len(text or "") > 100_000 or (text == "" and name != "value"):
            raise KernelError(f"{name} of a literal must have 1 to 100,000 characters")
    made = Literal(**value)
    numbers = (made.value, *(made.precision or "").split("..")) if made.kind == "quantity" else ()
    if any(len(number) > 1000 for number in numbers):
        raise KernelError("a number must have at most 1,000 characters")
    if made.calendar not in (None, "gregorian", "julian"):
        raise KernelError("calendar of a literal must be gregorian or julian")
    return made


def text_of(node: Node, label: Label) -> str:
    """What people read: of an entity its label, else its id; of a literal its value and unit."""
    if isinstance(node, str):
        return label(node) or node
    return f"{node.value} {label(node.unit) or node.unit}" if node.unit else node.value
