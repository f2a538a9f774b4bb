"""The nodes of a program that a logical form comes to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce

from toulmin.errors import InputError
from toulmin.graph.times import literal_interval
from toulmin.graph.types import Direction, Entity, Literal
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
    Measured,
    Membership,
    Noted,
    Operator,
    Own,
    Ranked,
    Restricted,
    Sets,
    Statistic,
    Tabled,
    Things,
)
from toulmin.program.builder import Builder
from toulmin.program.nodes import EntityNode, LiteralNode, Window

__all__ = ["ClassRelations", "TimeRoles", "place_of"]

_YEAR = Literal("1", "quantity", unit="year")
_DENIED: dict[str, Operator] = {"≠": "=", "lacks": "has"}


@dataclass(frozen=True, slots=True)
class ClassRelations:
    """The ids of the relations that say of which class a thing is, and of which a class."""

    instance: tuple[str, ...] = ()
    subclass: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TimeRoles:
    """The ids of qualifiers that say since when, until when, and when a statement holds."""

    start: tuple[str, ...] = ()
    end: tuple[str, ...] = ()
    point: tuple[str, ...] = ()


def place_of(
    form: Form, builder: Builder, classes: ClassRelations, times: TimeRoles | None = None, *, assume: bool = False
) -> int:
    """The place in the program of the node that a form becomes.

    Args:
        assume: that the graph lists all of what is counted or denied, and that what began has not ended; the report
            calls the answer *assumed*.

    Raises:
        InputError: a name without a node, a class without its relation, or parts that do not fit together.
    """
    return _Making(builder, classes, times or TimeRoles(), assume).place(form)


@dataclass(frozen=True, slots=True)
class _Making:
    builder: Builder
    classes: ClassRelations
    times: TimeRoles
    assume: bool

    def _all(self, place: int) -> int:
        return self.builder.complete(place) if self.assume else place

    def _listed(self, place: int, *, whole: bool) -> int:
        return self._all(place) if whole else place

    def place(self, form: Form) -> int:
        b = self.builder
        match form:
            case Constant():
                return self._named(form)
            case Things():
                if form.kind.entity is None or not self.classes.instance:
                    raise InputError(f"no class is known for {form.kind.label!r}")
                return b.instances(b.entity(form.kind.entity), self.classes.instance, self.classes.subclass)
            case Join():
                ends = self._hop(self.place(form.of), form.hop, self._window(form.within))
                start = form.before.of if form.before is not None else None
                return self._others(ends, self._named(start)) if isinstance(start, Constant) else ends
            case Own():
                raise InputError("“its …” stands in a condition alone")
            case Noted():
                return self._noted(form)
            case Restricted():
                return reduce(self._where, form.conditions, self.place(form.of))
            case Ranked():
                order = b.last if form.largest else b.first
                by = partial(self._key, key=form.key) if form.key.path else None
                return order(self.place(form.of), by, from_=form.first, to=form.last)
            case Sets():
                places = [self.place(part) for part in form.of]
                if form.do == "difference":
                    return b.difference(*places)
                return b.union(*places) if form.do == "union" else b.intersection(*places)
            case Counted():
                return b.count(self._all(self.place(form.of)))
            case Measured():
                return self._measured(self.place(form.of), form.do, form.path)
            case Calculated():
                return self._calculated(form)
            case Compared():
                return b.compare(form.do, self.place(form.left), self.place(form.right))
            case Exists():
                return b.exists(self._all(self.place(form.of)))
            case Membership():
                return self._among(form)
            case Agree():
                return b.exists(self._all(b.intersection(self.place(form.left), self.place(form.right))))
            case Tabled():
                return b.table(self.place(form.of), [partial(self._key, key=key) for key in form.columns])
            case Grouped():
                return self._grouped(form)

    def _others(self, ends: int, start: int) -> int:
        """What a node without a name holds together with a start but for the start: who else is in a marriage."""
        nodes, begin = self.builder.nodes(ends), self.builder.nodes(start)
        others = [node for node in nodes if node not in begin]
        return self.builder.difference(ends, start) if others and len(others) < len(nodes) else ends

    def _named(self, form: Constant) -> int:
        if isinstance(form.node, Entity):
            return self.builder.entity(form.node, form.words, form.name or form.node.label)
        if isinstance(form.node, Literal):
            return self.builder.literal(form.node, form.words)
        raise InputError(f"nothing is known of {form.text!r}")

    def _hop(self, of: int, hop: Hop, window: Window | None = None) -> int:
        direction: Direction = "backward" if hop.backward else "forward"
        return self.builder.follow(of, hop.ids, direction, window=window)

    def _walked(self, of: int, path: Sequence[Hop]) -> int:
        return reduce(self._hop, path, of)

    def _window(self, within: tuple[Constant | None, Constant | None] | None) -> Window | None:
        if within is None:
            return None
        ends = [time.node if time else None for time in within]
        roles = {name: list(getattr(self.times, name)) for name in ("start", "end", "point")}
        unknown = {"unknown": "keep"} if self.assume else {}
        return Window.model_validate({"from": ends[0], "to": ends[1], **roles, **unknown})

    def _noted(self, form: Noted) -> int:
        followed = self.place(form.of)
        if form.to is not None:
            target = self._named(form.to)
            followed = self.builder.where(followed, lambda it: self.builder.compare("=", it, target))
        return self.builder.qualifier(followed, form.ids)

    def _key(self, of: int, key: Key) -> int:
        if key.measure == "value":
            return self._walked(of, key.path)
        if key.measure == "count":
            return self.builder.count(self._all(self._walked(of, key.path)))
        return self._measured(of, key.measure, key.path)

    def _measured(self, of: int, do: Statistic, path: Sequence[Hop]) -> int:
        if not path:
            return self.builder.aggregate(do, of, lambda it: it)
        things = self._walked(of, path[:-1])
        return self.builder.aggregate(do, things, lambda it: self._hop(it, path[-1]))

    def _where(self, of: int, condition: Condition, *, whole: bool = False) -> int:
        """The things of a set for which a condition holds; if it is of equality with things, it is walked from these.

        So the set is found without a look at each.

        Args:
            whole: whether the assumption that all is listed covers what each thing leads to, too.
        """
        b, key, do = self.builder, condition.key, condition.do
        if do in _DENIED:
            return b.difference(of, self._where(of, replace(condition, do=_DENIED[do]), whole=whole))
        if do == "has":
            return b.where(of, lambda it: b.exists(self._listed(self._walked(it, key.path), whole=whole)))
        own = [value.path for value in condition.values if isinstance(value, Own)]
        values = [self._value(value, do) for value in condition.values if not isinstance(value, Own)]
        if do == "=" and key.measure == "value" and key.path and not own and all(map(self._are_things, values)):
            ends = values
            for hop in reversed(key.path):
                ends = [self._hop(end, hop.turned()) for end in ends]
            return b.intersection(of, b.union(*ends))

        def test(it: int) -> int:
            left, places = self._key(it, key), [*values, *(self._walked(it, path) for path in own)]
            if key.measure != "value":
                return b.or_(*(b.compare(do, left, place) for place in places))
            ends = self._listed(left, whole=whole)
            return b.some(ends, lambda end: b.or_(*(self._compared(do, end, place) for place in places)))

        return b.where(of, test)

    def _value(self, value: Form, do: str) -> int:
        """What is compared with: "since 2023" is from its first day on, "up to 2023" to its last."""
        node = value.node if isinstance(value, Constant) else None
        if isinstance(node, Literal) and node.kind == "time" and do in ("≥", "≤"):
            interval = literal_interval(node)
            if interval is not None:
                day = interval.earliest if do == "≥" else interval.latest
                return self.builder.literal(Literal(day, "time"))
        return self.place(value)

    def _compared(self, do: str, end: int, value: int) -> int:
        """An end compared with a value, or with any thing of a set; a day equals the year that it lies in."""
        b = self.builder
        do = "within" if do == "=" and self._is_time(value) else do
        if b.static(value).kind == "named":
            return b.compare(do, end, value)
        return b.some(value, lambda it: b.compare(do, end, it))

    def _are_things(self, value: int) -> bool:
        """Whether a node is a named entity, or yields entities and nothing else."""
        node = self.builder.program[value]
        if isinstance(node, EntityNode):
            return True
        if isinstance(node, LiteralNode) or self.builder.static(value).free:
            return False
        nodes = self.builder.nodes(value) if self.builder.static(value).yields == "nodes" else ()
        return bool(nodes) and all(isinstance(end, Entity) for end in nodes)

    def _is_time(self, value: int) -> bool:
        """Whether a node yields times."""
        node = self.builder.program[value]
        if isinstance(node, LiteralNode):
            return node.value.kind == "time"
        if self.builder.static(value).free or self.builder.static(value).yields != "nodes":
            return False
        nodes = self.builder.nodes(value)
        return bool(nodes) and isinstance(nodes[0], Literal) and nodes[0].kind == "time"

    def _calculated(self, form: Calculated) -> int:
        """An operation on two values; years alone are so many years apart, whatever their days."""
        b, left, right = self.builder, self.place(form.left), self.place(form.right)
        if form.do in ("duration", "full years"):
            ends = [end for place in (left, right) for end in b.nodes(place)]
            times = [literal_interval(end) if isinstance(end, Literal) else None for end in ends]
            if times and all(time is not None and time.precision == "year" for time in times):
                return b.arithmetic("subtract", b.arithmetic("year", right), b.arithmetic("year", left))
        if form.do == "full years":
            return b.arithmetic("floor", b.arithmetic("duration", left, right), b.literal(_YEAR))
        return b.arithmetic(form.do, left, right)

    def _is_told(self, item: int, of: Restricted) -> bool:
        """Whether a thing is of a set, and the graph says something of it for each condition on the set's things."""
        b, paths = self.builder, [condition.key.path for condition in of.conditions]
        inside = b.nodes(b.intersection(self.place(of.of), item))
        return bool(inside) and all(path and b.nodes(self._walked(item, path)) for path in paths)

    def _among(self, form: Membership) -> int:
        item, b = self.place(form.item), self.builder
        if isinstance(form.of, Things) and form.of.kind.entity is not None:
            kind = b.entity(form.of.kind.entity)
            return b.is_a(item, kind, self.classes.instance, self.classes.subclass)
        if isinstance(form.of, Restricted) and self._is_told(item, form.of):  # whatever is not known of others
            where = partial(self._where, whole=True)
            of = reduce(where, form.of.conditions, b.intersection(self.place(form.of.of), item))
        else:
            of = self.place(form.of)
        return b.some(self._all(of), lambda it: b.compare("=", it, item))

    def _grouped(self, form: Grouped) -> int:
        b = self.builder

        def measure(members: int) -> int:
            if form.key.measure == "count" and not form.key.path:
                return b.count(members)
            return self._key(members, form.key)

        having: Callable[[int], int] | None = None
        if form.having is not None:
            do, value = form.having
            limit = self.place(value)
            having = lambda members: b.compare(do, measure(members), limit)  # noqa: E731
        return b.group(self.place(form.of), lambda it: self._walked(it, form.by), [measure], having)
