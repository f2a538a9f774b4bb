"""How paths stand in a prompt: numbered lines of relations and samples of where they lead; all names are data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Relation
from toulmin.llm.prompts import data
from toulmin.methods.fidelis.guided.trails import Trail, ends_of

__all__ = ["Listed", "listed", "relation_words", "with_values"]

_NAME = 60  # characters of one name
_ALL = 15  # values of a trail that are all shown in the last step, since some of them may be left out there
_SAMPLED = 5  # ends shown of a candidate


@dataclass(frozen=True, slots=True)
class Listed:
    """Trails as numbered lines, and the values that are numbered in them.

    Args:
        text: the lines.
        values: (trail, node number) of each numbered value, from 1.
    """

    trails: tuple[Trail, ...]
    text: str
    values: tuple[tuple[Trail, int], ...] = ()


def relation_words(relation: Relation) -> str:
    """The words of a relation; of a dotted label ("location.country.languages_spoken") the last two parts."""
    label = relation.label or relation.id
    parts = label.strip(".").split(".")
    if len(parts) > 2 and " " not in label:
        label = f"{parts[-2]}: {parts[-1]}"
    elif "/" in label and " " not in label:
        label = label.rstrip("/#").replace("#", "/").rsplit("/", 1)[-1]
    return data(label.replace("_", " "), _NAME)


def _walked(subgraph: Subgraph, trail: Trail) -> str:
    """Start and relations, arrows pointing from subject to object; "?" for what a hop leads to."""
    text = data(trail.start.entity.label or trail.start.entity.id, _NAME)
    for at, hop in enumerate(trail.hops):
        for slot in hop:
            if slot >= 0:
                words = relation_words(subgraph.relations[slot >> 1])
                text += f" ←{words}—" if slot & 1 else f" —{words}→"
        if at < len(trail.hops) - 1:
            text += f" {data(subgraph.labels([trail.nodes[at]])[0], _NAME)}" if trail.nodes else " ?"
    return text


def _ends(subgraph: Subgraph, trail: Trail) -> Ints:
    return np.array(trail.nodes[-1:], dtype=np.int32) if trail.nodes else ends_of(subgraph, trail)


def _names(subgraph: Subgraph, nodes: Ints) -> list[str]:
    return [data(label, _NAME) for label in subgraph.labels(nodes)]


def _more(ends: Sequence[int] | Ints, shown: int) -> str:
    return f" … ({len(ends)} in all)" if len(ends) > shown else ""


def listed(subgraph: Subgraph, trails: Iterable[Trail]) -> Listed:
    """Numbered candidates: ``[1] Ada Lovelace —father→ Lord Byron``."""
    some = tuple(trails)
    lines = []
    for number, trail in enumerate(some, 1):
        ends = _ends(subgraph, trail)
        names = "; ".join(_names(subgraph, ends[:_SAMPLED]))
        lines.append(f"[{number}] {_walked(subgraph, trail)} {names}{_more(ends, _SAMPLED)}")
    return Listed(some, "\n".join(lines))


def with_values(subgraph: Subgraph, trails: Iterable[Trail], each: int, notes: dict[tuple[Trail, int], str]) -> Listed:
    """The same with numbered values: ``[1] Ada Lovelace —child→ #1 Byron King-Noel; #2 Anne Blunt``.

    Args:
        each: values shown of a trail that leads to more than 15; of others all are.
        notes: what is known of a value on a trail beside its name (since when, until when).
    """
    some = tuple(trails)
    lines: list[str] = []
    values: list[tuple[Trail, int]] = []
    for number, trail in enumerate(some, 1):
        ends = _ends(subgraph, trail)
        named, some_of = [], ends if len(ends) <= _ALL else ends[:each]
        for node, name in zip(some_of.tolist(), _names(subgraph, some_of), strict=True):
            values.append((trail, node))
            note = notes.get((trail, node))
            named.append(f"#{len(values)} {name}" + (f" ({note})" if note else ""))
        lines.append(f"[{number}] {_walked(subgraph, trail)} {'; '.join(named)}{_more(ends, len(some_of))}")
    return Listed(some, "\n".join(lines), tuple(values))
