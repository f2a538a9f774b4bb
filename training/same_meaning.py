"""Whether two logical forms mean the same, in whatever words they are written."""

from __future__ import annotations

import re
from calendar import monthrange
from contextlib import suppress
from dataclasses import fields, replace
from itertools import permutations
from typing import Any

from near_forms import normal
from toulmin.graph.types import Entity, Literal
from toulmin.methods.reader.forms import (
    Compared,
    Condition,
    Constant,
    Form,
    Grouped,
    Hop,
    Join,
    Key,
    Kind,
    Membership,
    Own,
    Restricted,
    Sets,
    Tabled,
    Things,
)

__all__ = ["same_meaning"]

#: What a condition on a thing's condition does to the thing itself, over one more hop.
_CARRIED = frozenset({"=", "<", ">", "≤", "≥", "contains", "starts", "has"})


def same_meaning(first: Form, second: Form) -> bool:
    """Whether they differ in words alone: of names, of values, of hops from a class's things or to them."""
    return bool(_plain(first) == _plain(second))


def _plain(form: Form) -> Any:
    return normal(_reduced(form))


def _reduced(part: Any) -> Any:
    match part:
        case Compared() if isinstance(part.right, Constant) and part.right.text in ("yes", "true") and part.do == "=":
            return _reduced(part.left)
        case Sets("difference", (Things() as first, Join() as ends)) if _ends_of_all(ends):
            return _reduced(Restricted(first, (Condition(Key((ends.hop.turned(),)), "lacks"),)))
        case Sets(do="difference") if (denied := _denied(part)) is not None:
            return _reduced(denied)
        case Sets(do="union") if (either := _all_restricted(part)) is not None:
            keys = {(one.of, one.conditions[0].key, one.conditions[0].do) for one in either}
            if len(keys) == 1 and all(len(one.conditions) == 1 and one.conditions[0].do == "=" for one in either):
                values = tuple(value for one in either for value in one.conditions[0].values)
                return _reduced(Restricted(either[0].of, (replace(either[0].conditions[0], values=values),)))
        case Compared() if part.do in ("<", "≤"):
            return _reduced(Compared(part.right, ">" if part.do == "<" else "≥", part.left))
        case Sets(do="intersection") if any(_ends_of_all(ends) for ends in part.of):
            kind = next(ends.hop.far for ends in part.of if isinstance(ends, Join) and _ends_of_all(ends))
            sets = [_as_having(ends, kind) for ends in part.of]
            return _reduced(replace(part, of=tuple(sets)))
        case Sets(do="intersection") if (both := _all_restricted(part)) is not None:
            anything: Form = Things(Kind(""))
            kinds = {repr(one.of): one.of for one in both if one.of != anything}
            if len(kinds) <= 1:
                conditions = tuple(condition for one in both for condition in one.conditions)
                return _reduced(Restricted(next(iter(kinds.values()), anything), conditions))
        case Condition() if (bound := _same_bound(part)) is not None:
            return _reduced(bound)
        case Condition(key=Key(measure="value"), do="<" | "≤", values=(Own() as its,)):
            turned = Condition(Key(its.path), ">" if part.do == "<" else "≥", (Own(part.key.path),))
            return _reduced(turned)
        case Condition() if len(part.values) > 1:
            values = tuple(sorted(map(_reduced, part.values), key=repr))
            return replace(part, key=_reduced(part.key), values=values)
        case Grouped(having=tuple((do, value))) if part.key.measure == "count":
            bound = Condition(Key((), "count"), do, (value,))
            bound = _same_bound(bound) or bound
            part = replace(part, having=(bound.do, bound.values[0]))
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
            behind = inner.conditions[0] if isinstance(inner, Restricted) and isinstance(inner.of, Things) else None
            if behind is not None and len(inner.conditions) == 1 and _is_carried(behind):
                key = replace(behind.key, path=(*part.key.path, *behind.key.path))
                return replace(part, key=_reduced(key), do=behind.do, values=behind.values)
            return replace(part, key=_reduced(part.key), values=(inner,))
        case Constant():
            return Constant(_key(part))
        case Hop():
            return Hop("", part.backward, part.ids)
        case Kind():
            return Kind(part.entity.id if part.entity else part.label)
        case tuple():
            return tuple(map(_reduced, part))
        case Membership() if isinstance(part.item, Constant) and (states := _statement(part)) is not None:
            part = states
        case Join(within=None) if part.hop.backward and (
            isinstance(part.of, Constant) or (isinstance(part.of, Join) and isinstance(part.of.of, Constant))
        ):
            return _reduced(_backward(part))
        case Restricted() if (within := _within_period(part.conditions)) is not None:
            return _reduced(replace(part, conditions=within))
        case Restricted() if isinstance(inner := _reduced(part.of), Restricted):
            return _reduced(replace(inner, conditions=(*inner.conditions, *map(_reduced, part.conditions))))
        case Restricted() if isinstance(part.of, Things) and isinstance(part.conditions[0].values[0:1], tuple):
            part = replace(part, of=Things(Kind("")) if _found_by_name(part.conditions) else part.of)
    if not hasattr(part, "__dataclass_fields__") or isinstance(part, Entity | Literal):
        return part
    return replace(part, **{field.name: _reduced(getattr(part, field.name)) for field in fields(part)})


