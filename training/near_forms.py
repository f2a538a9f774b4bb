"""Logical forms that are nearly a given one: what a reader confuses with it.

The other direction, the neighbouring relation, the opposite, one condition less or more, the other statistic, the list
in place of its number, the value in place of the thing that has it, two names exchanged.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any
from typing import Literal as Choice

from toulmin.graph.types import Entity, Literal
from toulmin.methods.reader.forms import (
    Agree,
    Calculated,
    Compared,
    Condition,
    Constant,
    Counted,
    Exists,
    Form,
    Grouped,
    Hop,
    Join,
    Key,
    Kind,
    Measured,
    Membership,
    Noted,
    Operator,
    Ranked,
    Restricted,
    Sets,
    Statistic,
    Tabled,
    Things,
    walk,
)

__all__ = ["Surroundings", "followed", "near_forms", "normal", "turned_forms"]

_TURNED: dict[str, Operator] = {
    "<": ">",
    ">": "<",
    "≤": "≥",
    "≥": "≤",
    "=": "≠",
    "≠": "=",
    "has": "lacks",
    "lacks": "has",
    "contains": "starts",
}
_STRICT: dict[str, Operator] = {"<": "≤", "≤": "<", ">": "≥", "≥": ">", "=": ">"}
_STATISTICS: tuple[Statistic, ...] = ("sum", "mean", "min", "max")
_SETS: tuple[Choice["union", "intersection", "difference"], ...] = ("union", "intersection", "difference")


@dataclass(frozen=True)
class Surroundings:
    """What else a graph has: hops in both directions, classes, names."""

    hops: Sequence[Hop]
    kinds: Sequence[Kind]
    named: Sequence[Constant]
    qualifiers: Sequence[str] = ()

    def like(self, hop: Hop, rng: random.Random) -> Hop | None:
        """Another hop in the same direction, mostly from and to the same classes: the grammar excludes others."""
        others = [one for one in self.hops if one.label != hop.label and one.backward == hop.backward]
        near = [one for one in others if one.near == hop.near]
        both = [one for one in near if one.far == hop.far]
        pools = [pool for pool, share in ((both, 0.7), (near, 0.8), (others, 0.3)) if pool and rng.random() < share]
        return rng.choice(pools[0]) if pools else None


def near_forms(form: Form, around: Surroundings, rng: random.Random) -> Iterator[Form]:
    """Changed forms, without end, some more than once."""
    sites = list(_sites(form))
    names = [part for part in walk(form) if isinstance(part, Constant)]
    whole: list[Callable[[], Form | None]] = [
        lambda: _wrapped(form, around, rng),
        lambda: _exchanged(form, names, rng),
        lambda: _renamed(form, names, around, rng),
    ]
    while True:
        if rng.random() < 0.22:
            changed = rng.choice(whole)()
        else:
            part, rebuild = rng.choice(sites)
            new = _changed(part, around, rng)
            changed = None if new is None else rebuild(new)
        if changed is not None and normal(changed) != normal(form):
            yield changed


def turned_forms(form: Form) -> list[Form]:
    """The form with one hop turned, for each of its hops between things."""
    return [
        rebuild(part.turned())
        for part, rebuild in _sites(form)
        if isinstance(part, Hop) and (part.far or part.backward)
    ]


def normal(form: Form) -> Form:
    """A form in which the order of what has none is the alphabet's: equal ones mean the same."""
    part: Any = _in_parts(form)
    match part:
        case Sets() if part.do != "difference":
            return replace(part, of=tuple(sorted(part.of, key=repr)))
        case Restricted():
            return replace(part, conditions=tuple(sorted(part.conditions, key=repr)))
        case Condition():
            part = replace(part, values=tuple(sorted(part.values, key=repr)))
        case Agree():
            left, right = sorted((part.left, part.right), key=repr)
            return Agree(left, right)
        case Compared() if part.do in ("=", "≠"):
            left, right = sorted((part.left, part.right), key=repr)
            return replace(part, left=left, right=right)
    return part  # type: ignore[no-any-return]


