"""How paths stand in a prompt: numbered lines of relations and samples of where they lead; all names are data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from toulmin.english.words import FUNCTION_WORDS
from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Relation
from toulmin.llm.prompts import data
from toulmin.methods.fidelis.trails import Trail

__all__ = ["Listed", "listed", "relation_words", "with_values"]

_NAME = 60  # characters of one name
_ALL = 15  # values of a trail that are all shown in the last step, since some of them may be left out there
_FIRST = 3  # trails of which that holds where few values of the others are shown
_SAMPLED = 4  # ends shown of a candidate

#: What is known of when the values of a trail hold, by node number.
Notes = Callable[[Trail, Sequence[int]], Mapping[int, str]]


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


def _brief(subgraph: Subgraph, trails: Sequence[Trail]) -> dict[int, str]:
    """The words of relations, by number: of a dotted label the last part, where no other of these trails has it."""
    words = {
        slot >> 1: relation_words(subgraph.relations[slot >> 1])
        for trail in trails
        for hop in trail.hops
        for slot in hop
        if slot >= 0
    }
    meant: dict[str, set[str]] = defaultdict(set)
    for text in words.values():
        meant[text.rpartition(": ")[2]].add(text)
    return {
        number: last if len(meant[last]) == 1 and last not in FUNCTION_WORDS else text
        for number, text in words.items()
        for last in (text.rpartition(": ")[2],)
    }


def _walked(subgraph: Subgraph, trail: Trail, brief: Mapping[int, str]) -> str:
    """Start and relations, arrows pointing from subject to object; "?" for what a hop leads to."""
    text = data(trail.start.entity.label or trail.start.entity.id, _NAME)
    for at, hop in enumerate(trail.hops):
        for slot in hop:
            if slot >= 0:
                words = brief[slot >> 1]
                text += f" ←{words}—" if slot & 1 else f" —{words}→"
        if at < len(trail.hops) - 1:
            text += f" {data(subgraph.labels([trail.nodes[at]])[0], _NAME)}" if trail.nodes else " ?"
    return text


def _ends(subgraph: Subgraph, trail: Trail) -> Ints:
    return np.array(trail.nodes[-1:], dtype=np.int32) if trail.nodes else trail.ends(subgraph)


def _names(subgraph: Subgraph, nodes: Ints) -> list[str]:
    return [data(label, _NAME) for label in subgraph.labels(nodes)]


def _more(ends: Sequence[int] | Ints, shown: int) -> str:
    return f" … ({len(ends)} in all)" if len(ends) > shown else ""


def listed(subgraph: Subgraph, trails: Iterable[Trail]) -> Listed:
    """Numbered candidates: ``[1] Ada Lovelace —father→ Lord Byron``."""
    candidates = tuple(trails)
    brief = _brief(subgraph, candidates)
    lines = []
    for number, trail in enumerate(candidates, 1):
        ends = _ends(subgraph, trail)
        names = "; ".join(_names(subgraph, ends[:_SAMPLED]))
        lines.append(f"[{number}] {_walked(subgraph, trail, brief)} {names}{_more(ends, _SAMPLED)}")
    return Listed(candidates, "\n".join(lines))


def with_values(subgraph: Subgraph, trails: Iterable[Trail], most: int, notes: Notes) -> Listed:
    """The same with numbered values: ``[1] Ada Lovelace —child→ #1 Byron King-Noel; #2 Anne Blunt``.

    Args:
        most: values shown of a trail; of the first three, and of all where it is 15, up to 15 are.
        notes: what is known of values beside their names (since when, until when).

    A trail that leads to the same as an earlier one says so instead.
    """
    candidates = tuple(trails)
    brief = _brief(subgraph, candidates)
    lines: list[str] = []
    values: list[tuple[Trail, int]] = []
    first_with: dict[bytes, int] = {}
    for number, trail in enumerate(candidates, 1):
        ends = _ends(subgraph, trail)
        first = first_with.setdefault(ends.tobytes(), number)
        whole = len(ends) <= _ALL and (number <= _FIRST or most >= _ALL)
        shown = (ends if whole else ends[:most]).tolist()
        periods, numbered = notes(trail, shown), []
        if first < number and len(shown) > 1 and not periods:
            lines.append(f"[{number}] {_walked(subgraph, trail, brief)} the same as [{first}]")
            continue
        for node, name in zip(shown, _names(subgraph, np.array(shown, dtype=np.int32)), strict=True):
            values.append((trail, node))
            numbered.append(f"#{len(values)} {name}" + (f" ({periods[node]})" if node in periods else ""))
        lines.append(f"[{number}] {_walked(subgraph, trail, brief)} {'; '.join(numbered)}{_more(ends, len(shown))}")
    return Listed(candidates, "\n".join(lines), tuple(values))