def _is_carried(behind: Condition) -> bool:
    """Whether a condition on what a thing leads to is one on the thing, over one more hop."""
    plain = behind.key.measure == "value" and not any(isinstance(value, Own) for value in behind.values)
    return plain and behind.do in _CARRIED


def _denied(form: Sets) -> Form | None:
    """``the K whose R is X but not those whose S is Y`` as ``the K whose R is X and whose S is not Y``."""
    if len(form.of) != 2:
        return None
    kept, left = map(_reduced, form.of)
    kinds = [Things(Kind("")), kept.of if isinstance(kept, Restricted) else kept]
    match left:
        case Restricted(of=kind, conditions=(Condition(do="=") as condition,)) if kind in kinds:
            return Restricted(kept, (replace(condition, do="≠"),))
    return None


def _statement(form: Membership) -> Membership | None:
    """``X is a thing whose R is Y`` and ``X is R of Y`` as ``Y is R of X``, so that each statement is asked one way."""
    match _reduced(form.of):
        case Restricted(of=Things(), conditions=(Condition(do="=", values=(Constant() as end,)) as condition,)):
            if condition.key.measure == "value" and len(condition.key.path) == 1:
                (hop,) = condition.key.path
                start, item = (form.item, end) if not hop.backward else (end, form.item)
                return Membership(item, Join(start, replace(hop, backward=False)))
    return None


def _same_bound(condition: Condition) -> Condition | None:
    """The same bound as it is mostly written: from 2019-01-01 on is from 2019 on, more than one is at least two."""
    value = condition.values[0] if len(condition.values) == 1 else None
    if not isinstance(value, Constant) or value.node is None:
        return None
    text = value.node.value if isinstance(value.node, Literal) else ""  # "two" is 2
    if (period := _period_of(text, last=condition.do in ("≤", ">"))) and condition.do in ("≥", "<", "≤", ">"):
        return replace(condition, values=(Constant(period, Literal(period, "time")),))
    if condition.key.measure == "count" and condition.do in (">", "<") and text.isdecimal():
        count, do = (int(text) + 1, "≥") if condition.do == ">" else (int(text) - 1, "≤")
        return replace(condition, do=do, values=(Constant(str(count), Literal(str(count), "quantity")),))  # type: ignore[arg-type]
    return None


def _within_period(conditions: tuple[Condition, ...]) -> tuple[Condition, ...] | None:
    """From the first day of a year to its last one is in that year."""
    plain = [_reduced(condition) for condition in conditions]
    for low, high in permutations(range(len(plain)), 2):
        if (plain[low].do, plain[high].do, plain[low].key) != ("≥", "≤", plain[high].key):
            continue
        kept = [condition for place, condition in enumerate(conditions) if place not in (low, high)]
        first, last = plain[low].values[0], plain[high].values[0]
        if not isinstance(first, Constant) or not isinstance(last, Constant):
            continue
        if first == last and re.fullmatch(r"l:\d{4}(-\d\d)?", first.text):
            return (*kept, replace(plain[low], do="="))
        if re.fullmatch(r"l:\d{3}0", first.text) and last.text == f"{first.text[:-1]}9":
            return (*kept, replace(plain[low], do="=", values=(Constant(f"{first.text}/decade"),)))
    return None


def _period_of(day: str, *, last: bool) -> str:
    """The year or month that begins, or ends, with a day; "" where none does."""
    if not (match := re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", day)):
        return ""
    year, month, number = map(int, match.groups())
    if (month, number) == ((12, 31) if last else (1, 1)):
        return match[1]
    return day[:7] if number == (monthrange(year, month)[1] if last else 1) else ""


def _ends_of_all(form: Form) -> bool:
    """Whether a form is what some relation leads to from anything of a class: ``the captains of flights``."""
    if not isinstance(form, Join) or not isinstance(form.of, Things) or form.within is not None:
        return False
    return bool(form.hop.far) and form.of.kind.label == form.hop.near


def _as_having(form: Form, kind: str) -> Form:
    """The ends of a relation as the things of a class that something leads to."""
    if not isinstance(form, Join) or not _ends_of_all(form):
        return form
    return Restricted(Things(Kind(kind)), (Condition(Key((form.hop.turned(),)), "has"),))


def _all_restricted(form: Sets) -> list[Restricted] | None:
    """The sets of a form, reduced, if each is restricted."""
    restricted = [reduced for reduced in map(_reduced, form.of) if isinstance(reduced, Restricted)]
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
    if isinstance(value, Constant) and node is None:  # reduced
        return (
            value.text.startswith("e:")
            or re.fullmatch(r"l:(?!yes$|no$)(?![-\d.:t]+(/\w+)?$).*", value.text) is not None
        )
    text = isinstance(node, Literal) and node.kind == "string" and node.value not in ("yes", "no")  # no name of a thing
    return isinstance(node, Entity) or text


def _key(named: Constant) -> str:
    node = named.node
    if isinstance(node, Entity):
        return f"e:{node.id}".lower()  # as once more reduced
    if isinstance(node, Literal):
        text = {"true": "yes", "false": "no"}.get(node.value.lower(), node.value.lower())
        with suppress(ValueError):
            text = f"{float(text):.12g}"
        return f"l:{text}" if node.precision is None else f"l:{text}/{node.precision}"
    return named.text.lower()
