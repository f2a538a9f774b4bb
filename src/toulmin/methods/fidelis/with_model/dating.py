"""When the values of a path hold: what the qualifiers of its last statements say, and what a node in between says.

A time stands on a statement as a qualifier, or, where a graph has none, beside the value on a node without a name that
stands for the relation itself ("head of the clinic, Ada, since 1960").
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal as Choice

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.times import TimeInterval, parse_time
from toulmin.graph.types import Entity, Literal, Node, Relation
from toulmin.graph.values import time_of
from toulmin.methods.fidelis.walking import Trail
from toulmin.methods.fidelis.with_model.listing import relation_words

__all__ = ["HoldingPeriod", "Years", "is_time", "kind_of", "noted", "padded_year", "periods", "within"]

_STARTS = ("start", "from", "since", "begin", "inception")
_ENDS = ("end", "to", "until", "dissol", "abolish")
_POINTS = frozenset({"at", "date", "in", "on", "point", "time", "when", "year"})
_PERIODS = 3  # of one value, in a note
_LOOKED = 200  # values of a path whose times are looked for

Stated = tuple[Relation, Node]  # a time, and over which relation
Years = tuple[str | None, str | None]  # from and to, both included; None: open
#: What one statement, or one node in between, says of when a value holds; in the order of the graph.
HoldingPeriod = tuple[Stated, ...]


def _note(period: HoldingPeriod) -> str:
    """In words: ``from 1947 to 1964``."""
    return " ".join(f"{_role(relation)} {_text(value)}" for relation, value in period)


def _meets(period: HoldingPeriod, start: TimeInterval | None, end: TimeInterval | None) -> bool:
    """Whether it has a day in common with a time; None: that side is open."""
    times = [(kind_of(relation), interval) for relation, value in period if (interval := time_of(value)) is not None]
    first = [interval.start for kind, interval in times if kind != "end"]
    last = [interval.end for kind, interval in times if kind != "start"]
    begins_in_time = end is None or not first or min(first) < end.end
    return begins_in_time and (start is None or not last or max(last) > start.start)


def periods(subgraph: Subgraph, trail: Trail, nodes: Iterable[int]) -> dict[int, list[HoldingPeriod]]:
    """The periods of nodes that a trail leads to, by node number; those that say nothing of time are left out."""
    if trail.nodes:
        before = np.array((trail.origin, *trail.nodes)[-2:-1], dtype=np.int32)
    else:
        before = trail.reached(subgraph, len(trail.hops) - 1)
    slot, beyond = trail.hops[-1]
    by_node: dict[int, list[HoldingPeriod]] = {}
    for node in list(nodes)[:_LOOKED]:
        if beyond < 0:
            rows, ends = _edges(subgraph, node, slot ^ 1)
            stated = [_qualified(subgraph, [row]) for row in rows[np.isin(ends, before)].tolist()]
        else:
            stated = []
            lasts, between = _edges(subgraph, node, beyond ^ 1)
            for row, via in zip(lasts.tolist(), between.tolist(), strict=True):
                firsts, ends = _edges(subgraph, via, slot ^ 1)
                firsts = firsts[np.isin(ends, before)]
                if subgraph.machine[via] and len(firsts):
                    stated.append((*_qualified(subgraph, [row, *firsts.tolist()]), *_beside(subgraph, via)))
        holding = list(dict.fromkeys(filter(None, stated)))
        if holding:
            by_node[node] = holding
    return by_node


def noted(subgraph: Subgraph, trail: Trail, nodes: Iterable[int]) -> dict[int, str]:
    """What stands beside a value in a prompt, of those that say when they hold."""
    return {
        node: ", ".join(dict.fromkeys(map(_note, holding[:_PERIODS])))
        for node, holding in periods(subgraph, trail, nodes).items()
    }


def within(subgraph: Subgraph, trail: Trail, nodes: Iterable[int], years: Years) -> list[int] | None:
    """The nodes with a period that meets a window of years; None where no node has any."""
    by_node = periods(subgraph, trail, nodes)
    if not by_node:
        return None
    start, end = (None if year is None else parse_time(padded_year(year)) for year in years)
    return [node for node, holding in by_node.items() if any(_meets(period, start, end) for period in holding)]


def _edges(subgraph: Subgraph, node: int, slot: int) -> tuple[NDArray[np.int64], Ints]:
    """The statement numbers over a slot from a node, and where they lead."""
    csr = subgraph.incoming if slot & 1 else subgraph.outgoing
    places = csr.edges(node, slot >> 1)
    return np.asarray(csr.statement[places], dtype=np.int64), csr.neighbour[places]


def _qualified(subgraph: Subgraph, rows: list[int]) -> tuple[Stated, ...]:
    """The times among the qualifiers of statements."""
    tables = subgraph.tables
    if not any(tables.qualifier_start[row + 1] > tables.qualifier_start[row] for row in rows):
        return ()
    qualifiers = (qualifier for statement in subgraph.statements(rows) for qualifier in statement.qualifiers)
    return tuple(dict.fromkeys((stated.relation, stated.value) for stated in qualifiers if is_time(stated.value)))


def _beside(subgraph: Subgraph, via: int) -> tuple[Stated, ...]:
    """The times that are stated of a node without a name."""
    csr = subgraph.outgoing
    places = csr.edges(via)
    stated: list[Stated] = []
    for number, node in zip(csr.relation[places].tolist(), csr.neighbour[places].tolist(), strict=True):
        relation = subgraph.relations[number]
        words = relation_words(relation).lower().split()
        if node < subgraph.n_entities and kind_of(relation) == "point" and _POINTS.isdisjoint(words):
            continue  # its words tell no time
        value = subgraph.node(node)
        if is_time(value) or (isinstance(value, Entity) and time_of(value) is not None):
            stated.append((relation, value))
    return tuple(stated)


def is_time(node: Node) -> bool:
    """Whether a node is a literal that stands for a time."""
    return isinstance(node, Literal) and node.kind == "time" and time_of(node) is not None


def kind_of(relation: Relation) -> Choice["start", "end", "point"]:
    """What a time over a relation tells of a period."""
    words = relation_words(relation).lower().split()
    if any(word.startswith(_STARTS) for word in words):
        return "start"
    return "end" if any(word.startswith(_ENDS) for word in words) else "point"


def _role(relation: Relation) -> str:
    kind = kind_of(relation)
    if kind == "point":
        words = relation_words(relation)
        return "in" if not _POINTS.isdisjoint(words.lower().split()) else words
    return "from" if kind == "start" else "to"


def _text(value: Node) -> str:
    """A time as short as it is given: a day without its clock."""
    text = (value.label or value.id) if isinstance(value, Entity) else value.value
    return text.partition("T")[0]


def padded_year(text: str) -> str:
    """A year of four digits at least: "0476", "-0044"."""
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    return f"{sign}{int(digits):04d}"
