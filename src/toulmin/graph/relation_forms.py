"""What the relations of a graph are called, walked forward and walked backward."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toulmin.graph.local import LocalGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Relation
from toulmin.graph.union import UnionGraph

__all__ = ["RelationForms", "relation_forms"]


@dataclass(frozen=True, slots=True)
class RelationForms:
    """The names of a relation.

    Args:
        relation: as ``Graph.relations`` has it.
        forward: its label and other names ("manager", "reports to"), which go from subject to object; the label first.
        backward: the names of its inverse ("leads"), which go from object to subject. They name no statements of their
            own. Those of a symmetric relation are its own.
    """

    relation: Relation
    forward: tuple[str, ...]
    backward: tuple[str, ...] = ()


def relation_forms(graph: Graph, relations: Sequence[str] | None = None) -> dict[str, RelationForms]:
    """The names of relations, by id.

    Args:
        relations: ids; None: of all relations that have statements. Unknown ones are left out. An endpoint is asked for
            their names, and knows none of their inverses.

    Raises:
        GraphError: the index of names is damaged, or an endpoint does not answer.
    """
    ids = [known.id for known, _ in graph.relations()] if relations is None else list(dict.fromkeys(relations))
    backward = _backward(graph, ids)
    forms: dict[str, RelationForms] = {}
    for relation, info in zip(ids, graph.describe(ids), strict=True):
        if info is not None:
            forward = dict.fromkeys([*([label] if (label := info.entity.label) else []), *info.aliases])
            forms[relation] = RelationForms(Relation(relation, label), tuple(forward), backward.get(relation, ()))
    return forms


def _backward(graph: Graph, relations: Sequence[str]) -> dict[str, tuple[str, ...]]:
    if isinstance(graph, LocalGraph):
        return graph.inverse_names(relations)
    if not isinstance(graph, UnionGraph):
        return {}
    parts = [_backward(part, relations) for part in graph.graphs.values()]
    return {r: tuple(dict.fromkeys(form for part in parts for form in part.get(r, ()))) for r in relations}