def _in_parts(part: Any) -> Any:
    if isinstance(part, tuple):
        return tuple(_in_parts(inner) if not _is_part(inner) else normal(inner) for inner in part)
    if not _is_part(part):
        return part
    return replace(
        part,
        **{
            field.name: (normal if _is_part(getattr(part, field.name)) else _in_parts)(getattr(part, field.name))
            for field in fields(part)
        },
    )


def _sites(part: Any) -> Iterator[tuple[Any, Callable[[Any], Any]]]:
    """Every dataclass within a form, with what puts another in its place."""
    yield part, lambda new: new
    for field in fields(part):
        value = getattr(part, field.name)
        if isinstance(value, tuple):
            for place, inner in enumerate(value):
                if _is_part(inner):
                    for site, rebuild in _sites(inner):
                        yield site, _in_tuple(part, field.name, value, place, rebuild)
        elif _is_part(value):
            for site, rebuild in _sites(value):
                yield site, _in_field(part, field.name, rebuild)


def _is_part(value: object) -> bool:
    return is_dataclass(value) and not isinstance(value, Entity | Literal | Kind)


def _in_tuple(part: Any, name: str, value: tuple[Any, ...], place: int, rebuild: Any) -> Callable[[Any], Any]:
    def put(new: Any) -> Any:
        return replace(part, **{name: (*value[:place], rebuild(new), *value[place + 1 :])})

    return put


def _in_field(part: Any, name: str, rebuild: Any) -> Callable[[Any], Any]:
    return lambda new: replace(part, **{name: rebuild(new)})


def _changed(part: Any, around: Surroundings, rng: random.Random) -> Any:
    match part:
        case Hop():
            if rng.random() < 0.3:
                return part.turned()
            return around.like(part, rng)
        case Things():
            kinds = [kind for kind in around.kinds if kind.label != part.kind.label]
            return Things(rng.choice(kinds)) if kinds else None
        case Condition():
            return _condition(part, around, rng)
        case Key():
            measures = [one for one in ("value", "count", *_STATISTICS) if part.path and one != part.measure]
            return Key(part.path, rng.choice(measures[:3])) if measures else None  # type: ignore[arg-type]
        case Restricted():
            return _restricted(part, around, rng)
        case Ranked():
            return _ranked(part, rng)
        case Counted():
            return part.of
        case Measured():
            statistics = [one for one in _STATISTICS if one != part.do]
            measured = [Measured(rng.choice(statistics), part.of, part.path) for _ in range(2)]
            return rng.choice([*measured, followed(part.of, part.path)])
        case Join():
            if part.within is not None and rng.random() < 0.5:
                return replace(part, within=None)
            return part.of if not isinstance(part.of, Constant) else None
        case Noted():
            labels = [label for label in around.qualifiers if label != part.label]
            return replace(part, label=rng.choice(labels)) if labels and rng.random() < 0.5 else part.of
        case Sets():
            other = rng.choice([one for one in _SETS if one != part.do])
            return rng.choice([Sets(other, part.of), replace(part, of=part.of[::-1]), rng.choice(part.of)])
        case Compared():
            turned = Compared(part.left, _TURNED.get(part.do, "="), part.right)
            if isinstance(part.right, Constant) and part.right.text in ("yes", "no"):
                return turned  # "whether pool of X is yes" is what "pool of X" says
            return rng.choice([turned, replace(part, left=part.right, right=part.left), part.left])
        case Calculated():
            return rng.choice([replace(part, left=part.right, right=part.left), part.left, part.right])
        case Agree() | Exists():
            return part.left if isinstance(part, Agree) else rng.choice([part.of, Counted(part.of)])
        case Membership():
            return part.of
        case Tabled():
            columns = part.columns
            return replace(part, columns=columns[:-1]) if len(columns) > 1 else part.of
        case Grouped():
            return _grouped(part, around, rng)
    return None


