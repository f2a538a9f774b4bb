"""Whether two logical forms mean the same, in whatever words they are written."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

from near_forms import normal
from toulmin.graph.types import Entity, Literal
from toulmin.methods.reader.forms import (
    Compared,
    Condition,
    Constant,
    Form,
    Hop,
    Join,
    Key,
    Kind,
    Membership,
    Restricted,
    Sets,
    Tabled,
    Things,
)

__all__ = ["same_meaning"]


def same_meaning(first: Form, second: Form) -> bool:
    """Whether they differ in words alone: of names, of values, of hops from a class's things or to them."""
    return bool(_plain(first) == _plain(second))


def _plain(form: Form) -> Any:
    return normal(_reduced(form))


def _reduced(part: Any) -> Any:
    match part:
        case Compared() if isinstance(part.right, Constant) and part.right.text in ("yes", "true") and part.do == "=":
            return _reduced(part.left)
        case Sets("difference", (first, Restricted(of=base, conditions=(Condition(do="=") as condition,)))):
            if base == first:
                return _reduced(Restricted(first, (replace(condition, do="≠"),)))
        case Sets() if part.do == "union" and (either := _all_restricted(part)) is not None:
            keys = {(one.of, one.conditions[0].key, one.conditions[0].do) for one in either}
            if len(keys) == 1 and all(len(one.conditions) == 1 for one in either):
                values = tuple(value for one in either for value in one.conditions[0].values)
                return _reduced(Restricted(either[0].of, (replace(either[0].conditions[0], values=values),)))
        case Compared() if part.do in ("<", "≤"):
            return _reduced(Compared(part.right, ">" if part.do == "<" else "≥", part.left))
        case Sets() if part.do == "intersection" and (both := _all_restricted(part)) is not None:
            if len({one.of for one in both}) == 1:
                return _reduced(
                    Restricted(both[0].of, tuple(condition for one in both for condition in one.conditions))
                )
        case Condition() if len(part.values) > 1:
            values = tuple(sorted(map(_reduced, part.values), key=repr))
            return replace(part, key=_reduced(part.key), values=values)
        case Tabled():
            part = replace(part, columns=tuple(sorted(part.columns, key=repr)))
        case Condition() if (
            part.do == "≠" and isinstance(part.values[0], Constant) and part.values[0].text in ("yes", "no")
        ):
            text = "no" if part.values[0].text == "yes" else "yes"
            other = Constant(text, Literal(text))
            return _reduced(replace(part, do="=", values=(other,)))
        case Condition() if part.do == "=" and len(part.values) == 1 and part.key.measure == "value":
            inner = _reduced(part.values[0])
            if isinstance(inner, Restricted) and len(inner.conditions) == 1 and inner.conditions[0].do == "=":
                key = replace(part.key, path=(*part.key.path, *inner.conditions[0].key.path))
                return replace(part, key=_reduced(key), values=inner.conditions[0].values)
            return replace(part, key=_reduced(part.key), values=(inner,))
        case Constant():
            return Constant(_key(part))
        case Hop():
            return Hop("", part.backward, part.ids)
        case Kind():
            return Kind(part.entity.id if part.entity else part.label)
        case tuple():
            return tuple(map(_reduced, part))
        case Membership() if (
            isinstance(part.item, Constant) and isinstance(part.of, Join) and isinstance(part.of.of, Constant)
        ):
            if part.of.hop.backward:
                part = Membership(part.of.of, Join(part.item, part.of.hop.turned()))
        case Join(within=None) if part.hop.backward and (
            isinstance(part.of, Constant) or (isinstance(part.of, Join) and isinstance(part.of.of, Constant))
        ):
            return _reduced(_backward(part))
        case Restricted() if isinstance(part.of, Things) and isinstance(part.conditions[0].values[0:1], tuple):
            part = replace(part, of=Things(Kind("")) if _found_by_name(part.conditions) else part.of)
    if not hasattr(part, "__dataclass_fields__") or isinstance(part, Entity | Literal):
        return part
    return replace(part, **{field.name: _reduced(getattr(part, field.name)) for field in fields(part)})


def _all_restricted(form: Sets) -> list[Restricted] | None:
    """The sets of a form, if each is restricted."""
    restricted = [one for one in form.of if isinstance(one, Restricted)]
    return restricted if len(restricted) == len(form.of) else None


def _backward(form: Join) -> Form:
    """``everything whose R is X`` as a restriction of anything."""
    condition = Condition(Key((form.hop.turned(),)), "=", (form.of,))
    return Restricted(Things(Kind("")), (condition,))


def _found_by_name(conditions: tuple[Condition, ...]) -> bool:
    """Whether a condition leads to a thing that is named: then the class is told by the relation."""
    return any(c.do == "=" and c.key.measure == "value" and any(map(_leads_to_name, c.values)) for c in conditions)


def _leads_to_name(value: Form) -> bool:
    if isinstance(value, Restricted):
        return _found_by_name(value.conditions)
    if isinstance(value, Join) and isinstance(value.of, Constant):
        return isinstance(value.of.node, Entity)
    node = value.node if isinstance(value, Constant) else None
    text = isinstance(node, Literal) and node.kind == "string" and node.value not in ("yes", "no")  # no name of a thing
    return isinstance(node, Entity) or text


def _key(named: Constant) -> str:
    node = named.node
    if isinstance(node, Entity):
        return f"e:{node.id}"
    if isinstance(node, Literal):
        text = {"true": "yes", "false": "no"}.get(node.value.lower(), node.value.lower())
        with suppress(ValueError):
            text = f"{float(text):.12g}"
        return f"l:{text}"
    return named.text.lower()