def _condition(part: Condition, around: Surroundings, rng: random.Random) -> Condition | None:
    choices: list[Condition] = []
    if part.do in _TURNED:
        choices += [replace(part, do=_TURNED[part.do])] * 2
    if part.do in _STRICT and not any(isinstance(v, Constant) and isinstance(v.node, Entity) for v in part.values):
        choices.append(replace(part, do=_STRICT[part.do]))
    if len(part.values) > 1:
        choices.append(replace(part, values=part.values[:1]))
    if part.values and part.key.measure == "value":
        choices.append(Condition(part.key, "has"))
    return rng.choice(choices) if choices else None


def _restricted(part: Restricted, around: Surroundings, rng: random.Random) -> Form:
    kept = list(part.conditions)
    if rng.random() < 0.25 and around.hops:
        hops = [hop for hop in around.hops if not hop.backward]
        extra = Condition(Key((rng.choice(hops),)), rng.choice(("has", "lacks")))
        if around.named and rng.random() < 0.7:
            extra = Condition(extra.key, "=", (rng.choice(around.named),))
        return replace(part, conditions=(*kept, extra))
    kept.pop(rng.randrange(len(kept)))
    return replace(part, conditions=tuple(kept)) if kept else part.of


def _ranked(part: Ranked, rng: random.Random) -> Form:
    choices: list[Form] = [replace(part, largest=not part.largest)] * 3 + [part.of]
    if part.key.measure == "value" and part.key.path:
        choices.append(Measured("max" if part.largest else "min", part.of, part.key.path))
    choices.append(replace(part, first=1, last=rng.choice([n for n in (1, 2, 3, 5) if n != part.last])))
    choices.append(replace(part, first=part.first + 1, last=part.last + 1))
    return rng.choice(choices)


def _grouped(part: Grouped, around: Surroundings, rng: random.Random) -> Form | None:
    forward = [hop for hop in around.hops if not hop.backward]
    by = replace(part, by=(rng.choice(forward),)) if forward else part
    counted = replace(part, key=Key((), "count")) if part.key.path else by
    return rng.choice([by, counted, part.of, replace(part, having=None)])


def followed(of: Form, path: Sequence[Hop]) -> Form:
    """What a path from a form leads to."""
    for hop in path:
        of = Join(of, hop)
    return of


#: Forms that nothing is asked of in turn.
_ENDS = Counted | Measured | Calculated | Compared | Exists | Membership | Agree | Tabled | Grouped | Noted


def _wrapped(form: Form, around: Surroundings, rng: random.Random) -> Form | None:
    if isinstance(
        form, Counted | Measured | Calculated | Compared | Exists | Membership | Agree | Tabled | Grouped | Noted
    ):
        return None
    forward = [hop for hop in around.hops if not hop.backward]
    choices: list[Form] = [Counted(form), Exists(form)]
    if forward:
        choices += [Join(form, rng.choice(list(around.hops))), Join(form, rng.choice(forward))]
        choices.append(Tabled(form, (Key((rng.choice(forward),)),)))
    if isinstance(form, Join):
        choices.append(Measured(rng.choice(("sum", "mean", "max", "min")), form.of, (form.hop,)))
    return rng.choice(choices)


def _exchanged(form: Form, names: Sequence[Constant], rng: random.Random) -> Form | None:
    """Two names exchanged."""
    if len(names) < 2:
        return None
    first, second = rng.sample(list(names), 2)
    if first == second:
        return None
    return _substituted(form, {first: second, second: first})  # type: ignore[no-any-return]


def _renamed(form: Form, names: Sequence[Constant], around: Surroundings, rng: random.Random) -> Form | None:
    """A name for another one of the graph: rare among candidates, since a question names what it names."""
    if not names or not around.named or rng.random() < 0.6:
        return None
    return _substituted(form, {rng.choice(list(names)): rng.choice(list(around.named))})  # type: ignore[no-any-return]


def _substituted(part: Any, other: dict[Constant, Constant]) -> Any:
    if isinstance(part, Constant):
        return other.get(part, part)
    if isinstance(part, tuple):
        return tuple(_substituted(inner, other) for inner in part)
    if not _is_part(part):
        return part
    return replace(part, **{field.name: _substituted(getattr(part, field.name), other) for field in fields(part)})
